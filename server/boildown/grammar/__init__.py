"""Grammars: text in, values out.

A reader turns a grammar file into a `Grammar` (`read_lark`, `read_mapping`, `read_g4`); a `Parser`
turns texts into trees, a `Sampler` makes new texts, and `Facts` answers what may stand where. All
of them speak of symbols by their labels, the ones that nodes and leaves of the trees carry:

- a nonterminal by its name, such as `pair`;
- a list, option or choice inside a rule by its expression, such as `("," pair)*`;
- a terminal by its name, such as `NUMBER`; a literal by its text in quotes, such as `"{"`.

This package reads no file: a grammar that imports another gets its text from the caller.
"""

from boildown.grammar.g4 import read_g4
from boildown.grammar.ir import Grammar, GrammarError
from boildown.grammar.lark import read_lark
from boildown.grammar.mapping import read_mapping, read_mapping_json
from boildown.grammar.parser import Failure, Parser, Success
from boildown.grammar.queries import Facts
from boildown.grammar.recovery import Repaired
from boildown.grammar.sample import Sampler

__all__ = [
    "Facts",
    "Failure",
    "Grammar",
    "GrammarError",
    "Parser",
    "Repaired",
    "Sampler",
    "Success",
    "read_g4",
    "read_lark",
    "read_mapping",
    "read_mapping_json",
]
