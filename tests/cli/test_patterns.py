"""Patterns on the command line: real files, and a real test command."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from ast import literal_eval
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from boildown import parse_law
from boildown.cli.patterns import report
from boildown.engine.laws.law import LawEvidence
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.template import template_of
from boildown.jobs.generalize import LAW_RUNS, Generalized, GeneralizeOptions
from boildown.jobs.generalize import generalize as run_generalize
from boildown.jobs.instances import FORMS
from boildown.jobs.work import JobOptions
from boildown.languages import load_language
from boildown.targets.test_command import from_argv
from cli.typed import boildown

pytestmark = pytest.mark.e2e

PYTHON = (sys.executable, "-I", "-S")
CRASH = '{"a": [1, {"price": -3, "b": null}], "c": "x"}\n'
PROGRAM = """
import json, sys
try:
    found = [json.load(open(sys.argv[1]))]
except ValueError:
    sys.exit(2)
while found:
    value = found.pop()
    if isinstance(value, dict):
        if isinstance(value.get("price"), (int, float)) and value["price"] < 0:
            raise ValueError("negative")
        found += value.values()
    elif isinstance(value, list):
        found += value
"""
LACKING = """
import json, sys
keys = set()
try:
    json.load(open(sys.argv[1]), object_hook=keys.update)
except ValueError:
    sys.exit(2)
if "id" not in keys and "items" not in keys:
    sys.exit(2)
if "moneta" not in keys:
    raise KeyError("moneta")
"""
PATTERN = '{<pair>*,"price":<NUMBER> < 0,<pair without STRING "price" outside value>*}'
SKETCH = '{…¹, "price": ⟨number⟩², …³}\nwhere ⟨number⟩² < 0 and …³ has no "price" of its own'
PATTERN_OF_LAW = '{<pair>*,"price":<NUMBER> < 0,<pair>*}'
"""The pattern beside a law, which no draw of either refutes."""
SKETCH_OF_LAW = '{…¹, "price": ⟨number⟩², …³}\nwhere ⟨number⟩² < 0'
ANYWHERE = f"… {PATTERN} …"
"""The same where no law was found, for it matches a part of the input only."""
SKETCH_ANYWHERE = f"… {SKETCH.replace('}', '} …', 1)}"
COMMAND = ("--", *PYTHON, "program.py", "crash.json")

NO_TRACING = """
from hypothesis import Phase, settings
phases = [each for each in Phase if each is not Phase.explain]
settings.register_profile("untraced", phases=phases)
settings.load_profile("untraced")
"""
"""A `conftest.py`: Hypothesis traces runs to explain them, and traced, CPython 3.11 takes minutes
to build its table of characters, by where the end of a piece of the stack falls."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a program and an input that it fails on; the working directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    made = tmp_path / "work"
    made.mkdir()
    (made / "program.py").write_text(PROGRAM)
    (made / "crash.json").write_text(CRASH)
    monkeypatch.chdir(made)
    return made


def configure(program: str = "program.py") -> None:
    """Write the command into a configuration, by which runs that exit with 2 say nothing."""
    command = json.dumps([*PYTHON, program, "{file}"])
    entry = f'[[input]]\nfiles = "crash.json"\ncommand = {command}\ninvalid = "exit=2"\n'
    Path("boildown.toml").write_text(entry)


def generalize(*options: str) -> subprocess.CompletedProcess[str]:
    few = ("--samples", "20", "--law-runs", "0")
    return boildown("generalize", "crash.json", *few, *options, *COMMAND)


@cache
def pattern_file() -> str:
    """Return what `--output` writes for the crash, which is made once, in the working directory."""
    assert generalize("--output", "pattern.json").returncode == 0
    return Path("pattern.json").read_text()


def store_pattern() -> None:
    Path("pattern.json").write_text(pattern_file())


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ("crash.json", "crash.json is the input itself; name another file."),
        (".", ". is a folder; name a file in it."),
        ("none/pattern.json", "There is no folder none for pattern.json; make it first."),
    ],
)
def test_a_pattern_that_has_no_place_to_go_is_not_looked_for(
    folder: Path, path: str, complaint: str
) -> None:
    ran = generalize("--output", path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"boildown: {complaint}\n")
    assert (folder / "crash.json").read_text() == CRASH


@pytest.mark.slow
def test_the_pattern_goes_to_standard_output(folder: Path) -> None:
    ran = generalize()
    assert ran.returncode == 0
    assert ran.stdout == f"{SKETCH_ANYWHERE}\n"
    pair = re.search(r"^fails:  (.*)\npasses: (.*), 1 character away$", ran.stderr, re.MULTILINE)
    assert pair is not None
    failing, passing = (json.loads(literal_eval(each)) for each in pair.groups())
    assert failing["price"] < 0 <= passing["price"]
    assert "  ⟨number⟩² < 0  20 of 20 reproduced" in ran.stderr
    assert "as a part of other inputs: 20 of 20 reproduced, at least 86.1%" in ran.stderr
    assert 'no wider, for this passes: \'{"price":' in ran.stderr
    assert "random texts of json around it, about 32 tokens at most" in ran.stderr
    assert re.search(r"  it matches [0-9]+ of [0-9]+ failing inputs met before", ran.stderr)
    assert sorted(path.name for path in folder.iterdir()) == ["crash.json", "program.py"]


@pytest.mark.slow
def test_the_law_stands_above_the_exact_pattern(folder: Path) -> None:
    configure()
    ran = boildown("generalize", "crash.json", "--samples", "20", "--exact", "--law-runs", "250")
    assert ran.returncode == 0
    law, pattern = ran.stdout.splitlines()
    assert law == "It fails if //price < 0"
    assert pattern == PATTERN_OF_LAW
    assert "fresh mutants of this job's inputs for which it holds failed, at least" in ran.stderr
    assert "failing inputs that it was compared with, it explains" in ran.stderr


@pytest.mark.slow
def test_other_inputs_are_named_and_not_quoted(folder: Path) -> None:
    (folder / "ok.json").write_text('{"secret": 3, "price": 1}')
    (folder / "bad.json").write_text('[["secret", {"price": -7}]]')
    others = ("--passing", "ok.json", "bad.json", "--failing", "bad.json", "none.json")
    missing = generalize(*others)
    assert (missing.returncode, missing.stderr) == (2, "boildown: There is no file none.json.\n")
    (folder / "none.json").write_text('"secret"')
    configure()
    few = ("--samples", "20", "--output", "pattern.json")
    ran = boildown("generalize", "crash.json", *few, *others)
    assert ran.stdout == f"It fails if //price < 0\n{SKETCH_OF_LAW}\n"
    told = " ".join(ran.stderr.split())
    for note in (
        "Inputs given as failing that do not fail in this way: 1 of 2; the first is none.json."
        " They count as passing.",
        "Inputs given as passing that fail in this way: 1 of 2; the first is bad.json. They count"
        " as failing.",
        "Given inputs that fail: the law explains 2 of 2.",
        "Given inputs that fail: the pattern explains 0 of 2; the first that it does not is"
        " bad.json.",
        "fresh mutants of this job's inputs and of the given ones for which it holds failed",
    ):
        assert note in told
    assert "secret" not in ran.stdout + ran.stderr + (folder / "pattern.json").read_text()


@pytest.mark.slow
def test_words_of_the_program_are_taken_if_asked_for(folder: Path) -> None:
    (folder / "lacking.py").write_text(LACKING)
    (folder / "crash.json").write_text('{"id": 7, "items": [3, 4]}')
    configure("lacking.py")
    few = ("generalize", "crash.json", "--samples", "20", "--json")
    found = json.loads(boildown(*few, "--words").stdout)
    assert found["law"]["law"] == "not //moneta"
    assert found["law"]["sampler"] == "mutants of this job's inputs and the words of the program"
    notes = [note["text"] for note in found["notes"]]
    assert "Words of the program: 5 were taken from lacking.py." in notes
    found = json.loads(boildown(*few).stdout)
    assert found["law"] is None
    assert [note for note in found["notes"] if "Words" in note["text"]] == []


@pytest.mark.slow
def test_a_law_of_a_slow_command_takes_no_hour(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if a run took very long: no time decides here.
    monkeypatch.setattr("boildown.engine.generalizing.generalize.LAW_SECONDS", 0)
    command = from_argv(COMMAND[1:], Path("crash.json"), folder)
    for runs, is_less in ((None, True), (LAW_RUNS, False)):
        how = GeneralizeOptions(samples=5, law_runs=runs)
        found = run_generalize(CRASH, command, JobOptions(jobs=1, max_runs=40), how)
        told = any("no law is looked for" in str(note) for note in found.notes)
        assert told is is_less


@pytest.mark.contract
def test_one_object_of_json(folder: Path) -> None:
    configure()
    few = ("--samples", "20", "--law-runs", "0", "--max-seconds", "200")
    ran = boildown("generalize", "crash.json", "--json", *few)
    found = json.loads(ran.stdout)
    assert list(found)[:2] == ["schema", "version"]
    assert found["schema"] == "boildown/pattern@1"
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (found["pattern"], found["sketch"]) == (ANYWHERE, SKETCH_ANYWHERE)
    assert [hole["mark"] for hole in found["holes"]] == ["…¹", "⟨number⟩²", "…³"]
    assert found["text"] == '{"price":-3}'
    assert found["covarying"] == []
    before, hole, after = found["holes"]
    assert (before["items"], before["before"], before["after"]) == ([0, 0], "", ",")
    assert (after["items"], after["before"], after["after"]) == ([1, 1], ",", "")
    assert (hole["name"], hole["start"], hole["end"], hole["text"]) == ("NUMBER", 9, 11, "-3")
    assert hole["trials"] == hole["reproduced"] == 20
    assert hole["lower_bound"] == found["joint"]["lower_bound"] == pytest.approx(0.05 ** (1 / 20))
    assert hole["counterexample"] in ('{"price":0}', '{"price":-0}')
    assert found["joint"]["rate"] == 1
    assert found["failure"].startswith("exit 1: ValueError")
    assert found["finished"] is True
    assert found["runs"] > 20
    recall = found["recall"]
    assert recall["failing"] >= recall["explained"] > 0


TWO_BUGS = """
import json, sys
try:
    found = json.load(open(sys.argv[1]))
except ValueError:
    sys.exit(2)
if isinstance(found, list) and found and found[0] is None:
    raise KeyError("none")
if isinstance(found, list) and len(found) == 1:
    raise ValueError("one")
"""


def explore(*options: str) -> subprocess.CompletedProcess[str]:
    Path("program.py").write_text(TWO_BUGS)
    Path("crash.json").write_text("[1]")
    limits = ("--mutants", "60", "--law-runs", "150", "--samples", "20", "--jobs", "2")
    configure()
    return boildown("explore", "crash.json", *limits, *options)


@pytest.mark.slow
def test_another_failure_is_found_and_listed(folder: Path) -> None:
    ran = explore("--mutants", "200")
    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("exit 1: ValueError")
    assert lines[1].startswith("  fails if ")
    assert lines[2] == "  [0]"
    assert any(line.startswith("exit 1: KeyError") for line in lines)
    assert "  [null]" in lines
    told = r"The first pattern matches [0-9]+ of [0-9]+ mutants that fail like it\."
    assert re.fullmatch(told, lines[-1])
    assert re.search(r"\d+ runs, [\d.]+ s\n$", ran.stderr)
    assert "stopped early" not in ran.stderr


@pytest.mark.slow
def test_exploring_gives_one_object_of_json_and_the_same_each_time(folder: Path) -> None:
    found, again = json.loads(explore("--json").stdout), json.loads(explore("--json").stdout)
    assert found["finished"] is True
    assert found["found"] == again["found"]
    assert found["inputs"] == again["inputs"]
    first = found["found"][0]
    assert first["text"] == "[0]"
    assert first["explains"] == first["matching"] + first["reducing"]
    assert {each["signature"] for each in found["found"]} == set(found["inputs"])
    assert found["schema"] == "boildown/exploration@1"
    stopped = json.loads(explore("--json", "--max-runs", "3").stdout)
    assert (stopped["finished"], stopped["runs"], stopped["found"]) == (False, 3, [])


@pytest.mark.slow
def test_an_attempt_that_was_cut_short_is_gone_on_with(folder: Path) -> None:
    first = json.loads(generalize("--json", "--max-runs", "15").stdout)
    assert (first["finished"], first["runs"]) == (False, 15)
    second = json.loads(generalize("--json").stdout)
    assert any(
        "goes on from there: 15 outcomes are known" in note["text"] for note in second["notes"]
    )
    third = json.loads(generalize("--json").stdout)
    assert "resumed" not in [note["code"] for note in third["notes"]]
    assert third["pattern"] == second["pattern"] == ANYWHERE
    # One of the 15 ran the text that was the result then once more.
    assert third["runs"] == second["runs"] + 14


@pytest.mark.slow
def test_inputs_are_made_of_a_stored_pattern(folder: Path) -> None:
    store_pattern()
    ran = boildown("pattern", "sample", "pattern.json", "-n", "4", "--seed", "1")
    texts = ran.stdout.splitlines()
    assert len(texts) == len(set(texts)) == 4
    assert all(re.search('"price": ?-', text) and "price" not in json.loads(text) for text in texts)
    again = boildown("pattern", "sample", "pattern.json", "-n", "4", "--seed", "1", "--json")
    assert json.loads(again.stdout)["texts"] == texts
    assert json.loads(again.stdout)["schema"] == "boildown/instances@1"
    shown = boildown("pattern", "sample", "pattern.json", "--as", "pattern")
    assert shown.stdout == f"{ANYWHERE}\n"


def test_every_form_is_documented() -> None:
    protocol = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
    row = next(line for line in protocol.splitlines() if line.startswith("| `form` |"))
    assert re.findall(r"`(\w+)`", row)[1:] == list(FORMS)


@pytest.mark.slow
def test_inputs_are_checked(folder: Path) -> None:
    store_pattern()
    ran = boildown("pattern", "sample", "pattern.json", "-n", "6", "--check", "--json", *COMMAND)
    found = json.loads(ran.stdout)
    assert ran.returncode == 0
    assert found["trials"] == 6
    # Around the part stand two equal keys in one of them, of which the program sees the last.
    assert found["reproduced"] == 5
    assert len(found["passed"]) == 1
    shown = boildown("pattern", "sample", "pattern.json", "-n", "6", "--check", *COMMAND)
    assert "5 of 6 inputs reproduce (83.3%)" in shown.stderr


@pytest.mark.slow
def test_inputs_as_tests(folder: Path) -> None:
    store_pattern()
    made = boildown("pattern", "sample", "pattern.json", "-n", "3", "--as", "pytest")
    (folder / "test_made.py").write_text(made.stdout)
    ran = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_made.py")
    assert "3 failed" in ran.stdout
    made = boildown("pattern", "sample", "pattern.json", "-n", "3", "--as", "hypothesis")
    (folder / "made.py").write_text(made.stdout)
    (folder / "test_strategy.py").write_text(
        "import json\n"
        "from hypothesis import HealthCheck, given, settings\n"
        "from made import inputs\n"
        "@settings(database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow])\n"
        "@given(inputs())\n"
        "def test_price(text):\n"
        "    assert json.loads(text)['price'] < 0\n"
    )
    ran = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_strategy.py")
    assert "1 passed" in ran.stdout


@pytest.mark.slow
@pytest.mark.parametrize("form", ["pytest", "hypothesis"])
def test_tests_run_the_command_that_is_given(folder: Path, form: str) -> None:
    store_pattern()
    made = boildown("pattern", "sample", "pattern.json", "-n", "3", "--as", form, *COMMAND)
    assert made.stderr == f"boildown: the tests belong into {folder}.\n"
    (folder / "test_made.py").write_text(made.stdout)
    ran = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_made.py")
    assert "ValueError: negative" in ran.stdout
    assert ran.returncode == 1
    (folder / "program.py").write_text(PROGRAM.replace('raise ValueError("negative")', "continue"))
    ran = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_made.py")
    assert ran.returncode == 0, ran.stdout


@pytest.mark.slow
def test_a_test_expects_the_output_that_is_given(folder: Path) -> None:
    store_pattern()
    asked = ("pattern", "sample", "pattern.json", "-n", "2", "--as", "pytest", "--expected", "fine")
    missing = boildown(*asked)
    assert missing.returncode == 2
    assert missing.stderr == (
        "boildown: --expected is for tests that run a program: give its command after --.\n"
    )
    made = boildown(*asked, *COMMAND)
    assert f"INPUTS = [{json.loads(Path('pattern.json').read_text())['text']!r}," in made.stdout
    (folder / "test_made.py").write_text(made.stdout)
    ran = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_made.py")
    assert "4 failed" in ran.stdout
    (folder / "program.py").write_text("print('fine')")
    ran = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_made.py")
    assert "4 passed" in ran.stdout


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    Path("conftest.py").write_text(NO_TRACING)
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "it is not JSON"),
        ("[]", "pattern.json is no pattern file: it must be an object, not a list of 0."),
        ('{"language": "json"}', "it has no 'text'"),
        ('{"language": "jsn"}', "There is no language called 'jsn'. Did you mean json"),
    ],
)
def test_what_is_no_pattern_is_said(folder: Path, content: str, message: str) -> None:
    (folder / "pattern.json").write_text(content)
    ran = boildown("pattern", "sample", "pattern.json")
    assert ran.returncode == 2
    assert message in ran.stderr
    assert "Traceback" not in ran.stderr


def test_an_input_that_does_not_fail_is_said(folder: Path) -> None:
    (folder / "crash.json").write_text("{}")
    ran = generalize()
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr


def test_a_limit_gives_what_is_known(folder: Path) -> None:
    ran = generalize("--json", "--max-runs", "3")
    found = json.loads(ran.stdout)
    assert ran.returncode == 0
    assert found["finished"] is False
    assert found["runs"] == 3


def test_mutants_that_say_nothing_of_a_law_are_counted() -> None:
    """The line stands there only if there are such."""
    law = parse_law("//price < 0", "json")
    pattern = Pattern(template_of('{"price":-1}', load_language("json")), runs=70)
    line = "  such mutants left out, for they failed in another way or were invalid: 9"
    for unjudged, lines in ((0, []), (9, [line])):
        known = replace(law, evidence=LawEvidence(60, 60, 30, 30, 12, 12, unjudged=unjudged))
        found = Generalized(replace(pattern, law=known), "json", "exit 1", (), 1.0, {})
        assert [each for each in report(found) if "left out" in each] == lines
