"""The streams that `print` writes to, made inert: nothing that others wrote steers a terminal.

In this package `print` and `Display` are for people, and escape what cannot be seen; results, which
programs read, go through `put_out`, byte for byte, unless they go to a terminal.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager

from boildown.jobs.inert import terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, TextIO


class _Inert:
    """A text stream that escapes invisible characters, on top of another stream."""

    def __init__(self, stream: TextIO) -> None:
        self.bare = stream

    def write(self, text: str) -> int:
        """Write a text for people."""
        return self.bare.write(terminal(text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts for people."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name == "bare":  # Asked for by a tracer or a copy before `__init__` has set it.
            raise AttributeError(name)
        return getattr(self.bare, name)


@contextmanager
def inert_streams() -> Iterator[None]:
    """Make standard output and standard error inert within a block."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (each and _Inert(each) for each in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def bare(stream: TextIO) -> TextIO:
    """Return the stream below an inert one, for a display that has sequences of its own."""
    return stream.bare if isinstance(stream, _Inert) else stream
