"""Configuration: what it says, and where it is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from release import settings

from boildown.config import (
    ConfigProblem,
    command_for,
    find_config,
    glob_matches,
    key_positions,
    load,
    load_settings,
    match,
)
from boildown.config.positions import Key
from boildown.config.schema import LANGUAGE_SCHEMA, SCHEMA
from boildown.runner.command import Isolation, Level, Rule, parse_rule
from boildown.runner.run import CannotRun

GOOD = """
[[input]]
files = ["crashes/*.json"]
command = ["sh", "repro.sh", "{file}"]
language = "json"
timeout = 5
invalid = { exit = [2] }
level = "message"
memory = 500
depends = ["src/*.py"]

[[input]]
files = "**/*.txt"
command = "sh -c 'exit 1' {file}"
interesting = true
isolate = "strict:out:logs"
cwd = "sub"

[input.environment]
LANG = "C"
"""


def test_entries(tmp_path: Path) -> None:
    path = tmp_path / "boildown.toml"
    path.write_text(GOOD)
    entries, problems = load(path)
    assert problems == ()
    first, second = entries
    assert match(entries, tmp_path / "crashes" / "a.json") is first
    assert match(entries, tmp_path / "a.json") is None
    assert match(entries, tmp_path / "x" / "a.txt") is second
    command = command_for(first, tmp_path / "crashes" / "a.json")
    assert command.argv == ("sh", "repro.sh", "{file}")
    assert (command.cwd, command.name) == (tmp_path, "a.json")
    assert (command.timeout, command.level) == (5.0, Level.MESSAGE)
    assert command.invalid == Rule(exit=frozenset({2}))
    assert command.memory == 500_000_000
    assert command.depends == ("src/*.py",)
    command = command_for(second, tmp_path / "x" / "a.txt")
    assert command.argv == ("sh", "-c", "exit 1", "{file}")
    assert command.cwd == tmp_path / "sub"
    assert command.interesting
    assert command.isolate == Isolation("strict", ("out", "logs"))
    assert command.environment == {"LANG": "C"}


def test_the_first_match_wins(tmp_path: Path) -> None:
    inputs = [{"files": ["a*"], "command": "sh 1"}, {"files": ["*"], "command": "sh 2"}]
    entries, problems = load_settings(inputs, tmp_path)
    assert problems == ()
    assert match(entries, tmp_path / "ab") is entries[0]
    assert match(entries, tmp_path / "b") is entries[1]
    assert match(entries, tmp_path.parent / "b") is None


def test_a_test_needs_no_command(tmp_path: Path) -> None:
    inputs = [{"files": "data/*", "test": "tests/test_a.py::test_b"}]
    (entry,), problems = load_settings(inputs, tmp_path)
    assert problems == ()
    command = command_for(entry, tmp_path / "data" / "a.json")
    assert command.argv[1:3] == ("-m", "pytest")
    assert command.argv[-1] == "{test}"
    assert command.test == "tests/test_a.py::test_b"
    assert command.in_copy


def test_a_predicate_and_a_cluster(tmp_path: Path) -> None:
    table = {
        "files": "*.txt",
        "python": "checks:fails",
        "warm": False,
        "cluster": "tcp://127.0.0.1:8786",
        "ship": ["checks.py"],
    }
    (entry,), problems = load_settings([table], tmp_path)
    assert problems == ()
    command = command_for(entry, tmp_path / "a.txt")
    assert (command.predicate, command.warm) == ("checks:fails", False)
    assert command.argv[-2:] == ("checks:fails", "{file}")
    command = command_for(entry, tmp_path / "crash.txt")
    assert (command.cluster, command.ship) == ("tcp://127.0.0.1:8786", ("checks.py",))
    _, (problem,) = load_settings([{"files": "a", "python": "checks"}], tmp_path)
    assert problem.message.startswith("inputs[0]: 'checks' is no predicate")
    _, (problem,) = load_settings([{**table, "command": "true"}], tmp_path)
    assert problem.message == (
        "inputs[0]: 'python' and 'command' both say what tests the input; keep one of them."
    )


def test_the_extension_describes_all_keys_as_the_table_does() -> None:
    package = settings.PACKAGE.read_text("utf-8")
    assert settings.properties().keys() == SCHEMA.keys()
    # Otherwise run `python -m release.settings`.
    assert settings.written(package) == package
    inputs = json.loads(package)["contributes"]["configuration"]["properties"]["boildown.inputs"]
    # The server checks the keys, and says which there are.
    assert "additionalProperties" not in inputs["items"]


def test_the_page_describes_keys_that_there_are() -> None:
    document = Path(__file__).parents[1] / "docs" / "configuration.md"
    rows = re.findall(r"^\| (`.*?) \|", document.read_text(), re.M)
    documented = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    assert {"files", "command", "python", "language", "cwd"} <= documented
    assert documented <= {*SCHEMA, *LANGUAGE_SCHEMA}


def test_pyproject(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(
        '[project]\nname = "x"\n\n[[tool.boildown.input]]\nfiles = "a"\ncommand = "sh"\nspeed = 1\n'
    )
    entries, problems = load(path)
    assert len(entries) == 1
    assert problems == (ConfigProblem(path, 7, 1, problems[0].message),)
    assert problems[0].message.startswith("'speed' is unknown; known are: files, command,")


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        (
            '[[input]]\nfiles = "a"\ncommand = "sh"\n timeout = "5"\n',
            4,
            2,
            "'timeout' must be a number",
        ),
        (
            '[[input]]\nfiles = "a"\ncommand = "sh"\ntimeout = true\n',
            4,
            1,
            "'timeout' must be a number",
        ),
        ('[[input]]\nfiles = "a"\ncommand = "sh"\nlevel = "deep"\n', 4, 1, "exit, error, location"),
        (
            '[[input]]\nfiles = "a"\ncommand = "no-such-tool {file}"\n',
            3,
            1,
            "'no-such-tool' was not",
        ),
        ('[[input]]\nfiles = "a"\ncommand = []\n', 3, 1, "is empty"),
        ('[[input]]\nfiles = "a"\n', 1, 1, "no 'command'"),
        ('\n[[input]]\ncommand = "sh"\n', 2, 1, "no 'files'"),
        (
            '[[input]]\nfiles = "a"\ncommand = "sh"\ninvalid = { exi = 1 }\n',
            4,
            1,
            "'exi' is unknown",
        ),
        (
            '[[input]]\nfiles = "a"\ncommand = "sh"\n[input.invalid]\nstderr = "("\n',
            4,
            1,
            "no regular",
        ),
        ('[[input]]\nfiles = "a"\ncommand = "sh"\n\n[other]\n', 5, 1, "'other' is unknown"),
        ('[input]\nfiles = "a"\n', 1, 1, "[[input]]"),
        ('input = [\n  { files = "a", command = "sh", x = 1 },\n]\n', 1, 1, "'x' is unknown"),
        ('files = """\n[[input]]\n"""\n', 1, 1, "'files' is unknown"),
        ("[[input]]\nfiles = \n", 2, 9, "No valid TOML"),
        ("a = 1\na = 2\n", 2, 1, "No valid TOML"),
    ],
)
def test_problems_have_a_place(
    tmp_path: Path, text: str, line: int, column: int, words: str
) -> None:
    path = tmp_path / "boildown.toml"
    path.write_text(text)
    _, problems = load(path)
    assert [(problem.path, problem.line) for problem in problems] == [(path, line)]
    assert words in problems[0].message
    if "TOML" not in words:
        assert problems[0].column == column


def test_a_wrong_value_does_not_hide_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "boildown.toml"
    path.write_text('[[input]]\nfiles = "a"\ncommand = "sh"\nmemory = -1\nlanguage = "json"\n')
    (entry,), (problem,) = load(path)
    assert problem.line == 4
    assert entry.language == "json"
    assert command_for(entry, tmp_path / "a").memory is None


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ('reproduces = "exit=x"', "'reproduces'"),
        ("invalid = 3", "'invalid'"),
        ('level = "line"', "'level'"),
        ("timeout = -1", "'timeout'"),
        ('interesting = "yes"', "'interesting'"),
        ("reproduce = { exit = 3 }", "'reproduce'"),
        ('levels = "exit"\ntimeout = 0', "'levels' and 'timeout'"),
    ],
)
def test_no_run_is_judged_by_half_a_rule(tmp_path: Path, line: str, keys: str) -> None:
    path = tmp_path / "boildown.toml"
    path.write_text(f'[[input]]\nfiles = "a"\ncommand = "sh"\n{line}\n')
    (entry,), problems = load(path)
    assert len(problems) == keys.count("'") // 2
    with pytest.raises(CannotRun) as refused:
        command_for(entry, tmp_path / "a")
    assert str(refused.value) == (
        f"The configuration of a says in {keys} how its runs are judged, but what it says is wrong;"
        " mend it first."
    )


def test_rules_may_be_written_as_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "boildown.toml"
    path.write_text(
        '[[input]]\nfiles = "a"\ncommand = "sh"\n'
        'reproduces = "exit=3"\ninvalid = ["exit=2,4", "stderr=usage"]\n'
    )
    (entry,), problems = load(path)
    assert problems == ()
    command = command_for(entry, tmp_path / "a")
    assert command.reproduces == parse_rule("exit=3")
    assert command.invalid == parse_rule(["exit=2,4", "stderr=usage"])


def test_further_commands_are_words_or_lines(tmp_path: Path) -> None:
    path = tmp_path / "boildown.toml"
    path.write_text(
        '[[input]]\nfiles = "a"\ncommand = "sh {file}"\n'
        'quick = ["grep", "-q", "x y"]\ngood = "sh -x {file}"\n'
        "reproduces = { seconds = 2, memory = 500 }\n"
        '[[input]]\nfiles = "b"\ncommand = "sh"\ngood = "sh"\ninterestin = true\n'
        'compare = "output"\ninteresting = true\n'
    )
    (first, _), problems = load(path)
    command = command_for(first, tmp_path / "a")
    assert command.quick == ("grep", "-q", "x y")
    assert command.good == ("sh", "-x", "{file}")
    assert command.reproduces == parse_rule(["seconds>2", "memory>500"])
    assert [problem.message for problem in problems if problem.line > 6] == [
        "'interestin' is unknown; known are: " + ", ".join(SCHEMA) + ".",
        "compare output and interesting both say when the failure is there; keep one.",
    ]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"a = '\xff'")
    assert load(tmp_path / "bytes.toml")[1][0].message.startswith("The file is not UTF-8")
    assert (
        load(tmp_path / "gone.toml")[1][0].message == f"There is no file {tmp_path / 'gone.toml'}."
    )


def test_settings_have_no_place(tmp_path: Path) -> None:
    entries, problems = load_settings([{"files": "a", "command": "sh", "x": 1}, 3], tmp_path)
    assert len(entries) == 1
    assert [(p.path, p.line) for p in problems] == [(None, 0), (None, 0)]
    assert problems[0].message.startswith("inputs[0]: 'x' is unknown")
    assert problems[1].message == "inputs[1]: Each input must be a table."
    assert load_settings("text", tmp_path)[1][0].message.startswith("'input' must be a list")


def test_the_nearest_configuration_is_found(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "boildown.toml").touch()
    for other in ("[tool.other]\n", "tool = 5\n"):
        (tmp_path / "a" / "pyproject.toml").write_text(other)
        assert find_config(inner) == tmp_path / "boildown.toml"
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.boildown]\n")
    assert find_config(inner) == tmp_path / "a" / "pyproject.toml"
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.boildown\n")
    assert find_config(inner) == tmp_path / "a" / "pyproject.toml"
    (tmp_path / "a" / "boildown.toml").touch()
    assert find_config(inner) == tmp_path / "a" / "boildown.toml"


@pytest.mark.parametrize(
    ("glob", "file", "matches"),
    [
        ("*.json", "a.json", True),
        ("*.json", "x/y/a.json", True),
        ("./*.json", "a.json", True),
        ("x/*.json", "x/a.json", True),
        ("x/*.json", "x/y/a.json", False),
        ("x/**/*.json", "x/a.json", True),
        ("x/**/*.json", "x/y/z/a.json", True),
        ("x/**", "x/y/z", True),
        ("a?.[tj]s", "ab.ts", True),
        ("a.[!t]s", "a.ts", False),
        ("a.json", "aXjson", False),
    ],
)
def test_globs(glob: str, file: str, matches: bool) -> None:
    assert glob_matches(glob, Path("/base") / file, Path("/base")) is matches


KEYS = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)
VALUES = st.sampled_from(
    [
        "1",
        "true",
        '"a#b"',
        "'[[x]]'",
        '"""\nk = 1\n[t]"""',
        "'''\n\"\n'''",
        "[\n1, # ]\n2]",
        "{a = 1}",
    ]
)


@given(
    st.lists(
        st.tuples(KEYS, st.lists(st.tuples(KEYS, VALUES), unique_by=lambda v: v[0])),
        unique_by=lambda v: v[0],
    )
)
@pytest.mark.nightly
def test_every_key_is_found_where_it_stands(
    tables: list[tuple[str, list[tuple[str, str]]]],
) -> None:
    lines: list[str] = []
    wanted: dict[Key, tuple[int, int]] = {}
    for name, values in tables:
        wanted[name, 0] = (sum(line.count("\n") + 1 for line in lines) + 1, 1)
        lines.append(f"[[{name}]] # [x]")
        for key, value in values:
            wanted[name, 0, key] = (sum(line.count("\n") + 1 for line in lines) + 1, 3)
            lines.append(f"  {key} = {value} # y = 1")
    assert key_positions("\n".join(lines)) == wanted
