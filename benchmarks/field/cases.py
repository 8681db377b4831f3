"""The bugs of the field: an old release, its language, and triggers that people would write.

Each is a file in `bugs`. Its inputs are files as packages ship them, with a trigger in their
midst. The program is the truth. The unseen ones are frozen: nothing may be tuned to them.
"""

from __future__ import annotations

import configparser
import importlib.util
import io
import random
import re
import sys
import textwrap
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from email.message import Message
from importlib import metadata
from pathlib import Path
from types import CodeType
from typing import cast

import tomlkit
from benchmarks.field.releases import compared, folder

HERE = Path(__file__).resolve().parent
GRAMMARS = HERE.parents[1] / "grammars"
PASSING = 40
"""Passing inputs of a bug."""
OTHER_FILES = 3
"""Files that each trigger is put into."""
EDITS = 3
"""Lines of an input that a mutant lacks, has twice, or has elsewhere."""
_MODULES = ("textwrap", "shlex", "calendar", "csv", "gettext", "cmd", "sched", "fnmatch", "bdb")
_READMES = ("hatchling", "hypothesis", "rich", "click", "attrs", "cattrs", "pathspec", "msgpack")
_STATEMENTS = (
    "select {a}, {b} from {c} where {a} > 3 and {b} is not null;",
    "insert into {c} ({a}, {b}) values (1, 'x'), (2, 'y');",
    "create table {c}_{a} ({a} integer primary key,\n  {b} text default '', note text);",
    "update {c} set {a} = {a} + 1\n where {b} in (select {b} from {c} where {a} < 9);",
    "-- Rows of {c} by {a}.\nselect {b}, count({a}) from {c} group by {b} order by {b} desc;",
)
_WORDS = ("users", "orders", "items", "prices", "stock", "shops", "towns", "days", "owners", "tags")

Call = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Case:
    """A bug with what its users would write."""

    name: str
    package: str
    """The release that has the bug, as pip or npm names it."""
    issue: str
    language: str
    call: str
    """Source of a function `call` that raises if, and only if, a text shows a fault.

    Where there is a fixed release it returns what a release makes of a text, as text.
    """
    trigger: str
    others: Sequence[str]
    """Three more triggers, as other users would hit the bug."""
    near: Sequence[str]
    """Three like them that pass."""
    place: str = "middle"
    """Where triggers stand in a file: "middle" or "end"."""
    files: str = ""
    """The kind of files that triggers stand in, if it is not that of the language."""
    fixed: str = ""
    """The release that has the bug no more, whose answer is the truth for a wrong result."""
    unseen: bool = False

    def load(self) -> Call:
        """Return the function that shows the fault."""
        if self.fixed:
            return compared(self.call, self.package, self.fixed)
        sys.path.insert(0, str(folder(self.package)))
        names: dict[str, Call] = {}
        code: CodeType = compile(self.call, f"{self.name}.py", "exec")
        exec(code, names)
        return names["call"]


def cases() -> list[Case]:
    """Return all bugs by name."""
    return [
        Case(path.stem, **tomlkit.parse(path.read_text("utf-8")).unwrap())
        for path in sorted((HERE / "bugs").glob("*.toml"))
    ]


def failure(call: Call, text: str) -> str:
    """Return the kind of error with its function; empty for none, "invalid" for no program."""
    try:
        call(text)
    except SyntaxError:
        return "invalid"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {last.name}"
    return ""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a bug is measured with."""

    original: str
    failing: list[str] = field(default_factory=list)
    """Written by hand, in other files."""
    passing: list[str] = field(default_factory=list)
    ordinary: list[str] = field(default_factory=list)
    """Files as they are; they pass."""


def inputs(case: Case, call: Call) -> Inputs:
    """Make the inputs of a bug. The failing ones fail as the first does, the passing ones pass.

    Raises:
        ValueError: what was written by hand does not behave as it should.
    """
    rng = random.Random(case.name)
    files = [each for each in FILES[case.files or case.language]() if not failure(call, each)]
    original = put(case, files[0], case.trigger, rng)
    wanted = failure(call, original)
    found = Inputs(original, ordinary=files)
    for trigger in (case.trigger, *case.others):
        for file in files[1 : 1 + OTHER_FILES]:
            text = put(case, file, trigger, rng)
            if failure(call, text) != wanted or not wanted:
                raise ValueError(f"{case.name}: {trigger!r} does not fail as the first does")
            found.failing.append(text)
    for trigger in case.near:
        for file in files[1 : 1 + OTHER_FILES]:
            text = put(case, file, trigger, rng)
            if failure(call, text):
                raise ValueError(f"{case.name}: {trigger!r} does not pass")
            found.passing.append(text)
    found.passing.extend(files[1:])
    for _ in range(40 * PASSING):
        if len(found.passing) >= PASSING:
            break
        text = mutant(rng.choice([original, *found.failing]), case.trigger, rng)
        if not failure(call, text):
            found.passing.append(text)
    return found


def put(case: Case, file: str, trigger: str, rng: random.Random) -> str:
    """Put a trigger between two blocks of a file, or at its end."""
    if case.place == "end":
        return f"{file.rstrip()}\n\n{trigger.lstrip(chr(10))}"
    gaps = list(_gaps(file, BLOCKS.get(case.files or case.language, _BLOCK)))
    middle = [at for at in gaps if len(file) // 5 < at < 4 * len(file) // 5]
    at = rng.choice(middle or gaps)
    return f"{file[:at]}{trigger.lstrip(chr(10))}\n\n{file[at:]}"


def _gaps(file: str, block: str) -> Iterator[int]:
    """Yield the offsets of lines that begin a block, in no fence and no text of several lines."""
    for found in re.finditer(block, file):
        if (
            not file.count("```", 0, found.start()) % 2
            and not file.count('"""', 0, found.start()) % 2
        ):
            yield found.start()


def mutant(text: str, trigger: str, rng: random.Random) -> str:
    """Return a text in which lines went, came twice, or moved, one of them near the trigger."""
    lines = text.split("\n")
    own = {each for each in trigger.split("\n") if each.strip()}
    near = [index for index, line in enumerate(lines) if line in own]
    for number in range(EDITS):
        at = rng.choice(near) if near and not number else rng.randrange(len(lines))
        if at >= len(lines):
            continue
        line = lines[at]
        way = rng.randrange(4)
        if way == 0:
            del lines[at]
        elif way == 1:
            lines.insert(rng.randrange(len(lines)), lines.pop(at))
        elif way == 2 and line.strip():
            words = re.findall(r"\s+|\w+|[^\s\w]", line)
            del words[rng.randrange(len(words))]
            lines[at] = "".join(words)
        else:
            lines.insert(at, line)
    return "\n".join(lines)


def _modules() -> Iterator[str]:
    """Yield modules of the standard library."""
    for name in _MODULES:
        source = __import__(name).__file__
        assert source is not None
        yield Path(source).read_text("utf-8")


def _readmes() -> Iterator[str]:
    """Yield descriptions of packages, which are Markdown."""
    for name in _READMES:
        found = cast("Message", metadata.metadata(name))
        yield str(found.get_payload() or textwrap.dedent(found["Description"] or ""))


def _scripts() -> Iterator[str]:
    """Yield files of SQL, which packages seldom ship: statements in any order."""
    for seed in range(8):
        rng = random.Random(seed)
        statements = []
        for _ in range(rng.randrange(40, 120)):
            a, b, c = rng.sample(_WORDS, 3)
            statements.append(rng.choice(_STATEMENTS).format(a=a, b=b, c=c))
        yield "\n\n".join(statements) + "\n"


def _pages() -> Iterator[str]:
    """Yield descriptions of packages as pages of HTML, as a registry shows them.

    The renderer is imported here, for a bug may be in an old release of it.
    """
    renderer = importlib.import_module("markdown_it").MarkdownIt().enable("table")
    yield from map(renderer.render, _readmes())


def _settings() -> Iterator[str]:
    """Yield files of INI, which packages seldom ship: what five of them say of themselves."""
    for at in range(len(_READMES)):
        parser = configparser.ConfigParser(interpolation=None)
        for name in (_READMES * 2)[at : at + 5]:
            found = metadata.metadata(name)
            parser[name] = {
                "version": found["Version"],
                "summary": found["Summary"],
                "classifiers": _listed(found.get_all("Classifier") or ()),
                "requires": _listed(metadata.requires(name) or ()),
                "urls": _listed(found.get_all("Project-URL") or ()),
            }
        text = io.StringIO()
        parser.write(text)
        yield text.getvalue()


def _listed(values: Sequence[str]) -> str:
    """Return a value of several lines."""
    return "".join(f"\n{each}" for each in values)


def _grammars() -> Iterator[str]:
    """Yield what the grammars here say of their languages, the longest ones first."""
    for path in sorted(GRAMMARS.glob("*/*.toml"), key=lambda each: -each.stat().st_size)[:9]:
        yield path.read_text("utf-8")


def _shipped(*names: str) -> Callable[[], Iterator[str]]:
    """Return a function that yields files of packages, each named by its package and its path."""

    def files() -> Iterator[str]:
        for name in names:
            package, path = name.split("/", 1)
            spec = importlib.util.find_spec(package)
            assert spec is not None
            assert spec.submodule_search_locations
            yield Path(spec.submodule_search_locations[0], path).read_text("utf-8")

    return files


FILES: dict[str, Callable[[], Iterator[str]]] = {
    "python": _modules,
    "markdown": _readmes,
    "sql": _scripts,
    "html": _pages,
    "ini": _settings,
    "toml": _grammars,
    "css": _shipped(
        "docutils/writers/html5_polyglot/plain.css",
        "docutils/writers/html5_polyglot/minimal.css",
        "docutils/writers/html5_polyglot/math.css",
        "docutils/writers/html5_polyglot/responsive.css",
        "docutils/writers/html4css1/html4css1.css",
        "docutils/writers/pep_html/pep.css",
        "furo/theme/furo/static/styles/furo-extensions.css",
        "distributed/http/static/css/base.css",
    ),
    "javascript": _shipped(
        "docutils/writers/s5_html/themes/default/slides.js",
        "furo/assets/scripts/gumshoe-patched.js",
        "sphinx/themes/bizstyle/static/css3-mediaqueries_src.js",
        "sphinx/themes/basic/static/searchtools.js",
        "furo/assets/scripts/furo.js",
        "sphinx/themes/basic/static/doctools.js",
        "sphinx/themes/basic/static/sphinx_highlight.js",
        "distributed/http/static/js/individual-cluster-map.js",
    ),
    "json": _shipped(
        "pytest_lsp/clients/neovim_v0.11.0.json",
        "jsonschema/schemas/draft4.json",
        "pytest_lsp/clients/emacs_v29.1.json",
        "jsonschema/schemas/draft3.json",
        "pytest_lsp/clients/visual_studio_code_v1.65.2.json",
        "pytest_lsp/clients/neovim_v0.6.1.json",
    ),
    "yaml": _shipped(
        "distributed/distributed.yaml",
        "dask/dask-schema.yaml",
        "dask/dask.yaml",
        "markdown_it/port.yaml",
    ),
    "templates": _shipped(
        "furo/theme/furo/page.html",
        "furo/theme/furo/base.html",
        "sphinx/themes/basic/layout.html",
        "sphinx/themes/agogo/layout.html",
        "alabaster/layout.html",
        "distributed/http/templates/task.html",
        "distributed/http/templates/base.html",
        "distributed/http/templates/worker-table.html",
    ),
}
"""The files of each kind, as they are shipped; a kind is a language, or a use of one."""
_BLOCK = r"(?<=\n\n)(?=[^\s#>|)\]}<:.\"'`])"
BLOCKS = {
    "html": r"(?<=\n)(?=<(?:p|h\d|ul|table|pre)\b)",
    "css": r"(?<=\n\n)(?=[\w.#@])",
    "json": r"(?<=\n)(?= +\"[^\"]+\": [{\[])",
    "templates": r"(?<=\n)(?= *<div| *\{%-? (?:block|if))",
}
"""Where a block begins in a file of a kind; elsewhere it is a line after an empty one."""
