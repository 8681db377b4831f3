"""The command `boildown.check`: runs the test command on the failing input and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from boildown.jobs import words
from boildown.jobs.advice import for_editor
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands import common
from boildown.lsp.commands.common import Activity, Answer
from boildown.lsp.job import Job
from boildown.lsp.server import Server

if TYPE_CHECKING:
    from boildown.jobs.check import Preflight


async def check(server: Server, at: DocumentArgument) -> Answer:
    """Run the preflight alone; answer at its end."""
    return await common.run_job(server, replace(at, wait=True), _CHECK)


def _work(job: Job) -> Preflight:
    from boildown.jobs.check import check as check_input
    from boildown.jobs.check import plan_of

    options = common.options(job)
    plan = plan_of(job.text, job.command, job.target.why, options.language or "")
    job.outcome.update(
        command=plan.command,
        quick=plan.quick,
        good=plan.good,
        compare=plan.compare,
        folder=str(plan.cwd),
        why=plan.because,
        language=plan.language,
    )
    return check_input(job.text, job.command, options, job.stopped)


async def _conclude(server: Server, job: Job, found: Preflight) -> None:
    sentence = words.checked(found, job.target.shown, job.target.why)
    notes = [for_editor(note) for note in found.notes]
    job.outcome.update(
        state="done",
        message=sentence,
        failure=found.expected.signature,
        seconds=found.seconds,
        timeout=found.expected.timeout,
        rate=found.expected.rate,
        runs=found.runs,
        notes=notes,
    )
    server.tell(" ".join((sentence, *notes)))


_CHECK = Activity("checking", "run", _work, _conclude)
