"""The command `boildown.why`: the functions of the program in which the bug may be."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from boildown.jobs import words
from boildown.lsp import lenses
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands import common
from boildown.lsp.commands.common import Activity, Answer
from boildown.lsp.job import Job
from boildown.lsp.server import Located, Server
from boildown.lsp.shown import suspects

if TYPE_CHECKING:
    from boildown.jobs.reduce import Reduced
    from boildown.jobs.why import Why


async def why(server: Server, at: DocumentArgument) -> Answer:
    """Start to rank the functions in which the bug of a failing input may be."""
    found = await common.find(server, at)
    work = partial(_work, server.led_to(found.document, found.target))
    activity = Activity("locating the bug of", "search for the bug", work, _conclude)
    return await common.answer(server, common.start(server, found, activity), at)


def _work(before: Reduced | None, job: Job) -> tuple[str, Why]:
    """Return the smallest text, and the ranking."""
    from boildown.jobs.why import why as rank
    from boildown.jobs.why import why_of

    see, options = partial(common.watch, job), common.options(job)
    if before is not None:
        found = why_of(before, job.command, options, see, job.stopped)
        if found.failing_runs or job.stopped():
            return before.text, found
    reduced, found = rank(job.text, job.command, options, see, job.stopped)
    reduced.forget()
    return reduced.text, found


async def _conclude(server: Server, job: Job, result: tuple[str, Why]) -> None:
    smallest, found = result
    server.located[job.document.uri] = Located(smallest, job.command)
    suspects.show(server, job.document.uri, found)
    lenses.refresh(server)
    server.refresh_hints()
    told = asdict(found)
    del told["notes"]
    sentence = words.suspected(found)
    job.outcome.update(state="cancelled" if job.stopped() else "done", message=sentence, **told)
    server.tell(sentence)
