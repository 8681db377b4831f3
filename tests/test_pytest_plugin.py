"""The plugin of pytest: `--boildown` reduces the input of the first failing test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

PROGRAM = """
def load(text):
    if "<x" in text:
        raise ValueError("x seen")
    return text.split(",")
"""
TESTS = """
import unittest
from pathlib import Path
import pytest
from program import load

def test_literal():
    load("aaa,<x>,bbb, and more of it")

@pytest.mark.parametrize("text", ["one,two", "two,<x>,three and four"])
def test_param(text):
    load(text)

def test_file():
    load(Path(__file__).with_name("data.json").read_text())

def test_none():
    assert sum([1, 2]) / len([]) == 2

class It(unittest.TestCase):
    def test_it(self):
        load("SELECT a, '<x>' FROM b")
"""

PYTEST = (sys.executable, "-m", "pytest", "-p", "boildown")
"""Of all plugins that are installed, ours is loaded, as pytest does it: by its entry point."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a project with failing tests."""
    files = {"program.py": PROGRAM, "test_it.py": TESTS, "data.json": '["<x>", 1]'}
    for name, text in {**files, "pytest.ini": "[pytest]\n"}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(folder: Path, *options: str, **variables: str) -> tuple[int, str]:
    """Return the exit status and the output of pytest in a project."""
    state = {"XDG_STATE_HOME": str(folder / ".state"), "XDG_CACHE_HOME": str(folder / ".cache")}
    done = subprocess.run(
        [*PYTEST, *options],
        cwd=folder,
        env={**os.environ, **state, **variables},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


def section(output: str) -> list[str]:
    """Return the lines of the section that the plugin adds to a failure."""
    lines = iter(output.splitlines())
    for line in lines:
        if line.strip("-") == " Boildown ":
            break
    return [line for line, _ in zip(lines, range(2), strict=False)]


def test_it_is_inert_unless_asked(folder: Path) -> None:
    (folder / "test_it.py").write_text(
        "import sys\ndef test_it():\n    assert not [m for m in sys.modules if m == 'boildown']\n"
    )
    status, output = run(folder)
    assert (status, "boildown:" in output) == (0, False)


def test_a_hint_is_the_command_that_reduces(folder: Path) -> None:
    status, output = run(folder, "--boildown=hint")
    assert status == 1
    told = [line for line in output.splitlines() if line.startswith("boildown:")]
    assert told == ["boildown: the input is reduced by: boildown reduce test_it.py::test_literal"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "place", "text"),
    [
        ("test_literal", "the literal (test_it.py:8:10): 27 → 2 bytes", '  "<x"'),
        ("test_param", "the parameter (test_it.py:10:46): 22 → 2 bytes", '  "<x"'),
        ("test_file", "the file that it reads (data.json): 10 → 2 bytes", "  <x"),
        ("It::test_it", "the literal (test_it.py:22:14): 22 → 2 bytes", '  "<x"'),
    ],
)
def test_the_input_is_reduced(folder: Path, test: str, place: str, text: str) -> None:
    status, output = run(folder, "--boildown", f"test_it.py::{test}", "--boildown-seconds=600")
    told = section(output)
    assert (status, told[0].partition(", ")[0], told[1]) == (1, place, text), output


def test_another_value_is_refused(folder: Path) -> None:
    status, output = run(folder, "--boildown=shrink")
    assert status == 4
    assert "ERROR: --boildown is hint, reduce or all, not 'shrink'" in output


@pytest.mark.slow
def test_xdist_reports_to_the_controller_which_reduces(folder: Path) -> None:
    status, output = run(folder, "-p", "xdist", "-n", "2", "--boildown", "test_it.py::test_literal")
    assert (status, section(output)[1:]) == (1, ['  "<x"']), output


@pytest.mark.slow
def test_the_last_failure_is_reduced_and_reported(folder: Path) -> None:
    run(folder, "test_it.py::test_file")
    status, output = run(folder, "--lf", "--tb=no", "--boildown", "--boildown-report=bug.md")
    assert status == 1
    assert "boildown: Report written to bug.md." in output, output
    assert "`data.json` (2 bytes, 1-character-minimal; reduced from 10 bytes" in (
        (folder / "bug.md").read_text()
    )
    (folder / "bug.md").write_text("of someone else")
    _, output = run(folder, "--lf", "--boildown", "--boildown-report=bug.md")
    assert "bug.md is there already, and not from Boildown. Name another file." in output
    assert (folder / "bug.md").read_text() == "of someone else"


@pytest.mark.slow
def test_a_test_without_an_input_changes_nothing(folder: Path) -> None:
    status, output = run(folder, "--boildown", "test_it.py::test_none")
    assert status == 1
    assert section(output)[0] == "test_it.py::test_none reads neither a literal nor a file."


@pytest.mark.slow
def test_it_does_not_reduce_within_a_reduction(folder: Path) -> None:
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p boildown --boildown\n")
    status, output = run(folder, "test_it.py::test_literal")
    assert (status, section(output)[1:]) == (1, ['  "<x"']), output
    status, output = run(folder, "test_it.py::test_literal", BOILDOWN_RUN="1")
    assert (status, section(output)) == (1, [])


@pytest.mark.slow
def test_the_time_is_limited(folder: Path) -> None:
    (folder / "program.py").write_text("import time\ntime.sleep(1)\n" + PROGRAM)
    status, output = run(folder, "--boildown", "--boildown-seconds=0.5", "test_it.py::test_literal")
    told = section(output)[0]
    # The first run alone takes longer: the seconds count from the first candidate.
    assert status == 1
    assert told.startswith("the literal (test_it.py:8:10): 27 → "), output
    assert "It was stopped early: there may be a smaller one." in output


@pytest.mark.slow
def test_all_reduces_one_input_for_each_failure(folder: Path) -> None:
    status, output = run(folder, "--boildown=all", "--boildown-seconds=600", "-rN")
    told = [line for line in output.splitlines() if line.startswith("boildown: reducing")]
    assert (status, len(told)) == (1, 2), output
    assert output.count('\n  "<x"\n') + output.count("\n  <x\n") == 1
    assert "test_it.py::test_none reads neither a literal nor a file." in output


@pytest.mark.slow
def test_each_failure_has_a_report_of_its_own(folder: Path) -> None:
    (folder / "test_it.py").write_text(
        "from program import load\n\ndef test_one():\n    load('aaa,<x>')\n\n"
        "def test_two():\n    text = 'bbb,<x>'\n    assert '<' not in text\n"
    )
    _, output = run(folder, "--boildown=all", "--boildown-seconds=600", "--boildown-report=bug.md")
    assert "Report written to bug.md." in output
    assert "Report written to bug-2.md." in output
    first, second = ((folder / name).read_text() for name in ("bug.md", "bug-2.md"))
    assert first != second


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_reduction_with_the_best_so_far(folder: Path, number: int) -> None:
    (folder / "program.py").write_text(
        "import time\n"
        "def load(text):\n"
        f"    print(len(text) * ('<x' in text), file=open({str(folder / 'log')!r}, 'a'))\n"
        "    time.sleep(0.1)\n"
        "    assert '<x' not in text\n"
    )
    text = ",".join(["aaa"] * 40 + ["<x>"] + ["bbb"] * 40)
    (folder / "test_it.py").write_text(
        f"from program import load\ndef test_it():\n    load({text!r})\n"
    )
    state = {"XDG_STATE_HOME": str(folder / ".state"), "XDG_CACHE_HOME": str(folder / ".cache")}
    process = subprocess.Popen(
        [*PYTEST, "--boildown", "--boildown-seconds", "300"],
        cwd=folder,
        env={**os.environ, **state},
        stdout=subprocess.PIPE,
        text=True,
    )

    def sizes() -> list[int]:
        log = folder / "log"
        return [int(line) for line in log.read_text().split()] if log.exists() else []

    end = time.monotonic() + 120
    # So many that one of the first, whose verdict is known, is smaller, whatever runs beside it.
    while sum(0 < size < len(text) for size in sizes()) < 8 and time.monotonic() < end:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(number)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 128 + number, output
    assert "It was stopped early: there may be a smaller one." in output
    assert f"{len(text)} → " in output
    assert f"{len(text)} → {len(text)} bytes" not in output
    assert "1 failed" in output
