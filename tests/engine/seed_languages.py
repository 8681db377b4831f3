"""Languages of the seed grammars, and inputs of theirs."""

from __future__ import annotations

from string import ascii_lowercase

import seed_grammars
from boildown.grammar import read_mapping
from boildown.languages.grammar import grammar_language

EXPRESSIONS = grammar_language(read_mapping(seed_grammars.EXPRESSIONS), "expressions")

NUMBERS = grammar_language(read_mapping(seed_grammars.NUMBERS), "numbers")

ASSIGNMENTS = grammar_language(
    read_mapping(seed_grammars.ASSIGNMENTS),
    "assignments",
    {"defines": "var", "uses": "use", "default": "00"},
)

ALL_TOKENS = "".join(f"{name} = 00;\n" for name in ascii_lowercase) + "a = 0 + 1;\n"
"""Assignments that hold each of their tokens."""

LONG_EXPRESSION = (
    "++---((-2 / 3 / 3 - -+1 / 5 - 2) * ++6 / +8 * 4 / 9 / 2 * 8 + ++(5) * 3 / 8 * 0 + 3 * 3 "
    "+ 4 / 0 / 6 + 9) * ++++(+--9 * -3 * 7 / 4 + --(4) / 3 - 0 / 3 + 5 + 0) * (1 * 6 - 1 / 9 * 5 "
    "- 9 / 0 + 7) * ++(8 - 1) * +1 * 7 * 0 + ((1 + 4) / 4 * 8 * 9 * 4 + 4 / (4) * 1 - (4) * 8 * 5 "
    "+ 1 + 4) / (+(2 - 1 - 9) * 5 + 3 + 6 - 2) * +3 * (3 - 7 + 8) / 4 - -(9 * 4 - 1 * 0 + 5) / "
    "(5 / 9 * 5 + 2) * 7 + ((7 - 5 + 3) / 1 * 8 - 8 - 9) * --+1 * 4 / 4 - 4 / 7 * 4 - 3 / 6 * 1 "
    "- 2 - 7 - 8"
)
