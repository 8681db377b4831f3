"""Laws of the examples in the literature: each is found beside the pattern that the papers give."""

from __future__ import annotations

import re

import pytest
from benchmarks.book_subjects import SUBJECTS
from benchmarks.rhino import DESTRUCTURING, TEXT

from boildown import generalize


@pytest.mark.parametrize(
    ("name", "seed", "pattern", "law"),
    [
        (
            # Where a mutant has a quote in an attribute, the law says more.
            *("markup", 4),
            '<opening-tag without " \' in plain-text>"<plain-text without "><closing-tag>',
            'odd(tagged-text/"\\"")',
        ),
        ("square root", 0, "<int> < 0", "//int < 0"),
        (
            *("doubled parentheses", 0),
            "((<expr>))",
            '//expr contains "((" and //expr contains "))"',
        ),
        ("address", 0, "<scheme>://<user>@<host>:<port>/<path>?<name>=<value>", '//"@"'),
        ("message", 0, "<date> <clock> [ERROR] <source>: <text>", '//"ERROR"'),
    ],
)
@pytest.mark.nightly
def test_laws_of_the_books_examples(name: str, seed: int, pattern: str, law: str) -> None:
    grammar, text, program = SUBJECTS[name]
    found = generalize(text, program, grammar, seed=seed)
    assert (str(found), str(found.law)) == (pattern, law)


def rhino(text: str) -> None:
    """Fail as Rhino 1.7.14 does for bug 385, and refuse what else nothing can be assigned to."""
    for target in re.findall("var ([^;]*?) = ", text):
        if re.search(r"[a-z]\(", target) or ("=>" not in target and re.search("[0-9]", target)):
            raise SyntaxError(target)
        assert "=>" not in target, "unexpected token: FUNCTION"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.nightly
def test_a_law_tells_the_left_of_an_assignment_from_its_right(seed: int) -> None:
    found = generalize(TEXT, rhino, DESTRUCTURING, seed=seed)
    assert str(found.law) == "//target//arrow"
