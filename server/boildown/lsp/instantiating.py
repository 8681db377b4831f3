"""The command `boildown.instantiate`: more inputs that fail alike, as texts or as tests."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from lsprotocol import types

from boildown import patterns
from boildown.files import FileError, free_path, write_text
from boildown.lsp import edits
from boildown.lsp.arguments import Form
from boildown.lsp.documents import Document
from boildown.lsp.known import Known
from boildown.lsp.session import Server
from boildown.lsp.working import Refused, refused
from boildown.targets import Kind
from boildown.targets.regression import as_file, beside_literal


async def instantiate(server: Server, form: Form) -> dict[str, Any]:
    """Make inputs of the pattern that is known of a document, and put them where they belong."""
    document, known = server.documents.get(form.uri), server.known.get(form.uri)
    try:
        if document is None or known is None:
            raise Refused("No pattern is known of this document. Generalize an input in it first.")
        texts = await asyncio.to_thread(
            patterns.instances, known.found.pattern, form.count, form.seed
        )
        output = await _put(server, document, known, form.form, texts)
    except Refused as why:
        return refused(server, why)
    return {"state": "done", "texts": texts, "output": output and str(output)}


async def _put(
    server: Server, document: Document, known: Known, form: str, texts: list[str]
) -> Path | None:
    """Write inputs in a form; return the file that was made, if there is one. Raises Refused."""
    file = server.file(document)
    pattern = known.found.pattern
    if form == "pattern":
        name = f"{file.stem}.pattern{{}}{file.suffix}"
        text = document.text[: known.start] + str(pattern) + document.text[known.end :]
        return await _write(server, free_path(file, name), text)
    if form == "pytest":
        if await _beside_literal(server, document, known, texts):
            return None
        if known.target.command is not None and known.target.kind is not Kind.LITERAL:
            text = as_file([pattern.text, *texts], known.target.command, file.parent, str(pattern))
        else:
            text = patterns.rendered(pattern, [pattern.text, *texts], form)
        stem = "".join(each if each.isalnum() else "_" for each in file.stem)
        return await _write(server, free_path(file, f"test_{stem}_inputs{{}}.py"), text)
    suffix = ".py" if form == "hypothesis" else ".txt"
    name = f"{file.stem}.inputs{{}}{suffix}"
    return await _write(server, free_path(file, name), patterns.rendered(pattern, texts, form))


async def _beside_literal(
    server: Server, document: Document, known: Known, texts: list[str]
) -> bool:
    """Put tests next to the one whose literal was generalized; say whether that was possible."""
    if known.target.kind is not Kind.LITERAL or not server.can("workspace", "apply_edit"):
        return False
    insertions = beside_literal(document.text, known.start, texts)
    if not insertions:
        return False
    changes = [types.TextEdit(document.range(at, at), text) for at, text in insertions]
    return await edits.change(server, document, changes, "Boildown: regression test")


async def _write(server: Server, path: Path, text: str) -> Path:
    """Write a new file and open it. Raises Refused."""
    try:
        write_text(path, text)
    except FileError as error:
        raise Refused(str(error)) from None
    await edits.show_new(server, path)
    return path
