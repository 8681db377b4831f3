"""Ctrl-C during a job of the library: an exception that carries the best so far."""

from __future__ import annotations

from typing import Any

from boildown.engine.patterns.pattern import Pattern
from boildown.engine.reducing.reduce import Reduction


class Interrupted(KeyboardInterrupt):
    """The end of a job by Ctrl-C, or by a `KeyboardInterrupt` of the test: it carries the best.

    It is a `KeyboardInterrupt`, so who does not ask for it sees no difference. The next call of the
    library begins anew; with a test command, it goes on from the outcomes that are known. Before
    the original has reproduced nothing is known, and a `KeyboardInterrupt` stays what it is.

    >>> def test(text):
    ...     if 0 < len(text) < 5:
    ...         raise KeyboardInterrupt
    ...     return "x" in text
    >>> try:
    ...     reduce("f(g(x), y, z)", test)
    ... except Interrupted as interrupted:
    ...     interrupted.reduction.finished, "x" in interrupted.reduction.text
    (False, True)
    """

    reduction: Reduction[Any] | None
    """The smallest text so far, where a text or a file was being reduced; else None."""
    pattern: Pattern | None
    """The pattern as far as it is known, where a text was being generalized; else None."""

    def __init__(
        self, reduction: Reduction[Any] | None = None, pattern: Pattern | None = None
    ) -> None:
        super().__init__()
        self.reduction = reduction
        self.pattern = pattern
