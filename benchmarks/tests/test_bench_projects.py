"""The whole projects of the benchmark: the one that is made, and how a candidate is judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.projects import judging, setups
from benchmarks.projects.__main__ import Reduced, report
from benchmarks.projects.projects import PROJECTS, Project

[SITE] = (project for project in PROJECTS if project.registry == "made")


def judge(project: Project, folder: Path) -> int:
    config = folder.parent / "config"
    told = {
        "log": str(folder.parent / "log"),
        "command": [part.replace("{python}", sys.executable) for part in project.command],
        "environment": {},
        "message": project.message,
    }
    config.write_text(json.dumps(told))
    command = [sys.executable, "-ISs", judging.__file__, str(config), str(folder)]
    return subprocess.run(command, check=False).returncode


def test_a_project_fails_by_its_changed_line_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setups, "ENVIRONMENTS", tmp_path)
    setups.set_up(SITE)
    root = setups.source(SITE)
    files, lines, size = judging.measured(str(root))
    assert judge(SITE, root) == 0
    broken = root / SITE.file
    broken.write_text(broken.read_text().replace(SITE.after, SITE.before))
    assert judge(SITE, root) == 1
    first, last = (root.parent / "log").read_text().splitlines()[1:3]
    assert first == f"{files} {lines} {size} 0"
    assert last.endswith("?")


def test_a_line_that_is_not_there_once_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setups, "ENVIRONMENTS", tmp_path)
    other = Project("other", "made", "site", "build.py", "self", "", (), "")
    with pytest.raises(setups.NotSetUpError, match="has not the line once"):
        setups.set_up(other)
    assert not setups.source(other).exists()


def test_the_table_has_a_dash_for_what_was_not_reached() -> None:
    row = Reduced("site", "boildown", (72, 1707, 50700), (8, 69, 1654), 265, None, 120.0, True)
    last = report([row], "").splitlines()[-1]
    assert last == (
        "| site | boildown | 72 | 8 | 1,707 | 69 | 50,700 | 1,654 | 265 | – | 120 | capped |"
    )
