"""Shows how far a job is, by each way that the client has."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

from lsprotocol import types

from boildown.engine.oracle import Outcome
from boildown.lsp import words
from boildown.lsp.running import Job
from boildown.lsp.session import PATIENCE, Server
from boildown.targets import NAMES

INTERVAL = 0.2
"""Seconds between two reports."""
LIVE = "boildown/progress"
"""The notification for clients that draw a job as it goes (option `liveProgress`)."""


@contextlib.asynccontextmanager
async def shown(server: Server, job: Job) -> AsyncIterator[None]:
    """Report a job's progress from now until the end of the block."""
    reports = await _create(server, job)
    if reports:
        title = f"Boildown: {job.doing} {NAMES[job.target.kind]} of {job.document.name}"
        begin = types.WorkDoneProgressBegin(
            title=title, cancellable=True, percentage=0, message=words.progress(None)
        )
        server.work_done_progress.begin(job.token, begin)
    ticker = asyncio.create_task(_tick(server, job, reports))
    try:
        yield
    finally:
        ticker.cancel()
        _report(server, job, reports)
        if reports:
            end = types.WorkDoneProgressEnd(message=words.progress(job.latest))
            server.work_done_progress.end(job.token, end)
        server.work_done_progress.tokens.pop(job.token, None)


async def _create(server: Server, job: Job) -> bool:
    """Ask the client for a progress display; say whether there is one."""
    if not server.can("window", "work_done_progress"):
        return False
    try:
        creating = server.work_done_progress.create_async(job.token)
        await asyncio.wait_for(creating, PATIENCE)
    except Exception as error:  # An odd client must not keep the job from running.
        server.log(f"No progress is shown: {error}", types.MessageType.Warning)
        return False
    return True


async def _tick(server: Server, job: Job, reports: bool) -> None:
    while True:
        await asyncio.sleep(INTERVAL)
        _report(server, job, reports)


def _report(server: Server, job: Job, reports: bool) -> None:
    while job.notes:
        server.log(words.configured(job.notes.popleft()))
    if reports:
        report = types.WorkDoneProgressReport(
            message=words.progress(job.latest), percentage=words.percentage(job.latest)
        )
        server.work_done_progress.report(job.token, report)
    if server.options.get("liveProgress") is True and job.latest is not None:
        server.protocol.notify(LIVE, _live(job))


def _live(job: Job) -> dict[str, object]:
    latest = job.latest
    assert latest is not None
    seconds = time.monotonic() - job.began
    return {
        "token": job.token,
        "uri": job.document.uri,
        "doing": job.doing,
        "phase": latest.phase,
        "runs": latest.runs,
        "outcomes": {each.value.lower(): latest.outcomes.get(each, 0) for each in Outcome},
        "bytes": latest.after,
        "bytesBefore": latest.before,
        "seconds": round(seconds, 3),
        "text": latest.text,
    }
