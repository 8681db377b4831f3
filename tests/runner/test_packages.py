"""Installed packages of Node: candidates that are folders find copies, and no way to the user's."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from boildown.folder_text import packed
from boildown.runner.command import from_argv
from boildown.runner.packages import copy_packages
from boildown.runner.runner import Runner

REQUIRE = """\
import os, sys
folder = os.getcwd()
while not os.path.isdir(os.path.join(folder, "node_modules")):
    folder = os.path.dirname(folder)
found = os.path.join(folder, "node_modules", "dep", "index.js")
with open(found, "a+") as file:
    file.seek(0)
    print(file.read(), os.path.realpath(found).startswith(sys.argv[1]))
    file.write("written")
"""


def test_a_run_finds_a_copy_of_the_packages_above_its_folder(tmp_path: Path) -> None:
    project = tmp_path / "project"
    dep = project / "node_modules" / "dep" / "index.js"
    dep.parent.mkdir(parents=True)
    dep.write_text("exports")
    command = from_argv(
        (sys.executable, "-ISs", "require.py", str(tmp_path)),
        project,
        project,
        folder=True,
        files=("require.py",),
    )
    with Runner(command) as runner:
        run = runner.run(packed([("require.py", REQUIRE)]))
    assert (run.stdout, run.status) == ("exports False\n", 0)
    assert dep.read_text() == "exports"


def test_links_lead_into_the_candidate_or_are_left_out(tmp_path: Path) -> None:
    project, base = tmp_path / "project", tmp_path / "base"
    modules = project / "node_modules"
    for path in (modules / "dep", modules / ".bin", project / "packages" / "own", base):
        path.mkdir(parents=True)
    (modules / "dep" / "cli.js").write_text("cli")
    (modules / ".bin" / "dep").symlink_to("../dep/cli.js")
    (modules / "own").symlink_to("../packages/own")
    (modules / "global").symlink_to(tmp_path)
    os.mkfifo(modules / "pipe")
    # Also where the input is a folder in the one that has the packages.
    inner = project / "packages"
    assert copy_packages(inner, base, base / "folder" / "packages") is None
    copied = base / "node_modules"
    assert {path.name for path in copied.iterdir()} == {"dep", ".bin", "own"}
    assert os.readlink(copied / ".bin" / "dep") == "../dep/cli.js"
    assert os.readlink(copied / "own") == str(base / "folder" / "packages" / "own")
