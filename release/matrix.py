"""Installed distributions on every Python that is there: `python -m release.matrix [3.10 …]`.

Wheel and sdist are built, and each is installed into an empty environment of each Python: the
wheel alone, the wheel with its extras, and the sdist. uv and pipx install the wheel as a tool, from
a folder of wheels in place of a registry. There `boildown` reduces JSON, Python, plain text and C,
and for the wheels that pip installs the tests that are marked `contract` run in a folder without
Boildown's sources. A row of the table that is printed says of each what came out. The exit status
is 1 if something failed, or if a Python is missing that was asked for by name.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import tomlkit

ROOT = Path(__file__).parents[1]
NEWEST = 15
"""The minor version of Python up to which one is looked for."""
EXTRAS = "cluster,completion"
BINARY = ("--only-binary=:all:", "--no-binary=boildown")
"""Options of pip: nothing that Boildown needs may have to be compiled."""
TEST_TOOLS = ("pytest", "pytest-asyncio", "pytest-lsp", "hypothesis")
"""What the contract's tests import; their versions are those of the extra `dev`."""
PREDICATE = """\
import sys
sys.exit("boom" if "null" in open(sys.argv[1]).read() else 0)
"""
INPUTS = {
    "a.json": '{"a": [1, {"b": null}], "c": 2}',
    "a.py": "def f(x):\n    return x\n\nnull = 3\nprint(null)\n",
    "a.txt": "some words\nwith null in it\nand others\n",
    "a.c": "int main(void) {\n    int *p = null;\n    return 0;\n}\n",
}
"""Inputs that the predicate fails on, each with the smallest text `null`."""
GUARD = """\
import sys
from pathlib import Path

def pytest_sessionstart():
    import boildown
    assert Path(boildown.__file__).is_relative_to(sys.prefix), boildown.__file__
    assert not [path for path in sys.path if Path(path).name == "server"], sys.path
"""
"""A `conftest.py` that refuses to test a checkout."""


class Failed(Exception):  # noqa: N818 - says what is the case
    """A step of a row failed; the message is its cell."""


@dataclass(frozen=True)
class Kind:
    """A way to install Boildown."""

    name: str
    suffix: str
    extras: str = ""


KINDS = (
    Kind("wheel", ".whl"),
    Kind("wheel, extras", ".whl", f"[{EXTRAS}]"),
    Kind("sdist", ".tar.gz"),
)


def oldest() -> int:
    """Return the minor version of the oldest Python that the project supports."""
    found = re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text())
    assert found is not None
    return int(found[1])


def interpreter(version: str) -> Path | None:
    """Return a Python of a version such as `3.12`, from pyenv or the path; None if none starts."""
    folder = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    candidates = [*sorted(folder.glob(f"{version}.*/bin/python"), reverse=True)]
    candidates += map(Path, filter(None, [shutil.which(f"python{version}")]))
    print_version = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    for each in candidates:
        ran = subprocess.run([each, "-c", print_version], capture_output=True, text=True)
        if ran.stdout.strip() == version:
            return each
    return None


def built(folder: Path) -> dict[str, Path]:
    """Build wheel and sdist; return each by its suffix."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return {suffix: next(folder.glob(f"boildown-*{suffix}")) for suffix in (".whl", ".tar.gz")}


def unpacked(sdist: Path, folder: Path) -> Path:
    """Return a folder with the sdist's tests, and none of the sources that they test."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (tests,) = folder.iterdir()
    shutil.rmtree(tests / "server")
    shutil.rmtree(tests / "grammars")
    (tests / "conftest.py").write_text(GUARD)
    return tests


def row(python: Path, kind: Kind, distribution: Path, tests: Path) -> tuple[str, str]:
    """Install and try one distribution; return what the commands and the tests gave.

    Raises Failed.
    """
    with tempfile.TemporaryDirectory(prefix="boildown-matrix-") as folder:
        own = environment(python, Path(folder, "env"))
        call([*own.pip, "install", *BINARY, f"{distribution}{kind.extras}"], "does not resolve")
        reduced = ", ".join(reductions(own.programs / "boildown", own.python, Path(folder)))
        if kind.suffix != ".whl":
            return reduced, "as the wheel"
        call([*own.pip, "install", *requirements()], "the tools of the tests do not resolve")
        return reduced, contract(own.python, tests)


def tool_rows(python: Path, wheel: Path) -> Iterator[tuple[str, str]]:
    """Install a wheel as a tool, by uv and by pipx; yield the name of each, and what it reduced.

    Raises Failed.
    """
    with tempfile.TemporaryDirectory(prefix="boildown-matrix-") as made:
        folder = Path(made)
        own = environment(python, folder / "env")
        index = folder / "index"
        call([*own.pip, "download", *BINARY, "--dest", index, wheel], "does not resolve")
        call([*own.pip, "install", "uv", "pipx"], "uv and pipx do not resolve")
        offline = ("--no-index", "--find-links", index)
        uv = {"UV_TOOL_DIR": "uv", "UV_TOOL_BIN_DIR": "uv-bin", "UV_CACHE_DIR": "uv-cache"}
        install: list[str | Path] = [
            own.programs / "uv",
            "tool",
            "install",
            "--python",
            python,
            *offline,
            "boildown",
        ]
        yield "uv tool", tool(install, uv, own.python, folder)
        pipx = {"PIPX_HOME": "pipx", "PIPX_BIN_DIR": "pipx-bin", "PIPX_MAN_DIR": "pipx-man"}
        given = f"--pip-args={shlex.join(map(str, offline))}"
        install = [own.programs / "pipx", "install", "--python", python, given, "boildown"]
        yield "pipx", tool(install, pipx, own.python, folder)


def tool(
    install: Sequence[str | Path], settings: dict[str, str], python: Path, folder: Path
) -> str:
    """Run the command that installs Boildown as a tool; return what the tool reduced.

    Settings are variables of the environment with folders, given relative to `folder`. Raises
    Failed.
    """
    places = {name: str(folder / place) for name, place in settings.items()}
    (programs,) = (Path(place) for name, place in places.items() if name.endswith("_BIN_DIR"))
    call(install, "it does not install", variables=places)
    return ", ".join(reductions(programs / "boildown", python, folder))


@dataclass(frozen=True)
class Environment:
    """An environment of one Python."""

    programs: Path

    @property
    def python(self) -> Path:
        """The environment's Python."""
        return self.programs / "python"

    @property
    def pip(self) -> tuple[str | Path, ...]:
        """The beginning of a command of its pip."""
        return (self.python, "-m", "pip", "--disable-pip-version-check", "--quiet")


def environment(python: Path, folder: Path) -> Environment:
    """Make an empty environment. Raises Failed."""
    call([python, "-m", "venv", folder], "no environment could be made")
    return Environment(folder / "bin")


def reductions(boildown: Path, python: Path, folder: Path) -> Iterator[str]:
    """Reduce an input of each kind; yield what was reduced. Raises Failed."""
    Path(folder, "fails.py").write_text(PREDICATE)
    for name, text in INPUTS.items():
        Path(folder, name).write_text(text)
        command = (boildown, name, "--no-keep-valid", "--json", "--", python, "fails.py", name)
        told = json.loads(call(command, name, folder))
        found = Path(folder, told["output"]).read_text().strip()
        Path(folder, told["output"]).unlink()
        if found != "null" or told["minimality"] != "1-character-minimal":
            raise Failed(f"{name}: {found!r}, {told['minimality']}")
        if missing := [note["text"] for note in told["notes"] if "pip install" in note["text"]]:
            raise Failed(f"{name}: {missing}")
        yield name.split(".")[1]


def requirements() -> list[str]:
    """Return the requirements of the tools that the tests need."""
    project = tomlkit.parse((ROOT / "pyproject.toml").read_text()).unwrap()["project"]
    wanted: list[str] = project["optional-dependencies"]["dev"]
    return [each for each in wanted if re.split(r"[><=\[]", each)[0] in TEST_TOOLS]


def contract(python: Path, tests: Path) -> str:
    """Run the tests of the contract; return pytest's last line. Raises Failed."""
    marked = [
        path for path in sorted(tests.rglob("test_*.py")) if "mark.contract" in path.read_text()
    ]
    options = ("-q", "-p", "no:cacheprovider", "-m", "contract")
    told = call([python, "-m", "pytest", *options, *marked], "contract", tests)
    return told.splitlines()[-1]


def call(
    command: Sequence[str | Path],
    what: str,
    folder: Path | None = None,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Run a command; return its output. Raises Failed with its last line."""
    given = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    argv = list(map(str, command))
    ran = subprocess.run(
        argv, cwd=folder, env={**given, **variables}, capture_output=True, text=True
    )
    if ran.returncode != 0:
        print(ran.stdout, ran.stderr, sep="", file=sys.stderr)
        lines = (ran.stdout + ran.stderr).strip().splitlines()
        raise Failed(f"{what}: {lines[-1] if lines else f'exit status {ran.returncode}'}")
    return ran.stdout


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description="Try wheel and sdist on every Python.")
    parser.add_argument("versions", nargs="*", metavar="3.N", help="default: all that are there")
    asked = parser.parse_args().versions
    versions = asked or [f"3.{minor}" for minor in range(oldest(), NEWEST + 1)]
    failed = False
    with tempfile.TemporaryDirectory(prefix="boildown-matrix-") as made:
        distributions = built(Path(made, "dist"))
        tests = unpacked(distributions[".tar.gz"], Path(made, "tests"))
        tell("Python", "installed", "reduces", "contract")
        for version in versions:
            python = interpreter(version)
            if python is None:
                tell(version, "–", "not tried: this Python is not there")
                failed |= bool(asked)
                continue
            for kind in KINDS:
                try:
                    cells = row(python, kind, distributions[kind.suffix], tests)
                except Failed as error:
                    cells = f"FAILED: {error}", ""
                    failed = True
                tell(version, kind.name, *cells)
            try:
                for name, reduced in tool_rows(python, distributions[".whl"]):
                    tell(version, name, reduced)
            except Failed as error:
                tell(version, "tools", f"FAILED: {error}")
                failed = True
    return int(failed)


def tell(version: str, installed: str, reduces: str, tested: str = "") -> None:
    """Print a row of the table."""
    print(f"{version:7} {installed:14} {reduces:45} {tested}".rstrip(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
