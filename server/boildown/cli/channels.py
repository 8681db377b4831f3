"""Standard output and standard error that may break: a full device, a reader or terminal gone.

What can't be written is dropped, so that no job ends for it. Standard error has notes alone; of
standard output it is remembered, for what is lost may be a result.
"""

from __future__ import annotations

import errno
import io
import os
import select
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed import ReadableBuffer


class Channel(io.FileIO):
    """A descriptor to write to, which drops data that it can't take."""

    problem: OSError | None = None
    """The first error; None as long as all was written, or where only the reader is gone."""
    is_closed = False
    """Whether the descriptor was closed when Boildown was started."""

    def write(self, data: ReadableBuffer, /) -> int:
        """Write all of the data, or drop it."""
        view = memoryview(data).cast("B")
        try:
            if self.is_closed:
                raise OSError(errno.EBADF, "it is closed")
            left = view
            while left:
                written: int | None = super().write(left)
                if written is None:
                    # Another program that shares it has made it non-blocking.
                    select.select([], [self], [])
                left = left[written or 0 :]
        except BrokenPipeError:
            # A reader such as `head` has seen enough.
            pass
        except OSError as error:
            self.problem = self.problem or error
        return len(view)


def hold(numbers: Iterable[int] = (1, 2)) -> None:
    """Make standard output and standard error, by their numbers, channels."""
    for number in numbers:
        name = {1: "stdout", 2: "stderr"}[number]
        stream: io.TextIOWrapper | None = getattr(sys, name)
        if stream is None:
            # Else the next file that is opened gets the number, and with it what programs print.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            os.set_inheritable(number, True)
        raw = Channel(number, "w", closefd=False)
        raw.is_closed = stream is None
        is_unbuffered = stream is not None and stream.write_through
        held = io.TextIOWrapper(
            # As Python itself has it with -u, so that both streams keep their order.
            raw if is_unbuffered else io.BufferedWriter(raw),
            "utf-8" if stream is None else stream.encoding,
            "surrogateescape" if stream and stream.errors == "surrogateescape" else _SHOWN,
            line_buffering=number == 2 or os.isatty(number),
            write_through=is_unbuffered,
        )
        setattr(sys, name, held)


_SHOWN = "backslashreplace"
"""How characters are written that the encoding of a terminal lacks."""


def lost() -> OSError | None:
    """Return the error for which standard output could not be written, if it could not.

    All that was printed is written first. Raises OSError where it is no channel.
    """
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    return raw.problem if isinstance(raw, Channel) else None
