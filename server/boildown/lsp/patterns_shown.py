"""How a pattern is shown: in a hover, by fading what does not matter, by hints at the holes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from boildown.lsp import words
from boildown.lsp.documents import Document
from boildown.lsp.known import Known
from boildown.lsp.session import Server

if TYPE_CHECKING:
    from boildown.engine.hole import Hole

PATTERN = "boildown/pattern"
"""The notification for clients that draw patterns themselves (option `liveProgress`)."""
_LONGEST = 400
"""Characters of a text in a hover."""


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
    """Show or hide what a document's pattern says of its parts, if that is news."""
    known = server.known.get(document.uri)
    if server.shown.get(document.uri) is not known:
        faded = [] if known is None else list(_faded(document, known))
        _show(server, document.uri, faded, None if known is None else _pattern(document, known))


def _show(
    server: Server, uri: str, faded: list[types.Diagnostic], params: dict[str, object] | None
) -> None:
    known = server.known.get(uri)
    if known is None:
        server.shown.pop(uri, None)
    else:
        server.shown[uri] = known
    server.publish(uri, "pattern", faded)
    if server.can("workspace", "inlay_hint", "refresh_support"):
        server.workspace_inlay_hint_refresh(None)
    if server.options.get("liveProgress") is True:
        server.protocol.notify(PATTERN, params or {"uri": uri, "pattern": None})


def _pattern(document: Document, known: Known) -> dict[str, object]:
    from boildown import patterns

    return {
        "uri": document.uri,
        "pattern": patterns.dump(known.found),
        "instances": list(known.instances),
        "start": _plain(document.position(known.start)),
        "end": _plain(document.position(known.end)),
    }


def _plain(position: types.Position) -> dict[str, int]:
    return {"line": position.line, "character": position.character}


def _faded(document: Document, known: Known) -> Iterator[types.Diagnostic]:
    """Yield a diagnostic for each part of an input that may be something else."""
    for hole, start, end in _places(document, known):
        if start < end:
            yield types.Diagnostic(
                document.range(start, end),
                f"can be any {hole}",
                severity=types.DiagnosticSeverity.Hint,
                source="boildown",
                tags=[types.DiagnosticTag.Unnecessary],
            )


def hints(server: Server, document: Document, extent: types.Range) -> list[types.InlayHint]:
    """Return a hint with its name at each hole in a range."""
    known = server.known.get(document.uri)
    if known is None:
        return []
    first, last = document.span(extent)
    return [
        types.InlayHint(
            document.position(start),
            f"{hole}:" if start < end else hole.wrapped(str(hole)),
            tooltip=words.evidence(hole.evidence),
            padding_right=start < end,
        )
        for hole, start, end in _places(document, known)
        if first <= start <= last
    ]


def _places(document: Document, known: Known) -> Iterator[tuple[Hole, int, int]]:
    """Yield the holes with their offsets in the document, where it holds the pattern's text."""
    at = known.at(document)
    if at is not None:
        for hole in known.found.pattern.holes:
            yield hole, at + hole.start, at + hole.end


def hover(known: Known) -> str:
    """Return what is known of a failing input, in Markdown."""
    found = known.found
    pattern = found.pattern
    if not pattern.holes:
        parts = [f"**Boildown**: {words.pattern(found)}"]
    else:
        parts = ["**Boildown**: it fails for", _code(str(pattern)), "\n".join(_rows(known))]
        if len(pattern.holes) > 1:
            parts.append(f"All holes filled at once: {words.evidence(pattern.joint)}.")
    if known.instances:
        parts += ["For example", _listed(known.instances)]
    runs = f"{words.runs(pattern.runs)}, {known.when}"
    if known.is_reduced:
        parts.append(f"Measured on this text ({runs}), with {pattern.sampler}.")
    else:
        parts += [f"Measured with {pattern.sampler} ({runs}), on", _code(pattern.text)]
    return "\n\n".join(parts)


def _rows(known: Known) -> Iterator[str]:
    """Yield the lines of a table of the holes."""
    yield "| now | may stand any | random ones | the nearest input that passes |"
    yield "|---|---|---|---|"
    pattern = known.found.pattern
    for hole in pattern.holes:
        now = words.code(pattern.text[hole.start : hole.end]) or "nothing"
        nearest = words.code(hole.counterexample or "")
        evidence = words.evidence(hole.evidence)
        shown = words.code(hole.wrapped(str(hole)))
        yield f"| {now} | {shown} | {evidence} | {nearest} |"


def _listed(texts: Sequence[str]) -> str:
    """Return texts as one block where each is a line, else as a block each."""
    if any("\n" in text or "\r" in text for text in texts):
        return "\n\n".join(map(_code, texts))
    return _code("\n".join(text[:_LONGEST] for text in texts))


def _code(text: str) -> str:
    """Return a text as a block of code, cut where it is very long."""
    if len(text) > 3 * _LONGEST:
        text = text[: 3 * _LONGEST] + "…"
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"
