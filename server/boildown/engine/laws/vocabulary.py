"""The vocabulary: the features that may matter, read off a few inputs that fail.

What makes an input fail is left in the reduced one, so features are made of what stands there,
and what stands around it in the original. The first ones are the likeliest.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from boildown.engine.laws.features import (
    HAVING,
    WHATEVER,
    Chosen,
    Feature,
    Named,
    children,
    renamed_feature,
)
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.parts import ANY, IDENTIFIER, PLAIN, Part, Parts
from boildown.engine.numerals import number

MOST_FEATURES = 1200
"""Features that are looked at, at most."""
MOST_ALONE = 12
"""Sorts of parts of which two conditions are asked at once."""
MOST_OF_A_GROUP = 200
"""Those of one kind, at most, so that each kind has its share."""
MOST_PAIRS = 60
"""Pairs of parts of one sort of feature, at most."""
MOST_LISTS = 60
"""Pairs of lists whose lengths are compared, at most."""
FARTHEST = 8
"""Steps, by way of what both stand in, from a list to one that it is compared with, at most."""
MOST_SORTS = 100
"""Sorts of parts of given inputs, at most."""
MOST_NUMBERS = 6
"""Numbers in one sort of objects that may count what else there is, at most."""
MOST_COUNTED = 8
"""Sorts of parts that each of them may count, or add up."""
MOST_COMPUTED = 24
"""Pairs of numbers in one part that are added or multiplied, and such pairs with a third one."""
LONGEST_COUNTED = 24
"""Characters of the longest text of which it is asked how many parts have it."""
FEW_LISTS = 3
"""Lists of one sort in one input of which this is looked at."""
FIRST_COLUMNS = 5
"""Parts of one sort in another that are told apart by their numbers: the first ones."""
MOST_COLUMNS = 5
"""Others of these that are, and are compared with one another."""
MOST_ROWED = 20
"""Pairs of them of which two conditions are asked at once."""

MOST_SHARED = 6
"""Places of one text of which each two are compared."""
FEW_SORTS = 12
"""So many sorts of parts that have words are few."""

OF_SORTS = ("with", "defined", "listed", "numbers")
"""Features of which the sorts of parts are kept beside those of any sort."""
_ROOTS = ("start", PLAIN)
_KEYWORD = re.compile(r'"[^\s\[\](){},;:]+"')


def vocabulary(core: Sequence[Parts], around: Sequence[Parts]) -> list[Feature]:
    """Return the features for laws; `core` are reduced inputs, `around` larger ones."""
    found = _widened(itertools.chain(_near(core, around), _far(core, around)))
    return list(itertools.islice(dict.fromkeys(found), MOST_FEATURES))


def _widened(features: Iterable[Feature]) -> Iterator[Feature]:
    """Yield features of all parts with the words that they name, of any sort, as they are read.

    Where parts are compared with others, or may be lacking, their sorts are kept as well: elements,
    and no attributes of that name.
    """
    for feature in features:
        yield renamed_feature(feature, _any_sort)
        if feature.kind in OF_SORTS:
            yield feature


def _any_sort(step: Named) -> Named:
    """Return the step of all parts with a word, if it has one."""
    return step if step.word is None else Named(ANY, step.word)


def dear(core: Sequence[Parts], around: Sequence[Parts]) -> list[Feature]:
    """Return features that take time, for laws where no other single literal makes one."""
    every = [*core, *around]
    near = [*_true(core), *_alone(core), *_folded(core), *_rows(core), *_shared(core)]
    far = [*_compared(every), *of_pairs(core, every), *_matched(core, every)]
    tallies = [*_computed(core, every), *_many(core), *of_counts(core, every)]
    return list(dict.fromkeys(_widened([*far, *near, *tallies])))


def of_pairs(core: Sequence[Parts], inputs: Sequence[Parts]) -> list[Feature]:
    """Return features of pairs with at least one part from a reduced input."""
    return [*_together(core, inputs), *_ordered(core, inputs)]


def sorts(known: Sequence[Parts], given: Sequence[Parts]) -> list[Feature]:
    """Return features of the sorts of parts that stand in given inputs only."""
    had = set(_steps(known))
    steps = [step for step in _steps(given) if step not in had]
    return [Feature("texts", Chosen(step)) for step in steps[:MOST_SORTS]]


def _near(core: Sequence[Parts], around: Sequence[Parts]) -> Iterator[Feature]:
    """Yield features of the reduced inputs' own parts."""
    named = _steps(core)
    every = [*core, *around]
    if any(parts.all and PLAIN in parts.all[0].labels for parts in core):
        yield Feature("texts", Chosen(Named(PLAIN)))
    for step in named:
        yield Feature("texts", Chosen(step))
        if step.word is not None:
            yield Feature("texts", Chosen(step, "top"))
    for step in named:
        if not step.label.startswith('"') and any(
            parts.all[i].children for parts in core for i in step.of(parts)
        ):
            yield Feature("depth", Chosen(step))
        elif step.label.startswith('"'):
            yield Feature("around", Chosen(step))
    brackets = {part.labels[0] for parts in core for part in parts.all if part.is_literal}
    for label in sorted(brackets):
        if label in ('"("', '"["', '"{"') or _nests(label, core):
            yield Feature("depth", Chosen(Named(label)))
    groups = (
        *(_counted(named, every), _nested(core, around), _paired(every), _numbered(core, every)),
        _in_one_list(core),
        _arguments(every),
        _behind(every),
        *(_lacking(named, every), _stated(core, every), _stated_in(every), _before(named, every)),
        *(_defined(every), _grouped(every), _not_under(named, every), _tallied(every)),
        _outside(core, every),
    )
    for group in groups:
        yield from itertools.islice(dict.fromkeys(group), MOST_OF_A_GROUP)


def _before(named: Sequence[Named], every: Sequence[Parts]) -> Iterator[Feature]:
    """Yield parts beside the ones of their sort before them."""
    for step in named:
        if step.word is not None and any(len(step.of(parts)) > 1 for parts in every):
            yield Feature("previous", Chosen(step))
    for parts in every:
        for index, part in enumerate(parts.all):
            if (context := _list_around(parts, index)) is not None:
                yield Feature("previous", Chosen(Named(ANY, part.word), "in item", context))


def _list_around(parts: Parts, index: int) -> Named | None:
    """Return the step of the part whose value is the list in an item of which a named part is."""
    listed = parts.list_around(index) if parts.owns_word(index) else -1
    return Named(ANY, parts.all[listed].word) if listed >= 0 else None


def _nests(label: str, core: Sequence[Parts]) -> bool:
    """Say whether parts with a keyword directly in them stand in one another."""
    depths = (Feature("depth", Chosen(Named(label))).of(parts) for parts in core)
    return _KEYWORD.fullmatch(label) is not None and any(each not in (0, 1) for each in depths)


def _far(core: Sequence[Parts], around: Sequence[Parts]) -> Iterator[Feature]:
    """Yield features of parts in the larger inputs only, whose absence may matter."""
    known = set(_steps(core))
    for step in _steps(around):
        if step not in known:
            yield Feature("texts", Chosen(step))
            if step.word is not None:
                yield Feature("texts", Chosen(step, "top"))
    yield from itertools.islice(_nested(around), MOST_PAIRS)
    yield from itertools.islice(_elsewhere(core, around), MOST_PAIRS)


def _elsewhere(core: Sequence[Parts], around: Sequence[Parts]) -> Iterator[Feature]:
    """Yield parts of the larger inputs as such that the reduced ones' parts lack."""
    owners = [step for step in _steps(core) if step.word is not None]
    inner = [step for step in _steps(around) if step.word is not None]
    for step, owner in itertools.product(inner, owners):
        if step != owner:
            for where in ("top", ""):
                yield Feature("with", Chosen(owner, where), Chosen(step))
            yield Feature("texts", Chosen(step, "under", owner))


def _steps(inputs: Sequence[Parts]) -> list[Named]:
    """Return the steps of some inputs, without marks that only structure a text."""
    found: dict[Named, None] = {}
    for parts in inputs:
        for index, part in enumerate(parts.all):
            for label in part.labels:
                if label in _ROOTS or (part.is_literal and not _KEYWORD.fullmatch(label)):
                    continue
                found.setdefault(Named(label))
                if parts.owns_word(index):
                    found.setdefault(Named(label, part.word))
    return list(found)


def _counted(named: Sequence[Named], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield how many children of a sort the parts of a sort have."""
    wanted = set(named)
    for parts in inputs:
        for part in parts.all:
            owners = [Named(each) for each in part.labels]
            above = parts.all[part.parent] if part.parent >= 0 else None
            if part.word:
                owners += [Named(each, part.word) for each in part.labels]
            elif above is not None and above.word:
                owners += [Named(each, above.word) for each in above.labels]
            labels = {
                label: None
                for i in part.children
                if not parts.all[i].is_literal
                for label in parts.all[i].labels
            }
            several = sum(parts.all[i].is_item for i in part.children) > 1
            words = Counter(parts.all[i].word for i in part.children if parts.owns_word(i))
            steps = [Named(each) for each in labels]
            steps += [Named(ANY, word) for word, count in words.items() if count > 1]
            for owner in owners:
                if owner in wanted or owner.label in _ROOTS:
                    if several:
                        yield Feature("kinds", Chosen(owner))
                    for step in steps:
                        inner = Chosen(step)
                        yield Feature("counts", Chosen(owner), inner)
                        if owner.word is not None:
                            yield Feature("counts", Chosen(owner, "top"), inner)


def _nested(inputs: Sequence[Parts], around: Sequence[Parts] = ()) -> Iterator[Feature]:
    """Yield parts by the parts that they stand in, directly or anywhere inside.

    `around` are other inputs, where parts with the same words may be of other sorts: the grammar of
    a file may have one for its first section, and another for those that follow.
    """
    labels: dict[str, set[str]] = {}
    for parts in (*inputs, *around):
        for index, part in enumerate(parts.all):
            if parts.owns_word(index):
                labels.setdefault(part.word, set()).add(part.labels[-1])
    for parts in inputs:
        for index, part in enumerate(parts.all):
            if part.is_literal and not _KEYWORD.fullmatch(part.labels[0]):
                continue
            inner = [Named(each) for each in part.labels[-2:]]
            if part.word:
                inner = [Named(each, part.word) for each in part.labels]
                inner += [Named(ANY)] if parts.owns_word(index) else []
            if (context := _list_around(parts, index)) is not None:
                for where in ("in top item", "in item"):
                    yield Feature("texts", Chosen(Named(ANY, part.word), where, context))
            near = list(parts.near(index))
            for above in parts.above(index):
                outer = parts.all[above]
                names = [each for each in outer.labels if each not in _ROOTS]
                if parts.owns_word(above) and len(labels[outer.word]) > 1:
                    names = [ANY]
                # What a token names says nothing of the token itself.
                word = outer.word if outer.word != part.bare else None
                for label in names if word or names != [ANY] else ():
                    context = Named(label, word or None)
                    # The argument of a call is one, whatever else it is.
                    first = [Named(part.labels[0])] if part.is_item and outer.word else []
                    for step in dict.fromkeys([*inner, *first]):
                        if step != context:
                            if above in near:
                                under = Chosen(step, "under", context)
                                yield Feature("texts", under)
                                at_top = replace(under, where="under top")
                                if outer.word and index in at_top.of(parts):
                                    yield Feature("texts", at_top)
                            yield Feature("texts", Chosen(step, "in", context))
                    if part.word and outer.word and outer.is_item:
                        # Whatever its name: that of a section is the user's own.
                        for step in inner:
                            yield Feature("texts", Chosen(step, "in", Named(label)))


def _paired(inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield pairs of parts with words that stand beside one another."""
    for parts in inputs:
        for part in parts.all:
            worded = [parts.all[i] for i in part.children if parts.all[i].word]
            above = (parts.all[i] for i in parts.near(part.children[0])) if worded else ()
            owner = next((each for each in above if each.word), None)
            for one, two in itertools.islice(itertools.combinations(worded, 2), MOST_PAIRS):
                a, b = Named(one.labels[-1], one.word), Named(two.labels[-1], two.word)
                if one.labels[-1] != two.labels[-1]:
                    a, b = Named(one.labels[0], one.word), Named(two.labels[0], two.word)
                if a != b:
                    yield Feature("beside", Chosen(a), Chosen(b))
                    if owner is not None:
                        context = Named(ANY, owner.word)
                        first, second = (Chosen(each, "under", context) for each in (a, b))
                        yield Feature("beside", first, second)
    for context, one_step, other in dict.fromkeys(_across(inputs)):
        first, second = (Chosen(each, "under", context) for each in (one_step, other))
        yield Feature("beside", first, second)


def _in_one_list(core: Sequence[Parts]) -> Iterator[Feature]:
    """Yield pairs of items of different sorts that have no words, and stand in one list."""
    for parts in core:
        for part in parts.all:
            items = (parts.all[i] for i in part.children)
            plain = [each for each in items if each.is_item and not (each.word or each.is_literal)]
            labels = dict.fromkeys(each.labels[-1] for each in plain)
            for one, two in itertools.combinations(labels, 2):
                yield Feature("beside", Chosen(Named(one)), Chosen(Named(two)))


def _across(inputs: Sequence[Parts]) -> Iterator[tuple[Named, Named, Named]]:
    """Yield parts with words directly in others with words, and such a level deeper in these.

    They are the attributes of an element and the elements in it.
    """
    for parts in inputs:
        for index, part in enumerate(parts.all):
            if not parts.owns_word(index):
                continue
            inner = [i for i in part.children if parts.all[i].word]
            outer = [i for i in part.children if not parts.all[i].word and not parts.all[i].is_item]
            deeper = [i for each in outer for i in parts.all[each].children if parts.all[i].word]
            heads = [i for i in inner if not parts.owns_word(i)]
            inner += [i for each in heads for i in parts.all[each].children if parts.all[i].word]
            pairs = itertools.product([i for i in inner if parts.owns_word(i)], deeper)
            for pair in itertools.islice(pairs, MOST_PAIRS):
                one, two = (Named(parts.all[i].labels[-1], parts.all[i].word) for i in pair)
                yield Named(ANY, part.word), one, two


def _computed(core: Sequence[Parts], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield sums, differences and products of two numbers in one part, and texts' lengths there.

    Where a third number stands beside them, it may have to be the sum or the product.
    """
    pairs: dict[frozenset[Chosen], tuple[Chosen, Chosen]] = {}
    for feature in (*_paired(inputs), *_numbered(core, inputs), *_arguments(inputs)):
        if feature.kind == "beside" and feature.b is not None:
            pairs.setdefault(frozenset((feature.a, feature.b)), (feature.a, feature.b))
    numeric = {each for each in set().union(*pairs) if _is_numeric(each, inputs)}
    added = {both: pair for both, pair in pairs.items() if both <= numeric}
    for both, (one, two) in itertools.islice(pairs.items(), MOST_PAIRS):
        if not both & numeric:
            yield Feature("sizes", one, two)
    for one, two in itertools.islice(added.values(), MOST_COMPUTED):
        yield Feature("plus", one, two)
        yield Feature("times", one, two)
        feature = Feature("minus", one, two)
        seen = (feature.of(parts) for parts in inputs)
        results = [each for found in seen if isinstance(found, tuple) for each in found]
        is_turned = sum(each < 0 for each in results) * 2 > len(results)
        yield Feature("minus", two, one) if is_turned else feature
    thirds: list[Feature] = []
    for (one, two), third in itertools.product(added.values(), sorted(numeric, key=str)):
        if {frozenset((one, third)), frozenset((two, third))} <= added.keys():
            own = (Feature("texts", third),)
            thirds += [Feature(kind, one, two, inner=own) for kind in ("plus", "times")]
    # Those come first that are equal somewhere.
    thirds.sort(key=lambda each: not any(Atom(each, "left = right").holds(each.of(parts))
                                         for parts in inputs))  # fmt: skip
    yield from thirds[:MOST_COMPUTED]


def _many(core: Sequence[Parts]) -> Iterator[Feature]:
    """Yield parts whose text occurs several times; a law may require that count."""
    nested = (each.a for each in _nested(core[:1]) if each.a.where == "under")
    columns = (each.a for each in _numbered(core, core) if each.a.where in ("nth", "nth later"))
    for chosen in dict.fromkeys([*map(Chosen, _steps(core[:1])), *nested, *columns]):
        texts = Counter(chosen.texts(core[0]))
        if max(map(len, texts), default=0) > LONGEST_COUNTED:
            continue
        if max(texts.values(), default=0) > 2:
            yield Feature("alike", chosen)
        for text, count in texts.items():
            if count > 1 and 0 < len(text) <= LONGEST_COUNTED:
                for how in HAVING:
                    yield Feature("texts", replace(chosen, text=text, how=how))


def of_counts(core: Sequence[Parts], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield pairs of sorts of parts, or of texts, of which there may have to be more of one."""
    for find in (_words, _labels, _keywords):
        pairs = ((a, b) for a, b in itertools.product(find(core), find(inputs)) if a != b)
        for a, b in itertools.islice(pairs, MOST_PAIRS):
            yield Feature("numbers", Chosen(a), Chosen(b))
    yield from itertools.islice(_numbers_of_texts(core[:1], inputs), MOST_PAIRS)


def _numbers_of_texts(core: Sequence[Parts], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield parts with a text of which there may have to be more than of those with another one."""
    for step in _steps(core):
        own_parts = [parts.all[i] for parts in core for i in step.of(parts)]
        fixed = any(each.labels[-1].startswith('"') for each in own_parts)
        names = all(e.labels[-1] == step.label and IDENTIFIER.fullmatch(e.text) for e in own_parts)
        if step.word is None and not (step.label.isupper() or fixed or names):
            continue
        chosen = Chosen(step)
        own, others = (
            dict.fromkeys(text for parts in known for text in chosen.texts(parts))
            for known in (core, inputs)
        )
        for one, other in itertools.product(own, others):
            if one != other and max(len(one), len(other)) <= LONGEST_COUNTED:
                a, b = (replace(chosen, text=text) for text in (one, other))
                yield Feature("numbers", a, b)


def _filled(core: Sequence[Parts]) -> dict[tuple[str, str], list[int]]:
    """Return the numbers, from 0, of the parts in others that are not blank, by both labels.

    The fields that a reduction left in a row show which of them matter.
    """
    found: dict[tuple[str, str], dict[int, None]] = {}
    for parts in core:
        for index, part in enumerate(parts.all):
            for own in {each for i in part.children for each in parts.all[i].labels}:
                texts = (parts.all[i].text for i in children(parts, index, Named(own)))
                numbers = {at: None for at, text in enumerate(texts) if text}
                for label in part.labels:
                    found.setdefault((label, own), {}).update(numbers)
    return {labels: [*numbers][:MOST_COLUMNS] for labels, numbers in found.items()}


def _numbered(core: Sequence[Parts], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield parts by their number among those of their sort."""
    filled = _filled(core)
    for parts in inputs:
        for index, part in enumerate(parts.all):
            for label in part.labels:
                context = Named(label)
                inner = {each: None for i in part.children for each in parts.all[i].labels}
                for own in inner:
                    step = Named(own)
                    count = len(children(parts, index, step))
                    if count < 2 or own.startswith('"'):
                        continue
                    left = filled.get((label, own), [])
                    first = [*range(min(count, FIRST_COLUMNS))]
                    nth = {
                        at: Chosen(step, "nth", context, at)
                        for at in dict.fromkeys([*left, *first])
                    }
                    yield Feature("texts", Chosen(step, "in first", context))
                    for each in nth.values():
                        yield Feature("texts", each)
                        yield Feature("previous", each)
                        later = replace(each, where="nth later")
                        yield Feature("texts", later)
                        yield Feature("previous", later)
                    pairs = itertools.chain(*(itertools.combinations(sorted(each), 2)
                                              for each in (left, first[:3])))  # fmt: skip
                    for pair in dict.fromkeys(pairs):
                        one, two = (nth[at] for at in pair)
                        yield Feature("beside", one, two)
                        one, two = (replace(each, where="nth later") for each in (one, two))
                        yield Feature("beside", one, two)


def _arguments(inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield the items of named parts, such as the arguments of one function, by their number."""
    for parts in inputs:
        for index, part in enumerate(parts.all):
            items = [each for i in part.children if (each := parts.all[i]).is_separated]
            if not items or not parts.owns_word(index):
                continue
            owner = Named(ANY, part.word)
            for label in dict.fromkeys(each.labels[0] for each in items if not each.is_literal):
                count = len(children(parts, index, Named(label)))
                nth = [Chosen(Named(label), "nth", owner, i) for i in range(min(count, 3))]
                yield from (Feature("texts", each) for each in nth)
                yield from (Feature("beside", *two) for two in itertools.combinations(nth, 2))


def _behind(inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield the parts right behind each fixed token, of any sort or of their own.

    Behind a keyword, that may be a fixed token, where an option is absent: `except:`.
    """
    for parts in inputs:
        for part in parts.all:
            for left, right in itertools.pairwise(parts.all[i] for i in part.children):
                mark = left.labels[-1]
                if not mark.startswith('"') or left.children:
                    continue
                labels: tuple[str, ...] = (WHATEVER, right.labels[-1])
                if right.is_literal:
                    labels = labels[1:] if mark[1:-1].isalpha() else ()
                for label in labels:
                    yield Feature("texts", Chosen(Named(label), "after", Named(mark)))


def _lacking(named: Sequence[Named], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield parts by those that they may have in them directly, or lack."""
    wanted = set(named)
    for parts in inputs:
        for index, part in enumerate(parts.all):
            if part.is_literal and not _KEYWORD.fullmatch(part.labels[0]):
                continue
            steps = [Named(part.labels[0], part.word or None), Named(part.labels[-1])]
            near = [*parts.near(index)]
            for above in parts.above(index):
                outer = parts.all[above]
                kinds = ("with", "inside") if above in near else ("inside",)
                owners = [Chosen(each) for each in _named(outer) if each in wanted]
                if outer.is_item and not outer.word:
                    lists = (Named(each.labels[-1], each.word) for i in parts.near(above)
                             if (each := parts.all[i]).word)  # fmt: skip
                    item = Named(outer.labels[0])
                    owners += [Chosen(item, where, each) for each in lists if each in wanted
                               for where in ("under", "under top")]  # fmt: skip
                for owner in owners:
                    for kind, step in itertools.product(kinds, dict.fromkeys(steps)):
                        yield Feature(kind, owner, Chosen(step))


def _named(part: Part) -> Iterator[Named]:
    """Yield the steps that name a part, with its word before those without it."""
    for label in part.labels:
        if label not in _ROOTS:
            yield from ([Named(label, part.word)] if part.word else [])
            yield Named(label)


def _compared(inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield pairs of lists whose lengths may have to be the same, the nearest ones first.

    The sort of which there are fewer comes first: the columns, and not the rows; of as many, the
    one that does in the last of the inputs that has it.
    """
    found: dict[_List, list[list[int]]] = {}
    several: set[_List] = set()
    for at, parts in enumerate(inputs):
        for index in range(len(parts.all)):
            for each, count in _lists(parts, index):
                found.setdefault(each, [[] for _ in inputs])[at].append(index)
                several |= {each} if count > 1 else set()
    # Where one has no item and another of its sort has one, others may have several.
    most = {each: max(len(each[0].of(parts)) for parts in inputs) for each in found}
    several |= {
        each for each, known in found.items()
        if each[1][-1].word is not None and max(map(len, known)) < most[each]
    }  # fmt: skip
    ranks = {
        each: (most[each], next(own for own in reversed(known) if own)[0])
        for each, known in found.items()
    }
    far: dict[tuple[_List, _List], int] = {}
    around: dict[tuple[_List, _List], dict[Named, None]] = {}
    for one, two in itertools.combinations(found, 2):
        is_alike = all(
            (a.word is None) == (b.word is None)
            for a, b in ((one[0].step, two[0].step), (one[1][-1], two[1][-1]))
        )
        if several.isdisjoint((one, two)) or not is_alike:
            continue
        pair = (one, two) if ranks[one] <= ranks[two] else (two, one)
        for parts, left, right in zip(inputs, found[one], found[two], strict=True):
            for i, j in itertools.product(left[:FEW_LISTS], right[:FEW_LISTS]):
                if (steps := _apart(parts, i, j)) is not None and steps <= FARTHEST:
                    far[pair] = min(far.get(pair, FARTHEST), steps)
                    around.setdefault(pair, {}).update(dict.fromkeys(_scopes(parts, i, j)))
    nearest = sorted(far, key=lambda pair: (far[pair], pair[0][1][-1].word is None))
    for one, two in nearest[:MOST_LISTS]:
        compared = Feature("lengths", one[0], two[0], lists=(one[1], two[1]))
        yield compared
        for scope in around.get((one, two), ()):
            yield Feature("scoped", Chosen(scope), inner=(compared,))
        if one[0].step.word is not None and two[0].step.word is not None:
            a, b = (replace(each[0], where="top") for each in (one, two))
            yield Feature("lengths", a, b, lists=(one[1], two[1]))


def _together(core: Sequence[Parts], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield pairs of parts that may stand side by side, the second one or none.

    They have words, or are the options of one part, as the clauses of a query are.
    """
    sorts: dict[tuple[str, str], dict[tuple[str, str], list[tuple[str, ...]]]] = {}
    for parts in inputs:
        for index, part in enumerate(parts.all):
            words = (parts.all[i].word for i in (index, *parts.near(index)))
            inside = sorts.setdefault((part.labels[0], next(filter(None, words), "")), {})
            for child in (parts.all[i] for i in part.children):
                if child.word or not (child.is_item or child.is_fixed):
                    inside.setdefault(_kind(child), []).append(child.labels)
    had = {_kind(part) for parts in core for part in parts.all}
    found: dict[Feature, None] = {}
    named: dict[Feature, None] = {}
    by_owner: dict[str, list[dict[tuple[str, str], Named]]] = {}
    for (_, owner), inside in sorts.items():
        worded = [each for (word, _), known in inside.items() if word for each in known]
        common = (
            [each for each in worded[0] if all(each in own for own in worded)] if worded else []
        )
        steps = {
            kind: Named((common or known[0])[0] if kind[0] else kind[1], kind[0] or None)
            for kind, known in inside.items()
        }
        by_owner.setdefault(owner, []).append(steps)
        for (kind, one), (_, two) in itertools.permutations(steps.items(), 2):
            if kind in had:
                found[Feature("together", Chosen(one), Chosen(two))] = None
            if kind in had and owner and one.word is not None:
                named[_together_in(owner, one, two)] = None
    across: dict[Feature, None] = {}
    for owner, known in by_owner.items():
        # The attributes of an element, and what stands directly in it.
        for ones, twos in itertools.permutations(known if owner else [], 2):
            for (kind, one), two in itertools.product(ones.items(), twos.values()):
                if kind in had and None not in (one.word, two.word) and one.word != two.word:
                    across[_together_in(owner, one, two)] = None
    for group in (found, named, across):
        yield from itertools.islice(group, MOST_PAIRS)


def _together_in(owner: str, one: Named, two: Named) -> Feature:
    a, b = (Chosen(step, "under", Named(ANY, owner)) for step in (one, two))
    return Feature("together", a, b)


def _kind(part: Part) -> tuple[str, str]:
    """Return the word of a part; without one, the label of its rule."""
    return (part.word, "") if part.word else ("", part.labels[0])


def _alone(core: Sequence[Parts]) -> Iterator[Feature]:
    """Yield tokens, and the values of named parts, of which two conditions may be asked at once."""
    found: dict[Chosen, None] = {}
    for parts in core:
        for index, part in enumerate(parts.all):
            if part.word and len(parts.value(index) or "") > 1:
                found[Chosen(Named(part.labels[0], part.word))] = None
            elif not part.is_literal and not part.children and len(part.bare) > 1:
                found[Chosen(Named(part.labels[-1]))] = None
    for each in itertools.islice(found, MOST_ALONE):
        yield Feature("alone", each, each)


def _true(core: Sequence[Parts]) -> Iterator[Feature]:
    """Yield the values of named parts, of which a program may ask whether they are true."""
    named = (Chosen(step, where) for step in _steps(core) for where in ("", "top"))
    inside = (feature.a for feature in _nested(core))
    worded = (each for each in itertools.chain(named, inside) if each.step.word is not None)
    yield from (Feature("truth", each) for each in itertools.islice(worded, MOST_PAIRS))


def _folded(core: Sequence[Parts]) -> Iterator[Feature]:
    """Yield tokens, and the values of named parts, whose case may not matter."""
    yield from (Feature("lower", each.a) for each in _alone(core))


def _rows(core: Sequence[Parts]) -> Iterator[Feature]:
    """Yield pairs of parts in one by their numbers among those of their sort."""
    filled = _filled(core)
    for parts in core:
        for part in parts.all:
            inner = {each: None for i in part.children for each in parts.all[i].labels[-1:]}
            for own, label in itertools.product(inner, part.labels[-1:]):
                count = sum(own in parts.all[i].labels for i in part.children)
                same = (parts.all[i] for i in part.children if own in parts.all[i].labels)
                if count < 2 or own.startswith('"') or not all(each.is_item for each in same):
                    continue
                left = filled.get((label, own), [])
                numbers = dict.fromkeys([*left, *range(min(count, FIRST_COLUMNS))])
                nth = [Chosen(Named(own), "nth", Named(label), i) for i in numbers]
                for one, two in itertools.islice(itertools.permutations(nth, 2), MOST_ROWED):
                    yield Feature("together", one, two)
                    a, b = (replace(each, where="nth later") for each in (one, two))
                    yield Feature("together", a, b)


def _shared(core: Sequence[Parts]) -> Iterator[Feature]:
    """Yield pairs of places at which one text stands in an input."""
    for parts in core:
        places: dict[str, dict[Chosen, None]] = {}
        for index, part in enumerate(parts.all):
            if part.parent >= 0 and not part.is_literal and not part.children:
                owner = parts.list_of(index)
                if owner >= 0:
                    list_of = Named(parts.all[owner].labels[-1], parts.all[owner].word)
                    place = Chosen(Named(part.labels[0]), "under", list_of)
                    places.setdefault(part.bare, {})[place] = None
                elif part.bare:
                    above = Named(parts.all[part.parent].labels[-1])
                    # As what it stands there, a name tells more than as a name.
                    for label in (part.labels[-1], part.labels[0]):
                        place = Chosen(Named(label), "under", above)
                        places.setdefault(part.bare, {})[place] = None
        for found in places.values():
            for one, two in itertools.combinations(itertools.islice(found, MOST_SHARED), 2):
                yield Feature("listed", one, two)


def _matched(core: Sequence[Parts], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield pairs of numbers that stand anywhere, the first one in a reduced input."""
    ones, twos = (_numeric(_steps(known), inputs) for known in (core, inputs))
    pairs = ((a, b) for a, b in itertools.product(ones, twos) if a != b)
    same = (each for each in pairs if (each[0].step.word is None) == (each[1].step.word is None))
    seen: set[frozenset[Chosen]] = set()
    for one, two in itertools.islice(same, 2 * MOST_PAIRS):
        if frozenset((one, two)) not in seen:
            seen.add(frozenset((one, two)))
            yield Feature("matched", one, two)


def _numeric(steps: Sequence[Named], inputs: Sequence[Parts]) -> list[Chosen]:
    """Return the steps of parts with words, and of tokens, at which numbers stand."""
    named = (each for each in steps if not each.label.startswith('"'))
    chosen = (Chosen(each) for each in named if each.word is not None or each.label.isupper())
    return [each for each in chosen if _is_numeric(each, inputs)]


def _ordered(core: Sequence[Parts], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield pairs of sorts of parts of which one may have to come before the other."""
    sorts = [(find(core), find(inputs)) for find in (_words, _labels, _keywords)]
    # The same keyword begins statements of several sorts.
    sorts.append((_keywords(core), _labels(core)))
    for firsts, others in sorts:
        pairs = ((a, b) for a, b in itertools.product(firsts, others) if a != b)
        for a, b in itertools.islice(pairs, MOST_PAIRS):
            yield Feature("order", Chosen(a), Chosen(b))
            yield Feature("order", Chosen(b), Chosen(a))


def _words(inputs: Sequence[Parts]) -> list[Named]:
    """Return a step for each word, with any labels of its parts."""
    return list(dict.fromkeys(Named(ANY, step.word) for step in _steps(inputs) if step.word))


def _keywords(inputs: Sequence[Parts]) -> list[Named]:
    """Return the steps of fixed tokens that are words."""
    quoted = (each for each in _steps(inputs) if each.label.startswith('"'))
    return [each for each in quoted if each.label.strip('"').isalpha()]


def _labels(inputs: Sequence[Parts]) -> list[Named]:
    """Return the steps without words, but those of fixed tokens."""
    plain = (each for each in _steps(inputs) if each.word is None)
    return [each for each in plain if not each.label.startswith('"')]


_List: TypeAlias = tuple[Chosen, tuple[Named, ...]]
"""A sort of lists: what stands around them, and the steps from there to their items."""


def _lists(parts: Parts, index: int) -> Iterator[tuple[_List, int]]:
    """Yield the sorts of lists that a part is, `row/field` or `rows/array/value`, with lengths."""
    part = parts.all[index]
    items = [parts.all[i] for i in part.children if parts.all[i].is_item]
    sorts = [(part.labels[-1], items, 0)]
    if part.is_list and len(part.labels) > 1:
        # It is its own only item.
        sorts.append((part.labels[0], [part], 1))
    above = parts.all[part.parent] if part.parent >= 0 else None
    outer = parts.all[above.parent] if above is not None and above.parent >= 0 else None
    for own, items, at in sorts:
        steps = Counter(Named(each.labels[at]) for each in items if not each.is_literal)
        worded = Counter(Named(ANY, each.word) for each in items if each.word)
        for item, count in (steps | (worded if len(worded) == 1 else Counter())).items():
            if own not in _ROOTS:
                yield (Chosen(Named(own)), (item,)), count
            if above is not None and above.word and above.value == index:
                yield (Chosen(Named(ANY, above.word)), (item,)), count
            elif part.word and part.value < 0:
                yield (Chosen(Named(ANY, part.word)), (item,)), count
            elif outer is not None and outer.word and outer.value == part.parent and part.is_item:
                yield (Chosen(Named(ANY, outer.word)), (Named(own), item)), count


def _apart_from(named: Sequence[Named], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield tokens by the parts that they stand elsewhere than in: hours, but those of a zone."""
    around: dict[Named, dict[str, None]] = {}
    for parts in inputs:
        for part in (each for each in parts.all if each.parent >= 0 and not each.children):
            if not (part.is_fixed or part.is_item or part.word):
                step = Named(part.labels[-1])
                around.setdefault(step, {}).setdefault(parts.all[part.parent].labels[-1])
    for step in named:
        labels = around.get(step, {})
        for label in labels if len(labels) > 1 else ():
            yield Feature("texts", Chosen(step, "not under", Named(label)))


def _scopes(parts: Parts, one: int, two: int) -> Iterator[Named]:
    """Yield the steps of the innermost part around two others, if there may be others like it."""
    left = {*parts.above(one)}
    common = next(index for index in parts.above(two) if index in left)
    if any(parts.all[i].is_item for i in (common, *parts.above(common))):
        part = parts.all[common]
        yield Named(part.labels[-1])
        owner = parts.all[part.parent] if part.parent >= 0 and not part.is_item else part
        if owner.word:
            yield Named(owner.labels[-1], owner.word)


def _apart(parts: Parts, one: int, two: int) -> int | None:
    """Return the steps between two parts; None if one stands in the other."""
    left, right = ([index, *parts.above(index)] for index in (one, two))
    if one in right or two in left:
        return None
    common = next(index for index in left if index in right)
    return left.index(common) + right.index(common)


def _stated(core: Sequence[Parts], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield numbers beside the parts that they may count or add up."""
    numeric: dict[Chosen, None] = {}
    counted: dict[Chosen, None] = {}
    lists: dict[tuple[Chosen, Named], None] = {}
    for step in _steps(core):
        if step.word is not None and _is_numeric(Chosen(step), inputs):
            numeric[Chosen(step, "top")] = None
            numeric[Chosen(step)] = None
    for parts in inputs:
        for part in parts.all:
            if part.word and part.value >= 0:
                step = Named(part.labels[-1], part.word)
                counted[Chosen(step)] = None
                value = parts.all[part.value]
                for i in value.children:
                    if parts.all[i].is_item and not parts.all[i].is_literal:
                        lists[(Chosen(step), Named(parts.all[i].labels[0]))] = None
            elif part.word:
                counted[Chosen(Named(part.labels[-1], part.word))] = None
    for one in itertools.islice(numeric, 8):
        for listed, step in itertools.islice(lists, 12):
            yield Feature("stated", one, listed, step)
            if one.where:
                yield Feature("stated", one, replace(listed, where=one.where), step)
        for other in itertools.islice(counted, 12):
            if other.step != one.step:
                yield Feature("stated", one, other)


def _stated_in(inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield numbers in a part by the parts that they may count or add up, in it or in others."""
    owners: dict[Named, dict[Named, None]] = {}
    for parts in inputs:
        for index, part in enumerate(parts.all):
            for above in parts.near(index) if part.word else ():
                if word := parts.all[above].word:
                    owner = Named(parts.all[above].labels[-1], word)
                    owners.setdefault(owner, {}).setdefault(Named(part.labels[-1], part.word))
    places = [Chosen(step, "under", owner) for owner, steps in owners.items() for step in steps]
    numeric = [each for each in places if _is_numeric(each, inputs)]
    for one in numeric:
        inside = [each for each in places if each.context == one.context]
        for other in itertools.islice(inside, 12):
            if other != one:
                yield Feature("stated", one, other)
    # Elsewhere a number has the same word, or is not told from others by it.
    apart = (
        (one, other) for one, other in itertools.permutations(numeric, 2)
        if one.step == other.step and one.context != other.context
    )  # fmt: skip
    for one, other in itertools.islice(apart, MOST_PAIRS):
        yield Feature("stated", one, other)


def _tallied(inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield numbers by the parts of the same object or element that they may count or add up."""
    members: dict[Named | None, dict[Chosen, None]] = {}
    counted: dict[Named | None, dict[tuple[Named, Named | None], None]] = {}
    added: dict[Named | None, dict[tuple[Named, Named | None], None]] = {}
    for parts in inputs:
        owned = [i for i, part in enumerate(parts.all) if part.word and parts.owns_word(i)]
        for index in owned:
            part = parts.all[index]
            step = Named(part.labels[-1], part.word)
            context = _context(parts, index)
            place = Chosen(step) if context is None else Chosen(step, "under", context)
            members.setdefault(context, {}).setdefault(place)
            inner = parts.all[part.value].children if part.value > 0 else []
            labels = [parts.all[i].labels[0] for i in inner if parts.all[i].is_item]
            lists = [Named(each) for each in dict.fromkeys(labels) if not each.startswith('"')]
            for item in lists or (None,):
                counted.setdefault(context, {}).setdefault((step, item))
            if not _is_number(parts.value(index) or ""):
                continue
            added.setdefault(context, {}).setdefault((step, None))
            for above in parts.above(index):
                outer = parts.all[above]
                if outer.word and parts.owns_word(above):
                    around = Named(outer.labels[-1], outer.word)
                    for each in (None, around):
                        added.setdefault(_context(parts, above), {}).setdefault((step, each))
    for context, places in members.items():
        numeric = (each for each in places if _is_numeric(each, inputs))
        for one in itertools.islice(numeric, MOST_NUMBERS):
            for kind, known in (("tallied", counted), ("added", added)):
                for step, item in itertools.islice(known.get(context, ()), MOST_COUNTED):
                    if step != one.step:
                        yield Feature(kind, one, Chosen(step), item)


def _context(parts: Parts, index: int) -> Named | None:
    """Return the step of the part that owns another, in any notation, if it has a word."""
    owner = parts.owner(index)
    word = parts.all[owner].word if owner >= 0 else ""
    return Named(ANY, word) if word else None


def _is_numeric(chosen: Chosen, inputs: Sequence[Parts]) -> bool:
    """Say whether a number stands at a place in any input.

    Of a number that matters, a reduction may leave an empty text.
    """
    return any(_is_number(text) for parts in inputs for text in chosen.texts(parts))


def _is_number(text: str) -> bool:
    return number(text) is not None


def _defined(inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield pairs of sorts of which one has texts of the other."""
    for parts in inputs[:3]:
        texts: dict[Named, set[str]] = {}
        every = (_any_sort(step) for step in _steps([parts]) if not step.label.startswith('"'))
        for step in dict.fromkeys(every):
            least = 0 if step.word is not None else 1
            short = {each for each in Chosen(step).texts(parts) if least <= len(each) < 30}
            if short and (step.word is not None or not any(map(_is_number, short))):
                texts[step] = short
        for listed, inner in _items_of(parts).items():
            for other, known in texts.items():
                if other.word is not None and inner & known:
                    for kind in ("defined", "listed"):
                        yield Feature(kind, listed, Chosen(other))
        words = sum(step.word is not None for step in texts)
        pairs = itertools.permutations(texts, 2)
        # A value may name what a token does.
        same = ((a, b) for a, b in pairs if a.word is not None or b.word is None)
        for a, b in itertools.islice(same, 20 * MOST_PAIRS):
            # In a small input, a name that stands nowhere else may be just what is wrong.
            few = a.word is not None and b.word is not None and words < FEW_SORTS
            if (a.label != b.label or a.word is not None) and (texts[a] & texts[b] or few):
                # What is itself of the other sort stands there anyway.
                own = (parts.all[max(parts.all[i].value, i)].labels for i in a.of(parts))
                is_same = b.word is None and any(b.label in labels for labels in own)
                is_shared = not texts[a].isdisjoint(texts[b])
                lists = [_in_items(step, parts) if is_shared else [] for step in (a, b)]
                for kind in ("defined",) if is_same else ("defined", "listed"):
                    yield Feature(kind, Chosen(a), Chosen(b))
                    where = "in" if a.word is None else "under"
                    for owner in _owners(a, parts):
                        yield Feature(kind, Chosen(a, where, owner), Chosen(b))
                    for use, named in itertools.product(*lists):
                        first, second = (replace(i, where="in top item") for i in (use, named))
                        yield from (Feature(kind, first, second), Feature(kind, use, named))
        yield from itertools.islice(_declared(parts), MOST_PAIRS)


def _declared(parts: Parts) -> Iterator[Feature]:
    """Yield tokens in a part of one sort that stand in one of another sort before that."""
    owners: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
    for part in parts.all:
        if (
            part.parent < 0
            or part.children
            or part.is_literal
            or not IDENTIFIER.fullmatch(part.text)
        ):
            continue
        place = parts.all[part.parent].labels[-1], part.labels[0]
        before = owners.setdefault((part.labels[-1], part.text), {})
        for other in [each for each in before if each[0] != place[0]]:
            use, name = (Chosen(Named(own), "under", Named(owner)) for owner, own in (place, other))
            yield Feature("defined", use, name)
        before.setdefault(place)


def _items_of(parts: Parts) -> dict[Chosen, set[str]]:
    """Return the short texts in each sort of list that is the value of a part with a word."""
    found: dict[Chosen, set[str]] = {}
    for part in parts.all:
        for item in parts.all[part.value].children if part.word and part.value > 0 else ():
            each = parts.all[item]
            if each.is_item and not each.is_literal and 0 < len(each.bare) < 30:
                place = Chosen(Named(each.labels[-1]), "under", Named(part.labels[-1], part.word))
                found.setdefault(place, set()).add(each.bare)
    return found


def _owners(step: Named, parts: Parts) -> list[Named]:
    """Return the parts with words that those of a step stand in directly."""
    near = (parts.all[above] for index in step.of(parts) for above in parts.near(index))
    return list(dict.fromkeys(Named(each.labels[-1], each.word) for each in near if each.word))


def _in_items(step: Named, parts: Parts) -> list[Chosen]:
    """Return the parts of a step by the lists in an item of which they are."""
    lists = (_list_around(parts, index) for index in step.of(parts))
    return [Chosen(step, "in item", each) for each in dict.fromkeys(lists) if each is not None]


def _grouped(inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield parts that may be repeated in one of a sort."""
    for parts in inputs:
        for index, part in enumerate(parts.all):
            if part.is_literal and not _KEYWORD.fullmatch(part.labels[0]):
                continue
            for label in part.labels if part.word else ():
                yield Feature("words", Chosen(Named(label)))
            own = (part.labels[0], *part.labels[-1:]) if not part.word else ()
            steps = [Named(each) for each in own]
            if part.word:
                steps.append(Named(part.labels[0], part.word))
            near = [*parts.near(index)]
            for above in itertools.islice(parts.above(index), 6):
                outer = parts.all[above]
                owners = [Named(label) for label in outer.labels]
                if parts.owns_word(above):
                    owners.append(Named(outer.labels[0], outer.word))
                is_direct = part.is_item and above in near
                for owner, step in itertools.product(owners, steps):
                    if owner != step:
                        yield Feature("groups", Chosen(step), None, owner)
                    if owner.word is not None and is_direct:
                        yield Feature("groups", Chosen(step, "under", owner), None, owner)


def _not_under(named: Sequence[Named], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield parts with words that stand elsewhere than in others."""
    words = [step for step in named if step.word is not None]
    others = [step for step in _steps(inputs) if step.word is not None]
    pairs = itertools.product(words, others)
    for step, context in itertools.islice(pairs, 4 * MOST_PAIRS):
        if step.word != context.word:
            yield Feature("texts", Chosen(step, "not under", context))
    yield from _apart_from(named, inputs)
    keywords = {step for step in named if step.label.startswith('"')}
    for parts in inputs:
        for index, part in enumerate(parts.all):
            step = Named(part.labels[0])
            for above in parts.near(index) if step in keywords else ():
                for label in parts.all[above].labels:
                    yield Feature("texts", Chosen(step, "not under", Named(label)))


def _outside(core: Sequence[Parts], inputs: Sequence[Parts]) -> Iterator[Feature]:
    """Yield the reduced inputs' parts where they stand in no part of a sort, however deep."""
    wanted = {*_steps(core)}
    for parts in inputs:
        for index, part in enumerate(parts.all):
            own = Named(part.labels[0]) if part.is_literal else None
            steps = [Named(ANY, part.word)] if parts.owns_word(index) else [own]
            for above in parts.above(index):
                outer = parts.all[above]
                names = [Named(each) for each in outer.labels if each not in _ROOTS]
                names += [Named(ANY, outer.word)] if parts.owns_word(above) else []
                for step, context in itertools.product(steps, names):
                    if step is not None and (step in wanted or step.label == ANY):
                        yield Feature("texts", Chosen(step, "not in", context))
