"""The LR(0) automaton of a grammar (Knuth, 1965), each state made when a text first needs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from boildown.grammar.core import END, Core, Production, cyclic, follow_sets, nullable

Item: TypeAlias = tuple[Production, int]
"""A production, and how many of its symbols have been found."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What may be done in a state before a token that begins with a certain character."""

    moves: dict[int, list[Production | None]]
    """For each terminal that may: None to take it, or what to reduce first."""
    sole: tuple[int, Production | None] | None
    """A terminal and its move, where all that may have this one move."""


@dataclass(slots=True, eq=False)
class State:
    """A set of productions with the place in each that the parse has come to."""

    kernel: list[Item]
    """The items in which something has been found already, in the order of the grammar."""
    complete: list[Production]
    advanced: dict[int, frozenset[Item]]
    """The kernel of the state after each symbol that may come next."""
    after: dict[int, State] = field(default_factory=dict)
    """The states after symbols; filled as texts need it."""
    moves: dict[int, list[Production | None]] = field(default_factory=dict)
    """For each terminal what may be done before it: None to take it, or what to reduce first."""
    choices: dict[str, Choice] = field(default_factory=dict)
    """The moves by the next character; filled as texts need it."""
    actions: dict[str, Any] = field(default_factory=dict)
    """What a parser remembers to do, by the next character."""


class Automaton:
    """The states for the texts of one symbol, with its FOLLOW sets for lookahead."""

    def __init__(self, core: Core, start: int) -> None:
        empty = nullable(core)
        self.core = core
        self.goal = Production(-1, -1, (start,))
        """The production that is complete when all is."""
        self.follows = follow_sets(core, start, empty)
        self.is_cyclic = bool(cyclic(core, empty))
        """Whether a nonterminal may derive itself, so that reductions could go on for ever."""
        self.most_empty = sum(len(p.right) + 1 for several in core.productions for p in several)
        """More empty reductions in a row go on for ever: a rule hides a left recursion."""
        self._states: dict[frozenset[Item], State] = {}
        self.start = self._state(frozenset({(self.goal, 0)}))

    def after(self, state: State, symbol: int) -> State:
        """Return the state after one more symbol, which must be among `advanced`."""
        following = state.after.get(symbol)
        if following is None:
            following = state.after[symbol] = self._state(state.advanced[symbol])
        return following

    def moves(self, state: State) -> dict[int, list[Production | None]]:
        """Return for each terminal that may come next what may be done: shift, then reduce."""
        if not state.moves:
            for symbol in state.advanced:
                if self.core.is_terminal(symbol):
                    state.moves[symbol] = [None]
            for production in state.complete:
                ends = (END,) if production is self.goal else self.follows[production.left]
                for symbol in ends:
                    state.moves.setdefault(symbol, []).append(production)
        return state.moves

    def _state(self, kernel: frozenset[Item]) -> State:
        state = self._states.get(kernel)
        if state is None:
            state = self._states[kernel] = self._make_state(kernel)
        return state

    def _make_state(self, kernel: frozenset[Item]) -> State:
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
        kernels = {symbol: frozenset(items) for symbol, items in advanced.items()}
        return State(known, complete, kernels)
