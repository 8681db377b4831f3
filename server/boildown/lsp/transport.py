"""Transport over standard input and output, without a thread, with nothing else in between.

pygls reads standard input on a thread of its pool, which costs several switches of threads for
each message and blocks the end of the process. Here the event loop reads the pipe itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import sys
from threading import Event

from pygls.exceptions import JsonRpcParseError
from pygls.io_ import StdoutWriter, run_async

from boildown.lsp.protocol import Protocol
from boildown.lsp.server import Server

_LONGEST_HEADER = 1 << 10
"""Bytes of the longest line of a header that is read; those of clients have some twenty."""
_BUFFERED = 1 << 20
"""Bytes that are read ahead."""


def serve_stdio(server: Server) -> int:
    """Serve the client at the other end of standard input and output until it is gone.

    Return the exit status: 1 if the client said `exit` without `shutdown`, 2 if there is none.
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
            asyncio.run(_serve(server))
        except SystemExit as end:
            return int(end.code or 0)
        except (KeyboardInterrupt, BrokenPipeError):
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


async def _serve(server: Server) -> None:
    reader = asyncio.StreamReader(limit=_BUFFERED)
    loop = asyncio.get_running_loop()
    protocol = asyncio.StreamReaderProtocol(reader)
    await loop.connect_read_pipe(lambda: protocol, sys.stdin.buffer)
    with contextlib.suppress(asyncio.IncompleteReadError):
        await run_async(
            stop_event=Event(),
            reader=_Reader(reader, server.protocol),
            protocol=server.protocol,
            error_handler=server.report_server_error,
        )
