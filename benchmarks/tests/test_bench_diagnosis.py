"""The subjects of the benchmark of diagnosis, and its scores; nothing is measured here."""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from benchmarks.diagnosis import programs
from benchmarks.diagnosis.constants import words
from benchmarks.diagnosis.diagnose import Asked, diagnose
from benchmarks.diagnosis.peer_grammars import GRAMMARS
from benchmarks.diagnosis.peers import compare, peer
from benchmarks.diagnosis.report import report
from benchmarks.diagnosis.scoring import (
    FIRST,
    MOST,
    Compared,
    Diagnosis,
    Score,
    grade,
    missed,
    score,
    summed,
)
from benchmarks.diagnosis.subject import (
    INPUTS,
    KINDS,
    Subject,
    failing_inputs,
    independent,
    outcome,
)
from benchmarks.diagnosis.subjects import REAL, WRITTEN, available
from lark import Lark

from boildown.engine.oracle import Outcome
from boildown.languages import load_language

LAWS = Lark(Path(programs.__file__).with_name("law.lark").read_text("utf-8"))


def by_name(subjects: tuple[Subject, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("subject", subjects, ids=lambda subject: subject.name)


def test_there_are_laws_of_all_kinds_in_many_languages() -> None:
    everyone = (*WRITTEN, *REAL)
    assert len({each.name for each in everyone}) == len(everyone) >= 60
    assert len(REAL) >= 10
    assert {kind for each in everyone for kind in each.kinds} == set(KINDS)
    assert len({each.language for each in everyone}) >= 6


@by_name((*WRITTEN, *REAL))
def test_a_reference_law_is_one_of_the_notation(subject: Subject) -> None:
    assert LAWS.parse(subject.reference)
    assert subject.law


@by_name(available())
def test_the_inputs_fail_and_the_generator_gives_both_kinds(subject: Subject) -> None:
    language = load_language(subject.language)
    inputs = failing_inputs(subject)
    assert len(set(inputs)) == INPUTS
    assert inputs == failing_inputs(subject)
    for text in inputs:
        assert outcome(subject, text) is Outcome.REPRODUCED
        assert language.parse(text).valid
    for failing in (True, False):
        texts = [*itertools.islice(independent(subject, "test", failing), FIRST)]
        assert len(texts) == FIRST
        assert texts[:5] == [*itertools.islice(independent(subject, "test", failing), 5)]
        assert all(language.parse(text).valid for text in texts[:5])


@by_name(WRITTEN)
def test_a_truth_judges_any_text(subject: Subject) -> None:
    outcomes = {outcome(subject, text) for text in ("", "]", "[[{(\x00\udc80'\"<", "0", "a")}
    assert outcomes <= {Outcome.REPRODUCED, Outcome.PASSED, Outcome.INVALID}


def short(text: str) -> bool:
    return len(text) < 3


FAILING = [str(n) for n in range(MOST + 10)]
PASSING = [f"-{n}-" for n in range(MOST + 10)]


@pytest.mark.parametrize(
    ("matches", "found", "recall", "precision"),
    [
        (str.isdigit, Score(MOST, MOST, MOST, 0), 1.0, 1.0),
        (short, Score(FIRST, 100, FIRST, 0), 0.5, 1.0),
        (lambda _: True, Score(FIRST, FIRST, FIRST, FIRST), 1.0, 0.5),
        (lambda _: False, Score(FIRST, 0, FIRST, 0), 0.0, None),
        (lambda text: text[0] == "-", Score(FIRST, 0, FIRST, FIRST), 0.0, 0.0),
    ],
)
def test_an_answer_is_asked_about_more_texts_if_it_errs_in_none(
    matches: Callable[[str], bool], found: Score, recall: float, precision: float | None
) -> None:
    assert score(matches, FAILING, PASSING) == found
    assert (found.recall, found.precision) == (recall, precision)


def test_precision_does_not_depend_on_how_many_texts_there_are_of_each_kind() -> None:
    assert Score(200, 100, 1000, 250).precision == Score(200, 100, 200, 50).precision == 2 / 3


@pytest.mark.parametrize(
    ("found", "law", "said"),
    [
        (Score(MOST, MOST, MOST, 0), "x" * 20, "exact"),
        (Score(MOST, MOST, MOST, 0), "x" * 21, "in part"),
        (Score(199, 199, MOST, 0), "x", "in part"),
        (Score(200, 100, 200, 0), "x", "in part"),
        (Score(200, 99, 200, 0), "x", "missed"),
        (Score(200, 180, 200, 20), "x", "in part"),
        (Score(200, 180, 200, 21), "x", "missed"),
        (Score(200, 0, 200, 0), "x", "missed"),
    ],
)
def test_a_law_is_found_exactly_in_part_or_not(found: Score, law: str, said: str) -> None:
    assert grade(found, law, "y" * 10) == said


def row(said: str, **changed: Any) -> Diagnosis:
    plain = Diagnosis("json draft", 0, "//draft", said, 1.0, 0.5, 0.97, 200, 200, 100, 2.0, True)
    return replace(plain, **changed)


def test_a_bound_is_violated_if_fresh_texts_refute_it() -> None:
    assert not row("exact", reproduced=190).violated
    assert row("exact", reproduced=180).violated
    assert not row("exact", reproduced=0, trials=0).violated
    assert not row("exact", reproduced=0, bound=None).violated


def test_sums_leave_out_what_says_nothing() -> None:
    rows = [
        row("exact"),
        row("missed", precision=None, recall=0.0, bound=None, runs=300),
        row("missed", precision=0.5, reproduced=0, finished=False, runs=500),
    ]
    found = summed(rows)
    assert found.grades == Counter({"missed": 2, "exact": 1})
    assert (found.precision, found.recall) == (0.75, 1 / 3)
    assert (found.bounds, found.violated, found.runs, found.stopped) == (2, 1, 300, 1)


def test_the_report_has_a_row_for_each_version_and_each_subject_of_the_last() -> None:
    figures = {
        "old": [row("missed")],
        "new": [row("exact"), row("missed", input=1, reproduced=0), missed("json no id", 0, "why")],
    }
    lines = report(figures, {each.name: each for each in WRITTEN}).splitlines()
    assert "| old | 0 (0%) | 0 (0%) | 1 (100%) | 1.00 | 0.50 | 0 (0%) | 100 | 2.0 | 0 |" in lines
    assert "| json draft | exact, missed | 1.00 | 0.50 | 97%, **97%** | 100 | 2.0 |" in lines
    assert "| json no id | missed | – | 0.00 | – | 0 | 0.0 |" in lines
    assert "| anywhere | 1 | 0 | 1 | 0.50 |" in lines
    assert "  found:     //draft" in lines


def test_the_report_says_where_a_peer_wins() -> None:
    compared = [
        Compared("json draft", "boildown", "<a>\n", 0.5, 1.0, 1 / 3, 90),
        Compared("json no id", "boildown", "<b>", 0.0, None, 0.0, 10),
        Compared("json draft", "ddset", "<c>", 0.75, 0.75, 0.75, 30),
    ]
    lines = report({"now": [row("exact")]}, {"json draft": WRITTEN[1]}, compared).splitlines()
    assert "| subject | boildown | ddset |" in lines
    assert "| json draft | 0.50 (90) | 0.75 (30) |" in lines
    assert "| json no id | 0.00 (10) | – |" in lines
    assert "| **mean** | 0.25 | 0.75 (of 1) |" in lines
    assert r"json draft (boildown): '<a>\n'" in lines


def test_f1_is_the_harmonic_mean() -> None:
    assert Score(100, 50, 100, 0).f1 == 2 / 3
    assert Score(100, 0, 100, 0).f1 == 0.0


def test_the_grammars_of_the_peers_describe_the_subjects() -> None:
    subjects = [each for each in WRITTEN if each.name in GRAMMARS]
    assert len(subjects) == len(GRAMMARS) == 10
    for subject in subjects:
        language = load_language(GRAMMARS[subject.name])
        texts = [failing_inputs(subject)[0]]
        for kind in (True, False):
            texts += itertools.islice(independent(subject, "peers", kind), 10)
        assert all(language.parse(text).valid for text in texts)


def told(found: str, matches: bool) -> str:
    """Return a peer that asks about its input and the empty text, and answers ever the same."""
    return f"""import json, sys
print("given", json.loads(input())["failing"], file=sys.stderr)
for text in ("", "x"):
    print(json.dumps({{"ask": text}}), flush=True); input()
print(json.dumps({{"found": {found!r}}}), flush=True)
for line in sys.stdin: print(json.dumps({{"matches": {matches}}}), flush=True)
"""


@pytest.mark.parametrize(
    ("script", "found", "recall", "runs"),
    [
        (told("all", True), "all", 1.0, 2),
        (told("none", False), "none", 0.0, 2),
        ("raise SystemExit(3)", "no answer: it ended with status 3", 0.0, 0),
    ],
)
def test_a_peer_is_asked_over_pipes(
    script: str, found: str, recall: float, runs: int, tmp_path: Path
) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!{sys.executable}\n{script}")
    python.chmod(0o755)
    (subject,) = (each for each in WRITTEN if each.name == "date interval")
    each = compare(subject, "own", peer(python, "own"))
    assert (each.found, each.recall, each.runs) == (found, recall, runs)


def test_a_subject_is_diagnosed_within_its_limits() -> None:
    subject = Subject(
        *("zero", "json", "the text is 0", '"0"', ("equal",)),
        lambda text: text == "0" * len(text),
        lambda rng: rng.choice("01") * rng.randint(1, 3),
        ("0", "0", "0"),
    )
    found = diagnose(subject, 0, Asked(max_runs=5, max_seconds=5.0))
    assert (found.runs, found.finished, found.law) == (5, False, "0")
    assert found.grade == "missed"


def test_a_fault_of_boildown_is_an_answer_that_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("slot")

    monkeypatch.setattr("benchmarks.diagnosis.diagnose.generalize", broken)
    found = diagnose(WRITTEN[0], 1, Asked(5, 5.0))
    assert found == missed(WRITTEN[0].name, 1, "raised KeyError('slot')")
    assert found.grade == "missed"


def test_the_truth_of_a_release_is_what_it_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "FOLDER", tmp_path)
    package = tmp_path / "toml==0"
    package.mkdir()
    (package / "toml.py").write_text(
        "def loads(text):\n    print('noise')\n    if 'é' in text: raise ValueError('é\\n!')\n"
    )
    fails = programs.raises("toml==0", "^ValueError: é")
    assert [fails(text) for text in ("a", "é\n", "\udc80", "")] == [False, True, False, False]
    assert not programs.raises("toml==0", "^KeyError")("é")
    programs.stop()


def test_generators_use_their_own_randomness_only() -> None:
    for subject in WRITTEN:
        assert subject.make(Random(7)) == subject.make(Random(7))


def test_words_of_a_program_are_its_constants_and_not_its_law() -> None:
    named = {each.name: each for each in WRITTEN}
    assert words(named["json no currency"]) == ("object_pairs_hook", "currency")
    assert words(named["html early h3"]) == ("h3", "h2")
