"""Tools on cases whose inputs are not the project's: what was measured, and its tables."""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.bugs import Case
from benchmarks.curves import geometric_mean
from benchmarks.markdown import paragraphs, table
from benchmarks.public import corpus, ir, perses
from benchmarks.tools import NotInstalledError, measure

PEERS = {"corpus": "shrinkray", "perses": "cvise", "ir": "llvm_reduce"}
"""What is measured beside Boildown in each part."""


SHOWN = 400
"""Characters of a result that are kept."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a tool made of a case."""

    part: str
    name: str
    tool: str
    before: int
    """Bytes."""
    after: int | None
    runs: int
    invalid: int
    capped: bool
    best: int
    """Bytes of the smallest that is known: of a committed result or by hand; 0 if none is."""
    text: str
    best_text: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be measured, and within which limits."""

    part: str
    checkout: Path
    """Of the repository that holds the inputs."""
    seeds: range
    """Of what is drawn."""
    cases: Sequence[str]
    """Names of cases, or parts of names; none for all."""
    tools: Sequence[str]
    """None for all."""
    seconds: float
    runs: int


def _cases(wanted: Wanted, folder: Path) -> Iterator[Case | str]:
    """Set up the cases with their oracles in a folder, or say why one is left out."""
    checkout = wanted.checkout
    makers: dict[str, Callable[[], Case | str]]
    if wanted.part == "ir":
        makers = {f"ir-{seed}": partial(_module, seed, folder) for seed in wanted.seeds}
    elif wanted.part == "corpus":
        makers = {e.name: partial(corpus.case, checkout, e, folder) for e in corpus.ENTRIES}
    else:
        makers = {p[0]: partial(perses.case, checkout, p, folder) for p in perses.PROGRAMS}
    for name, make in makers.items():
        if not wanted.cases or any(each in name for each in wanted.cases):
            found = make()
            yield found if isinstance(found, Case) else f"{name}: {found}"


def _module(seed: int, folder: Path) -> Case | str:
    name = f"ir-{seed}"
    try:
        module = ir.make(Random(seed))
    except FileNotFoundError as error:
        return f"{name}: {error.filename} is not installed"
    file, oracle = folder / f"{name}.ll", folder / name
    file.write_text(module)
    command = shlex.join([sys.executable, "-ISs", str(Path(ir.__file__))])
    oracle.write_text(f'#!/bin/sh\nexec {command} "$1"\n')
    oracle.chmod(0o755)
    return Case(name, file, oracle, len(ir.BEST), ir.BEST, "hand")


def measured(wanted: Wanted) -> Iterator[Row | str]:
    """Measure Boildown and then the peer on each case; a text says what is left out."""
    tools = ("boildown", PEERS[wanted.part])
    with tempfile.TemporaryDirectory(prefix="public-") as folder:
        for case in _cases(wanted, Path(folder)):
            if isinstance(case, str):
                yield case
                continue
            for tool in (tool for tool in tools if tool in (wanted.tools or tools)):
                try:
                    yield _row(wanted, case, tool)
                except NotInstalledError as error:
                    yield f"{case.name}: {error}"


def _row(wanted: Wanted, case: Case, tool: str) -> Row:
    done = measure(tool, case, wanted.seconds, wanted.runs)
    return Row(
        part=wanted.part,
        name=case.name,
        tool=tool,
        before=case.size,
        after=done.bytes_out,
        runs=done.oracle_runs,
        invalid=done.invalid,
        capped=done.capped,
        best=case.best_bytes,
        text=done.text[:SHOWN],
        best_text=case.best_text[:SHOWN],
    )


def written(part: str, rows: Sequence[Row]) -> str:
    """Return the table of a part with its means, or nothing if nothing was measured."""
    ours = {row.name: row for row in rows if row.part == part and row.tool == "boildown"}
    theirs = {row.name: row for row in rows if row.part == part and row.tool == PEERS[part]}
    if not ours:
        return ""
    peer = PEERS[part].replace("_", "-")
    head = ["case", "bytes", "best", "Boildown", "runs", "INVALID", peer, "runs"]
    lines = [
        [
            name,
            f"{row.before:,}",
            row.best or None,
            *_figures(row),
            f"{row.invalid / max(row.runs, 1):.0%}",
            *_figures(theirs.get(name)),
        ]
        for name, row in ours.items()
    ]
    return paragraphs([table(head, lines), *_means(ours, theirs, peer)])


def _figures(row: Row | None) -> list[str | None]:
    if row is None:
        return [None, None]
    size = "none" if row.after is None else f"{row.after:,}"
    return [size, f"{row.runs:,}{' (capped)' if row.capped else ''}"]


def _means(ours: dict[str, Row], theirs: dict[str, Row], peer: str) -> Iterator[str]:
    compared = [row for row in ours.values() if row.after and row.best and not row.capped]
    if compared:
        mean = geometric_mean(row.after / row.best for row in compared if row.after)
        yield f"Boildown's bytes to the best: {mean:.2f} (geometric mean of {len(compared)})."
        larger = [row.name for row in compared if (row.after or 0) > row.best]
        yield f"Larger than the best, of those that ended: {', '.join(larger) or 'none'}."
    both = [
        (row, other)
        for name, row in ours.items()
        if (other := theirs.get(name)) and row.after and other.after
        if not (row.capped or other.capped)
    ]
    if both:
        sizes = geometric_mean(a.after / b.after for a, b in both if a.after and b.after)
        runs = geometric_mean(a.runs / b.runs for a, b in both)
        yield (
            f"Boildown to {peer} in the {len(both)} that both ended: "
            f"{sizes:.2f} times the bytes, {runs:.2f} times the runs (geometric means)."
        )
