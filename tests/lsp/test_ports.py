"""Ports of this machine: several clients at once, each as if it had a server alone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from lsp.projects import configure
from lsp.raw import INITIALIZE

pytestmark = pytest.mark.e2e

LONG = 3_000_000
"""Characters of a document that is longer than a WebSocket takes by default."""


class Pipe(Protocol):
    """A connection over which JSON goes."""

    async def send(self, message: Any) -> None: ...
    async def receive(self) -> Any: ...
    async def close(self) -> None: ...


class Tcp:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, message: Any) -> None:
        body = json.dumps(message).encode()
        self.writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        await self.writer.drain()

    async def receive(self) -> Any:
        length = 0
        while (line := await self.reader.readline()) != b"\r\n":
            if not line:
                return None
            if line.startswith(b"Content-Length:"):
                length = int(line.partition(b":")[2])
        return json.loads(await self.reader.readexactly(length))

    async def close(self) -> None:
        self.writer.close()


class Web:
    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def receive(self) -> Any:
        try:
            return json.loads(await self.connection.recv())
        except ConnectionClosed:
            return None

    async def close(self) -> None:
        await self.connection.close()


class Client:
    """A client that keeps what comes between two answers."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self.others: list[Any] = []

    async def notify(self, method: str, params: Any) -> None:
        await self.pipe.send({"jsonrpc": "2.0", "method": method, "params": params})

    async def request(self, number: int, method: str, params: Any = None) -> Any:
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        await self.pipe.send(message if params is None else {**message, "params": params})
        while (answer := await self.pipe.receive()) is not None:
            if answer.get("id") == number and "method" not in answer:
                return answer.get("result", answer.get("error"))
            self.others.append(answer)
        raise AssertionError("the server has ended")

    async def reduce(self, path: Path, text: str) -> str:
        """Open a document, reduce it, and return the result."""
        item = {"uri": path.as_uri(), "languageId": "plaintext", "version": 1, "text": text}
        await self.notify("textDocument/didOpen", {"textDocument": item})
        command = {
            "command": "boildown.reduce",
            "arguments": [{"uri": path.as_uri(), "wait": True}],
        }
        answer = await self.request(1, "workspace/executeCommand", command)
        return str(answer["text"])

    async def exit(self) -> None:
        assert await self.request(2, "shutdown") is None
        await self.notify("exit", None)
        while await self.pipe.receive() is not None:
            pass


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def connected(way: str, port: int) -> Client:
    """Return a client that is initialized, as soon as the port is open."""
    for _ in range(600):
        with contextlib.suppress(OSError):
            pipe: Pipe
            if way == "--tcp":
                pipe = Tcp(*await asyncio.open_connection("127.0.0.1", port))
            else:
                pipe = Web(await connect(f"ws://127.0.0.1:{port}", max_size=None))
            client = Client(pipe)
            await client.request(0, "initialize", INITIALIZE["params"])
            await client.notify("initialized", {})
            return client
        await asyncio.sleep(0.1)
    raise AssertionError("nobody listens")


@contextlib.asynccontextmanager
async def listening(way: str, port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    command = (sys.executable, "-m", "boildown", "lsp", way, str(port))
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


@pytest.mark.parametrize("way", ["--tcp", "--ws"])
async def test_each_client_of_a_port_has_documents_and_jobs_of_its_own(
    tmp_path: Path, way: str
) -> None:
    configure(tmp_path)
    port, path = free_port(), tmp_path / "crash.txt"
    path.write_text("")
    async with listening(way, port) as process:
        clients = [await connected(way, port) for _ in range(3)]
        texts = ["one x", "two xx", "three x " + "long " * (LONG // 5)]
        jobs = (each.reduce(path, text) for each, text in zip(clients, texts, strict=True))
        assert await asyncio.gather(*jobs) == ["x", "x", "x"]
        for client, text in zip(clients, texts, strict=True):
            told = [
                each["params"]["message"]
                for each in client.others
                if each["method"] == "window/showMessage"
            ]
            assert len(told) == 1
            assert told[0].startswith(f"Boildown: Reduced {len(text):,} → 1 byte")
        first, second, third = clients
        await first.exit()
        hover = {"textDocument": {"uri": path.as_uri()}, "position": {"line": 0, "character": 0}}
        assert "→ 1 byte" in str(await second.request(3, "textDocument/hover", hover))
        # One that just goes is gone, too.
        await second.pipe.close()
        assert "→ 1 byte" in str(await third.request(3, "textDocument/hover", hover))
        assert process.returncode is None
        await third.exit()
        assert await asyncio.wait_for(process.wait(), 60) == 0
        assert process.stderr is not None
        assert await process.stderr.read() == b""


@pytest.mark.parametrize("way", ["--tcp", "--ws"])
async def test_a_port_that_is_taken_is_said(way: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        async with listening(way, int(taken.getsockname()[1])) as process:
            assert process.stderr is not None
            told = (await process.stderr.read()).decode()
            assert await process.wait() == 2
            assert told.startswith("boildown lsp: ")
            assert "address already in use" in told
            assert told.count("\n") == 1


async def test_a_websocket_without_its_package_is_said() -> None:
    code = (
        "import sys; sys.modules['websockets'] = None\n"
        "from boildown.lsp.handlers import main\nsys.exit(main(['--ws', '1']))"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stderr=asyncio.subprocess.PIPE
    )
    _, told = await process.communicate()
    assert process.returncode == 2
    assert told.decode() == (
        "boildown lsp: a WebSocket needs another package: pip install 'pygls[ws]'\n"
    )
