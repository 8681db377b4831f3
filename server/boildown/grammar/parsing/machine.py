"""An LR parser as single moves on stacks: shift, reduce, insert a terminal, close a production.

A stack is a linked list of cells that are never changed, so several futures can be tried out from
one stack, and an earlier stack can be gone back to. The moves come from the LR(0) automaton, with
FOLLOW sets as lookahead.

For example, by the grammar `sum: sum "+" N | N` the text `1+2` is parsed by these moves. A state is
shown as its kernel, the items (productions with a dot) in which something has been found already;
`goal` stands for the text as a whole.

    on top of the stack                     rest    move
    goal -> . sum                           1+2     shift N
    sum -> N .                              +2      reduce by sum -> N
    goal -> sum .   sum -> sum . "+" N      +2      shift "+"
    sum -> sum "+" . N                      2       shift N
    sum -> sum "+" N .                              reduce by sum -> sum "+" N
    goal -> sum .   sum -> sum . "+" N              accept

The second reduction takes three cells off the stack and puts one for `sum` on what was below them,
with a node of the three trees. In the third state the lookahead decides: before `+` there is only
the shift, at the end of the text only the acceptance.

>>> from boildown.grammar import read_lark
>>> from boildown.grammar.parsing.core import compile_grammar
>>> core = compile_grammar(read_lark('sum: sum "+" N | N\\nN: /[0-9]/', start="sum"))
>>> plus, number, total = core.symbols['"+"'], core.symbols["N"], core.symbols["sum"]
>>> machine = Machine(Tokens(core), Automaton(core, total), "1+2", NoValues())
>>> empty = Cell(machine.automaton.start)
>>> one = machine.shifted(empty, number)
>>> [(core.label(symbol), end, move.right == (number,))
...  for symbol, end, move in machine.options(one.state, 1)]
[('"+"', 2, True)]
>>> first = machine.reduced(one, core.of(total)[1], 1)
>>> machine.is_complete(first), machine.reach(first, 1, 10)
(True, 10)
>>> machine.inserted(first, number) is None  # no number may follow a sum
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from boildown.grammar.parsing.automaton import Automaton, AutomatonState, LookaheadMoves
from boildown.grammar.parsing.core import END, Production
from boildown.grammar.parsing.linear import Matcher
from boildown.grammar.parsing.tokens import Tokens
from boildown.grammar.parsing.values import NoValues, TreeValues

_WORD = re.compile(r"\w+")

USUAL_TOKEN_LENGTH = 100
"""So many characters are enough for most tokens; prose may go on to the end of the text."""

MOST_TRIED = 10_000
"""The reductions after which it is left open whether a terminal may come next: 15 ms or so."""


@dataclass(slots=True, eq=False)
class Cell:
    """The top of a parse stack. Stacks share the cells below, so a future can be tried out."""

    state: AutomatonState
    below: Cell | None = None
    value: Any = None
    """The tree of the symbol on top, as the machine's builder made it."""


@dataclass(slots=True)
class ReductionGuard:
    """Notices an endless loop of reductions: many, and the stack never gets lower."""

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
    """The moves of an LR parser on one text: stacks go in and come out."""

    def __init__(
        self, tokens: Tokens, automaton: Automaton, text: str, values: TreeValues | NoValues
    ) -> None:
        """`values` makes the trees on the stack, or none if only the moves matter."""
        self.tokens = tokens
        self.automaton = automaton
        self.core = automaton.core
        self.text = text
        self.values = values

    def begin(self, position: int) -> int:
        """Return where the next token begins."""
        return self.tokens.skip(self.text, position)

    def options(
        self, state: AutomatonState, begin: int
    ) -> list[tuple[int, int, Production | None]]:
        """Return the possible moves before a token: its terminal, its end, the reduction.

        Nothing to reduce (None) means to shift the token. With more than one there is a conflict.
        """
        moves = self.choice(state, self.text[begin : begin + 1]).moves
        winners = self.tokens.winners(self.text, begin, moves)
        return [(symbol, end, move) for symbol, end in winners for move in moves[symbol]]

    def choice(self, state: AutomatonState, char: str) -> LookaheadMoves:
        """Return the moves in a state if the next token begins with a character; remember them."""
        found = state.choices.get(char)
        if found is None:
            starting = self.tokens.starting(char)
            every = self.automaton.moves(state)
            moves = {symbol: every[symbol] for symbol in starting if symbol in every}
            symbol, several = next(iter(moves.items()), (END, []))
            # A reduction that all terminals agree on needs no look at which of them it is. A shift
            # does, unless only one terminal is possible at all.
            is_sole = len(moves) == 1 or None not in several
            is_sole &= len(several) == 1 and all(other == several for other in moves.values())
            found = LookaheadMoves(moves, (symbol, several[0]) if is_sole else None)
            state.choices[char] = found
        return found

    def shifted(self, cell: Cell, symbol: int, value: Any = None) -> Cell:
        """Return the stack with a terminal on top."""
        return Cell(self.automaton.after(cell.state, symbol), cell, value)

    def before_token(self, cell: Cell, begin: int) -> tuple[Cell | None, int]:
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
            # Only empty reductions make the stack higher without a token, for ever if the grammar
            # hides a left recursion behind them; the others end by themselves.
            empty_left -= not size
            cell = self.reduced(cell, move, size)
        return None, END

    def reduced(self, cell: Cell, production: Production, found: int) -> Cell:
        """Return the stack with a production's symbols replaced by its left side.

        Only the first `found` symbols are on the stack; the others are inserted.
        """
        values = []
        for _ in range(found):
            values.append(cell.value)
            assert cell.below is not None
            cell = cell.below
        value = self.values.reduced(production, values)
        return Cell(self.automaton.after(cell.state, production.left), cell, value)

    def closed(self, cell: Cell) -> Cell | None:
        """Return the stack with its innermost open production complete, if there is one.

        The symbols that are missing from it are inserted.
        """
        production, found = self.open(cell.state)
        if production is not self.automaton.goal:
            return self.reduced(cell, production, found)
        if found:
            return None
        symbol = production.right[0]
        return Cell(self.automaton.after(cell.state, symbol), cell, self.values.childless(symbol))

    def open(self, state: AutomatonState) -> tuple[Production, int]:
        """Return the innermost open production of a state, and how many of its symbols were found.

        Of the state's items the one in which most was found, as the least has to be inserted.
        """
        return max(state.kernel, key=lambda item: _readiness(*item))

    def inserted(self, cell: Cell, symbol: int) -> Cell | None:
        """Return the stack with a terminal on top that is not in the text, if it may stand here."""
        for _ in range(self.automaton.most_empty):
            move = self.automaton.moves(cell.state).get(symbol, (self.automaton.goal,))[0]
            if move is None:
                return self.shifted(cell, symbol, self.values.missing(symbol))
            if move is self.automaton.goal:
                return None
            cell = self.reduced(cell, move, len(move.right))
        return None

    def may_take(self, cell: Cell, symbol: int) -> bool | None:
        """Say whether a terminal may come next; None if too many reductions have to be tried.

        FOLLOW sets say what may follow a nonterminal anywhere, so all moves are tried out on this
        stack: what they say may lead to nothing on it.
        """
        futures = [cell]
        known: set[tuple[AutomatonState, Cell | None]] = set()
        for _ in range(MOST_TRIED):
            if not futures:
                return False
            cell = futures.pop()
            for move in self.automaton.moves(cell.state).get(symbol, ()):
                if move is None or move is self.automaton.goal:
                    return True
                future = self.reduced(cell, move, len(move.right))
                # An ambiguity has several ways to the same stack.
                if (future.state, future.below) not in known:
                    known.add((future.state, future.below))
                    futures.append(future)
        return None

    def reach(self, cell: Cell, position: int, most: int) -> int:
        """Return how many tokens can be taken from an offset on, at most `most`.

        An accepted text counts as `most`. Of conflicting moves the first is followed.
        """
        count = 0
        guard = self.guard()
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
                guard = self.guard()
            elif guard.is_over(len(move.right)):
                break
            else:
                cell = self.reduced(cell, move, len(move.right))
        return count

    def guard(self) -> ReductionGuard:
        """Return a guard over the reductions before one token."""
        return ReductionGuard(self.automaton.most_empty)

    def is_complete(self, cell: Cell) -> bool:
        """Say whether the text could end here."""
        return END in self.automaton.moves(cell.state)

    def skipped_to(self, begin: int) -> int:
        """Return the end of the token to skip at an offset: the shortest match, or a word."""
        symbols = self.tokens.starting(self.text[begin : begin + 1]) - {END}
        ends, longer = self._ends(symbols, begin, min(begin + USUAL_TOKEN_LENGTH, len(self.text)))
        if not ends:
            ends, _ = self._ends(longer, begin, len(self.text))
        if not ends and (word := _WORD.match(self.text, begin)):
            return word.end()
        return min(ends, default=begin + 1)

    def _ends(self, symbols: Iterable[int], begin: int, limit: int) -> tuple[list[int], list[int]]:
        """Return where tokens end that are no prose, and the terminals that may end later.

        A match that ends at `limit` could have gone on, had the text not been cut there.
        """
        ends, longer = [], []
        for symbol in symbols:
            match = self.tokens.matchers[symbol](self.text, begin, limit)
            if match is None:
                longer.append(symbol)
                continue
            matcher = self.core.tokens[symbol].regex
            if match.end() > begin and not _is_free_text(matcher, match[0]):
                if match.end() == limit < len(self.text):
                    longer.append(symbol)
                else:
                    ends.append(match.end())
        return ends, longer


def _is_free_text(matcher: Matcher, token: str) -> bool:
    """Say whether a token would go on after a blank.

    If so it is prose, such as the text between two tags, and would take all that follows, too.
    """
    return matcher.fullmatch(token + " ") is not None


def _readiness(production: Production, found: int) -> tuple[bool, int]:
    """Order items: those that are complete last, then by how much was found."""
    return found == len(production.right) and production.left >= 0, found
