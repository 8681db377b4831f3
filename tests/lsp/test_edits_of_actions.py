"""Edits of code actions: sent when the user chooses one, and only for the text that they fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp.editor import Editor, editor
from lsp.projects import configure

APPLY = "quickfix.boildown.apply"
TEXT = "one two\nthree x four\nfive\n"
NOTES = "# Notes\n\n```txt\none x\n```\n\n```txt\nno\n```\n"


def at(line: int) -> types.Range:
    return types.Range(types.Position(line, 0), types.Position(line, 0))


async def the_action(user: Editor, uri: str, line: int = 0) -> types.CodeAction:
    (action,) = (await user.actions(uri, at(line), [APPLY])).values()
    return action


async def test_an_edit_is_sent_when_it_is_asked_for(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        action = await the_action(user, uri)
        assert action.edit is None
        resolved = await user.client.code_action_resolve_async(action)
        assert (resolved.title, resolved.kind) == (action.title, APPLY)
        assert resolved.edit is not None
        (change,) = resolved.edit.document_changes or ()
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document.version == 1
        await user.take(action)
        assert user.text(uri) == "x"


async def test_a_client_that_cannot_ask_gets_the_edit_at_once(tmp_path: Path) -> None:
    configure(tmp_path)
    literals = types.ClientCodeActionLiteralOptions(types.ClientCodeActionKindOptions([]))
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(
            code_action=types.CodeActionClientCapabilities(code_action_literal_support=literals)
        )
    )
    async with editor(tmp_path, capabilities=capabilities) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        action = await the_action(user, uri)
        assert action.edit is not None
        assert action.data is None


async def test_an_edit_of_a_text_that_changed_is_refused(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        action = await the_action(user, uri)
        user.type(uri, "!")
        with pytest.raises(JsonRpcException) as refused:
            await user.client.code_action_resolve_async(action)
        assert refused.value.code == types.LSPErrorCodes.ContentModified
        assert str(refused.value) == "crash.txt has changed since this was offered. Ask again."
        assert await user.actions(uri, only=[APPLY]) == {}


async def test_an_action_that_is_not_offered_is_not_resolved(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        data = {"uri": uri, "version": 1}
        with pytest.raises(JsonRpcException) as refused:
            await user.client.code_action_resolve_async(types.CodeAction("Mine", APPLY, data=data))
        assert refused.value.code == types.LSPErrorCodes.ContentModified
        with pytest.raises(JsonRpcException) as refused:
            await user.client.code_action_resolve_async(types.CodeAction("Mine", APPLY, data=[3]))
        assert refused.value.code == -32602
        plain = types.CodeAction("Mine", APPLY)
        assert await user.client.code_action_resolve_async(plain) == plain


async def test_the_reduced_text_is_offered_only_on_the_text_that_was_reduced(
    tmp_path: Path,
) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "notes.md", NOTES, "markdown")
        user.takes_edits = False
        place = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 0}}
        end = await user.reduce(uri, range=place)
        assert end["text"] == "x"
        user.takes_edits = True
        assert await user.actions(uri, at(0), [APPLY]) == {}
        assert await user.actions(uri, at(7), [APPLY]) == {}
        await user.take(await the_action(user, uri, 3))
        assert user.text(uri) == NOTES.replace("one x\n", "x\n")
