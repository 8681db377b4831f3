"""Code lenses above results and failing tests, as pytest's cache knows them, and on a suspect."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from boildown.jobs import words
from boildown.jobs.events import size
from boildown.lsp.commands.common import is_python
from boildown.lsp.documents import Document
from boildown.lsp.server import Server
from boildown.lsp.shown import suspects
from boildown.lsp.uris import uri_of
from boildown.targets.pytest_command import failed_last

TITLES = {
    "boildown.reduceTest": "Boildown: reduce its input",
    "boildown.reduceProject": "Boildown: minimal reproduction",
}
"""The commands of the lenses above a test."""
CACHE = "**/.pytest_cache/v/cache/lastfailed"
"""The glob of the files whose changes change the lenses."""


async def lenses(server: Server, document: Document) -> list[types.CodeLens]:
    """Return the lenses on a suspect and a result, and on each test that failed last in pytest."""
    chosen = await server.settings(document.uri)
    if not (chosen.code_lens and server.options.trusted):
        return []
    found = [*suspects.lenses(server, document), *_of_results(server, document)]
    if is_python(document):
        file = server.file(document)
        found += await asyncio.to_thread(_lenses, document, file, server.folder(file))
    return found


def _lenses(document: Document, file: Path, folder: Path) -> list[types.CodeLens]:
    failed = failed_last(file, folder)
    if not failed:
        return []
    # Imported late: most documents hold no failing test.
    from boildown.targets.reach import test_places

    return [
        types.CodeLens(
            document.range(*place.title),
            types.Command(
                title=title,
                command=command,
                arguments=[{"uri": document.uri, "test": place.name}],
            ),
        )
        for place in test_places(document.text)
        if place.name in failed
        for command, title in TITLES.items()
    ]


def _of_results(server: Server, document: Document) -> Iterator[types.CodeLens]:
    """Yield the lenses of the result for a document, or of the one that it is."""
    for uri, result in server.results.items():
        original = server.documents.get(uri)
        is_beside = result.output is not None and uri_of(result.output) == document.uri
        if original is None or not (uri == document.uri or is_beside):
            continue
        start = result.target.start if uri == document.uri else 0
        bytes_before, text = size(result.target.text), result.reduced.reduction.text
        told = words.sizes(bytes_before, size(text))
        titles = {}
        if result.waits_for(original):
            titles = {"apply": f"apply {told}", "discard": "discard"}
        elif result.stands_in(original):
            titles = {"undo": f"undo {told}"}
        for name, title in titles.items():
            run = types.Command(f"Boildown: {title}", f"boildown.{name}", arguments=[{"uri": uri}])
            yield types.CodeLens(document.range(start, start), run)


def refresh(server: Server) -> None:
    """Have the client ask for the lenses again."""
    if server.can("workspace", "code_lens", "refresh_support"):
        server.workspace_code_lens_refresh(None)
