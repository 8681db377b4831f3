"""Files reduced by a test command, from a program."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boildown import CheckedFile, PreflightError, check, reduce_file, reducing_file
from boildown.jobs.work import JOB_OPTIONS
from boildown.library.files import FileOptions
from boildown.runner.run import CannotRun
from boildown.targets.test_command import OPTIONS, CommandError, RuleError
from runner.commands import left_in_temp

pytestmark = pytest.mark.contract

TOOL = """\
import sys
text = open(sys.argv[1], "rb").read()
if b"x" in text and b"\\xff" in text:
    raise ValueError("bad input")
"""

COMMAND = [sys.executable, "-I", "tool.py", "crash.txt"]


@pytest.fixture
def folder(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Give a folder with a tool and an input that it fails on; the working directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temp")))
    (tmp_path / "tool.py").write_text(TOOL)
    (tmp_path / "crash.txt").write_bytes(b"ab x cd\nef \xff gh\n")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert left_in_temp(5.0) == []


def test_a_file_is_reduced_by_a_command(folder: Path) -> None:
    reduction = reduce_file("crash.txt", COMMAND, jobs=1, timeout=60.0)
    assert reduction.text == "x\udcff"
    assert reduction.history[0].text == "ab x cd\nef \udcff gh\n"
    assert reduction.minimality == "1-character-minimal"
    assert (reduction.finished, reduction.stopped, reduction.flaky) == (True, None, None)
    assert reduction.failures is not None
    assert set(reduction.failures) == {
        f'exit 1: ValueError in {folder.name}/tool.py: <module>: `raise ValueError("bad input")`:'
        " bad input"
    }
    assert reduction.notes == (
        "'crash.txt' in the command is the input; each run gets a candidate there.",
    )
    assert (folder / "crash.txt").read_bytes() == b"ab x cd\nef \xff gh\n"
    assert sorted(path.name for path in folder.iterdir()) == ["crash.txt", "tool.py"]


def test_its_options_are_those_of_the_command_line(folder: Path) -> None:
    (folder / "sub").mkdir()
    reduction = reduce_file(
        Path("crash.txt"),
        f"{sys.executable} -I ../tool.py ../crash.txt",
        cwd="sub",
        timeout=60.0,
        reproduces="exit=1",
        level="exit",
        passes=["characters"],
        jobs=1,
    )
    assert reduction.text == "x\udcff"
    limited = reduce_file("crash.txt", COMMAND, max_runs=1, fresh=True)
    assert (limited.finished, limited.stopped) == (False, "runs")


def test_a_predicate_is_loaded_by_its_name(folder: Path) -> None:
    (folder / "checks.py").write_text("def fails(text):\n    return 'x' in text\n")
    assert reduce_file("crash.txt", python="checks:fails", jobs=1).text == "x"


def test_a_level_that_is_none_is_refused_with_those_that_are(folder: Path) -> None:
    told = r"^'level' must be one of: exit, error, location, message\.$"
    with pytest.raises(ValueError, match=told):
        reduce_file("crash.txt", COMMAND, level="x")


def test_a_function_is_no_command(folder: Path) -> None:
    with pytest.raises(TypeError, match=r"^The command is a function. Give the text to reduce"):
        reduce_file("crash.txt", len)  # type: ignore[arg-type]


def test_a_check_tells_how_it_fails(folder: Path) -> None:
    checked = check("crash.txt", COMMAND)
    assert isinstance(checked, CheckedFile)
    assert checked.failure.startswith("exit 1: ValueError in ")
    assert (checked.rate, checked.runs) == (1.0, 4)
    assert "\n" not in repr(checked)


def test_states_are_yielded_and_the_last_is_the_result(folder: Path) -> None:
    *states, result = reducing_file("crash.txt", COMMAND, jobs=1)
    assert (result.text, result.finished) == ("x\udcff", True)
    assert not any(state.finished for state in states)
    assert [state.runs for state in states] == sorted(state.runs for state in states)
    assert states[-1].text == "x\udcff"
    assert states[-1].history == (result.history[0], result.history[-1])


def test_who_stops_asking_ends_the_job(folder: Path) -> None:
    states = reducing_file("crash.txt", COMMAND, jobs=1)
    assert next(state for state in states if state.runs > 2).finished is False
    states.close()  # type: ignore[attr-defined]
    assert list(states) == []


def test_a_program_may_end_while_a_job_waits_to_be_asked(folder: Path) -> None:
    code = (
        f"from boildown import reducing_file; states = reducing_file('crash.txt', {COMMAND!r}); "
        "print(next(state.runs for state in states if state.runs > 2))"
    )
    environment = {**os.environ, "TMPDIR": tempfile.gettempdir()}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "3\n", "")


def test_a_folder_is_reduced_and_gives_back_its_files(folder: Path) -> None:
    (folder / "in").mkdir()
    for name, content in {"a.txt": "x\n", "b.txt": "b needle\n", "c.log": "needle\n"}.items():
        (folder / "in" / name).write_text(content)
    command = ["sh", "-c", "cat {dir}/b.txt {dir}/c.log | grep needle && exit 3; exit 0"]
    reduction = reduce_file("in", command, exclude=["*.log"], jobs=1, timeout=60.0)
    assert reduction.files == {"b.txt": "needle"}
    assert reduction.minimality == "1-character-minimal"
    assert check("in", command, include=["*.log"], timeout=60.0).failure == "exit 3"
    command[-1] = "cat in/*.log | grep needle && exit 3; exit 0"
    *_, last = reducing_file(["in/a.txt", "in/c.log"], command, jobs=1, timeout=60.0)
    assert list(last.files.values()) == ["needle"]
    with pytest.raises(TypeError, match="'include' and 'exclude' are for one folder"):
        reduce_file("crash.txt", command, include=["*"])


def test_errors_of_the_job_are_raised_where_it_is_iterated_over(folder: Path) -> None:
    states = reducing_file("crash.txt", ["true"])
    with pytest.raises(PreflightError, match="does not reproduce a failure"):
        list(states)


def test_all_that_the_command_line_can_be_told_the_library_can() -> None:
    own = {"cwd", "python", "include", "exclude"}
    typed = {row.name for row in OPTIONS.values() if row.need is not None}
    known = FileOptions.__annotations__.keys()
    assert typed | JOB_OPTIONS.keys() | own <= known <= OPTIONS.keys() | JOB_OPTIONS.keys() | own


REFUSED: list[tuple[tuple[object, ...], dict[str, Any], type[Exception], str]] = [
    (
        ("crash.txt", ["true"]),
        {},
        PreflightError,
        "The input does not reproduce a failure: the command exits with 0 in 10 runs. If the"
        " command is an interestingness test, for which 0 means that the failure is there, say"
        " interesting=True. If it fails only now and then, run it more often with repeat=30.",
    ),
    (
        ("crash.txt", [""]),
        {},
        CannotRun,
        "There is no test command.",
    ),
    (
        ("crash.txt", "tool | grep x"),
        {},
        CannotRun,
        "No shell is started, so the program would get '|' as it stands. For what a shell makes of"
        " it, type: sh -c 'tool | grep x'",
    ),
    (
        ("crash.txt", ["true"]),
        {"reproduces": "exit"},
        RuleError,
        "'reproduces' is wrong: 'exit' is no rule; say",
    ),
    (("crash.txt", ["true"]), {"timout": 3}, TypeError, "There is no option 'timout'. The options"),
    (
        ("crash.txt", ["true"]),
        {"python": "a:b"},
        TypeError,
        "Give a command or a predicate with python=, not both.",
    ),
    (("crash.txt",), {}, CommandError, "There is no test command for "),
    (("none.txt", ["true"]), {}, Exception, "There is no file "),
]


@pytest.mark.parametrize(("arguments", "options", "kind", "message"), REFUSED)
def test_a_refusal_says_which_argument_to_give(
    folder: Path,
    arguments: tuple[Any, ...],
    options: dict[str, Any],
    kind: type[Exception],
    message: str,
) -> None:
    with pytest.raises(kind) as refused:
        reduce_file(*arguments, **options)
    assert str(refused.value).startswith(message)
    assert message in str(refused.value)
