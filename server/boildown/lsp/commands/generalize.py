"""The command `boildown.generalize`: finds the pattern of all inputs that fail alike."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from boildown import history
from boildown.jobs import words
from boildown.jobs.advice import for_editor
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands import common
from boildown.lsp.commands.common import Activity, Answer, FoundInput, Refused
from boildown.lsp.job import Job
from boildown.lsp.known import Known
from boildown.lsp.server import Server
from boildown.lsp.shown import messages, patterns
from boildown.lsp.shown.messages import Told
from boildown.targets import NAMES

if TYPE_CHECKING:
    from boildown.jobs.events import Event
    from boildown.jobs.generalize import Generalized
    from boildown.jobs.reduce import Reduced

SHOWN = 3
"""How many inputs of a pattern are shown with it."""
DRAWN = 100
"""How many are drawn, of which those nearest to its text are shown."""


class _Found(NamedTuple):
    generalized: Generalized
    instances: tuple[str, ...]
    steps: tuple[history.Step, ...]
    """The smaller texts on the way, the original first."""


async def generalize(server: Server, at: DocumentArgument) -> Answer:
    """Start a generalization; answer at once or (`at.wait`) at its end."""
    found = await common.find(server, at)
    return await common.answer(server, _start(server, found), at)


def _start(server: Server, found: FoundInput) -> Job:
    """Start a generalization, with the verdicts of an earlier reduction. Raises Refused."""
    work = partial(_work, server.led_to(found.document, found.target))
    noun = "generalization, keep what is known"
    return common.start(server, found, Activity("generalizing", noun, work, _conclude))


def _work(before: Reduced | None, job: Job) -> _Found:
    from boildown.jobs.generalize import GeneralizeOptions
    from boildown.jobs.generalize import generalize as generalize_input
    from boildown.jobs.instances import instances as instances_of
    from boildown.jobs.instances import nearest_first

    steps = [history.Step(0, job.text)]

    def see(event: Event) -> None:
        common.watch(job, event)
        best = job.latest
        if best is not None and best.text != steps[-1].text:
            steps.append(history.Step(best.runs, best.text))

    options, how = common.options(job), GeneralizeOptions()
    found = generalize_input(
        job.text, job.command, options, how, before=before, see=see, stopped=job.stopped
    )
    drawn = instances_of(found.pattern, DRAWN, seed=0) if found.pattern.is_general else []
    found.forget()
    return _Found(found, tuple(nearest_first(found.pattern, drawn)[:SHOWN]), tuple(steps))


async def _conclude(server: Server, job: Job, result: _Found) -> None:
    found = result.generalized
    _show(server, job, found, result.instances)
    if result.steps[1:]:
        # From the input to the text of its pattern.
        uri, what, shown = job.document.uri, NAMES[job.target.kind], job.target.shown
        ended = None, found.pattern.finished, result.steps
        record = history.Record(uri, what, shown, found.language, *ended)
        await common.keep_steps(server, record)


def _show(server: Server, job: Job, found: Generalized, instances: tuple[str, ...]) -> None:
    """Show the pattern where the input is, if it still is there."""
    from boildown.jobs.stored import dump as dump_pattern

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
        pattern=dump_pattern(found, for_editor),
        instances=list(instances),
    )
    patterns.forget(server, document.uri)
    server.explained.pop(document.uri, None)
    if known is not None and now is not None:
        server.known[document.uri] = known
        patterns.refresh(server, now)
    else:
        sentence += " The document has changed meanwhile, so it is not shown there."
    choices = {}
    if not found.pattern.finished:
        go_on = partial(_continue, server, job)
        choices = common.to_go_on(server, job, found.seconds, go_on)
    messages.tell(server, Told(document.uri, sentence, choices=choices))
    # The user may go on at once, while the steps of a large input take their time.
    server.release(job)


def _continue(server: Server, job: Job) -> None:
    """Go on where the time was up: no run is made again whose outcome is known already.

    Raises Refused.
    """
    document = server.documents.get(job.document.uri)
    if document is None or document.text != job.document.text:
        raise Refused("The document has changed meanwhile. Generalize it again.")
    _start(server, FoundInput(document, job.settings, job.target))
