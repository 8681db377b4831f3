"""Python data in tests: displays of lists, dictionaries, tuples and sets, and strings put together.

Such an expression is an input as it stands, in the language `python-data`; its strings are inputs
only at the second level.
"""

from __future__ import annotations

import ast
import itertools
import re
import tokenize
from typing import Any

from boildown.languages.python_data import expression, is_object, is_repeated, literals_in

LANGUAGE = "python-data"
_DISPLAYS = (ast.List, ast.Dict, ast.Tuple, ast.Set)
_LONGEST_LINE = 80
"""Characters of a reduced display that is put on one line."""


def is_display(node: Any) -> bool:
    """Say whether a node of parso's is a display with literals in it, or strings put together.

    Such strings are added, or repeated by a number. One object alone is none: its strings are.
    """
    if node.type == "arith_expr":
        added = {each.value for each in node.children[1::2]} == {"+"}
        strings = [each for each in node.children[::2] if _is_string(each)]
        return added and len(strings) > 1
    if node.type == "term":
        return _is_string(node)
    if node.type != "atom" or node.children[0].value not in ("[", "{", "("):
        return False
    found = expression(node.get_code(False))
    if not isinstance(found, _DISPLAYS) or not literals_in(found):
        return False
    items = found.values if isinstance(found, ast.Dict) else found.elts
    return len(items) > 1 or not is_object(items[0])


def _is_string(node: Any) -> bool:
    if node.type in ("string", "strings"):
        return True
    found = expression(node.get_code(False)) if node.type == "term" else None
    return found is not None and is_repeated(found)


def empty(code: str) -> str:
    """Return the empty value of the type that a display has."""
    found = expression(code)
    if isinstance(found, ast.BinOp):
        leaves = [getattr(each, "value", None) for each in ast.walk(found)]
        is_bytes = any(isinstance(each, bytes) for each in leaves)
        displays = [each for each in ast.walk(found) if isinstance(each, _DISPLAYS)]
        found = displays[0] if displays else None
        if found is None:
            return 'b""' if is_bytes else '""'
    return {ast.List: "[]", ast.Dict: "{}", ast.Set: "set()"}.get(type(found), "()")


def strings_in(code: str) -> list[str]:
    """Return the strings of a display."""
    found = expression(code)
    values = [getattr(each, "value", None) for each in ast.walk(found)] if found else []
    return [each for each in values if isinstance(each, str)]


def shown_value(code: str) -> str | None:
    """Return how Python shows the value of a display; None if it has other parts than literals."""
    try:
        return repr(ast.literal_eval(code))
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None


def laid_out(code: str, original: str) -> str:
    """Return a reduced display as people write it: on one line, or if it is long, as it was.

    Then each token stands behind the white space that it has in the original.
    """
    tokens = [token for _, token in _tokens(code)]
    gaps = [_gap(last, token) for last, token in itertools.pairwise(["", *tokens])]
    line = _ENDS.sub(r"\1", "".join(itertools.chain(*zip(gaps, tokens, strict=True))))
    if len(line) <= _LONGEST_LINE and _dump(line) == _dump(code):
        return line
    known, at = _tokens(original), 0
    laid = ""
    for gap, token in zip(gaps, tokens, strict=True):
        found = next((n for n in range(at, len(known)) if known[n][1] == token), None)
        at = at if found is None else found + 1
        laid += (gap if found is None else known[found][0]) + token
    return laid if _dump(laid) == _dump(code) else code


_ENDS = re.compile(r", ?([\]}])")
"""A comma and a blank before the end of a list, a set or a dictionary."""


def _tokens(code: str) -> list[tuple[str, str]]:
    """Return the tokens of a display, each after the white space and comments before it."""
    lines = f"({code}\n)".splitlines(keepends=True)
    starts = list(itertools.accumulate(map(len, lines), initial=0))
    found, end = [], 1
    try:
        for token in tokenize.generate_tokens(iter(lines).__next__):
            if token.type in (tokenize.OP, tokenize.NAME, tokenize.NUMBER, tokenize.STRING):
                start = starts[token.start[0] - 1] + token.start[1]
                found.append(("".join(lines)[end:start], token.string))
                end = start + len(token.string)
    except (tokenize.TokenError, SyntaxError):
        return []
    return found[1:-1]


def _gap(last: str, token: str) -> str:
    """Return a blank if one stands between two tokens by custom, or else nothing."""
    by_custom = (last == "," and token != ")") or last == ":" or "+" in (last, token)
    is_apart = last and _in_word(last[-1]) and _in_word(token[0])
    return " " if last and (by_custom or is_apart) else ""


def _in_word(character: str) -> bool:
    return character.isalnum() or character in "_\"'"


def _dump(code: str) -> str | None:
    found = expression(code)
    return None if found is None else ast.dump(found)
