"""Patterns: a text with holes, and the evidence for the claim that all texts of it fail.

A pattern belongs to a text that fails. Where it has a hole, anything of the hole's nonterminal may
stand for which the hole's conditions hold. Holes of one name are one hole in several places: they
must hold the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from boildown import tree as trees
from boildown.engine.algebra import Everything, NoSample, Texts
from boildown.engine.bounds import lower_bound
from boildown.engine.conditions import Alternatives, Condition, Numbers, Value, number, unquoted
from boildown.engine.form import Form, Path
from boildown.engine.oracle import Outcome

BUDGET = 32
"""Tokens, about, that a random value has at most."""
DRAWS = 60
"""How often a value is drawn for one that its conditions hold for."""
INSTANCES = 40
"""How often all values are drawn for a text that reads as the pattern says."""
LARGEST = 10**15
"""Beyond this, no random number is drawn."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The runs behind a statement: what became of independent random draws."""

    reproduced: int = 0
    passed: int = 0
    invalid: int = 0
    """Runs that say nothing either way."""
    timeouts: int = 0
    """Runs that did not end in time, which say nothing either way."""

    @property
    def trials(self) -> int:
        """Draws that say something: those that reproduced or passed."""
        return self.reproduced + self.passed

    @property
    def rate(self) -> float:
        """The share of the trials that reproduced; 0 if there were none."""
        return self.reproduced / self.trials if self.trials else 0.0

    @property
    def lower_bound(self) -> float:
        """What the share of all texts is at least, with 95 % confidence (Clopper and Pearson)."""
        return lower_bound(self.reproduced, self.trials)

    def plus(self, outcome: Outcome) -> Evidence:
        """Return the evidence with one more run."""
        return Evidence(
            self.reproduced + (outcome is Outcome.REPRODUCED),
            self.passed + (outcome is Outcome.PASSED),
            self.invalid + (outcome is Outcome.INVALID),
            self.timeouts + (outcome is Outcome.TIMEOUT),
        )


@dataclass(frozen=True, slots=True)
class Hole:
    """A place that may hold other texts."""

    name: str
    """Holes of one name hold the same text."""
    label: str
    """The nonterminal; in a list or an option, its expression."""
    path: Path
    start: int
    """Offset of the first character in the pattern's text, in code points."""
    end: int
    """Offset after the last character; the start, if nothing stands there in the text."""
    conditions: tuple[Condition, ...] = ()
    evidence: Evidence = Evidence()
    """What became of texts in which this hole was filled, after its last narrowing."""
    counterexample: str | None = None
    """The nearest text that passes though it fills this place: why the hole is no wider."""

    @property
    def covaries(self) -> bool:
        """Whether it is one of several places that hold the same text."""
        return self.name.startswith("$")

    def holds(self, value: Value) -> bool:
        """Say whether all conditions hold for a value."""
        return all(condition.holds(value) for condition in self.conditions)

    def __str__(self) -> str:
        inner, times = _bare(self.label)
        outer = [each for each in self.conditions if isinstance(each, Numbers)]
        for each in self.conditions:
            if isinstance(each, Alternatives):
                inner = f"{inner}: {each}"
            elif not isinstance(each, Numbers):
                inner = f"{inner} {each}"
        text = f"<{'$' if self.covaries else ''}{inner}>{times}"
        for each in outer:
            text = each.around(text)
        return text


_TIMES = re.compile(r"(?P<word>[\w-]+)(?P<times>[*+?])|\((?P<group>[^()]*)\)(?P<more>[*+])")
_LISTED = re.compile(r"(?P<may>\[?)(?P<word>[\w-]+) \((?P<separator>.+) (?P=word)\)\*\]?")
_OPTION = re.compile(r"\[(?P<inner>.*)\]")


def _bare(label: str) -> tuple[str, str]:
    """Return a label's inside, and `*`, `+` or `?` if it is a list or an option of that."""
    if (match := _TIMES.fullmatch(label)) is not None:
        return match["word"] or match["group"], match["times"] or match["more"]
    if (match := _LISTED.fullmatch(label)) is not None:
        return match["word"], "*" if match["may"] else "+"
    if (match := _OPTION.fullmatch(label)) is not None:
        return match["inner"], "?"
    return unquoted(label), ""


@dataclass(frozen=True, slots=True)
class Instance:
    """A text of a pattern, with what stands in the holes."""

    text: str
    values: tuple[Value, ...]
    """In the order of the holes."""


@dataclass(frozen=True, slots=True)
class Pattern(Texts):
    """All texts like one text, but for what stands in the holes."""

    form: Form
    holes: tuple[Hole, ...] = ()
    """In the order of the text; none overlaps another."""
    joint: Evidence = Evidence()
    """What became of texts in which all holes were filled, after the last narrowing."""
    method: str = "auto"
    budget: int = BUDGET
    """Tokens, about, that a random value has at most: part of what the bounds speak of."""
    finished: bool = True
    """False if a limit or a stop ended the work early."""
    runs: int = 0
    """Runs that it took, those of the reduction included."""
    outcomes: dict[Outcome, int] = field(default_factory=dict, compare=False)
    """How many of these had which outcome."""
    notes: tuple[str, ...] = ()
    """Sentences for the user."""

    @property
    def text(self) -> str:
        """The text that the pattern is of."""
        return self.form.text

    @property
    def covarying(self) -> tuple[tuple[int, ...], ...]:
        """The groups of holes that hold the same text, by their indices."""
        groups: dict[str, list[int]] = {}
        for index, hole in enumerate(self.holes):
            groups.setdefault(hole.name, []).append(index)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    @property
    def sampler(self) -> str:
        """The name of what draws the values, for every statement depends on it."""
        return f"random texts of {self.form.language.name}, about {self.budget} tokens at most"

    def __str__(self) -> str:
        parts = []
        at = 0
        for hole in self.holes:
            parts += [self.text[at : hole.start], str(hole)]
            at = hole.end
        return "".join([*parts, self.text[at:]])

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the text with values in the holes of some names; the others stay as they are."""
        return self.form.fill(
            ((hole.start, hole.end), values[hole.name])
            for hole in self.holes
            if hole.name in values
        )

    def read(self, text: str) -> tuple[Value, ...] | None:
        """Return what stands in the holes of a text of this pattern, or None if it is none."""
        found = self.form.read(text, {hole.path: hole.label for hole in self.holes})
        if found is None:
            return None
        values = tuple(found[hole.path] for hole in self.holes)
        same: dict[str, str] = {}
        for hole, value in zip(self.holes, values, strict=True):
            if same.setdefault(hole.name, value.text) != value.text or not hole.holds(value):
                return None
        return values

    def matches(self, text: str) -> bool:
        """Say whether a text belongs to the pattern.

        The text is parsed, and its tree compared with that of the pattern's text: outside of the
        holes the tokens must be the same, in the holes stand subtrees that fit, for which the
        conditions hold. White space and comments between tokens don't count.
        """
        return self.read(text) is not None

    def draw(self, rng: Random) -> Instance | None:
        """Return a random text of the pattern; None if none was found in a few tries.

        Each hole is filled by itself: random texts of its label, until one meets its conditions.
        """
        for _ in range(INSTANCES):
            values: dict[str, str] = {}
            for hole in self._variables():
                text = self._value(hole, rng)
                if text is None:
                    return None
                values[hole.name] = text
            instance = self.instance(values)
            if instance is not None:
                return instance
        return None

    def instance(self, values: Mapping[str, str]) -> Instance | None:
        """Return the text with these values in the holes, if it reads as one of the pattern."""
        text = self.fill(values)
        found = self.read(text)
        return None if found is None else Instance(text, found)

    def sample(self, rng: Random) -> str:
        """Return a random text of the pattern.

        Raises:
            NoSample: no values were found that meet all conditions.
        """
        instance = self.draw(rng)
        if instance is None:
            raise NoSample(f"No random text was found that belongs to {self}.")
        return instance.text

    def distinct(self, count: int, rng: Random) -> list[str]:
        """Return up to so many different texts of the pattern; fewer if there seem to be no more.

        The pattern's own text is among them only if it is drawn.
        """
        found: dict[str, None] = {}
        for _ in range(20 * count):
            if len(found) == count:
                break
            instance = self.draw(rng)
            if instance is None:
                break
            found[instance.text] = None
        return list(found)

    def universe(self) -> Texts:
        """Return the set of all texts of the language."""
        return Everything(self.form.language, self.form.tree.label, 4 * self.budget)

    def with_holes(self, holes: Sequence[Hole]) -> Pattern:
        """Return the pattern with other holes, which get names of their own."""
        ordered = sorted(holes, key=lambda hole: (hole.start, hole.end, hole.path))
        return replace(self, holes=tuple(_named(ordered)))

    def _variables(self) -> Iterator[Hole]:
        """Yield the first hole of each name."""
        seen: set[str] = set()
        for hole in self.holes:
            if hole.name not in seen:
                seen.add(hole.name)
                yield hole

    def _value(self, hole: Hole, rng: Random) -> str | None:
        """Return a random value of a hole that meets its conditions, or None."""
        language = self.form.language
        for _ in range(DRAWS):
            text = language.sample(hole.label, rng, self.budget)
            if text is None:
                return None
            if self._meets(hole, text):
                return text
        bounds = [each for each in hole.conditions if isinstance(each, Numbers)]
        for _ in range(DRAWS if bounds else 0):
            text = random_number(bounds[0], rng)
            if self._meets(hole, text):
                return text
        return None

    def _meets(self, hole: Hole, text: str) -> bool:
        """Say whether a hole's conditions hold for a text."""
        if not hole.conditions:
            return True
        plain = Value(text, trees.Leaf(hole.label, text))
        if not all(each.holds(plain) for each in hole.conditions if not each.structural):
            return False
        if not any(each.structural for each in hole.conditions):
            return True
        span = (hole.start, hole.end)
        found = self.form.read(self.form.fill([(span, text)]), {hole.path: hole.label})
        return found is not None and hole.holds(found[hole.path])


def random_number(bounds: Numbers, rng: Random) -> str:
    """Return a whole number near or far from a bound; it need not be within them."""
    origin = bounds.low if bounds.low is not None else bounds.high or 0
    sign = 1 if bounds.low is not None else -1
    most = LARGEST
    if bounds.low is not None and bounds.high is not None:
        most = max(int(bounds.high) - int(bounds.low) + 1, 1)
    distance = int(rng.uniform(1, 10) * 10 ** rng.uniform(0, len(str(most)))) % (most + 1)
    return str(int(origin) + sign * distance)


def _named(holes: Sequence[Hole]) -> Iterator[Hole]:
    """Name the holes by their labels; those that shared a name still do."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for index, hole in enumerate(holes):
        key = hole.name if hole.covaries else f"#{index}"
        if key not in names:
            base = ("$" if hole.covaries else "") + hole.label
            name, count = base, 1
            while name in taken:
                count += 1
                name = f"{base}_{count}"
            names[key] = name
            taken.add(name)
        yield replace(hole, name=names[key])


def is_number(value: Value) -> bool:
    """Say whether a value is a number."""
    return number(value.text) is not None
