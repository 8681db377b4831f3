"""Parts of documents that are to be kept: the marks that show where they stand."""

from __future__ import annotations

from boildown.lsp import sentences
from boildown.lsp.documents import Document
from boildown.lsp.server import Server, diagnostic


def show(server: Server, document: Document) -> None:
    """Show the parts of a document that no candidate of a reduction will lack."""
    parts = server.kept.get(document.uri)
    if parts is None:
        return
    marks = []
    for part in parts:
        at = document.text.find(part)
        if at >= 0:
            marks.append(diagnostic(document.range(at, at + len(part)), sentences.KEPT))
    server.publish(document.uri, "kept", marks)
