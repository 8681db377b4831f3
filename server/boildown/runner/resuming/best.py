"""The best text of an unfinished job: one plain file beside the record, for when all else ends.

It holds a text that has reproduced, as a whole, also after a kill or a power cut.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from boildown.files import replace_file
from boildown.runner.run import encode

_SYNC_INTERVAL = 1.0
"""Seconds between two writes that wait for the disk, which may take a tenth of one."""


class BestFile:
    """The file for the best text of the job with a key, in the folder of the record."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self.path = folder / "best" / key.hex()
        self._synced = -_SYNC_INTERVAL

    def write(self, text: str) -> None:
        """Put a text into the place of the one before. Raises OSError."""
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        now = time.monotonic()
        sync = now - self._synced > _SYNC_INTERVAL
        # Inputs may be confidential.
        replace_file(self.path, encode(text), 0o600, sync)
        if sync:
            self._synced = now

    def remove(self) -> None:
        """Remove the file, if there is one."""
        with contextlib.suppress(OSError):
            self.path.unlink()


def best_files(folder: Path) -> dict[bytes, os.stat_result]:
    """Return the states of the files that jobs have left in the folder of the record, by keys."""
    found: dict[bytes, os.stat_result] = {}
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder / "best"):
            with contextlib.suppress(OSError, ValueError):
                found[bytes.fromhex(entry.name)] = entry.stat()
    return found
