"""Each thing that can be wrong with a test command gets a message of its own."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boildown.files import read_text
from boildown.jobs.advice import for_terminal
from boildown.runner.advice import Message, code_of
from boildown.runner.command import Level, TestCommand, from_argv, from_predicate, parse_rule
from boildown.runner.preflight import diagnosis
from boildown.runner.preflight import preflight as preflight_module
from boildown.runner.preflight.causes import output_tail
from boildown.runner.preflight.preflight import (
    Preflight,
    PreflightError,
    choose_timeout,
    preflight,
)
from boildown.runner.run import Obstacle, Run
from boildown.runner.runner import Runner
from runner.commands import python, shell


def check(command: TestCommand, text: str = "text") -> Preflight:
    with Runner(command) as runner:
        return preflight(runner, text)


def problem(command: TestCommand, text: str = "text") -> tuple[Obstacle, str]:
    with pytest.raises(PreflightError) as caught:
        check(command, text)
    return caught.value.kind, for_terminal(caught.value.message)


def test_a_failure_that_happens_every_time(tmp_path: Path) -> None:
    code = "import sys\ntext = open(sys.argv[1]).read()\nif text: raise KeyError(text)"
    done = check(python(code, tmp_path))
    assert done.expected.signature == "exit 1: KeyError in <string>: <module>"
    assert done.expected.timeout == choose_timeout(done.run.took)
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
    assert kind is Obstacle.PASSES
    assert "--interesting" in message


def test_the_interestingness_test_does_not_hold(tmp_path: Path) -> None:
    kind, message = problem(shell("echo no such thing; exit 1", tmp_path, interesting=True))
    assert kind is Obstacle.NOT_INTERESTING
    assert message.endswith("It printed:\n    no such thing")


def test_interestingness(tmp_path: Path) -> None:
    done = check(shell("grep -q x $0", tmp_path, interesting=True))
    assert done.expected.signature == ""


def test_the_rule_for_reproductions_does_not_match(tmp_path: Path) -> None:
    kind, message = problem(shell("exit 1", tmp_path, reproduces=parse_rule("exit=2")))
    assert kind is Obstacle.PASSES
    assert "ended with exit 1" in message


def test_the_input_is_invalid(tmp_path: Path) -> None:
    kind, _ = problem(shell("exit 2", tmp_path, invalid=parse_rule("exit=2")))
    assert kind is Obstacle.INVALID


COUNTED = """
[ -s $0 ] || exit 0
echo >> count
n=$(wc -l < count)
"""


def test_flaky(tmp_path: Path) -> None:
    done = check(shell(COUNTED + "exit $((n % 3 % 2))", tmp_path))
    assert done.expected.rate == pytest.approx(7 / 20)
    assert done.expected.signature == "exit 1"
    assert "7 of 20 runs on the input gave 'exit 1', others 'exit 0'" in " ".join(
        map(for_terminal, done.notes)
    )


def test_too_flaky(tmp_path: Path) -> None:
    kind, message = problem(shell(COUNTED + "[ $n = 2 ] && exit 5; exit 0", tmp_path))
    assert kind is Obstacle.FLAKY
    assert "only 1 of 40 runs" in message


def test_a_rare_failure_is_worked_with_where_runs_are_asked_for(tmp_path: Path) -> None:
    with Runner(shell(COUNTED + "exit $((n % 15 == 0))", tmp_path)) as runner:
        assert preflight(runner, "x", 45).expected.rate == pytest.approx(3 / 45)


def test_an_input_that_fails_at_the_sixth_run_is_not_refused(tmp_path: Path) -> None:
    done = check(shell(COUNTED + "exit $((n % 6 == 0))", tmp_path))
    assert done.expected.rate == pytest.approx(3 / 20)


def test_two_failures_that_alternate(tmp_path: Path) -> None:
    done = check(shell(COUNTED + "exit $((1 + (n % 4 == 2)))", tmp_path))
    assert done.expected.signature == "exit 1"
    assert done.expected.rate == pytest.approx(15 / 20)


def test_not_found(tmp_path: Path) -> None:
    kind, message = problem(from_argv(["no-such-tool", "{file}"], Path("a.txt"), tmp_path))
    assert kind is Obstacle.NOT_FOUND
    assert message == "The program 'no-such-tool' was not found on PATH."


def test_a_name_that_no_file_can_have_is_of_no_program(tmp_path: Path) -> None:
    kind, message = problem(from_argv(["a" * 300, "{file}"], Path("a.txt"), tmp_path))
    assert kind is Obstacle.NOT_FOUND
    assert message == f"The program '{'a' * 60}…' was not found on PATH."


def test_not_executable(tmp_path: Path) -> None:
    (tmp_path / "check.sh").write_text("#!/bin/sh\nexit 1\n")
    kind, message = problem(from_argv(["./check.sh"], Path("a.txt"), tmp_path))
    assert kind is Obstacle.NOT_EXECUTABLE
    assert "chmod +x" in message


def test_the_failure_does_not_depend_on_the_input(tmp_path: Path) -> None:
    kind, message = problem(shell("echo broken >&2; exit 1", tmp_path))
    assert kind is Obstacle.EMPTY_REPRODUCES
    assert "{file}" in message
    assert message.endswith("It printed:\n    broken")


def refused_empty(command: TestCommand) -> str:
    kind, message = problem(command)
    assert kind is Obstacle.EMPTY_REPRODUCES
    return message


def test_advice_on_an_empty_input_that_fails_fits_the_command(tmp_path: Path) -> None:
    fine = (
        "; to take the empty input for the result, say --allow-empty, to find the smallest that is"
        " not empty, --no-allow-empty."
    )
    named = refused_empty(shell("exit 1", tmp_path))
    assert named == (
        "The empty input reproduces too: either the failure does not depend on the input, or the "
        "command does not read the candidate, whose path stands where {file} is in the command"
        f"{fine} It printed nothing."
    )
    piped = from_argv(["sh", "-c", "exit 1"], Path("crash.json"), tmp_path)
    assert "put {file} where the input's path goes in the command" + fine in refused_empty(piped)
    part = replace(shell("exit 1", tmp_path), content=lambda text: f"x = {text!r}")
    assert refused_empty(part).startswith(
        f"The empty input reproduces too: the test fails whatever the input is, as far as was tried"
        f"{fine}"
    )
    (tmp_path / "checks.py").write_text(
        "def fails(text): return True\n\ndef slips(text): return jsn.loads(text)\n"
    )
    predicate = from_predicate("checks:fails", Path("crash.json"), tmp_path)
    assert refused_empty(predicate).startswith(
        "The empty input reproduces too: the predicate 'checks:fails' holds for it, as it may for"
        f" any text{fine}"
    )
    slip = from_predicate("checks:slips", Path("crash.json"), tmp_path)
    assert refused_empty(slip).startswith(
        "The failure is a NameError in the predicate 'checks:slips' itself: name 'jsn' is not "
        "defined. If this is a slip in the predicate, mend it first. The empty input fails so, too."
    )


def test_an_empty_input_that_fails_in_another_way_is_told_apart(tmp_path: Path) -> None:
    code = "import sys\ntext = open(sys.argv[1]).read()\nraise ValueError(f'{len(text)} bytes')"
    assert refused_empty(python(code, tmp_path)) == (
        "The empty input fails too, in another way: 'exit 1: ValueError in <string>: <module>: 0 "
        "bytes' instead of 'exit 1: ValueError in <string>: <module>: 4 bytes'. To tell these "
        "apart, say --level message; to take the empty input for the result, say --allow-empty, to"
        " find the smallest that is not empty, --no-allow-empty."
    )
    done = check(python(code, tmp_path, allow_empty=True))
    assert (
        "The empty input of 'crash.json' reproduces too, so the result may be empty; to find the"
        " smallest that is not, say --no-allow-empty."
    ) in map(for_terminal, done.notes)
    check(python(code, tmp_path, level=Level.MESSAGE))


def test_an_empty_input_with_another_message_has_messages_compared(tmp_path: Path) -> None:
    code = (
        "import sys\nfor move in open(sys.argv[1]).read().split(';'):\n name, n = move.split()"
        "\n if n == '!': raise AssertionError('odd ' + name)"
    )
    done = check(python(code, tmp_path), "up 21;jump")
    told = "exit 1: ValueError in <string>: <module>: not enough values to unpack (expected 2, got "
    assert done.expected.signature == f"{told}1)"
    assert (
        f"The empty input fails, too, with another message: '{told}0)' instead of '{told}1)'. So a"
        " candidate must have the same message; if the empty input will do as a result, say"
        " --allow-empty."
    ) in map(for_terminal, done.notes)
    with Runner(python(code, tmp_path)) as runner:
        oracle = runner.oracle(done.expected)
        verdicts = [verdict.reproduced for verdict in oracle(["jump", "", "up 1", ";"])]
    assert verdicts == [True, False, False, False]


def test_a_message_that_holds_the_input_is_not_compared(tmp_path: Path) -> None:
    code = "import sys\ntext = open(sys.argv[1]).read()\nif text != '0': int(text + 'x')"
    assert "fails too, in another way" in refused_empty(python(code, tmp_path))


def test_a_predicate_that_fails_itself_on_some_inputs_is_suspected(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text("def slips(text):\n    if text: len(1)\n")
    done = check(from_predicate("checks:slips", Path("crash.json"), tmp_path))
    assert [note for note in map(for_terminal, done.notes) if "itself" in note] == [
        "The failure is a TypeError in the predicate 'checks:slips' itself: object of type 'int' "
        "has no len(). If this is a slip in the predicate, mend it first."
    ]


def test_an_empty_input_is_refused(tmp_path: Path) -> None:
    kind, message = problem(shell("exit 1", tmp_path), "")
    assert kind is Obstacle.USAGE
    assert message.startswith("The input is empty, so there is nothing to reduce; ")


def test_a_long_first_run_is_told_of_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "LONG_RUN_SECONDS", 0.1)
    monkeypatch.setattr(preflight_module, "LONG_RUN_SECONDS", 0.1)
    code = (
        f"while [ ! -e {tmp_path}/told ] || [ ! -e {tmp_path}/alive ]; do sleep 0.01; done\n"
        "[ ! -s $0 ]"
    )
    told: list[str] = []

    def tell(message: Message) -> None:
        told.append(for_terminal(message))
        (tmp_path / "told").touch()

    # It ends only because the user was told before, and saw that it lives.
    with Runner(shell(code, tmp_path)) as runner:
        preflight(runner, "x", 1, tell=tell, alive=(tmp_path / "alive").touch)
    assert told[0] == (
        "The first run takes more than 0 s. It is ended after 600 s; --timeout changes this."
        ' If the hang is the failure, say --reproduces "seconds>N".'
    )


def test_a_long_first_run_with_a_timeout_of_the_users_needs_no_advice_on_hangs(
    tmp_path: Path,
) -> None:
    note = diagnosis.long_run_note(shell("sleep 9", tmp_path, timeout=5), 5)
    assert for_terminal(note) == (
        "The first run takes more than 3 s. It is ended after 5 s; --timeout changes this."
    )


def test_too_slow_for_the_given_timeout(tmp_path: Path) -> None:
    kind, message = problem(shell("sleep 1000", tmp_path, timeout=0.1))
    assert kind is Obstacle.TIMES_OUT
    assert message == (
        "The command did not end within 0.1 s on the input. If it is only slow, give a longer "
        '--timeout; if the hang is the failure, say --reproduces "seconds>N" with more seconds of'
        " processor time than a run takes that ends, or, if it waits instead of computing,"
        " --reproduces timeout and --timeout 0.1."
    )


def test_no_duration_is_foretold_from_a_run_that_did_not_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "SLOW_RUN_SECONDS", 0.05)
    told: list[str] = []
    with (
        Runner(shell("sleep 1000", tmp_path, timeout=0.1)) as runner,
        pytest.raises(PreflightError),
    ):
        preflight(runner, "x", tell=lambda message: told.append(for_terminal(message)))
    assert told == []


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
    assert [line.strip() for line in output_tail(run).splitlines()][-len(wanted) :] == wanted


def test_an_input_of_any_bytes_is_read_and_run(tmp_path: Path) -> None:
    data = bytes(range(256)) + b"\r\n\xef\xbb\xbf"
    (tmp_path / "crash.bin").write_bytes(data)
    text = read_text(tmp_path / "crash.bin")
    command = from_argv(["cmp", "crash.bin", "{original}"], Path("crash.bin"), tmp_path)
    assert command.argv == ("cmp", "{file}", "{original}")
    with Runner(command) as runner:
        assert runner.run(text).status == 0


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
            notes = map(for_terminal, preflight(runner, "[1, 2]", 1, trivial).notes)
        found = [note for note in notes if "two values are equal" in note]
        assert bool(found) is heard
        advice = (
            f"even {tried!r}. Name a version that gets it right, such as --good pip:NAME==VERSION,"
            " or keep the values with --level message."
        )
        assert all(advice in note for note in found)
    only_this = EQUALITY.replace("if text", "if '1' in text")
    with Runner(python(only_this, tmp_path)) as runner:
        notes = map(for_terminal, preflight(runner, "[1, 2]", 1, trivial).notes)
        assert not any("equal" in note for note in notes)


def test_an_assertion_of_equality_that_any_input_fails(tmp_path: Path) -> None:
    code = "import sys\nraise AssertionError(f'{len(open(sys.argv[1]).read())} != 9')"
    kind, message = problem(python(code, tmp_path))
    assert kind is Obstacle.EMPTY_REPRODUCES
    assert "--level message" in message
    done = check(python(code, tmp_path, level=Level.MESSAGE))
    assert done.expected.signature.endswith(": 4 != 9")


RENDERED = """
import sys
text = open(sys.argv[1]).read()
raise AssertionError(f"{'&lt;' * 9!r} not found in {'<p>' + text + '</p>'!r}")
"""


def test_an_assertion_that_shows_the_input_has_its_values_kept(tmp_path: Path) -> None:
    done = check(python(RENDERED, tmp_path), "<b>some text")
    assert (
        "The failure is an assertion that almost any other input fails, too. So the values that it"
        " shows must stay as they are. Name a version that gets it right, such as --good"
        " pip:NAME==VERSION, and a shorter input may do."
    ) in map(for_terminal, done.notes)
    assert done.expected.signature.endswith("'<p><b>some text</p>'")
    # A value as short as the input could be the result, which is right of itself.
    for code in (RENDERED.replace("'<p>' + text + '</p>'", "text"), RENDERED.replace("text +", "")):
        assert "The empty input" in refused_empty(python(code, tmp_path))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("no-such-program $0", "Exit 127 from a shell means that a program was not found."),
        ("exec sh $(echo nowhere.sh) $0", "relative paths start at {cwd}."),
        ("echo usage: tool FILE >&2; exit 2", "complains about its arguments"),
    ],
)
def test_hints(tmp_path: Path, code: str, words: str) -> None:
    kind, message = problem(shell(code, tmp_path))
    assert kind is Obstacle.EMPTY_REPRODUCES
    assert words.format(cwd=tmp_path) in message
    assert problem(shell(code, tmp_path, interesting=True))[0] is Obstacle.NOT_INTERESTING


def test_a_trivial_input_that_fails_too_is_noted(tmp_path: Path) -> None:
    with Runner(shell("[ ! -s $0 ]", tmp_path)) as runner:
        done = preflight(runner, "[1, 2]", trivial="0")
    assert "Even '0' fails like the input, so little else can matter in it." in map(
        for_terminal, done.notes
    )
    assert done.runs == 5


@pytest.mark.slow
def test_slow_runs_are_announced_after_the_first(tmp_path: Path) -> None:
    told: list[tuple[int, str]] = []

    def take(note: Message) -> None:
        told.append((runner.runs, for_terminal(note)))

    with Runner(shell("sleep 1.01; [ ! -s $0 ]", tmp_path)) as runner:
        done = preflight(
            runner, "x", 2, tell=lambda note: told.append((runner.runs, for_terminal(note)))
        )
    (note,) = (note for note in map(for_terminal, done.notes) if note.startswith("A run takes 1."))
    assert "Inputs of this size need some 15 to 60 runs, so expect 1" in note
    assert (1, note) in told
    assert [note for _, note in told] == list(map(for_terminal, done.notes))


class Busy(Runner):
    """Runs on a machine that has no processor for them for a minute each, as a guardian tells."""

    def run(self, *arguments: Any, **options: Any) -> Run:
        run = super().run(*arguments, **options)
        return replace(run, seconds=run.seconds + 60, waited=run.waited + 60)


def test_a_busy_machine_makes_no_fewer_runs_and_no_longer_timeout(tmp_path: Path) -> None:
    with Busy(shell("exit 0", tmp_path)) as runner, pytest.raises(PreflightError) as caught:
        preflight(runner, "text")
    assert "the command exits with 0 in 10 runs" in for_terminal(caught.value.message)
    with Busy(shell("[ ! -s $0 ]", tmp_path)) as runner:
        done = preflight(runner, "text")
    assert done.measured.took < 60
    assert done.expected.timeout == choose_timeout(done.run.took)
    assert done.seconds >= 60


def test_the_empty_input_is_an_answer_where_others_pass(tmp_path: Path) -> None:
    """As of a program that rejects a file of less than two lines."""
    code = "import sys\nif len(open(sys.argv[1]).read()) in (0, 4): raise ValueError('too short')"
    told = next(
        note for note in check(python(code, tmp_path)).notes if "empty" in for_terminal(note)
    )
    assert (code_of(told), for_terminal(told)) == (
        "empty-reproduces",
        "The empty input of 'crash.json' reproduces too, so the result may be empty; to find the"
        " smallest that is not, say --no-allow-empty.",
    )


def test_a_file_that_the_command_names_and_that_is_missing_comes_first(tmp_path: Path) -> None:
    file = Path("crash.json")
    command = from_argv([sys.executable, "-S", "typo.py", "crash.json"], file, tmp_path)
    kind, message = problem(command)
    assert kind is Obstacle.NOT_FOUND
    told = f"The command names 'typo.py', and there is no such file in {tmp_path}."
    assert message.startswith(told)
