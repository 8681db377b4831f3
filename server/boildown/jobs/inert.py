r"""Text that others wrote, made inert: in Markdown, in messages, and in plain labels.

The input, the output of the program, and the names of files and of a grammar's symbols may hold
anything. There is one function for each medium that text is shown in: `visible` for plain text
(titles, labels, diagnostics, the log), `terminal` for lines on one, `message` for notifications,
and for Markdown `code`, `row` and `block`. In Markdown such text stands as code and nowhere else,
for nothing in code is a link, an image, HTML, or a mention of somebody.

Characters that cannot be seen, or that change the order in which others are read, are shown as
escapes in all of them: a control character as `\x1b`, a bidirectional one as `\u202e`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from boildown.visible import visible

__all__ = ["block", "code", "items", "message", "row", "short", "terminal", "visible"]

_CLICKABLE = re.compile(r"(?<=\])(?=\()|(?<=<)(?=[A-Za-z][A-Za-z0-9+.-]*:|[^\s<>@]+@)")
"""The places in a text at which a space keeps it from being a link, an image or an autolink."""

_BACKTICKS = re.compile("`+")

_DRAWN = {"geojson", "math", "mermaid", "plantuml", "stl", "suggestion", "topojson"}
"""Languages of which a forge does not show a block as it stands: it draws or applies it."""


def terminal(text: str) -> str:
    """Return lines for a terminal, which sequences of control characters would steer."""
    return visible(text, keep="\n\t")


def message(text: str) -> str:
    r"""Return a message for a notification, where an editor may make links clickable.

    VS Code does so with `[…](https:…)`, `[…](command:…)` and `[…](file:…)`, which run something
    at a click. A space keeps these, images, autolinks and definitions of links from being any.
    Lines and tabs stay.
    """
    first, newline, rest = visible(text, keep="\n\t").partition("\n")
    # A definition begins a paragraph, which the first line of a message does not.
    return _CLICKABLE.sub(" ", first + newline + rest.replace("]:", "] :"))


def code(text: str, longest: int | None = None) -> str:
    """Return a text as code in a line of Markdown; nothing for the empty one.

    Of one that is longer than `longest` characters the middle is left out.
    """
    if longest is not None:
        text = short(text, longest)
    text = visible(text.replace("\n", "⏎"))
    if not text:
        return ""
    quote = "`" * (_longest_run(text) + 1)
    # CommonMark takes one space from each end, unless there is nothing else.
    edges = text[0] + text[-1]
    padding = " " if text.strip(" ") and ("`" in edges or " " in edges) else ""
    return f"{quote}{padding}{text}{padding}{quote}"


def row(cells: Iterable[str]) -> str:
    r"""Return a row of a table in Markdown, from cells in Markdown.

    A vertical bar in a cell becomes a broken one: renderers do not agree which ones `\|` escapes.
    """
    return f"| {' | '.join(each.replace('|', '¦') for each in cells)} |"


def block(text: str, language: str = "", longest: int | None = None) -> str:
    """Return a text as a block of code in Markdown.

    `language` has the block coloured; it is left out if it is more than a name, or one of which
    blocks are drawn. A text of more than `longest` characters is cut.
    """
    if longest is not None and len(text) > longest:
        text = f"{text[:longest]}…"
    text = visible(text.replace("\r\n", "\n"), keep="\n\t")
    fence = "`" * max(3, _longest_run(text) + 1)
    is_name = re.fullmatch(r"[A-Za-z0-9_+#.-]*", language) and language.lower() not in _DRAWN
    info = language if is_name else ""
    return f"{fence}{info}\n{text.removesuffix(chr(10))}\n{fence}"


def items(lines: Iterable[str]) -> str:
    """Return lines in Markdown as a list."""
    return "\n".join(f"- {each.strip()}" for each in lines)


def short(text: str, longest: int = 200) -> str:
    """Return a text, its middle left out if it has many more than so many characters.

    A cut saves a fifth of the text at least.
    """
    half = longest // 2
    return text if len(text) <= longest * 5 // 4 else f"{text[:half]}…{text[-half:]}"


def _longest_run(text: str) -> int:
    """Return the length of the longest run of backticks in a text."""
    return max(map(len, _BACKTICKS.findall(text)), default=0)
