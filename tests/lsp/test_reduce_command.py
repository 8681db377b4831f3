"""The way of a reduction through the server: offered, run, shown, ended, put back."""

from __future__ import annotations

import asyncio
import itertools
import re
import sys
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from boildown.engine.reducing.passes import AUTO
from boildown.jobs import words
from boildown.lsp import settings
from lsp.editor import CANCEL, REDUCE, Editor, editor
from lsp.projects import HUNGRY, configure

PYTHON = Path(sys.executable).name
TEXT = "one two\nthree x four\nfive\n"
HANGS = """
import os, sys, time
with open("runs", "a") as runs:
    runs.write(".")
if os.path.getsize("runs") > 14:
    time.sleep(100)
sys.exit("x" in open(sys.argv[1]).read())
"""
"""Answers 14 times and hangs then: four runs are the preflight's."""
SLOW = """
import os, sys, time
time.sleep(0 if os.path.exists("quick") else 0.5)
sys.exit("x" in open(sys.argv[1]).read())
"""
"""Takes half a second, unless there is a file `quick`."""
FLAKY = """
import os, sys
with open("runs", "a") as runs:
    runs.write(".")
sys.exit("x" in open(sys.argv[1]).read() and os.path.getsize("runs"))
"""
"""Fails with another exit status each time."""
GATED = """
import os, sys, time
while not os.path.exists("go"):
    time.sleep(0.01)
sys.exit("x" in open(sys.argv[1]).read())
"""
"""Answers once there is a file `go`."""


def extent(*numbers: int) -> types.Range:
    first, second, third, fourth = numbers
    return types.Range(types.Position(first, second), types.Position(third, fourth))


@pytest.mark.contract
async def test_the_action_says_what_runs_and_its_command_reduces(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        actions = await user.actions(uri, only=[REDUCE])
        (title,) = actions
        assert title == f"Boildown: reduce with {PYTHON} -I -S repro.py {{file}}"
        assert actions[title].kind == REDUCE
        command = actions[title].command
        assert command is not None
        (argument,) = command.arguments or ()
        assert argument == {"uri": uri, "version": 1, "input": "document"}
        started = await user.run(command.command, argument)
        assert started["state"] == "started"
        await user.until(lambda: user.text(uri) == "x")
        await user.until(lambda: user.progress(started["token"])[-1].kind == "end")
        begin = user.progress(started["token"])[0]
        assert begin.kind == "begin"
        assert begin.cancellable
        (edit,) = user.edits[0].edit.document_changes or ()
        assert isinstance(edit, types.TextDocumentEdit)
        assert edit.text_document.version == 1
        (message,) = await user.until(lambda: user.messages)
        assert message.startswith("Boildown: Reduced 26 → 1 byte: exit 1")


async def test_each_report_of_progress_says_something_new_and_how_much_is_gone(
    tmp_path: Path,
) -> None:
    configure(tmp_path, SLOW)
    async with editor(tmp_path, {"applyResult": "edit", "jobs": 1, "liveProgress": True}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        end = await user.reduce(uri)
        assert end["bytesAfter"] == 1
        (token,) = user.tokens()
        begin, *reports, _ = user.progress(token)
        assert begin.percentage == 0
        # The rate changes as time passes, which is no news.
        said = [re.sub(r", \d+/s", "", each.message) for each in reports]
        assert all(one != other for one, other in itertools.pairwise(said[:-1]))
        shares = [each.percentage for each in reports]
        assert shares == sorted(shares)
        assert shares[-1] == 99 * 25 // 26
        news = [(each.phase, each.runs, each.text) for each in user.live]
        assert len(news) == len(set(news))
        assert [each.percentage for each in user.live] == shares


async def test_other_kinds_of_actions_are_not_offered(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        assert await user.actions(uri, only=["refactor"]) == {}
        assert await user.actions(uri, only=["quickfix.boildown.apply"]) == {}
        assert len(await user.actions(uri, only=[REDUCE])) == 1
        other = user.write(tmp_path / "other.md", TEXT)
        assert await user.actions(other) == {}


async def test_by_default_the_result_of_a_whole_document_opens_beside_it(tmp_path: Path) -> None:
    configure(tmp_path)
    (tmp_path / "crash.reduced.txt").write_text("mine")
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        end = await user.reduce(uri)
        assert end["state"] == "done"
        assert end["text"] == "x"
        assert (end["minimality"], end["certificate"]["unit"]) == (
            "1-character-minimal",
            "character",
        )
        assert end["passing"] == {"text": "\n", "distance": 1}
        assert end["failures"]["original"] == end["failures"]["reduced"]
        assert end["message"].endswith(
            f" It passes as '\\n', 1 character away. It fails as before: "
            f"{end['failures']['reduced']}"
        )
        assert end["output"] == str(tmp_path / "crash.reduced.2.txt")
        assert user.text(uri) == TEXT
        assert (tmp_path / "crash.reduced.txt").read_text() == "mine"
        assert (tmp_path / "crash.reduced.2.txt").read_text() == "x"
        (shown,) = user.client.shown_documents
        assert shown.uri == (tmp_path / "crash.reduced.2.txt").as_uri()
        assert not shown.take_focus
        await user.take((await user.actions(uri))["Boildown: apply the result"])
        assert user.text(uri) == "x"
        assert "26 → 1 byte, " in await user.hover(uri)


async def test_a_selection_is_reduced_and_the_rest_stays(tmp_path: Path) -> None:
    configure(
        tmp_path, "import sys; sys.exit('keep' in (t := open(sys.argv[1]).read()) and 'x' in t)"
    )
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "keep\n" + TEXT)
        first, second, third = (await user.actions(uri, extent(1, 0, 2, 12), [REDUCE])).values()
        assert first.title.startswith("Boildown: reduce the selection, the rest stays, with ")
        assert second.title.startswith("Boildown: reduce the selection alone with ")
        assert third.title.startswith(f"Boildown: reduce with {PYTHON} ")
        await user.follow(first)
        assert user.text(uri) == "keep\nx\nfive\n"


async def test_a_selection_is_reduced_without_the_rest(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "x x\n" + TEXT)
        actions = list((await user.actions(uri, extent(1, 0, 2, 12), [REDUCE])).values())
        await user.follow(actions[1])
        assert user.text(uri) == "x x\nx\nfive\n"


@pytest.mark.parametrize("way", ["progress", "command", "action", "all"])
async def test_cancel_offers_the_best_so_far(tmp_path: Path, way: str) -> None:
    text = "filler " * 50 + "x" + " filler" * 30
    configure(tmp_path, HANGS, more="timeout = 100")
    async with editor(tmp_path, {"applyResult": "edit", "jobs": 1}) as user:
        uri = user.write(tmp_path / "crash.txt", text)
        job = asyncio.ensure_future(user.reduce(uri))
        token = (await user.until(user.tokens))[0]
        runs = tmp_path / "runs"
        await user.until(lambda: runs.exists() and runs.stat().st_size > 14)
        await cancel(user, uri, token, way)
        end = await asyncio.wait_for(job, 5)
        assert end["state"] == "cancelled"
        assert not end["finished"]
        assert user.progress(token)[-1].kind == "end"
        assert "x" in end["text"]
        assert len(end["text"]) < len(text)
        assert user.text(uri) == end["text"]
        assert "stopped early" in user.messages[0]


async def cancel(user: Editor, uri: str, token: types.ProgressToken, way: str) -> None:
    match way:
        case "progress":
            user.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
        case "command":
            assert await user.run("boildown.cancel", {"uri": uri}) == {"cancelled": 1}
        case "all":
            assert await user.run("boildown.cancel") == {"cancelled": 1}
        case "action":
            (action,) = (await user.actions(uri, only=[CANCEL])).values()
            assert action.title == "Boildown: cancel the reduction, keep the best so far"
            assert action.command is not None
            await user.run(action.command.command, *(action.command.arguments or ()))


@pytest.mark.slow
@pytest.mark.parametrize("way", ["edit", "preview"])
async def test_after_the_time_is_up_the_user_may_go_on(tmp_path: Path, way: str) -> None:
    text = "filler " * 50 + "x" + " filler" * 30
    configure(tmp_path, SLOW)
    async with editor(tmp_path, {"applyResult": way, "jobs": 1, "maxSeconds": 4}) as user:
        uri = user.write(tmp_path / "crash.txt", text)
        user.says = "Continue"
        end = await user.reduce(uri)
        (tmp_path / "quick").touch()
        assert "x" in end["text"]
        assert not end["finished"]
        (question,) = await user.until(lambda: user.questions)
        assert question.message == "Boildown: crash.txt: stopped after 4 seconds. Go on?"
        await user.until(lambda: len(user.messages) == 2)
        assert user.text(uri) == ("x" if way == "edit" else text)
        # The steps are kept after the user was told.
        kept = ("", "")
        for _ in range(2000):
            listed = await user.run("boildown.history", {"uri": uri})
            steps = listed.get("steps")
            kept = (steps[0]["text"], steps[-1]["text"]) if steps else kept
            if kept == (text, "x"):
                break
            await asyncio.sleep(0.01)
        assert kept == (text, "x")


async def test_a_withdrawn_request_cancels_its_job(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        params = types.ExecuteCommandParams(
            "boildown.reduce", arguments=[{"uri": uri, "wait": True}]
        )
        answer = user.client.protocol.send_request(
            types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="mine"
        )
        token = (await user.until(user.tokens))[0]
        user.client.cancel_request(types.CancelParams("mine"))
        await user.until(lambda: user.progress(token)[-1].kind == "end")
        error = answer.exception(5)
        assert isinstance(error, JsonRpcRequestCancelled)
        (message,) = await user.until(lambda: user.messages)
        assert "topped before anything" in message


@pytest.mark.contract
async def test_a_document_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        job = asyncio.ensure_future(user.reduce(uri))
        await user.until(user.tokens)
        user.type(uri, "typed")
        (tmp_path / "go").touch()
        end = await job
        assert user.text(uri) == TEXT + "typed"
        assert user.edits == []
        assert end["output"] == str(tmp_path / "crash.reduced.txt")
        assert (tmp_path / "crash.reduced.txt").read_text() == "x"
        (message,) = user.messages
        assert "The document has changed meanwhile and stays as it is" in message


async def test_an_edit_that_the_client_refuses_is_not_lost(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        user.takes_edits = False
        end = await user.reduce(uri)
        assert len(user.edits) == 1
        assert user.text(uri) == TEXT
        assert (tmp_path / "crash.reduced.txt").read_text() == "x"
        assert end["output"] == str(tmp_path / "crash.reduced.txt")
        assert "did not take the edit" in user.messages[0]


async def test_an_action_for_an_older_version_is_refused(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        user.type(uri, "more")
        end = await user.reduce(uri, version=1)
        assert end["state"] == "refused"
        assert "crash.txt has changed since this was offered." in user.messages[0]


@pytest.mark.parametrize(
    ("text", "program", "part"),
    [
        ("no such letter", HUNGRY, "the command exits with 0"),
        ("x", "import sys; sys.exit(1)", "The empty input reproduces too"),
        ("x", FLAKY, "The failure is flaky"),
        ("x", None, "there is no such file"),
    ],
)
async def test_a_failed_preflight_is_said(
    tmp_path: Path, text: str, program: str | None, part: str
) -> None:
    script = configure(tmp_path, program or "")
    if program is None:
        script.unlink()
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", text)
        end = await user.reduce(uri)
        assert end["state"] == "failed"
        (message,) = user.messages
        assert part in message
        assert user.text(uri) == text


async def test_a_hover_tells_of_the_job(tmp_path: Path) -> None:
    configure(tmp_path, GATED)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        assert await user.hover(uri) == ""
        job = asyncio.ensure_future(user.reduce(uri))
        await user.until(user.tokens)
        assert "reducing the document: " in await user.hover(uri)
        (tmp_path / "go").touch()
        await job
        hover = await user.hover(uri)
        assert "Reduced: 26 → 1 byte, 96.1% smaller, in " in hover
        assert "1-character-minimal: no single character of it can be left out." in hover
        user.type(uri, "y")
        assert await user.hover(uri) == ""


async def test_two_documents_are_reduced_side_by_side_but_one_only_once(tmp_path: Path) -> None:
    configure(tmp_path, files="quick.txt")
    (tmp_path / "slow").mkdir()
    configure(tmp_path / "slow", GATED)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        slow = user.write(tmp_path / "slow" / "slow.txt", TEXT)
        quick = user.write(tmp_path / "quick.txt", TEXT)
        job = asyncio.ensure_future(user.reduce(slow))
        await user.until(user.tokens)
        assert (await user.reduce(slow))["state"] == "refused"
        assert "A job is at work on slow.txt already." in user.messages[0]
        assert (await user.reduce(quick))["text"] == "x"
        assert not job.done()
        (tmp_path / "slow" / "go").touch()
        assert (await job)["text"] == "x"


@pytest.mark.contract
async def test_nothing_runs_in_a_workspace_that_is_not_trusted(tmp_path: Path) -> None:
    configure(tmp_path, "open('ran', 'w')")
    async with editor(tmp_path, {"trusted": False}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        end = await user.reduce(uri)
        assert end["state"] == "refused"
        assert "This workspace is not trusted" in user.messages[0]
        assert not (tmp_path / "ran").exists()


async def test_without_a_test_command_the_message_says_how_to_give_one(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        assert await user.actions(uri) == {}
        end = await user.reduce(uri)
        assert (end["state"], end["needs"]) == ("refused", "command")
        assert "No test command is configured for crash.txt." in user.messages[0]


async def test_the_editors_settings_can_hold_the_test_command(tmp_path: Path) -> None:
    (tmp_path / "repro.py").write_text(HUNGRY)
    entry = {"files": ["*.txt"], "command": [sys.executable, "-I", "-S", "repro.py", "{file}"]}
    async with editor(tmp_path) as user:
        user.client.set_configuration({"boildown": {"inputs": [entry], "applyResult": "edit"}})
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        assert user.text(uri) == "x"
        user.client.set_configuration({"boildown": {"inputs": []}})
        user.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        assert await user.actions(uri, only=[REDUCE]) == {}


async def test_a_setting_that_makes_no_sense_is_said_once(tmp_path: Path) -> None:
    async with editor(tmp_path, {"applyResult": "maybe", "jobs": -1, "maxSeconds": "x"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.actions(uri)
        await user.actions(uri)
        assert [message.split(" ")[1] for message in user.messages] == [
            "boildown.applyResult",
            "boildown.maxSeconds",
            "boildown.jobs",
        ]


async def test_a_document_that_was_never_saved_is_edited(tmp_path: Path) -> None:
    configure(tmp_path, files="*.json")
    async with editor(tmp_path) as user:
        uri = user.open("untitled:Untitled-1", '{"a": "x"}', "json")
        await user.reduce(uri)
        assert user.text(uri) == '"x"'


@pytest.mark.slow
async def test_live_progress_is_for_clients_that_ask(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"liveProgress": True}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        last = user.live[-1]
        assert last.uri == uri
        assert (last.bytes, last.bytesBefore, last.text) == (1, 26, "x")
        assert (last.doing, last.phase) == ("reducing", "verify")
        assert (last.step, last.runsLeft) == ("running the result once more", None)
        assert 0 < last.secondsLeft < settings.MAX_SECONDS
        [failure] = set(last.failures)
        assert failure.startswith("exit 1")
        outcomes = last.outcomes
        assert outcomes.reproduced > 0
        assert outcomes.passed > 0
        assert outcomes.reproduced + outcomes.passed == last.runs
        assert (outcomes.invalid, outcomes.timeout) == (0, 0)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "other.txt", TEXT)
        await user.reduce(uri)
        assert user.live == []


def test_each_pass_of_the_pipeline_is_told_in_plain_words() -> None:
    steps = {name: words.step(name) for name in AUTO}
    assert [name for name, step in steps.items() if step == name] == []
    assert steps["prune"] == "leaving parts out"
    assert steps["characters"] == "checking that nothing more can go"
    assert words.step("drop_comments") == "drop_comments"


async def test_a_client_that_compares_gets_the_result_instead_of_a_file(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"diffPreview": True}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        answer = await user.reduce(uri)
        [preview] = user.previews
        assert (preview.uri, preview.version, preview.text) == (uri, 1, "x")
        assert preview.message == f"Reduced 26 → 1 byte: {answer['failures']['reduced']}"
        assert (preview.details, list(preview.choices)) == (answer["message"], [])
        assert answer["output"] is None
        assert user.text(uri) == TEXT
        assert user.messages == []
        assert [path.name for path in tmp_path.glob("*.reduced.*")] == []
