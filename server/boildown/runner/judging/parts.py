"""Parts of a signature, for programs that read failures: how it ended, its type and its place.

A signature is a line for people, and what is compared, recorded and sent between machines; its
parts are read off it. What a line leaves open, such as a message with a place of its own, is taken
for what it is most often. The label stays what tells two failures apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

_END = r"exit -?\d+|SIG\w+|signal \d+|timeout|[a-z]+ limit"
_SIGNATURE = re.compile(rf"(?P<end>{_END})(?:: (?P<rest>.*))?", re.S)
_DIFFERENCE = re.compile(rf" instead of (?:{_END})(?:: |, with other output|$)|, with other output")
_FILE = r"\{file\}|[^\s:`]*/[^\s:`]*|[^\s:`./]+\.\w+"
_FUNCTION = r"(?!`|line \d)[^`]+?"
_NAMED = rf"(?:{_FILE}): {_FUNCTION}|[^\s`]+?"
_REST = re.compile(
    r"(?P<type>error in backend|(?:(?:\w+Sanitizer|[a-z ]*error|unreachable|panic(?=: run)): )*.+?)"
    rf"(?: in (?P<place>{_NAMED}))?(?:, from (?P<caller>{_NAMED}))?"
    r"(?:: (?P<line>`[^`]*`|line \d+))?(?:: (?P<message>.*))?",
    re.S,
)
_PLACE = re.compile(rf"(?P<file>{_FILE})(?::\d+)?(?:::? ?(?P<function>.+))?", re.S)


@dataclass(frozen=True, slots=True)
class SignatureParts:
    """The parts of a signature; None where it does not say one."""

    kind: str
    """How the run ended (`exit 1`, `SIGSEGV`, `timeout`), or `difference` between two commands."""
    type: str | None = None
    """The type of the error, such as `KeyError`."""
    file: str | None = None
    """The last two parts of the path of the program's file that holds the line."""
    function: str | None = None
    line_text: str | None = None
    """The text of the line of the program, or its number as `line 3`."""


def parts_of(signature: str) -> SignatureParts:
    """Return the parts of a signature."""
    ended = _SIGNATURE.fullmatch(signature)
    if ended is None or _DIFFERENCE.search(signature):
        return SignatureParts("difference")
    rest = _REST.fullmatch(ended["rest"] or "")
    if rest is None:
        return SignatureParts(ended["end"])
    place, line = rest["caller"] or rest["place"] or "", rest["line"]
    file, function = None, place or None
    if found := _PLACE.fullmatch(place):
        file, function = found["file"], found["function"]
    return SignatureParts(ended["end"], rest["type"], file, function, line and line.strip("`"))


def others_in_json(others: Mapping[str, str]) -> list[dict[str, object]]:
    """Return other failures, from signature to smallest text, as clients get them."""
    return [
        {"signature": asdict(parts_of(label)), "label": label, "text": text}
        for label, text in others.items()
    ]
