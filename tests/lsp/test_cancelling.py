"""After a cancel the same document can be worked on at once, whatever the client says of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from lsp.editor import editor
from lsp.projects import configure
from lsp.raw import INITIALIZE, Raw

pytestmark = pytest.mark.e2e

PATIENT = """
import os, sys, time
open("begun", "w").close()
while os.path.exists("wait"):
    time.sleep(0.01)
sys.exit("x" in open(sys.argv[1]).read())
"""
"""A test command that fails where there is an x, and hangs as long as there is a file `wait`."""


async def test_a_command_right_after_a_cancel_waits_for_its_end_and_runs(tmp_path: Path) -> None:
    configure(tmp_path, PATIENT)
    wait, begun = tmp_path / "wait", tmp_path / "begun"
    wait.touch()
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", "a x")
        first = asyncio.create_task(user.reduce(uri))
        await user.until(begun.exists)
        refused = await user.reduce(uri)
        assert refused["state"] == "refused"
        assert "A job is at work on crash.txt already." in refused["message"]
        cancelled = asyncio.create_task(user.run("boildown.cancel", {"uri": uri}))
        again = asyncio.create_task(user.reduce(uri))
        assert await cancelled == {"cancelled": 1}
        assert (await first)["state"] == "cancelled"
        wait.unlink()
        assert (await again)["state"] == "done"
        assert user.text(uri) == "x"


async def test_of_two_commands_after_a_cancel_one_runs(tmp_path: Path) -> None:
    configure(tmp_path, PATIENT)
    wait, begun = tmp_path / "wait", tmp_path / "begun"
    wait.touch()
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "a x")
        await user.run("boildown.reduce", {"uri": uri})
        await user.until(begun.exists)
        await user.run("boildown.cancel")
        both = asyncio.gather(
            user.run("boildown.reduce", {"uri": uri}), user.run("boildown.check", {"uri": uri})
        )
        wait.unlink()
        states = sorted(each["state"] for each in await both)
        assert states in (["done", "refused"], ["refused", "started"])


async def test_a_cancel_ends_the_command_that_waits_for_the_end_of_another(tmp_path: Path) -> None:
    configure(tmp_path, PATIENT)
    wait, begun = tmp_path / "wait", tmp_path / "begun"
    wait.touch()
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", "a x")
        await user.run("boildown.reduce", {"uri": uri})
        await user.until(begun.exists)
        wait.unlink()
        asked = [
            asyncio.ensure_future(each)
            for each in (
                user.run("boildown.cancel", {"uri": uri}),
                user.reduce(uri),
                user.run("boildown.cancel", {"uri": uri}),
                user.reduce(uri),
            )
        ]
        first, second, third, last = [await each for each in asked]
        assert first == {"cancelled": 1}
        # The second one is told of the job that it waits for, unless that has ended already.
        assert third["cancelled"] in (1, 2)
        assert second["state"] == "cancelled"
        assert last["state"] == "done"
        assert user.text(uri) == "x"


async def test_a_command_that_is_withdrawn_while_it_waits_begins_nothing(tmp_path: Path) -> None:
    configure(tmp_path, PATIENT)
    wait, begun = tmp_path / "wait", tmp_path / "begun"
    wait.touch()
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", "a x")
        await user.run("boildown.reduce", {"uri": uri})
        await user.until(begun.exists)
        wait.unlink()
        user.client.workspace_execute_command(types.ExecuteCommandParams("boildown.cancel"))
        params = types.ExecuteCommandParams("boildown.reduce", [{"uri": uri, "wait": True}])
        given_up = asyncio.wrap_future(
            user.client.protocol.send_request(
                types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="given up"
            )
        )
        user.client.cancel_request(types.CancelParams("given up"))
        with pytest.raises(JsonRpcException, match="canceled"):
            await given_up
        assert (await user.reduce(uri))["state"] == "done"
        assert user.text(uri) == "x"
        # The first job and the last one; each has a token of its own.
        assert len(user.tokens()) == 2


def test_a_job_that_is_cancelled_while_the_client_shows_no_progress_runs_nothing(
    tmp_path: Path,
) -> None:
    configure(tmp_path, PATIENT)
    uri = (tmp_path / "crash.txt").as_uri()
    with Raw(initialized=False) as server:
        capabilities = {"window": {"workDoneProgress": True}}
        params = {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": capabilities}
        assert "result" in server.request(1, "initialize", {**INITIALIZE["params"], **params})
        server.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})
        item = {"uri": uri, "languageId": "plaintext", "version": 1, "text": "a x"}
        opened = {"method": "textDocument/didOpen", "params": {"textDocument": item}}
        server.send({"jsonrpc": "2.0", **opened})
        for number, name in ((2, "reduce"), (3, "cancel")):
            run = {"command": f"boildown.{name}", "arguments": [{"uri": uri, "wait": True}]}
            message = {"id": number, "method": "workspace/executeCommand", "params": run}
            server.send({"jsonrpc": "2.0", **message})
        assert server.answer(2)["result"]["state"] == "cancelled"
        assert not (tmp_path / "begun").exists()
        # The answer that comes so late is for nobody.
        create = next(each for each in server.others if {"id", "method"} <= each.keys())
        server.send({"jsonrpc": "2.0", "id": create["id"], "result": None})
        server.others.clear()
        assert server.request(4, "shutdown")["result"] is None
        assert not [each for each in server.others if each.get("method") == "window/logMessage"]


async def test_a_command_that_goes_on_with_a_second_job_is_cancelled_in_that(
    tmp_path: Path,
) -> None:
    text = (
        "import time\n"
        "def test_one():\n"
        "    value = 'a x b'\n"
        "    if len(value) < 5:\n"
        "        time.sleep(0.5)\n"
        "    assert 'x' not in value\n"
    )
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "test_it.py", text, "python")
        argument = {"uri": uri, "test": "test_one", "wait": True}
        params = types.ExecuteCommandParams("boildown.reduceTest", [argument])
        both = asyncio.wrap_future(
            user.client.protocol.send_request(
                types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="both"
            )
        )
        await user.until(lambda: len(user.tokens()) == 2)
        user.client.cancel_request(types.CancelParams("both"))
        with pytest.raises(JsonRpcException, match="canceled"):
            await both
        await user.until(lambda: user.messages)
        assert user.text(uri) == text
        assert "topped" in user.messages[0]
