"""The arguments of commands, checked: a client may send anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.uris import to_fs_path

from boildown.targets import Kind


@dataclass(frozen=True, slots=True)
class At:
    """The argument of a command about a document."""

    uri: str
    version: int | None = None
    """The version that the user saw; None: whichever is there."""
    range: types.Range | None = None
    """The selection, or an empty range where the cursor is; None: the document's beginning."""
    kind: Kind | None = None
    """Which of the failing inputs there; None: the closest."""
    wait: bool = False
    """Whether the answer is given at the end of the job instead of its beginning."""


def at(command: str, arguments: Sequence[Any]) -> At:
    """Return the one argument of a command about a document. Raises JsonRpcInvalidParams."""
    if len(arguments) != 1 or not isinstance(arguments[0], Mapping):
        raise JsonRpcInvalidParams(f"{command} takes one object, with a document's 'uri'.")
    values = arguments[0]
    uri, version, wait = values.get("uri"), values.get("version"), values.get("wait", False)
    if not isinstance(uri, str) or not uri:
        raise JsonRpcInvalidParams(f"{command}: 'uri' must be a document's URI.")
    if version is not None and not _is_whole(version):
        raise JsonRpcInvalidParams(f"{command}: 'version' must be a whole number.")
    if not isinstance(wait, bool):
        raise JsonRpcInvalidParams(f"{command}: 'wait' must be true or false.")
    extent, kind = _range(command, values.get("range")), _kind(command, values.get("input"))
    return At(uri, version, extent, kind, wait)


@dataclass(frozen=True, slots=True)
class Form:
    """The argument of `boildown.instantiate`."""

    uri: str
    form: str = "text"
    count: int = 10
    seed: int = 0
    file: str | None = None
    """The URI of the file to make; None: one beside the document."""


FORMS = ("text", "pytest", "hypothesis", "pattern")
MOST = 10_000
"""How many inputs can be made at once."""


def form(command: str, arguments: Sequence[Any]) -> Form:
    """Return how inputs are to be made. Raises JsonRpcInvalidParams."""
    place = at(command, arguments)
    values = arguments[0]
    chosen, count = values.get("form", "text"), values.get("count", 10)
    seed = values.get("seed", 0)
    if chosen not in FORMS:
        raise JsonRpcInvalidParams(f"{command}: 'form' must be one of {', '.join(FORMS)}.")
    if not _is_whole(count) or not 1 <= count <= MOST:
        raise JsonRpcInvalidParams(f"{command}: 'count' must be a number from 1 to {MOST}.")
    file = values.get("file")
    if file is not None and (not isinstance(file, str) or to_fs_path(file) is None):
        raise JsonRpcInvalidParams(f"{command}: 'file' must be the URI of a file.")
    if not _is_whole(seed):
        raise JsonRpcInvalidParams(f"{command}: 'seed' must be a whole number.")
    return Form(place.uri, chosen, count, seed, file)


def at_step(command: str, arguments: Sequence[Any]) -> tuple[At, int | None]:
    """Return the argument of a command that may name a step. Raises JsonRpcInvalidParams."""
    place = at(command, arguments)
    step = arguments[0].get("step")
    if step is not None and not _is_whole(step):
        raise JsonRpcInvalidParams(f"{command}: 'step' must be a whole number.")
    return place, step


def at_open(command: str, arguments: Sequence[Any]) -> tuple[At, bool]:
    """Return the argument of a command that may open a file. Raises JsonRpcInvalidParams."""
    place = at(command, arguments)
    is_opened = arguments[0].get("open", False)
    if not isinstance(is_opened, bool):
        raise JsonRpcInvalidParams(f"{command}: 'open' must be true or false.")
    return place, is_opened


def at_command(command: str, arguments: Sequence[Any]) -> tuple[At, str | list[str] | None]:
    """Return the argument of a command that may hold a test command.

    Raises JsonRpcInvalidParams.
    """
    place = at(command, arguments)
    test = arguments[0].get("command")
    words = [test] if isinstance(test, str) else test
    if test is not None and not (
        isinstance(words, list) and words and all(isinstance(word, str) for word in words)
    ):
        raise JsonRpcInvalidParams(f"{command}: 'command' must be a string or a list of strings.")
    return place, test


def maybe_at(command: str, arguments: Sequence[Any]) -> At | None:
    """Return the argument of a command that may have none. Raises JsonRpcInvalidParams."""
    return at(command, arguments) if arguments else None


def _kind(command: str, value: object) -> Kind | None:
    if value is None:
        return None
    kinds = [kind for kind in Kind if kind.value == value]
    if not kinds:
        names = ", ".join(kind.value for kind in Kind)
        raise JsonRpcInvalidParams(f"{command}: 'input' must be one of {names}.")
    return kinds[0]


def _range(command: str, value: object) -> types.Range | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise JsonRpcInvalidParams(f"{command}: 'range' must be {{start, end}}.")
    return types.Range(_position(command, value.get("start")), _position(command, value.get("end")))


def _position(command: str, value: object) -> types.Position:
    if isinstance(value, Mapping):
        line, character = value.get("line"), value.get("character")
        if _is_whole(line) and _is_whole(character):
            return types.Position(int(str(line)), int(str(character)))
    raise JsonRpcInvalidParams(f"{command}: a position must be {{line, character}}.")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
