"""Suspects in the files of a program: diagnostics, and lenses on the first one.

They are shown after a job that the user started, until the next one on the same input, and are gone
from a file that is changed, for its lines are others then.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from boildown.jobs import inert, words
from boildown.lsp.documents import Document
from boildown.lsp.server import Server, diagnostic
from boildown.lsp.uris import uri_of

if TYPE_CHECKING:
    from boildown.jobs.why import Why

DEBUG = "Boildown: debug the smallest input"
_LINE_END = 2**31 - 1
PROGRAMS = "**/*.{py,js,mjs,cjs,ts,tsx,jsx}"
"""The glob of the files that may hold suspects, whose changes on disk are watched."""


def show(server: Server, uri: str, found: Why) -> None:
    """Mark the suspects of a ranking for an input, in place of those before."""
    for file in server.suspected.pop(uri, {}):
        server.publish(file, _sort(uri), [])
    marks: dict[str, list[types.Diagnostic]] = {}
    for number, each in enumerate(words.shown_suspects(found), 1):
        message = f"The bug may be here: suspect {number}, {words.executed_in(found, each)}."
        mark = diagnostic(_line(each.line), message)
        if number == 1 and server.can(
            "text_document", "publish_diagnostics", "related_information"
        ):
            mark.related_information = _related(found)
        marks.setdefault(uri_of(Path(each.file)), []).append(mark)
    server.suspected[uri] = marks
    for file, of_file in marks.items():
        server.publish(file, _sort(uri), of_file)


def _related(found: Why) -> list[types.DiagnosticRelatedInformation]:
    """Return the branch and the assignments that led to the first suspect."""
    told = []
    if branch := found.branch:
        values = [words.values(branch.failing), words.values(branch.passing)]
        here = "Here a passing input goes another way"
        seen = f"; {values[0]} fails, {values[1]} passes" if all(values) else ""
        told.append((branch.file, branch.line, f"{here}{seen}."))
    for each in found.assignments:
        told.append((each.file, each.line, words.assigned(each)))
    return [
        types.DiagnosticRelatedInformation(
            types.Location(uri_of(Path(file)), _line(line)), inert.visible(text)
        )
        for file, line, text in told
    ]


def forget(server: Server, file: str) -> bool:
    """Take the suspects of a file away, which has changed; say whether there were any."""
    of = [uri for uri, marks in server.suspected.items() if marks.pop(file, None) is not None]
    for uri in of:
        server.publish(file, _sort(uri), [])
    if of:
        server.refresh_hints()
    return bool(of)


def hints(server: Server, document: Document, extent: types.Range) -> Iterator[types.InlayHint]:
    """Yield the values that led to the first suspect of a ranking, at the ends of their lines."""
    for uri in server.suspected:
        first = _first(server, uri)
        for each in (first and first[1].related_information) or ():
            line = each.location.range.start.line
            here = each.location.uri == document.uri and line < len(document.starts)
            if here and extent.start.line <= line <= extent.end.line:
                end = document.starts[line] + len(document.line(line))
                yield types.InlayHint(document.position(end), each.message, padding_left=True)


def lenses(server: Server, document: Document) -> list[types.CodeLens]:
    """Return the lenses on the first suspect of each input, where that stands in a document."""
    found = []
    for uri in server.suspected:
        first = _first(server, uri)
        if first is not None and first[0] == document.uri:
            debug = types.Command(DEBUG, "boildown.debug", arguments=[{"uri": uri}])
            for command in (types.Command(f"Boildown: {first[1].message}", ""), debug):
                found.append(types.CodeLens(first[1].range, command))
    return found


def first(server: Server, uri: str) -> tuple[str, int] | None:
    """Return the file and the line, from 1, of the first suspect for an input, if it is known."""
    found = _first(server, uri)
    return None if found is None else (found[0], found[1].range.start.line + 1)


def _first(server: Server, uri: str) -> tuple[str, types.Diagnostic] | None:
    marks = server.suspected.get(uri, {})
    file = next(iter(marks), None)
    return None if file is None else (file, marks[file][0])


def _line(number: int) -> types.Range:
    at = number - 1
    return types.Range(types.Position(at, 0), types.Position(at, _LINE_END))


def _sort(uri: str) -> str:
    """Return the sort of the diagnostics for an input."""
    return f"suspects of {uri}"
