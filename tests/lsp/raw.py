"""A server that is spoken to in bytes: for messages that no honest client sends."""

from __future__ import annotations

import json
import subprocess
from types import TracebackType
from typing import IO, Any

from typing_extensions import Self

from lsp.forked import command

INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}


class Raw:
    """One server process; a context manager that has it initialized."""

    def __init__(
        self,
        initialized: bool = True,
        stderr: int | IO[bytes] = subprocess.DEVNULL,
        alone: bool = False,
    ) -> None:
        self.process = subprocess.Popen(
            [*command(alone), "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
        self.others: list[Any] = []
        """Messages that were no answers to what was asked."""
        if initialized:
            self.send(INITIALIZE)
            self.answer(0)
            self.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, message: Any) -> None:
        self.send_body(json.dumps(message).encode())

    def send_body(self, body: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self) -> Any:
        """Return the next message; None if the server has ended."""
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                return None
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def answer(self, number: Any) -> Any:
        """Return the answer to a request; what comes before it is kept apart."""
        while (message := self.receive()) is not None:
            if message.get("id") == number and "method" not in message:
                return message
            self.others.append(message)
        raise AssertionError("the server has ended")

    def request(self, number: int | str, method: str, params: Any = None) -> Any:
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return self.answer(number)
