"""Emacs with eglot, set up as the documentation says and used as by a user."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from editors.clients import ROOT, documented, program, project, run

pytestmark = [pytest.mark.e2e, pytest.mark.nightly]

EGLOT = ("-q", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))")
"""Arguments with which Emacs fails where it has no eglot: it is a package of its own before 29."""
PACKAGE = ROOT / "emacs" / "boildown.el"


@pytest.mark.parametrize(
    ("heading", "script"),
    [("Emacs", "emacs_package.el"), ("Emacs without the package", "emacs.el")],
)
def test_emacs(tmp_path: Path, heading: str, script: str) -> None:
    emacs = program("Emacs with eglot", "emacs", *EGLOT)
    project(tmp_path)
    (tmp_path / "emacs").mkdir()
    shutil.copy(PACKAGE, tmp_path / "emacs")
    init = documented("elisp", heading).replace("/path/to/boildown", str(tmp_path))
    (tmp_path / "init.el").write_text(init)
    own = Path(__file__).with_name(script)
    assert "PASSED" in run([emacs, "-q", "--batch", "-l", str(own)], tmp_path)


CHECK = """(progn
  (package-initialize)
  (setq byte-compile-error-on-warn t)
  (require 'checkdoc)
  (unless (byte-compile-file "boildown.el") (kill-emacs 1))
  (checkdoc-file "boildown.el")
  (package-generate-autoloads "boildown" default-directory)
  (load (expand-file-name "boildown-autoloads.el") nil t)
  (princ (mapcar #'commandp '(boildown boildown-reduce boildown-reduce-test)))
  (princ (with-temp-buffer
           (insert-file-contents "boildown.el")
           (package-desc-reqs (package-buffer-info)))))
"""


def test_the_package_compiles_without_a_warning_and_has_its_headers(tmp_path: Path) -> None:
    emacs = program("Emacs with eglot", "emacs", *EGLOT)
    shutil.copy(PACKAGE, tmp_path)
    said = run([emacs, "-q", "--batch", "--eval", CHECK], tmp_path)
    assert "boildown.el:" not in said
    assert "(t t t)((emacs (28 1)) (eglot (1 9)))" in said
