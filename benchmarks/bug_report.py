"""Renders the sections of RESULTS.md about the real bugs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.curves import geometric_mean
from benchmarks.markdown import block, paragraphs, table
from benchmarks.measured import Measured
from benchmarks.plot import Line, Panel
from benchmarks.standings import (
    CHECKPOINTS,
    GOALS,
    NEAR,
    Comparison,
    Standing,
    counted,
    larger,
    mean_ratio,
    near,
)

METHOD = """\
Each case is a bug of a real program, with an oracle that says of a file whether it shows the same
failure. All tools reach the oracle through the same wrapper, which counts its runs, and so does
Boildown (one worker, default settings; the language is detected from the file's name). A run is
what costs, and does not depend on the load of a machine, so sizes are compared after the same
number of runs: the smallest candidate that passed by then. The ratio is Boildown's bytes to those
of the best of all peers at that point, whichever that is; less than 1 is ahead. At the end each
peer stands with the smallest result that it ever gave."""

PEERS = """\
The peers' figures are recorded ones (`peers/README.md` says how they were measured); many were
ended by a cap of 60 to 260 seconds, which is said in the last table."""

MANY_INVALID = 0.5
"""The share of INVALID runs that is worth a word."""


def bug_report(standings: Sequence[Standing], remarks: str = "") -> str:
    """Return the sections about the real bugs; the remarks are a person's."""
    fresh = sorted({peer.tool for each in standings for peer in each.peers if "(now)" in peer.tool})
    return paragraphs(
        [
            "## Real bugs",
            METHOD,
            PEERS,
            f"Run together with Boildown: {', '.join(fresh)}." if fresh else "",
            _summary(standings),
            _ratios(standings),
            "![Bytes left after so many runs](plots/bugs.svg)",
            "### Boildown's runs",
            _own(standings),
            "### Where Boildown is behind",
            *(_losses(standings) or ["Nowhere, on these cases."]),
            remarks,
            "### All results",
            everything(standings),
        ]
    )


def bug_panels(standings: Sequence[Standing]) -> list[Panel]:
    """Return a panel per case: bytes left over runs."""
    return [
        Panel(
            f"{each.case.name} ({each.case.size:,} bytes)",
            [
                Line(tool.tool, [*tool.points, (max(tool.oracle_runs, 1), tool.points[-1][1])])
                for tool in (each.ours, *each.peers)
                if tool.points
            ],
            "runs of the oracle",
            "bytes",
        )
        for each in standings
    ]


def _summary(ranked: Sequence[Standing]) -> str:
    standings = counted(ranked)
    rows: list[Sequence[object]] = []
    for runs in CHECKPOINTS:
        mean = mean_ratio(standings, runs)
        verdict = "yes" if mean <= GOALS[runs] else "**no**"
        name = f"ratio to the best peer {_when(runs)}, geometric mean"
        rows.append((name, f"{mean:.2f}", f"≤ {GOALS[runs]}", verdict))
    behind, close = larger(standings), near(standings)
    rows += [
        (
            "cases that end more than 10 % larger than their best peer",
            f"{len(behind)} ({', '.join(behind)})" if behind else 0,
            "0",
            "**no**" if behind else "yes",
        ),
        (
            "cases within 10 % of the smallest input known",
            f"{len(close)} of {len(standings)}",
            "all",
            "yes" if len(close) == len(standings) else "**no**",
        ),
        (
            "ratio to the smallest input known, geometric mean",
            f"{geometric_mean(each.to_best_known for each in standings):.2f}",
            "",
            "",
        ),
    ]
    left_out = sorted({each.case.name for each in ranked} - {each.case.name for each in standings})
    said = f"Not counted, since the result shows another bug: {', '.join(left_out)}."
    summary = table(("what", "measured", "goal", "reached"), rows)
    return f"{summary}\n\n{said}" if left_out else summary


def _when(runs: int | None) -> str:
    return "at the end" if runs is None else f"after {runs} runs"


def _ratios(standings: Sequence[Standing]) -> str:
    head = ["case", "bytes"]
    for runs in CHECKPOINTS:
        head += [_when(runs), "best peer", "ratio"]
    head += ["smallest known", "ratio"]
    rows = []
    for each in standings:
        row: list[object] = [each.case.name, each.case.size]
        for runs in CHECKPOINTS:
            compared = each.compared(runs)
            row += [compared.bytes, f"{compared.peer_bytes} {compared.peer}", ratio(compared)]
        rows.append(
            [*row, f"{each.case.best_bytes} {each.case.best_by}", f"{each.to_best_known:.2f}"]
        )
    return table(head, rows)


def ratio(compared: Comparison) -> str:
    shown = f"{compared.ratio:.2f}"
    return f"**{shown}**" if compared.ratio > 1 else shown


def _own(standings: Sequence[Standing]) -> str:
    head = ("case", "language", "tokens", "runs", "INVALID", "cached", "last success at run")
    more = ("longest stretch", "after it", "certificate", "rests on", "seconds", "own time per run")
    rows = []
    for each in standings:
        report = each.ours.report or {}
        invalid, own = _invalid(each), None
        if report.get("runs"):
            own = 1000 * (report["seconds"] - report["test_seconds"]) / report["runs"]
        rows.append(
            (
                each.case.name,
                report.get("language"),
                each.ours.tokens_out,
                each.ours.oracle_runs,
                None if invalid is None else f"{invalid:.0%}",
                report.get("cached"),
                each.ours.points[-1][0] if each.ours.points else None,
                f"{each.stretch:.0%}",
                f"{each.idle:.0%}",
                report.get("minimality"),
                (report.get("certificate") or {}).get("candidates"),
                each.ours.seconds,
                None if own is None else f"{own:.1f} ms",
            )
        )
    return (
        table((*head, *more), rows)
        + "\n\nThe runs are all starts of the oracle, those of the preflight and the last"
        ' verification among them; "longest stretch" is the share of runs in a row without an'
        ' improvement while more than twice the result was left, "after it" is the share of runs'
        ' after the last success, and "rests on" how many texts the certificate does, most of them'
        " run then; own time is what is not spent in runs, on a machine with other load. A case"
        " without a certificate was ended by a cap."
    )


def _invalid(each: Standing) -> float | None:
    """Return the share of INVALID runs, if Boildown told it."""
    report = each.ours.report or {}
    runs = report.get("runs")
    return report["outcomes"]["INVALID"] / runs if runs else None


def _losses(standings: Sequence[Standing]) -> list[str]:
    """List the cases in which a peer is ahead, each with the causes that the figures show."""
    parts = []
    for each in standings:
        sentences = list(_behind(each))
        if not sentences:
            continue
        parts.append(f"**{each.case.name}.** {' '.join(sentences)}")
        if each.to_best_known > NEAR:
            found = "by hand" if each.case.best_by == "hand" else f"by {each.case.best_by}"
            parts += [
                f"Boildown's result, and the smallest input known ({found}):",
                block(each.ours.text.rstrip("\n")),
                block(each.case.best_text),
            ]
    return parts


def _behind(each: Standing) -> Iterator[str]:
    """Yield the checkpoints at which a peer is ahead on a case, then the causes in the figures."""
    lost = [runs for runs in CHECKPOINTS if each.compared(runs).ratio > 1]
    for runs in lost:
        compared = each.compared(runs)
        caught_up = each.caught_up(runs)
        late = "does not get there" if caught_up is None else f"is there after {caught_up}"
        yield (
            f"{_when(runs).capitalize()} {compared.peer} is ahead, {compared.peer_bytes} bytes to"
            f" {compared.bytes}; Boildown {late}."
        )
    if each.to_best_known > NEAR:
        yield f"The result is {each.to_best_known:.1f} times the smallest input known."
    elif not lost:
        return
    invalid = _invalid(each) or 0.0
    if invalid > MANY_INVALID:
        yield f"{invalid:.0%} of its runs are INVALID: the program rejects what was tried."
    if (each.ours.report or {}).get("language") == "plain":
        yield "There is no grammar for it: the text is read as brackets, lines and words."


def everything(standings: Sequence[Standing]) -> str:
    rows: list[Sequence[object]] = []
    for each in standings:
        tools = sorted((each.ours, *each.peers), key=_order)
        rows += [_result(tool, each) for tool in tools]
    head = ("case", "tool", "bytes", "tokens", "runs", "last success", "seconds", "note")
    return table(head, rows)


def _order(tool: Measured) -> tuple[float, str]:
    return (float("inf") if tool.bytes_out is None else tool.bytes_out, tool.tool)


def _result(tool: Measured, each: Standing) -> Sequence[object]:
    own = tool is each.ours
    return (
        each.case.name,
        f"**{tool.tool}**" if own else tool.tool,
        tool.bytes_out,
        tool.tokens_out,
        tool.oracle_runs,
        tool.points[-1][0] if tool.points else None,
        tool.seconds,
        "; ".join(filter(None, ("ended by the cap" if tool.capped else "", tool.note))),
    )
