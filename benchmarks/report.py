"""Writes RESULTS.md and its plots from the figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.bug_report import bug_panels, bug_report
from benchmarks.bugs import HERE, cases
from benchmarks.engine_report import generated_report, growth_panels, growth_report
from benchmarks.markdown import paragraphs
from benchmarks.measured import Figures
from benchmarks.plot import figure
from benchmarks.recorded import recorded
from benchmarks.standings import Standing

HEAD = """\
# The shoot-out

Written by `make shootout`, from what it measured and from the recorded runs of the peers; not
edited by hand. Wrong figures are a bug: `benchmarks/README.md` says how to measure them again."""


def write_report(figures: Figures, folder: Path = HERE) -> list[Path]:
    """Write the report and the plots into a folder; return their paths."""
    plots = folder / "plots"
    plots.mkdir(exist_ok=True)
    ranked = standings(figures)
    remarks = (HERE / "remarks.md").read_text("utf-8").strip()
    text = paragraphs(
        [
            HEAD,
            bug_report(ranked, remarks) if ranked else "",
            generated_report(figures.generated),
            growth_report(figures.growth),
        ]
    )
    written = {folder / "RESULTS.md": text + "\n"}
    if ranked:
        written[plots / "bugs.svg"] = figure(bug_panels(ranked))
    if figures.growth:
        written[plots / "growth.svg"] = figure(growth_panels(figures.growth))
    for path, content in written.items():
        path.write_text(content, "utf-8")
    return list(written)


def standings(figures: Figures) -> list[Standing]:
    """Pair Boildown's figures on each case with those of the peers.

    A peer that was run afresh stands beside its recorded self.
    """
    found = []
    for case in cases():
        measured = {row.tool: row for row in figures.bugs if row.case == case.name}
        ours = measured.pop("boildown", None)
        if ours is not None:
            fresh = [replace(row, tool=f"{name} (now)") for name, row in sorted(measured.items())]
            found.append(Standing(case, ours, (*recorded(case.name), *fresh)))
    return found
