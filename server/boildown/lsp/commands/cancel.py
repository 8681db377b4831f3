"""The command `boildown.cancel`: ends jobs early, which keep the best so far."""

from __future__ import annotations

from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands.common import Answer
from boildown.lsp.server import Server


async def cancel(server: Server, at: DocumentArgument | None) -> Answer:
    """Cancel the job on a document, or all jobs, and the commands that are about to begin one."""
    jobs = [job for uri, job in server.jobs.items() if at is None or uri == at.uri]
    for job in jobs:
        job.cancel()
    calls = [each for each in server.calls if each.begins and (at is None or each.uri == at.uri)]
    for call in calls:
        call.is_off = True
        call.task.cancel()
    if not jobs and not calls:
        server.tell("Nothing is being reduced here.")
    return {"cancelled": len(jobs) + len(calls)}
