"""The places of JavaScript that a process of Node executes, by the coverage that V8 writes.

Node writes it when it exits, into the folder that NODE_V8_COVERAGE names: how often each range of a
script was executed, in UTF-16 units. A process that is killed, or calls `process.abort`, writes
none. The order in which places were executed is not told.
"""

from __future__ import annotations

import itertools
import json
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from boildown.decoding import WrongShape, decode
from boildown.folder_text import Place

RECORD = re.compile(r"coverage-\d+-\d+-\d+\.json")
"""The names of the files that Node writes."""
_TRIVIAL = re.compile(r"[\s{}()\[\];,]*(?:(?://|/?\*).*)?", re.DOTALL)
"""What does nothing at the beginning of a line, or behind a brace: brackets and a comment."""
_PART = re.compile(r"[{)?:]|&&|\|\||=>|\belse\b")
"""What stands before what is executed only sometimes."""
_LINE = re.compile(r"\r\n?|\n|[\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class _Range:
    startOffset: int  # noqa: N815 (the names are V8's)
    endOffset: int  # noqa: N815
    count: int


@dataclass(frozen=True, slots=True)
class _Function:
    functionName: str  # noqa: N815
    ranges: tuple[_Range, ...]


@dataclass(frozen=True, slots=True)
class _Script:
    url: str
    functions: tuple[_Function, ...]


@dataclass(frozen=True, slots=True)
class _Map:
    """A source map of version 3, in which Node has made the sources absolute."""

    sources: tuple[str | None, ...] = ()
    mappings: str = ""


def executed(record: bytes, source: Callable[[str], str]) -> Iterator[tuple[Place, str]]:
    """Yield the places that a process has executed, with the names of their functions.

    A line is a place, and so is what stands behind a condition within one. The name is that of the
    innermost function that has one; it is empty outside of functions. `source` returns the text of
    a file. Node's own scripts are left out, and so is a record that is none.
    """
    try:
        told = json.loads(record)
        own = [each for each in told["result"] if _path(each["url"])]
        scripts = decode(tuple[_Script, ...], own)
        maps = {url: each["data"] for url, each in told.get("source-map-cache", {}).items()}
        mapped = decode(dict[str, _Map | None], maps)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, WrongShape):
        return
    for script in scripts:
        file, text = _path(script.url), _units(source(_path(script.url)))
        original = _originals(mapped.get(script.url), source)
        for line, column, is_line, name in _places(script, text):
            place = file, line, 0 if is_line else column
            yield original(line, column) or place, name


def _path(url: str) -> str:
    """Return the path of a source file; nothing for others, such as Node's own scripts."""
    return unquote(urlsplit(url).path) if url.startswith("file:///") else ""


def _units(text: str) -> str:
    """Return a text with one character for each unit of UTF-16, without a mark of byte order."""
    text = text.removeprefix("\ufeff")
    if text.isascii() or max(text) < "\U00010000":
        return text
    return "".join(map(chr, array("H", text.encode("utf-16-le", "surrogatepass"))))


@lru_cache(maxsize=64)
def _sites(text: str) -> list[tuple[int, int, int, bool]]:
    """Return where something may begin to be executed: offset, line, column, and if a line does.

    Within a line it is what stands behind a condition, an arrow or a brace, in a string, too: what
    is no such place is executed as often as what is around it.
    """
    sites = []
    begins = [0, *(each.end() for each in _LINE.finditer(text)), len(text)]
    for line, (start, end) in enumerate(itertools.pairwise(begins), 1):
        first = _behind(text, start, end)
        if first < end:
            sites.append((first, line, first - start + 1, True))
            inner = (_behind(text, each.end(), end) for each in _PART.finditer(text, first, end))
            sites += [(at, line, at - start + 1, False) for at in dict.fromkeys(inner) if at < end]
    return sites


def _behind(text: str, start: int, end: int) -> int:
    """Return where something begins that is neither a bracket nor a comment."""
    found = _TRIVIAL.match(text, start, end)
    return found.end() if found else start


def _places(script: _Script, text: str) -> Iterator[tuple[int, int, bool, str]]:
    """Yield executed lines, and parts: line, column, whether the line begins there, function."""
    size = len(text)
    count, owner, names = bytearray(size), array("H", bytes(2 * size)), [""]
    ranges = []
    for function in script.functions:
        of = 0
        if function.functionName and len(names) < 1 << 16:
            of = len(names)
            names.append(function.functionName)
        ranges += [(each, 0 if at else of) for at, each in enumerate(function.ranges)]
    # Outer ranges come first, and inner ones in their place.
    ranges.sort(key=lambda each: (each[0].startOffset, -each[0].endOffset))
    for each, of in ranges:
        start, end = each.startOffset, min(each.endOffset, size)
        if 0 <= start < end:
            count[start:end] = bytes((min(each.count, 1),)) * (end - start)
            if of:
                owner[start:end] = array("H", (of,)) * (end - start)
    for offset, line, column, is_line in _sites(text):
        if count[offset]:
            yield line, column, is_line, names[owner[offset]]


def _originals(
    found: _Map | None, source: Callable[[str], str]
) -> Callable[[int, int], Place | None]:
    """Return the function from a line and a column of a script to the line that it was made of.

    It is None where the map says nothing, or the file that it was made of is not there.
    """
    if found is None:
        return lambda _line, _column: None
    files = [_path(each or "") for each in found.sources]
    there = [bool(each) and bool(source(each)) for each in files]
    lines = _segments(found.mappings)

    def original(line: int, column: int) -> Place | None:
        segments = lines[line - 1] if line <= len(lines) else []
        at = bisect_right(segments, (column - 1, len(files), 0)) - 1
        if at < 0 or not 0 <= (of := segments[at][1]) < len(files) or not there[of]:
            return None
        return files[of], segments[at][2] + 1, 0

    return original


_DIGITS = {
    character: value
    for value, character in enumerate(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    )
}


def _segments(mappings: str) -> list[list[tuple[int, int, int]]]:
    """Return the segments of each line of a script: column, number of the source, and its line."""
    lines = []
    of = line = 0
    for row in mappings.split(";"):
        column = 0
        segments = []
        for told in row.split(","):
            numbers = _numbers(told)
            column += numbers[0] if numbers else 0
            if len(numbers) >= 4:
                of, line = of + numbers[1], line + numbers[2]
                segments.append((column, of, line))
        lines.append(sorted(segments))
    return lines


def _numbers(told: str) -> list[int]:
    """Read numbers in base 64, as source maps have them: the lowest bit of each is its sign."""
    numbers = []
    number = shift = 0
    for character in told:
        digit = _DIGITS.get(character, 0)
        number |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            numbers.append(-(number >> 1) if number & 1 else number >> 1)
            number = shift = 0
    return numbers
