"""Features: views of an input, before anything is said of them.

A `Chosen` names some parts: all attributes, the pairs with the key `price` (then their values
are looked at), those of the outermost object only, those inside a form, the second fields. A
`Feature` is a function from an input's parts to a small value: the texts of what is selected, how
many items each has, how deep they stand in one another, which texts stand beside one another.
`engine.laws.literals` makes conditions of such values. The notation is that of XPath, with a few
words more: `//price` stands anywhere, `/id` at the top, `a/b` is `b` directly in `a`.
"""

from __future__ import annotations

import itertools
import json
import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from boildown.engine.laws.parts import ANY, NO_VALUE, Parts, bare
from boildown.engine.numerals import number
from boildown.visible import is_seen

Observed: TypeAlias = Hashable
"""What a feature says of one input."""

WORD = re.compile(r"[A-Za-z_][\w.-]*")
"""Words that are written without quotes."""
_ESCAPED = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|.)|&(?:#\d+|#x[\da-fA-F]+|amp|lt|gt|quot|apos);",
    re.DOTALL,
)
"""A character as strings of JSON and of many languages have it: by its code in UTF-16, or a sign;
and as XML has it."""
MOST_MATCHED = 12
"""Texts at one place that are compared with those at another one."""


@dataclass(frozen=True, slots=True)
class Named:
    """The parts with a label, and a word if one is given."""

    label: str
    word: str | None = None

    def of(self, parts: Parts) -> list[int]:
        """Return these parts of an input."""
        if self.word is None:
            return parts.by_label.get(self.label, [])
        return parts.by_word.get((self.label, self.word), [])

    @property
    def has_value(self) -> bool:
        """Whether the values of the parts are looked at, in place of their texts."""
        return self.word is not None or self.label == ANY

    def __str__(self) -> str:
        name = self.label if self.word is None else self.word
        return (
            name
            if name == ANY or WORD.fullmatch(name) or name.startswith('"')
            else json.dumps(name)
        )


WHATEVER = ""
"""In place of a label: parts of any sort, but no fixed tokens."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some parts of an input, or their values."""

    step: Named
    where: str = ""
    """`top`, `in`, `under` (directly in), `under top` (directly in one at the top), `not under`,
    `not in`, `after` (behind a token), `nth`, `nth later` (not in the first part of its sort),
    `in first`, `in item` (directly in an item of a list) or `in top item` (of a list at the top).
    """
    context: Named | None = None
    index: int = 0
    text: str | None = None
    """Only those whose text is this, or as `how` says; None for all."""
    how: str = "="
    """`=`, `starts with` or `contains`."""
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # What was chosen is kept by it.
        values = (self.step, self.where, self.context, self.index, self.text, self.how)
        object.__setattr__(self, "_hash", hash(values))

    def __hash__(self) -> int:
        return self._hash

    @property
    def is_whatever(self) -> bool:
        """Whether it is the part behind a token, of any sort."""
        return (self.where, self.step.label, self.step.word) == ("after", WHATEVER, None)

    @property
    def is_inside(self) -> bool:
        """Whether it stands in a part of another sort, however deep."""
        return self.where in ("in", "under")

    @property
    def is_item(self) -> bool:
        """Whether it stands directly in another one, and may be an item of the list there."""
        return self.where in ("under", "under top")

    def of(self, parts: Parts) -> list[int]:
        """Return these parts of an input."""
        if self.text is not None:
            plain = replace(self, text=None, how="=")
            both = zip(plain.of(parts), plain.texts(parts), strict=True)
            return [each for each, text in both if HAVING[self.how](text, self.text)]
        if self.is_whatever:
            return _behind(self.context, parts)
        found, where = self.step.of(parts), self.where
        if not where or not found:
            return found
        known = parts.chosen.get(self)
        if known is None:
            known = [each for each in found if _STANDS[where](self, parts, each)]
            parts.chosen[self] = known
        return known

    def texts(self, parts: Parts) -> tuple[str, ...]:
        """Return the texts of the parts, or of their values if the parts have words."""
        found = self.of(parts)
        if not found:
            return ()
        known = parts.chosen_texts.get(self)
        if known is None:
            if self.step.has_value:
                values = (parts.value(each) for each in found)
                known = tuple("…" if value is None else value for value in values)
            else:
                known = tuple(parts.all[each].bare for each in found)
            parts.chosen_texts[self] = known
        return known

    def __str__(self) -> str:
        if self.text is not None:
            return f"{replace(self, text=None, how='=')}[. {self.how} {quoted(self.text)}]"
        if self.where == "top":
            return f"/{self.step}"
        if self.where == "in":
            return f"//{self.context}//{self.step}"
        if self.where == "under":
            return f"{self.context}/{self.step}"
        if self.where == "under top":
            return f"/{self.context}/{self.step}"
        if self.where == "not under":
            return f"//{self.step}[not parent({self.context})]"
        if self.where == "not in":
            return f"//{self.step}[not in({self.context})]"
        if self.where == "after":
            return f"{self.context}/right{'' if self.is_whatever else f'::{self.step}'}"
        if self.where == "nth":
            return f"{self.context}/{self.step}[{self.index + 1}]"
        if self.where == "nth later":
            return f"{self.context}[>1]/{self.step}[{self.index + 1}]"
        if self.where == "in first":
            return f"{self.context}[1]/{self.step}"
        if self.where in ("in item", "in top item"):
            return f"{'/' * (self.where != 'in item')}{self.context}/*/{self.step}"
        return f"//{self.step}"


HAVING: dict[str, Callable[[str, str], bool]] = {
    "=": operator.eq,
    "starts with": str.startswith,
    "contains": operator.contains,
}
"""How the texts of parts that are counted may be like one."""


def characters(text: str) -> int:
    r"""Return how many characters a text has; one that is escaped is one.

    >>> characters(r"Zo\u00eb \"x"), characters(r"a\ud83d\ude00"), characters("a&lt;&#x3c;")
    (6, 2, 3)
    """
    return len(_ESCAPED.sub("?", text) if "\\" in text or "&" in text else text)


def quoted(text: str) -> str:
    r"""Return a text as it stands in a law, where all its characters can be seen.

    >>> print(quoted("ä\u00a0"))
    "ä\u00a0"
    """
    spelled = json.dumps(text, ensure_ascii=False)
    if is_seen(spelled):
        return spelled
    return "".join(each if is_seen(each) else _escaped(each) for each in spelled)


def _escaped(character: str) -> str:
    return f"\\u{ord(character):04x}" if character <= "\uffff" else json.dumps(character)[1:-1]


def _is_top(self: Chosen, parts: Parts, index: int) -> bool:
    return _has_none_above(parts, index, self.step.label)


def _has_none_above(parts: Parts, index: int, label: str) -> bool:
    if label == ANY:
        return not any(map(parts.is_named, parts.above(index)))
    return not any(label in parts.all[above].labels for above in parts.above(index))


def _is_in(self: Chosen, parts: Parts, index: int) -> bool:
    assert self.context is not None
    label, word = self.context.label, self.context.word
    return any(parts.has(above, label, word) for above in parts.above(index))


def _is_under(self: Chosen, parts: Parts, index: int) -> bool:
    assert self.context is not None
    label, word = self.context.label, self.context.word
    if label == ANY and word is not None:
        # A tag has the word of its element, whose attributes stand in it.
        return any(parts.all[above].word == word for above in parts.near(index))
    return any(parts.has(above, label, word) for above in parts.near(index))


def _is_under_top(self: Chosen, parts: Parts, index: int) -> bool:
    assert self.context is not None
    label, word = self.context.label, self.context.word
    near = (above for above in parts.near(index) if parts.has(above, label, word))
    return any(_has_none_above(parts, above, label) for above in near)


def _is_in_item(self: Chosen, parts: Parts, index: int) -> bool:
    assert self.context is not None
    owner = parts.list_around(index)
    return owner >= 0 and parts.has(owner, self.context.label, self.context.word)


def _is_in_top_item(self: Chosen, parts: Parts, index: int) -> bool:
    assert self.context is not None
    owner = parts.list_around(index)
    return _is_in_item(self, parts, index) and _has_none_above(parts, owner, self.context.label)


def _is_after(self: Chosen, parts: Parts, index: int) -> bool:
    assert self.context is not None
    parent = parts.all[index].parent
    siblings = parts.all[parent].children if parent >= 0 else []
    at = siblings.index(index) if siblings else 0
    return at > 0 and self.context.label in parts.all[siblings[at - 1]].labels


def _behind(token: Named | None, parts: Parts) -> list[int]:
    """Return the parts that stand right behind a token."""
    found = []
    for index in token.of(parts) if token is not None else ():
        parent = parts.all[index].parent
        siblings = parts.all[parent].children if parent >= 0 else [index]
        found += siblings[siblings.index(index) + 1 :][:1]
    return [index for index in found if not parts.all[index].is_literal]


def _is_nth(self: Chosen, parts: Parts, index: int) -> bool:
    assert self.context is not None
    own = parts.all[index]
    parent = own.parent
    labels = own.labels[: own.labels.index(self.step.label)] if self.step.label != ANY else ()
    if self.context.label in labels:
        # It is all that there is in the part around it.
        return self.index == 0
    if parent < 0 or not parts.has(parent, self.context.label, self.context.word):
        return False
    step = self.step
    same = (i for i in parts.all[parent].children if parts.has(i, step.label, step.word))
    return next(itertools.islice(same, self.index, None), -1) == index


def _is_in_first(self: Chosen, parts: Parts, index: int) -> bool:
    """Say whether a part stands directly in the first part of its sort."""
    assert self.context is not None
    first = next(iter(parts.by_label.get(self.context.label, ())), -1)
    return first in (index, parts.all[index].parent)


def _is_nth_later(self: Chosen, parts: Parts, index: int) -> bool:
    return _is_nth(self, parts, index) and not _is_in_first(self, parts, index)


_STANDS: dict[str, Callable[[Chosen, Parts, int], bool]] = {
    "top": _is_top,
    "in": _is_in,
    "under": _is_under,
    "under top": _is_under_top,
    "not under": lambda self, parts, index: not _is_under(self, parts, index),
    "not in": lambda self, parts, index: not _is_in(self, parts, index),
    "after": _is_after,
    "nth": _is_nth,
    "nth later": _is_nth_later,
    "in first": _is_in_first,
    "in item": _is_in_item,
    "in top item": _is_in_top_item,
}


def children(parts: Parts, index: int, step: Named) -> list[int]:
    """Return the children of a part that a step names."""
    return [i for i in parts.all[index].children if parts.has(i, step.label, step.word)]


@dataclass(frozen=True, slots=True)
class Feature:
    """A function from an input to a small value; `kind` says which."""

    kind: str
    a: Chosen
    b: Chosen | None = None
    within: Named | None = None
    lists: tuple[tuple[Named, ...], ...] = ()
    """The steps down from the parts of `a` and from those of `b` to the items of their lists."""
    inner: tuple[Feature, ...] = ()
    """Those that are looked at in each of the parts of `a` alone."""
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Tables ask for it all the time.
        values = (self.kind, self.a, self.b, self.within, self.lists, self.inner)
        object.__setattr__(self, "_hash", hash(values))

    def __hash__(self) -> int:
        return self._hash

    def of(self, parts: Parts) -> Observed:
        """Look at an input."""
        return FEATURES[self.kind](self, parts)


def steps_of(feature: Feature) -> Iterator[Named]:
    """Yield the steps that a feature names."""
    for chosen in (feature.a, feature.b):
        if chosen is not None:
            yield chosen.step
            if chosen.context is not None:
                yield chosen.context
    if feature.within is not None:
        yield feature.within
    yield from itertools.chain(*feature.lists, *map(steps_of, feature.inner))


def renamed_feature(feature: Feature, name: Callable[[Named], Named]) -> Feature:
    """Return a feature with other names for its steps."""

    def chosen(old: Chosen) -> Chosen:
        context = None if old.context is None else name(old.context)
        return replace(old, step=name(old.step), context=context)

    b = None if feature.b is None else chosen(feature.b)
    within = None if feature.within is None else name(feature.within)
    lists = tuple(tuple(map(name, steps)) for steps in feature.lists)
    inner = tuple(renamed_feature(each, name) for each in feature.inner)
    return Feature(feature.kind, chosen(feature.a), b, within, lists, inner)


def _texts(self: Feature, parts: Parts) -> Observed:
    return self.a.texts(parts)


def _lower(self: Feature, parts: Parts) -> Observed:
    """The texts in lower case."""
    return tuple(each.lower() for each in self.a.texts(parts))


def _counts(self: Feature, parts: Parts) -> Observed:
    """How many parts of one sort each of the other sort has as its children."""
    assert self.b is not None
    step = self.b.step
    # A blank line is no row with no fields, and a number is no list.
    is_named = self.a.step.word is not None
    counted = (
        (index, len(inner)) for index, inner in listed(parts, self.a, step)
        if is_named or parts.all[index].text
    )  # fmt: skip
    return tuple(count for index, count in counted if count or parts.may_have(index, step.label))


def listed(parts: Parts, owners: Chosen, step: Named) -> Iterator[tuple[int, list[int]]]:
    """Yield the parts in which the items of some others are, with the items that a step names.

    They are these, or the values of named ones. The arguments of a call are its own items, even a
    single one, and a call that is all there is of a list of arguments is none of its own.
    """
    for index in owners.of(parts):
        value, own = parts.all[index].value, children(parts, index, step)
        if not owners.step.has_value:
            yield index, items(parts, index, step)
        elif value >= 0 and not any(parts.all[i].is_item for i in own):
            yield value, of_value(parts, value, step)
        else:
            yield index, own


def items(parts: Parts, index: int, step: Named) -> list[int]:
    """Return the children of a part that a step names; an only one may be one part with it."""
    part = parts.all[index]
    is_only = part.is_list and step.word is None and step.label in part.labels
    return children(parts, index, step) or [index] * is_only


def of_value(parts: Parts, index: int, step: Named) -> list[int]:
    """Return the items that a step names of a list that is a value, and may be its only item."""
    if parts.all[index].is_list:
        return [index] if parts.has(index, step.label, step.word) else []
    return children(parts, index, step)


def compared_lists(feature: Feature, parts: Parts) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the items of lists that are compared, each list begun with the part that it is.

    Each of the second sort is compared with the nearest of the first that begins before it, or
    where there is none with the first one of all.
    """
    assert feature.b is not None
    firsts, seconds = (
        list(_lists(parts, owners, steps))
        for owners, steps in zip((feature.a, feature.b), feature.lists, strict=True)
    )
    found = []
    for second in seconds:
        before = [each for each in firsts if each[0] < second[0]]
        found += [(each, second) for each in (before[-1:] or firsts[:1])]
    return found


def _lists(parts: Parts, owners: Chosen, steps: tuple[Named, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the items of each list at the end of some steps, begun with the part that it is."""
    first, *others = steps
    found = list(listed(parts, owners, first))
    for step in others:
        found = [(i, items(parts, i, step)) for _, inner in found for i in inner]
    for index, inner in found:
        # A number is no list, not even one of no items; what has no value at all is an empty one.
        is_bare = owners.step.has_value and parts.all[index].value == NO_VALUE
        if inner or is_bare or parts.may_have(index, steps[-1].label) or not parts.all[index].text:
            yield (index, *inner)


def looked_at(feature: Feature, parts: Parts) -> list[int]:
    """Return the parts that a feature is of, and those that they are compared with."""
    found = dict.fromkeys(feature.a.of(parts))
    if feature.lists:
        both = (each for pair in compared_lists(feature, parts) for each in pair)
        found.update(dict.fromkeys(itertools.chain.from_iterable(both)))
    elif feature.kind == "counts" and feature.b is not None:
        for _, inner in listed(parts, feature.a, feature.b.step):
            found.update(dict.fromkeys(inner))
    elif feature.b is not None:
        found.update(dict.fromkeys(feature.b.of(parts)))
    elif feature.kind == "around":
        for index in list(found):
            parent = parts.all[index].parent
            found.update(dict.fromkeys(parts.all[parent].children if parent >= 0 else ()))
    found.update(dict.fromkeys(i for each in feature.inner for i in looked_at(each, parts)))
    contexts = (feature.a.context, feature.within)
    found.update(dict.fromkeys(i for each in contexts if each is not None for i in each.of(parts)))
    return [index for index in found if index]


def _lengths(self: Feature, parts: Parts) -> Observed:
    """The lengths of each two lists that are compared."""
    pairs = compared_lists(self, parts)
    return tuple((str(len(one) - 1), str(len(two) - 1), True) for one, two in pairs)


def _depth(self: Feature, parts: Parts) -> Observed:
    """How many parts of one sort stand in one another."""
    depths: dict[int, int] = {}
    found = self.a.of(parts)
    if self.a.step.label.startswith('"'):
        # Of brackets, the parts that they are around.
        found = sorted({parts.all[index].parent for index in found} - {-1})
    for index in found:
        depths[index] = 1 + next((depths[i] for i in parts.above(index) if i in depths), 0)
    return max(depths.values(), default=0)


def _beside(self: Feature, parts: Parts) -> Observed:
    """The texts of two parts in one part, and whether the first of them comes first."""
    assert self.b is not None
    return tuple(
        (_shown(parts, self.a, one), _shown(parts, self.b, two), one < two)
        for one, two in pairs_beside(self.a, self.b, parts)
    )


def pairs_beside(a: Chosen, b: Chosen, parts: Parts) -> Iterator[tuple[int, int]]:
    """Yield each two parts in one part, of which the first is of one sort, the other of another."""
    seconds: dict[int, list[int]] = {}
    for index in b.of(parts):
        seconds.setdefault(_home(b, parts, index), []).append(index)
    for index in a.of(parts):
        for other in seconds.get(_home(a, parts, index), ()):
            if other != index:
                yield index, other


def _home(chosen: Chosen, parts: Parts, index: int) -> int:
    """Return the part in which others are side by side with one: that of its context, if it names
    one directly around it, or its parent.

    The attributes of an element and the elements directly in it have different parents.
    """
    if chosen.where == "under" and chosen.context is not None and chosen.context.word is not None:
        word = chosen.context.word
        around = (above for above in parts.near(index) if parts.all[above].word == word)
        for above in around:
            # A tag has the word of its element.
            return above if parts.owns_word(above) else parts.all[above].parent
    return parts.all[index].parent


def _alike(self: Feature, parts: Parts) -> Observed:
    """How many parts of one sort have the same text, at most; nothing where there is none."""
    return tuple(sorted(Counter(self.a.texts(parts)).values()))[-1:]


def _sizes(self: Feature, parts: Parts) -> Observed:
    """The lengths of the texts of two parts in one part; both are strings, or none."""
    assert self.b is not None
    found = []
    for one, two in pairs_beside(self.a, self.b, parts):
        inner = [max(parts.all[i].value, i) for i in (one, two)]
        left, right = (parts.all[i] for i in inner)
        if all(map(parts.is_plain, inner)) and left.is_string == right.is_string:
            texts = (_shown(parts, self.a, one), _shown(parts, self.b, two))
            found.append((*(str(characters(bare(each))) for each in texts), True))
    return tuple(found)


OPERATORS: dict[str, tuple[str, Callable[[float, float], float]]] = {
    "plus": ("+", operator.add),
    "minus": ("-", operator.sub),
    "times": ("*", operator.mul),
}
"""The signs of what is computed of two numbers, by the kinds of features."""


def _computed(self: Feature, parts: Parts) -> Observed:
    """The sum, difference or product of two numbers in one part; where a third one is, with it."""
    assert self.b is not None
    compute = OPERATORS[self.kind][1]
    thirds: dict[int, list[str]] = {}
    for each in self.inner:
        for index in each.a.of(parts):
            texts = thirds.setdefault(_home(each.a, parts, index), [])
            texts.append(_shown(parts, each.a, index))
    found: list[Hashable] = []
    for pair in pairs_beside(self.a, self.b, parts):
        left, right = (
            number(_shown(parts, chosen, index))
            for chosen, index in zip((self.a, self.b), pair, strict=True)
        )
        if left is None or right is None:
            continue
        result = compute(left, right)
        result = result if isinstance(result, int) else round(result, 9)
        others = thirds.get(_home(self.a, parts, pair[0]), ())
        if self.inner:
            numeric = (each for each in others if number(each) is not None)
            found += [(each, f"{result:.10g}", True) for each in numeric]
        else:
            found.append(result)
    return tuple(found)


def _numbers(self: Feature, parts: Parts) -> Observed:
    """How many parts of each of two sorts there are; nothing where there is none of either."""
    assert self.b is not None
    one, two = len(self.a.of(parts)), len(self.b.of(parts))
    return ((str(one), str(two), True),) if one or two else ()


def _together(self: Feature, parts: Parts) -> Observed:
    """The texts and items of parts of one sort, each with those of another beside it or None."""
    assert self.b is not None
    seconds: dict[int, list[int]] = {}
    for index in self.b.of(parts):
        seconds.setdefault(_home(self.b, parts, index), []).append(index)
    found: list[tuple[Side, Side | None]] = []
    for index in self.a.of(parts):
        one = _side(parts, self.a, index)
        others = [i for i in seconds.get(_home(self.a, parts, index), ()) if i != index]
        found += [(one, _side(parts, self.b, i)) for i in others] or [(one, None)]
    return tuple(found)


def _alone(self: Feature, parts: Parts) -> Observed:
    """The text of each part of one sort, with itself: two conditions may be on it."""
    found = (_side(parts, self.a, index) for index in self.a.of(parts))
    return tuple((each, each) for each in found)


Side: TypeAlias = "tuple[str, tuple[tuple[str, ...], ...] | None, tuple[str, ...]]"
"""The text of a part, the labels of its items if it may have any, and those that they may have."""


def _side(parts: Parts, selection: Chosen, index: int) -> Side:
    value = parts.all[index].value if selection.step.has_value else index
    inner = parts.all[value].children if value >= 0 else []
    items = [parts.all[i] for i in inner if parts.all[i].is_item and not parts.all[i].is_literal]
    text, possible = _shown(parts, selection, index), parts.item_labels(value) if inner else ()
    return text, tuple(each.labels for each in items) if inner else None, possible


def _shown(parts: Parts, selection: Chosen, index: int) -> str:
    if not selection.step.has_value:
        return parts.all[index].bare
    return parts.value(index) or ""


def _scoped(self: Feature, parts: Parts) -> Observed:
    """The values of other features for each part of one sort, as if the input had no more.

    What stands in another part of that sort inside it belongs to that one: a `break` to its loop.
    """
    found = self.a.of(parts)
    scopes = (parts.inside(index, found) for index in found)
    return tuple(tuple(each.of(scope) for each in self.inner) for scope in scopes)


def _around(self: Feature, parts: Parts) -> Observed:
    """The texts on the left and on the right of a token.

    Of operators in a row, all that stands before one is its left side.
    """
    found = []
    for index in self.a.step.of(parts):
        parent = parts.all[index].parent
        siblings = parts.all[parent].children if parent >= 0 else []
        at = siblings.index(index) if siblings else 0
        if 0 < at < len(siblings) - 1:
            around, right = parts.all[parent], parts.all[siblings[at + 1]]
            left = around.text[: parts.all[siblings[at - 1]].end - around.start]
            found.append((left, right.text, True))
    return tuple(found)


def _previous(self: Feature, parts: Parts) -> Observed:
    """The texts of each selected part and of the next one.

    Those of each number and of the next one that differs from it, too: texts may be between them.
    """
    texts = self.a.texts(parts)
    numbers = (text for text in texts if number(text) is not None)
    apart = (each for each in itertools.pairwise(numbers) if number(each[0]) != number(each[1]))
    pairs = dict.fromkeys([*itertools.pairwise(texts), *apart])
    return tuple((first, second, True) for first, second in pairs)


def grouped(feature: Feature, parts: Parts) -> dict[int, list[int]]:
    """Return the parts of one sort by the nearest part of another that they stand in."""
    assert feature.within is not None
    groups: dict[int, list[int]] = {}
    label, word = feature.within.label, feature.within.word
    for index in _owning(feature.a, parts):
        for above in parts.above(index):
            if parts.has(above, label, word):
                groups.setdefault(above, []).append(index)
                break
    return groups


def _owning(chosen: Chosen, parts: Parts) -> list[int]:
    """Return the parts of which something is asked that is in each; a list is no item of its own.

    The values of `"stops": [1, 2]` are three, of which two stand in the list. The table of an
    `INSERT` is none of a list.
    """
    found = chosen.of(parts)
    of_list = chosen.is_item and chosen.context is not None and chosen.context.word is not None
    return [i for i in found if parts.all[i].is_item] if of_list else found


def _groups(self: Feature, parts: Parts) -> Observed:
    """The texts or words of one sort in each part of another."""
    found = grouped(self, parts).values()
    return tuple(tuple(_shown(parts, self.a, index) for index in inner) for inner in found)


def _words(self: Feature, parts: Parts) -> Observed:
    """The words of the parts with a label, by the part that they stand in."""
    groups: dict[int, list[str]] = {}
    for index in self.a.of(parts):
        part = parts.all[index]
        if part.word:
            groups.setdefault(part.parent, []).append(part.word)
    return tuple(map(tuple, groups.values()))


def _with(self: Feature, parts: Parts) -> Observed:
    """Of each part of one sort, whether one of another stands in it: directly, or anywhere."""
    assert self.b is not None
    seconds: set[int] = set()
    for index in self.b.of(parts):
        if self.kind == "inside":
            seconds.update(parts.above(index))
        elif self.a.is_item:
            # What stands in a list that is an item does not stand directly in that item.
            seconds.add(parts.all[index].parent)
        else:
            seconds.update(parts.near(index))
    return tuple(index in seconds for index in _owning(self.a, parts))


def _tallied(self: Feature, parts: Parts) -> Observed:
    """Each number, and the count of another sort right in the part that owns it.

    If these have values that are lists, the items of the lists are counted. Of each it is told
    whether it may be a number.
    """
    assert self.b is not None
    inside: dict[int, list[int]] = {}
    for index in self.b.of(parts):
        inside.setdefault(parts.owner(index), []).append(index)
    found = []
    for index in self.a.of(parts):
        counted = inside.get(parts.owner(index), [])
        if self.within is not None:
            lists = [parts.all[i].value for i in counted]
            lists = [i for i in lists if i > 0 and _is_list(parts, i, self.within)]
            if not lists:
                continue  # Without one there is nothing to count.
            counted = [i for each in lists for i in of_value(parts, each, self.within)]
        text = _shown(parts, self.a, index)
        found.append((text, str(len(counted)), _is_countable(parts, index)))
    return tuple(found)


def _is_countable(parts: Parts, index: int) -> bool:
    """Say whether a part may be a number: one, or a text in a language without such sorts."""
    value = parts.all[max(parts.all[index].value, index)]
    is_text = not value.children or bare(value.text) != value.text
    return is_text and not value.is_fixed and not value.is_string


def _is_list(parts: Parts, index: int, step: Named) -> bool:
    """Say whether a part has items of a sort, or may have: a number is no list."""
    return bool(of_value(parts, index, step)) or parts.may_have(index, step.label)


def _added(self: Feature, parts: Parts) -> Observed:
    """Each number, and the sum of those of another sort anywhere in the part that owns it.

    If a step is given, in the parts of that name there.
    """
    assert self.b is not None
    sums: dict[int, list[float]] = {}
    for index, text in zip(self.b.of(parts), self.b.texts(parts), strict=True):
        if (value := number(text)) is None:
            continue
        for above in parts.above(index):
            if self.within is None:
                sums.setdefault(above, []).append(value)
            elif parts.has(above, self.within.label, self.within.word):
                sums.setdefault(parts.owner(above), []).append(value)
    found = []
    for index in self.a.of(parts):
        total = math.fsum(sums.get(parts.owner(index), ()))
        text = _shown(parts, self.a, index)
        found.append((text, f"{total:.10g}", _is_countable(parts, index)))
    return tuple(found)


def _stated(self: Feature, parts: Parts) -> Observed:
    """The numbers at one place, and how many there are at another, and their sum."""
    assert self.b is not None
    numbers = tuple(n for n in map(number, self.a.texts(parts)) if n is not None)
    others = [n for n in map(number, self.b.texts(parts)) if n is not None]
    count = len(self.b.of(parts))
    if self.within is not None:
        inner = Feature("counts", self.b, Chosen(self.within)).of(parts)
        assert isinstance(inner, tuple)
        count = sum(inner)
        if not inner:
            numbers = ()  # Without the list there is nothing to count.
    return numbers, count, round(sum(others), 6)


def _uses(chosen: Chosen, parts: Parts) -> list[tuple[int, str]]:
    """Return selected parts with their texts; of those right in another one, the items there."""
    both = list(zip(chosen.of(parts), chosen.texts(parts), strict=True))
    own = set(_owning(chosen, parts))
    return [each for each in both if each[0] in own]


def _matched(self: Feature, parts: Parts) -> Observed:
    """The texts at one place, each with those at another one."""
    assert self.b is not None
    ones, twos = (dict.fromkeys(each.texts(parts)) for each in (self.a, self.b))
    pairs = itertools.product([*ones][:MOST_MATCHED], [*twos][:MOST_MATCHED])
    return tuple((one, two, True) for one, two in pairs)


def _listed(self: Feature, parts: Parts) -> Observed:
    """Of each text at one place, whether it stands anywhere at the other."""
    assert self.b is not None
    known = {text for _, text in _uses(self.b, parts)}
    return tuple(text in known for _, text in _uses(self.a, parts))


def _order(self: Feature, parts: Parts) -> Observed:
    """Where the first of one sort of parts begins, and the first and the last one of another."""
    assert self.b is not None
    ones, others = ([parts.all[i].start for i in each.of(parts)] for each in (self.a, self.b))
    if not ones:
        return ()
    return min(ones), min(others, default=None), max(others, default=None)


def _kinds(self: Feature, parts: Parts) -> Observed:
    """The labels of the items in each part of a sort; those of the two truth values are one."""
    found = []
    for index in self.a.of(parts):
        owner = max(parts.all[index].value, index) if self.a.step.has_value else index
        items = [parts.all[i] for i in parts.all[owner].children if parts.all[i].is_item]
        own = (each for each in items if not each.is_literal)
        found.append(
            tuple(_TRUTH if each.text in ("true", "false") else each.labels[-1] for each in own)
        )
    return tuple(found)


_TRUTH = "boolean"


def _defined(self: Feature, parts: Parts) -> Observed:
    """Of each text at one place, whether it stands earlier at the other, but not beside it."""
    assert self.b is not None
    earlier = [
        (index, parts.all[index].parent, text)
        for index, text in zip(self.b.of(parts), self.b.texts(parts), strict=True)
    ]
    found = []
    for at, use in _uses(self.a, parts):
        # An item does not define what it uses itself.
        own = {parts.all[at].parent, *(i for i in parts.above(at) if parts.all[i].is_item)}
        found.append(any(i < at and text == use and up not in own for i, up, text in earlier))
    return tuple(found)


FEATURES: dict[str, Callable[[Feature, Parts], Observed]] = {
    "texts": _texts,
    "lower": _lower,
    "truth": _texts,
    "counts": _counts,
    "lengths": _lengths,
    "depth": _depth,
    "beside": _beside,
    "sizes": _sizes,
    **dict.fromkeys(OPERATORS, _computed),
    "numbers": _numbers,
    "alike": _alike,
    "together": _together,
    "alone": _alone,
    "scoped": _scoped,
    "around": _around,
    "previous": _previous,
    "groups": _groups,
    "words": _words,
    "with": _with,
    "inside": _with,
    "tallied": _tallied,
    "added": _added,
    "stated": _stated,
    "defined": _defined,
    "listed": _listed,
    "matched": _matched,
    "kinds": _kinds,
    "order": _order,
}
"""What can be looked at, by name."""


def steps(parts: Parts) -> Iterator[Named]:
    """Yield the steps that name some part of an input, in the order of the text."""
    for part in parts.all:
        for label in part.labels:
            yield Named(label)
        if part.word:
            for label in part.labels:
                if label in ("start",):
                    continue
                yield Named(label, part.word)
