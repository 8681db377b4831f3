"""Runs a test command on candidates: one by one for the preflight, as an oracle for the engine.

All waiting is done by the calling thread, in `select` over the pipes of the workers; no thread is
started, and no process but the guardians is forked.
"""

from __future__ import annotations

import os
import selectors
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from boildown.engine.oracle import Oracle, Stop, Verdict
from boildown.runner.answers import cannot_run, no_worker, run_of
from boildown.runner.command import Placement, TestCommand, find_program
from boildown.runner.judge import Expected, decide, judge_run
from boildown.runner.request import (
    Fixed,
    encoded,
    fixed_parts,
    places,
    request,
    temporary,
    variables_of,
)
from boildown.runner.run import CannotRun, Problem, Run
from boildown.runner.worker import Worker, WorkerDied
from boildown.runner.workspace import Mirror, make_mirror, workspace_of

__all__ = ["CannotRun", "Expected", "Run", "Runner"]

_GLANCE = 0.02
"""Seconds between two questions whether to stop."""
_LOADING = 60.0
"""Seconds that it may take to load what the runs need."""
_LIVES = 3
"""How often a run is started at most if its guardian dies."""


@dataclass(slots=True, eq=False)
class _Task:
    """A text that is being run until it is clear what comes of it."""

    text: str
    timeout: float | None
    expected: Expected | None = None
    """What to judge its runs by; None for a single run that nobody judges."""
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
    starts: int = 0
    """How often the run under way was started."""


class Runner:
    """Owns the workers that run one test command; use it in a `with` statement.

    `jobs` is how many runs may be under way at once. `stopped` is asked every 20 ms while a run is
    under way; once it is true the run is killed and `Stop` is raised. A Runner belongs to one
    thread. Leaving the `with` statement kills what runs and removes every file that was made.
    """

    def __init__(
        self,
        command: TestCommand,
        jobs: int = 1,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.command = command
        self.jobs = max(1, jobs)
        """May be lowered while no oracle is in use."""
        self.runs = 0
        """How many runs were started, those that were run ahead included."""
        self.seconds = 0.0
        """How long all finished runs took, those that were run ahead included."""
        self.warm = command.preload is not None
        """Whether runs are forked from a process that has loaded what they need."""
        self.why_cold = ""
        """Why the command could not be loaded once for all runs, if it could not."""
        self._stopped = stopped
        self._workers: list[Worker] = []
        self._mirrors: dict[Worker, Mirror] = {}
        self._fixed: dict[Worker, Fixed] = {}

    def __enter__(self) -> Runner:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill what runs, and remove every file that was made."""
        workers, self._workers = self._workers, []
        self._mirrors.clear()
        self._fixed.clear()
        for worker in workers:
            worker.hang_up()
        for worker in workers:
            worker.close()

    def run(self, text: str, timeout: float | None = None, cold: bool = False) -> Run:
        """Run the command once on a text.

        `timeout` is in seconds; without it the command's own holds. A cold run starts a process of
        its own even where the command could be loaded once for all runs. Raises CannotRun if the
        command cannot be started, and Stop.
        """
        timeout = self.command.timeout if timeout is None else timeout
        return self._ended(_Task(text, timeout, cold=cold))

    def verdict(self, text: str, expected: Expected) -> tuple[Verdict, Run]:
        """Run the command on a text as often as a verdict needs.

        Returned with it is the last run that reproduced, or else the first.

        Raises CannotRun and Stop.
        """
        task = _Task(text, expected.timeout, expected)
        run = self._ended(task)
        assert task.verdict is not None
        return task.verdict, run

    def oracle(
        self,
        expected: Expected,
        record: Callable[[str, Verdict], None] = lambda _text, _verdict: None,
    ) -> Oracle:
        """Return an oracle that runs the command on each text and judges as `expected` says.

        It is lazy, gives verdicts in the order of the texts, and takes no more texts ahead than
        twice the workers. Dropping the iterator kills what is under way. Raises Stop also when the
        command can no longer be started. `record` is told of each verdict when it is clear, also
        of those that nobody takes any more.
        """

        def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
            source = iter(texts)
            tasks: deque[_Task] = deque()
            ended = False

            def refill() -> None:
                nonlocal ended
                while not ended and len(tasks) < self._ahead:
                    if (worker := self._free_worker(needed=not tasks)) is None:
                        return
                    text = next(source, None)
                    if text is None:
                        ended = True
                        return
                    tasks.append(_Task(text, expected.timeout, expected, record))
                    self._begin(tasks[-1], worker)

            try:
                while True:
                    self._check_stop()
                    refill()
                    if not tasks:
                        return
                    self._wait_for(tasks[0], tasks, refill)
                    verdict = tasks.popleft().verdict
                    assert verdict is not None
                    yield verdict
            except CannotRun as error:
                raise Stop(error.message) from error
            finally:
                for task in tasks:
                    _cancel(task)

        return verdicts

    @property
    def _ahead(self) -> int:
        """How many texts may be waiting for a verdict at once."""
        return 1 if self.jobs == 1 else 2 * self.jobs

    def _ended(self, task: _Task) -> Run:
        """Run a task to its end, and return its last run."""
        try:
            worker = self._free_worker(needed=True)
            assert worker is not None
            self._begin(task, worker)
            self._wait_for(task, [task], lambda: None)
            assert task.run is not None
            return task.run
        finally:
            _cancel(task)

    def _free_worker(self, needed: bool) -> Worker | None:
        """Return a worker that nobody waits for: a new one if there may be more, or if need be."""
        for worker in self._workers:
            if not worker.busy or worker.cancelled:
                return worker
        if len(self._workers) >= self.jobs and not needed:
            return None
        return self._new_worker()

    def _new_worker(self) -> Worker:
        if self.warm:
            program = find_program(self.command)
            try:
                worker = Worker(program, variables_of(self.command), self._stopped)
            except WorkerDied:
                self._check_stop()
                self._give_up_warmth(f"{program} does not start as Python 3.9 or later does")
        if not self.warm:
            try:
                worker = Worker()
            except WorkerDied as error:
                raise no_worker() from error
        self._workers.append(worker)
        return worker

    def _load(self, worker: Worker) -> None:
        """Have a worker load what the runs need; if that fails, runs are cold from now on."""
        worker.start(
            {
                "preload": self.command.preload,
                "directory": os.fsencode(os.path.join(worker.base, "empty")),
                "cwd": os.fsencode(self.command.cwd),
                "environment": encoded(temporary(self.command, worker.base)),
            }
        )
        end = time.monotonic() + _LOADING
        with selectors.DefaultSelector() as selector:
            selector.register(worker, selectors.EVENT_READ)
            while not selector.select(_GLANCE):
                self._check_stop()
                if time.monotonic() > end:
                    self._give_up_warmth(f"loading it took more than {_LOADING:.0f} s")
                    raise WorkerDied
        try:
            answer = worker.answer()
        except WorkerDied:
            self._give_up_warmth("loading it ended the process")
            raise
        worker.loaded = self.warm = answer["warm"]
        self.why_cold = answer["why"].strip()

    def _give_up_warmth(self, why: str) -> None:
        """Start each run anew from now on."""
        self.warm, self.why_cold = False, why

    def _mirror_of(self, worker: Worker) -> Mirror | None:
        """Return the worker's mirror of the workspace, made when it is first needed."""
        if self.command.placement is not Placement.OVERLAY:
            return None
        if worker not in self._mirrors:
            workspace = workspace_of(self.command)
            original = self.command.original or self.command.cwd / self.command.name
            root = Path(worker.base, "overlay", workspace.name)
            try:
                self._mirrors[worker] = make_mirror(workspace, original, root)
            except (OSError, ValueError) as error:
                raise CannotRun(
                    f"The workspace '{workspace}' could not be mirrored: {error}.",
                    Problem.NOT_STARTED,
                ) from error
        return self._mirrors[worker]

    def _begin(self, task: _Task, worker: Worker) -> None:
        """Start a run of a task; a worker that died is replaced."""
        while True:
            self._check_stop()
            self.runs += 1
            task.starts += 1
            task.worker = worker
            try:
                if self.warm and not worker.loaded and not task.cold:
                    self._load(worker)
                mirror = self._mirror_of(worker)
                if worker not in self._fixed:
                    self._fixed[worker] = fixed_parts(self.command, worker.base, mirror)
                fixed, number = self._fixed[worker], self.runs
                where = places(self.command, worker.base, self.runs, mirror)
                task.directory, task.file = where.directory, where.file
                warm = self.warm and worker.loaded and not task.cold
                wanted = self.command, where, fixed, task.text, task.timeout, number, mirror, warm
                worker.start(request(*wanted))
                return
            except WorkerDied:
                worker = self._replace(task, worker)

    def _replace(self, task: _Task, worker: Worker) -> Worker:
        """Start another guardian in place of one that died."""
        self._workers.remove(worker)
        self._mirrors.pop(worker, None)
        self._fixed.pop(worker, None)
        worker.close()
        if task.starts >= _LIVES and self.warm:
            self._give_up_warmth("the Python that had loaded it was ended again and again")
            task.starts = 0
        if task.starts >= _LIVES:
            raise CannotRun(
                "The process that starts the runs was killed again and again; it may have run out "
                "of memory together with the test command.",
                Problem.NOT_STARTED,
            )
        return self._new_worker()

    def _wait_for(self, wanted: _Task, tasks: Iterable[_Task], idle: Callable[[], None]) -> None:
        """Wait until one task is decided, and go on with the others as their runs end."""
        while wanted.open:
            with selectors.DefaultSelector() as selector:
                for task in tasks:
                    if task.open and task.worker is not None:
                        selector.register(task.worker, selectors.EVENT_READ, task)
                ready = selector.select(_GLANCE)
            for key, _ in ready:
                self._take_answer(key.data)
            self._check_stop()
            if ready and wanted.open:
                idle()

    def _take_answer(self, task: _Task) -> None:
        """Take what a task's worker says, and run the text again if it is not decided."""
        assert task.worker is not None
        try:
            answer = task.worker.answer()
        except WorkerDied:
            self._begin(task, self._replace(task, task.worker))
            return
        if "error" in answer:
            raise cannot_run(answer, self.command)
        run = run_of(answer, task.directory, task.file)
        self.seconds += run.seconds
        task.starts = 0
        if task.expected is None:
            task.run = run
        else:
            task.verdicts.append(judge_run(self.command, run, task.expected))
            task.verdict = decide(task.verdicts, task.expected)
            if task.run is None or task.verdicts[-1].reproduced:
                task.run = run
        task.open = task.expected is not None and task.verdict is None
        if task.open:
            self._begin(task, task.worker)
        elif task.verdict is not None:
            task.record(task.text, task.verdict)

    def _check_stop(self) -> None:
        if self._stopped():
            raise Stop("stopped")


def _cancel(task: _Task) -> None:
    if task.open and task.worker is not None:
        task.worker.cancel()
