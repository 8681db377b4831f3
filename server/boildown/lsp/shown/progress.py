"""Progress of a job: `$/progress` and `boildown/progress`, as far as the client takes them."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
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

INTERVAL = 0.34
"""Seconds between two reports: with one at the end, there are at most four a second."""


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
    reporter = _Reporter(server, job, reports)
    ticker = asyncio.create_task(reporter.tick())
    try:
        yield
    finally:
        ticker.cancel()
        reporter.report()
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


@dataclass(slots=True)
class _Reporter:
    """Reports how far a job is, where that is news."""

    server: Server
    job: Job
    is_shown: bool
    """Whether the client shows progress."""
    told: Progress | None = None

    async def tick(self) -> None:
        """Report now and then."""
        while True:
            await asyncio.sleep(INTERVAL)
            self.report()

    def report(self) -> None:
        """Report the state of the job, unless it was told already."""
        server, job, latest = self.server, self.job, self.job.latest
        while job.notes:
            server.log(for_editor(job.notes.popleft()))
        live.refresh(server, job)
        if latest is None or (self.told is not None and _news(latest) == _news(self.told)):
            return
        self.told, percentage = latest, _percentage(job)
        if self.is_shown:
            report = types.WorkDoneProgressReport(
                message=words.progress(latest), percentage=percentage
            )
            server.work_done_progress.report(job.token, report)
        if server.options.live_progress:
            server.send(PROGRESS, _progress(job, latest, percentage))


def _news(progress: Progress) -> tuple[object, ...]:
    """Return the parts of a state, one of which must differ in a new report."""
    return progress.phase, progress.runs, progress.after, progress.text


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


def _progress(job: Job, latest: Progress, percentage: int) -> ProgressParams:
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
        "percentage": percentage,
        "bytes": latest.after,
        "bytesBefore": latest.before,
        "seconds": round(seconds, 3),
        "secondsLeft": None if limit is None else round(max(0.0, limit - seconds), 3),
        "failures": latest.failures,
        "text": latest.text,
        "files": _files(latest.text) if job.command.folder else None,
    }
