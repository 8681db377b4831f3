"""The structure as ARCHITECTURE.md draws it: who may import whom, and what stays pure."""

from __future__ import annotations

import ast
import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "server" / "boildown"

LEVELS = {
    "tree": 0,
    "folder_text": 0,
    "decoding": 0,
    "visible": 0,
    "grammar": 1,
    "engine": 2,
    "languages": 3,
    "runner": 3,
    "config": 3,
    "files": 3,
    "targets": 4,
    "history": 4,
    "jobs": 5,
    "cli": 6,
    "lsp": 6,
    "library": 6,
    "hypothesis": 7,
    "__main__": 7,
}
"""The level of each module or package directly under `boildown`."""

ALLOWED_BESIDE = {
    *(("config", "runner"), ("config", "files"), ("languages", "files"), ("runner", "files")),
}
"""Imports between two of the same level."""

FRONT_ENDS = ("cli", "lsp")
BELOW_FRONT_ENDS = ("jobs", "config", "targets", "files", "history")
"""The parts that a front end calls; it knows of nothing below them.

The library is none of these: the predicates, languages and grammars of its callers go straight to
the engine.
"""

PURE = 2
"""Up to this level there is no I/O, clock, thread or logging."""

PURE_IMPORTS = (
    *("__future__", "abc", "array", "bisect", "collections", "contextlib", "copy", "dataclasses"),
    *(
        "difflib",
        "enum",
        "fractions",
        "functools",
        "gc",
        "hashlib",
        "heapq",
        "html",
        "itertools",
        "json",
        "lark",
    ),
    *("math", "operator", "random", "re", "sre_compile", "sre_constants", "sre_parse", "string"),
    *("sys", "types", "typing", "typing_extensions"),
)

OWNERS = {
    "pygls": ("lsp",),
    "lsprotocol": ("lsp",),
    "subprocess": ("runner",),
    "lark": ("grammar",),
    "parso": ("languages", "targets"),
    "tree_sitter": ("languages",),
    "rich": ("cli",),
    "tomlkit": ("config", "languages"),
    "argparse": ("cli", "lsp"),
}
"""The only places that may import an outside thing."""

MODULES = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if path.relative_to(PACKAGE).parts[0] not in ("demo", "__init__.py")
)


def imports(path: Path) -> Iterator[str]:
    """Yield the full names of what a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def part(path: Path) -> str:
    """Return the module or package directly under `boildown` that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_lower_levels(path: Path) -> None:
    here = part(path)
    for name in imports(path):
        top, _, rest = name.partition(".")
        if top == "boildown":
            there = rest.split(".")[0]
            beside = there == here or (here, there) in ALLOWED_BESIDE
            assert there in LEVELS, f"{name}: give it a level"
            assert beside or LEVELS[there] < LEVELS[here], f"{here} must not import {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_front_end_converts_calls_and_converts(path: Path) -> None:
    here = part(path)
    for name in imports(path):
        top, _, rest = name.partition(".")
        if here in FRONT_ENDS and top == "boildown":
            assert rest.split(".")[0] in (here, *BELOW_FRONT_ENDS), f"{here} must not know {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_lower_levels_are_pure(path: Path) -> None:
    if LEVELS[part(path)] > PURE:
        return
    for name in imports(path):
        top = name.split(".")[0]
        assert top == "boildown" or top in PURE_IMPORTS, f"{part(path)} must not import {name}"
        assert top != "random" or name == "random.Random", "randomness comes in as a parameter"
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("open", "print", "input"), f"line {node.lineno}"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert node.value.id != "sys" or node.attr == "version_info", f"line {node.lineno}"


EXITS = ("channels.py", "display.py", "printing.py", "shared.py", "stopping.py")
"""The modules of the command line by which something reaches a terminal otherwise than by `print`:
results byte for byte, and sequences of Boildown's own."""


def test_the_command_line_prints_by_inert_streams_alone() -> None:
    main = (PACKAGE / "cli" / "main.py").read_text("utf-8")
    assert "    with inert_streams():\n        return _run(argv)\n" in main
    for path in sorted((PACKAGE / "cli").glob("*.py")):
        if path.name in EXITS:
            continue
        assert not [name for name in imports(path) if name.split(".")[0] == "rich"], path
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                used = ast.unparse(node)
                bad = ("sys.__std", "sys.stdout.write", "sys.stderr.write", "os.write", "os.fdopen")
                assert not used.startswith(bad), f"{path.name}, line {node.lineno}: {used}"
                assert node.attr not in ("buffer", "fileno"), f"{path.name}, line {node.lineno}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_one_package_owns_each_outside_thing(path: Path) -> None:
    for name in imports(path):
        owners = OWNERS.get(name.split(".")[0])
        assert owners is None or part(path) in owners, f"{name} belongs to {owners}"


def test_the_check_itself_sees_what_it_must() -> None:
    names = set(itertools.chain.from_iterable(map(imports, MODULES)))
    assert {"boildown.tree.Tree", "random.Random"} <= names
    assert len(MODULES) > 15


def test_a_server_starts_without_grammars_and_engine() -> None:
    code = "import sys, boildown.lsp.handlers; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ran.stdout.split()
    late = ("lark", "parso", "rich", "boildown.languages", "boildown.grammar", "boildown.tree")
    assert not {*late, "boildown.engine.problem", "boildown.jobs.work"}.intersection(loaded)


def modules_after(code: str) -> set[str]:
    """Return the modules that a Python imports for some code, of those that it had not before."""
    code = f"import sys; sys.path.insert(0, sys.argv.pop()); had = set(sys.modules)\n{code}\n"
    code += "print(*set(sys.modules) - had)"
    command = [sys.executable, "-I", "-S", "-c", code, str(PACKAGE.parent)]
    return set(subprocess.check_output(command, text=True).splitlines()[-1].split())


def test_importing_the_package_imports_nothing_else() -> None:
    assert modules_after("import boildown") - {"__future__"} == {"boildown"}


def test_help_needs_few_modules() -> None:
    code = (
        "from boildown.__main__ import main; sys.argv = ['boildown', '--help']\n"
        "try: main()\nexcept SystemExit: pass"
    )
    loaded = modules_after(code)
    own = {name for name in loaded if name.startswith("boildown.")}
    guardian = ("runner", "runner.guardian", "runner.guardian.linux")
    inert = ("cli.printing", "jobs", "jobs.inert", "visible")
    needed = ("__main__", "cli", "cli.channels", "cli.main", *inert, *guardian)
    assert own == {f"boildown.{name}" for name in needed}
    # Most of them are those of argparse; the number varies a little between Pythons.
    assert len(loaded) < 75


def test_the_library_imports_a_thing_when_it_is_asked_for() -> None:
    code = (
        "import sys, boildown; print(*sys.modules); print(); "
        "from boildown import failing_call, generalize, reduce, reducing; print(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, _, second = ran.stdout.partition("\n\n")
    assert [name for name in first.split() if name.startswith("boildown.")] == []
    late = {"boildown.jobs", "parso", "pygls", "rich", "subprocess", "tree_sitter"}
    assert not late.intersection(second.split())
