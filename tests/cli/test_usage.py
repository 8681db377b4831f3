"""What is typed wrong is refused with the line to type, and help is complete and true."""

from __future__ import annotations

import argparse
import ast
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import boildown
from boildown.cli.main import COMMANDS, NEEDS, command_parsers, main
from boildown.cli.topics import TOPICS

PACKAGE = Path(boildown.__file__).parent
ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with an input and a program that fails on all; the working directory."""
    (tmp_path / "crash.json").write_text("[1]")
    (tmp_path / "other.json").write_text("[2]")
    (tmp_path / "empty.json").touch()
    (tmp_path / "test_it.py").touch()
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


REFUSALS = {
    "pattern sample crash.json --expected 3": (
        "--expected is what a test asserts: add --as pytest."
    ),
    "pattern smple crash.json -n 3": (
        "there is no command 'smple'. Type:\n  boildown pattern sample crash.json -n 3"
    ),
    "pattern xyzzy": ("there is no command 'xyzzy'; boildown pattern --help lists the commands."),
    "crsh.json -- false": (
        "there is no file or command 'crsh.json'; boildown --help lists the commands."
    ),
    "-- sh tool.sh crash.json": (
        "name the failing input. Type:\n  boildown reduce crash.json -- sh tool.sh crash.json"
    ),
    "redcue crash.json -- false": (
        "there is no command 'redcue'. Type:\n  boildown reduce crash.json -- false"
    ),
    "xyzzy": "there is no command 'xyzzy'; boildown --help lists the commands.",
    "reduce": (
        "name the failing input, as in:\n"
        "  boildown reduce crash.json -- python -m mytool crash.json"
    ),
    "reduce -- sh tool.sh crash.json": (
        "name the failing input. Type:\n  boildown reduce crash.json -- sh tool.sh crash.json"
    ),
    "reduce --jobs 2 crash.json sh -c 'exit 1' --json crash.json": (
        "there is no -- before the test command. Type:\n"
        "  boildown reduce --jobs 2 crash.json -- sh -c 'exit 1' --json crash.json"
    ),
    "generalize crash.json other.json -- false": (
        "one input at a time: 'other.json' is one too many. Type:\n"
        "  boildown generalize crash.json -- false\nand the same for 'other.json' then."
    ),
    "reduce crash.json other.json": (
        "There is no test command. Give the command that fails today after --, as in:\n"
        "  boildown reduce . -- make test\nor write it into a boildown.toml."
    ),
    "reduce crash.json --keep nowhere -- false": (
        "The input does not hold 'nowhere', which is to be kept."
    ),
    "reduce data --each --keep this --output all -- false": (
        "--each is for a folder of inputs, and --keep for one input."
    ),
    "reduce crash.json --include *.json -- false": (
        "--include and --exclude are for one folder; leave them out."
    ),
    "reduce crash.json --time-out 3 -- false": (
        "there is no option --time-out; did you mean --timeout?"
    ),
    "reduce crash.json --xyzzy -- false": (
        "there is no option --xyzzy; boildown reduce --help lists them."
    ),
    "generalize data -- false": "data is a folder; name a file in it.",
    "reduce data -- false": "There is no file to reduce in data.",
    "reduce none.json -- false": "There is no file none.json.",
    "reduce crash.json": (
        "There is no test command. Give the command that fails today after --, as in:\n"
        "  boildown reduce crash.json -- python -m mytool crash.json\n"
        "or write it into a boildown.toml."
    ),
    "reduce test_it.py::test_one -- false": (
        "test_it.py::test_one is a test, which pytest runs, so it needs no other command. Type:\n"
        "  boildown reduce test_it.py::test_one"
    ),
    "test_it.py::test_one --literal x": "--literal takes LINE or LINE:COLUMN, not 'x'.",
    "reduce test_no.py::test_one": "There is no file test_no.py.",
    "reduce crash.json --literal 3 -- false": (
        "--literal says where the input of a failing test stands; name the test, as in:\n"
        "  boildown reduce tests/test_it.py::test_one --literal 3"
    ),
    "reduce empty.json -- false": (
        "The input is empty, so there is nothing to reduce; name the one that the program fails"
        " on. If it fails on an empty one, that is the smallest already."
    ),
    "reduce crash.json --output other.json -- false": (
        "other.json is there already, and not from Boildown. Name another file, or say --force to"
        " replace it."
    ),
    "reduce crash.json --reproduces exit -- false": (
        "--reproduces is wrong: 'exit' is no rule; say exit=N, stdout=REGEX, stderr=REGEX,"
        " seconds>N, memory>N or timeout."
    ),
    "reduce crash.json --reproduces seconds -- false": (
        "--reproduces is wrong: 'seconds' needs a number, in quotes for the shell: 'seconds>2'."
    ),
    "reduce crash.json --reproduces memory>-1 -- false": (
        "--reproduces is wrong: 'memory' must be a number greater than 0."
    ),
    "reduce crash.json --good 'old crash.json | grep 1' -- false": (
        "No shell is started, so the program would get '|' as it stands. For what a shell makes of"
        " it, type: --good \"sh -c 'old crash.json | grep 1'\""
    ),
    "reduce crash.json --good old --compare output --interesting -- false": (
        "--compare output and --interesting both say when the failure is there; keep one."
    ),
    "reduce crash.json --compare output -- false": (
        "--compare output compares with the version named by --good."
    ),
    "generalize crash.json --output other.json -- false": (
        "other.json is there already, and not from Boildown. Name another file, or say --force to"
        " replace it."
    ),
    "help magic": (
        f"there is no help on 'magic'; there is on {', '.join((*TOPICS, 'passes', 'exit'))}."
    ),
}
"""What is typed, and what is said to it."""


@pytest.mark.parametrize("typed", REFUSALS)
def test_a_refusal_says_what_to_type(
    folder: Path, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    before = sorted(path.name for path in folder.iterdir())
    assert main(shlex.split(typed)) == 2
    assert capsys.readouterr().err == f"boildown: {REFUSALS[typed]}\n"
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize("typed", [name for name in REFUSALS if "\n  boildown" in REFUSALS[name]])
def test_the_line_to_type_is_accepted(typed: str) -> None:
    line = next(each for each in REFUSALS[typed].splitlines() if each.startswith("  boildown"))
    assert unknown(line) == []


def unknown(line: str) -> list[str]:
    """Return the arguments of a line, up to the test command, that nothing takes."""
    words = shlex.split(line.partition(" < ")[0])[1:]
    own = words[: words.index("--")] if "--" in words else words
    own = own if own[0].split()[0] in {name.split()[0] for name in COMMANDS} else ["reduce", *own]
    rest = command_parsers(set(own))[""].parse_known_args(own)[1]
    # Of an input of several files, the parser takes the first one.
    return [word for word in rest if not re.fullmatch(r"\w+\.[ch]|Makefile", word)]


PARSERS = command_parsers(set(" ".join(COMMANDS).split()))
KNOWN = {
    option
    for parser in PARSERS.values()
    for action in parser._actions
    for option in action.option_strings
} | {"--stdio", "--tcp", "--ws"}
"""All options, with those of the language server, which reads its own."""


@pytest.mark.parametrize("name", PARSERS)
def test_every_option_has_a_text_and_its_default(name: str) -> None:
    for action in PARSERS[name]._actions:
        if not action.option_strings or action.help == argparse.SUPPRESS:
            continue
        assert action.help, action.option_strings
        takes_value = action.nargs != 0 and action.dest != "shell" and name != ""
        assert takes_value or "(default: " not in action.help, action.option_strings
    PARSERS[name].format_help()


def strings(path: Path) -> Iterator[str]:
    """Yield the texts in a module that are not its docstrings."""
    tree = ast.parse(path.read_text())
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documents:
            yield str(node.value)


MODULES = sorted(
    path
    for part in ("cli", "targets/test_command.py", "runner/preflight", "jobs", "config")
    for path in ([PACKAGE / part] if part.endswith(".py") else (PACKAGE / part).rglob("*.py"))
)
OTHERS = {"--durations", "--durations-min", "--git"}
"""Options of pytest, and a word of patches."""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_message_mentions_an_option_that_does_not_exist(path: Path) -> None:
    for text in strings(path):
        mentioned = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))
        assert mentioned <= KNOWN | OTHERS, text


def examples(text: str) -> list[str]:
    joined = text.replace("\\\n", "")
    return [line.strip() for line in joined.splitlines() if line.strip().startswith("boildown ")]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_examples_of_a_topic_are_accepted(
    capsys: pytest.CaptureFixture[str], topic: str
) -> None:
    assert main(["help", topic]) == 0
    shown = capsys.readouterr().out
    assert examples(shown)
    for line in examples(shown):
        assert unknown(line) == [], line
        assert len(line) <= 110
    assert shown == textwrap.dedent(TOPICS[topic][1]).strip() + "\n"


def test_topics_and_passes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    listed = capsys.readouterr().out
    assert all(f"\n  {topic} " in listed for topic in (*TOPICS, "passes", "exit"))
    assert main(["help", "passes"]) == 0
    passes = capsys.readouterr().out
    assert {"prune", "ddmin", "hdd"} <= set(re.findall(r"[\w-]+", passes))


def test_a_command_is_a_topic_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "reduce"]) == 0
    assert "--compare" in capsys.readouterr().out
    assert main(["help", "pattern"]) == 0
    assert "sample" in capsys.readouterr().out
    assert main(["help", "pattern", "sample"]) == 0
    assert "--expected" in capsys.readouterr().out


def test_the_options_of_a_reduction_fit_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = PARSERS["reduce"].format_help().splitlines()
    assert len(lines) <= 50
    options = [line for line in lines if re.match(r"  -", line) and "--help" not in line]
    assert len(options) <= 22


@pytest.mark.parametrize("typed", [[], ["--help"], ["-h"]])
def test_the_first_list_is_one_screen_with_nine_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main(typed)
    lines = capsys.readouterr().out.splitlines()
    assert not ended.value.code
    assert len(lines) <= 24
    listed = [line.split()[0] for line in lines if re.match(r"  [a-z]", line)]
    assert listed[0] == "boildown"
    assert listed[1:] == [name for names in NEEDS.values() for name in names]
    assert len(listed[1:]) == 9


def test_a_reduction_needs_no_verb(folder: Path) -> None:
    program = folder / "program.py"
    program.write_text("import sys\nassert '1' not in open(sys.argv[1]).read()")
    command = ["--", sys.executable, str(program), "{file}"]
    assert main(["crash.json", *command]) == 0
    assert (folder / "crash.reduced.json").read_text() == "1"
    (folder / "data" / "a.json").write_text("[1]\n")
    command = ["--", sys.executable, str(program), "{dir}/a.json"]
    assert main(["data", *command]) == 0
    assert (folder / "data.reduced" / "a.json").read_text().strip() == "1"


@pytest.mark.parametrize(
    ("page", "least"), [("README.md", 4), ("docs/guide.md", 12), ("docs/troubleshooting.md", 2)]
)
def test_the_commands_of_the_documents_are_accepted(page: str, least: int) -> None:
    text = (ROOT / page).read_text()
    lines = re.findall(r"(?:^(?:\$ )?|`)(boildown (?!--)[\w.-][^`#\n]*)", text, re.M)
    assert len(lines) >= least
    assert [line for line in lines if unknown(line)] == []


def test_the_first_screen_of_the_readme_has_all_that_a_stranger_needs() -> None:
    screen = "\n".join((ROOT / "README.md").read_text().splitlines()[:40])
    for needed in ("```console", "**Install.**", "What do you have?", "Is it the same bug?"):
        assert needed in screen
    linked = re.findall(r"\]\(([\w./-]+)", screen)
    assert len(linked) > 10
    assert [link for link in linked if not (ROOT / link).exists()] == []


def test_help_imports_neither_engine_nor_terminal() -> None:
    code = (
        "import sys; from boildown.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit:\n"
        "  print(*sorted(n for n in sys.modules if 'boildown.' in n or 'rich' in n))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own = ("cli", "cli.main", "cli.printing", "jobs", "jobs.inert", "visible")
    assert ran.stdout.splitlines()[-1].split() == [f"boildown.{name}" for name in own]


def test_a_reduction_does_not_wait_for_the_parser_of_python_nor_for_laws() -> None:
    code = "import sys, boildown.cli.reduce, boildown.cli.usage; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    late = {"parso", "boildown.engine.laws", "boildown.engine.generalizing"}
    assert not late.intersection(ran.stdout.split())


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_knows_commands_and_options(
    capsys: pytest.CaptureFixture[str], shell: str
) -> None:
    pytest.importorskip("shtab")
    with pytest.raises(SystemExit) as ended:
        main(["--print-completion", shell])
    code = capsys.readouterr().out
    assert not ended.value.code
    assert all(word in code for word in ("generalize", "--isolate", "--level"))


def test_completion_without_its_library_names_the_extra(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    with pytest.raises(SystemExit) as ended:
        main(["--print-completion", "bash"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "boildown: shell completion needs the extra 'completion': run `python -m pip install"
        " 'boildown[completion]'`.\n"
    )
