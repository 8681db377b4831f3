"""Hovers: the state of the job on a document, an explanation, a pattern, or a result."""

from __future__ import annotations

from lsprotocol import types

from boildown.jobs import inert, words
from boildown.lsp.documents import Document
from boildown.lsp.job import Job
from boildown.lsp.server import Result, Server
from boildown.lsp.shown import patterns
from boildown.targets import NAMES

_MOST = 6
"""How many neighbours of a text are listed, the nearest first."""
_LONGEST = 400
"""Characters of a test command, or of an input, that are shown."""


def hover(server: Server, document: Document, position: types.Position) -> types.Hover | None:
    """Return the state of the job on a document, or else the findings of the last ones."""
    offset = document.offset(position)
    job = server.jobs.get(document.uri)
    if job is not None:
        return _hover(server, _running(job))
    for look in (_explained, _pattern, _ended):
        text = look(server, document, offset)
        if text is not None:
            return _hover(server, text)
    return None


def _pattern(server: Server, document: Document, offset: int) -> str | None:
    """Return the pattern of the input at an offset."""
    known = server.known.get(document.uri)
    if known is None or not known.start <= offset <= known.end:
        return None
    return patterns.hover(known)


def _explained(server: Server, document: Document, offset: int) -> str | None:
    """Return the explanation of the token at an offset, while the document is unchanged."""
    known = server.explained.get(document.uri)
    if known is None or known.document.text != document.text:
        return None
    target, found = known.target, known.explanation
    if not target.start <= offset <= target.end:
        return None
    near = list(found.neighbours)
    first = document.spelled(target.text, target.start, target.end)
    if first is not None:
        near = [each for each in near if each.start <= offset - first < each.end]
        near.sort(key=lambda each: each.end - each.start)
    lines = [f"- {words.neighbour(each)}" for each in near[:_MOST]]
    parts = [
        patterns.passes(found.closest_passing),
        f"**Boildown**: {words.explanation(found)}",
        "\n".join(lines),
    ]
    return "\n\n".join(filter(None, parts))


def _ended(server: Server, document: Document, offset: int) -> str | None:
    """Return the result of the last job on a document, while that is still to be seen."""
    result = server.results.get(document.uri)
    place = result.place(document) if result is not None else None
    if result is None or place is None or not place[0] <= offset <= place[1]:
        return None
    return _done(result)


def _running(job: Job) -> str:
    doing = "cancelling" if job.stopped() else job.doing
    line = f"**Boildown**: {doing} {NAMES[job.target.kind]}: {words.progress(job.latest)}"
    return f"{line}\n\nTest command: {inert.code(job.target.shown, _LONGEST)}"


def _done(result: Result) -> str:
    from boildown.jobs.events import size

    reduced, passing = result.reduced, result.reduced.reduction.passing
    outcomes = words.outcomes(reduced.reduction.outcomes)
    parts = (
        patterns.passes(None if passing is None else passing.text),
        f"**Boildown**: {words.claimed(reduced, size(result.target.text))}",
        words.failures(reduced, "\n\nReduced: ", words.code),
        f"Runs: {outcomes}. Language: {words.code(reduced.language)}.",
        f"Test command: {inert.code(result.target.shown, _LONGEST)}",
    )
    return "\n\n".join(filter(None, parts))


def _hover(server: Server, text: str) -> types.Hover:
    hovers = server.client_capabilities.text_document
    formats = hovers.hover.content_format if hovers and hovers.hover else None
    if formats and types.MarkupKind.Markdown not in formats:
        text = text.replace("**", "").replace("`", "")
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, text))
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))
