"""Reductions in HTML and Markdown, as notebooks show a result: the text, the failures, the claim.

What was left out of the original is struck through. Texts that others wrote are escaped: nothing in
them is markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import escape

from boildown.visible import visible

_LONGEST = 10_000
"""Characters of the longest original of which it is shown what was left out."""
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Shown:
    """The parts of a reduction that are shown."""

    before: str | bytes
    after: str | bytes
    claim: str
    failures: tuple[str, ...]
    """Of the original and of the result; empty if they are not known."""

    def as_html(self) -> str:
        """Return them as HTML."""
        pieces = "".join(
            _html(text) if is_left else f"<del>{_html(text)}</del>"
            for is_left, text in self._pieces()
        )
        rows = "".join(
            f"<tr><th>{name}</th><td><code>{_html(failure)}</code></td></tr>"
            for name, failure in self._named()
        )
        table = f"<table>{rows}</table>" if rows else ""
        return f"<p>{_html(self.claim)}</p><pre>{pieces}</pre>{table}"

    def as_markdown(self) -> str:
        """Return them as Markdown."""
        pieces = "".join(
            _code(text) if is_left else f"~~{_code(text)}~~" for is_left, text in self._pieces()
        )
        lines = [self.claim, "", pieces]
        if failures := list(self._named()):
            lines += ["", *(f"- {name}: {_code(failure)}" for name, failure in failures)]
        return "\n".join(lines) + "\n"

    def _named(self) -> Iterator[tuple[str, str]]:
        yield from zip(("original", "reduced"), self.failures, strict=False)

    def _pieces(self) -> Iterator[tuple[bool, str]]:
        """Yield the pieces of the original and whether each is left, and those that are new."""
        before, after = _text(self.before), _text(self.after)
        if len(before) > _LONGEST:
            yield True, after
            return
        old, new = _TOKEN.findall(before), _TOKEN.findall(after)
        for _, low, high, start, end in SequenceMatcher(None, old, new, False).get_opcodes():
            if old[low:high] != new[start:end] and low < high:
                yield False, "".join(old[low:high])
            if start < end:
                yield True, "".join(new[start:end])


def _text(text: str | bytes) -> str:
    return text if isinstance(text, str) else text.decode("utf-8", "backslashreplace")


def _html(text: str) -> str:
    return escape(visible(text, keep="\n\t"))


def _code(text: str) -> str:
    """Return a text as code in a line of Markdown."""
    shown = visible(text.replace("\n", "⏎"))
    quote = "`" * (max(map(len, re.findall("`+", shown)), default=0) + 1)
    return f"{quote} {shown} {quote}" if "`" in shown else f"{quote}{shown}{quote}"
