"""The plugins for the user's pytest work with old versions and the newest, whatever is set there.

Each version has an environment of its own, with pytest-xdist and nothing else.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from boildown.jobs.input_candidates import failing_tests, input_candidates
from boildown.runner.runner import Runner
from boildown.targets.failing_tests import selected
from helpers import install

TESTS = """\
import pytest
from pathlib import Path

def test_passes():
    assert "more of it".split() == ["more", "of", "it"]

def test_literal():
    assert "an input".split() == []

@pytest.mark.parametrize("text", ["one", "two and three"])
def test_case(text):
    assert len(text) < 9

def test_file():
    assert "<" not in Path("data.json").read_text()
"""
INPUTS = {
    "test_literal": ["an input"],
    "test_case[two and three]": ["two and three"],
    "test_file": ['["<x>", 1]'],
}
"""The likely inputs of each test that fails."""
SETTINGS = {
    "warnings are errors": "filterwarnings = error",
    "without a cache": "addopts = -W error -p no:cacheprovider",
    "with xdist": "addopts = -W error -n 2",
}
SERVER = Path(__file__).parents[2] / "server"


@pytest.mark.e2e
@pytest.mark.nightly
@pytest.mark.parametrize("version", ["pytest==7.4.*", "pytest==8.*", "pytest"])
def test_plugins_with_a_version_of_pytest(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment, folder = tmp_path / "env", tmp_path / "project"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    install(packages, version, "pytest-xdist")
    python = str(environment / "bin" / "python")
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    folder.mkdir()
    (folder / "test_it.py").write_text(TESTS)
    (folder / "data.json").write_text('["<x>", 1]')
    for name, setting in SETTINGS.items():
        (folder / "pytest.ini").write_text(f"[pytest]\n{setting}\n")
        check_inputs(folder, python, name)
        check_hint(folder, python, name)


def check_inputs(folder: Path, python: str, name: str) -> None:
    """Find the inputs of failing tests, and run one with another case."""
    selection = selected(Path("test_it.py"), folder, (python,))
    assert selection is not None
    found = {
        test.id: [each for each in input_candidates(test) if each.likely]
        for test in failing_tests(selection)
    }
    texts = {test: [each.text for each in likely] for test, likely in found.items()}
    assert texts == INPUTS, name
    (case,) = found["test_case[two and three]"]
    assert case.document is not None
    with Runner(case.command, 1) as runner:
        fails, passes = (runner.run(text, 100) for text in ("two and 3", "other"))
    # The other case passes: its result is not among these.
    results = [re.findall(r"\d (?:failed|passed)\b", run.stdout) for run in (fails, passes)]
    assert results == [["1 failed"], ["1 passed"]], (name, fails, passes)


def check_hint(folder: Path, python: str, name: str) -> None:
    """Have the plugin that reduces in a session say how."""
    path = {"PYTHONPATH": str(SERVER)}
    command = [python, "-m", "pytest", "-p", "pytest_boildown", "--boildown=hint", "test_it.py"]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **path}, capture_output=True, text=True
    )
    hint = "boildown: the input is reduced by: boildown reduce 'test_it.py::"
    assert done.returncode == 1, (name, done)
    assert hint.replace("'", "") in done.stdout.replace("'", ""), (name, done)
