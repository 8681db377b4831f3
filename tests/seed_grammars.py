"""The seed grammars: small grammars of the Fuzzing Book and the Debugging Book, in their format.

The order of alternatives decides which candidates are proposed, so it is part of what tests say.
"""

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

TRIPLES = {**POSITIVE_INTEGERS, "<start>": ["<int>, <int>, <int>"]}

NUMBERS = {
    "<start>": ["<number>"],
    "<number>": ["<float>", "<integer>", "<not-a-number>"],
    "<float>": ["<digits>.<digits>"],
    "<integer>": ["<digits>"],
    "<not-a-number>": ["NaN"],
    "<digits>": ["<digit><digits>", "<digit>"],
    "<digit>": list(string.digits),
}

ASSIGNMENTS = {
    "<start>": ["<assignments>"],
    "<assignments>": ["<assign>;\n", "<assign>;\n<assignments>"],
    "<assign>": ["<var> = <expr>"],
    "<expr>": ["<expr> + <expr>", "<expr> - <expr>", "(<expr>)", "<use>", "<digit>"],
    "<digit>": ["0", "1"],
    "<var>": list(string.ascii_lowercase),
    "<use>": [*string.ascii_lowercase, "00"],
}
