"""One run of the test command: forked, limited, and followed to its end.

Where the runs only call what was loaded ahead, the process of the next run is forked while
Boildown thinks, and waits for its request.
"""

from __future__ import annotations

import os
import resource
import select
import time

from boildown.runner.guardian.cgroups import join_group
from boildown.runner.guardian.linux import (
    IS_LINUX,
    die_with_parent,
    kill_group,
    look_at,
)
from boildown.runner.guardian.messages import MOST_TIMES, BoildownGone, receive, send
from boildown.runner.guardian.processes import (
    forget_signals,
    is_full,
    kill_descendants,
    largest_process,
    processor_time,
    reap,
    signals_of_a_program,
    signals_of_python,
)
from boildown.runner.guardian.sandbox import restrict
from boildown.runner.guardian.warm import call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

OUTPUT_LIMIT = 1 << 20
"""Bytes kept of each output: the first half and the last half of so many."""
_INTERVAL = 0.05 if IS_LINUX else 0.5
"""Seconds between two looks at what a run uses; away from Linux each starts a program."""
_GAP = 1.0
"""Seconds by which a look is late only where the guardian was stopped, or the machine slept."""


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
                # Whatever goes wrong, the child must not go on as a second guardian.
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
        """Return the error that kept the command from starting, if any; for an ended child."""
        # Descriptors are closed when the command is executed, so an empty pipe means success.
        try:
            data = os.read(self.report, 64)
        except BlockingIOError:
            # Nothing was reported, though a process that could not be killed holds the other end.
            return None
        if not data:
            return None
        where, _, number = data.partition(b" ")
        path = request.get("program", b"")
        return {"error": int(number), "where": where.decode(), "path": path}

    def close(self) -> None:
        """Kill the rest of its process group and close the pipes; do nothing the second time."""
        if self._open and self.pid:
            kill_group(self.pid)
        while self._open:
            os.close(self._open.pop())


def waiting() -> Child:
    """Fork a child for a warm run, which waits for its request."""
    return Child(_wait)


def run(
    request: dict[str, Any], control: int, wake: int, spare: Child | None = None
) -> dict[str, Any]:
    """Run the command to its end, its timeout or its cancel; `spare` is a child that waits."""
    limits = Limits(request["timeout"], request["memory"])
    if "call" in request:
        child = spare or waiting()
        if not child.tell(request):
            # The waiting child is gone: the system may have killed it for want of memory.
            child.close()
            child = waiting()
            child.tell(request)
    else:
        child = Child(lambda _requests, report: _become(request, report))
    kept = {child.out: Kept(), child.err: Kept()}
    largest_process()
    try:
        end = follow(child.pid, kept, control, wake, limits)
        end["seconds"], end["waited"] = time.monotonic() - limits.began, limits.waited
        # Before anything of the run is removed: it may be the one that has filled the disk.
        end["full"] = is_full(os.path.dirname(request["directory"])) or is_full(request["cwd"])
        # Where there is no subreaper, the group is all that can be reached. The outputs are whole
        # only when nothing is left that writes.
        kill_group(child.pid)
        kill_descendants(wake)
        end["cpu"] = processor_time() - limits.unused
        # All together were only looked at from time to time.
        end["memory"] = max(limits.held, largest_process())
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
    join_group()
    die_with_parent()
    # A guardian that ended before the signal was asked for will send none.
    if os.getppid() != guardian:
        os._exit(127)
    # While the child holds the guardian's end itself, it would not notice that the guardian closed.
    os.close(requests)
    os.dup2(out, 1)
    os.dup2(err, 2)


def _become(request: dict[str, Any], report: int) -> None:
    """In the child: execute the command."""
    where = b"stdin"
    try:
        source = request["file"] if request["stdin"] else os.devnull
        os.dup2(os.open(source, os.O_RDONLY), 0)
        signals_of_a_program()
        where = b"limit"
        limit_time(request["cpu"])
        where = b"cwd"
        os.chdir(request["cwd"])
        where = b"sandbox"
        keep_inside(request)
        where = b"exec"
        os.execve(request["program"], request["argv"], request["environment"])
    except (OSError, ValueError) as error:
        os.write(report, b"%s %d" % (where, getattr(error, "errno", None) or 0))


def _wait(requests: int, report: int) -> None:
    """In the child of a warm run: wait for the request, then perform it."""
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
        where = b"sandbox"
        keep_inside(request)
    except (ImportError, OSError, ValueError) as error:
        os.write(report, b"%s %d" % (where, getattr(error, "errno", None) or 0))
        return
    # Nothing that the run starts may inherit the pipes to the guardian, and an empty report says
    # from here on that the run has begun.
    os.close(requests)
    os.close(report)
    call(request)


def limit_time(cpu: int | None) -> None:
    """In the child: limit the seconds of processor time."""
    if cpu is not None:
        # At the first limit comes SIGXCPU, which a program may ignore, at the second one SIGKILL.
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))


def keep_inside(request: dict[str, Any]) -> None:
    """In the child: give up writing elsewhere than into what is writable, if that is asked for."""
    if request["writable"] is not None:
        restrict(request["writable"])


class Limits:
    """The limits of a run on time and memory, which it has together with all its descendants.

    Its time is over when it has used so many seconds of the processor, or when so many have passed
    in which it did not wait for one, nor for being let go on after it was stopped. It waits where a
    process of it could run and was given less than the time that has passed. After `MOST_TIMES` as
    many seconds its time is over in any case.
    """

    def __init__(self, timeout: float | None, memory: int | None) -> None:
        self.timeout, self.memory = timeout, memory
        self.began = self.seen = time.monotonic()
        self.unused = processor_time()
        self.cpu = self.waited = 0.0
        self.held = 0
        self.next = self.began + min(_INTERVAL, timeout or _INTERVAL)

    def exceeded(self, pid: int) -> str:
        """Return the limit that the run exceeded: "time", "memory", or ""."""
        late = time.monotonic() - self.next
        if late < 0:
            return ""
        if late > _GAP:
            self.began += late
            self.seen += late
        held, uncollected, waits = look_at(pid)
        now, cpu = time.monotonic(), processor_time(uncollected) - self.unused
        self.held = max(self.held, held)
        if waits:
            # What one look shows too little of the processor, the next one shows too much.
            self.waited = max(0.0, self.waited + (now - self.seen) - (cpu - self.cpu))
        self.seen, self.cpu = now, cpu
        # Counted from the end of the look, which takes its time where processes are many.
        self.next = now + _INTERVAL
        if self.memory is not None and held > self.memory:
            return "memory"
        if self.timeout is None:
            return ""
        passed = now - self.began
        had = max(cpu, passed - self.waited)
        left = min(self.timeout - had, MOST_TIMES * self.timeout - passed)
        self.next = now + min(_INTERVAL, max(left, _INTERVAL / 5))
        return "time" if left <= 0 else ""

    def patience(self) -> float:
        """Return the milliseconds until the limits must be looked at again."""
        # A millisecond more, since `poll` may wake a little early and would be called for nothing.
        return max(0.0, self.next - time.monotonic()) * 1000 + 1


def follow(
    pid: int, kept: dict[int, Kept], control: int, wake: int, limits: Limits
) -> dict[str, Any]:
    """Follow a run: drain its outputs until it ends, exceeds a limit, or is cancelled."""
    poller = select.poll()
    for descriptor in (control, wake, *kept):
        poller.register(descriptor, select.POLLIN)
    for descriptor in kept:
        os.set_blocking(descriptor, False)
    end: dict[str, Any] = {"status": None, "timed_out": False, "cancelled": False, "limit": ""}
    while True:
        exceeded = limits.exceeded(pid)
        if exceeded:
            end["timed_out"] = exceeded == "time"
            end["limit"] = "" if exceeded == "time" else exceeded
            return end
        for descriptor, _ in poller.poll(limits.patience()):
            if descriptor == control:
                # The only message that comes during a run is a cancel.
                receive(control)
                end["cancelled"] = True
                return end
            if descriptor == wake:
                os.read(wake, 4096)
            # Only so many reads at once: an endless output must not hide that the time is over. At
            # its end it must go, for `poll` would report a closed pipe again and again.
            elif not drain(descriptor, kept[descriptor], 16):
                poller.unregister(descriptor)
        status = reap(pid)
        if status is not None:
            end["status"] = os.waitstatus_to_exitcode(status)
            return end


class Kept:
    """An output of a run, of which the first and the last bytes are kept."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.dropped = 0

    def add(self, data: bytes) -> None:
        """Add bytes that were read."""
        room = OUTPUT_LIMIT // 2 - len(self.head)
        if room > 0:
            self.head += data[:room]
            data = data[room:]
        self.tail += data
        # The tail is cut back to half the limit when it is twice as long, not at each read: so each
        # byte is moved once on average.
        if len(self.tail) > OUTPUT_LIMIT:
            self.dropped += len(self.tail) - OUTPUT_LIMIT // 2
            del self.tail[: -(OUTPUT_LIMIT // 2)]

    def joined(self) -> bytes:
        """Return the kept bytes, with a line in the middle that counts the dropped ones."""
        tail = bytes(self.tail[-(OUTPUT_LIMIT // 2) :])
        dropped = self.dropped + len(self.tail) - len(tail)
        note = b"\n[... %d bytes left out ...]\n" % dropped if dropped else b""
        return bytes(self.head) + note + tail


def drain(descriptor: int, output: Kept, reads: int = 1 << 30) -> bool:
    """Read all bytes available, in at most `reads` steps; return False at the end of the output."""
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
