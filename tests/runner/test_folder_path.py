"""Python in runs on folders: an editable installation does not lead back to the user's folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from boildown.folder_text import packed
from boildown.runner.command import from_argv
from boildown.runner.runner import Runner

FINDER = """\
import importlib.machinery, sys
MAPPING = {{"lib": {!r}}}
class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name in MAPPING:
            return importlib.machinery.PathFinder.find_spec(name, [MAPPING[name]])
sys.meta_path.append(Finder)
"""


@pytest.mark.parametrize("kind", ["path", "finder"])
def test_what_is_left_out_is_not_imported_from_the_original(tmp_path: Path, kind: str) -> None:
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (site,) = environment.glob("lib/python*/site-packages")
    (site / "installed.py").write_text("")
    (site / "sitecustomize.py").write_text("import builtins; builtins.customized = True")
    source = str(project / "src")
    if kind == "path":
        (site / "editable.pth").write_text(source + "\n")
    else:
        (site / "finder_of_lib.py").write_text(FINDER.format(source))
        (site / "editable.pth").write_text("import finder_of_lib\n")
    program = ("main.py", "import lib, installed\nprint(customized)\n")
    library = ("src/lib.py", "")
    for path, text in (program, library):
        (project / path).write_text(text)
    python = str(environment / "bin" / "python")
    ran = subprocess.run([python, "main.py"], cwd=project, capture_output=True, text=True)
    assert ran.stdout == "True\n", ran.stderr
    command = from_argv(
        (python, "main.py"), project, project, folder=True, files=("main.py", "src/lib.py")
    )
    with Runner(command) as runner:
        whole = runner.run(packed([program, library]))
        part = runner.run(packed([program]))
    assert (whole.status, whole.stdout) == (0, "True\n"), whole.stderr
    assert part.status == 1
    assert "No module named 'lib'" in part.stderr
