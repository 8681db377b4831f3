"""The state of a generalization: its options, the outcomes so far, the holes found so far."""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from random import Random

from boildown import tree as trees
from boildown.engine.flaky import CHECKED_SHARE
from boildown.engine.generalizing.given import GivenInput
from boildown.engine.language import Language
from boildown.engine.oracle import Oracle, Outcome, Verdict, close, judge
from boildown.engine.patterns.conditions import Value, is_literal
from boildown.engine.patterns.hole import Evidence, Hole
from boildown.engine.patterns.pattern import Instance, Pattern
from boildown.engine.patterns.template import Path, Slot, Template
from boildown.tree import Kind, Place

CALM_AFTER = 20
"""So many refutations that were repeated, all with the same outcome, show a test to be reliable."""
REPEATS_IF_FLAKY = 3
"""How often a refutation is repeated after one of them came out differently."""
DRAWS_PER_TRIAL = 10
"""How many texts are drawn at most for each trial that is wanted: the rest may be invalid."""

SAMPLES = 100
"""Trials that a statement rests on, where the user does not say how many."""

_NAMES = re.compile(r"[\w-]+")
"""The names of nonterminals in an expression."""


@dataclass(frozen=True, slots=True)
class GeneralizeOptions:
    """The options of a generalization."""

    method: str = "auto"
    samples: int = SAMPLES
    """Trials that the statements rest on."""
    goal: float = 0.95
    """The share of failing texts that the lower bound (95 % confidence) should reach."""
    budget: int = 32
    """Tokens, about, that a random value has at most."""
    reduce_first: bool = True
    law_runs: int | None = 0
    """Runs that are made for a law, at most, besides those of its evidence; 0 for no law, and None
    for as many as a job can afford."""
    given: tuple[GivenInput, ...] = ()
    """Other inputs at hand, each of which is run once."""
    words: tuple[str, ...] = ()
    """Words of the program, which are put into inputs to find a law."""


@dataclass(slots=True)
class Generalization:
    """A generalization under way. After a stop its fields are the partial result."""

    template: Template
    oracle: Oracle
    """Gives each text one run at most."""
    known: dict[str, Outcome]
    """The outcomes of the texts that were run, those of the reduction included."""
    rng: Random
    options: GeneralizeOptions
    holes: list[Hole] = field(default_factory=list)
    joint: Evidence = field(default_factory=Evidence)
    anywhere: bool = False
    """Whether the pattern is one of parts of inputs."""
    around: tuple[str, ...] = ()
    """Inputs that pass, in which such a part is tried."""
    has_law: bool = False
    """Whether a law was found, of which the pattern is the most readable instance."""
    large: list[tuple[str, bool]] | None = None
    """Large inputs with whether they fail, once they were made."""
    instead: Callable[[], bool] = lambda: False
    """Takes another pattern in place of one that misses the original; says whether it did."""
    sought_pieces: bool = False
    """Whether a pattern of pieces was looked for."""
    notes: list[str] = field(default_factory=list)
    entered: Callable[[str], None] = lambda _phase: None
    check: Callable[[], None] = lambda: None
    """Called for each value that is drawn or read; may raise `Stop`."""
    ran: Mapping[str, Verdict] = field(default_factory=dict)
    """The verdicts on texts that were run; those not yet known teach once they are asked for."""
    afresh: Oracle | None = None
    """Runs a text although its outcome is known; None to take each outcome for certain."""
    repeated: dict[str, int] = field(default_factory=dict)
    """How often texts that passed did so again."""
    unreliable: set[str] = field(default_factory=set)
    """Texts that passed once, and not when they were run again: they teach nothing."""

    def pattern(self, holes: Iterable[Hole]) -> Pattern:
        """Return the text with some holes as a pattern."""
        method, budget = self.options.method, self.options.budget
        plain = Pattern(
            self.template,
            method=method,
            budget=budget,
            anywhere=self.anywhere,
            around=self.around,
            check=self.check,
        )
        return plain.with_holes(list(holes))

    def fork(self) -> Random:
        """Return a random generator of its own, so that texts drawn ahead change nothing later."""
        return Random(self.rng.getrandbits(64))

    def ask(self, instances: Iterable[Instance]) -> Generator[tuple[Instance, Outcome], None, None]:
        """Yield instances with their outcomes, in order; run no more than are taken."""
        source = iter(instances)
        waiting: deque[tuple[Instance, Outcome | None]] = deque()

        def texts(first: Instance) -> Iterator[str]:
            for instance in itertools.chain([first], source):
                waiting.append((instance, self._recalled(instance.text)))
                if waiting[-1][1] is None:
                    yield instance.text

        # Leading instances with known outcomes are answered before any text is asked for, so that
        # a caller who stops at one of them has started no run.
        for first in source:
            if (known := self._recalled(first.text)) is not None:
                self.known[first.text] = known
                yield first, known
                continue
            verdicts = self.oracle(texts(first))
            try:
                for verdict in verdicts:
                    yield waiting.popleft()[0], verdict.outcome
                    yield from self._known(waiting)
                    # Nothing was drawn ahead, so known instances that follow need no run.
                    if not waiting:
                        break
            finally:
                close(verdicts)
            yield from self._known(waiting)

    def _recalled(self, text: str) -> Outcome | None:
        """Return the outcome of a text that was run; None if it was not.

        Were it asked of the oracle, a caller who stops there could have started the next run.
        """
        verdict = self.ran.get(text)
        return self.known.get(text) if verdict is None else verdict.outcome

    def _known(
        self, waiting: deque[tuple[Instance, Outcome | None]]
    ) -> Iterator[tuple[Instance, Outcome]]:
        """Pop the leading instances of the queue whose outcomes were known when they came in."""
        while waiting and (outcome := waiting[0][1]) is not None:
            instance, _ = waiting.popleft()
            self.known[instance.text] = outcome
            yield instance, outcome

    def refutes(self, text: str, certain: bool = False) -> bool:
        """Say whether a text that passed does so again, so that something may be learnt from it.

        Evidence counts each draw's first run only. Where all repetitions agreed so far, no more are
        made, unless it is to be certain.
        """
        if self.afresh is None or text in self.unreliable:
            return text not in self.unreliable
        enough = max(CALM_AFTER, CHECKED_SHARE * len(self.known))
        calm = not self.unreliable and len(self.repeated) >= enough
        if calm and not certain:
            return True
        # The first ones are repeated twice: nothing is known of the test yet.
        wanted = 2 if 2 * len(self.repeated) < CALM_AFTER else 1
        wanted = REPEATS_IF_FLAKY if self.unreliable else wanted
        while self.repeated.get(text, 0) < wanted:
            if judge(self.afresh, text).outcome is not Outcome.PASSED:
                self.unreliable.add(text)
                return False
            self.repeated[text] = self.repeated.get(text, 0) + 1
        return True

    def passes(self, instance: Instance) -> bool:
        """Say whether an instance passes, and reliably so; runs it if that is not known."""
        return self.outcome(instance) is Outcome.PASSED and self.refutes(instance.text)

    def outcome(self, instance: Instance) -> Outcome:
        """Return the outcome of one instance; runs it if it is not known."""
        with closing(self.ask([instance])) as answers:
            return next(answers)[1]


def hole_at(template: Template, path: Path, budget: int) -> Hole | None:
    """Return the candidate hole at a path; None for a literal, or where nothing can be sampled."""
    place = trees.place_at(template.tree, path)
    if is_literal(place.tree):
        return None
    label = place.tree.label
    if template.language.sample(label, Random(0), budget) is None:
        return None
    start, end = place.span
    return Hole(label, label, path, start, end)


def children(template: Template, path: Path) -> list[Path]:
    """Return the paths of a subtree's children."""
    return [child.path() for child in trees.place_at(template.tree, path).children()]


def is_absent_operation(place: Place, language: Language) -> bool:
    """Say whether an empty list or option would make an operand of the only part of its parent.

    Where a grammar has `power: atom ["^" factor]`, a single atom has an empty option beside it, and
    so on for each level of precedence below that. It is an operand if the part may stand there.
    """
    tree, parent = place.tree, place.parent
    if parent is None or tree.width or isinstance(tree, trees.Leaf) or tree.kind is Kind.RULE:
        return False
    assert isinstance(parent.tree, trees.Node)
    parts = [each for each in parent.tree.children if each.width == parent.tree.width]
    names = _NAMES.findall(tree.label)
    return any(language.fits(name, part.label) for part in parts for name in names)


def is_lone_operand(place: Place) -> bool:
    """Say whether a list of operands is one item, which is all of its parent.

    Where a grammar has `sum` as a list of products separated by `+`, a single product is such a
    list, and so on for each level of precedence below that.
    """
    tree, parent = place.tree, place.parent
    alone = parent is not None and parent.tree.width == tree.width
    return alone and isinstance(tree, trees.Node) and tree.separated and tree.count == 1


def original(template: Template, hole: Hole) -> Value:
    """Return the value of a hole in the text itself."""
    return template.value(hole.path, hole.items)


def inside(template: Template, hole: Hole) -> list[Place]:
    """Return the places right inside a hole: the children, or the items that it stands for."""
    children = trees.place_at(template.tree, hole.path).children()
    return [each for each in children if covers(template, hole.slot, each.path())]


def covers(template: Template, slot: Slot, path: Path) -> bool:
    """Say whether a path leads to or into a slot."""
    above, items = slot
    if path[: len(above)] != above:
        return False
    if items is None:
        return True
    if len(path) == len(above):
        return False
    tree = trees.place_at(template.tree, above).tree
    assert isinstance(tree, trees.Node)
    low, high = (item * tree.stride for item in items)
    # A separator goes with the item after it, as in `Template.span`; but for the first item.
    taken = tree.stride - 1 if low else 0
    return low - taken <= path[len(above)] < high - taken
