"""The commands `boildown.reduceFolder` and `boildown.reduceProject`: folders as failing inputs."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from lsprotocol import types

from boildown.files import FileError
from boildown.jobs import words
from boildown.jobs.advice import for_editor
from boildown.lsp import sentences
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands import common
from boildown.lsp.commands.candidates import TestArgument, find_test
from boildown.lsp.commands.common import (
    Activity,
    Answer,
    FoundInput,
    NeedsCommand,
    NeedsTrust,
    Refused,
)
from boildown.lsp.commands.configure import test_command
from boildown.lsp.documents import Document
from boildown.lsp.job import Job
from boildown.lsp.readers import optional
from boildown.lsp.server import Server
from boildown.lsp.settings import Settings
from boildown.lsp.uris import path_of, uri_of
from boildown.targets import InputKind, Target

if TYPE_CHECKING:
    from boildown.jobs.reduce import Reduced
    from boildown.targets.folders import FolderInput
    from boildown.targets.test_command import TestCommand


@dataclass(frozen=True, slots=True)
class FolderArgument(DocumentArgument):
    """The argument of `boildown.reduceFolder`, whose `uri` is that of a folder."""

    command: Annotated[str | list[str] | None, optional(test_command)] = None
    """The test command, which starts in the folder; None: the configured one."""


async def reduce_folder(server: Server, at: FolderArgument) -> Answer:
    """Start a reduction of a folder; answer at once or (`at.wait`) at its end."""
    path = path_of(at.uri)
    if path is None or not os.path.isdir(path):
        raise Refused("This is no folder on this machine.")
    settings = await server.settings(at.uri)
    if not server.options.trusted:
        raise NeedsTrust
    try:
        folder, command = await asyncio.to_thread(_found, path, settings, at.command)
    except FileError as error:
        raise Refused(str(error)) from None
    document = Document(at.uri, 0, "", folder.text)
    target = Target(
        InputKind.DOCUMENT, 0, len(folder.text), folder.text, command, name=folder.root.name
    )
    activity = Activity("reducing", "reduction, keep the best so far", _work, _concluding(folder))
    job = common.start(server, FoundInput(document, settings, target), activity)
    job.outcome.update(uri=at.uri)
    return await common.answer(server, job, at)


async def reduce_project(server: Server, at: TestArgument) -> Answer:
    """Start a reduction of a failing test's project, by pytest on that test alone."""
    _, _, selection = await find_test(server, at)
    uri = uri_of(selection.cwd)
    await common.cancelled_ended(server, uri)
    command = [*selection.words, selection.argv[-1]]
    return await reduce_folder(server, FolderArgument(uri, command=command, wait=at.wait))


def _found(
    path: Path, settings: Settings, given: str | list[str] | None
) -> tuple[FolderInput, TestCommand]:
    """Return the files of a folder and its test command. Raises FileError and Refused."""
    from boildown import config
    from boildown.jobs.work import CannotRun
    from boildown.targets.folders import read_folder
    from boildown.targets.test_command import CommandArguments, CommandError, choose_command

    folder = read_folder(path)
    arguments = CommandArguments(files=folder.files)
    if isinstance(given, str):
        arguments = replace(arguments, line=given)
    elif given is not None:
        arguments = replace(arguments, argv=tuple(given))
    try:
        own = config.load_settings(list(settings.inputs), path)[0]
        chosen = choose_command(path, path, arguments, own=own)
    except CommandError:
        raise NeedsCommand(sentences.no_folder_command(path.name)) from None
    except CannotRun as error:
        raise Refused(for_editor(error.message)) from None
    return folder, chosen.command


def _work(job: Job) -> Reduced:
    from boildown.jobs.reduce import reduce
    from boildown.jobs.work import JobOptions

    options = JobOptions(jobs=job.settings.jobs, max_seconds=job.settings.max_seconds)
    return reduce(job.text, job.command, options, partial(common.watch, job), job.stopped)


def _concluding(folder: FolderInput) -> Callable[[Server, Job, Reduced], Awaitable[None]]:
    """Return the function that writes the result beside the folder, and tells the user of it."""

    async def conclude(server: Server, job: Job, reduced: Reduced) -> None:
        from boildown.jobs.events import size
        from boildown.jobs.folder_results import write_reduced
        from boildown.jobs.folders import sizes

        before, after = size(job.text), size(reduced.reduction.text)
        result, place = words.result(reduced, before), ""
        output = page = None
        if reduced.text != job.text:
            try:
                output, page = await asyncio.to_thread(write_reduced, folder, job.command, reduced)
                place = f"It is in {output}."
            except FileError as error:
                place = str(error)
        await asyncio.to_thread(reduced.forget)
        old, left = sizes(job.text), sizes(reduced.text)
        job.outcome.update(
            reduced.in_json,
            state="cancelled" if job.stopped() else "done",
            message=f"{result} {place}".rstrip(),
            bytesBefore=before,
            bytesAfter=after,
            files=[
                {"path": path, "bytesBefore": old.get(path), "bytes": left.get(path)}
                for path in dict.fromkeys((*old, *left))
            ],
            output=None if output is None else uri_of(output),
            page=None if page is None else uri_of(page),
        )
        kind = types.MessageType.Info if output is not None else types.MessageType.Warning
        server.tell(job.outcome["message"], kind, f"{place} {result}".lstrip())

    return conclude
