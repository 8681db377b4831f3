"""Reports of a failure: a check of the test command, and a bug report."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from lsp.editor import editor
from lsp.projects import configure, configure_pairs

PROGRAM = """
import sys
if "x" in open(sys.argv[1]).read():
    raise ValueError("an x")
"""
REPORT = "Boildown: write a bug report"


async def test_a_check_says_what_would_run_and_why(tmp_path: Path) -> None:
    configure(tmp_path, PROGRAM)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "a x")
        seen = await user.run("boildown.check", {"uri": uri})
        assert seen["state"] == "done"
        assert seen["command"].endswith("repro.py '{file}'")
        assert seen["folder"] == str(tmp_path)
        assert seen["why"] == f"configured for *.txt in {tmp_path}"
        assert seen["failure"].startswith("exit 1: ValueError in ")
        assert seen["message"].startswith(f"It fails: {seen['failure']}. `")
        assert (seen["rate"], seen["language"]) == (None, "plain")
        assert seen["seconds"] > 0
        assert seen["timeout"] >= 1
        assert user.messages[-1].startswith("Boildown: It fails: exit 1: ValueError in ")
        assert user.text(uri) == "a x"


async def test_a_check_names_the_commands_beside_the_test_command(tmp_path: Path) -> None:
    configure(tmp_path, PROGRAM, more='good = "grep a"\nquick = ["grep", "x"]')
    async with editor(tmp_path) as user:
        seen = await user.run("boildown.check", {"uri": user.write(tmp_path / "crash.txt", "a x")})
        assert seen["state"] == "done"
        assert (seen["quick"], seen["good"], seen["compare"]) == ("grep x", "grep a", "status")
        other = user.write(tmp_path / "b.txt", "x")
        failed = await user.run("boildown.check", {"uri": other})
        assert failed["message"].startswith("The command that must pass fails on the input, too")


async def test_a_check_says_why_an_input_does_not_reproduce(tmp_path: Path) -> None:
    configure(tmp_path, PROGRAM)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "a")
        seen = await user.run("boildown.check", {"uri": uri})
        assert seen["state"] == "failed"
        assert "the command exits with 0 in 10 runs" in seen["message"]
        assert seen["why"] == f"configured for *.txt in {tmp_path}"
        other = user.write(tmp_path / "crash.md", "a")
        assert (await user.run("boildown.check", {"uri": other}))["state"] == "refused"


@pytest.mark.slow
async def test_a_check_of_a_string_names_the_test(tmp_path: Path) -> None:
    code = "def test_a():\n    assert len('a x') < 3\n"
    async with editor(tmp_path, {"testInterpreter": [sys.executable]}) as user:
        uri = user.write(tmp_path / "test_a.py", code, "python")
        place = {"line": 1, "character": 16}
        at = {"uri": uri, "range": {"start": place, "end": place}}
        seen = await user.run("boildown.check", at)
        assert (seen["state"], seen["why"]) == ("done", "its test")
        assert "`pytest …::test_a` (its test) takes " in seen["message"]


@pytest.mark.slow
async def test_a_report_tells_of_the_last_reduction(tmp_path: Path) -> None:
    configure(tmp_path, PROGRAM)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "a x b")
        assert (await user.run("boildown.report", {"uri": uri}))["state"] == "refused"
        assert REPORT not in await user.actions(uri)
        await user.reduce(uri)
        seen = await user.run("boildown.report", {"uri": uri})
        assert (seen["state"], seen["output"]) == ("done", None)
        report = seen["markdown"]
        assert report.startswith("# ``exit 1: ValueError in ")
        assert "`crash.txt` (1 byte, 1-character-minimal; reduced from 5 bytes in " in report
        assert "ValueError: an x" in report
        assert "\nThe original fails with ``exit 1: ValueError in " in report
        assert str(tmp_path) not in report
        assert f"\n```sh\n{Path(sys.executable).name} -I -S repro.py crash.txt\n```\n" in report
        assert len(re.findall("(?m)^```", report)) % 2 == 0
    async with editor(tmp_path) as user:
        (tmp_path / "again").mkdir()
        uri = user.write(tmp_path / "again" / "crash.txt", "x")
        # Beside those of others it stands behind the one for the rest.
        action = (await user.actions(uri, only=["quickfix.boildown"]))[REPORT]
        seen = await user.follow(action)
        output = tmp_path / "again" / "crash.report.md"
        assert seen["output"] == str(output)
        assert output.read_text() == seen["markdown"]
        assert "reduced from 5 bytes" in seen["markdown"]
        assert user.client.shown_documents[-1].uri == output.as_uri()


@pytest.mark.slow
async def test_a_report_on_a_string_has_the_command_that_a_person_would_type(
    tmp_path: Path,
) -> None:
    code = "def test_a():\n    assert len('a x') < 1\n"
    async with editor(tmp_path, {"testInterpreter": [sys.executable]}) as user:
        uri = user.write(tmp_path / "test_a.py", code, "python")
        place = {"line": 1, "character": 16}
        at = {"uri": uri, "range": {"start": place, "end": place}}
        await user.run("boildown.reduce", {**at, "wait": True})
        report = (await user.run("boildown.report", at))["markdown"]
        assert "\n```sh\npython -m pytest test_a.py::test_a\n```\n" in report
        assert "boildown_case" not in report
        assert str(tmp_path) not in report


async def test_a_report_of_a_pattern_has_the_pattern(tmp_path: Path) -> None:
    configure_pairs(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", '[1, {"a": 2}]', "json")
        await user.run("boildown.generalize", {"uri": uri, "wait": True})
        assert REPORT in await user.actions(uri, only=["quickfix.boildown"])
        report = (await user.run("boildown.report", {"uri": uri}))["markdown"]
        assert "(5 bytes; reduced from 13 bytes in " in report
        assert "All inputs of this pattern fail so, as far as tried:" in report
        assert "[⟨value⟩¹, ⟨value⟩², …³]" in report


async def test_no_report_is_written_of_what_does_not_fail_any_more(tmp_path: Path) -> None:
    configure(tmp_path, PROGRAM)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "a x b")
        await user.reduce(uri)
        configure(tmp_path, "")
        seen = await user.run("boildown.report", {"uri": uri, "open": True})
        assert seen["state"] == "failed"
        assert "does not reproduce" in seen["message"]
        assert list(tmp_path.glob("*.md")) == []


async def test_a_name_with_braces_is_a_name(tmp_path: Path) -> None:
    configure(tmp_path, PROGRAM)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "a{b}{}.txt", "a x")
        end = await user.reduce(uri)
        assert Path(end["output"]).read_text() == "x"


@pytest.mark.parametrize("command", ["boildown.check", "boildown.report", "boildown.tree"])
@pytest.mark.parametrize("wrong", [{"uri": 3}, {"input": "all"}, {"range": [1]}, {"open": 1}])
async def test_arguments_are_checked(tmp_path: Path, command: str, wrong: dict[str, Any]) -> None:
    if "open" in wrong and command != "boildown.report":
        return
    async with editor(tmp_path) as user:
        with pytest.raises(JsonRpcException, match=f"{command}: ") as error:
            await user.run(command, {"uri": "file:///a", **wrong})
        assert error.value.code == -32602
