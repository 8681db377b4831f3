"""Rules by which users judge runs: exit statuses and patterns in the output."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from boildown.runner.run import Run


class RuleError(ValueError):
    """A rule that cannot be understood; the message is for the user."""


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

    def matches(self, run: Run) -> bool:
        """Say whether a run satisfies the rule.

        Where a rule names statuses and patterns, a run must have one of the statuses and show all
        of the patterns. A timed-out run counts if the rule says so, and only then.
        """
        if run.timed_out:
            return self.timeout
        if self.exit and (run.status if run.signal is None else -run.signal) not in self.exit:
            return False
        if self.stdout is not None and not self.stdout.search(run.stdout):
            return False
        if self.stderr is not None and not self.stderr.search(run.stderr):
            return False
        return bool(self.exit or self.stdout or self.stderr)


def parse_rule(parts: str | Iterable[str]) -> Rule:
    """Read a rule as given on the command line: `exit=1`, `exit=1,3`, `stderr=REGEX`, `timeout`.

    Several parts make one rule. Raises RuleError.
    """
    table: dict[str, object] = {}
    for part in [parts] if isinstance(parts, str) else parts:
        name, equals, value = part.partition("=")
        name = name.strip()
        if name == "exit" and equals:
            try:
                table[name] = [int(number) for number in value.split(",")]
            except ValueError:
                raise RuleError(f"'{part}' needs whole numbers, as in exit=1,3.") from None
        elif name in ("stdout", "stderr") and equals:
            table[name] = value
        elif part.strip() == "timeout":
            table["timeout"] = True
        else:
            raise RuleError(
                f"'{part}' is no rule; say exit=N, stdout=REGEX, stderr=REGEX or timeout."
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
            except re.error as error:
                raise RuleError(f"'{value}' is no regular expression: {error}.") from None
        elif name == "timeout":
            if not isinstance(value, bool):
                raise RuleError("'timeout' must be true or false.")
            values[name] = value
        else:
            raise RuleError(f"'{name}' is unknown; a rule has exit, stdout, stderr and timeout.")
    return Rule(**values)
