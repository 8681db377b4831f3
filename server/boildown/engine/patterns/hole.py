"""Holes of a pattern: a nonterminal at a place, conditions on its values, and the evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from boildown.engine.oracle import Outcome
from boildown.engine.patterns.bounds import lower_bound
from boildown.engine.patterns.conditions import Alternatives, Condition, Numbers, Value, unquoted
from boildown.engine.patterns.template import Items, Path, Slot


@dataclass(frozen=True, slots=True)
class Evidence:
    """The runs behind a statement: the outcomes of independent random draws, counted."""

    reproduced: int = 0
    """Runs that showed the same failure."""
    passed: int = 0
    """Runs that did not."""
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
        """The lower bound of the share of all texts that reproduce, with 95 % confidence."""
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
class Recall:
    """The failing inputs that were met before any was made for a pattern, and those it matches.

    A count and no share: nothing says how these inputs, most of which a reduction made, stand for
    others.
    """

    failing: int
    explained: int
    original: bool
    """Whether the input that the job began with is among those that it matches."""
    missed: str | None = None
    """The shortest other one that it does not match, if that is short."""
    part: bool = False
    """Whether it matches a part of that input, where it does not match all of it."""

    def __str__(self) -> str:
        inputs = "failing input" if self.failing == 1 else "failing inputs"
        instead = ", but of the original only a part" if self.part else ", but not the original"
        none = "" if self.original else instead
        return f"{self.explained} of {self.failing} {inputs} met before{none}"


@dataclass(frozen=True, slots=True)
class Hole:
    """A place of a pattern that may hold other texts of its nonterminal."""

    name: str
    """Holes of one name hold the same text."""
    label: str
    """The nonterminal; in a list or an option, its expression."""
    path: Path
    """The way to it in the pattern's tree: at each node from the root, the number of the child."""
    start: int
    """Offset of the first character in the pattern's text, in code points."""
    end: int
    """Offset after the last character; the start, if nothing stands there in the text."""
    conditions: tuple[Condition, ...] = ()
    """What a text must meet to stand in it."""
    items: Items | None = None
    """Which items of the list at `path` it stands for; None if it stands for the whole subtree."""
    before: str = ""
    """The separator before items that are put in, if any are."""
    after: str = ""
    """The separator after them."""
    evidence: Evidence = Evidence()
    """The outcomes of texts in which this hole was filled, after its last narrowing."""
    counterexample: str | None = None
    """The nearest text that passes though it fills this place: why the hole is no wider."""

    @property
    def slot(self) -> Slot:
        """Its position in the tree."""
        return self.path, self.items

    def wrapped(self, value: str) -> str:
        """Return a value with the separators between it and its neighbours."""
        return f"{self.before}{value}{self.after}" if value else ""

    @property
    def covaries(self) -> bool:
        """Whether it is one of several places that hold the same text."""
        return self.name.startswith("$")

    def holds(self, value: Value) -> bool:
        """Say whether all conditions hold for a value."""
        return all(condition.holds(value) for condition in self.conditions)

    def __str__(self) -> str:
        inner, times = without_times(self.label)
        times = times if self.items is None else "*"
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


ALTERNATIVES_SHOWN = 3
"""Alternatives that are shown of a list whose items have no name."""
_TIMES = re.compile(r"(?P<word>[\w-]+)(?P<times>[*+?])|\((?P<group>[^()]*)\)(?P<more>[*+])")
_LISTED = re.compile(r"(?P<may>\[?)(?P<word>[\w-]+) \((?P<separator>.+) (?P=word)\)\*\]?")
_OPTION = re.compile(r"\[(?P<inner>.*)\]")


def without_times(label: str) -> tuple[str, str]:
    """Return a label's inside, and `*`, `+` or `?` if it is a list or an option of that."""
    if (match := _TIMES.fullmatch(label)) is not None:
        return match["word"] or _few(match["group"]), match["times"] or match["more"]
    if (match := _LISTED.fullmatch(label)) is not None:
        return match["word"], "*" if match["may"] else "+"
    if (match := _OPTION.fullmatch(label)) is not None:
        return match["inner"], "?"
    return unquoted(label), ""


def _few(group: str) -> str:
    """Return the alternatives of a group; of many, the first ones."""
    listed = group.split(" | ")
    rest = ["…"] if listed[ALTERNATIVES_SHOWN:] else []
    return " | ".join([*listed[:ALTERNATIVES_SHOWN], *rest])
