"""Edits of documents (`workspace/applyEdit`) and opening files (`window/showDocument`)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types

from boildown.history import normal
from boildown.lsp.documents import NOT_OPEN, Document
from boildown.lsp.server import PATIENCE, Server
from boildown.lsp.uris import uri_of
from boildown.targets import Target

_PATIENCE_FOR_EDITS = 20.0
"""Seconds to wait for the answer to an edit: a user may have to agree."""


def edit(
    server: Server, document: Document, changes: Sequence[types.TextEdit]
) -> types.WorkspaceEdit:
    """Return changes as an edit of this version of a document, as the client can take it."""
    if server.can("workspace", "workspace_edit", "document_changes"):
        version = None if document.version == NOT_OPEN else document.version
        versioned = types.OptionalVersionedTextDocumentIdentifier(document.uri, version)
        return types.WorkspaceEdit(
            document_changes=[types.TextDocumentEdit(versioned, list(changes))]
        )
    return types.WorkspaceEdit(changes={document.uri: list(changes)})


def placing(document: Document, target: Target, text: str) -> types.TextEdit:
    """Return the change that puts a text in a target's place."""
    return types.TextEdit(document.range(target.start, target.end), target.written(text))


async def put(server: Server, document: Document, target: Target, text: str, label: str) -> bool:
    """Put a text in a target's place; say whether the document holds it afterwards."""
    return await change(server, document, [placing(document, target, text)], label)


async def change(
    server: Server, document: Document, changes: Sequence[types.TextEdit], label: str
) -> bool:
    """Change a document; say whether it holds the changes afterwards.

    Neovim answers that it applied an edit that it refused, and VS Code tells of a change only some
    time after it has answered. So the document decides, but one that is not open, of whose changes
    no editor tells.
    """
    params = types.ApplyWorkspaceEditParams(edit(server, document, changes), label=label)
    in_order = sorted(changes, key=lambda each: document.offset(each.range.start), reverse=True)
    after = document.changed(
        0, [types.TextDocumentContentChangePartial(each.range, each.new_text) for each in in_order]
    )
    wanted = normal(after.text)
    holds = asyncio.Event()

    def look(changed: Document) -> None:
        if changed.uri == document.uri and normal(changed.text) == wanted:
            holds.set()

    look(document)
    server.watchers.append(look)
    try:
        answer = None
        with contextlib.suppress(Exception):  # Whatever the client says, the document decides.
            asked = server.workspace_apply_edit_async(params)
            answer = await asyncio.wait_for(asked, _PATIENCE_FOR_EDITS)
        if document.version == NOT_OPEN:
            return answer is not None and answer.applied
        if answer is None or answer.applied:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(holds.wait(), PATIENCE)
        return holds.is_set()
    finally:
        server.watchers.remove(look)


async def show(
    server: Server, path: Path, selection: types.Range | None = None, *, in_front: bool = True
) -> bool:
    """Open a file in the editor, with a selection in it; say whether it did.

    It takes the focus only if it is to be in front: what a job finds must not, since the user may
    be typing somewhere else by then.
    """
    if not server.can("window", "show_document", "support"):
        return False
    with contextlib.suppress(Exception):  # The user is told where the file is.
        params = types.ShowDocumentParams(
            uri=uri_of(path), take_focus=in_front, selection=selection
        )
        shown = await asyncio.wait_for(server.window_show_document_async(params), PATIENCE)
        return shown.success
    return False


async def show_new(server: Server, path: Path) -> None:
    """Open a file that was made, or say where it is."""
    if not await show(server, path):
        server.tell(f"Written to {path}.")
