"""A pass of a user's own, in a process of its own: asked over a pipe for the texts that it tries.

There are two processes. The guardian kills the other one, with all that this has started, when the
pipe from Boildown closes, for whatever reason. The other one loads the user's function and answers
requests; whatever that function does to its process (streams, signals, the working directory)
stays there.
"""

from __future__ import annotations

import contextlib
import faulthandler
import inspect
import os
import select
import signal
import sys
from traceback import walk_tb

from boildown.runner.guardian.linux import (
    adopt_orphans,
    be_killed_first,
    die_with_parent,
    kill_group,
)
from boildown.runner.guardian.messages import ENDED, GREETING, BoildownGone, receive, send
from boildown.runner.guardian.processes import (
    forget_signals,
    kill_descendants,
    reap,
    signals_of_python,
    wake_on_signals,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType
    from typing import Any

MOST_TEXTS, TEXTS_PER_CHARACTER = 10_000, 10
"""A call that gives more texts than this, for the length of its text, is taken for endless."""
MOST_CHARACTERS, CHARACTERS_PER_CHARACTER = 1_000_000, 16
"""A text with more than this, for the length of the best one, is no candidate that is smaller."""
_LONGEST_MESSAGE = 1_000
"""Characters of the longest message of an exception that is passed on."""

_HERE = (os.path.abspath(__file__), "<frozen importlib")
"""How the files begin whose frames are none of the user's."""


class _Refused(Exception):  # noqa: N818 - says what is the case
    """The function can't be loaded; the message says why, with file and line."""


class _Broken(Exception):  # noqa: N818 - says what is the case
    """The function breaks its contract; the message says where, and how."""


def main() -> None:
    """Watch over the process of the pass until it ends, or Boildown closes the pipe."""
    requests, answers, told = os.dup(0), os.dup(1), os.dup(2)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    be_killed_first()
    adopt_orphans()
    wake = wake_on_signals()
    guardian, status = os.getpid(), None
    pid = os.fork()
    if pid == 0:
        try:
            forget_signals()
            signals_of_python()
            os.setsid()
            die_with_parent()
            # A guardian that ended before the signal was asked for will send none.
            if os.getppid() == guardian:
                _serve(requests, answers, told)
        except (BoildownGone, BrokenPipeError):
            pass
        finally:
            # Whatever goes wrong, the child must not go on as a second guardian.
            os._exit(0)
    os.close(answers)
    try:
        poller = select.poll()
        # Only that it is closed is of interest; what comes through it is for the other process.
        poller.register(requests, 0)
        poller.register(wake, select.POLLIN)
        closed = False
        while status is None and not closed:
            closed = any(ready == requests for ready, _ in poller.poll())
            with contextlib.suppress(BlockingIOError):
                os.read(wake, 4096)
            status = reap(pid)
    except BoildownGone:
        pass
    finally:
        # Where there is no subreaper, the group is all that can be reached.
        kill_group(pid)
        kill_descendants(wake)
    if status is not None:
        os.write(told, ENDED + b"%d\n" % os.waitstatus_to_exitcode(status))


def _serve(requests: int, answers: int, told: int) -> None:
    """In the child: load the function, and answer until the pipe closes."""
    own = os.getpid()
    # Written by the C code of Python itself, also out of a loop that never comes back to it.
    faulthandler.enable(told)
    faulthandler.register(signal.SIGUSR2, told, all_threads=False)
    propose: Callable[[str], Any] | None = None
    texts: Iterator[str] = iter(())
    os.write(answers, GREETING)
    send(answers, own)
    while True:
        request = receive(requests)
        answer: tuple[Any, ...]
        try:
            if "best" in request:
                assert propose is not None
                texts = _from(_proposed(propose, request["best"]), request["skipped"])
                answer = ("ready",)
            elif "load" in request:
                sys.path[:] = request["load"]
                propose, file, source = loaded(request)
                answer = ("loaded", file, source, _defined(propose))
            else:
                text = next(texts, None)
                answer = ("end",) if text is None else ("text", text)
        except _Refused as error:
            answer = ("refused", str(error))
        except _Broken as error:
            answer = ("broken", str(error))
        # A copy that the function made of its process has nothing to say.
        if os.getpid() != own:
            os._exit(0)
        send(answers, answer)


def _from(texts: Iterator[str], skipped: int) -> Iterator[str]:
    """Yield the texts but for the first ones."""
    for index, text in enumerate(texts):
        if index >= skipped:
            yield text


def loaded(request: dict[str, Any]) -> tuple[Callable[[str], Any], str, bytes]:
    """Load the function that a request names; return it with its file and that file's content.

    Raises _Refused.
    """
    name, source = request["name"], request["source"]
    if source is not None:
        path = request["path"]
        function = _function(_module(path, source), name.rpartition(":")[2], path)
    else:
        function, path, source = _of_entry_point(name, request["group"])
    try:
        inspect.signature(function).bind("")
    except TypeError:
        raise _Refused(
            f"{_defined(function)}: the pass must take one argument, the text."
        ) from None
    except ValueError:
        # The signature of a function in C is not known.
        pass
    return function, path, source


def _module(path: str, source: bytes) -> ModuleType:
    """Run a file as a module of its own. Raises _Refused."""
    module = type(sys)("boildown_own_pass")
    module.__file__ = path
    # Data classes look their module up.
    sys.modules[module.__name__] = module
    try:
        code = compile(source, path, "exec")
    except SyntaxError as error:
        raise _Refused(f"{path}:{error.lineno}:{error.offset}: {error.msg}.") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise _Refused(f"{path}:1: {_shown_error(error)}.") from None
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        raise _Refused(f"The pass can't be loaded. {_raised(error)}") from None
    return module


def _function(module: ModuleType, name: str, path: str) -> Callable[[str], Any]:
    found: object = getattr(module, name, None)
    if callable(found):
        return found
    functions = [each for each, value in vars(module).items() if inspect.isfunction(value)]
    there = f"there are {', '.join(functions)}" if functions else "there is none"
    raise _Refused(f"{path}:1: there is no function {name} in the file; {there}.")


def _of_entry_point(name: str, group: str) -> tuple[Callable[[str], Any], str, bytes]:
    """Return the function that an entry point names, with its file. Raises _Refused."""
    from importlib.metadata import entry_points

    point = next(iter(entry_points(group=group).select(name=name)))
    try:
        function = point.load()
        file = sys.modules[point.module].__file__ or ""
        source = b""
        if file:
            with open(file, "rb") as stream:
                source = stream.read()
    except BaseException as error:
        told = f"The pass {name} ({point.value}) can't be loaded. {_raised(error)}"
        raise _Refused(told) from None
    if not callable(function):
        raise _Refused(f"The pass {name} ({point.value}) is no function.")
    return function, file, source


def _proposed(propose: Callable[[str], Any], best: str) -> Iterator[str]:
    """Yield the texts that a function proposes. Raises _Broken."""
    proposed = _called(lambda: propose(best))
    if isinstance(proposed, str) or not hasattr(type(proposed), "__iter__"):
        where = _defined(propose)
        raise _Broken(f"{where}: it must yield texts, and gave {_shown(proposed)}.")
    iterator, end = _called(lambda: iter(proposed)), object()
    most = MOST_TEXTS + TEXTS_PER_CHARACTER * len(best)
    for _ in range(most):
        text = _called(lambda: next(iterator, end))
        if text is end:
            return
        if (fault := _fault(text, best)) is not None:
            raise _Broken(f"{_place(iterator) or _defined(propose)}: {fault}.")
        # What derives from a string may be anything but one.
        yield str.__str__(text)
    where = _place(iterator) or _defined(propose)
    raise _Broken(f"{where}: it gave {most:,} texts for one of {len(best):,} characters.")


def _called(call: Callable[[], Any]) -> Any:
    """Call a function of the user's. Raises _Broken for any exception."""
    try:
        return call()
    except BaseException as error:
        raise _Broken(_raised(error)) from None


def _fault(text: object, best: str) -> str | None:
    """Return why something can be no candidate, if it can't."""
    if not isinstance(text, str):
        return f"it must yield strings, and gave {_shown(text)}"
    text = str.__str__(text)
    if len(text) > MOST_CHARACTERS + CHARACTERS_PER_CHARACTER * len(best):
        return f"it gave a text of {len(text):,} characters for one of {len(best):,}"
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return "it gave a text that no file can hold, with half of a surrogate pair"
    return None


def _raised(error: BaseException) -> str:
    """Return the sentence on an exception, with the file and the line of the user's."""
    # The frames before them are of the modules that call, and the last ones may be a library's.
    frames = ((frame.f_code.co_filename, at) for frame, at in walk_tb(error.__traceback__))
    own = (f"{file}:{at}" for file, at in frames if not file.startswith(_HERE))
    return f"{next(own, 'It')}: {_shown_error(error)}."


def _shown_error(error: BaseException) -> str:
    try:
        told = str(error)
    except BaseException:
        told = ""
    return f"{type(error).__name__}: {told[:_LONGEST_MESSAGE]}".removesuffix(": ")


def _defined(function: Callable[..., Any]) -> str:
    """Return the file and the line of the definition of a function."""
    code = getattr(function, "__code__", None)
    if code is None:
        return str(getattr(function, "__qualname__", type(function).__name__))
    return f"{code.co_filename}:{code.co_firstlineno}"


def _place(iterator: object) -> str:
    """Return the file and the line at which a generator waits, or nothing."""
    frame = getattr(iterator, "gi_frame", None)
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else ""


def _shown(value: object) -> str:
    """Return the kind of a value, for a person."""
    return "None" if value is None else f"a value of the type {type(value).__name__}"
