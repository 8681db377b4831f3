"""The way of a text through the package, as `python -m benchmarks.trace` follows it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_a_text_passes_few_modules_from_the_command_line_to_the_candidate() -> None:
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.trace"], cwd=root, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "cli/main.py" in ran.stdout
    assert "runner/guardian/files.py: write" in ran.stdout
