"""Edits by which a user takes part in a reduction that is under way."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UserEdit:
    """A text that the user hands in while a reduction goes on: a candidate, or a part to keep."""

    text: str
    kept: bool = False
    """Whether it is a part, which every candidate must hold from then on."""
