"""Limits of a job: checks that runs and seconds are no nonsense, before anything is run."""

from __future__ import annotations


def check_limits(**limits: float | None) -> None:
    """Refuse limits that are below zero or no number. Raises ValueError."""
    for name, limit in limits.items():
        if limit is not None and not limit >= 0:
            raise ValueError(f"{name} must be zero or more, or None for no limit, not {limit!r}.")
