"""The command `boildown.generalize`: from a failing input to the pattern of all that fail alike."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from boildown import history
from boildown.lsp import patterns_shown, words, working
from boildown.lsp.arguments import At
from boildown.lsp.known import Known
from boildown.lsp.running import Job
from boildown.lsp.session import Server
from boildown.lsp.settings import Settings
from boildown.lsp.working import Refused
from boildown.targets import NAMES

if TYPE_CHECKING:
    from boildown.patterns import Generalized

SHOWN = 3
"""How many inputs of a pattern are shown with it."""


async def generalize(server: Server, at: At) -> dict[str, Any]:
    """Start a generalization; return how it stands, at once or (`at.wait`) at its end."""
    try:
        document, chosen, target = await working.find(server, at)
        job = working.register(server, document, target, doing="generalizing")
    except Refused as why:
        return working.refused(server, why)
    _start(server, job, chosen)
    return await working.answer(server, job, at)


def _start(server: Server, job: Job, chosen: Settings) -> None:
    steps = [history.Step(0, job.text)]

    def work() -> tuple[Generalized, tuple[str, ...]]:
        from boildown import patterns

        def see(event: Any) -> None:
            working.watch(job, event)
            best = job.latest
            if best is not None and best.text != steps[-1].text:
                steps.append(history.Step(best.runs, best.text))

        options = working.options(job, chosen)
        found = patterns.generalize(job.text, job.command, options, see=see, stopped=job.stopped)
        instances = patterns.instances(found.pattern, SHOWN, seed=0) if found.pattern.holes else []
        return found, tuple(instances)

    async def conclude(result: tuple[Generalized, tuple[str, ...]]) -> None:
        _conclude(server, job, *result)
        if steps[1:]:
            await asyncio.to_thread(_keep, server, job, result[0], tuple(steps))
        if not result[0].pattern.finished:
            limit, seconds = chosen.max_seconds, result[0].seconds
            go_on = partial(_continue, server, job, chosen)
            working.ask_to_go_on(server, job, limit, seconds, go_on)

    job.task = asyncio.create_task(working.see_through(server, job, work, conclude))


def _conclude(server: Server, job: Job, found: Generalized, instances: tuple[str, ...]) -> None:
    """Show the pattern where the input is, if it still is there."""
    from boildown import patterns

    sentence = words.pattern(found)
    target, document = job.target, job.document
    when = time.strftime("%Y-%m-%d %H:%M")
    known: Known | None = Known(
        target, found, instances, when, target.start, target.end, target.text
    )
    now = server.documents.get(document.uri)
    if known is not None and now is not None and now.text != document.text:
        known = known.moved(document, now)
    job.outcome.update(
        state="cancelled" if job.stopped() else "done",
        message=sentence,
        pattern=patterns.dump(found),
        instances=list(instances),
    )
    patterns_shown.forget(server, document.uri)
    server.explained.pop(document.uri, None)
    if known is not None and now is not None:
        server.known[document.uri] = known
        patterns_shown.refresh(server, now)
    else:
        sentence += " The document has changed meanwhile, so it is not shown there."
    server.tell(sentence)
    # The user may go on at once, while the steps of a large input take their time.
    server.jobs.pop(job.document.uri, None)


def _continue(server: Server, job: Job, chosen: Settings) -> None:
    """Go on where the time was up: no run is made again whose outcome is known already."""
    document = server.documents.get(job.document.uri)
    try:
        if document is None or document.text != job.document.text:
            raise Refused("The document has changed meanwhile. Generalize it again.")
        again = working.register(server, document, job.target, doing="generalizing")
    except Refused as why:
        server.tell(str(why), types.MessageType.Warning)
    else:
        _start(server, again, chosen)


def _keep(server: Server, job: Job, found: Generalized, steps: tuple[history.Step, ...]) -> None:
    """Keep the steps from the input to the text of its pattern."""
    what, shown = NAMES[job.target.kind], job.target.shown
    uri = job.document.uri
    record = history.Record(uri, what, shown, found.language, None, found.pattern.finished, steps)
    try:
        history.save(record)
    except OSError as error:
        server.log(f"The steps are not kept: {error}", types.MessageType.Warning)
