"""Messages about a document with choices, such as Undo, for clients that draw them themselves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from lsprotocol import types

from boildown.jobs import inert, words
from boildown.lsp.notifications import MESSAGE, MessageParams
from boildown.lsp.server import LONGEST_TOLD, Server

GO_ON = "Continue"
UNDO = "Undo"

_LEAST_BRIEF = 60
"""Characters of the answer that are shown, however much stands beside it."""

Choice = Callable[[], Awaitable[str]]
"""Does what the user has chosen; returns the reason if it can't, else nothing."""


@dataclass(frozen=True, slots=True)
class Told:
    """A message to the user about a document."""

    uri: str
    whole: str
    """All that there is to say."""
    brief: str = ""
    """The answer in a line, for a client that has a place for the rest; empty: `whole`."""
    also: str = ""
    """The sentences after that line, which is shortened to leave room for them."""
    kind: types.MessageType = types.MessageType.Info
    choices: Mapping[str, Choice] = field(default_factory=dict)
    """What can be done now, by the titles of buttons."""
    needs: str | None = None
    """The thing that is missing and that the client can ask the user for."""

    def and_also(self, more: str) -> Told:
        """Return it with one more sentence."""
        return replace(self, whole=f"{self.whole} {more}", also=f"{self.also} {more}".lstrip())

    def in_short(self, most: int = words.SHORT) -> str:
        """Return it as it fits into a notification of so many characters."""
        if not self.brief:
            return words.short(self.whole, most)
        if not self.also:
            return words.short(self.brief, most)
        also = words.fitting(self.also, most - _LEAST_BRIEF - len(". "))
        return f"{words.short(self.brief, most - len(also) - len('. '))}. {also}"


def tell(server: Server, told: Told) -> None:
    """Show a message, with its choices where the client draws them."""
    if not server.options.message_choices:
        server.tell(told.whole, told.kind, told.in_short(LONGEST_TOLD) if told.brief else "")
        return
    server.choices[told.uri] = told.choices
    shown = told.in_short()
    params: MessageParams = {
        "uri": told.uri,
        "type": told.kind.value,
        "message": inert.message(shown),
        "details": told.whole if shown != told.whole else None,
        "choices": list(told.choices),
        "needs": told.needs,
    }
    server.send(MESSAGE, params)
