"""Runs on the workers of a Dask cluster (the extra `cluster` brings dask.distributed).

Candidates travel to the workers and verdicts back; the files that the command needs are shipped
once to every worker, also to one that joins later. Each thread of a worker runs the command as a
`Runner` does at home, under a guardian of its own. The scheduler gives the runs of a lost worker to
the others. A run that nobody waits for any more goes on until it ends or times out.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import logging
import os
import shutil
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any

from boildown.engine.oracle import Oracle, Stop, Verdict, judge
from boildown.runner.command import TestCommand
from boildown.runner.judge import Expected
from boildown.runner.run import CannotRun, Problem
from boildown.runner.runner import Runner

_GLANCE = 0.02
"""Seconds between two questions whether to stop."""
LOCAL = "local"
"""The address of a cluster that is started on this machine, for trying it."""
_ATTEMPTS = 5
"""How often a run is begun whose verdict does not arrive."""
_CONNECTING = 20
"""Seconds to wait for the scheduler, and then for its first worker."""


@contextlib.contextmanager
def oracle_of(
    runner: Runner, expected: Expected, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Oracle]:
    """Give the oracle that runs a runner's command: on a cluster if the command names one.

    Raises CannotRun if the cluster cannot be used.
    """
    command = runner.command
    if command.cluster is None:
        yield runner.oracle(expected)
        return
    with Cluster(command.cluster, command, command.ship, stopped) as cluster:
        try:
            yield cluster.oracle(expected)
        finally:
            runner.seconds += cluster.seconds


class Cluster:
    """A connection to a scheduler; use it in a `with` statement.

    `files` are globs, relative to the command's directory, of what the command needs there.
    `stopped` is asked every 20 ms. Raises CannotRun if dask.distributed is not installed, or
    nobody answers at the address.
    """

    def __init__(
        self,
        address: str,
        command: TestCommand,
        files: Iterable[str] = (),
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        try:
            distributed = importlib.import_module("distributed")
        except ImportError:
            raise CannotRun(
                "A cluster needs dask.distributed; try: pip install 'boildown[cluster]'.",
                Problem.USAGE,
            ) from None
        self.seconds = 0.0
        """How long the runs took whose verdicts were taken."""
        self._stopped = stopped
        try:
            self._local = _local_cluster(distributed) if address == LOCAL else None
            self._client = distributed.Client(self._local or address, timeout=_CONNECTING)
            self._client.wait_for_workers(1, timeout=_CONNECTING)
        except (OSError, ValueError, distributed.TimeoutError) as error:
            raise CannotRun(
                f"The cluster at {address} does not answer ({error}). Is `dask scheduler` running "
                "there, with at least one `dask worker`?",
                Problem.NOT_STARTED,
            ) from error
        shipped = read_files(command.cwd, files)
        name = hashlib.blake2b(repr(sorted(shipped.items())).encode(), digest_size=8).hexdigest()
        self._folder = f"boildown-shipped-{name}"
        self._command = _portable(command)
        if shipped:
            plugin = _shipment(distributed, self._folder, command.cwd.name, shipped)
            self._client.register_plugin(plugin, name=self._folder)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(Exception):
            self._client.unregister_worker_plugin(self._folder)
        self._client.close()
        if self._local is not None:
            self._local.close()

    def oracle(
        self,
        expected: Expected,
        record: Callable[[str, Verdict], None] = lambda _text, _verdict: None,
    ) -> Oracle:
        """Return an oracle as `Runner.oracle` does; it keeps all workers of the cluster busy."""

        def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
            source = iter(texts)
            futures: deque[tuple[str, Any]] = deque()
            ended = False
            try:
                while True:
                    while not ended and len(futures) < self._ahead():
                        text = next(source, None)
                        if text is None:
                            ended = True
                            break
                        futures.append((text, self._submit(text, expected)))
                    if not futures:
                        return
                    text, future = futures[0]
                    verdict = self._result(text, expected, future)
                    futures.popleft()
                    record(text, verdict)
                    yield verdict
            except CannotRun as error:
                raise Stop(error.message) from error
            finally:
                self._client.cancel([future for _, future in futures])

        return verdicts

    def _ahead(self) -> int:
        """How many texts may be under way: one for each thread, and some that wait."""
        threads: int = sum(self._client.nthreads().values())
        return max(1, 2 * threads)

    def _submit(self, text: str, expected: Expected) -> Any:
        content = self._command.content(text)
        command = replace(self._command, content=str)
        return self._client.submit(
            _judge, command, self._folder, content, expected, pure=False, retries=2
        )

    def _result(self, text: str, expected: Expected, future: Any) -> Verdict:
        """Wait for a verdict; raise Stop if the cluster gives the run up again and again.

        The scheduler repeats the runs of a lost worker, but not one whose verdict was lost with it.
        """
        for attempt in range(_ATTEMPTS):
            if attempt:
                future = self._submit(text, expected)
            try:
                self._wait(future)
                verdict: Verdict
                verdict, seconds = future.result(timeout=_CONNECTING)
            except (CannotRun, Stop):
                raise
            except Exception as error:
                why = error
            else:
                self.seconds += seconds
                return verdict
        raise Stop(f"the cluster gave a run up: {why}")

    def _wait(self, future: Any) -> None:
        """Wait until a run has ended in any way. Raises Stop."""
        done = threading.Event()
        future.add_done_callback(lambda _future: done.set())
        if self._stopped():
            raise Stop("stopped")
        while not done.wait(_GLANCE):
            if self._stopped():
                raise Stop("stopped")


def _local_cluster(distributed: Any) -> Any:
    """Start a scheduler and a worker for each processor."""
    return distributed.LocalCluster(
        n_workers=os.cpu_count(),
        threads_per_worker=1,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )


def read_files(folder: Path, globs: Iterable[str]) -> dict[str, bytes]:
    """Return the files that match, by their path relative to the folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for glob in globs
        for path in sorted(folder.glob(glob))
        if path.is_file()
    }


def _portable(command: TestCommand) -> TestCommand:
    """Return the command with paths below its directory made relative to it."""
    prefix = f"{command.cwd}{os.sep}"
    argv = tuple(
        "./" + part.removeprefix(prefix) if part.startswith(prefix) else part
        for part in command.argv
    )
    return replace(command, argv=argv, original=None)


def _shipment(distributed: Any, folder: str, name: str, files: Mapping[str, bytes]) -> Any:
    """Return a plugin that puts files into a folder of each worker, and removes them at its end.

    They are in a folder of the name that theirs has at home: a signature may tell of it.
    """

    def setup(_plugin: object, worker: object) -> None:
        for path, data in files.items():
            target = _home(folder) / name / PurePosixPath(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            target.chmod(0o755)

    def teardown(_plugin: object, worker: object) -> None:
        shutil.rmtree(_home(folder), ignore_errors=True)

    methods = {"setup": setup, "teardown": teardown, "name": folder}
    return type("Shipment", (distributed.WorkerPlugin,), methods)()


def _home(folder: str) -> Path:
    """Return a worker's own folder for shipped files."""
    return Path(tempfile.gettempdir(), f"{folder}-{os.getpid()}")


_own = threading.local()
"""Of each thread of a worker: the Runner of the command that it ran last."""


def _judge(
    command: TestCommand, folder: str, text: str, expected: Expected
) -> tuple[Verdict, float]:
    """On a worker: run the command on a text; return the verdict and the seconds it took."""
    home = _home(folder) / command.cwd.name
    if home.exists():
        command = replace(command, cwd=home)
    if getattr(_own, "command", None) != command:
        if (old := getattr(_own, "runner", None)) is not None:
            old.close()
        _own.command, _own.runner = command, Runner(command)
    before = _own.runner.seconds
    verdict = judge(_own.runner.oracle(expected), text)
    return verdict, _own.runner.seconds - before
