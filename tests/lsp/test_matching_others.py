"""Other files of the workspace that fail alike, marked in the editor."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from lsp.editor import Editor, editor
from lsp.projects import REDUCED, configure_pairs


def marked(user: Editor, uri: str) -> list[str]:
    return [
        each.message
        for each in user.client.diagnostics.get(uri, ())
        if each.severity == types.DiagnosticSeverity.Information
    ]


@pytest.mark.e2e
async def test_files_that_a_law_explains_are_marked(tmp_path: Path) -> None:
    configure_pairs(tmp_path)
    (tmp_path / ".gitignore").write_text("made/\n")
    for folder in ("more", "made", ".hidden"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "b.json").write_text("[true,false]")
    (tmp_path / "single.json").write_text("[1]")
    (tmp_path / "broken.json").write_text("[1,")
    (tmp_path / "notes.txt").write_text("[1,2]")
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", REDUCED, "json")
        refused = await user.run("boildown.matchOthers", {"uri": uri})
        assert refused["state"] == "refused"
        await user.run("boildown.generalize", {"uri": uri, "wait": True})
        other = (tmp_path / "more" / "b.json").as_uri()
        actions = await user.actions(uri, only=["quickfix.boildown"])
        found = await user.follow(actions["Boildown: match other files"])
        assert (found["explained"], found["lookedAt"], found["finished"]) == ([other], 3, True)
        assert found["message"].endswith(" explains 1 of 3 other files with the suffix .json.")
        await user.until(lambda: marked(user, other))
        assert marked(user, other)[0].startswith("fails like crash.json, by ")
        # The pattern is forgotten with its input, and the marks are, too.
        user.change(uri, [types.TextDocumentContentChangeWholeDocument("[0]")])
        await user.until(lambda: not marked(user, other))
