"""The common part of all commands: finding the failing input, refusing, running a job, answering.

A command that runs the test command is an `Activity`, the work of its job and the end of it, and
one call of `run_job`. In any command a `Refused` becomes the answer.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from lsprotocol import types

from boildown import config, history
from boildown.jobs import inert
from boildown.jobs.advice import advised, for_editor, message_of
from boildown.lsp import sentences
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.documents import Document
from boildown.lsp.job import Job
from boildown.lsp.server import PATIENCE, Server
from boildown.lsp.settings import Settings
from boildown.lsp.shown import edits, messages, progress
from boildown.lsp.shown.messages import Choice, Told
from boildown.targets import NAMES, InputKind, Target

if TYPE_CHECKING:
    from boildown.jobs.events import Event
    from boildown.jobs.work import JobOptions

T = TypeVar("T")

Answer = dict[str, Any]
"""The answer to a command, as JSON."""


class Refused(Exception):  # noqa: N818 - says what is the case
    """A command that is refused; the message gives the reason and the way out."""


class NeedsCommand(Refused):
    """A refusal for want of a test command, which a client may ask the user for."""


class WrongConfig(Refused):
    """A refusal for want of a test command, where the configuration file has a mistake."""

    def __init__(self, problem: config.ConfigProblem, name: str) -> None:
        super().__init__(sentences.wrong_config(problem, name))
        self.problem = problem


class NeedsExpected(Refused):
    """A refusal for want of the value that a test should expect; the message asks the user for it.

    Only a client that asks for what is missing by itself is refused so.
    """


class NeedsTrust(Refused):
    """A refusal to run commands of a workspace that the user does not trust."""

    def __init__(self) -> None:
        super().__init__(UNTRUSTED)


NOTHING_FOUND = "Cancelled before anything was found."
UNTRUSTED = "This workspace is not trusted, so no command of it is run."


class FoundInput(NamedTuple):
    """A failing input in an open document, with the settings for it."""

    document: Document
    settings: Settings
    target: Target


@dataclass(frozen=True, slots=True)
class Activity(Generic[T]):
    """The part of a job that is its command's own."""

    doing: str
    """A participle for the progress, as in "reducing"."""
    noun: str
    """The same in the title of the action that cancels it, as in "reduction"."""
    work: Callable[[Job], T]
    """Does the work, on the job's thread."""
    conclude: Callable[[Server, Job, T], Awaitable[None]]
    """Shows the result and puts it into `job.outcome`, on the event loop."""
    about: str = ""
    """What it works on, for its progress; empty: the failing input."""
    takes_edits: bool = False
    """Whether the work takes what the user hands in."""


def refused(server: Server, why: Refused, uri: str = "") -> Answer:
    """Tell the user why nothing is done; return the answer to the command.

    A client that asks for what is missing by itself says so there.
    """
    needs = next((name for kind, name in _NEEDS.items() if isinstance(why, kind)), None)
    if needs not in ("command", "expected") or not server.options.message_choices:
        kind = types.MessageType.Warning
        choices = _to_mend(server, why.problem) if isinstance(why, WrongConfig) else {}
        messages.tell(server, Told(uri, str(why), kind=kind, needs=needs, choices=choices))
    answer = {"state": "refused", "message": inert.message(str(why))}
    return answer if needs is None else {**answer, "needs": needs}


def _to_mend(server: Server, problem: config.ConfigProblem) -> dict[str, Choice]:
    """Return the choice that opens a configuration file at a problem."""
    path = problem.path
    if path is None:
        return {}
    at = types.Position(max(problem.line, 1) - 1, max(problem.column, 1) - 1)

    async def show() -> str:
        is_shown = await edits.show(server, path, types.Range(at, at))
        return "" if is_shown else f"Open {path}: the editor did not."

    return {f"Open {path.name}": show}


_NEEDS = {NeedsCommand: "command", NeedsExpected: "expected", NeedsTrust: "trust"}


async def run_job(server: Server, at: DocumentArgument, activity: Activity[T]) -> Answer:
    """Start a job on the failing input that a command's argument names. Raises Refused.

    Return the answer to the command: now, or (`at.wait`) at the job's end.
    """
    return await answer(server, start(server, await find(server, at), activity), at)


def open_document(server: Server, at: DocumentArgument) -> Document:
    """Return the document that a command's argument names. Raises Refused."""
    document = server.documents.get(at.uri)
    if document is None:
        raise Refused("The document is not open.")
    if at.version is not None and at.version != document.version:
        raise Refused(f"{document.name} has changed since this was offered. Ask again.")
    return document


async def find(server: Server, at: DocumentArgument) -> FoundInput:
    """Return the failing input that a command's argument names. Raises Refused."""
    settings = await server.settings(at.uri)
    if at.candidate is not None:
        return found_before(server, at.candidate, settings)
    document = open_document(server, at)
    found, declined = await server.targets(document, settings, at.range)
    wanted = [target for target in found if at.input in (None, target.kind)]
    if declined and at.input in (None, InputKind.LITERAL):
        raise Refused(declined)
    if not wanted:
        name = NAMES[at.input or InputKind.DOCUMENT].removeprefix("the ")
        raise Refused(f"There is no {name} at this place.")
    target = next((target for target in wanted if target.command is not None), wanted[0])
    return FoundInput(document, settings, target)


def found_before(server: Server, candidate: str, settings: Settings) -> FoundInput:
    """Return an input that was found in a failing test. Raises Refused."""
    offered = server.offered.get(candidate)
    if offered is None:
        raise Refused("This input was found too long ago. Ask for the inputs of the test again.")
    document = server.documents.get(offered.document.uri, offered.document)
    target = offered.target.moved(*history.difference(offered.document.text, document.text))
    if target is None:
        raise Refused(f"{document.name} has changed since this was offered. Ask again.")
    return FoundInput(document, settings, target)


def start(server: Server, found: FoundInput, activity: Activity[T], text: str | None = None) -> Job:
    """Start a job on a failing input, from a text of it (if None, its own). Raises Refused."""
    document, settings, target = found
    if not server.options.trusted:
        raise NeedsTrust
    if document.uri in server.jobs:
        raise Refused(f"A job is at work on {document.name} already. Cancel that first.")
    if target.command is None:
        problem = server.config_files.problem(server.file(document).parent)
        if problem is not None:
            raise WrongConfig(problem, document.name)
        if is_python(document):
            raise Refused(sentences.no_string(document.name))
        raise NeedsCommand(sentences.no_command(document.name))
    text = target.text if text is None else text
    about = activity.about or f"{NAMES[target.kind]} of {document.name}"
    job = Job(
        document, target, target.command, text, settings, activity.doing, activity.noun, about
    )
    job.takes_edits = activity.takes_edits
    job.keep = tuple(part for part in server.kept.get(document.uri, ()) if part in text)
    server.jobs[document.uri] = job
    for call in server.calls:
        if call.task is asyncio.current_task():
            call.begins = False
    job.task = asyncio.create_task(_see_through(server, job, activity))
    return job


def is_python(document: Document) -> bool:
    """Say whether the strings in a document may be failing inputs."""
    return document.language_id == "python" or document.name.endswith((".py", ".pyi"))


async def answer(server: Server, job: Job, at: DocumentArgument) -> Answer:
    """Return the answer to the command that started a job: now, or (`at.wait`) at its end."""
    if not at.wait or job.task is None:
        return {"state": "started", "token": job.token}
    job.request = server.protocol.msg_id
    await asyncio.wait([job.task])
    told = dict(job.outcome)
    if "message" in told:  # A client may show it in a notification of its own.
        told["message"] = inert.message(told["message"])
    return told


async def _see_through(server: Server, job: Job, activity: Activity[T]) -> None:
    """Do a job's work on its thread and conclude it, or say why that failed."""
    try:
        try:
            async with progress.shown(server, job):
                if job.stopped():
                    _cancelled(server, job)
                    return
                result = await job.start(lambda: activity.work(job))
        finally:
            job.worked.set()
        await activity.conclude(server, job, result)
    except Exception as error:
        _failed(server, job, activity, error)
    finally:
        server.release(job)
        server.tidy()


def _cancelled(server: Server, job: Job) -> None:
    """Answer that a job was cancelled before it had a result, and tell the user."""
    job.outcome.update(state="cancelled", message=NOTHING_FOUND)
    server.tell(NOTHING_FOUND)


async def cancelled_ended(server: Server, uri: str) -> None:
    """Wait until the job on a document has ended, if there is one that was cancelled or is done.

    The user reads of its result a moment before it has ended.
    """
    job = server.jobs.get(uri)
    if job is None or job.task is None or not (job.stopped() or job.worked.is_set()):
        return
    await job.worked.wait()
    # An editor that stands still until it is answered takes no result meanwhile.
    await asyncio.wait([job.task], timeout=PATIENCE)
    server.release(job)


def to_go_on(
    server: Server, job: Job, seconds: float, go_on: Callable[[], object]
) -> dict[str, Choice]:
    """Return the choice to go on with a job, for the message on its end, if `maxSeconds` ended it.

    A client without such messages is asked beside it.
    """
    limit = job.settings.max_seconds
    if limit is None or seconds < limit or job.stopped():
        return {}
    chosen = once_ended(server, job, go_on)
    if not server.options.message_choices:
        question = f"{job.document.name}: stopped after {limit:g} seconds. Go on?"
        server.ask(question, {messages.GO_ON: lambda: server.begin(chosen())})
    return {messages.GO_ON: chosen}


async def keep_steps(server: Server, record: history.Record) -> None:
    """Keep the steps of a job for the history, which the user need not hear of."""
    try:
        await asyncio.to_thread(history.save, record)
    except OSError as error:
        server.log(f"The steps are not kept: {error}", types.MessageType.Warning)


def once_ended(
    server: Server, job: Job, begin: Callable[[], object]
) -> Callable[[], Coroutine[Any, Any, str]]:
    """Return the choice that begins something when a job has given its document free."""

    async def chosen() -> str:
        if job.task is not None:
            await asyncio.wait([job.task])
        try:
            begin()
        except Refused as why:
            server.tell(str(why), types.MessageType.Warning)
        return ""

    return chosen


def options(job: Job) -> JobOptions:
    """Return the options of a job from the user's settings; to be called on the job's thread."""
    # Imported here: a server that does nothing yet loads no grammar and no parser.
    from boildown.jobs.work import JobOptions

    jobs, max_seconds = job.settings.jobs, job.settings.max_seconds
    return JobOptions(
        language=language_name(job.target), jobs=jobs, max_seconds=max_seconds, keep=job.keep
    )


def language_name(target: Target) -> str:
    """Return the name of an input's language: the configured one, or the detected one."""
    from boildown.jobs.understand import detected

    return target.language or detected(target.text, target.name, target.language_id)


def watch(job: Job, event: Event) -> None:
    """Keep an event of the job's thread for the next progress report."""
    from boildown.jobs.events import EditTried, Progress

    if isinstance(event, Progress):
        job.latest = event
    elif isinstance(event, EditTried):
        job.tried.append(event)
    else:
        job.notes.append(event.text)


def _otherwise(server: Server, job: Job, activity: Activity[T], allow_empty: bool) -> None:
    """Start a job again that takes the empty input for a result, or does not. Raises Refused."""
    target = replace(job.target, command=replace(job.command, allow_empty=allow_empty))
    found = FoundInput(job.document, job.settings, target)
    start(server, found, activity, job.text)


TAKE_EMPTY = "Take the Empty Input"
NOT_EMPTY = "Find One That Is Not Empty"


def _failed(server: Server, job: Job, activity: Activity[T], error: Exception) -> None:
    """Answer with the error that ended a job, and show it to the user."""
    from boildown.jobs.defects import in_words, reported
    from boildown.jobs.own_passes import PassError
    from boildown.jobs.work import CannotRun, LanguageError, PreflightError, Stop

    if isinstance(error, Stop):
        _cancelled(server, job)
        return
    message = message_of(error, for_editor)
    if job.target.kind is InputKind.LITERAL and isinstance(error, PreflightError):
        message += sentences.for_string(error.kind)
    expected = PreflightError | LanguageError | CannotRun | PassError | Refused
    if not isinstance(error, expected):
        server.log("".join(traceback.format_exception(error)), types.MessageType.Error)
        message = f"A defect of Boildown has ended the job: {in_words(error)}."
        message = f"{message} {reported(job.doing, error)}"
        if job.latest is not None and job.latest.text != job.text:
            # What was found before is no less true.
            job.outcome.update(text=job.latest.text)
    job.outcome.update(state="failed", message=message)
    ways_on = advised(error.message, "allow_empty") if isinstance(error, PreflightError) else []
    choices = {
        title: once_ended(server, job, partial(_otherwise, server, job, activity, taken))
        for title, taken in ((TAKE_EMPTY, True), (NOT_EMPTY, False))
        if taken in ways_on
    }
    told = Told(job.document.uri, message, kind=types.MessageType.Error, choices=choices)
    messages.tell(server, told)
