"""What all commands that run the test command share: what is refused, how a job is seen through."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types

from boildown.lsp import progress, words
from boildown.lsp.arguments import At
from boildown.lsp.documents import Document
from boildown.lsp.running import Job
from boildown.lsp.session import Server
from boildown.lsp.settings import Settings
from boildown.runner.run import CannotRun
from boildown.targets import NAMES, Kind, Target

if TYPE_CHECKING:
    from boildown.jobs import Event, Options

T = TypeVar("T")


class Refused(Exception):  # noqa: N818 - says what is the case
    """No job is started; the message says why and what to do."""


class NeedsCommand(Refused):
    """Nothing tells how the input is tested; a client may ask the user for the command."""


def refused(server: Server, why: Refused) -> dict[str, Any]:
    """Tell the user why nothing is done; return the answer to the command."""
    server.tell(str(why), types.MessageType.Warning)
    answer = {"state": "refused", "message": str(why)}
    return {**answer, "needs": "command"} if isinstance(why, NeedsCommand) else answer


async def find(server: Server, at: At) -> tuple[Document, Settings, Target]:
    """Return what the arguments of a command mean. Raises Refused."""
    chosen = await server.settings(at.uri)
    document = server.documents.get(at.uri)
    if document is None:
        raise Refused("The document is not open.")
    if at.version is not None and at.version != document.version:
        raise Refused(f"{document.name} has changed since this was offered. Ask again.")
    found, declined = await server.targets(document, chosen, at.range)
    wanted = [target for target in found if at.kind in (None, target.kind)]
    if declined and at.kind in (None, Kind.LITERAL):
        raise Refused(declined)
    if not wanted:
        name = NAMES[at.kind or Kind.DOCUMENT].removeprefix("the ")
        raise Refused(f"There is no {name} at this place.")
    target = next((target for target in wanted if target.command is not None), wanted[0])
    return document, chosen, target


def register(
    server: Server,
    document: Document,
    target: Target,
    text: str | None = None,
    doing: str = "reducing",
) -> Job:
    """Return a new job that starts from a text (if None, the target's). Raises Refused."""
    if not server.trusted:
        raise Refused("This workspace is not trusted, so no command of it is run.")
    if document.uri in server.jobs:
        raise Refused(f"A job is at work on {document.name} already. Cancel that first.")
    if target.command is None:
        if is_python(document):
            raise Refused(words.no_string(document.name))
        raise NeedsCommand(words.no_command(document.name))
    job = Job(document, target, target.command, target.text if text is None else text, doing)
    server.jobs[document.uri] = job
    return job


def is_python(document: Document) -> bool:
    """Say whether the strings in a document may be failing inputs."""
    return document.language_id == "python" or document.name.endswith((".py", ".pyi"))


async def answer(server: Server, job: Job, at: At) -> dict[str, Any]:
    """Return the answer to the command that started a job: now, or (`at.wait`) at its end."""
    if not at.wait or job.task is None:
        return {"state": "started", "token": job.token}
    job.request = server.protocol.msg_id
    await asyncio.wait([job.task])
    return dict(job.outcome)


async def see_through(
    server: Server, job: Job, work: Callable[[], T], conclude: Callable[[T], Awaitable[None]]
) -> None:
    """Do a job's work on its thread and conclude it, or say why that failed."""
    try:
        async with progress.shown(server, job):
            result = await job.start(work)
        await conclude(result)
    except Exception as error:
        _failed(server, job, error)
    finally:
        if server.jobs.get(job.document.uri) is job:
            del server.jobs[job.document.uri]
        server.tidy()


def ask_to_go_on(
    server: Server, job: Job, limit: float | None, seconds: float, go_on: Callable[[], None]
) -> None:
    """Ask about a job that is not finished whether to go on, if it was the time that ended it."""
    if limit is not None and seconds >= limit and not job.stopped():
        question = f"{job.document.name}: stopped after {limit:g} seconds. Go on?"
        server.ask(question, "Continue", go_on)


def options(job: Job, chosen: Settings) -> Options:
    """Return what the user chose, for a job of the engine; to be called on the job's thread."""
    # Imported here: a server that does nothing yet loads no grammar and no parser.
    from boildown import jobs

    language = language_name(job.target)
    return jobs.Options(language=language, jobs=chosen.jobs, max_seconds=chosen.max_seconds)


def language_name(target: Target) -> str:
    """Return the language of an input: the configured one, or the one that it speaks for."""
    from boildown.languages import detect

    if target.language is not None:
        return target.language
    return detect(target.name, target.text, target.language_id).name


def watch(job: Job, event: Event) -> None:
    """Take an event on the job's thread."""
    from boildown import jobs

    if isinstance(event, jobs.Progress):
        job.latest = event
    else:
        job.notes.append(event.text)


def _failed(server: Server, job: Job, error: Exception) -> None:
    """Say why a job gave no result."""
    from boildown import jobs
    from boildown.engine.oracle import Stop
    from boildown.languages import LanguageError

    if isinstance(error, Stop):
        message = "Cancelled before anything was found."
        job.outcome.update(state="cancelled", message=message)
        server.tell(message)
        return
    message = words.configured(str(error))
    if job.target.kind is Kind.LITERAL and isinstance(error, jobs.PreflightError):
        message += words.for_string(error.kind)
    if not isinstance(error, jobs.PreflightError | LanguageError | CannotRun | Refused):
        server.log("".join(traceback.format_exception(error)), types.MessageType.Error)
        message = f"The job failed ({type(error).__name__}: {error}). The log says more."
    job.outcome.update(state="failed", message=message)
    server.tell(message, types.MessageType.Error)
