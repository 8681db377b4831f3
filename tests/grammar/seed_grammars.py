"""Grammars of the Fuzzing Book and the Debugging Book, in their format."""

from __future__ import annotations

import string

EXPRESSIONS = {
    "<start>": ["<expr>"],
    "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
    "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
    "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
    "<integer>": ["<digit><integer>", "<digit>"],
    "<digit>": list(string.digits),
}

SIMPLE_HTML = {
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

POSITIVE_INTEGERS = {
    "<start>": ["<int>"],
    "<int>": ["<positive-int>", "-<positive-int>"],
    "<positive-int>": ["<digit>", "<nonzero-digit><positive-int>"],
    "<nonzero-digit>": list("123456789"),
    "<digit>": list(string.digits),
}
