"""Clients of all kinds: malformed messages, missing capabilities, early and late requests."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from boildown.lsp.handlers import create
from lsp.editor import editor
from lsp.projects import configure
from lsp.raw import INITIALIZE, Raw

URI = "file:///nowhere/crash.txt"
HOVER = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ([1, 2], -32600),
        ("hello", -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "shutdown"}, -32600),
        ({"jsonrpc": "2.0", "id": [1], "method": "shutdown"}, -32600),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}, -32600),
    ],
)
def test_what_is_no_message_is_refused_without_an_id(message: Any, code: int) -> None:
    with Raw() as server:
        server.send(message)
        assert server.answer(None)["error"]["code"] == code
        assert server.request(2, "textDocument/hover", HOVER)["result"] is None


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("no/such", {"a": 1}, -32601),
        ("textDocument/hover", {"textDocument": 3}, -32602),
        ("textDocument/hover", [1], -32602),
        ("textDocument/codeAction", None, -32602),
        ("workspace/executeCommand", {"command": "no.such"}, -32602),
        ("workspace/executeCommand", {"command": "boildown.reduce"}, -32602),
        ("workspace/executeCommand", {"command": "boildown.reduce", "arguments": [3]}, -32602),
        ("workspace/executeCommand", {"command": "boildown.reduce", "arguments": [{}]}, -32602),
        ("initialize", INITIALIZE["params"], -32600),
        (3, {}, -32600),
    ],
)
def test_a_request_that_makes_no_sense_gets_an_error(method: Any, params: Any, code: int) -> None:
    with Raw() as server:
        error = server.request("mine", method, params)["error"]
        assert error["code"] == code
        assert "Traceback" not in str(error)
        assert "data" not in error or error["data"] is None


@pytest.mark.parametrize(
    "argument",
    [
        {"uri": 3},
        {"uri": ""},
        {"uri": URI, "version": "1"},
        {"uri": URI, "version": True},
        {"uri": URI, "version": -1},
        {"uri": URI, "range": 3},
        {"uri": URI, "range": {"start": {}, "end": {}}},
        {"uri": URI, "range": {"start": {"line": -1, "character": 0}}},
        {"uri": URI, "input": "all"},
        {"uri": URI, "wait": 1},
    ],
)
def test_arguments_that_make_no_sense_are_named(argument: Any) -> None:
    with Raw() as server:
        params = {"command": "boildown.reduce", "arguments": [argument]}
        error = server.request(1, "workspace/executeCommand", params)["error"]
        assert error["code"] == -32602
        assert error["message"].startswith("boildown.reduce: ")


def test_broken_json_ends_nothing() -> None:
    with Raw() as server:
        server.send_body(b"{not json")
        server.send_body(b"\xff\xfe")
        server.send_body(b"[" * 100_000)
        assert server.request(1, "textDocument/hover", HOVER)["result"] is None


def test_before_initialize_and_after_shutdown_requests_get_their_errors() -> None:
    with Raw(initialized=False) as server:
        assert server.request(1, "textDocument/hover", HOVER)["error"]["code"] == -32002
        assert "result" in server.request(2, "initialize", INITIALIZE["params"])
        assert server.request(3, "shutdown") == {"jsonrpc": "2.0", "id": 3, "result": None}
        assert server.request(4, "textDocument/hover", HOVER)["error"]["code"] == -32600
        server.send({"jsonrpc": "2.0", "method": "exit"})
        assert server.process.wait(10) == 0


def test_the_server_ends_with_status_1_if_the_client_forgets_shutdown() -> None:
    with Raw() as server:
        server.send({"jsonrpc": "2.0", "method": "exit"})
        assert server.process.wait(10) == 1


ATOMS: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    10**30,
    "",
    "x",
    URI,
    "\ud800",
    [],
    {},
    "boildown.reduce",
]
KEYS = (
    *("uri", "version", "range", "start", "end", "line", "character", "text", "languageId"),
    *("textDocument", "position", "contentChanges", "context", "diagnostics", "only", "command"),
    *("arguments", "token", "id", "wait", "input", "step", "settings", "jsonrpc", "method"),
    *("open", "form", "count", "seed"),
)
COMMANDS = sorted(create().protocol.fm.commands)
METHODS = (
    *(
        "textDocument/inlayHint",
        "textDocument/hover",
        "textDocument/codeAction",
        "textDocument/didOpen",
        "no/such",
    ),
    *("textDocument/didChange", "textDocument/didClose", "workspace/executeCommand", "$/no"),
    *("workspace/didChangeConfiguration", "window/workDoneProgress/cancel", "initialized"),
    *("$/cancelRequest", "$/setTrace", "initialize", "codeAction/resolve"),
)
VALID = {
    "textDocument": {"uri": URI, "languageId": "python", "version": 1, "text": "x = 'a'\r\n😀"},
    "position": {"line": 0, "character": 5},
    "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 1}},
    "context": {"diagnostics": []},
    "contentChanges": [{"text": "def test(): 'x'"}],
    "command": "boildown.reduce",
    "arguments": [{"uri": URI, "wait": True}],
    "token": "boildown-1",
    "settings": {"boildown": {"jobs": 1}},
    "value": "off",
    "id": 3,
}


def noise(rng: random.Random, depth: int = 0) -> Any:
    """Return some JSON, sometimes close to what makes sense."""
    kind = rng.randrange(4 if depth < 4 else 1)
    if kind == 1:
        return [noise(rng, depth + 1) for _ in range(rng.randrange(3))]
    if kind == 2:
        return {rng.choice(KEYS): noise(rng, depth + 1) for _ in range(rng.randrange(5))}
    return rng.choice(ATOMS)


def spoiled(rng: random.Random) -> dict[str, Any]:
    """Return parameters that make sense but for a few."""
    params: dict[str, Any] = {**VALID, "command": rng.choice(COMMANDS)}
    for _ in range(rng.randrange(3)):
        params[rng.choice(list(params))] = noise(rng, 1)
    return params


def is_request(message: Any) -> bool:
    """Say whether somebody waits for an answer to a message."""
    if not isinstance(message, dict) or "method" not in message:
        return False
    number = message.get("id")
    return isinstance(number, int | str) and not isinstance(number, bool)


@pytest.mark.slow
@pytest.mark.e2e
def test_10000_random_messages_leave_the_server_answering() -> None:
    rng = random.Random(20261121)
    asked: Counter[int | str] = Counter()
    with Raw() as server:
        for number in range(1, 10_001):
            message: Any = {"jsonrpc": "2.0", "method": rng.choice(METHODS), "params": spoiled(rng)}
            if rng.random() < 0.5:
                message["id"] = number
            if rng.random() < 0.2:
                message[rng.choice(("id", "method", "params", "jsonrpc", "result"))] = noise(rng)
            if rng.random() < 0.05:
                message = noise(rng)
            if is_request(message):
                asked[message["id"]] += 1
            server.send(message)
            if number % 100 == 0:
                answer = server.request(f"check {number}", "textDocument/hover", HOVER)
                assert "result" in answer
        for number in range(100):  # Some answers are still on their way.
            answers = [message for message in server.others if "method" not in message]
            answered = Counter(answer["id"] for answer in answers if answer["id"] is not None)
            if answered == asked:
                break
            server.request(f"more {number}", "textDocument/hover", HOVER)
        assert server.request("last", "shutdown")["result"] is None
    assert asked.total() > 4000
    assert answered == asked
    assert all("result" in answer or "error" in answer for answer in answers)
    assert not any("Traceback" in str(answer) for answer in answers)


@pytest.mark.parametrize(
    "capabilities",
    [
        types.ClientCapabilities(),
        types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(apply_edit=True)),
    ],
)
async def test_a_client_with_no_capabilities_is_served(
    tmp_path: Path, capabilities: types.ClientCapabilities
) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"applyResult": "edit"}, capabilities) as user:
        uri = user.write(tmp_path / "crash.txt", "a x")
        found = await user.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri),
                types.Range(types.Position(0, 0), types.Position(0, 0)),
                types.CodeActionContext([]),
            )
        )
        command = (found or ())[0]
        assert isinstance(command, types.Command)
        end = await user.reduce(uri)
        if capabilities.workspace is None:
            assert user.text(uri) == "a x"
            assert end["output"] == str(tmp_path / "crash.reduced.txt")
            assert f"The result is in {end['output']}." in user.messages[0]
        else:
            assert user.edits[0].edit.changes is not None
            assert user.text(uri) == "x"
        assert user.tokens() == []


async def test_several_folders_have_configurations_of_their_own(tmp_path: Path) -> None:
    for name, program in (("one", "x"), ("two", "y")):
        (tmp_path / name).mkdir()
        text = f"import sys; sys.exit({program!r} in open(sys.argv[1]).read())"
        configure(tmp_path / name, text)
    async with editor(tmp_path / "one", {"applyResult": "edit"}) as user:
        user.client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(
                types.WorkspaceFoldersChangeEvent(
                    added=[types.WorkspaceFolder((tmp_path / "two").as_uri(), "two")], removed=[]
                )
            )
        )
        one = user.write(tmp_path / "one" / "a.txt", "x y z")
        two = user.write(tmp_path / "two" / "a.txt", "x y z")
        await user.reduce(one)
        await user.reduce(two)
        assert (user.text(one), user.text(two)) == ("x", "y")


async def test_line_ends_and_astral_characters_keep_positions_right(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "😀😀\r\n😀 a x 😀\r\n")
        plain = {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 6}}
        await user.reduce(uri, range=plain, input="alone")
        assert user.text(uri) == "😀😀\r\n😀x 😀\r\n"


async def test_a_document_that_is_not_open_is_no_trouble(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = (tmp_path / "closed.txt").as_uri()
        assert await user.actions(uri) == {}
        assert await user.hover(uri) == ""
        assert (await user.reduce(uri))["state"] == "refused"
        with pytest.raises(JsonRpcException):
            await user.run("boildown.reduce", {"uri": 3})


@pytest.mark.parametrize("arguments", [["--tcp", "x"], ["--tcp", "1", "--ws", "2"], ["--no"]])
def test_wrong_usage_is_said(arguments: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "boildown", "lsp", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert "usage: boildown lsp" in ended.stderr
