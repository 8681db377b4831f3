"""The command `boildown.tree`: the derivation tree of a failing input, as text and picture."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from boildown.lsp import sentences
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands import common
from boildown.lsp.commands.common import Answer, Refused
from boildown.lsp.known import Known
from boildown.lsp.server import Server
from boildown.targets import Target

if TYPE_CHECKING:
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
    from boildown.jobs.generalize import sketch
    from boildown.jobs.understand import LanguageError, understand, understood_pattern

    if known is not None:
        pattern = known.found.pattern
        holes = {
            hole.path: f"may be something else: {text}: {sentences.evidence(hole.evidence)}"
            for hole, text in zip(pattern.holes, sketch(pattern).holes, strict=True)
            if hole.items is None
        }
        return _drawn(understood_pattern(known.found), holes)
    try:
        seen = understand(target.text, target.name, target.language, target.language_id)
    except LanguageError as error:
        raise Refused(str(error)) from None
    return _drawn(seen, None)


def _drawn(seen: Understood, holes: dict[tuple[int, ...], str] | None) -> Answer:
    lines = seen.picture("text").splitlines(keepends=True)
    rest = f"… and {len(lines) - LARGEST:,} more\n" if len(lines) > LARGEST else ""
    return {
        "state": "done",
        "language": seen.language,
        "input": seen.text,
        "text": "".join(lines[:LARGEST]) + rest,
        "svg": None if seen.is_larger(LARGEST) else seen.picture("svg", holes),
    }
