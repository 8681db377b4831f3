"""Folders through the server: reduced, shown as they shrink, and written beside the original."""

from __future__ import annotations

import sys
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


PROJECT = {
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "colours.py": 'RED = "red"\n',
    "shop.py": "def part(count):\n    return 1 / count\n",
    "tests/test_colours.py": "def test_red():\n    assert False\n",
    "tests/test_shop.py": "from shop import part\n\n\ndef test_part():\n    part(0)\n",
}
"""A project with a test that fails in its modules, and another one that fails."""


@pytest.mark.e2e
@pytest.mark.slow
async def test_the_project_of_a_failing_test_becomes_one_file(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    for name, content in PROJECT.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    (root / ".venv").symlink_to(sys.prefix)
    async with editor(tmp_path, {"jobs": 1}) as user:
        path = root / "tests" / "test_shop.py"
        uri = user.open(path.as_uri(), path.read_text(), "python")
        position = {"line": 3, "character": 10}
        at = {"uri": uri, "range": {"start": position, "end": position}, "wait": True}
        answer = await user.run("boildown.reduceProject", at)
        assert answer["state"] == "done", answer
        assert answer["uri"] == root.as_uri()
        assert "ZeroDivisionError" in answer["failures"]["reduced"]
        output, page = (Path(to_fs_path(answer[key]) or "") for key in ("output", "page"))
        assert output == tmp_path / "shop.reduced"
        left = {str(each.relative_to(output)): each.read_text() for each in output.rglob("*.*")}
        assert left == {
            "tests/test_shop.py": ("def part(count):\n return 1 / count\ndef test_part():part(0)")
        }
        assert "\npython -m pytest tests/test_shop.py::test_part\n" in page.read_text()
        assert {name: (root / name).read_text() for name in PROJECT} == PROJECT


async def test_a_place_without_a_test_has_no_project_to_reduce(project: Path) -> None:
    async with editor(project) as user:
        uri = user.write(project / "test_it.py", "limit = 3\n", "python")
        refused = await user.run("boildown.reduceProject", {"uri": uri})
        assert refused["message"] == "There is no test at this place of test_it.py."


async def test_what_failed_is_told_of_the_folder(project: Path) -> None:
    async with editor(project.parent) as user:
        at = {"uri": project.as_uri(), "command": ["true"], "wait": True}
        answer = await user.run("boildown.reduceFolder", at)
        assert (answer["state"], answer["uri"]) == ("failed", project.as_uri())
