"""What the methods of generalization share: the runs so far, and the holes found so far."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from random import Random

from boildown import tree as trees
from boildown.engine.conditions import Value, is_literal
from boildown.engine.form import Form, Path, Slot, span
from boildown.engine.hole import Evidence, Hole
from boildown.engine.oracle import Oracle, Outcome, close
from boildown.engine.pattern import Instance, Pattern
from boildown.tree import Kind, Place

DRAWS_PER_TRIAL = 10
"""How many texts are drawn at most for each trial that is wanted: the rest may be invalid."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to generalize."""

    method: str = "auto"
    samples: int = 100
    """Trials that the statements rest on."""
    goal: float = 0.95
    """What the share of failing texts should be at least, with 95 % confidence."""
    budget: int = 32
    """Tokens, about, that a random value has at most."""
    reduce_first: bool = True


@dataclass(slots=True)
class State:
    """One generalization at work. A stop finds here what is known."""

    form: Form
    oracle: Oracle
    """Gives each text one run at most."""
    known: dict[str, Outcome]
    """What became of the texts that were run, those of the reduction included."""
    rng: Random
    options: Options
    holes: list[Hole] = field(default_factory=list)
    joint: Evidence = field(default_factory=Evidence)
    notes: list[str] = field(default_factory=list)
    entered: Callable[[str], None] = lambda _phase: None

    def pattern(self, holes: Iterable[Hole]) -> Pattern:
        """Return the text with some holes as a pattern."""
        plain = Pattern(self.form, method=self.options.method, budget=self.options.budget)
        return plain.with_holes(list(holes))

    def fork(self) -> Random:
        """Return a generator of its own, so that texts drawn ahead change nothing later."""
        return Random(self.rng.getrandbits(64))

    def ask(self, instances: Iterable[Instance]) -> Generator[tuple[Instance, Outcome], None, None]:
        """Yield instances with their outcomes, in order; run no more than are taken."""
        source = iter(instances)
        waiting: deque[tuple[Instance, Outcome | None]] = deque()

        def texts(first: Instance) -> Iterator[str]:
            for instance in itertools.chain([first], source):
                waiting.append((instance, self.known.get(instance.text)))
                if waiting[-1][1] is None:
                    yield instance.text

        for first in source:
            if (known := self.known.get(first.text)) is not None:
                yield first, known
                continue
            verdicts = self.oracle(texts(first))
            try:
                for verdict in verdicts:
                    yield waiting.popleft()[0], verdict.outcome
                    yield from _known(waiting)
                    if not waiting:
                        break
            finally:
                close(verdicts)
            yield from _known(waiting)

    def outcome(self, instance: Instance) -> Outcome:
        """Return what becomes of one instance."""
        with closing(self.ask([instance])) as answers:
            return next(answers)[1]


def _known(
    waiting: deque[tuple[Instance, Outcome | None]],
) -> Iterator[tuple[Instance, Outcome]]:
    """Take from the queue what was known when it came in."""
    while waiting and (outcome := waiting[0][1]) is not None:
        yield waiting.popleft()[0], outcome


def hole_at(form: Form, path: Path, budget: int) -> Hole | None:
    """Return the hole at a path of the tree, or None if nothing else may stand there."""
    place = trees.place_at(form.tree, path)
    if is_literal(place.tree):
        return None
    label = place.tree.label
    if form.language.sample(label, Random(0), budget) is None:
        return None
    start, end = span(place)
    return Hole(label, label, path, start, end)


def children(form: Form, path: Path) -> list[Path]:
    """Return the paths of a subtree's children."""
    return [child.path() for child in trees.place_at(form.tree, path).children()]


def is_link(place: Place) -> bool:
    """Say whether an empty list or option stands beside one other part only.

    Grammars of expressions have a link of this kind for each level of precedence.
    """
    tree, parent = place.tree, place.parent
    if parent is None or tree.width or isinstance(tree, trees.Leaf) or tree.kind is Kind.RULE:
        return False
    assert isinstance(parent.tree, trees.Node)
    return any(child.width == parent.tree.width for child in parent.tree.children)


def original(form: Form, hole: Hole) -> Value:
    """Return what stands in a hole in the text itself."""
    return form.value(hole.path, hole.items)


def inside(form: Form, hole: Hole) -> list[Place]:
    """Return the places right inside a hole: the children, or the items that it stands for."""
    children = trees.place_at(form.tree, hole.path).children()
    return [each for each in children if covers(form, hole.slot, each.path())]


def covers(form: Form, slot: Slot, path: Path) -> bool:
    """Say whether a path leads to or into a slot."""
    above, items = slot
    if path[: len(above)] != above:
        return False
    if items is None:
        return True
    if len(path) == len(above):
        return False
    tree = trees.place_at(form.tree, above).tree
    assert isinstance(tree, trees.Node)
    step = 2 if tree.separated else 1
    return items[0] * step <= path[len(above)] < items[1] * step
