"""Storms of cancels and restarts, and signals to the server at any moment.

The environment variable `BOILDOWN_HOSTILE` says how many; a storm is 50 messages.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lsp.projects import PAIR, REDUCED, configure_pairs
from lsp.raw import INITIALIZE, Raw

pytestmark = pytest.mark.e2e

COUNT = int(os.environ.get("BOILDOWN_HOSTILE", "20"))
STORMS, SIGNALS = max(1, COUNT // 50), max(3, COUNT // 20)
MESSAGES = 50
NUMBERS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class Client(Raw):
    """A client of a server whose document has a job now and then."""

    def __init__(self, folder: Path, process: int | None = None) -> None:
        self.log = folder / "stderr"
        super().__init__(initialized=False, stderr=self.log.open("wb"), alone=True)
        configure_pairs(folder)
        self.uri = (folder / "a.json").as_uri()
        self.number = 0
        self.asked: list[int] = []
        self.answered: Counter[int] = Counter()
        capabilities = {"window": {"workDoneProgress": True}}
        given = {"rootUri": folder.as_uri(), "capabilities": capabilities, "processId": process}
        self.request(0, "initialize", {**INITIALIZE["params"], **given})
        self.tell("initialized", {})
        item = {"uri": self.uri, "languageId": "json", "version": 1, "text": PAIR}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def tell(self, method: str, params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, command: str, **more: Any) -> int:
        """Send a command; return the number of the request."""
        self.number += 1
        self.asked.append(self.number)
        arguments = [] if more.pop("of_all", False) else [{"uri": self.uri, **more}]
        params = {"command": f"boildown.{command}", "arguments": arguments}
        method = "workspace/executeCommand"
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.number

    def receive(self) -> Any:
        message = super().receive()
        if message is not None and "method" not in message:
            self.answered[message["id"]] += 1
        return message

    def tokens(self) -> list[str]:
        """Return the tokens of the jobs that the server has told of."""
        creating = "window/workDoneProgress/create"
        return [each["params"]["token"] for each in self.others if each.get("method") == creating]

    def show_progress(self) -> None:
        """Answer the requests for a progress display that have come."""
        for each in self.others:
            if {"id", "method"} <= each.keys() and "answered" not in each:
                each["answered"] = True
                self.send({"jsonrpc": "2.0", "id": each["id"], "result": None})


def descendants(pid: int) -> set[int]:
    """Return the processes below one."""
    table = [
        line.split()
        for line in subprocess.check_output(
            ["ps", "-A", "-o", "pid=,ppid=,stat="], text=True
        ).splitlines()
    ]
    found, parents = set(), {pid}
    while parents:
        parents = {
            int(child)
            for child, parent, state in table
            if int(parent) in parents and not state.startswith("Z")
        }
        found |= parents
    return found


def until_gone(pids: set[int]) -> None:
    """Wait until no process has one of these ids."""
    for _ in range(6000):
        if not any(Path(f"/proc/{pid}").exists() for pid in pids):
            return
        time.sleep(0.01)
    raise AssertionError(f"{pids} are left")


def storm(client: Client, rng: Random) -> None:
    """Start and cancel in random order, by all ways that there are."""
    for _ in range(MESSAGES):
        match rng.randrange(6):
            case 0 | 1:
                client.ask(rng.choice(("reduce", "check", "explain")), wait=rng.random() < 0.5)
            case 2:
                client.ask("cancel", of_all=rng.random() < 0.5)
            case 3 if client.asked:
                client.tell("$/cancelRequest", {"id": rng.choice(client.asked[-3:])})
            case 4 if client.tokens():
                token = rng.choice(client.tokens()[-2:])
                client.tell("window/workDoneProgress/cancel", {"token": token})
            case _:
                # What has come until the answer to this is read on the way.
                client.answer(client.ask("history"))
                client.show_progress()
                time.sleep(rng.choice((0, 0, 0.05, 0.3)))


@pytest.mark.parametrize("seed", range(STORMS))
def test_after_a_storm_of_cancels_one_job_runs_to_its_result(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with Client(tmp_path) as client:
        storm(client, Random(seed))
        client.show_progress()
        client.answer(client.ask("cancel", of_all=True))
        last = client.ask("reduce", wait=True)
        result = client.answer(last)["result"]
        assert (result["state"], result["text"]) == ("done", REDUCED), result
        assert client.answer(client.ask("cancel"))["result"] == {"cancelled": 0}
        assert not descendants(client.process.pid)
        with closing(sqlite3.connect(tmp_path / "cache/boildown/jobs.sqlite3", timeout=0)) as store:
            store.execute("BEGIN EXCLUSIVE")
        assert client.request(100_000, "shutdown")["result"] is None
        assert client.answered == Counter([0, *client.asked, 100_000])
    assert "Traceback" not in client.log.read_text()


@pytest.mark.parametrize("seed", range(SIGNALS))
def test_a_signal_at_any_moment_leaves_nothing(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    rng = Random(seed)
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"]) as process:
        try:
            with Client(tmp_path, process.pid) as client:
                for _ in range(rng.randrange(3)):
                    client.ask("reduce")
                    client.ask("cancel")
                client.ask("reduce")
                time.sleep(rng.uniform(0, 1.5))
                below = descendants(client.process.pid)
                number = rng.choice((*NUMBERS, None))
                if number is None:
                    process.kill()
                else:
                    client.process.send_signal(number)
                # On a busy machine the system ends it in the middle of its clean end.
                status = 128 + (number or signal.SIGTERM)
                assert client.process.wait(60) in (status, -signal.SIGALRM)
        finally:
            process.kill()
    until_gone(below)
    assert "Traceback" not in client.log.read_text()
    path = tmp_path / "cache/boildown/jobs.sqlite3"
    if path.exists():
        with closing(sqlite3.connect(path)) as store:
            assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
