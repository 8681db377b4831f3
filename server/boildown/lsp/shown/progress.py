"""Progress of a job: `$/progress` and `boildown/progress`, as far as the client takes them."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from lsprotocol import types

from boildown.jobs import inert, words
from boildown.jobs.advice import for_editor
from boildown.jobs.events import Outcome
from boildown.jobs.folders import sizes
from boildown.lsp.job import Job
from boildown.lsp.notifications import PROGRESS, FileSize, ProgressParams
from boildown.lsp.server import PATIENCE, Server
from boildown.lsp.shown import live

if TYPE_CHECKING:
    from boildown.jobs.events import Progress

INTERVAL = 0.25
"""Seconds between two reports."""


@contextlib.asynccontextmanager
async def shown(server: Server, job: Job) -> AsyncIterator[None]:
    """Report a job's progress from now until the end of the block."""
    reports = await _create(server, job)
    if reports:
        title = f"Boildown: {job.doing} {job.about}"
        begin = types.WorkDoneProgressBegin(
            title=inert.message(title),
            cancellable=True,
            message=words.progress(None),
            percentage=0,
        )
        server.work_done_progress.begin(job.token, begin)
    ticker = asyncio.create_task(_tick(server, job, reports))
    try:
        yield
    finally:
        ticker.cancel()
        _report(server, job, reports)
        live.end(server, job)
        if reports:
            end = types.WorkDoneProgressEnd(message=words.progress(job.latest))
            server.work_done_progress.end(job.token, end)
        server.work_done_progress.tokens.pop(job.token, None)


async def _create(server: Server, job: Job) -> bool:
    """Ask the client for a progress display; say whether there is one."""
    if not server.can("window", "work_done_progress"):
        return False
    try:
        creating = asyncio.ensure_future(server.work_done_progress.create_async(job.token))
        if await job.unless_cancelled(creating, PATIENCE):
            creating.result()
            return True
        creating.cancel()
        why = "the editor does not answer"
    except Exception as error:  # An odd client must not keep the job from running.
        why = str(error)
    if not job.stopped():
        server.log(f"No progress is shown: {why}", types.MessageType.Warning)
    return False


async def _tick(server: Server, job: Job, reports: bool) -> None:
    reported = None
    while True:
        await asyncio.sleep(INTERVAL)
        latest = job.latest
        state = None if latest is None else (latest.phase, latest.runs, latest.after)
        _report(server, job, reports and state != reported)
        reported = state


def _report(server: Server, job: Job, reports: bool) -> None:
    while job.notes:
        server.log(for_editor(job.notes.popleft()))
    live.refresh(server, job)
    if reports:
        report = types.WorkDoneProgressReport(
            message=words.progress(job.latest), percentage=_percentage(job)
        )
        server.work_done_progress.report(job.token, report)
    if server.options.live_progress and job.latest is not None:
        server.send(PROGRESS, _progress(job, job.latest))


def _percentage(job: Job) -> int:
    """Return how much of the input is gone or, if that is more, how much of the time.

    A job ends when nothing more can go, and nobody knows when.
    """
    latest, limit = job.latest, job.settings.max_seconds
    gone = 0.0 if latest is None else 1 - latest.after / max(latest.before, 1)
    passed = (time.monotonic() - job.began) / limit if limit else 0.0
    return int(99 * min(max(gone, passed, 0.0), 1.0))


def _files(text: str) -> list[FileSize]:
    return [{"path": path, "bytes": count} for path, count in sizes(text).items()]


def _progress(job: Job, latest: Progress) -> ProgressParams:
    seconds, limit = time.monotonic() - job.began, job.settings.max_seconds
    return {
        "token": job.token,
        "uri": job.document.uri,
        "doing": job.doing,
        "phase": latest.phase,
        "step": words.step(latest.phase),
        "runs": latest.runs,
        "runsLeft": latest.runs_left,
        "outcomes": {each.value.lower(): latest.outcomes.get(each, 0) for each in Outcome},
        "bytes": latest.after,
        "bytesBefore": latest.before,
        "seconds": round(seconds, 3),
        "secondsLeft": None if limit is None else round(max(0.0, limit - seconds), 3),
        "failures": latest.failures,
        "text": latest.text,
        "files": _files(latest.text) if job.command.folder else None,
    }
