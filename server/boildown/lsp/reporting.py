"""The command `boildown.report`: what to tell the maintainer of the program that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from boildown import history
from boildown.files import FileError, free_path, write_text
from boildown.lsp import edits, working
from boildown.lsp.arguments import At
from boildown.lsp.documents import Document
from boildown.lsp.running import Job
from boildown.lsp.session import Server
from boildown.lsp.working import Refused
from boildown.targets import Target


@dataclass(frozen=True, slots=True)
class Story:
    """How a minimal input was found."""

    text: str
    """The minimal input."""
    before: str
    """The original."""
    runs: int
    minimality: str | None = None
    pattern: str | None = None
    others: Mapping[str, str] = field(default_factory=dict)
    """Other failures that were met, each with its smallest input."""


def story(server: Server, document: Document, target: Target) -> Story | None:
    """Return how an input was reduced: by this server, or by one before it. Reads files."""
    found = _reduced(server, document, target)
    known = server.known.get(document.uri)
    if known is None or (known.start, known.end) != (target.start, target.end):
        return found
    pattern = known.found.pattern
    earlier = found if found is not None and found.text == pattern.text else None
    return Story(
        pattern.text,
        earlier.before if earlier is not None else known.target.text,
        pattern.runs + (earlier.runs if earlier is not None else 0),
        earlier.minimality if earlier is not None else None,
        str(pattern) if pattern.holes else None,
        {**(earlier.others if earlier is not None else {}), **known.found.others},
    )


def _reduced(server: Server, document: Document, target: Target) -> Story | None:
    result = server.results.get(document.uri)
    if result is not None and result.place(document) == (target.start, target.end):
        made = result.reduced
        return Story(
            made.reduction.text,
            result.target.text,
            made.reduction.runs,
            made.reduction.minimality,
            others=made.others,
        )
    record = history.find(target.text)
    if record is None:
        return None
    first, last = record.steps[0], record.steps[-1]
    return Story(last.text, first.text, last.run, record.minimality)


async def report(server: Server, at: At, is_opened: bool) -> dict[str, Any]:
    """Run the minimal input once more, and return a report on it in Markdown."""
    try:
        document, _, target = await working.find(server, at)
        found = await asyncio.to_thread(story, server, document, target)
        if found is None:
            raise Refused("Nothing is known of this input yet. Reduce it first.")
        job = working.register(server, document, target, found.text, "checking")
    except Refused as why:
        return working.refused(server, why)
    _start(server, job, found, is_opened)
    return await working.answer(server, job, replace(at, wait=True))


def _start(server: Server, job: Job, found: Story, is_opened: bool) -> None:
    def work() -> str:
        from boildown import jobs
        from boildown.runner.report import Facts, bug_report

        run, signature = jobs.observe(job.text, job.command, job.stopped)
        return bug_report(
            Facts(
                job.command,
                job.text,
                run,
                signature,
                jobs.size(found.before),
                found.runs,
                found.minimality,
                found.pattern,
                found.others,
            )
        )

    async def conclude(markdown: str) -> None:
        job.outcome.update(state="done", markdown=markdown, output=None)
        if is_opened:
            file = server.file(job.document)
            path = free_path(file, f"{file.stem}.report{{}}.md")
            try:
                write_text(path, markdown)
            except FileError as error:
                raise Refused(str(error)) from None
            job.outcome["output"] = str(path)
            await edits.show_new(server, path)

    job.task = asyncio.create_task(working.see_through(server, job, work, conclude))
