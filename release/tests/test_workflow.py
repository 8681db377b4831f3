"""The workflows of the forge: what they call exists, and only one can publish."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from release import check

yaml = pytest.importorskip("yaml")
WORKFLOWS: dict[str, dict[Any, Any]] = {
    path.stem: yaml.safe_load(path.read_text("utf-8"))
    for path in (check.ROOT / ".github" / "workflows").glob("*.yml")
}
JOBS: dict[str, dict[str, Any]] = WORKFLOWS["ci"]["jobs"]
STEPS: list[dict[str, str]] = [
    step
    for workflow in WORKFLOWS.values()
    for job in workflow["jobs"].values()
    for step in job["steps"]
]


def commands() -> Iterator[list[str]]:
    for step in STEPS:
        for line in step.get("run", "").splitlines():
            # An expression of the forge is one word.
            words = shlex.split(re.sub(r"\$\{\{.*?\}\}", "VALUE", line))
            yield words[2:] if words[:2] == ["sudo", "--preserve-env=PATH"] else words


def targets(folder: Path) -> set[str]:
    return set(re.findall(r"^([a-z][\w-]*):(?!=)", (folder / "Makefile").read_text("utf-8"), re.M))


def test_each_command_is_a_target_that_exists() -> None:
    called = [words for words in commands() if words != [".ci/run"]]
    assert (check.ROOT / ".ci" / "run").stat().st_mode & 0o100
    assert len(called) > 8
    for make, *words in called:
        assert make == "make"
        folder = check.ROOT
        if words[0] == "-C":
            folder, words = folder / words[1], words[2:]
        names = [word for word in words if "=" not in word]
        assert names
        assert set(names) <= targets(folder)


def test_every_push_and_every_night_check_all() -> None:
    nightly = WORKFLOWS["nightly"]
    assert "schedule" in nightly[True]  # YAML 1.1 takes `on` for a truth value.
    run = {"run": "sudo --preserve-env=PATH .ci/run"}
    assert run in JOBS["everything"]["steps"]
    steps = nightly["jobs"]["everything"]["steps"]
    assert steps[-2:] == [run, {"run": "sudo --preserve-env=PATH make nightly"}]
    slow = nightly["jobs"]["slow"]
    assert slow["steps"][-1] == {"run": "make test-slow"}
    assert set(slow["strategy"]["matrix"]["python"]) < set(
        JOBS["test"]["strategy"]["matrix"]["python"]
    )


def test_actions_are_pinned_by_version() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w-]+/[\w-]+@v\d+\.\d+\.\d+", each)] == []


def test_each_python_that_the_package_names_is_tested() -> None:
    prefix = "Programming Language :: Python :: "
    named = [each.removeprefix(prefix) for each in check.project()["classifiers"]]
    versions = [each for each in named if re.fullmatch(r"3\.\d+", each)]
    assert JOBS["test"]["strategy"]["matrix"]["python"] == versions


def test_only_a_tag_of_this_project_is_published_after_all_tests() -> None:
    home = check.project()["urls"]["Source"].removeprefix("https://github.com/")
    release = JOBS["release"]
    assert release["if"] == (
        f"startsWith(github.ref, 'refs/tags/v') && github.repository == '{home}'"
    )
    assert set(release["needs"]) == {"test", "macos", "everything"}
    publishing = {name for name, job in JOBS.items() if "environment" in job}
    assert publishing == {"publish-package", "publish-extension"}
    assert [JOBS[name]["needs"] for name in publishing] == ["release", "release"]
    assert [each["permissions"] for each in WORKFLOWS.values()] == [{"contents": "read"}] * 2
    assert {n: job["permissions"] for n, job in JOBS.items() if "permissions" in job} == {
        "publish-package": {"id-token": "write"}
    }
