"""Parses without choices, by an LR automaton: fast, and honest where a choice comes up.

Most texts of most grammars can be parsed from left to right without ever having to guess, if one
looks at the next character, and at the next token where that is not enough. This parser does so,
with FOLLOW sets as lookahead (DeRemer's SLR, 1971) and a look at what is open where these are too
wide, and gives up where two actions are possible, or none; the Earley parser then decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from boildown.grammar.automaton import Automaton, State
from boildown.grammar.core import Core, Production
from boildown.grammar.ir import Lit
from boildown.grammar.tokens import Tokens
from boildown.grammar.values import builder, is_plain
from boildown.tree import Leaf, Node


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
ACCEPT = Stop(True)

PATIENCE = 100
"""How many reductions are looked ahead to tell whether one comes to nothing."""


class LrParser:
    """Parses texts of one symbol where no choice comes up."""

    def __init__(self, core: Core, tokens: Tokens, automaton: Automaton) -> None:
        self._core = core
        self._tokens = tokens
        self._automaton = automaton
        self._reduces: dict[Production, Reduce] = {}

    def parse(self, text: str) -> Node | None:
        """Return the tree of the text without what may be ignored at its end.

        None if a choice came up, or the text does not follow the grammar.
        """
        if self._automaton.is_cyclic:
            return None
        state = self._automaton.start
        states = [state]
        values: list[Any] = []
        position = 0
        skip = self._tokens.skip
        after = self._automaton.after
        while True:
            empty_left = self._automaton.most_empty
            begin = skip(text, position)
            char = text[begin : begin + 1]
            action = state.actions.get(char) or self._decide(state, char)
            if type(action) is Contest:
                action = self._settle(action, states, text, begin)
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
                state = below.after.get(action.left) or after(below, action.left)
                states.append(state)
                action = state.actions.get(char) or self._decide(state, char)
                if type(action) is Contest:
                    action = self._settle(action, states, text, begin)
            if type(action) is not Shift:
                return values[0] if action is ACCEPT else None
            if action.match is None:
                end = begin + 1
            elif not (match := action.match(text, begin)) or (end := match.end()) == begin:
                return None
            values.append(Leaf(action.label, text[begin:end], text[position:begin], begin))
            state = action.state
            states.append(state)
            position = end

    def _decide(self, state: State, char: str) -> Action:
        """Return, and remember, what to do in a state before a character."""
        starting = self._tokens.starting(char)
        actions = {
            symbol: [self._action(state, symbol, move, char) for move in moves]
            for symbol, moves in self._automaton.moves(state).items()
            if symbol in starting
        }
        distinct = {id(action): action for several in actions.values() for action in several}
        action: Action = GIVE_UP
        if len(distinct) == 1:
            action = next(iter(distinct.values()))
        elif distinct:
            action = Contest(actions)
        state.actions[char] = action
        return action

    def _action(self, state: State, symbol: int, move: Production | None, char: str) -> Action:
        if move is None:
            return self._shift(state, symbol, char)
        return ACCEPT if move is self._automaton.goal else self._reduce(move)

    def _settle(self, contest: Contest, states: list[State], text: str, position: int) -> Action:
        """Return the one action that the tokens at an offset allow, or to give up.

        If several seem to, those go that would come to nothing, given what is open.
        """
        possible = {
            id(action): (action, symbol)
            for symbol, _ in self._tokens.winners(text, position, contest.actions)
            for action in contest.actions[symbol]
        }
        if len(possible) > 1:
            possible = {
                key: (action, symbol)
                for key, (action, symbol) in possible.items()
                if type(action) is not Reduce or self._leads_on(action, states, symbol)
            }
        return next(iter(possible.values()))[0] if len(possible) == 1 else GIVE_UP

    def _leads_on(self, reduce: Reduce, states: list[State], symbol: int) -> bool:
        """Say whether a terminal can be taken some time after a reduction.

        FOLLOW sets say what may follow a nonterminal anywhere; this looks at the stack, and so
        knows what may follow it here.
        """
        futures: list[tuple[int, tuple[State, ...], int, int]] = [
            (len(states), (), reduce.size, reduce.left)
        ]
        for _ in range(PATIENCE):
            if not futures:
                return False
            depth, above, size, left = futures.pop()
            kept = above[: max(len(above) - size, 0)]
            depth -= max(size - len(above), 0)
            below = kept[-1] if kept else states[depth - 1]
            state = self._automaton.after(below, left)
            for move in self._automaton.moves(state).get(symbol, ()):
                if move is None or move is self._automaton.goal:
                    return True
                futures.append((depth, (*kept, state), len(move.right), move.left))
        return True

    def _shift(self, state: State, symbol: int, char: str) -> Shift:
        token = self._core.tokens[symbol]
        whole = isinstance(token.pattern, Lit) and token.pattern.text == char
        match = None if whole else token.regex.match
        return Shift(self._automaton.after(state, symbol), token.label, match)

    def _reduce(self, production: Production) -> Reduce:
        if production not in self._reduces:
            shape = self._core.shape(production.left)
            build = None if is_plain(self._core, production) else builder(self._core, production)
            self._reduces[production] = Reduce(
                len(production.right), production.left, shape.label, build
            )
        return self._reduces[production]
