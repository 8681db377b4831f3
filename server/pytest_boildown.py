"""Plugin of pytest that reduces the inputs of failing tests, if `--boildown` asks for it.

It stands outside the package, so that a pytest that is not asked imports nothing of Boildown.
"""

from __future__ import annotations

import os
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

HINT, REDUCE, ALL = "hint", "reduce", "all"
SECONDS = 60.0
"""The seconds that a reduction may take, where the user does not say how many."""
UNDER_BOILDOWN = "BOILDOWN_RUN"
"""The environment variable that each run of Boildown has."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of Boildown."""
    group = parser.getgroup("boildown", "test-case reduction")
    group.addoption(
        "--boildown",
        nargs="?",
        const=REDUCE,
        metavar="hint|reduce|all",
        help="reduce the input of the first failing test (reduce, the default), or of one test for"
        " each failure (all), or say which command does (hint)",
    )
    group.addoption(
        "--boildown-seconds",
        type=float,
        default=SECONDS,
        metavar="S",
        help="seconds that it may take from the first candidate on (default: %(default)g)",
    )
    group.addoption(
        "--boildown-report",
        type=Path,
        metavar="FILE.md",
        help="a file for a bug report with the reduced input; with all, FILE-2.md is the second",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, args: list[str], parser: pytest.Parser
) -> None:
    """Keep `--boildown` from taking a test behind it for its value."""
    following = [*args[1:], ""]
    for at, (word, after) in enumerate(zip(list(args), following, strict=True)):
        if word == "--boildown" and after not in (HINT, REDUCE, ALL):
            args[at] = f"--boildown={REDUCE}"
    known = early_config.known_args_namespace
    known.file_or_dir = parser.parse_known_args(args).file_or_dir


def pytest_configure(config: pytest.Config) -> None:
    """Watch for a failure where that was asked for.

    The workers of pytest-xdist report to their controller, and tests that Boildown runs are left
    alone: it would reduce within a reduction.
    """
    if config.option.boildown not in (None, HINT, REDUCE, ALL):
        told = f"--boildown is {HINT}, {REDUCE} or {ALL}, not {config.option.boildown!r}"
        raise pytest.UsageError(told)
    is_worker = hasattr(config, "workerinput")
    if config.option.boildown and not is_worker and UNDER_BOILDOWN not in os.environ:
        config.pluginmanager.register(Failures(config), "boildown-failures")


class Failures:
    """Takes note of tests that fail, and reduces their inputs when the session ends."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.reports: dict[object, pytest.TestReport] = {}
        """The first failing test, or the quickest one for each failure."""
        self.lines: list[str] = []
        self.written = 0
        """Reports of bugs."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take note of a failure; of one that is known, only of a quicker test."""
        if not report.failed or report.when == "teardown":
            return
        crash = getattr(report.longrepr, "reprcrash", None)
        place: object = report.nodeid if crash is None else (crash.path, crash.lineno)
        if self.reports and self.config.option.boildown != ALL:
            return
        known = self.reports.get(place)
        if known is None or report.duration < known.duration:
            self.reports[place] = report

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Add to each failure what its input boils down to, the quickest test first."""
        end = None
        for report in sorted(self.reports.values(), key=lambda each: each.duration):
            seconds = self.config.option.boildown_seconds
            left = seconds if end is None else end - time.monotonic()
            if left <= 0:
                self.lines.append(f"no time was left for {report.nodeid}")
                continue
            began = time.monotonic()
            status = self._reduce(report, left)
            end = end or began + seconds
            if status:
                session.exitstatus = status
                break

    def _reduce(self, failed: pytest.TestReport, seconds: float) -> int:
        """Reduce the input of a test; return the exit status that a signal asks for, or else 0."""
        name, _, test = failed.nodeid.partition("::")
        options, folder = self.config.option, self.config.invocation_params.dir
        node = f"{os.path.relpath(self.config.rootpath / name, folder)}::{test}"
        from boildown.jobs.inert import terminal as inert

        if options.boildown == HINT:
            self.lines = [inert(f"the input is reduced by: boildown reduce {shlex.quote(node)}")]
            return 0
        terminal: TerminalReporter | None = self.config.pluginmanager.getplugin("terminalreporter")
        if terminal is not None:
            terminal.write_line("")
            told = f"boildown: reducing the input of {node} (at most {seconds:.3g} s)"
            terminal.write_line(inert(told))
        from boildown.cli.pytest_session import reduced

        report: Path | None = options.boildown_report
        if report is not None and self.written:
            report = report.with_stem(f"{report.stem}-{self.written + 1}")
        lines, status = reduced(node, folder, seconds, report)
        self.written += inert(f"Report written to {report}.") in lines
        if options.tbstyle not in ("no", "line") and options.showcapture == "all":
            failed.sections.append(("Boildown", "\n".join(lines)))
        else:
            self.lines += lines
        return status

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print what stands in no failure's section."""
        for line in self.lines:
            terminalreporter.write_line(f"boildown: {line}")
