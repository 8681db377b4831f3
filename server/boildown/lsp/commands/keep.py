"""The command `boildown.keep`: parts of a failing input that its reduction leaves as they are."""

from __future__ import annotations

from boildown.jobs.events import UserEdit
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands.common import Answer, Refused, open_document
from boildown.lsp.server import Server
from boildown.lsp.shown import keeping


async def keep(server: Server, at: DocumentArgument) -> Answer:
    """Keep the selected text from now on; let it go if it is kept, or all if none is selected.

    While a reduction is under way on the document, or this is its live document, the text is kept
    in that one, and nothing can be let go.
    """
    document = open_document(server, at)
    start, end = (0, 0) if at.range is None else document.span(at.range)
    text = document.text[start:end]
    live = server.live.get(document.uri)
    job = server.jobs.get(document.uri) if live is None else live.job
    if job is not None and job.takes_edits and not (live is not None and live.ended):
        if not text:
            raise Refused("Select what is to be kept.")
        job.edits.append(UserEdit(text, kept=True))
        return {"state": "done", "kept": [*job.keep, text]}
    parts = server.kept.get(document.uri, ())
    if not text and not parts:
        raise Refused("Select what is to be kept.")
    if not text:
        parts = ()
    elif text in parts:
        parts = tuple(part for part in parts if part != text)
    else:
        parts = (*parts, text)
    server.kept[document.uri] = parts
    keeping.show(server, document)
    return {"state": "done", "kept": list(parts)}
