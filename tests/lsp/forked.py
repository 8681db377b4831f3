"""Servers for tests, forked from a process that has imported what they need.

A server takes a second of a core to import what it needs for a job, which is most of what a test of
the server takes. A program in the place of the server hands its streams, its folder and its
environment to the process of imports, and ends as the server ends. Tests of how a server starts, or
of what a signal does, start one by itself.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

CLIENT = """
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as forker:
    forker.connect(sys.argv[1])
    given = json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(forker, [given + b"\\n"], [0, 1, 2])
    for number in range(3):
        os.close(number)
    os._exit(int(forker.recv(9)))
"""
"""The program in the place of a server."""


def command(alone: bool) -> tuple[str, ...]:
    """Return the beginning of a command that runs Boildown, in a fork or as a process by itself."""
    if alone or sys.platform != "linux":
        # On macOS the system ends a process that was forked after its libraries were loaded.
        return sys.executable, "-m", "boildown"
    return _forked()


@cache
def _forked() -> tuple[str, ...]:
    folder = tempfile.TemporaryDirectory()
    path = str(Path(folder.name) / "socket")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        process = subprocess.Popen(
            [sys.executable, __file__, str(listener.fileno())],
            stdin=subprocess.PIPE,
            pass_fds=[listener.fileno()],
        )
    atexit.register(folder.cleanup)
    atexit.register(process.communicate)
    return sys.executable, "-I", "-S", "-c", CLIENT, path


def main() -> None:
    """Fork a server for each connection, until standard input ends."""
    for package in ("lsp", "lsp.commands", "lsp.shown", "jobs"):
        module = import_module(f"boildown.{package}")
        for each in iter_modules(module.__path__, f"{module.__name__}."):
            import_module(each.name)
    listener = socket.socket(fileno=int(sys.argv[1]))
    while sys.stdin not in select.select([sys.stdin, listener], [], [])[0]:
        connection, _ = listener.accept()
        if os.fork() == 0:
            _serve(connection)
        connection.close()
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _serve(connection: socket.socket) -> None:
    """Run one server, and send its exit status."""
    given, streams = b"", list[int]()
    while not given.endswith(b"\n"):
        part, more, _, _ = socket.recv_fds(connection, 1 << 16, 3)
        given, streams = given + part, streams + more
        if not part:
            os._exit(1)  # The program in its place was killed.
    server = os.fork()
    if server == 0:
        arguments, folder, environment = json.loads(given)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        connection.close()
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv[1:], sys.path[0] = arguments, folder
        from boildown.__main__ import main as boildown

        sys.exit(boildown())
    for stream in streams:
        os.close(stream)
    status = os.waitstatus_to_exitcode(os.waitpid(server, 0)[1])
    with suppress(BrokenPipeError):
        connection.send(b"%d" % (status if status >= 0 else 128 - status))
    os._exit(0)


if __name__ == "__main__":
    main()
