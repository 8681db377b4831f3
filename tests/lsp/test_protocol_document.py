"""The document of the protocol says what the server does."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from boildown.lsp import actions, patterns_shown, progress, results
from boildown.lsp.server import create
from boildown.lsp.settings import Settings
from boildown.targets import Kind

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
SERVER = Path(progress.__file__).parent


def section(title: str) -> str:
    return re.split(r"^## ", PAGE.partition(f"\n## {title}\n")[2], maxsplit=1, flags=re.M)[0]


def headings(text: str) -> set[str]:
    return set(re.findall(r"^### `([^`]+)`", text, re.M))


def cells(text: str, column: int = 0) -> list[str]:
    """Return the code in a column of the tables."""
    rows = [line.strip("| ").split("|") for line in text.splitlines() if line.startswith("|")]
    return [found[1] for row in rows if (found := re.search(r"`([^`]+)`", row[column]))]


def test_every_command_is_documented_and_no_other() -> None:
    assert headings(section("Commands")) == set(create().protocol.fm.commands)


def test_every_notification_is_documented_and_no_other() -> None:
    sent = set()
    for path in SERVER.glob("*.py"):
        sent |= set(re.findall(r'"(boildown/\w+)"', path.read_text("utf-8")))
    assert headings(section("Notifications")) == sent
    assert sent == {progress.LIVE, results.PREVIEW, patterns_shown.PATTERN}


@pytest.mark.parametrize(
    ("module", "function", "notification"),
    [
        ("progress", "_live", progress.LIVE),
        ("results", "_preview", results.PREVIEW),
        ("patterns_shown", "_pattern", patterns_shown.PATTERN),
    ],
)
def test_every_key_of_a_notification_is_documented(
    module: str, function: str, notification: str
) -> None:
    source = (SERVER / f"{module}.py").read_text("utf-8")
    body = source.partition(f"def {function}(")[2].partition("\n\n\n")[0]
    keys = re.findall(r'^        "(\w+)": ', body, re.M)
    page = section("Notifications").partition(f"\n### `{notification}`\n")[2].partition("\n### ")[0]
    assert cells(page) == keys


def test_every_kind_of_code_action_is_documented() -> None:
    assert cells(section("Code actions")) == list(actions.KINDS)


def test_every_setting_and_option_is_documented() -> None:
    own = {re.sub("_(.)", lambda m: m[1].upper(), each.name) for each in fields(Settings)}
    read = set()
    for path in SERVER.glob("*.py"):
        read |= set(re.findall(r'options\.get\("(\w+)"', path.read_text("utf-8")))
    assert set(cells(section("Initialization options and settings"))) == read
    assert own - {"problems"} <= read


def test_every_key_of_the_arguments_is_documented() -> None:
    source = (SERVER / "arguments.py").read_text("utf-8")
    tables = section("Commands").partition("| failing input |")
    assert set(cells(tables[0])) == set(re.findall(r'(?:values|\[0\])\.get\("(\w+)"', source))
    assert cells(tables[2]) == [kind.value for kind in Kind]
