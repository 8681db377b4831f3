"""One run: fork, become the command, follow it to its end."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import time
from typing import Any

from boildown.runner.guardian.messages import receive
from boildown.runner.guardian.processes import (
    die_with_parent,
    kill_descendants,
    kill_group,
    memory_used,
    reap,
)
from boildown.runner.guardian.warm import call

CAP = 1 << 20
"""Bytes kept of each output: the first half and the last half of so many."""
_GLANCE = 0.05
"""Seconds between two looks at the memory in use."""


def run(request: dict[str, Any], control: int, wake: int) -> dict[str, Any]:
    """Run the command to its end, its timeout or its cancel."""
    out, out_child = os.pipe()
    err, err_child = os.pipe()
    started = time.monotonic()
    try:
        pid, failure = spawn(request, out_child, err_child)
    finally:
        os.close(out_child)
        os.close(err_child)
    kept = {out: Kept(), err: Kept()}
    try:
        if failure is not None:
            return failure
        limits = Limits(started, request["timeout"], request["memory"])
        end = follow(pid, kept, control, wake, limits)
        end["seconds"] = time.monotonic() - started
        kill_group(pid)
        kill_descendants(wake)
        for descriptor, output in kept.items():
            drain(descriptor, output)
        end["stdout"], end["stderr"] = kept[out].joined(), kept[err].joined()
        return end
    finally:
        kill_group(pid)
        os.close(out)
        os.close(err)


def spawn(request: dict[str, Any], out: int, err: int) -> tuple[int, dict[str, Any] | None]:
    """Fork and execute; return the child's id, and what went wrong before the program began."""
    report, report_child = os.pipe()
    guardian = os.getpid()
    pid = os.fork()
    if pid == 0:
        become(request, out, err, report_child, guardian)
    os.close(report_child)
    try:
        data = os.read(report, 64)
    finally:
        os.close(report)
    if not data:
        return pid, None
    os.waitpid(pid, 0)
    where, _, number = data.partition(b" ")
    return pid, {"error": int(number), "where": where.decode(), "path": request.get("program", b"")}


def become(request: dict[str, Any], out: int, err: int, report: int, guardian: int) -> None:
    """In the child: become the command, or call what was loaded ahead; never returns."""
    where = b"start"
    try:
        signal.set_wakeup_fd(-1)
        os.setsid()
        die_with_parent(signal.SIGKILL)
        if os.getppid() != guardian:
            os._exit(127)
        where = b"stdin"
        source = request["file"] if request["stdin"] else os.devnull
        os.dup2(os.open(source, os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(err, 2)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        where = b"limit"
        limit_resources(request["cpu"])
        where = b"cwd"
        os.chdir(request["cwd"])
        if "call" in request:
            os.close(report)
            call(request)
        where = b"exec"
        os.execve(request["program"], request["argv"], request["environment"])
    except (OSError, ValueError) as error:
        os.write(report, b"%s %d" % (where, getattr(error, "errno", None) or 0))
    finally:
        os._exit(127)


def limit_resources(cpu: int | None) -> None:
    """In the child: write no core dumps, limit processor time, and be the first to be killed.

    Should the machine run out of memory, Linux then ends the run and not the editor.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    if cpu is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    with contextlib.suppress(OSError):
        descriptor = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(descriptor, b"1000")
        os.close(descriptor)


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
