"""The command `boildown.explain`: why no token or part of a failing input can be left out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from boildown.jobs import words
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands import common
from boildown.lsp.commands.common import Activity, Answer
from boildown.lsp.documents import Document
from boildown.lsp.job import Job
from boildown.lsp.server import GivenExplanation, Server
from boildown.targets import InputKind, Target

if TYPE_CHECKING:
    from boildown.jobs.explain import Explanation


async def explain(server: Server, at: DocumentArgument) -> Answer:
    """Start to explain the selected part of a failing input, or all of it."""
    found = await common.find(server, at)
    if found.target.kind in (InputKind.SELECTION, InputKind.ALONE) and at.input is None:
        # The selection says which part of the document is asked about.
        targets, _ = await server.targets(found.document, found.settings, None)
        found = found._replace(target=targets[-1])
    work = partial(_work, _asked(found.document, found.target, at))
    activity = Activity("explaining", "explanation", work, _conclude)
    return await common.answer(server, common.start(server, found, activity), at)


def _asked(document: Document, target: Target, at: DocumentArgument) -> tuple[int, int]:
    """Return the offsets of the selection in an input; of all where nothing in it is selected."""
    start, end = document.span(at.range) if at.range is not None else (0, 0)
    first = document.spelled(target.text, target.start, target.end)
    if first is None or start == end:
        return 0, len(target.text)
    start, end = max(start - first, 0), min(end - first, len(target.text))
    return (start, end) if start < end else (0, len(target.text))


def _work(span: tuple[int, int], job: Job) -> Explanation:
    from boildown.jobs.explain import explain as explain_text

    see = partial(common.watch, job)
    options = common.options(job)
    return explain_text(job.text, job.command, *span, options, see=see, stopped=job.stopped)


async def _conclude(server: Server, job: Job, explanation: Explanation) -> None:
    sentence = words.explanation(explanation)
    server.explained[job.document.uri] = GivenExplanation(job.document, job.target, explanation)
    job.outcome.update(
        state="cancelled" if job.stopped() else "done",
        message=sentence,
        neighbours=[
            {
                "sort": each.sort.value,
                "start": each.start,
                "text": each.piece,
                "instead": each.instead,
                "gives": words.gives(each.verdict),
            }
            for each in explanation.neighbours
        ],
    )
    server.tell(sentence)
