"""The command `boildown.tree`: the derivation tree of a failing input, as text and as rows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from boildown.jobs import words
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands import common
from boildown.lsp.commands.common import Answer, Refused
from boildown.lsp.known import Known
from boildown.lsp.server import Server
from boildown.targets import Target

if TYPE_CHECKING:
    from boildown.jobs.generalize import Hole
    from boildown.jobs.understand import Understood

LARGEST = 5_000
"""Nodes and tokens of a tree that is drawn; of a larger one there is only the beginning as text."""


async def tree(server: Server, at: DocumentArgument) -> Answer:
    """Answer with the tree of a failing input; where its pattern is known, with the holes."""
    try:
        document, _, target = await common.find(server, at)
        known = server.known.get(document.uri)
        if known is not None and (known.start, known.end) != (target.start, target.end):
            known = None
        return await asyncio.to_thread(_tree, target, known)
    finally:
        server.tidy()


def _tree(target: Target, known: Known | None) -> Answer:
    """Return the tree of an input, or of the text of its pattern. Raises Refused."""
    from boildown.jobs.understand import LanguageError, understand, understood_pattern

    if known is not None:
        return _drawn(understood_pattern(known.found), known)
    try:
        seen = understand(target.text, target.name, target.language, target.language_id)
    except LanguageError as error:
        raise Refused(str(error)) from None
    return _drawn(seen, None)


def _drawn(seen: Understood, known: Known | None) -> Answer:
    lines = seen.picture("text").splitlines(keepends=True)
    rest = f"… and {len(lines) - LARGEST:,} more\n" if len(lines) > LARGEST else ""
    told: dict[int, str] = {}
    holes: dict[tuple[int, ...], int] = {}
    gaps: dict[tuple[int, ...], tuple[int, ...]] = {}
    for hole, text, number in [] if known is None else _numbered(known):
        told.setdefault(number, f"{text}: {words.evidence(hole.evidence)}")
        if hole.items is None:
            holes[hole.path] = number
        else:
            gaps[hole.path] = (*gaps.get(hole.path, ()), number)
    rows = None if seen.is_larger(LARGEST) else [asdict(row) for row in seen.rows(holes, gaps)]
    return {
        "state": "done",
        "language": seen.language,
        "input": seen.text,
        "text": "".join(lines[:LARGEST]) + rest,
        "rows": rows,
        "holes": list(told.values()),
    }


def _numbered(known: Known) -> Iterator[tuple[Hole, str, int]]:
    """Yield the holes of a pattern, as they are and sketched, with their numbers."""
    # Imported here: the server starts without jobs.
    from boildown.jobs.generalize import sketch

    pattern = known.found.pattern
    yield from zip(pattern.holes, sketch(pattern).holes, known.numbers, strict=True)
