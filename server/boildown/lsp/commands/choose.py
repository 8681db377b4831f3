"""The command `boildown.choose`: takes a choice that a message has offered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from boildown.lsp.arguments import DocumentArgument, text
from boildown.lsp.commands.common import Answer, Refused
from boildown.lsp.readers import optional
from boildown.lsp.server import Server


@dataclass(frozen=True, slots=True)
class ChooseArgument(DocumentArgument):
    """The argument of `boildown.choose`."""

    choice: Annotated[str | None, optional(text)] = None
    """One of the choices of the last message about the document."""


async def choose(server: Server, at: ChooseArgument) -> Answer:
    """Take a choice of the last message about a document, once. Raises Refused."""
    choice = server.choices.get(at.uri, {}).get(at.choice or "")
    if choice is None:
        raise Refused("This was offered too long ago.")
    del server.choices[at.uri]
    if why := await choice():
        raise Refused(why)
    return {"state": "done"}
