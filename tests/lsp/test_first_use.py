"""Errors that strangers meet first: the editor says what happened, and what to do next."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from lsp.editor import editor

MENU = "def read(menu):\n    assert ':' not in menu\n"
MESSAGES = Path(__file__).parents[2] / "vscode-extension" / "src" / "test" / "messages.json"
"""Sentences that the extension looks into, as its own tests have them."""

CODE = "from menu import read\n\n\ndef test_a():\n    read('Soup: 1')\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "menu.py").write_text(MENU)
    return folder


def at(line: int, character: int) -> dict[str, Any]:
    position = {"line": line, "character": character}
    return {"range": {"start": position, "end": position}}


IN_STRING = at(4, 12)


async def complaint(folder: Path, code: str, place: dict[str, Any], **options: Any) -> str:
    """Return what a user is told who reduces at a place where that can't be done."""
    async with editor(folder, options) as user:
        uri = user.write(folder / "test_menu.py", code, "python")
        end = await user.reduce(uri, **place)
        assert end["state"] in ("failed", "refused")
        (message,) = user.messages
        assert len(message) <= 200
        assert f"Boildown: {end['message']}".startswith(message)
        assert user.text(uri) == code
        return f"Boildown: {end['message']}"


@pytest.mark.e2e
async def test_a_python_without_pytest_is_named_with_what_installs_it(project: Path) -> None:
    venv = project / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    said = await complaint(project, CODE, IN_STRING)
    assert said.startswith("Boildown: pytest ran no test (exit 1). The module 'pytest' is missing")
    assert f"`{venv}/bin/python -m pip install pytest`" in said


@pytest.mark.e2e
@pytest.mark.slow
async def test_a_missing_module_is_named_in_the_words_that_the_extension_reads(
    project: Path,
) -> None:
    said = await complaint(project, f"import nowhere\n{CODE}", at(5, 12))
    assert json.loads(MESSAGES.read_text("utf-8"))["missingModule"] in said


async def test_a_python_that_is_gone_is_named(project: Path) -> None:
    said = await complaint(project, CODE, IN_STRING, testInterpreter=["/gone/python"])
    assert "'/gone/python' does not exist. Choose the Python" in said


@pytest.mark.e2e
async def test_a_test_that_passes_is_nothing_to_reduce(project: Path) -> None:
    said = await complaint(project, CODE.replace(": 1", ""), IN_STRING)
    assert "no test fails. Put the cursor into a string of a test that fails." in said


@pytest.mark.e2e
@pytest.mark.slow
async def test_an_error_in_the_file_is_shown_by_its_line(project: Path) -> None:
    said = await complaint(project, f"{CODE}def (\n", IN_STRING)
    assert 'File "test_menu.py", line 6' in said
    assert "SyntaxError" in said


@pytest.mark.parametrize(
    ("code", "place"),
    [
        (CODE, at(3, 2)),
        (CODE, at(4, 5)),
        ("PLACE = 'no test sees this'\n", at(0, 12)),
        ("def test_a():\n    'A docstring.'\n    assert False\n", at(1, 8)),
    ],
)
async def test_a_cursor_in_no_input_is_told_where_to_go(
    project: Path, code: str, place: dict[str, Any]
) -> None:
    said = await complaint(project, code, place)
    assert "Put the cursor into the string that the failing test feeds to your program." in said


@pytest.mark.slow
@pytest.mark.e2e
async def test_windows_lines_in_an_unsaved_file_outside_of_the_workspace_are_no_trouble(
    project: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    code = CODE.replace("'Soup: 1'", '"""Soup: 1\nSalad"""').replace("\n", "\r\n")
    async with editor(tmp_path / "elsewhere") as user:
        uri = user.open((project / "test_new.py").as_uri(), code, "python")
        assert (await user.reduce(uri, **IN_STRING))["text"] == ":"
        assert user.text(uri) == code.replace("Soup: 1\r\nSalad", ":")
        assert not (project / "test_new.py").exists()


@pytest.mark.slow
@pytest.mark.e2e
async def test_a_test_that_was_never_saved_is_run_in_the_workspace(project: Path) -> None:
    async with editor(project) as user:
        uri = user.open("untitled:Untitled-1", CODE, "python")
        (action, *_) = await user.actions(uri, types.Range(*[types.Position(4, 12)] * 2))
        assert action == "Boildown: reduce this string with pytest …::test_a"
        assert (await user.reduce(uri, **IN_STRING))["text"] == ":"
