"""A deterministic LR parser: fast, and gives up where moves conflict.

Most texts of most grammars can be parsed from left to right without conflicts by the next
character, or by the next token where that is not enough. This parser does so, with FOLLOW sets as
lookahead (DeRemer, Simple LR(k) Grammars, 1971) and a look at the stack where these are too wide.
It gives up where two actions are possible, or none; the Earley parser then decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from boildown.grammar.ir import Lit
from boildown.grammar.parsing.automaton import Automaton, AutomatonState
from boildown.grammar.parsing.core import Core, Production
from boildown.grammar.parsing.tokens import Tokens
from boildown.grammar.parsing.values import builder, is_plain
from boildown.tree import Leaf, Node


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """The action to shift a token and go on to a state."""

    state: AutomatonState
    label: str
    match: Callable[..., Any] | None
    """None if the first character is the whole token."""


@dataclass(frozen=True, slots=True, eq=False)
class Reduce:
    """The action to reduce by a production: its values become one."""

    size: int
    left: int
    label: str
    build: Callable[[list[Any]], Any] | None
    """Makes the value; None if it is an ordinary node."""


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """The action to let the token decide, as terminals with several actions may come."""

    moves: dict[int, list[Production | None]]
    """For each terminal None to shift it, or productions to reduce first."""
    actions: dict[object, Action] = field(default_factory=dict)
    """The actions by terminal or production; filled as tokens need them."""


@dataclass(frozen=True, slots=True, eq=False)
class Halt:
    """The action to stop: to accept the text, or to give up."""

    complete: bool


Action: TypeAlias = Shift | Reduce | Contest | Halt

GIVE_UP = Halt(False)
ACCEPT = Halt(True)

MAX_LOOKAHEAD_REDUCTIONS = 100
"""How many reductions are looked ahead to tell whether one leads into an error."""


class LrParser:
    """Parses texts of one start symbol where no moves conflict."""

    def __init__(self, core: Core, tokens: Tokens, automaton: Automaton) -> None:
        self._core = core
        self._tokens = tokens
        self._automaton = automaton
        self._reduces: dict[Production, Reduce] = {}

    def parse(self, text: str) -> Node | None:
        """Return the tree of a text without the ignored text at its end.

        None if moves conflict, or the text does not follow the grammar.
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

    def _decide(self, state: AutomatonState, char: str) -> Action:
        """Return the action of a state before a character; remember it."""
        starting = self._tokens.starting(char)
        known = self._automaton.moves(state)
        candidates = {symbol: known[symbol] for symbol in starting if symbol in known}
        distinct = {
            symbol if move is None else move: (symbol, move)
            for symbol, moves in candidates.items()
            for move in moves
        }
        action: Action = GIVE_UP
        if len(distinct) == 1:
            action = self._action(state, *next(iter(distinct.values())), char)
        elif distinct:
            # Their states are made when a token decides for them: there may be many.
            action = Contest(candidates)
        state.actions[char] = action
        return action

    def _action(
        self, state: AutomatonState, symbol: int, move: Production | None, char: str
    ) -> Action:
        if move is None:
            return self._shift(state, symbol, char)
        return ACCEPT if move is self._automaton.goal else self._reduce(move)

    def _settle(
        self, contest: Contest, states: list[AutomatonState], text: str, position: int
    ) -> Action:
        """Return the one action that the tokens at an offset allow, or to give up.

        If several seem to, those reductions are left out that lead into an error on this stack.
        """
        char = text[position : position + 1]
        possible: dict[object, tuple[Action, int]] = {}
        for symbol, _ in self._tokens.winners(text, position, contest.moves):
            for move in contest.moves[symbol]:
                key = symbol if move is None else move
                action = contest.actions.get(key)
                if action is None:
                    action = contest.actions[key] = self._action(states[-1], symbol, move, char)
                possible[key] = action, symbol
        if len(possible) > 1:
            possible = {
                key: (action, symbol)
                for key, (action, symbol) in possible.items()
                if type(action) is not Reduce or self._leads_on(action, states, symbol)
            }
        return next(iter(possible.values()))[0] if len(possible) == 1 else GIVE_UP

    def _leads_on(self, reduce: Reduce, states: list[AutomatonState], symbol: int) -> bool:
        """Say whether a terminal can be taken some time after a reduction.

        FOLLOW sets say what may follow a nonterminal anywhere; this looks at the stack, and so
        knows what may follow it here.
        """
        # A future is a stack and a reduction to do on it. The stack is the first `depth` states,
        # which are never copied, and above them the states that reductions looked ahead added.
        futures: list[tuple[int, tuple[AutomatonState, ...], int, int]] = [
            (len(states), (), reduce.size, reduce.left)
        ]
        for _ in range(MAX_LOOKAHEAD_REDUCTIONS):
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

    def _shift(self, state: AutomatonState, symbol: int, char: str) -> Shift:
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
