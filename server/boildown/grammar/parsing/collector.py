"""Pauses the cyclic garbage collector while trees are built: many objects, no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector, which would look at every new node again and again."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        # Freezing and thawing makes all objects old ones at no cost: else the collector would look
        # at the whole new tree at once, and every thread would wait for it.
        gc.freeze()
        gc.unfreeze()
        gc.enable()
