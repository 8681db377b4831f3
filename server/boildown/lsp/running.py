"""A job: one thread that works while the event loop answers, and can be told to stop.

Jobs have threads of their own rather than those of pygls's pool, which other handlers may need.
The threads are daemons: a server that must end does not wait for a test command.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import itertools
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from boildown.jobs import Progress
    from boildown.lsp.documents import Document
    from boildown.runner.command import TestCommand
    from boildown.targets import Target

T = TypeVar("T")

_numbers = itertools.count(1)


@dataclass(eq=False)
class Job:
    """Work with the test command that is under way on one document."""

    document: Document
    """The version that it works on."""
    target: Target
    command: TestCommand
    text: str
    """What it begins with: the target's text, or a smaller one that was found before."""
    doing: str = "reducing"
    """What it does, for its progress."""
    number: int = field(default_factory=lambda: next(_numbers))
    began: float = field(default_factory=time.monotonic)
    latest: Progress | None = None
    """How far it is; set by the job's thread."""
    notes: deque[str] = field(default_factory=deque)
    """Sentences for the user that were not shown yet; filled by the job's thread."""
    request: int | str | None = None
    """The request that waits for its end."""
    outcome: dict[str, Any] = field(default_factory=dict)
    """What the client is told of its end."""
    task: asyncio.Task[None] | None = None
    """What handles its events and its result on the event loop."""
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    @property
    def token(self) -> str:
        """The progress token, which also names the job towards the client."""
        return f"boildown-{self.number}"

    def stopped(self) -> bool:
        """Say whether it was told to stop."""
        return self._stop.is_set()

    def cancel(self) -> None:
        """Tell it to stop; its result is then the best so far."""
        self._stop.set()

    def start(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Run `work` on a thread; return the future of its result, on the running event loop."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def settle(settled: concurrent.futures.Future[T]) -> None:
            if future.done():
                return
            if (error := settled.exception()) is not None:
                future.set_exception(error)
            else:
                future.set_result(settled.result())

        def run() -> None:
            settled: concurrent.futures.Future[T] = concurrent.futures.Future()
            try:
                settled.set_result(work())
            except BaseException as error:
                settled.set_exception(error)
            with contextlib.suppress(RuntimeError):  # The loop may be gone.
                loop.call_soon_threadsafe(settle, settled)

        self._thread = threading.Thread(target=run, name=self.token, daemon=True)
        self._thread.start()
        return future

    def join(self, seconds: float) -> None:
        """Wait for the thread's end, but not longer than this."""
        if self._thread is not None:
            self._thread.join(seconds)
