"""Results of reductions: an edit, a preview or a new file, never over later changes."""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePath

from lsprotocol import types

from boildown.files import FileError, read_text, reduced_path, write_text
from boildown.history import difference
from boildown.jobs import inert
from boildown.lsp.documents import NOT_OPEN
from boildown.lsp.notifications import PREVIEW, PreviewParams
from boildown.lsp.server import Result, Server
from boildown.lsp.settings import Settings
from boildown.lsp.shown import edits, messages
from boildown.lsp.shown.messages import Choice, Told
from boildown.lsp.uris import path_of
from boildown.targets import InputKind

NOT_TAKEN = "The editor did not take the edit, so the document stays as it is."


async def offer(server: Server, result: Result, chosen: Settings, told: Told) -> Path | None:
    """Put a result into its document, or into a file beside it; tell the user of it.

    Return the path of the file, or None if there is none: the document holds the result, or the
    client shows it.
    """
    target, uri = result.target, result.document.uri
    is_open = uri in server.documents
    is_whole, is_previewed = target.kind is InputKind.DOCUMENT, chosen.apply_result == "preview"
    if is_whole and is_previewed and not is_open:
        return await beside(server, result, told)
    if not _unchanged(server, result):
        why = "The document has changed meanwhile and stays as it is."
        return await beside(server, result, told.and_also(why))
    if is_whole and is_previewed and path_of(uri) is not None:
        if not server.options.diff_preview:
            return await beside(server, result, told)
        server.send(PREVIEW, _preview(server, result, told))
        return None
    if not server.can("workspace", "apply_edit"):
        return await beside(server, result, told)
    document, text = server.documents.get(uri, result.document), result.reduced.text
    if await edits.put(server, document, target, text, "Boildown: reduce"):
        undo: Choice = partial(take_back, server, result)
        if is_open:
            told = replace(told, choices={messages.UNDO: undo, **told.choices})
        else:
            told = told.and_also(f"It is in {document.name}, which is not saved yet.")
        messages.tell(server, told)
        return None
    return await beside(server, result, told.and_also(NOT_TAKEN))


def _preview(server: Server, result: Result, told: Told) -> PreviewParams:
    uri = result.document.uri
    server.choices[uri] = told.choices
    return {
        "uri": uri,
        "version": server.documents[uri].version,
        "text": result.after,
        "message": inert.message(told.brief),
        "details": told.whole,
        "choices": list(told.choices),
    }


async def apply(server: Server, result: Result) -> str:
    """Put a result into its document; return the reason if that can't be."""
    document = server.documents.get(result.document.uri)
    if document is None or not result.waits_for(document):
        return f"{result.document.name} has changed since it was reduced, so it stays as it is."
    if await edits.put(server, document, result.target, result.reduced.text, "Boildown: reduce"):
        return ""
    return NOT_TAKEN


async def take_back(server: Server, result: Result) -> str:
    """Put the original back where a result stands; return the reason if that can't be."""
    before, document = result.document, server.documents.get(result.document.uri)
    if document is None or not result.stands_in(document):
        return f"{before.name} has changed since then. Undo it in the editor."
    start, end, text = difference(document.text, before.text)
    change = types.TextEdit(document.range(start, end), text)
    if await edits.change(server, document, [change], "Boildown: undo"):
        return ""
    return NOT_TAKEN


def _unchanged(server: Server, result: Result) -> bool:
    before = result.document
    document, path = server.documents.get(before.uri), path_of(before.uri)
    if document is not None:
        return document.text == before.text
    with contextlib.suppress(FileError):
        return before.version == NOT_OPEN and path is not None and read_text(path) == before.text
    return False


async def beside(server: Server, result: Result, told: Told) -> Path | None:
    """Write a result to a new file, open it if the client can, and say where it is."""
    target, text = result.target, result.reduced.text
    name = result.document.name
    if target.kind is InputKind.SELECTION:
        text = result.after
    elif target.kind is not InputKind.DOCUMENT:
        name = target.name or PurePath(name).stem + ".txt"
    path = _write(server, result, name, text)
    if path is None:
        return None
    server.results[result.document.uri] = replace(result, output=path)
    opened = await edits.show(server, path, in_front=False)
    place = f"{'This is' if opened else 'The result is in'} {path}."
    messages.tell(server, told.and_also(place))
    return path


def _write(server: Server, result: Result, name: str, text: str) -> Path | None:
    """Write a result beside its document, or else where temporary files go."""
    file = server.file(result.document).with_name(name)
    error = None
    if path_of(result.document.uri) is not None:
        try:
            return _write_beside(file, text)
        except FileError as failed:
            error = failed
    try:
        return _write_beside(Path(tempfile.mkdtemp(prefix="boildown-")) / file.name, text)
    except (FileError, OSError) as failed:
        server.tell(f"The result cannot be written: {error or failed}", types.MessageType.Error)
        return None


def _write_beside(file: Path, text: str) -> Path:
    path = reduced_path(file, text)
    write_text(path, text)
    return path
