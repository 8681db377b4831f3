"""Directed mutants: variants of an input that differ in the parts a literal looks at.

Mutants made by chance seldom hit the one place that a law speaks of. Here its parts are dropped,
doubled, renamed, exchanged, made equal, and spelled otherwise around the text that it names. So a
law meets inputs that only just satisfy it, and others that miss it by a single literal.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeAlias

from boildown.engine.laws.aim import aimed, like, places
from boildown.engine.laws.families import counterparts, relatives
from boildown.engine.laws.features import (
    OPERATORS,
    Chosen,
    Feature,
    Named,
    compared_lists,
    looked_at,
)
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import (
    Corpus,
    chunk,
    exchanged,
    grown,
    in_turns,
    put,
    renamed,
    repeated,
    separators,
    varied,
    without_item,
)
from boildown.engine.laws.parts import IDENTIFIER, Part, Parts, bare, read
from boildown.engine.laws.strains import frames, reframed
from boildown.engine.numerals import COMPOSITES, number

MOST_PLACES = 3
"""Parts that are changed of those that a literal looks at."""
MOST_SEEN = 6
"""Values of other inputs, or of other places, that are put there."""
MOST_MOVED = 4
"""Inputs of which parts are put into others."""
MOST_AROUND = 4
"""Parts around one that a literal looks at, which may go with it."""
SAMPLES_CROSSED = 8
"""Tokens of the grammar that one is crossed with."""
SAMPLES_OF_OPTION = 4
"""Texts of the grammar for an option that a long part may have."""
SAMPLES_WRAPPED = 6
"""Larger parts that one is put into."""
MOST_SHARED = 12
"""Edits against each condition on one part, for two that share them."""
MOST_REARRANGED = 6
"""Items that come to stand elsewhere."""
MOST_TOKENS_WRAPPED = 6
"""Tokens of each of these, about."""


_BEGINNINGS = ("+", "/", "#", "@", "-", ".", "_", "$", "http://", "A", "0")
"""Put before a text that may have to begin with one of them."""
_ENDINGS = ("/", ".", "!", "%", ";")
"""Put behind one that may have to end so."""
STEPS = (1, 7, 40)
"""So far from known numbers others are tried."""
BETWEEN_INPUTS = ("\n", ";\n")
"""Tried between two inputs that are made one."""

_OF_PARTS = {
    "begins": (True,), "begins not": (True,), "ends": (False,), "ends not": (False,),
    "has": (True, False), "has not": (True, False),
}  # fmt: skip
"""Which piece of a text that a test asks for may be enough: whether that is its beginning."""

Directed: TypeAlias = Callable[[Atom, str, Parts, Corpus, Random], Iterator[str]]
"""A way to make variants of an input against a literal."""


def _of_each_side(way: Directed) -> Directed:
    """Let a way that looks at one condition look at each of several in a literal, in turns."""

    @functools.wraps(way)
    def of_sides(
        literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random
    ) -> Iterator[str]:
        if not literal.sides:
            return way(literal, text, parts, corpus, rng)
        return in_turns([of_sides(each, text, parts, corpus, rng) for each in literal.sides])

    return of_sides


def turned(literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield variants of an input that differ in the parts a literal looks at, sorts in turn."""
    feature = literal.feature
    made: list[Iterator[str]] = []
    if literal.relation:
        assert isinstance(literal.constant, int | float)
        near = [literal.constant + each for each in (0, 1, -1)]
        made += [aimed(literal, text, parts, target) for target in near]
    parted = looked_at(feature, parts)
    chosen = rng.sample(parted, min(MOST_PLACES, len(parted)))
    made.append(_spelled(literal, text, parts, rng))
    made.append(_stated(feature, text, parts))
    if literal.test == "repeated":
        made.append(_taken_apart(feature, text, parts, rng))
    if feature.lists:
        made.append(_resized(feature, text, parts, rng))
    if literal.sides:
        if feature.kind == "scoped":
            made.append(_shared_out(literal, text, parts, corpus, rng))
        if feature.kind == "together":
            made.append(_separated(feature, text, parts, corpus, rng))
        made += [turned(each, text, parts, corpus, rng) for each in literal.sides]
    made.append(_seen_elsewhere(feature, text, parts, corpus, rng))
    made.append(_listed(feature, text, parts, rng))
    made.append(doubled(literal, text, parts, corpus, rng))
    made.append(_made_equal(feature, text, parts, rng))
    made += [_edited(text, parts, index, rng) for index in chosen]
    made.append(_without(feature, text, parts))
    made.append(_swapped(feature, text, parts))
    made.append(_brought(feature, text, parts, corpus, rng))
    rng.shuffle(made)
    while made:
        for each in list(made):
            new = next(each, None)
            if new is None:
                made.remove(each)
            elif new != text:
                yield new


def moved(literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts with a part of another input, one that a literal looks at or one around it.

    It stands where the grammar allows it, but under another label, which no mutant does: what
    holds for an object on the left of an assignment need not hold for one on the right.
    """
    pieces: dict[str, Part] = {}
    for donor in rng.sample(corpus.donors, min(MOST_MOVED, len(corpus.donors))):
        for index in looked_at(literal.feature, donor.parts)[:MOST_PLACES]:
            around = itertools.islice(donor.parts.above(index), MOST_AROUND)
            found = (donor.parts.all[i] for i in (index, *around) if i)
            pieces.update((each.text, each) for each in found if not each.is_literal)
    places = [part for part in parts.all[1:] if not part.is_literal]
    pairs = [*itertools.product(places, pieces.values())]
    for place, piece in rng.sample(pairs, len(pairs)):
        if place.labels[0] not in piece.labels and corpus.language.fits(
            place.labels[0], piece.labels[-1]
        ):
            yield text[: place.start] + piece.text + text[place.end :]


def wrapped(literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts with a part inside a larger one of its sort, so that others stand around it.

    It begins or ends inside the text that a literal asks for: whether `((` is there says little of
    whether the brackets belong together, as in `((1) + 2)`. Or it is one that is asked for directly
    in another part, and may stand anywhere inside that; or one that is there, as a `break` is, and
    may have to stand in no loop, or in one and in nothing else that is like it.
    """
    asked = literal.constant
    if literal.feature.kind == "with" and literal.feature.b is not None:
        owners = set(literal.feature.a.of(parts))
        for index in literal.feature.b.of(parts)[:MOST_PLACES]:
            above = [index, *parts.above(index)]
            if not owners.isdisjoint(above):
                way = itertools.takewhile(lambda each: each not in owners, above)
                for each in way:
                    yield from _larger(each, text, parts, corpus, rng)
    if literal.test == "exists":
        chosen = literal.feature.a
        if chosen.is_inside:
            found = (parts.items_around(index)[-2:] for index in chosen.of(parts)[:MOST_PLACES])
            pairs = dict.fromkeys((each[0], each[1]) for each in found if len(each) > 1)
            yield from in_turns([reframed(*pair, text, parts, corpus, rng) for pair in pairs])
            chosen = Chosen(chosen.step)
        for index in chosen.of(parts)[:MOST_PLACES]:
            for each in parts.items_around(index)[-1:]:
                yield from _larger(each, text, parts, corpus, rng)
    if not isinstance(asked, str) or len(asked) < 2:
        return
    spots = {
        parts.all[i].start + found.start()
        for i in places(literal.feature.a, parts)
        for found in re.finditer(re.escape(asked), parts.all[i].text)
    }
    for index, part in enumerate(parts.all):
        cuts = (at < end < at + len(asked) for at in spots for end in (part.start, part.end))
        if not part.is_literal and any(cuts):
            yield from _larger(index, text, parts, corpus, rng)


def _larger(index: int, text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts with a larger part in the place of one, which stands somewhere inside it."""
    part = parts.all[index]
    language = corpus.language
    outer = language.substitutes(part.labels[0])
    for before, after in frames(part.labels[0], part.labels[0], language):
        if before or after:
            yield put(text, parts, index, before + part.text + after)
    for number_of in range(len(outer) or SAMPLES_WRAPPED):
        label = outer[number_of] if outer else rng.choice(part.labels)
        budget = 2 * MOST_TOKENS_WRAPPED if outer else rng.randint(2, MOST_TOKENS_WRAPPED)
        around = corpus.sample(label, rng, budget)
        made = None if around is None else put(text, parts, index, around)
        new = None if made is None else read(made, corpus.language, parts.naming)
        if made is None or new is None:
            continue
        end = part.end + len(made) - len(text)
        inside = [
            i for i, each in enumerate(new.all)
            if part.start <= each.start and each.end <= end
            and each.end - each.start < end - part.start
            and ({*each.labels} & {*part.labels} or (part.labels[-1] in outer
                 and language.fits(each.labels[0], part.labels[-1])))
        ]  # fmt: skip
        if inside:
            yield put(made, new, rng.choice(inside), part.text)


def rearranged(literal: Atom, text: str, parts: Parts, _: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts without an item in which a literal looks at a part, and with it at another place.

    Whether the statement of a keyword is there says little of whether it stands behind another one,
    or of how many of them there are; and whether a key is, of whether it has to be at the top.
    """
    looked = looked_at(literal.feature, parts)
    items = dict.fromkeys(i for index in looked for i in parts.items_around(index)[:1])
    for item in rng.sample([*items], min(len(items), MOST_REARRANGED)):
        yield without_item(text, parts, item)
        ways = (_elsewhere, _among_others) if literal.negated else (_among_others, _elsewhere)
        for way in ways:
            yield from way(text, parts, item)


def _among_others(text: str, parts: Parts, item: int) -> Iterator[str]:
    """Yield texts with an item as the first one of its list, and as the last one."""
    part, rest = parts.all[item], without_item(text, parts, item)
    siblings = parts.all[part.parent].children if part.parent >= 0 else []
    same = [i for i in siblings if parts.all[i].is_item] or [item]
    begun, between = parts.all[same[0]].start, "".join(separators(text, parts, item))
    if item != same[0]:
        yield rest[:begun] + part.text + between + rest[begun:]
    if item != same[-1]:
        end = parts.all[same[-1]].end - len(text) + len(rest)
        yield rest[:end] + between + part.text + rest[end:]


def _elsewhere(text: str, parts: Parts, item: int) -> Iterator[str]:
    """Yield texts with an item as the first one of another list of its sort."""
    part, (cut, after) = parts.all[item], chunk(text, parts, item)
    new = part.text + "".join(separators(text, parts, item))
    lists = {parts.all[i].in_list: parts.all[i].start for i in reversed(parts.items())}
    for (owner, sort), at in lists.items():
        if owner != part.parent and sort == part.of and not cut <= at < after:
            pieces = (text[:at], new, text[at:cut], text[after:])
            yield "".join(pieces if at < cut else (text[:cut], text[after:at], new, text[at:]))


@_of_each_side
def spoken(literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts with words that go with one that a literal asks for, and common words.

    Of what it compares with, it knows no more than the inputs have.
    """
    chosen = literal.feature.a
    if literal.test == "exists":
        yield from _unasked(chosen, text, parts, corpus)
    if literal.test not in ("some is", "in", "not in", "is not"):
        return
    constant = literal.constant
    asked = constant if isinstance(constant, tuple) else (str(constant),)
    words = [*_numbers_beside(asked), *in_turns([*map(relatives, asked)])]
    if literal.test != "some is":
        words += rng.sample(corpus.language.words, len(corpus.language.words))
    found = places(chosen, parts)
    # One that is left as it is would be enough for the law to hold.
    is_one = literal.test in ("some is", "in")
    satisfying = [i for i in found if (parts.all[i].bare in asked) == is_one]
    for new in words:
        if new not in asked:
            yield _all_with(text, parts, dict.fromkeys(satisfying or found[:1], new))


def _numbers_beside(asked: Sequence[str]) -> Iterator[str]:
    """Yield whole numbers above and below those that a literal asks for, if they all are such."""
    whole = [int(each) for each in asked if each.isdecimal()]
    if len(whole) == len(asked):
        for step in STEPS:
            yield from (str(max(whole) + step), str(min(whole) - step))


def _all_with(text: str, parts: Parts, given: Mapping[int, str]) -> str:
    """Put texts in the place of some parts, between quotes where there were any."""
    for index in sorted(given, reverse=True):
        part = parts.all[index]
        text = text[: part.start] + like(part.text, given[index]) + text[part.end :]
    return text


def _unasked(chosen: Chosen, text: str, parts: Parts, corpus: Corpus) -> Iterator[str]:
    """Yield texts with another part where a literal only asks that there is one.

    It has words that go with its own, or begins or ends with a sign that none of them shows.
    """
    for index in chosen.of(parts)[:1]:
        part = parts.all[index]
        for word in relatives(chosen.step.word or ""):
            yield text[: part.start] + renamed(parts, index, word) + text[part.end :]
    first = corpus.donors[0].parts
    values = (max(first.all[i].value, i) for i in chosen.of(first))
    seen = dict.fromkeys(first.all[i].bare for i in values)
    texts = {
        i: parts.all[i].bare for i in places(chosen, parts)
        if parts.is_plain(i) and not parts.all[i].is_literal and number(parts.all[i].bare) is None
    }  # fmt: skip
    # One that is left as it is would be enough for a failure.
    changes = [dict.fromkeys(texts, new) for new in in_turns([*map(relatives, seen)])]
    changes += [{i: sign + inner for i, inner in texts.items()} for sign in _BEGINNINGS]
    changes += [{i: inner + sign for i, inner in texts.items()} for sign in _ENDINGS]
    yield from (_all_with(text, parts, given) for given in changes if given)


def answered(literal: Atom, text: str, parts: Parts, _: Corpus, __: Random) -> Iterator[str]:
    """Yield texts with a copy of an item behind it that undoes it, as a name in it says.

    That a listener is added says little of whether one has to be removed.
    """
    feature = literal.feature
    found = dict.fromkeys((*places(feature.a, parts), *looked_at(feature, parts)))
    for index in [*found][:MOST_PLACES]:
        for changed, start, end in _counterparts(parts, index):
            for item in parts.items_around(index)[::-1][:MOST_PLACES]:
                outer, between = parts.all[item], "".join(separators(text, parts, item))
                copy = text[outer.start : start] + changed + text[end : outer.end]
                yield text[: outer.end] + between + copy + text[outer.end :]
            copy = text[:start] + changed + text[end:]
            yield from (text + between + copy for between in BETWEEN_INPUTS)


def _counterparts(parts: Parts, index: int) -> Iterator[tuple[str, int, int]]:
    """Yield texts that undo a part, with the span that each takes the place of: it, or a token."""
    part = parts.all[index]
    if parts.owns_word(index):
        for name in counterparts(part.word):
            yield renamed(parts, index, name), part.start, part.end
    inside = (e for e in parts.all if part.start <= e.start and e.end <= part.end)
    tokens = [each for each in inside if not each.children and IDENTIFIER.fullmatch(each.bare)]
    for token in tokens[:MOST_PLACES]:
        for name in counterparts(token.bare):
            yield like(token.text, name), token.start, token.end


def stretched(literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts in which one whose length a literal looks at is cut, or goes on as it ends.

    So it has the length of one with another outcome, and all else as it was: an `@`, say. Or it has
    an option more, by which it is longer, and all of its other parts are as they were.
    """
    if literal.test not in ("longest", "shortest") or not isinstance(literal.constant, int):
        return
    size = literal.constant
    yield from in_turns([
        _resized_text(size, literal.feature, text, parts),
        _with_options(literal.feature, text, parts, corpus, rng),
    ])  # fmt: skip


def _resized_text(size: int, feature: Feature, text: str, parts: Parts) -> Iterator[str]:
    for index in places(feature.a, parts)[:MOST_PLACES]:
        own = parts.all[index].bare
        for wanted in (size - 1, size + 1, size // 2, 2 * size) if own else ():
            if wanted > len(own):
                yield _with(text, parts, index, own + own[-1] * (wanted - len(own)))
            elif wanted > 0:
                yield _with(text, parts, index, own[:wanted])
                yield _with(text, parts, index, own[-wanted:])


def _with_options(
    feature: Feature, text: str, parts: Parts, corpus: Corpus, rng: Random
) -> Iterator[str]:
    for index in places(feature.a, parts)[:MOST_PLACES]:
        part = parts.all[index]
        absent = [each for each in parts.absent if part.start < each[0] <= part.end]
        for at, label in absent if part.children else ():
            drawn = (grown(corpus, text, at, label, rng) for _ in range(SAMPLES_OF_OPTION))
            yield from filter(None, drawn)


@_of_each_side
def crossed(literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts in which a token begins and ends as it did, with the rest of another one.

    What it begins with, or ends with, or both may be all that matters of it.
    """
    if literal.test not in ("some is", "in", "begins", "ends", "has"):
        return
    for index in places(literal.feature.a, parts)[:MOST_PLACES]:
        part, own = parts.all[index], parts.all[index].bare
        if own.swapcase() != own:
            yield _with(text, parts, index, own.swapcase())
        if part.children or number(own) is not None or len(own) < 2:
            continue
        drawn = (corpus.sample(part.labels[-1], rng, 4) for _ in range(SAMPLES_CROSSED))
        others = [bare(each) for each in drawn if each]
        yield from (_with(text, parts, index, own[0] + each[1:-1] + own[-1]) for each in others)
        for each in others:
            yield _with(text, parts, index, own[0] + each[1:])
            yield _with(text, parts, index, each[:-1] + own[-1])


@_of_each_side
def shortened(literal: Atom, text: str, parts: Parts, _: Corpus, __: Random) -> Iterator[str]:
    """Yield texts in which one keeps only a piece of the text that a literal asks for in it.

    That `PT5M` passes, and all that begin with `PT5`, says little of whether `PT` would be enough.
    """
    asked = literal.constant
    if literal.test not in _OF_PARTS or not isinstance(asked, str):
        return
    sizes = dict.fromkeys((len(asked) // 2, len(asked) - 1, 1))
    found = (i for i in places(literal.feature.a, parts) if asked in parts.all[i].bare)
    for index in itertools.islice(found, MOST_PLACES):
        before, _asked, after = parts.all[index].bare.partition(asked)
        for size, is_begun in itertools.product(sizes, _OF_PARTS[literal.test]):
            at = size if is_begun else len(asked) - size - 1
            if 0 <= at < len(asked) and 0 < size < len(asked):
                cut = asked[:at] + _other_sign(asked[at]) + asked[at + 1 :]
                yield _with(text, parts, index, before + cut + after)


def _other_sign(sign: str) -> str:
    """Return another sign of the same sort."""
    return next(each for each in ("x1_" if sign.isalpha() else "71x") if each != sign)


def doubled(literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts with two of the parts a literal looks at, the second one with another value.

    What holds for some of them need not hold for all.
    """
    feature, constant = literal.feature, literal.constant
    if feature.kind != "texts" or constant is None or isinstance(constant, tuple):
        return
    near = [constant + each for each in (1, -1)] if not isinstance(constant, str) else []
    given = [f"{each:.10g}" for each in near] or [f"{constant}x", str(constant)]
    if literal.test in ("longest", "shortest"):
        given = ["a" * max(int(each), 0) for each in near]
    for index in rng.sample(found := places(feature.a, parts), min(MOST_PLACES, len(found))):
        part = parts.all[index]
        for new, separator in itertools.product(given[:2], BETWEEN_INPUTS):
            begun = text + separator
            changed = text[: part.start] + like(part.text, new) + text[part.end :]
            yield from _apart(begun + changed, len(begun), parts, corpus)
        for new, above in itertools.product(given[:2], itertools.islice(parts.above(index), 6)):
            outer = parts.all[above]
            changed = text[outer.start : part.start] + like(part.text, new)
            changed += text[part.end : outer.end]
            if outer.is_item:
                between = "".join(separators(text, parts, above))
                begun = text[: outer.end] + between
                both = _apart(begun + changed + text[outer.end :], len(begun), parts, corpus)
                # With another word, the part itself would be no second one.
                yield from itertools.islice(both, 1 if outer.word == feature.a.step.word else 2)
                yield text[: outer.start] + changed + between + text[outer.start :]
            others = [parts.all[i] for label in outer.labels for i in parts.by_label[label]]
            others = [
                each for each in others
                if (each.end <= part.start or part.end <= each.start) and each is not outer
            ]  # fmt: skip
            if others:
                inner = rng.choice(others)
                yield text[: inner.start] + changed + text[inner.end :]


def _seen_elsewhere(
    feature: Feature, text: str, parts: Parts, corpus: Corpus, rng: Random
) -> Iterator[str]:
    """Yield texts with values at the places that a literal looks at which they have in others."""
    found = [i for i in places(feature.a, parts) if not parts.all[i].children]
    seen = [
        each.parts.all[i].text
        for each in corpus.donors
        for i in (places(feature.a, each.parts) if found else ())
        if not each.parts.all[i].children
    ]
    texts = [*dict.fromkeys(seen)]
    for new in rng.sample(texts, min(len(texts), MOST_SEEN)):
        yield put(text, parts, rng.choice(found), new)


def _listed(feature: Feature, text: str, parts: Parts, rng: Random) -> Iterator[str]:
    """Yield texts in which all parts of one sort are equal to one of another, where these stand."""
    if feature.kind not in ("listed", "defined") or feature.b is None:
        return
    uses = [i for i in places(feature.a, parts) if not parts.all[i].children]
    texts = [*dict.fromkeys(feature.b.texts(parts))]
    for new in rng.sample(texts, min(len(texts), MOST_SEEN)):
        yield _all_with(text, parts, dict.fromkeys(uses, new))


def _taken_apart(feature: Feature, text: str, parts: Parts, rng: Random) -> Iterator[str]:
    """Yield texts in which another item stands between two that say the same.

    Only those that follow one another may matter.
    """
    seen: dict[str, int] = {}
    for index in places(feature.a, parts):
        part = parts.all[index]
        items = parts.items_around(index)
        if not items or part.children:
            continue
        item = items[-1]
        outer = parts.all[item]
        if seen.setdefault(part.bare, outer.parent) == outer.parent and outer.start:
            other = like(part.text, varied(part.bare, rng))
            between = "".join(separators(text, parts, item))
            begun = text[: outer.start] + text[outer.start : part.start] + other
            yield begun + text[part.end : outer.end] + between + text[outer.start :]


def _swapped(feature: Feature, text: str, parts: Parts) -> Iterator[str]:
    """Yield texts in which a part that is named comes after its name's use, or before it.

    The items that the two stand in, side by side, change places.
    """
    if feature.kind not in ("listed", "defined") or feature.b is None:
        return
    ones, others = (
        [[parts.all[i] for i in (index, *parts.above(index))] for index in chosen.of(parts)]
        for chosen in (feature.a, feature.b)
    )
    for left, right in itertools.product(ones[:MOST_PLACES], others[:MOST_PLACES]):
        for one, two in itertools.product(left, right):
            if one is not two and one.parent == two.parent and one.is_item and two.is_item:
                yield exchanged(text, one, two)


def _edited(text: str, parts: Parts, index: int, rng: Random) -> Iterator[str]:
    """Yield texts without a part, with it twice, under another name, and with another value."""
    part = parts.all[index]
    yield without_item(text, parts, index)
    if part.word:
        yield text[: part.start] + renamed(parts, index, f"{part.word}x") + text[part.end :]
    yield repeated(text, parts, index, 1)
    if part.word:
        yield repeated(text, parts, index, 1, renaming=True)
    inner = part.value if part.value > 0 else index
    if not parts.all[inner].children:
        yield _with(text, parts, inner, varied(parts.all[inner].bare, rng))
    same = [i for i in parts.by_label[part.labels[0]] if i != index]
    apart = [parts.all[i] for i in same]
    apart = [e for e in apart if e.end <= part.start or part.end <= e.start]
    if apart:
        yield exchanged(text, part, rng.choice(apart))


def divided(literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts with two parts in place of one, which share the items a literal looks at.

    So many in all need not be so many in one of them. The second one is like the first, but for its
    word, so that it does not take its place; or it is one of the grammar, with items of its own.
    """
    feature = literal.feature
    items = [i for i in looked_at(feature, parts) if parts.all[i].is_item]
    around: dict[int, list[int]] = {}
    for index in items:
        for above in parts.above(index):
            if parts.all[above].is_item:
                around.setdefault(above, []).append(index)
    several = [owner for owner, inner in around.items() if len(inner) > 1]
    for owner in rng.sample(several, min(len(several), MOST_PLACES)):
        outer, inner = parts.all[owner], around[owner]
        half = rng.randint(1, len(inner) - 1)
        one, two = (
            _part_without(text, parts, owner, dropped) for dropped in (inner[half:], inner[:half])
        )
        between = "".join(separators(text, parts, owner))
        begun = text[: outer.start] + one + between
        yield from _apart(begun + two + text[outer.end :], len(begun), parts, corpus)
    for at, label in rng.sample(parts.absent, min(len(parts.absent), MOST_PLACES)):
        made = grown(corpus, text, at, label, rng)
        new = None if made is None else read(made, corpus.language, parts.naming)
        if made is not None and new is not None:
            found = [i for i in looked_at(feature, new) if new.all[i].is_item]
            end = at + len(made) - len(text)
            old = [i for i in found if not at <= new.all[i].start < end]
            if 0 < len(found) - len(items) < len(old):
                yield _part_without(made, new, 0, old[len(items) - len(found) :])


def _apart(text: str, at: int, parts: Parts, corpus: Corpus) -> Iterator[str]:
    """Yield a text, and the same with another word of the part that begins at an offset.

    The part is a second one of its sort, which might take the place of the first.
    """
    yield text
    new = read(text, corpus.language, parts.naming)
    for index, part in enumerate([] if new is None else new.all):
        if new is not None and part.start == at and part.word and part.is_item:
            yield text[:at] + renamed(new, index, f"{part.word}x") + text[part.end :]
            return


def _part_without(text: str, parts: Parts, owner: int, dropped: Sequence[int]) -> str:
    """Return the text of a part without some of the items inside it."""
    outer, made = parts.all[owner], text
    for index in reversed(dropped):
        made = without_item(made, parts, index)
    return made[outer.start : outer.end + len(made) - len(text)]


def _with(text: str, parts: Parts, index: int, new: str) -> str:
    """Put a text in the place of a part, between quotes if there were any."""
    return put(text, parts, index, like(parts.all[index].text, new))


def _spelled(literal: Atom, text: str, parts: Parts, rng: Random) -> Iterator[str]:
    """Yield texts that are, begin with, end with or contain the constant of a literal."""
    constant = literal.constant
    if literal.relation or literal.feature.kind != "texts" or constant is None:
        return
    given = constant if isinstance(constant, tuple) else (_shown(constant),)
    found = places(literal.feature.a, parts)
    if not found:
        return
    words = [
        new
        for each in given
        for new in (f"{each}x", f"x{each}", each, f"x{each}x", each[:-1], each[1:], each.swapcase())
    ]
    if literal.test in ("divisible", "indivisible"):
        words = [str(int(given[0]) * rng.randint(2, 40) + each) for each in (0, 0, 1)]
    elif literal.test == "in":
        # The texts that are known may be but some of those with the same look.
        words += [varied(each, rng) for each in given]
    for word in rng.sample(words, len(words)):
        yield _with(text, parts, rng.choice(found), word)


def composed(literal: Atom, text: str, parts: Parts, _: Corpus, __: Random) -> Iterator[str]:
    """Yield texts with multiples of many numbers: a law may be on one of these divisors."""
    numeric = (i for i in places(literal.feature.a, parts) if number(parts.all[i].bare) is not None)
    for index in itertools.islice(numeric, 1):
        width = len(parts.all[index].bare)
        yield from (_with(text, parts, index, str(each).zfill(width)) for each in COMPOSITES)


def _shown(constant: str | float) -> str:
    return f"{constant:g}" if isinstance(constant, float) else str(constant)


def _stated(feature: Feature, text: str, parts: Parts) -> Iterator[str]:
    """Yield texts in which a number equals its other side, a count or a sum, or nearly does."""
    is_third = feature.kind in OPERATORS and feature.inner != ()
    if feature.kind not in ("stated", "tallied", "added") and not is_third:
        return
    seen = feature.of(parts)
    assert isinstance(seen, tuple)
    if feature.kind == "stated":
        values = [*seen[1:], seen[1] + 1, seen[1] - 1]
    else:
        values = [float(right) + each for _, right, _ in seen for each in (0, 1, -1)]
    stating = feature.inner[0].a if is_third else feature.a
    for index in places(stating, parts)[:MOST_PLACES]:
        for value in dict.fromkeys(values):
            yield _with(text, parts, index, f"{value:.10g}")


def _resized(feature: Feature, text: str, parts: Parts, rng: Random) -> Iterator[str]:
    """Yield texts in which lists that are compared have other lengths, or stand there twice."""
    pairs = compared_lists(feature, parts)
    for one, two in rng.sample(pairs, min(len(pairs), MOST_PLACES)):
        n, m = len(one) - 1, len(two) - 1
        sizes = [(n, n), (m, m), (n, n + 1), (n + 1, n), (n, n - 1), (n + 1, n + 1)]
        for first, second in rng.sample(sizes, len(sizes)):
            # The later list first, so that the other one stays where it is.
            resized = sorted(((one, first), (two, second)), reverse=True)
            made = text
            for (owner, *items), size in resized:
                made = _with_items(made, parts, owner, items, size)
            yield made
            owner, *items = two
            part = parts.all[owner]
            if part.is_item:
                between = "".join(separators(text, parts, owner))
                other = _with_items(text, parts, owner, items, second)
                other = other[part.start : part.end + len(other) - len(text)]
                yield text[: part.end] + between + other + text[part.end :]


def _separated(
    feature: Feature, text: str, parts: Parts, corpus: Corpus, rng: Random
) -> Iterator[str]:
    """Yield texts with both of two parts in one, with either alone, and with each in another."""
    assert feature.b is not None
    ones, twos = feature.a.of(parts), feature.b.of(parts)
    around = (parts.all[i].parent for i in (*ones, *twos))
    owners = list(dict.fromkeys(each for each in around if each >= 0))
    for owner in rng.sample(owners, min(len(owners), MOST_PLACES)):
        outer = parts.all[owner]
        versions = [outer.text]
        for chosen, found in ((feature.a, ones), (feature.b, twos)):
            inner = [i for i in found if parts.all[i].parent == owner]
            known = _known(chosen.step, corpus)
            versions += _with_or_without(known, inner, owner, text, parts, rng)
        yield from (text[: outer.start] + each + text[outer.end :] for each in versions[1:])
        for item in parts.items_around(owner)[-1:]:
            whole, between = parts.all[item], "".join(separators(text, parts, item))
            before, after = text[whole.start : outer.start], text[outer.end : whole.end]
            pairs = [*itertools.permutations(versions, 2)]
            for one, two in rng.sample(pairs, len(pairs)):
                both = f"{before}{one}{after}{between}{before}{two}{after}"
                yield text[: whole.start] + both + text[whole.end :]


def _shared_out(
    literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random
) -> Iterator[str]:
    """Yield texts with two parts in place of one, each of which lacks another of its conditions."""
    owners = literal.feature.a.of(parts)
    for owner in rng.sample(owners, min(len(owners), MOST_PLACES)):
        items = parts.items_around(owner)
        if not items:
            continue
        outer, between = parts.all[items[-1]], "".join(separators(text, parts, items[-1]))
        before, after = text[: outer.start], text[outer.end :]
        versions: list[list[str]] = []
        for side in literal.sides:
            edits = itertools.islice(turned(side, text, parts, corpus, rng), MOST_SHARED)
            own = (each for each in edits if each.startswith(before) and each.endswith(after))
            inside = (each[len(before) : len(each) - len(after)] for each in own)
            versions.append([each for each in inside if each])
        pairs = list(itertools.chain.from_iterable(
            itertools.product(*two) for two in itertools.permutations(versions, 2)
        ))  # fmt: skip
        for one, two in rng.sample(pairs, len(pairs)):
            yield before + one + between + two + after


def _with_or_without(
    known: Sequence[str],
    found: Sequence[int],
    owner: int,
    text: str,
    parts: Parts,
    rng: Random,
) -> Iterator[str]:
    """Yield the text of a part without those found in it, or with a known one."""
    outer = parts.all[owner]
    if found:
        yield _part_without(text, parts, owner, found)
        return
    items = [i for i in outer.children if parts.all[i].is_item and not parts.all[i].is_literal]
    if items and known:
        at = parts.all[items[-1]].end
        added = "".join(separators(text, parts, items[-1])) + rng.choice(known)
        yield text[outer.start : at] + added + text[at : outer.end]


def _known(step: Named, corpus: Corpus) -> list[str]:
    """Return the texts of a sort of parts, of the inputs that are known."""
    known = list(corpus.texts.get(step.label, ()))
    if step.word is not None:
        known = [new for new in known if step.word in new[: len(step.word) + 3]]
    return known


def _with_items(text: str, parts: Parts, owner: int, items: Sequence[int], size: int) -> str:
    """Return a text with so many items in a list; the text itself if it can't be had."""
    if not items or size == len(items):
        return text
    if size < len(items):
        for index in reversed(items[max(size, 0) :]):
            text = without_item(text, parts, index)
        return text
    last = parts.all[items[-1]]
    between = "".join(separators(text, parts, items[-1]))
    return text[: last.end] + (between + last.text) * (size - len(items)) + text[last.end :]


def _made_equal(feature: Feature, text: str, parts: Parts, rng: Random) -> Iterator[str]:
    """Yield texts in which two parts that are compared are equal, or differ by one."""
    ones = [i for i in places(feature.a, parts) if not parts.all[i].children]
    others = ones
    if feature.kind == "around":
        found = feature.a.step.of(parts)
        beside = [_siblings(parts, index) for index in found]
        pairs = [each for each in beside if each is not None]
    else:
        if feature.b is not None and feature.kind != "counts":
            others = [i for i in places(feature.b, parts) if not parts.all[i].children]
        pairs = [(one, two) for one, two in itertools.product(ones[:8], others[:8]) if one != two]
        near = [each for each in pairs if _row(parts, each[0]) == _row(parts, each[1])]
        pairs = near if near and feature.kind in ("beside", "sizes", *OPERATORS) else pairs
    for one, two in rng.sample(pairs, min(len(pairs), MOST_PLACES)):
        value = number(parts.all[two].bare)
        yield _with(text, parts, one, parts.all[two].bare)
        if value is not None:
            yield _with(text, parts, one, f"{value + 1:.10g}")
            yield _with(text, parts, one, f"{value - 1:.10g}")


def _row(parts: Parts, index: int) -> int:
    """Return the parent of a part or, for a value, the parent of its owner."""
    above = parts.all[index].parent
    if above >= 0 and parts.all[above].value == index:
        return parts.all[above].parent
    return above


def _siblings(parts: Parts, index: int) -> tuple[int, int] | None:
    """Return the parts on the left and on the right of a token."""
    parent = parts.all[index].parent
    siblings = parts.all[parent].children if parent >= 0 else []
    at = siblings.index(index) if siblings else 0
    return (siblings[at - 1], siblings[at + 1]) if 0 < at < len(siblings) - 1 else None


def _without(feature: Feature, text: str, parts: Parts) -> Iterator[str]:
    """Yield texts without any of the parts of one sort."""
    chosen: Sequence[Chosen | None] = (feature.a, feature.b)
    for each in chosen:
        made = text
        for index in reversed(each.of(parts) if each is not None else []):
            start, end = chunk(text, parts, index)
            if end <= len(made):
                made = made[:start] + made[end:]
        yield made


def _brought(
    feature: Feature, text: str, parts: Parts, corpus: Corpus, rng: Random
) -> Iterator[str]:
    """Yield texts with one more part of a sort, beside any item that it may stand beside."""
    for each in (feature.a, feature.b):
        if each is None:
            continue
        step = each.step
        known = _known(step, corpus)
        items = [i for i in parts.by_label.get(step.label, ()) if parts.all[i].is_item]
        # An item with other labels may be of the same sort: an element and a text, say.
        items = items or [i for i, part in enumerate(parts.all) if part.is_item]
        for new in rng.sample(known, min(len(known), 2)):
            for index in rng.sample(items, min(len(items), 2)):
                part = parts.all[index]
                between = "".join(separators(text, parts, index))
                yield text[: part.end] + between + new + text[part.end :]
                yield text[: part.start] + new + between + text[part.start :]
