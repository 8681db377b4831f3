"""Rules by which users judge runs: exit statuses and patterns in the output."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from boildown.runner.run import Run

MEGABYTE = 1_000_000
_MEASURE = re.compile(r"\s*(seconds|memory)\s*(>|$)")
"""The beginning of a rule on what a run uses; a shell takes the rest away if it is not quoted."""


class RuleError(ValueError):
    """A rule that cannot be understood; the message is for the user.

    >>> try:
    ...     check("orders.json", "false", reproduces="exit")
    ... except RuleError as error:
    ...     print(error)
    'reproduces' is wrong: 'exit' is no rule; say exit=N, stdout=REGEX, stderr=REGEX, seconds>N, ...
    """


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by which a run counts as reproduced, or as invalid."""

    exit: frozenset[int] = frozenset()
    """Exit statuses; a signal counts as minus its number."""
    stdout: re.Pattern[str] | None = None
    """Found anywhere in standard output."""
    stderr: re.Pattern[str] | None = None
    """Found anywhere in standard error."""
    timeout: bool = False
    """Whether a run that does not end in time counts."""
    seconds: float | None = None
    """The processor time of all processes together must be longer."""
    memory: float | None = None
    """Megabytes: the processes must hold more at their peak."""

    @property
    def measures(self) -> bool:
        """Whether it compares time or memory of a run, which vary from run to run."""
        return self.seconds is not None or self.memory is not None

    def matches(self, run: Run, margin: float = 0.0) -> bool:
        """Say whether a run satisfies the rule, and has used more than its limits by a share.

        Where a rule names statuses and patterns, a run must have one of the statuses and show all
        of the patterns. A timed-out run counts if the rule says so, or if it asks for nothing but
        limits and the run was beyond them when it was ended.
        """
        asks_end = bool(self.exit or self.stdout or self.stderr)
        if run.timed_out and (self.timeout or asks_end):
            return self.timeout
        if self.exit and (run.status if run.signal is None else -run.signal) not in self.exit:
            return False
        if self.stdout is not None and not self.stdout.search(run.stdout):
            return False
        if self.stderr is not None and not self.stderr.search(run.stderr):
            return False
        for limit, used in ((self.seconds, run.cpu), (self.memory, run.memory / MEGABYTE)):
            if limit is not None and used <= limit * (1 + margin):
                return False
        return asks_end or self.measures

    def used(self, run: Run) -> str:
        """Return the time or memory of a run that the rule limits, after a comma, or nothing."""
        time = f", {run.cpu:.2f} s of processor time" if self.seconds is not None else ""
        memory = f", {run.memory / MEGABYTE:,.0f} MB" if self.memory is not None else ""
        return time + memory


def parse_rule(parts: str | Iterable[str]) -> Rule:
    """Read a rule as given on the command line: `exit=1,3`, `stderr=REGEX`, `timeout`, `seconds>2`.

    Several parts make one rule. Raises RuleError.
    """
    table: dict[str, object] = {}
    for part in [parts] if isinstance(parts, str) else parts:
        name, sign, value = part.partition(">" if _MEASURE.match(part) else "=")
        name, equals = name.strip(), sign == "="
        if name == "exit" and equals:
            try:
                table[name] = [int(number) for number in value.split(",")]
            except ValueError:
                raise RuleError(f"'{part}' needs whole numbers, as in exit=1,3.") from None
        elif name in ("stdout", "stderr") and equals:
            table[name] = value
        elif part.strip() == "timeout":
            table["timeout"] = True
        elif _MEASURE.match(part):
            try:
                table[name] = float(value)
            except ValueError:
                raise RuleError(
                    f"'{part}' needs a number, in quotes for the shell: '{name}>2'."
                ) from None
        else:
            raise RuleError(
                f"'{part}' is no rule; say exit=N, stdout=REGEX, stderr=REGEX, seconds>N, memory>N "
                "or timeout."
            )
    return rule_from_table(table)


def rule_from_table(table: Mapping[str, object]) -> Rule:
    """Read a rule as given in a configuration: `{ exit = [2], stderr = "REGEX" }`.

    Raises RuleError.
    """
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name == "exit":
            numbers = value if isinstance(value, list) else [value]
            if not all(isinstance(n, int) and not isinstance(n, bool) for n in numbers):
                raise RuleError("'exit' must be a whole number or a list of them.")
            values[name] = frozenset(numbers)
        elif name in ("stdout", "stderr"):
            if not isinstance(value, str):
                raise RuleError(f"'{name}' must be a regular expression in quotes.")
            try:
                values[name] = re.compile(value, re.MULTILINE)
            except (re.error, OverflowError, RecursionError) as error:
                raise RuleError(f"'{value}' is no regular expression: {error}.") from None
        elif name == "timeout":
            if not isinstance(value, bool):
                raise RuleError("'timeout' must be true or false.")
            values[name] = value
        elif name in ("seconds", "memory"):
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if not is_number or not 0 < value < float("inf"):  # type: ignore[operator]
                raise RuleError(f"'{name}' must be a number greater than 0.")
            values[name] = value
        else:
            known = ", ".join(each.name for each in fields(Rule))
            raise RuleError(f"'{name}' is unknown; a rule has {known}.")
    return Rule(**values)
