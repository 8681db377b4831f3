"""The terminal's display: a line of progress and notes while a job runs.

Everything goes to standard error, so that standard output holds nothing but results. The progress
line appears only on a terminal.
"""

from __future__ import annotations

import sys
import time
from json import dumps
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from boildown.cli.printing import bare
from boildown.cli.shared import put_json
from boildown.jobs import words
from boildown.jobs.advice import for_terminal
from boildown.jobs.events import Event, Note, Progress, code_of, coded, headed
from boildown.jobs.inert import terminal

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
                self.print(f"note: {for_terminal(event.text)}", style="dim")
        elif not isinstance(event, Progress):
            return
        elif self._live.is_started and time.monotonic() - self._shown > 0.1:
            self._shown = time.monotonic()
            line = _inert(progress_line(event))
            # A second line would stay on the screen.
            line.no_wrap, line.overflow = True, "ellipsis"
            self._live.update(line, refresh=True)

    def _stream(self, event: Event) -> None:
        """Put out a note, or progress that is some: another phase, or a smaller text."""
        if isinstance(event, Note):
            (note,) = coded([event.text], for_terminal)
            put_json({**headed("note"), **note})
        elif isinstance(event, Progress):
            told = {"phase": event.phase, "bytes": event.after}
            if told != self._streamed:
                self._streamed = told
                counts = {"runs": event.runs, "seconds": round(event.seconds, 3)}
                put_json({**headed("progress"), **told, **counts})

    def print(self, line: str, style: str = "") -> None:
        """Show a line that stays."""
        self._console.print(_inert(line, style), soft_wrap=True)


def _inert(line: str, style: str = "") -> Text:
    """Return a line for the console in which nothing steers the terminal."""
    return Text(terminal(line), style=style)


def progress_line(progress: Progress) -> str:
    """Return one line: a bar of the share that is gone, the time, and the words on the progress."""
    gone = 1 - progress.after / max(progress.before, 1)
    bar = ("█" * round(gone * 20)).ljust(20, "░")
    return f"{bar} {progress.seconds:.0f} s  {words.progress(progress)}"


def in_line(text: str) -> str:
    """Return a text as it can stand in a line, in quotes if it would not show as it is."""
    return text if text.isprintable() and text.strip() else dumps(text)
