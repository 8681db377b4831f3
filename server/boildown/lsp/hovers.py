"""What a hover says of a document that is or was reduced."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from boildown.lsp import patterns_shown, words
from boildown.lsp.documents import Document
from boildown.lsp.running import Job
from boildown.lsp.session import Result, Server
from boildown.targets import NAMES

_MOST = 20
"""How many tokens are listed with what happens without them."""


def hover(server: Server, document: Document, position: types.Position) -> types.Hover | None:
    """Return the state of the job on a document, or else what the last ones found."""
    offset = document.offset(position)
    job = server.jobs.get(document.uri)
    if job is not None:
        return _hover(server, _running(job))
    known = server.known.get(document.uri)
    if known is not None and known.start <= offset <= known.end:
        return _hover(server, patterns_shown.hover(known))
    parts = [*_explained(server, document, offset), *_ended(server, document, offset)]
    return _hover(server, "\n\n---\n\n".join(parts)) if parts else None


def _explained(server: Server, document: Document, offset: int) -> Iterator[str]:
    """Yield what is known of the token at an offset, while the document is unchanged."""
    known = server.explained.get(document.uri)
    if known is None or known.document.text != document.text:
        return
    target, explanation = known.target, known.explanation
    if not target.start <= offset <= target.end:
        return
    lines = [f"**Boildown**: {words.explanation(explanation)}"]
    is_spelled = document.text[target.start : target.end] == target.text
    for fate in explanation.fates:
        if is_spelled and fate.start <= offset - target.start < fate.end:
            lines.insert(0, f"Without `{fate.token}` it {words.fate(fate)}.")
    lines += [f"- without `{fate.token}`: {words.fate(fate)}" for fate in explanation.fates[:_MOST]]
    yield "\n".join([lines[0], "", *lines[1:]])


def _ended(server: Server, document: Document, offset: int) -> Iterator[str]:
    """Yield what the last job on a document did, while that is still to be seen."""
    result = server.results.get(document.uri)
    place = result.place(document) if result is not None else None
    if result is not None and place is not None and place[0] <= offset <= place[1]:
        yield _done(result)


def _running(job: Job) -> str:
    doing = "cancelling" if job.stopped() else job.doing
    line = f"**Boildown**: {doing} {NAMES[job.target.kind]}: {words.progress(job.latest)}"
    return f"{line}\n\nTest command: `{job.target.shown}`"


def _done(result: Result) -> str:
    from boildown import jobs

    reduced = result.reduced
    before, after = jobs.size(result.target.text), jobs.size(reduced.reduction.text)
    outcomes = ", ".join(
        f"{count:,} {outcome.value}" for outcome, count in reduced.reduction.outcomes.items()
    )
    return "\n\n".join(
        (
            f"**Boildown**: {words.result(reduced, before, after)}",
            f"Runs: {outcomes}. Language: {reduced.language}.",
            f"Test command: `{result.target.shown}`",
        )
    )


def _hover(server: Server, text: str) -> types.Hover:
    hovers = server.client_capabilities.text_document
    formats = hovers.hover.content_format if hovers and hovers.hover else None
    if formats and types.MarkupKind.Markdown not in formats:
        text = text.replace("**", "").replace("`", "")
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, text))
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))
