"""Sets projects up: their sources and what they need, from the registries, and the seeded line.

Each goes into a folder of its own below the other benchmarks' environments; nothing is installed
for the system, and nothing of it is kept in the repository.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.bugs import ENVIRONMENTS
from benchmarks.projects import site
from benchmarks.projects.projects import Project

_SOURCES = ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list")


class NotSetUpError(Exception):
    """A project can't be set up here; the message says why."""


def home(project: Project) -> Path:
    """Return the folder of a project's files and environments."""
    return ENVIRONMENTS / "projects" / project.name


def source(project: Project) -> Path:
    """Return the folder of the broken project, the failing input."""
    return home(project) / "project"


def python(project: Project) -> str:
    """Return the Python that a project's command is started with."""
    own = home(project) / "python" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


def variables(project: Project) -> dict[str, str]:
    """Return the variables that a project's command is started with."""
    modules = home(project) / "node_modules"
    found = dict(project.environment)
    # Not every tool has candidates below a folder in which Node would look for packages.
    return {**found, "NODE_PATH": str(modules)} if modules.exists() else found


def set_up(project: Project) -> None:
    """Get a project from its registry and change its line, unless it is there already.

    Raises NotSetUpError.
    """
    if source(project).exists():
        return
    home(project).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home(project)) as made:
        fresh = Path(made, "project")
        _FETCHED[project.registry](project, Path(made), fresh)
        _break(project, fresh)
        # Last, for it is what says that the project is set up.
        fresh.rename(source(project))


def _break(project: Project, root: Path) -> None:
    path = root / project.file
    text = path.read_text("utf-8") if path.exists() else ""
    if text.count(project.before) != 1:
        raise NotSetUpError(f"{project.file} of {project.package} has not the line once.")
    path.write_text(text.replace(project.before, project.after), "utf-8")


def _pip(project: Project, scratch: Path, target: Path) -> None:
    _run([sys.executable, "-m", "venv", "--clear", str(home(project) / "python")], scratch)
    pip = [python(project), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    _run([*pip, "install", *project.needs], scratch)
    _run([*pip, "download", "--no-deps", "--no-binary", ":all:", project.package], scratch)
    _unpack(scratch.glob("*.tar.gz").__next__(), project, scratch, target)


def _npm(project: Project, scratch: Path, target: Path) -> None:
    (home(project) / "package.json").write_text('{"private": true}\n')
    install = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"]
    _run([*install, *project.needs], home(project))
    _run(["npm", "pack", "--silent", project.package], scratch)
    _unpack(scratch.glob("*.tgz").__next__(), project, scratch, target)


def _apt(project: Project, scratch: Path, target: Path) -> None:
    """Get a source package with lists of its own, for most machines have none of sources."""
    listed = next((Path(path) for path in _SOURCES if os.path.exists(path)), None)
    if listed is None:
        raise NotSetUpError("there are no sources of Debian here.")
    text = re.sub(r"^(Types: )?deb\b", r"\1deb-src", listed.read_text(), flags=re.MULTILINE)
    own = scratch / f"own{listed.suffix}"
    own.write_text(text)
    for folder in ("lists/partial", "cache/archives/partial"):
        (scratch / folder).mkdir(parents=True)
    options = {
        "Dir::Etc::sourcelist": own,
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": scratch / "lists",
        "Dir::Cache": scratch / "cache",
    }
    apt = ["apt-get", "-qq", *(f"-o{key}={value}" for key, value in options.items())]
    _run([*apt, "update"], scratch)
    _run([*apt, "source", "--download-only", project.package], scratch)
    described = str(scratch.glob("*.dsc").__next__())
    _run(["dpkg-source", "--no-check", "-x", described, str(target)], scratch)


def _made(_project: Project, _scratch: Path, target: Path) -> None:
    for path, content in site.files():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_text(content, "utf-8")


_FETCHED = {"pip": _pip, "npm": _npm, "apt": _apt, "made": _made}


def _unpack(archive: Path, project: Project, scratch: Path, target: Path) -> None:
    inside = scratch / "unpacked"
    with tarfile.open(archive) as opened:
        opened.extractall(inside, filter="data")
    [top] = inside.iterdir()
    (top / project.folder).rename(target)


def _run(command: Sequence[str], cwd: Path) -> None:
    if shutil.which(command[0]) is None:
        raise NotSetUpError(f"{command[0]} is not installed.")
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotSetUpError(f"{' '.join(command)} failed: {done.stderr[-1000:]}")
