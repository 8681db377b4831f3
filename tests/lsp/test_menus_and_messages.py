"""Menus and messages that offer what makes sense now: few actions, short messages, and Undo."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import client_capabilities

from boildown.lsp.shown.messages import Told
from lsp.editor import REDUCE, Editor, editor
from lsp.projects import HUNGRY, PAIR, REDUCED, configure, configure_pairs

TEXT = "one\ntwo x three\nfour\n"
OURS = "quickfix.boildown"
UNTRUSTED = "This workspace is not trusted, so no command of it is run."
CHOICES = {"messageChoices": True, "applyResult": "edit"}
COMMAND = [sys.executable, "-I", "-S", "repro.py", "{file}"]


async def test_a_pattern_has_four_actions_and_one_for_the_rest(tmp_path: Path) -> None:
    configure_pairs(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", PAIR, "json")
        await user.run("boildown.generalize", {"uri": uri, "wait": True})
        first = [
            "Boildown: replace by the text of the pattern",
            "Boildown: create further failing inputs",
            "Boildown: write a regression test (pytest)",
            "Boildown: write a regression test (Hypothesis)",
        ]
        command = r"grep -qE '^\[.+,.+\]$' {file}"
        rest = [
            "Boildown: write a Lark grammar of them",
            "Boildown: open the pattern in place of the input",
            "Boildown: match other files",
            "Boildown: write a bug report",
            f"Boildown: reduce with {command}",
            f"Boildown: generalize with {command}",
        ]
        for only in (None, ["quickfix"]):
            assert list(await user.actions(uri, only=only)) == [*first, "Boildown: more…"]
        every = list(await user.actions(uri, only=[OURS]))
        assert every == [*first, *rest]
        assert await user.actions(uri, only=["refactor"]) == {}
        assert await user.actions(uri, only=["source"]) == {}
        user.says = first[0]
        more = (await user.actions(uri))["Boildown: more…"]
        assert (await user.follow(more))["actions"] == every
        await user.until(lambda: user.text(uri) == REDUCED)
        assert [each.title for each in user.questions[0].actions or ()] == every


async def test_a_client_that_cannot_ask_gets_all_actions(tmp_path: Path) -> None:
    configure_pairs(tmp_path)
    can = client_capabilities("visual-studio-code")
    assert can.window is not None
    can.window.show_message = None
    async with editor(tmp_path, capabilities=can) as user:
        uri = user.write(tmp_path / "crash.json", PAIR, "json")
        await user.run("boildown.generalize", {"uri": uri, "wait": True})
        assert list(await user.actions(uri)) == list(await user.actions(uri, only=[OURS]))


async def test_what_more_asks_runs_the_command_that_was_chosen(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        (title,) = await user.actions(uri, only=[REDUCE])
        user.says = title
        assert title in (await user.run("boildown.more", {"uri": uri}))["actions"]
        await user.until(lambda: user.text(uri) == "x")
        none = user.open("untitled:1", "", "json")
        await user.run("boildown.more", {"uri": none})
        assert [each.title for each in user.questions[-1].actions or ()] == [
            "Boildown: set a test command…"
        ]


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ("python = 'checks:fails'", "checks:fails"),
        ("test = 'tests/test_it.py::TestIt::test_one'", "pytest …::TestIt::test_one"),
        (f"command = '{sys.executable} -m tool {{file}}'", "{python} -m tool {{file}}"),
    ],
)
async def test_a_title_has_the_command_in_short(tmp_path: Path, entry: str, shown: str) -> None:
    (tmp_path / "boildown.toml").write_text(f"[[input]]\nfiles = ['*.txt']\n{entry}\n")
    (tmp_path / "checks.py").write_text("def fails(text): return True\n")
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        (title,) = await user.actions(uri, only=[REDUCE])
        command = shown.format(python=Path(sys.executable).name)
        assert title == f"Boildown: reduce with {command}"


async def test_without_trust_there_is_one_disabled_action_with_the_reason(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"trusted": False, "messageChoices": True}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        (action,) = (await user.actions(uri)).values()
        assert (action.title, action.kind) == ("Boildown: reduce", REDUCE)
        assert action.disabled == types.CodeActionDisabled(UNTRUSTED)
        refused = await user.reduce(uri)
        assert (refused["state"], refused["needs"]) == ("refused", "trust")
        (told,) = await user.until(lambda: user.told)
        assert (told.message, told.needs, told.type) == (UNTRUSTED, "trust", 2)


async def message(user: Editor) -> Any:
    """Return the one message that there is, and forget it."""
    (told,) = await user.until(lambda: user.told)
    user.told.clear()
    assert user.messages == []
    return told


async def test_a_result_in_the_document_is_told_in_a_line_and_taken_back(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, CHOICES) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        end = await user.reduce(uri)
        assert user.text(uri) == "x"
        told = await message(user)
        assert told.message == f"Reduced 21 → 1 byte: {end['failures']['original']}"
        assert told.details == end["message"]
        assert (told.uri, told.type, list(told.choices), told.needs) == (uri, 3, ["Undo"], None)
        done = await user.run("boildown.choose", {"uri": uri, "choice": "Undo"})
        assert done == {"state": "done"}
        assert user.text(uri) == TEXT
        again = await user.run("boildown.choose", {"uri": uri, "choice": "Undo"})
        assert again["message"] == "This was offered too long ago."


async def test_what_was_typed_since_is_not_undone(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, CHOICES) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        user.type(uri, "typed")
        refused = await user.run("boildown.choose", {"uri": uri, "choice": "Undo"})
        assert refused["message"] == "crash.txt has changed since then. Undo it in the editor."
        assert user.text(uri) == "xtyped"


TWO_BUGS = """
import sys
text = open(sys.argv[1]).read()
if "x" in text:
    raise ValueError("an x of " + str(len(text)))
"""


async def test_the_failures_of_both_stand_in_the_line_where_they_differ(tmp_path: Path) -> None:
    configure(tmp_path, TWO_BUGS)
    async with editor(tmp_path, CHOICES) as user:
        end = await user.reduce(user.write(tmp_path / "crash.txt", TEXT))
        assert end["failures"]["original"].endswith(": an x of 21")
        told = await message(user)
        assert told.message.startswith("Reduced 21 → 1 byte: exit 1: ValueError in ")
        assert told.message.endswith(": an x of 21 → an x of 1")


async def test_a_failed_job_is_told_by_its_first_sentence(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, CHOICES) as user:
        end = await user.reduce(user.write(tmp_path / "crash.txt", "fine"))
        told = await message(user)
        assert told.details == end["message"]
        assert end["message"].startswith(told.message)
        assert (told.type, "." in told.message) == (1, False)


SLOW = """
import os, sys, time
if not os.path.exists("quick"):
    time.sleep(0.2)
sys.exit("x" in open(sys.argv[1]).read())
"""


@pytest.mark.slow
async def test_the_end_of_the_time_is_told_with_the_choice_to_go_on(tmp_path: Path) -> None:
    configure(tmp_path, SLOW)
    async with editor(tmp_path, {**CHOICES, "jobs": 1, "maxSeconds": 4}) as user:
        uri = user.write(tmp_path / "crash.txt", "filler " * 50 + "x" + " filler" * 30)
        end = await user.reduce(uri)
        assert not end["finished"]
        told = await message(user)
        assert told.message.startswith("Reduced 561 → ")
        assert ", stopped early: " in told.message
        assert list(told.choices) == ["Undo", "Continue"]
        assert user.questions == []
        (tmp_path / "quick").touch()
        await user.run("boildown.choose", {"uri": uri, "choice": "Continue"})
        await user.until(lambda: user.text(uri) == "x")


@pytest.mark.parametrize("before", [None, '[[input]]\nfiles = ["*.md"]\ncommand = "false"\n'])
async def test_an_entry_that_was_written_is_shown_and_taken_back(
    tmp_path: Path, before: str | None
) -> None:
    (tmp_path / "repro.py").write_text(HUNGRY)
    config = tmp_path / "boildown.toml"
    if before is not None:
        config.write_text(before)
    async with editor(tmp_path, CHOICES) as user:
        uri = user.write(tmp_path / "crash.txt", "x")
        line = f"{sys.executable} repro.py {{file}}"
        await user.run("boildown.configure", {"uri": uri, "command": line, "wait": True})
        told = user.told[0]
        entry = f'files = ["crash.txt"]  command = "{line}"'
        assert told.message == f"boildown.toml has now: {entry}"
        assert (told.uri, list(told.choices)) == (config.as_uri(), ["Undo"])
        await user.run("boildown.choose", {"uri": config.as_uri(), "choice": "Undo"})
        assert (config.read_text() if config.exists() else None) == before


async def test_a_configuration_that_changed_since_stays(tmp_path: Path) -> None:
    (tmp_path / "repro.py").write_text(HUNGRY)
    async with editor(tmp_path, CHOICES) as user:
        uri = user.write(tmp_path / "crash.txt", "x")
        await user.run("boildown.configure", {"uri": uri, "command": COMMAND, "wait": True})
        config = tmp_path / "boildown.toml"
        config.write_text("# mine\n")
        choice = {"uri": config.as_uri(), "choice": "Undo"}
        refused = await user.run("boildown.choose", choice)
        assert refused["message"] == "boildown.toml has changed since then and stays as it is."
        assert config.read_text() == "# mine\n"


async def test_a_client_that_asks_for_the_command_is_not_warned(tmp_path: Path) -> None:
    async with editor(tmp_path, CHOICES) as user:
        uri = user.write(tmp_path / "crash.txt", "x")
        refused = await user.reduce(uri)
        assert (refused["state"], refused["needs"]) == ("refused", "command")
        await user.actions(uri)
        assert (user.told, user.messages) == ([], [])


@pytest.mark.slow
async def test_the_empty_input_is_taken_or_another_one_is_found(tmp_path: Path) -> None:
    configure(tmp_path, "import sys; sys.exit(len(open(sys.argv[1]).read().split()) != 1)")
    async with editor(tmp_path, CHOICES) as user:
        uri = user.write(tmp_path / "crash.txt", "two words")
        assert (await user.reduce(uri))["text"] == ""
        told = await message(user)
        assert list(told.choices) == ["Undo", "Find One That Is Not Empty"]
        await user.run("boildown.choose", {"uri": uri, "choice": told.choices[1]})
        told = await message(user)
        assert told.message.startswith("Reduced 9 → 3")


@pytest.mark.slow
async def test_where_all_inputs_fail_the_choice_is_the_users(tmp_path: Path) -> None:
    configure(tmp_path, "import sys; sys.exit(1)")
    async with editor(tmp_path, CHOICES) as user:
        uri = user.write(tmp_path / "crash.txt", "two words")
        assert (await user.reduce(uri))["state"] == "failed"
        told = await message(user)
        assert list(told.choices) == ["Take the Empty Input", "Find One That Is Not Empty"]
        await user.run("boildown.choose", {"uri": uri, "choice": "Take the Empty Input"})
        told = await message(user)
        assert told.message.startswith("Reduced 9 → 0")


def test_the_failure_of_an_answer_gives_way_to_what_is_said_beside_it() -> None:
    changed = "The document has changed meanwhile and stays as it is."
    told = Told("", "all", f"Reduced 9 → 1 byte: {'exit 1 ' * 25}").and_also(changed)
    assert told.in_short() == f"Reduced 9 → 1 byte. {changed}"
    placed = told.and_also(f"This is /{'long' * 50}.")
    assert placed.in_short() == f"Reduced 9 → 1 byte. {changed}"
    assert placed.whole == f"all {changed} This is /{'long' * 50}."
