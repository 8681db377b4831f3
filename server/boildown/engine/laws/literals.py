"""Literals: conditions on the values of features, as a person would write them.

A literal compares a *measure* of what is seen (the greatest number, the longest text, how many
there are) with a number, or asks a *question* of it (is there any, are two equal, does some text
begin so). It is false where there is nothing to compare. `not` turns a question around.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from boildown.engine.laws.features import (
    OPERATORS,
    Chosen,
    Feature,
    Named,
    Observed,
    Side,
    characters,
    quoted,
)
from boildown.engine.laws.parts import ANY, bare
from boildown.engine.numerals import number

Constant: TypeAlias = "str | float | tuple[str, ...] | None"

_BRACKETS = re.compile(r"\[\s*]|\{\s*}|\(\s*\)")
"""Two of them with nothing between."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One condition on an input."""

    feature: Feature
    test: str
    """A question's name, or a measure's."""
    relation: str = ""
    """`>`, `<`, `<=` or `>=`, for a measure."""
    constant: Constant = None
    negated: bool = False
    sides: tuple[Atom, ...] = ()
    """The conditions on two parts side by side, each on a single one."""

    def holds(self, seen: Observed) -> bool:
        """Say whether it holds for a value of its feature."""
        if self.test == "scoped":
            return _in_one(seen, self.sides) != self.negated
        if self.test == "between":
            return _in_bounds(seen, self.sides) != self.negated
        if self.sides:
            return _side_by_side(seen, *self.sides) != self.negated
        if self.relation:
            measured = MEASURES[self.test](seen)
            assert isinstance(self.constant, int | float)
            held = measured is not None and RELATIONS[self.relation](measured, self.constant)
            return held != self.negated
        return QUESTIONS[self.test](seen, self.constant) != self.negated

    @property
    def cost(self) -> float:
        """How much there is to say, so that the simplest comes first."""
        return self.cost_of(str(self))

    def cost_of(self, words: str) -> float:
        """Return how much there is to say, of the literal in words; these take time to find."""
        if self.sides:
            # A little more than two literals that are about the whole input.
            costs = sum(each.cost for each in self.sides) + 1.5
            if self.test != "scoped":
                return costs
            # The name of the part is said once, and not in each of them.
            return costs + (len(words) - sum(len(str(each)) for each in self.sides)) / 8
        base = _COSTS.get(self.test, 3) + _KINDS.get(self.feature.kind, 0) + len(words) / 8
        # Of names that say the same, those of rules are the wider ones, and `//` the plainer sign.
        chosen = self.feature.a
        token = 0.3 * (chosen.step.word is None and chosen.step.label.isupper())
        # A value is said to be `null`, and not to have this token in it.
        is_inside = chosen.where in ("in", "under", "under top")
        is_there = self.test == "exists" and is_inside
        token += 2.0 * (is_there and chosen.step.label.startswith('"'))
        # Any part with a word is what few people mean.
        token += 1.0 * (chosen.step.label == ANY and chosen.step.word is None)
        # Few people compare what stands behind the signs of one sort.
        token += 1.5 * (chosen.where == "after" and self.test in ("repeated", "all alike"))
        return base + token + 0.5 * (chosen.where in ("top", "nth later"))

    def __str__(self) -> str:
        if self.test == "lacks" and self.feature.kind in ("defined", "listed"):
            return _worded(self) if self.negated else f"not {_worded(self)}"
        return f"not {_worded(self)}" if self.negated else _worded(self)


def together(one: Atom, two: Atom) -> Atom:
    """Return the condition that two literals hold for parts that stand side by side."""
    feature = Feature("together", one.feature.a, two.feature.a)
    return Atom(feature, "together", sides=(one, two))


def alone(one: Atom, two: Atom) -> Atom:
    """Return the condition that two literals hold for one text."""
    return replace(together(one, two), feature=Feature("alone", one.feature.a, two.feature.a))


def scoped(scope: Chosen, sides: tuple[Atom, ...]) -> Atom:
    """Return the condition that literals hold in one and the same part of a sort."""
    inner = tuple(each.feature for each in sides)
    return Atom(Feature("scoped", scope, inner=inner), "scoped", sides=sides)


def between(low: Atom, high: Atom) -> Atom:
    """Return the condition that some number is in both bounds."""
    return Atom(low.feature, "between", sides=(low, high))


def apart(feature: Feature) -> tuple[Feature, Feature]:
    """Return the features of each of two parts that stand side by side."""
    assert feature.b is not None
    return Feature("texts", feature.a), Feature("texts", feature.b)


def _in_one(seen: Any, sides: tuple[Atom, ...]) -> bool:
    """Say whether all of some literals hold for one and the same part."""
    return any(all(side.holds(own) for side, own in zip(sides, each, strict=True)) for each in seen)


def _in_bounds(seen: Any, bounds: tuple[Atom, ...]) -> bool:
    """Say whether all bounds hold for one of some texts."""
    return any(all(bound.holds((each,)) for bound in bounds) for each in seen)


def _side_by_side(seen: Any, one: Atom, two: Atom) -> bool:
    """Say whether two literals hold for two parts side by side."""
    return any(one.holds(of_side(one, left)) and two.holds(of_side(two, right))
               for left, right in seen)  # fmt: skip


def of_side(literal: Atom, side: Side | None) -> tuple[str | int, ...]:
    """Return the text of one of two parts, or its number of items, for a literal on it."""
    if side is None:
        return ()
    text, items, possible = side
    if literal.feature.kind == "texts":
        return (text,)
    assert literal.feature.b is not None
    label = literal.feature.b.step.label
    if items is None or (possible and label not in possible):
        return ()
    return (sum(label in each for each in items),)


RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
}
_COSTS = {"exists": 1, "all alike": 2, "some is": 2, "empty": 1.5, "in": 3}
_COSTS |= {"divisible": 3, "indivisible": 3, "count divisible": 5.5, "count indivisible": 5.5}
_COSTS |= {"count": 2, "sum": 3, "odd": 5, "most": 2, "least": 2, "repeated": 2}
_COSTS |= {"count inside": 2, "sum inside": 3}
_COSTS |= {"begins": 3, "ends": 3, "has": 3}
_COSTS |= {"is not": 3, "not in": 4, "begins not": 4, "ends not": 4, "has not": 4}
_KINDS = {
    "lower": 1,
    "truth": 1,
    "lengths": 1,
    "stated": 2,
    "tallied": 2,
    "added": 2,
    "defined": 2,
    "listed": 2,
    "matched": 1,
    "kinds": 1,
    "order": 1,
    "around": 1,
    "beside": 1,
    "sizes": 1,
    "plus": 1,
    "minus": 1,
    "times": 1,
    "numbers": 1,
    "alike": 1,
    "previous": 2,
    "groups": 0.5,
}


def _numbers(seen: Any) -> list[float]:
    if isinstance(seen, int):
        return [seen]
    found = (number(each) if isinstance(each, str) else each for each in seen)
    return [each for each in found if each is not None]


def _lengths(seen: Any) -> list[int]:
    return [characters(bare(each)) if isinstance(each, str) else len(each) for each in seen]


MEASURES: dict[str, Callable[[Any], float | None]] = {
    "most": lambda seen: max(_numbers(seen), default=None),
    "least": lambda seen: min(_numbers(seen), default=None),
    "longest": lambda seen: max(_lengths(seen), default=None),
    "shortest": lambda seen: min(_lengths(seen), default=None),
    "count": lambda seen: len(seen) or None,
    "sum": lambda seen: math.fsum(found) if (found := _numbers(seen)) else None,
    "count inside": lambda seen: max(_lengths(seen), default=None),
    "sum inside": lambda seen: max((math.fsum(_numbers(each)) for each in seen), default=None),
}
"""Numbers that tell something of what is seen; None if there is nothing."""


def _repeated(seen: Any, _constant: Constant) -> bool:
    groups = [seen] if not seen or isinstance(seen[0], str) else seen
    return any(len(set(group)) < len(group) for group in groups)


def _compared(relation: str) -> Callable[[Any, Constant], bool]:
    def holds(seen: Any, _constant: Constant) -> bool:
        return any(_compare(left, relation, right) for left, right, _ in seen)

    return holds


def _compare(left: str, relation: str, right: str) -> bool:
    one, two = number(left), number(right)
    if relation in ("=", "!="):
        same = left == right or (one is not None and one == two)
        return same == (relation == "=")
    if one is not None and two is not None:
        return RELATIONS[relation](one, two)
    # Other texts have an order if they are dates, versions and the like.
    if one is not None or two is not None or not (left[:1].isdigit() and right[:1].isdigit()):
        return False
    order = (left > right) - (left < right)
    return RELATIONS[relation](order, 0)


def _stated(relation: str, index: int) -> Callable[[Any, Constant], bool]:
    def holds(seen: Any, _constant: Constant) -> bool:
        numbers, other = seen[0], seen[index]
        if relation in ("=", "!="):
            return any(math.isclose(each, other) == (relation == "=") for each in numbers)
        return any(RELATIONS[relation](each, other) for each in numbers)

    return holds


def _is_multiple(seen: Any, constant: Constant) -> bool:
    assert isinstance(constant, int)
    found = (number(each) for each in seen)
    return any(isinstance(each, int) and each % constant == 0 for each in found)


def _is_no_multiple(seen: Any, constant: Constant) -> bool:
    assert isinstance(constant, int)
    found = (number(each) for each in seen)
    return any(each is not None and each % constant != 0 for each in found)


def _negative(seen: Any, _constant: Constant) -> bool:
    found = ((number(left), number(right)) for left, right, _ in seen)
    return any(one is not None and two is not None and one * two < 0 for one, two in found)


def _is_falsy(text: str) -> bool:
    """Say whether a condition on a value is false to a program in a language such as Python."""
    return "".join(text.split()) in ("", "[]", "{}", "false", "null") or number(text) == 0


def _is(text: str, constant: Constant) -> bool:
    if isinstance(constant, str):
        return text == constant
    return number(text) == constant


def _tallied(relation: str) -> Callable[[Any, Constant], bool]:
    def holds(seen: Any, _constant: Constant) -> bool:
        return any(is_number and _compare(left, relation, right) for left, right, is_number in seen)

    return holds


def _unquoted(seen: Any) -> list[Any]:
    """Return texts without the quotes that those have which would be taken for other values."""
    return [*map(bare, seen)]


COMPARED = ("=", "!=", "<", "<=", ">", ">=")
QUESTIONS: dict[str, Callable[[Any, Constant], bool]] = {
    "exists": lambda seen, _: len(seen) > 0,
    "truthy": lambda seen, _: not all(map(_is_falsy, seen)),
    "empty": lambda seen, _: any(each == "" or _BRACKETS.fullmatch(each) for each in seen),
    "odd": lambda seen, _: len(seen) % 2 == 1,
    "repeated": _repeated,
    "all alike": lambda seen, _: len(seen) > 1 and len(set(seen)) == 1,
    "some is": lambda seen, constant: any(_is(each, constant) for each in seen),
    "in": lambda seen, constant: any(each in (constant or ()) for each in seen),  # type: ignore[operator]
    "begins": lambda seen, constant: any(each.startswith(constant) for each in _unquoted(seen)),
    "ends": lambda seen, constant: any(each.endswith(constant) for each in _unquoted(seen)),
    "has": lambda seen, constant: any(constant in each for each in seen),
    "is not": lambda seen, constant: any(not _is(each, constant) for each in seen),
    "not in": lambda seen, constant: any(each not in (constant or ()) for each in seen),  # type: ignore[operator]
    "begins not": lambda seen, constant: any(
        not each.startswith(constant) for each in _unquoted(seen)
    ),
    "ends not": lambda seen, constant: any(not each.endswith(constant) for each in _unquoted(seen)),
    "has not": lambda seen, constant: any(constant not in each for each in seen),
    "count divisible": lambda seen, constant: any(each % constant == 0 for each in seen),
    "count indivisible": lambda seen, constant: any(each % constant != 0 for each in seen),
    "divisible": _is_multiple,
    "indivisible": _is_no_multiple,
    "ahead": lambda seen, _: bool(seen) and (seen[1] is None or seen[0] < seen[1]),
    "behind": lambda seen, _: bool(seen) and seen[2] is not None and seen[0] < seen[2],
    "mixed": lambda seen, _: any(len(set(each)) > 1 for each in seen),
    "uneven": lambda seen, _: any(each != seen[0] for each in seen),
    "over first": lambda seen, _: any(each > seen[0] for each in seen),
    "under first": lambda seen, _: any(each < seen[0] for each in seen),
    "some": lambda seen, _: any(seen),
    "lacks": lambda seen, _: not all(seen),
    "before": lambda seen, _: any(before for _, _, before in seen),
    "after": lambda seen, _: any(not before for _, _, before in seen),
    "negative": _negative,
    "same sides": lambda seen, _: any(left == right for left, right, _ in seen),
    "other sides": lambda seen, _: any(left != right for left, right, _ in seen),
    **{f"left {each} right": _compared(each) for each in COMPARED},
    **{f"stated {each} count": _stated(each, 1) for each in COMPARED},
    **{f"stated {each} sum": _stated(each, 2) for each in COMPARED},
    **{f"tally {each}": _tallied(each) for each in COMPARED},
    "tally is not": lambda seen, _: any(_compare(left, "!=", right) for left, right, _ in seen),
}
"""What can be asked of what is seen."""


def _worded(literal: Atom) -> str:
    feature, test, constant = literal.feature, literal.test, literal.constant
    a, b = feature.a, feature.b
    kind = feature.kind
    if literal.relation:
        compared = f"{_measured(literal)} {literal.relation} {_shown(constant)}"
        if kind in OPERATORS:
            return f"{_row_of(feature)}[{compared}]"
        if kind != "groups":
            return compared
        every = "every " if literal.relation[0] == "<" else ""
        return f"{every}//{feature.within}[{compared}]"
    if kind == "alone" or test == "between":
        one, two = (str(each).replace(str(a), ".", 1) for each in literal.sides)
        return f"{a}[{one} and {two}]"
    if kind == "scoped":
        return f"{a}[{' and '.join(_in_scope(each, a.step) for each in literal.sides)}]"
    if literal.sides:
        one, two = (str(_inside(each)).replace("//", "", 1) for each in literal.sides)
        return f"{_row_of(feature)}[{one} and {two}]"
    if kind == "lengths":
        one, two = ("/".join(map(str, steps)) for steps in feature.lists)
        return f"count({a}/{one}) {test.split()[1]} count({b}/{two})"
    if kind == "numbers":
        return f"count({a}) {test.split()[1]} count({b})"
    if kind in ("beside", "around", "previous", "sizes", *OPERATORS):
        return _paired(feature, test)
    if kind == "stated":
        _, relation, what = test.split()
        counted = f"{b}/{feature.within}" if feature.within else b
        return f"{a} {relation} {what}({counted})"
    if kind in ("tallied", "added"):
        assert b is not None
        items = f"{b.step}/{feature.within}" if feature.within else b.step
        what = f"sum({feature.within or ''}//{b.step})" if kind == "added" else f"count({items})"
        return f"//{a.context or '.'}[{a.step} {test.removeprefix('tally ')} {what}]"
    if kind in ("with", "inside"):
        assert b is not None
        inner = f"//{b.step}" if kind == "inside" else b.step
        return f"{a}[{'not ' if test == 'lacks' else ''}{inner}]"
    if kind == "defined":
        return f"every {a} in earlier({b})"
    if kind == "listed":
        return f"{'' if test == 'some' else 'every '}{a} in {b}"
    if kind == "matched":
        return f"{a} {test.split()[1]} {b}"
    if kind == "order":
        return f"{a} before {'any ' if test == 'ahead' else ''}{b}"
    if kind == "kinds":
        return f"mixed({a})"
    if kind in ("groups", "words"):
        inside = f"//{feature.within}" if feature.within else ""
        return f"{inside}[repeated({_within(a)})]" if inside else f"repeated key({a.step})"
    if kind == "counts" and constant is not None:
        relation = "=" if test == "count divisible" else "!="
        return f"count({a}/{b and b.step}) % {_shown(constant)} {relation} 0"
    if kind == "counts":
        relation = {"uneven": "!=", "over first": ">", "under first": "<"}[test]
        return f"count({a}/{b and b.step}) {relation} that of the first"
    return _TEXTS[test].format(f"lower({a})" if kind == "lower" else a, _shown(constant))


_TEXTS = {
    "exists": "{0}",
    "empty": "empty({0})",
    "truthy": "truthy({0})",
    "odd": "odd({0})",
    "repeated": "repeated({0})",
    "all alike": "same({0})",
    "some is": "{0} = {1}",
    "in": "{0} in {1}",
    "begins": "{0} starts with {1}",
    "ends": "{0} ends with {1}",
    "has": "{0} contains {1}",
    "is not": "{0} != {1}",
    "not in": "{0} not in {1}",
    "begins not": "{0} not starts with {1}",
    "ends not": "{0} not ends with {1}",
    "has not": "{0} not contains {1}",
    "divisible": "{0} % {1} = 0",
    "indivisible": "{0} % {1} != 0",
}


@dataclass(frozen=True, slots=True)
class _Numbered(Named):
    """A step with the number of a part among those of its sort."""

    shown: str = ""

    def __str__(self) -> str:
        return self.shown


def _inside(side: Atom) -> Atom:
    """Return the condition on one of two parts side by side as it stands in that on both."""
    a = side.feature.a
    plain = Chosen(a.step)
    if a.where.startswith("nth"):
        plain = Chosen(_Numbered(a.step.label, a.step.word, _beside_name(a.step, a.index)))
    return replace(side, feature=replace(side.feature, a=plain))


_SIDE_TESTS = ("exists", "some is", "begins", "ends", "has", "empty", "most", "least", "longest",
              "shortest")  # fmt: skip
"""What is asked of a part right in another one, without a path to it."""


def is_side(literal: Atom, scope: Named) -> bool:
    """Say whether a literal is on parts right in one of a sort, and is said without a path."""
    feature = literal.feature
    is_plain = literal.test in _SIDE_TESTS and not (literal.negated and literal.test != "exists")
    is_measure = not literal.relation or (literal.relation[0] == ">") == (
        literal.test in ("most", "longest")
    )
    is_inside = feature.kind == "texts" and feature.a.where in ("nth", "under")
    is_plain = is_plain and not isinstance(literal.constant, tuple)
    return is_plain and is_measure and is_inside and feature.a.context == scope


def _in_scope(literal: Atom, scope: Named) -> str:
    """Return a literal as it is said of a part of a sort."""
    if is_side(literal, scope):
        return str(_inside(literal)).replace("//", "", 1)
    words, around = str(literal), f"//{scope}["
    # One on all rows but the first is said with its path.
    is_later = literal.feature.a.where == "nth later"
    is_compared = literal.feature.kind == "beside" and not (literal.negated or is_later)
    return words[len(around) : -1] if is_compared and words.startswith(around) else words


def _measured(literal: Atom) -> str:
    feature, test = literal.feature, literal.test
    a = feature.a
    if feature.kind == "depth":
        return f"depth({a.step})"
    if feature.kind == "alike":
        return f"count(same {a})"
    if feature.kind in OPERATORS:
        return _result(feature)
    if feature.kind == "counts":
        what = f"count({a}/{feature.b and feature.b.step})"
        other = literal.relation in (("<", "<=") if test == "most" else (">", ">="))
        return f"every {what}" if other else what
    if feature.kind == "groups":
        return f"{test.split()[0]}({_within(a)})"
    if test in ("count", "sum"):
        return f"{test}({a})"
    plain = f"len({a})" if test in ("longest", "shortest") else str(a)
    greatest = test in ("most", "longest")
    if literal.relation in ((">", ">=") if greatest else ("<", "<=")):
        return plain
    return f"{'max' if greatest else 'min'}({plain})"


def _within(chosen: Chosen) -> str:
    """Return the name of parts in another: anywhere, or only directly."""
    return f"./{chosen.step}" if chosen.where == "under" else str(chosen.step)


def _paired(feature: Feature, test: str) -> str:
    if feature.kind == "around":
        name = feature.a.step
        if test == "negative":
            return f"{name}[left * right < 0]"
        return f"{name}[{SIDES.get(test, test)}]"
    if feature.kind == "previous":
        return f"{feature.a} {TURNED[test.split()[1]]} the one before"
    assert feature.b is not None
    one, two = _name_in_row(feature.a), _name_in_row(feature.b)
    if feature.kind == "sizes":
        one, two = f"len({one})", f"len({two})"
    elif feature.kind in OPERATORS:
        one, two = _name_in_row(feature.inner[0].a), _result(feature)
    if test == "after":
        one, two = two, one
    relation = "before" if test in ("before", "after") else test.split()[1]
    return f"{_row_of(feature)}[{one} {relation} {two}]"


def _row_of(feature: Feature) -> str:
    """Return the path of the parts in which two stand side by side."""
    later = "[>1]" if feature.a.where == "nth later" else ""
    return f"//{feature.a.context or '.'}{later}"


def _name_in_row(chosen: Chosen) -> str:
    is_numbered = chosen.where.startswith("nth")
    return _beside_name(chosen.step, chosen.index) if is_numbered else str(chosen.step)


def _result(feature: Feature) -> str:
    """Return the sum, difference or product of two numbers, in words."""
    assert feature.b is not None
    return f"{_name_in_row(feature.a)} {OPERATORS[feature.kind][0]} {_name_in_row(feature.b)}"


SIDES = {"same sides": "left = right", "other sides": "left != right"}
"""How the texts around a token are compared, unlike those of parts not as numbers."""

TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
"""The relations the other way round."""


def _beside_name(step: object, index: int) -> str:
    return f"{step}[{index + 1}]"


def _shown(constant: Constant) -> str:
    if isinstance(constant, tuple):
        return "{" + ", ".join(map(quoted, constant)) + "}"
    if isinstance(constant, str):
        return quoted(constant)
    if isinstance(constant, float) and float(short := f"{constant:g}") == constant:
        return short
    return str(constant)
