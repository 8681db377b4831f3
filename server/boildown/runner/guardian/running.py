"""One run: fork, become the command, follow it to its end.

Where the runs only call what was loaded ahead, the process of the next run is forked while
Boildown thinks, and waits for its request.
"""

from __future__ import annotations

import os
import resource
import select
import time

from boildown.runner.guardian.messages import BoildownGone, receive, send
from boildown.runner.guardian.processes import (
    die_with_parent,
    forget_signals,
    kill_descendants,
    kill_group,
    memory_used,
    reap,
    signals_of_a_program,
    signals_of_python,
)
from boildown.runner.guardian.warm import call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

CAP = 1 << 20
"""Bytes kept of each output: the first half and the last half of so many."""
_GLANCE = 0.05
"""Seconds between two looks at the memory in use."""


class Child:
    """A process forked for one run, and the guardian's ends of its pipes.

    In the child, `body` is called with the other ends; it never returns.
    """

    def __init__(self, body: Callable[[int, int], None]) -> None:
        self.out, out = os.pipe()
        self.err, err = os.pipe()
        self.report, report = os.pipe()
        requests, self.requests = os.pipe()
        self._open = [self.out, self.err, self.report, self.requests]
        os.set_blocking(self.report, False)
        guardian = os.getpid()
        try:
            self.pid = os.fork()
        except OSError:
            self._open += [out, err, report, requests]
            self.pid = 0
            self.close()
            raise
        if self.pid == 0:
            try:
                _detach(guardian, self.requests, out, err)
                body(requests, report)
            finally:
                os._exit(127)
        for descriptor in (out, err, report, requests):
            os.close(descriptor)

    def tell(self, request: dict[str, Any]) -> bool:
        """Send the request to a child that waits for it; return whether it is still there."""
        try:
            send(self.requests, request)
        except BrokenPipeError:
            return False
        return True

    def failure(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Return what went wrong before the command began, after the child's end."""
        try:
            data = os.read(self.report, 64)
        except BlockingIOError:
            return None
        if not data:
            return None
        where, _, number = data.partition(b" ")
        path = request.get("program", b"")
        return {"error": int(number), "where": where.decode(), "path": path}

    def close(self) -> None:
        """Kill what is left of it, and close the pipes; do nothing the second time."""
        if self._open and self.pid:
            kill_group(self.pid)
        while self._open:
            os.close(self._open.pop())


def waiting() -> Child:
    """Fork a child that calls what was loaded ahead once it is told the request."""
    return Child(_wait)


def run(
    request: dict[str, Any], control: int, wake: int, spare: Child | None = None
) -> dict[str, Any]:
    """Run the command to its end, its timeout or its cancel; `spare` is a child that waits."""
    started = time.monotonic()
    if "call" in request:
        child = spare or waiting()
        if not child.tell(request):
            child.close()
            child = waiting()
            child.tell(request)
    else:
        child = Child(lambda _requests, report: _become(request, report))
    kept = {child.out: Kept(), child.err: Kept()}
    try:
        limits = Limits(started, request["timeout"], request["memory"])
        end = follow(child.pid, kept, control, wake, limits)
        end["seconds"] = time.monotonic() - started
        kill_group(child.pid)
        kill_descendants(wake)
        if (failure := child.failure(request)) is not None:
            return failure
        for descriptor, output in kept.items():
            drain(descriptor, output)
        end["stdout"], end["stderr"] = kept[child.out].joined(), kept[child.err].joined()
        return end
    finally:
        child.close()


def _detach(guardian: int, requests: int, out: int, err: int) -> None:
    """In the child: lead a session of its own, end with the guardian, write into the pipes."""
    forget_signals()
    os.setsid()
    die_with_parent()
    if os.getppid() != guardian:
        os._exit(127)
    os.close(requests)
    os.dup2(out, 1)
    os.dup2(err, 2)


def _become(request: dict[str, Any], report: int) -> None:
    """In the child: become the command."""
    where = b"stdin"
    try:
        source = request["file"] if request["stdin"] else os.devnull
        os.dup2(os.open(source, os.O_RDONLY), 0)
        signals_of_a_program()
        where = b"limit"
        limit_time(request["cpu"])
        where = b"cwd"
        os.chdir(request["cwd"])
        where = b"exec"
        os.execve(request["program"], request["argv"], request["environment"])
    except (OSError, ValueError) as error:
        os.write(report, b"%s %d" % (where, getattr(error, "errno", None) or 0))


def _wait(requests: int, report: int) -> None:
    """In the child: do all that can be done ahead, wait for the request, and do what it says."""
    signals_of_python()
    try:
        request = receive(requests)
    except BoildownGone:
        return
    where = b"limit"
    try:
        limit_time(request["cpu"])
        where = b"cwd"
        os.chdir(request["cwd"])
    except (OSError, ValueError) as error:
        os.write(report, b"%s %d" % (where, getattr(error, "errno", None) or 0))
        return
    os.close(requests)
    os.close(report)
    call(request)


def limit_time(cpu: int | None) -> None:
    """In the child: limit processor time."""
    if cpu is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))


class Limits:
    """What a run may use: time, and memory together with all its descendants."""

    def __init__(self, started: float, timeout: float | None, memory: int | None) -> None:
        self.end = None if timeout is None else started + timeout
        self.memory = memory
        self.glance = started + _GLANCE

    def exceeded(self) -> str:
        """Return what the run used too much of, or nothing."""
        now = time.monotonic()
        if self.end is not None and now >= self.end:
            return "time"
        if self.memory is not None and now >= self.glance:
            if memory_used() > self.memory:
                return "memory"
            self.glance = time.monotonic() + _GLANCE
        return ""

    def patience(self) -> float | None:
        """Return the milliseconds until the next look, or None if none is needed."""
        times = [self.glance] if self.memory is not None else []
        times += [] if self.end is None else [self.end]
        return max(0.0, min(times) - time.monotonic()) * 1000 + 1 if times else None


def follow(
    pid: int, kept: dict[int, Kept], control: int, wake: int, limits: Limits
) -> dict[str, Any]:
    """Drain the outputs until the child ends, or until it has to be killed."""
    poller = select.poll()
    for descriptor in (control, wake, *kept):
        poller.register(descriptor, select.POLLIN)
    for descriptor in kept:
        os.set_blocking(descriptor, False)
    end: dict[str, Any] = {"status": None, "timed_out": False, "cancelled": False, "limit": ""}
    while True:
        exceeded = limits.exceeded()
        if exceeded:
            end["timed_out"] = exceeded == "time"
            end["limit"] = "" if exceeded == "time" else exceeded
            return end
        for descriptor, _ in poller.poll(limits.patience()):
            if descriptor == control:
                receive(control)
                end["cancelled"] = True
                return end
            if descriptor == wake:
                os.read(wake, 4096)
            elif not drain(descriptor, kept[descriptor], 16):
                poller.unregister(descriptor)
        status = reap(pid)
        if status is not None:
            end["status"] = os.waitstatus_to_exitcode(status)
            return end


class Kept:
    """The first and the last bytes of an output."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.dropped = 0

    def add(self, data: bytes) -> None:
        """Take what was read."""
        room = CAP // 2 - len(self.head)
        if room > 0:
            self.head += data[:room]
            data = data[room:]
        self.tail += data
        if len(self.tail) > CAP:
            self.dropped += len(self.tail) - CAP // 2
            del self.tail[: -(CAP // 2)]

    def joined(self) -> bytes:
        """Return what was kept, with a line that says what was not."""
        tail = bytes(self.tail[-(CAP // 2) :])
        dropped = self.dropped + len(self.tail) - len(tail)
        note = b"\n[... %d bytes left out ...]\n" % dropped if dropped else b""
        return bytes(self.head) + note + tail


def drain(descriptor: int, output: Kept, reads: int = 1 << 30) -> bool:
    """Read what is there, at most so many times; return False at the end of the output."""
    for _ in range(reads):
        try:
            data = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not data:
            return False
        output.add(data)
    return True
