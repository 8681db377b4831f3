"""The command `boildown.matchOthers`: marks the files that a known law or pattern explains."""

from __future__ import annotations

import asyncio

from lsprotocol import types

from boildown.jobs import inert
from boildown.jobs.events import many
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands.common import Answer, Refused
from boildown.lsp.server import Server, diagnostic
from boildown.lsp.shown import patterns
from boildown.lsp.uris import path_of, uri_of
from boildown.targets import InputKind

FIRST_LINE = types.Range(types.Position(0, 0), types.Position(1, 0))


async def match_others(server: Server, at: DocumentArgument) -> Answer:
    """Mark the workspace's files that the law or the pattern of a document explains."""
    # Imported here: a server that does nothing yet loads no job.
    from boildown.jobs.generalize import sketch
    from boildown.jobs.other_files import other_files

    document, known = server.documents.get(at.uri), server.known.get(at.uri)
    if document is None or known is None:
        raise Refused("No pattern is known of this document. Generalize an input in it first.")
    if known.target.kind is not InputKind.DOCUMENT:
        raise Refused("The input is only a part of its file, so no other file is one like it.")
    found, file = known.found, server.file(document)
    opened = {
        path: each.text
        for uri, each in server.documents.items()
        if (path := path_of(uri)) is not None
    }
    seen = await asyncio.to_thread(other_files, found, file, server.folder(file), opened)
    law = found.pattern.law
    why = str(law) if law is not None else sketch(found.pattern).line
    mark = diagnostic(FIRST_LINE, f"fails like {document.name}, by {why}")
    uris = [uri_of(path) for path in seen.explained]
    patterns.mark(server, at.uri, uris, mark)
    files = many(seen.looked_at, "other file")
    message = f"{inert.short(why)} explains {len(uris)} of {files} with the suffix {file.suffix}."
    if not seen.finished:
        message += " There are more, which were not looked at."
    server.tell(message)
    answer = {"explained": uris, "lookedAt": seen.looked_at, "finished": seen.finished}
    return {"state": "done", "message": message, **answer}
