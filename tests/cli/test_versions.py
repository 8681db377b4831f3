"""What `boildown --version` says is installed."""

from __future__ import annotations

import platform
import sys
from importlib import metadata

import pytest

from boildown.cli.main import main

GIVEN = {"distributed": "2025.1"}


class OwnMetadata:
    """The metadata of a Boildown with two extras."""

    version = "1.2.3"
    requires = (
        "lark<2,>=1.2.1",
        "distributed<2027,>=2024.5; extra == 'cluster'",
        'shtab; python_version < "3.15" and extra == "completion"',
        "tree-sitter",
        "pytest; extra == 'dev'",
    )

    def __init__(self) -> None:
        self.metadata = self

    def get_all(self, key: str, _default: list[str]) -> list[str]:
        return {"Provides-Extra": ["cluster", "completion", "dev"]}[key]


def version(name: str) -> str:
    if name not in GIVEN:
        raise metadata.PackageNotFoundError(name)
    return GIVEN[name]


def test_the_version_and_each_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda _name: OwnMetadata())
    monkeypatch.setattr(metadata, "version", version)
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert not ended.value.code
    assert capsys.readouterr().out.splitlines() == [
        "boildown 1.2.3",
        f"Python {platform.python_version()}, {sys.executable}",
        platform.platform(),
        "cluster: distributed 2025.1",
        "completion: missing: shtab (python -m pip install 'boildown[completion]')",
    ]


def test_the_installed_one_agrees_with_its_metadata(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"boildown {metadata.version('boildown')}"
    assert [line.partition(":")[0] for line in lines[3:]] == ["cluster", "completion"]
