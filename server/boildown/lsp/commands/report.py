"""The command `boildown.report`: a bug report in Markdown on a minimal failing input."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from boildown import history
from boildown.files import FileError, free_path, write_text
from boildown.jobs.diagnosis import Diagnosis, diagnosis_of
from boildown.jobs.events import size
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands import common
from boildown.lsp.commands.common import Activity, Answer, Refused
from boildown.lsp.documents import Document
from boildown.lsp.job import Job
from boildown.lsp.readers import boolean
from boildown.lsp.server import Server
from boildown.lsp.shown import edits
from boildown.targets import Target


@dataclass(frozen=True, slots=True)
class ReportArgument(DocumentArgument):
    """The argument of `boildown.report`."""

    open: Annotated[bool, boolean] = False
    """Whether to write the report to a new file beside the document and open it."""


def diagnosis(server: Server, document: Document, target: Target) -> Diagnosis | None:
    """Return the findings on an input that this server or an earlier one reduced. Reads files."""
    found = _reduced(server, document, target)
    known = server.known.get(document.uri)
    if known is None or (known.start, known.end) != (target.start, target.end):
        return found
    # Imported here: where no pattern is known, no job was loaded yet.
    from boildown.jobs.card import needs
    from boildown.jobs.generalize import sketch
    from boildown.jobs.words import code

    pattern = known.found.pattern
    if found is None or found.text != pattern.text:
        failure = known.found.signature or None
        found = Diagnosis(pattern.text, size(known.target.text), 0, original=failure)
    if found.text == known.found.smallest:
        passing = found.passing or known.found.passing
        found = replace(found, passing=passing, needs=tuple(needs(known.found, code)))
    return replace(
        found,
        runs=found.runs + pattern.runs,
        pattern=str(sketch(pattern)) if pattern.is_general else None,
        others={**found.others, **known.found.others},
    )


def _reduced(server: Server, document: Document, target: Target) -> Diagnosis | None:
    result = server.results.get(document.uri)
    if result is not None and result.place(document) == (target.start, target.end):
        return diagnosis_of(result.reduced, result.target.text)
    record = history.find(target.text)
    if record is None:
        return None
    first, last = record.steps[0], record.steps[-1]
    return Diagnosis(last.text, size(first.text), last.run, record.minimality)


async def report(server: Server, at: ReportArgument) -> Answer:
    """Run the minimal input once more, and answer with a report on it in Markdown."""
    found = await common.find(server, at)
    known = await asyncio.to_thread(diagnosis, server, found.document, found.target)
    if known is None:
        raise Refused("Nothing is known of this input yet. Reduce it first.")
    conclude = _write if at.open else _return
    activity = Activity("checking", "run", partial(_work, known), conclude)
    job = common.start(server, found, activity, known.text)
    return await common.answer(server, job, replace(at, wait=True))


def _work(known: Diagnosis, job: Job) -> str:
    from boildown.jobs.check import observe
    from boildown.jobs.report import bug_report
    from boildown.jobs.versions import program_version

    run, signature = observe(job.text, job.command, job.stopped)
    program = program_version(job.command, job.stopped)
    return bug_report(known, job.command, run, signature, program)


async def _return(_server: Server, job: Job, markdown: str) -> None:
    """Answer with the report alone."""
    job.outcome.update(state="done", markdown=markdown, output=None)


async def _write(server: Server, job: Job, markdown: str) -> None:
    """Answer with the report, and write it to a new file that is opened."""
    await _return(server, job, markdown)
    file = server.file(job.document)
    path = free_path(file, f"{file.stem}.report{{}}.md")
    try:
        write_text(path, markdown)
    except FileError as error:
        raise Refused(str(error)) from None
    job.outcome["output"] = str(path)
    await edits.show_new(server, path)
