"""The file with the best text of a job, as the server remembers it; `shown.live` writes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from boildown.history import normal
from boildown.lsp.job import Job
from boildown.lsp.uris import uri_of


@dataclass(eq=False)
class LiveDocument:
    """The file with the best text of a job."""

    job: Job
    path: Path
    shown: str = ""
    """The text that the file got last."""
    ended: bool = False
    """Whether the job has ended, so that nothing is tried any more."""
    _own: set[int] = field(default_factory=set)
    """The hashes of the texts that came from the job, or were taken by it."""

    @property
    def uri(self) -> str:
        """The URI of the file."""
        return uri_of(self.path)

    def owns(self, text: str) -> bool:
        """Say whether a text is none of the user's that is still to be tried or was refused."""
        return hash(normal(text)) in self._own

    def take(self, text: str) -> None:
        """Count a text among those of the job."""
        self._own.add(hash(normal(text)))
