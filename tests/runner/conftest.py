"""Every test of the runner has a cache and a directory for temporary files, empty at its end."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.commands import left_in_temp


@pytest.fixture(autouse=True)
def temp(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    directory = tmp_path_factory.mktemp("temp")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr(tempfile, "tempdir", str(directory))
    yield directory
    assert left_in_temp() == []
