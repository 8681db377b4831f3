"""However the server ends, nothing that it started goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from lsp.editor import Editor
from lsp.projects import configure

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


@pytest.mark.parametrize("way", ["kill -9", "kill", "end of input", "shutdown", "exit alone"])
async def test_no_process_is_left(tmp_path: Path, way: str) -> None:
    configure(tmp_path, FAMILY)
    user = Editor()
    await user.start(tmp_path)
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
        case "end of input":
            server.stdin.close()
        case "shutdown":
            await user.client.shutdown_async(None)
            user.client.exit(None)
        case "exit alone":
            user.client.exit(None)
    await asyncio.wait_for(server.wait(), 10)
    if way in ("shutdown", "end of input"):
        assert server.returncode == 0
    if way == "exit alone":
        assert server.returncode == 1
    left = [int(pid) for pid in pids.read_text().split()]
    await user.until(lambda: not any(map(alive, left)))
    await user.client.stop()  # type: ignore[no-untyped-call]
