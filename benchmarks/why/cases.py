"""The real bugs: an old release, an input that shows its fault, and the functions that were wrong.

Each is a file in `bugs`. Its truth was made by `freeze`, from the two releases and from a run on
the input, so that measuring needs the old release alone. The bugs are frozen: nothing may be tuned
to the unseen half of them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tomlkit
from benchmarks.bugs import ENVIRONMENTS
from benchmarks.first_tries.__main__ import set_up
from benchmarks.processes import run

HERE = Path(__file__).resolve().parent
HOME = ENVIRONMENTS / "why"
COSTS = HERE / "costs.json"
"""How much more processor time traced runs take, by version of Python and bug; see `costs`."""
LANGUAGES = ("Python", "JavaScript")
KINDS = ("crash", "wrong result")
MOST = 10
"""A bug with more changed functions than these is left out."""


@dataclass(frozen=True, slots=True)
class Bug:
    """A known bug of a release."""

    name: str
    kind: str
    """"crash", or "wrong result" if no traceback tells the failure."""
    registry: str
    """"pip" or "npm"."""
    package: str
    bad: str
    """The release that has the bug."""
    fixed: str
    """The release that has it no more."""
    issue: str
    """Where it was reported."""
    file: str
    """The name of the input."""
    input: str
    command: str
    """The line for a shell, in the folder of the input."""
    needs: tuple[str, ...] = ()
    """Further packages of the registry, with their versions."""
    compared: bool = False
    """Whether the failure is another output than that of the fixed release."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Further files of the user, by name."""
    truth: tuple[tuple[str, str], ...] = ()
    """Files, from where packages are installed, with functions that differ and that run."""

    @property
    def language(self) -> str:
        """What the program is written in."""
        return {"pip": "Python", "npm": "JavaScript"}[self.registry]


def release(bug: Bug, version: str) -> str:
    """Return a release of a bug's package as its registry names it."""
    return f"{bug.package}{'==' if bug.registry == 'pip' else '@'}{version}"


def load(path: Path) -> Bug:
    """Read a bug."""
    values = tomlkit.parse(path.read_text("utf-8")).unwrap()
    values["truth"] = tuple((each["file"], each["function"]) for each in values.get("truth", ()))
    values["needs"] = tuple(values.get("needs", ()))
    files = {name: text.lstrip("\n") for name, text in values.get("files", {}).items()}
    values["input"] = values["input"].removeprefix("\n")
    return Bug(**{**values, "name": path.stem, "files": files})


def bugs() -> list[Bug]:
    """Return all bugs, by language, kind and name."""
    found = [load(path) for path in sorted((HERE / "bugs").glob("*.toml"))]
    return sorted(found, key=lambda bug: (bug.registry != "pip", KINDS.index(bug.kind), bug.name))


def unseen(of: Sequence[Bug]) -> set[str]:
    """Return the names of the unseen half: of each language and kind, every second by a digest."""
    groups: dict[tuple[str, str], list[str]] = {}
    for bug in of:
        groups.setdefault((bug.registry, bug.kind), []).append(bug.name)
    ordered = [name for key in sorted(groups) for name in sorted(groups[key], key=digest)]
    return set(ordered[::2])


def digest(name: str) -> str:
    """Return the digest of a name, by which bugs are chosen."""
    return hashlib.sha256(name.encode()).hexdigest()


def missing(bug: Bug) -> list[str]:
    """Return the programs of the machine that a bug needs and that are not there."""
    return (
        []
        if bug.registry == "pip"
        else [each for each in ("node", "npm") if not shutil.which(each)]
    )


@dataclass(frozen=True, slots=True)
class Place:
    """Where the packages of a bug are."""

    bug: Bug
    packages: Path
    """The folder that they are installed into: site-packages, or node_modules."""
    variables: Mapping[str, str]

    def lay(self, folder: Path) -> None:
        """Write the user's files into a folder."""
        for name, content in {**self.bug.files, self.bug.file: self.bug.input}.items():
            (folder / name).write_bytes(content.encode())

    def run(self, **more: str) -> tuple[int, str, str]:
        """Run the command once; return its status, output and errors."""
        with tempfile.TemporaryDirectory(prefix="why-bug-") as made:
            self.lay(Path(made))
            return run(["sh", "-c", self.bug.command], Path(made), {**self.variables, **more}, 120)


def place(bug: Bug, version: str = "") -> Place:
    """Install a release of a bug's package, that with the bug if none is named, unless it is."""
    home = HOME / f"{bug.package.strip('@').replace('/', '-')}-{version or bug.bad}"
    wanted = (release(bug, version or bug.bad), *bug.needs)
    python = bug.registry == "pip"
    programs = set_up(home, wanted if python else (), () if python else wanted)
    variables = {
        **os.environ,
        "PATH": os.pathsep.join([str(programs[0]), os.environ["PATH"]]),
        "NODE_PATH": str(home / "node_modules"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    variables.pop("VIRTUAL_ENV", None)
    packages = (
        next(home.glob("python/lib/python3*/site-packages")) if python else home / "node_modules"
    )
    return Place(bug, packages, variables)
