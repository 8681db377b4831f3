"""Warnings of the library."""

from __future__ import annotations

import sys
import warnings
from types import FrameType


class BoildownWarning(UserWarning):
    """A doubt about a predicate, and so about the result that rests on it.

    The result has the same sentence in its `notes`. `warnings.simplefilter("error",
    BoildownWarning)` makes it an exception.

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", BoildownWarning)
    ...     try:
    ...         reduction = reduce("some text", lambda text: True)
    ...     except BoildownWarning as doubt:
    ...         print(doubt)
    The test says that the empty text reproduces, too, as it may say of any text: ...
    """


def warn(sentence: str) -> None:
    """Warn at the line of the program that has called the library."""
    level = 1
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("boildown."):
        level, frame = level + 1, frame.f_back
    warnings.warn(sentence, BoildownWarning, stacklevel=level)
