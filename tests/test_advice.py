"""Advice in messages is worded by each front end, completely and in its own terms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boildown.jobs.advice import for_editor, for_program, for_terminal
from boildown.jobs.work import JOB_OPTIONS
from boildown.runner.advice import Advice, Message, Printed, filled
from boildown.runner.command import OPTIONS, Compare, TestCommand, from_argv, from_string
from boildown.runner.judging.judge import Expected
from boildown.runner.preflight import diagnosis
from boildown.runner.run import CannotRun, Obstacle, Run

COMMAND = from_argv(["tool", "{file}"], Path("crash.json"), Path("/project"))
INTERESTING = TestCommand(("tool",), Path("/project"), "crash.json", interesting=True)
UNEQUAL = Run(1, stderr="Traceback (most recent call last):\nAssertionError: 1 != 2\n")


def refusal(**options: object) -> Message:
    command = options.pop("command", "tool {file}")
    with pytest.raises(CannotRun) as refused:
        from_string(str(command), Path("crash.json"), Path("/project"), **options)
    return refused.value.message


MESSAGES: list[Message] = [
    diagnosis.no_reproduction(COMMAND, [Run(None, timed_out=True, seconds=3)]).message,
    diagnosis.no_reproduction(COMMAND, [Run(0)]).message,
    diagnosis.no_reproduction(INTERESTING, [Run(1)]).message,
    diagnosis.empty_reproduces(COMMAND, UNEQUAL, UNEQUAL).message,
    diagnosis.empty_reproduces(COMMAND, Run(1), Run(1)).message,
    diagnosis.long_run_note(COMMAND, 600),
    refusal(command="tool {file} | cat"),
    refusal(quick="tool {file} | cat"),
    refusal(compare=Compare.OUTPUT),
    refusal(good="old", compare=Compare.OUTPUT, interesting=True),
    diagnosis.other_reproduces(COMMAND, UNEQUAL, "0"),
    diagnosis.flaky_note(20, Expected("exit 1", 1.0, 0.5), ["exit 2"]),
    diagnosis.end_alone_note(Run(1)),
    *diagnosis.time_notes(COMMAND, Run(1, seconds=2), 3.0),
]


def test_advice_is_on_options_that_there_are() -> None:
    used = {part.option for message in MESSAGES for part in message if isinstance(part, Advice)}
    assert used <= OPTIONS.keys() | JOB_OPTIONS.keys() | {"command"}


@pytest.mark.parametrize(
    ("advice", "words"),
    [
        (Advice("timeout"), ("--timeout", "`timeout`", "timeout")),
        (Advice("timeout", 5.0), ("--timeout 5", "`timeout = 5.0`", "timeout=5.0")),
        (
            Advice("allow_empty", True),
            ("--allow-empty", "`allow_empty = true`", "allow_empty=True"),
        ),
        (Advice("level", "exit"), ("--level exit", '`level = "exit"`', 'level="exit"')),
        (
            Advice("good", "sh -c 'a | b'"),
            ("--good \"sh -c 'a | b'\"", "`good = \"sh -c 'a | b'\"`", "good=\"sh -c 'a | b'\""),
        ),
        (Advice("repeat", 30), ("`repeat = 30` in boildown.toml", "`repeat = 30`", "repeat=30")),
        (Advice("command", "sh tool"), ("-- sh tool", '`command = "sh tool"`', "sh tool")),
        (Advice("jobs"), ("--jobs", "`boildown.jobs`", "jobs")),
    ],
)
def test_each_front_end_words_advice_by_a_rule(advice: Advice, words: tuple[str, ...]) -> None:
    said = [words((advice,)) for words in (for_terminal, for_editor, for_program)]
    where = " Such a line goes into the [[input]] of boildown.toml."
    assert [each.removesuffix(where) for each in said] == list(words)


@pytest.mark.parametrize("message", MESSAGES)
def test_each_front_end_names_its_own_options_only(message: Message) -> None:
    option = re.compile(r"(?<!\w)--[a-z .]")
    assert not option.search(for_editor(message))
    assert not option.search(filled(message))
    assert not re.search(r"\s\s|\s[.;]", filled(message).partition(" It printed")[0])


def test_an_editor_says_where_its_options_go_and_leaves_outputs_alone() -> None:
    printed = Printed(" It printed:\n  --timeout")
    message = ("Say ", Advice("level", "message"), " to keep it.", printed)
    assert for_editor(message) == (
        'Say `level = "message"` to keep it. '
        "Such a line goes into the [[input]] of boildown.toml. It printed:\n  --timeout"
    )
    assert for_terminal(message) == ("Say --level message to keep it. It printed:\n  --timeout")
    assert for_editor(("Nothing to do.", printed)) == "Nothing to do. It printed:\n  --timeout"


def test_an_exception_says_its_message_in_neutral_terms() -> None:
    error = CannotRun(("Say ", Advice("interesting", True), "."), Obstacle.USAGE)
    assert str(error) == "Say interesting."
    flaky = diagnosis.PreflightError(diagnosis.STEADY_ADVICE, Obstacle.FLAKY)
    assert str(flaky).endswith("or compare less of the failure with level error or level exit.")
