"""Measures how runs, and Boildown's own time per run, grow with the input's size.

The inputs are JSON and JavaScript of 1 KB to 1 MB in which the same two elements are needed, at a
third and at two thirds of the text. The test is a search in the text: it costs nothing, so all of
the time is Boildown's own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from boildown.engine.oracle import from_test
from boildown.engine.reducing.reduce import reduce
from boildown.languages import load_language

SIZES = (1_000, 10_000, 100_000, 1_000_000)
NEEDLES = ("needle_one", "needle_two")

Make: TypeAlias = Callable[[int], str]
"""Returns an input of about so many bytes."""


@dataclass(frozen=True, slots=True)
class Grown:
    """A reduction of one input."""

    language: str
    size_before: int
    """In bytes, of which each is a character."""
    size_after: int
    runs: int
    parse_seconds: float
    """CPU time of the one parse before the first run."""
    seconds: float
    """CPU time of the whole reduction, that parse among them."""

    @property
    def milliseconds_per_run(self) -> float:
        """Boildown's own time per run, without the first parse."""
        return 1000 * (self.seconds - self.parse_seconds) / max(self.runs, 1)


def measure_all(largest: int) -> list[Grown]:
    """Reduce the inputs of up to `largest` bytes in each language."""
    rows = []
    for language, make in INPUTS.items():
        for size in SIZES:
            if size <= largest:
                rows.append(measure(language, make(size)))
                print(f"{language}: {rows[-1]}", flush=True)
    return rows


def measure(language_name: str, text: str) -> Grown:
    """Reduce one input, and time it."""
    language = load_language(language_name)
    began = time.process_time()
    language.parse(text)
    parsed = time.process_time()
    reduction = reduce(text, from_test(has_needles), language)
    seconds = time.process_time() - parsed
    return Grown(
        language=language_name,
        size_before=len(text),
        size_after=len(reduction.text),
        runs=reduction.runs,
        parse_seconds=round(parsed - began, 4),
        seconds=round(seconds, 4),
    )


def has_needles(text: str) -> bool:
    """Say whether both needed elements are in a text."""
    return all(needle in text for needle in NEEDLES)


def json_input(size: int) -> str:
    """Return a list of records of about so many bytes."""

    def record(number: int, name: str) -> str:
        tags = f'"tags": ["t{number % 7}", "t{number % 11}"]'
        return f'  {{"id": {number}, "name": "{name}", {tags}, "price": {number % 97}.5}}'

    return "[\n" + ",\n".join(_parts(size, record)) + "\n]\n"


def javascript_input(size: int) -> str:
    """Return a list of functions of about so many bytes."""

    def function(number: int, name: str) -> str:
        return (
            f"function f{number}(a, b) {{\n"
            f"  var c = a * {number % 97} + b;\n"
            f"  if (c > b) {{\n    {name}(c, [a, b]);\n  }}\n"
            "  return c;\n}"
        )

    return "\n".join(_parts(size, function)) + "\n"


def _parts(size: int, part: Callable[[int, str], str]) -> Iterator[str]:
    """Yield the parts of an input, one with each needle."""
    needles = list(NEEDLES)
    written = 0
    for number in count():
        wanted = len(NEEDLES) - len(needles) + 1
        due = needles and written >= size * wanted // (len(NEEDLES) + 1)
        text = part(number, needles.pop(0) if due else f"item{number}")
        written += len(text) + 1
        yield text
        if written >= size and not needles:
            return


INPUTS: dict[str, Make] = {"json": json_input, "javascript": javascript_input}
