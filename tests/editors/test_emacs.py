"""Emacs with eglot, set up as the documentation says and used as by a user."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.clients import documented, program, project, run


@pytest.mark.e2e
def test_emacs(tmp_path: Path) -> None:
    emacs = program("emacs")
    project(tmp_path)
    (tmp_path / "init.el").write_text(documented("elisp"))
    script = Path(__file__).with_name("emacs.el")
    assert "PASSED" in run([emacs, "-q", "--batch", "-l", str(script)], tmp_path)
