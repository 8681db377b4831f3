"""The table of properties over structured text, by one whose smallest example is known."""

from __future__ import annotations

from benchmarks.properties import PROPERTIES, measured


def test_a_shrunk_expression_loses_what_its_strategy_adds() -> None:
    assert len(PROPERTIES) == 10
    ((strategy, holds),) = (each[1:] for each in PROPERTIES if each[0] == "expressions")
    example, _, result, calls = measured(strategy, holds)
    assert (example, result) == ("(0 / 0)", "0/0")
    assert 0 < calls < 100
