"""The published traces: each pass alone, with the runs that the documents count."""

from __future__ import annotations

import re
from random import Random

import pytest

from boildown.engine.oracle import Outcome
from boildown.engine.reducing.choices import NOP, Generator
from boildown.engine.reducing.retracing import retrace
from boildown.languages import load_language
from engine.seed_languages import ALL_TOKENS, ASSIGNMENTS, EXPRESSIONS, LONG_EXPRESSION
from helpers import Characters, logged, run_pass

MYSTERY = (
    r""" 7:,>((/$$-/->.;.=;(.%!:50#7*8=$&&=$9!%6(4=&69':"""
    r"""'<3+0-3.24#7=!&60)2/+";+<7+1<2!4$>92+$1<(3%&5''>#"""
)


def mystery(text: str) -> bool:
    return 0 <= text.find("(") < text.find(")")


def valid_mystery(text: str) -> Outcome | bool:
    return mystery(text) if EXPRESSIONS.parse(text).valid else Outcome.INVALID


def divides_by_zero(text: str) -> bool:
    try:
        exec(text, {})
    except ZeroDivisionError:
        return True
    except Exception:
        return False
    return False


def test_ddmin_on_the_mystery_input() -> None:
    assert len(MYSTERY) == 97
    result, runs = run_pass("ddmin", MYSTERY, mystery, Characters())
    assert (result, runs + 1) == ("()", 29)


def test_ddmin_on_an_expression() -> None:
    result, runs = run_pass("ddmin", "1 + (2 * 3)", mystery, Characters())
    assert (result, runs + 1) == ("()", 15)


def test_ddmin_on_a_division_by_zero() -> None:
    result, _ = run_pass("ddmin", "x = 1 + 2 * 3 / 0", divides_by_zero, Characters())
    assert result == "3/0"


def test_perses_on_doubled_parentheses() -> None:
    def doubled(text: str) -> bool:
        return re.search(r"\(\(.*\)\)", text) is not None

    result, _ = run_pass("perses", "1 + ((2 * 3 / 4))", doubled, load_language("expressions"))
    assert re.fullmatch(r"\(\(\d\)\)", result)


def test_ddmin_finds_nothing_where_only_valid_expressions_count() -> None:
    text = "1 + (2 * 3)"
    result, runs = run_pass("ddmin", text, valid_mystery, Characters())
    assert (result, runs + 1) == (text, 21)


def test_grammar_on_an_expression() -> None:
    log: list[str] = []
    result, _ = run_pass("grammar", "1 + (2 * 3)", logged(valid_mystery, log), EXPRESSIONS)
    assert result == "(3)"
    assert log == ["(2 * 3)", "2 * 3", "3", "2", "(3)"]


def test_grammar_by_depth_on_an_expression() -> None:
    log: list[str] = []
    result, _ = run_pass("grammar-depth", "1 + (2 * 3)", logged(valid_mystery, log), EXPRESSIONS)
    assert result == "(3)"
    assert log == ["(2 * 3)", "(3)", "3"]


def test_grammar_by_depth_on_a_long_expression() -> None:
    assert run_pass("grammar-depth", LONG_EXPRESSION, valid_mystery, EXPRESSIONS) == ("(9)", 10)


def test_ddmin_needs_hundreds_of_runs_on_a_long_expression() -> None:
    result, runs = run_pass("ddmin", LONG_EXPRESSION, valid_mystery, Characters())
    assert runs > 500
    assert valid_mystery(result) is True
    assert len(result) > 20


def assignments(text: str) -> Generator:
    return Generator(ASSIGNMENTS, ASSIGNMENTS.parse(text).tree, ASSIGNMENTS.scope)


def doubly_nested(text: str) -> bool:
    return "((" in text and "))" in text


@pytest.mark.parametrize(
    ("choices", "text"),
    [
        ([6, 0, 8, 3, 7, 7, 8], "d = ((00));\n"),
        ([2, 2, 0, 3, 2, 2, 4, 5], "d = ((1));\n"),
        ([0, 2, 9, 0, 7, 7, 3], "a = ((00));\n"),
        (
            [7, 9, 5, 4, 2, 2, 0, 5, 8, 9, 1, 9, 6, 6, 1, 9, 9, 3],
            "e = ((00 + 1 + 0));\nj = 1;\n",
        ),
        ([7, 9, 5, 4, 2, 2, NOP, NOP], "e = ((0));\na = 0;\n"),
    ],
)
def test_the_published_choices_make_the_published_texts(choices: list[int], text: str) -> None:
    made = assignments(ALL_TOKENS).generate(choices)
    assert made is not None
    assert (made.text, len(made.choices)) == (text, len(choices))


@pytest.mark.parametrize("seed", range(30))
def test_long_sequences_come_down_to_eight_choices(seed: int) -> None:
    rng = Random(seed)
    maker = assignments(ALL_TOKENS)
    while True:
        made = maker.generate([rng.randrange(10) for _ in range(90)])
        if made is not None and len(made.choices) >= 30 and doubly_nested(made.text):
            break
    result, runs = run_pass("choices", made.text, doubly_nested, ASSIGNMENTS)
    assert result in ("a = ((0));\n", "a = ((00));\n")
    choices = retrace(assignments(result), ASSIGNMENTS.parse(result).tree)
    assert choices is not None
    assert len(choices) <= 8
    assert runs < 100
