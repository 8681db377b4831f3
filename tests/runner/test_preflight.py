"""Each thing that can be wrong with a test command gets a message of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from boildown.runner.command import Level, TestCommand, from_argv, parse_rule
from boildown.runner.diagnosis import said
from boildown.runner.preflight import (
    Preflight,
    PreflightError,
    choose_timeout,
    preflight,
    read_input,
)
from boildown.runner.run import Problem, Run
from boildown.runner.runner import Runner
from runner.commands import python, shell


def check(command: TestCommand, text: str = "text") -> Preflight:
    with Runner(command) as runner:
        return preflight(runner, text)


def problem(command: TestCommand, text: str = "text") -> tuple[Problem, str]:
    with pytest.raises(PreflightError) as caught:
        check(command, text)
    return caught.value.kind, caught.value.message


def test_a_failure_that_happens_every_time(tmp_path: Path) -> None:
    code = "import sys\ntext = open(sys.argv[1]).read()\nif text: raise KeyError(text)"
    done = check(python(code, tmp_path))
    assert done.expected.signature == "exit 1: KeyError in <string>: <module>"
    assert done.expected.timeout == choose_timeout(done.run.seconds)
    assert done.runs == 4
    assert "KeyError" in done.run.stderr
    assert done.seconds > 0
    assert done.spread >= 0


def test_the_level_decides_what_is_compared(tmp_path: Path) -> None:
    code = "import sys\ntext = open(sys.argv[1]).read()\nif text: raise KeyError(text)"
    wanted = {
        Level.EXIT: "exit 1",
        Level.ERROR: "exit 1: KeyError",
        Level.LOCATION: "exit 1: KeyError in <string>: <module>",
        Level.MESSAGE: "exit 1: KeyError in <string>: <module>: 'text'",
    }
    for level, signature in wanted.items():
        assert check(python(code, tmp_path, level=level)).expected.signature == signature


def test_timeouts() -> None:
    assert choose_timeout(0.01) == 1
    assert choose_timeout(0.5) == 5
    assert choose_timeout(20) == 30


def test_a_given_timeout_stays(tmp_path: Path) -> None:
    assert check(shell("[ ! -s $0 ]", tmp_path, timeout=3.5)).expected.timeout == 3.5


def test_the_program_does_not_fail(tmp_path: Path) -> None:
    kind, message = problem(shell("exit 0", tmp_path))
    assert kind is Problem.PASSES
    assert "--interesting" in message


def test_the_interestingness_test_does_not_hold(tmp_path: Path) -> None:
    kind, message = problem(shell("echo no such thing; exit 1", tmp_path, interesting=True))
    assert kind is Problem.NOT_INTERESTING
    assert message.endswith("It printed:\n    no such thing")


def test_interestingness(tmp_path: Path) -> None:
    done = check(shell("grep -q x $0", tmp_path, interesting=True))
    assert done.expected.signature == ""


def test_the_rule_for_reproductions_does_not_match(tmp_path: Path) -> None:
    kind, message = problem(shell("exit 1", tmp_path, reproduces=parse_rule("exit=2")))
    assert kind is Problem.PASSES
    assert "ended with exit 1" in message


def test_the_input_is_invalid(tmp_path: Path) -> None:
    kind, _ = problem(shell("exit 2", tmp_path, invalid=parse_rule("exit=2")))
    assert kind is Problem.INVALID


COUNTED = """
[ -s $0 ] || exit 0
echo >> count
n=$(wc -l < count)
"""


def test_flaky(tmp_path: Path) -> None:
    done = check(shell(COUNTED + "exit $((n % 3 % 2))", tmp_path))
    assert done.expected.rate == pytest.approx(7 / 20)
    assert done.expected.signature == "exit 1"
    assert "7 of 20 runs on the input gave 'exit 1', others 'exit 0'" in " ".join(done.notes)


def test_too_flaky(tmp_path: Path) -> None:
    kind, message = problem(shell(COUNTED + "[ $n = 2 ] && exit 5; exit 0", tmp_path))
    assert kind is Problem.FLAKY
    assert "only 1 of 20 runs" in message


def test_two_failures_that_alternate(tmp_path: Path) -> None:
    done = check(shell(COUNTED + "exit $((1 + (n % 4 == 2)))", tmp_path))
    assert done.expected.signature == "exit 1"
    assert done.expected.rate == pytest.approx(15 / 20)


def test_not_found(tmp_path: Path) -> None:
    kind, message = problem(from_argv(["no-such-tool", "{file}"], Path("a.txt"), tmp_path))
    assert kind is Problem.NOT_FOUND
    assert message == "The program 'no-such-tool' was not found on PATH."


def test_not_executable(tmp_path: Path) -> None:
    (tmp_path / "check.sh").write_text("#!/bin/sh\nexit 1\n")
    kind, message = problem(from_argv(["./check.sh"], Path("a.txt"), tmp_path))
    assert kind is Problem.NOT_EXECUTABLE
    assert "chmod +x" in message


def test_the_failure_does_not_depend_on_the_input(tmp_path: Path) -> None:
    kind, message = problem(shell("echo broken >&2; exit 1", tmp_path))
    assert kind is Problem.EMPTY_REPRODUCES
    assert "{file}" in message
    assert message.endswith("It printed:\n    broken")


def test_too_slow_for_the_given_timeout(tmp_path: Path) -> None:
    kind, message = problem(shell("sleep 1000", tmp_path, timeout=0.1))
    assert kind is Problem.TIMES_OUT
    assert "--reproduces timeout" in message


def test_a_hang_may_be_the_failure(tmp_path: Path) -> None:
    code = "[ -s $0 ] && sleep 1000"
    command = shell(code, tmp_path, timeout=0.2, reproduces=parse_rule("timeout"))
    assert check(command).expected.signature == "timeout"


@pytest.mark.parametrize(
    ("printed", "wanted"),
    [
        ("Traceback (most recent call last):\nKeyError: 1\n", ["KeyError: 1"]),
        ("no tests ran\n", ["no tests ran", "warning: old"]),
        ("", ["warning: old"]),
    ],
)
def test_warnings_hide_no_failure(printed: str, wanted: list[str]) -> None:
    run = Run(1, stdout=printed, stderr="warning: old\n")
    assert [line.strip() for line in said(run).splitlines()][-len(wanted) :] == wanted


def test_a_missing_input(tmp_path: Path) -> None:
    for path, words in [(tmp_path / "gone", "does not exist"), (tmp_path, "is a folder")]:
        with pytest.raises(PreflightError, match=words) as caught:
            read_input(path)
        assert caught.value.kind is Problem.FILE_MISSING


def test_an_input_of_any_bytes_is_read_and_run(tmp_path: Path) -> None:
    data = bytes(range(256)) + b"\r\n\xef\xbb\xbf"
    (tmp_path / "crash.bin").write_bytes(data)
    text = read_input(tmp_path / "crash.bin")
    command = from_argv(["cmp", "crash.bin", "{original}"], Path("crash.bin"), tmp_path)
    assert command.argv == ("cmp", "{file}", "{original}")
    with Runner(command) as runner:
        assert runner.run(text).status == 0


def test_changed_files_of_the_workspace_are_named(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    done = check(shell("echo >> log; [ ! -s $0 ]", tmp_path))
    assert [note for note in done.notes if "changed files" in note] == [
        f"Something changed files in {tmp_path} while the command ran: log. If that was the "
        "command, it may meet itself in parallel runs; --placement overlay gives each its own copy."
    ]


EQUALITY = """
import sys
text = open(sys.argv[1]).read()
if text: raise AssertionError(f"{len(text)} != 9")
"""


@pytest.mark.parametrize(("trivial", "tried"), [("[]", "[]"), (None, "0")])
def test_an_assertion_of_equality_that_another_input_fails(
    tmp_path: Path, trivial: str | None, tried: str
) -> None:
    for level, heard in [(Level.LOCATION, True), (Level.MESSAGE, False)]:
        with Runner(python(EQUALITY, tmp_path, level=level)) as runner:
            notes = preflight(runner, "[1, 2]", 1, trivial).notes
        found = [note for note in notes if "two values are equal" in note]
        assert bool(found) is heard
        assert all(f"even {tried!r}. Say --signature message" in note for note in found)
    only_this = EQUALITY.replace("if text", "if '1' in text")
    with Runner(python(only_this, tmp_path)) as runner:
        assert not any("equal" in note for note in preflight(runner, "[1, 2]", 1, trivial).notes)


def test_an_assertion_of_equality_that_any_input_fails(tmp_path: Path) -> None:
    code = "import sys\nraise AssertionError(f'{len(open(sys.argv[1]).read())} != 9')"
    kind, message = problem(python(code, tmp_path))
    assert kind is Problem.EMPTY_REPRODUCES
    assert "--signature message" in message
    done = check(python(code, tmp_path, level=Level.MESSAGE))
    assert done.expected.signature.endswith(": 4 != 9")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("no-such-program $0", "Exit 127 from a shell means that a program was not found."),
        ("exec sh nowhere.sh $0", "relative paths start at {cwd}."),
        ("echo usage: tool FILE >&2; exit 2", "complains about its arguments"),
    ],
)
def test_hints(tmp_path: Path, code: str, words: str) -> None:
    kind, message = problem(shell(code, tmp_path))
    assert kind is Problem.EMPTY_REPRODUCES
    assert words.format(cwd=tmp_path) in message
    assert problem(shell(code, tmp_path, interesting=True))[0] is Problem.NOT_INTERESTING


def test_a_trivial_input_that_fails_too_is_noted(tmp_path: Path) -> None:
    with Runner(shell("[ ! -s $0 ]", tmp_path)) as runner:
        done = preflight(runner, "[1, 2]", trivial="0")
    assert "Even '0' fails like the input, so little else can matter in it." in done.notes
    assert done.runs == 5


def test_slow_runs_are_announced_after_the_first(tmp_path: Path) -> None:
    told: list[tuple[int, str]] = []
    with Runner(shell("sleep 1.01; [ ! -s $0 ]", tmp_path)) as runner:
        done = preflight(runner, "x", 2, tell=lambda note: told.append((runner.runs, note)))
    (note,) = (note for note in done.notes if note.startswith("A run takes 1."))
    assert "so expect 2 min to " in note
    assert (1, note) in told
    assert [note for _, note in told] == list(done.notes)
