"""The command `boildown.instantiate`: more inputs that fail alike, as texts or as tests."""

from __future__ import annotations

import asyncio
import itertools
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.uris import to_fs_path

from boildown import patterns
from boildown.files import FileError, free_path, write_text
from boildown.lsp import edits
from boildown.lsp.arguments import Form
from boildown.lsp.documents import Document
from boildown.lsp.known import Known
from boildown.lsp.session import Server
from boildown.lsp.working import Refused, refused
from boildown.targets import Kind
from boildown.targets.inputs import Inputs
from boildown.targets.regression import beside_literal
from boildown.targets.regression_file import as_file

if TYPE_CHECKING:
    from boildown.engine.pattern import Pattern


async def instantiate(server: Server, form: Form) -> dict[str, Any]:
    """Make inputs of the pattern that is known of a document, and put them where they belong."""
    document, known = server.documents.get(form.uri), server.known.get(form.uri)
    try:
        if document is None or known is None:
            raise Refused("No pattern is known of this document. Generalize an input in it first.")
        texts = await asyncio.to_thread(
            patterns.instances, known.found.pattern, form.count, form.seed
        )
        wanted = to_fs_path(form.file) if form.file is not None else None
        if wanted is not None and os.path.lexists(wanted):
            raise Refused(f"{wanted} is there already. Name a new file.")
        path = Path(wanted) if wanted is not None else None
        output = await _put(server, document, known, form.form, texts, path)
    except Refused as why:
        return refused(server, why)
    return {"state": "done", "texts": texts, "output": output and str(output)}


async def _put(
    server: Server,
    document: Document,
    known: Known,
    form: str,
    texts: list[str],
    wanted: Path | None,
) -> Path | None:
    """Write inputs in a form; return the file that was made, if there is one. Raises Refused."""
    file = server.file(document)
    pattern = known.found.pattern
    if form == "pattern":
        name = f"{file.stem}.pattern{{}}{file.suffix}"
        text = document.text[: known.start] + str(pattern) + document.text[known.end :]
        return await _write(server, wanted or free_path(file, name), text)
    if form == "text":
        name = f"{file.stem}.inputs{{}}.txt"
        text = patterns.rendered(pattern, texts, form)
        return await _write(server, wanted or free_path(file, name), text)
    inputs = _inputs(pattern, texts, form)
    if known.target.kind is Kind.LITERAL:
        await _beside_literal(server, document, known, inputs)
        return None
    path = wanted or _test_path(file)
    return await _write(server, path, _file(known, inputs, path.parent))


def _test_path(file: Path) -> Path:
    """Return a free path for a test file beside a file; its name can be imported."""
    stem = re.sub(r"\W", "_", file.stem)
    for number in itertools.count(1):
        path = file.with_name(f"test_{stem}_inputs{'' if number == 1 else f'_{number}'}.py")
        if not os.path.lexists(path):
            return path
    raise AssertionError("numbers do not end")


def _inputs(pattern: Pattern, texts: Sequence[str], form: str) -> Inputs:
    """Return inputs for a test in a form, the pattern's own among them."""
    every = tuple(dict.fromkeys((pattern.text, *texts)))
    if form == "pytest":
        return Inputs(every, str(pattern))
    return Inputs(every, str(pattern), *patterns.assembled(pattern, every))


def _file(known: Known, inputs: Inputs, folder: Path) -> str:
    """Return a test file that runs the test command on inputs. Raises Refused."""
    command = known.target.command
    assert command is not None
    if command.predicate is not None:
        raise Refused(
            f"The test command is a function, {command.predicate}: call that in a test of your "
            "own, on further failing inputs."
        )
    if known.target.kind in (Kind.DOCUMENT, Kind.ALONE):
        return as_file(inputs, command, folder)
    # What is around the input in its file belongs to each; it is no part of the pattern.
    whole = [command.content(text) for text in inputs.texts]
    parts = [(True, "file")] if inputs.parts else []
    return as_file(Inputs(whole, inputs.title, parts, {"file": whole}), command, folder)


async def _beside_literal(server: Server, document: Document, known: Known, inputs: Inputs) -> None:
    """Put tests next to the one whose literal was generalized. Raises Refused."""
    if inputs.parts:
        what = "the case of a `parametrize`, or a fixture"
    else:
        inputs = replace(inputs, texts=[each for each in inputs.texts if each != known.holds])
        what = "a fixture or a helper"
    insertions = beside_literal(document.text, known.start, inputs)
    if not insertions:
        raise Refused(f"No test can be written for a string in {what}: create further inputs.")
    if not server.can("workspace", "apply_edit"):
        raise Refused("This editor takes no edits from a language server: create further inputs.")
    changes = [types.TextEdit(document.range(at, at), text) for at, text in insertions]
    if not await edits.change(server, document, changes, "Boildown: regression test"):
        raise Refused("The editor did not take the edit, so the document stays as it is.")


async def _write(server: Server, path: Path, text: str) -> Path:
    """Write a new file and open it. Raises Refused."""
    try:
        write_text(path, text)
    except FileError as error:
        raise Refused(str(error)) from None
    await edits.show_new(server, path)
    return path
