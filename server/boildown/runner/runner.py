"""The runner: runs a test command on candidates, one by one or as an oracle for the engine.

All waiting is done by the calling thread, in `select` over the pipes of the workers; no thread is
started, and no process but the guardians is forked.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import time
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from boildown.engine.oracle import Oracle, Stop, Verdict
from boildown.runner.advice import Message, as_message
from boildown.runner.answers import (
    cannot_run,
    imported_modules,
    missing_program,
    no_fork,
    no_worker,
    run_of,
)
from boildown.runner.command import Role, TestCommand, find_loader, find_program
from boildown.runner.guardian.messages import MOST_TIMES
from boildown.runner.judging.judge import MARGIN, Expected
from boildown.runner.packages import copy_packages
from boildown.runner.request import (
    PlannedRun,
    WorkerSetup,
    loading,
    request,
    run_paths,
    variables_ahead,
    worker_setup,
)
from boildown.runner.run import CannotRun, Obstacle, Run
from boildown.runner.task import Task
from boildown.runner.versions import with_good_version
from boildown.runner.worker import Worker, WorkerDied, kill_orphans
from boildown.runner.workspace import Mirror, folder_mirror, keep, make_mirror, workspace_of

__all__ = ["CannotRun", "Expected", "Run", "Runner"]

_MOST_WAITING = 4_000_000
"""Characters of the texts that wait for a verdict, above which no further one is taken."""
_STOP_INTERVAL = 0.02
"""Seconds between two questions whether to stop."""
_LOADING_TIMEOUT = 60.0
"""Seconds that the import of a predicate or of pytest may take."""
_HEARTBEAT_INTERVAL = 1.0
"""Seconds between two looks whether the guardians that should answer still can."""
_OVERDUE = 15.0
"""Seconds after the end of a run's time in which its guardian must have killed it and answered."""
_VARIED_COLD = 5
"""Of varied runs of what is loaded once for all, so many are one that starts anew: it takes up to a
hundred times as long."""
_MOST_STARTS = 3
"""How often a run is started at most if its guardian dies."""


class Runner:
    """Owns the workers that run one test command; use it in a `with` statement.

    `jobs` is how many runs may be under way at once. `stopped` is asked every 20 ms while a run is
    under way; once it is true the run is killed and `Stop` is raised. `remark` is told what the
    user should know of what runs did to files, once each. A Runner belongs to one thread. Leaving
    the `with` statement kills what runs and removes every file that was made.

    Raises CannotRun where the system cannot fork.
    """

    def __init__(
        self,
        command: TestCommand,
        jobs: int = 1,
        stopped: Callable[[], bool] = lambda: False,
        remark: Callable[[Message], None] = lambda _message: None,
    ) -> None:
        if not hasattr(os, "fork"):
            raise no_fork()
        self._remark = remark
        self._remarked: set[str] = set()
        self.command = with_good_version(command, lambda told: self._tell(told, "good"))
        self.jobs = max(1, jobs)
        """May be lowered while no oracle is in use."""
        self.runs = 0
        """How many runs were started, those that were run ahead included."""
        self.full = 0
        """How many runs ended with no room on the disk."""
        self.varied = False
        """Whether runs vary what should not matter to a failure: the size of the environment, and
        what a process that was loaded ahead has chosen by chance, such as its hash seed."""
        self.seconds = 0.0
        """How long all finished runs took, those that were run ahead included."""
        self.warm = command.preload is not None
        """Whether runs are forked from a process that has loaded what they need."""
        self.why_cold = ""
        """Why the command could not be loaded once for all runs, if it could not."""
        self._imported: tuple[Sequence[tuple[str, str]], frozenset[str]] | None = None
        """What a run on a folder has told of its imports; see `answers.imported_modules`."""
        self._kept = keep(command.input_path)
        self._stopped = stopped
        self._workers: list[Worker] = []
        self._setups: dict[Worker, dict[Role, WorkerSetup]] = {}
        self._first = command.roles[0]

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
        """Kill all runs under way, and remove every file that was made."""
        self._end_workers()
        self._put_back()
        self._kept.forget()

    def go_on_with(self, command: TestCommand) -> None:
        """Run the command in other surroundings from now on, in workers that are new."""
        self._end_workers()
        self.command = command
        self.warm = self.warm and command.preload is not None

    def go_on_alone(self, command: TestCommand, stopped: Callable[[], bool]) -> None:
        """Make one run at a time from now on, by a command; the runs before have ended.

        `stopped` says when these are to end. To be called while no oracle is in use.
        """
        self.jobs, self.varied, self._stopped = 1, False, stopped
        if command != self.command:
            self.go_on_with(command)
        for worker in self._workers:
            if worker.busy:
                _await_end(worker)
        self._put_back()

    def _put_back(self) -> None:
        if (changed := self._kept.put_back()) is not None:
            self._tell(changed, "input-changed")

    def _end_workers(self) -> None:
        workers, self._workers = self._workers, []
        self._setups.clear()
        # All are told before any is waited for, so that they tidy up at the same time.
        for worker in workers:
            worker.hang_up()
        for worker in workers:
            worker.close()
        kill_orphans()

    def run(
        self,
        text: str,
        timeout: float | None = None,
        cold: bool = False,
        waits: Callable[[], None] = lambda: None,
    ) -> Run:
        """Run the command once on a text.

        `timeout` is in seconds; without it the command's own holds. A cold run starts a process of
        its own even where the command could be loaded once for all runs. `waits` is called every
        20 ms while it runs. Raises CannotRun if the command cannot be started, and Stop.
        """
        timeout = self.command.timeout if timeout is None else timeout
        return self._ended(Task(text, timeout, self._first, cold=cold), waits)

    def vary(self, on: bool) -> None:
        """Set whether the next runs have varied surroundings, which should change no failure."""
        self.varied = on

    def verdict(self, text: str, expected: Expected) -> tuple[Verdict, Run]:
        """Run the command on a text as often as a verdict needs.

        Returned with it is the last run that reproduced, or else the first.

        Raises CannotRun and Stop.
        """
        task = Task(text, expected.timeout, self._first, expected)
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

        expected = replace(expected, margin=MARGIN)

        def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
            tasks = (Task(each, expected.timeout, self._first, expected, record) for each in texts)
            try:
                with contextlib.closing(self._decided(tasks)) as decided:
                    for task in decided:
                        assert task.verdict is not None
                        yield task.verdict
            except CannotRun as error:
                raise Stop(str(error)) from error

        return verdicts

    def together(self, text: str, number: int, timeout: float | None) -> list[Run]:
        """Run the command on a text so many times, two at a time. Raises CannotRun and Stop."""
        jobs, self.jobs = self.jobs, min(2, self.jobs)
        try:
            tasks = (Task(text, timeout, self._first) for _ in range(number))
            return [task.run for task in self._decided(tasks) if task.run is not None]
        finally:
            self.jobs = jobs

    def _decided(self, source: Iterator[Task]) -> Generator[Task, None, None]:
        """Run tasks at the same time; yield each in its order when it is decided."""
        tasks: deque[Task] = deque()
        ended = False

        def refill() -> None:
            nonlocal ended
            while not ended and self._may_go_ahead(tasks):
                # The worker comes first: a text that is taken from a search without being run
                # at once would be chosen without the verdicts that come in meanwhile.
                if (worker := self._free_worker(needed=not tasks)) is None:
                    return
                task = next(source, None)
                if task is None:
                    ended = True
                    return
                tasks.append(task)
                self._begin(task, worker)

        try:
            while True:
                self._check_stop()
                refill()
                if not tasks:
                    return
                # Only the first task is waited for; as the others end, their workers go on with
                # further texts.
                self._wait_for(tasks[0], tasks, refill)
                yield tasks.popleft()
        finally:
            for task in tasks:
                _cancel(task)

    def _may_go_ahead(self, tasks: Collection[Task]) -> bool:
        """Say whether another text may wait for a verdict, behind those that do.

        Of long ones there is no room for many: each is in memory here and at its worker.
        """
        most = 1 if self.jobs == 1 else 2 * self.jobs
        return len(tasks) < most and sum(len(task.text) for task in tasks) < _MOST_WAITING

    def _ended(self, task: Task, waits: Callable[[], None] = lambda: None) -> Run:
        """Run a task to its end, and return its last run."""
        try:
            worker = self._free_worker(needed=True)
            assert worker is not None
            self._begin(task, worker)
            self._wait_for(task, [task], lambda: None, waits)
            assert task.run is not None
            return task.run
        finally:
            _cancel(task)

    def _free_worker(self, needed: bool) -> Worker | None:
        """Return a worker that nobody waits for: a new one if there may be more, or if need be."""
        for worker in self._workers:
            # A cancelled run ends soon, and its worker takes the next request right after it.
            if not worker.busy or worker.cancelled:
                return worker
        if len(self._workers) >= self.jobs and not needed:
            return None
        return self._new_worker()

    def _new_worker(self) -> Worker:
        if self.warm:
            program = find_loader(self.command)
            try:
                if program is None:
                    raise WorkerDied
                worker = Worker(program, variables_ahead(self.command), self._stopped)
            except WorkerDied:
                # A stop ends the start of a Python, too, and says nothing about it.
                self._check_stop()
                started = program or find_program(self.command)
                self._give_up_warmth(f"{started} does not start as Python 3.9 or later does")
        if not self.warm:
            try:
                worker = Worker()
            except WorkerDied as error:
                raise no_worker() from error
        self._workers.append(worker)
        return worker

    def _load(self, worker: Worker) -> None:
        """Have a worker import the predicate or pytest; if that fails, make all runs cold."""
        modules, before = self._imported or ((), frozenset())
        worker.start(loading(self._setup_of(worker, Role.TEST), modules, before))
        began = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(worker, selectors.EVENT_READ)
            while not selector.select(_STOP_INTERVAL):
                self._check_stop()
                if worker.is_late(began, _LOADING_TIMEOUT):
                    self._give_up_warmth(f"loading it took more than {_LOADING_TIMEOUT:.0f} s")
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

    def _setup_of(self, worker: Worker, role: Role) -> WorkerSetup:
        """Return a worker's setup for a role, found out when first needed. Raises CannotRun."""
        if worker not in self._setups:
            # First, for it may fail, and the mirror cannot be made a second time.
            commands = {each: self.command.in_role(each) for each in self.command.roles}
            programs = {each: find_program(command) for each, command in commands.items()}
            mirror = self._new_mirror(worker)
            mirrors: dict[Role, Mirror | None] = dict.fromkeys(commands, mirror)
            if self.command.in_copy and self.command.good_workspace is not None:
                # There the same paths lead into the good version.
                commands[Role.GOOD] = replace(commands[Role.GOOD], cwd=self.command.cwd)
                mirrors[Role.GOOD] = self._new_mirror(worker, self.command.good_workspace)
            self._setups[worker] = {
                each: worker_setup(command, programs[each], worker.base, mirrors[each])
                for each, command in commands.items()
            }
        return self._setups[worker][role]

    def _new_mirror(self, worker: Worker, version: Path | None = None) -> Mirror | None:
        """Mirror the workspace for a worker, if candidates are placed in an overlay.

        The files are those of another version of it, if that is given.
        """
        if self.command.folder:
            root = Path(worker.base, "folder", self.command.name)
            self._copy_packages(worker, root)
            return folder_mirror(self.command, root)
        if not self.command.in_copy:
            return None
        workspace = workspace_of(self.command)
        source = version or workspace
        original = source / self.command.input_path.relative_to(workspace)
        inner = Path("overlay" if version is None else "good", workspace.name)
        shared = [self.command.cwd / path for path in self.command.isolate.writable]
        try:
            with worker.opened_base() as base:
                scratch = self.command.scratch
                make_mirror(source, original, base / inner, shared, scratch)
            return Mirror(workspace, Path(worker.base) / inner)
        except (OSError, ValueError) as error:
            raise CannotRun(
                f"The workspace '{workspace}' could not be mirrored: {error}.",
                Obstacle.NOT_STARTED,
            ) from error

    def _copy_packages(self, worker: Worker, root: Path) -> None:
        """Put installed packages to where the candidates of a worker, at `root`, find them."""
        folder = self.command.input_path
        try:
            with worker.opened_base() as base:
                told = copy_packages(folder, base, root)
        except OSError:
            # Those that could be copied are there; a run that needs another one says so.
            told = f"Not all installed packages that {folder} finds could be copied for the runs."
        if told is not None:
            self._tell(told, "packages-left-out")

    def _begin(self, task: Task, worker: Worker) -> None:
        """Start a run of a task; a worker that died is replaced."""
        while True:
            self._check_stop()
            self.runs += 1
            task.starts += 1
            task.worker = worker
            task.began = time.monotonic()
            try:
                is_warm = self.warm and not task.cold and task.role is Role.TEST
                # Only what a run on a folder imports from outside of it may be loaded ahead.
                asks = self.warm and self.command.folder and self._imported is None
                is_warm = is_warm and not asks
                is_warm = is_warm and not (self.varied and self.runs % _VARIED_COLD == 0)
                if is_warm and not worker.loaded:
                    self._load(worker)
                setup = self._setup_of(worker, task.role)
                paths = run_paths(setup, self.runs)
                task.directory, task.file = paths.directory, paths.file
                warm = is_warm and worker.loaded
                planned = PlannedRun(
                    setup, paths, self.runs, task.text, task.timeout, warm, asks, self.varied
                )
                worker.start(request(planned))
                return
            except WorkerDied:
                worker = self._replace(task, worker)

    def _replace(self, task: Task, worker: Worker) -> Worker:
        """Start another guardian in place of one that died, or whose directory is another one."""
        self._workers.remove(worker)
        self._setups.pop(worker, None)
        worker.close()
        kill_orphans()
        # A candidate may kill the Python that it is forked from; cold runs get another chance.
        if task.starts >= _MOST_STARTS and self.warm:
            self._give_up_warmth("the Python that had loaded it was ended again and again")
            task.starts = 0
        if task.starts >= _MOST_STARTS:
            raise CannotRun(
                "The process that starts the runs was killed again and again; it may have run out "
                "of memory together with the test command.",
                Obstacle.NOT_STARTED,
            )
        return self._new_worker()

    def _wait_for(
        self,
        wanted: Task,
        tasks: Iterable[Task],
        idle: Callable[[], None],
        waits: Callable[[], None] = lambda: None,
    ) -> None:
        """Wait until one task is decided, and go on with the others as their runs end."""
        look = time.monotonic() + _HEARTBEAT_INTERVAL
        while wanted.open:
            waits()
            # Registered anew each time, since workers are replaced and tasks are added on the way.
            with selectors.DefaultSelector() as selector:
                for task in tasks:
                    if task.open and task.worker is not None:
                        selector.register(task.worker, selectors.EVENT_READ, task)
                ready = selector.select(_STOP_INTERVAL)
            for key, _ in ready:
                self._take_answer(key.data)
            self._check_stop()
            if ready and wanted.open:
                idle()
            if (now := time.monotonic()) > look:
                look = now + _HEARTBEAT_INTERVAL
                for task in tasks:
                    if task.open and task.worker is not None and _is_stuck(task, now):
                        task.worker.kill()

    def _take_answer(self, task: Task) -> None:
        """Take the answer on a task's run, and run the text again if it is not decided."""
        assert task.worker is not None
        try:
            answer = task.worker.answer()
        except WorkerDied:
            self._begin(task, self._replace(task, task.worker))
            return
        if not answer["in_place"]:
            self._tell(
                "A run removed or replaced a directory that was made for it. Nothing was touched "
                "behind what it put there, and the runs go on in another one.",
                "directory-replaced",
            )
        if answer.get("where") == "exchanged":
            self._begin(task, self._replace(task, task.worker))
            return
        if "error" in answer and self.command.folder and answer["where"] in ("exec", "cwd"):
            # What the candidate left out was the program, or the folder that it starts in.
            answer = missing_program(answer)
        if "error" in answer:
            raise cannot_run(answer, self.command.in_role(task.role))
        if (imported := answer.get("imported")) is not None and self._imported is None:
            self._imported = imported_modules(imported)
        run = run_of(answer, task.directory, task.file, task.text)
        self.seconds += run.seconds
        self.full += run.full
        task.starts = 0
        task.runs += 1
        task.take(self.command, run)
        # The same worker goes on with the further runs that a verdict may take.
        if task.open:
            self._begin(task, task.worker)

    def _tell(self, sentence: str, code: str) -> None:
        if sentence not in self._remarked:
            self._remarked.add(sentence)
            self._remark(as_message(sentence, code))

    def _check_stop(self) -> None:
        if self._stopped():
            raise Stop("stopped")


def _is_stuck(task: Task, now: float) -> bool:
    """Say whether the guardian of a run will not answer: it was stopped, or is long overdue."""
    assert task.worker is not None
    if task.timeout is not None and now > task.began + MOST_TIMES * task.timeout + _OVERDUE:
        return True
    return task.worker.is_stopped()


def _await_end(worker: Worker) -> None:
    """Wait for the end of a cancelled run, or end a guardian that will not tell of it."""
    began = time.monotonic()
    with selectors.DefaultSelector() as selector:
        selector.register(worker, selectors.EVENT_READ)
        while not selector.select(_STOP_INTERVAL):
            if worker.is_stopped() or worker.is_late(began, _OVERDUE):
                worker.kill()
    # One that has died is replaced when it is needed.
    with contextlib.suppress(WorkerDied):
        worker.answer()


def _cancel(task: Task) -> None:
    if task.open and task.worker is not None:
        task.worker.cancel()
