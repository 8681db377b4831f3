"""Which code actions a document has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lsprotocol import types

from boildown.lsp import results, words
from boildown.lsp.documents import Document
from boildown.lsp.reducing import find_target
from boildown.lsp.session import Server
from boildown.lsp.settings import Settings
from boildown.runner.run import CannotRun

REDUCE = "refactor.rewrite.boildown.reduce"
APPLY = "refactor.rewrite.boildown.apply"
CANCEL = "refactor.rewrite.boildown.cancel"
KINDS = (REDUCE, APPLY, CANCEL)


def actions(
    server: Server,
    document: Document,
    chosen: Settings,
    extent: types.Range,
    only: Sequence[str] | None,
) -> list[types.CodeAction]:
    """Return the code actions of the wanted kinds for a range of a document."""
    found = []
    for action in _all(server, document, chosen, extent):
        kind = str(action.kind)
        if only is None or any(kind == each or kind.startswith(f"{each}.") for each in only):
            found.append(action)
    return found


def _all(
    server: Server, document: Document, chosen: Settings, extent: types.Range
) -> Iterator[types.CodeAction]:
    if document.uri in server.jobs:
        yield _action(
            "Boildown: cancel the reduction", CANCEL, "boildown.cancel", {"uri": document.uri}
        )
        return
    for part in _extents(document, extent):
        try:
            target = find_target(server, document, chosen, part)
        except CannotRun:
            continue
        if target is None:
            return
        arguments: dict[str, Any] = {"uri": document.uri, "version": document.version}
        if part is not None:
            arguments["range"] = _plain(part)
        what = "" if target.is_whole else f" {target.what}"
        title = f"Boildown: reduce{what} with `{words.shown(target.command)}`"
        yield _action(title, REDUCE, "boildown.reduce", arguments)
    yield from _apply(server, document)


def _extents(document: Document, extent: types.Range) -> Iterator[types.Range | None]:
    """Yield the selection, if there is one, and None for the whole document."""
    start, end = document.span(extent)
    if start < end and (start, end) != (0, len(document.text)):
        yield extent
    yield None


def _apply(server: Server, document: Document) -> Iterator[types.CodeAction]:
    """Offer the last result for a document that still holds what was reduced."""
    result = server.results.get(document.uri)
    if result is None or result.document.text != document.text or result.after == document.text:
        return
    title = "Boildown: replace by the reduced text"
    yield types.CodeAction(title=title, kind=APPLY, edit=results.edit(server, result))


def _action(title: str, kind: str, command: str, argument: dict[str, Any]) -> types.CodeAction:
    run = types.Command(title=title, command=command, arguments=[argument])
    return types.CodeAction(title=title, kind=kind, command=run)


def _plain(extent: types.Range) -> dict[str, Any]:
    return {
        name: {"line": position.line, "character": position.character}
        for name, position in (("start", extent.start), ("end", extent.end))
    }
