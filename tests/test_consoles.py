"""What is typed in the documents gives what they show, page by page, in an empty folder.

The files of a page are its code blocks with a caption, which is the name. In a block of `console`,
a line after `$ ` is typed in bash, those after `> ` go on with it, and the others are what is
printed, on either stream; `...` stands for any lines. What varies with the machine's load is not
compared: seconds, runs and candidates, and sentences on runs that had no time.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from editors.clients import program

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[1]
PAGES = [
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if "```console" in path.read_text("utf-8")
]
NEEDS = {
    "docs/tutorials/compiler-crash.md": (
        "GCC 12 for x86-64",
        "gcc-12",
        *["-m64", "-xc", "-E", "/dev/null"],
    ),
    "docs/how-to/creduce-script.md": ("GCC", "gcc"),
    "docs/how-to/signal.md": ("GCC", "gcc"),
}
"""The programs that some pages need, by name and executable."""
QUICK = {
    "docs/how-to/ci.md",
    "docs/how-to/own-client.md",
    "docs/how-to/signal.md",
    "docs/how-to/wrong-result.md",
    "README.md",
}
"""The pages that take a few seconds only."""
BLOCK = re.compile(
    r"^```\{code-block\} [\w.-]+\n:caption: (?P<name>\S+)\n\n(?P<content>.*?)^```$"
    r"|^```console\n(?P<console>.*?)^```$",
    re.M | re.S,
)
COMMAND = re.compile(r"^\$ (.+\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", re.M)
VOLATILE = (
    (r"; \d+ runs? (was|were) ended by the time-out and counts? as not failing", ""),
    (r"\d[\d,]* (run|candidate)s?\b", r"N \1s"),
    (r"\d+(\.\d+)? ?s\b", "N s"),
    (r"[ \t]+$", ""),
)
"""Patterns of what varies with the load, each with what stands for it."""


@pytest.mark.parametrize(
    "page",
    [pytest.param(each, marks=[pytest.mark.nightly] * (each not in QUICK)) for each in PAGES],
)
def test_what_is_typed_gives_what_is_shown(page: str, tmp_path: Path) -> None:
    if page in NEEDS:
        program(*NEEDS[page])
    shell = Shell(tmp_path)
    if page == "README.md":
        for each in ("orders.json", "receipts.py"):
            shutil.copy(str(files("boildown") / "demo" / each), shell.folder)
    for command, expected in commands(page, shell.folder):
        printed = shell.type(command)
        assert fits(printed, expected), f"$ {command}{printed}\ninstead of\n{expected}"


def commands(page: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the commands of a page, each with what it prints; write its files as they come."""
    text = (ROOT / page).read_text("utf-8")
    blocks = list(BLOCK.finditer(text))
    assert sum(block["console"] is not None for block in blocks) == text.count("```console")
    for block in blocks:
        if block["console"] is None:
            path = folder / block["name"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["content"], "utf-8")
        else:
            typed = COMMAND.findall(block["console"])
            assert "".join(f"$ {command}{output}" for command, output in typed) == block["console"]
            yield from ((command.replace("\n> ", "\n"), output) for command, output in typed)


class Shell:
    """A shell in a folder of its own, where `boildown`, `python` and `pytest` are those here."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "demo"
        self.folder.mkdir()
        self.where = self.folder
        self.status = 0
        scripts = str(Path(sys.executable).parent)
        self.variables = {
            # Where CI is set, pytest shows lines whole that a terminal cuts off.
            **{name: os.environ[name] for name in os.environ if name not in ("VIRTUAL_ENV", "CI")},
            "PATH": os.pathsep.join((scripts, os.environ["PATH"])),
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_STATE_HOME": str(home / "state"),
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "80",
        }

    def type(self, command: str) -> str:
        """Return what a command prints; the next one meets its folder and its exit status."""
        last = self.folder.parent / "last"
        done = subprocess.run(
            ["bash", "-c", f"(exit {self.status})\n{command}\necho $? $PWD > '{last}'"],
            cwd=self.where,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=500,
        )
        status, where = last.read_text().strip().split(" ", 1)
        self.status, self.where = int(status), Path(where)
        return done.stdout.replace(str(self.folder), "/home/you/demo")


def fits(printed: str, expected: str) -> bool:
    """Whether an output is that of a document, but for figures of the load and what `...` is."""
    lines = steady(expected).splitlines(keepends=True)
    pattern = "".join("(?:.*\n)*?" if line == "...\n" else re.escape(line) for line in lines)
    return re.fullmatch(pattern, steady(printed)) is not None


def steady(text: str) -> str:
    """Leave out of a text what varies with the load, and white space at ends."""
    for pattern, instead in VOLATILE:
        text = re.sub(pattern, instead, text, flags=re.M)
    return text.rstrip("\n") + "\n"


def test_only_the_figures_of_the_load_may_differ() -> None:
    shown = "a.json: 9 → 2 bytes, in 97 runs (87 candidates) and 3.2 s\n...\nWritten.\n"
    assert fits("a.json: 9 → 2 bytes, in 1,043 runs (1 candidate) and 12 s\nWritten.\n", shown)
    assert fits(shown.replace("...", "more\nlines"), shown)
    assert not fits(shown.replace("2 bytes", "3 bytes"), shown)
    assert not fits(shown + "more\n", shown)
