"""Patterns: a text with holes, and the evidence that texts of it fail.

A pattern belongs to a text that fails. Where it has a hole, anything of the hole's nonterminal may
stand for which the hole's conditions hold. Holes of one name are one hole in several places: they
must hold the same text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any

from boildown import tree as trees
from boildown.engine.language import Language
from boildown.engine.laws.law import Law
from boildown.engine.matters import VariedToken
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.algebra import Everything, NoSample, Texts
from boildown.engine.patterns.conditions import Numbers, Value, spellings, to_json
from boildown.engine.patterns.hole import Evidence, Hole, Recall
from boildown.engine.patterns.pieces import Pieces
from boildown.engine.patterns.template import Path, Slot, Span, Template, template_of
from boildown.visible import visible

ANYTHING = "…"
"""What stands for anything or nothing where a pattern is shown."""
VALUE_TOKENS = 32
"""Tokens, about, that a random value has at most."""
VALUE_DRAWS = 200
"""Values that are drawn to find one for which its conditions hold."""
DRAWS_BEFORE_NUMBERS = 50
"""Values that are drawn before numbers are drawn inside the bounds that a condition sets."""
INSTANCE_DRAWS = 40
"""Sets of values that are drawn to find a text that reads as one of the pattern."""
MAX_REPEATS = 100
"""So many repeated texts in a row end the search for different ones."""
EMPTY_SHARE = 0.25
"""The share of drawn values of a gap that are empty."""
LARGEST_NUMBER = 10**15
"""No random number beyond this distance is drawn."""


def never_stopped() -> None:
    """Let the drawing of values go on; a function with a name, as a pattern is pickled with it."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A text of a pattern, with the values in its holes."""

    text: str
    values: tuple[Value, ...]
    """In the order of the holes."""


@dataclass(frozen=True, slots=True)
class Pattern(Texts):
    """The set of texts that equal one text outside of its holes.

    Sets of texts, patterns and laws, go together as sets do: `p & q`, `p | q`, `~p`.

    >>> from random import Random
    >>> digits = {"<start>": ["-<digit>", "<digit>"], "<digit>": ["1", "2", "3"]}
    >>> pattern = generalize("-1", lambda text: text.startswith("-"), digits)
    >>> pattern
    <Pattern '-<digit>': 100 of 100 reproduced, in 4 runs>
    >>> pattern.matches("-3"), pattern.matches("3"), pattern.sample(Random(1))
    (True, False, '-2')
    >>> f"{pattern.joint.lower_bound:.3f}", (~pattern).sample(Random(1))
    ('0.970', '3')
    """

    template: Template
    """The text that fails, with its tree."""
    holes: tuple[Hole, ...] = ()
    """In the order of the text; none overlaps another."""
    joint: Evidence = field(default_factory=Evidence)
    """The outcomes of texts in which all holes were filled, after the last narrowing."""
    method: str = "auto"
    """The way in which the holes were found."""
    budget: int = VALUE_TOKENS
    """Tokens, about, that a random value has at most; the bounds hold for such values."""
    finished: bool = True
    """False if a limit or a stop ended the work early."""
    runs: int = 0
    """Runs that it took, those of the reduction included."""
    outcomes: dict[Outcome, int] = field(default_factory=dict, compare=False)
    """How many of these runs had which outcome."""
    notes: tuple[str, ...] = ()
    """Sentences for the user."""
    recall: Recall | None = None
    """How many of the failing inputs that were met it matches; None if that was not looked at."""
    law: Law | None = None
    """The condition on whole inputs of which the pattern is an instance, if one stood."""
    anywhere: bool = False
    """Whether a text belongs to it as soon as a part of it does; all holes are in that part."""
    around: tuple[str, ...] = ()
    """Inputs that pass, into which a part of it is put to draw a text of one that may stand
    anywhere; random texts of the language if there are none."""
    tokens: tuple[VariedToken, ...] = field(default=(), compare=False)
    """The tokens of the smallest failing input, each with what is needed of it."""
    check: Callable[[], None] = field(default=never_stopped, compare=False, repr=False)
    """Called for each value that is drawn; may raise an exception that ends the drawing."""
    reduction_runs: int = field(default=0, compare=False)
    """How many of the runs reduced the text before."""

    @property
    def text(self) -> str:
        """The text that the pattern is of."""
        return self.template.text

    @property
    def language(self) -> Language:
        """The language of its texts."""
        read = self.template.language
        return read.inner if isinstance(read, Pieces) else read

    @property
    def plain(self) -> Template:
        """The text as its language reads it, which pieces are not."""
        if self.template.language is self.language:
            return self.template
        return template_of(self.text, self.language)

    @property
    def is_general(self) -> bool:
        """Whether there are other texts of it than its own."""
        return bool(self.holes) or self.anywhere

    @property
    def core(self) -> Path:
        """The path of the least part of the text with all of it that has to be there."""
        alone = [hole.slot for hole in self.holes if not hole.covaries]
        return self.template.core(alone) or ()

    def wherever(self) -> Pattern:
        """Return the pattern of all texts with a part that equals the core of this one's."""
        core = self.core
        inner = [hole for hole in self.holes if hole.path[: len(core)] == core]
        return replace(self.with_holes(inner), anywhere=True)

    @property
    def covarying(self) -> tuple[tuple[int, ...], ...]:
        """The groups of holes that hold the same text: indices of `holes`, from 0."""
        groups: dict[str, list[int]] = {}
        for index, hole in enumerate(self.holes):
            groups.setdefault(hole.name, []).append(index)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    @property
    def sampler(self) -> str:
        """The name of the distribution of the values, for every statement depends on it."""
        around = " around it" if self.anywhere else ""
        name = self.language.name
        if isinstance(self.template.language, Pieces):
            return "the pieces of the original, with lines of it between them"
        limit = f"about {self.budget} tokens at most"
        if self.around:
            return f"random texts of {name}, {limit}, put into large inputs that pass"
        return f"random texts of {name}{around}, {limit}"

    def __repr__(self) -> str:
        found = f": {self.joint.reproduced} of {self.joint.trials} reproduced"
        runs = f", in {self.runs:,} runs" if self.runs else ""
        return f"<Pattern {str(self)!r}{found if self.joint.trials else ''}{runs}>"

    @property
    def shown(self) -> Span:
        """Start and end of the part of the text that is shown with the holes."""
        return self.template.span(self.core) if self.anywhere else (0, len(self.text))

    def __str__(self) -> str:
        parts = []
        at, end = self.shown
        for hole in self.holes:
            parts += [self.text[at : hole.start], hole.wrapped(str(hole))]
            at = hole.end
        shown = visible("".join([*parts, self.text[at:end]]), keep="\n\t")
        return in_anything(shown) if self.anywhere else shown

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the text with values in the holes of some names; the others stay as they are.

        Raises nothing: a name that no hole has is left out.
        """
        return self.template.fill(
            ((hole.start, hole.end), hole.wrapped(values[hole.name]))
            for hole in self.holes
            if hole.name in values
        )

    def read(self, text: str) -> tuple[Value, ...] | None:
        """Match a text; return the values of the holes, or None if it is none of the pattern.

        Raises nothing, for any text can be parsed.
        """
        return self._bound(text, {})

    def _bound(self, text: str, bound: Mapping[str, str]) -> tuple[Value, ...] | None:
        """Match a text, with certain values in the holes of some names."""
        for found in self._found(text, bound):
            values = tuple(found[hole.slot] for hole in self.holes)
            hole = self._unequal(values)
            if hole is None:
                return values
            # Gaps may be told apart in another way, in which the values are equal.
            if (aligned := self._aligned(text, bound, hole)) is not None:
                return aligned
        return None

    def _found(self, text: str, bound: Mapping[str, str]) -> Iterator[dict[Slot, Value]]:
        """Yield the values of the holes in a text, or in each part of it that fits."""
        holes = {hole.slot: hole for hole in self.holes}
        labels = {slot: hole.label for slot, hole in holes.items()}

        def holds(slot: Slot, value: Value) -> bool:
            hole = holes[slot]
            return bound.get(hole.name, value.text) == value.text and hole.holds(value)

        if self.anywhere:
            yield from self.template.read_parts(text, self.core, labels, holds)
        elif (found := self.template.read(text, labels, holds)) is not None:
            yield found

    def _unequal(self, values: Sequence[Value]) -> Hole | None:
        """Return the first hole whose value differs from one of the same name before it."""
        same: dict[str, str] = {}
        for hole, value in zip(self.holes, values, strict=True):
            if same.setdefault(hole.name, value.text) != value.text:
                return hole
        return None

    def _aligned(self, text: str, bound: Mapping[str, str], hole: Hole) -> tuple[Value, ...] | None:
        """Match a text by trying each value that may stand in all holes of a hole's name."""
        least = sum(each.name == hole.name for each in self.holes)
        for value in self.template.repeated(text, hole.label, least):
            found = self._bound(text, {**bound, hole.name: value})
            if found is not None:
                return found
        return None

    def matches(self, text: str) -> bool:
        """Say whether a text belongs to the pattern.

        The text is parsed, and its tree compared with that of the pattern's text: outside of the
        holes the tokens must be the same, in the holes stand subtrees that fit, for which the
        conditions hold. White space and comments between tokens don't count. Raises nothing.
        """
        return self.read(text) is not None

    def draw(self, rng: Random) -> Instance | None:
        """Draw a random text of the pattern; return None if none was found in a few tries.

        Each hole is filled by itself: random texts of its label, until one meets its conditions.
        Raises nothing of its own; `check` may.
        """
        for _ in range(INSTANCE_DRAWS):
            values: dict[str, str] = {}
            for hole in self._variables():
                text = self._value(hole, rng)
                if text is None:
                    return None
                values[hole.name] = text
            instance = self.instance(values)
            if instance is not None and self.anywhere:
                instance = self._surrounded(instance, rng)
            if instance is not None:
                return instance
        return None

    def _surrounded(self, instance: Instance, rng: Random) -> Instance | None:
        """Return a random text with an instance as a part of it, or None."""
        text = self.template.surrounded(instance.text, self.core, rng, self.budget, self.around)
        found = None if text is None else self.read(text)
        return None if text is None or found is None else Instance(text, found)

    def instance(self, values: Mapping[str, str]) -> Instance | None:
        """Return the text with these values in the holes, if it reads as one of the pattern.

        Raises nothing.
        """
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

    def distinct(
        self, count: int, rng: Random, keep: Callable[[str], bool] = lambda _text: True
    ) -> list[str]:
        """Return up to so many different texts of the pattern; fewer if there seem to be no more.

        `count` is how many texts are wanted, `rng` where the random numbers are from, and `keep`
        says which of the texts are wanted. The pattern's own text is among them only if it is
        drawn. Raises nothing of its own; `check` may.
        """
        found: dict[str, None] = {}
        misses = 0
        while len(found) < count and misses < MAX_REPEATS:
            instance = self.draw(rng)
            if instance is None:
                break
            if instance.text in found or not keep(instance.text):
                misses += 1
                continue
            misses = 0
            found[instance.text] = None
        return list(found)

    def to_json(self) -> dict[str, Any]:
        """Serialize the pattern to JSON values; `reading.pattern_from_json` makes it again."""
        read = self.template.language
        return {
            "text": self.text,
            "pattern": str(self),
            "language": self.language.name,
            "method": self.method,
            "budget": self.budget,
            "sampler": self.sampler,
            "holes": [_hole_to_json(self.text, hole) for hole in self.holes],
            "covarying": [list(group) for group in self.covarying],
            "anywhere": list(self.shown) if self.anywhere else None,
            "around": list(self.around),
            "pieces": read.to_json() if isinstance(read, Pieces) else None,
            "joint": {**_evidence_to_json(self.joint), "rate": self.joint.rate},
            "recall": None if self.recall is None else asdict(self.recall),
            "runs": self.runs,
            "outcomes": {outcome.value: count for outcome, count in self.outcomes.items()},
            "finished": self.finished,
            "notes": list(self.notes),
            "law": None if self.law is None else self.law.to_json(),
        }

    def universe(self) -> Texts:
        """Return the set of all texts of the language."""
        label = self.language.parse(self.text).tree.label
        return Everything(self.language, label, 4 * self.budget)

    def with_holes(self, holes: Sequence[Hole]) -> Pattern:
        """Return the pattern with other holes, which get names of their own.

        Raises:
            IndexError: the path of a hole leads out of the tree.
        """
        ordered = sorted(holes, key=lambda hole: self.template.order(hole.slot))
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
        language = self.template.language
        if hole.items is not None and rng.random() < EMPTY_SHARE and self._meets(hole, ""):
            return ""
        bounds = next((each for each in hole.conditions if isinstance(each, Numbers)), None)
        for _ in range(VALUE_DRAWS if bounds is None else DRAWS_BEFORE_NUMBERS):
            self.check()
            text = language.sample(hole.label, rng, self.budget)
            if text is None:
                return None
            if self._meets(hole, text):
                return text
        return None if bounds is None else self._number(hole, bounds, rng)

    def _number(self, hole: Hole, bounds: Numbers, rng: Random) -> str | None:
        """Return a random number within bounds that can stand in a hole, or None."""
        reach = self._reach(hole, bounds)
        for _ in range(VALUE_DRAWS):
            self.check()
            for text in self._standing(hole, random_number(bounds, rng, reach)):
                if self._meets(hole, text):
                    return text
        return None

    def _reach(self, hole: Hole, bounds: Numbers) -> int:
        """Return how far from a bound numbers can stand in a hole, up to a power of ten."""
        farther = LARGEST_NUMBER
        while farther > 10 and not any(self._standing(hole, _distant(bounds, farther // 10))):
            farther //= 10
        return farther

    def _standing(self, hole: Hole, digits: str) -> Iterator[str]:
        """Yield the spellings of a number that can stand in a hole."""
        for text in spellings(digits, self.text[hole.start : hole.end]):
            if self._read_in(hole, text) is not None:
                yield text

    def _meets(self, hole: Hole, text: str) -> bool:
        """Say whether a hole's conditions hold for a text."""
        if not hole.conditions:
            return True
        plain = Value(text, trees.Leaf(hole.label, text))
        if not all(each.holds(plain) for each in hole.conditions if not each.structural):
            return False
        if not any(each.structural for each in hole.conditions):
            return True
        found = self._read_in(hole, text)
        return found is not None and hole.holds(found)

    def _read_in(self, hole: Hole, text: str) -> Value | None:
        """Return a text as it reads in a hole, or None if it can't stand there."""
        filled = self.template.fill([((hole.start, hole.end), hole.wrapped(text))])
        found = self.template.read(filled, {hole.slot: hole.label})
        return None if found is None else found[hole.slot]


def in_anything(part: str) -> str:
    """Return the notation of texts with a part from that of the part."""
    blank = "\n" if "\n" in part else " "
    return f"{ANYTHING}{blank}{part}{blank}{ANYTHING}"


def random_number(bounds: Numbers, rng: Random, reach: int = LARGEST_NUMBER) -> str:
    """Return a number within bounds, near or far from one: a whole one, if there is any.

    It is not much farther from an only bound than `reach`.
    """
    low, high = whole_bounds(bounds)
    if low is not None and high is not None:
        if low > high:
            return f"{rng.uniform(float(bounds.low or 0), float(bounds.high or 0)):.12f}"
        reach = min(reach, high - low)
    return _distant(
        bounds, int(rng.uniform(1, 10) * 10 ** rng.uniform(0, len(str(reach)) - 1)) % (reach + 1)
    )


def _distant(bounds: Numbers, distance: int) -> str:
    """Return the whole number at a distance from the last one inside a bound."""
    low = _least(bounds)
    return str((_greatest(bounds) or 0) - distance if low is None else low + distance)


def whole_bounds(bounds: Numbers) -> tuple[int | None, int | None]:
    """Return the least and the greatest whole number within bounds; None for no bound."""
    return _least(bounds), _greatest(bounds)


def _least(bounds: Numbers) -> int | None:
    if bounds.low is None:
        return None
    least = math.ceil(bounds.low)
    return least if bounds.low_included or least != bounds.low else least + 1


def _greatest(bounds: Numbers) -> int | None:
    if bounds.high is None:
        return None
    greatest = math.floor(bounds.high)
    return greatest if bounds.high_included or greatest != bounds.high else greatest - 1


def _named(holes: Sequence[Hole]) -> Iterator[Hole]:
    """Name the holes by their labels; covarying holes keep one name."""
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
