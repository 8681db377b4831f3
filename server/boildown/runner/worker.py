"""A worker: Boildown's end of the pipe to one guardian process."""

from __future__ import annotations

import contextlib
import marshal
import os
import select
import selectors
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from boildown.runner.guardian.linux import (
    adopts_orphans,
    held,
    kill_group,
    kill_groups,
    listed_children,
    processor_use,
    state,
)
from boildown.runner.guardian.messages import GREETING, MARSHAL_VERSION, MOST_TIMES

_PACKAGES = {"boildown": Path(__file__).parents[1], "boildown.runner": Path(__file__).parent}
_START_CODE = f"""
import sys
for name, folder in {[(name, str(path)) for name, path in _PACKAGES.items()]!r}:
    sys.modules[name] = type(sys)(name)
    sys.modules[name].__path__ = [folder]
first, before = [path for path in sys.path[:1] if not path], set(sys.modules)
del sys.path[:len(first)]
IMPORTS
sys.path[:0] = first
for name in [name for name in sys.modules if name.split(".")[0] == "boildown"]:
    del sys.modules[name]
main()
"""
"""Starts a guardian in any Python: its modules are found, and nothing else of Boildown's is.

The modules that it needs are not looked for in the working directory, where a project may have one
called `signal` or `resource`.
"""
_OF_RUNS = """\
from boildown.runner.guardian import warm
from boildown.runner.guardian.main import main
warm.brought |= set(sys.modules) - before"""
"""The part that imports the guardian of a worker."""
_STARTING_TIMEOUT = 60.0
"""Seconds that a Python may take to start."""
_ENDING_TIMEOUT = 60.0
"""Seconds that a guardian gets to remove its files at the end; a thousand directories take two."""
_STOP_INTERVAL = 0.02
"""Seconds between two questions whether to stop."""
_NOISE_LIMIT = 1 << 16
"""Bytes that a Python may print before the guardian in it begins."""


_guardians: set[int] = set()
"""The process ids of the guardians that were started and not waited for."""
_starting = threading.Lock()
"""Held while a guardian is started, so that it is not taken for an orphan."""


def start_guardian(
    python: Sequence[str], imports: str, *arguments: str, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a guardian in a Python, its pipes on the standard streams; `ended` waits for its end.

    `imports` are the lines that import its `main`. Raises WorkerDied.
    """
    try:
        with _starting:
            process = subprocess.Popen(
                [*python, "-c", _START_CODE.replace("IMPORTS", imports), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
                **options,
            )
            _guardians.add(process.pid)
    except OSError as error:
        raise WorkerDied from error
    return process


def ended(guardian: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a guardian whose pipe was closed."""
    # `wait` with a limit sleeps between two looks, for as long as it has waited so far.
    with contextlib.suppress(AttributeError, OSError):  # Only Linux has such descriptors.
        end = os.pidfd_open(guardian.pid)
        with open(end, closefd=True), selectors.DefaultSelector() as selector:
            selector.register(end, selectors.EVENT_READ)
            selector.select(_ENDING_TIMEOUT)
    try:
        guardian.wait(_ENDING_TIMEOUT)
    except subprocess.TimeoutExpired:
        guardian.kill()
        guardian.wait()
    _guardians.discard(guardian.pid)


def kill_orphans() -> None:
    """Kill the orphans of guardians that have died.

    That can only be found where this process adopts orphans (see `linux.adopt_orphans`, which
    the command line and the server call at their start; a program that uses the library has
    children that are none of our business). An orphan is a child that this process did not start:
    runs have sessions of their own, and what else it starts has not.
    """
    if not adopts_orphans():
        return
    with _starting:
        while orphans := [pid for pid in listed_children(os.getpid()) if _is_orphan(pid)]:
            # Each is in a session of its own, and so in another group than this process.
            kill_groups(orphans)
            for pid in orphans:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)


def _is_orphan(pid: int) -> bool:
    try:
        return pid not in _guardians and os.getsid(pid) != os.getsid(0)
    except ProcessLookupError:
        return False


class WorkerDied(Exception):  # noqa: N818 - says what is the case
    """The guardian process has ended, and all its runs with it."""


class Worker:
    """One guardian process; it performs one request at a time and answers each once.

    `python` is the Python to load things into ahead of the runs, with its environment; without it
    the guardian is as small as can be. Raises WorkerDied if that Python starts no guardian, at the
    latest when `waited` returns True, which is asked again and again until it has.
    """

    def __init__(
        self,
        python: str | None = None,
        environment: Mapping[str, str] | None = None,
        waited: Callable[[], bool] = lambda: False,
    ) -> None:
        try:
            folder = tempfile.gettempdir()
        except OSError as error:
            raise WorkerDied from error
        self._process = start_guardian(
            [python] if python else [sys.executable, "-I", "-S"],
            _OF_RUNS,
            folder,
            stderr=subprocess.DEVNULL if python else None,
            env=environment,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests = self._process.stdin
        self._answers = self._process.stdout
        self._whole = True
        self.loaded = False
        """Whether what the runs need was loaded ahead."""
        self.base = self._begun(waited)
        """The directory that holds the fresh directories of the runs."""
        self.busy = False
        """Whether an answer is still to come."""
        self.cancelled = False
        """Whether the answer to come is of no interest."""

    @property
    def pid(self) -> int:
        """The process id of the guardian."""
        return self._process.pid

    def fileno(self) -> int:
        """The descriptor that becomes readable when an answer is there."""
        return self._answers.fileno()

    def start(self, request: dict[str, Any]) -> None:
        """Begin to perform a request."""
        if self.busy:
            self.answer()
        self._send(request)
        self.busy, self.cancelled = True, False

    def answer(self) -> Any:
        """Wait for the answer to the request under way."""
        if not self._whole:
            raise WorkerDied
        # An interrupt from the keyboard may come anywhere, also between two parts of a message.
        self._whole = False
        (size,) = struct.unpack("<I", self._read(4))
        answer = marshal.loads(self._read(size))
        self._whole = True
        self.busy = False
        return answer

    def cancel(self) -> None:
        """Kill the run under way; its answer is thrown away when the next request starts."""
        if self.busy and not self.cancelled:
            self.cancelled = True
            try:
                self._send("cancel")
            except WorkerDied:
                self.busy = False

    def hang_up(self) -> None:
        """Close the pipe: the guardian kills its runs, tidies up and ends."""
        with contextlib.suppress(OSError):
            self._requests.close()

    def close(self) -> None:
        """Close the pipe and wait for the guardian's end."""
        self.hang_up()
        self._answers.close()
        ended(self._process)

    def is_stopped(self) -> bool:
        """Say whether somebody has stopped the guardian, as Linux tells; it will not answer."""
        return state(self.pid) in (b"T", b"t")

    def is_late(self, began: float, limit: float) -> bool:
        """Say whether it is busy for more than `limit` seconds since a time of the clock.

        On a busy machine it has up to four times as long, as a run has.
        """
        passed = time.monotonic() - began
        if passed <= limit:
            return False
        used, wants = processor_use(self.pid)
        return used > limit or not wants or passed > MOST_TIMES * limit

    def kill(self) -> None:
        """End a guardian that does not answer any more, and its runs with their groups."""
        runs = listed_children(self.pid)
        self._process.kill()
        kill_groups(runs)

    @contextlib.contextmanager
    def opened_base(self) -> Iterator[Path]:
        """Give a path into the guardian's directory that no run can lead elsewhere.

        Away from Linux it is the directory's own path. Raises WorkerDied if that has been
        exchanged.
        """
        try:
            descriptor = os.open(self.base, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError as error:
            raise WorkerDied from error
        try:
            found = os.fstat(descriptor)
            if (found.st_dev, found.st_ino) != self._identity:
                raise WorkerDied
            yield Path(held(descriptor, self.base))
        finally:
            os.close(descriptor)

    def _begun(self, waited: Callable[[], bool]) -> str:
        """Return the guardian's directory once it has begun; leave nothing if it does not."""
        try:
            self._await_hello(waited)
            path, *identity = self.answer()
            self._identity = tuple(identity)
            return os.fsdecode(path)
        except BaseException:
            kill_group(self.pid)
            self.close()
            raise

    def _await_hello(self, waited: Callable[[], bool]) -> None:
        """Skip the output of a script that wraps the Python, up to the guardian's greeting."""
        began, said = time.monotonic(), b""
        # Byte by byte: what follows stays for `answer`.
        while not said.endswith(GREETING):
            while not select.select([self], [], [], _STOP_INTERVAL)[0]:
                if waited() or self.is_late(began, _STARTING_TIMEOUT):
                    raise WorkerDied
            if len(said) > _NOISE_LIMIT:
                raise WorkerDied
            byte = os.read(self.fileno(), 1)
            if not byte:
                raise WorkerDied
            said += byte

    def _send(self, message: Any) -> None:
        if not self._whole:
            raise WorkerDied
        self._whole = False
        data = marshal.dumps(message, MARSHAL_VERSION)
        try:
            self._requests.write(struct.pack("<I", len(data)))
            self._requests.write(data)
            self._requests.flush()
            self._whole = True
        except (OSError, ValueError) as error:
            raise WorkerDied from error

    def _read(self, size: int) -> bytes:
        data = self._answers.read(size)
        if len(data) < size:
            raise WorkerDied
        return data
