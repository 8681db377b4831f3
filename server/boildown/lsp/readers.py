"""Reads the JSON objects of a client into dataclasses, and checks them key by key.

The annotation of a field names the function that reads its value: `wait: Annotated[bool, boolean]`
is the key `wait`, whose value `boolean` returns or refuses. A key is the name of its field in camel
case. So a class is also the list of the keys that are understood, as `docs/protocol.md` has them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, get_type_hints

T = TypeVar("T")

Reader = Callable[[object], Any]
"""Returns the value that some JSON stands for, or raises a ValueError: "must be …"."""


def readers(kind: type[Any]) -> Mapping[str, tuple[str, Reader]]:
    """Return the keys that a dataclass understands, each with its field's name and reader."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        _camel_case(name): (name, hint.__metadata__[0])
        for name, hint in hints.items()
        if hasattr(hint, "__metadata__")
    }


def read(kind: type[Any], given: Mapping[str, object]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values of a dataclass's fields, and by key the errors of others.

    Only what is given has a value, and what must be given and is not is wrong.
    """
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    required = {each.name for each in dataclasses.fields(kind) if _is_required(each)}
    for key, (name, reader) in readers(kind).items():
        if key in given or name in required:
            try:
                values[name] = reader(given.get(key))
            except ValueError as error:
                wrong[key] = str(error)
    return values, wrong


def boolean(value: object) -> bool:
    """Return a boolean. Raises ValueError."""
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def string(value: object) -> str:
    """Return a string, which may be empty. Raises ValueError."""
    if not isinstance(value, str):
        raise ValueError("must be a string")
    return value


def whole(value: object) -> int:
    """Return a whole number that is not negative. Raises ValueError."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("must be a whole number")
    return value


def one_of(names: Iterable[str]) -> Callable[[object], str]:
    """Return a reader that takes one of these strings."""
    known = tuple(names)

    def read(value: object) -> str:
        # A value of another type need not be hashable, or comparable.
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"must be one of {', '.join(known)}")
        return value

    return read


def optional(reader: Callable[[object], T]) -> Callable[[object], T | None]:
    """Return a reader that takes null for an absent value."""
    return lambda value: None if value is None else reader(value)


def _is_required(each: dataclasses.Field[Any]) -> bool:
    return (each.default, each.default_factory) == (dataclasses.MISSING, dataclasses.MISSING)


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
