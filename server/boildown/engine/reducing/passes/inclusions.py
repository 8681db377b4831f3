"""Puts a file's content in place of the include or import of it, so that fewer files are left.

A header of C, a part of a document or a Makefile stands where it is included. A module of Python
stands where its names are imported, and other names for them follow; `module.name` becomes `name`.
What it means for names that both files have is not asked: the test judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from boildown.engine.candidates import Splice, retext, spliced
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.references import (
    FileReference,
    Section,
    files,
    imported_names,
    references,
)
from boildown.folder_text import SEPARATOR, folder_of, joined

MOST_PLACES = 3
"""Places of which one may take a file's content, where several refer to it."""

_RELATIVE = re.compile(r"^([ \t]*from[ \t]*)(\.+)([\w.]*)(?=[ \t]*import\b)", re.MULTILINE)


def inclusions(problem: Problem) -> None:
    """Put each file in place of a reference to it, if that makes the folder smaller.

    Costs a run for each file and place, `MOST_PLACES` at most for one file.
    """
    if not problem.text.startswith(SEPARATOR):
        return
    found = references(problem.text)
    for path in files(problem.text):
        to_it = [each for each in found if path in each.to]
        if to_it and problem.consider_first(_candidates(problem, path, to_it)) is not None:
            found = references(problem.text)


def _candidates(problem: Problem, path: str, found: Sequence[FileReference]) -> Iterator[Candidate]:
    """Yield the candidates in which a file stands in one of the places that refer to it."""
    text = problem.text
    known = files(text)
    for each in found[:MOST_PLACES]:
        inlined = _inlined(text, known, each, path)
        if inlined is None or (each.form.inlining == "names" and len(found) > 1):
            continue
        section = known[path]
        others = [(other.start, other.end, "") for other in found if other is not each]
        splices = sorted([(section.start, section.end, ""), *others, *inlined])
        if all(left[1] <= right[0] for left, right in pairwise(splices)):
            yield retext(problem, spliced(text, splices, ""))


def _inlined(
    text: str, known: Mapping[str, Section], reference: FileReference, path: str
) -> Sequence[Splice] | None:
    """Return the splices that put a file's content in place of a reference to it, if any can."""
    content = text[known[path].begin : known[path].end]
    if content and not content.endswith("\n"):
        content += "\n"
    if reference.form.inlining == "text":
        return [(reference.start, reference.end, content)]
    if reference.form.inlining == "no" or reference.match[0][0].isspace():
        return None
    return _as_names(text, known[reference.file], reference, path, content)


def _as_names(
    text: str, into: Section, reference: FileReference, path: str, content: str
) -> Sequence[Splice] | None:
    """Return the splices that put a Python module in place of the import of its names."""
    names = imported_names(reference.match)
    to = reference.match["to"]
    module = re.fullmatch(r"(?:.*/)?(\w+)(?:/__init__)?\.py", path)
    if module is None or len(reference.to) > 1:
        return None
    content = _rebased(content, reference, path)
    used = None
    if not names and "names" not in reference.match.groupdict():
        used = reference.match["alias"] or to
    elif [name for name, _ in names] == [module[1]]:
        # The name may be the module itself, or what it holds under its own name.
        used = names[0][1]
    else:
        renamed = "".join(f"{new}={old}\n" for old, new in names if old != new)
        return [(reference.start, reference.end, content + renamed)]
    uses = re.compile(rf"(?<![\w.]){re.escape(used)}\.(?=\w)")
    found = [
        (match.start(), match.end(), "")
        for match in uses.finditer(text, into.begin, into.end)
        if not reference.start <= match.start() < reference.end
    ]
    return [(reference.start, reference.end, content), *found]


def _rebased(content: str, reference: FileReference, path: str) -> str:
    """Return the content of a module with its relative imports as they are where it is put."""
    package, here = folder_of(path), folder_of(reference.file)
    to = reference.match["to"]
    if to.startswith(".") and package == here:
        return content
    # Of an absolute import, the folder that it is searched for in is all before the module's name.
    depth = len(to.split(".")) - (0 if path.endswith("/__init__.py") else 1)

    def rebased(match: re.Match[str]) -> str:
        folder = joined(package, "../" * (len(match[2]) - 1))
        if folder is None:
            return match[0]
        parts = folder.split("/") if folder else []
        if to.startswith("."):
            base = here.split("/") if here else []
            common = 0
            while base[common : common + 1] == parts[common : common + 1] != []:
                common += 1
            parts, dots = parts[common:], "." * (len(base) - common + 1)
        else:
            searched = len(package.split("/")) - depth
            if len(parts) <= searched:
                return match[0]
            parts, dots = parts[searched:], ""
        return f"{match[1].rstrip()} {dots}{'.'.join([*parts, *filter(None, [match[3]])])}"

    return _RELATIVE.sub(rebased, content)
