"""The fate of a result: the commands `boildown.apply`, `boildown.undo`, `boildown.discard`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from boildown.lsp import lenses
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands.common import Answer, Refused, open_document
from boildown.lsp.commands.history import HistoryArgument, history
from boildown.lsp.server import Result, Server
from boildown.lsp.shown import results


async def apply(server: Server, at: DocumentArgument) -> Answer:
    """Put the last result for a document into it. Raises Refused."""
    return await _do(server, at, results.apply)


async def undo(server: Server, at: DocumentArgument) -> Answer:
    """Put the original back in the place of a result, the last one or another. Raises Refused."""
    result, document = server.results.get(at.uri), open_document(server, at)
    if result is not None and result.stands_in(document):
        return await _do(server, at, results.take_back)
    return await history(server, HistoryArgument(at.uri, at.version, at.range, step=0))


async def discard(server: Server, at: DocumentArgument) -> Answer:
    """Offer the last result for a document no more. Raises Refused."""
    _result(server, at)
    del server.results[at.uri]
    lenses.refresh(server)
    return {"state": "done"}


def _result(server: Server, at: DocumentArgument) -> Result:
    result = server.results.get(at.uri)
    if result is None:
        raise Refused("There is no result for this document.")
    return result


async def _do(
    server: Server, at: DocumentArgument, do: Callable[[Server, Result], Awaitable[str]]
) -> Answer:
    if why := await do(server, _result(server, at)):
        raise Refused(why)
    lenses.refresh(server)
    return {"state": "done"}
