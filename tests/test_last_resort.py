"""Defects in each phase after the first result: what was known is the result, and a file tells."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from boildown.cli import patterns as cli_patterns
from boildown.cli import reduce as cli_reduce
from boildown.cli.main import main
from boildown.engine.exploring import explore as engine_explore
from boildown.engine.generalizing import generalize as engine_generalize
from boildown.engine.generalizing.given import GivenInput
from boildown.engine.oracle import from_test
from boildown.engine.passing import PassingTexts
from boildown.engine.problem import Problem
from boildown.engine.reducing import reduce as engine_reduce
from boildown.engine.reducing.passes import Pass
from boildown.jobs import defects
from boildown.jobs import explore as exploring
from boildown.jobs import generalize as generalizing
from boildown.jobs import reduce as reducing
from boildown.jobs.work import JobOptions
from boildown.languages import load_language
from boildown.library.laws import parse_law
from boildown.runner.advice import Message, code_of, filled
from boildown.runner.command import from_argv
from boildown.targets.test_command import TestCommand

TEXT = "hay needle hay"


class OddError(Exception):
    """A defect."""


def fail(*_arguments: object, **_options: object) -> Any:
    raise OddError("as planned")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".state"))
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(TEXT)
    Path("a.json").write_text('{"a": [1, -2]}')
    return tmp_path


def told(folder: Path, notes: tuple[Message, ...]) -> list[str]:
    """Return the phases of the defects in notes, whose files hold the traceback."""
    found = [filled(note) for note in notes if code_of(note) == defects.DEFECT]
    for sentence in found:
        assert re.search(r": OddError at test_last_resort\.py:\d+\. What was known", sentence)
        file = re.search(r"report it, with the file (.*)\.$", sentence)
        assert file is not None
        assert Path(file[1]).is_relative_to(folder / ".state")
        assert Path(file[1]).read_text().endswith("OddError: as planned\n")
    return [sentence.split("'")[1] for sentence in found]


def needle(folder: Path) -> TestCommand:
    script = "grep -q needle && exit 3; exit 0"
    return from_argv(["sh", "-c", script], folder / "a.txt", folder)


OF_A_REDUCTION = {
    "verify": "_verified",
    "layout": "_laid_out",
    "advice": "_advise",
    "failures": "_failures",
}


@pytest.mark.parametrize("phase", OF_A_REDUCTION)
def test_a_phase_after_a_reduction(
    folder: Path, monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    monkeypatch.setattr(reducing, OF_A_REDUCTION[phase], fail)
    result = reducing.reduce(TEXT, needle(folder))
    assert (result.text, result.verified) == ("needle", phase != "verify")
    assert result.reduction.minimality == "1-character-minimal"
    assert told(folder, result.notes) == [phase]


def test_the_closest_text_that_passes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PassingTexts, "closest", fail)
    result = reducing.reduce(TEXT, needle(folder))
    assert (result.text, result.verified, result.reduction.finished) == ("needle", True, True)
    assert told(folder, result.notes) == ["passing"]


def halve(problem: Problem) -> None:
    """Leave out the first part, and fail."""
    from boildown.engine.candidates import retext

    problem.consider(retext(problem, problem.text[4:]))
    fail()


def test_a_pass_in_the_middle_of_a_reduction(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_reduce, "named", lambda _names: (Pass("halve", halve),))
    result = reducing.reduce(TEXT, needle(folder))
    assert (result.text, result.verified) == ("needle hay", True)
    assert (result.reduction.finished, result.reduction.certificate) == (False, None)
    assert told(folder, result.notes) == ["halve"]


def test_what_is_around_a_reduction(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reduced(*arguments: Any, **options: Any) -> Any:
        engine_reduce.reduce(*arguments, **options)
        fail()

    monkeypatch.setattr(reducing, "reduce_text", reduced)
    result = reducing.reduce(TEXT, needle(folder))
    assert (result.text, result.verified, result.reduction.finished) == ("needle", True, False)
    assert told(folder, result.notes) == ["reduce"]


def negative(folder: Path) -> TestCommand:
    script = "grep -q -e - && exit 3; exit 0"
    return from_argv(["sh", "-c", script], folder / "a.json", folder)


OF_A_PATTERN = {
    "law": ("_law", True),
    "holes": ("_finish", False),
    "counterexamples": ("_refute_wider", False),
    "anywhere": ("_generalize_upwards", False),
    "recall": ("_recall", False),
    "given": ("run_given", True),
}
"""The function of each phase, and whether the pattern is finished without it."""


@pytest.mark.parametrize("phase", OF_A_PATTERN)
def test_a_phase_of_a_pattern(folder: Path, monkeypatch: pytest.MonkeyPatch, phase: str) -> None:
    function, finished = OF_A_PATTERN[phase]
    monkeypatch.setattr(engine_generalize, function, fail)
    law_runs, given = int(phase == "law"), (GivenInput("b", "[]", fails=False),)
    how = generalizing.GeneralizeOptions(
        samples=5, law_runs=law_runs, given=given if phase == "given" else ()
    )
    found = generalizing.generalize('{"a": [1, -2]}', negative(folder), None, how)
    assert found.pattern.text == "-2"
    assert found.pattern.finished is finished
    assert told(folder, found.notes) == [phase]


def test_a_law_that_cannot_stand_in_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    law = parse_law("//NUMBER < 0", "json")
    monkeypatch.setattr(engine_generalize, "_law", lambda *_: (law, True))
    monkeypatch.setattr(engine_generalize, "_doubt", lambda *_: None)
    monkeypatch.setattr(engine_generalize, "_stood_in", fail)
    how = generalizing.GeneralizeOptions(samples=5, law_runs=60)
    found = generalizing.generalize('{"a": [1, -2]}', negative(folder), None, how)
    assert found.pattern.law is law
    assert told(folder, found.notes) == ["law"]


def test_the_last_look_at_counterexamples(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_generalize, "_refute_wider", lambda *_: True)
    monkeypatch.setattr(engine_generalize, "with_counterexample", fail)
    how = generalizing.GeneralizeOptions(samples=5)
    found = generalizing.generalize('{"a": [1, -2]}', negative(folder), None, how)
    assert found.pattern.holes
    assert told(folder, found.notes) == ["counterexamples"]


def test_what_is_around_a_pattern(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_generalize, "MAX_COMPARED", None)
    monkeypatch.setattr(generalizing, "_reproduces", fail)
    how = generalizing.GeneralizeOptions(samples=5)
    found = generalizing.generalize('{"a": [1, -2]}', negative(folder), None, how)
    assert found.pattern.text == "-2"
    assert told(folder, found.notes) == ["verify"]


def test_an_exploration(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_explore._Search, "_met", fail)
    how = generalizing.GeneralizeOptions(samples=5)
    found = exploring.explore('{"a": [1, -2]}', negative(folder), None, how, mutants=5)
    assert found.exploration is not None
    assert [each.pattern.text for each in found.exploration.found] == ["-2"]
    assert not found.finished
    assert told(folder, found.notes) == ["explore"]


def test_an_engine_without_a_caller_that_rescues_raises() -> None:
    oracle = from_test(lambda text: "needle" in text)
    with pytest.raises(OddError):
        engine_reduce.reduce(TEXT, oracle, load_language("plain"), [Pass("halve", halve)])


COMMAND = ["--max-runs", "500", "--", "sh", "-c", "grep -q needle && exit 3; exit 0"]


@pytest.mark.parametrize("function", ["summary", "_reported"])
def test_the_command_line_after_a_reduction(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    function: str,
) -> None:
    monkeypatch.setattr(cli_reduce, function, fail)
    assert main(["reduce", "a.txt", "--output", "b.txt", *COMMAND]) == defects.STATUS
    assert Path("b.txt").read_text() == "needle"
    error = capsys.readouterr().err
    assert "Traceback" not in error
    assert "boildown: A defect of Boildown has ended a part of the work" in error


def test_a_result_that_cannot_be_written_goes_to_standard_output(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli_reduce, "_write", fail)
    assert main(["reduce", "a.txt", "--output", "b.txt", *COMMAND]) == defects.STATUS
    assert capsys.readouterr().out == "needle"


def test_json_has_the_result_at_least(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli_reduce, "in_json", fail)
    assert main(["reduce", "a.txt", "--json", *COMMAND]) == defects.STATUS
    assert json.loads(capsys.readouterr().out)["text"] == "needle"


@pytest.mark.parametrize("function", ["sketch", "report", "dump_pattern"])
def test_the_command_line_after_a_pattern(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    function: str,
) -> None:
    monkeypatch.setattr(cli_patterns, function, fail)
    limits = ["--law-runs", "0", "--samples", "5"]
    script = "grep -q -e - && exit 3; exit 0"
    status = main(["generalize", "a.json", *limits, "--", "sh", "-c", script])
    assert status == defects.STATUS
    out, error = capsys.readouterr()
    assert "<" in out
    assert "Traceback" not in error


def test_any_other_defect_ends_a_command_with_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli_reduce, "read_input", fail)
    assert main(["reduce", "a.txt", *COMMAND]) == defects.STATUS
    error = capsys.readouterr().err
    assert error.startswith(
        "boildown: a defect of Boildown has ended it: OddError at test_last_resort"
    )
    assert "Traceback" not in error


def test_a_job_that_ends_by_what_the_user_gave_has_no_defect(folder: Path) -> None:
    how = generalizing.GeneralizeOptions(method="none")
    with pytest.raises(ValueError, match="There is no method called 'none'"):
        generalizing.generalize("-2", negative(folder), JobOptions(), how)
