"""The command `boildown.explain`: why nothing more of a text can go."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from boildown.lsp import words, working
from boildown.lsp.arguments import At
from boildown.lsp.documents import Document
from boildown.lsp.running import Job
from boildown.lsp.session import Explained, Server
from boildown.lsp.settings import Settings
from boildown.lsp.working import Refused
from boildown.targets import Kind, Target

if TYPE_CHECKING:
    from boildown.explain import Explanation


async def explain(server: Server, at: At) -> dict[str, Any]:
    """Start to explain the selected part of a failing input, or all of it."""
    try:
        document, chosen, target = await working.find(server, at)
        if target.kind in (Kind.SELECTION, Kind.ALONE) and at.kind is None:
            # The selection says which part of the document is asked about.
            found, _ = await server.targets(document, chosen, None)
            target = found[-1]
        job = working.register(server, document, target, doing="explaining")
    except Refused as why:
        return working.refused(server, why)
    _start(server, job, chosen, _asked(document, target, at))
    return await working.answer(server, job, at)


def _asked(document: Document, target: Target, at: At) -> tuple[int, int]:
    """Return which part of an input is selected; all of it if nothing is, or who knows where."""
    start, end = document.span(at.range) if at.range is not None else (0, 0)
    first = document.spelled(target.text, target.start, target.end)
    if first is None or start == end:
        return 0, len(target.text)
    start, end = max(start - first, 0), min(end - first, len(target.text))
    return (start, end) if start < end else (0, len(target.text))


def _start(server: Server, job: Job, chosen: Settings, span: tuple[int, int]) -> None:
    def work() -> Explanation:
        from boildown.explain import explain as explain_text

        def see(event: Any) -> None:
            working.watch(job, event)

        options = working.options(job, chosen)
        return explain_text(job.text, job.command, *span, options, see, job.stopped)

    async def conclude(explanation: Explanation) -> None:
        sentence = words.explanation(explanation)
        server.explained[job.document.uri] = Explained(job.document, job.target, explanation)
        job.outcome.update(
            state="cancelled" if job.stopped() else "done",
            message=sentence,
            neighbours=[
                {
                    "sort": each.sort.value,
                    "start": each.start,
                    "text": each.piece,
                    "instead": each.instead,
                    "gives": words.gives(each),
                }
                for each in explanation.neighbours
            ],
        )
        server.tell(sentence)

    job.task = asyncio.create_task(working.see_through(server, job, work, conclude))
