"""The command `boildown.reduce`: a failing input to the smallest that still fails the same way."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from boildown import history
from boildown.jobs import words
from boildown.lsp import lenses
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands import common
from boildown.lsp.commands.common import Activity, Answer, FoundInput, Refused
from boildown.lsp.job import Job
from boildown.lsp.server import Result, Server
from boildown.lsp.shown import messages, results
from boildown.lsp.shown.messages import Told
from boildown.targets import Target

if TYPE_CHECKING:
    from boildown.jobs.reduce import Reduced


async def reduce(server: Server, at: DocumentArgument) -> Answer:
    """Start a reduction; answer at once or (`at.wait`) at its end."""
    return await common.run_job(server, at, REDUCING)


def _work(job: Job) -> Reduced:
    from boildown.jobs.reduce import reduce as reduce_input

    see = partial(common.watch, job)
    options = common.options(job)
    return reduce_input(job.text, job.command, options, see, job.stopped, job.next_edit)


async def _conclude(server: Server, job: Job, reduced: Reduced) -> None:
    """Offer the result, and tell the user how the reduction ended."""
    from boildown.jobs.events import size

    text = reduced.text
    before, after = size(job.text), size(reduced.reduction.text)
    result = Result(job.document, job.target, reduced)
    server.results[job.document.uri] = result
    sentence = " ".join(filter(None, (words.result(reduced, before), words.failures(reduced))))
    job.outcome.update(
        reduced.in_json,
        state="cancelled" if job.stopped() else "done",
        message=sentence,
        claim=" ".join(words.claims(reduced)),
        bytesBefore=before,
        bytesAfter=after,
        text=text,
        output=None,
    )
    choices = {}
    if not reduced.reduction.finished:
        go_on = partial(_continue, server, job, result, job.target, text)
        choices = common.to_go_on(server, job, reduced.seconds, go_on)
    if text == "" != job.target.text:
        filled = replace(job.target, command=replace(job.command, allow_empty=False))
        again = partial(_continue, server, job, result, filled, job.text)
        choices[common.NOT_EMPTY] = common.once_ended(server, job, again)
    brief = words.brief(reduced, before)
    told = Told(job.document.uri, sentence, brief, choices=choices)
    if text == job.target.text:
        messages.tell(server, told)
    else:
        path = await results.offer(server, result, job.settings, told)
        job.outcome["output"] = str(path) if path is not None else None
    lenses.refresh(server)
    # The user may go on at once, while the steps of a large input take their time.
    server.release(job)
    await common.keep_steps(server, result.record())
    await asyncio.to_thread(reduced.forget)


def _continue(server: Server, job: Job, result: Result, target: Target, text: str) -> None:
    """Start again on a target from a text, wherever the result was put. Raises Refused."""
    document = server.documents.get(result.document.uri)
    best = result.reduced.text
    now = "" if document is None else history.normal(document.text)
    is_after = now == history.normal(result.after)
    if document is None or not (is_after or now == history.normal(result.document.text)):
        raise Refused("The document has changed meanwhile.")
    if is_after:
        target = replace(target, end=target.start + len(target.written(best)), text=best)
    common.start(server, FoundInput(document, job.settings, target), REDUCING, text)


REDUCING = Activity(
    "reducing", "reduction, keep the best so far", _work, _conclude, takes_edits=True
)
