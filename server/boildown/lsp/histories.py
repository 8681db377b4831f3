"""The command `boildown.history`: the steps of a past reduction, listed, looked at and restored."""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types

from boildown import history
from boildown.lsp import edits
from boildown.lsp.arguments import At
from boildown.lsp.documents import Document
from boildown.lsp.session import Server
from boildown.lsp.working import Refused, refused
from boildown.targets import Target


async def steps(server: Server, at: At, step: int | None) -> dict[str, Any]:
    """List the steps that led to a text or away from it, or put one of them in its place."""
    try:
        document, target, record = await _find(server, at)
        if step is not None and step >= len(record.steps):
            raise Refused(f"There are only {len(record.steps)} steps, from 0 on.")
    except Refused as why:
        return refused(server, why)
    if step is not None:
        return await _restore(server, document, target, record.steps[step].text)
    return {
        "state": "done",
        "command": record.command,
        "language": record.language,
        "steps": [
            {
                "run": each.run,
                "bytes": len(each.text.encode("utf-8", "surrogatepass")),
                "text": each.text,
                "isCurrent": history.normal(each.text) == history.normal(target.text),
            }
            for each in record.steps
        ],
    }


async def _find(server: Server, at: At) -> tuple[Document, Target, history.Record]:
    """Return the record of the closest failing input that has one. Raises Refused."""
    document = server.documents.get(at.uri)
    if document is None:
        raise Refused("The document is not open.")
    if at.version is not None and at.version != document.version:
        raise Refused(f"{document.name} has changed since this was offered. Ask again.")
    found, _ = await server.targets(document, await server.settings(at.uri), at.range)
    for target in found:
        if at.kind in (None, target.kind):
            record = await asyncio.to_thread(history.find, target.text)
            if record is not None:
                return document, target, record
    raise Refused("Nothing is known of how this text was reduced.")


async def _restore(server: Server, document: Document, target: Target, text: str) -> dict[str, Any]:
    """Put a step in the place of the text that is there now."""
    done = await edits.put(server, document, target, text, "Boildown: restore")
    if not done:
        server.tell("The editor did not take the edit.", types.MessageType.Warning)
    return {"state": "done" if done else "failed", "text": text}


def original(text: str) -> history.Record | None:
    """Return the record of a text that is not the original of its reduction."""
    record = history.find(text)
    if record is None or history.normal(record.steps[0].text) == history.normal(text):
        return None
    return record


def title(record: history.Record) -> str:
    """Return the title of the action that restores the original."""
    size = len(record.steps[0].text.encode("utf-8", "surrogatepass"))
    return f"Boildown: restore the original of {size:,} bytes"
