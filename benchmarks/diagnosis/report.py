"""Writes DIAGNOSIS.md from the figures."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence

from benchmarks.diagnosis.scoring import (
    FIRST,
    GRADES,
    LONGEST,
    MOST,
    PART_PRECISION,
    PART_RECALL,
    Compared,
    Diagnosis,
    by_subject,
    summed,
)
from benchmarks.diagnosis.subject import KINDS, Subject
from benchmarks.markdown import block, paragraphs, table

_GOALS = ("**goal**", "≥ 60 %", None, None, "≥ 0.98", "≥ 0.90", "≤ 1 %", "≤ 500", None, None)


def report(
    figures: Mapping[str, Sequence[Diagnosis]],
    subjects: Mapping[str, Subject],
    compared: Sequence[Compared] = (),
    remarks: str = "",
) -> str:
    """Return DIAGNOSIS.md: the sums of each version, and all diagnoses of the last one."""
    parts = [
        "# Diagnosis",
        "Written by `make bench-diagnosis` (`python -m benchmarks.diagnosis`). Each subject is a"
        " program whose law of failure is known. Boildown gets one failing input and the program;"
        " its answer is then compared with the truth on independent texts, which a generator of"
        f" the subject's own made: {FIRST} that fail and {FIRST} that pass, and if it errs in"
        f" none, {MOST} of each, as far as there are so many.",
        "*Exact* is an answer that errs in none of them and is at most"
        f" {LONGEST} times as long as the reference law. *In part* is one that matches"
        f" {PART_RECALL:.0%} of the failing texts or more, with a precision of {PART_PRECISION} or"
        " more; all others *missed* it. Precision is the share of matched texts that fail, where"
        " as many fail as pass, and its mean leaves out answers that match none. A bound is"
        " violated if fresh texts of the answer, drawn with another seed, refute it."
        " Seconds are processor time without the program's own.",
        table(_HEAD, [*(_sums(version, rows) for version, rows in figures.items()), _GOALS]),
    ]
    for version, rows in list(figures.items())[-1:]:
        parts += [
            f"## By kind of law ({version})",
            table(("kind", *GRADES, "recall"), _kinds(rows, subjects)),
            f"## By subject ({version})",
            table(("subject", "grades", "precision", "recall", "bound", "runs", "s"), _rows(rows)),
            "Laws, reference laws, and what was found for the first input:",
            block("\n\n".join(_laws(rows, subjects))),
        ]
    return paragraphs([*parts, *_peers(compared), remarks])


def _peers(compared: Sequence[Compared]) -> Iterator[str]:
    if not compared:
        return
    tools = list(dict.fromkeys(each.tool for each in compared))
    found = {(each.subject, each.tool): each for each in compared}
    yield "## Beside peers"
    yield (
        "F1 on independent texts, by the first failing input, with the same grammar (in the"
        " fuzzingbook format) and the same truth for all, and the runs that it took."
        " `python -m benchmarks.diagnosis.peers` writes it."
    )
    rows = [
        (name, *(_compared(found.get((name, tool))) for tool in tools))
        for name in dict.fromkeys(each.subject for each in compared)
    ]
    own = [[each.f1 for each in compared if each.tool == tool] for tool in tools]
    means = (f"{statistics.mean(each):.2f}{_of(len(each), len(rows))}" for each in own)
    yield table(("subject", *tools), [*rows, ("**mean**", *means)])
    yield block("\n".join(f"{each.subject} ({each.tool}): {each.found!r}" for each in compared))


def _of(count: int, of: int) -> str:
    return f" (of {count})" if count < of else ""


def _compared(each: Compared | None) -> str | None:
    return None if each is None else f"{each.f1:.2f} ({each.runs})"


_HEAD = (
    "version", *GRADES, "precision", "recall", "violated", "runs (median)", "s (mean)", "stopped"
)  # fmt: skip


def _sums(version: str, rows: Sequence[Diagnosis]) -> tuple[object, ...]:
    found = summed(rows)
    return (
        version,
        *(_share(found.grades[each], len(rows)) for each in GRADES),
        f"{found.precision:.2f}",
        f"{found.recall:.2f}",
        _share(found.violated, found.bounds),
        f"{found.runs:.0f}",
        f"{found.seconds / max(len(rows), 1):.1f}",
        found.stopped,
    )


def _share(count: int, of: int) -> str:
    return f"{count} ({count / of:.0%})" if of else "0"


def _kinds(
    rows: Sequence[Diagnosis], subjects: Mapping[str, Subject]
) -> Iterator[tuple[object, ...]]:
    for kind in KINDS:
        found = summed([row for row in rows if kind in subjects[row.subject].kinds])
        if found.grades:
            yield kind, *(found.grades[each] for each in GRADES), f"{found.recall:.2f}"


def _rows(rows: Sequence[Diagnosis]) -> Iterator[tuple[object, ...]]:
    for name, own in by_subject(rows):
        found = summed(own)
        yield (
            name,
            ", ".join(row.grade for row in own),
            None if all(row.precision is None for row in own) else f"{found.precision:.2f}",
            f"{found.recall:.2f}",
            ", ".join(map(_bound, own)),
            f"{found.runs:.0f}",
            f"{found.seconds / len(own):.1f}",
        )


def _bound(row: Diagnosis) -> str:
    if row.bound is None:
        return "–"
    return f"**{row.bound:.0%}**" if row.violated else f"{row.bound:.0%}"


def _laws(rows: Sequence[Diagnosis], subjects: Mapping[str, Subject]) -> Iterator[str]:
    for name, own in by_subject(rows):
        subject = subjects[name]
        found = own[0].law.replace("\n", "\\n")
        yield f"{name}: {subject.law}\n  reference: {subject.reference}\n  found:     {found}"
