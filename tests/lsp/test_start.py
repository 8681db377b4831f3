"""The server starts fast: an editor waits for it."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("boildown.grammar", "boildown.languages", "lark", "parso", "sqlite3")
"""Modules that take long to import, and that a server that does nothing yet can do without."""


def test_no_command_imports_the_engine_before_it_is_used() -> None:
    code = (
        "import sys; from boildown.lsp.handlers import create; create();"
        f"print(sorted({set(HEAVY)} & set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
