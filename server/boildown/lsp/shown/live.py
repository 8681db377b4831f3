"""Live documents: the best text of a job in a file, which the user may edit while the job runs.

The file is written again when there is a better text, and the editor reads it again; but not as
long as its document holds a text that did not come from here. When that is saved, it is tried.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from lsprotocol import types

from boildown.files import FileError, write_text
from boildown.jobs import words
from boildown.jobs.events import UserEdit, difference
from boildown.lsp import sentences
from boildown.lsp.documents import Document
from boildown.lsp.job import Job
from boildown.lsp.live_document import LiveDocument
from boildown.lsp.server import Server, diagnostic

if TYPE_CHECKING:
    from boildown.jobs.events import EditTried


def live(server: Server, job: Job) -> LiveDocument:
    """Return the live document of a job; make it if there is none."""
    for each in server.live.values():
        if each.job is job:
            return each
    name = PurePath(job.target.name or job.document.name)
    folder = Path(tempfile.mkdtemp(prefix="boildown-live-"))
    made = LiveDocument(job, folder / f"{name.stem}.live{name.suffix or '.txt'}")
    server.live[made.uri] = made
    made.take(job.text)
    _write(server, made, job.text if job.latest is None else job.latest.text)
    return made


def refresh(server: Server, job: Job) -> None:
    """Show the best text of a job, and the verdicts on the user's edits since."""
    document = next((each for each in server.live.values() if each.job is job), None)
    while job.tried:
        _tell(server, document, job.tried.popleft())
    if document is not None and job.latest is not None:
        _write(server, document, job.latest.text)


def end(server: Server, job: Job) -> None:
    """Say of edits that came too late that they were not tried."""
    refresh(server, job)
    for each in server.live.values():
        if each.job is job:
            each.ended = True
            opened = server.documents.get(each.uri)
            if opened is not None and any(edit.text == opened.text for edit in job.edits):
                _publish(server, each, opened.text, sentences.LATE_EDIT)


def saved(server: Server, document: Document) -> None:
    """Have a live document tried that the user has saved."""
    live_document = server.live.get(document.uri)
    if live_document is None:
        return
    text = document.text
    if live_document.owns(text):
        server.publish(document.uri, "live", [])
    elif live_document.ended:
        _publish(server, live_document, text, sentences.LATE_EDIT)
    else:
        live_document.job.edits.append(UserEdit(text))
        server.publish(document.uri, "live", [])


def closed(server: Server, uri: str) -> None:
    """Remove the live document of a job that has ended, once nobody looks at it."""
    document = server.live.get(uri)
    if document is not None and document.ended:
        del server.live[uri]
        remove(document)


def remove(document: LiveDocument) -> None:
    """Remove the file of a live document, and its folder."""
    shutil.rmtree(document.path.parent, ignore_errors=True)


def _write(server: Server, document: LiveDocument, text: str) -> None:
    """Write the best text, unless the editor's document holds one of the user's."""
    opened = server.documents.get(document.uri)
    if text == document.shown or (opened is not None and not document.owns(opened.text)):
        return
    document.take(text)
    document.shown = text
    # It is for looking; the job has the text all the same.
    with contextlib.suppress(FileError):
        write_text(document.path, text)


def _tell(server: Server, document: LiveDocument | None, tried: EditTried) -> None:
    """Show the verdict on an edit: where it was made, or for a part to keep in a message."""
    edit, verdict = tried.edit, tried.verdict
    if edit.kept:
        kind = types.MessageType.Info if verdict is not None else types.MessageType.Warning
        server.tell(sentences.kept(edit.text, verdict is not None), kind)
    elif document is not None and verdict is not None and verdict.reproduced:
        document.take(edit.text)
        server.publish(document.uri, "live", [])
    elif document is not None:
        _publish(server, document, edit.text, words.edit_refused(verdict))


def _publish(server: Server, document: LiveDocument, text: str, message: str) -> None:
    """Show a sentence at the place of an edit, if its text is still there."""
    opened = server.documents.get(document.uri)
    if opened is None or opened.text != text:
        return
    start, _, instead = difference(document.shown, text)
    extent = opened.range(start, start + len(instead))
    warning = diagnostic(extent, message, types.DiagnosticSeverity.Warning)
    server.publish(document.uri, "live", [warning])
