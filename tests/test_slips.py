"""Reductions stay with the bug of the original, also inside one function."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from boildown.jobs.advice import for_terminal
from boildown.jobs.reduce import Reduced, reduce
from boildown.jobs.words import summary
from boildown.jobs.work import JobOptions
from boildown.runner import cluster
from boildown.runner.command import Level, TestCommand, from_argv

TOTAL = """\
import sys
total = 0.0
for line in open(sys.argv[1]):
    name, value = line.split("=")
    total += float(value)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def command(folder: Path, program: str, level: Level = Level.LOCATION) -> TestCommand:
    (folder / "tool.py").write_text(program)
    return from_argv(
        [sys.executable, "tool.py", "crash.txt"], Path("crash.txt"), folder, level=level, repeat=1
    )


def reduced(text: str, test: TestCommand) -> Reduced:
    return reduce(text, test, JobOptions("plain", passes=("ddmin",), fresh=True))


def test_a_reduction_does_not_slip_to_another_line_of_the_function(folder: Path) -> None:
    text = "a=1\nb==3\nc=x"
    assert reduced(text, command(folder, TOTAL, Level.ERROR)).reduction.text == "x"
    found = reduced(text, command(folder, TOTAL))
    assert found.reduction.text == "=="
    assert found.failures is not None
    original, result = found.failures
    assert original == result
    assert (
        original.replace("«", "")
        .replace("»", "")
        .endswith('`name, value = line.split("=")`: too many values to unpack (expected 2)')
    )
    assert f"\n  original: {original}\n  reduced:  {result}\n" in "\n".join(
        summary("crash.txt", text, found)
    )


def test_a_slip_at_a_looser_level_is_seen_by_a_person(folder: Path) -> None:
    found = reduced("a=1\nb==3\nc=x", command(folder, TOTAL, Level.ERROR))
    assert "too many values" in found.in_json["failures"]["original"]
    assert "not enough values" in found.in_json["failures"]["reduced"]


def content(text: str) -> str:
    """Return a program with the input in it, as a test holds a literal."""
    return (
        f"text = {text!r}\n"
        "for line in text.splitlines():\n"
        "    name, value = line.split('=')\n"
        "    float(value)\n"
    )


def test_the_line_of_a_test_with_the_input_in_it_is_a_place(folder: Path) -> None:
    test = from_argv([sys.executable, "test.py"], Path("test.py"), folder)
    found = reduced("a=1\nb=2.5\nc=zero", replace(test, content=content))
    assert found.reduction.text == "="
    assert found.start is not None
    assert found.start.expected.signature.endswith(
        "`float(value)`: could not convert string to float"
    )
    remote = replace(test, content=cluster._content)
    outcomes = []
    for text in ("c=one", "c==one"):
        verdict, _ = cluster._judge(remote, "none", text, content(text), found.start.expected)
        outcomes.append(verdict.reproduced)
    cluster._own.runner.close()
    assert outcomes == [True, False]


STRICT = """\
import sys
text = open(sys.argv[1]).read()
if "!" in text:
    if "abcdefghijklmnop" in text:
        raise ValueError("just so")
    raise ValueError("not so")
"""


def test_a_level_that_takes_most_failures_for_others_is_named(folder: Path) -> None:
    found = reduced("!abcdefghijklmnopqrst", command(folder, STRICT))
    assert found.reduction.text == "!abcdefghijklmnop"
    told = [for_terminal(message) for message in found.notes]
    assert any("with the same error failed at another line" in each for each in told)
    assert any("--level error" in each for each in told)
    loose = reduced("!abcdefghijklmnopqrst", command(folder, STRICT, Level.ERROR))
    assert loose.reduction.text == "!"
    assert not any("same error" in for_terminal(message) for message in loose.notes)
