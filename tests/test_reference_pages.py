"""The pages that are made of the code at each build of the documentation hold all that there is."""

from __future__ import annotations

import re
from pathlib import Path
from signal import SIGHUP, SIGINT, SIGTERM

import pytest
from docs._ext.reference import PARTS, made, prose

from boildown.cli.main import COMMANDS, EXIT_STATUSES
from boildown.config.schema import SCHEMA
from cli.test_usage import KNOWN

DOCS = Path(__file__).parents[1] / "docs"


def page(name: str) -> str:
    """Return the text of a page as the build makes it."""
    return made(name, (DOCS / f"{name}.md").read_text("utf-8"))


@pytest.mark.parametrize("name", ["library", "command-line", "json"])
def test_nothing_is_left_to_be_made(name: str) -> None:
    assert not [pattern for pattern in PARTS if re.search(pattern, page(f"reference/{name}"), re.M)]
    assert "<!--" not in page(f"reference/{name}")


def test_every_command_and_option_is_there() -> None:
    text = page("reference/command-line")
    commands = re.findall(r"^## boildown ([\w -]+)$", text, re.M)
    assert commands == list(COMMANDS)
    options = {
        option
        for line in re.findall(r"^`+\{option\} (.*)$", text, re.M)
        for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", line)
    }
    unlisted = set(re.findall(r"^\| `(--[a-z-]+)", text, re.M))
    negated = {"--no-allow-empty", "--no-keep-valid"}
    named = {"--allow-empty", "--keep-valid", "--ship", "--literal", "--force", "--why"}
    assert unlisted == named | negated
    hidden = {"--json=lines", *unlisted}
    assert options == KNOWN - hidden - {"--stdio", "--tcp", "--ws"}


def test_every_key_is_there_with_what_it_takes() -> None:
    text = page("configuration")
    assert sorted(re.findall(r"^`+\{confval\} (\w+)$", text, re.M)) == sorted(SCHEMA)
    level = '```{confval} level\n:type: "one of: exit, error, location, message"\n\nhow much'
    assert level in text
    seconds = "a number of seconds greater than 0, at most 1,000,000"
    assert f'```{{confval}} timeout\n:type: "{seconds}"\n\nSeconds a run may take' in text


def test_the_exit_statuses_are_there() -> None:
    assert {128 + number for number in (SIGHUP, SIGINT, SIGTERM)} <= set(EXIT_STATUSES)
    assert (
        "| 3 | a result could not be written, or a defect of Boildown has cost a part of it |"
        in page("reference/command-line")
    )


def test_a_docstring_becomes_markdown() -> None:
    docstring = (
        "Do it.\n\nRaises:\n    ValueError, TypeError: no\n        number.\n"
        "    OSError: no file.\n\n>>> do()\n1\n"
    )
    assert prose(docstring) == (
        "Do it.\n\nRaises:\n\n- `ValueError`, `TypeError`: no number.\n- `OSError`: no file.\n\n"
        "```pycon\n>>> do()\n1\n```"
    )
