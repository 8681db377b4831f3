"""Patterns in a document: a hover, faded text (diagnostics) and inlay hints at the holes.

Other files that fail alike are marked by diagnostics, too, until the pattern is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from boildown.jobs import inert, words
from boildown.jobs.advice import for_editor
from boildown.jobs.events import runs
from boildown.lsp.documents import Document
from boildown.lsp.known import Known
from boildown.lsp.notifications import PATTERN, LineAndCharacter, PatternParams
from boildown.lsp.server import Server, diagnostic

if TYPE_CHECKING:
    from boildown.jobs.generalize import Hole

_LONGEST = 400
"""Characters of a text in a hover."""
_MOST_HOLES = 50
"""Holes in the table of a hover. VS Code cuts a very long one, which would break its markup."""


def follow(server: Server, before: Document, after: Document) -> None:
    """Keep the pattern of a document where its input is, or forget it if that has changed."""
    known = server.known.get(after.uri)
    if known is None:
        return
    moved = known.moved(before, after)
    if moved is None:
        del server.known[after.uri]
    else:
        server.known[after.uri] = moved


def forget(server: Server, uri: str) -> None:
    """Forget the pattern of a document."""
    if server.known.pop(uri, None) is not None:
        _show(server, uri, [], None)


def refresh(server: Server, document: Document) -> None:
    """Show or hide a document's pattern, if the client does not show it so already."""
    known = server.known.get(document.uri)
    if server.shown.get(document.uri) is not known:
        faded = [] if known is None else list(_faded(document, known))
        _show(server, document.uri, faded, None if known is None else _pattern(document, known))


def mark(server: Server, uri: str, others: Sequence[str], diagnostic: types.Diagnostic) -> None:
    """Mark other files as failing like a document, in place of those that were."""
    _unmark(server, uri)
    server.marked[uri] = tuple(others)
    for other in others:
        server.publish(other, _like(uri), [diagnostic])


def _unmark(server: Server, uri: str) -> None:
    for other in server.marked.pop(uri, ()):
        server.publish(other, _like(uri), [])


def _like(uri: str) -> str:
    """Return the sort of the diagnostics on files that fail like a document."""
    return f"like {uri}"


def _show(
    server: Server, uri: str, faded: list[types.Diagnostic], params: PatternParams | None
) -> None:
    known = server.known.get(uri)
    if known is None:
        server.shown.pop(uri, None)
        _unmark(server, uri)
    else:
        server.shown[uri] = known
    server.publish(uri, "pattern", faded)
    server.refresh_hints()
    if server.options.live_progress:
        server.send(PATTERN, params or {"uri": uri, "pattern": None})


def _pattern(document: Document, known: Known) -> PatternParams:
    from boildown.jobs.stored import dump as dump_pattern

    return {
        "uri": document.uri,
        "pattern": dump_pattern(known.found, for_editor),
        "instances": list(known.instances),
        "start": _plain(document.position(known.start)),
        "end": _plain(document.position(known.end)),
    }


def _plain(position: types.Position) -> LineAndCharacter:
    return {"line": position.line, "character": position.character}


def _faded(document: Document, known: Known) -> Iterator[types.Diagnostic]:
    """Yield a diagnostic for each part of an input that may be something else."""
    for _, text, start, end in _places(document, known):
        if start < end:
            told, hint = f"may be something else: {text}", types.DiagnosticSeverity.Hint
            faded = diagnostic(document.range(start, end), told, hint)
            faded.tags = [types.DiagnosticTag.Unnecessary]
            yield faded


def hints(server: Server, document: Document, extent: types.Range) -> list[types.InlayHint]:
    """Return a hint with its name at each hole in a range."""
    known = server.known.get(document.uri)
    if known is None:
        return []
    first, last = document.span(extent)
    return [
        types.InlayHint(
            document.position(start),
            inert.visible(f"{text}:" if start < end else text),
            tooltip=words.evidence(hole.evidence),
            padding_right=start < end,
        )
        for hole, text, start, end in _places(document, known)
        if first <= start <= last
    ]


def _places(document: Document, known: Known) -> Iterator[tuple[Hole, str, int, int]]:
    """Yield the holes, as they are and sketched, with their offsets in the document.

    None where it does not hold the pattern's text.
    """
    from boildown.jobs.generalize import sketch

    at = known.at(document)
    if at is not None:
        pattern = known.found.pattern
        for hole, text in zip(pattern.holes, sketch(pattern).holes, strict=True):
            yield hole, text, at + hole.start, at + hole.end


def passes(text: str | None) -> str:
    """Return the line on the closest text that passes, if one is known."""
    return "" if text is None else f"This passes: {inert.code(text, _LONGEST)}"


def hover(known: Known) -> str:
    """Return the law and the pattern of a failing input with their evidence, in Markdown."""
    found = known.found
    pattern = found.pattern
    sampler = inert.code(pattern.sampler)
    law = pattern.law
    # Imported here: where no pattern is known, no job was loaded yet.
    from boildown.jobs.card import needs
    from boildown.jobs.generalize import sketch

    sketched = sketch(pattern)
    parts = [passes(found.passing.text)] if found.passing is not None else []
    if needed := needs(found, words.code):
        parts.append(inert.items(needed))
    if law is not None:
        parts += [
            "**Boildown**: it fails if",
            _block(str(law)),
            inert.items(words.law(law, words.code)),
        ]
    elif not pattern.is_general:
        parts.append(f"**Boildown**: {words.pattern(found)}")
    if pattern.is_general:
        parts.append("**Boildown**: it fails for" if law is None else "and for")
        parts.append(_block(str(sketched)))
        if pattern.holes:
            parts.append("\n".join(_rows(known, sketched.holes)))
        if len(pattern.holes) > _MOST_HOLES:
            parts.append(f"{len(pattern.holes) - _MOST_HOLES} more holes are not listed here.")
        if pattern.anywhere:
            parts.append(f"As a part of other inputs: {words.evidence(pattern.joint)}.")
        elif len(pattern.holes) > 1:
            parts.append(f"All holes filled at once: {words.evidence(pattern.joint)}.")
    if pattern.recall is not None:
        told = words.recall(pattern.recall, words.code)
        parts.append(f"{told[0].upper()}{told[1:]}.")
    if known.instances:
        parts += ["For example", _listed(known.instances)]
    took = f"{runs(pattern.runs)}, {known.when}"
    if known.is_reduced:
        parts.append(f"Measured on this text ({took}), with {sampler}.")
    else:
        parts += [f"Measured with {sampler} ({took}), on", _block(pattern.text)]
    return "\n\n".join(parts)


def _rows(known: Known, sketched: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a table of the holes, each as it is sketched."""
    yield inert.row(("now", "may stand", "random ones", "the nearest input that passes"))
    yield "|---|---|---|---|"
    pattern = known.found.pattern
    for hole, text in list(zip(pattern.holes, sketched, strict=True))[:_MOST_HOLES]:
        now = words.code(pattern.text[hole.start : hole.end]) or "nothing"
        nearest = words.code(hole.counterexample or "")
        evidence = words.evidence(hole.evidence)
        yield inert.row((now, words.code(text), evidence, nearest))


def _listed(texts: Sequence[str]) -> str:
    """Return texts as one block where each is a line, else as a block each."""
    if any("\n" in text or "\r" in text for text in texts):
        return "\n\n".join(map(_block, texts))
    return _block("\n".join(text[:_LONGEST] for text in texts))


def _block(text: str) -> str:
    """Return a text as a block of code, cut where it is very long."""
    return inert.block(text, longest=3 * _LONGEST)
