"""Tasks: candidates that are run, by one command after the other, until their verdict is clear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from boildown.engine.oracle import Verdict
from boildown.runner.command import Role, TestCommand
from boildown.runner.judging.judge import Expected, decide, judge_run, takes_other
from boildown.runner.run import Run
from boildown.runner.worker import Worker


@dataclass(slots=True, eq=False)
class Task:
    """A candidate that is run, again if need be, until its verdict is decided."""

    text: str
    timeout: float | None
    role: Role
    """Of the command that is run next, or is running."""
    expected: Expected | None = None
    """The failure that its runs are compared with; None for a single run that nobody judges."""
    record: Callable[[str, Verdict], None] = lambda _text, _verdict: None
    cold: bool = False
    """Whether to run it in a process of its own in any case."""
    verdicts: list[Verdict] = field(default_factory=list)
    """On the runs so far."""
    verdict: Verdict | None = None
    """On the text."""
    run: Run | None = None
    """The latest run that reproduced, or else the first."""
    open: bool = True
    """Whether a run is under way."""
    worker: Worker | None = None
    directory: str = ""
    file: str = ""
    began: float = 0.0
    """When the run under way was started, by the monotonic clock."""
    starts: int = 0
    """How often the run under way was started."""
    runs: int = 0
    """How many runs have ended, of all commands."""
    compared: Run | None = None
    """The run of the test command with which that of the other command is to be compared."""

    def take(self, command: TestCommand, run: Run) -> None:
        """Take a run that has ended; if it leaves the task open, the command of `role` is next."""
        if self.role is Role.QUICK:
            self.role = Role.TEST
            if run.status == 0:
                return
            run = replace(run, turned_down=True)
        elif self.role is Role.GOOD:
            assert self.compared is not None
            self.role = Role.TEST
            run = replace(self.compared, other=run)
        elif takes_other(command, run, self.expected):
            self.role, self.compared = Role.GOOD, run
            return
        if self.expected is None:
            self.run, self.open = run, False
            return
        self.verdicts.append(judge_run(command, run, self.expected))
        if self.run is None or self.verdicts[-1].reproduced:
            self.run = run
        # The run of a flaky failure may decide nothing yet.
        if (verdict := decide(self.verdicts, self.expected)) is not None:
            self.verdict = replace(verdict, runs=self.runs)
            self.open = False
            self.record(self.text, self.verdict)
