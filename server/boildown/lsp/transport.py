"""Transport over standard input and output, TCP and WebSocket, on the event loop alone.

pygls reads standard input on a thread of its pool, which costs several switches of threads for
each message and blocks the end of the process; here the event loop reads the pipe itself. And all
connections to a port share pygls's one server, with its documents and the last writer; here each
client gets a server of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import os
import signal
import stat
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from threading import Event
from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcParseError
from pygls.io_ import StdoutWriter, run_async

from boildown.lsp import leaving
from boildown.lsp.job import Job
from boildown.lsp.protocol import Protocol
from boildown.lsp.server import Server

_LONGEST_HEADER = 1 << 10
"""Bytes of the longest line of a header that is read; those of clients have some twenty."""
_BUFFERED = 1 << 20
"""Bytes that are read ahead."""
_HOST = "127.0.0.1"
"""Clients on other machines are not served: a client has commands run."""


End = Callable[[Server, Sequence[Job]], None]
"""Waits for the jobs of a server that were told to end, and removes what is left of it."""


def serve_stdio(server: Server, end: End) -> int:
    """Serve the client at the other end of standard input and output until it is gone.

    Return the exit status: 1 if the client said `exit` without `shutdown`, 2 if there is none, and
    that of a signal.
    """
    if (why := _no_client()) is not None:
        print(
            f"boildown lsp: {why}; an editor starts this command, and docs/editors.md says how.",
            file=sys.stderr,
        )
        return 2
    with os.fdopen(os.dup(1), "wb") as out:
        # What anything else prints must not get between two messages.
        os.dup2(2, 1)
        server.protocol.set_writer(StdoutWriter(out))
        try:
            asyncio.run(_serve(server, end))
        except SystemExit as exit_:
            return int(exit_.code or 0)
        except BrokenPipeError:
            pass
    return 0


def _no_client() -> str | None:
    """Return why no editor can be at the other end; None if one can."""
    try:
        mode = os.fstat(0).st_mode
        os.fstat(1)
    except OSError:
        return "standard input or output is closed"
    if sys.stdin is None:
        return "standard input or output is closed"
    if os.isatty(0):
        return "standard input is a terminal"
    if stat.S_ISREG(mode):
        return "standard input is a file"
    # Such as /dev/null, which nobody can wait for.
    return "standard input is a device" if stat.S_ISCHR(mode) else None


class _Reader:
    """Messages as pygls reads them, without header lines that are too long."""

    def __init__(self, stream: asyncio.StreamReader, protocol: Protocol) -> None:
        self._stream = stream
        self._protocol = protocol
        self.readexactly = stream.readexactly

    async def readline(self) -> bytes:
        """Return the next line of a header; one that is too long is answered and left out."""
        is_cut = False
        while True:
            try:
                line = await self._stream.readuntil(b"\n")
            except asyncio.LimitOverrunError as error:
                is_cut = True
                await self._stream.readexactly(error.consumed)
                continue
            except asyncio.IncompleteReadError as error:
                return error.partial
            if not is_cut and len(line) <= _LONGEST_HEADER:
                return line
            is_cut = False
            reason = f"A line of a header has more than {_LONGEST_HEADER:,} bytes; it is left out."
            self._protocol.refuse(None, JsonRpcParseError(reason))


async def _serve(server: Server, end: End) -> None:
    reader = asyncio.StreamReader(limit=_BUFFERED)
    loop = asyncio.get_running_loop()
    protocol = asyncio.StreamReaderProtocol(reader)
    with leaving.on_signals(_ending()):
        # As a signal, it ends a server that is stuck, too.
        server.left_alone = lambda: os.kill(os.getpid(), signal.SIGTERM)
        try:
            await loop.connect_read_pipe(lambda: protocol, sys.stdin.buffer)
            with contextlib.suppress(asyncio.IncompleteReadError):
                await _read(server, reader)
        finally:
            end(server, server.drop_jobs())


def _ending() -> Callable[[], None]:
    """Return a function that ends the connection of the current task; call it on any thread."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    return lambda: _call(loop, task.cancel)


def _call(loop: asyncio.AbstractEventLoop, function: Callable[[], object]) -> None:
    with contextlib.suppress(RuntimeError):  # The loop may be gone.
        loop.call_soon_threadsafe(function)


async def _read(server: Server, reader: asyncio.StreamReader) -> None:
    """Handle the messages of a stream until it ends, or the task is cancelled."""
    with contextlib.suppress(asyncio.CancelledError):
        await run_async(
            stop_event=Event(),
            reader=_Reader(reader, server.protocol),
            protocol=server.protocol,
            error_handler=server.report_server_error,
        )


def serve_port(make: Callable[[], Server], end: End, port: int) -> None:
    """Serve the clients of a TCP port of this machine until the last one is gone.

    Each has a server of its own, which `make` makes and whose jobs `end` ends.
    """

    async def listen(clients: _Clients) -> None:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            async with clients.one_more() as server:
                server.protocol.set_writer(writer)
                await _read(server, reader)
            writer.close()

        async with await asyncio.start_server(connected, _HOST, port, limit=_BUFFERED):
            await clients.all_gone()

    asyncio.run(listen(_Clients(make, end)))


def serve_web(make: Callable[[], Server], end: End, port: int) -> None:
    """Serve the clients of a WebSocket as `serve_port` does. Raises ImportError."""
    # The package is an extra of pygls, which most do without.
    websockets: Any = importlib.import_module("websockets.asyncio.server")
    closed: Any = importlib.import_module("websockets.exceptions").ConnectionClosed

    async def listen(clients: _Clients) -> None:
        async def connected(socket: Any) -> None:
            async with clients.one_more() as server:
                # Its `write` can be waited for, its `close` not; pygls asks at each.
                writer: Any = _SocketWriter(socket)
                server.protocol.set_writer(writer, include_headers=False)
                with contextlib.suppress(closed, asyncio.CancelledError):
                    while True:
                        _take(server, await socket.recv(decode=False))

        # A document is one message, however long.
        async with websockets.serve(connected, _HOST, port, max_size=None):
            await clients.all_gone()

    asyncio.run(listen(_Clients(make, end)))


class _Clients:
    """The clients of a port that are there, and whether all of them are gone again."""

    def __init__(self, make: Callable[[], Server], end: End) -> None:
        self._make = make
        self._end = end
        self._leaving: dict[Server, Callable[[], None]] = {}
        self._gone = asyncio.Event()

    async def all_gone(self) -> None:
        """Wait until the last client is gone; signals end the connections of all."""
        loop = asyncio.get_running_loop()
        with leaving.on_signals(lambda: _call(loop, self._leave)):
            await self._gone.wait()

    def _leave(self) -> None:
        for leave in self._leaving.values():
            leave()
        if not self._leaving:
            self._gone.set()

    @contextlib.asynccontextmanager
    async def one_more(self) -> AsyncIterator[Server]:
        """Give the server of a client for the time that it is there; its jobs end with it."""
        server = self._make()
        self._leaving[server] = server.left_alone = _ending()
        try:
            # The client that says `exit` leaves; the process is there for the others, too.
            with contextlib.suppress(SystemExit, ConnectionError, asyncio.IncompleteReadError):
                yield server
        finally:
            await asyncio.to_thread(self._end, server, server.drop_jobs())
            del self._leaving[server]
            if not self._leaving:
                self._gone.set()


class _SocketWriter:
    """A writer of WebSocket messages whose end, at `exit`, nobody waits for."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket

    def write(self, data: bytes) -> Awaitable[None]:
        """Send a message."""
        sent: Awaitable[None] = self._socket.send(data.decode())
        return sent

    def close(self) -> None:
        """Leave the closing of the connection to its handler, which ends next."""


def _take(server: Server, data: bytes) -> None:
    """Handle one JSON-RPC message; malformed JSON is logged."""
    try:
        server.protocol.handle_message(json.loads(data))
    except Exception as error:
        server.report_server_error(error, JsonRpcException)
