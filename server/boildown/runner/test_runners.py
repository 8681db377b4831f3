"""Test commands that run a test runner, which reads the failing input without being told."""

from __future__ import annotations

import re
from collections.abc import Sequence

_RUNNER = re.compile(
    r"(?:\S*/)?(?:node (?:\S+ )*--test|go test|cargo (?:\+\S+ )?test"
    r"|(?:npx |yarn |pnpm (?:exec )?)?(?:jest|vitest|mocha)|(?:npm|yarn|pnpm) (?:run )?test"
    r")(?![\w/.-])"
)


def runs_tests(argv: Sequence[str]) -> bool:
    """Say whether a command runs the tests of a project, in JavaScript, Go or Rust."""
    return _RUNNER.match(" ".join(argv)) is not None
