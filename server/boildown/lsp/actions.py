"""Which code actions a document has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lsprotocol import types

from boildown.lsp import results
from boildown.lsp.documents import Document
from boildown.lsp.session import Server
from boildown.lsp.settings import Settings
from boildown.targets import Kind, Target

REDUCE = "refactor.rewrite.boildown.reduce"
APPLY = "refactor.rewrite.boildown.apply"
CANCEL = "refactor.rewrite.boildown.cancel"
KINDS = (REDUCE, APPLY, CANCEL)

TITLES = {
    Kind.LITERAL: "Boildown: reduce this string with",
    Kind.BLOCK: "Boildown: reduce this code block with",
    Kind.SELECTION: "Boildown: reduce the selection, the rest stays, with",
    Kind.ALONE: "Boildown: reduce the selection alone with",
    Kind.DOCUMENT: "Boildown: reduce with",
}


async def actions(
    server: Server,
    document: Document,
    chosen: Settings,
    extent: types.Range,
    only: Sequence[str] | None,
) -> list[types.CodeAction]:
    """Return the code actions of the wanted kinds for a range of a document."""
    if only is not None and not any(_wants(each, kind) for each in only for kind in KINDS):
        return []
    found: list[types.CodeAction] = []
    if document.uri in server.jobs:
        title, argument = "Boildown: cancel the reduction", {"uri": document.uri}
        found.append(_action(title, CANCEL, "boildown.cancel", argument))
    else:
        targets, declined = await server.targets(document, chosen, extent)
        found += [
            _reduce(document, extent, target) for target in targets if target.command is not None
        ]
        if declined and server.can("text_document", "code_action", "disabled_support"):
            found.insert(0, _disabled("Boildown: reduce this string", declined))
        found += _apply(server, document)
    return [
        action
        for action in found
        if only is None or any(_wants(each, str(action.kind)) for each in only)
    ]


def _wants(wanted: str, kind: str) -> bool:
    """Say whether a kind is among those that a client wants, which may be a whole branch."""
    return wanted in ("", kind) or kind.startswith(f"{wanted}.")


def _reduce(document: Document, extent: types.Range, target: Target) -> types.CodeAction:
    argument: dict[str, Any] = {"uri": document.uri, "version": document.version}
    if target.kind is not Kind.DOCUMENT:
        argument["range"] = _plain(extent)
    argument["input"] = target.kind.value
    title = f"{TITLES[target.kind]} `{target.shown}`"
    return _action(title, REDUCE, "boildown.reduce", argument)


def _apply(server: Server, document: Document) -> Iterator[types.CodeAction]:
    """Offer the last result for a document that still holds what was reduced."""
    result = server.results.get(document.uri)
    if result is None or result.document.text != document.text or result.after == document.text:
        return
    title = "Boildown: replace by the reduced text"
    yield types.CodeAction(title=title, kind=APPLY, edit=results.edit(server, result))


def _disabled(title: str, reason: str) -> types.CodeAction:
    return types.CodeAction(title=title, kind=REDUCE, disabled=types.CodeActionDisabled(reason))


def _action(title: str, kind: str, command: str, argument: dict[str, Any]) -> types.CodeAction:
    run = types.Command(title=title, command=command, arguments=[argument])
    return types.CodeAction(title=title, kind=kind, command=run)


def _plain(extent: types.Range) -> dict[str, Any]:
    return {
        name: {"line": position.line, "character": position.character}
        for name, position in (("start", extent.start), ("end", extent.end))
    }
