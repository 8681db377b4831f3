"""The command `boildown.tree`: how a failing input is seen, as text and as a picture."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING, Any

from boildown.lsp import words, working
from boildown.lsp.arguments import At
from boildown.lsp.known import Known
from boildown.lsp.session import Server
from boildown.lsp.working import Refused, refused
from boildown.targets import Target

if TYPE_CHECKING:
    from boildown.tree import Tree

LARGEST = 5_000
"""Nodes and tokens of a tree that is drawn; of a larger one there is only the beginning as text."""


async def tree(server: Server, at: At) -> dict[str, Any]:
    """Return the tree of a failing input; where its pattern is known, with the holes."""
    try:
        document, _, target = await working.find(server, at)
        known = server.known.get(document.uri)
        if known is not None and (known.start, known.end) != (target.start, target.end):
            known = None
        return await asyncio.to_thread(_tree, target, known)
    except Refused as why:
        return refused(server, why)
    finally:
        server.tidy()


def _tree(target: Target, known: Known | None) -> dict[str, Any]:
    """Return the tree of an input, or of the text of its pattern. Raises Refused."""
    from boildown.languages import LanguageError, load_language

    if known is not None:
        form = known.found.pattern.form
        holes = {
            hole.path: f"can be any {hole}: {words.evidence(hole.evidence)}"
            for hole in known.found.pattern.holes
            if hole.items is None
        }
        return _drawn(known.found.language, form.text, form.tree, holes)
    try:
        name = working.language_name(target)
        parsed = load_language(name).parse(target.text)
    except LanguageError as error:
        raise Refused(str(error)) from None
    return _drawn(name, target.text, parsed.tree, None)


def _drawn(
    language: str, input_text: str, top: Tree, holes: dict[tuple[int, ...], str] | None
) -> dict[str, Any]:
    from boildown.languages.picture import as_svg, as_text
    from boildown.tree import places

    is_small = next(islice(places(top), LARGEST, None), None) is None
    lines = as_text(top).splitlines(keepends=True)
    rest = f"… and {len(lines) - LARGEST:,} more\n" if len(lines) > LARGEST else ""
    return {
        "state": "done",
        "language": language,
        "input": input_text,
        "text": "".join(lines[:LARGEST]) + rest,
        "svg": as_svg(top, holes) if is_small else None,
    }
