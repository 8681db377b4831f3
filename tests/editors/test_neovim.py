"""Neovim, set up as the documentation says and used as by a user, with the plugin and without."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from editors.clients import ROOT, documented, program, project, run

pytestmark = [pytest.mark.e2e, pytest.mark.nightly]


@pytest.mark.parametrize(
    ("heading", "script"),
    [("Neovim", "neovim_plugin.lua"), ("Neovim without the plugin", "neovim.lua")],
)
def test_neovim(tmp_path: Path, heading: str, script: str) -> None:
    neovim = program("Neovim", "nvim")
    crash = project(tmp_path)
    shutil.copytree(ROOT / "boildown.nvim", tmp_path / "boildown.nvim")
    init = documented("lua", heading).replace("/path/to/boildown", str(tmp_path))
    (tmp_path / "init.lua").write_text(init)
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
        str(Path(__file__).with_name(script)),
    ]
    assert "PASSED" in run(argv, tmp_path)
