"""Boildown's end of the pipe to a guardian."""

from __future__ import annotations

import contextlib
import marshal
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_GUARDIAN = Path(__file__).with_name("guardian.py")


class WorkerDied(Exception):  # noqa: N818 - says what is the case
    """The guardian is gone, and with it all that it ran."""


class Worker:
    """One guardian process; it performs one request at a time and answers each once."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_GUARDIAN), tempfile.gettempdir()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests = self._process.stdin
        self._answers = self._process.stdout
        self._whole = True
        self.base = os.fsdecode(self.answer())
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

    def _send(self, message: Any) -> None:
        if not self._whole:
            raise WorkerDied
        self._whole = False
        data = marshal.dumps(message)
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
