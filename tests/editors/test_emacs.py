"""Emacs with eglot, set up as the documentation says and used as by a user."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.clients import documented, program, project, run

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

EGLOT = ("-q", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))")
"""Arguments with which Emacs fails where it has no eglot: it is a package of its own before 29."""


def test_emacs(tmp_path: Path) -> None:
    emacs = program("Emacs with eglot", "emacs", *EGLOT)
    project(tmp_path)
    (tmp_path / "init.el").write_text(documented("elisp", "Emacs"))
    script = Path(__file__).with_name("emacs.el")
    assert "PASSED" in run([emacs, "-q", "--batch", "-l", str(script)], tmp_path)
