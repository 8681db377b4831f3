"""Boildown's own notifications to the client, with the keys of their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypedDict, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Notification(Generic[T]):
    """A notification: its method, and the type of its parameters."""

    method: str
    params: type[T]


class LineAndCharacter(TypedDict):
    """A position in a document, in the client's units."""

    line: int
    character: int


class FileSize(TypedDict):
    """A file of a folder."""

    path: str
    bytes: int


class ProgressParams(TypedDict):
    """How far a job is; `docs/protocol.md` has the meanings and units of the keys."""

    token: str
    uri: str
    doing: str
    phase: str
    step: str
    runs: int
    runsLeft: int | None
    outcomes: Mapping[str, int]
    percentage: int
    bytes: int
    bytesBefore: int
    seconds: float
    secondsLeft: float | None
    failures: tuple[str, str] | None
    text: str
    files: list[FileSize] | None


class PreviewParams(TypedDict):
    """The whole text of a document with a result in it."""

    uri: str
    version: int
    text: str
    message: str
    details: str
    choices: list[str]


class MessageParams(TypedDict):
    """A message about a document, with its choices."""

    uri: str
    type: int
    message: str
    details: str | None
    choices: list[str]
    needs: str | None


class ForgottenPatternParams(TypedDict):
    """A document whose pattern is forgotten."""

    uri: str
    pattern: Mapping[str, Any] | None


class PatternParams(ForgottenPatternParams, total=False):
    """The pattern of an input in a document; without it, the other keys are missing."""

    instances: list[str]
    start: LineAndCharacter
    end: LineAndCharacter


PROGRESS = Notification("boildown/progress", ProgressParams)
"""For clients that draw a job as it goes (option `liveProgress`)."""
PREVIEW = Notification("boildown/preview", PreviewParams)
"""For clients that compare and apply by themselves (option `diffPreview`)."""
MESSAGE = Notification("boildown/message", MessageParams)
"""For clients that draw buttons below messages (option `messageChoices`)."""
PATTERN = Notification("boildown/pattern", PatternParams)
"""For clients that draw patterns themselves (option `liveProgress`)."""
NOTIFICATIONS = (PROGRESS, PREVIEW, MESSAGE, PATTERN)
