"""Error recovery: makes a syntax tree of a text that does not follow the grammar.

An LR parse that repairs the stack where no move is possible: it skips tokens, inserts a missing
terminal, closes open productions, takes the last token back or starts over. Several repairs are
tried, and the one is taken that lets the parse go on furthest at the least cost, in the spirit of
Diekmann and Tratt (Don't Panic! Better, Fewer, Syntax Errors for LR Parsers, 2020). Skipped tokens
become a leaf labelled `ERROR` before the next token, an inserted terminal a leaf without text; so
the tree has all of the text, and every node the children that its rule asks for. The work for one
repair is bounded, and so is the number of faults at which many repairs are tried.

For example, in `(2+)+1`, after the first `+`, no move is possible before `)`. Each repair's reach
is the number of tokens that the parse can take after it, or PROVING_TOKENS if it comes to the end:

    insert N       6    `(2+N)+1` follows the grammar
    insert "("     0    `(2+(`, but `)` can't come next
    skip           0    `(2+`, but `+` can't come next
    close          6    the open production is `sum: sum "+" value`, its `value` is inserted
    take back      6    `(2)+1`, without the `+` that was taken last

All cost one step, so the first of the best is taken, and all other groups of repairs, which cost
more, need not be tried.

>>> from boildown.grammar import Parser, read_lark
>>> grammar = 'sum: sum "+" value | value\\nvalue: N | "(" sum ")"\\nN: /[0-9]/'
>>> repaired = Parser(read_lark(grammar, start="sum")).recover("(2+)+1")
>>> repaired.faults  # a terminal is missing at offset 3
((3, 3),)
>>> value = repaired.tree.children[0].children[0].children[1].children[2]
>>> value.label, value.children[0].label, value.children[0].text
('value', 'N', '')

In `2+)1` skipping has the greatest reach:

>>> repaired = Parser(read_lark(grammar, start="sum")).recover("2+)1")
>>> repaired.faults
((2, 3),)
>>> [(leaf.label, leaf.text) for leaf in repaired.tree.children[2].children[0].children]
[('ERROR', ')'), ('N', '1')]
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from boildown.grammar.parsing.automaton import Automaton
from boildown.grammar.parsing.core import END, Production
from boildown.grammar.parsing.machine import Cell, Machine
from boildown.grammar.parsing.tokens import Tokens
from boildown.grammar.parsing.values import NoValues, TreeValues, unrolled
from boildown.tree import Leaf, Node, Tree, with_children

ERROR = "ERROR"
"""The label of leaves that hold skipped text."""

PROVING_TOKENS = 6
"""A repair after which so many tokens can be taken is held to be right."""
LOOKAHEAD_TOKENS = 12
"""How many tokens to look ahead where moves conflict."""
THOROUGH_REPAIRS = 200
"""At how many faults of one text many repairs are tried; at the others only two are."""
MAX_INSERTED_TERMINALS = 40
"""How many terminals are tried as the missing one."""
MAX_CLOSED_PRODUCTIONS = 8
"""How many open productions at most a repair closes."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """The syntax tree of a text with errors, and the errors' places."""

    tree: Node
    faults: tuple[tuple[int, int], ...]
    """Start and end offsets, in code points, of skipped text; equal where something is missing."""


class RecoveryStep(enum.Enum):
    """A step of a repair, apart from inserting a terminal, which is the terminal's number."""

    SKIP = enum.auto()
    """Skip the next token."""
    CLOSE = enum.auto()
    """Complete the innermost open production, its missing symbols inserted."""
    TAKE_BACK = enum.auto()
    """Undo the last shift and skip its token."""
    START_OVER = enum.auto()
    """Begin another text of the same symbol after one that is complete."""


Repair: TypeAlias = "tuple[RecoveryStep | int, ...]"


@dataclass(frozen=True, slots=True)
class Spot:
    """The progress of a parse: its stack and its offset in the text."""

    cell: Cell
    position: int
    """Offset after the last token that was taken or skipped."""
    skipped: tuple[int, int] | None = None
    """Where the first skipped token's prefix and its text begin, if the last token was skipped."""


def recovered(tokens: Tokens, automaton: Automaton, text: str) -> Repaired:
    """Return a syntax tree of any text, without the ignored text at its end."""
    return _Run(tokens, automaton, text).run()


_LONGEST_SKIP = 3
"""How many tokens at most a repair skips."""
_LATER_GROUPS_COST = 2
"""The least cost of a repair that is not in the first group of those tried."""


def _cost(repair: Repair) -> int:
    """Return the cost of a repair, in tokens that it must lead further than a free one would.

    A step is one. To skip several tokens may lead past all that is wrong, and so costs more.
    """
    return len(repair) + 2 * (repair.count(RecoveryStep.SKIP) == _LONGEST_SKIP)


class _Run:
    """One parse of one text, with repairs."""

    def __init__(self, tokens: Tokens, automaton: Automaton, text: str) -> None:
        self._machine = Machine(tokens, automaton, text, TreeValues(automaton.core))
        self._trial = Machine(tokens, automaton, text, NoValues())
        """The same machine without trees, to look ahead."""
        self._text = text
        self._history: deque[tuple[Spot, int]] = deque(maxlen=2)
        """Before each of the last tokens: the parse's progress, and where the token began.

        This is before any reduction that only this token allowed.
        """
        self._pieces: list[Node] = []
        self._faults: list[tuple[int, int]] = []
        self._hard_left = THOROUGH_REPAIRS

    def run(self) -> Repaired:
        machine = self._machine
        spot = Spot(Cell(machine.automaton.start), 0)
        last = spot
        guard = machine.guard()
        # A fault again at the same place means that no repair helps there; being tired, that a rule
        # hides a left recursion and the reductions before one token would go on for ever.
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
                guard, tired, fault = machine.guard(), False, begin
                continue
            symbol, end, move = options[0] if len(options) == 1 else self._best(spot, options)
            if move is machine.automaton.goal:
                return self._result(spot)
            if move is None:
                self._history.append((last, begin))
                leaf = self._leaf(symbol, spot, begin, end)
                spot = last = Spot(machine.shifted(spot.cell, symbol, leaf), end)
                guard = machine.guard()
            else:
                cell = machine.reduced(spot.cell, move, len(move.right))
                spot = Spot(cell, spot.position, spot.skipped)
                tired = guard.is_over(len(move.right))

    def _led_on(self, spot: Spot) -> Spot:
        """Take tokens as long as no moves conflict; return the progress.

        A token comes with all reductions before it, or it is left to `run`. This is no more than a
        faster way through text without errors.
        """
        machine, text = self._machine, self._text
        if machine.automaton.is_cyclic or spot.skipped is not None:
            return spot
        cell, position = spot.cell, spot.position
        taken: deque[tuple[Cell, int, int]] = deque(maxlen=2)
        while True:
            begin = machine.begin(position)
            above, symbol = machine.before_token(cell, begin)
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
        """Return the leaf of a token, or its node with the skipped text as the first child."""
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
        """Return the move with the greatest reach, the first of several."""

        def reach(option: tuple[int, int, Production | None]) -> int:
            symbol, end, move = option
            if move is self._machine.automaton.goal:
                return LOOKAHEAD_TOKENS
            if move is None:
                after = self._trial.shifted(spot.cell, symbol)
                return 1 + self._trial.reach(after, end, LOOKAHEAD_TOKENS - 1)
            after = self._trial.reduced(spot.cell, move, len(move.right))
            return self._trial.reach(after, spot.position, LOOKAHEAD_TOKENS)

        return max(options, key=reach)

    def _repaired(self, spot: Spot, again: bool) -> Spot:
        """Return the progress after the best repair of a fault.

        If it is the same fault `again`, its token is skipped, so that every repair after the first
        at one place makes progress.
        """
        best: Repair = (RecoveryStep.SKIP,)
        gain = -len(self._text)
        for repairs in () if again else self._repairs(spot.cell):
            for repair in repairs:
                after = self._after(spot, repair, self._trial)
                if after is not None:
                    reach = self._trial.reach(after.cell, after.position, PROVING_TOKENS)
                    if reach and reach - _cost(repair) > gain:
                        best, gain = repair, reach - _cost(repair)
            # No repair in a later group could gain more: all of them cost too much for that.
            if gain >= PROVING_TOKENS - _LATER_GROUPS_COST:
                break
        if RecoveryStep.SKIP not in best and RecoveryStep.TAKE_BACK not in best:
            self._faults.append((spot.position, spot.position))
        after = self._after(spot, best, self._machine)
        assert after is not None
        for _ in range(best.count(RecoveryStep.TAKE_BACK)):
            self._history.pop()
        if RecoveryStep.START_OVER in best:
            # No repair changes the stack before it starts over.
            self._pieces.append(self._finished(spot.cell))
            self._history.clear()
        return after

    def _repairs(self, cell: Cell) -> Iterator[Iterable[Repair]]:
        """Yield the repairs to try in groups, the cheap ones first.

        In a group the order decides between repairs with the same gain.
        """
        closings = [(RecoveryStep.CLOSE,) * times for times in range(1, MAX_CLOSED_PRODUCTIONS + 1)]
        self._hard_left -= 1
        if self._hard_left < 0:
            yield ((RecoveryStep.SKIP,), closings[0])
            return
        moves = self._machine.automaton.moves(cell.state)
        made_up: list[Repair] = [
            (symbol,) for symbol in list(moves)[:MAX_INSERTED_TERMINALS] if symbol >= 0
        ]
        yield [
            *made_up,
            (RecoveryStep.SKIP,),
            closings[0],
            (RecoveryStep.TAKE_BACK,),
            (RecoveryStep.START_OVER,),
        ]
        yield [
            (RecoveryStep.SKIP, *repair)
            for repair in (*made_up, closings[0], (RecoveryStep.START_OVER,))
        ]
        yield [
            (RecoveryStep.SKIP,) * 2,
            (RecoveryStep.TAKE_BACK,) * 2,
            *closings[1:],
            (RecoveryStep.SKIP,) * _LONGEST_SKIP,
        ]

    def _after(self, spot: Spot, repair: Repair, machine: Machine) -> Spot | None:
        """Return the progress after a repair, or None if it is not possible."""
        back = 0
        after: Spot | None = spot
        for step in repair:
            if after is None:
                return None
            if step is RecoveryStep.TAKE_BACK:
                back += 1
                after = self._taken_back(spot, back)
            else:
                after = self._stepped(after, step, machine)
        return after

    def _stepped(self, spot: Spot, step: RecoveryStep | int, machine: Machine) -> Spot | None:
        cell: Cell | None = None
        if step is RecoveryStep.SKIP:
            begin = machine.begin(spot.position)
            if begin == len(self._text):
                return None
            return Spot(
                spot.cell, machine.skipped_to(begin), spot.skipped or (spot.position, begin)
            )
        if step is RecoveryStep.CLOSE:
            cell = machine.closed(spot.cell)
        elif step is RecoveryStep.START_OVER:
            if machine.is_complete(spot.cell):
                cell = Cell(machine.automaton.start)
        elif isinstance(step, int):
            cell = machine.inserted(spot.cell, step)
        return None if cell is None else Spot(cell, spot.position, spot.skipped)

    def _taken_back(self, spot: Spot, back: int) -> Spot | None:
        if back > len(self._history):
            return None
        earlier, begin = self._history[-back]
        return Spot(earlier.cell, spot.position, earlier.skipped or (earlier.position, begin))

    def _result(self, spot: Spot) -> Repaired:
        # The texts that the parse started over with become further children of the first one's
        # root: they are no part of its rule, but of the text.
        first, *others = [*self._pieces, self._finished(spot.cell)]
        rest: list[Tree] = [] if spot.skipped is None else [self._error(spot)]
        tree = with_children(first, (*first.children, *others, *rest))
        return Repaired(tree, tuple(sorted(set(self._faults))))

    def _finished(self, cell: Cell) -> Node:
        """Return the node of the whole stack, made complete."""
        machine = self._machine
        guard = machine.guard()
        while True:
            state = cell.state
            move = machine.automaton.moves(state).get(END, (None,))[0]
            if move is machine.automaton.goal:
                assert isinstance(cell.value, Node)
                return cell.value
            above: Cell | None
            if move is not None:
                size = len(move.right)
                above = machine.reduced(cell, move, size)
            else:
                size = machine.open(state)[1]
                above = machine.closed(cell)
                self._faults.append((len(self._text), len(self._text)))
            if above is None or guard.is_over(size):
                return self._heap(cell)
            cell = above

    def _heap(self, cell: Cell) -> Node:
        """Return one node with all trees on a stack as its children.

        This is the last resort, where the stack can't be reduced to the start symbol.
        """
        values: list[Tree] = []
        while cell.below is not None:
            value = cell.value
            values[:0] = unrolled(value) if isinstance(value, tuple) else [value]
            cell = cell.below
        symbol = self._machine.automaton.goal.right[0]
        return self._machine.core.shape(symbol).node(tuple(values))
