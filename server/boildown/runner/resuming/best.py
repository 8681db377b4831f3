"""The best text of an unfinished job: one plain file beside the record, for when all else ends.

It holds a text that has reproduced, as a whole, also after a kill or a power cut.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from boildown.runner.run import decode, encode

_SYNC_INTERVAL = 1.0
"""Seconds between two writes that wait for the disk, which may take a tenth of one."""


class BestFile:
    """The file for the best text of the job with a key, in the folder of the record."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self.path = folder / "best" / key.hex()
        self._synced = 0.0

    def write(self, text: str) -> None:
        """Put a text into the place of the one before. Raises OSError."""
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        # Inputs may be confidential. One that was left half-written is written over.
        with open(os.open(self._part, flags, 0o600), "wb") as file:
            file.write(encode(text))
            if time.monotonic() - self._synced > _SYNC_INTERVAL:
                file.flush()
                os.fsync(file.fileno())
                self._synced = time.monotonic()
        os.replace(self._part, self.path)

    def read(self) -> str | None:
        """Return the text, if there is one."""
        with contextlib.suppress(OSError):
            return decode(self.path.read_bytes())
        return None

    def remove(self) -> None:
        """Remove the file, and a half-written one."""
        for path in (self.path, self._part):
            with contextlib.suppress(OSError):
                path.unlink()

    @property
    def _part(self) -> Path:
        return self.path.with_suffix(".part")


def best_files(folder: Path) -> dict[bytes, os.stat_result]:
    """Return the states of the files that jobs have left in the folder of the record, by keys."""
    found: dict[bytes, os.stat_result] = {}
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder / "best"):
            # A half-written one has another name.
            with contextlib.suppress(OSError, ValueError):
                found[bytes.fromhex(entry.name)] = entry.stat()
    return found
