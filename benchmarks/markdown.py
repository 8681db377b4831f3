"""Formats Markdown tables and blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; the first column is text, the others are numbers. None is a dash."""
    lines = [head, [":--", *["--:"] * (len(head) - 1)]]
    cells = [["–" if cell is None else str(cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in [*lines, *cells])


def block(text: str) -> str:
    """Return a text as a code block."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"


def paragraphs(parts: Iterable[str]) -> str:
    """Join paragraphs with blank lines between them, the empty ones left out."""
    return "\n\n".join(part for part in parts if part)
