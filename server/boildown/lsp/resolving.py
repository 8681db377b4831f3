"""Code actions whose edit is sent when the user chooses one (`codeAction/resolve`)."""

from __future__ import annotations

import attrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from boildown.lsp import actions, arguments
from boildown.lsp.commands.common import Refused, open_document
from boildown.lsp.documents import Document
from boildown.lsp.server import Server


def deferred(
    server: Server, action: types.CodeAction, document: Document, extent: types.Range
) -> types.CodeAction:
    """Return a code action without its edit, if the client can ask for that later.

    An editor asks for actions at each move of the cursor, and an edit may hold a whole input.
    """
    support = server.client_capabilities.text_document
    code_action = support.code_action if support is not None else None
    resolve = code_action.resolve_support if code_action is not None else None
    can_wait = resolve is not None and "edit" in resolve.properties
    if action.edit is None or not can_wait or not (code_action and code_action.data_support):
        return action
    place = {
        "uri": document.uri,
        "version": document.version,
        "range": arguments.plain(extent),
    }
    return attrs.evolve(action, edit=None, data=place)


async def resolved(server: Server, action: types.CodeAction) -> types.CodeAction:
    """Return a deferred code action with its edit; any other one as it is.

    Raises JsonRpcException if the document has changed since, or the action is not offered there.
    """
    if action.data is None:
        return action
    at = arguments.read(arguments.DocumentArgument, "codeAction/resolve", [action.data])
    try:
        document = open_document(server, at)
    except Refused as why:
        raise JsonRpcException(str(why), types.LSPErrorCodes.ContentModified) from None
    wanted = actions.Wanted((str(action.kind),), asked_for=True)
    extent = at.range or document.range(0, 0)
    chosen = await server.settings(document.uri)
    for each in await actions.actions(server, document, chosen, extent, wanted):
        if each.title == action.title:
            return attrs.evolve(action, edit=each.edit)
    told = f"{document.name} is not what it was when this was offered. Ask again."
    raise JsonRpcException(told, types.LSPErrorCodes.ContentModified)
