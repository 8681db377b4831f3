"""The first candidate of `boildown reduce` does not wait for modules that others need."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    *("asyncio", "distributed", "email", "importlib.metadata", "lsprotocol", "parso", "pygls"),
    *("tree_sitter", "boildown.engine.generalizing.generalize", "boildown.jobs.report"),
)


def test_a_reduction_starts_without_what_it_may_not_need() -> None:
    code = f"import sys, boildown.cli.reduce; print(sorted({set(HEAVY)} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
