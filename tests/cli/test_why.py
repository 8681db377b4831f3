"""The command `why`: the function in which the bug is comes first, and the rest is said."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boildown.cli.main import main
from boildown.jobs.reduce import Reduced, reduce
from boildown.languages.python_functions import functions_by_line
from helpers import missing

PROGRAM = """\
import sys


def read(text):
    return text.split(",")


def total(words):
    result = 0
    for word in words:
        if word == "x":
            result = broken(result)
        result += len(word)
    return result


def broken(result):
    result = None
    return result


if __name__ == "__main__":
    print(total(read(open(sys.argv[1]).read())))
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def write_script(folder: Path, text: str) -> tuple[str, ...]:
    """Write a program for Node and its failing input; return the arguments that run it."""
    if not shutil.which("node"):
        missing("Node is not installed.")
    (folder / "program.js").write_text(text)
    (folder / "input.txt").write_text("a,x,b")
    return ("--jobs", "1", "--", "node", "program.js", "input.txt")


@pytest.mark.e2e
def test_the_ranking_and_its_evidence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "input.txt").write_text("a,x,b")
    command = ("--jobs", "1", "--", sys.executable, "program.py", "input.txt")
    assert main(["why", "input.txt", "--json", *command]) == 0
    told = json.loads(capfd.readouterr().out)
    suspects = told["suspects"]
    # The innermost frame of the traceback ends a tie.
    assert {each["function"] for each in suspects[:2]} == {"total", "broken"}
    assert suspects[0]["file"] == str(tmp_path / "program.py")
    assert suspects[0]["failing"] == told["failing_runs"] >= 1
    assert suspects[0]["passing"] == 0 < told["passing_runs"]
    assert told["traced_runs"] <= 60
    # Nothing was written beside the input.
    assert {path.name for path in tmp_path.iterdir()} == {"cache", "input.txt", "program.py"}


DEMO = Path(__file__).parents[2] / "server" / "boildown" / "demo"


@pytest.mark.e2e
def test_the_branch_and_the_values_that_led_there(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "receipts.py").write_bytes((DEMO / "receipts.py").read_bytes())
    (tmp_path / "in.json").write_text('{"orders":[{"express":true}]}')
    command = ("--jobs", "1", "--", sys.executable, "receipts.py", "in.json")
    assert main(["why", "in.json", *command]) == 0
    lines = [line.strip() for line in capfd.readouterr().out.splitlines()]
    assert lines[0] == "1. receipts.py:18, in shipping"
    at = lines.index('if order.get("express"):')
    assert lines[at + 1] == "fails:  order = {'express': True}; line 18 comes next"
    assert lines[at + 2].endswith("; line 19 comes next")
    parcels = 'parcels = sum(line["count"] for line in lines if not line.get("download"))'
    assert lines[at + 4] == f"parcels = 0 ← lines = [], at line 16: {parcels}"
    call = "total = price + shipping(order, lines)"
    values = "order = {'express': True}, price = 0"
    assert f"lines = [] ← {values}, at line 26: {call}" in lines


@pytest.mark.e2e
@pytest.mark.slow
def test_a_reduction_with_its_ranking_and_the_report(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "receipts.py").write_bytes((DEMO / "receipts.py").read_bytes())
    (tmp_path / "in.json").write_text('{"orders":[{"express":true,"a":1}]}')
    command = ("--jobs", "1", "--", sys.executable, "receipts.py", "in.json")
    assert main(["reduce", "in.json", "--why", "--report", "bug.md", "--json", *command]) == 0
    told = json.loads(capfd.readouterr().out)
    assert (tmp_path / "in.reduced.json").read_text() == '{"orders":[{"express":true}]}'
    assert told["why"]["suspects"][0]["function"] == "shipping"
    assert told["why"]["branch"]["text"] == 'if order.get("express"):'
    report = (tmp_path / "bug.md").read_text()
    assert "Where the bug may be:\n\n```\n1. receipts.py:18, in shipping\n" in report
    assert main(["reduce", "in.json", "--why", "--force", *command]) == 0
    assert ":18, in shipping" in "".join(capfd.readouterr())


SCRIPT = """\
const fs = require('fs');
exports.read = (text) => text.split(',');
function broken(result) { return result.size.value; }
exports.total = function (words) {
  let result = 0;
  for (const word of words) {
    if (word === 'x') { result = broken(result); }
    result += word.length;
  }
  return result;
};
console.log(exports.total(exports.read(fs.readFileSync(process.argv[2], 'utf8'))));
"""


@pytest.mark.e2e
def test_the_ranking_of_a_script(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = write_script(tmp_path, SCRIPT)
    assert main(["why", "input.txt", "--json", *command]) == 0
    suspects = json.loads(capfd.readouterr().out)["suspects"]
    told = [(each["function"], each["line"], each["passing"]) for each in suspects[:2]]
    # In the second one it is a part of the line that failing runs alone execute.
    assert told == [("broken", 3, 0), ("exports.total", 7, 0)]
    assert suspects[0]["file"] == str(tmp_path / "program.js")


BRANCHING = """\
const fs = require('fs');
function shipping(order) {
  let parcels = order.length;
  if (order.includes('x')) {
    parcels = parcels.count.all;
  } else {
    parcels += 1;
  }
  return parcels;
}
console.log(shipping(fs.readFileSync(process.argv[2], 'utf8')));
"""


@pytest.mark.e2e
def test_the_branch_of_a_script(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = write_script(tmp_path, BRANCHING)
    assert main(["why", "input.txt", *command]) == 0
    lines = [line.strip() for line in capfd.readouterr().out.splitlines()]
    assert lines[0] == "1. program.js:5, in shipping"
    at = lines.index("if (order.includes('x')) {")
    assert lines[at - 1].startswith("The closest passing input goes another way at line 4: ")
    # That of the `else`.
    assert lines[at + 1 : at + 3] == ["fails:  line 5 comes next", "passes: line 6 comes next"]


COMPILED = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int length(const char *text) {
    return (int)strlen(text);
}

static int share(int total, char kind) {
    int parts = 1;
    if (kind == 'x')
        parts = 0;
    if (parts == 0)
        exit(3);
    return total / parts;
}

int main(int count, char **words) {
    char text[100] = "";
    FILE *file = fopen(words[count - 1], "r");
    size_t size = fread(text, 1, sizeof text - 1, file);
    for (size_t at = 0; at < size; at++)
        printf("%d\\n", share(length(text), text[at]));
    return 0;
}
"""
LCOV = """\
import json, pathlib, subprocess
for data in pathlib.Path().glob("*.gcda"):
    printed = subprocess.check_output(["gcov", "--json-format", "--stdout", data.name])
    for file in json.loads(printed)["files"]:
        print(f"SF:{file['file']}")
        for each in file["functions"]:
            print(f"FN:{each['start_line']},{each['name']}")
        for each in file["lines"]:
            print(f"DA:{each['line_number']},{each['count']}")
        print("end_of_record")
    data.unlink()
"""


@pytest.mark.e2e
def test_the_ranking_of_a_compiled_program(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if not shutil.which("gcc") or not shutil.which("gcov"):
        missing("gcc is not installed.")
    (tmp_path / "program.c").write_text(COMPILED)
    (tmp_path / "lcov.py").write_text(LCOV)
    (tmp_path / "input.txt").write_text("a,x,b")
    subprocess.run(["gcc", "--coverage", "-O0", "-o", "program", "program.c"], check=True)
    known = {"files": ["input.txt"], "command": "./program input.txt", "isolate": "none"}
    rows = [f"{key} = {json.dumps(value)}" for key, value in known.items()]
    told = "\n".join(["[[input]]", *rows])
    coverage = f"coverage = {json.dumps([sys.executable, 'lcov.py'])}"
    (tmp_path / "boildown.toml").write_text(f"{told}\n{coverage}\n")
    assert main(["why", "input.txt", "--json", "--jobs", "1"]) == 0
    found = json.loads(capfd.readouterr().out)
    first = found["suspects"][0]
    assert (first["function"], first["text"]) == ("share", "exit(3);")
    assert first["file"] == str(tmp_path / "program.c")
    assert first["failing"] == found["failing_runs"] >= 1
    assert first["passing"] == 0 < found["passing_runs"]
    assert found["branch"]["text"] == "if (parts == 0)"
    # A command that fails is said, and ends no more than the ranking.
    (tmp_path / "lcov.py").write_text("raise SystemExit('no gcov here')")
    assert main(["why", "input.txt", "--jobs", "1"]) == 0
    assert "The command for coverage failed: no gcov here" in capfd.readouterr().err


def test_a_command_that_runs_no_python_is_said(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "input.txt").write_text("a b")
    command = ("--jobs", "1", "--", "sh", "-c", '! grep -q a "$0"', "input.txt")
    assert main(["why", "input.txt", *command]) == 0
    out, err = capfd.readouterr()
    assert "No function can be suspected." in out
    assert "No line was seen" in err


def test_the_reason_why_nothing_was_observed_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "input.txt").write_text("a b")

    def unverified(*given: Any) -> Reduced:
        return replace(reduce(*given), run=None, verified=False)

    monkeypatch.setattr("boildown.jobs.why.reduce", unverified)
    command = ("--jobs", "1", "--", "sh", "-c", '! grep -q a "$0"', "input.txt")
    assert main(["why", "input.txt", *command]) == 1
    out, err = capfd.readouterr()
    assert "No function can be suspected." in out
    assert "The result was not run to its end." in err


def test_the_functions_of_lines() -> None:
    source = (
        "import a\n@a\ndef f(\n    x=1,\n):\n    y = 1\n    def g():\n        return y\n"
        "    return g\n"
        "class C:\n    z = 1\n    def m(self):\n        return lambda: [\n            1]\n"
    )
    assert functions_by_line(source) == {
        6: "f",
        8: "f.<locals>.g",
        9: "f",
        13: "C.m",
        14: "C.m",
    }
    assert functions_by_line("def (") == {}
