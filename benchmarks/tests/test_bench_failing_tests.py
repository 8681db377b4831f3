"""The benchmark's failing tests are well-formed, and answers get the grade that a label gives."""

from __future__ import annotations

import dataclasses
import gzip
from pathlib import Path

import pytest
from benchmarks.failing_tests.__main__ import BEFORE, REPORT, Row, _json, _load, report, summary
from benchmarks.failing_tests.cases import cases, lay, packages
from benchmarks.failing_tests.grading import Answer, Case, grade, runs_before, spans_of

CASES = cases()
TEXT = 'def test_it():\n    rows = [{"a": 1}, {"b": "odd"}]\n    assert run(rows) == "odd"\n'
CASE = Case("one", "test_it.py::test_it", "test_it.py", ('[{"a": 1}, {"b": "odd"}]',))
FILES = {"test_it.py": TEXT, "data/in.csv": "a,b\n1,2\n"}


def done(**values: object) -> dict[str, object]:
    return {"bytes_before": 24, "bytes_after": 9, "where": "test_it.py:2:12", **values}


def test_there_are_a_hundred_tests_of_six_packages_and_forty_shapes() -> None:
    assert len({case.name for case in CASES}) == len(CASES) == 100
    assert sum(not case.package for case in CASES) == 40
    assert len(packages()) == 6


def test_labels_are_well_formed() -> None:
    for case in CASES:
        assert "::" in case.test, case.name
        assert not (case.input and not case.file), case.name
        assert not (case.is_example and case.file), case.name
        for piece in (*case.input, *case.also):
            assert piece.count("«") == piece.count("»") <= 1, case.name


def test_the_input_of_each_shape_stands_in_its_file_once() -> None:
    for case in CASES:
        if case.package:
            continue
        own = case.test.partition("::")[0]
        assert own in case.files, case.name
        compile(case.files[own], own, "exec")
        if case.file:
            assert spans_of(case.files[case.file], case.input), case.name
            assert spans_of(case.files[case.file], case.also), case.name


def test_a_shape_is_laid_with_its_archives_packed(tmp_path: Path) -> None:
    files = {"test_it.py": TEXT, "data/log.gz": "one\n"}
    lay(dataclasses.replace(CASE, files=files), tmp_path / "project")
    assert (tmp_path / "project/test_it.py").read_text() == TEXT
    assert gzip.decompress((tmp_path / "project/data/log.gz").read_bytes()) == b"one\n"


def test_a_marked_part_is_found_by_what_is_around_it() -> None:
    assert spans_of('f("a") == "a"', ['== «"a"»']) == [(10, 13)]
    with pytest.raises(ValueError, match="2 times in the file"):
        spans_of('f("a") == "a"', ['"a"'])


@pytest.mark.parametrize(
    ("values", "after", "graded"),
    [
        ({}, {"test_it.py": TEXT.replace('{"a": 1}, ', "")}, "found"),
        ({}, {}, "found"),  # Nothing can go: the place alone says what was taken.
        ({"where": "test_it.py:2:12, test_it.py:3:25"}, {}, "found"),
        ({"where": ["test_it.py:2:12", "test_it.py:3:25"]}, {}, "found"),
        ({"where": "test_it.py:2:14", "bytes_before": 3}, {}, "wrong"),  # A word of the list.
        ({"where": "test_it.py:3:25"}, {}, "wrong"),
        ({"where": None}, {"test_it.py": TEXT.replace('"odd"\n', '"o"\n')}, "wrong"),
        ({"where": None}, {"data/in.csv": "a\n"}, "wrong"),
        ({"where": None, "output": "test_it.py"}, {}, "wrong"),  # Its code was reduced.
    ],
)
def test_what_is_taken_or_changed_outside_of_the_label_is_wrong(
    values: dict[str, object], after: dict[str, str], graded: str
) -> None:
    assert grade(CASE, FILES, Answer(done(**values), "", after)) == graded


def test_what_may_change_with_the_input_is_no_other_input() -> None:
    case = dataclasses.replace(CASE, also=('== «"odd"»',))
    after = {"test_it.py": TEXT.replace('"odd"', '"o"')}
    assert grade(case, FILES, Answer(done(), "", after)) == "found"


def test_a_part_of_the_source_will_do_where_the_program_sees_less() -> None:
    answer = Answer(done(where="test_it.py:2:27", bytes_before=3))
    assert grade(CASE, FILES, answer) == "wrong"
    assert grade(dataclasses.replace(CASE, bytes=3), FILES, answer) == "found"


def test_an_encoded_input_is_what_the_program_decodes() -> None:
    case = dataclasses.replace(CASE, bytes=17, is_encoded=True)
    assert grade(case, FILES, Answer(done(bytes_before=17))) == "found"
    assert grade(case, FILES, Answer(done(bytes_before=24))) == "wrong"


def test_a_whole_file_is_the_input_of_a_test_that_reads_it() -> None:
    case = dataclasses.replace(CASE, file="data/in.csv", input=())
    whole = done(where=None, output="data/in.csv", bytes_before=8)
    assert grade(case, FILES, Answer(whole, "", {"data/in.csv": "a\n"})) == "found"
    assert grade(case, FILES, Answer(whole)) == "found"
    assert grade(case, FILES, Answer(done())) == "wrong"


def test_without_an_input_only_the_code_may_be_reduced() -> None:
    case = dataclasses.replace(CASE, file="", input=())
    code = done(output="test_it.py")
    del code["where"]
    assert grade(case, FILES, Answer(code, "", {"test_it.py": "def test_it(): ...\n"})) == "found"
    assert grade(case, FILES, Answer(done())) == "wrong"


def test_an_example_is_found_where_it_is_added_to_the_test() -> None:
    case = dataclasses.replace(CASE, file="", input=(), is_example=True)
    added = {"test_it.py": '@example(text="\\\\")\n' + TEXT}
    assert grade(case, FILES, Answer(done(where=None), "", added)) == "found"
    assert grade(case, FILES, Answer(done(kind="example"))) == "found"
    assert grade(case, FILES, Answer(done())) == "wrong"


@pytest.mark.parametrize(
    ("said", "graded"),
    [
        ("boildown: 2 possible inputs. Type one of:\n  boildown a\n  boildown b\n", "asked"),
        ("boildown: the empty input fails, too; say --allow-empty.\n", "refused"),
        ("boildown: pytest ran no test. Name one as pytest does.\n", "dead end"),
        (
            "Traceback (most recent call last):\n"
            '  File "boildown/cli/main.py", line 3, in main\n'
            "KeyError: '--level'\n",
            "dead end",
        ),
    ],
)
def test_a_refusal_is_graded_by_what_it_says_to_do(said: str, graded: str) -> None:
    assert grade(CASE, FILES, Answer(None, said)) == graded


def test_runs_that_no_count_mentions_are_before_the_first_candidate() -> None:
    assert runs_before({"runs": 29, "preflight_runs": 4}, 31) == 6
    assert runs_before({"runs": 29, "preflight_runs": 4}, 1) == 4  # One process for all runs.
    counts = {"runs": 29, "preflight_runs": 4, "preflight_candidates": 1}
    assert runs_before(counts, 30) == 4
    assert runs_before({"runs": 4, "preflight_runs": 4, "candidates": 0}, 5) is None


def test_the_result_is_the_last_line_that_is_json() -> None:
    assert _json('pytest said\n{"bytes_before": 3}\n') == {"bytes_before": 3}
    assert _json('{"schema": "boildown/event@1"}\n') is None


def test_the_report_counts_labelled_tests_and_refusals_without_a_next_step() -> None:
    other, none = (dataclasses.replace(CASE, name=name) for name in ("two", "three"))
    none = dataclasses.replace(none, file="", input=())
    rows = {
        "one": Row("one", "found", "test_it.py:2:12", 6, (24, 9), 20, 3.2),
        "two": Row("two", "wrong", "test_it.py:3:25", 4, (5, 1), 10, 2.0),
        "three": Row("three", "dead end", runs=1, said="no | way"),
    }
    told = summary([CASE, other, none], rows)
    assert "2 tests with an input: 1 found, 1 wrong, 0 asked" in told
    assert "Found at once: 50% (goal: 85%)" in told
    assert "0 of 1 tests without an input are taken for that" in told
    assert "Of all 3, 1 are refused without a next step" in told
    assert "Runs before the first candidate: 5 (median)." in told
    shown = report([CASE, other, none], {}, rows)
    assert (
        "| one | `test_it.py::test_it` | test_it.py | found | test_it.py:2:12 | 6 | 24 → 9 | 20 "
        "| 3 |" in shown
    )
    assert "| no \\| way |" in shown
    assert "| shapes | 3 | 1 | 1 | 0 | 0 | 1 | 0 |" in shown
    assert "## Before" not in shown


def test_the_rows_that_are_kept_are_of_tests_and_stand_in_the_report() -> None:
    kept = _load(BEFORE)
    assert kept.keys() <= {case.name for case in CASES}
    written = REPORT.read_text("utf-8")
    assert all(f"\n| {name} | " in written for name in kept)
