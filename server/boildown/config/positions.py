"""The positions of tables and keys in a TOML document, for messages that name a line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

Key: TypeAlias = tuple[str | int, ...]
"""Where a value stands in a document: table names, list indices."""

_NAME = r"""(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')"""
_DOTTED = rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*"
_HEADER = re.compile(rf"(\[\[?)[ \t]*({_DOTTED})[ \t]*\]\]?")
_ASSIGNED = re.compile(rf"({_DOTTED})[ \t]*=")
_PIECE = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|[\[\]{}\n]"
    r"|[^\"'\#\[\]{}\n]+",
    re.DOTALL,
)


def key_positions(text: str) -> dict[Key, tuple[int, int]]:
    """Return line and column (from 1) of every table and key of a valid TOML document.

    Keys inside inline tables and inline lists are left out; what they stand in is there.
    """
    positions: dict[Key, tuple[int, int]] = {}
    counts: dict[Key, int] = {}
    table: Key = ()
    at = line = counted = 0
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
            continue
        line += text.count("\n", counted, at)
        counted = at
        here = (line + 1, at - text.rfind("\n", 0, at))
        if header := _HEADER.match(text, at):
            table = _indexed(_names(header[2]), counts)
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            positions.setdefault(table, here)
            at = header.end()
        elif assigned := _ASSIGNED.match(text, at):
            key = table
            for name in _names(assigned[1]):
                key = (*key, name)
                positions.setdefault(key, here)
            at = assigned.end()
        at = _end_of_value(text, at)
    return positions


def _names(dotted: str) -> list[str]:
    names = (re.match(_NAME, part.lstrip(" \t.")) for part in re.findall(_NAME, dotted))
    return [name[0].strip("\"'") for name in names if name]


def _indexed(names: list[str], counts: Mapping[Key, int]) -> Key:
    """Return a header's key, with the index of the last element after each list of tables."""
    key: Key = ()
    for position, name in enumerate(names):
        key = (*key, name)
        if key in counts and position < len(names) - 1:
            key = (*key, counts[key])
    return key


def _end_of_value(text: str, at: int) -> int:
    """Return where the line ends on which the value that begins at `at` ends."""
    depth = 0
    while piece := _PIECE.match(text, at):
        at = piece.end()
        if piece[0] in "[{":
            depth += 1
        elif piece[0] in "]}":
            depth -= 1
        elif piece[0] == "\n" and depth <= 0:
            break
    return max(at, piece.end()) if piece else len(text) if at >= len(text) else at + 1


def nearest(positions: Mapping[Key, tuple[int, int]], key: Key) -> tuple[int, int]:
    """Return the position of the innermost thing with a position that a key stands in."""
    while key and key not in positions:
        key = key[:-1]
    return positions.get(key, (1, 1))
