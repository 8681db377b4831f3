"""Measures the latency of the language server, at rest and while a reduction runs at full speed.

Run: python benchmarks/lsp.py (or `make bench-lsp`). It prints one line for each figure, with the
bound that it should keep.
"""

from __future__ import annotations

import itertools
import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

STARTS = 5
SECONDS = 20.0
"""How long requests are sent while the job runs."""
PAUSE = 0.02
SIZE = 5 << 20
"""Bytes of the document."""

CAPABILITIES = {
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
    "window": {"workDoneProgress": True},
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    },
}


class Client:
    """A client that reads on a thread and notes when each message came."""

    def __init__(self, folder: Path) -> None:
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "boildown", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.folder = folder
        self.numbers = itertools.count(1)
        self.answers: dict[int, queue.Queue[float]] = {}
        self.came: dict[str, queue.Queue[float]] = {}
        """When requests of the server and ends of progress came."""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while True:
            length = 0
            while (line := self.process.stdout.readline()) != b"\r\n":
                if not line:
                    return
                if line.startswith(b"Content-Length:"):
                    length = int(line.split(b":")[1])
            self._take(json.loads(self.process.stdout.read(length)), time.perf_counter())

    def _take(self, message: dict[str, Any], now: float) -> None:
        if "method" not in message:
            self.answers[message["id"]].put(now)
            return
        kind = message["method"]
        if kind == "$/progress":
            kind += "/" + message["params"]["value"]["kind"]
        self.came.setdefault(kind, queue.Queue()).put(now)
        if "id" in message:
            result = {"applied": False} if kind == "workspace/applyEdit" else None
            self._send({"id": message["id"], "result": result})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> float:
        """Return the seconds until the answer came."""
        number = next(self.numbers)
        self.answers[number] = queue.Queue()
        start = time.perf_counter()
        self._send({"id": number, "method": method, "params": params})
        return self.answers[number].get(timeout=60) - start

    def wait_for(self, kind: str) -> float:
        """Return when a message of this kind came, waiting for it."""
        return self.came.setdefault(kind, queue.Queue()).get(timeout=120)

    def start(self) -> float:
        """Initialize; return the seconds since the process was started."""
        folder = self.folder.as_uri()
        options = {"applyResult": "edit", "maxSeconds": 0}
        self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder,
                "workspaceFolders": [{"uri": folder, "name": "bench"}],
                "capabilities": CAPABILITIES,
                "initializationOptions": options,
            },
        )
        seconds = time.perf_counter() - self.began
        self.notify("initialized", {})
        return seconds

    def memory(self) -> float:
        """Return the megabytes that the server holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def processor_time(self) -> float:
        """Return the seconds of processor time that the server has had."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)


def make_project(folder: Path) -> tuple[str, str]:
    """Write a configuration and an input of `SIZE` bytes; return its URI and text.

    Most of the input is needed, so the job is at work on large trees all the time.
    """
    (folder / "boildown.toml").write_text(
        "[[input]]\nfiles = ['*.json']\ninteresting = true\n"
        "command = ['sh', '-c', 'test $(grep -c straw {file}) -gt 3000']\n"
    )
    record = {"id": 0, "name": "a record", "values": [1, 2.5, True, None], "text": "straw " * 5}
    count = SIZE // len(json.dumps(record) + ",\n")
    lines = [json.dumps({**record, "id": number}) for number in range(count)]
    text = "[" + ",\n".join(lines) + "]\n"
    path = folder / "haystack.json"
    path.write_text(text)
    return path.as_uri(), text


def p(share: float, values: list[float]) -> float:
    """Return a percentile: the value that a share of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def line(name: str, value: float, unit: str, bound: float) -> None:
    verdict = "ok" if value < bound else "TOO MUCH"
    print(f"{name:44} {value:8.1f} {unit:2}  (< {bound:g} {unit})  {verdict}")


def _bare_start() -> float:
    """Return the median of the seconds that an interpreter takes to do nothing."""
    seconds = []
    for _ in range(STARTS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", ""], check=True)
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def measure_rest(folder: Path) -> None:
    seconds, busy = [], []
    for _ in range(STARTS):
        client = Client(folder)
        seconds.append(client.start())
        busy.append(client.processor_time())
        time.sleep(0.5)
        memory = client.memory()
        client.stop()
    line("initialize, from process start", 1000 * statistics.median(seconds), "ms", 450)
    line("of which processor time", 1000 * statistics.median(busy), "ms", 450)
    line("memory at rest", memory, "MB", 80)


def measure_work(folder: Path) -> None:
    uri, text = make_project(folder)
    client = Client(folder)
    client.start()
    item = {"uri": uri, "languageId": "json", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})
    point = {"line": 100, "character": 5}
    at = {"textDocument": {"uri": uri}}
    other = uri.replace("haystack", "other")
    client.notify(
        "textDocument/didOpen", {"textDocument": {**item, "uri": other, "text": text + " "}}
    )
    versions = itertools.count(2)

    def typed(method: str, params: dict[str, Any]) -> float:
        """Type a character into the other document; return the seconds of a request after it."""
        change = {"range": {"start": point, "end": point}, "text": "x"}
        document = {"uri": other, "version": next(versions)}
        client.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
        )
        return client.request(method, {"textDocument": {"uri": other}, **params})

    requests: dict[str, Callable[[], float]] = {
        "hover": lambda: client.request("textDocument/hover", {**at, "position": point}),
        "code action": lambda: client.request(
            "textDocument/codeAction",
            {**at, "range": {"start": point, "end": point}, "context": {"diagnostics": []}},
        ),
        "hover while typing": lambda: typed("textDocument/hover", {"position": point}),
        "code action while typing": lambda: typed(
            "textDocument/codeAction",
            {"range": {"start": point, "end": point}, "context": {"diagnostics": []}},
        ),
    }
    for request in requests.values():
        request()
    arguments = [{"uri": uri}]
    client.request(
        "workspace/executeCommand", {"command": "boildown.reduce", "arguments": arguments}
    )
    client.wait_for("$/progress/report")
    seconds: dict[str, list[float]] = {name: [] for name in requests}
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end and not client.came.get("$/progress/end"):
        for name, request in requests.items():
            seconds[name].append(request())
            time.sleep(PAUSE)
    for name, values in seconds.items():
        bound = 10 if name.startswith("hover") else 60
        line(f"{name} during a job, p50", 1000 * p(0.5, values), "ms", bound)
        line(f"{name} during a job, p99 of {len(values)}", 1000 * p(0.99, values), "ms", bound)
    if client.came.get("$/progress/end"):
        print("The job ended before it could be cancelled.")
    else:
        start = time.perf_counter()
        client.request("workspace/executeCommand", {"command": "boildown.cancel", "arguments": []})
        line("cancel to edit", 1000 * (client.wait_for("workspace/applyEdit") - start), "ms", 60)
    line("memory after it", client.memory(), "MB", 400)
    client.stop()


def main() -> None:
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores; load average {load:.1f} before it began.")
    line("the start of Python alone", 1000 * _bare_start(), "ms", 450)
    with tempfile.TemporaryDirectory(prefix="boildown-bench-") as scratch:
        measure_rest(Path(scratch))
        measure_work(Path(scratch))


if __name__ == "__main__":
    main()
