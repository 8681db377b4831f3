"""Pipelines: failures that the last program has with the candidate itself are not the tool's."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from boildown.jobs.advice import for_terminal
from boildown.jobs.reduce import Reduced, reduce
from boildown.jobs.work import JobOptions
from boildown.runner.advice import code_of
from boildown.runner.command import from_argv
from boildown.runner.pipelines import compiler_on_candidate, last_on_candidate
from boildown.runner.rules import parse_rule
from boildown.runner.versions import fitting_version
from helpers import missing
from runner.commands import shell


@pytest.mark.parametrize(
    ("line", "alone"),
    [
        ("tool in.js | node", "node < {file}"),
        ("tool in.js | node --check -", "node --check - < {file}"),
        ("tool in.js 2>&1 | node", "node < {file}"),
        ("python -m tool < in.js | node", "node < {file}"),
        ("cat in.js | tool --as 'a|b' | node -", "node - < {file}"),
        ("tool in.js > out.js && node --check out.js", "node --check {file}"),
        ("tool in.js >out.js; node out.js", "node {file}"),
        ("tool in.js --outfile=out.js && node 'out.js'", "node '{file}'"),
        ("tool -o a.out in.js && ./a.out", None),
        ("tool in.js && other b.js", None),
        ("tool in.js | diff - in.js", None),
        ("tool in.js || node in.js", None),
        ("tool in.js | node < other.js", None),
        ("if tool in.js; then node out.js; fi", None),
        ("! tool in.js | node", None),
        ("tool in.js & node out.js", None),
        ("tool $(cat in.js) | node", None),
        ("tool in.js", None),
    ],
)
def test_the_last_program_is_run_on_the_candidate(
    line: str, alone: str | None, tmp_path: Path
) -> None:
    command = from_argv(["sh", "-c", line], Path("in.js"), tmp_path)
    assert last_on_candidate(command) == (() if alone is None else ("sh", "-c", alone))


def test_a_rule_or_a_good_version_judges_instead(tmp_path: Path) -> None:
    for option in ({"good": ["true"]}, {"reproduces": parse_rule("exit=1")}, {"interesting": True}):
        command = from_argv(["sh", "-c", "tool in.js | node"], Path("in.js"), tmp_path, **option)
        assert last_on_candidate(command) == ()


@pytest.mark.parametrize(
    ("line", "compiles"),
    [
        ("gcc -O0 -o a.out in.c && ./a.out", "gcc -O0 {file} -O1 -c "),
        ("gcc in.c -o a.out -lm; ./a.out | cat", "gcc {file} -lm -O1 -c "),
        ("/usr/bin/clang++-14 -g in.c -oa && ./a x", "/usr/bin/clang++-14 -g {file} -O1 -c "),
        ("gcc -O0 -o a.out in.c", None),
        ("gcc -O0 other.c && ./a.out in.c", None),
        ("echo gcc in.c && ./a.out", None),
        ("gcc in.c || ./a.out", None),
    ],
)
def test_the_compiler_is_asked_of_what_dies_by_chance(
    line: str, compiles: str | None, tmp_path: Path
) -> None:
    command = from_argv(["sh", "-c", line], Path("in.c"), tmp_path)
    found = compiler_on_candidate(command)
    assert found == () if compiles is None else found[-1].startswith(compiles)
    loose = from_argv(["sh", "-c", line], Path("in.c"), tmp_path, keep_valid=False)
    assert compiler_on_candidate(loose) == ()


SEEKS = """
#include <stddef.h>
static int *find(int *all, int wanted) { return *all == wanted ? all : NULL; }
int main(void) { int all[] = {3}; return *find(all, 4); }
"""


@pytest.mark.slow
def test_a_program_that_dies_does_not_become_one_that_dies_by_chance(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        missing("GCC is not installed.")
    (tmp_path / "in.c").touch()

    def result(jobs: int, **options: bool) -> Reduced:
        command = from_argv(
            ["sh", "-c", "gcc -O0 -o a.out in.c && ./a.out"], Path("in.c"), tmp_path, **options
        )
        return reduce(SEEKS, command, JobOptions("c", fresh=True, jobs=jobs))

    def is_refused(text: str) -> bool:
        command = from_argv(["sh", "-c", "gcc in.c; ./a.out"], Path("in.c"), tmp_path)
        (tmp_path / "in.c").write_text(text)
        line = compiler_on_candidate(command)[-1].replace("{file}", "in.c")
        return subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True).returncode != 0

    done = result(1)
    assert "compiler" in map(code_of, done.notes)
    assert not is_refused(done.text)
    assert result(4).text == done.text
    assert is_refused(result(1, keep_valid=False).text)


DROPS = "sed 's/value = 1//' in.py"
"""A tool with a bug: it leaves out a definition."""


def piped(folder: Path, line: str) -> Reduced:
    (folder / "in.py").touch()
    command = from_argv(["sh", "-c", line], Path("in.py"), folder)
    text = "import os\nvalue = 1\nother = 2\nprint(value, os.name)\n"
    return reduce(text, command, JobOptions("python", fresh=True))


def test_what_the_last_program_fails_on_by_itself_is_not_taken(tmp_path: Path) -> None:
    done = piped(tmp_path, f"{DROPS} | {sys.executable} -")
    assert done.text == "value = 1\nvalue"
    (told,) = (note for note in done.notes if code_of(note) == "last-program")
    assert for_terminal(told).endswith(
        "passes, so the fault is in the program before it; inputs on which it fails are not taken."
    )


def test_a_last_program_that_fails_on_the_input_itself_is_not_asked(tmp_path: Path) -> None:
    asserts = 'import sys; assert "other" not in sys.stdin.read()'
    done = piped(tmp_path, f"cat in.py | {sys.executable} -c '{asserts}'")
    assert done.text == "other"
    assert "last-program" not in map(code_of, done.notes)


def test_output_that_is_rejected_is_doubted(tmp_path: Path) -> None:
    done = piped(tmp_path, f"sed 's/= 1/= =/; s/= 2/= (/' in.py | {sys.executable} -")
    assert [code_of(doubt) for doubt in done.doubts] == ["output-rejected"]
    assert for_terminal(done.doubts[0]).startswith(
        "Doubt: the last program rejects the output of the one before it, as it may reject any"
        " wrong output. Name a version that gets it right, such as --good "
    )


def test_the_advice_names_the_release_before_the_tools(tmp_path: Path) -> None:
    module = tmp_path / "node_modules/tool"
    (module / "bin").mkdir(parents=True)
    (module / "package.json").write_text('{"name": "tool", "version": "1.4.0"}')
    (module / "bin/tool").touch(mode=0o755)
    line = f"{module}/bin/tool in.js | node"
    command = from_argv(["sh", "-c", line], Path("in.js"), tmp_path)
    assert fitting_version(command, tool=True) == "npm:tool@<1.4.0"
    line = f"{sys.executable} -m pytest in.js | node"
    command = from_argv(["sh", "-c", line], Path("in.js"), tmp_path)
    assert fitting_version(command, tool=True) == f"pip:pytest<{pytest.__version__}"
    program = Path(sys.executable).with_name("pytest")
    command = from_argv(["sh", "-c", f"{program} in.js | node"], Path("in.js"), tmp_path)
    assert fitting_version(command, tool=True) == f"pip:pytest<{pytest.__version__}"
    assert fitting_version(command, f"{program} in.js > a") == f"pip:pytest<{pytest.__version__}"
    command = from_argv(["node", "-c", "require('tool')"], Path("in.js"), tmp_path)
    assert fitting_version(command, tool=True) == "npm:tool@<1.4.0"
    (tmp_path / "parse.js").write_text("const tool = require('tool')\n")
    command = from_argv(["node", "parse.js", "in.js"], Path("in.js"), tmp_path)
    assert fitting_version(command, tool=True) == "npm:tool@<1.4.0"


def test_validity_by_a_grammar_alone_is_doubted(tmp_path: Path) -> None:
    """As of a parser of C that rejects a name of a type, which is wrong only where it is known."""
    code = "grep -q typedef $0 && { echo 'error: unexpected name' >&2; exit 1; }; exit 0"
    done = reduce(
        "typedef struct { int x; } a;\nint f(a b) { return b.x; }\n",
        shell(code, tmp_path),
        JobOptions("c", fresh=True),
    )
    assert [code_of(doubt) for doubt in done.doubts] == ["grammar-alone"]
    assert for_terminal(done.doubts[0]) == (
        "Doubt: the result is valid C by the grammar alone, which knows nothing of names and types:"
        " it may be rejected rightly. Name a version that reads the input, such as --good"
        " pip:NAME==VERSION."
    )
