"""Inputs that fail alike, as they are written into tests."""

from __future__ import annotations

import pprint
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

CHOICES = 30
"""Choices that Hypothesis draws for a hole; then the rest of it is as short as can be."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs that fail alike: one by one, or how Hypothesis puts them together."""

    texts: Sequence[str]
    title: str
    """The pattern that they have in common, in a line."""
    parts: Sequence[tuple[bool, str]] = ()
    """The parts of each input: whether it is a hole, and the hole's name or else the text there.

    If there are any, tests are written for Hypothesis."""
    holes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """How each hole is filled; holes of one name hold the same text."""
    rules: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """The rules of the grammar that holes are filled by."""
    gap: str = ""
    """White space that may stand between any two tokens of it, or nothing if none may."""
    failure: str = ""
    """The signature of the failure; empty: not known."""
    expected: str = ""
    """What the first input should give: what the program should print, or, beside a literal, the
    code of a value; empty: not known."""

    @property
    def line(self) -> str:
        """The title as it can stand in a docstring."""
        title = ascii(textwrap.shorten(self.title, 200))[1:-1].replace("\\'", "'")
        title = title.replace('"""', '\\"\\"\\"')
        return title[:-1] + '\\"' if title.endswith('"') else title

    def strategy(self, name: str, is_bytes: bool = False) -> str:
        """Return the code of a strategy for Hypothesis; `st` must be its strategies."""
        return _STRATEGY.format(
            name=name,
            line=self.line,
            rules=literal(dict(self.rules), 4),
            holes=literal(dict(self.holes), 4),
            gap=self.gap,
            choices=CHOICES,
            parts=literal([tuple(each) for each in self.parts], 4),
            encoded='.encode("utf-8", "surrogateescape")' if is_bytes else "",
        )


_STRATEGY = '''@st.composite
def {name}(draw):
    """Inputs that fail alike: {line}."""
    rules = {rules}
    holes = {holes}
    parts = {parts}

    spare = {choices}

    def tokens(draw, drawn):
        nonlocal spare
        found, pending = [], [(drawn, None)]
        while pending:
            (kind, *inner), word = pending.pop()
            after = []
            if kind == "text":
                found += inner
            elif kind == "rule":
                pending.append((rules[inner[0]], None))
            elif kind == "it":
                found += word
            elif kind == "alike":
                pending.append((inner[1], tokens(draw, inner[0])))
            elif kind == "all of":
                after = inner
            elif kind == "any of":  # The first ends soonest.
                spare -= 1
                index = draw(st.integers(0, len(inner) - 1)) if spare > 0 else 0
                after = [inner[index]]
            elif kind == "many":
                item, between, least, most, count = (*inner, 0)[:5]
                if count != most and (count < least or (spare > 0 and draw(st.booleans()))):
                    spare -= 1
                    after = [item, ("many", item, between, least, most, count + 1)]
                    after = [between, *after] if count else after
            else:
                found += token(draw, kind, inner)
            pending += [(each, word) for each in reversed(after)]
        return found

    def token(draw, kind, inner):
        if kind == "token":
            pattern, without, excluded = inner
            found = st.from_regex(pattern, fullmatch=True)
            found = found.filter(lambda text: set(without).isdisjoint(text))
            return [draw(found.filter(lambda text: text not in excluded))]
        if kind == "texts":
            return [draw(st.sampled_from(inner))]
        if kind == "number":
            low, high, width, has_point = inner
            if has_point and draw(st.booleans()):
                return [f"{{draw(st.integers(100 * low, 100 * high)) / 100:.2f}}"]
            return [str(draw(st.integers(low, high))).zfill(width)]
        if kind == "around":
            text = draw(texts(inner[2]))
            return [inner[0] + text + inner[1] if text else ""]
        if kind == "but":
            return [draw(texts(inner[1]).filter(lambda text: text not in inner[0]))]
        return [draw(texts(inner[1]).filter(lambda text: inner[0] in text))]

    @st.composite
    def texts(draw, drawn):
        return joined(tokens(draw, drawn))

    def joined(found):
        text = ""
        for each in found:
            apart = {gap!r} if text and each and is_near(text[-1], each[0]) else ""
            text += apart + each
        return text

    def is_near(left, right):
        return not (left.isspace() or right.isspace() or left in "([{{,;" or right in ")]}},;")

    values, text = {{}}, ""
    for is_hole, part in parts:
        if is_hole and part not in values:
            spare = {choices}
            values[part] = draw(texts(holes[part]))
        part = values[part] if is_hole else part
        is_word = text[-1:].isalnum() and part[:1].isalnum()
        text += ({gap!r} if is_word else "") + part
    return text{encoded}
'''


def literal(value: object, indent: int = 0) -> str:
    """Return the code of a list or dictionary, over several lines if it is long."""
    return pprint.pformat(value, width=96 - indent, sort_dicts=False).replace(
        "\n", "\n" + " " * (indent + 8 if indent else 0)
    )
