"""Small programs that fail, for the comparison with the Debugging Book; needs nothing but Python.

The first three are the book's own (its chapter on generalizing failures, and R. Gopinath's simple
variant); the others have more parts that do not matter.
"""

from __future__ import annotations

import re
import string

MARKUP = {
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
INTEGERS = {
    "<start>": ["<int>"],
    "<int>": ["<positive-int>", "-<positive-int>"],
    "<positive-int>": ["<digit>", "<nonzero-digit><positive-int>"],
    "<nonzero-digit>": list("123456789"),
    "<digit>": list(string.digits),
}
EXPRESSIONS = {
    "<start>": ["<expr>"],
    "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
    "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
    "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
    "<integer>": ["<digit><integer>", "<digit>"],
    "<digit>": list(string.digits),
}
ADDRESSES = {
    "<start>": ["<address>"],
    "<address>": [
        "<scheme>://<user>@<host>:<port>/<path>?<name>=<value>",
        "<scheme>://<host>:<port>/<path>?<name>=<value>",
    ],
    "<scheme>": ["http", "https", "ftp"],
    "<user>": ["<word>", "<word>:<word>"],
    "<host>": ["<word>", "<word>.<host>"],
    "<port>": ["<digit>", "<digit><port>"],
    "<path>": ["", "<word>", "<word>/<path>"],
    "<name>": ["<word>"],
    "<value>": ["", "<word>", "<port>"],
    "<word>": ["<letter>", "<letter><word>"],
    "<letter>": list(string.ascii_lowercase),
    "<digit>": list(string.digits),
}
MESSAGES = {
    "<start>": ["<date> <clock> [<level>] <source>: <text>"],
    "<date>": ["<digit><digit><digit><digit>-<digit><digit>-<digit><digit>"],
    "<clock>": ["<digit><digit>:<digit><digit>"],
    "<level>": ["INFO", "WARN", "ERROR", "DEBUG"],
    "<source>": ["<word>", "<word>.<source>"],
    "<text>": ["<word>", "<word> <text>"],
    "<word>": ["<letter>", "<letter><word>"],
    "<letter>": list(string.ascii_lowercase),
    "<digit>": list(string.digits),
}


def remove_html_markup(s: str) -> None:
    """Remove the tags; the bug is that a quote outside of a tag counts as well."""
    tag = quote = False
    out = ""
    for char in s:
        if char == "<" and not quote:
            tag = True
        elif char == ">" and not quote:
            tag = False
        elif char == '"' or (char == "'" and tag):
            quote = not quote
        elif not tag:
            out += char
    assert "<" not in out
    assert ">" not in out


def square_root(s: str) -> None:
    """Fail for negative numbers."""
    assert int(s) >= 0


def doubled(s: str) -> None:
    """Fail where two brackets open and close at once."""
    assert re.match(r".*[(][(].*[)][)].*", s) is None


def address(s: str) -> None:
    """Fail for an address that names a user."""
    assert "@" not in s


def message(s: str) -> None:
    """Fail for a message that is an error."""
    assert "[ERROR]" not in s


SUBJECTS = {
    "markup": (MARKUP, '<foo>"bar</foo>', remove_html_markup),
    "square root": (INTEGERS, "-1", square_root),
    "doubled parentheses": (EXPRESSIONS, "1 + ((2 * 3 / 4))", doubled),
    "address": (ADDRESSES, "http://me@example.org:80/a/b?q=1", address),
    "message": (MESSAGES, "2024-02-30 10:61 [ERROR] net.io: no route", message),
}
"""By name: the grammar in the book's notation, a failing text, and the program."""
