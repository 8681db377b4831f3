"""Laws of the examples in the literature: each is found beside the pattern that the papers give."""

from __future__ import annotations

import pytest
from benchmarks.book_subjects import SUBJECTS

from boildown import generalize


@pytest.mark.parametrize(
    ("name", "pattern", "law"),
    [
        (
            "markup",
            '<opening-tag without " \' in plain-text>"<plain-text without "><closing-tag>',
            'odd(tagged-text/"\\"")',
        ),
        ("square root", "<int> < 0", "//int < 0"),
        (
            "doubled parentheses",
            "((<expr>))",
            '//expr contains "((" and //expr contains "))"',
        ),
        ("address", "<scheme>://<user>@<host>:<port>/<path>?<name>=<value>", '//"@"'),
        ("message", "<date> <clock> [ERROR] <source>: <text>", '//"ERROR"'),
    ],
)
@pytest.mark.slow
def test_laws_of_the_books_examples(name: str, pattern: str, law: str) -> None:
    grammar, text, program = SUBJECTS[name]
    found = generalize(text, program, grammar)
    assert (str(found), str(found.law)) == (pattern, law)
