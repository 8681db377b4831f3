"""A hostile client, workspace or working directory, and Ctrl-C at any moment."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from boildown import config

INITIALIZE: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
SHADOWS = ("gc", "argparse", "asyncio", "json", "lark", "logging", "lsprotocol", "rich")


def framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def request(number: int, method: str, params: object = None) -> bytes:
    return framed({"id": number, "method": method, "params": params})


def opened(path: Path, text: str) -> bytes:
    document = {"uri": path.as_uri(), "languageId": "json", "version": 1, "text": text}
    return framed({"method": "textDocument/didOpen", "params": {"textDocument": document}})


def answers(data: bytes, *wanted: int, cwd: Path | None = None) -> list[dict[str, Any]]:
    """Return what a server sends that gets these bytes, then `shutdown` after the wanted answers.

    It must end by itself, without a word on standard error.
    """
    command = [sys.executable, "-m", "boildown", "lsp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(data)
        server.stdin.flush()
        found: list[dict[str, Any]] = []
        while not {*wanted} <= {each.get("id") for each in found}:
            header = server.stdout.readline()
            assert header, found
            size = int(header.partition(b":")[2])
            while server.stdout.readline().strip():
                pass
            found.append(json.loads(server.stdout.read(size)))
        out, said = server.communicate(request(99, "shutdown"), timeout=120)
    assert said == b""
    parts = out.split(b"Content-Length: ")[1:]
    return found + [json.loads(part.partition(b"\r\n\r\n")[2]) for part in parts]


def errors(found: list[dict[str, Any]]) -> dict[object, int]:
    return {each["id"]: each["error"]["code"] for each in found if "error" in each}


def test_nothing_is_imported_from_the_working_directory(tmp_path: Path) -> None:
    for name in SHADOWS:
        (tmp_path / f"{name}.py").write_text("open('imported', 'w')\nraise SystemExit(7)")
    found = answers(request(1, "initialize", INITIALIZE), cwd=tmp_path)
    assert [each["id"] for each in found] == [1, 99]
    assert not (tmp_path / "imported").exists()


def test_a_long_header_is_refused_and_the_server_goes_on() -> None:
    long = b"X-Long: " + b"a" * 2_000_000 + b"\r\n"
    found = answers(long + request(1, "initialize", INITIALIZE))
    assert errors(found) == {None: -32700}
    assert [each["id"] for each in found] == [None, 1, 99]


def test_a_length_of_too_many_digits_is_refused_and_the_server_goes_on() -> None:
    found = answers(
        b"Content-Length: " + b"9" * 5000 + b"\r\n" + request(1, "initialize", INITIALIZE)
    )
    assert [each["id"] for each in found] == [None, 1, 99]


def test_a_request_before_initialize_is_refused_as_such() -> None:
    first = request(5, "textDocument/hover", {}) + request(6, "workspace/executeCommand")
    found = answers(first + request(1, "initialize", INITIALIZE))
    assert errors(found) == {5: -32002, 6: -32002}


def test_positions_beyond_the_protocols_numbers_are_invalid_parameters(tmp_path: Path) -> None:
    place = {"line": 2**31, "character": 0}
    extent = {"start": place, "end": place}
    path = tmp_path / "x.json"
    document = {"uri": path.as_uri()}
    tree = {"command": "boildown.tree", "arguments": [{**document, "range": extent}]}
    found = answers(
        request(1, "initialize", INITIALIZE)
        + framed({"method": "initialized", "params": {}})
        + opened(path, "[1]")
        + request(2, "textDocument/hover", {"textDocument": document, "position": place})
        + request(3, "workspace/executeCommand", tree),
        *(2, 3),
    )
    assert errors(found) == {2: -32602, 3: -32602}


def test_no_grammar_of_a_workspace_without_trust_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "evil.lark").write_text("this is no grammar")
    (tmp_path / "boildown.toml").write_text(
        '[[input]]\nfiles = ["*.json"]\ncommand = ["true", "{file}"]\nlanguage = "evil.lark"\n'
    )
    path = tmp_path / "x.json"
    tree = {"command": "boildown.tree", "arguments": [{"uri": path.as_uri()}]}
    options = {**INITIALIZE, "initializationOptions": {"trusted": False}}
    body = framed({"method": "initialized", "params": {}}) + opened(path, "[1]")
    asked = body + request(2, "workspace/executeCommand", tree)
    found = answers(request(1, "initialize", options) + asked, 2)
    (result,) = (each["result"] for each in found if each.get("id") == 2)
    assert (result["state"], result["language"]) == ("done", "json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#" * 1_000_001, "The file is larger than 100,000 bytes, so none of it is used."),
        ("k = 1\n" * 6000, "There are more than 5,000 keys, so none of it is used."),
        (
            f"a = {'[' * 40_000}{']' * 40_000}",
            "No valid TOML: TOML value nested more than 100 levels deep.",
        ),
    ],
)
def test_a_configuration_beyond_a_limit_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "boildown.toml"
    path.write_text(text)
    entries, problems = config.load(path)
    assert entries == ()
    assert [problem.message for problem in problems] == [message]


def test_an_ambiguous_glob_is_matched_in_linear_time(tmp_path: Path) -> None:
    assert not config.glob_matches("*a" * 40 + "b", tmp_path / ("a" * 200), tmp_path)
    assert config.glob_matches("**/" * 30 + "*a" * 20, tmp_path / ("a" * 200), tmp_path)


@pytest.mark.parametrize("name", ["resource", "signal", "select", "struct", "marshal"])
def test_a_project_with_a_module_named_like_one_of_the_library_keeps_warm_runs(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / f"{name}.py").write_text("MINE = True\n")
    # Some of them Python itself has loaded before it looks there, in cold runs as well.
    mine = "resource.MINE" if name == "resource" else "True"
    (tmp_path / "checks.py").write_text(
        f"import {name}\ndef fails(text):\n    assert {mine}\n    return 'x' in text\n"
    )
    (tmp_path / "input.txt").write_text("aaxaa")
    done = subprocess.run(
        [sys.executable, "-m", "boildown", "reduce", "input.txt", "--json",
         "--", "checks:fails"],
        capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["bytes_after"] == 1
    assert not [note for note in json.loads(done.stdout)["notes"] if "ach run" in note["text"]]


@pytest.mark.nightly
def test_ctrl_c_at_any_moment_of_start_and_parsing_ends_without_a_traceback(
    tmp_path: Path,
) -> None:
    (tmp_path / "big.json").write_text(json.dumps([{"a": number} for number in range(90_000)]))
    assert (tmp_path / "big.json").stat().st_size > 1_000_000
    # The first line is there when Python itself has started, which Boildown can't make silent.
    code = "import sys; print(flush=True)\nfrom boildown.__main__ import main\nsys.exit(main())"
    moments = random.Random(14)
    for _ in range(50):
        process = subprocess.Popen(
            [sys.executable, "-c", code, "reduce", "big.json", "--", "false", "{file}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
        )  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(moments.uniform(0.05, 2.5))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert b"Traceback" not in said
        # On a fast machine the job may have ended by itself, with its refusal.
        is_over = process.returncode == 1 and b"boildown: " in said
        assert is_over or process.returncode in (130, -signal.SIGINT), said
