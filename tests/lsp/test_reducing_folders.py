"""Folders through the server: reduced, shown as they shrink, and written beside the original."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygls.uris import to_fs_path

from lsp.editor import editor

COMMAND = ["sh", "-c", "cat *.txt | grep needle && exit 3; exit 0"]
FILES = {"a.txt": "hay\n" * 9, "b.txt": "hay\na needle\n", "c.md": "nothing\n"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder that fails by `COMMAND`."""
    root = tmp_path / "project"
    root.mkdir()
    for name, content in FILES.items():
        (root / name).write_text(content)
    return root


async def test_a_folder_is_reduced_beside_itself_and_its_files_are_told(project: Path) -> None:
    async with editor(project.parent, {"liveProgress": True, "jobs": 1}) as user:
        answer = await user.run(
            "boildown.reduceFolder", {"uri": project.as_uri(), "command": COMMAND, "wait": True}
        )
        assert answer["state"] == "done", answer
        assert answer["files"] == [
            {"path": "a.txt", "bytesBefore": 36, "bytes": None},
            {"path": "b.txt", "bytesBefore": 13, "bytes": 6},
            {"path": "c.md", "bytesBefore": 8, "bytes": None},
        ]
        output, page = (Path(to_fs_path(answer[key]) or "") for key in ("output", "page"))
        assert output == project.parent / "project.reduced"
        assert {path.name: path.read_text() for path in output.iterdir()} == {"b.txt": "needle"}
        assert "cd project.reduced" in page.read_text()
        assert {path.name: path.read_text() for path in project.iterdir()} == FILES
        told = [{each.path: each.bytes for each in shown.files} for shown in user.live]
        assert all(sizes.keys() <= FILES.keys() for sizes in told)
        assert told[-1] == {"b.txt": 6}
        (message,) = await user.until(lambda: user.messages)
        assert f"It is in {output}." in message


async def test_a_configured_command_is_taken_and_without_one_it_is_asked_for(
    project: Path,
) -> None:
    async with editor(project.parent) as user:
        argument = {"uri": project.as_uri(), "wait": True}
        refused = await user.run("boildown.reduceFolder", argument)
        assert (refused["state"], refused["needs"]) == ("refused", "command")
        (project / "boildown.toml").write_text(
            f"[[input]]\nfiles = ['.']\ncommand = {COMMAND}\nreproduces = 'exit=3'\n"
        )
        answer = await user.run("boildown.reduceFolder", argument)
        assert answer["state"] == "done", answer
        assert [each["path"] for each in answer["files"] if each["bytes"]] == ["b.txt"]


async def test_what_is_no_folder_is_refused_and_an_untrusted_workspace(project: Path) -> None:
    async with editor(project.parent, {"trusted": False}) as user:
        at = {"uri": project.as_uri(), "command": COMMAND}
        refused = await user.run("boildown.reduceFolder", at)
        assert "not trusted" in refused["message"]
        at = {"uri": (project / "a.txt").as_uri(), "command": COMMAND}
        refused = await user.run("boildown.reduceFolder", at)
        assert refused["message"] == "This is no folder on this machine."
        assert not (project.parent / "project.reduced").exists()
