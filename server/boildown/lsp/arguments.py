"""The arguments of commands, checked: a client may send anything."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from boildown.lsp import readers
from boildown.lsp.readers import boolean, one_of, optional, string, whole
from boildown.targets import InputKind


def _document_uri(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("must be a document's URI")
    return value


def _range(value: object) -> types.Range:
    if not isinstance(value, Mapping):
        raise ValueError("must be {start, end}")
    return types.Range(_position(value.get("start")), _position(value.get("end")))


def _position(value: object) -> types.Position:
    if not isinstance(value, Mapping):
        raise ValueError("must have positions {line, character}")
    try:
        return types.Position(whole(value.get("line")), whole(value.get("character")))
    except ValueError:
        raise ValueError("must have positions {line, character} of whole numbers") from None


def text(value: object) -> str:
    """Return a text that says something. Raises ValueError."""
    if not (found := string(value)):
        raise ValueError("must be a string")
    return found


def word(value: object) -> str:
    """Return a text that a program can be given as an argument. Raises ValueError."""
    found = text(value)
    try:
        is_fit = b"\0" not in os.fsencode(found)
    except UnicodeEncodeError:
        is_fit = False
    if not is_fit:
        raise ValueError("must be a string of whole characters, without NUL")
    return found


def _input(value: object) -> InputKind:
    return InputKind(one_of(kind.value for kind in InputKind)(value))


@dataclass(frozen=True, slots=True)
class DocumentArgument:
    """The argument of a command about a document; those of some commands have further keys."""

    uri: Annotated[str, _document_uri]
    version: Annotated[int | None, optional(whole)] = None
    """The version that the user saw; None: whichever is there."""
    range: Annotated[types.Range | None, optional(_range)] = None
    """The selection, or an empty range where the cursor is; None: the document's beginning."""
    input: Annotated[InputKind | None, optional(_input)] = None
    """Which of the failing inputs there; None: the closest."""
    candidate: Annotated[str | None, optional(text)] = None
    """The id of an input that `boildown.candidates` has found, in place of the range."""
    wait: Annotated[bool, boolean] = False
    """Whether the answer is given at the end of the job instead of its beginning."""


def plain(extent: types.Range) -> dict[str, Any]:
    """Return a range as JSON."""
    return {
        name: {"line": position.line, "character": position.character}
        for name, position in (("start", extent.start), ("end", extent.end))
    }


Argument = TypeVar("Argument", bound=DocumentArgument)


def read(kind: type[Argument], command: str, arguments: Sequence[Any]) -> Argument:
    """Return the one argument of a command. Raises JsonRpcInvalidParams."""
    if len(arguments) != 1 or not isinstance(arguments[0], Mapping):
        raise JsonRpcInvalidParams(f"{command} takes one object, with a document's 'uri'.")
    values, wrong = readers.read(kind, arguments[0])
    for key, sentence in wrong.items():
        raise JsonRpcInvalidParams(f"{command}: '{key}' {sentence}.")
    return kind(**values)
