"""Nothing that others wrote steers a terminal: not names of files, keys, patterns, nor outputs.

What is invisible is escaped there; into a file or a pipe a result goes byte for byte.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

from boildown import Pattern, parse_law
from boildown.cli.main import main
from boildown.engine.patterns.conditions import Except, Without
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.sketch import sketch
from boildown.engine.patterns.template import template_of
from boildown.languages import load_language

PAYLOAD = "\x1b]0;owned\x07\x9b31m\u202e\u2066\u200b\u00a0\ufeff\u3164\x08\r"
"""A title for the terminal, a colour by a C1 control, overrides, and what cannot be seen."""
ESCAPED = r"\x1b]0;owned\x07\u009b31m\u202e\u2066\u200b\u00a0\ufeff\u3164\x08"
RAW = re.compile(
    "[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\xa0\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u3164]"
)
"""Characters that are never raw on a terminal; the one left out begins Boildown's own sequences."""


class Terminal(io.TextIOWrapper):
    """What is written to a terminal."""

    def __init__(self, is_terminal: bool = True) -> None:
        self.data, self._is_terminal = io.BytesIO(), is_terminal
        super().__init__(self.data, "utf-8", "backslashreplace", newline="", write_through=True)

    def isatty(self) -> bool:
        return self._is_terminal


def shown(*arguments: str) -> str:
    """Run a command on a terminal; return what it shows, which must be inert."""
    out, err = Terminal(), Terminal()
    environment = {"TERM": "dumb", "COLUMNS": "500"}
    streams = mock.patch.multiple(sys, stdout=out, stderr=err)
    with streams, mock.patch.dict(os.environ, environment), contextlib.suppress(SystemExit):
        main(arguments)
    text = (out.data.getvalue() + err.data.getvalue()).decode("utf-8")
    inert(text)
    return text


def inert(text: str) -> None:
    found = RAW.search(text.replace("\r\n", "\n")) or re.search(r"\x1b(?!\[[0-9;?]*[A-Za-z])", text)
    assert found is None, (found, text)
    assert "\x1b[31m" not in text


PROGRAM = """
import sys
if "\\u202e" in open(sys.argv[1], encoding="utf-8").read():
    sys.stderr.buffer.write(b"KeyError: " + %r + b"\\n")
    sys.exit(3)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.py").write_text(PROGRAM % PAYLOAD.encode())
    return tmp_path


def hostile_pattern(text: str) -> dict[str, object]:
    """Return a pattern file for a text of JSON, in which all that may be said is hostile."""
    language = load_language("json")
    made = Pattern(template_of(text, language), notes=(PAYLOAD,))
    told = (Without(PAYLOAD), Except((PAYLOAD, "x")))
    hole = Hole("value", "value", (0,), 0, len(text), told, counterexample=PAYLOAD)
    law = parse_law(f"//{json.dumps(PAYLOAD)} contains {json.dumps(PAYLOAD)}", "json")
    stored = replace(made.with_holes([hole]), law=law).to_json()
    return {**stored, "failure": PAYLOAD, "file": f"{PAYLOAD}.json"}


def test_pattern_files_and_laws(folder: Path) -> None:
    name = f"p{PAYLOAD}.json"
    stored = hostile_pattern(json.dumps({PAYLOAD: PAYLOAD}, ensure_ascii=False))
    Path(name).write_text(json.dumps(stored))
    Path("input.json").write_text('{"a": 1}')
    for form in ("text", "pytest", "hypothesis", "lark", "pattern"):
        shown("pattern", "sample", name, "--as", form, "-n", "1")
    assert ESCAPED in shown("pattern", "match", name, "input.json")
    assert ESCAPED in shown("pattern", "match", "//a", name)
    assert r"\x1b]0;owned" in shown("pattern", "match", f'//a = "{PAYLOAD}', "input.json")
    for key, value in (("text", 1), (PAYLOAD, 1), ("language", PAYLOAD), ("method", [PAYLOAD])):
        Path(name).write_text(json.dumps({**stored, key: value}))
        shown("pattern", "match", name, "input.json")
    Path(name).write_text(json.dumps({**stored, "holes": [{"label": PAYLOAD}], PAYLOAD: 1}))
    assert ESCAPED in shown("pattern", "match", name, "input.json")


def test_configurations(folder: Path) -> None:
    quoted = json.dumps(PAYLOAD)
    Path("boildown.toml").write_text(
        f"[[input]]\nfiles = [{quoted}, '*.txt']\ncommand = [{quoted}]\n{quoted} = 1\n"
        f"level = {quoted}\n"
        f"[[language]]\nname = {quoted}\nfiles = [{quoted}]\ntree_sitter = 'tree-sitter-none'\n"
    )
    Path("input.txt").write_text("x")
    assert ESCAPED in shown("grammar", "list")
    assert ESCAPED in shown("check", "input.txt")
    assert "owned" in shown("grammar", "list", "--json")


def test_grammars_and_languages(folder: Path) -> None:
    name = f"g{PAYLOAD}.lark"
    Path(name).write_text(f'start: "{PAYLOAD}" undefined\n')
    Path("input.txt").write_text(PAYLOAD)
    assert ESCAPED in shown("grammar", "tree", "input.txt", "--language", name)
    assert ESCAPED in shown("grammar", "check", name)
    Path(name).write_text("start: /.+/s\n")
    for form in ("text", "dot", "svg"):
        shown("grammar", "tree", "input.txt", "--language", name, "--as", form)
    assert ESCAPED in shown("grammar", "tree", PAYLOAD)
    assert r"\x1b]0;owned" in shown("grammar", "tree", "input.txt", "--language", PAYLOAD)


def test_usage(folder: Path) -> None:
    for typed in (
        [PAYLOAD],
        ["reduce", f"--{PAYLOAD}"],
        ["reduce", "x", PAYLOAD],
        ["help", PAYLOAD],
        ["pattern", "sample", "x", "--as", PAYLOAD],
        ["reduce", "x", "--timeout", PAYLOAD],
        ["--print-completion", PAYLOAD],
    ):
        assert "owned" in shown(*typed)


@pytest.mark.parametrize("command", ["reduce", "check", "generalize", "explore", "pattern verify"])
def test_outputs_of_programs_and_names_of_files(folder: Path, command: str) -> None:
    name = f"in{PAYLOAD}.txt"
    Path(name).write_text(f"a x {PAYLOAD}\n")
    options = {
        "generalize": ("--law-runs", "0", "--samples", "5"),
        "explore": ("--mutants", "5", "--law-runs", "0", "--samples", "5"),
        "pattern verify": ("-n", "3"),
        "reduce": ("--output", "-"),
    }.get(command, ())
    law = ("not //nothing",) if command == "pattern verify" else ()
    run = ("--jobs", "1") if command != "check" else ()
    program = ("--", sys.executable, "-I", "-S", "program.py", "{file}")
    assert r"\u202e" in shown(*command.split(), *law, name, *options, *run, *program)


def test_a_result_goes_byte_for_byte_into_a_pipe(folder: Path) -> None:
    Path("input.txt").write_text(f"a {PAYLOAD} x\n", newline="")
    program = Path("program.py")
    program.write_text("import sys\nsys.exit(b'owned' in open(sys.argv[1], 'rb').read() and 3)\n")
    command = [sys.executable, "-m", "boildown", "reduce", "input.txt", "--output", "-"]
    command += ["--jobs", "1", "--max-runs", "1"]
    done = subprocess.run(
        [*command, "--", sys.executable, "-I", "-S", "program.py", "{file}"],
        capture_output=True,
        check=False,
    )
    assert done.stdout == Path("input.txt").read_bytes(), done.stderr


def test_a_real_terminal(folder: Path) -> None:
    """With the line of progress, whose own sequences are none of others."""
    name = f"in{PAYLOAD}.txt"
    Path(name).write_text(f"{PAYLOAD} x\n" * 20)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "boildown", "reduce", name, "--output", "-", "--jobs", "1"]
    with subprocess.Popen(
        [*command, "--", sys.executable, "-I", "-S", "program.py", "{file}"],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "300"},
    ) as process:
        os.close(theirs)
        found = b""
        try:
            while data := os.read(ours, 65536):
                found += data
        except OSError:
            pass  # It ended.
    os.close(ours)
    assert process.returncode == 0
    text = re.sub(r"\r+(\n|\x1b)|\r(?=\x1b)", r"\1", found.decode("utf-8"))
    inert(text)
    assert r"\x1b]0;owned" in text


def test_what_cannot_be_seen_is_escaped_in_patterns_and_laws() -> None:
    language = load_language("json")
    pattern = Pattern(template_of('"a\u00a0\u200b"', language))
    assert str(pattern) == r'"a\u00a0\u200b"'
    assert str(sketch(pattern)) == r'"a\u00a0\u200b"'
    law = parse_law('//a = "\u00a0\U000e0041"', "json")
    assert str(law) == r'//a = "\u00a0\udb40\udc41"'
    assert parse_law(str(law), "json") == law
