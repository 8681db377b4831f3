"""However the server ends, nothing that it started goes on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lsp.editor import Editor
from lsp.projects import configure
from lsp.raw import INITIALIZE, Raw

pytestmark = pytest.mark.e2e

FAMILY = f"""
import os, subprocess, sys, time
with open("pids", "a") as pids:
    pids.write(f"{{os.getpid()}} ")
    child = subprocess.Popen(
        [{sys.executable!r}, "-I", "-S", "-c", "import time; time.sleep(100)"],
        start_new_session=True,
    )
    pids.write(f"{{child.pid}} ")
time.sleep(100)
"""
"""A test command with a child in a session of its own."""


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


WAYS = {
    "kill -9": -signal.SIGKILL,
    "kill": 128 + signal.SIGTERM,
    "hang up": 128 + signal.SIGHUP,
    "interrupt": 128 + signal.SIGINT,
    "end of input": 0,
    "shutdown": 0,
    "exit alone": 1,
}
"""The ways to end a server, each with the exit status."""


@pytest.mark.parametrize("way", WAYS)
async def test_no_process_is_left(tmp_path: Path, way: str) -> None:
    configure(tmp_path, FAMILY)
    user = Editor()
    await user.start(tmp_path, alone=True)
    server = user.client._server
    assert server is not None
    assert server.stdin is not None
    uri = user.write(tmp_path / "crash.txt", "x")
    await user.run("boildown.reduce", {"uri": uri})
    pids = tmp_path / "pids"
    await user.until(lambda: pids.exists() and len(pids.read_text().split()) == 2)
    match way:
        case "kill -9":
            os.kill(server.pid, signal.SIGKILL)
        case "kill":
            os.kill(server.pid, signal.SIGTERM)
        case "hang up":
            os.kill(server.pid, signal.SIGHUP)
        case "interrupt":
            os.kill(server.pid, signal.SIGINT)
        case "end of input":
            server.stdin.close()
        case "shutdown":
            await user.client.shutdown_async(None)
            user.client.exit(None)
        case "exit alone":
            user.client.exit(None)
    await asyncio.wait_for(server.wait(), 10)
    # On a busy machine the system ends it in the middle of its clean end.
    assert server.returncode in (WAYS[way], -signal.SIGALRM)
    left = [int(pid) for pid in pids.read_text().split()]
    await user.until(lambda: not any(map(alive, left)))
    await user.client.stop()  # type: ignore[no-untyped-call]


def begun(folder: Path, client: int) -> Raw:
    """Return a server with a job whose run goes on, of a client with a process id."""
    configure(folder, FAMILY)
    server = Raw(initialized=False, alone=True)
    server.request(0, "initialize", {**INITIALIZE["params"], "processId": client})
    server.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})
    uri = (folder / "crash.txt").as_uri()
    item = {"uri": uri, "languageId": "plaintext", "version": 1, "text": "x"}
    opened = {"method": "textDocument/didOpen", "params": {"textDocument": item}}
    server.send({"jsonrpc": "2.0", **opened})
    run = {"command": "boildown.reduce", "arguments": [{"uri": uri}]}
    assert server.request(1, "workspace/executeCommand", run)["result"]["state"] == "started"
    until(lambda: len(pids_of(folder)) == 2)
    return server


def pids_of(folder: Path) -> list[int]:
    """Return the process ids of a run with its child, as far as they are known."""
    pids = folder / "pids"
    return [int(pid) for pid in pids.read_text().split()] if pids.exists() else []


def until(condition: Callable[[], bool]) -> None:
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("never came")


@pytest.fixture
def client() -> Iterator[subprocess.Popen[bytes]]:
    """A process that a server takes for its client's."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"]) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("system", ["linux", "another"])
def test_the_server_ends_with_its_client_though_another_process_holds_its_pipes(
    tmp_path: Path,
    client: subprocess.Popen[bytes],
    system: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if system == "another":
        # In each Python that starts from here: only Linux can wait for a stranger's process.
        (tmp_path / "sitecustomize.py").write_text("import os\nos.__dict__.pop('pidfd_open', 0)\n")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    server = begun(tmp_path, client.pid)
    client.kill()
    client.wait()
    # This process is the one that holds them: it says nothing, and reads nothing.
    assert server.process.wait(60) in (128 + signal.SIGTERM, -signal.SIGALRM)
    until(lambda: not any(map(alive, pids_of(tmp_path))))


def test_a_client_that_is_not_on_this_machine_ends_nothing(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    with begun(tmp_path, gone.pid) as server:
        hover = {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}}
        assert server.request(2, "textDocument/hover", hover)["result"] is None
        assert server.request(3, "shutdown")["result"] is None


def test_a_server_that_writes_to_nobody_ends_at_a_signal(tmp_path: Path) -> None:
    with begun(tmp_path, os.getpid()) as server:
        assert server.process.stdin is not None
        os.set_blocking(server.process.stdin.fileno(), False)
        ask = {"jsonrpc": "2.0", "id": "a" * 50_000, "method": "no/such", "params": {}}
        # The answers have this id; when nobody takes them, the server takes no more requests.
        with contextlib.suppress(BlockingIOError):
            for _ in range(1_000):
                server.send(ask)
        os.kill(server.process.pid, signal.SIGTERM)
        assert server.process.wait(60) in (128 + signal.SIGTERM, -signal.SIGALRM)
        until(lambda: not any(map(alive, pids_of(tmp_path))))


HALVED = """
import sys, time
text = open(sys.argv[1]).read()
if "x" in text and len(text) < 30:
    open("begun", "w").close()
    time.sleep(100)
sys.exit("x" in text)
"""
"""A test command that fails where there is an x, and hangs where the text is short."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_the_best_text_is_kept_on_disk(
    tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    configure(tmp_path, HALVED)
    user = Editor()
    await user.start(tmp_path, {"liveProgress": True, "jobs": 1}, alone=True)
    server = user.client._server
    assert server is not None
    uri = user.write(tmp_path / "crash.txt", "\n".join(["a"] * 30 + ["x"] + ["b"] * 30))
    await user.run("boildown.reduce", {"uri": uri})
    await user.until((tmp_path / "begun").exists)
    # Nothing is found any more, and what is reported from now on is the last text.
    reported = len(user.live)
    await user.until(lambda: len(user.live) > reported + 1)
    best = user.live[-1].text
    server.send_signal(number)
    await asyncio.wait_for(server.wait(), 60)
    with contextlib.closing(sqlite3.connect(tmp_path / "cache/boildown/jobs.sqlite3")) as store:
        (step,) = store.execute("SELECT text FROM step ORDER BY number DESC").fetchone()
    assert zlib.decompress(step).decode() == best
    await user.client.stop()  # type: ignore[no-untyped-call]
