"""Growing: a fragile text gets more of what its failure depends on."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from boildown.engine.reducing.grow import LONGEST, MOST_PARTS, grown
from boildown.languages import load_language


def texts(text: str, language: str, does: Callable[[str], bool], length: int = 400) -> list[str]:
    """Return the texts that one grows to; `does` answers for any number of runs."""
    return list(grown(text, length, load_language(language), lambda new, _runs: does(new)))


@pytest.mark.parametrize(
    ("text", "language", "does", "best"),
    [
        ("[[2,[0]]]", "json", lambda text: text.count("[") >= 20, f"{'[' * 20}"),
        ("f(1); g(x) ;", "plain", lambda text: text.count("g(") >= 9, "g(" * 9),
        # Each copy has a name of its own where copies that are alike count for one.
        (
            "import y,z",
            "python",
            lambda text: (
                text[:7] == "import " and len({*text[7:].split(",")}) - text.count(",,") >= 6
            ),
            "import ,a,b,c,d,e",
        ),
        (
            "x needle y",
            "plain",
            lambda text: len(text) >= 90 and "needle" in text,
            f"{'x' * 84}needle",
        ),
    ],
)
def test_a_part_that_matters_stands_as_often_as_it_takes(
    text: str, language: str, does: Callable[[str], bool], best: str
) -> None:
    found = texts(text, language, does)
    assert all(map(does, found))
    assert sorted(map(len, found), reverse=True) == list(map(len, found))
    assert found[-1] == best


def test_of_a_text_in_which_no_part_matters_each_is_tried_once() -> None:
    asked: list[str] = []

    def does(text: str) -> bool:
        asked.append(text)
        return False

    assert texts("[[2,[0]]]", "json", does) == []
    assert len(asked) == len(set(asked)) < 50
    assert len(asked) < MOST_PARTS
    asked.clear()
    assert texts(json.dumps([*range(200)]), "json", does, 2_000) == []
    assert len(asked) == MOST_PARTS
    assert texts(f"[{'1,' * LONGEST}1]", "json", lambda _text: True) == []


def test_an_edit_of_all_copies_that_was_lucky_is_taken_back() -> None:
    """In a few runs nothing differs, in more only the words whole fail."""

    def holds(text: str, runs: int) -> bool:
        return text.count("g" if runs else "go(1)") >= 5

    found = list(grown("go(1)", 400, load_language("plain"), holds))
    assert found[-1] == "go(1)" * 5
