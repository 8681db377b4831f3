"""Parses without choices, by an LR automaton: fast, and honest where a choice comes up.

Most texts of most grammars can be parsed from left to right without ever having to guess, if one
looks at the next character, and at the next token where that is not enough. This parser does so
and gives up where two actions are possible, or none; the Earley parser then decides. It uses LR(0)
states (Knuth, 1965), made when a text first needs them, and FOLLOW sets as lookahead (DeRemer's
SLR, 1971).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from boildown.grammar.core import Core, Production, cyclic, follow_sets, nullable
from boildown.grammar.ir import Lit
from boildown.grammar.tokens import Tokens
from boildown.grammar.values import builder, is_plain
from boildown.tree import Leaf, Node

Item: TypeAlias = tuple[Production, int]


@dataclass(slots=True, eq=False)
class State:
    """A set of productions with the place in each that the parse has come to."""

    complete: list[Production]
    advanced: dict[int, frozenset[Item]]
    """The kernel of the state after each symbol that may come next."""
    actions: dict[str, Action] = field(default_factory=dict)
    """What to do, by the next character; filled as texts need it."""
    after: dict[int, State] = field(default_factory=dict)
    """The states after nonterminals; filled as texts need it."""


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """Take a token and go on to a state."""

    state: State
    label: str
    match: Callable[..., Any] | None
    """None if the first character is the whole token."""


@dataclass(frozen=True, slots=True, eq=False)
class Reduce:
    """Replace the values of a production's right side by one."""

    size: int
    left: int
    label: str
    build: Callable[[list[Any]], Any] | None
    """None if the value is an ordinary node."""


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """Let the token decide: several may start with the next character."""

    actions: dict[int, list[Action]]


@dataclass(frozen=True, slots=True, eq=False)
class Stop:
    """Stop parsing: the text is complete, or this parser can't go on."""

    complete: bool


Action: TypeAlias = Shift | Reduce | Contest | Stop

GIVE_UP = Stop(False)


class LrParser:
    """Parses texts of one symbol where no choice comes up."""

    def __init__(self, core: Core, tokens: Tokens, start: int) -> None:
        self._core = core
        self._tokens = tokens
        empty = nullable(core)
        self._follows = follow_sets(core, start, empty)
        self._endless = bool(cyclic(core, empty))
        self._states: dict[frozenset[Item], State] = {}
        self._reduces: dict[Production, Reduce] = {}
        self._goal = Production(-1, -1, (start,))
        self._most_empty = sum(
            len(production.right) + 1 for several in core.productions for production in several
        )
        """More empty reductions in a row would go on for ever: a rule hides a left recursion."""
        self._start = self._state(frozenset({(self._goal, 0)}))

    def parse(self, text: str) -> Node | None:
        """Return the tree of the text without what may be ignored at its end.

        None if a choice came up, or the text does not follow the grammar.
        """
        if self._endless:
            return None
        state = self._start
        states = [state]
        values: list[Any] = []
        position = 0
        skip = self._tokens.skip
        while True:
            empty_left = self._most_empty
            begin = skip(text, position)
            char = text[begin : begin + 1]
            action = state.actions.get(char) or self._decide(state, char)
            if type(action) is Contest:
                action = self._settle(action, text, begin)
            while type(action) is Reduce:
                if size := action.size:
                    parts = values[-size:]
                    del values[-size:]
                    del states[-size:]
                elif empty_left:
                    empty_left -= 1
                    parts = []
                else:
                    return None
                if action.build is None:
                    values.append(Node(action.label, tuple(parts)))
                else:
                    values.append(action.build(parts))
                below = states[-1]
                state = below.after.get(action.left) or self._after(below, action.left)
                states.append(state)
                action = state.actions.get(char) or self._decide(state, char)
                if type(action) is Contest:
                    action = self._settle(action, text, begin)
            if type(action) is not Shift:
                return values[0] if action is not GIVE_UP else None
            if action.match is None:
                end = begin + 1
            elif (match := action.match(text, begin)) and (end := match.end()) > begin:
                pass
            else:
                return None
            values.append(Leaf(action.label, text[begin:end], text[position:begin], begin))
            state = action.state
            states.append(state)
            position = end

    def _state(self, kernel: frozenset[Item]) -> State:
        state = self._states.get(kernel)
        if state is None:
            state = self._states[kernel] = self._make_state(kernel)
        return state

    def _make_state(self, kernel: frozenset[Item]) -> State:
        complete = []
        advanced: dict[int, set[Item]] = {}
        items = sorted(kernel, key=lambda item: (item[0].number, item[1]))
        for production, dot in items:
            if dot == len(production.right):
                complete.append(production)
                continue
            symbol = production.right[dot]
            if symbol not in advanced:
                advanced[symbol] = set()
                if not self._core.is_terminal(symbol):
                    items.extend((predicted, 0) for predicted in self._core.of(symbol))
            advanced[symbol].add((production, dot + 1))
        return State(complete, {symbol: frozenset(kernel) for symbol, kernel in advanced.items()})

    def _after(self, state: State, symbol: int) -> State:
        following = state.after[symbol] = self._state(state.advanced[symbol])
        return following

    def _decide(self, state: State, char: str) -> Action:
        """Return, and remember, what to do in a state before a character."""
        actions: dict[int, list[Action]] = {}
        starting = self._tokens.starting(char)
        for symbol in state.advanced:
            if symbol in starting:
                actions.setdefault(symbol, []).append(self._shift(state, symbol, char))
        for production in state.complete:
            if production is self._goal:
                if not char:
                    actions.setdefault(-1, []).append(Stop(True))
                continue
            for symbol in self._follows[production.left] & starting:
                actions.setdefault(symbol, []).append(self._reduce(production))
        distinct = {id(action): action for several in actions.values() for action in several}
        action: Action = GIVE_UP
        if len(distinct) == 1:
            action = next(iter(distinct.values()))
        elif distinct:
            action = Contest(actions)
        state.actions[char] = action
        return action

    def _settle(self, contest: Contest, text: str, position: int) -> Action:
        """Return the one action that the tokens at an offset allow."""
        winners = self._tokens.winners(text, position, contest.actions)
        possible = {
            id(action): action for symbol, _ in winners for action in contest.actions[symbol]
        }
        return next(iter(possible.values())) if len(possible) == 1 else GIVE_UP

    def _shift(self, state: State, symbol: int, char: str) -> Shift:
        token = self._core.tokens[symbol]
        whole = isinstance(token.pattern, Lit) and token.pattern.text == char
        match = None if whole else token.regex.match
        return Shift(self._state(state.advanced[symbol]), token.label, match)

    def _reduce(self, production: Production) -> Reduce:
        if production not in self._reduces:
            shape = self._core.shape(production.left)
            build = None if is_plain(self._core, production) else builder(self._core, production)
            self._reduces[production] = Reduce(
                len(production.right), production.left, shape.label, build
            )
        return self._reduces[production]
