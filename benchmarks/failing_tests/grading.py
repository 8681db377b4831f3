"""Grades what Boildown makes of a failing test, by the label that says which input the test has."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_MARKED = re.compile("«(.*)»", re.S)
_NEXT_STEP = re.compile(r"--[a-z][a-z-]+|\bboildown [a-z]|\bpip install\b|\bType\b")
_COMMAND = re.compile(r"^ +boildown ", re.M)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Case:
    """A failing test, and its label: which input it has."""

    name: str
    test: str
    """As pytest names it."""
    file: str = ""
    """Where the input stands; nothing: the test has no input that is a text or data."""
    input: tuple[str, ...] = ()
    """Its parts as they stand in the file, each there once; the whole file if there are none.

    Where more is needed to find a part, the part itself is between « and »."""
    also: tuple[str, ...] = ()
    """What may change with the input: the expected value, or other data of the same call."""
    bytes: int = 0
    """Of the input as the program sees it; 0: as many as its source has."""
    is_encoded: bool = False
    """Whether the program decodes it: the input is what comes of that, with so many `bytes`."""
    is_example: bool = False
    """Whether it is what Hypothesis found, which stands in no file."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Of a shape: the test and its program."""
    package: str = ""
    """Of a test of a real package: its name."""

    @property
    def has_input(self) -> bool:
        """Whether there is an input to be found."""
        return bool(self.file) or self.is_example


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reduction in place left behind."""

    done: Mapping[str, object] | None
    """The JSON of its result, if there is one."""
    said: str = ""
    """What it printed as errors."""
    after: Mapping[str, str] = field(default_factory=dict)
    """The texts of the files that it changed, by path."""


def grade(case: Case, before: Mapping[str, str], answer: Answer) -> str:
    """Return "found", "wrong", "asked", "refused" or "dead end" for the answer to a test.

    `before` holds the files that are changed, or hold the label, as they were. A test without input
    is "found" if its code is reduced.
    """
    if answer.done is None:
        return _refusal(answer.said)
    if case.is_example:
        return "found" if _is_example(before, answer) else "wrong"
    own = case.test.partition("::")[0]
    if not case.has_input:
        is_code = "where" not in answer.done and {own, *answer.after} == {own}
        return "found" if is_code else "wrong"
    text = before[case.file]
    spans = spans_of(text, case.input)
    allowed = sorted([*spans, *(spans_of(text, case.also) if case.also else ())])
    begins = _begin(case.file, text, answer.done)
    if begins is None:
        is_there = bool(answer.after)
        is_there |= not case.input and answer.done.get("output") == case.file
    else:
        is_there = any(start <= begins <= end for start, end in allowed)
    if not is_there or any(
        file != case.file or not _is_kept(text, new, allowed) for file, new in answer.after.items()
    ):
        return "wrong"
    taken, whole = answer.done.get("bytes_before"), _size(text, spans)
    if not isinstance(taken, int):
        return "found"
    if case.is_encoded:
        return "found" if taken == case.bytes else "wrong"
    # A word of a list is another input than the list; punctuation and quotes may be counted or not.
    return "wrong" if 2 * taken < min(whole, case.bytes or whole) else "found"


def spans_of(text: str, pieces: Sequence[str]) -> list[Span]:
    """Return where the parts of an input stand in a text. Raises ValueError if one is not once."""
    if not pieces:
        return [(0, len(text))]
    spans = []
    for piece in pieces:
        marked = _MARKED.search(piece)
        context = piece.replace("«", "").replace("»", "") if marked else piece
        if text.count(context) != 1:
            raise ValueError(f"{text.count(context)} times in the file: {piece!r}")
        start = text.index(context) + (marked.start() if marked else 0)
        spans.append((start, start + len(marked[1] if marked else piece)))
    return spans


def runs_before(done: Mapping[str, object], sessions: int) -> int | None:
    """Return how many runs were no candidates, those of the final check left out.

    They are those of the preflight that were no candidates, and all sessions of pytest that no
    count mentions. None if there was no time for a candidate.
    """
    if done.get("candidates") == 0:
        return None
    runs, preflight = done.get("runs", 0), done.get("preflight_runs", 0)
    assert isinstance(runs, int)
    assert isinstance(preflight, int)
    candidates = done.get("preflight_candidates", 0)
    assert isinstance(candidates, int)
    return max(0, max(0, sessions - runs) + preflight - candidates)


def _refusal(said: str) -> str:
    if "Traceback (most recent call last)" in said and "boildown/cli" in said:
        return "dead end"
    if len(_COMMAND.findall(said)) > 1:
        return "asked"
    return "refused" if _NEXT_STEP.search(said) else "dead end"


def _is_example(before: Mapping[str, str], answer: Answer) -> bool:
    assert answer.done is not None
    added = [
        "".join(block)
        for file, text in answer.after.items()
        for block in _added(before.get(file, ""), text)
    ]
    return answer.done.get("kind") == "example" or any("example(" in block for block in added)


def _added(old: str, new: str) -> Iterator[list[str]]:
    was, now = old.splitlines(keepends=True), new.splitlines(keepends=True)
    for kind, _, _, start, end in difflib.SequenceMatcher(None, was, now, False).get_opcodes():
        if kind != "equal":
            yield now[start:end]


def _begin(file: str, text: str, done: Mapping[str, object]) -> int | None:
    """Return where the answer's input begins in a file; -1: in another one, None: not said.

    Of an input of several parts the first one counts; what was changed tells of the others.
    """
    where = done.get("where")
    first = where[0] if isinstance(where, list) and where else where
    place = re.match(r"(.+?):(\d+):(\d+)", str(first))
    if place is None:
        return None
    lines = text.splitlines(keepends=True)
    is_here = place[1] == file
    return sum(map(len, lines[: int(place[2]) - 1])) + int(place[3]) - 1 if is_here else -1


def _is_kept(old: str, new: str, spans: Sequence[Span]) -> bool:
    """Return whether all that is outside of the spans is there as it was."""
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(old)]
    outside = (re.escape(old[end:start]) for end, start in zip(ends, starts, strict=True))
    return re.fullmatch(".*?".join(outside), new, re.S) is not None


def _size(text: str, spans: Sequence[Span]) -> int:
    return sum(len(text[start:end].encode("utf-8", "surrogateescape")) for start, end in spans)
