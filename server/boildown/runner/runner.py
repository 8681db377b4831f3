"""Runs a test command on candidates: one by one for the preflight, as an oracle for the engine.

All waiting is done by the calling thread, in `select` over the pipes of the workers; no thread is
started, and no process but the guardians is forked.
"""

from __future__ import annotations

import os
import selectors
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from boildown.engine.oracle import Oracle, Stop, Verdict
from boildown.runner.command import PLACEHOLDER, TestCommand, find_program
from boildown.runner.judge import Expected, judge_run
from boildown.runner.run import CannotRun, Problem, Run, encode
from boildown.runner.worker import Worker, WorkerDied

__all__ = ["CannotRun", "Expected", "Run", "Runner"]

_GLANCE = 0.02
"""Seconds between two questions whether to stop."""
_LIVES = 3
"""How often a run is started at most if its guardian dies."""


@dataclass(slots=True, eq=False)
class _Task:
    """A candidate whose verdict is still to be given."""

    text: str
    timeout: float | None
    worker: Worker | None = None
    run: Run | None = None
    directory: str = ""
    file: str = ""
    starts: int = 0


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
        self._stopped = stopped
        self._workers: list[Worker] = []
        self._runs = 0
        self.seconds = 0.0
        """How long all finished runs took, those that were run ahead included."""

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
        for worker in workers:
            worker.hang_up()
        for worker in workers:
            worker.close()

    def run(self, text: str, timeout: float | None = None) -> Run:
        """Run the command once on a text.

        `timeout` is in seconds; without it the command's own holds. Raises CannotRun if the command
        cannot be started, and Stop.
        """
        task = _Task(text, self.command.timeout if timeout is None else timeout)
        try:
            self._begin(task, self._free_worker([]))
            return self._wait_for(task, [task], lambda: None)
        finally:
            _cancel(task)

    def oracle(self, expected: Expected) -> Oracle:
        """Return an oracle that runs the command on each text and judges as `expected` says.

        It is lazy, gives verdicts in the order of the texts, and takes no more texts ahead than
        twice the workers. Dropping the iterator kills what is under way. Raises Stop also when the
        command can no longer be started.
        """

        def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
            source = iter(texts)
            tasks: deque[_Task] = deque()
            ended = False

            def refill() -> None:
                nonlocal ended
                while not ended and len(tasks) < self._ahead:
                    if (worker := self._free_worker(tasks)) is None:
                        return
                    text = next(source, None)
                    if text is None:
                        ended = True
                        return
                    task = _Task(text, expected.timeout)
                    tasks.append(task)
                    self._begin(task, worker)

            try:
                while True:
                    self._check_stop()
                    refill()
                    if not tasks:
                        return
                    run = self._wait_for(tasks[0], tasks, refill)
                    tasks.popleft()
                    yield judge_run(self.command, run, expected)
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

    def _free_worker(self, tasks: Iterable[_Task]) -> Worker | None:
        """Return a worker that none of the tasks waits for, a new one if need be."""
        taken = [task.worker for task in tasks if task.run is None]
        for worker in self._workers:
            if worker not in taken:
                return worker
        if len(self._workers) >= self.jobs:
            return None
        self._workers.append(Worker())
        return self._workers[-1]

    def _begin(self, task: _Task, worker: Worker | None) -> None:
        """Start the run of a task; a worker that died is replaced."""
        assert worker is not None
        while True:
            self._check_stop()
            self._runs += 1
            task.starts += 1
            task.worker = worker
            try:
                worker.start(self._request(task, worker))
                return
            except WorkerDied:
                worker = self._replace(task, worker)

    def _replace(self, task: _Task, worker: Worker) -> Worker:
        """Start another guardian in place of one that died."""
        self._workers.remove(worker)
        worker.close()
        if task.starts >= _LIVES:
            raise CannotRun(
                "The process that starts the runs was killed again and again; it may have run out "
                "of memory together with the test command.",
                Problem.NOT_STARTED,
            )
        self._workers.append(Worker())
        return self._workers[-1]

    def _wait_for(self, wanted: _Task, tasks: Iterable[_Task], idle: Callable[[], None]) -> Run:
        """Wait for the run of one task, and take those of the others as they come."""
        while wanted.run is None:
            with selectors.DefaultSelector() as selector:
                for task in tasks:
                    if task.run is None and task.worker is not None:
                        selector.register(task.worker, selectors.EVENT_READ, task)
                ready = selector.select(_GLANCE)
            for key, _ in ready:
                self._finish(key.data)
            self._check_stop()
            if ready and wanted.run is None:
                idle()
        return wanted.run

    def _finish(self, task: _Task) -> None:
        """Take the answer of a task's worker."""
        assert task.worker is not None
        try:
            answer = task.worker.answer()
        except WorkerDied:
            self._begin(task, self._replace(task, task.worker))
            return
        if "error" in answer:
            raise _cannot_run(answer, self.command)
        task.run = _run(answer, task)
        self.seconds += task.run.seconds

    def _check_stop(self) -> None:
        if self._stopped():
            raise Stop("stopped")

    def _request(self, task: _Task, worker: Worker) -> dict[str, Any]:
        """Return what the guardian needs to know for one run."""
        command = self.command
        task.directory = os.path.join(worker.base, str(self._runs))
        task.file = os.path.join(task.directory, command.name)
        values = {
            "file": task.file,
            "dir": task.directory,
            "original": str(command.original or ""),
            "test": command.test or "",
        }
        argv = [PLACEHOLDER.sub(lambda match: values[match[1]], part) for part in command.argv]
        program = find_program(command)
        own = program.startswith("{")
        return {
            "directory": os.fsencode(task.directory),
            "file": os.fsencode(task.file),
            "text": encode(command.content(task.text)),
            "mode": _mode(command),
            "stdin": not command.names_file,
            "program": os.fsencode(argv[0] if own else program),
            "argv": [os.fsencode(part) for part in argv],
            "environment": {
                os.fsencode(name): os.fsencode(value)
                for name, value in {**os.environ, **command.environment}.items()
            },
            "cwd": os.fsencode(command.cwd) if command.names_file else os.fsencode(task.directory),
            "timeout": task.timeout,
        }


def _mode(command: TestCommand) -> int:
    """Return the permissions of a candidate: the original's, but writable."""
    try:
        assert command.original is not None
        return command.original.stat().st_mode & 0o777 | 0o600
    except (AssertionError, OSError):
        return 0o644


def _cancel(task: _Task) -> None:
    if task.run is None and task.worker is not None:
        task.worker.cancel()


def _run(answer: dict[str, Any], task: _Task) -> Run:
    status = answer["status"]
    killed = status is not None and status < 0
    return Run(
        status=None if killed else status,
        signal=-status if killed else None,
        stdout=answer["stdout"].decode("utf-8", "backslashreplace"),
        stderr=answer["stderr"].decode("utf-8", "backslashreplace"),
        seconds=answer["seconds"],
        timed_out=answer["timed_out"],
        directory=task.directory,
        file=task.file,
    )


def _cannot_run(answer: dict[str, Any], command: TestCommand) -> CannotRun:
    """Say why the guardian could not start the command."""
    reason = os.strerror(answer["error"])
    path = answer["path"]
    path = os.fsdecode(path) if isinstance(path, bytes) else str(path)
    match answer["where"]:
        case "exec" if reason == os.strerror(2):
            message = (
                f"'{path}' cannot be started: the interpreter in its first line does not exist."
            )
            return CannotRun(message, Problem.NOT_FOUND)
        case "exec":
            message = (
                f"'{path}' cannot be started ({reason}). If it is a script, give it a first line "
                "such as #!/bin/sh, or name its interpreter in the command."
            )
            return CannotRun(message, Problem.NOT_EXECUTABLE)
        case "cwd":
            message = (
                f"The directory '{command.cwd}' of the test command cannot be entered ({reason})."
            )
            return CannotRun(message, Problem.NOT_STARTED)
        case _:
            message = f"A run could not be prepared: {path}: {reason}."
            return CannotRun(message, Problem.NOT_STARTED)
