"""The pipe between Boildown and a guardian: messages of `marshal`, each after its length."""

from __future__ import annotations

import marshal
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARSHAL_VERSION = 2
"""The version of the format: one that the Pythons at both ends know, whichever they are."""


GREETING = b"\0boildown\0"
"""The first bytes from a guardian; a script that wraps the Python may print others before."""
ENDED = b"ended "
"""The words before the exit status, in the last line from the guardian of a pass of one's own."""
TEMPORARY_FOLDER = "temp"
"""The folder in a guardian's directory for the temporary files of runs."""
_RUNNER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER_PATH = os.path.join(_RUNNER, "folder_path")
"""The folder with the `sitecustomize` that runs on folders begin with."""
OBSERVER_PATH = os.path.join(_RUNNER, "observer_path")
"""The folder with the `sitecustomize` that runs begin with whose lines are to be seen."""
OBSERVED = "BOILDOWN_OBSERVED"
"""The variable with the folder into which a run writes the lines that it executes."""
UNUSABLE_STATUS = 78
"""The exit status of a run that had no predicate to call; EX_CONFIG in the tradition of Unix."""

MOST_TIMES = 4
"""How many times as long as its limit a run may take by the clock if it waits for a processor."""


class BoildownGone(BaseException):
    """The pipe from Boildown was closed."""


def receive(control: int) -> Any:
    """Read one message from Boildown."""
    (size,) = struct.unpack("<I", read_exactly(control, 4))
    return marshal.loads(read_exactly(control, size))


def read_exactly(descriptor: int, size: int) -> bytearray:
    """Read exactly `size` bytes, or raise `BoildownGone`."""
    data = bytearray(size)
    # Read into its place: a long candidate and its parts together would be twice as large.
    left = memoryview(data)
    while left:
        count = os.readv(descriptor, [left[: 1 << 20]])
        if not count:
            raise BoildownGone
        left = left[count:]
    return data


def send(answers: int, message: Any) -> None:
    """Write one message to Boildown."""
    data = marshal.dumps(message, MARSHAL_VERSION)
    for part in (struct.pack("<I", len(data)), data):
        view = memoryview(part)
        while view:
            view = view[os.write(answers, view) :]
