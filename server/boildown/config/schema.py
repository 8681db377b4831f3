"""What each key of an `[[input]]` may hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePath
from typing import Any

from boildown.runner.command import Level, Placement, Rule, RuleError, rule_from_table


def _strings(value: object) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not values or not all(isinstance(v, str) for v in values):
        raise ValueError("must be a string or a list of strings.")
    return tuple(values)


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
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise ValueError("must be a number of seconds greater than 0.")
    return float(value)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ValueError("must be a whole number greater than 0.")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false.")
    return value


def _rule(value: object) -> Rule:
    if not isinstance(value, Mapping):
        raise ValueError('must be a table such as { exit = [2], stderr = "regex" }.')
    try:
        return rule_from_table(value)
    except RuleError as error:
        raise ValueError(f"is no rule: {error}") from None


def _choice(choices: type[Level] | type[Placement], value: object) -> Level | Placement:
    try:
        return choices(value)
    except ValueError:
        names = ", ".join(choice.value for choice in choices)
        raise ValueError(f"must be one of: {names}.") from None


def _environment(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(v, str) for v in value.values()):
        raise ValueError('must be a table of strings such as { LANG = "C" }.')
    return dict(value)


SCHEMA: dict[str, Callable[[object], Any]] = {
    "files": _strings,
    "command": _command,
    "python": _string,
    "test": _string,
    "language": _string,
    "timeout": _seconds,
    "interesting": _flag,
    "reproduces": _rule,
    "invalid": _rule,
    "level": partial(_choice, Level),
    "placement": partial(_choice, Placement),
    "environment": _environment,
    "warm": _flag,
    "cluster": _string,
    "ship": _strings,
    "memory": lambda value: _whole(value) * 1_000_000,
    "cpu": _whole,
    "depends": _strings,
    "cwd": lambda value: PurePath(_string(value)),
}
"""Every key of an input, with the function that checks its value or raises ValueError.

Memory is given in megabytes, processor time in seconds.
"""
