"""Edits by the grammar: variants of an input with sorts of parts that no input of a job has.

Mutants are made of the inputs at hand. Here a part becomes one of another sort, a fixed token
another one, something stands where nothing did, a list has one item more, and a number is as large
as it may be. So a law meets a cause, or what undoes it, that no one has shown yet.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from random import Random

from boildown.engine.language import Language
from boildown.engine.laws.aim import like, sized
from boildown.engine.laws.features import looked_at
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import (
    BYTE_ORDER_MARK,
    Corpus,
    grown,
    in_turns,
    inserted,
    put,
    repeated,
    separators,
    tried_separator,
    trimmed,
    without_item,
)
from boildown.engine.laws.parts import IDENTIFIER, Part, Parts, bare, read
from boildown.engine.numerals import number

MOST_AROUND = 4
"""Parts around one that a law looks at, in whose place others are put."""
EACH_STRAINED = 4
"""Words that are put into the place of a part, and behind it."""
EACH_FOCUSED = 16
"""Words that are put into the place of a part that a law looks at."""
LONGEST_WORD = 24
"""Characters of the longest of these."""
MOST_RELATED = 4
"""Texts of other parts that a token is made equal to."""
SAMPLES_AROUND = 3
"""Texts of the grammar that are put into the place of each of the parts around one of these."""
MANY = 9
"""How often an item is repeated where it may matter how many there are."""
MOST_CONSTANTS = 4
"""Fixed tokens of the grammar that are put into the place of a part."""
SURVEYED_TOKENS = 6
"""Tokens, about, of an item of the grammar that stands in the place of one."""
MOST_GROWN = 6
"""Places of absent options and lists that get a text of the grammar."""
MOST_SIZED = 2
"""Lists that get other numbers of items."""
SIZES = (2, 3, 1, 4)
"""These."""
MOST_DEEPER = 3
"""Parts that come to stand deeper in those around them."""
MOST_TOKENS_AROUND = 12
"""Tokens of the longest of them, about."""
SAMPLES_OF_SORT = 3
"""Texts of the grammar of which the plainest stands for a sort."""
MOST_SORTS = 24
"""Sorts of parts that are put into one place."""
SAMPLES_OF_NUMBER = 150
"""Numbers of a sort of which the largest is taken."""
YEAR = "2000"
"""One that many programs take for a year like any other."""
SAMPLES_MARKED = 100
"""Texts of a token's sort whose signs are put into one."""
_SIGN = re.compile(r"[!#$%()*+,./:;=?@^_`{|}~-]")
_FIXED = re.compile(r'"(?:[^"\\]|\\.)+"')
_LETTER = re.compile(r'"\w"')
_MARK = re.compile(r"""[^\s\w"'()\[\]{}]+|[A-Za-z]+""")


def strains(
    rule: Iterable[Atom], text: str, parts: Parts, corpus: Corpus, rng: Random
) -> Iterator[str]:
    """Yield edits of an input by its grammar, in a random order; most of them may not parse.

    A part becomes one of another sort, a fixed token another one, and something stands where
    nothing did. Most are of the parts that a rule looks at, which may also come to say what others
    in the input do, and lists there to have other numbers of items.
    """
    words = _words(parts, corpus, rng)
    named = set(focus_of(rule, parts))
    focus = named | {value for index in named if (value := parts.all[index].value) > 0}
    near: list[str] = _samples_around(focus, text, parts, corpus, rng)
    far: list[str] = []
    equal: list[Iterable[str]] = []
    for index, part in enumerate(parts.all[1:], 1):
        parent = parts.all[part.parent]
        labels = part.labels if not part.is_literal else ()
        given = [corpus.sample(rng.choice(labels), rng, 4) for _ in labels]
        count = EACH_FOCUSED if index in focus else EACH_STRAINED
        given += rng.sample(words, min(len(words), count))
        given += _marks(parent, part, corpus, rng) if part.is_literal else []
        given += _constants(part, corpus) if part.choice else []
        if index in focus:
            equal.append(_with_related(focus, index, text, parts, rng))
        made = near if index in focus else far
        made += [put(text, parts, index, new) for new in given if new is not None]
        if not part.children:
            gap = corpus.language.gap
            for new in rng.sample(words, min(len(words), count)):
                made.append(text[: part.end] + gap + new + text[part.end :])
    spans = [(parts.all[index].start, parts.all[index].end) for index in focus]
    inside = [(at, label) for at, label in parts.absent if any(a <= at <= b for a, b in spans)]
    for made, absent in ((near, inside), (far, parts.absent)):
        chosen = rng.sample(absent, min(len(absent), MOST_GROWN))
        filled = (grown(corpus, text, *each, rng) for each in chosen)
        made += [each for each in filled if each is not None]
    rng.shuffle(near)
    rng.shuffle(far)
    # Where a rule looks at the whole input, none of its parts is named.
    sizes = _sized(named or {0}, text, parts, corpus, rng)
    lanes = [near, far, in_turns(equal), sizes, _deeper(named, text, parts, corpus)]
    yield from dict.fromkeys(each for each in in_turns(lanes) if each != text)


def focus_of(rule: Iterable[Atom], parts: Parts) -> list[int]:
    """Return the parts that the literals of a rule look at, each once."""
    found = (index for literal in rule for index in looked_at(literal.feature, parts))
    return list(dict.fromkeys(found))


def _deeper(named: Iterable[int], text: str, parts: Parts, corpus: Corpus) -> Iterator[str]:
    """Yield texts in which a part that a law looks at stands in another one of those around it.

    `{"price": {"price": -1}}` may pass where what matters is the price at the top.
    """
    for index in sorted(named)[:MOST_DEEPER]:
        value = parts.all[index].value
        inside = [value, index] if value > 0 else [index]
        for above in itertools.islice(parts.above(index), MOST_AROUND):
            outer = parts.all[above]
            for each in inside:
                if corpus.language.fits(parts.all[each].labels[0], outer.labels[-1]):
                    yield put(text, parts, each, outer.text)
            inside.append(above)


def _sized(
    named: Collection[int], text: str, parts: Parts, corpus: Corpus, rng: Random
) -> Iterator[str]:
    """Yield texts with other numbers of items in lists that a law looks at, or that stand there.

    How many arguments a call has may matter where all that is known are calls with none.
    """
    spans = [(parts.all[index].start, parts.all[index].end) for index in named]
    inside = [
        i for i, part in enumerate(parts.all)
        if i not in named and any(a <= part.start < b for a, b in spans)
    ]  # fmt: skip
    lists = [(text, parts, found) for found in _lists(parts, inside)]
    for at, label in parts.absent:
        if not any(start < at < end for start, end in spans):
            continue
        made = grown(corpus, text, at, label, rng)
        new = read(made, corpus.language, parts.naming) if made else None
        if made is not None and new is not None:
            end = at + len(made) - len(text)
            added = [i for i, part in enumerate(new.all) if at <= part.start < end]
            lists += [(made, new, found) for found in _lists(new, added)[:1]]
    chosen = rng.sample(lists, min(len(lists), MOST_SIZED))
    yield from in_turns(
        [itertools.chain.from_iterable(sized(*each, size) for size in SIZES) for each in chosen]
    )


def _lists(parts: Parts, inside: Iterable[int]) -> list[list[int]]:
    """Return the items among some parts, those that stand in one list together."""
    lists: dict[tuple[int, str], list[int]] = {}
    for index in inside:
        if parts.all[index].is_item and not parts.all[index].is_literal:
            lists.setdefault(parts.all[index].in_list, []).append(index)
    return [*lists.values()]


def _samples_around(
    focus: Iterable[int], text: str, parts: Parts, corpus: Corpus, rng: Random
) -> list[str]:
    """Return texts with others of the grammar in place of the parts around some of them.

    What a law names may stand there in another way: `VALUES` without `DEFAULT` before it.
    """
    around = (itertools.islice(parts.above(index), MOST_AROUND) for index in sorted(focus))
    made = []
    for index in dict.fromkeys(itertools.chain.from_iterable(around)):
        for _ in range(SAMPLES_AROUND if index else 0):
            tokens = rng.randint(1, MOST_TOKENS_AROUND)
            new = corpus.sample(rng.choice(parts.all[index].labels), rng, tokens)
            if new is not None:
                made.append(put(text, parts, index, new))
    return made


def _words(parts: Parts, corpus: Corpus, rng: Random) -> list[str]:
    """Return short texts of all sorts: of the inputs that are known, and of the grammar."""
    found = dict.fromkeys(corpus.language.rewriting.literals)
    for label, texts in sorted(corpus.texts.items()):
        found.update(dict.fromkeys([text for text in texts if len(text) <= LONGEST_WORD][:3]))
        if (new := corpus.sample(label, rng, 3)) is not None and label in parts.by_label:
            found.setdefault(new)
    return [each for each in found if each and len(each) <= LONGEST_WORD]


def _marks(parent: Part, part: Part, corpus: Corpus, rng: Random) -> list[str]:
    """Return fixed tokens of the same sort, letters or signs, that may stand in a part."""
    drawn = (corpus.sample(label, rng, 4) for label in parent.labels for _ in range(6))
    found = dict.fromkeys(mark for text in drawn if text for mark in _MARK.findall(text))
    found |= dict.fromkeys(each.text for each in corpus.donors[0].parts.all if each.is_literal)
    return [each for each in found if each[0].isalpha() == part.text[:1].isalpha()]


def _related(parts: Parts, index: int, rng: Random) -> list[str]:
    """Return the texts that others in its input say, for a token or a text in quotes.

    It is equal to one of its sort, or one of each other sort, or the number of items in a list.
    """
    part = parts.all[index]
    if part.is_literal or not parts.is_plain(index):
        return []
    same = dict.fromkeys(parts.all[i].text for i in parts.by_label[part.labels[-1]])
    given = rng.sample(list(same), min(len(same), MOST_RELATED))
    # A value is sooner equal to another value than to a name, or a sign.
    others: tuple[dict[tuple[str, str], list[str]], ...] = ({}, {})
    for each in parts.all if part.bare else ():
        if not each.children and not each.is_fixed and each.text and each.parent != part.parent:
            outer = parts.all[each.parent]
            place = each.labels[-1], outer.word or outer.labels[-1]
            is_other = {*part.labels}.isdisjoint(each.labels)
            others[is_other].setdefault(place, []).append(like(part.text, each.bare))
    like_it, unlike_it = ([rng.choice(each) for each in known.values()] for known in others)
    rng.shuffle(unlike_it)
    if part.bare and number(part.bare) is None:
        return [*like_it, *given, *unlike_it]
    items = [parts.all[index] for index in parts.items()]
    lists = Counter(each.parent for each in items) + Counter((i.parent, i.word) for i in items)
    counts = dict.fromkeys((0, 1, 2, *lists.values()))
    counted = [like(part.text, str(count)) for count in counts]
    return [*like_it, *given, *counted, *unlike_it]


def _with_related(
    focus: Collection[int], index: int, text: str, parts: Parts, rng: Random
) -> Iterator[str]:
    """Yield texts in which a part of a focus says the same as others, or all of its sort do."""
    for new in _related(parts, index, rng):
        yield put(text, parts, index, new)
        yield _all_equal(focus, index, text, parts, new)


def _all_equal(focus: Collection[int], index: int, text: str, parts: Parts, new: str) -> str:
    """Put a text in the place of a part and of all others of a focus that are of its sort."""
    owner = parts.all[parts.all[index].parent]
    for each in sorted(focus, reverse=True):
        part = parts.all[each]
        outer = parts.all[part.parent]
        if (outer.word, outer.labels[0]) == (owner.word, owner.labels[0]) and not part.children:
            text = text[: part.start] + like(part.text, bare(new)) + text[part.end :]
    return text


def appended(
    text: str, parts: Parts, corpus: Corpus, rng: Random, focus: Collection[int] = ()
) -> Iterator[str]:
    """Yield texts with one more item behind the last one of each list, of each sort in turn.

    Before the first one comes what differs from it the least: a `BEGIN` before a `COMMIT`. An
    option that is absent, and a list without items, come to have one of each sort as well. What is
    right in a part of the focus, or beside one, comes first.
    """
    around = {parts.all[index].parent for index in focus if index}
    spans = [(parts.all[index].start, parts.all[index].end) for index in {*focus, *around} - {-1}]
    near: list[list[str]] = []
    first: dict[tuple[int, str], int] = {}
    last: dict[tuple[int, str], int] = {}
    for index in parts.items():
        first.setdefault(parts.all[index].in_list, index)
        last[parts.all[index].in_list] = index
    lists = []
    for index in first.values():
        part, between = parts.all[index], "".join(separators(text, parts, index))
        begun, end = text[: part.start], between + text[part.start :]
        nearest = next((each for each in part.labels[:0:-1] if not _is_fixed(each)), None)
        own = _every_sort(nearest, corpus, rng) if nearest is not None else []
        lists.append([begun + new + end for new in own if new != part.text])
    lists += [_with_one_more(text, parts, index, corpus, rng) for index in last.values()]
    for at, label in parts.absent:
        every = (new for new in _every_sort(label, corpus, rng) if new != BYTE_ORDER_MARK)
        made = [inserted(corpus.language, text, at, new) for new in every]
        (near if any(start < at <= end for start, end in spans) else lists).append(made)
    yield from in_turns([in_turns(near), in_turns(lists)])


def appended_near(
    text: str, parts: Parts, corpus: Corpus, rng: Random, focus: Collection[int]
) -> Iterator[str]:
    """Yield texts with one more item of each sort behind the last one of the lists near a focus.

    These are the first list in one of its parts, or in what a token of it stands in, and the
    innermost that it stands in itself.
    """
    found = parts.items()
    lists: dict[tuple[int, str], int] = {}
    for index in focus:
        token = parts.all[index]
        owner = parts.all[max(token.parent, 0) if not token.children else index]
        inside = (i for i in found if owner.start <= parts.all[i].start < owner.end and i != index)
        items = [*itertools.islice(inside, 1), *parts.items_around(index)[-1:]]
        for each in items:
            place = parts.all[each].in_list
            lists[place] = max((i for i in found if parts.all[i].in_list == place), default=each)
    yield from in_turns(
        [_with_one_more(text, parts, index, corpus, rng) for index in lists.values()]
    )


def _with_one_more(text: str, parts: Parts, index: int, corpus: Corpus, rng: Random) -> list[str]:
    """Return texts with an item of each sort behind one."""
    part = parts.all[index]
    between = "".join(separators(text, parts, index)) or tried_separator(text, parts, index) or ""
    every = _every_sort(part.labels[0], corpus, rng)
    return [text[: part.end] + between + new + text[part.end :] for new in every]


def declared(
    text: str, parts: Parts, corpus: Corpus, rng: Random, focus: Iterable[int]
) -> Iterator[str]:
    """Yield texts with an item of each sort before all others, in which a name of the focus stands.

    What one statement uses may have to be declared in one before it.
    """
    items = dict.fromkeys(i for index in focus for i in parts.items_around(index)[:1])
    yield from in_turns([_declaring(text, parts, item, corpus, rng) for item in items])


def _declaring(text: str, parts: Parts, item: int, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts with an item of each sort before all others, with the first name of one in it."""
    part, between = parts.all[item], "".join(separators(text, parts, item))
    inside = (each for each in parts.all if part.start <= each.start and each.end <= part.end)
    names = (each for each in inside if not each.children and not each.is_literal)
    name = next((each for each in names if IDENTIFIER.fullmatch(each.text)), None)
    if name is None or not between:
        return
    beside = parts.all[part.parent].children if part.parent >= 0 else [item]
    at = parts.all[beside[0]].start
    for new in _every_sort(part.labels[0], corpus, rng):
        made, end = text[:at] + new + between + text[at:], at + len(new)
        found = read(made, corpus.language, parts.naming)
        for each in reversed([] if found is None else found.all):
            if each.labels[-1] == name.labels[-1] and at <= each.start and each.end <= end:
                made = made[: each.start] + name.text + made[each.end :]
        yield made


def transplanted(indices: Iterable[int], text: str, parts: Parts, corpus: Corpus) -> Iterator[str]:
    """Yield texts with nothing but one of some parts, at each place that the grammar has for it.

    What matters of a string is seldom that it stands in a row of values.
    """
    whole = parts.all[0].labels[0]
    lanes = []
    for index in indices:
        part = parts.all[index]
        own = [each for each in part.labels if not _is_fixed(each)]
        framed = [frames(whole, each, corpus.language, own) for each in reversed(own)]
        lanes.append(map(part.text.join, in_turns(framed)))
    yield from in_turns(lanes)


def retold(
    indices: Iterable[int], text: str, parts: Parts, corpus: Corpus, rng: Random
) -> Iterator[str]:
    """Yield texts in which an item of another sort has a token in place of each one of its sort.

    What an `import` of a module does, a `from` with its name may do as well.
    """
    lanes = []
    for index in indices:
        item = next(iter(parts.items_around(index)[::-1]), 0)
        own, outer = parts.all[index], parts.all[item]
        lanes.append(_retold(own, outer, text, parts, corpus, rng))
    yield from in_turns(lanes)


def _retold(
    own: Part, outer: Part, text: str, parts: Parts, corpus: Corpus, rng: Random
) -> Iterator[str]:
    for new in _every_sort(outer.labels[0], corpus, rng):
        made, end = text[: outer.start] + new + text[outer.end :], outer.start + len(new)
        found = read(made, corpus.language, parts.naming)
        for each in [] if found is None else found.all:
            is_inside = outer.start <= each.start and each.end <= end
            if is_inside and not each.children and each.labels[-1] == own.labels[-1]:
                yield made[: each.start] + own.text + made[each.end :]


def frames(
    label: str, wanted: str, language: Language, apart: Container[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield the texts before and after a nonterminal or token in the shortest texts of a label.

    There is one for each production that has it, but those of the nonterminals `apart`; those
    nearest to the label come first.
    """
    gap = language.gap

    def shortest(symbols: Sequence[str]) -> str | None:
        texts = [json.loads(s) if _is_fixed(s) else language.shortest(s) for s in symbols]
        return None if None in texts else gap.join(filter(None, texts))

    queue, seen = [(label, "", "")], {label}
    for current, before, after in queue:
        expansions = language.expansions(current)
        for symbols in expansions.alternatives if expansions is not None else ():
            for at, symbol in enumerate(symbols):
                left, right = shortest(symbols[:at]), shortest(symbols[at + 1 :])
                if left is None or right is None:
                    continue
                frame = (f"{before}{left}{gap * bool(left)}", f"{gap * bool(right)}{right}{after}")
                if symbol == wanted and current not in apart:
                    yield frame
                if symbol not in seen and not _is_fixed(symbol):
                    seen.add(symbol)
                    queue.append((symbol, *frame))


def reframed(
    outer: int, inner: int, text: str, parts: Parts, corpus: Corpus, rng: Random
) -> Iterator[str]:
    """Yield texts with a part of each other sort in place of one, around a part that stood in it.

    So what stands in a loop comes to stand in a branch, and in a function.
    """
    part, moved, language = parts.all[outer], parts.all[inner], corpus.language
    for new in _every_sort(part.labels[0], corpus, rng):
        made = put(text, parts, outer, new)
        other = read(made, language, parts.naming)
        if other is None:
            continue
        end = part.end + len(made) - len(text)
        inside = (
            i for i, each in reversed([*enumerate(other.all)])
            if part.start < each.start and each.end <= end and not each.is_literal
        )  # fmt: skip
        # What it is about stands at its end.
        place = next(
            (i for i in inside if language.fits(other.all[i].labels[0], moved.labels[-1])), None
        )
        if place is not None:
            yield put(made, other, place, moved.text)


def of_other_sorts(text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts with another sort of part in the place of each part that has others inside."""
    lists = [
        [put(text, parts, index, new) for new in _every_sort(part.labels[0], corpus, rng)]
        for index, part in enumerate(parts.all) if part.children and index
    ]  # fmt: skip
    yield from in_turns(lists)


def _every_sort(label: str, corpus: Corpus, rng: Random) -> list[str]:
    """Return a short text for each alternative of a label, the nearest ones first."""
    language = corpus.language
    substitutes = language.substitutes(label) if language.expansions(label) is None else ()
    found = [_short_sample(each, corpus, rng) for each in substitutes[:MOST_SORTS]]
    spelled: set[str] = set()
    labels = [label]
    for each in labels:
        expansions = language.expansions(each)
        if expansions is None and each != label:
            found.append(_plainest(each, corpus, rng, 1))
        for symbols in expansions.alternatives if expansions is not None else ():
            if len(symbols) == 1 and not _is_fixed(symbols[0]):
                labels += {*symbols} - {*labels}
                continue
            if len(symbols) == 1 and _LETTER.fullmatch(symbols[0]):
                # Of the letters that a grammar spells out, one will do.
                if each in spelled:
                    continue
                spelled.add(each)
            texts = (
                json.loads(one) if _is_fixed(one) else _plainest(one, corpus, rng, 2)
                for one in symbols
            )
            found.append(language.gap.join(filter(None, texts)))
    own = (trimmed(each, label, language) or each for each in found if each)
    return list(dict.fromkeys(own))[:MOST_SORTS]


def _plainest(label: str, corpus: Corpus, rng: Random, budget: int) -> str | None:
    """Return the one of some texts of the grammar that a person would write soonest."""
    drawn = [corpus.sample(label, rng, budget) for _ in range(SAMPLES_OF_SORT)]

    def odd(text: str) -> tuple[int, int]:
        return sum(not (each.isascii() and each.isprintable()) for each in text), len(text)

    return min((each for each in drawn if each is not None), key=odd, default=None)


def _short_sample(label: str, corpus: Corpus, rng: Random) -> str | None:
    """Return a random text of few tokens that the grammar or the examples of a language have."""
    budgets = (SURVEYED_TOKENS, MOST_TOKENS_AROUND, 2 * MOST_TOKENS_AROUND)
    found = (corpus.sample(label, rng, budget) for budget in budgets)
    return next((each for each in found if each is not None), None)


def _is_fixed(symbol: str) -> bool:
    return _FIXED.fullmatch(symbol) is not None


def with_largest(
    text: str, parts: Parts, known: Collection[str], more: str, corpus: Corpus, rng: Random
) -> str:
    """Return a text with the largest number of its sort, and more digits, for each unknown one."""
    made = text
    for part in reversed(parts.all):
        if part.children or number(part.bare) is None or part.text in known:
            continue
        drawn = (corpus.sample(part.labels[-1], rng, 1) for _ in range(SAMPLES_OF_NUMBER))
        sized = [(value, new) for new in drawn if new and (value := number(new)) is not None]
        if sized:
            made = made[: part.start] + max(sized)[1] + more + made[part.end :]
    return made


def probes(text: str, parts: Parts, index: int, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield texts without a part, with it twice, and with values of it that often matter.

    The likeliest ones come last.
    """
    part = parts.all[index]
    if part.is_item:
        if (new := corpus.sample(part.labels[0], rng, SURVEYED_TOKENS)) is not None:
            yield put(text, parts, index, new)
        yield without_item(text, parts, index)
        yield repeated(text, parts, index, MANY, renaming=True)
        yield repeated(text, parts, index, 1)
        if part.word and corpus.unique.isdisjoint(part.labels):
            yield repeated(text, parts, index, MANY)
    for new in _constants(part, corpus):
        yield put(text, parts, index, new)
    items = [each for i in part.children if (each := parts.all[i]).is_item and not each.is_literal]
    # A row without fields would be no row, but a blank line.
    if items and (items[0].start > part.start or not index):
        yield text[: items[0].start] + text[items[-1].end :]
    if part.children or part.is_fixed:
        return
    value = number(part.bare)
    if value is None:
        given: Sequence[str] = (
            *(f"{part.bare}x", *_keywords(part, corpus, rng), part.bare * 12, ""),
            *_marked(part, corpus, rng),
        )
    else:
        size = max(abs(int(value)), 1)
        # The next one is no multiple of what the number was one of.
        given = (str(size + 1), str(size * 10))
        # A number may have to be as wide as it was, and a year one of these days.
        width = len(part.bare)
        given += (YEAR[:width].zfill(width),) if width > 1 else ()
        given += ("0", f"-{size}", str(size * 1000))
    for new in given:
        yield put(text, parts, index, like(part.text, new))


def _constants(part: Part, corpus: Corpus) -> list[str]:
    """Return fixed tokens that may stand in the place of a part, such as `null`."""
    labels = (*part.labels, part.choice) if part.choice else part.labels
    expansions = (corpus.language.expansions(label) for label in labels)
    found = (each for known in expansions if known is not None for each in known.alternatives)
    fixed = (json.loads(each[0]) for each in found if len(each) == 1 and _is_fixed(each[0]))
    return [each for each in dict.fromkeys(fixed) if each != part.text][:MOST_CONSTANTS]


def _marked(part: Part, corpus: Corpus, rng: Random) -> list[str]:
    """Return a token with all the signs in it that the grammar has for its sort.

    One of these may be what another law speaks of. Of what is escaped, a program sees another text.
    """
    drawn = (corpus.sample(part.labels[-1], rng, 1) for _ in range(SAMPLES_MARKED))
    signs = {sign for each in drawn if each for sign in _SIGN.findall(bare(each))}
    inner = part.bare
    return [f"{inner[:1]}{''.join(sorted(signs - {*inner}))}{inner[1:]}"] if signs else []


def _keywords(part: Part, corpus: Corpus, rng: Random) -> list[str]:
    """Return words of the grammar that may stand in the place of one."""
    if not part.text.isalpha():
        return []
    drawn = (corpus.sample(part.labels[0], rng, 1) for _ in range(12))
    found = dict.fromkeys(each for each in drawn if each and each.isascii() and each.isalpha())
    common = corpus.language.words
    same = rng.sample(common, min(len(common), 3)) if part.text in common else []
    return [each for each in (*same, *[*found][:3]) if each != part.text]
