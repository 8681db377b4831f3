"""Modules from outside of a folder, imported ahead of the runs on candidates for it.

A run imports the folder's own modules afresh. So nothing may be loaded ahead that has to do with
them, nor what would load otherwise there: whose name a file of the folder has, what asks for such a
name, what was imported from elsewhere, and what changes its surroundings, warns, prints or starts a
thread while it is loaded. Each module is first loaded in a process that is thrown away.
"""

from __future__ import annotations

import importlib
import io
import os
import sys

from boildown.runner.guardian.linux import die_with_parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST_TRIALS = 8
_BEGUN, _ALL = b"+", b"."
"""What a trial writes: one byte for each module that it begins, another one at its end."""


class Clash(ImportError):  # noqa: N818 - says what is the case
    """The folder has modules that would be taken for others which are loaded ahead."""


class OwnNames:
    """An import finder that is asked last, finds nothing, and notes names of the folder's own."""

    def __init__(self, own: dict[str, Any]) -> None:
        self.own = own
        self.asked: list[str] = []
        """The names that were asked for."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        """Note a name that nobody else has found."""
        if name.partition(".")[0] in self.own["names"]:
            self.asked.append(name)

    def fault(self) -> str:
        """Return why a module that is loaded by now may be another one in a run; "" if none is."""
        if self.asked:
            return f"{self.asked[0]}, a name in the folder, is imported from outside of it"
        for name, module in list(sys.modules.items()):
            top = name.partition(".")[0]
            file = _origin(module)
            is_early = top in self.own["first"]
            # Names that others had before the folder's own came are theirs in any run.
            is_late = top in self.own["modules"] and top not in self.own["before"]
            is_fixed = name == "__main__" or file in ("built-in", "frozen")
            if (is_early or is_late) and not is_fixed:
                return f"{name} has the name of a file in the folder"
            if _is_inside(file, self.own["folder"]):
                return f"{name} is loaded from the original folder"
        return ""


def own_plugins(own: dict[str, Any]) -> list[str]:
    """Return the names of pytest's plugins that are modules of the folder, by entry points."""
    from importlib.metadata import distributions

    return [
        entry.name
        for distribution in distributions()
        for entry in distribution.entry_points
        if entry.group == "pytest11" and entry.value.partition(".")[0].strip() in own["names"]
    ]


def load_outside(modules: list[tuple[str, str]], watch: OwnNames) -> None:
    """Import modules, given by name and file, as far as they load in every run as they do here."""
    known = {name for name, _ in modules} | set(sys.modules)
    for _ in range(_MOST_TRIALS):
        good = _trial(modules, watch, known)
        for module in modules[:good]:
            _load(module, watch, known)
        modules = modules[good + 1 :]
        if not modules:
            return


def _trial(modules: list[tuple[str, str]], watch: OwnNames, known: set[str]) -> int:
    """Load modules in a process of its own; return how many it loaded without a doubt."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            die_with_parent()
            for module in modules:
                os.write(writing, _BEGUN)
                if not _load(module, watch, known):
                    break
            else:
                os.write(writing, _ALL)
        finally:
            os._exit(0)
    os.close(writing)
    told = b""
    # Until that process has ended, however it did.
    while data := os.read(reading, 1 << 16):
        told += data
    os.close(reading)
    os.waitpid(pid, 0)
    return len(modules) if told.endswith(_ALL) else max(0, len(told) - 1)


def _load(module: tuple[str, str], watch: OwnNames, known: set[str]) -> bool:
    """Import a module; say whether it is the wanted one, and nothing else has changed."""
    import warnings

    name, file = module
    if name in sys.modules:
        return True
    before = _surroundings()
    said, streams = io.StringIO(), (sys.stdout, sys.stderr)
    sys.stdout = sys.stderr = said
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            importlib.import_module(name)
    except (Exception, SystemExit):
        return False
    finally:
        sys.stdout, sys.stderr = streams
    # The name here and the argument of the call are two; another one would print into it later.
    is_held = sys.getrefcount(said) > 2
    is_same = _origin(sys.modules.get(name)) == file and known.issuperset(sys.modules)
    has_said = bool(warned or said.getvalue() or is_held)
    return is_same and not has_said and before == _surroundings() and not watch.fault()


def _surroundings() -> tuple[object, ...]:
    threads = sys.modules.get("threading")
    return (
        dict(os.environb),
        os.getcwd(),
        list(sys.path),
        list(sys.argv),
        threads.active_count() if threads is not None else 1,
    )


def _origin(module: object) -> str:
    try:
        file = getattr(getattr(module, "__spec__", None), "origin", None)
    except Exception:  # It may stand for another one that cannot be loaded.
        return ""
    return file if isinstance(file, str) else ""


def _is_inside(file: str, folder: str) -> bool:
    """Say whether a file is in a folder, but not installed into an environment that lies there."""
    real, library = os.path.realpath(file), os.path.dirname(os.path.realpath(os.__file__))
    if not os.path.isabs(file) or not real.startswith(folder + os.sep):
        return False
    parts = real[len(folder) :].split(os.sep)
    return not (real.startswith(library) or {"site-packages", "dist-packages"} & set(parts))
