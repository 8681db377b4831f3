"""A summary in Markdown of the bugs that a folder of failing inputs shows, as CI keeps it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from boildown.files import FileError, read_text
from boildown.jobs.each import ReportedBug, Sorted
from boildown.jobs.events import Outcome, in_bytes, many
from boildown.jobs.inert import code, row
from boildown.jobs.report import input_block

_MOST_LISTED = 20
"""Inputs of a bug that are listed by name."""
NO_FAILURE = {
    Outcome.PASSED: "did not fail",
    Outcome.INVALID: "count as invalid",
    Outcome.TIMEOUT: "did not end in time",
}
"""The words for inputs that show no bug."""


def headline(folder: Path, count: int, bugs: int) -> str:
    """Return the bugs and the inputs that a folder holds, in words."""
    return f"{many(bugs, 'bug')} in {many(count, 'input')} of {code(str(folder))}"


def summary_of(folder: Path, count: int, found: Sorted, reported: Sequence[ReportedBug]) -> str:
    """Return the summary; bugs that the job has not come to stand in the table alone."""
    parts = [f"# {headline(folder, count, len(found.bugs))}"]
    if found.bugs:
        parts.append("\n".join(_table(found, reported)))
    for outcome, paths in found.others.items():
        named = ", ".join(code(path.name) for path in paths[:_MOST_LISTED])
        parts.append(f"{many(len(paths), 'input')} {NO_FAILURE[outcome]}: {named}{_more(paths)}.")
    for number, each in enumerate(reported, 1):
        parts += _section(number, each)
    return "\n\n".join(parts) + "\n"


def _table(found: Sorted, reported: Sequence[ReportedBug]) -> Iterator[str]:
    yield row(("", "Failure", "Inputs", "Smallest", "Reduced", "Certificate"))
    yield row(("---", "---", "---:", "---:", "---:", "---"))
    for number, bug in enumerate(found.bugs, 1):
        reduction = None
        if number <= len(reported):
            reduction = reported[number - 1].report["reduction"]
        sizes = ("", "not reduced", "")
        if reduction is not None:
            before, after = (in_bytes(reduction[f"bytes_{each}"]) for each in ("before", "after"))
            sizes = (before, after, reduction["minimality"] or "stopped early")
        shown = code(bug.failed.signature, 200)
        yield row((str(number), shown, str(len(bug.inputs)), *sizes))


def _section(number: int, each: ReportedBug) -> Iterator[str]:
    report, bug = each.report, each.bug
    yield f"## {number}. {code(bug.failed.signature, 200)}"
    if report["problem"] is not None:
        yield f"There is no reduced input: {code(report['problem'])}"
    else:
        output = Path(report["output"])
        yield f"{code(str(output))}, reduced from {code(report['input'])}:"
        try:
            yield input_block(read_text(output), output.suffix.lstrip("."))
        except FileError:
            yield "(It is not there any more.)"
        yield f"It fails with {code(report['command'])}."
    if others := [path for path in bug.inputs if str(path) != report["input"]]:
        named = ", ".join(code(path.name) for path in others[:_MOST_LISTED])
        yield f"Also shown by {named}{_more(others)}."


def _more(paths: Sequence[Path]) -> str:
    more = len(paths) - _MOST_LISTED
    return f" and {more} more" if more > 0 else ""
