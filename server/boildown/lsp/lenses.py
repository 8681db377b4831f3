"""Code lenses above failing tests, as pytest's cache knows them, and on a suspect."""

from __future__ import annotations

import asyncio
from pathlib import Path

from lsprotocol import types

from boildown.lsp.commands.common import is_python
from boildown.lsp.documents import Document
from boildown.lsp.server import Server
from boildown.lsp.shown import suspects
from boildown.targets.pytest_command import failed_last

TITLES = {
    "boildown.reduceTest": "Boildown: reduce its input",
    "boildown.reduceProject": "Boildown: minimal reproduction",
}
"""The commands of the lenses above a test."""
CACHE = "**/.pytest_cache/v/cache/lastfailed"
"""The glob of the files whose changes change the lenses."""


async def lenses(server: Server, document: Document) -> list[types.CodeLens]:
    """Return the lenses on a suspect, and on each test that failed when pytest ran it last."""
    chosen = await server.settings(document.uri)
    if not (chosen.code_lens and server.options.trusted):
        return []
    found = suspects.lens(server, document)
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


def refresh(server: Server) -> None:
    """Have the client ask for the lenses again."""
    if server.can("workspace", "code_lens", "refresh_support"):
        server.workspace_code_lens_refresh(None)
