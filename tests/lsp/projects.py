"""Projects for the tests of the server: folders with a program that fails and a configuration."""

from __future__ import annotations

import sys
from pathlib import Path

HUNGRY = """
import sys
sys.exit("x" in open(sys.argv[1]).read())
"""
"""A test command's program that fails where there is an x."""
PAIR = '[1, {"a": 2}]'
"""A failing input of `configure_pairs`."""
REDUCED = "[0,0]"
"""The smallest failing input of `configure_pairs`."""


def configure(folder: Path, program: str = HUNGRY, files: str = "*.txt", more: str = "") -> Path:
    """Give a folder a program and a configuration that runs it on some files.

    Programs tell tests by files in the folder what they do, so no run has a copy of it.
    """
    script = folder / "repro.py"
    script.write_text(program)
    (folder / "boildown.toml").write_text(
        f"[[input]]\nfiles = ['{files}']\nisolate = 'none'\n"
        f"command = ['{sys.executable}', '-I', '-S', 'repro.py', '{{file}}']\n{more}\n"
    )
    return script


def configure_pairs(folder: Path, files: str = "*.json") -> None:
    """Have every list of two or more elements fail."""
    (folder / "boildown.toml").write_text(
        f"[[input]]\nfiles = ['{files}']\ninteresting = true\nlanguage = 'json'\n"
        "command = ['grep', '-qE', '^\\[.+,.+\\]$', '{file}']\n"
    )
