"""Good versions: a revision, a release or a folder on which the same test command runs.

`git:REV` is that revision of the repository around the command's directory, `pip:SPEC` and
`npm:SPEC` are releases, installed into a folder of their own: in front of what is there, or over a
copy of it. Each is made once, in the user's cache, and nothing of the repository or of an
environment is touched. What else is named is another command.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import platformdirs

from boildown.files import FileError, read_text
from boildown.runner.command import VERSION_KINDS, TestCommand
from boildown.runner.pytest_runs import find_interpreter
from boildown.runner.run import CannotRun, Obstacle
from boildown.runner.workspace import make_mirror, snapshot, workspace_of

_PATIENCE = 600
"""Seconds that an installation may take."""


@dataclass(frozen=True, slots=True)
class _Version:
    """The place of a version, and the variables by which the command finds it."""

    cwd: Path
    told: str
    environment: Mapping[str, str]
    workspace: Path | None = None
    """All that stands in it for the workspace of the command, if it has that."""


def with_good_version(command: TestCommand, tell: Callable[[str], None]) -> TestCommand:
    """Return a command whose good version is a command that runs; `tell` gets how it was read.

    Raises CannotRun if it cannot be made.
    """
    if len(command.good) != 1 or command.good_cwd is not None:
        return command
    (spec,) = command.good
    kind, _, name = spec.partition(":")
    if spec.startswith(VERSION_KINDS) and name:
        version = {"git": _revision, "pip": _release, "npm": _package}[kind](command, name)
    elif os.path.isdir(command.cwd / spec):
        folder = command.cwd / spec
        version = _Version(folder, f"the same command in the folder {folder}", {})
    else:
        return command
    tell(f"The good version is {version.told}.")
    argv = tuple(_moved(part, command.cwd, version.cwd) for part in command.argv)
    environment = {**command.environment, **version.environment}
    return replace(
        command,
        good=argv,
        good_cwd=version.cwd,
        good_workspace=version.workspace,
        good_environment=environment,
    )


def fitting_version(command: TestCommand, source: str = "", tool: bool = False) -> str:
    """Return a value for a good version that fits, without any network.

    That is the predecessor of the package that the first program of the command is from, or what a
    script in it imports or starts, if the failure is of the `tool`, or of what `source`, the script
    of the command, starts or imports; else the last tag, or the revision before.
    """
    if tool:
        words = command.argv[2].split() if command.argv[1:2] == ("-c",) else command.argv
        if installed := _package_of(command, words):
            return installed
        source = "\n".join((*command.argv, *(text for _, text in named_scripts(command))))
    if installed := next(filter(None, _before_used(command, source)), ""):
        return installed
    git = ["git", "-C", str(command.cwd)]
    with contextlib.suppress(CannotRun):
        return f"git:{_output([*git, 'describe', '--tags', '--abbrev=0'])}"
    with contextlib.suppress(CannotRun):
        _output([*git, "rev-parse", "HEAD~1"])
        return "git:HEAD~1"
    return "pip:NAME==VERSION"


def named_scripts(command: TestCommand) -> Iterator[tuple[str, str]]:
    """Yield the names and sources of the short scripts among the first words of a command."""
    for word in command.argv[:3]:
        with contextlib.suppress(FileError):
            if len(source := read_text(command.cwd / word)) <= _LONGEST_SCRIPT:
                yield os.path.basename(word), source


_LONGEST_SCRIPT = 10_000
"""Characters of a script up to which it may be a check; a longer one is a program."""
_IMPORTS = re.compile(
    r"(?:^|;)[ \t]*(?:from|import)[ \t]+(?P<python>\w+)"
    r"|(?:\brequire\(\s*|\bfrom\s*|^import\s*)['\"](?P<node>(?:@[\w.-]+/)?[\w./-]+)",
    re.MULTILINE,
)
_PROGRAM = re.compile(r"[\w./@-]*\w")
_OF_SYSTEM = frozenset(map(Path, ("/bin", "/sbin", "/usr/bin", "/usr/sbin")))
_OF_NODE = frozenset({"assert", "child_process", "fs", "node", "os", "path", "util", "vm"})
"""Modules that come with Node; also what stands before the colon in `node:fs`."""
_ASKED = """
import importlib.metadata, sys
for each in importlib.metadata.distributions():
    tops = {str(path).partition("/")[0] for path in each.files or ()}
    tops |= {path.name for path in each.files or () if path.parent.name == "bin"}
    if tops & {sys.argv[1], sys.argv[1] + ".py"}:
        print("pip:" + each.metadata["Name"] + "<" + each.version)
        break
"""
"""Asks a Python for the distribution that a module or a program comes from."""


def imported(source: str) -> Iterator[str]:
    """Yield the packages and files that a script in Python or for Node imports, in order.

    Those of the standard libraries are none.
    """
    for found in _IMPORTS.finditer(source):
        name = found["python"] or found["node"]
        if name not in sys.stdlib_module_names and name not in _OF_NODE:
            yield name


def _before_used(command: TestCommand, source: str) -> Iterator[str]:
    """Yield the releases before each package that a script names by a path, import or program."""
    words = dict.fromkeys(_PROGRAM.findall(source))
    yield from (_package_of(command, [word]) for word in words if "/" in word)
    for name in imported(source):
        own = (command.cwd / f"{name}{end}" for end in ("", ".py", ".js"))
        if not any(map(os.path.lexists, own)):
            yield _installed(command, name)
    yield from (_package_of(command, [word]) for word in words if "/" not in word)


def _installed(command: TestCommand, name: str) -> str:
    """Return the releases before the one of a package that a command uses; empty if none does."""
    for above in (command.cwd, *command.cwd.parents):
        if before := _before_package(above / "node_modules" / name):
            return before
    return _distribution(command, _python(command), name)


def _distribution(command: TestCommand, python: str, name: str) -> str:
    """Return the releases before the one of a module's distribution; empty if there is none."""
    with contextlib.suppress(CannotRun):
        return _output([python, "-c", _ASKED, name], command.cwd, command.environment)
    return ""


def _package_of(command: TestCommand, words: Sequence[str]) -> str:
    """Return the releases before the one of the package that a program is from, if any.

    The program is a module of Python, or stands beside its Python, or it is one of Node.
    """
    if words[1:2] == ["-m"] and len(words) > 2:
        return _distribution(command, words[0], words[2])
    name = str(command.cwd / words[0]) if "/" in words[0] else words[0]
    if (there := shutil.which(name)) is None:
        return ""
    found = Path(os.path.realpath(there))
    modules = (each for each in found.parents if each.parent.name == "node_modules")
    if package := next(filter(None, map(_before_package, modules)), ""):
        return package
    python = found.with_name("python3")
    is_beside = found.parent not in _OF_SYSTEM and os.path.lexists(python)
    return _distribution(command, str(python), found.name) if is_beside else ""


def _before_package(folder: Path) -> str:
    """Return the releases before the one of a package of Node in a folder; empty if none is."""
    with contextlib.suppress(FileError, ValueError, KeyError, TypeError):
        about = json.loads(read_text(folder / "package.json"))
        return f"npm:{about['name']}@<{about['version']}"
    return ""


def _python(command: TestCommand) -> str:
    """Return the Python of a command."""
    is_python = os.path.basename(command.argv[0]).startswith("python")
    return command.argv[0] if is_python else find_interpreter(command.cwd)[0]


def _moved(part: str, cwd: Path, to: Path) -> str:
    """Return an argument with a path below one folder led to another, if that has it, too."""
    prefix = f"{cwd}{os.sep}"
    moved = to / part.removeprefix(prefix)
    return str(moved) if part.startswith(prefix) and os.path.lexists(moved) else part


def _revision(command: TestCommand, revision: str) -> _Version:
    """Write the files of a revision into a folder."""
    git = ["git", "-C", str(command.cwd)]
    root = Path(_output([*git, "rev-parse", "--show-toplevel"]))
    # Not taken for an option, whatever its name is.
    wanted = ["rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}"]
    commit = _output([*git, *wanted])

    def make(folder: Path) -> None:
        packed = folder.with_suffix(".tar")
        _output(["git", "-C", str(root), "archive", "--output", str(packed), commit])
        shutil.unpack_archive(packed, folder, "tar")
        packed.unlink()

    folder = _made("git", f"{root} {commit}", make)
    within = os.path.relpath(command.cwd.resolve(), root)
    around = workspace_of(command).resolve()
    version = folder / around.relative_to(root) if around.is_relative_to(root) else None
    told = f"the same command in revision {commit[:12]}"
    return _Version(folder / within, told, {}, version)


_FIRST = """
import os, sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

class Release:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, [HERE]) if path is None else None

HERE = os.path.dirname(__file__)
others = [path for path in sys.path if path != HERE]
if (spec := PathFinder.find_spec("sitecustomize", others)) is not None:
    spec.loader.exec_module(module_from_spec(spec))
sys.meta_path.insert(0, Release)
"""
"""Has Python look for a package beside this module first, even before the folder of a script.

There the package itself stands where its tests are run in its repository.
"""


def _release(command: TestCommand, spec: str) -> _Version:
    """Install a release of Python packages into a folder, for the Python of the command."""
    python = _python(command)

    def make(folder: Path) -> None:
        install = [python, "-m", "pip", "install", "--quiet", "--target", str(folder), spec]
        _output(install, command.cwd)
        (folder / "sitecustomize.py").write_text(_FIRST)

    folder = _made("pip", f"{python} {spec} {_FIRST}", make)
    front = {"PYTHONPATH": str(folder), "PATH": str(folder / "bin")}
    told = f"the same command with {spec} from pip in front of what is installed"
    return _Version(command.cwd, told, _before(command, front))


def _package(command: TestCommand, spec: str) -> _Version:
    """Install a release of packages of Node into a copy of the workspace, over its own packages.

    Node looks for packages where a script stands, whatever the variables say, and so does a path
    to a program, such as `node_modules/.bin/tool`.
    """

    def install(folder: Path) -> None:
        _output(["npm", "install", "--silent", "--no-audit", "--prefix", str(folder), spec])

    release = _made("npm", spec, install) / "node_modules"
    around = workspace_of(command)
    around = around if command.cwd.is_relative_to(around) else command.cwd
    within = command.cwd.relative_to(around)
    own = next((each for each in (within, *within.parents) if _has_modules(around / each)), within)

    def copy(folder: Path) -> None:
        folder.rmdir()
        make_mirror(around, command.input_path, folder)
        modules = folder / own / "node_modules"
        modules.unlink(missing_ok=True)
        _layer(modules, release, around / own / "node_modules")

    files = sorted(snapshot(around).items())
    folder = _made("npm", f"{around} {spec} {files}", copy)
    modules = folder / own / "node_modules"
    front = {"NODE_PATH": str(modules), "PATH": str(modules / ".bin")}
    told = f"the same command with {spec} from npm, over what is installed"
    return _Version(folder / within, told, _before(command, front), folder)


def _has_modules(folder: Path) -> bool:
    return os.path.isdir(folder / "node_modules")


def _layer(modules: Path, *layers: Path) -> None:
    """Link packages and programs into a folder: of each name those of the first layer with it."""
    modules.mkdir()
    for layer in filter(os.path.isdir, layers):
        for entry in os.scandir(layer):
            inner = modules / entry.name
            if os.path.lexists(inner):
                continue
            if entry.name.startswith("@") or entry.name == ".bin":
                _layer(inner, *(each / entry.name for each in layers))
            else:
                inner.symlink_to(entry.path)


def _before(command: TestCommand, front: Mapping[str, str]) -> dict[str, str]:
    """Return variables that are lists of folders, each with another one in front."""
    known = {**os.environ, **command.environment}
    return {
        name: os.pathsep.join(filter(None, (folder, known.get(name, ""))))
        for name, folder in front.items()
    }


def _made(kind: str, key: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of a version in the user's cache; it appears there when it is whole."""
    versions = platformdirs.user_cache_path("boildown") / "versions"
    digest = hashlib.blake2b(key.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
    place = versions / f"{kind}-{digest}"
    if os.path.isdir(place):
        return place
    try:
        versions.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=versions) as fresh:
            folder = Path(fresh) / "version"
            folder.mkdir()
            make(folder)
            folder.replace(place)
    except OSError as error:
        if not os.path.isdir(place):
            message = f"The good version could not be made: {error}."
            raise CannotRun(message, Obstacle.USAGE) from error
    return place


def _output(
    argv: Sequence[str], cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> str:
    """Return the output of a tool. Raises CannotRun with the end of its complaint."""
    variables = {**os.environ, **(environment or {})}
    try:
        done = subprocess.run(
            argv,
            cwd=cwd,
            env=variables,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        message = f"The good version could not be made: {error}."
        raise CannotRun(message, Obstacle.USAGE) from error
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        why = said[-1] if said else f"exit {done.returncode}"
        message = f"The good version could not be made, for {argv[0]} says: {why}"
        raise CannotRun(message, Obstacle.USAGE)
    return done.stdout.strip()
