"""The schema of the configuration: the keys of an `[[input]]`, and how their values are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePath
from typing import Any, TypeAlias

from boildown.runner.command import (
    OPTIONS,
    Compare,
    Isolation,
    Level,
    Rule,
    RuleError,
    isolation,
    parse_rule,
    rule_from_table,
)

_Reader: TypeAlias = Callable[[object], Any]

_LARGEST_NUMBER = 1_000_000
"""Seconds, or megabytes: more is a mistake, and far more is none that the system can take."""


def _strings(value: object) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not values or not all(isinstance(v, str) for v in values):
        raise ValueError("must be a string or a list of strings.")
    return tuple(values)


def _passes(value: object) -> tuple[str, ...]:
    names = _strings(value)
    for name in names:
        if re.fullmatch(r".+\.py:\w+|[\w.-]+", name) is None:
            raise ValueError(f"has {name!r}, which is neither FILE.py:FUNCTION nor an entry point.")
    return names


def _command(value: object) -> tuple[str, ...] | str:
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, str) or not value:
        raise ValueError("is empty; name the program that tests the file.")
    return _strings(value)


def _string(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("must be a string.")
    return value


def _seconds(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 < value <= _LARGEST_NUMBER:  # type: ignore[operator]
        raise ValueError(
            f"must be a number of seconds greater than 0, at most {_LARGEST_NUMBER:,}."
        )
    return float(value)  # type: ignore[arg-type]


def _whole(value: object) -> int:
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole or not 0 < value <= _LARGEST_NUMBER:  # type: ignore[operator]
        raise ValueError(f"must be a whole number from 1 to {_LARGEST_NUMBER:,}.")
    return value  # type: ignore[return-value]


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false.")
    return value


def _rule(value: object) -> Rule:
    parts = [value] if isinstance(value, str) else value
    try:
        if isinstance(parts, list) and parts and all(isinstance(part, str) for part in parts):
            return parse_rule(parts)
        if isinstance(value, Mapping):
            return rule_from_table(value)
    except RuleError as error:
        raise RuleError(f"is wrong: {error}") from None
    raise ValueError('must be "exit=2" or "stderr=regex", or { exit = [2], stderr = "regex" }.')


def _isolation(value: object) -> Isolation:
    try:
        return isolation(_string(value))
    except ValueError as error:
        raise ValueError(f"{error}.".replace("..", ".")) from None


_Choice: TypeAlias = Level | Compare


def _choice(choices: type[_Choice], value: object) -> _Choice:
    try:
        return choices(value)
    except ValueError:
        names = ", ".join(choice.value for choice in choices)
        raise ValueError(f"must be one of: {names}.") from None


def _environment(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(v, str) for v in value.values()):
        raise ValueError('must be a table of strings such as { LANG = "C" }.')
    for name, text in value.items():
        if not name or "=" in name or "\0" in name + text:
            raise ValueError(f"has {name!r}, which no variable can be called, or can't be set so.")
    return dict(value)


def _share(value: object) -> float:
    if not isinstance(value, float) or not 0.5 < value < 1:
        raise ValueError("must be above 0.5 and below 1.")
    return value


_READERS: dict[str, _Reader] = {
    "bool": _flag,
    "bool | None": _flag,
    "float | None": _seconds,
    "int": _whole,
    "int | None": _whole,
    "str | None": _string,
    "tuple[str, ...]": _strings,
    "Mapping[str, str]": _environment,
    "Rule | None": _rule,
    "Level": partial(_choice, Level),
    "Compare": partial(_choice, Compare),
    "Isolation": _isolation,
    "command": _command,
    "passes": _passes,
    "megabytes": lambda value: _whole(value) * 1_000_000,
    "share": _share,
}
"""The reader of an option by its kind, most often the type of its field as it is written."""


def read_option(name: str, value: object) -> Any:
    """Return the value of an option as a field of TestCommand. Raises ValueError or RuleError.

    The message goes on after the name of the option.
    """
    return _READERS[OPTIONS[name].kind](value)


def _package(value: object) -> str:
    name = _string(value)
    if re.fullmatch(r"tree[-_]sitter[-_][\w-]+(?::\w+)?", name) is None:
        raise ValueError("must name a package with a parser, such as 'tree-sitter-lua'.")
    return name


LANGUAGE_SCHEMA: dict[str, _Reader] = {
    "name": _string,
    "files": _strings,
    "tree_sitter": _package,
}
"""Every key of a `[[language]]`, as those of an input; none may be left out."""

SCHEMA: dict[str, _Reader] = {
    "files": _strings,
    "command": _command,
    "python": _string,
    "language": _string,
    **{name: partial(read_option, name) for name in OPTIONS},
    "cwd": lambda value: PurePath(_string(value)),
}
"""Every key of an `[[input]]`, with the function that checks its value or raises ValueError.

Memory is given in megabytes, processor time in seconds.
"""
