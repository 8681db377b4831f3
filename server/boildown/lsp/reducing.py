"""The command `boildown.reduce`: from the click to the result."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from boildown import history
from boildown.lsp import results, words, working
from boildown.lsp.arguments import At
from boildown.lsp.running import Job
from boildown.lsp.session import Result, Server
from boildown.lsp.settings import Settings
from boildown.lsp.working import Refused

if TYPE_CHECKING:
    from boildown.jobs import Reduced


async def reduce(server: Server, at: At) -> dict[str, Any]:
    """Start a reduction; return how it stands, at once or (`at.wait`) at its end."""
    try:
        document, chosen, target = await working.find(server, at)
        job = working.register(server, document, target)
    except Refused as why:
        return working.refused(server, why)
    _start(server, job, chosen)
    return await working.answer(server, job, at)


def _start(server: Server, job: Job, chosen: Settings) -> None:
    def work() -> Reduced:
        from boildown import jobs

        options = working.options(job, chosen)
        see = lambda event: working.watch(job, event)  # noqa: E731
        return jobs.reduce(job.text, job.command, options, see, job.stopped)

    async def conclude(reduced: Reduced) -> None:
        await _conclude(server, job, chosen, reduced)

    job.task = asyncio.create_task(working.see_through(server, job, work, conclude))


async def _conclude(server: Server, job: Job, chosen: Settings, reduced: Reduced) -> None:
    """Offer what a job found, and say what it did."""
    from boildown import jobs

    text = reduced.reduction.text
    before, after = jobs.size(job.target.text), jobs.size(text)
    result = Result(job.document, job.target, reduced)
    server.results[job.document.uri] = result
    sentence = words.result(reduced, before, after)
    job.outcome.update(
        state="cancelled" if job.stopped() else "done",
        message=sentence,
        bytesBefore=before,
        bytesAfter=after,
        runs=reduced.reduction.runs,
        cached=reduced.reduction.cached,
        finished=reduced.reduction.finished,
        minimality=reduced.reduction.minimality,
        text=text,
        output=None,
    )
    if text == job.target.text:
        server.tell(sentence)
    else:
        path = await results.offer(server, result, chosen, sentence)
        job.outcome["output"] = str(path) if path is not None else None
    # The user may go on at once, while the steps of a large input take their time.
    server.jobs.pop(job.document.uri, None)
    try:
        await asyncio.to_thread(history.save, result.record())
    except OSError as error:
        server.log(f"The steps are not kept: {error}", types.MessageType.Warning)
    if not reduced.reduction.finished:
        limit, seconds = chosen.max_seconds, reduced.seconds
        go_on = partial(_continue, server, result, chosen)
        working.ask_to_go_on(server, job, limit, seconds, go_on)


def _continue(server: Server, result: Result, chosen: Settings) -> None:
    """Go on from a result, wherever that was put."""
    document = server.documents.get(result.document.uri)
    target, best = result.target, result.reduced.reduction.text
    try:
        now = "" if document is None else history.normal(document.text)
        is_after = now == history.normal(result.after)
        if document is None or not (is_after or now == history.normal(result.document.text)):
            raise Refused("The document has changed meanwhile.")
        if is_after:
            end = target.start + len(target.written(best))
            target = replace(target, end=end, text=best)
        _start(server, working.register(server, document, target, best), chosen)
    except Refused as why:
        server.tell(str(why), types.MessageType.Warning)
