"""Laws on the command line: which inputs they explain, and whether a fixed program still fails."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from boildown.cli.main import main
from boildown.engine.laws.law import Law
from boildown.engine.laws.notation import parse_rules
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.template import template_of
from boildown.languages import load_language
from boildown.tree import places

JSON = load_language("json")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with inputs and patterns; the working directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    made = tmp_path / "work"
    made.mkdir()
    texts = {
        "low.json": '{"price": -3}',
        "deep.json": '[{"id": 1, "price": -0.5}]',
        "fine.json": '{"price": 3}',
        "broken.json": '{"price": -3',
        "rows.csv": "a,-3\n",
    }
    for name, text in texts.items():
        (made / name).write_text(text)
    law = Law(parse_rules("//<pair price> < 0"), JSON)
    for name, pattern in {
        "plain.pattern.json": Pattern(template_of('{"price":3}', JSON)),
        "law.pattern.json": Pattern(template_of('{"price":3}', JSON), law=law),
    }.items():
        (made / name).write_text(json.dumps({**pattern.to_json(), "failure": "exit 1"}))
    monkeypatch.chdir(made)
    return made


@pytest.mark.parametrize(
    ("law", "explained"),
    [
        ("//price < 0", ["low.json", "deep.json"]),
        ("not //price < 0", ["fine.json", "rows.csv"]),
        ("plain.pattern.json", ["fine.json"]),
        ("law.pattern.json", ["low.json", "deep.json", "fine.json"]),
        ('"law.pattern.json" and not "plain.pattern.json"', ["low.json", "deep.json"]),
        ('"law.pattern.json" and not //id', ["low.json", "fine.json"]),
        ('"plain.pattern.json" or //field < 0', ["fine.json", "rows.csv"]),
        ('not ("plain.pattern.json" or //price < 0)', ["rows.csv"]),
    ],
)
def test_inputs_that_a_law_explains(
    folder: Path, capsys: pytest.CaptureFixture[str], law: str, explained: list[str]
) -> None:
    names = ["low.json", "deep.json", "fine.json", "broken.json", "rows.csv"]
    assert main(["pattern", "match", law, *names, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["law"]) == ("boildown/matches@1", law)
    assert found["explained"] == len(explained)
    assert [each["file"] for each in found["inputs"]] == names
    assert [each["file"] for each in found["inputs"] if each["explained"]] == explained
    assert [each["file"] for each in found["inputs"] if not each["valid"]] == ["broken.json"]
    assert main(["pattern", "match", law, *explained]) == 0


def test_the_lines_of_match(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pattern", "match", "//price < 0", "low.json", "fine.json", "broken.json"]) == 1
    shown = capsys.readouterr()
    assert shown.out == (
        "low.json: explained\n"
        "fine.json: not explained\n"
        "broken.json: not explained, for it does not follow the grammar of json\n"
    )
    assert shown.err == "//price < 0 explains 1 of 3 inputs.\n"


def test_a_language_that_is_given(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("low.txt").write_text('{"price": -3}')
    assert main(["pattern", "match", "--language", "json", "//price < 0", "low.txt"]) == 0
    assert capsys.readouterr().err == "//price < 0 explains 1 of 1 input.\n"


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        (["//price <"], "'//price <' is no law: line 1, column 10: expected NAME, NUMBER"),
        (["none.json"], "'none.json' is no law: "),
        (['"none.json"'], "There is no file none.json."),
        (["low.json"], "low.json is no pattern file: it has no 'language'. `boildown generalize "),
        (["//a", "none.json"], "There is no file none.json."),
        (["//a", "--language", "none"], "There is no language"),
    ],
)
def test_what_can_not_be_matched(
    folder: Path, capsys: pytest.CaptureFixture[str], typed: list[str], complaint: str
) -> None:
    assert main(["pattern", "match", *typed, "fine.json"]) == 2
    assert capsys.readouterr().err.startswith(f"boildown: {complaint}")


FIXED = """
import json, sys
value = json.load(open(sys.argv[1]))
found = [value]
while found:
    value = found.pop()
    if isinstance(value, dict):
        price, size = value.get("price"), value.get("size")
        if isinstance(price, (int, float)) and price < LIMIT:
            raise ValueError("negative")
        found += value.values()
    elif isinstance(value, list):
        found += value
"""
"""A program that fails for prices below a limit."""
COMMAND = ("--jobs", "2", "--", sys.executable, "-I", "-S", "fixed.py", "low.json")


def write_fixed(limit: str) -> None:
    Path("fixed.py").write_text(FIXED.replace("LIMIT", limit))


def test_a_program_that_is_fixed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_fixed("-float('inf')")
    law = "//price < 0 or //size > 100"
    assert main(["pattern", "verify", law, "low.json", "-n", "12", *COMMAND]) == 1
    assert capfd.readouterr().out == (
        "//price < 0: 12 inputs, none fails\n"
        "//size > 100: no input was found for which it holds\n"
        "It covers 1 of 2 laws.\n"
    )
    assert main(["pattern", "verify", "//price < 0", "low.json", "-n", "12", *COMMAND]) == 0


def test_a_program_that_is_fixed_in_part(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Values far from the threshold are tried, too."""
    write_fixed("-500")
    assert (
        main(["pattern", "verify", "//price < 0", "low.json", "-n", "20", "--json", *COMMAND]) == 1
    )
    found = json.loads(capfd.readouterr().out)
    (attacked,) = found["laws"]
    assert (found["covered"], found["finished"]) == (False, True)
    assert (attacked["law"], attacked["tried"]) == ("//price < 0", 20)
    assert attacked["failing"]
    law = Law(parse_rules("//price < -500"), JSON)
    assert all(law.matches(each["text"]) for each in attacked["failing"])
    assert attacked["failing"][0]["failure"].startswith("exit 1: ValueError")
    lengths = [len(each["text"]) for each in attacked["failing"]]
    assert lengths == sorted(lengths)
    assert main(["pattern", "verify", "//price < 0", "low.json", "-n", "20", *COMMAND]) == 1
    assert '  this input still fails: \'{"price": ' in capfd.readouterr().out


@pytest.mark.parametrize(
    ("law", "name"),
    [
        ("law.pattern.json", "//price < 0"),
        ("plain.pattern.json", "plain.pattern.json"),
        ('"law.pattern.json" and not "plain.pattern.json"',) * 2,
    ],
)
def test_stored_patterns_and_their_laws_are_verified(
    folder: Path, capfd: pytest.CaptureFixture[str], law: str, name: str
) -> None:
    # Of the plain pattern, there are the text with and without a blank.
    write_fixed("0" if law == "law.pattern.json" else "-float('inf')")
    status = main(["pattern", "verify", law, "low.json", "-n", "8", "--json", *COMMAND])
    (attacked,) = json.loads(capfd.readouterr().out)["laws"]
    assert attacked["law"] == name
    assert attacked["tried"] == (2 if law == "plain.pattern.json" else 8)
    assert len(attacked["failing"]) == (8 if law == "law.pattern.json" else 0)
    assert status == (1 if law == "law.pattern.json" else 0)


def test_a_rule_says_what_failing_means(folder: Path) -> None:
    write_fixed("0")
    rule = ("--reproduces", "exit=3")
    assert main(["pattern", "verify", "//price < 0", "low.json", "-n", "5", *rule, *COMMAND]) == 0
    rule = ("--reproduces", "stderr=negative")
    assert main(["pattern", "verify", "//price < 0", "low.json", "-n", "5", *rule, *COMMAND]) == 1


def test_instances_of_a_pattern_that_satisfy_a_law(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template = template_of('{"price":-3}', JSON)
    number = next(place for place in places(template.tree) if place.tree.label == "NUMBER")
    start, end = number.span
    hole = Hole("NUMBER", "NUMBER", number.path(), start, end)
    open_pattern = Pattern(template).with_holes([hole])
    Path("open.json").write_text(json.dumps(open_pattern.to_json()))
    laws = ("//price >= 0", '"open.json" and not //price < 0', "not //price")
    for law, expected in zip(laws, (5, 5, 0), strict=True):
        assert main(["pattern", "sample", "open.json", "-n", "5", "--where", law, "--json"]) == 0
        texts = json.loads(capsys.readouterr().out)["texts"]
        assert len(texts) == expected
        assert all(json.loads(text)["price"] >= 0 for text in texts)
