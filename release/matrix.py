"""Installed distributions on every Python that is there: `python -m release.matrix [3.10 …]`.

Wheel and sdist are built, and each is installed into an empty environment of each Python: the wheel
alone, the wheel with its extras, and the sdist. There `boildown` reduces JSON, Python, plain text
and C, and for the wheels the tests that are marked `contract` run in a folder without Boildown's
sources. A row of the table that is printed says of each what came out. The exit status is 1 if
something failed, or if a Python is missing that was asked for by name.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import tomlkit

ROOT = Path(__file__).parents[1]
NEWEST = 15
"""The minor version of Python up to which one is looked for."""
EXTRAS = "languages,cluster,completion"
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
        environment = Path(folder, "env")
        call([python, "-m", "venv", environment], "no environment could be made")
        own = environment / "bin" / "python"
        pip: list[str | Path] = [
            own,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
        ]
        # Only extras bring libraries that would have to be compiled.
        binary: list[str | Path] = ["--only-binary=:all:"] if kind.extras else []
        call([*pip, *binary, f"{distribution}{kind.extras}"], "does not resolve")
        reduced = ", ".join(reductions(environment, Path(folder), bool(kind.extras)))
        if kind.suffix != ".whl":
            return reduced, "as the wheel"
        call([*pip, *requirements()], "the tools of the tests do not resolve")
        return reduced, contract(own, tests)


def reductions(environment: Path, folder: Path, with_extras: bool) -> Iterator[str]:
    """Reduce an input of each kind; yield what was reduced. Raises Failed."""
    Path(folder, "fails.py").write_text(PREDICATE)
    for name, text in INPUTS.items():
        Path(folder, name).write_text(text)
        programs = environment / "bin"
        own = (programs / "boildown", "reduce", name, "--json", "--")
        told = json.loads(call([*own, programs / "python", "fails.py", name], name, folder))
        found = Path(folder, told["output"]).read_text().strip()
        if found != "null" or told["minimality"] != "1-character-minimal":
            raise Failed(f"{name}: {found!r}, {told['minimality']}")
        missing = [note["text"] for note in told["notes"] if "boildown[languages]" in note["text"]]
        if bool(missing) != (name == "a.c" and not with_extras):
            raise Failed(f"{name}: {missing or 'nothing is said to be missing'}")
        yield name.split(".")[1] + (" (says what is missing)" if missing else "")


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


def call(command: Sequence[str | Path], what: str, folder: Path | None = None) -> str:
    """Run a command; return its output. Raises Failed with its last line."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True
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
    return int(failed)


def tell(version: str, installed: str, reduces: str, tested: str = "") -> None:
    """Print a row of the table."""
    print(f"{version:7} {installed:14} {reduces:45} {tested}".rstrip(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
