"""Plugin of pytest that reduces the input of the first failing test, if `--boildown` asks for it.

It stands outside the package, so that a pytest that is not asked imports nothing of Boildown.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

HINT, REDUCE = "hint", "reduce"
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
        metavar="hint|reduce",
        help="reduce the input of the first failing test (reduce, the default), or say which"
        " command does (hint)",
    )
    group.addoption(
        "--boildown-seconds",
        type=float,
        default=SECONDS,
        metavar="S",
        help="seconds that it may take (default: %(default)g)",
    )
    group.addoption(
        "--boildown-report",
        type=Path,
        metavar="FILE.md",
        help="a file for a bug report with the reduced input",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, args: list[str], parser: pytest.Parser
) -> None:
    """Keep `--boildown` from taking a test behind it for its value."""
    following = [*args[1:], ""]
    for at, (word, after) in enumerate(zip(list(args), following, strict=True)):
        if word == "--boildown" and after not in (HINT, REDUCE):
            args[at] = f"--boildown={REDUCE}"
    known = early_config.known_args_namespace
    known.file_or_dir = parser.parse_known_args(args).file_or_dir


def pytest_configure(config: pytest.Config) -> None:
    """Watch for a failure where that was asked for.

    The workers of pytest-xdist report to their controller, and tests that Boildown runs are left
    alone: it would reduce within a reduction.
    """
    if config.option.boildown not in (None, HINT, REDUCE):
        raise pytest.UsageError(f"--boildown is {HINT} or {REDUCE}, not {config.option.boildown!r}")
    is_worker = hasattr(config, "workerinput")
    if config.option.boildown and not is_worker and UNDER_BOILDOWN not in os.environ:
        config.pluginmanager.register(FirstFailure(config), "boildown-first-failure")


class FirstFailure:
    """Takes note of the first test that fails, and reduces its input when the session ends."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.report: pytest.TestReport | None = None
        self.lines: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take note of a failure."""
        if self.report is None and report.failed and report.when != "teardown":
            self.report = report

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Add to the first failure what its input boils down to."""
        if self.report is None:
            return
        name, _, test = self.report.nodeid.partition("::")
        file = os.path.relpath(self.config.rootpath / name, self.config.invocation_params.dir)
        node = f"{file}::{test}"
        from boildown.jobs.inert import terminal as inert

        if self.config.option.boildown == HINT:
            self.lines = [inert(f"the input is reduced by: boildown reduce {shlex.quote(node)}")]
            return
        terminal: TerminalReporter | None = self.config.pluginmanager.getplugin("terminalreporter")
        if terminal is not None:
            seconds = self.config.option.boildown_seconds
            terminal.write_line("")
            told = f"boildown: reducing the input of {node} (at most {seconds:g} s)"
            terminal.write_line(inert(told))
        from boildown.cli.pytest_session import reduced

        options = self.config.option
        folder = self.config.invocation_params.dir
        seconds, report = options.boildown_seconds, options.boildown_report
        lines, status = reduced(node, folder, seconds, report)
        session.exitstatus = status or session.exitstatus
        if options.tbstyle not in ("no", "line") and options.showcapture == "all":
            self.report.sections.append(("Boildown", "\n".join(lines)))
        else:
            self.lines = lines

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print what stands in no failure's section."""
        for line in self.lines:
            terminalreporter.write_line(f"boildown: {line}")
