"""The structure as ARCHITECTURE.md draws it: who may import whom, and what stays pure."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a module; each is parsed once for all checks."""
    return ast.parse(path.read_text("utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Yield the full names of what a module imports, wherever in it."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def all_imports() -> Iterator[tuple[Path, str, str]]:
    """Yield each module, the part that it belongs to, and the name of something it imports."""
    for path in MODULES:
        for name in imports(path):
            yield path, part(path), name


def part(path: Path) -> str:
    """Return the module or package directly under `boildown` that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def own_part(name: str) -> str | None:
    """Return the part of Boildown that an imported name is of; None if it is of none."""
    top, _, rest = name.partition(".")
    return rest.split(".")[0] if top == "boildown" else None


def test_a_module_imports_only_from_lower_levels() -> None:
    for path, here, name in all_imports():
        there = own_part(name)
        if there is not None:
            beside = there == here or (here, there) in ALLOWED_BESIDE
            assert there in LEVELS, f"{name}: give it a level"
            assert beside or LEVELS[there] < LEVELS[here], f"{path} must not import {name}"


def test_a_front_end_converts_calls_and_converts() -> None:
    for path, here, name in all_imports():
        there = own_part(name)
        if here in FRONT_ENDS and there is not None:
            assert there in (here, *BELOW_FRONT_ENDS), f"{path} must not know {name}"


def test_the_lower_levels_are_pure() -> None:
    for path, here, name in all_imports():
        if LEVELS[here] <= PURE:
            top = name.split(".")[0]
            assert top == "boildown" or top in PURE_IMPORTS, f"{path} must not import {name}"
            assert top != "random" or name == "random.Random", f"{path}: randomness is a parameter"
    for path in MODULES:
        for node in ast.walk(parsed(path)) if LEVELS[part(path)] <= PURE else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                at = f"{path}, line {node.lineno}"
                assert node.func.id not in ("open", "print", "input"), at
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                at = f"{path}, line {node.lineno}"
                assert node.value.id != "sys" or node.attr == "version_info", at


def circles(imported: dict[str, set[str]]) -> list[set[str]]:
    """Return the sets of modules that import each other, directly or by way of others."""
    reached: dict[str, set[str]] = {}
    for name in imported:
        waiting, seen = [name], set[str]()
        while waiting:
            new = imported[waiting.pop()] - seen
            seen |= new
            waiting += new
        reached[name] = seen
    found: list[set[str]] = []
    for name, those in reached.items():
        if name in those and not any(name in circle for circle in found):
            found.append({each for each in those if name in reached[each]})
    return found


def test_no_modules_import_each_other() -> None:
    """Imports inside of functions and those for types alone count, too."""
    named = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        ): path
        for path in MODULES
    }
    imported = {
        module: {
            there
            for name in imports(path)
            if (there := name if name in named else name.rpartition(".")[0]) in named
        }
        for module, path in named.items()
    }
    assert len(imported["boildown.cli.main"]) > 2
    assert circles(imported) == []


def test_no_files_of_the_extension_import_each_other() -> None:
    source = PACKAGE.parents[1] / "vscode-extension" / "src"
    own = re.compile(r"""\b(?:from|import|require) *\(?["'](\.[^"']+)["']""")
    texts = {path: path.read_text("utf-8") for path in source.rglob("*.ts")}
    imported = {
        os.path.relpath(path.with_suffix(""), source): {
            os.path.relpath(path.parent / there, source)
            for there in own.findall(text)
            if not there.endswith(".css")
        }
        for path, text in texts.items()
    }
    assert "server" in imported["commands"], "a type"
    assert "client" in imported["server"], "imported late"
    assert circles(imported) == []


def test_a_circle_is_found_from_each_of_its_modules() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"a", "e"}}) == [
        {"b", "c"},
        {"e"},
    ]


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
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Attribute):
                used = ast.unparse(node)
                bad = ("sys.__std", "sys.stdout.write", "sys.stderr.write", "os.write", "os.fdopen")
                assert not used.startswith(bad), f"{path.name}, line {node.lineno}: {used}"
                is_read = used == "sys.stdin.buffer"
                bad_end = node.attr in ("buffer", "fileno") and not is_read
                assert not bad_end, f"{path.name}, line {node.lineno}"


def test_one_package_owns_each_outside_thing() -> None:
    for path, here, name in all_imports():
        owners = OWNERS.get(name.split(".")[0])
        assert owners is None or here in owners, f"{path}: {name} belongs to {owners}"


def test_the_check_itself_sees_what_it_must() -> None:
    names = {name for _, _, name in all_imports()}
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


def test_a_job_needs_no_parser_that_is_compiled() -> None:
    """The extension for editors carries none, and offers to install them."""
    code = (
        "import sys; sys.modules['tree_sitter'] = None\n"
        "import boildown.jobs.explain, boildown.jobs.generalize, boildown.jobs.reduce\n"
        "import boildown.jobs.report, boildown.jobs.why, boildown.jobs.folder_results"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


LONGEST_FUNCTION = 60
"""Lines of a function, without its docstring."""
MOST_PARAMETERS = 6
"""Parameters of a function, `self` and the keyword-only ones of public functions apart."""
LONGER = {
    "engine/generalizing/generalize.py:generalize": 112,
    "engine/laws/attack.py:challenged": 68,
    "runner/preflight/diagnosis.py:no_reproduction": 71,
}
"""Functions that are longer, with their lines: none may grow, and no other may join them.

That of the preflight is a table of messages.
"""


def functions(path: Path) -> Iterator[tuple[str, int, int]]:
    """Yield the functions of a module: name, lines without the docstring, and parameters."""
    methods = {
        id(each)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef)
        for each in node.body
    }
    for node in ast.walk(parsed(path)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        assert node.end_lineno is not None
        lines, first = node.end_lineno - node.lineno + 1, node.body[0]
        if ast.get_docstring(node, clean=False) is not None:
            assert first.end_lineno is not None
            lines -= first.end_lineno - first.lineno + 1
        given = node.args
        named = [each.arg for each in (*given.posonlyargs, *given.args)]
        is_bound = id(node) in methods and named[:1] in (["self"], ["cls"])
        is_private = node.name.startswith("_") and not node.name.endswith("__")
        yield node.name, lines, len(named) - is_bound + is_private * len(given.kwonlyargs)


def test_functions_are_short_and_take_few_parameters() -> None:
    longer, wider = {}, {}
    for path in MODULES:
        for name, lines, parameters in functions(path):
            named = f"{path.relative_to(PACKAGE).as_posix()}:{name}"
            if lines > LONGEST_FUNCTION:
                longer[named] = lines
            if parameters > MOST_PARAMETERS:
                wider[named] = parameters
    assert longer == LONGER
    assert wider == {}
