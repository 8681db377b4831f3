"""A grammar-based generator whose texts are determined by a sequence of choices.

A generator expands the start symbol from left to right and takes a number for every choice: which
alternative of a symbol, whether a list goes on, which of the texts that the input has for a sort
of token. So any sequence of numbers is a text of the grammar, unless it ends too early.

Sources: MacIver and Donaldson, "Test-Case Reduction via Test-Case Generation", ECOOP 2020; the
rule that names are defined before they are used, and the number `NOP`, which stands for the
shortest text of a symbol, are from a generator of Gopinath's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from boildown import tree as trees
from boildown.engine.candidates import joined
from boildown.engine.language import Expansions, Language
from boildown.engine.problem import Key, key
from boildown.tree import Tree

NOP = -1
"""The choice that stands for the shortest text of a symbol."""

Choices: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """The range of choices that made one subtree of a text."""

    label: str
    start: int
    end: int
    item: bool = False
    """Whether it is an item of a list, with the choice before it that the list goes on."""


@dataclass(frozen=True, slots=True)
class Generated:
    """The text that a generator made of a sequence of choices."""

    text: str
    choices: Choices
    """The choices that were used, each below the number of alternatives it chose from."""
    spans: tuple[Span, ...]
    """The parts of the text that took choices, from left to right, outer ones first."""

    @property
    def order(self) -> tuple[int, Key, Choices]:
        """The sort key of sequences of choices: their number, then the texts."""
        return len(self.choices), key(self.text), self.choices


class _Rejected(Exception):  # noqa: N818 - an end, not an error
    """The choices end too early, or ask for a text that can't be made."""


@dataclass(frozen=True, slots=True)
class _End:
    """Where a symbol's expansion ends."""

    label: str
    choice: int
    """How many choices had been made when it began."""
    text: int
    """How many tokens had been made when it began."""
    labels: tuple[str, ...] = ()
    """The labels of its parts."""
    item: bool = False


@dataclass(frozen=True, slots=True)
class _More:
    """Where a list may go on."""

    label: str
    step: int
    """How many times it went on."""


@dataclass(slots=True)
class Names:
    """The scope while a text is made: the names that are defined so far."""

    scope: Mapping[str, str]
    defined: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    """Those that will be when the part around their definition ends."""

    def are_used(self, label: str) -> bool:
        """Say whether a symbol stands for a name that has to be defined."""
        return label == self.scope.get("uses")

    def ended(self, label: str, text: Callable[[], str], labels: Iterable[str]) -> None:
        """Note that a part ends, which has that text and consists of parts with those labels."""
        if label == self.scope.get("defines"):
            self.pending.append(text())
        if any(part == self.scope.get("defines") for part in labels):
            self.defined += self.pending
            self.pending.clear()


@dataclass(slots=True)
class _Making:
    """The state of one generation: the choices used, the tokens and spans so far."""

    wanted: Sequence[int]
    names: Names
    texts: list[str] = field(default_factory=list)
    used: list[int] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    def choose(self, count: int) -> int:
        """Return the next choice, which is below `count`, or `NOP`."""
        if len(self.used) == len(self.wanted):
            raise _Rejected
        choice = self.wanted[len(self.used)]
        choice = choice if choice == NOP else choice % count
        self.used.append(choice)
        return choice

    def end(self, end: _End) -> None:
        """Note that an expansion has ended."""
        if len(self.used) > end.choice:
            self.spans.append(Span(end.label, end.choice, len(self.used), end.item))
        if self.names.scope and not end.item:
            self.names.ended(end.label, lambda: "".join(self.texts[end.text :]), end.labels)


class Generator:
    """Generates texts of a language from sequences of choices.

    The tokens that it has to choose from are those of one tree, and the shortest of each sort.
    """

    def __init__(self, language: Language, tree: Tree, scope: Mapping[str, str]) -> None:
        """`scope` is the language's, or empty if its rule of names is not to be followed."""
        self._language = language
        self.scope = scope
        self._start = tree.label
        self._expansions: dict[str, Expansions | None] = {}
        self.tokens: dict[str, list[str]] = {}
        """The texts of each sort of token, the shortest first."""
        found: dict[str, set[str]] = {}
        for leaf in trees.leaves(tree):
            found.setdefault(leaf.label, set()).add(leaf.text)
        for label, texts in found.items():
            shortest = language.shortest(label)
            known = texts if shortest is None else {*texts, shortest}
            self.tokens[label] = sorted(known, key=key)

    def generate(self, choices: Sequence[int], label: str | None = None) -> Generated | None:
        """Generate the text of a symbol (the start symbol if None) from a sequence of choices.

        None if they are too few, or make no text. What is left of them at the end is dropped.
        """
        making = _Making(choices, Names(self.scope))
        stack: list[str | _End | _More] = [label or self._start]
        try:
            while stack:
                top = stack.pop()
                if isinstance(top, _End):
                    making.end(top)
                elif isinstance(top, _More):
                    stack += reversed(self._go_on(top, making))
                else:
                    stack += reversed(self._expand(top, making))
        except _Rejected:
            return None
        spans = sorted(making.spans, key=lambda span: (span.start, -span.end))
        text = joined(making.texts, self._language.gap)
        return Generated(text, tuple(making.used), tuple(spans))

    def _expand(self, label: str, making: _Making) -> list[str | _End | _More]:
        """Expand a symbol: make a token, or choose an alternative and return its symbols."""
        choice, text = len(making.used), len(making.texts)
        known = self.known(label)
        if making.names.are_used(label):
            making.texts.append(self._name(making))
        elif known is None:
            making.texts.append(self._token(label, making))
        elif known.endless:
            end = _End(label, choice, text, known.alternatives[-1])
            return [*known.alternatives[0], _More(label, 0), end]
        elif (index := making.choose(len(known.alternatives))) == NOP:
            making.texts.append(self._plainest(label))
        else:
            labels = known.alternatives[index]
            return [*labels, _End(label, choice, text, labels)]
        making.end(_End(label, choice, text))
        return []

    def _go_on(self, more: _More, making: _Making) -> list[str | _End | _More]:
        choice = len(making.used)
        if making.choose(2) != 1:
            return []
        known = self.known(more.label)
        assert known is not None
        end = _End(more.label, choice, len(making.texts), item=True)
        return [*added(known, more.step), end, _More(more.label, more.step + 1)]

    def _name(self, making: _Making) -> str:
        """Choose a name that is defined."""
        if defined := making.names.defined:
            return defined[max(making.choose(len(defined)), 0)]
        if "default" not in self.scope:
            raise _Rejected
        return self.scope["default"]

    def _token(self, label: str, making: _Making) -> str:
        texts = self.tokens.get(label)
        if texts is None:
            return self._shortest(label)
        return texts[max(making.choose(len(texts)), 0)] if len(texts) > 1 else texts[0]

    def _shortest(self, label: str) -> str:
        text = self._language.shortest(label)
        if text is None:
            raise _Rejected
        return text

    def known(self, label: str) -> Expansions | None:
        """Return the alternatives of a symbol; remembers them."""
        if label not in self._expansions:
            self._expansions[label] = self._language.expansions(label)
        return self._expansions[label]

    @cached_property
    def least(self) -> Mapping[str, Choices]:
        """The fewest choices for each label that the start symbol leads to, names avoided."""
        labels = list(self._reachable())
        found: dict[str, tuple[int, Choices]] = {}
        grown = True
        while grown:
            grown = False
            for label in labels:
                for names, choices in self._ways(label, found):
                    before = found.get(label)
                    if before is None or (names, len(choices)) < (before[0], len(before[1])):
                        found[label] = names, choices
                        grown = True
        return {label: choices for label, (_, choices) in found.items()}

    def _ways(
        self, label: str, found: Mapping[str, tuple[int, Choices]]
    ) -> Iterator[tuple[int, Choices]]:
        """Yield how many names each way to expand a symbol uses, and its choices."""
        known = self.known(label)
        if Names(self.scope).are_used(label):
            yield 1, (0,)
        elif known is None:
            yield 0, ((0,) if len(self.tokens.get(label, ())) > 1 else ())
        else:
            for index, labels in enumerate(known.alternatives[: 1 if known.endless else None]):
                if all(part in found for part in labels):
                    names = sum(found[part][0] for part in labels)
                    parts = tuple(choice for part in labels for choice in found[part][1])
                    yield names, ((*parts, 0) if known.endless else (index, *parts))

    def _plainest(self, label: str) -> str:
        """Return the text that the fewest choices make of a symbol."""
        made = self.generate(self.least[label], label) if label in self.least else None
        if made is None:
            raise _Rejected
        return made.text

    def _reachable(self) -> dict[str, None]:
        reached = {self._start: None}
        fresh = [self._start]
        while fresh:
            known = self.known(fresh.pop())
            for labels in known.alternatives if known is not None else ():
                for label in labels:
                    if label not in reached:
                        reached[label] = None
                        fresh.append(label)
        return reached


def added(known: Expansions, step: int) -> tuple[str, ...]:
    """Return the labels that an endless list gains when it goes on for the nth time, from 0."""
    step = min(step, len(known.alternatives) - 2)
    before, after = known.alternatives[step : step + 2]
    return after[len(before) :]
