"""The command `boildown.live`: the best text of a reduction as a document that one may edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands.common import Answer, Refused
from boildown.lsp.readers import boolean
from boildown.lsp.server import Server
from boildown.lsp.shown import edits
from boildown.lsp.shown import live as live_documents


@dataclass(frozen=True, slots=True)
class LiveArgument(DocumentArgument):
    """The argument of `boildown.live`."""

    open: Annotated[bool, boolean] = False
    """Whether to open it in the editor."""


async def live(server: Server, at: LiveArgument) -> Answer:
    """Make the live document of the reduction that is under way, and open it if that is wanted."""
    job = server.jobs.get(at.uri)
    if job is None or not job.takes_edits:
        raise Refused("Nothing is being reduced here, so there is no best text to edit.")
    document = live_documents.live(server, job)
    if at.open:
        await edits.show(server, document.path, in_front=False)
    return {"state": "done", "output": str(document.path)}
