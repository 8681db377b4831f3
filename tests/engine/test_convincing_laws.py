"""Tests which laws are said, and the large inputs that they are tested on."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from boildown import generalize, parse_law
from boildown.engine.generalizing.between import Between, between, large_inputs
from boildown.engine.laws.convincing import LEAST_INPUTS, doubt
from boildown.engine.oracle import Outcome
from boildown.languages import load_language

JSON = load_language("json")
FAILING = [f'{{"price": -{each}, "name": "n{each}"}}' for each in range(1, 1 + LEAST_INPUTS)]
PASSING = [each.replace("-", "") for each in FAILING]


@pytest.mark.parametrize(
    ("law", "why"),
    [
        ("//price < 0", None),
        ("//price < -3", "does not hold for the original input"),
        ("//price < 0 and //name != //price", None),
        ("//price < 0 or //name = 7 or //id", "has 3 conditions"),
        ('//price < 0 or //name = "a long text, of one input"', "quotes a long text"),
        ('//price < 0 or //name = "SomeLongNameOfAClass"', None),
        ("//price < 9", "holds for 8 of 10 large inputs that pass"),
        ("//price < 0 and //price > -10", "misses 1 of 10 large inputs that fail"),
        ("//price", "holds for 10 of 10 large inputs that pass"),
    ],
)
def test_a_law_that_convinces(law: str, why: str | None) -> None:
    assert doubt(parse_law(law, "json"), FAILING[0], FAILING, PASSING) == why


def test_a_law_that_was_not_tested_says_nothing() -> None:
    law, few = parse_law("//price < 0", "json"), LEAST_INPUTS - 1
    assert doubt(law, FAILING[0], FAILING[:few], PASSING) == (
        "has too few large inputs that fail to be tested on"
    )
    assert doubt(law, FAILING[0], FAILING, []) == (
        "has too few large inputs that pass to be tested on"
    )


ORIGINAL = json.dumps(
    {
        "shop": "Corner",
        "items": [{"name": f"n{each}", "price": each} for each in range(20)]
        + [{"name": "cup", "price": None, "tags": [1, 2, 3]}],
        "open": [True, False],
    }
)
PRUNED = '{"items": [{"price": null}]}'


def _between(text: str, inner: str) -> Between | None:
    return between(text, [inner], JSON)


def test_large_inputs_are_those_between_the_smallest_and_the_original() -> None:
    found = _between(ORIGINAL, PRUNED)
    assert found is not None

    def run(text: str) -> Outcome:
        return Outcome.REPRODUCED if re.search(r'"price": *null', text) else Outcome.PASSED

    met = list(large_inputs(found, run, Random(0)))
    for failed in (True, False):
        assert sum(fails is failed for _, fails in met) >= LEAST_INPUTS
    assert all(JSON.valid(text) for text, _ in met)
    assert sum(3 * len(text) > len(ORIGINAL) for text, _ in met) > len(met) / 2


def test_a_text_that_is_read_in_another_way_gives_way_to_a_larger_one() -> None:
    found = between(ORIGINAL, ['{"price": null}', PRUNED, ORIGINAL], JSON)
    alone = _between(ORIGINAL, PRUNED)
    assert found is not None
    assert alone is not None
    assert found.needed == alone.needed


@pytest.mark.parametrize("inner", ['{"price": null}', '{"items": [{"price": 99}]}', "[]"])
def test_a_text_that_is_no_part_by_leaving_out_has_nothing_between(inner: str) -> None:
    assert _between(ORIGINAL, inner) is None


@pytest.mark.slow
def test_a_count_of_different_values_is_no_law_of_equal_ones() -> None:
    def fails(text: str) -> bool:
        try:
            rows = json.loads(text)
        except ValueError:
            return False
        rows = rows if isinstance(rows, list) else []
        return (
            len({str(row["team"]) for row in rows if isinstance(row, dict) and "team" in row}) > 3
        )

    teams = enumerate("abacdbe")
    text = json.dumps([{"team": team, "name": f"n{each}", "age": each} for each, team in teams])
    law = generalize(text, fails, "json").law
    assert law is None or not law.matches('[{"team": "a"}, ' * 4 + '{"team": "a"}]')


@pytest.mark.slow
def test_no_law_is_true_of_every_text() -> None:
    class Finding(Exception):  # noqa: N818 - what it says
        pass

    def check(text: str) -> None:
        for line in text.splitlines():
            if line.lstrip()[:1] in ("}", "]"):
                raise TypeError("unsupported operand: None < 0")
            if line != line.rstrip() or (line and ":" not in line and line[0] not in "- "):
                raise Finding(line)

    text = "".join(f"key{each}:\n  - name: item {each}\n" for each in range(9)) + "last: 1\n  }\n"
    law = generalize(text, check, "yaml", law_runs=60).law
    assert law is None or not law.matches(text.replace("  }\n", ""))
