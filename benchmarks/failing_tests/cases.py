"""Reads the failing tests and their labels, and sets the packages up from their registry."""

from __future__ import annotations

import functools
import gzip
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import tomlkit
from benchmarks.bugs import ENVIRONMENTS
from benchmarks.failing_tests.grading import Case
from benchmarks.first_tries.__main__ import set_up

HERE = Path(__file__).resolve().parent
HOME = ENVIRONMENTS / "failing_tests"
NEEDS = (
    "pytest==9.0.2",
    "hypothesis==6.170.17",
    "pytest-asyncio==1.5.0",
    "pytest-regressions==2.11.0",
    "click==8.5.1",
    "markupsafe==3.0.4",
    "mdurl==0.1.2",
    "pyyaml==6.0.4",
    "trio==0.35.0",
    "wcwidth==0.9.4",
)
"""What the tests need, in one environment."""
_FIELDS = {"test", "file", "input", "also", "bytes", "is_encoded", "is_example", "files"}


@functools.cache
def packages() -> dict[str, dict[str, Any]]:
    """Return the declarations of the packages by name."""
    return {path.stem: _read(path) for path in sorted((HERE / "packages").glob("*.toml"))}


def cases() -> list[Case]:
    """Return all failing tests: those of the packages, then the shapes."""
    real = [
        _case(f"{name}-{n:02}", values, package=name)
        for name, package in packages().items()
        for n, values in enumerate(package["tests"], 1)
    ]
    return real + [_case(path.stem, _read(path)) for path in sorted((HERE / "shapes").glob("*"))]


def programs() -> Path:
    """Return the folder of the Python that runs the tests, which is made where it is not there."""
    return set_up(HOME, NEEDS, ())[0]


def lay(case: Case, folder: Path) -> None:
    """Lay the files of a test into a fresh folder; a package is got from its registry first."""
    if case.package:
        shutil.copytree(_package(case.package), folder)
        return
    folder.mkdir()
    (folder / "pyproject.toml").touch()
    for name, text in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = text.encode()
        path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def _package(name: str) -> Path:
    """Return the folder of a package: an older release's source with a newer one's tests."""
    target = HOME / "packages" / name
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    package = packages()[name]
    with tempfile.TemporaryDirectory(dir=target.parent) as made:
        joined = Path(made, "joined")
        joined.mkdir()
        for release, folder in ((package["old"], "source"), (package["new"], "suite")):
            top = _unpacked(release, Path(made, release))
            shutil.copytree(top / package[folder], joined / package[folder])
        paths = 'pythonpath = ["src", "."]\n'
        (joined / "pyproject.toml").write_text("[tool.pytest.ini_options]\n" + paths)
        # Last, for it is what says that the package is set up.
        joined.rename(target)
    return target


def _unpacked(release: str, scratch: Path) -> Path:
    scratch.mkdir()
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-binary", ":all:", release], cwd=scratch, check=True)
    with tarfile.open(next(scratch.glob("*.tar.gz"))) as archive:
        archive.extractall(scratch / "unpacked", filter="data")
    [top] = (scratch / "unpacked").iterdir()
    return top


def _read(path: Path) -> dict[str, Any]:
    return tomlkit.parse(path.read_text("utf-8")).unwrap()


def _case(name: str, values: dict[str, Any], package: str = "") -> Case:
    if unknown := values.keys() - _FIELDS:
        raise ValueError(f"{name}: unknown field {sorted(unknown)[0]!r}")
    lists = {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
    files = {file: text.lstrip("\n") for file, text in values.get("files", {}).items()}
    return Case(name, package=package, **{**values, **lists, "files": files})
