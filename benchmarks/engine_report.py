"""Renders the sections of RESULTS.md about the generated cases and about growth."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from benchmarks.curves import geometric_mean
from benchmarks.generated import MAX_RUNS, Generated
from benchmarks.growth import Grown
from benchmarks.markdown import paragraphs, table
from benchmarks.plot import Line, Panel

GENERATED = f"""\
Inputs sampled from the shipped grammars, and tests that ask whether one symbol of the grammar, a
pair or a triple occurs in the parse of a candidate; a text that does not parse is INVALID. Each
algorithm runs alone, once, and is stopped after {MAX_RUNS:,} runs; `auto` is the default pipeline.
Runs are the median over the cases. Size is the geometric mean of the ratio of the result to the
smallest result that any of them found for the case: 1.00 is always the smallest. The seeds are
fixed, so the figures are the same on every machine."""

GROWTH = """\
JSON and JavaScript inputs in which the same two elements are needed, at a third and at two thirds
of the text. The test is a search in the text and costs next to nothing, so all of the time is
Boildown's own; it is CPU time, and the first parse stands apart. JavaScript is read by
tree-sitter, JSON by its grammar."""


def generated_report(rows: Sequence[Generated]) -> str:
    """Return the section about the generated cases."""
    if not rows:
        return ""
    smallest: dict[tuple[object, ...], int] = {}
    for row in rows:
        key = _case(row)
        smallest[key] = min(row.size_after, smallest.get(key, row.size_after))
    algorithms = list(dict.fromkeys(row.algorithm for row in rows))
    groups = list(dict.fromkeys((row.grammar, len(row.symbols)) for row in rows))
    lines: list[Sequence[object]] = []
    for grammar, symbols in groups:
        of_group = [row for row in rows if (row.grammar, len(row.symbols)) == (grammar, symbols)]
        cells = [_cell(of_group, name, smallest) for name in algorithms]
        lines.append((f"{grammar}, {('', 'one symbol', 'a pair', 'a triple')[symbols]}", *cells))
    lines.append(("**all**", *(_cell(rows, name, smallest) for name in algorithms)))
    cases = len({_case(row) for row in rows})
    return paragraphs(
        [
            f"## Generated cases\n\n{GENERATED}",
            table(("case", *algorithms), lines),
            f"Each cell: runs, size; {cases} cases in all, of {_sizes(rows)} characters.",
        ]
    )


def _case(row: Generated) -> tuple[object, ...]:
    return (row.grammar, row.number)


def _sizes(rows: Sequence[Generated]) -> str:
    sizes = [row.size_before for row in rows]
    return f"{min(sizes)} to {max(sizes)}"


def _cell(
    rows: Sequence[Generated], algorithm: str, smallest: dict[tuple[object, ...], int]
) -> str:
    own = [row for row in rows if row.algorithm == algorithm]
    runs = median(row.runs for row in own)
    size = geometric_mean(max(row.size_after, 1) / max(smallest[_case(row)], 1) for row in own)
    return f"{runs:g}, {size:.2f}"


def growth_report(rows: Sequence[Grown]) -> str:
    """Return the section about growth."""
    if not rows:
        return ""
    lines = [
        (
            row.language,
            f"{row.size_before:,}",
            row.size_after,
            row.runs,
            f"{row.parse_seconds:.3f} s",
            f"{row.seconds:.2f} s",
            f"{row.milliseconds_per_run:.2f} ms",
        )
        for row in rows
    ]
    head = ("language", "bytes", "result", "runs", "first parse", "whole", "own time per run")
    return paragraphs(
        [
            f"## Growth\n\n{GROWTH}",
            table(head, lines),
            "![Runs and own time over the size of the input](plots/growth.svg)",
        ]
    )


def growth_panels(rows: Sequence[Grown]) -> list[Panel]:
    """Return two panels: runs, and own time per run, over the size of the input."""
    languages = list(dict.fromkeys(row.language for row in rows))
    by_language = {name: [row for row in rows if row.language == name] for name in languages}
    runs = [
        Line(name, [(row.size_before, row.runs) for row in of], steps=False)
        for name, of in by_language.items()
    ]
    times = [
        Line(name, [(row.size_before, max(row.milliseconds_per_run, 1e-3)) for row in of], False)
        for name, of in by_language.items()
    ]
    return [
        Panel("Runs", runs, "bytes of the input", "runs"),
        Panel("Own time per run", times, "bytes of the input", "milliseconds"),
    ]
