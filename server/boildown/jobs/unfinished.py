"""Jobs that were cut short: the same command again goes on, and their best texts lie in files."""

from __future__ import annotations

from boildown.runner.resuming.cache import Store, Unfinished

__all__ = ["Unfinished", "unfinished"]


def unfinished() -> tuple[list[Unfinished], str | None]:
    """Return the jobs on record, the latest one last, and a sentence if it can't be read."""
    with Store() as store:
        found = store.unfinished()
        return found, store.problem
