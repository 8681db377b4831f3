"""The guardian: a small process that starts the runs of one worker and outlives none of them.

It is a script, not a module: `python -I -S guardian.py TEMP`. It takes requests from standard
input and answers each on standard output (messages of `marshal`, each after its length). It forks
and executes the runs itself, since a process with little memory and one thread forks fast and
safely. It becomes the subreaper of all that it starts, so a daemon that left its session and its
parent is still its child, and nothing survives a run, whether that ends, times out or is cancelled.
When the pipe from Boildown closes, for whatever reason (an exit, a crash, `kill -9`), it kills all
its descendants, removes its directory and ends.

Away from Linux there is no subreaper: there a run's process group is killed, which reaches every
descendant but those that made a session of their own. All paths and arguments are bytes.
"""

from __future__ import annotations

import contextlib
import fcntl
import marshal
import os
import resource
import select
import signal
import struct
import sys
import time
from typing import Any

CAP = 1 << 20
"""Bytes kept of each output: the first half and the last half of so many."""
_PATIENCE = 5.0
"""Seconds to wait for killed processes; one that belongs to another user may not die."""
_GLANCE = 0.05
"""Seconds between two looks at the memory in use."""
_PREFIX = b"boildown-run-"
"""What the names of guardians' directories begin with."""
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

_libc: Any = None


class BoildownGone(BaseException):
    """The pipe from Boildown was closed."""


def main() -> None:
    """Serve requests until the pipe closes."""
    control, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    adopt_orphans()
    wake = wake_on_signals()
    temp = os.fsencode(sys.argv[1])
    remove_abandoned(temp)
    base = make_base(temp)
    try:
        send(answers, base)
        while True:
            request = receive(control)
            if request != "cancel":
                send(answers, perform(request, control, wake))
    except (BoildownGone, BrokenPipeError):
        pass
    finally:
        kill_descendants(wake)
        remove(base)


def make_base(temp: bytes) -> bytes:
    """Make the guardian's directory, locked as long as the guardian lives."""
    name = b"%d-%s" % (os.getpid(), os.urandom(4).hex().encode())
    fresh = os.path.join(temp, b".boildown-run-" + name)
    base = os.path.join(temp, _PREFIX + name)
    os.mkdir(fresh, 0o700)
    fcntl.flock(os.open(fresh, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.rename(fresh, base)
    return base


def remove_abandoned(temp: bytes) -> None:
    """Remove the directories of guardians that were killed: nobody holds their locks."""
    for name in os.listdir(temp):
        pid, _, rest = name.removeprefix(_PREFIX).partition(b"-")
        if not (name.startswith(_PREFIX) and pid.isdigit() and len(rest) == 8):
            continue
        path = os.path.join(temp, name)
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove(path)
            finally:
                os.close(descriptor)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends (Linux only)."""
    global _libc
    if sys.platform != "linux":
        return
    try:
        import ctypes

        _libc = ctypes.CDLL(None)
        _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        _libc = None


def wake_on_signals() -> int:
    """Return a descriptor that becomes readable when a child ends."""
    readable, writable = os.pipe()
    os.set_blocking(readable, False)
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda _signal, _frame: None)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, leave)
    return readable


def leave(_signal: int, _frame: object) -> None:
    """End as if the pipe had been closed."""
    raise BoildownGone


def receive(control: int) -> Any:
    """Read one message from Boildown."""
    (size,) = struct.unpack("<I", read_exactly(control, 4))
    return marshal.loads(read_exactly(control, size))


def read_exactly(descriptor: int, size: int) -> bytes:
    """Read so many bytes, or raise `BoildownGone`."""
    parts = []
    while size:
        part = os.read(descriptor, min(size, 1 << 20))
        if not part:
            raise BoildownGone
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def send(answers: int, message: Any) -> None:
    """Write one message to Boildown."""
    data = marshal.dumps(message)
    view = memoryview(struct.pack("<I", len(data)) + data)
    while view:
        view = view[os.write(answers, view) :]


def perform(request: dict[str, Any], control: int, wake: int) -> dict[str, Any]:
    """Make the fresh directory, run the command there, and remove all that is left of it."""
    directory = request["directory"]
    try:
        os.makedirs(directory, 0o700)
        write(request)
        return run(request, control, wake)
    except OSError as error:
        return {"error": error.errno or 0, "where": "prepare", "path": error.filename or directory}
    finally:
        kill_descendants(wake)
        if request["unlink"]:
            unlink(request["file"])
        remove(directory)


def write(request: dict[str, Any]) -> None:
    """Write the candidate."""
    path = request["file"]
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, request["mode"])
    try:
        view = memoryview(request["text"])
        while view:
            view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)
    if request["mtime"] is not None:
        os.utime(path, (request["mtime"], request["mtime"]))


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
    return pid, {"error": int(number), "where": where.decode(), "path": request["program"]}


def become(request: dict[str, Any], out: int, err: int, report: int, guardian: int) -> None:
    """In the child: become the command; never returns."""
    where = b"start"
    try:
        signal.set_wakeup_fd(-1)
        os.setsid()
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
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


def memory_used() -> int:
    """Return the bytes that all descendants hold for themselves, as Linux tells; else 0."""
    pages = 0
    for pid in descendants():
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                _, resident, shared = file.read().split()[:3]
            pages += int(resident) - int(shared)
        except (OSError, ValueError):
            continue
    return pages * os.sysconf("SC_PAGE_SIZE")


def reap(pid: int) -> int | None:
    """Collect all children that ended; return the wait status of `pid` if it is among them."""
    found = None
    while True:
        try:
            ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if ended == 0:
            return found
        if ended == pid:
            found = status


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


def kill_descendants(wake: int) -> None:
    """Kill every descendant and collect them.

    They are stopped first, so that none can start another while the others are killed.
    """
    patience = time.monotonic() + _PATIENCE
    while has_children() and time.monotonic() < patience:
        stopped: set[int] = set()
        while fresh := descendants() - stopped:
            for pid in fresh:
                kill(pid, signal.SIGSTOP)
            stopped |= fresh
        for pid in stopped:
            kill(pid, signal.SIGKILL)
        if has_children():
            select.select([wake], [], [], 0.01)
            drain(wake, Kept())


def has_children() -> bool:
    """Collect the children that ended; return whether others are left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def kill_group(pid: int) -> None:
    """Kill what is left of the process group that a run led."""
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def kill(pid: int, number: int) -> None:
    """Send a signal to a process that may be gone."""
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def descendants() -> set[int]:
    """Return the ids of all processes below this one, as Linux tells."""
    found: set[int] = set()
    parents = [os.getpid()]
    table = None if os.path.exists("/proc/thread-self/children") else process_table()
    while parents:
        parent = parents.pop()
        for child in listed_children(parent) if table is None else table.get(parent, ()):
            if child not in found:
                found.add(child)
                parents.append(child)
    return found


def listed_children(pid: int) -> list[int]:
    """Return the children of all threads of a process, none if it is gone."""
    children: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                children += map(int, file.read().split())
    except OSError:
        pass
    return children


def process_table() -> dict[int, list[int]]:
    """Return the children of every process, for kernels that keep no list of children."""
    table: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
            table.setdefault(parent, []).append(int(name))
        except (OSError, ValueError, IndexError):
            continue
    return table


def remove(path: bytes) -> None:
    """Remove a directory and all in it, also what was made unreadable; ignore what is gone."""
    directories = [path]
    for directory in directories:
        try:
            os.chmod(directory, 0o700)
            entries = list(os.scandir(directory))
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                directories.append(entry.path)
            else:
                unlink(entry.path)
    for directory in reversed(directories):
        with contextlib.suppress(OSError):
            os.rmdir(directory)


def unlink(path: bytes) -> None:
    """Remove a file that may be gone."""
    with contextlib.suppress(OSError):
        os.unlink(path)


if __name__ == "__main__":
    main()
