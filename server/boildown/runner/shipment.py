"""A shipment: the files that a test command needs on the workers of a cluster.

They leave the user's machine, so what is likely to be secret or of no use stays: what a link leads
to outside the folder, names that begin with a dot, keys, and what `.gitignore` names. Who wants
such a file there lists it by its own name, without wildcards.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from boildown.runner.run import CannotRun, Obstacle

_SECRET = (".*", "*.pem", "*.key", "id_*")
"""Patterns for names, of files and folders, that are not shipped."""
_WILDCARD = re.compile(r"[*?\[]")


def read_files(folder: Path, globs: Iterable[str]) -> dict[str, bytes]:
    """Return the files to ship, by their path relative to the folder.

    Raises CannotRun for a glob that leads out of the folder, and for one that matches files of
    which none may be shipped.
    """
    root = folder.resolve()
    is_ignored = Ignored(root)
    found: dict[str, bytes] = {}
    for glob in globs:
        parts = PurePosixPath(glob).parts
        if not parts or ".." in parts or PurePosixPath(glob).is_absolute():
            raise CannotRun(
                f"'{glob}' cannot be shipped: globs start at {folder}, and do not lead out of it.",
                Obstacle.USAGE,
            )
        named = _named(parts)
        matching = [path for path in _matching(root, glob) if os.path.isfile(path)]
        shipped = [path for path in matching if _may_go(root, path, named, is_ignored)]
        if matching and not shipped:
            raise CannotRun(
                f"'{matching[0].relative_to(root)}' is not shipped: hidden files, keys, what "
                ".gitignore names and links out of the folder stay here. To ship a file all the "
                "same, list it by its own name, without wildcards.",
                Obstacle.USAGE,
            )
        found |= {path.relative_to(root).as_posix(): path.read_bytes() for path in shipped}
    return found


def _matching(root: Path, glob: str) -> list[Path]:
    try:
        return sorted(root.glob(glob))
    except ValueError as error:
        raise CannotRun(f"'{glob}' is no glob: {error}.", Obstacle.USAGE) from None


def _named(parts: tuple[str, ...]) -> int:
    """Return how many parts of a glob, from the first on, are names without wildcards."""
    wild = (number for number, part in enumerate(parts) if _WILDCARD.search(part))
    return next(wild, len(parts))


def _may_go(root: Path, path: Path, named: int, is_ignored: Ignored) -> bool:
    """Say whether a file may leave; so many parts of its path were listed by their own names.

    What is in an ignored folder may leave if that folder was listed so.
    """
    real = path.resolve()
    if not real.is_relative_to(root):
        return False
    way = path.relative_to(root).parts
    if len(way) == named:
        return True
    # A link says nothing about the file that it leads to.
    ways = [(way, named)] + ([(real.relative_to(root).parts, 0)] if real != path else [])
    return not any(
        _is_secret(parts[start:])
        or (is_ignored(parts) and not (start and is_ignored(parts[:start])))
        for parts, start in ways
    )


def _is_secret(parts: tuple[str, ...]) -> bool:
    return any(fnmatch(part.lower(), pattern) for part in parts for pattern in _SECRET)


class Ignored:
    """The `.gitignore` files of a repository, from its top down."""

    def __init__(self, root: Path) -> None:
        import pathspec

        self._root = root
        tops = (top for top in (root, *root.parents) if os.path.exists(top / ".git"))
        self._top = next(tops, root)

        @cache
        def spec(folder: Path) -> Any:
            try:
                lines = (folder / ".gitignore").read_text("utf-8", "replace").splitlines()
            except OSError:
                lines = []
            patterns: list[Any] = []
            for line in lines:
                with contextlib.suppress(ValueError):  # Git does without such a line, too.
                    patterns += pathspec.GitIgnoreSpec.from_lines([line]).patterns
            return pathspec.GitIgnoreSpec(patterns)

        self._spec = spec

    def __call__(self, parts: tuple[str, ...]) -> bool:
        """Say whether a file or folder below the root, or a folder on the way, is ignored."""
        path = self._root.joinpath(*parts)
        above = [folder for folder in path.parents if folder.is_relative_to(self._top)]
        way = [folder for folder in reversed(above) if folder != self._top]
        return any(map(self._is_named, [*way, path]))

    def _is_named(self, path: Path) -> bool:
        """Say whether the nearest pattern for a path names it."""
        slash = "/" if os.path.isdir(path) else ""
        for folder in path.parents:
            if not folder.is_relative_to(self._top):
                break
            found = self._spec(folder).check_file(path.relative_to(folder).as_posix() + slash)
            if found.include is not None:
                return bool(found.include)
        return False


_homes: dict[str, Path] = {}
"""On a worker: its own folder for each shipment."""


def unpack(shipment: str, name: str, files: Mapping[str, bytes]) -> None:
    """On a worker: write a shipment into a fresh folder of its own.

    There they are in a folder of the name that theirs has at home: a signature may tell of it.
    Raises ValueError for a path that leads out, OSError.
    """
    targets = {path: _inside(name, path) for path in files}
    if shipment in _homes:
        return
    home = Path(tempfile.mkdtemp(prefix=f"{_safe(shipment)}-"))
    _homes[shipment] = home / _safe(name)
    for path, data in files.items():
        target = home / targets[path]
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        target.write_bytes(data)
        target.chmod(0o700)


def home_of(shipment: str) -> Path | None:
    """On a worker: return the folder that holds a shipment, None if none came."""
    return _homes.get(shipment)


def discard(shipment: str) -> None:
    """On a worker: remove a shipment."""
    if (home := _homes.pop(shipment, None)) is not None:
        shutil.rmtree(home.parent, ignore_errors=True)


def _inside(name: str, path: str) -> Path:
    return Path(_safe(name), *map(_safe, path.split("/")))


def _safe(name: str) -> str:
    """Return the name of an entry of a folder. Raises ValueError if it is more than that."""
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        raise ValueError(f"a shipped file must not be written to {name!r}")
    return name
