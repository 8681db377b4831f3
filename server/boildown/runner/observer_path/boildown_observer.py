"""Notes which lines of Python a process executes, each when it is executed for the first time.

The notes stand in memory that is shared with a file, so that they outlive a process that crashes,
is killed or calls `os._exit`. It runs in the user's Python, which may be older than Boildown's, and
in a program that may trace itself: then it stays away, and leaves a remark.
"""

import itertools
import mmap
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any

MOST_PLACES = 1 << 19
"""Places that one process can note; each takes eight bytes of a file with holes."""
UNSEEN = ("pytest", "_pytest", "pluggy", "hypothesis", "coverage", "boildown")
"""Packages that run, judge or watch tests: their lines tell nothing of a failure."""
_OWN = os.sep + os.path.join("boildown", "runner", "")
"""A part of the paths of the modules that start runs, of which this is one."""
_TOOLS = 4, 3, 1, 0
"""Numbers of tools for `sys.monitoring`, those first that nobody else is known to take."""
_FUNCTION = 0x01
"""The flag of code that belongs to a function, and not to a module or a class."""


def start(folder: str) -> None:
    """Observe this process from now on, and write into `folder`, as the file `wanted` in it says.

    Its words are "calls", for who calls whom, and "installed", for the code of installed packages.
    A second line is the end of a path and a line's number: the function there is followed in order.
    """
    try:
        with open(os.path.join(folder, "wanted"), "rb") as file:
            words, _, followed = os.fsdecode(file.read()).partition("\n")
    except OSError:
        return
    wanted = words.split()
    notes = Notes(folder, "installed" in wanted)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=notes.open)
    if followed and sys.gettrace() is None:
        number, _, name = followed.partition(" ")
        _start_tracing(notes, _follow(notes, name, int(number)))
    elif hasattr(sys, "monitoring") and not followed:
        _monitor(notes, "calls" in wanted)
    elif sys.gettrace() is not None:
        notes.remark("traced")
    else:
        _trace(notes, "calls" in wanted)


class Notes:
    """The notes of one process, in files that begin with its number."""

    def __init__(self, folder: str, installed: bool) -> None:
        self._folder, self._installed = folder, installed
        library = os.path.dirname(os.path.abspath(os.__file__))
        self._library = library + os.sep
        prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix}
        self._prefixes = tuple(os.path.join(path, "lib") for path in prefixes)
        self._calls: set[tuple[int, int]] = set()
        self.open()

    def open(self) -> None:
        """Begin the notes of this process, which may have been forked from another one."""
        self._files: dict[str, int] = {}
        self._remarks: set[str] = set()
        # A counter gives each thread a place of its own without a lock.
        self._next = itertools.count()
        # A process that may write no files notes nothing, and nothing into those of its parent.
        self._places = memoryview(bytearray(8)).cast("Q")
        for number in itertools.count():
            self._name = os.path.join(self._folder, f"{os.getpid()}.{number}")
            try:
                flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
                descriptor = os.open(self._name + ".places", flags, 0o600)
                break
            except FileExistsError:
                continue
            except OSError:
                return
        try:
            os.ftruncate(descriptor, 8 * MOST_PLACES)
            self._places = memoryview(mmap.mmap(descriptor, 8 * MOST_PLACES)).cast("Q")
        except (OSError, ValueError):
            return
        finally:
            os.close(descriptor)

    def file(self, code: "CodeType") -> int:
        """Return the number of the file of some code; 0 if its lines are not wanted."""
        name = code.co_filename
        number = self._files.get(name)
        if number is None:
            number = len(self._files) + 1 if self.is_wanted(name) else 0
            self._files[name] = number
            if number:
                self.append("files", f"{number} {os.path.abspath(name)}\n")
        return number

    def is_wanted(self, name: str) -> bool:
        """Say whether the lines of a file are wanted."""
        if name.startswith("<") or "\n" in name or _OWN in name:
            return False
        if not self._installed:
            return not name.startswith(self._prefixes)
        for folder in (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep):
            if folder in name:
                top = name.rpartition(folder)[2].partition(os.sep)[0]
                return top.partition(".")[0] not in UNSEEN
        return not name.startswith(self._library)

    def place(self, file: int, line: int) -> None:
        """Note that a line is executed."""
        try:
            self._places[next(self._next)] = file << 32 | line
        except IndexError:
            self.remark("full")

    def call(self, frame: "FrameType") -> None:
        """Note the call of a function, and who calls it: not code that is not wanted."""
        if not frame.f_code.co_flags & _FUNCTION or not self.is_wanted(frame.f_code.co_filename):
            return
        caller = frame.f_back
        while caller is not None and not self.is_wanted(caller.f_code.co_filename):
            caller = caller.f_back
        code = caller.f_code if caller is not None and caller.f_code.co_flags & _FUNCTION else None
        key = id(code), id(frame.f_code)
        if key not in self._calls:
            self._calls.add(key)
            known = "0 " if code is None else _beginning(code)
            self.append("calls", f"{known}\t{_beginning(frame.f_code)}\n")

    def remark(self, word: str) -> None:
        """Leave a remark on lines that cannot be seen."""
        if word not in self._remarks:
            self._remarks.add(word)
            self.append("remarks", word + "\n")

    def begin(self, kind: str) -> None:
        """Forget the notes of a kind."""
        try:
            os.unlink(f"{self._name}.{kind}")
        except OSError:
            return

    def append(self, kind: str, line: str) -> None:
        """Note a line of text."""
        # Opened each time: a program may close all descriptors, and may change its directory.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        try:
            descriptor = os.open(f"{self._name}.{kind}", flags, 0o600)
        except OSError:
            return  # It may open no more files, or is another user now.
        try:
            os.write(descriptor, line.encode("utf-8", "surrogateescape"))
        except OSError:
            pass
        finally:
            os.close(descriptor)


def _beginning(code: "CodeType") -> str:
    return f"{code.co_firstlineno} {os.path.abspath(code.co_filename)}"


def _monitor(notes: Notes, calls: bool) -> None:
    """Observe by `sys.monitoring`, which calls back once for each place."""
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    free = [number for number in _TOOLS if monitoring.get_tool(number) is None]
    if not free:
        notes.remark("traced")
        return
    tool, lines, starts = free[0], monitoring.events.LINE, monitoring.events.PY_START

    def see(code: "CodeType", line: int) -> "Any":
        notes.place(notes.file(code), line)
        return monitoring.DISABLE

    def enter(code: "CodeType", _offset: int) -> "Any":
        if not notes.file(code):
            return monitoring.DISABLE
        # Lines of this code alone: a long module of the standard library takes its time otherwise.
        if not monitoring.get_local_events(tool, code):
            monitoring.set_local_events(tool, code, lines)
        if not calls:
            return monitoring.DISABLE
        notes.call(sys._getframe(1))
        return None

    monitoring.use_tool_id(tool, "boildown")
    monitoring.register_callback(tool, lines, see)
    monitoring.register_callback(tool, starts, enter)
    monitoring.set_events(tool, starts)


def _trace(notes: Notes, calls: bool) -> None:
    """Observe by `sys.settrace`, which calls back for each line as often as it is executed."""
    tracers: dict[CodeType, Any] = {}

    def enter(frame: "FrameType", _event: str, _argument: object) -> "Any":
        code = frame.f_code
        tracer = tracers.get(code, tracers)
        if tracer is tracers:
            file = notes.file(code)
            tracer = tracers[code] = _tracer(notes, file, code) if file else None
        if calls and tracer is not None:
            notes.call(frame)
        return tracer

    _start_tracing(notes, enter)


def _start_tracing(notes: Notes, enter: "Any") -> None:
    # Only here: whoever patches threads wants them not to be imported yet.
    import atexit
    import threading

    threading.settrace(enter)
    sys.settrace(enter)

    def end() -> None:
        if sys.gettrace() is not enter:
            notes.remark("replaced")

    atexit.register(end)


def _tracer(notes: Notes, file: int, code: "CodeType") -> "Any":
    """Return the function that notes the lines of some code, as long as some are left."""
    seen: set[int] = set()
    left: set[int] | None = None
    if hasattr(code, "co_lines"):
        left = {line for _start, _end, line in code.co_lines() if line}
        # The line of its definition is executed by others.
        left.discard(code.co_firstlineno)

    def see(frame: "FrameType", event: str, _argument: object) -> "Any":
        if event == "line":
            line = frame.f_lineno
            if line not in seen:
                seen.add(line)
                notes.place(file, line)
                if left is not None:
                    left.discard(line)
            if left is not None and not left and line != code.co_firstlineno:
                frame.f_trace_lines = False
        return see

    return see


MOST_STEPS = 10000
"""Steps that are kept; there may be twice as many for a while."""
_MOST_NAMES = 40
_MOST_ITEMS = 6
_LONGEST = 60
_PLAIN = int, float, complex, bool, type(None)


def _follow(notes: Notes, name: str, line: int) -> "Any":
    """Return the function that notes each step through one function, with the values of names."""
    count = itertools.count()
    frames = itertools.count()
    known: dict[CodeType, bool] = {}

    def note(*told: object) -> None:
        at = next(count)
        if not at % MOST_STEPS:
            notes.begin(f"steps{at // MOST_STEPS % 2}")
        notes.append(f"steps{at // MOST_STEPS % 2}", ascii(told) + "\n")

    def enter(frame: "FrameType", _event: str, _argument: object) -> "Any":
        code = frame.f_code
        if code not in known:
            known[code] = code.co_filename.endswith(name) and _holds(code, line)
        if not known[code]:
            return None
        number = next(frames)
        caller = frame.f_back
        if caller is not None:
            path = os.path.abspath(caller.f_code.co_filename)
            note(number, "call", path, caller.f_lineno, _shown_values(caller))

        def see(frame: "FrameType", event: str, _argument: object) -> "Any":
            # One is raised where the last step was.
            note(number, event, "", frame.f_lineno, _shown_values(frame))
            return see

        return see

    return enter


def _holds(code: "CodeType", line: int) -> bool:
    """Say whether a line is one of a function, and not of one in it."""
    import dis

    lines = {number for _offset, number in dis.findlinestarts(code)}
    return line in lines and not code.co_name.startswith("<") and bool(code.co_flags & _FUNCTION)


def _shown_values(frame: "FrameType") -> "dict[str, str]":
    """Return the values of a frame's names as text; those of a module are too many."""
    if frame.f_locals is frame.f_globals:
        return {}
    values = list(frame.f_locals.items())[:_MOST_NAMES]
    return {name: shown(value) for name, value in values if name.isidentifier()}


def shown(value: object, depth: int = 2) -> str:
    """Return a value as text if it is of a built-in type, else its type, and its length.

    No code of the user's is called.
    """
    kind = type(value)
    try:
        if kind in _PLAIN:
            is_long = kind is int and int.bit_length(value) > 200  # type: ignore[arg-type]
            return "a long int" if is_long else repr(value)
        if kind is str or kind is bytes:
            start: Any = value[:_LONGEST]  # type: ignore[index]
            return repr(start) + ("…" if len(start) < len(value) else "")  # type: ignore[arg-type]
        for base in (list, tuple, dict, set, frozenset):
            if kind is base and depth:
                return _shown_items(value, base, depth - 1)
            if issubclass(kind, base):
                return f"<{_name(kind)} of length {base.__len__(value)}>"  # type: ignore[arg-type]
    except Exception:
        # Another thread changes it meanwhile.
        pass
    return f"<{_name(kind)}>"


def _name(kind: type) -> str:
    return str(type.__getattribute__(kind, "__name__"))


def _shown_items(value: "Any", kind: type, depth: int) -> str:
    few = list(itertools.islice(value.items() if kind is dict else value, _MOST_ITEMS))
    if kind is dict:
        told = [f"{shown(key, depth)}: {shown(each, depth)}" for key, each in few]
    else:
        told = [shown(each, depth) for each in few]
    if len(few) < len(value):
        told.append("…")
    elif kind is tuple and len(told) == 1:
        told[0] += ","
    inner = ", ".join(told)
    if kind is list:
        return f"[{inner}]"
    if kind is dict:
        return f"{{{inner}}}"
    if kind is tuple:
        return f"({inner})"
    if kind is set and told:
        return f"{{{inner}}}"
    return f"{kind.__name__}({{{inner}}})" if told else f"{kind.__name__}()"
