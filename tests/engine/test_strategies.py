"""Strategies for Hypothesis, run without Boildown: what they draw is of the pattern."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from boildown import Pattern, generalize
from boildown.engine.patterns.conditions import Condition, Lacking, Without
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.template import template_of
from boildown.grammar import ir
from boildown.jobs.instances import FORMS, Instances, render
from boildown.languages import load_language
from boildown.tree import places

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


@pytest.mark.nightly
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


@pytest.mark.nightly
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


def pattern_of(grammar: str, folder: Path, text: str, label: str, *told: Condition) -> Pattern:
    """Return the pattern of a text with a hole for the first part with a label."""
    (folder / "own.lark").write_text(grammar)
    bare = Pattern(template_of(text, load_language(folder / "own.lark")))
    place = next(each for each in places(bare.template.tree) if each.tree.label == label)
    return bare.with_holes([Hole(label, label, place.path(), *place.span, told)])


RECURSIVE = """
start: "<" value ">"
value: "(" value* ")" | NUMBER | NAME "=" value
NUMBER: /[0-9]/
NAME: /[a-c]/
"""


@pytest.mark.parametrize(
    "told",
    [
        (Without("123", inside="value"),),
        (Without("1", inside="value"), Lacking("NAME", "a", outside="value"), Without("2")),
    ],
)
def test_a_condition_inside_of_a_recursive_rule_is_drawn_by(
    tmp_path: Path, told: tuple[Condition, ...]
) -> None:
    pattern = pattern_of(RECURSIVE, tmp_path, "<(b=4)>", "value", *told)
    assert pattern.matches("<(b=4)>")
    texts, _ = drawn(pattern, tmp_path)
    assert [text for text in texts if not pattern.matches(text)] == []
    assert len(set(texts)) > 5


@pytest.mark.nightly
def test_rules_that_lead_far_are_drawn_by(tmp_path: Path) -> None:
    """As many as Python lets functions call themselves."""
    chain = "".join(f'r{at}: r{at + 1} | "b" r{at + 1}\n' for at in range(1000))
    grammar = f'start: "<" r0 ">"\n{chain}r1000: "c" | "d"\n'
    pattern = pattern_of(grammar, tmp_path, "<c>", "r0", Without("d"))
    texts, _ = drawn(pattern, tmp_path)
    assert {text[0] + text[-2:] for text in texts} == {"<c>"}
    assert '\nr1000_1001: "c"\n' in render("lark", Instances(pattern, []))


def test_a_rule_that_is_as_deep_as_may_be_is_written_in_all_forms(tmp_path: Path) -> None:
    groups = (ir.MOST_NESTED - 2) // 2
    grammar = 'start: "<" v ">"\nv: ' + "(" * groups + '"c" "x"' + ' | "d") "x"' * groups
    pattern = pattern_of(f"{grammar}\n", tmp_path, "<dx>", "v", Without("q"))
    texts, _ = drawn(pattern, tmp_path)
    assert [text for text in texts if not pattern.matches(text)] == []
    for form in FORMS:
        assert render(form, Instances(pattern, ["<dx>"]))
