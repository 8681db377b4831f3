"""The command `boildown.more`: asks which of all actions at a place is to be taken."""

from __future__ import annotations

from functools import partial

from lsprotocol import types

from boildown.lsp import actions
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands.common import Answer, Refused, open_document
from boildown.lsp.server import Server


async def more(server: Server, at: DocumentArgument) -> Answer:
    """Ask the user which of the actions at a range is to be taken; answer with their titles."""
    settings = await server.settings(at.uri)
    document = open_document(server, at)
    start = types.Position(0, 0)
    extent = at.range or types.Range(start, start)
    wanted = actions.Wanted((actions.KIND,), asked_for=True)
    found = await actions.actions(server, document, settings, extent, wanted)
    offered = {each.title: each for each in found if each.disabled is None}
    if not offered:
        raise Refused("There is nothing that can be done here.")
    answers = {title: partial(_take, server, each) for title, each in offered.items()}
    server.ask(f"What is to be done in {document.name}?", answers)
    return {"state": "done", "actions": list(offered)}


def _take(server: Server, action: types.CodeAction) -> None:
    """Take an action as an editor does that has offered it."""
    if action.edit is not None:
        server.workspace_apply_edit(types.ApplyWorkspaceEditParams(action.edit, label=action.title))
    if (run := action.command) is not None:
        server.begin(server.commands[run.command](server, run.arguments or ()))
