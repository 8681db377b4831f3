"""The refusal of a literal, which needs no parser."""

from __future__ import annotations


class Declined(Exception):  # noqa: N818 - says what is the case
    """A literal that can't be reduced; the message says why."""
