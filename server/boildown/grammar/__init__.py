"""Context-free grammars: readers, a parser, a sampler and static queries.

A reader turns a grammar file into a `Grammar` (`read_lark`, `read_mapping`, `read_g4`); a `Parser`
turns texts into trees, a `Sampler` makes new texts, and `Facts` answers what may stand where. All
of them speak of symbols by their labels, the ones that nodes and leaves of the trees carry:

- a nonterminal by its name, such as `pair`;
- a list, option or choice inside a rule by its expression, such as `("," pair)*`;
- a terminal by its name, such as `NUMBER`; a literal by its text in quotes, such as `"{"`.

This package reads no file: a grammar that imports another gets its text from the caller.
"""

from boildown.grammar.ir import Grammar, GrammarError
from boildown.grammar.notations.g4 import read_g4
from boildown.grammar.notations.lark import read_lark
from boildown.grammar.notations.lark.write import write_lark
from boildown.grammar.notations.mapping import read_mapping, read_mapping_json
from boildown.grammar.parsing.parser import ParseFailure, Parser, ParseSuccess
from boildown.grammar.parsing.recovery import Repaired
from boildown.grammar.queries import Facts
from boildown.grammar.sample import Sampler

__all__ = [
    "Facts",
    "Grammar",
    "GrammarError",
    "ParseFailure",
    "ParseSuccess",
    "Parser",
    "Repaired",
    "Sampler",
    "read_g4",
    "read_lark",
    "read_mapping",
    "read_mapping_json",
    "write_lark",
]
