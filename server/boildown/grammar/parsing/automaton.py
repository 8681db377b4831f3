"""The LR(0) automaton of a grammar (Knuth, 1965), each state made when a text first needs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from boildown.grammar.parsing.core import (
    END,
    Core,
    Lookaheads,
    Production,
    cyclic,
    nullable,
    reachable,
)

Item: TypeAlias = tuple[Production, int]
"""A production, and how many of its symbols have been found."""


@dataclass(frozen=True, slots=True, eq=False)
class LookaheadMoves:
    """The moves of an LR state if the next token begins with a certain character."""

    moves: dict[int, list[Production | None]]
    """For each terminal that may come: None to shift it, or the production to reduce first."""
    sole: tuple[int, Production | None] | None
    """A terminal and its move, if all terminals that may come have this one move."""


@dataclass(slots=True, eq=False)
class AutomatonState:
    """A state of the LR(0) automaton: a closure of items, given by its kernel."""

    kernel: list[Item]
    """The items with the dot not at the beginning, in the order of the grammar."""
    complete: list[Production]
    """The productions that may be reduced: those of items with the dot at the end."""
    advanced: dict[int, frozenset[Item]]
    """The kernel of the state after each symbol that may come next."""
    after: dict[int, AutomatonState] = field(default_factory=dict)
    """The states after symbols (shift and goto); filled as texts need them."""
    moves: dict[int, list[Production | None]] = field(default_factory=dict)
    """For each terminal its moves: None to shift it, or the production to reduce first."""
    choices: dict[str, LookaheadMoves] = field(default_factory=dict)
    """The moves by the next character; filled as texts need them."""
    actions: dict[str, Any] = field(default_factory=dict)
    """The action of `LrParser` by the next character; filled as texts need them."""


class TooLarge(Exception):  # noqa: N818 - says what is the case
    """The tables that a text needs of a grammar have too many items."""


MAX_ITEMS = 4_000_000
"""The most items in the states of an automaton, at about 200 bytes each."""


class Automaton:
    """The LR(0) automaton for texts of one start symbol, with FOLLOW sets for lookahead."""

    def __init__(self, core: Core, start: int) -> None:
        empty = nullable(core)
        self.core = core
        self.goal = Production(-1, -1, (start,))
        """The added production whose reduction accepts the text; `number` and `left` are -1."""
        self.follows = Lookaheads(core, start, empty)
        self.is_cyclic = not cyclic(core, empty).isdisjoint(reachable(core, start))
        """Whether a nonterminal may derive itself, so that reductions could go on for ever."""
        self.most_empty = sum(len(p.right) + 1 for several in core.productions for p in several)
        """With more empty reductions in a row a parse loops: a rule hides a left recursion."""
        self._states: dict[frozenset[Item], AutomatonState] = {}
        self._items = 0
        self.start = self._state(frozenset({(self.goal, 0)}))

    def after(self, state: AutomatonState, symbol: int) -> AutomatonState:
        """Return the state after one more symbol, which must be a key of `advanced`."""
        following = state.after.get(symbol)
        if following is None:
            following = state.after[symbol] = self._state(state.advanced[symbol])
        return following

    def moves(self, state: AutomatonState) -> dict[int, list[Production | None]]:
        """Return the moves for each terminal that may come next: the shift, then the reductions."""
        if not state.moves:
            for symbol in state.advanced:
                if self.core.is_terminal(symbol):
                    state.moves[symbol] = [None]
            for production in state.complete:
                ends = (END,) if production is self.goal else self.follows[production.left]
                for symbol in ends:
                    state.moves.setdefault(symbol, []).append(production)
        return state.moves

    def _state(self, kernel: frozenset[Item]) -> AutomatonState:
        state = self._states.get(kernel)
        if state is None:
            state = self._states[kernel] = self._make_state(kernel)
        return state

    def _make_state(self, kernel: frozenset[Item]) -> AutomatonState:
        # `items` grows into the closure while it is gone through: before each nonterminal its
        # productions may begin.
        complete = []
        advanced: dict[int, set[Item]] = {}
        items = sorted(kernel, key=lambda item: (item[0].number, item[1]))
        known = list(items)
        for production, dot in items:
            if dot == len(production.right):
                complete.append(production)
                continue
            symbol = production.right[dot]
            if symbol not in advanced:
                advanced[symbol] = set()
                if not self.core.is_terminal(symbol):
                    items.extend((predicted, 0) for predicted in self.core.of(symbol))
            advanced[symbol].add((production, dot + 1))
        self._items += len(items)
        if self._items > MAX_ITEMS:
            raise TooLarge
        kernels = {symbol: frozenset(items) for symbol, items in advanced.items()}
        return AutomatonState(known, complete, kernels)
