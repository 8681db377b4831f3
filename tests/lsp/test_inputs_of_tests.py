"""Failing tests in an editor: code lenses above them, and the inputs that they fail on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import client_capabilities

from boildown.lsp.arguments import word
from boildown.lsp.commands.candidates import test_at as name_at
from boildown.lsp.documents import Document
from lsp.editor import REDUCE, Editor, editor
from targets.dying_runs import DYING, TEST

CODE = """\
import json
import pytest
from shop import check

def test_literal():
    text = "a<b"
    check(text)


class TestIt:
    @pytest.mark.parametrize("text", ["fine", "so [ far"])
    def test_parameter(self, text):
        assert "[" not in text


def test_orders():
    with open("monday.json") as file:
        orders = json.load(file)
    assert len(orders) < 2


def test_two():
    text = "a<b"
    other = "c<d"
    check(text + other)


def test_passes():
    pass
"""
SHOP = """\
def check(text):
    if "<" in text:
        raise ValueError(text)
"""


def cursor(line: int, character: int) -> types.Range:
    position = types.Position(line, character)
    return types.Range(position, position)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project whose tests failed, as pytest's cache says."""
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "monday.json").write_text('[{"id": 1}, {"id": 2}]')
    remember(tmp_path, "test_it.py::test_literal", "test_it.py::TestIt::test_parameter[a]")
    return tmp_path


def remember(project: Path, *failed: str) -> None:
    """Write pytest's cache."""
    cache = project / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    (cache / "lastfailed").write_text(json.dumps(dict.fromkeys(failed, True)))


async def lenses(user: Editor, uri: str) -> dict[str, list[types.CodeLens]]:
    """Return the code lenses of a document by the names of their tests."""
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    found = await user.client.text_document_code_lens_async(params)
    by_test: dict[str, list[types.CodeLens]] = {}
    for lens in found or ():
        assert lens.command is not None
        (argument,) = lens.command.arguments or ()
        by_test.setdefault(argument["test"], []).append(lens)  # type: ignore[index]
    return by_test


async def test_failed_tests_have_lenses_on_their_names(project: Path) -> None:
    async with editor(project) as user:
        uri = user.write(project / "test_it.py", CODE, "python")
        found = await lenses(user, uri)
        assert list(found) == ["test_literal", "TestIt::test_parameter"]
        place = types.Range(types.Position(4, 4), types.Position(4, 16))
        argument = {"uri": uri, "test": "test_literal"}
        assert found["test_literal"] == [
            types.CodeLens(place, types.Command(title, command, arguments=(argument,)))
            for title, command in (
                ("Boildown: reduce its input", "boildown.reduceTest"),
                ("Boildown: minimal reproduction", "boildown.reduceProject"),
            )
        ]
        remember(project, "test_it.py::test_orders")
        assert list(await lenses(user, uri)) == ["test_orders"]
        (project / ".pytest_cache" / "v" / "cache" / "lastfailed").unlink()
        assert await lenses(user, uri) == {}


async def test_the_failed_tests_of_a_file_of_a_class_or_of_a_function_are_told(
    project: Path,
) -> None:
    async with editor(project) as user:
        uri = user.write(project / "test_it.py", CODE, "python")
        of_file = await user.run("boildown.failedTests", {"uri": uri})
        assert of_file == {"state": "done", "tests": ["test_literal", "TestIt::test_parameter"]}
        for test in ("TestIt", "TestIt::test_parameter"):
            below = await user.run("boildown.failedTests", {"uri": uri, "test": test})
            assert below["tests"] == ["TestIt::test_parameter"]
        passed = await user.run("boildown.failedTests", {"uri": uri, "test": "TestI"})
        why = "pytest knows of no failed test in TestI. Run the tests first."
        assert passed == {"state": "refused", "message": why}


async def test_lenses_are_asked_for_again_after_a_save_and_a_run_of_pytest(project: Path) -> None:
    can = client_capabilities("visual-studio-code")
    async with editor(project, capabilities=can) as user:
        refreshed: list[None] = []
        user.client.feature(types.WORKSPACE_CODE_LENS_REFRESH)(lambda _: refreshed.append(None))
        uri = user.write(project / "test_it.py", CODE, "python")
        document = types.TextDocumentIdentifier(uri)
        user.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
        await user.until(lambda: len(refreshed) == 1)
        ran = project / ".pytest_cache" / "v" / "cache" / "lastfailed"
        event = types.FileEvent(ran.as_uri(), types.FileChangeType.Changed)
        user.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        await user.until(lambda: len(refreshed) == 2)


@pytest.mark.parametrize("options", [{"codeLens": False}, {"trusted": False}])
async def test_lenses_can_be_switched_off_and_need_trust(
    project: Path, options: Mapping[str, Any]
) -> None:
    async with editor(project, dict(options)) as user:
        uri = user.write(project / "test_it.py", CODE, "python")
        assert await lenses(user, uri) == {}


async def test_the_name_of_a_test_has_actions_and_all_of_a_failed_one(project: Path) -> None:
    remember(project, "test_it.py::test_literal")
    async with editor(project) as user:
        uri = user.write(project / "test_it.py", CODE, "python")
        for line, character, test in ((4, 4, "test_literal"), (11, 20, "TestIt::test_parameter")):
            actions = await user.actions(uri, cursor(line, character), [REDUCE])
            name = test.rpartition(":")[2]
            argument = {"uri": uri, "version": 1, "test": test}
            assert [action.command for action in actions.values()] == [
                types.Command(title, command, arguments=(argument,))
                for title, command in (
                    (f"Boildown: reduce the input of {name}", "boildown.reduceTest"),
                    (f"Boildown: minimal reproduction of {name}", "boildown.reduceProject"),
                )
            ]
        of_failed = list(await user.actions(uri, cursor(4, 4), [REDUCE]))
        assert of_failed
        for line, character in ((5, 11), (6, 6)):
            there = await user.actions(uri, cursor(line, character), [REDUCE])
            assert list(there)[-2:] == of_failed
        for line, character in ((10, 8), (8, 0)):
            asked = types.CodeActionTriggerKind.Invoked
            assert await user.actions(uri, cursor(line, character), trigger=asked) == {}


def test_the_beginning_of_a_test_is_not_the_end_of_the_one_before() -> None:
    code = "def test_one():\n    pass\ndef test_two():\n    pass\n"
    document = Document("file:///test_it.py", 1, "python", code)
    found = [name_at(document, cursor(line, 0)) for line in range(4)]
    assert found == ["test_one", "test_one", "test_two", "test_two"]


@pytest.mark.e2e
@pytest.mark.slow
async def test_the_inputs_of_a_failing_test_are_found(project: Path) -> None:
    async with editor(project) as user:
        uri = user.write(project / "test_it.py", CODE, "python")
        literal = await user.run("boildown.candidates", {"uri": uri, "test": "test_literal"})
        assert (literal["state"], literal["test"]) == ("done", "test_literal")
        (found,) = literal["candidates"]
        place = {"start": {"line": 5, "character": 11}, "end": {"line": 5, "character": 16}}
        assert found == {
            "candidate": found["candidate"],
            "uri": uri,
            "kind": "literal",
            "label": "String in line 6: a<b",
            "range": place,
            "text": "a<b",
            "language": "plain",
            "likely": True,
        }
        place = {"start": {"line": 11, "character": 8}, "end": {"line": 11, "character": 8}}
        case = await user.run("boildown.candidates", {"uri": uri, "range": place})
        found = case["candidates"][0]
        assert (found["kind"], found["text"]) == ("parameter", "so [ far")
        file = await user.run("boildown.candidates", {"uri": uri, "test": "test_orders"})
        (found,) = file["candidates"]
        assert found["label"] == "test_orders reads monday.json"
        assert found["uri"] == (project / "monday.json").as_uri()
        assert (found["kind"], found["range"]) == ("file", None)
        end = await user.reduce(found["uri"], candidate=found["candidate"])
        assert end["text"] == "[0,0]"
        assert Path(end["output"]).read_text() == "[0,0]"
        assert (project / "monday.json").read_text() == '[{"id": 1}, {"id": 2}]'


@pytest.mark.e2e
@pytest.mark.slow
async def test_the_one_input_of_a_test_is_reduced_and_put_back(project: Path) -> None:
    async with editor(project) as user:
        uri = user.write(project / "test_it.py", CODE, "python")
        end = await user.run("boildown.reduceTest", {"uri": uri, "test": "test_literal"} | WAIT)
        assert end["text"] == "<"
        assert user.text(uri) == CODE.replace('"a<b"', '"<"', 1)


@pytest.mark.e2e
@pytest.mark.slow
async def test_the_user_chooses_among_several_inputs(project: Path) -> None:
    async with editor(project) as user:
        uri = user.write(project / "test_it.py", CODE, "python")
        user.says = "String in line 24: c<d"
        end = await user.run("boildown.reduceTest", {"uri": uri, "test": "test_two"} | WAIT)
        likely = [each["text"] for each in end["candidates"] if each["likely"]]
        assert likely == ["a<b", "c<d"]
        (question,) = await user.until(lambda: user.questions)
        assert question.message == "Boildown: test_two fails. Which input is to be reduced?"
        assert [each.title for each in question.actions or ()] == [
            "String in line 23: a<b",
            "String in line 24: c<d",
        ]
        reduced = CODE.replace('"c<d"', '"c"')
        await user.until(lambda: user.text(uri) == reduced)


@pytest.mark.e2e
@pytest.mark.slow
async def test_inputs_that_were_found_are_reduced_one_after_the_other(project: Path) -> None:
    code = CODE.replace('"a<b"', '"""a\n<\n"""', 1)
    async with editor(project) as user:
        uri = user.write(project / "test_it.py", code, "python")
        first, second = [
            (await user.run("boildown.candidates", {"uri": uri, "test": test}))["candidates"][0]
            for test in ("test_literal", "TestIt::test_parameter")
        ]
        for each in (first, second):
            await user.reduce(uri, candidate=each["candidate"])
        reduced = code.replace('"""a\n<\n"""', '"""<"""').replace('"so [ far"', '"["')
        assert user.text(uri) == reduced
        again = await user.reduce(uri, candidate=second["candidate"])
        assert again["message"] == "test_it.py has changed since this was offered. Ask again."


@pytest.mark.e2e
@pytest.mark.slow
async def test_a_file_that_is_not_open_is_edited_where_edits_are_wanted(project: Path) -> None:
    orders = project / "monday.json"
    async with editor(project, {"applyResult": "edit"}) as user:
        uri = user.write(project / "test_it.py", CODE, "python")
        end = await user.run("boildown.reduceTest", {"uri": uri, "test": "test_orders"} | WAIT)
        assert (end["text"], end["output"]) == ("[0,0]", None)
        (edit,) = user.edits[-1].edit.document_changes or ()
        assert isinstance(edit, types.TextDocumentEdit)
        assert edit.text_document == types.OptionalVersionedTextDocumentIdentifier(orders.as_uri())
        (told,) = await user.until(lambda: user.messages)
        assert told.endswith(". It is in monday.json, which is not saved yet.")
        assert user.text(orders.as_uri()) == "[0,0]"
        assert orders.read_text() == '[{"id": 1}, {"id": 2}]'


WAIT = {"wait": True}


@pytest.mark.e2e
@pytest.mark.slow
async def test_a_test_without_an_input_is_refused_with_the_reason(project: Path) -> None:
    async with editor(project) as user:
        code = "def test_it():\n    assert []\n"
        uri = user.write(project / "test_it.py", code, "python")
        end = await user.run("boildown.reduceTest", {"uri": uri, "test": "test_it"} | WAIT)
        assert end["state"] == "failed"
        assert end["message"] == (
            "test_it reads neither a literal nor a file, so it has no input to reduce."
        )


@pytest.mark.parametrize("name", ["test_\ud800", "test\0"])
def test_a_name_that_no_program_can_be_given_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="whole characters, without NUL"):
        word(name)


@pytest.mark.e2e
@pytest.mark.slow
async def test_a_falsifying_example_is_put_back_as_a_decorator(project: Path) -> None:
    code = (
        "from hypothesis import given, settings\n"
        "from hypothesis import strategies as st\n\n\n"
        "@given(st.text(alphabet='a<', min_size=2))\n"
        "def test_it(text):\n"
        "    assert '<' not in text\n"
    )
    async with editor(project) as user:
        uri = user.write(project / "test_it.py", code, "python")
        end = await user.run("boildown.reduceTest", {"uri": uri, "test": "test_it"} | WAIT)
        assert end["text"] == "<"
        example = "@example(text='<')\n@given("
        imported = f"from hypothesis import example\n{code}"
        assert user.text(uri) == imported.replace("@given(", example)


@pytest.mark.e2e
@pytest.mark.slow
async def test_what_has_no_input_is_refused_with_the_reason(project: Path) -> None:
    async with editor(project) as user:
        uri = user.write(project / "test_it.py", CODE, "python")
        passes = await user.run("boildown.candidates", {"uri": uri, "test": "test_passes"})
        assert passes["state"] == "failed"
        assert "exits with 0" in passes["message"]
        nothing = await user.run("boildown.candidates", {"uri": uri})
        assert nothing["message"] == "There is no test at this place of test_it.py."
        gone = await user.reduce(uri, candidate="0.0")
        assert gone["message"].startswith("This input was found too long ago.")
        user.type(uri, "#")
        edited = await user.run("boildown.candidates", {"uri": uri, "test": "test_two"})
        assert edited["message"] == (
            "test_it.py has unsaved changes. Save it: what is saved is run."
        )


@pytest.mark.e2e
@pytest.mark.slow
async def test_a_run_that_dies_is_told_by_its_end(project: Path) -> None:
    async with editor(project) as user:
        for kind, (files, message) in DYING.items():
            folder = project / kind
            folder.mkdir()
            for name, text in {"pytest.ini": "", **files}.items():
                (folder / name).write_text(text)
            uri = user.write(folder / "test_it.py", files.get("test_it.py", TEST), "python")
            end = await user.run("boildown.candidates", {"uri": uri, "test": "test_it"})
            assert end["state"] == "failed"
            assert re.fullmatch(message, end["message"], re.DOTALL), (kind, end)


async def test_no_test_is_run_without_trust(project: Path) -> None:
    async with editor(project, {"trusted": False}) as user:
        uri = user.write(project / "test_it.py", CODE, "python")
        refused = await user.run("boildown.candidates", {"uri": uri, "test": "test_two"})
        assert refused["message"] == "This workspace is not trusted, so no command of it is run."
