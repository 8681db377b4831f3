"""The terminal's display: a line of progress while a job runs, a summary when it has ended.

Everything goes to standard error, so that standard output holds nothing but results. The progress
line appears only on a terminal.
"""

from __future__ import annotations

import math
import sys
import time
from json import dumps
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from boildown.cli.advice import worded
from boildown.cli.printing import bare
from boildown.cli.shared import put_out
from boildown.jobs.events import (
    Event,
    Note,
    Progress,
    claimed,
    closest_passing,
    code_of,
    coded,
    doubts,
    headed,
    in_bytes,
    not_swept,
    reliably,
    size,
)
from boildown.jobs.inert import terminal
from boildown.jobs.reduce import Reduced

ON_TIME = ("time", "cold-runs")
"""The codes of notes that are shown to those alone who ask for more."""


class Display:
    """Shows the events of one job; a context manager."""

    def __init__(self, json: str | None = None, verbose: bool = False) -> None:
        # Its own sequences are not to be escaped.
        stream = bare(sys.stderr)
        quiet = json is not None
        self._console = Console(file=stream, stderr=True, highlight=False, quiet=quiet)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._shown = 0.0
        self._streams, self._verbose = json == "lines", verbose
        self._streamed: dict[str, Any] = {}

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
        if self._streams:
            self._stream(event)
        elif isinstance(event, Note):
            if self._verbose or code_of(event.text) not in ON_TIME:
                self.print(f"note: {worded(event.text)}", style="dim")
        elif not isinstance(event, Progress):
            return
        elif self._live.is_started and time.monotonic() - self._shown > 0.1:
            self._shown = time.monotonic()
            self._live.update(_inert(progress_line(event)), refresh=True)

    def _stream(self, event: Event) -> None:
        """Put out a note, or progress that is some: another phase, or a smaller text."""
        if isinstance(event, Note):
            (note,) = coded([event.text], worded)
            put_out(dumps({**headed("note"), **note}) + "\n")
        elif isinstance(event, Progress):
            told = {"phase": event.phase, "bytes": event.after}
            if told != self._streamed:
                self._streamed = told
                counts = {"runs": event.runs, "seconds": round(event.seconds, 3)}
                put_out(dumps({**headed("progress"), **told, **counts}) + "\n")

    def print(self, line: str, style: str = "") -> None:
        """Show a line that stays."""
        self._console.print(_inert(line, style), soft_wrap=True)


def _inert(line: str, style: str = "") -> Text:
    """Return a line for the console in which nothing steers the terminal."""
    return Text(terminal(line), style=style)


def progress_line(progress: Progress) -> str:
    """Return one line: a bar of the share that is gone, size, runs, rate, time, and the pass."""
    gone = 1 - progress.after / max(progress.before, 1)
    bar = ("█" * round(gone * 20)).ljust(20, "░")
    rate = progress.runs / progress.seconds if progress.seconds else 0.0
    return (
        f"{bar} {progress.before:,} → {in_bytes(progress.after)}  {progress.runs} runs"
        f"  {rate:.0f}/s  {progress.seconds:.0f} s  {progress.phase}"
    )


def summary(name: str, before: str, result: Reduced) -> str:
    """Return a summary of a reduction: sizes, runs, seconds, its certificate, and both failures.

    Below the failures stands the closest input that passes.

    Sizes are those of the text that the certificate is about.
    """
    reduction, certificate = result.reduction, result.reduction.certificate
    old, new = size(before), size(reduction.text)
    laid_out = "" if result.layout is None else f" ({size(result.layout):,} with its layout)"
    number = reduction.candidates
    noun = "candidate" if number == 1 else "candidates"
    candidates = f" ({number} {noun})" if 0 < number != result.runs else ""
    lines = [
        f"{name}: {old:,} → {in_bytes(new)}{laid_out}, {share(old - new, old)} smaller, in"
        f" {result.runs} runs{candidates} and {result.seconds:.1f} s"
    ]
    if certificate is not None:
        claim = f"{certificate.unit.minimality}: {claimed(certificate)}"
        lines.append("; ".join((claim, *doubts(certificate))) + ".")
        lines += [
            f"No single {part} was left out by itself: it has more than {longest:,} characters. To"
            f' try that, reduce the result with passes = ["{part}s"] in boildown.toml.'
            for part, longest in not_swept(certificate)
        ]
    elif result.stopped is not None:
        lines.append("It was stopped early: there may be a smaller one.")
    if reduction.reliability is not None:
        lines[-1] += f" {reliably(reduction.reliability)}"
    if not reduction.finished and reduction.slope is not None:
        runs, brought = reduction.slope
        lines.append(f"The last {runs} runs brought {brought or 'no'} characters.")
    if result.failures is not None:
        original, reduced = result.failures
        lines += [f"  original: {original}", f"  reduced:  {reduced}"]
    lines += map(worded, result.doubts)
    if reduction.passing is not None:
        told, close = closest_passing(reduction.passing, reduction.text)
        lines.append(f"  passes:   {told}, {close}")
    return "\n".join(lines)


def in_line(text: str) -> str:
    """Return a text as it can stand in a line, in quotes if it would not show as it is."""
    return text if text.isprintable() and text.strip() else dumps(text)


def share(part: int, whole: int) -> str:
    """Return a share in percent, rounded down, so that less than all is never 100 %."""
    return f"{math.floor(1000 * part / max(whole, 1)) / 10:.1f}%"


def other_failure(signature: str, smallest: str) -> str:
    """Return the line that tells of another failure, with its smallest input if that is short."""
    shown = f": {smallest!r}" if len(smallest) <= 60 else ""
    return f"also found: {signature}, with {in_bytes(size(smallest))}{shown}"
