"""Passes that go through units one by one give workers the candidates of several at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from boildown.engine.oracle import Verdict, from_test
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes import named
from boildown.languages import load_language


@pytest.mark.parametrize(
    ("name", "questions"), [("perses", 1), ("production", 1), ("shorten", 2), ("grammar", 1)]
)
def test_candidates_of_all_units_are_one_question(name: str, questions: int) -> None:
    """`shorten` asks one for tokens, and one for words inside of them."""
    asked: list[int] = []

    def oracle(texts: Iterable[str]) -> Iterator[Verdict]:
        asked.append(0)
        for verdict in from_test(lambda _text: False)(texts):
            asked[-1] += 1
            yield verdict

    language = load_language("json")
    text = '{"first": ["some words", "others here"], "second": [{"a": 12345}, [6789, true]]}'
    (each,) = named((name,))
    each.run(Problem(language.parse(text).tree, oracle, language))
    assert len(asked) == questions
    assert asked[0] > 8
