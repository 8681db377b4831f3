"""What a hover says of a document that is or was reduced."""

from __future__ import annotations

from lsprotocol import types

from boildown.lsp import words
from boildown.lsp.documents import Document
from boildown.lsp.running import Job
from boildown.lsp.session import Result, Server
from boildown.targets import NAMES


def hover(server: Server, document: Document, position: types.Position) -> types.Hover | None:
    """Return the state of the job on a document, or else what the last one did."""
    offset = document.offset(position)
    job = server.jobs.get(document.uri)
    if job is not None:
        return _hover(server, _running(job))
    result = server.results.get(document.uri)
    if result is None:
        return None
    target, text = result.target, result.reduced.reduction.text
    if document.text == result.document.text:
        end = target.end
    elif document.text == result.after:
        end = target.start + len(target.written(text))
    else:
        return None
    return _hover(server, _ended(result)) if target.start <= offset <= end else None


def _running(job: Job) -> str:
    state = "is being cancelled" if job.stopped() else "is being reduced"
    line = f"**Boildown**: {NAMES[job.target.kind]} {state}: {words.progress(job.latest)}"
    return f"{line}\n\nTest command: `{job.target.shown}`"


def _ended(result: Result) -> str:
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
