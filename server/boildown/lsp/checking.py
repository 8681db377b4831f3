"""The command `boildown.check`: what would run on a failing input, and whether it reproduces."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boildown.lsp import words, working
from boildown.lsp.arguments import At
from boildown.lsp.running import Job
from boildown.lsp.session import Server
from boildown.lsp.settings import Settings
from boildown.lsp.working import Refused

if TYPE_CHECKING:
    from boildown.runner.preflight import Preflight


async def check(server: Server, at: At) -> dict[str, Any]:
    """Run the preflight alone; return what it found, at its end."""
    try:
        document, chosen, target = await working.find(server, at)
        job = working.register(server, document, target, doing="checking")
    except Refused as why:
        return working.refused(server, why)
    _start(server, job, chosen)
    return await working.answer(server, job, replace(at, wait=True))


def _start(server: Server, job: Job, chosen: Settings) -> None:
    command = job.command
    job.outcome.update(command=command.shown, folder=str(command.cwd), why=job.target.why)

    def work() -> Preflight:
        from boildown import jobs

        options = working.options(job, chosen)
        job.outcome["language"] = options.language
        return jobs.check(job.text, command, options, job.stopped)

    async def conclude(found: Preflight) -> None:
        sentence = words.checked(job.target, found)
        notes = [words.configured(note) for note in found.notes]
        job.outcome.update(
            state="done",
            message=sentence,
            failure=found.expected.signature,
            seconds=found.seconds,
            timeout=found.expected.timeout,
            rate=found.expected.rate,
            runs=found.runs,
            notes=notes,
        )
        server.tell(" ".join((sentence, *notes)))

    job.task = asyncio.create_task(working.see_through(server, job, work, conclude))
