"""Mutants of files that somebody may send, the same ones each time, and commands run on them.

The environment variable `BOILDOWN_MUTANTS` says how many of each kind of file are tried.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from boildown.cli.main import main

COUNT = int(os.environ.get("BOILDOWN_MUTANTS", "40"))
"""How many mutants of each kind of file are tried; `make hostile` tries 2,000."""
PATIENCE = 120
"""Seconds of the processor after which a command on a mutant has no end; most take milliseconds."""
MEMORY = 2 << 30
"""Bytes that a command may take beyond what the tests have."""


def nested(depth: int) -> Any:
    """Return lists in lists."""
    found: Any = []
    for _ in range(depth):
        found = [found]
    return found


VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 2**31, 2**63, -(2**63), 10**40, -(10**400), 10**15),
    *(0.5, -0.0, 1e300, 1e308, -1e308, 5e-324, float("nan"), float("inf"), float("-inf")),
    *("", " ", "abc", "0", "null", "$a", "<x>", "…", "\0", "\n\r\t", "\x1b[31m", "\u202e\u200b"),
    *("\ud800", "\udcff", "é😀", "a" * 5000, "(" * 3000, "[" * 3000, "not " * 3000),
    *("../../x", "/dev/zero", "/", ".", "~", "//a < 1", "(a*)*b", "[", "\\", "{}", "%s", "{file}"),
    *([], {}, [[]], [None], [0, 0], [1, 0], ["a", "b", "c"], {"": 0}, {"kind": "numbers"}),
    *({"kind": []}, {"a": {"b": 1}}, nested(50), nested(400)),
)
"""What stands where something else was."""


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return all lists and tables of a value, each with the index or the key of a part."""
    found, stack = [], [value]
    while stack:
        each = stack.pop()
        if isinstance(each, dict | list):
            keys = list(each) if isinstance(each, dict) else range(len(each))
            found += [(each, key) for key in keys]
            stack += [each[key] for key in keys]
    return found


def changed(value: Any, rng: Random) -> Any:
    """Return a value with one change."""
    value = copy.deepcopy(value)
    found = places(value)
    if not found:
        return rng.choice(VALUES)
    # A part near the root is as likely as all those in long lists.
    parent, key = rng.choice(found)
    part, other = parent[key], rng.choice(found)
    kind = rng.randrange(8)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, list):
        parent.insert(rng.randrange(len(parent) + 1), copy.deepcopy(part))
    elif kind == 1:
        parent[rng.choice((f"{key}x", "", "kind", str(other[1])))] = parent.pop(key)
    elif kind == 2:
        parent[key] = copy.deepcopy(other[0][other[1]])
    elif kind == 3 and isinstance(part, int | float):
        parent[key] = rng.choice((part + 1, part - 1, -part, part * 1000, str(part), part + 0.5))
    elif kind == 3 and isinstance(part, str):
        parent[key] = str(text_changed(part, rng))
    elif kind == 4:
        parent[key] = [part] if rng.random() < 0.5 else {str(key): part}
    elif kind == 5 and isinstance(part, list | dict):
        parent[key] = type(part)()
    else:
        parent[key] = rng.choice(VALUES)
    return value


def text_changed(text: str, rng: Random) -> str:
    """Return a text with a part left out, doubled, moved or put in."""
    start, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    end = min(end, start + rng.choice((1, 3, 20, 200)))
    part, rest = text[start:end], text[end:]
    kind = rng.randrange(6)
    if kind == 0:
        return text[:start] + rest
    if kind == 1:
        return text[:start] + part * rng.choice((2, 3, 50)) + rest
    if kind == 2:
        at = rng.randrange(len(rest) + 1)
        return text[:start] + rest[:at] + part + rest[at:]
    if kind == 3:
        return text[:start]
    put = rng.choice(("(", ")", "[", "{", "<", "|", "*", "+", "?", ":", ";", '"', "'", "/", "\\"))
    put = rng.choice((put, str(rng.choice(VALUES)), chr(rng.randrange(0x3000)), put * 2000))
    return text[:start] + put[:5000] + (rest if kind == 4 else part + rest)


def bytes_changed(data: bytes, rng: Random) -> bytes:
    """Return data with some bytes flipped, left out or put in, or cut short."""
    found = bytearray(data or b"x")
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(found)) if found else 0
        kind = rng.randrange(4)
        if kind == 0 and found:
            found[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            found[at:at] = rng.randbytes(rng.choice((1, 2, 16)))
        elif kind == 2:
            del found[at : at + rng.choice((1, 4, 64))]
        else:
            del found[at:]
    return bytes(found)


def mutants(
    seeds: Sequence[Any], write: Callable[[Any], str], name: str, count: int = COUNT
) -> Iterator[bytes]:
    """Yield the contents of damaged files, made from values and from how these are written."""
    for number in range(count):
        rng = Random(f"{name} {number}")
        value = rng.choice(seeds)
        kind = rng.randrange(10)
        if kind < 7:
            # What is put into each other several times may be deeper than Python can copy.
            with contextlib.suppress(ValueError, TypeError, OverflowError, RecursionError):
                for _ in range(rng.choice((1, 1, 1, 2, 5))):
                    value = changed(value, rng)
                yield write(value).encode("utf-8", "surrogatepass")
                continue
            value = rng.choice(seeds)
        text = write(value)
        if kind < 9:
            yield text_changed(text, rng).encode("utf-8", "surrogatepass")
        else:
            yield bytes_changed(text.encode("utf-8", "surrogateescape"), rng)


def text_mutants(seeds: Sequence[str], name: str, count: int = COUNT) -> Iterator[bytes]:
    """Yield the contents of damaged text files."""
    for number in range(count):
        rng = Random(f"{name} {number}")
        text = rng.choice(seeds)
        for _ in range(rng.choice((1, 1, 2, 4))):
            text = text_changed(text, rng)
        data = text.encode("utf-8", "surrogatepass")
        yield bytes_changed(data, rng) if rng.random() < 0.2 else data


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Raise an error where what is done takes too much time or memory."""

    def end(_signal: int, _frame: object) -> None:
        raise AssertionError(f"no end within {PATIENCE} s of the processor")

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    before, limits = signal.signal(signal.SIGVTALRM, end), resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, limits[1]))
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, limits)


def said(*arguments: str) -> tuple[int, str]:
    """Run a command in this process on what may be anything; return its status and its messages.

    It ends well, or refuses in a sentence; whatever else it raises is raised.
    """
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", newline="")
    with mock.patch.multiple(sys, stdout=out, stderr=err), bounded():
        try:
            status = main(arguments)
        except SystemExit as error:
            status = int(error.code or 0)
    err.flush()
    told = err.buffer.getvalue().decode("utf-8")
    assert status in (0, 1, 2), (status, told)
    assert "Traceback" not in told, told
    if status == 2:
        assert "boildown: " in told, told
    return status, told


def as_json(value: Any) -> str:
    """Write a value as JSON."""
    return json.dumps(value, ensure_ascii=False)
