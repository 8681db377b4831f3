"""A client whose requests and commands have arguments of any type, size or spelling.

The environment variable `BOILDOWN_HOSTILE` says how many mutants of each are sent.
"""

from __future__ import annotations

import contextlib
import copy
import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lsprotocol import types

from boildown.jobs.instances import FORMS
from boildown.lsp.commands.table import COMMANDS, Command
from boildown.lsp.handlers import create
from boildown.lsp.readers import readers
from boildown.lsp.settings import ClientOptions, Settings
from lsp.projects import configure_pairs
from lsp.raw import INITIALIZE, Raw

COUNT = int(os.environ.get("BOILDOWN_HOSTILE", "20"))
"""Mutants of each command and request; of a command that runs programs, a twentieth of them."""
ANSWERED = (-32602, -32601, -32600, -32801)
"""The codes of errors that a client has to expect: of these, that the server failed is none."""
LONG = "a" * 5_000
NUMBERS: tuple[Any, ...] = (0, -1, 1.5, 1e999, float("nan"), 10_001, 2**31, 2**63, 10**4000)
STRINGS = (
    *("", " ", "x", "\0", "\ud800", "\udc80", LONG, "../" * 200, "*" * 100, "[", "'", '"', "\n"),
    *(
        "file://[",
        "file:",
        "file:///",
        "file:///%00",
        "file:///nowhere/a%ff",
        "file:///\ud800",
        "http://[/",
    ),
    *("file://host/x", f"file:///{LONG}", "file:///" + "a/" * 3_000, "untitled:x", "untitled:"),
    *("text", "document", "literal", "file:///nowhere/x.json", "test_one", "test_one["),
)
OTHERS: tuple[Any, ...] = (
    *(None, True, False, [], {}, [None], [[]], [{}], {"": {}}, {"start": {}, "end": []}),
    *(["a\0", "\ud800"], [LONG], json.loads("[" * 200 + "]" * 200)),
    json.loads('{"a":' * 200 + "1" + "}" * 200),
)
ATOMS = (*NUMBERS, *STRINGS, *OTHERS)
TEXTS = {
    "a.json": ("json", '[1, {"a": 2}]'),
    "test_it.py": ("python", "def test_one():\n    assert 'x' not in 'a x b'\n"),
    "notes.md": ("markdown", "# Notes\n\n```json\n[1, 2]\n```\n"),
    "odd.json": ("json", '["\ud800", "\0"]'),
}
PLACE = {"line": 0, "character": 2}
EXTENT: dict[str, Any] = {"start": PLACE, "end": {"line": 1, "character": 8}}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths to all parts of some JSON, the whole first."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def mutant(value: Any, rng: Random, keys: list[str]) -> Any:
    """Return some JSON with one part exchanged, left out or added, or with a few."""
    whole = [copy.deepcopy(value)]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        # Each key of the whole is as likely, however much is below it.
        top = rng.choice(list(value)) if isinstance(value, dict) and value else None
        below = [path for path in places(whole[0], (0,)) if path[1:2] in ((top,), ())]
        *path, last = rng.choice(below)
        around: Any = whole
        for key in path:
            around = around[key]
        inner, sort = around[last], rng.randrange(8)
        alike = {str: STRINGS, int: NUMBERS}.get(type(inner), ATOMS)
        if sort == 0 and path:
            del around[last]
        elif sort <= 2 and isinstance(inner, dict):
            inner[rng.choice(keys)] = copy.deepcopy(rng.choice(ATOMS))
        elif sort == 3:
            around[last] = [inner] * rng.randint(1, 2)
        else:
            around[last] = copy.deepcopy(rng.choice(ATOMS if sort == 4 else alike))
    return whole[0]


class Client(Raw):
    """A client with documents of several kinds, some of them at odd places."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.log = folder / "stderr"
        super().__init__(initialized=False, stderr=self.log.open("wb"))
        self.number = 0
        self.uris: list[str] = []
        configure_pairs(folder)
        params = {**INITIALIZE["params"], "rootUri": folder.as_uri()}
        self.ask("initialize", {**params, "initializationOptions": options})
        self.tell("initialized", {})
        for name, (language, text) in TEXTS.items():
            (folder / name).write_text(text, errors="surrogatepass")
            self.open((folder / name).as_uri(), language, text)
        for uri in STRINGS:
            if uri:
                self.open(uri, "json", "[1]")

    def open(self, uri: str, language: str, text: str) -> None:
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        self.uris.append(uri)

    def uri(self, rng: Random) -> str:
        """Return a document, most often one that makes sense."""
        return rng.choice(self.uris[: len(TEXTS)] if rng.random() < 0.8 else self.uris)

    def tell(self, method: str, params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        self.number += 1
        return self.request(self.number, method, params)

    def run(self, command: str, argument: Any) -> Any:
        params = {"command": command, "arguments": [argument]}
        return self.ask(types.WORKSPACE_EXECUTE_COMMAND, params)

    def check(self, answer: Any, sent: Any) -> None:
        """Look at the answer to a mutant, and at what the server has said meanwhile."""
        said = self.log.read_text() + "".join(map(json.dumps, self.others))
        told = f"{json.dumps(sent)[:2000]}\n{json.dumps(answer)[:2000]}\n{said[-3000:]}"
        assert "Traceback" not in said + json.dumps(answer), told
        assert "InternalError" not in said, told
        if "error" in answer:
            assert answer["error"]["code"] in ANSWERED, told
            assert answer["error"]["message"].strip(), told
        else:
            assert "The job failed (" not in json.dumps(answer), told
        for each in self.others:
            if {"id", "method"} <= each.keys():
                self.send({"jsonrpc": "2.0", "id": each["id"], "result": None})
        self.others.clear()


SENSIBLE: dict[str, Any] = {
    "version": 1,
    "range": EXTENT,
    "input": "document",
    "candidate": "1.0",
    "wait": True,
    "test": "test_one",
    "step": 0,
    "count": 2,
    "seed": 1,
    "expected": "1",
    "choice": "Undo",
    "open": False,
    "file": "file:///nowhere/new.json",
}
"""The keys of arguments, with values that make sense."""


def argument(command: Command, client: Client, rng: Random) -> Any:
    """Return an argument that makes sense for a command."""
    of: dict[str, dict[str, Any]] = {
        "boildown.reduceFolder": {"uri": client.uris[0].rpartition("/")[0], "command": ["false"]},
        "boildown.instantiate": {"uri": client.uris[0], "form": rng.choice(list(FORMS))},
        "boildown.configure": {"command": rng.choice(("false", ["false", "{file}"]))},
    }
    keys = [key for key in readers(command.argument) if key in SENSIBLE and rng.random() < 0.5]
    made = {"uri": client.uri(rng), **{key: SENSIBLE[key] for key in keys}}
    return {**made, **of.get(command.name, {})}


def send(client: Client, command: Command, rng: Random) -> None:
    """Send a mutant of a command, and check its answer."""
    keys = list(readers(command.argument))
    given = mutant(argument(command, client, rng), rng, keys)
    params = {"command": command.name, "arguments": [given]}
    if rng.random() < 0.05:
        params = mutant(params, rng, keys)
    client.check(client.ask(types.WORKSPACE_EXECUTE_COMMAND, params), params)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.name)
def test_a_command_refuses_what_makes_no_sense(command: Command, tmp_path: Path) -> None:
    rng = Random(command.name)
    # Without trust nothing is run, and all but that is done.
    with Client(tmp_path, trusted=False) as client:
        for _ in range(COUNT):
            send(client, command, rng)


def test_a_command_that_runs_programs_refuses_it(tmp_path: Path) -> None:
    rng = Random("trusted")
    with Client(tmp_path, trusted=True, maxSeconds=5) as client:
        wanted = {"uri": client.uris[0], "wait": True}
        assert client.run("boildown.generalize", wanted)["result"]["state"] == "done"
        for command in COMMANDS * max(1, COUNT // 20):
            send(client, command, rng)
            client.run("boildown.cancel", {"uri": client.uris[0]})


IDENTIFIED: dict[str, Any] = {"uri": "", "version": 2}
FOLDERS: dict[str, Any] = {"added": [{"uri": "file:///nowhere", "name": "x"}], "removed": []}
CONTEXT: dict[str, Any] = {"diagnostics": [], "only": ["quickfix"], "triggerKind": 1}
CHANGES: list[Any] = [{"range": EXTENT, "text": "x"}, {"text": "[1, 2]"}]
SETTINGS: dict[str, Any] = {
    "applyResult": "edit",
    "maxSeconds": 1,
    "jobs": 1,
    "codeLens": True,
    "inputs": [],
}
PLACED: dict[str, Any] = {"textDocument": {"uri": ""}, "position": PLACE, "range": EXTENT}
PARAMS: dict[str, Any] = {
    "codeAction/resolve": {"title": "x", "kind": "quickfix", "data": {"uri": "", "range": EXTENT}},
    "textDocument/codeAction": {**PLACED, "context": CONTEXT},
    "textDocument/codeLens": PLACED,
    "textDocument/hover": PLACED,
    "textDocument/inlayHint": PLACED,
    "workspace/executeCommand": {"command": "boildown.more", "arguments": [{"uri": ""}]},
    "initialize": INITIALIZE["params"],
    "textDocument/didOpen": {
        "textDocument": {"uri": "", "languageId": "json", "version": 1, "text": "[1]"}
    },
    "textDocument/didChange": {"textDocument": IDENTIFIED, "contentChanges": CHANGES},
    "textDocument/didClose": PLACED,
    "textDocument/didSave": PLACED,
    "workspace/didChangeConfiguration": {"settings": {"boildown": SETTINGS}},
    "workspace/didChangeWatchedFiles": {"changes": [{"uri": "", "type": 1}]},
    "workspace/didChangeWorkspaceFolders": {"event": FOLDERS},
    "workspace/didDeleteFiles": {"files": [{"uri": ""}]},
    "workspace/didRenameFiles": {"files": [{"oldUri": "", "newUri": ""}]},
    "window/workDoneProgress/cancel": {"token": "boildown-1"},
    "$/cancelRequest": {"id": 3},
    "$/setTrace": {"value": "off"},
}
"""All requests and notifications that the server handles, with parameters that make sense."""


def named(params: Any, uri: str) -> Any:
    """Return parameters that make sense with the URI of a document in them."""
    text = json.dumps(params)
    return json.loads(text.replace('ri": ""', f'ri": {json.dumps(uri)}'))


def test_each_request_is_tried() -> None:
    handled = create().protocol.fm
    methods = {*handled.features, *handled.builtin_features, "$/cancelRequest"}
    assert methods - {"initialized", "shutdown", "exit"} == {*PARAMS}


@pytest.mark.parametrize("method", PARAMS)
def test_a_request_refuses_what_makes_no_sense(method: str, tmp_path: Path) -> None:
    rng = Random(method)
    keys = [*("uri", "range", "position", "line", "character", "text", "version", "token", "id")]
    with Client(tmp_path, trusted=False) as client:
        for _ in range(COUNT):
            params = mutant(named(PARAMS[method], client.uri(rng)), rng, keys)
            if types.METHOD_TO_TYPES[method][1] is None:
                client.tell(method, params)
                hover = named(PLACED, client.uri(rng))
                client.check(client.ask("textDocument/hover", hover), (method, params))
            else:
                client.check(client.ask(method, params), (method, params))


def test_an_odd_start_is_refused_and_another_one_taken(tmp_path: Path) -> None:
    rng = Random("initialize")
    sensible = {
        **INITIALIZE["params"],
        "rootUri": tmp_path.as_uri(),
        "workspaceFolders": [{"uri": tmp_path.as_uri(), "name": "x"}],
        "initializationOptions": {"trusted": False, "testInterpreter": ["python"], **SETTINGS},
        "capabilities": {"general": {"positionEncodings": ["utf-8"]}, "workspace": {}},
    }
    for _ in range(max(3, COUNT // 20)):
        log = tmp_path / "stderr"
        with Raw(initialized=False, stderr=log.open("wb")) as server:
            params = mutant(sensible, rng, ["processId", "trace", "locale", "rootPath"])
            answer = server.request(1, "initialize", params)
            if "error" in answer:
                assert answer["error"]["code"] == -32602, (params, answer)
                assert "result" in server.request(2, "initialize", sensible)
            place = named(PLACED, "file:///x.json")
            assert server.request(3, "textDocument/hover", place)["result"] is None
            assert server.request(4, "shutdown")["result"] is None
        assert "Traceback" not in log.read_text(), params


READ = [*dict.fromkeys(each.argument for each in COMMANDS), Settings, ClientOptions]


@pytest.mark.parametrize("kind", READ, ids=lambda each: each.__name__)
def test_a_reader_refuses_a_value_by_a_value_error(kind: type) -> None:
    for _, reader in readers(kind).values():
        for atom in ATOMS:
            with contextlib.suppress(ValueError):
                reader(atom)
