"""Parses grammar files in Lark's notation into syntax trees.

The notation is itself given as a Lark grammar, and Lark makes the parser for it. So nothing but
Lark's public interface is used, and every version of Lark reads a grammar file in the same way.
"""

from __future__ import annotations

import functools
from typing import Any, TypeAlias

from lark import Lark, UnexpectedInput, UnexpectedToken

from boildown.grammar.ir import GrammarError, line_and_column

Subtree: TypeAlias = Any
"""A part of a syntax tree: Lark's `Tree`, with children of types that its label tells."""

NOTATION = r"""
start: _item+
_item: rule | term | import | declare | override | extend | ignore | _NL

rule: modifiers RULE params priority _COLON expansions _NL
term: TERMINAL priority _COLON expansions _NL
import: _IMPORT path _NL
      | _IMPORT path names _NL
      | _IMPORT path _TO name _NL
declare: _DECLARE (terminal | nonterminal)+ _NL
override: _OVERRIDE (rule | term)
extend: _EXTEND (rule | term)
ignore: _IGNORE expansions _NL

modifiers: RULE_MODIFIERS?
params: (_LBRACE RULE (_COMMA RULE)* _RBRACE)?
priority: (_DOT NUMBER)?
path: _DOT? name (_DOT name)*
names: _LPAR name (_COMMA name)* _RPAR
?name: RULE | TERMINAL

expansions: _expansions
_expansions: alias | _expansions (_OR | _NL_OR) alias
?alias: expansion (_TO nonterminal)?
expansion: _expansion
_expansion: | _expansion expr
?expr: atom (OP | TILDE NUMBER (_DOTDOT NUMBER)?)?
?atom: _LPAR expansions _RPAR | maybe | value
maybe: _LBRA expansions _RBRA
value: terminal | nonterminal | literal | range | template_usage
terminal: TERMINAL
nonterminal: RULE
literal: REGEXP | STRING
range: STRING _DOTDOT STRING
template_usage: nonterminal _LBRACE value (_COMMA value)* _RBRACE

RULE: /_?[a-z][_a-z0-9]*/
TERMINAL: /_?[A-Z][_A-Z0-9]*/
RULE_MODIFIERS: /(!|![?]?|[?]!?)(?=[_a-z])/
STRING: /"([\\]"|[\\][\\]|[^"\n])*?"i?/
REGEXP: /\/(?!\/)(\\\/|\\\\|[^\/])*?\/[imslux]*/
NUMBER: /[+-]?\d+/
OP: /[+*]|[?](?![a-z_])/
TILDE: /~/
_LPAR: /\(/
_RPAR: /\)/
_LBRA: /\[/
_RBRA: /\]/
_LBRACE: /\{/
_RBRACE: /\}/
_COLON: /:/
_COMMA: /,/
_OR: /\|/
_NL_OR: /(\r?\n)+\s*\|/
_DOT: /\.(?!\.)/
_DOTDOT: /\.\./
_TO: /->/
_IGNORE: /%ignore/
_OVERRIDE: /%override/
_DECLARE: /%declare/
_EXTEND: /%extend/
_IMPORT: /%import/
_NL: /(\r?\n)+\s*/

WS: /[ \t]+/
COMMENT: /\s*\/\/[^\n]*|\s*#[^\n]*/
CONTINUED_LINE: /\\[ ]*\n/
%ignore WS
%ignore COMMENT
%ignore CONTINUED_LINE
"""

MISTAKES = {
    "Incorrect type of value": ["a: 1\n"],
    "Unclosed parenthesis": ["a: (\n"],
    "Unmatched closing parenthesis": ["a: )\n", "a: [)\n", "a: (]\n"],
    "Expecting rule or terminal definition (missing colon)": [
        *("a\n", "A\n", "a->\n", "A->\n", "a A\n")
    ],
    "Illegal name for rules or terminals": ["Aa:\n"],
    "Alias expects lowercase name": ['a: -> "a"\n'],
    "Unexpected colon": ["a::\n", "a: b:\n", "a: B:\n", 'a: "a":\n'],
    "Misplaced operator": ["a: b??", "a: b(?)", "a:+\n", "a:?\n", "a:*\n", "a:|*\n"],
    'Expecting option ("|") or a new rule or terminal definition': ["a:a\n()\n"],
    "Terminal names cannot contain dots": ["A.B\n"],
    "Expecting rule or terminal definition": ['"a"\n'],
    "%import expects a name": ['%import "a"\n'],
    "%ignore expects a value": ["%ignore %import\n"],
}
"""For each message, texts with the mistake: it is given where the parser gets stuck as in one.

To be stuck alike is to have a stack of the same states. So what may be repeated in a rule is
left-recursive from an empty beginning: the stack is as high before the first as before the others.
"""


def parsed(text: str, name: str) -> Subtree:
    """Return the syntax tree of a grammar file, its statements as the children.

    Raises `GrammarError` with the place in the file, which is called `name`.
    """
    try:
        return _parser().parse(text + "\n")
    except UnexpectedInput as fault:
        offset = min(fault.pos_in_stream or 0, len(text))
        found = text[offset:].split("\n", 1)[0][:20]
        reason = f"unexpected {found!r}" if found else "unexpected end of line"
        raise GrammarError(
            name, _mistake(fault) or reason, *line_and_column(text, offset)
        ) from None


def _mistake(fault: UnexpectedInput) -> str | None:
    """Return the message for a common mistake, if it is one."""
    if not isinstance(fault, UnexpectedToken):
        return None
    known = fault.match_examples(_parser().parse, MISTAKES, use_accepts=True)
    return known or ("Expecting a value" if "STRING" in fault.expected else None)


@functools.cache
def _parser() -> Lark:
    # The basic lexer finds the same tokens wherever they stand, as the notation wants it: `a` at
    # the beginning of a line is a rule's name even where a value could follow.
    return Lark(NOTATION, parser="lalr", lexer="basic")
