"""Small programs that fail, with grammars of their inputs: the examples of the documents."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

HTML = {
    "<start>": ["<html>"],
    "<html>": ["<plain-text>", "<tagged-text>"],
    "<plain-text>": ["", "<plain-char><plain-text>"],
    "<plain-char>": ["<letter>", "<digit>", "<other>", "<whitespace>"],
    "<letter>": list(string.ascii_letters),
    "<digit>": list(string.digits),
    "<other>": list(string.punctuation.replace("<", "").replace(">", "")),
    "<whitespace>": list(string.whitespace),
    "<tagged-text>": [
        "<opening-tag><html><closing-tag>",
        "<self-closing-tag>",
        "<opening-tag>",
    ],
    "<opening-tag>": ["<lt><id><gt>", "<lt><id><attrs><gt>"],
    "<lt>": ["<"],
    "<gt>": [">"],
    "<id>": ["<letter>", "<id><letter>", "<id><digit>"],
    "<closing-tag>": ["<lt>/<id><gt>"],
    "<self-closing-tag>": ["<lt><id><attrs>/<gt>"],
    "<attrs>": ["<attr>", "<attr><attrs>"],
    "<attr>": [" <id>='<plain-text>'", ' <id>="<plain-text>"'],
}
INTEGER = {
    "<start>": ["<int>"],
    "<int>": ["<positive-int>", "-<positive-int>"],
    "<positive-int>": ["<digit>", "<nonzero-digit><positive-int>"],
    "<nonzero-digit>": list("123456789"),
    "<digit>": list(string.digits),
}
TRIPLE = {**INTEGER, "<start>": ["<int>, <int>, <int>"]}
EXPRESSION = {
    "<start>": ["<expr>"],
    "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
    "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
    "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
    "<integer>": ["<digit><integer>", "<digit>"],
    "<digit>": list(string.digits),
}


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
    "markup": Subject(HTML, '<foo>"bar</foo>', leaves_markup),
    "root": Subject(INTEGER, "-1", has_no_root),
    "middle": Subject(TRIPLE, "2, 1, 3", is_not_the_middle),
    "parentheses": Subject(EXPRESSION, "1 + ((2 * 3 / 4))", has_doubled_parentheses),
}
