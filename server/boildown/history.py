"""Records of past reductions on disk, found again by a hash of the original or the result.

A record is found by the failing input that it began with and by its result, wherever that stands:
names and places change, texts don't. Each step is kept as what it changed of the one before, so a
large input with many steps takes little room. Only the newest records are kept.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
import os
import re
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import platformdirs

from boildown.engine.difference import difference
from boildown.engine.oracle import Step

__all__ = ["Record", "Step", "difference", "digest", "find", "folder", "normal", "save"]

_KEPT = 200
"""How many records are kept."""
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Record:
    """One reduction, as it is kept on disk."""

    uri: str
    """The document that it was made in."""
    what: str
    """The kind of input in the user's words: "the document", "the string"."""
    command: str
    """The test command in one line."""
    language: str
    minimality: str | None
    """The certificate of minimality with its doubts in short, such as "1-token-minimal"."""
    finished: bool
    steps: Sequence[Step]
    """The original first, the result last."""


def folder() -> Path:
    """Return the folder of the records."""
    return Path(platformdirs.user_state_dir("boildown", appauthor=False)) / "history"


def normal(text: str) -> str:
    """Normalize a text's line ends: all alike, none at the end of the text.

    Editors change these as they like.
    """
    return re.sub(r"\r\n?", "\n", text).rstrip("\n")


@functools.lru_cache(maxsize=2)
def digest(text: str) -> str:
    """Return the hash by which the records of a text are found, as hexadecimal digits."""
    data = normal(text).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def save(record: Record, where: Path | None = None) -> Path:
    """Write a record to disk; return its file.

    If it begins where a record on disk ends, it goes on from that one's original. Raises OSError.
    """
    where = where or folder()
    where.mkdir(parents=True, exist_ok=True, mode=0o700)
    record = _after_earlier(record, where)
    first, last = record.steps[0].text, record.steps[-1].text
    path = where / f"{digest(first)}-{digest(last)}"
    texts = (step.text for step in record.steps)
    content = {
        "format": _FORMAT,
        "uri": record.uri,
        "what": record.what,
        "command": record.command,
        "language": record.language,
        "minimality": record.minimality,
        "finished": record.finished,
        "runs": [step.run for step in record.steps],
        "original": first,
        "changes": [difference(*pair) for pair in itertools.pairwise(texts)],
    }
    handle, scratch = tempfile.mkstemp(dir=where)
    with os.fdopen(handle, "wb") as file:
        file.write(zlib.compress(json.dumps(content).encode("ascii")))
    os.replace(scratch, path)
    _forget_oldest(where)
    return path


def find(text: str, where: Path | None = None) -> Record | None:
    """Return the newest record that began or ended with a text."""
    where = where or folder()
    found = sorted(where.glob(f"*{digest(text)}*"), key=_age) if os.path.isdir(where) else []
    for path in found:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, zlib.error):
            record = _load(path)
            if normal(text) in (normal(record.steps[0].text), normal(record.steps[-1].text)):
                return record
    return None


def _after_earlier(record: Record, where: Path) -> Record:
    first = record.steps[0].text
    earlier = find(first, where)
    if earlier is None or normal(earlier.steps[0].text) == normal(first):
        return record
    runs = earlier.steps[-1].run
    steps = [Step(runs + step.run, step.text) for step in record.steps[1:]]
    return replace(record, steps=(*earlier.steps, *steps))


def _load(path: Path) -> Record:
    content = json.loads(zlib.decompress(path.read_bytes()))
    if content["format"] != _FORMAT:
        raise ValueError(f"unknown format {content['format']}")
    texts = [content["original"]]
    for start, end, new in content["changes"]:
        texts.append(texts[-1][:start] + new + texts[-1][end:])
    steps = zip(content["runs"], texts, strict=True)
    fields = ("uri", "what", "command", "language", "minimality", "finished")
    values: dict[str, Any] = {name: content[name] for name in fields}
    return Record(steps=tuple(Step(run, text) for run, text in steps), **values)


def _forget_oldest(where: Path) -> None:
    paths: Sequence[Path] = sorted(where.iterdir(), key=_age)
    for path in paths[_KEPT:]:
        with contextlib.suppress(OSError):
            path.unlink()


def _age(path: Path) -> float:
    """Return a number that is the smaller, the newer a file is."""
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0
