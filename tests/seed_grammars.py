"""The seed grammars: small grammars of the Fuzzing Book and the Debugging Book, in their format.

The order of alternatives decides which candidates are proposed, so it is part of what tests say.
"""

from __future__ import annotations

import string

from benchmarks.book_subjects import EXPRESSIONS, INTEGERS, MARKUP

__all__ = ["ASSIGNMENTS", "EXPRESSIONS", "NUMBERS", "POSITIVE_INTEGERS", "SIMPLE_HTML", "TRIPLES"]

POSITIVE_INTEGERS, SIMPLE_HTML = INTEGERS, MARKUP

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
