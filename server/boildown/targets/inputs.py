"""Inputs that fail alike, as they are written into tests."""

from __future__ import annotations

import pprint
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs that fail alike: one by one, or how Hypothesis puts them together."""

    texts: Sequence[str]
    title: str
    """The pattern that they have in common, in a line."""
    parts: Sequence[tuple[bool, str]] = ()
    """The parts of each input: whether it is a hole, and the hole's name or else the text there.

    If there are any, tests are written for Hypothesis."""
    holes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Texts that may stand in each hole; holes of one name hold the same text."""

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
            holes=literal({each: list(texts) for each, texts in self.holes.items()}, 4),
            parts=literal([tuple(each) for each in self.parts], 4),
            encoded='.encode("utf-8", "surrogateescape")' if is_bytes else "",
        )


_STRATEGY = '''@st.composite
def {name}(draw):
    """Inputs that fail alike: {line}."""
    holes = {holes}
    parts = {parts}
    drawn = {{name: draw(st.sampled_from(texts)) for name, texts in holes.items()}}
    return "".join(drawn[part] if is_hole else part for is_hole, part in parts){encoded}
'''


def literal(value: object, indent: int = 0) -> str:
    """Return the code of a list or dictionary, over several lines if it is long."""
    return pprint.pformat(value, width=96 - indent, sort_dicts=False).replace(
        "\n", "\n" + " " * (indent + 8 if indent else 0)
    )
