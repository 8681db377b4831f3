"""The document of the protocol says what the server does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import get_type_hints

import pytest

from boildown.lsp import actions
from boildown.lsp.commands.table import COMMANDS
from boildown.lsp.handlers import create
from boildown.lsp.notifications import NOTIFICATIONS, Notification
from boildown.lsp.readers import readers
from boildown.lsp.settings import ClientOptions, Settings
from boildown.targets import InputKind

pytestmark = pytest.mark.contract

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")


def section(title: str, level: int = 2) -> str:
    _, _, rest = PAGE.partition(f"\n{'#' * level} {title}\n")
    return re.split(rf"^#{{2,{level}}} ", rest, maxsplit=1, flags=re.M)[0]


def headings(text: str) -> list[str]:
    return re.findall(r"^### `([^`]+)`", text, re.M)


def rows(text: str) -> Iterable[list[str]]:
    """Yield the cells of the tables' rows whose first cell has code."""
    for line in text.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def cells(text: str) -> list[str]:
    """Return the code in the first column of the tables."""
    return [row[0].split("`")[1] for row in rows(text)]


def test_every_command_is_documented_and_no_other() -> None:
    assert headings(section("Commands")) == [command.name for command in COMMANDS]


def test_the_server_has_the_commands_of_the_table() -> None:
    server = create()
    assert list(server.protocol.fm.commands) == [command.name for command in COMMANDS]
    told = server.protocol.experimental["boildown"]["commands"]
    assert told == [command.described for command in COMMANDS]
    assert cells(section("The answer to `initialize`", 3)) == list(COMMANDS[0].described)


def test_every_notification_is_documented_and_no_other() -> None:
    assert headings(section("Notifications")) == [each.method for each in NOTIFICATIONS]


@pytest.mark.parametrize("notification", NOTIFICATIONS, ids=lambda each: str(each.method))
def test_every_key_of_a_notification_is_documented(notification: Notification[object]) -> None:
    page = section(f"`{notification.method}`", 3)
    assert cells(page) == list(get_type_hints(notification.params))


def test_every_kind_of_code_action_is_documented() -> None:
    assert cells(section("Code actions")) == list(actions.KINDS)


def test_every_setting_and_option_is_documented() -> None:
    table = list(rows(section("Initialization options and settings")))
    names = [row[0].strip("`") for row in table]
    assert names == [*readers(ClientOptions), *readers(Settings)]
    assert [name for name, row in zip(names, table, strict=True) if row[3] == "yes"] == [
        *readers(Settings)
    ]


def test_every_key_of_the_arguments_is_documented() -> None:
    tables = section("Commands").partition("| failing input |")
    understood = {key for command in COMMANDS for key in readers(command.argument)}
    assert set(cells(tables[0])) == understood
    assert cells(tables[2].partition("### ")[0]) == [kind.value for kind in InputKind]
