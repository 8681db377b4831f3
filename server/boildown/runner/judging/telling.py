"""Telling lines: the words of a failure whose format is not known.

That is a line with a word such as *error*, *fatal* or *panic*, behind any of the usual prefixes. Of
several the one with the strongest word tells, the first of these. Lines that other runs print, too,
tell nothing: they are named by their words, without numbers and paths.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from boildown.runner.judging.failures import Failure

_COLOUR = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
_STRENGTHS = (
    r"internal|panic(?:ked)?|assert(?:ion)?|abort(?:ed)?|unreachable|crash(?:ed)?|bug|\w*exception",
    r"fatal",
    r"\w*error",
    r"failed|failure|fails|cannot|could not|unable|invalid|unexpected|illegal",
)
"""Words that tell, from those of a defect in the program to those of any refusal."""
_WORDS = tuple(
    re.compile(rf"(?<![\w./\\-])(?:{words})(?![\w/\\-]|\.\w)", re.IGNORECASE)
    for words in _STRENGTHS
)
_PREFIX = re.compile(
    r"(?:\[[\w.:-]+\]\s+|\d[\d:.,TZ-]*\s+|[^\s:'\"]*[./\\][^\s:'\"]*(?::\d+)*:\s+"
    r"|(?!(?i:\w*error|\w*exception|fatal|panic|internal|abort)\b)[\w.+-]+:\s+(?=\S))"
)
"""What stands before the message: a level in brackets, a time, a file with its place, a tool."""
_NO_FAILURE = re.compile(
    r"(?i)\W*(?:(?:warn(?:ing)?|note|info|hint|help|debug)\b|(?:found )?\d+ (?:\w+ )?"
    r"(?:errors?|failures?|failed)\b|make(?:\[\d+\])?:)|.*\bno (?:error|failure)"
)
"""Lines of another level, those that count failures, and what `make` adds to all of them."""
_QUOTED_SOURCE = re.compile(r"\s*(?:\d+\s*)?[|>^~]")
_TYPE = re.compile(r"(?P<type>[^:]{1,40}?)(?:\[\w+\])?:\s+(?P<rest>\S.*)")
_NAME = re.compile(r"[^\W\d_]+")
_NO_NAME = re.compile(r"[\d/\\]")


def telling_line(
    output: str, candidate: str, untelling: Container[str] = frozenset()
) -> Failure | None:
    """Return the failure that a line of an output tells of, unless its name is in `untelling`."""
    lines = [
        (whole, line)
        for whole, line in _messages(output, candidate)
        if name_of_line(line) not in untelling
    ]
    for word in _WORDS:
        for whole, line in lines:
            if (found := word.search(line) or word.search(whole)) is not None:
                typed = _TYPE.match(line)
                if typed is not None and word.search(typed["type"]) is not None:
                    return Failure(typed["type"], message=typed["rest"])
                return Failure(found[0].lower(), message=line)
    return None


def named_lines(output: str, candidate: str) -> frozenset[str]:
    """Return the names of all lines of an output that could tell of a failure."""
    return frozenset(name_of_line(line) for _, line in _messages(output, candidate))


def name_of_line(line: str) -> str:
    """Return the words of a line, its name, without numbers and paths."""
    words = (word for word in line.split() if _NO_NAME.search(word) is None)
    return " ".join(name.lower() for word in words for name in _NAME.findall(word))


def _messages(output: str, candidate: str) -> Iterator[tuple[str, str]]:
    """Yield the lines with a telling word that are not the candidate's, with and without prefix."""
    for printed in _COLOUR.sub("", output).splitlines():
        line = whole = printed.strip()
        is_told = any(word.search(whole) for word in _WORDS) and whole not in candidate
        if not is_told or _QUOTED_SOURCE.match(whole):
            continue
        while not _NO_FAILURE.match(line) and (prefix := _PREFIX.match(line)) is not None:
            line = line[prefix.end() :]
        if not _NO_FAILURE.match(line):
            yield whole, line
