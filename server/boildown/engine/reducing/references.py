"""Finds references between the files of a folder: includes, imports, and names in build files.

What refers to a file in which kind of file is told by `FORMS`, one line for each way to say it; to
teach another language, add a line. A reference is a hypothesis, as all links are: a name that leads
to no file of the folder is none, and runs say what a found one is good for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from boildown.engine.candidates import Splice
from boildown.engine.problem import Problem
from boildown.engine.reducing.coupling import Family
from boildown.engine.reducing.identifiers import outermost
from boildown.folder_text import SEPARATOR, folder_of, joined, sections

Inlining: TypeAlias = Literal["no", "text", "names"]
"""Whether a file may stand where it is referred to: not, as it is, or as a module's names."""


@dataclass(frozen=True, slots=True)
class Form:
    """A way to refer to a file, by the files that have it and a pattern."""

    files: re.Pattern[str]
    """Is found in the paths of the files in which it means a reference."""
    pattern: re.Pattern[str]
    """Matches what goes with the file that it refers to: the group `to` is the name of that, and
    `names` is what is taken of it, or other files below it."""
    endings: tuple[str, ...] = ("",)
    """What may be missing at the end of the name."""
    dotted: bool = False
    """Whether the name is one of Python: dots lead to folders, and upwards in front."""
    inlining: Inlining = "no"


def _form(
    files: str,
    pattern: str,
    endings: tuple[str, ...] = ("",),
    dotted: bool = False,
    inlining: Inlining = "no",
) -> Form:
    compiled = re.compile(pattern, re.MULTILINE)
    return Form(re.compile(files), compiled, endings, dotted, inlining)


_C = r"\.(?:[chm]|cc|cpp|cxx|hh|hpp|hxx|inc|ipp|mm)$"
_MAKE = r"(?:^|/)(?:GNUm|m|M)akefile$|\.(?:mk|am)$"
_PYTHON = r"\.pyw?$"
_SCRIPT = r"\.[cm]?[jt]sx?$"
_SCRIPTS = ("", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".json", "/index.js", "/index.ts")
_MODULES = (".py", "/__init__.py")

FORMS = (
    _form(_C, r'^[ \t]*#[ \t]*include[ \t]*["<](?P<to>[^"<>\n]+)[">].*\n?', inlining="text"),
    _form(
        _PYTHON,
        r"^[ \t]*from[ \t]*(?P<to>\.*(?:\w[\w.]*)?)[ \t]*import[ \t]*"
        r"(?P<names>\([^()]*\)|[\w., \t]+|\*)[ \t;]*(?:#.*)?(?:\n|\Z)",
        _MODULES,
        dotted=True,
        inlining="names",
    ),
    _form(
        _PYTHON,
        r"^[ \t]*import[ \t]+(?P<to>[\w.]+)(?:[ \t]+as[ \t]+(?P<alias>\w+))?"
        r"[ \t;]*(?:#.*)?(?:\n|\Z)",
        _MODULES,
        dotted=True,
        inlining="names",
    ),
    _form(
        _SCRIPT,
        r"(?:\b(?:const|let|var)\b[^=;\n]{0,200}=[ \t]*)?\brequire\([ \t]*"
        r"""["'](?P<to>\.[^"'\n]*)["'][ \t]*\)[ \t]*;?\n?""",
        _SCRIPTS,
    ),
    _form(
        _SCRIPT,
        r"""\b(?:import|export)\b[^;"']{0,300}?["'](?P<to>\.[^"'\n]*)["'][ \t]*;?\n?""",
        _SCRIPTS,
    ),
    _form(_MAKE, r"^-?include[ \t]+(?P<to>\S+)[ \t]*\n?", inlining="text"),
    _form(_MAKE, r"[ \t]+(?P<to>[\w./-]+\.c)\b"),
    _form(_MAKE, r"[ \t]+(?P<to>[\w./-]+)\.o\b", (".c", ".cc", ".cpp", ".cxx")),
    _form(_MAKE, r"[ \t]+(?P<to>[\w./-]+\.\w+)\b"),
    _form(
        r"\.(?:tex|ltx|sty|cls)$",
        r"\\(?:input|include)\{(?P<to>[^{}]+)\}",
        ("", ".tex"),
        inlining="text",
    ),
    _form(r"\.(?:rst|txt)$", r"^\.\.[ \t]+include::[ \t]*(?P<to>\S+)[ \t]*\n?", inlining="text"),
    _form(
        r"\.(?:rst|txt)$",
        r"^[ \t]+(?:[^<>\s][^<>\n]*<)?(?P<to>[\w./-]+)>?[ \t]*\n",
        ("", ".rst", ".txt", ".md"),
    ),
    # Templates of Jinja, Django, Twig and Liquid.
    _form(
        "",
        r"""\{%-?[ \t]*(?:include|extends|import)[ \t]+["']?(?P<to>[^\s"'%]+)["']?[^%]*%\}""",
        inlining="text",
    ),
)
"""All ways to refer to a file."""

_NAME = re.compile(r"(\w+)(?:\s+as\s+(\w+))?")


@dataclass(frozen=True, slots=True)
class FileReference:
    """A place where a file refers to others of the folder."""

    file: str
    """The path of the file that it is in."""
    start: int
    end: int
    """Offsets in the text of what goes with them."""
    to: tuple[str, ...]
    """Their paths."""
    form: Form
    match: re.Match[str]


@dataclass(frozen=True, slots=True)
class Section:
    """A file of a folder's text, by offsets: its header's start, its content's start and end."""

    start: int
    begin: int
    end: int


def files(text: str) -> dict[str, Section]:
    """Return the files of a folder's text by their paths."""
    return {path: Section(start, begin, end) for start, path, begin, end in sections(text)}


def references(text: str) -> list[FileReference]:
    """Find the references between the files of a folder's text, in order within each file."""
    known = files(text)
    by_name: dict[str, list[str]] = {}
    for path in known:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    found = []
    for path, section in known.items():
        for form in FORMS:
            if not form.files.search(path):
                continue
            for match in form.pattern.finditer(text[section.begin : section.end]):
                names = _named(form, match)
                paths = (_resolved(form, path, name, known, by_name) for name in names)
                to = tuple(dict.fromkeys(other for other in paths if other not in (None, path)))
                if to:
                    start, end = (section.begin + at for at in match.span())
                    # Where a module is imported from its package, that is only on the way.
                    to = to[1:] if len(to) > 1 else to
                    found.append(FileReference(path, start, end, to, form, match))
    return found


def imported_names(match: re.Match[str]) -> list[tuple[str, str]]:
    """Return the names that an import takes of a module, each with the name that it binds."""
    names = match.groupdict().get("names") or ""
    return [(name, alias or name) for name, alias in _NAME.findall(names)]


def _named(form: Form, match: re.Match[str]) -> Iterator[str]:
    """Yield the names of the files that a match may refer to."""
    to = match["to"]
    yield to
    if form.dotted:
        for name, _ in imported_names(match):
            yield f"{to}{name}" if to.endswith(".") else f"{to}.{name}"


def _resolved(
    form: Form,
    here: str,
    name: str,
    known: Collection[str],
    by_name: Mapping[str, Collection[str]],
) -> str | None:
    """Return the path of the file of the folder that a name in another one leads to, if any.

    Where it is searched for is not known, so any file counts whose path ends so, if it is one.
    """
    folder: str | None = folder_of(here)
    tail = name
    if form.dotted:
        tail = name.lstrip(".").replace(".", "/")
        level = len(name) - len(name.lstrip("."))
        folder = joined(folder_of(here), "../" * (level - 1))
    for ending in form.endings:
        path = None if folder is None else joined(folder, tail + ending)
        if path in known:
            return path
    if form.dotted and name.startswith("."):
        return None
    for ending in form.endings:
        end = (tail + ending).lstrip("./")
        last = by_name.get(end.rpartition("/")[2], ())
        fitting = [path for path in last if f"/{path}".endswith(f"/{end}")]
        if len(fitting) == 1:
            return fitting[0]
    return None


def file_families(problem: Problem) -> Iterator[Family]:
    """Yield the family of the files of a folder that others refer to, each with the references."""
    text = problem.text
    if not text.startswith(SEPARATOR):
        return
    found = references(text)
    known = files(text)
    by_file: dict[str, list[Splice]] = {}
    for each in found:
        for path in each.to:
            by_file.setdefault(path, []).append((each.start, each.end, ""))
    paths = [path for path in known if path in by_file]

    def without(gone: Collection[int]) -> list[Splice]:
        splices = []
        for at in gone:
            section = known[paths[at]]
            splices += [(section.start, section.end, ""), *by_file[paths[at]]]
        return outermost(splices)

    sort = "files with all that refers to them"
    yield Family(sort, sort, len(paths), without, len(text), counted=True, exact=True)
