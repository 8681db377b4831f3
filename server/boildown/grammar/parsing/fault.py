"""Locates the first syntax error of a text, if no LR moves conflict on the way to it.

An LR parser takes no token that cannot stand where it does. So where it comes to a token that may
not be taken, the text departs from the grammar, and no other parser has to be asked.
"""

from __future__ import annotations

from boildown.grammar.parsing.automaton import Automaton
from boildown.grammar.parsing.core import END
from boildown.grammar.parsing.earley import Stuck
from boildown.grammar.parsing.machine import Cell, Machine
from boildown.grammar.parsing.tokens import Tokens
from boildown.grammar.parsing.values import NoValues


def first_fault(tokens: Tokens, automaton: Automaton, text: str) -> Stuck | None:
    """Return the first syntax error of a text; None if there is none, or moves conflict."""
    if automaton.is_cyclic:
        return None
    machine = Machine(tokens, automaton, text, NoValues())
    cell, position = Cell(automaton.start), 0
    while True:
        begin = machine.begin(position)
        above, symbol = machine.before_token(cell, begin)
        match = above and tokens.matchers[symbol](text, begin)
        if above is None or not match or match.end() == begin:
            break
        cell, position = machine.shifted(above, symbol), match.end()
    if any(machine.may_take(cell, each) is not False for each in _matching(tokens, text, begin)):
        return None
    symbols = (*range(len(machine.core.tokens)), END)
    may_come = {symbol: machine.may_take(cell, symbol) for symbol in symbols}
    if None in may_come.values():
        return None
    possible = [symbol for symbol in symbols if may_come[symbol]]
    labels = ["end of text" if symbol == END else machine.core.label(symbol) for symbol in possible]
    return Stuck(begin, tuple(labels))


def _matching(tokens: Tokens, text: str, begin: int) -> list[int]:
    """Return all terminals that match at an offset, also those that lose to a better one."""
    return [
        symbol
        for symbol in tokens.starting(text[begin : begin + 1])
        if symbol == END or ((match := tokens.matchers[symbol](text, begin)) and match[0])
    ]
