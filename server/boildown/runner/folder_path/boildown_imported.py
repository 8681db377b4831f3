"""Tells which modules a run on a folder has imported from outside of it, for runs that follow.

Of the modules, in the order in which they were imported, name and file; an empty line stands where
the first one of the folder itself came. There are only those that were loaded before the run did
what may change how others load: it changed its environment or its directory, or a module from
outside opened a file of the folder.
"""

import atexit
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_LOADED_BY_PYTEST = "AssertionRewritingHook"
"""The loader of modules that are not the same if pytest doesn't load them."""


def tell(path: str, root: str) -> None:
    """Have this process write its imports from outside of `root` into a file at its end."""
    own = tuple(os.path.join(each, "") for each in {root, os.path.realpath(root)})
    pid = os.getpid()
    settled: set[str] | None = None

    def see(event: str, arguments: tuple) -> None:  # type: ignore[type-arg]
        nonlocal settled
        if settled is not None:
            return
        if event in ("os.putenv", "os.unsetenv"):
            is_doubtful = not arguments[0].startswith(b"PYTEST_")
        elif event == "open":
            is_doubtful = _is_below(arguments[0], own) and _loads_outside(own)
        else:
            is_doubtful = event == "os.chdir"
        if is_doubtful:
            settled = {name for name, module in list(sys.modules.items()) if _is_loaded(module)}

    def write() -> None:
        # Of a process that was forked the end is none.
        if os.getpid() == pid:
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.writelines(f"{line}\n" for line in list(_lines(settled, own)))

    sys.addaudithook(see)
    # The first that is registered is the last that is called.
    atexit.register(write)


def _lines(settled: "set[str] | None", own: tuple[str, ...]) -> "Iterator[str]":
    is_before = True
    for name, module in list(sys.modules.items()):
        spec = _attribute(module, "__spec__")
        file = _attribute(spec, "origin")
        # What is built in has no path.
        if os.path.isabs(str(file)) and _is_below(file, own):
            if is_before:
                yield ""
            is_before = False
        elif (
            isinstance(file, str)
            and (settled is None or name in settled)
            and type(_attribute(spec, "loader")).__name__ != _LOADED_BY_PYTEST
            and not set("\n\t") & set(name + file)
        ):
            yield f"{name}\t{file}"


def _is_below(path: object, own: tuple[str, ...]) -> bool:
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    return isinstance(path, str) and os.path.abspath(path).startswith(own)


def _is_loaded(module: object) -> bool:
    return not _attribute(_attribute(module, "__spec__"), "_initializing")


def _loads_outside(own: tuple[str, ...]) -> bool:
    """Say whether a module from outside of the folder is being loaded, innermost of all."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_name == "<module>":
            is_main = frame.f_globals.get("__name__") == "__main__"
            return not is_main and not _is_below(frame.f_code.co_filename, own)
        frame = frame.f_back
    return False


def _attribute(value: object, name: str) -> object:
    try:
        return getattr(value, name, None)
    except Exception:  # A module may stand for another one that cannot be loaded.
        return None
