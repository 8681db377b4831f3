"""The limits of a job: seconds, runs, and a stop that somebody asks for."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from boildown.engine.oracle import Stop


@dataclass(slots=True)
class JobLimits:
    """The limits at which a job ends with the best so far; None is no limit."""

    seconds: float | None = None
    runs: int | None = None
    stopped: Callable[[], bool] = lambda: False
    """Says whether somebody has asked it to stop."""
    began: float = field(default_factory=lambda: time.monotonic())
    """The beginning of the seconds, by the monotonic clock."""

    def over(self) -> bool:
        """Say whether the job is to end; the runs are counted elsewhere."""
        late = self.seconds is not None and time.monotonic() - self.began >= self.seconds
        return late or self.stopped()

    def check(self) -> None:
        """Raise Stop if the job is to end."""
        if self.over():
            raise Stop("the job is to end")

    def reached(self, runs: int) -> str:
        """Return why a job ended early: "user", "seconds", "runs", or "limit" for all others."""
        if self.stopped():
            return "user"
        if self.over():
            return "seconds"
        return "limit" if self.runs is None or runs < self.runs else "runs"
