"""`boildown grammar check`: a grammar of one's own, on examples and on its own samples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boildown.cli.main import main

LIST = 'start: item*\nitem: WORD | "(" item* ")"\nWORD: /[a-z]+/\n%ignore " "\n'
SUM = 'start: sum\nsum: sum "+" sum | NUMBER\nNUMBER: /[0-9]/\n'
LEFT = 'start: sum\nsum: sum "+" NUMBER | NUMBER\nNUMBER: /[0-9]/\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(
    folder: Path, capsys: pytest.CaptureFixture[str], grammar: str, *examples: str
) -> tuple[int, list[str]]:
    (folder / "g.lark").write_text(grammar)
    names = []
    for number, text in enumerate(examples):
        (folder / f"{number}.txt").write_text(text)
        names.append(f"{number}.txt")
    status = main(["grammar", "check", "g.lark", *names])
    return status, capsys.readouterr().out.splitlines()


def test_a_good_grammar_parses_its_examples_and_its_samples(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(folder, capsys, LIST, "a (b c)", "") == (
        0,
        ["2 of 2 examples parse, 2 of them in linear time; 100 of 100 samples parse again"],
    )


def test_an_example_that_does_not_parse_is_told_with_its_place(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, (first, second) = check(folder, capsys, LIST, "a (b", "a")
    assert status == 1
    assert first == '0.txt:1:5: error: expected WORD, "(", ")".'
    assert second.startswith("1 of 2 examples parse, 1 of them in linear time; ")


def test_ambiguity_and_the_cost_of_left_recursion_are_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = check(folder, capsys, SUM, "1+2+3", "4")
    assert status == 0
    assert lines[0] == (
        "0.txt:1:1: warning: it has more than one tree; the first alternative and the longest part"
        " win."
    )
    assert lines[1] == (
        "g.lark:2:1: warning: sum may begin with itself, and 1 of 2 examples need Earley's"
        " algorithm, whose time may grow with the square of the length."
    )
    assert lines[2].startswith("g.lark:1:1: warning: ")
    assert "samples have more than one tree, such as '" in lines[2]
    assert lines[-1] == "left recursion: sum"
    # What is recursive on the left alone costs nothing.
    assert check(folder, capsys, LEFT, "1+2+3", "4") == (
        0,
        [
            "2 of 2 examples parse, 2 of them in linear time; 100 of 100 samples parse again",
            "left recursion: sum",
        ],
    )


def test_a_broken_grammar_is_told_with_its_place(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, (first, _) = check(folder, capsys, 'start: "a"\n  | nothing\n')
    assert status == 1
    assert first.startswith("g.lark:2:5: error: ")
    assert "nothing" in first


def test_endless_derivations_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, lines = check(folder, capsys, 'start: a\na: b | "x"\nb: a | "y"\n')
    assert lines[:2] == [
        "g.lark:2:1: warning: a derives itself alone, so its texts have trees without end.",
        "g.lark:3:1: warning: b derives itself alone, so its texts have trees without end.",
    ]


def test_the_folder_of_a_language_brings_its_examples(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mine" / "examples").mkdir(parents=True)
    (folder / "mine" / "grammar.lark").write_text(LIST.replace("start:", "first:"))
    (folder / "mine" / "language.toml").write_text('start = "first"\n')
    (folder / "mine" / "examples" / "a").write_text("x y")
    assert main(["grammar", "check", "mine", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {name: found[name] for name in ("findings", "examples", "parsed", "samples")} == {
        "findings": [],
        "examples": 1,
        "parsed": 1,
        "samples": 100,
    }
    assert found["schema"] == "boildown/grammar-check@1"
    assert main(["grammar", "check", "none.lark"]) == 1
    assert capsys.readouterr().out.startswith("none.lark:1:1: error: can't be read: ")
