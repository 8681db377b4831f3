"""The pipe between Boildown and a guardian: messages of `marshal`, each after its length."""

from __future__ import annotations

import marshal
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARSHAL = 2
"""The version of the format: one that the Pythons at both ends know, whichever they are."""


HELLO = b"\0boildown\0"
"""What a guardian says first; a Python that is a script may have said something before."""
TEMPORARY = "temp"
"""The folder in a guardian's directory where the runs put what they need for a while."""
UNUSABLE = 78
"""The exit status of a run that had no predicate to call; EX_CONFIG in the tradition of Unix."""


class BoildownGone(BaseException):
    """The pipe from Boildown was closed."""


def receive(control: int) -> Any:
    """Read one message from Boildown."""
    (size,) = struct.unpack("<I", read_exactly(control, 4))
    return marshal.loads(read_exactly(control, size))


def read_exactly(descriptor: int, size: int) -> bytes:
    """Read so many bytes, or raise `BoildownGone`."""
    parts = []
    while size:
        part = os.read(descriptor, min(size, 1 << 20))
        if not part:
            raise BoildownGone
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def send(answers: int, message: Any) -> None:
    """Write one message to Boildown."""
    data = marshal.dumps(message, MARSHAL)
    view = memoryview(struct.pack("<I", len(data)) + data)
    while view:
        view = view[os.write(answers, view) :]
