"""Suspects in the files of the program: diagnostics and a lens, after a job that a user started."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from lsprotocol import types

from lsp.editor import Editor, editor

DEMO = Path(__file__).parents[2] / "server" / "boildown" / "demo"


async def titles(user: Editor, uri: str) -> list[tuple[int, str]]:
    """Return the lines and titles of the lenses of a document."""
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    found = await user.client.text_document_code_lens_async(params) or []
    return [(each.range.start.line, each.command.title) for each in found if each.command]


async def hints(user: Editor, uri: str) -> list[tuple[int, str]]:
    """Return the lines and labels of the inlay hints in the line of an assignment."""
    extent = types.Range(types.Position(15, 0), types.Position(15, 0))
    params = types.InlayHintParams(types.TextDocumentIdentifier(uri), extent)
    found = await user.client.text_document_inlay_hint_async(params) or []
    return [(each.position.line, str(each.label)) for each in found]


@pytest.mark.slow
async def test_suspects_are_shown_in_the_program_until_it_changes(tmp_path: Path) -> None:
    program = (DEMO / "receipts.py").read_text()
    (tmp_path / "boildown.toml").write_text(
        "[[input]]\nfiles = ['*.json']\n"
        f"command = ['{sys.executable}', 'receipts.py', '{{file}}']\n"
    )
    async with editor(tmp_path, {"jobs": 1, "applyResult": "edit", "liveProgress": True}) as user:
        source = user.write(tmp_path / "receipts.py", program, "python")
        uri = user.write(tmp_path / "crash.json", '{"orders":[{"express":true,"a":1}]}', "json")
        await user.reduce(uri)
        assert not user.client.diagnostics.get(source)
        assert await titles(user, source) == []
        end = await user.follow((await user.actions(uri))["Boildown: why does it fail?"])
        assert end["state"] == "done"
        assert end["message"].startswith("The bug may be in shipping (receipts.py:18): in ")
        assert end["branch"]["text"] == 'if order.get("express"):'
        marks = user.client.diagnostics[source]
        assert marks[0].severity is types.DiagnosticSeverity.Information
        assert marks[0].range.start.line == 17
        assert marks[0].message.startswith("The bug may be here: suspect 1, in ")
        related = marks[0].related_information or []
        assert [each.location.range.start.line for each in related[:2]] == [16, 15]
        assert related[1].message == "parcels = 0 ← lines = []"
        assert await hints(user, source) == [(15, "parcels = 0 ← lines = []")]
        shown = [f"Boildown: {marks[0].message}", "Boildown: debug the smallest input"]
        assert await titles(user, source) == [(17, title) for title in shown]
        # What the reduction has run is not run again for it.
        assert {each.phase for each in user.live if each.doing.startswith("locating")} == {"why"}
        change = types.FileEvent(source, types.FileChangeType.Changed)
        changed = types.DidChangeWatchedFilesParams([change])
        user.client.workspace_did_change_watched_files(changed)
        await user.until(lambda: not user.client.diagnostics[source])
        assert await titles(user, source) == []
        await user.run("boildown.why", {"uri": uri, "wait": True})
        await user.until(lambda: user.client.diagnostics[source])
        user.type(source, "\n" + program)
        await user.until(lambda: not user.client.diagnostics[source])
        assert await titles(user, source) == []
