"""Boildown's end of the pipe to a guardian."""

from __future__ import annotations

import contextlib
import marshal
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from boildown.runner.guardian.messages import HELLO, MARSHAL

_PACKAGES = {"boildown": Path(__file__).parents[1], "boildown.runner": Path(__file__).parent}
_START = f"""
import sys
for name, folder in {[(name, str(path)) for name, path in _PACKAGES.items()]!r}:
    sys.modules[name] = type(sys)(name)
    sys.modules[name].__path__ = [folder]
from boildown.runner.guardian.main import main
for name in [name for name in sys.modules if name.split(".")[0] == "boildown"]:
    del sys.modules[name]
main()
"""
"""Starts a guardian in any Python: its modules are found, and nothing else of Boildown's is."""
_STARTING = 60.0
"""Seconds that a Python may take to start."""
_GLANCE = 0.02
"""Seconds between two questions whether to stop."""
_NOISE = 1 << 16
"""Bytes that a Python may print before the guardian in it begins."""


class WorkerDied(Exception):  # noqa: N818 - says what is the case
    """The guardian is gone, and with it all that it ran."""


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
        command = [python] if python else [sys.executable, "-I", "-S"]
        try:
            self._process = subprocess.Popen(
                [*command, "-c", _START, tempfile.gettempdir()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if python else None,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise WorkerDied from error
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
        """Kill what is under way; the answer is thrown away when the next request starts."""
        if self.busy and not self.cancelled:
            self.cancelled = True
            try:
                self._send("cancel")
            except WorkerDied:
                self.busy = False

    def hang_up(self) -> None:
        """Close the pipe: the guardian kills what it runs, tidies up and ends."""
        with contextlib.suppress(OSError):
            self._requests.close()

    def close(self) -> None:
        """Close the pipe and wait for the guardian's end."""
        self.hang_up()
        self._answers.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _begun(self, waited: Callable[[], bool]) -> str:
        """Return the guardian's directory once it has begun; leave nothing if it does not."""
        try:
            self._await_hello(waited)
            return os.fsdecode(self.answer())
        except BaseException:
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
            self.close()
            raise

    def _await_hello(self, waited: Callable[[], bool]) -> None:
        """Skip what a script that starts the Python prints, up to the guardian's first word."""
        end = time.monotonic() + _STARTING
        said = b""
        # Byte by byte: what follows stays for `answer`.
        while not said.endswith(HELLO):
            while not select.select([self], [], [], _GLANCE)[0]:
                if waited() or time.monotonic() > end:
                    raise WorkerDied
            if len(said) > _NOISE:
                raise WorkerDied
            byte = os.read(self.fileno(), 1)
            if not byte:
                raise WorkerDied
            said += byte

    def _send(self, message: Any) -> None:
        if not self._whole:
            raise WorkerDied
        self._whole = False
        data = marshal.dumps(message, MARSHAL)
        try:
            self._requests.write(struct.pack("<I", len(data)) + data)
            self._requests.flush()
            self._whole = True
        except (OSError, ValueError) as error:
            raise WorkerDied from error

    def _read(self, size: int) -> bytes:
        data = self._answers.read(size)
        if len(data) < size:
            raise WorkerDied
        return data
