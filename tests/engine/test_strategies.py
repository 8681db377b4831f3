"""Strategies for Hypothesis, run without Boildown: what they draw is of the pattern."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from boildown import Pattern, generalize
from boildown.jobs.instances import Instances, render

DRIVER = """
import json, sys
sys.modules["boildown"] = None  # an import of it fails
from hypothesis import HealthCheck, find, given, settings
from made import inputs

texts = []

@settings(database=None, max_examples=40, derandomize=True, deadline=None,
          suppress_health_check=list(HealthCheck))
@given(inputs())
def collect(text):
    texts.append(text)

collect()
smallest, longer = "", int(sys.argv[1])
if longer:
    options = settings(database=None, derandomize=True, max_examples=100)
    smallest = find(inputs(), lambda text: len(text) > longer, settings=options)
print(json.dumps({"texts": texts, "smallest": smallest}))
"""


def drawn(pattern: Pattern, folder: Path, longer: int = 0) -> tuple[list[str], str]:
    """Return texts that Hypothesis draws, and to what it shrinks those that are longer."""
    (folder / "made.py").write_text(render("hypothesis", Instances(pattern, [])), "utf-8")
    (folder / "driver.py").write_text(DRIVER)
    command = [sys.executable, "driver.py", str(longer)]
    ran = subprocess.run(
        command, capture_output=True, encoding="utf-8", timeout=200, cwd=folder, check=False
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    return found["texts"], found["smallest"]


def prices(text: str) -> list[float]:
    try:
        pairs = json.loads(text, object_pairs_hook=list)
    except ValueError:
        return []
    return [value for key, value in pairs if key == "price"] if isinstance(pairs, list) else []


@pytest.mark.slow
def test_numbers_and_gaps_are_drawn_by_their_conditions(tmp_path: Path) -> None:
    def fails(text: str) -> bool:
        try:
            return bool(json.loads(text)["price"] < -5)
        except (ValueError, TypeError, KeyError):
            return False

    pattern = generalize('{"x":1,"price":-30}', fails, "json", law_runs=0)
    assert '"price":<NUMBER> < -5' in str(pattern)
    texts, smallest = drawn(pattern, tmp_path, longer=14)
    assert [text for text in texts if not pattern.matches(text)] == []
    assert len(set(texts)) > 15
    assert all(min(prices(text)) < -5 for text in texts)
    # It is no longer than it has to be, with the shortest values.
    assert len(smallest) <= 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "fails", "language"),
    [
        ("<p><b>hello</b><i>x</i></p>", "<i>", "xml"),
        ("<p><b>hello</b><i>x</i></p>", "<i>", "html"),
        ("f(x)+1/0", "/0", "expressions"),
        ("a,b\n1,2\n", "a,b", "csv"),
    ],
)
def test_what_is_drawn_is_of_the_pattern(
    tmp_path: Path, text: str, fails: str, language: str
) -> None:
    pattern = generalize(text, lambda candidate: fails in candidate, language, law_runs=0)
    texts, _ = drawn(pattern, tmp_path)
    assert [text for text in texts if not pattern.matches(text)] == []
    assert len(set(texts)) > 15
