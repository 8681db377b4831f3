"""Patterns: a text with holes, and the evidence for the claim that all texts of it fail.

A pattern belongs to a text that fails. Where it has a hole, anything of the hole's nonterminal may
stand for which the hole's conditions hold. Holes of one name are one hole in several places: they
must hold the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from boildown import tree as trees
from boildown.engine.algebra import Everything, NoSample, Texts
from boildown.engine.conditions import Numbers, Value, from_json, to_json
from boildown.engine.form import Form, form
from boildown.engine.hole import Evidence, Hole
from boildown.engine.language import Language
from boildown.engine.oracle import Outcome

BUDGET = 32
"""Tokens, about, that a random value has at most."""
DRAWS = 200
"""How often a value is drawn for one that its conditions hold for."""
INSTANCES = 40
"""How often all values are drawn for a text that reads as the pattern says."""
MISSES = 100
"""How many texts in a row may be known ones before it is said that there are no others."""
NONE = 0.25
"""How often no item is put between those of a list."""
LARGEST = 10**15
"""Beyond this, no random number is drawn."""


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
    joint: Evidence = field(default_factory=Evidence)
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
            parts += [self.text[at : hole.start], hole.wrapped(str(hole))]
            at = hole.end
        return "".join([*parts, self.text[at:]])

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the text with values in the holes of some names; the others stay as they are."""
        return self.form.fill(
            ((hole.start, hole.end), hole.wrapped(values[hole.name]))
            for hole in self.holes
            if hole.name in values
        )

    def read(self, text: str) -> tuple[Value, ...] | None:
        """Return what stands in the holes of a text of this pattern, or None if it is none."""
        holes = {hole.slot: hole for hole in self.holes}
        labels = {slot: hole.label for slot, hole in holes.items()}
        found = self.form.read(text, labels, lambda slot, value: holes[slot].holds(value))
        if found is None:
            return None
        values = tuple(found[hole.slot] for hole in self.holes)
        same: dict[str, str] = {}
        for hole, value in zip(self.holes, values, strict=True):
            if same.setdefault(hole.name, value.text) != value.text:
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
        misses = 0
        while len(found) < count and misses < MISSES:
            instance = self.draw(rng)
            if instance is None:
                break
            misses = misses + 1 if instance.text in found else 0
            found[instance.text] = None
        return list(found)

    def to_json(self) -> dict[str, Any]:
        """Return the pattern as what JSON can hold; `pattern_from_json` makes it again."""
        return {
            "text": self.text,
            "pattern": str(self),
            "language": self.form.language.name,
            "method": self.method,
            "budget": self.budget,
            "sampler": self.sampler,
            "holes": [_hole_to_json(self.text, hole) for hole in self.holes],
            "covarying": [list(group) for group in self.covarying],
            "joint": {**_evidence_to_json(self.joint), "rate": self.joint.rate},
            "runs": self.runs,
            "outcomes": {outcome.value: count for outcome, count in self.outcomes.items()},
            "finished": self.finished,
            "notes": list(self.notes),
        }

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
        if hole.items is not None and rng.random() < NONE and self._meets(hole, ""):
            return ""
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
        filled = self.form.fill([(span, hole.wrapped(text))])
        found = self.form.read(filled, {hole.slot: hole.label})
        return found is not None and hole.holds(found[hole.slot])


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


def _evidence_to_json(evidence: Evidence) -> dict[str, Any]:
    return {
        "trials": evidence.trials,
        "reproduced": evidence.reproduced,
        "invalid": evidence.invalid,
        "timeouts": evidence.timeouts,
        "lower_bound": evidence.lower_bound,
    }


def _hole_to_json(text: str, hole: Hole) -> dict[str, Any]:
    return {
        "name": hole.name,
        "label": hole.label,
        "path": list(hole.path),
        "items": None if hole.items is None else list(hole.items),
        "before": hole.before,
        "after": hole.after,
        "start": hole.start,
        "end": hole.end,
        "text": text[hole.start : hole.end],
        "shown": str(hole),
        "conditions": [to_json(condition) for condition in hole.conditions],
        **_evidence_to_json(hole.evidence),
        "counterexample": hole.counterexample,
    }


def pattern_from_json(values: Mapping[str, Any], language: Language) -> Pattern:
    """Return the pattern that `Pattern.to_json` made these values of.

    Raises:
        ValueError: they are no pattern, or none of this language; the message says why.
    """
    try:
        text = str(values["text"])
        holes = [_hole_from_json(each) for each in values["holes"]]
        made = Pattern(
            form(text, language),
            tuple(holes),
            _evidence_from_json(values["joint"]),
            str(values["method"]),
            int(values["budget"]),
            bool(values["finished"]),
            int(values["runs"]),
            {Outcome(name): int(count) for name, count in values["outcomes"].items()},
            tuple(map(str, values["notes"])),
        )
    except KeyError as error:
        raise ValueError(f"This is no pattern: it has no {error}.") from None
    except (TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"This is no pattern: {error}.") from None
    for hole in made.holes:
        if not made.form.has(hole.slot, (hole.start, hole.end), hole.label):
            raise ValueError(
                f"The pattern is not one of the language {language.name}: its text has no"
                f" {hole.label} from {hole.start} to {hole.end}."
            )
    return made


def _evidence_from_json(values: Mapping[str, Any]) -> Evidence:
    reproduced = int(values["reproduced"])
    passed = int(values["trials"]) - reproduced
    return Evidence(reproduced, passed, int(values["invalid"]), int(values["timeouts"]))


def _hole_from_json(values: Mapping[str, Any]) -> Hole:
    counterexample, items = values["counterexample"], values.get("items")
    return Hole(
        str(values["name"]),
        str(values["label"]),
        tuple(map(int, values["path"])),
        int(values["start"]),
        int(values["end"]),
        tuple(from_json(each) for each in values["conditions"]),
        None if items is None else (int(items[0]), int(items[1])),
        str(values.get("before", "")),
        str(values.get("after", "")),
        _evidence_from_json(values),
        None if counterexample is None else str(counterexample),
    )
