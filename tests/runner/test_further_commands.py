"""Candidates that are judged by two or three commands, one by one in the same places."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from boildown.engine.oracle import Outcome, Verdict
from boildown.jobs.advice import for_terminal
from boildown.runner.command import (
    Compare,
    Isolation,
    Level,
    TestCommand,
    from_argv,
    from_predicate,
)
from boildown.runner.judging.judge import Expected, described
from boildown.runner.preflight.preflight import PreflightError, preflight
from boildown.runner.resuming.resume import job_key
from boildown.runner.rules import parse_rule
from boildown.runner.run import CannotRun, Obstacle
from boildown.runner.runner import Runner
from runner.commands import shell

# Fails where there is an `a`, and says so with the line, which the other version does not.
NEW = "if grep -q a $0; then echo no a >&2; exit 3; fi; tr b B < $0"
OLD = "if grep -q hang $0; then sleep 60; fi; if grep -q c $0; then exit 5; fi; cat $0"


def old(code: str = OLD) -> list[str]:
    return ["sh", "-c", code, "{file}"]


def judged(command: TestCommand, original: str, texts: Sequence[str]) -> list[Verdict]:
    with Runner(command) as runner:
        expected = preflight(runner, original).expected
        return list(runner.oracle(expected)(texts))


def problem(command: TestCommand, text: str) -> tuple[Obstacle, str]:
    with Runner(command) as runner, pytest.raises(PreflightError) as caught:
        preflight(runner, text)
    return caught.value.kind, for_terminal(caught.value.message)


def test_outputs_must_differ_as_they_do_on_the_original(tmp_path: Path) -> None:
    command = shell(NEW, tmp_path, good=old(), compare=Compare.OUTPUT)
    crash, other = "exit 3 instead of exit 0", "exit 0, with other output"
    same, both = Verdict(Outcome.PASSED), "exit 3 instead of exit 5"
    texts = ["a", "x", "b", "ac", "bc", "bx"]
    assert judged(command, "ax", texts) == [
        Verdict(Outcome.REPRODUCED, crash),
        same,
        Verdict(Outcome.PASSED, other),
        Verdict(Outcome.PASSED, both),
        Verdict(Outcome.PASSED, "exit 0 instead of exit 5"),
        Verdict(Outcome.PASSED, other),
    ]
    assert [verdict.reproduced for verdict in judged(command, "xb", texts)] == [
        *(False, False, True),
        *(False, False, True),
    ]


def test_where_both_fail_alike_nothing_has_passed(tmp_path: Path) -> None:
    command = shell(
        "grep b $0 && exit 1; tr c C < $0",
        tmp_path,
        good=old("grep b $0 && exit 1; cat $0"),
        compare=Compare.OUTPUT,
    )
    assert judged(command, "xc", ["b", "x"]) == [
        Verdict(Outcome.PASSED, "exit 1 with both commands"),
        Verdict(Outcome.PASSED),
    ]


def test_the_level_message_compares_the_parts_that_differ(tmp_path: Path) -> None:
    code = "tr bd BD < $0"
    command = shell(
        code, tmp_path, good=["cat", "{file}"], compare=Compare.OUTPUT, level=Level.MESSAGE
    )
    seen = judged(command, "xxb", ["b", "d"])
    assert seen == [
        Verdict(Outcome.REPRODUCED, "exit 0, with other output: 'B' instead of 'b'"),
        Verdict(Outcome.PASSED, "exit 0, with other output: 'D' instead of 'd'"),
    ]


def test_a_person_sees_where_outputs_begin_to_differ(tmp_path: Path) -> None:
    with Runner(
        shell("tr b B < $0", tmp_path, good=["cat", "{file}"], compare=Compare.OUTPUT)
    ) as runner:
        text = f"same\n{'x' * 100}b{'y' * 100}\nb"
        told = described(runner.command, runner.run(text))
    around = "x" * 20
    assert told == (
        f"exit 0, with other output: '…{around}B{'y' * 39}…' instead of '…{around}b{'y' * 39}…'"
    )


def test_the_paths_of_a_run_are_no_difference(tmp_path: Path) -> None:
    command = shell(
        'echo "$0 in $(dirname $0)"; cat $0', tmp_path, good=old("echo $0"), compare=Compare.OUTPUT
    )
    with Runner(command) as runner:
        run = runner.run("x")
    assert run.other is not None
    assert run.file != run.other.file
    same = shell("echo $0", tmp_path, good=old("echo $0"), compare=Compare.OUTPUT)
    kind, message = problem(same, "x")
    assert kind is Obstacle.PASSES
    assert message.startswith(
        "Both commands print the same on the input and end with exit 0, so nothing differs that"
        " could be kept. It printed:\n"
    )


def test_a_difference_may_be_asked_of_runs_that_a_rule_describes(tmp_path: Path) -> None:
    command = shell(
        NEW, tmp_path, good=old(), compare=Compare.OUTPUT, reproduces=parse_rule("stdout=B")
    )
    outcomes = [verdict.outcome for verdict in judged(command, "bx", ["b", "bc", "a", "x"])]
    assert outcomes == [Outcome.REPRODUCED] * 2 + [Outcome.PASSED] * 2


def test_a_regression_is_a_failure_that_the_good_version_has_not(tmp_path: Path) -> None:
    verdicts = judged(shell(NEW, tmp_path, good=old()), "ax", ["a", "x", "ac", "c"])
    assert verdicts == [
        Verdict(Outcome.REPRODUCED, "exit 3"),
        Verdict(Outcome.PASSED),
        Verdict(Outcome.PASSED, "exit 3; the other command: exit 5"),
        Verdict(Outcome.PASSED),
    ]
    # The good version is not asked where the test command decides alone.
    assert [verdict.runs for verdict in verdicts] == [2, 1, 2, 1]


def test_a_hang_of_the_other_command_says_nothing(tmp_path: Path) -> None:
    for options in ({"good": old()}, {"good": old(), "compare": Compare.OUTPUT}):
        command = shell(NEW, tmp_path, timeout=2.0, **options)
        with Runner(command) as runner:
            verdict, _ = runner.verdict("a hang", Expected("exit 3", 2.0))
        assert (verdict.outcome, verdict.runs) == (Outcome.TIMEOUT, 2)
        kind, message = problem(command, "a hang")
        assert kind is Obstacle.TIMES_OUT
        assert message == (
            "The other command did not end within 2.0 s on the input; give a longer --timeout."
        )


def test_the_quick_command_spares_the_dear_one(tmp_path: Path) -> None:
    log = tmp_path / "dear"
    command = shell(
        f"echo >> {log}; {NEW}", tmp_path, quick=["grep", "-q", "a"], isolate=Isolation("none")
    )
    with Runner(command) as runner:
        found = preflight(runner, "ax")
        # Three times the original by both commands, and the empty input by the quick one.
        assert found.runs == 7
        dear = len(log.read_text())
        verdicts = list(runner.oracle(found.expected)(["a", "x", "b", "ab"]))
    assert dear == 3
    assert len(log.read_text()) - dear == 2
    assert verdicts == [
        Verdict(Outcome.REPRODUCED, "exit 3"),
        Verdict(Outcome.INVALID),
        Verdict(Outcome.INVALID),
        Verdict(Outcome.REPRODUCED, "exit 3"),
    ]
    assert [verdict.runs for verdict in verdicts] == [2, 1, 1, 2]


def test_three_commands_take_three_runs_and_a_flaky_failure_more(tmp_path: Path) -> None:
    command = shell(NEW, tmp_path, quick=["true"], good=old())
    with Runner(command) as runner:
        verdict, _ = runner.verdict("a", Expected("exit 3", 5.0))
        assert verdict.runs == 3
        flaky, _ = runner.verdict("a", Expected("exit 3", 5.0, rate=0.5))
    # Three verdicts, of which the first alone asks the quick command.
    assert flaky.runs == 7


def test_a_difference_takes_two(tmp_path: Path) -> None:
    with pytest.raises(CannotRun) as caught:
        shell(NEW, tmp_path, compare=Compare.OUTPUT)
    told = "--compare output compares with the version named by --good."
    assert for_terminal(caught.value.message) == told


@pytest.mark.parametrize(
    ("options", "kind", "told"),
    [
        (
            {"quick": ["sh", "-c", "echo no; exit 4"]},
            Obstacle.NOT_INTERESTING,
            "The quick command must exit with 0 on the input, or the test command would never be"
            " run, but it ended with exit 4. It printed:\n    no",
        ),
        (
            {"good": ["sh", "-c", "echo bad; exit 4"]},
            Obstacle.PASSES,
            "The command that must pass fails on the input, too: it ended with exit 4, so this is"
            " no regression, or it is not the version that is good. It printed:\n    bad",
        ),
        (
            {"good": ["sh", "-c", "exit 3"], "compare": Compare.OUTPUT},
            Obstacle.PASSES,
            "Both commands print the same on the input and end with exit 3, so nothing differs that"
            " could be kept. It printed:\n    no a",
        ),
        (
            {"good": ["no-such-tool"]},
            Obstacle.NOT_FOUND,
            "The program 'no-such-tool' was not found on PATH.",
        ),
    ],
)
def test_an_original_that_another_command_refuses(
    tmp_path: Path, options: dict[str, object], kind: Obstacle, told: str
) -> None:
    assert problem(shell(NEW, tmp_path, **options), "a") == (kind, told)


def test_outputs_that_change_by_themselves_are_refused(tmp_path: Path) -> None:
    for test, other in (("echo $$", "test"), ("echo x", "other")):
        command = shell(test, tmp_path, good=old("echo $$"), compare=Compare.OUTPUT)
        kind, message = problem(command, "a")
        assert kind is Obstacle.FLAKY
        assert message == (
            f"The {other} command prints something else in each run on the same input, so a"
            " difference says nothing. Leave out what changes (times, addresses, the order of"
            " sets), in the program or with a filter, as in sh -c 'tool {file} | grep -v time'."
        )


def test_an_empty_input_on_which_outputs_differ_too(tmp_path: Path) -> None:
    kind, message = problem(
        shell("echo x; cat $0", tmp_path, good=old("cat $0"), compare=Compare.OUTPUT), "a"
    )
    assert kind is Obstacle.EMPTY_REPRODUCES
    assert message.startswith(
        "The empty input reproduces too: the outputs of the two commands differ on it as well; to"
        " take the empty input for the result, say --allow-empty, to find the smallest that is not"
        " empty, --no-allow-empty."
    )


def test_the_inputs_path_becomes_a_placeholder_in_each(tmp_path: Path) -> None:
    (tmp_path / "crash.txt").write_text("a")
    command = from_argv(
        ["new", "crash.txt"],
        Path("crash.txt"),
        tmp_path,
        quick="grep -q a",
        good=["old", "--in=crash.txt"],
    )
    assert (command.quick, command.good) == (("grep", "-q", "a"), ("old", "--in={file}"))


def test_a_command_without_the_inputs_path_gets_it_on_standard_input(tmp_path: Path) -> None:
    command = shell(
        "cat $0; pwd", tmp_path, good=["sh", "-c", "cat; ls; pwd"], compare=Compare.OUTPUT
    )
    with Runner(command) as runner:
        run = runner.run("x\n")
    assert run.stdout == f"x\n{tmp_path}\n"
    assert run.other is not None
    assert run.other.stdout == f"x\ncrash.json\n{run.other.directory}\n"


def test_all_run_in_the_same_mirror(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "crash.txt").write_text("original")
    (tmp_path / "limit").write_text("a")
    code = "grep -q -f limit crash.txt"
    command = from_argv(
        ["sh", "-c", f"! {code}"],
        Path("crash.txt"),
        tmp_path,
        quick=["sh", "-c", code],
        good=["sh", "-c", f"{code} && pwd"],
        isolate=Isolation("copy"),
    )
    with Runner(command) as runner:
        run = runner.run("xa")
        assert run.other is not None
        assert run.other.stdout not in ("", f"{tmp_path}\n")
        assert runner.run("x").turned_down
        assert runner.runs == 4
    assert (tmp_path / "crash.txt").read_text() == "original"


def test_a_predicate_stays_warm_beside_a_command(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text(
        "import os\nos.write(os.open('loads', 1089, 0o600), b'.')\n"
        "def fails(text):\n    return 'a' in text\n"
    )
    command = from_predicate(
        "checks:fails",
        Path("crash.txt"),
        tmp_path,
        good=["grep", "-vq", "c"],
        # It writes where it starts, and is to be loaded there.
        isolate=Isolation("none"),
    )
    texts = ["a", "ac", "x"] * 3
    verdicts = judged(command, "ax", texts)
    assert [verdict.reproduced for verdict in verdicts] == [True, False, False] * 3
    # By the first run, which is cold, and by the Python that has it loaded.
    assert (tmp_path / "loads").read_text() == ".."


def test_the_key_of_a_job_covers_the_programs_of_all(tmp_path: Path) -> None:
    (tmp_path / "old.sh").write_text("exit 0")
    command = shell("exit 1", tmp_path, good=["sh", "old.sh", "{file}"])
    before = job_key(command, "x")
    assert job_key(command, "x") == before
    os.utime(tmp_path / "old.sh", (1, 1))
    assert job_key(command, "x") != before
