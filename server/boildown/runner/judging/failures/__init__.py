"""Kinds of failures, by the way in which programs report them: one finder for each.

A finder is a function from an output to the failure in it, if that is of its kind. Each module
lists its finders in `FINDERS`, in the order in which they are tried; `signature.py` says in which
order the modules are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure as a program reported it."""

    error: str
    """Its type, such as `TypeError`."""
    place: str = ""
    """File and function of the innermost frame outside the candidate, if there is one."""
    message: str = ""
    """The program's own words."""
    line: str = ""
    """The text of the line of the user's code at which it failed, or its number as `line 3`."""
    caller: str = ""
    """File and function of that line, if the innermost frame is a library's."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files that an output names: whether one is the candidate, and the lines of the others."""

    is_own: Callable[[str], bool]
    """Whether a file is the candidate itself, or was made by the run."""
    line: Callable[[str, int], str] = lambda _file, _number: ""
    """The text of a line of a source file; nothing if it cannot be read."""
    own_line: Callable[[str], str] = lambda _text: ""
    """The part of a line of the candidate's own file that belongs to the program.

    An input may be a part of its file, such as a literal in a test.
    """
    is_movable: Callable[[str], bool] = lambda _file: False
    """Whether the lines of a file may come to stand in another one, so that its name says nothing.

    So it is in a folder that is reduced: a module goes where it is imported.
    """


FailureFinder: TypeAlias = Callable[[str, Files], Failure | None]
"""Finds one kind of failure in an output, or nothing."""


def place_of(file: str, function: str = "") -> str:
    """Return a place in words; of the path the last two parts, for the rest may vary."""
    short = "/".join(file.replace("\\", "/").split("/")[-2:])
    return f"{short}: {function}" if function else short


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of a stack, as it was printed."""

    file: str
    function: str = ""
    number: int = 0
    """Of the line."""
    column: int = 0
    """Of the character in the line, from 1; 0 if it was not printed."""
    text: str = ""
    """The line's text, if it was printed."""
    end: int = 0
    """The column behind the range that was printed, if it was."""
    compiled: bool = False
    """Whether the program is compiled: then the line's number stands for a text that is not there.

    In a language that is interpreted such a line may be made of the candidate, and move with it.
    """


_LIBRARY = re.compile(
    r"(?:^|/)(?:site-packages|dist-packages|node_modules|\.cargo/registry|pkg/mod|libsanitizer)/"
    r"|/lib(?:64|32)?/python\d[\d.]*/|^node:|^/rustc/|^/usr/include/|^/usr/(?:lib|local)/go[^/]*/"
)


def is_library(file: str) -> bool:
    """Say whether a file belongs to an installed library, and not to the user's own code."""
    return _LIBRARY.search(file.replace("\\", "/")) is not None


def located(
    error: str,
    frames: Iterable[Frame],
    files: Files,
    message: str = "",
    is_library: Callable[[str], bool] = is_library,
) -> Failure:
    """Return a failure with its place, found in the frames of its stack, innermost first.

    That is the innermost frame outside the candidate, and the line of the innermost frame of the
    user's own code; the innermost frame's, if all of them are of libraries.
    """
    outside = [frame for frame in frames if not files.is_own(frame.file) or _own_line(frame, files)]
    if not outside:
        return Failure(error, "", message)
    inner = outside[0]
    user = next((frame for frame in outside if not is_library(frame.file)), inner)
    place = _place(inner, files)
    caller = "" if user is inner else _place(user, files)
    return Failure(error, place, message, line_of(user, files), caller)


def _place(frame: Frame, files: Files) -> str:
    """Return the place of a frame; the candidate's file has another path in each run."""
    if files.is_movable(frame.file):
        return frame.function
    return place_of("{file}" if files.is_own(frame.file) else frame.file, frame.function)


def _own_line(frame: Frame, files: Files) -> str:
    return files.own_line(frame.text or files.line(frame.file, frame.number))


def line_of(frame: Frame, files: Files) -> str:
    """Return the text of a frame's line, or its number, or nothing if neither is known."""
    if frame.file.startswith("<"):
        # There is no such file: the text is made by the program, of the candidate perhaps.
        return ""
    text = frame.text or files.line(frame.file, frame.number)
    if not text.strip():
        return f"line {frame.number}" if frame.compiled and frame.number else ""
    if files.is_own(frame.file):
        return f"`{_shortened(files.own_line(_marked(text, frame)))}`"
    return f"`{_shortened(_marked(text, frame))}`"


def numbered(error: str, frame: Frame, files: Files, message: str = "") -> Failure:
    """Return a failure of which only file and line are known, without a function.

    Where the line cannot be read, its number is part of the place.
    """
    line = line_of(frame, files)
    if line.startswith("`"):
        place = "" if files.is_movable(frame.file) else place_of(frame.file)
        return Failure(error, place, message, line)
    return Failure(error, f"{place_of(frame.file)}:{frame.number}", message)


_CALL = re.compile(r"[(\[.*/%+-]")
_SHOWN = 80
"""Characters of a line that are kept."""


def _marked(text: str, frame: Frame) -> str:
    """Return a line with the failing part marked, if there are several calls in the line."""
    start, end = frame.column - 1, frame.end - 1
    if not 0 <= start < len(text) or end > len(text):
        return text.strip()
    if end <= start:
        # Only the start is known: it tells calls in one line apart as well.
        if len(_CALL.findall(text)) < 2 or not text[:start].strip():
            return text.strip() if len(text) <= _SHOWN else text[start : start + _SHOWN]
        return f"{text[:start].strip()} «{text[start : start + _SHOWN].strip()}"
    inside, rest = text[start:end], text[:start] + text[end:]
    if not _CALL.search(rest):
        return text.strip()
    return f"{text[:start]}«{inside}»{text[end:]}".strip()


def _shortened(line: str) -> str:
    """Return a line in one piece and of limited length, with what is marked in it kept."""
    line = " ".join(line.split())
    if len(line) <= _SHOWN:
        return line
    start = max(0, line.find("«") - _SHOWN // 4)
    cut = line[start : start + _SHOWN]
    return f"{'…' if start else ''}{cut}{'…' if start + _SHOWN < len(line) else ''}"
