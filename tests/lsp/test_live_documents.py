"""Reductions that the user takes part in: live documents, and parts that are kept."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from lsp.editor import Editor, editor
from lsp.projects import configure

TEXT = "one two\nthree x four\nfive\nsix x\n"
GATED = """
import os, sys, time
text = open(sys.argv[1]).read()
with open("runs", "a") as runs:
    runs.write(repr(text) + "\\n")
while sum(1 for _ in open("runs")) > int(open("gate").read()):
    time.sleep(0.01)
if "boom" in text:
    raise ValueError("boom")
sys.exit("x" in text or "y" in text)
"""
"""Answers so many runs as the file `gate` says, and waits for more then."""
PREFLIGHT = 6
"""Runs before the first candidate, with some to spare."""
MANY = "1000000"


def gate(folder: Path, runs: str) -> None:
    """Let so many runs through in all."""
    other = folder / "gate.new"
    other.write_text(runs)
    other.replace(folder / "gate")


def tried(folder: Path) -> list[str]:
    """Return the texts that were run."""
    runs = folder / "runs"
    return [eval(line) for line in runs.read_text().splitlines()] if runs.exists() else []


async def begun(user: Editor, folder: Path, text: str = TEXT) -> tuple[str, str]:
    """Start a job that stands still, after some runs; return its URI and token."""
    uri = user.write(folder / "crash.txt", text)
    started = await user.run("boildown.reduce", {"uri": uri})
    await user.until(lambda: len(tried(folder)) > int((folder / "gate").read_text()))
    return uri, str(started["token"])


async def opened(user: Editor, uri: str) -> str:
    """Open the live document of a job; return its URI."""
    answer = await user.run("boildown.live", {"uri": uri})
    assert answer["state"] == "done"
    path = Path(answer["output"])
    return user.open(path.as_uri(), path.read_text())


def put(user: Editor, uri: str, text: str) -> None:
    user.change(uri, [types.TextDocumentContentChangeWholeDocument(text)])


def save(user: Editor, uri: str) -> None:
    """Save a document as an editor does."""
    on_disk(uri).write_text(user.text(uri))
    identifier = types.TextDocumentIdentifier(uri)
    user.client.text_document_did_save(types.DidSaveTextDocumentParams(identifier))


def on_disk(uri: str) -> Path:
    return Path(uri.removeprefix("file://"))


def told(user: Editor, uri: str) -> list[str]:
    return [each.message for each in user.client.diagnostics.get(uri, [])]


async def ended(user: Editor, token: str) -> None:
    await user.until(lambda: user.progress(token)[-1].kind == "end")
    await user.until(lambda: any("Reduced " in message for message in user.messages))


async def test_an_edit_that_fails_as_before_is_gone_on_from(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    gate(tmp_path, str(PREFLIGHT))
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri, token = await begun(user, tmp_path)
        live = await opened(user, uri)
        assert on_disk(live).name == "crash.live.txt"
        edit = "y and much more of it than there was in the text before the edit was made"
        put(user, live, edit)
        save(user, live)
        gate(tmp_path, MANY)
        await ended(user, token)
        assert edit in tried(tmp_path)
        assert told(user, live) == []
        assert user.text(uri) == "y"
        # The editor reads the file again, since nothing in it is unsaved.
        assert on_disk(live).read_text() == "y"


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        ("nothing left", "With this edit it passes. Undo it, or edit further and save."),
        (
            "one boom",
            "With this edit it fails differently: exit 1: ValueError in ...: <module>:"
            ' `raise ValueError("boom")`: boom. Undo it, or edit further and save.',
        ),
    ],
)
async def test_an_edit_that_does_not_is_told_at_its_place(
    tmp_path: Path, edit: str, why: str
) -> None:
    configure(tmp_path, GATED)
    gate(tmp_path, str(PREFLIGHT))
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri, token = await begun(user, tmp_path)
        live = await opened(user, uri)
        put(user, live, edit)
        save(user, live)
        gate(tmp_path, MANY)
        await user.until(lambda: told(user, live))
        assert told(user, live)[0].startswith(why[:45])
        assert edit in tried(tmp_path)
        await ended(user, token)
        assert user.text(uri) == "x"
        # What the user wrote is left alone.
        assert on_disk(live).read_text() == edit


async def test_nothing_is_written_where_something_is_unsaved(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    gate(tmp_path, str(PREFLIGHT))
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri, token = await begun(user, tmp_path)
        live = await opened(user, uri)
        before = on_disk(live).read_text()
        put(user, live, before + "typing")
        gate(tmp_path, MANY)
        await ended(user, token)
        assert on_disk(live).read_text() == before
        assert [each.edit.document_changes[0].text_document.uri for each in user.edits] == [uri]  # type: ignore[index, union-attr]
        # What is saved after the end is not tried, and is told so.
        runs = len(tried(tmp_path))
        save(user, live)
        await user.until(lambda: told(user, live))
        assert told(user, live) == ["The reduction has ended, so this edit is not tried."]
        assert len(tried(tmp_path)) == runs


async def test_a_save_without_a_change_is_not_tried(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    gate(tmp_path, str(PREFLIGHT))
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri, token = await begun(user, tmp_path)
        live = await opened(user, uri)
        before = user.text(live)
        save(user, live)
        # Nor is one that the user has taken back, or one of line ends alone.
        put(user, live, "something else")
        put(user, live, before + "\r\n")
        save(user, live)
        gate(tmp_path, MANY)
        await ended(user, token)
        assert user.text(uri) == "x"
        texts = tried(tmp_path)
        assert before + "\r\n" not in texts
        assert "something else" not in texts


async def test_a_live_document_that_is_closed_is_no_trouble(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    gate(tmp_path, str(PREFLIGHT))
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri, token = await begun(user, tmp_path)
        live = await opened(user, uri)
        put(user, live, "y closed before it is tried")
        save(user, live)
        identifier = types.TextDocumentIdentifier(live)
        user.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))
        gate(tmp_path, MANY)
        await ended(user, token)
        assert user.text(uri) == "y"
        assert on_disk(live).read_text() == "y"
        # It is there as long as the server is.
        again = await user.run("boildown.live", {"uri": uri})
        assert again["state"] == "refused"
    assert not on_disk(live).parent.exists()


async def test_without_a_reduction_there_is_no_live_document(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        answer = await user.run("boildown.live", {"uri": uri})
        assert answer == {
            "state": "refused",
            "message": "Nothing is being reduced here, so there is no best text to edit.",
        }


async def test_the_action_opens_it_beside_without_the_focus(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    gate(tmp_path, str(PREFLIGHT))
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri, token = await begun(user, tmp_path)
        (action,) = (await user.actions(uri, only=["quickfix.boildown.live"])).values()
        assert action.command is not None
        (argument,) = action.command.arguments or ()
        answer = await user.run(action.command.command, argument)
        (shown,) = user.client.shown_documents
        assert shown.uri == Path(answer["output"]).as_uri()
        assert not shown.take_focus
        gate(tmp_path, MANY)
        await ended(user, token)


@pytest.mark.e2e
async def test_edits_are_replayed_after_kill_9(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    configure(tmp_path, GATED, more="depends = []")
    gate(tmp_path, str(PREFLIGHT))
    edit = "y and much more of it than there was in the text before the edit was made"
    user = Editor()
    await user.start(tmp_path, {"jobs": 1}, alone=True)
    uri, _ = await begun(user, tmp_path)
    live = await opened(user, uri)
    put(user, live, edit)
    save(user, live)
    # It goes on a little from the edit, and dies.
    gate(tmp_path, str(PREFLIGHT + 6))
    await user.until(lambda: edit in tried(tmp_path))
    await user.until(lambda: len(tried(tmp_path)) > PREFLIGHT + 6)
    os.kill(user.pid, signal.SIGKILL)
    await user.client.stop()  # type: ignore[no-untyped-call]
    before = tried(tmp_path)
    gate(tmp_path, MANY)
    async with editor(tmp_path, {"applyResult": "edit", "jobs": 1}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        end = await user.reduce(uri)
        assert end["text"] == "y"
        log = " ".join(each.message for each in user.client.log_messages)
        assert "1 edit are known." in log
        # The best text is run again, and no other that had been run to its end.
        after = tried(tmp_path)[len(before) :]
        assert not set(after[PREFLIGHT:]) & set(before[:-1]) - {edit, TEXT, ""}


async def test_a_part_that_is_kept_stays(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        two = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 7}}
        assert await user.run("boildown.keep", {"uri": uri, "range": two}) == {
            "state": "done",
            "kept": ["two"],
        }
        await user.until(lambda: told(user, uri))
        (mark,) = user.client.diagnostics[uri]
        assert mark.message == "Kept: no candidate of a reduction lacks this."
        assert mark.severity is types.DiagnosticSeverity.Information
        assert (mark.range.start.character, mark.range.end.character) == (4, 7)
        end = await user.reduce(uri)
        assert end["text"] == "twox"
        assert end["certificate"]["protected"] == 1
        assert "1 part was kept and never left out" in end["message"]
        # It is let go as it was kept.
        put(user, uri, TEXT)
        answer = await user.run("boildown.keep", {"uri": uri, "range": two})
        assert answer["kept"] == []
        assert (await user.reduce(uri))["text"] == "x"


async def test_all_that_is_kept_is_let_go_without_a_selection(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        refused = await user.run("boildown.keep", {"uri": uri})
        assert refused == {"state": "refused", "message": "Select what is to be kept."}
        for line, length in ((0, 3), (2, 4)):
            part = {"start": {"line": line, "character": 0}}
            part["end"] = {"line": line, "character": length}
            answer = await user.run("boildown.keep", {"uri": uri, "range": part})
        assert answer["kept"] == ["one", "five"]
        assert (await user.run("boildown.keep", {"uri": uri}))["kept"] == []
        await user.until(lambda: told(user, uri) == [])


async def test_a_part_is_kept_from_the_moment_on_in_a_running_job(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    gate(tmp_path, str(PREFLIGHT))
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri, token = await begun(user, tmp_path)
        live = await opened(user, uri)
        # One of the part of the original, one that no step holds.
        two = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 7}}
        answer = await user.run("boildown.keep", {"uri": uri, "range": two})
        assert answer == {"state": "done", "kept": ["two"]}
        put(user, live, "nowhere")
        all_of_it = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 7}}
        await user.run("boildown.keep", {"uri": live, "range": all_of_it})
        gate(tmp_path, MANY)
        await ended(user, token)
        assert user.text(uri) == "twox"
        assert "Boildown: 'two' is kept from now on." in user.messages
        assert (
            "Boildown: 'nowhere' stands in no step of the reduction, so it can't be kept."
            in user.messages
        )
