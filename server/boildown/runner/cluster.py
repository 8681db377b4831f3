"""The oracle on a Dask cluster: its workers run the test command (needs the extra `cluster`).

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
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any

from boildown.engine.oracle import Oracle, Stop, Verdict, judge
from boildown.runner.command import TestCommand
from boildown.runner.guardian.sandbox import version
from boildown.runner.judging.judge import Expected
from boildown.runner.run import CannotRun, Obstacle
from boildown.runner.runner import Runner
from boildown.runner.shipment import discard, home_of, read_files, unpack

_STOP_INTERVAL = 0.02
"""Seconds between two questions whether to stop."""
LOCAL_ADDRESS = "local"
"""The address of a cluster that is started on this machine, for trying it."""
_MOST_ATTEMPTS = 5
"""How often a run is begun whose verdict does not arrive."""
_CONNECTING_TIMEOUT = 20
"""Seconds to wait for the scheduler, and then for its first worker."""


class Cluster:
    """A connection to a scheduler; use it in a `with` statement.

    `files` are globs, relative to the command's directory, of what the command needs there.
    `stopped` is asked every 20 ms. How the connection is secured is for Dask's configuration to
    say. Raises CannotRun if dask.distributed is not installed, if nobody answers at the address,
    if Dask does not connect to it, and for files that cannot be shipped.
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
            shipped = read_files(command.cwd, files)
        except ImportError:
            raise CannotRun(
                "A cluster needs the package distributed; try: pip install 'boildown[cluster]'.",
                Obstacle.USAGE,
            ) from None
        self.seconds = 0.0
        """How long the runs took whose verdicts were taken."""
        self._stopped = stopped
        try:
            self._local = _local_cluster(distributed) if address == LOCAL_ADDRESS else None
            self._client = _connected(distributed, self._local or address)
        except (OSError, ValueError, distributed.TimeoutError) as error:
            raise CannotRun(
                f"The cluster at {address} does not answer ({error}). Is `dask scheduler` running "
                "there, with at least one `dask worker`?",
                Obstacle.NOT_STARTED,
            ) from error
        except (RuntimeError, TypeError) as error:
            raise CannotRun(
                f"Dask does not connect to the cluster at {address}: {error}. Certificates and "
                "whether it must be encrypted are said in Dask's own configuration, under "
                "distributed.comm.",
                Obstacle.USAGE,
            ) from error
        name = hashlib.blake2b(repr(sorted(shipped.items())).encode(), digest_size=8).hexdigest()
        self._shipment = f"boildown-shipped-{name}"
        self._command = _portable(command)
        if shipped:
            plugin = _shipment(distributed, self._shipment, command.cwd.name or "root", shipped)
            self._client.register_plugin(plugin, name=self._shipment)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(Exception):
            self._client.unregister_worker_plugin(self._shipment)
        self._client.close()
        if self._local is not None:
            self._local.close()

    def oracle(
        self,
        expected: Expected,
        record: Callable[[str, Verdict], None] = lambda _text, _verdict: None,
    ) -> Oracle:
        """Return an oracle as `Runner.oracle` does, which keeps all workers of the cluster busy."""

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
                raise Stop(str(error)) from error
            finally:
                self._client.cancel([future for _, future in futures])

        return verdicts

    def _ahead(self) -> int:
        """How many texts may be under way: one for each thread, and some that wait."""
        threads: int = sum(self._client.nthreads().values())
        return max(1, 2 * threads)

    def _submit(self, text: str, expected: Expected) -> Any:
        command, content = self._command, None
        if command.content is not str:
            content = command.content(text)
            command = replace(command, content=_content)
        return self._client.submit(
            _judge, command, self._shipment, text, content, expected, pure=False, retries=2
        )

    def _result(self, text: str, expected: Expected, future: Any) -> Verdict:
        """Wait for a verdict; raise Stop if the cluster gives the run up again and again.

        The scheduler repeats the runs of a lost worker, but not one whose verdict was lost with it.
        """
        for attempt in range(_MOST_ATTEMPTS):
            if attempt:
                future = self._submit(text, expected)
            try:
                self._wait(future)
                verdict: Verdict
                verdict, seconds = future.result(timeout=_CONNECTING_TIMEOUT)
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
        while not done.wait(_STOP_INTERVAL):
            if self._stopped():
                raise Stop("stopped")


def _connected(distributed: Any, scheduler: Any) -> Any:
    """Return a client of a scheduler that has a worker."""
    client = object.__new__(distributed.Client)
    try:
        client.__init__(scheduler, timeout=_CONNECTING_TIMEOUT)
        client.wait_for_workers(1, timeout=_CONNECTING_TIMEOUT)
    except BaseException:
        # Dask closes a client that failed when it is collected. That may be while the next one
        # starts, and then each waits for the other.
        with contextlib.suppress(Exception):
            client.close(timeout=1)
        raise
    return client


def _local_cluster(distributed: Any) -> Any:
    """Start a scheduler and a worker for each processor."""
    return distributed.LocalCluster(
        n_workers=os.cpu_count(),
        threads_per_worker=1,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )


def _portable(command: TestCommand) -> TestCommand:
    """Return the command with paths below its directory made relative to it."""
    prefix = f"{command.cwd}{os.sep}"

    def portable(argv: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            "./" + part.removeprefix(prefix) if part.startswith(prefix) else part for part in argv
        )

    return replace(
        command,
        argv=portable(command.argv),
        quick=portable(command.quick),
        good=portable(command.good),
        # Of a folder it is a name, by which the worker knows where the command starts.
        original=command.original if command.folder else None,
    )


def _shipment(distributed: Any, shipment: str, name: str, files: Mapping[str, bytes]) -> Any:
    """Return a plugin that puts files into a folder of each worker, and removes them at its end."""

    def setup(_plugin: object, worker: object) -> None:
        unpack(shipment, name, files)

    def teardown(_plugin: object, worker: object) -> None:
        discard(shipment)

    methods = {"setup": setup, "teardown": teardown, "name": shipment}
    return type("Shipment", (distributed.WorkerPlugin,), methods)()


_own = threading.local()
"""Of each thread of a worker: the Runner of its last command, and the content of the file."""


def _content(_text: str) -> str:
    """On a worker: return the content of the candidate's file, which was made at home."""
    content: str = _own.content
    return content


def _judge(
    command: TestCommand, shipment: str, text: str, content: str | None, expected: Expected
) -> tuple[Verdict, float]:
    """On a worker: run the command on a text; return the verdict and the seconds it took."""
    if (home := home_of(shipment)) is not None:
        command = replace(command, cwd=home)
    if command.is_strict and not version():
        raise CannotRun(
            f"The worker on {socket.gethostname()} has no Landlock to keep runs from writing "
            "elsewhere; leave it out of the cluster, or the sandbox out of the command.",
            Obstacle.NOT_STARTED,
        )
    if getattr(_own, "command", None) != command:
        if (old := getattr(_own, "runner", None)) is not None:
            old.close()
        _own.command, _own.runner = command, Runner(command)
    _own.content = content
    before = _own.runner.seconds
    verdict = judge(_own.runner.oracle(expected), text)
    return verdict, _own.runner.seconds - before
