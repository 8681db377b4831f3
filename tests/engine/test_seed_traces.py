"""The published traces: each pass alone, with the runs that the documents count."""

from __future__ import annotations

import re

from boildown.languages import load_language
from helpers import Characters, run_pass

MYSTERY = (
    r""" 7:,>((/$$-/->.;.=;(.%!:50#7*8=$&&=$9!%6(4=&69':"""
    r"""'<3+0-3.24#7=!&60)2/+";+<7+1<2!4$>92+$1<(3%&5''>#"""
)


def mystery(text: str) -> bool:
    return 0 <= text.find("(") < text.find(")")


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
