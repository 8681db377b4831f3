"""Documents that are closed, renamed or deleted while a job is at work on them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from lsp.editor import Editor, editor
from lsp.projects import configure

TEXT = "one two\nthree x four\nfive\n"
GATED = """
import os, sys, time
while not os.path.exists("go"):
    time.sleep(0.01)
sys.exit("x" in open(sys.argv[1]).read())
"""
"""Answers once there is a file `go`."""


def close(user: Editor, uri: str) -> None:
    del user.documents[uri]
    identifier = types.TextDocumentIdentifier(uri)
    user.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))


def rename(user: Editor, old: Path, new: Path) -> None:
    """Rename a file or folder on disk, and tell the server."""
    old.rename(new)
    renamed = types.FileRename(old.as_uri(), new.as_uri())
    user.client.workspace_did_rename_files(types.RenameFilesParams([renamed]))


async def begun(user: Editor, uri: str) -> str:
    started = await user.run("boildown.reduce", {"uri": uri})
    token = str(started["token"])
    await user.until(lambda: user.client.progress_reports.get(token))
    return token


async def ended(user: Editor, token: str, jobs: int = 1) -> None:
    """Wait for the end of the last of some jobs: its edit is made when its result is told."""
    await user.until(lambda: user.progress(token)[-1].kind == "end")
    await user.until(lambda: len(user.messages) >= jobs)


async def test_a_job_ends_where_its_document_is_closed(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        token = await begun(user, uri)
        close(user, uri)
        await ended(user, token)
        (message,) = user.messages
        assert message.startswith("Boildown: Stopped before anything smaller was found")
        assert user.edits == []


async def test_a_job_goes_on_where_its_document_is_open_again(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        token = await begun(user, uri)
        close(user, uri)
        user.open(uri, TEXT)
        (tmp_path / "go").touch()
        await ended(user, token)
        assert user.text(uri) == "x"


@pytest.mark.parametrize("tells", ["first", "last"])
async def test_a_job_follows_its_document_to_another_name(tmp_path: Path, tells: str) -> None:
    configure(tmp_path, GATED)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        token = await begun(user, uri)
        new = tmp_path / "other.txt"
        if tells == "first":
            rename(user, tmp_path / "crash.txt", new)
        close(user, uri)
        user.open(new.as_uri(), TEXT)
        if tells == "last":
            rename(user, tmp_path / "crash.txt", new)
        assert "boildown.cancel" in str(await user.actions(new.as_uri()))
        (tmp_path / "go").touch()
        await ended(user, token)
        assert user.text(new.as_uri()) == "x"
        assert "26 → 1 byte" in await user.hover(new.as_uri())
        assert sorted(path.name for path in tmp_path.glob("*.txt")) == ["other.txt"]


async def test_a_job_follows_its_document_in_a_renamed_folder(tmp_path: Path) -> None:
    # The command is named by its whole path, and so does not go with the folder.
    configure(tmp_path, GATED.replace('"go"', repr(str(tmp_path / "go"))), files="**/*.txt")
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs2").mkdir()
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "inputs" / "crash.txt", TEXT)
        beside = user.write(tmp_path / "inputs2" / "crash.txt", TEXT)
        token, second = await begun(user, uri), await begun(user, beside)
        rename(user, tmp_path / "inputs", tmp_path / "crashes")
        close(user, uri)
        moved = user.open((tmp_path / "crashes" / "crash.txt").as_uri(), TEXT)
        (tmp_path / "go").touch()
        await ended(user, token)
        await ended(user, second, jobs=2)
        assert (user.text(moved), user.text(beside)) == ("x", "x")


async def test_a_job_ends_where_its_document_is_deleted(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    (tmp_path / "inputs").mkdir()
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        token = await begun(user, uri)
        deleted = [types.FileDelete((tmp_path / name).as_uri()) for name in ("inputs", "crash.txt")]
        user.client.workspace_did_delete_files(types.DeleteFilesParams(deleted))
        await ended(user, token)
        (message,) = user.messages
        assert message.startswith("Boildown: Stopped before anything smaller was found")
        assert user.text(uri) == TEXT


async def test_the_server_wants_to_be_told_of_files(tmp_path: Path) -> None:
    user = Editor()
    told = await user.start(tmp_path)
    await user.stop()
    workspace = told.capabilities.workspace
    assert workspace is not None
    assert workspace.file_operations is not None
    for told_of in (workspace.file_operations.did_rename, workspace.file_operations.did_delete):
        assert told_of is not None
        (every,) = told_of.filters
        assert (every.scheme, every.pattern.glob) == ("file", "**")
    await user.client.stop()  # type: ignore[no-untyped-call]
