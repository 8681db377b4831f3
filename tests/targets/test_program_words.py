"""Words of programs: read from sources in any language, of the files that a command names."""

from __future__ import annotations

from pathlib import Path

import pytest

from boildown.runner.command import from_predicate
from boildown.targets import program_words as module
from boildown.targets.program_words import ProgramWords, program_words, words_in
from boildown.targets.test_command import TestCommand, from_argv

PYTHON = r'''
"""A docstring of 'words', which is long."""
def check(order):  # don't take "this"
    if order["price"] < -90 or len(order) - 12 > 1_000.5 or order == "" or "==" in order:
        raise ValueError("a message that is no name of anything")
    return r"\d" + 'EUR' + "price" + f"{order}" + `x2`
'''
JAVASCRIPT = """
// it's "none"
const a = `tmpl`, b = 'single'; /* "none" */
if (order["currency"] !== "EUR" && n >= 0x10 && m[3] == 10) get("http://x");
"""
RUST = """
#[derive(Debug)]
fn f(text: &str) -> bool { text.contains("id") && text.len() == 42 && v1 != 2.50 } // 'no'
"""
LUA = """
-- don't take "this"
local t = { ["key"] = 'v' } return #t == 7
"""
C = """
#include "main.h"
int f(char *s) { return !strcmp(s, "main") && n-- > 5 && s[0] != '\\n'; }
"""


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (PYTHON, ["price", "-90", "12", "1000.5", "EUR", "price", "{order}", "x2"]),
        (JAVASCRIPT, ["tmpl", "single", "currency", "EUR", "3", "10", "http://x"]),
        (RUST, ["id", "42", "2.50"]),
        (LUA, ["key", "v", "7"]),
        (C, ["main.h", "main", "5", "0"]),
        ("'an open quote\n'x'", ["x"]),
        ("'" + "y" * 25 + "' + '" + "z" * 24 + "'", ["z" * 24]),
        ("", []),
    ],
    ids=["python", "javascript", "rust", "lua", "c", "open", "long", "empty"],
)
def test_strings_and_numbers_of_sources(code: str, words: list[str]) -> None:
    assert list(words_in(code)) == words


def command(folder: Path, *argv: str) -> TestCommand:
    return from_argv(argv, Path("crash.json"), folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with sources, each of which has its own name as a word."""
    for path in (
        *("crash.json", "check.py", "tests/test_it.py", "other.rb", "node_modules/x/x.js"),
        *("tool/__init__.py", "tool/__main__.py", "tool/read.py", "src/deep/er.py"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"'{path}' 'same'")
    (tmp_path / "binary").write_bytes(b"\0 'binary'")
    (tmp_path / "latin.py").write_bytes(b"'caf\xe9' 'latin'")
    return tmp_path


@pytest.mark.parametrize(
    ("argv", "files"),
    [
        (["python3", "check.py", "crash.json"], ["check.py"]),
        (["./check.py", "other.rb", "--in=crash.json", "./check.py"], ["check.py", "other.rb"]),
        (["pytest", "tests/test_it.py::test[a]"], ["tests/test_it.py"]),
        (["node", "node_modules/x/x.js", "binary", "none.py", "tests", "crash.json"], []),
        (
            ["python3", "-m", "tool", "crash.json"],
            ["tool/__main__.py", "tool/__init__.py", "tool/read.py"],
        ),
        (["python3", "-m", "deep.er", "{file}"], ["src/deep/er.py"]),
        (["check.py", "{dir}/other.rb", "-m"], []),
    ],
)
def test_the_sources_that_a_command_names(folder: Path, argv: list[str], files: list[str]) -> None:
    found = program_words(command(folder, *argv))
    assert list(found.files) == files
    assert list(found.words) == ([files[0], "same", *files[1:]] if files else [])


def test_the_module_of_a_predicate_is_read(folder: Path) -> None:
    predicate = from_predicate("check:fails", Path("crash.json"), folder, ["python3"])
    assert program_words(predicate) == ProgramWords(("check.py", "same"), ("check.py",))


def test_words_that_are_no_utf_8_are_left_out(folder: Path) -> None:
    assert program_words(command(folder, "sh", "latin.py")).words == ("latin",)


def test_limits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "check.py").write_text(" ".join(map(str, range(300))))
    assert program_words(command(folder, "sh", "check.py")).words == tuple(map(str, range(200)))
    monkeypatch.setattr(module, "LARGEST_FILE", 100)
    assert program_words(command(folder, "sh", "check.py")) == ProgramWords()
    monkeypatch.setattr(module, "MOST_FILES", 2)
    found = program_words(command(folder, "python3", "-m", "tool"))
    assert found.files == ("tool/__main__.py", "tool/__init__.py")


def test_the_note_says_how_many_were_taken_from_where(folder: Path) -> None:
    assert program_words(command(folder, "sh", "check.py", "other.rb")).note == (
        "Words of the program: 3 were taken from check.py, other.rb."
    )
    assert program_words(command(folder, "mytool")).note == (
        "No words of the program were taken: the test command names no source. Name a file or a"
        " module of yours in it."
    )
