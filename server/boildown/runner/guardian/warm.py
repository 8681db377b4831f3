"""Warm runs: the predicate or pytest is imported once, and each run is a fork that calls it."""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import signal
import sys

from boildown.runner.guardian.ahead import Clash, OwnNames, load_outside, own_plugins
from boildown.runner.guardian.linux import die_with_parent
from boildown.runner.guardian.messages import FOLDER_PATH, OBSERVED, OBSERVER_PATH, UNUSABLE_STATUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Any

OUTCOME_STATUS = {"REPRODUCED": 1, "INVALID": 2, "TIMEOUT": 3, "PASSED": 0}
"""The exit status for each outcome of a predicate; True is the first, False and None the last."""

_IMPORT = (importlib.__file__, "<frozen importlib")
"""How the files begin whose code imports modules."""

_VARARGS, _LAZY = 0x04, 0x20 | 0x80 | 0x200
"""Flags of code: takes any number of arguments; is a generator, a coroutine, or both."""

_loaded: dict[str, Any] = {}
brought: set[str] = set()
"""The names of the modules that the guardian itself has imported."""


class Misused(TypeError):  # noqa: N818 - says what is the case
    """The function that is named cannot be used as a predicate."""

    # The user reads it as what it is.
    __module__, __qualname__ = "builtins", "TypeError"


def preload(request: dict[str, Any]) -> dict[str, Any]:
    """Import a predicate, or pytest with its plugins; answer whether runs can be warm."""
    # An import may hang, and the guardian does not read its pipe meanwhile: if Boildown ends now,
    # only a signal can tell.
    die_with_parent(signal.SIGTERM)
    try:
        sys.path[0] = os.fsdecode(request["first"])
        if "own" in request:
            _load_for_folders(request)
        else:
            _load_for_files(request)
        if (threads := sys.modules.get("threading")) is not None and threads.active_count() > 1:
            return {"warm": False, "why": "it started threads, which do not survive a fork"}
        # What is done once here is not done again in every child.
        _make_streams()
        sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
        _loaded["whole"] = True
        importlib.invalidate_caches()
        # A collection in a child would write to every object, and so copy the pages of all of them:
        # what is frozen is left out of collections.
        gc.collect()
        gc.freeze()
        return {"warm": True, "why": ""}
    except (Exception, SystemExit) as error:
        return {"warm": False, "why": f"{type(error).__name__}: {error}"}
    finally:
        die_with_parent(0)


def _load_for_files(request: dict[str, Any]) -> None:
    """Import the predicate, or pytest, where candidates are files."""
    os.chdir(request["cwd"])
    os.environb.update(request["environment"])
    give_way(sys.path[0])
    if request["preload"] == "pytest":
        _load_pytest(request)
    else:
        _loaded["predicate"] = find_predicate(request["preload"])
        _loaded["takes"] = argument(_loaded["predicate"])


def give_way(folder: str) -> None:
    """Forget modules of the library where a project has some of the same name."""
    for name in brought.difference(sys.builtin_module_names):
        path = os.path.join(folder, name)
        if os.path.isfile(path + ".py") or os.path.isdir(path):
            sys.modules.pop(name, None)


def _load_for_folders(request: dict[str, Any]) -> None:
    """Import pytest and other modules from outside of the folders that are candidates.

    The candidates' folder is there, and empty. Raises Clash where a module of their own would have
    a say in what is loaded.
    """
    own = request["own"]
    os.makedirs(request["cwd"], exist_ok=True)
    os.chdir(request["cwd"])
    _change_environment(request["environment"])
    for name in brought.intersection(own["names"]).difference(sys.builtin_module_names):
        sys.modules.pop(name, None)
    watch = OwnNames(own)
    sys.meta_path.append(watch)
    # Options and plugins are for the runs, which get these variables again.
    for variable in (b"PYTEST_ADDOPTS", b"PYTEST_PLUGINS"):
        os.environb.pop(variable, None)
    _load_pytest(request, [f"-pno:{name}" for name in own_plugins(own)])
    if why := watch.fault():
        raise Clash(why)
    _change_environment(request["environment"])
    load_outside(request["modules"], watch)
    if why := watch.fault():
        raise Clash(why)
    sys.meta_path.remove(watch)


def find_predicate(name: str) -> Callable[[Any], Any]:
    """Return the function that `module:function` names, if it can be called with one argument.

    Raises Misused, AttributeError and whatever the module raises.
    """
    module, _, function = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in function.split("."):
        found = getattr(found, part)
    if (fault := _fault(found)) is not None:
        raise Misused(f"{name} {fault}")
    return found  # type: ignore[no-any-return]


def _fault(predicate: Any) -> str | None:
    """Return why something cannot be a predicate, as far as that can be seen."""
    if isinstance(predicate, type) or not callable(predicate):
        return "is no function"
    if (code := getattr(predicate, "__code__", None)) is None:
        return None
    if code.co_flags & _LAZY:
        return "is a generator or asynchronous, so calling it gives no answer"
    bound = getattr(predicate, "__self__", None) is not None
    most = code.co_argcount - bound
    least = most - len(predicate.__defaults__ or ())
    named = code.co_kwonlyargcount - len(predicate.__kwdefaults__ or {})
    if least > 1 or (most < 1 and not code.co_flags & _VARARGS) or named:
        return "must take one argument: the text of a candidate, or its path"
    return None


def _load_pytest(request: dict[str, Any], more: Sequence[str] = ()) -> None:
    """Import pytest and its plugins as a session does that has nothing to collect."""
    import pytest

    empty = os.fsdecode(request["directory"])
    os.makedirs(empty, exist_ok=True)
    os.chdir(empty)
    try:
        options = [*more, "--collect-only", "-q", "-pno:cacheprovider", f"--rootdir={empty}"]
        pytest.main([*options, "-c", os.devnull, empty])
    finally:
        os.chdir(request["cwd"])


def call(request: dict[str, Any]) -> None:
    """In the child of a warm run: call the predicate or pytest, in the state of a fresh Python."""
    status = 1
    try:
        _refresh(request)
        _observe()
        if request["call"] == "pytest":
            import pytest

            code = pytest.main([os.fsdecode(part) for part in request["argv"]])
            status = int(code)
        else:
            status = judge(_loaded["predicate"], os.fsdecode(request["file"]), request["text"])
    except SystemExit as error:
        status = _exit_status(error)
    except BaseException as error:
        status = shown(error)
    _leave(status)


def judge(predicate: Callable[[Any], Any], file: str, text: bytes | None = None) -> int:
    """Call a predicate on a candidate; return its outcome as an exit status.

    `text` is what the candidate's file holds, if that was not written.
    """
    taken = _loaded.get("takes") or argument(predicate)
    if taken == "text":
        if text is None:
            with open(file, "rb") as stream:
                text = stream.read()
        answer = predicate(text.decode("utf-8", "surrogateescape"))
    elif taken == "path":
        answer = predicate(file)
    else:
        import pathlib

        answer = predicate(pathlib.Path(file))
    if answer is None or isinstance(answer, bool):
        return 1 if answer else 0
    name = getattr(answer, "name", answer)
    if name not in OUTCOME_STATUS:
        raise Misused(f"the predicate must return a bool or an Outcome, not {answer!r}")
    return OUTCOME_STATUS[name]


def argument(predicate: Callable[[Any], Any]) -> str:
    """Return the kind of argument a predicate takes: "Path" if annotated so, else "text".

    Without an annotation, a parameter that is named path, file, filename or file_path takes "path",
    the path as a string.
    """
    code = getattr(predicate, "__code__", None)
    names = code.co_varnames[: code.co_argcount] if code is not None else ()
    names = names[1:] if getattr(predicate, "__self__", None) is not None else names
    if not names:
        return "text"
    annotation = getattr(predicate, "__annotations__", {}).get(names[0])
    if annotation is None:
        return "path" if names[0] in ("path", "file", "filename", "file_path") else "text"
    return "Path" if "Path" in getattr(annotation, "__name__", str(annotation)) else "text"


def loaded() -> bool:
    """Say whether the import is complete, so that warm runs can be forked."""
    return "whole" in _loaded


def takes_text() -> bool:
    """Say whether the predicate that was loaded needs no file."""
    return _loaded.get("takes") == "text"


def _make_streams() -> None:
    """Open the standard streams of the warm runs ahead, on pipes such as they will have."""
    saved = {1: os.dup(1), 2: os.dup(2)}
    ends = os.pipe()
    try:
        for number in saved:
            os.dup2(ends[1], number)
        sys.stdin = sys.__stdin__ = open(0, closefd=False)  # type: ignore[misc]  # noqa: SIM115
        sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # type: ignore[misc]  # noqa: SIM115
        sys.stderr = sys.__stderr__ = open(  # type: ignore[misc]  # noqa: SIM115
            2, "w", buffering=1, errors="backslashreplace", closefd=False
        )
    finally:
        for number, copy in saved.items():
            os.dup2(copy, number)
        for descriptor in (*saved.values(), *ends):
            os.close(descriptor)


def _refresh(request: dict[str, Any]) -> None:
    """Give a warm run the environment, arguments and import path of a fresh process."""
    if request["environment"] is not None:
        _change_environment(request["environment"])
    sys.path[0] = os.fsdecode(request["first"])
    sys.argv = [os.fsdecode(part) for part in (request["program"], *request["argv"])]
    if not takes_text():
        importlib.invalidate_caches()


def _observe() -> None:
    """Have this process note the lines that it executes, if they are wanted."""
    if folder := os.environ.get(OBSERVED):
        sys.path.insert(0, OBSERVER_PATH)
        start = importlib.import_module("boildown_observer").start
        del sys.modules["boildown_observer"], sys.path[0]
        start(folder)


def _change_environment(environment: dict[bytes, bytes]) -> None:
    """Replace the environment, and the settings that Python derives from it at its start."""
    old = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environb.clear()
    os.environb.update(environment)
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    new = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    # What these are for is done when a process starts, or by `_observe`.
    new = [path for path in new if path not in (FOLDER_PATH, OBSERVER_PATH)]
    # Python put the folders of PYTHONPATH right after the first entry when it started; those of the
    # new one take their place, and what else was added since stays.
    rest = [path for path in sys.path[1:] if path not in map(os.path.abspath, filter(None, old))]
    sys.path[:] = [sys.path[0], *map(os.path.abspath, filter(None, new)), *rest]


def _exit_status(error: SystemExit) -> int:
    if error.code is None or isinstance(error.code, int):
        return (error.code or 0) & 0xFF
    print(error.code, file=sys.stderr)
    return 1


def shown(error: BaseException, is_loaded: bool = True) -> int:
    """Print a traceback as Python does, and return the status that it ends with.

    Of the frames of these modules there are some only if there are no others, and what is called
    is a predicate.
    """
    is_usable = is_loaded and not isinstance(error, Misused)
    trace = _own(error) or (error.__traceback__ if is_usable else None)
    sys.excepthook(type(error), error.with_traceback(trace), trace)
    return 1 if is_usable else UNUSABLE_STATUS


def _own(error: BaseException) -> TracebackType | None:
    """Return the part of a traceback that is neither in these modules nor in the import."""
    here = os.path.dirname(os.path.abspath(__file__))
    trace = error.__traceback__
    while trace and trace.tb_frame.f_code.co_filename.startswith((here, *_IMPORT)):
        trace = trace.tb_next
    return trace


def _leave(status: int) -> None:
    """End the process as Python does: wait for threads, call exit handlers, flush."""
    try:
        if (threads := sys.modules.get("threading")) is not None:
            threads._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)
