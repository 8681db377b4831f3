"""Makes a tree of a text that does not follow the grammar.

An LR parse that repairs what stops it: it skips tokens, makes up a missing one, closes what is
open, or takes the last token back, whichever lets it go on furthest at the least cost, in the
spirit of Diekmann and Tratt (Don't Panic!, 2020). What is skipped becomes a leaf before the next
token, what is made up a leaf without text; so the tree has all of the text, and every node the
children that its rule asks for. Where the grammar leaves a choice, the way that leads further is
taken. The work for one repair is bounded, and so is the number of repairs that are worked on hard.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from boildown.grammar.automaton import Automaton
from boildown.grammar.core import END, Production
from boildown.grammar.machine import Cell, Machine, unrolled
from boildown.grammar.tokens import Tokens
from boildown.tree import Leaf, Node, Tree, with_children

ERROR = "ERROR"
"""The label of leaves that hold what the grammar has no place for."""

PROOF = 6
"""This many tokens after a repair prove it right."""
FORESIGHT = 12
"""How many tokens to look ahead where the grammar leaves a choice."""
HARD = 200
"""How many faults of one text are worked on hard."""
MOST_MADE_UP = 40
"""How many terminals are tried as the missing one."""
MOST_CLOSED = 8
"""How many open productions are tried to be closed at once."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """The tree of a text, and where it departs from the grammar."""

    tree: Node
    faults: tuple[tuple[int, int], ...]
    """Offsets of what was skipped; start and end are the same where something is missing."""


class Step(enum.Enum):
    """A part of a repair, apart from making up a terminal, which is the terminal's number."""

    SKIP = enum.auto()
    """Leave the next token out."""
    CLOSE = enum.auto()
    """Pretend that the innermost open production is complete."""
    TAKE_BACK = enum.auto()
    """Leave the last token out that was taken."""
    START_OVER = enum.auto()
    """Begin another text of the same symbol after one that is complete."""


Repair: TypeAlias = "tuple[Step | int, ...]"


@dataclass(frozen=True, slots=True)
class Spot:
    """How far a parse has come."""

    cell: Cell
    position: int
    """Offset after the last token that was taken or skipped."""
    skipped: tuple[int, int] | None = None
    """Where the first skipped token's prefix and its text begin, if the last token was skipped."""


def recovered(tokens: Tokens, automaton: Automaton, text: str) -> Repaired:
    """Return a tree of any text, without what may be ignored at its end."""
    return _Run(Machine(tokens, automaton, text)).run()


_LONG = 3
_DEAREST = 2


def _cost(repair: Repair) -> int:
    """Return what a repair costs, in tokens that it must lead further than a free one would.

    A step is one. To skip several tokens may lead past all that is wrong, and so costs more.
    """
    return len(repair) + 2 * (repair.count(Step.SKIP) == _LONG)


class _Run:
    """One parse of one text."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._text = machine.text
        self._history: deque[tuple[Spot, int]] = deque(maxlen=2)
        """Before each of the last tokens: how far the parse had come, where the token began.

        This is before any reduction that only this token allowed.
        """
        self._pieces: list[Node] = []
        self._faults: list[tuple[int, int]] = []
        self._hard_left = HARD

    def run(self) -> Repaired:
        machine = self._machine
        spot = Spot(Cell(machine.automaton.start), 0)
        last = spot
        patience = machine.patience()
        tired, fault = False, -1
        while True:
            if spot is last and not tired:
                spot = last = self._led_on(spot)
            begin = machine.begin(spot.position)
            options = machine.options(spot.cell.state, begin)
            if tired or not options:
                if begin == len(self._text):
                    return self._result(spot)
                spot = last = self._repaired(spot, begin == fault)
                patience, tired, fault = machine.patience(), False, begin
                continue
            symbol, end, move = options[0] if len(options) == 1 else self._best(spot, options)
            if move is machine.automaton.goal:
                return self._result(spot)
            if move is None:
                self._history.append((last, begin))
                leaf = self._leaf(symbol, spot, begin, end)
                spot = last = Spot(machine.shifted(spot.cell, symbol, leaf), end)
                patience = machine.patience()
            else:
                cell = machine.reduced(spot.cell, move, len(move.right), real=True)
                spot = Spot(cell, spot.position, spot.skipped)
                tired = patience.is_over(len(move.right))

    def _led_on(self, spot: Spot) -> Spot:
        """Take tokens as long as there is no choice; return how far that leads.

        A token comes with all that is reduced before it, or it is left for a closer look. This is
        no more than a faster way through what is not in error.
        """
        machine, text = self._machine, self._text
        if machine.automaton.is_cyclic or spot.skipped is not None:
            return spot
        cell, position = spot.cell, spot.position
        taken: deque[tuple[Cell, int, int]] = deque(maxlen=2)
        while True:
            begin = machine.begin(position)
            above, symbol = machine.before_token(cell, begin, real=True)
            match = above and machine.tokens.matchers[symbol](text, begin)
            if above is None or not match or match.end() == begin:
                break
            taken.append((cell, position, begin))
            label = machine.core.tokens[symbol].label
            leaf = Leaf(label, text[begin : match.end()], text[position:begin], begin)
            cell, position = machine.shifted(above, symbol, leaf), match.end()
        if not taken:
            return spot
        self._history.extend((Spot(before, at), begin) for before, at, begin in taken)
        return Spot(cell, position)

    def _leaf(self, symbol: int, spot: Spot, begin: int, end: int) -> Tree:
        """Return a token, after what was skipped before it."""
        label = self._machine.core.tokens[symbol].label
        leaf = Leaf(label, self._text[begin:end], self._text[spot.position : begin], begin)
        return leaf if spot.skipped is None else Node(label, (self._error(spot), leaf))

    def _error(self, spot: Spot) -> Leaf:
        assert spot.skipped is not None
        before, begin = spot.skipped
        self._faults.append((begin, spot.position))
        return Leaf(ERROR, self._text[begin : spot.position], self._text[before:begin], begin)

    def _best(
        self, spot: Spot, options: list[tuple[int, int, Production | None]]
    ) -> tuple[int, int, Production | None]:
        """Return the option that leads furthest, the first of several."""

        def reach(option: tuple[int, int, Production | None]) -> int:
            symbol, end, move = option
            if move is self._machine.automaton.goal:
                return FORESIGHT
            if move is None:
                after = self._machine.shifted(spot.cell, symbol)
                return 1 + self._machine.reach(after, end, FORESIGHT - 1)
            after = self._machine.reduced(spot.cell, move, len(move.right), real=False)
            return self._machine.reach(after, spot.position, FORESIGHT)

        return max(options, key=reach)

    def _repaired(self, spot: Spot, again: bool) -> Spot:
        """Return how to go on after a fault; if it is the same `again`, without its token."""
        best: Repair = (Step.SKIP,)
        gain = -len(self._text)
        for repairs in () if again else self._repairs(spot.cell):
            for repair in repairs:
                after = self._after(spot, repair, real=False)
                if after is not None:
                    reach = self._machine.reach(after.cell, after.position, PROOF)
                    if reach and reach - _cost(repair) > gain:
                        best, gain = repair, reach - _cost(repair)
            if gain >= PROOF - _DEAREST:
                break
        if Step.SKIP not in best and Step.TAKE_BACK not in best:
            self._faults.append((spot.position, spot.position))
        after = self._after(spot, best, real=True)
        assert after is not None
        return after

    def _repairs(self, cell: Cell) -> Iterator[Iterable[Repair]]:
        """Yield the repairs to try in groups, the cheap ones first."""
        closings = [(Step.CLOSE,) * times for times in range(1, MOST_CLOSED + 1)]
        self._hard_left -= 1
        if self._hard_left < 0:
            yield ((Step.SKIP,), closings[0])
            return
        moves = self._machine.automaton.moves(cell.state)
        made_up: list[Repair] = [(symbol,) for symbol in list(moves)[:MOST_MADE_UP] if symbol >= 0]
        yield [*made_up, (Step.SKIP,), closings[0], (Step.TAKE_BACK,), (Step.START_OVER,)]
        yield [(Step.SKIP, *repair) for repair in (*made_up, closings[0], (Step.START_OVER,))]
        yield [(Step.SKIP,) * 2, (Step.TAKE_BACK,) * 2, *closings[1:], (Step.SKIP,) * _LONG]

    def _after(self, spot: Spot, repair: Repair, real: bool) -> Spot | None:
        """Return how far a repair leads, or None if it is not possible."""
        back = 0
        after: Spot | None = spot
        for step in repair:
            if after is None:
                return None
            if step is Step.TAKE_BACK:
                back += 1
                after = self._taken_back(spot, back)
            else:
                after = self._stepped(after, step, real)
        if real:
            for _ in range(back):
                self._history.pop()
        return after

    def _stepped(self, spot: Spot, step: Step | int, real: bool) -> Spot | None:
        cell: Cell | None = None
        if step is Step.SKIP:
            begin = self._machine.begin(spot.position)
            if begin == len(self._text):
                return None
            return Spot(
                spot.cell, self._machine.skipped_to(begin), spot.skipped or (spot.position, begin)
            )
        if step is Step.CLOSE:
            cell = self._machine.closed(spot.cell, real)
        elif step is Step.START_OVER:
            if self._machine.is_complete(spot.cell):
                if real:
                    self._pieces.append(self._finished(spot.cell))
                    self._history.clear()
                cell = Cell(self._machine.automaton.start)
        elif isinstance(step, int):
            cell = self._machine.with_made_up(spot.cell, step, real)
        return None if cell is None else Spot(cell, spot.position, spot.skipped)

    def _taken_back(self, spot: Spot, back: int) -> Spot | None:
        if back > len(self._history):
            return None
        earlier, begin = self._history[-back]
        return Spot(earlier.cell, spot.position, earlier.skipped or (earlier.position, begin))

    def _result(self, spot: Spot) -> Repaired:
        first, *others = [*self._pieces, self._finished(spot.cell)]
        rest: list[Tree] = [] if spot.skipped is None else [self._error(spot)]
        tree = with_children(first, (*first.children, *others, *rest))
        return Repaired(tree, tuple(sorted(set(self._faults))))

    def _finished(self, cell: Cell) -> Node:
        """Return the node of the whole stack, made complete."""
        machine = self._machine
        patience = machine.patience()
        while True:
            state = cell.state
            move = machine.automaton.moves(state).get(END, (None,))[0]
            if move is machine.automaton.goal:
                assert isinstance(cell.value, Node)
                return cell.value
            above: Cell | None
            if move is not None:
                size = len(move.right)
                above = machine.reduced(cell, move, size, real=True)
            else:
                size = machine.open(state)[1]
                above = machine.closed(cell, real=True)
                self._faults.append((len(self._text), len(self._text)))
            if above is None or patience.is_over(size):
                return self._heap(cell)
            cell = above

    def _heap(self, cell: Cell) -> Node:
        """Return all values of a stack under one node, where nothing better can be made."""
        values: list[Tree] = []
        while cell.below is not None:
            value = cell.value
            values[:0] = unrolled(value) if isinstance(value, tuple) else [value]
            cell = cell.below
        symbol = self._machine.automaton.goal.right[0]
        return self._machine.core.shape(symbol).node(tuple(values))
