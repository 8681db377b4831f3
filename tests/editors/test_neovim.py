"""Neovim, set up as the documentation says and used as by a user."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.clients import documented, program, project, run

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_neovim(tmp_path: Path) -> None:
    neovim = program("Neovim", "nvim")
    crash = project(tmp_path)
    (tmp_path / "init.lua").write_text(documented("lua"))
    script = Path(__file__).with_name("neovim.lua")
    argv = [
        neovim,
        "--headless",
        "-i",
        "NONE",
        "-n",
        "-u",
        "init.lua",
        str(crash),
        "-S",
        str(script),
    ]
    assert "PASSED" in run(argv, tmp_path)
