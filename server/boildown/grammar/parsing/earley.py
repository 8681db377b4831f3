"""Earley's parser for any context-free grammar: ambiguous, left-recursive, with empty rules.

Earley's algorithm (An Efficient Context-Free Parsing Algorithm, 1970) over sets of items that are
made once and remembered, as in Aycock and Horspool, Practical Earley Parsing (2002): an entry is
such a set with the column where its productions began, prediction is one look-up, and nullable
symbols are stepped over when a set is made, so that no empty derivation is ever looked for in the
text. A completion counts only if the next character may start a terminal that follows it.

For example, by `sum: sum "+" N | N` the text `1+2` makes these columns, one for each offset where a
token ends. An entry is shown as its items and the column where they began; (p) marks the one
predicted entry of a column, with all productions that may begin there.

    column 0    goal -> . sum           from 0
                sum -> . sum "+" N      from 0 (p)
                sum -> . N
    column 1    sum -> N .              from 0    scanned `1`, completes a sum from 0
                sum -> sum . "+" N      from 0    by that sum
                goal -> sum .           from 0    by that sum; the text is not at its end yet
    column 2    sum -> sum "+" . N      from 0    scanned `+`
    column 3    sum -> sum "+" N .      from 0    scanned `2`, completes a sum from 0
                sum -> sum . "+" N      from 0    by that sum
                goal -> sum .           from 0    by that sum, at the end: the text is parsed

>>> from boildown.grammar import read_lark
>>> from boildown.grammar.parsing.core import compile_grammar
>>> def parse(rule, text):
...     core = compile_grammar(read_lark(rule + '\\nN: /[0-9]/', start="sum"))
...     return EarleyParser(core, Tokens(core), core.symbols["sum"]).parse(text, 1000)
>>> found = parse('sum: sum "+" N | N', "1+2")
>>> [child.label for child in found.tree.children], found.ambiguous
(['sum', '"+"', 'N'], False)
>>> parse('sum: sum "+" N | N', "1+")
Stuck(position=2, expected=('N',), limited=False)

Of several derivations the one stays that was found first, and completions go from the latest
beginning to the earliest: so the rightmost part is as short as can be, and operators associate to
the left. Among productions the highest priority wins, then the order of the grammar. By the
ambiguous `sum: sum "+" sum | N`, at the end of `1+2+3`, the sum `3` is completed first and makes
both `2+3` from 2 and `(1+2)+3` from 0. When then `2+3` would make `1+(2+3)` from 0, a sum from 0 is
there already.

>>> found = parse('sum: sum "+" sum | N', "1+2+3")
>>> [child.width for child in found.tree.children], found.ambiguous
([3, 1, 1], True)
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from boildown.grammar.parsing.automaton import MAX_ITEMS, TooLarge
from boildown.grammar.parsing.core import Core, Lookaheads, Production, cyclic, nullable
from boildown.grammar.parsing.forest import (
    Column,
    Crowd,
    Done,
    EarleyEntry,
    EarleyState,
    Item,
    Scanned,
    Trees,
    last_part,
    leaves_more_empty,
)
from boildown.grammar.parsing.tokens import Tokens
from boildown.tree import Node

BITMASK_ORIGINS = 16
"""From so many origins on, sets of origins are compared as bit masks."""


@dataclass(frozen=True, slots=True)
class Found:
    """A successful parse: the preferred derivation tree of the text."""

    tree: Node
    ambiguous: bool


@dataclass(frozen=True, slots=True)
class Stuck:
    """A failed parse: the offset that no derivation gets past, and the labels expected there."""

    position: int
    expected: tuple[str, ...]
    limited: bool = False


class EarleyParser:
    """Parses texts of one start symbol; keeps the sets of items for further texts."""

    def __init__(self, core: Core, tokens: Tokens, start: int) -> None:
        self._core = core
        self._tokens = tokens
        self._nullable = nullable(core)
        self.may_be_empty = start in self._nullable
        self._follows = Lookaheads(core, start, self._nullable)
        self._cyclic = cyclic(core, self._nullable)
        self._states: dict[frozenset[Item], EarleyState] = {}
        self._items = 0
        self._predicted: dict[frozenset[EarleyState], EarleyState | None] = {}
        self.start = start
        self._goal = Production(-1, -1, (start,))
        self.trees = Trees(core, self._nullable)

    def parse(self, text: str, limit: int) -> Found | Stuck:
        """Parse a whole text; give up after `limit` steps, each about one entry."""
        return _Run(self, self._core, self._tokens, text, limit).run()

    def initial(self) -> EarleyState:
        """Return the state at the beginning of a text."""
        return self._state(self._closed({(self._goal, 0)}))

    def predicted(self, states: frozenset[EarleyState]) -> EarleyState | None:
        """Return the state of all productions that may begin where these states are."""
        if states not in self._predicted:
            wanted = [symbol for state in states for symbol in state.advanced]
            items: set[Item] = set()
            seen = set(wanted)
            while wanted:
                symbol = wanted.pop()
                if self._core.is_terminal(symbol):
                    continue
                for item in self._closed((production, 0) for production in self._core.of(symbol)):
                    items.add(item)
                    production, dot = item
                    if dot < len(production.right) and production.right[dot] not in seen:
                        seen.add(production.right[dot])
                        wanted.append(production.right[dot])
            self._predicted[states] = self._state(frozenset(items)) if items else None
        return self._predicted[states]

    def after(self, state: EarleyState, symbol: int) -> EarleyState:
        """Return the state after one more symbol."""
        following = state.after.get(symbol)
        if following is None:
            following = state.after[symbol] = self._state(self._closed(state.advanced[symbol]))
        return following

    def shifts(self, state: EarleyState, char: str) -> list[int]:
        """Return the terminals that may come next, given the next character; remember them."""
        starting = self._tokens.starting(char)
        found = state.shifts[char] = [symbol for symbol in state.advanced if symbol in starting]
        return found

    def completed(self, state: EarleyState, char: str) -> list[Production]:
        """Return the complete productions that count, given the next character; remember them."""
        allowed = self._tokens.starting(char)
        found = state.completed[char] = [
            production
            for production in state.complete
            if production is not self._goal
            and not self._follows[production.left].isdisjoint(allowed)
        ]
        return found

    def better(self, new: Done, old: Done) -> bool:
        """Say whether one derivation of a nonterminal is to be preferred to another.

        Never where a nonterminal may derive itself, lest a tree contain itself.
        """
        if new.symbol in self._cyclic:
            return False
        if new.production is old.production:
            return last_part(new) < last_part(old)
        return self._rank(new.production) < self._rank(old.production)

    def _rank(self, production: Production) -> tuple[int, int]:
        return -self._priority(production), production.number

    def _priority(self, production: Production) -> int:
        priorities = self._core.grammar.priorities
        return sum(priorities.get(self._core.label(symbol), 0) for symbol in production.right)

    def _closed(self, items: Iterable[Item]) -> frozenset[Item]:
        """Return items with those after nullable symbols, as if these had been found empty."""
        closed: set[Item] = set()
        for production, first in items:
            dot = first
            closed.add((production, dot))
            while dot < len(production.right) and production.right[dot] in self._nullable:
                dot += 1
                closed.add((production, dot))
        return frozenset(closed)

    def _state(self, items: frozenset[Item]) -> EarleyState:
        state = self._states.get(items)
        if state is None:
            self._items += len(items)
            if self._items > MAX_ITEMS:
                raise TooLarge
            complete = []
            advanced: dict[int, set[Item]] = {}
            for production, dot in sorted(items, key=lambda item: (item[0].number, item[1])):
                if dot < len(production.right):
                    advanced.setdefault(production.right[dot], set()).add((production, dot + 1))
                elif dot:
                    # An empty production is left out: its nonterminal was stepped over already.
                    complete.append(production)
            kernels = {symbol: frozenset(kernel) for symbol, kernel in advanced.items()}
            state = self._states[items] = EarleyState(items, complete, kernels)
        return state


def entries_of(column: Column) -> list[EarleyEntry]:
    """Return the entries of a column apart from the predicted one."""
    return [entry for entries in column.entries.values() for entry in entries.values()]


def _mask(columns: Iterable[Column]) -> int:
    """Return the positions of columns as the bits of a number."""
    bits = bytearray()
    for column in columns:
        byte, bit = divmod(column.position, 8)
        if byte >= len(bits):
            bits.extend(bytes(byte + 1 - len(bits)))
        bits[byte] |= 1 << bit
    return int.from_bytes(bits, "little")


class _Run:
    """One parse of one text."""

    def __init__(
        self, parser: EarleyParser, core: Core, tokens: Tokens, text: str, limit: int
    ) -> None:
        self._parser = parser
        self._core = core
        self._tokens = tokens
        self._text = text
        self._steps_left = limit
        self._columns: dict[int, Column] = {}
        self._positions: list[int] = []
        self._ambiguous = False

    def run(self) -> Found | Stuck:
        first = column = self._column(0)
        initial = self._parser.initial()
        first.entries[initial] = {first: EarleyEntry(initial, first)}
        goal = (self._parser.start, first)
        found: Done | None = None
        while self._positions:
            column = self._columns.pop(heapq.heappop(self._positions))
            self._complete(column)
            if self._steps_left < 0:
                return Stuck(column.begin, (), limited=True)
            if not column.char:
                found = column.done.get(goal, found)
            self._scan(column)
        if found is not None:
            return Found(self._parser.trees.tree(self._text, found), self._ambiguous)
        if self._parser.may_be_empty and not first.char:
            return Found(self._parser.trees.empty(self._parser.start), False)
        return Stuck(column.begin, self._expected(column, first))

    def _column(self, position: int) -> Column:
        column = self._columns.get(position)
        if column is None:
            begin = self._tokens.skip(self._text, position)
            column = Column(position, begin, self._text[begin : begin + 1])
            self._columns[position] = column
            heapq.heappush(self._positions, position)
        return column

    def _complete(self, column: Column, every: bool = False) -> None:
        """Add the entries that the completions in a column make.

        The latest origin comes first, which prefers derivations with a short last part. Only those
        completions count that the next character allows, unless `every`.
        """
        queue = [(-entry.origin.position, n, entry) for n, entry in enumerate(entries_of(column))]
        heapq.heapify(queue)
        count = len(queue)
        while queue and self._steps_left >= 0:
            entry = heapq.heappop(queue)[2]
            for production in self._completed(entry.state, column, every):
                if not self._is_new(column, production, entry):
                    continue
                done = column.done[production.left, entry.origin]
                for new in self._advanced(column, entry.origin, done):
                    heapq.heappush(queue, (-new.origin.position, count, new))
                    count += 1

    def _completed(self, state: EarleyState, column: Column, every: bool) -> list[Production]:
        if every:
            return [production for production in state.complete if production.left >= 0]
        known = state.completed.get(column.char)
        return self._parser.completed(state, column.char) if known is None else known

    def _advanced(self, column: Column, origin: Column, done: Done) -> list[EarleyEntry]:
        """Add and return the new entries that a nonterminal makes which began at a column.

        Where a text is ambiguous, most of them are there already.
        """
        added = []
        for state, crowd in self._waiting(origin, done.symbol).items():
            present = column.entries.setdefault(state, {})
            fresh = self._fresh(column, state, crowd)
            self._steps_left -= 1 + len(fresh)
            self._ambiguous |= len(fresh) < len(crowd.entries)
            for beginning in fresh:
                new = present[beginning] = EarleyEntry(
                    state, beginning, crowd.entries[beginning], done
                )
                added.append(new)
        return added

    def _fresh(self, column: Column, state: EarleyState, crowd: Crowd) -> list[Column]:
        """Return the origins in a crowd for which a column has no entry yet.

        In an ambiguous text nearly none is missing. To see that in large crowds takes one operation
        on the bit masks of positions, instead of a look at every origin.
        """
        present = column.entries[state]
        if len(crowd.entries) < BITMASK_ORIGINS:
            return [origin for origin in crowd.entries if origin not in present]
        if not crowd.mask:
            crowd.mask = _mask(crowd.entries)
        mask = column.masks.get(state)
        if mask is None:
            mask = _mask(present)
        missing = crowd.mask & ~mask
        column.masks[state] = mask | crowd.mask
        if not missing:
            return []
        return [o for o in crowd.entries if missing >> o.position & 1 and o not in present]

    def _is_new(self, column: Column, production: Production, entry: EarleyEntry) -> bool:
        """Note a completion; say whether its nonterminal was not completed here before.

        If it was, and the new derivation is better, it takes the other's place in the record, so
        that all entries made by the other are now made by it.
        """
        new = Done(production, entry)
        done = column.done.setdefault((production.left, entry.origin), new)
        if done is new:
            return True
        self._ambiguous = True
        if self._parser.better(new, done):
            done.production = production
            done.entry = entry
        return False

    def _waiting(self, column: Column, symbol: int) -> dict[EarleyState, Crowd]:
        waiting = column.waiting.get(symbol)
        if waiting is None:
            waiting = column.waiting[symbol] = {}
            for state, entries in column.entries.items():
                if symbol in state.advanced:
                    after = self._parser.after(state, symbol)
                    crowd = waiting.setdefault(after, Crowd()).entries
                    for origin, entry in entries.items():
                        if origin not in crowd or leaves_more_empty(entry, crowd[origin]):
                            crowd[origin] = entry
            predicted = self._predicted(column)
            if predicted is not None and symbol in predicted.state.advanced:
                after = self._parser.after(predicted.state, symbol)
                waiting.setdefault(after, Crowd()).entries.setdefault(column, predicted)
        return waiting

    def _predicted(self, column: Column) -> EarleyEntry | None:
        if column.predicted is None:
            state = self._parser.predicted(frozenset(column.entries))
            column.predicted = None if state is None else EarleyEntry(state, column)
        return column.predicted

    def _scan(self, column: Column) -> None:
        """Match the terminals that may come next, and add the entries after them."""
        char = column.char
        if not char:
            return
        wanted: dict[int, list[EarleyEntry]] = {}
        for entry in self._all(column):
            shifts = entry.state.shifts.get(char)
            if shifts is None:
                shifts = self._parser.shifts(entry.state, char)
            for symbol in shifts:
                wanted.setdefault(symbol, []).append(entry)
        for symbol, end in self._tokens.winners(self._text, column.begin, wanted):
            child = Scanned(symbol, column.position, column.begin, end)
            following = self._column(end)
            for entry in wanted[symbol]:
                self._add(following, self._parser.after(entry.state, symbol), entry, child)

    def _add(self, column: Column, state: EarleyState, left: EarleyEntry, child: Scanned) -> None:
        self._steps_left -= 1
        entries = column.entries.setdefault(state, {})
        known = entries.get(left.origin)
        if known is None:
            entries[left.origin] = EarleyEntry(state, left.origin, left, child)
            return
        self._ambiguous = True
        if known.child is child and leaves_more_empty(left, known.left):
            known.left = left

    def _all(self, column: Column) -> list[EarleyEntry]:
        """Return the entries of a column with the predicted one."""
        predicted = self._predicted(column)
        return [*entries_of(column), *([] if predicted is None else [predicted])]

    def _expected(self, column: Column, first: Column) -> tuple[str, ...]:
        """Return the labels of the terminals that could have come next in a column."""
        # Completions were left out that the next character does not allow. For the list of all that
        # would have been right, they count, and so does all that may begin after them.
        column.predicted = None
        self._complete(column, every=True)
        entries = self._all(column)
        found = {s for entry in entries for s in entry.state.advanced if self._core.is_terminal(s)}
        expected = [self._core.label(symbol) for symbol in sorted(found)]
        goal = self._parser.start
        found_here = any(symbol == goal and origin is first for symbol, origin in column.done)
        if found_here or (column is first and self._parser.may_be_empty):
            expected.append("end of text")
        return tuple(expected)
