"""macOS, simulated: the runner does without subreapers, `/proc`, cgroups and Landlock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ESSENTIAL = (
    *("test_runner.py::test_what_a_run_did_is_seen", "test_runner.py::test_a_hang_times_out"),
    *("test_placement.py::test_memory_is_limited", "test_warm.py::test_warm_and_cold_runs_agree"),
)
REST = tuple(f"test_{name}.py" for name in ("runner", "placement", "warm", "time_limits", "judge"))


def without_linux(*tests: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "BOILDOWN_PORTABLE": "1"}
    # The settings of the project are those of plugins, too.
    del environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
    options = ("-q", "-p", "no:cacheprovider")
    names = [f"tests/runner/{name}" for name in tests]
    command = [sys.executable, "-m", "pytest", *options, *names]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def test_the_variable_leaves_nothing_of_linux() -> None:
    code = """
from boildown.runner.guardian import cgroups, linux, sandbox
linux.adopt_orphans(); cgroups.make_group()
print(linux.adopts_orphans(), linux.descendants(), linux.state(1), sandbox.version(),
    cgroups.members_time())
"""
    environment = {**os.environ, "BOILDOWN_PORTABLE": "1"}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE)
    assert ran.stdout.decode().strip() == "False set() b'' 0 None"


def test_runs_are_followed_limited_and_ended() -> None:
    ran = without_linux(*ESSENTIAL)
    assert ran.returncode == 0, ran.stdout
    # Only a daemon that leaves its session stays.
    assert " passed, 1 skipped" in ran.stdout


@pytest.mark.nightly
def test_the_runner_passes_its_tests() -> None:
    ran = without_linux(*REST)
    assert ran.returncode == 0, ran.stdout
