"""Values that often tell one behaviour of a program from another."""

from __future__ import annotations

HOSTILE_TEXTS = (
    *('"', "'", "\\", "", "0", "<", ">", "&", " ", "\n", "`", "$", "%", "{", "}", "(", ")", "["),
    *("]", ";", ",", ":", "#", "/", "*", "=", "-", "-0", "-1", "00", "1", "2", "1e400", "0.1"),
    *("2147483648", "-2147483649", "9223372036854775808", "null", "true", "false", "None", "if"),
    *("class", "NaN", "Infinity", "__proto__", "é", "中", "\u202e", "\U0001f600", "a" * 100, "\t"),
    *('""', "''", '"\\""', '"\'"', "'\"'", '"\\\\"', '"null"', '"0"', '" "'),
)
"""Quotes, escapes, limits of number types, reserved words, characters with a meaning to many."""
HOSTILE_SIGNS = HOSTILE_TEXTS[:12]
"""The ones that are put inside other values."""

FAR = (0, 1, -1, -1000, 1_000_000)
"""Numbers that are tried once for each that has a threshold."""
WIDE = (*FAR, 10, 50, 100, 200, 500, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
"""The same for one with two of them: where one interval is, there may be others."""
DISTANCES = (1, 12, 1234, 1234567, 2**31, 1234567891234)
"""How far from the number in a text others are tried. Some grammars refuse leading zeros."""

DRAWN_NUMBERS = ("0", "1", "2", "7", "10", "42", "255", "65536", "100000", "9007199254740993")
DRAWN_TEXTS = ("", "a", " ", "0", "a b", "\u00e9", "%s", "<b>", "x" * 40)
"""Values that are drawn at random, plain ones among them, where no grammar says what can stand."""
