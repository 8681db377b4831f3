"""Ctrl-C in the library: an exception with the best so far, and a library that goes on."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from boildown import Interrupted, generalize, reduce, reduce_file, reducing
from boildown.engine.problem import Problem

TEXT = json.dumps([*map(str, range(30)), {"needle": 3}, *map(str, range(30))])


def interrupting(after: int) -> tuple[list[str], object]:
    """Return a list of texts that fail, and a test which is interrupted after so many calls."""
    failing: list[str] = []
    calls = 0

    def test(text: str) -> bool:
        nonlocal calls
        calls += 1
        if calls == after:
            os.kill(os.getpid(), signal.SIGINT)
        if "needle" in text:
            failing.append(text)
        return "needle" in text

    return failing, test


@pytest.fixture(autouse=True)
def ctrl_c() -> None:
    """Have Ctrl-C raise an exception, also where the tests run in the background of a shell."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_reduce_gives_its_best() -> None:
    failing, test = interrupting(12)
    with pytest.raises(Interrupted) as caught:
        reduce(TEXT, test, "json")  # type: ignore[arg-type]
    best = caught.value.reduction
    assert best is not None
    assert caught.value.pattern is None
    assert (best.text, best.finished) == (failing[-1], False)
    assert len(best.text) < len(TEXT)
    assert isinstance(caught.value, KeyboardInterrupt)
    assert reduce(TEXT, lambda text: "needle" in text, "json").text == '"needle"'[1:-1]


def test_bytes_come_back_as_bytes() -> None:
    calls = 0

    def test(text: bytes) -> bool:
        nonlocal calls
        calls += 1
        if calls > 9:
            raise KeyboardInterrupt
        return b"needle" in text

    with pytest.raises(Interrupted) as caught:
        reduce(TEXT.encode(), test)
    assert caught.value.reduction is not None
    assert isinstance(caught.value.reduction.text, bytes)


def test_between_two_calls_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search takes most of the time where a test is fast."""
    consider, wait = Problem.consider_first, [False]

    def interrupted(self: Problem, *arguments: object) -> object:
        before = self.text
        found = consider(self, *arguments)  # type: ignore[arg-type]
        if len(self.text) < len(before) and wait[0]:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(Problem, "consider_first", interrupted)
    wait[0] = True
    with pytest.raises(Interrupted) as caught:
        reduce(TEXT, lambda text: "needle" in text, "json")
    assert caught.value.reduction is not None
    assert len(caught.value.reduction.text) < len(TEXT)
    with pytest.raises(Interrupted) as caught:
        generalize(TEXT, lambda text: "needle" in text, "json", law_runs=0)
    assert caught.value.pattern is not None
    assert len(caught.value.pattern.text) < len(TEXT)
    assert not caught.value.pattern.finished
    wait[0] = False
    found = generalize(TEXT, lambda text: "needle" in text, "json", law_runs=0, samples=5)
    assert found.finished


def test_generalize_gives_its_pattern() -> None:
    failing, test = interrupting(12)
    with pytest.raises(Interrupted) as caught:
        generalize(TEXT, test, "json", law_runs=0)  # type: ignore[arg-type]
    pattern = caught.value.pattern
    assert pattern is not None
    assert (pattern.text, pattern.finished) == (failing[-1], False)


def test_reducing_gives_its_best() -> None:
    failing, test = interrupting(12)
    with pytest.raises(Interrupted) as caught:
        list(reducing(TEXT, test, "json"))  # type: ignore[arg-type]
    assert caught.value.reduction is not None
    assert caught.value.reduction.text == failing[-1]


def test_reduce_file_gives_its_best_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "crash.json").write_text(TEXT)
    program = (
        "import os, signal, sys\n"
        "text = open(sys.argv[1]).read()\n"
        f"log = open({str(tmp_path / 'log')!r}, 'a+')\n"
        "log.write('.')\n"
        f"if log.tell() == 15: os.kill({os.getpid()}, signal.SIGINT)\n"
        "sys.exit(3 * ('needle' in text))\n"
    )
    (tmp_path / "program.py").write_text(program)
    command = [sys.executable, "-I", "-S", "program.py", "crash.json"]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Interrupted) as caught:
        reduce_file("crash.json", command, jobs=1)
    best = caught.value.reduction
    assert best is not None
    assert "needle" in best.text
    assert len(best.text) < len(TEXT)
    reduction = reduce_file("crash.json", command, jobs=1)
    assert reduction.text == '"needle"'
    assert any("goes on from there" in note for note in reduction.notes)
