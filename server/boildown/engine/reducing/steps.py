"""The steps of a reduction, kept as edits of the text before each.

A long text may take thousands of steps, each nearly as long as the one before. Only the first and
the last text are kept as they are; the others are made again from the edits, when asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from boildown.engine.difference import difference
from boildown.engine.language import LONGEST_PARSED
from boildown.engine.oracle import Step

_LONG = 64
"""Characters from which on an insertion is looked for in the text before the step."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """How to make a step's text of the one before it."""

    run: int
    start: int
    end: int
    new: str | tuple[int, int]
    """The text between the offsets, or where it is in the text before: a part that was hoisted."""

    def of(self, before: str) -> str:
        new = self.new if isinstance(self.new, str) else before[slice(*self.new)]
        return before[: self.start] + new + before[self.end :]


def _edit(before: str, step: Step[str]) -> _Edit:
    start, end, new = difference(before, step.text)
    at = before.find(new, start, end) if len(new) > _LONG else -1
    return _Edit(step.run, start, end, new if at < 0 else (at, at + len(new)))


class Steps(Sequence[Step[str]]):
    """A list of steps whose texts are rebuilt; equal to any sequence with equal steps.

    The first and the last are at hand. Another one takes as many copies of a text as there are
    steps before it, and all of them in order one copy each.
    """

    __slots__ = ("_edits", "_first", "_last")

    def __init__(self, first: Step[str], others: Iterable[Step[str]] = ()) -> None:
        self._first = self._last = first
        self._edits: list[_Edit] = []
        for step in others:
            self.add(step)

    def add(self, step: Step[str]) -> None:
        """Append a step."""
        self._edits.append(_edit(self._last.text, step))
        self._last = step

    def accept(self, step: Step[str]) -> None:
        """Append a step of a reduction, perhaps in place of the last one.

        Of texts too long to be parsed only every one of half the length is kept.
        """
        last = self._last.text
        # To make the text before the last again takes time, and few texts are as long as this.
        if len(last) > LONGEST_PARSED and len(self) > 1 and is_dropped(self[-2].text, last):
            self.cut(len(self) - 1)
        self.add(step)

    def cut(self, length: int) -> None:
        """Drop all steps but the first `length`, which is at least one."""
        last = self[length - 1]
        del self._edits[length - 1 :]
        self._last = last

    def __len__(self) -> int:
        return len(self._edits) + 1

    @overload
    def __getitem__(self, index: int) -> Step[str]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Step[str]]: ...
    def __getitem__(self, index: int | slice) -> Step[str] | Sequence[Step[str]]:
        wanted = range(len(self))[index]
        if not isinstance(wanted, int):
            kept = set(wanted)
            found = {at: step for at, step in enumerate(self) if at in kept}
            return tuple(found[at] for at in wanted)
        if wanted == len(self._edits):
            return self._last
        return next(step for at, step in enumerate(self) if at == wanted)

    def __iter__(self) -> Iterator[Step[str]]:
        step = self._first
        yield step
        for edit in self._edits:
            step = Step(edit.run, edit.of(step.text))
            yield step

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(Step.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} steps>"


def is_dropped(before: str, text: str) -> bool:
    """Say whether a step is too long to be kept once there is a smaller one.

    A long text may take a thousand steps, each nearly as long as the one before.
    """
    return len(text) > LONGEST_PARSED and 2 * len(text) > len(before)
