"""Grammars in the fuzzingbook format, for the peers: ten subjects whose texts they describe."""

from __future__ import annotations

import string

_DIGITS = {"<digits>": ["<digit>", "<digit><digits>"], "<digit>": list(string.digits)}
_WORD = {"<word>": ["<letter>", "<letter><word>"], "<letter>": list(string.ascii_letters + "_")}

EXPRESSIONS = {
    "<start>": ["<expr>"],
    "<expr>": ["<term>", "<term><plus><expr>"],
    "<plus>": ["+", "-", " + ", " - "],
    "<term>": ["<factor>", "<factor><times><term>"],
    "<times>": ["*", "/", "%", " * ", " / ", " % "],
    "<factor>": ["(<expr>)", "<word>(<arguments>)", "<word>", "<number>"],
    "<arguments>": ["", "<list>"],
    "<list>": ["<expr>", "<expr>, <list>"],
    "<number>": ["<digits>", "<digits>.<digits>"],
    **_WORD,
    **_DIGITS,
}
TABLES = {
    "<start>": ["<rows>"],
    "<rows>": ["<row>", "<row>\n<rows>"],
    "<row>": ["<field>", "<field>,<row>"],
    "<field>": ["", "<plain>", '"<quoted>"'],
    "<plain>": ["<char>", "<char><plain>"],
    "<quoted>": ["", "<inner><quoted>"],
    "<inner>": ["<char>", ",", '""'],
    "<char>": [*string.ascii_letters, *string.digits, " ", "-", ".", "(", ")", "=", "@", "+"],
}
DAYS = {
    "<start>": ["<day>/<day>"],
    "<day>": ["<year>-<month>-<number>"],
    "<year>": ["<digit><digit><digit><digit>"],
    "<month>": ["0<digit>", "10", "11", "12"],
    "<number>": ["0<digit>", "1<digit>", "2<digit>", "30", "31"],
    "<digit>": list(string.digits),
}
MOMENTS = {
    **DAYS,
    "<start>": ["<day>T<time><zone>"],
    "<time>": ["<hour>:<minute>", "<hour>:<minute>:<second>"],
    "<hour>": ["0<digit>", "1<digit>", "20", "21", "22", "23"],
    "<minute>": ["<five><digit>"],
    "<second>": ["<five><digit>", "60"],
    "<five>": list("012345"),
    "<zone>": ["", "Z", "+<hour>:<minute>"],
}
LINKS = {
    "<start>": ["<word>://<user><host><port><path><query><fragment>"],
    "<user>": ["", "<word>@", "<word>:<word>@"],
    "<host>": ["<name>", "<name>.<host>"],
    "<name>": ["<word>", "<digits>"],
    "<port>": ["", ":<digits>"],
    "<path>": ["", "/<segment><path>"],
    "<segment>": ["<char>", "<char><segment>"],
    "<char>": [*string.ascii_letters, *string.digits, "-", "."],
    "<query>": ["", "?<parameters>"],
    "<parameters>": ["<parameter>", "<parameter>&<parameters>"],
    "<parameter>": ["<word>=", "<word>=<word>", "<word>=<digits>"],
    "<fragment>": ["", "#<word>"],
    **_WORD,
    **_DIGITS,
}

GRAMMARS = {
    "expr division by zero": EXPRESSIONS,
    "expr same operands": EXPRESSIONS,
    "expr high digit": EXPRESSIONS,
    "expr divisible": EXPRESSIONS,
    "csv age": TABLES,
    "csv no name": TABLES,
    "csv ragged": TABLES,
    "date leap second": MOMENTS,
    "date interval": DAYS,
    "url port": LINKS,
}
"""By the names of subjects."""
