r"""Characters that cannot be seen, as escapes: in patterns and laws, and wherever text is shown.

A no-break space looks like a space and a zero-width one like nothing, a control character steers a
terminal, and a bidirectional one changes the order in which others are read. Here these are
`\u00a0`, `\u200b`, `\x1b` and `\u202e`.
"""

from __future__ import annotations

import re

_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Characters that count as printable, and leave nothing to be seen.

Most of these are the letters and marks among Unicode's `Default_Ignorable_Code_Point`.
"""


def visible(text: str, keep: str = "") -> str:
    r"""Return a text with its invisible characters as escapes, line breaks among them.

    These are all that `str.isprintable` does not count as printable, such as controls, formats,
    separators and lone surrogates, and the blank ones among the others; those in `keep` stay.

    >>> print(visible("a\tb\x1b[31m\u00a0"))
    a\tb\x1b[31m\u00a0
    """
    if is_seen(text):
        return text
    return "".join(each if each in keep or is_seen(each) else _escaped(each) for each in text)


def quoted(text: str) -> str:
    r"""Return a text in quotes, on one line, as `repr` does but with these escapes.

    >>> print(quoted("it's\u00a0"), quoted("\\"))
    "it's\u00a0" '\\'
    """
    quote = '"' if "'" in text and '"' not in text else "'"
    inner = text.replace("\\", "\\\\").replace(quote, f"\\{quote}")
    return f"{quote}{visible(inner)}{quote}"


def is_seen(text: str) -> bool:
    """Say whether all characters of a text can be seen."""
    return text.isprintable() and not _BLANK.search(text)


def _escaped(character: str) -> str:
    # As JSON and most languages write it; `\xa0` is one of few.
    if "\x80" <= character <= "\xff":
        return f"\\u{ord(character):04x}"
    return character.encode("unicode_escape").decode("ascii")
