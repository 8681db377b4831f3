"""What the terminal shows: a line of progress while a job runs, a summary when it has ended.

Everything goes to standard error, so that standard output holds nothing but results. The progress
line appears only on a terminal.
"""

from __future__ import annotations

import math
import time
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.text import Text

from boildown.jobs import Event, Note, Progress, Reduced, in_bytes, size

MINIMALITY = {
    "1-tree-minimal": "no single element of it can be left out",
    "1-token-minimal": "no single word or sign of it can be left out",
    "1-character-minimal": "no single character of it can be left out",
}
"""What a certificate means, in words."""


class Display:
    """Shows the events of one job; a context manager."""

    def __init__(self, quiet: bool = False) -> None:
        self._console = Console(stderr=True, highlight=False, quiet=quiet)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._shown = 0.0

    def __enter__(self) -> Display:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.stop()

    def see(self, event: Event) -> None:
        """Show an event."""
        if isinstance(event, Note):
            self._console.print(Text(f"note: {event.text}", style="dim"), soft_wrap=True)
        elif self._live.is_started and time.monotonic() - self._shown > 0.1:
            self._shown = time.monotonic()
            self._live.update(Text(progress_line(event)), refresh=True)

    def print(self, line: str) -> None:
        """Show a line that stays."""
        self._console.print(Text(line), soft_wrap=True)


def progress_line(progress: Progress) -> str:
    """Return one line: a bar of what is gone, size, runs, rate, time, and the pass at work."""
    gone = 1 - progress.after / max(progress.before, 1)
    bar = ("█" * round(gone * 20)).ljust(20, "░")
    rate = progress.runs / progress.seconds if progress.seconds else 0.0
    return (
        f"{bar} {progress.before:,} → {in_bytes(progress.after)}  {progress.runs} runs"
        f"  {rate:.0f}/s  {progress.seconds:.0f} s  {progress.phase}"
    )


def summary(name: str, before: str, result: Reduced) -> str:
    """Return the lines that say what came of a reduction."""
    reduction = result.reduction
    old, new = size(before), size(reduction.text)
    lines = [
        f"{name}: {old:,} → {in_bytes(new)}, {share(old - new, old)} smaller, in"
        f" {reduction.runs} runs and {result.seconds:.1f} s"
    ]
    if reduction.minimality is not None:
        lines.append(f"{reduction.minimality}: {MINIMALITY[reduction.minimality]}.")
    elif not reduction.finished:
        lines.append("It was stopped early: there may be a smaller one.")
    return "\n".join(lines)


def share(part: int, whole: int) -> str:
    """Return a share in percent, rounded down: what is not all is not 100 %."""
    return f"{math.floor(1000 * part / max(whole, 1)) / 10:.1f}%"


def other_failure(signature: str, smallest: str) -> str:
    """Return the line that tells of another failure, with its smallest input if that is short."""
    shown = f": {smallest!r}" if len(smallest) <= 60 else ""
    return f"also found: {signature}, with {in_bytes(size(smallest))}{shown}"
