"""The examples that come with each language, whole and damaged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from boildown.languages import languages

GRAMMARS = Path(__file__).parents[2] / "grammars"

EXAMPLES = sorted(
    path
    for each in languages()
    for path in (GRAMMARS / each.name / "examples").glob("*")
    if each.installed
)


def read(path: Path) -> str:
    """Return the text of an example; bytes that are no UTF-8 become surrogates."""
    return path.read_bytes().decode("utf-8", "surrogateescape")


def damaged(text: str, rng: Random) -> str:
    """Delete, double, swap or overwrite some bytes of a text."""
    data = bytearray(text.encode("utf-8", "surrogateescape"))
    for _ in range(rng.choice((1, 1, 2, 5))):
        if not data:
            break
        at = rng.randrange(len(data))
        end = min(at + rng.choice((1, 1, 2, 10)), len(data))
        other = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                del data[at:end]
            case 1:
                data[at:at] = data[at:end]
            case 2:
                data[at], data[other] = data[other], data[at]
            case _:
                data[at] = rng.choice(b"\0\r\n\t \"'\\()[]{}<>&,;:=\x80\xe2\xff")
    return data.decode("utf-8", "surrogateescape")


def mutations(text: str, count: int, seed: int = 0) -> Iterator[str]:
    """Yield damaged variants of a text, the same ones for the same seed."""
    rng = Random(seed)
    for _ in range(count):
        yield damaged(text, rng)
