"""Decodes JSON and TOML values into dataclasses by the types of fields, or refuses them.

A dataclass is read from an object by the types of its fields; keys that it has no field for are
left alone. One with a class variable `kind` is told from others of a union by the key `kind`, and
takes no other keys. `Annotated` with a `Must` narrows a type; what the fields must be together is
checked by `__post_init__`, which raises ValueError.

>>> from dataclasses import dataclass
>>> @dataclass
... class Hole:
...     label: str
...     items: tuple[int, int] | None = None
>>> decode(tuple[Hole, ...], [{"label": "pair", "items": [0, 1]}])
(Hole(label='pair', items=(0, 1)),)
>>> decode(tuple[Hole, ...], [{"label": "pair", "items": ""}])
Traceback (most recent call last):
...
boildown.decoding.WrongShape: '[0].items' must be a list, not "".
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

_LONGEST = 40
"""Characters of the longest text that is quoted whole where it stands in a wrong place."""
_NO_CHARACTER = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Halves of characters; the others stand for bytes that are not UTF-8."""

T = TypeVar("T")


class WrongShape(ValueError):  # noqa: N818 - says what is the case
    """A value of the wrong shape; the message names its path, and quotes it."""


@dataclass(frozen=True)
class Must:
    """A condition on a value, beside its type."""

    words: str
    """The value, in words for messages: "a number above 0"."""
    holds: Callable[[Any], bool]


MOST = 10**15
"""No number is farther from zero where something is counted."""
COUNT = Must("a whole number from 0 to 10**15", lambda number: 0 <= number <= MOST)
FILLED = Must("not empty", bool)
PATH = Must("a path", lambda name: name != "" and "\0" not in name)


@overload
def decode(kind: type[T], value: object) -> T: ...
@overload
def decode(kind: object, value: object) -> Any: ...
def decode(kind: object, value: object) -> Any:
    """Return a value that JSON or TOML holds as one of a type.

    Raises:
        WrongShape: it is none of these; the message is a sentence.
    """
    return _decoded(kind, value, "")


def _decoded(kind: Any, value: object, path: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        inner, must = arguments
        found = _decoded(inner, value, path)
        if not must.holds(found):
            raise _wrong(path, must.words, value)
        return found
    if origin in (Union, UnionType):
        return _one_of(arguments, value, path)
    if origin is Literal:
        if value not in arguments:
            raise _wrong(path, f"one of {', '.join(map(json.dumps, arguments))}", value)
        return value
    if origin is tuple:
        return _tuple(arguments, value, path)
    if origin is dict:
        return {
            _decoded(arguments[0], key, _at(path, key)): _decoded(
                arguments[1], each, _at(path, key)
            )
            for key, each in _object(value, path).items()
        }
    if is_dataclass(kind):
        return _instance(kind, _object(value, path), path)
    if isinstance(kind, type) and issubclass(kind, Enum):
        known = {each.value: each for each in kind}
        if not isinstance(value, str) or value not in known:
            raise _wrong(path, f"one of {', '.join(map(json.dumps, known))}", value)
        return known[value]
    return _plain(kind, value, path)


def _plain(kind: type, value: object, path: str) -> Any:
    # In Python a truth value is a number, and NaN and infinity are; in JSON they are not.
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is float and is_number and not math.isfinite(cast("float", value)):
        raise _wrong(path, "a number that is finite", value)
    fits = is_number if kind is float else type(value) is kind
    if not fits:
        raise _wrong(path, _WORDS[kind], value)
    if isinstance(value, str) and (half := _NO_CHARACTER.search(value)):
        raise _wrong(path, f"a text of whole characters, without {ascii(half[0])[1:-1]}", value)
    return value


_WORDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    NoneType: "null",
}


def _one_of(kinds: Iterable[Any], value: object, path: str) -> Any:
    """Return a value as null, as the kind that it names, or as the first type that it fits."""
    others = [kind for kind in kinds if kind is not NoneType]
    if value is None and NoneType in kinds:
        return None
    named = {kind.kind: kind for kind in others if hasattr(kind, "kind")}
    if named:
        name = _object(value, path).get("kind")
        if not isinstance(name, str) or name not in named:
            one_of = f"one of {', '.join(map(json.dumps, named))}"
            raise _wrong(_at(path, "kind"), one_of, name)
        return _decoded(named[name], value, path)
    for kind in others[:-1]:
        try:
            return _decoded(kind, value, path)
        except WrongShape:
            continue
    return _decoded(others[-1], value, path)


def _tuple(kinds: tuple[Any, ...], value: object, path: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise _wrong(path, "a list", value)
    if kinds[-1] is Ellipsis:
        kinds = (kinds[0],) * len(value)
    elif len(value) != len(kinds):
        raise _wrong(path, f"a list of {len(kinds)}", value)
    return tuple(
        _decoded(kind, each, f"{path}[{index}]")
        for index, (kind, each) in enumerate(zip(kinds, value, strict=True))
    )


def _object(value: object, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(path, "an object", value)
    return value


def _instance(kind: Any, values: dict[str, Any], path: str) -> Any:
    known = _hints(kind)
    missing = [each.name for each in fields(kind) if each.name not in values and _is_needed(each)]
    if missing:
        raise WrongShape(f"{_named(path)} has no '{missing[0]}'.")
    if hasattr(kind, "kind"):
        unknown = [name for name in values if name not in known and name != "kind"]
        if unknown:
            raise WrongShape(
                f"{_named(path)} has the key {_shown(unknown[0])}, which no {kind.kind} has."
            )
    found = {
        name: _decoded(hint, values[name], _at(path, name))
        for name, hint in known.items()
        if name in values
    }
    try:
        return kind(**found)
    except ValueError as error:
        raise WrongShape(f"{_named(path)} makes no sense: {error}") from None


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a dataclass."""
    hints = get_type_hints(kind, include_extras=True)
    return {each.name: hints[each.name] for each in fields(kind)}


def _is_needed(each: Any) -> bool:
    return each.default is MISSING and each.default_factory is MISSING


def _wrong(path: str, must_be: str, value: object) -> WrongShape:
    return WrongShape(f"{_named(path)} must be {must_be}, not {_shown(value)}.")


def _named(path: str) -> str:
    return f"'{path}'" if path else "it"


def _at(path: str, key: object) -> str:
    name = str(key)
    name = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
    return f"{path}.{name}" if path else name


def _shown(value: object) -> str:
    """Return a value as a message quotes it, in short."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, int) and abs(value) > MOST:
        return "a huge number"
    text = json.dumps(value, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
