"""Standard input and output without a thread, and with nothing else in between.

pygls reads standard input on a thread of its pool, which costs several switches of threads for
each message and blocks the end of the process. Here the event loop reads the pipe itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from threading import Event

from pygls.io_ import StdoutWriter, run_async

from boildown.lsp.session import Server

_LONGEST_HEADER = 1 << 20


def serve_stdio(server: Server) -> int:
    """Serve the client at the other end of standard input and output until it is gone.

    Return the exit status: 1 if the client said `exit` without `shutdown`.
    """
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


async def _serve(server: Server) -> None:
    reader = asyncio.StreamReader(limit=_LONGEST_HEADER)
    loop = asyncio.get_running_loop()
    protocol = asyncio.StreamReaderProtocol(reader)
    await loop.connect_read_pipe(lambda: protocol, sys.stdin.buffer)
    with contextlib.suppress(asyncio.IncompleteReadError):
        await run_async(
            stop_event=Event(),
            reader=reader,
            protocol=server.protocol,
            error_handler=server.report_server_error,
        )
