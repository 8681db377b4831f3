"""A job: one run of a command's work on a thread, shown by `$/progress` and cancellable.

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
    from boildown.jobs.events import EditTried, Message, Progress, UserEdit
    from boildown.lsp.documents import Document
    from boildown.lsp.settings import Settings
    from boildown.targets import Target
    from boildown.targets.test_command import TestCommand

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
    """The text that it begins with: the target's, or a smaller one that was found before."""
    settings: Settings
    """The user's settings when it began."""
    doing: str
    """Its activity, for its progress: a participle, as in "reducing"."""
    noun: str
    """The same in the title of the action that cancels it: "reduction"."""
    about: str
    """What it works on, for its progress: "the document of crash.json"."""
    number: int = field(default_factory=lambda: next(_numbers))
    began: float = field(default_factory=time.monotonic)
    latest: Progress | None = None
    """How far it is; set by the job's thread."""
    notes: deque[Message] = field(default_factory=deque)
    """Messages for the user that were not shown yet; filled by the job's thread."""
    edits: deque[UserEdit] = field(default_factory=deque)
    """What the user has handed in; taken by the job's thread between two runs."""
    tried: deque[EditTried] = field(default_factory=deque)
    """What became of that, not shown yet; filled by the job's thread."""
    takes_edits: bool = False
    """Whether its work takes what the user hands in."""
    keep: tuple[str, ...] = ()
    """Parts of the text that no candidate may lack."""
    request: int | str | None = None
    """The request that waits for its end."""
    outcome: dict[str, Any] = field(default_factory=dict)
    """The answer to the command at the job's end."""
    task: asyncio.Task[None] | None = None
    """Handles its events and its result on the event loop."""
    worked: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when its work has ended, with all processes; what it found may still have to be shown."""
    _stop: threading.Event = field(default_factory=threading.Event)
    _cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    _thread: threading.Thread | None = None

    @property
    def token(self) -> str:
        """The progress token, which also names the job towards the client."""
        return f"boildown-{self.number}"

    def stopped(self) -> bool:
        """Say whether it was told to stop."""
        return self._stop.is_set()

    def next_edit(self) -> UserEdit | None:
        """Take the next edit of the user's from the queue; None if there is none."""
        return self.edits.popleft() if self.edits else None

    def cancel(self) -> None:
        """Tell it to stop; its result is then the best so far. To be called on the event loop."""
        self._stop.set()
        self._cancelled.set()

    async def unless_cancelled(self, awaited: asyncio.Future[Any], seconds: float) -> bool:
        """Wait so long at most, and not after it was told to stop; say whether a future is done."""
        cancelled = asyncio.ensure_future(self._cancelled.wait())
        both = {awaited, cancelled}
        await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        cancelled.cancel()
        return awaited.done()

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
