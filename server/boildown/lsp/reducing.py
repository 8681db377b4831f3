"""The command `boildown.reduce`: from the click to the result."""

from __future__ import annotations

import asyncio
import traceback
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from boildown.lsp import progress, results, words
from boildown.lsp.arguments import At
from boildown.lsp.documents import Document
from boildown.lsp.running import Job
from boildown.lsp.session import Result, Server
from boildown.lsp.settings import Settings
from boildown.runner.run import CannotRun
from boildown.targets import NAMES, Kind, Target

if TYPE_CHECKING:
    from boildown.jobs import Reduced


class Refused(Exception):  # noqa: N818 - says what is the case
    """No job is started; the message says why and what to do."""


async def reduce(server: Server, at: At) -> dict[str, Any]:
    """Start a reduction; return how it stands, at once or (`at.wait`) at its end."""
    try:
        job, chosen = await _prepare(server, at)
    except Refused as refusal:
        server.tell(str(refusal), types.MessageType.Warning)
        return {"state": "refused", "message": str(refusal)}
    job.task = asyncio.create_task(_run(server, job, chosen))
    if not at.wait:
        return {"state": "started", "token": job.token}
    job.request = server.protocol.msg_id
    await asyncio.wait([job.task])
    return dict(job.outcome)


async def _prepare(server: Server, at: At) -> tuple[Job, Settings]:
    """Return the job for a document, registered as running. Raises Refused."""
    chosen = await server.settings(at.uri)
    document = server.documents.get(at.uri)
    if document is None:
        raise Refused("The document is not open, so there is nothing to reduce.")
    if at.version is not None and at.version != document.version:
        raise Refused(f"{document.name} has changed since this was offered. Ask again.")
    if not server.trusted:
        raise Refused("This workspace is not trusted, so no command of it is run.")
    target = await find_target(server, document, chosen, at)
    if at.uri in server.jobs:
        raise Refused(f"{document.name} is being reduced already. Cancel that first.")
    if target.command is None:
        raise Refused(
            f"No test command is configured for {document.name}. Give boildown.toml an [[input]] "
            "with 'files' and 'command', or set boildown.inputs."
        )
    job = Job(document, target, target.command)
    server.jobs[at.uri] = job
    return job, chosen


async def find_target(server: Server, document: Document, chosen: Settings, at: At) -> Target:
    """Return the failing input that the arguments of a command mean. Raises Refused."""
    found, declined = await server.targets(document, chosen, at.range)
    wanted = [target for target in found if at.kind in (None, target.kind)]
    if declined and at.kind in (None, Kind.LITERAL):
        raise Refused(declined)
    if not wanted:
        raise Refused(f"There is no {NAMES[at.kind or Kind.DOCUMENT]} at this place.")
    return next((target for target in wanted if target.command is not None), wanted[0])


async def _run(server: Server, job: Job, chosen: Settings) -> None:
    """See a job through to its end, whatever that is."""
    try:
        async with progress.shown(server, job):
            reduced = await job.start(lambda: _work(job, chosen))
        await _conclude(server, job, chosen, reduced)
    except Exception as error:
        _failed(server, job, error)
    finally:
        server.jobs.pop(job.document.uri, None)


def _work(job: Job, chosen: Settings) -> Reduced:
    """Reduce, on the job's thread."""
    # Imported here: a server that reduces nothing loads no grammar and no parser.
    from boildown import jobs
    from boildown.languages import detect

    def see(event: jobs.Event) -> None:
        if isinstance(event, jobs.Progress):
            job.latest = event
        else:
            job.notes.append(event.text)

    target = job.target
    language = target.language
    if language is None:
        language = detect(target.name, target.text, target.language_id).name
    options = jobs.Options(
        language=language,
        jobs=chosen.jobs,
        max_seconds=chosen.max_seconds,
    )
    return jobs.reduce(target.text, job.command, options, see, job.stopped)


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
        return
    path = await results.offer(server, result, chosen, sentence)
    job.outcome["output"] = str(path) if path is not None else None


def _failed(server: Server, job: Job, error: Exception) -> None:
    """Say why a job gave no result."""
    from boildown import jobs
    from boildown.engine.oracle import Stop
    from boildown.languages import LanguageError

    if isinstance(error, Stop):
        job.outcome.update(state="cancelled", message="Cancelled before anything was found.")
        server.tell("Cancelled before anything was found.")
        return
    message = str(error)
    if not isinstance(error, jobs.PreflightError | LanguageError | CannotRun):
        server.log("".join(traceback.format_exception(error)), types.MessageType.Error)
        message = f"The reduction failed ({type(error).__name__}: {error}). The log says more."
    job.outcome.update(state="failed", message=message)
    server.tell(message, types.MessageType.Error)
