"""Configuration from the editor's side: what is wrong is shown, what is missing is asked for."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp.editor import REDUCE, editor
from lsp.projects import HUNGRY, configure

TITLE = "Boildown: set a test command…"
COMMAND = [sys.executable, "-I", "-S", "repro.py", "{file}"]


async def test_what_is_wrong_in_a_configuration_is_shown_as_it_is_typed(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        text = "[[input]]\nfiles = ['*.txt']\n  comand = 'true'\n"
        uri = user.write(tmp_path / "boildown.toml", text, "toml")
        await user.until(lambda: user.client.diagnostics.get(uri))
        unknown, missing = user.client.diagnostics[uri]
        assert "'comand' is unknown" in unknown.message
        assert unknown.range == types.Range(types.Position(2, 2), types.Position(2, 17))
        assert unknown.source == "boildown"
        assert "no 'command'" in missing.message
        user.type(uri, "command = 'true'\n")
        await user.until(lambda: len(user.client.diagnostics[uri]) == 1)
        user.change(uri, [types.TextDocumentContentChangeWholeDocument("[[input")])
        await user.until(lambda: "No valid TOML" in user.client.diagnostics[uri][0].message)
        user.change(uri, [types.TextDocumentContentChangeWholeDocument("")])
        await user.until(lambda: not user.client.diagnostics[uri])


async def test_only_our_part_of_pyproject_is_looked_at(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        text = "[project]\nname = 3\n"
        uri = user.write(tmp_path / "pyproject.toml", text, "toml")
        user.type(uri, "[tool.boildown]\ninputs = []\n")
        await user.until(lambda: user.client.diagnostics.get(uri))
        (diagnostic,) = user.client.diagnostics[uri]
        assert "'inputs' is unknown" in diagnostic.message
        assert diagnostic.range.start == types.Position(3, 0)


async def test_a_configuration_that_is_used_is_checked_though_it_is_not_open(
    tmp_path: Path,
) -> None:
    configure(tmp_path, more="memory = -1")
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "x")
        assert len(await user.actions(uri, only=[REDUCE])) == 1
        config = (tmp_path / "boildown.toml").as_uri()
        (diagnostic,) = user.client.diagnostics[config]
        assert "'memory' must be" in diagnostic.message
        # Runs would be judged in another way than the user means, so there are none.
        configure(tmp_path, more="timeout = -1")
        assert await user.actions(uri, only=[REDUCE]) == {}
        (diagnostic,) = user.client.diagnostics[config]
        assert "'timeout' must be" in diagnostic.message
        configure(tmp_path, files="*.md")
        assert await user.actions(uri) == {}
        assert not user.client.diagnostics[config]


async def test_a_test_command_is_asked_for_only_where_the_user_asks(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "x")
        assert await user.actions(uri) == {}
        (action,) = (await user.actions(uri, trigger=types.CodeActionTriggerKind.Invoked)).values()
        assert action.title == TITLE
        await user.follow(action)
        path = tmp_path / "boildown.toml"
        assert path.read_text() == (
            '[[input]]\nfiles = ["crash.txt"]\ncommand = ["python", "repro.py", "{file}"]\n'
        )
        (shown,) = user.client.shown_documents
        assert (shown.uri, shown.take_focus) == (path.as_uri(), True)
        assert shown.selection == types.Range(types.Position(2, 10), types.Position(2, 42))


@pytest.mark.parametrize("command", [COMMAND, " ".join(COMMAND)])
async def test_a_client_that_asks_for_the_command_goes_on(
    tmp_path: Path, command: list[str] | str
) -> None:
    (tmp_path / "repro.py").write_text(HUNGRY)
    (tmp_path / "boildown.toml").write_text("# mine\n")
    (tmp_path / "sub").mkdir()
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "sub" / "a[1].txt", "a x")
        end = await user.run("boildown.configure", {"uri": uri, "command": command, "wait": True})
        assert end["text"] == "x"
        text = (tmp_path / "boildown.toml").read_text()
        assert text.startswith('# mine\n\n[[input]]\nfiles = ["sub/a[[]1].txt"]\ncommand = ')


async def test_a_program_that_is_not_there_is_said_before_anything_is_written(
    tmp_path: Path,
) -> None:
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "x")
        end = await user.run("boildown.configure", {"uri": uri, "command": "no-such-program"})
        assert end["state"] == "refused"
        assert "'no-such-program' was not found" in end["message"]
        assert not (tmp_path / "boildown.toml").exists()


async def test_pyproject_gets_the_entry_where_it_configures_boildown(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.boildown]\n")
    async with editor(tmp_path) as user:
        uri = user.open("untitled:Untitled-1", "{}", "json")
        await user.run("boildown.configure", {"uri": uri})
        text = (tmp_path / "pyproject.toml").read_text()
        assert text.startswith('[tool.boildown]\n\n[[tool.boildown.input]]\nfiles = ["*.json"]\n')


async def test_a_new_entry_wins_over_those_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "repro.py").write_text(HUNGRY)
    old = '# all\n[[input]]\nfiles = ["*"]\ncommand = "false"\n'
    (tmp_path / "boildown.toml").write_text(f"# mine\n\n{old}")
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "a.txt", "a x")
        end = await user.run("boildown.configure", {"uri": uri, "command": COMMAND, "wait": True})
        assert end["text"] == "x"
        text = (tmp_path / "boildown.toml").read_text()
        assert text.startswith('# mine\n\n[[input]]\nfiles = ["a.txt"]\ncommand = ')
        assert text.endswith(f"]\n\n{old}")
        await user.run("boildown.configure", {"uri": uri})
        assert user.client.shown_documents[-1].selection == types.Range(
            types.Position(4, 10), types.Position(4, 42)
        )


async def test_an_entry_for_all_files_of_a_suffix_shadows_no_other(tmp_path: Path) -> None:
    mine = '[[input]]\nfiles = ["a.json"]\ncommand = "false"\n'
    (tmp_path / "boildown.toml").write_text(mine)
    async with editor(tmp_path) as user:
        uri = user.open("untitled:Untitled-1", "{}", "json")
        await user.run("boildown.configure", {"uri": uri})
        text = (tmp_path / "boildown.toml").read_text()
        assert text.startswith(f'{mine}\n[[input]]\nfiles = ["*.json"]\n')


async def test_a_block_of_code_gets_an_entry_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "repro.py").write_text(HUNGRY)
    text = '# Crash\n\n```json\n{"a": "x"}\n```\n'
    at = {"line": 3, "character": 0}
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "notes.md", text, "markdown")
        asked = {"uri": uri, "range": {"start": at, "end": at}, "command": COMMAND, "wait": True}
        end = await user.run("boildown.configure", asked)
        assert end["text"] == '"x"'
        assert user.text(uri) == '# Crash\n\n```json\n"x"\n```\n'
        written = (tmp_path / "boildown.toml").read_text()
        assert written.startswith('[[input]]\nfiles = ["notes.json"]\ncommand = ')


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("pytest tests/test_it.py::test_one", 'test = "tests/test_it.py::test_one"'),
        ("python -m pytest tests/test_it.py::test_one", 'test = "tests/test_it.py::test_one"'),
        ("env pytest tests/test_it.py::test_one", None),
        ("pytest -x tests/test_it.py::test_one", None),
        ("pytest tests/test_it.py", None),
    ],
)
async def test_a_test_that_is_typed_is_run_by_the_projects_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, line: str | None
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text("def test_one(): pass\n")
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "x")
        await user.run("boildown.configure", {"uri": uri, "command": typed})
        written = (tmp_path / "boildown.toml").read_text().splitlines()[2]
        assert written == (line or f'command = "{typed}"')


async def test_unsaved_changes_of_the_configuration_are_kept(tmp_path: Path) -> None:
    configure(tmp_path, files="*.md")
    async with editor(tmp_path) as user:
        path = tmp_path / "boildown.toml"
        config = user.open(path.as_uri(), path.read_text() + "# unsaved", "toml")
        uri = user.write(tmp_path / "crash.txt", "x")
        end = await user.run("boildown.configure", {"uri": uri, "command": COMMAND})
        assert end["state"] == "refused"
        assert "boildown.toml has unsaved changes." in end["message"]
        assert user.text(config).startswith('[[input]]\nfiles = ["crash.txt"]\n')
        assert user.text(config).endswith("# unsaved")
        assert "# unsaved" not in path.read_text()


async def test_nothing_is_written_for_what_is_no_file_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    for uri in (folder.as_uri(), (tmp_path / "nowhere" / "x.json").as_uri()):
        async with editor(folder) as user:
            user.open(uri, "[1]", "json")
            end = await user.run("boildown.configure", {"uri": uri, "command": "false"})
            assert end["state"] == "refused"
            assert "is no file in a folder that exists. Save it first." in end["message"]
    assert list(tmp_path.rglob("*")) == [folder]


async def test_a_file_of_another_machine_is_a_document_that_was_never_saved(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = user.open("file://host/x.json", "[1]", "json")
        await user.run("boildown.configure", {"uri": uri})
        assert 'files = ["*.json"]' in (tmp_path / "boildown.toml").read_text()


async def test_a_command_that_no_file_can_hold_is_refused(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "a.json", "[1]")
        for command in (["false", "\ud800"], "a\0b"):
            with pytest.raises(JsonRpcException, match="has a character that no command can have"):
                await user.run("boildown.configure", {"uri": uri, "command": command})
    assert not (tmp_path / "boildown.toml").exists()


async def test_a_mistake_in_the_configuration_is_the_answer(tmp_path: Path) -> None:
    (tmp_path / "boildown.toml").write_text('[[inpt]]\nfiles = ["*"]\ncommand = "false"\n')
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", "[1]")
        end = await user.run("boildown.reduce", {"uri": uri})
        assert end == {
            "state": "refused",
            "message": (
                "crash.json has no test command, since there is a mistake in boildown.toml,"
                " line 1: 'inpt' is unknown; known are: input, language."
            ),
        }


async def test_the_file_with_the_mistake_is_opened_there(tmp_path: Path) -> None:
    path = tmp_path / "boildown.toml"
    path.write_text('[[input]]\nfiles = ["*"]\ncommand = "a | b\n')
    async with editor(tmp_path, {"messageChoices": True}) as user:
        uri = user.write(tmp_path / "crash.json", "[1]")
        await user.run("boildown.reduce", {"uri": uri})
        (told,) = await user.until(lambda: user.told)
        assert (told.uri, list(told.choices)) == (uri, ["Open boildown.toml"])
        await user.run("boildown.choose", {"uri": uri, "choice": "Open boildown.toml"})
        (shown,) = user.client.shown_documents
        assert shown.uri == path.as_uri()
        assert shown.selection is not None
        assert shown.selection.start.line == 2


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("false {file}", "crashes/*.json"),
        (None, "crashes/*.json"),
        ("false order-2.json", "crashes/order-2.json"),
    ],
)
async def test_a_folder_of_crashes_gets_one_entry(
    tmp_path: Path, command: str | None, files: str
) -> None:
    (tmp_path / "crashes").mkdir()
    (tmp_path / "crashes" / "order-3.json").write_text("[2]")
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crashes" / "order-2.json", "[1]")
        await user.run("boildown.configure", {"uri": uri, "command": command})
        assert f'files = ["{files}"]' in (tmp_path / "boildown.toml").read_text()
