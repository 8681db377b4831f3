"""Records the inputs of failing tests: files that were opened, and values that were in use.

As a plugin it records for pytest; run as a script, with the arguments of `python -m unittest`, for
unittest. Each fact is a line of JSON in the file that the environment variable BOILDOWN_RECORD
names: a test begins, a file is opened, a text is decoded, a test fails with these frames, a test is
over, all are.
Several processes may write at once, as those of pytest-xdist do, so each fact says by which one it
is. This file must work with any Python and pytest, and imports nothing of Boildown.
"""

import binascii
import contextlib
import functools
import inspect
import json
import os
import runpy
import sys

LONGEST = 1000000
"""Characters of a value that is recorded."""
MOST_FRAMES = 100
"""Frames that are recorded of a traceback: the outermost, and as many of the innermost."""

MOST_PARTS = 10000
"""Parts of a list or another container that is recorded."""
_CONTAINERS = (dict, list, tuple, set)
_LITERALS = (str, bytes, int, float, complex, bool, type(None))

ALL = ""
"""Stands for all tests that a process runs."""

_path = os.environ["BOILDOWN_RECORD"]
_out = os.open(_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
_opened_as = os.fstat(_out)
_process = os.getpid()
"""Not that of a child which a test forks: what it opens is the test's."""
_seen = set()
_code = (".py", ".pyc", ".pyi", ".so", ".pyd", ".pth")


def _write(**fact):
    with contextlib.suppress(OSError):
        os.write(_record(), json.dumps({**fact, "process": _process}).encode() + b"\n")


def _record():
    """Return the number of the record, opened anew where a test has closed all files."""
    global _out
    with contextlib.suppress(OSError):
        if os.path.samestat(os.fstat(_out), _opened_as):
            return _out
    _out = os.open(_path, os.O_WRONLY | os.O_APPEND)
    return _out


def _audit(event, arguments):
    if event == "open":
        path, _, flags = arguments
        if not (isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)):
            _opened(path)
        elif path != _path:
            _touched([path])
    elif event in _HARMFUL:
        _touched(arguments)
    elif event == "subprocess.Popen":
        # What another process opens is not seen, but it is often named.
        words = arguments[1] if isinstance(arguments[1], (list, tuple)) else ()
        _touched(words or [arguments[1]])
        for word in words:
            if isinstance(word, (str, bytes, os.PathLike)) and os.path.isfile(word):
                _opened(os.fspath(word))


_HARMFUL = frozenset(
    [
        *("os.system", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink"),
        *("os.truncate", "os.exec", "os.posix_spawn", "shutil.rmtree", "shutil.move"),
    ]
)
"""Events whose arguments are paths and commands that had better not change."""


def _touched(words):
    for word in words:
        if isinstance(word, (str, bytes, os.PathLike)):
            _write(touched=os.fsdecode(word))


def _opened(path):
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    if not isinstance(path, str) or path.endswith(_code) or path in _seen:
        return
    _seen.add(path)
    _write(opened=os.path.abspath(path))


MOST_DECODED = 1000
"""Texts that a test decodes which are recorded."""
_decoded = set()


def _decodes(name, value):
    if isinstance(value, (bytes, bytearray)):
        value = bytes(value).decode("ascii", "replace")
    if not isinstance(value, str) or len(value) > LONGEST or len(_decoded) >= MOST_DECODED:
        return
    bare = "".join(value.split())
    if bare and (name, bare) not in _decoded:
        _decoded.add((name, bare))
        _write(decoded=bare, by=name)


def _watch(name):
    """Have calls of a function of `binascii` recorded, by which those of `base64` decode."""
    function = getattr(binascii, name)

    @functools.wraps(function)
    def decode(data, *rest, **named):
        _decodes(name, data)
        return function(data, *rest, **named)

    setattr(binascii, name, decode)


def _began(test, file, indices):
    _seen.clear()
    _decoded.clear()
    _write(test=test, file=file, indices=indices)


def _failed(test, error):
    frames = []
    known = set()
    while error is not None and id(error) not in known:
        known.add(id(error))
        found = []
        trace = error.__traceback__
        while trace is not None:
            found.append(_frame(trace))
            trace = trace.tb_next
        frames += found[:MOST_FRAMES] + found[MOST_FRAMES:][-MOST_FRAMES:]
        error = error.__cause__ or error.__context__
    _write(failed=test, frames=frames)


def _frame(trace):
    code, values = trace.tb_frame.f_code, {}
    for name, value in trace.tb_frame.f_locals.items():
        if name == "self":
            for attribute, held in getattr(value, "__dict__", {}).items():
                _add(values, f".{attribute}", held)
        _add(values, name, value)
        # This is a method of a built-in type, whose calls nobody can watch.
        if "fromhex" in code.co_names:
            _decodes("fromhex", value)
    return {"file": os.path.abspath(code.co_filename), "line": trace.tb_lineno, "values": values}


def _add(values, name, value):
    if type(value) is bytes:
        value = value.decode("utf-8", "surrogateescape")
    elif type(value) in _CONTAINERS and _is_data(value):
        value = repr(value)
    if type(value) is str and 0 < len(value) <= LONGEST:
        values[str(name)] = value


def _is_data(value):
    """Say whether a value is made of literals alone, whose `repr` runs no code of others."""
    waiting = [value]
    for count, each in enumerate(waiting):
        if count > MOST_PARTS:
            return False
        if type(each) is dict:
            waiting += each.keys()
            waiting += each.values()
        elif type(each) in _CONTAINERS:
            waiting += each
        elif type(each) not in _LITERALS:
            return False
    return len(waiting) > 1


def _run_unittest():
    """Run unittest as `python -m unittest` does, with results that are recorded."""
    import unittest

    def recording(method):
        def record(self, test, *rest):
            error = rest[-1]
            if error is not None:
                _failed(test.id(), error[1])
            return method(self, test, *rest)

        return record

    def start(self, test, method=unittest.TestResult.startTest):
        _began(test.id(), os.path.abspath(inspect.getfile(type(test))), {})
        return method(self, test)

    def stop(self, test, method=unittest.TestResult.stopTest):
        _write(over=test.id())
        return method(self, test)

    unittest.TestResult.startTest = start
    unittest.TestResult.stopTest = stop
    for name in ("addError", "addFailure", "addSubTest"):
        setattr(unittest.TestResult, name, recording(getattr(unittest.TestResult, name)))
    sys.path[0] = os.getcwd()
    try:
        runpy.run_module("unittest", run_name="__main__", alter_sys=True)
    finally:
        _write(over=ALL)


sys.addaudithook(_audit)
for _name in ("a2b_base64", "a2b_hex", "unhexlify"):
    _watch(_name)
if __name__ == "__main__":
    _run_unittest()
else:
    import pytest  # which unittest does not need

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(item):
        """Record that a test begins."""
        spec = getattr(item, "callspec", None)
        file = str(getattr(item, "path", None) or item.fspath)
        _began(item.nodeid, file, dict(getattr(spec, "indices", {})))

    def pytest_exception_interact(node, call, report):
        """Record that a test failed; an error in collecting tests is none of a test."""
        if hasattr(node, "runtest"):
            _failed(node.nodeid, call.excinfo.value)

    def pytest_runtest_logfinish(nodeid, location):
        """Record that a test is over; one that ends its process never is."""
        _write(over=nodeid)

    def pytest_sessionfinish(session):
        """Record that the tests of this process are over."""
        _write(over=ALL)
