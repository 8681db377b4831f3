"""Boildown's end of the pipe to a pass of a user's own: texts out, or how the pass ended.

The pass is ended when it gives nothing for too long. That is measured in its own processor time, so
that a busy machine changes nothing; only a pass that sleeps is measured by the clock.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from boildown.runner.guardian.linux import processor_use
from boildown.runner.guardian.messages import ENDED, GREETING, MARSHAL_VERSION
from boildown.runner.worker import WorkerDied, ended, start_guardian

MOST_SECONDS = 10.0
"""Seconds of processor time that a pass may take until its next text, and that loading may take."""
MOST_ASLEEP = 60.0
"""Seconds for which it may neither compute nor wait for a processor until then."""
_LOOK = 0.1
"""Seconds between two looks at a pass that does not answer."""
_LAST_WORDS = 10.0
"""Seconds to wait for where a pass is, or for the end of its guardian, which comes at once."""
_FRAME = re.compile(rb'  File "(.*)", line (\d+) in ')
"""A line by which the C code of Python says what is executed."""
_LONGEST_FILE = 500
"""Characters of a file's name that it writes."""


class PassEnded(Exception):  # noqa: N818 - says what is the case
    """A pass is over before its time; the message says where, and why."""


class Unloaded(Exception):  # noqa: N818 - says what is the case
    """A pass can't be loaded; the message says why, with file and line."""


class Proposer:
    """The process of one pass of a user's own.

    Raises Unloaded if no process can be started.
    """

    def __init__(self, stopped: Callable[[], bool] = lambda: False) -> None:
        self._stopped = stopped
        self._file = self._defined = ""
        try:
            self._guardian = start_guardian(
                [sys.executable],
                "from boildown.runner.guardian.proposing import main",
                stderr=subprocess.PIPE,
                bufsize=0,
            )
        except WorkerDied as error:
            raise Unloaded(f"No process can be started for it: {error.__cause__}.") from None
        assert self._guardian.stdin is not None
        assert self._guardian.stdout is not None
        assert self._guardian.stderr is not None
        self._requests = self._guardian.stdin.fileno()
        self._answers = self._guardian.stdout.fileno()
        self._told = self._guardian.stderr.fileno()
        os.set_blocking(self._requests, False)
        self._pid = 0
        try:
            said = b""
            # Byte by byte: what this Python prints at its start comes first.
            while not said.endswith(GREETING):
                said += self._read(1, _Patience(0))
            self._pid = self._answer(_Patience(0))
        except BaseException:
            self.close()
            raise

    def load(self, name: str, path: Path | None, source: bytes | None, group: str) -> bytes:
        """Load a function of a file, or an entry point of a group; return the file's content.

        Raises Unloaded.
        """
        request = {"load": sys.path, "name": name, "group": group, "source": source}
        self._file, self._defined = str(path or ""), f"{path}:1" if path else f"The pass {name}"
        try:
            answer = self._ask({**request, "path": self._file}, _Patience(self._pid))
        except PassEnded as why:
            raise Unloaded(f"The pass can't be loaded. {why}") from None
        if answer[0] == "refused":
            raise Unloaded(answer[1])
        _, self._file, content, self._defined = answer
        return bytes(content)

    def texts(self, best: str, skipped: int) -> Iterator[str]:
        """Yield the texts that the function proposes for the best one, but for the first ones.

        Each is computed when it is asked for. A stop ends them. Raises PassEnded.
        """
        request: dict[str, Any] = {"best": best, "skipped": skipped}
        with contextlib.suppress(_Stopped):
            while True:
                answer = self._ask(request, _Patience(self._pid, self._stopped))
                if answer[0] == "end":
                    return
                if answer[0] == "broken":
                    raise PassEnded(answer[1])
                if answer[0] == "text":
                    yield answer[1]
                request = {}

    def close(self) -> None:
        """End the process, and all that it has started; do nothing the second time."""
        for pipe in (self._guardian.stdin, self._guardian.stdout, self._guardian.stderr):
            assert pipe is not None
            pipe.close()
        ended(self._guardian)

    def _ask(self, request: dict[str, Any], patience: _Patience) -> Any:
        data = marshal.dumps(request, MARSHAL_VERSION)
        left = memoryview(struct.pack("<I", len(data)) + data)
        while left:
            self._await([], [self._requests], patience)
            try:
                left = left[os.write(self._requests, left) :]
            except BrokenPipeError:
                raise self._died() from None
        return self._answer(patience)

    def _answer(self, patience: _Patience) -> Any:
        (size,) = struct.unpack("<I", self._read(4, patience))
        try:
            # If somebody else wrote there, it announces anything, and is waited for like a text.
            return marshal.loads(self._read(size, patience))
        except (ValueError, EOFError, TypeError):
            raise PassEnded(f"{self._defined}: it writes into the pipe to Boildown.") from None

    def _read(self, size: int, patience: _Patience) -> bytes:
        data = bytearray()
        while len(data) < size:
            self._await([self._answers], [], patience)
            part = os.read(self._answers, min(size - len(data), 1 << 20))
            if not part:
                raise self._died()
            data += part
        return bytes(data)

    def _await(self, readable: list[int], writable: list[int], patience: _Patience) -> None:
        """Wait until a pipe is ready. Raises PassEnded and _Stopped."""
        while not any(select.select(readable, writable, [], _LOOK)):
            why = patience.exhausted()
            if why is not None:
                with contextlib.suppress(OSError):
                    # At it the process writes down which lines it executes.
                    os.kill(self._pid, signal.SIGUSR2)
                raise PassEnded(f"{self._place(self._last_words(until_end=False))}: {why}")

    def _died(self) -> PassEnded:
        """Return how a process that does not answer any more has ended, and where."""
        words = self._last_words(until_end=True)
        found = re.search(rb"^%s(-?\d+)$" % ENDED, words, re.MULTILINE)
        if found is None:
            how = "it has closed the pipe to Boildown"
        elif (status := int(found[1])) < 0:
            how = f"its process was ended by the signal {signal.Signals(-status).name}"
        else:
            how = f"its process has ended itself, with exit status {status}"
        return PassEnded(f"{self._place(words)}: {how}.")

    def _last_words(self, until_end: bool) -> bytes:
        """Return the lines that Python itself and the guardian write, at the end or the signal."""
        words, end = b"", time.monotonic() + _LAST_WORDS
        while (left := end - time.monotonic()) > 0 and (until_end or not self._own_lines(words)):
            if not select.select([self._told], [], [], left)[0]:
                break
            part = os.read(self._told, 1 << 16)
            if not part:
                break
            words += part
        return words

    def _place(self, words: bytes) -> str:
        """Return the file and the line of the user's that is executed, or else the function's."""
        lines = self._own_lines(words)
        return f"{self._file}:{lines[0]}" if lines else self._defined

    def _own_lines(self, words: bytes) -> list[int]:
        """Return the lines of the pass's file that are executed, the innermost first."""
        file = self._file.encode("ascii", "backslashreplace")[:_LONGEST_FILE]
        return [int(line) for name, line in _FRAME.findall(words) if name == file]


class _Stopped(Exception):  # noqa: N818 - says what is the case
    """The job is to end."""


class _Patience:
    """How long is waited for one answer of a process."""

    def __init__(self, pid: int, stopped: Callable[[], bool] = lambda: False) -> None:
        self._pid, self._stopped = pid, stopped
        self._before: float | None = None
        """The processor time at the first look: most answers come before one."""
        self._used = self._asleep = 0.0

    def exhausted(self) -> str | None:
        """Take a look; return why the process is to be ended, if it is. Raises _Stopped."""
        if self._stopped():
            raise _Stopped
        used, wants = processor_use(self._pid)
        if self._before is None:
            self._before = self._used = used
        elif used == self._used and not wants:
            # A look that comes late counts no more: nobody had a processor meanwhile.
            self._asleep += _LOOK
        self._used = used
        if used - self._before > MOST_SECONDS:
            return f"it computes for more than {MOST_SECONDS:g} s."
        if self._asleep > MOST_ASLEEP:
            return f"it waits for more than {MOST_ASLEEP:g} s."
        return None
