"""Passes that go through units one by one give workers the candidates of several at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from boildown.engine.oracle import Verdict, from_test
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes import named
from boildown.languages import load_language

TEXT = """\
{"first": ["some words",
 "others here"], "second":
  [{"a": 12345}, [6789,

true]]}"""


@pytest.mark.parametrize(
    ("name", "questions"),
    [
        ("perses", 1),
        ("production", 1),
        ("grammar", 1),
        ("lines", 1),
        ("pieces", 1),
        # One for tokens, and one for words inside of them.
        ("shorten", 2),
        # One for all white space, and one for each of its kinds.
        ("blanks", 3),
    ],
)
def test_candidates_of_all_units_are_one_question(name: str, questions: int) -> None:
    asked: list[int] = []

    def oracle(texts: Iterable[str]) -> Iterator[Verdict]:
        asked.append(0)
        for verdict in from_test(lambda _text: False)(texts):
            asked[-1] += 1
            yield verdict

    language = load_language("json")
    (each,) = named((name,))
    each.run(Problem(language.parse(TEXT).tree, oracle, language))
    assert len(asked) == questions
    assert max(asked) > 7
