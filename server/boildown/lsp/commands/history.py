"""The command `boildown.history`: lists the steps of a past reduction, or restores one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from lsprotocol import types

from boildown import history as records
from boildown.jobs import inert
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands.common import Answer, Refused, open_document
from boildown.lsp.documents import Document
from boildown.lsp.readers import optional, whole
from boildown.lsp.server import Server
from boildown.lsp.shown import edits
from boildown.targets import Target


@dataclass(frozen=True, slots=True)
class HistoryArgument(DocumentArgument):
    """The argument of `boildown.history`."""

    step: Annotated[int | None, optional(whole)] = None
    """The number of the step to restore, the original being 0; None: they are listed."""


async def history(server: Server, at: HistoryArgument) -> Answer:
    """List the steps that led to a text or away from it, or put one of them in its place."""
    document, target, record = await _find(server, at)
    if at.step is not None:
        if at.step >= len(record.steps):
            raise Refused(f"There are only {len(record.steps)} steps, from 0 on.")
        return await _restore(server, document, target, record.steps[at.step].text)
    steps: list[dict[str, Any]] = [
        {
            "run": each.run,
            "bytes": len(each.text.encode("utf-8", "surrogatepass")),
            "text": each.text,
            "isCurrent": records.normal(each.text) == records.normal(target.text),
        }
        for each in record.steps
    ]
    return {
        "state": "done",
        "command": record.command,
        "language": record.language,
        "steps": steps,
        "text": _listed(steps),
    }


_SHOWN = 60
"""Characters of a step's text in a line."""


def _listed(steps: Sequence[Mapping[str, Any]]) -> str:
    """Return the steps as lines: number, runs until then, bytes, and how the text begins."""
    rows = [("step", "run", "bytes", "text")]
    for number, each in enumerate(steps):
        shown = inert.short(inert.visible(each["text"]), _SHOWN)
        sign = " (this one)" if each["isCurrent"] else ""
        rows.append((str(number), f"{each['run']:,}", f"{each['bytes']:,}", f"{shown}{sign}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:3]
    return "\n".join(
        "  ".join((*(cell.rjust(width) for cell, width in zip(row, widths, strict=False)), row[3]))
        for row in rows
    )


async def _find(server: Server, at: DocumentArgument) -> tuple[Document, Target, records.Record]:
    """Return the record of the closest failing input that has one. Raises Refused."""
    document = open_document(server, at)
    found, _ = await server.targets(document, await server.settings(at.uri), at.range)
    for target in found:
        if at.input in (None, target.kind):
            record = await asyncio.to_thread(records.find, target.text)
            if record is not None:
                return document, target, record
    raise Refused("Nothing is known of how this text was reduced.")


async def _restore(server: Server, document: Document, target: Target, text: str) -> Answer:
    """Put a step in the place of the text that is there now."""
    done = await edits.put(server, document, target, text, "Boildown: restore")
    if not done:
        server.tell("The editor did not take the edit.", types.MessageType.Warning)
    return {"state": "done" if done else "failed", "text": text}


def original(text: str) -> records.Record | None:
    """Return the record of a text that is not the original of its reduction."""
    record = records.find(text)
    if record is None or records.normal(record.steps[0].text) == records.normal(text):
        return None
    return record


def title(record: records.Record) -> str:
    """Return the title of the action that takes a reduction back."""
    size = len(record.steps[0].text.encode("utf-8", "surrogatepass"))
    return f"Boildown: undo, with the original of {size:,} bytes"
