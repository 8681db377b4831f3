"""What an LR parser can do with a text, one step at a time.

Stacks are linked cells that are never changed, so several futures can be tried out from one stack,
and a past one can be gone back to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from boildown.grammar.automaton import Automaton, Choice, State
from boildown.grammar.core import END, Production
from boildown.grammar.tokens import Tokens
from boildown.grammar.values import builder
from boildown.tree import Leaf, Tree

_WORD = re.compile(r"\w+")

NEAR = 100
"""So many characters are enough for most tokens; prose may go on to the end of the text."""

Builder: TypeAlias = "tuple[Callable[[list[Any]], Any] | None, tuple[bool, ...]]"
"""What makes a production's node, if it makes one, and which of its parts are chains."""


@dataclass(slots=True, eq=False)
class Cell:
    """The top of a stack. Stacks share what is below, so a future can be tried out."""

    state: State
    below: Cell | None = None
    value: Any = None


@dataclass(slots=True)
class Patience:
    """Notices reductions that go on for ever: many, and the stack never gets lower."""

    limit: int
    count: int = 0
    depth: int = 0
    """How much higher the stack is than it was at first."""
    lowest: int = 0

    def is_over(self, size: int) -> bool:
        """Note a reduction of so many values; say whether it is one too many."""
        self.depth += 1 - size
        self.count += 1
        if self.depth < self.lowest:
            self.lowest = self.depth
            self.count = 0
        return self.count > self.limit


class Machine:
    """What an LR parser can do with a text; stacks go in and come out."""

    def __init__(self, tokens: Tokens, automaton: Automaton, text: str) -> None:
        self.tokens = tokens
        self.automaton = automaton
        self.core = automaton.core
        self.text = text
        self.builders: dict[Production, Builder] = {}

    def begin(self, position: int) -> int:
        """Return where the next token begins."""
        return self.tokens.skip(self.text, position)

    def options(self, state: State, begin: int) -> list[tuple[int, int, Production | None]]:
        """Return what may be done before a token: its terminal, its end, and what to reduce."""
        moves = self.choice(state, self.text[begin : begin + 1]).moves
        winners = self.tokens.winners(self.text, begin, moves)
        return [(symbol, end, move) for symbol, end in winners for move in moves[symbol]]

    def choice(self, state: State, char: str) -> Choice:
        """Return, and remember, what may be done in a state before a character."""
        found = state.choices.get(char)
        if found is None:
            starting = self.tokens.starting(char)
            every = self.automaton.moves(state)
            moves = {symbol: every[symbol] for symbol in starting if symbol in every}
            symbol, several = next(iter(moves.items()), (END, []))
            is_sole = len(moves) == 1 or None not in several
            is_sole &= len(several) == 1 and all(other == several for other in moves.values())
            found = Choice(moves, (symbol, several[0]) if is_sole else None)
            state.choices[char] = found
        return found

    def shifted(self, cell: Cell, symbol: int, value: Any = None) -> Cell:
        """Return the stack with a terminal on top."""
        return Cell(self.automaton.after(cell.state, symbol), cell, value)

    def before_token(self, cell: Cell, begin: int, real: bool) -> tuple[Cell | None, int]:
        """Return the stack as it is just before a token is taken, and the token's terminal.

        No stack if there is a choice on the way, or no way.
        """
        char = self.text[begin : begin + 1]
        empty_left = self.automaton.most_empty
        while empty_left:
            choice = cell.state.choices.get(char) or self.choice(cell.state, char)
            sole = choice.sole
            if sole is None:
                options = self.options(cell.state, begin)
                if len(options) != 1:
                    break
                sole = options[0][0], options[0][2]
            symbol, move = sole
            if move is None:
                return cell, symbol
            if move is self.automaton.goal:
                break
            size = len(move.right)
            empty_left -= not size
            cell = self.reduced(cell, move, size, real)
        return None, END

    def reduced(self, cell: Cell, production: Production, found: int, real: bool) -> Cell:
        """Return the stack with the last `found` values made one, the rest made up.

        Only if `real`, there is a value.
        """
        values = []
        for _ in range(found):
            values.append(cell.value)
            assert cell.below is not None
            cell = cell.below
        value = None
        if real:
            values.reverse()
            values += [self.nothing(symbol) for symbol in production.right[found:]]
            value = self.value(production, values)
        return Cell(self.automaton.after(cell.state, production.left), cell, value)

    def nothing(self, symbol: int) -> Any:
        """Return what stands for a symbol that is missing."""
        if not self.core.is_terminal(symbol) and self.core.shape(symbol).kind is None:
            return None, ()
        return Leaf(self.core.label(symbol), "")

    def value(self, production: Production, values: list[Any]) -> Any:
        """Return a node, or a chain of rows of subtrees for what makes no node.

        Chains may be shared, as what was done may be undone.
        """
        build, is_chain = self.builders.get(production) or self._builder(production)
        if build is not None:
            if any(is_chain):
                pairs = zip(values, is_chain, strict=True)
                values = [unrolled(value) if chain else value for value, chain in pairs]
            return build(values)
        if is_chain[:1] == (True,):
            return values[0], tuple(flat(values[1:], is_chain[1:]))
        return None, tuple(flat(values, is_chain))

    def _builder(self, production: Production) -> Builder:
        makes_node = self.core.shape(production.left).kind is not None
        is_chain = tuple(
            not self.core.is_terminal(symbol) and self.core.shape(symbol).kind is None
            for symbol in production.right
        )
        found = builder(self.core, production) if makes_node else None, is_chain
        self.builders[production] = found
        return found

    def closed(self, cell: Cell, real: bool) -> Cell | None:
        """Return the stack with its innermost open production complete, if there is one."""
        production, found = self.open(cell.state)
        if production is not self.automaton.goal:
            return self.reduced(cell, production, found, real)
        if found:
            return None
        symbol = production.right[0]
        value = self.core.shape(symbol).node(()) if real else None
        return Cell(self.automaton.after(cell.state, symbol), cell, value)

    def open(self, state: State) -> tuple[Production, int]:
        """Return the innermost open production of a state, and how much of it was found."""
        return max(state.kernel, key=lambda item: _readiness(*item))

    def with_made_up(self, cell: Cell, symbol: int, real: bool) -> Cell | None:
        """Return the stack with a terminal on top that is not in the text, if it may stand here."""
        for _ in range(self.automaton.most_empty):
            move = self.automaton.moves(cell.state).get(symbol, (self.automaton.goal,))[0]
            if move is None:
                return self.shifted(cell, symbol, self.nothing(symbol) if real else None)
            if move is self.automaton.goal:
                return None
            cell = self.reduced(cell, move, len(move.right), real)
        return None

    def may_take(self, cell: Cell, symbol: int) -> bool:
        """Say whether a terminal may come next; yes, too, where that depends on a choice."""
        for _ in range(self.automaton.most_empty):
            moves = self.automaton.moves(cell.state).get(symbol, ())
            if not moves:
                return False
            if len(moves) > 1 or moves[0] is None or moves[0] is self.automaton.goal:
                return True
            cell = self.reduced(cell, moves[0], len(moves[0].right), real=False)
        return True

    def reach(self, cell: Cell, position: int, most: int) -> int:
        """Return how many tokens can be taken from here, at most `most`; at the end, that many."""
        count = 0
        patience = self.patience()
        while count < most:
            begin = self.begin(position)
            options = self.options(cell.state, begin)
            if not options:
                break
            symbol, end, move = options[0]
            if move is self.automaton.goal:
                return most
            if move is None:
                cell = self.shifted(cell, symbol)
                position = end
                count += 1
                patience = self.patience()
            elif patience.is_over(len(move.right)):
                break
            else:
                cell = self.reduced(cell, move, len(move.right), real=False)
        return count

    def patience(self) -> Patience:
        """Return what watches over the reductions before one token."""
        return Patience(self.automaton.most_empty)

    def is_complete(self, cell: Cell) -> bool:
        """Say whether the text could end here."""
        return END in self.automaton.moves(cell.state)

    def skipped_to(self, begin: int) -> int:
        """Return the end of what looks like one token: the shortest that is one, or a word."""
        symbols = self.tokens.starting(self.text[begin : begin + 1]) - {END}
        ends, longer = self._ends(symbols, begin, min(begin + NEAR, len(self.text)))
        if not ends:
            ends, _ = self._ends(longer, begin, len(self.text))
        if not ends and (word := _WORD.match(self.text, begin)):
            return word.end()
        return min(ends, default=begin + 1)

    def _ends(self, symbols: Iterable[int], begin: int, limit: int) -> tuple[list[int], list[int]]:
        """Return where tokens end that are no prose, and the terminals that may end later."""
        ends, longer = [], []
        for symbol in symbols:
            match = self.tokens.matchers[symbol](self.text, begin, limit)
            if match is None:
                longer.append(symbol)
            elif match.end() > begin and not _is_free_text(match):
                if match.end() == limit < len(self.text):
                    longer.append(symbol)
                else:
                    ends.append(match.end())
        return ends, longer


def _is_free_text(match: re.Match[str]) -> bool:
    """Say whether a token would go on after a blank: it is prose, and what follows it is not."""
    return match.re.fullmatch(match[0] + " ") is not None


def _readiness(production: Production, found: int) -> tuple[bool, int]:
    """Order items: those that are complete last, then by how much was found."""
    return found == len(production.right) and production.left >= 0, found


def flat(values: list[Any], is_chain: tuple[bool, ...]) -> Iterator[Tree]:
    """Yield subtrees, and those in chains."""
    for value, chain in zip(values, is_chain, strict=True):
        if chain:
            yield from unrolled(value)
        else:
            yield value


def unrolled(chain: Any) -> list[Tree]:
    """Return the subtrees of a chain of rows."""
    rows = []
    while chain is not None:
        chain, row = chain
        rows.append(row)
    return [tree for row in reversed(rows) for tree in row]
