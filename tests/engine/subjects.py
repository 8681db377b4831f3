"""Small programs that fail, with grammars of their inputs: the examples of the documents."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from seed_grammars import EXPRESSIONS, POSITIVE_INTEGERS, SIMPLE_HTML, TRIPLES


def remove_html_markup(text: str) -> str:
    """Leave out the tags; wrong, for a quote outside of a tag counts as well."""
    tag = quote = False
    out = ""
    for char in text:
        if char == "<" and not quote:
            tag = True
        elif char == ">" and not quote:
            tag = False
        elif char == '"' or (char == "'" and tag):
            quote = not quote
        elif not tag:
            out += char
    return out


def leaves_markup(text: str) -> bool:
    """Say whether markup is left."""
    return not {"<", ">"}.isdisjoint(remove_html_markup(text))


def has_no_root(text: str) -> bool:
    """Say whether a square root fails."""
    return int(text) < 0


def middle(x: int, y: int, z: int) -> int:
    """Return the number in the middle of three; wrong where y < x < z."""
    if y < z:
        if x < y:
            return y
        if x < z:
            return y
    elif x > y:
        return y
    elif x > z:
        return x
    return z


def is_not_the_middle(text: str) -> bool:
    """Say whether `middle` is wrong."""
    numbers = [int(part) for part in text.split(",")]
    return middle(*numbers) != sorted(numbers)[1]


def has_doubled_parentheses(text: str) -> bool:
    """Say whether two brackets open and close at once."""
    return re.match(r".*[(][(].*[)][)].*", text) is not None


@dataclass(frozen=True)
class Subject:
    """A grammar, a text that fails, and what tells failure."""

    grammar: dict[str, Any]
    text: str
    fails: Callable[[str], bool]


SUBJECTS = {
    "markup": Subject(SIMPLE_HTML, '<foo>"bar</foo>', leaves_markup),
    "root": Subject(POSITIVE_INTEGERS, "-1", has_no_root),
    "middle": Subject(TRIPLES, "2, 1, 3", is_not_the_middle),
    "parentheses": Subject(EXPRESSIONS, "1 + ((2 * 3 / 4))", has_doubled_parentheses),
}
