"""Results of reductions: an edit, a preview or a new file, never over later changes."""

from __future__ import annotations

import tempfile
from pathlib import Path, PurePath

from lsprotocol import types
from pygls.uris import to_fs_path

from boildown.files import FileError, reduced_path, write_text
from boildown.jobs import inert
from boildown.lsp.notifications import PREVIEW, PreviewParams
from boildown.lsp.server import Result, Server
from boildown.lsp.settings import Settings
from boildown.lsp.shown import edits
from boildown.targets import InputKind


async def offer(server: Server, result: Result, chosen: Settings, sentence: str) -> Path | None:
    """Put a result into its document, or into a file beside it; tell the user `sentence`.

    Return the path of the file, or None if there is none: the document holds the result, or the
    client shows it.
    """
    target, uri = result.target, result.document.uri
    if uri not in server.documents and target.kind is InputKind.DOCUMENT:
        return await beside(server, result, sentence)
    if not _unchanged(server, result):
        why = "The document has changed meanwhile and stays as it is."
        return await beside(server, result, f"{sentence} {why}")
    saved = to_fs_path(uri) is not None
    if target.kind is InputKind.DOCUMENT and saved and chosen.apply_result == "preview":
        if not server.options.diff_preview:
            return await beside(server, result, sentence)
        server.send(PREVIEW, _preview(server, result, sentence))
        return None
    if not server.can("workspace", "apply_edit"):
        return await beside(server, result, sentence)
    document, text = server.documents[uri], result.reduced.text
    if await edits.put(server, document, target, text, "Boildown: reduce"):
        server.tell(sentence)
        return None
    why = "The editor did not take the edit, so the document stays as it is."
    return await beside(server, result, f"{sentence} {why}")


def _preview(server: Server, result: Result, sentence: str) -> PreviewParams:
    uri = result.document.uri
    return {
        "uri": uri,
        "version": server.documents[uri].version,
        "text": result.after,
        "message": inert.message(sentence),
    }


def _unchanged(server: Server, result: Result) -> bool:
    document = server.documents.get(result.document.uri)
    return document is not None and document.text == result.document.text


async def beside(server: Server, result: Result, sentence: str) -> Path | None:
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
    opened = await edits.show(server, path, in_front=False)
    server.tell(f"{sentence} {'This is' if opened else 'The result is in'} {path}.")
    return path


def _write(server: Server, result: Result, name: str, text: str) -> Path | None:
    """Write a result beside its document, or else where temporary files go."""
    file = server.file(result.document).with_name(name)
    error = None
    if to_fs_path(result.document.uri) is not None:
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
