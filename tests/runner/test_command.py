"""How a command as the user wrote it becomes a test command."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from boildown.runner.command import (
    Rule,
    RuleError,
    find_program,
    from_argv,
    from_string,
    parse_rule,
    rule_from_table,
)
from boildown.runner.run import CannotRun, Obstacle, Run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "crash.json").write_text("{}")
    (tmp_path / "check.py").write_text("")
    (tmp_path / "check.sh").write_text("")
    (tmp_path / "word").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        (["tool", "crash.json"], ["tool", "{file}"]),
        (["tool", "./crash.json"], ["tool", "{file}"]),
        (["tool", "--input=crash.json"], ["tool", "--input={file}"]),
        (["tool", "@crash.json"], ["tool", "@{file}"]),
        (["sh", "-c", "tool crash.json | grep x"], ["sh", "-c", "tool {file} | grep x"]),
        (["sh", "-c", "tool ./crash.json"], ["sh", "-c", "tool {file}"]),
        (["tool", "crash.json", "{file}"], ["tool", "crash.json", "{file}"]),
        (["tool", "my-crash.json", "crash.json"], ["tool", "my-crash.json", "{file}"]),
        (["tool", "crash.json.bak", "crash.json"], ["tool", "crash.json.bak", "{file}"]),
        (["tool", "{}", "${x}", "crash.json"], ["tool", "{}", "${x}", "{file}"]),
    ],
)
def test_the_inputs_own_path_becomes_a_placeholder(
    folder: Path, given: list[str], becomes: list[str]
) -> None:
    command = from_argv(given, Path("crash.json"), folder)
    assert command.argv == tuple(becomes)
    assert command.names_file
    assert command.name == "crash.json"
    assert command.original == folder / "crash.json"
    assert len(command.notes) == (0 if "{file}" in given else 1)


def test_an_absolute_path_and_a_link_are_the_input_too(folder: Path) -> None:
    (folder / "link").symlink_to(folder / "crash.json")
    argv = ["tool", str(folder / "crash.json"), "link"]
    command = from_argv(argv, folder / "crash.json", folder)
    assert command.argv == ("tool", "{file}", "{file}")


def test_a_command_without_the_input_runs_where_the_candidate_is(folder: Path) -> None:
    command = from_string("./check.sh 'a b' word -x", Path("crash.json"), folder)
    assert command.argv == (str(folder / "check.sh"), "a b", "word", "-x")
    assert not command.names_file
    command = from_argv(["python", "check.py", "--check.py"], Path("crash.json"), folder)
    assert command.argv == ("python", str(folder / "check.py"), "--check.py")
    assert command.notes[0] == f"'check.py' in the command is {folder / 'check.py'}."


def test_the_original_is_no_place_for_a_candidate(folder: Path) -> None:
    assert not from_argv(["cmp", "{original}"], Path("crash.json"), folder).names_file
    assert from_argv(["ls", "{dir}"], Path("crash.json"), folder).names_file


@pytest.mark.parametrize("runner", ["unittest", "pytest"])
def test_tests_run_in_a_mirror_of_the_workspace(folder: Path, runner: str) -> None:
    command = from_argv(["python3", "-m", runner, "test_it.It"], Path("crash.json"), folder)
    assert command.in_copy
    assert command.notes == (f"{runner} runs in a copy of the workspace, so that imports work.",)


@pytest.mark.parametrize(("text", "kind"), [("", Obstacle.USAGE), ("tool 'open", Obstacle.USAGE)])
def test_no_command(text: str, kind: Obstacle, folder: Path) -> None:
    with pytest.raises(CannotRun) as caught:
        from_string(text, Path("crash.json"), folder)
    assert caught.value.kind is kind


def test_programs_are_found_as_a_shell_finds_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(name: str) -> str:
        return find_program(from_argv([name, "{file}"], Path("crash.json"), folder))

    assert find(sys.executable) == sys.executable
    (folder / "bin").mkdir()
    (folder / "bin" / "tool").write_text("")
    (folder / "bin" / "tool").chmod(0o755)
    assert find("bin/tool") == str(folder / "bin/tool")
    monkeypatch.setenv("PATH", "bin")
    assert find("tool") == str(folder / "bin/tool")
    for name, kind in [
        ("nowhere", Obstacle.NOT_FOUND),
        ("./nowhere", Obstacle.NOT_FOUND),
        ("./bin", Obstacle.NOT_EXECUTABLE),
    ]:
        with pytest.raises(CannotRun) as caught:
            find(name)
        assert caught.value.kind is kind
    with pytest.raises(CannotRun, match=re.escape("to run it, say ./check.sh.")):
        find("check.sh")


@pytest.mark.skipif(os.name == "nt", reason="files there have no permission to execute")
def test_a_program_in_a_folder_comes_with_the_candidate_only_if_it_is_taken(tmp_path: Path) -> None:
    for name in ("run.sh", ".venv/bin/python"):
        program = tmp_path / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    for name, expected in (("run.sh", "{file}/run.sh"), (".venv/bin/python", None)):
        path = str(tmp_path / name)
        argv = [path, str(tmp_path / "data")]
        command = from_argv(argv, tmp_path, tmp_path, folder=True, files=("run.sh",))
        assert command.argv == (expected or path, "{file}/data")
        assert find_program(command) == (expected or path)


def test_a_program_without_the_permission_to_execute(folder: Path) -> None:
    with pytest.raises(CannotRun, match=r"chmod \+x") as caught:
        find_program(from_argv(["./check.sh"], Path("crash.json"), folder))
    assert caught.value.kind is Obstacle.NOT_EXECUTABLE


def test_rules() -> None:
    run = Run(status=3, stdout="one\ntwo", stderr="bad input\nat line 3")
    assert parse_rule("exit=3").matches(run)
    assert parse_rule("exit=1,3").matches(run)
    assert not parse_rule("exit=1").matches(run)
    assert parse_rule("stdout=^two$").matches(run)
    assert not parse_rule("stderr=two").matches(run)
    assert parse_rule(["exit=3", "stderr=line [0-9]"]).matches(run)
    assert not parse_rule(["exit=2", "stderr=line [0-9]"]).matches(run)
    assert parse_rule("exit=-11").matches(Run(status=None, signal=11))
    assert not parse_rule("timeout").matches(run)
    late = Run(status=None, timed_out=True, stderr="line 3")
    assert parse_rule("timeout").matches(late)
    assert not parse_rule("stderr=line").matches(late)
    assert not Rule().matches(run)


def test_rules_on_what_a_run_uses() -> None:
    run = Run(status=0, cpu=2.1, memory=500_000_001)
    assert parse_rule("seconds>2").matches(run)
    assert parse_rule("seconds > 2").seconds == 2.0
    assert not parse_rule("seconds>2").matches(run, margin=0.1)
    assert not parse_rule("seconds>2.1").matches(run)
    assert parse_rule("memory>500").matches(run)
    assert not parse_rule(["memory>500", "seconds>3"]).matches(run)
    assert not parse_rule(["memory>500", "exit=1"]).matches(run)
    assert parse_rule(["memory>500", "exit=0"]).used(run) == ", 500 MB"
    late = Run(status=None, timed_out=True, cpu=2.1)
    assert parse_rule("seconds>2").matches(late)
    assert not parse_rule("seconds>3").matches(late)
    assert parse_rule(["seconds>3", "timeout"]).matches(late)
    assert not parse_rule(["seconds>2", "exit=0"]).matches(late)
    table = {"seconds": 2, "memory": 0.5}
    assert rule_from_table(table) == parse_rule(["seconds>2", "memory>0.5"])


@pytest.mark.parametrize(
    "text",
    [
        *("exit", "exit=x", "stderr", "stderr=(", "signal=3", "timeout=3", ""),
        *("seconds", "seconds=2", "seconds>", "seconds>-1", "memory>nan", "memory>x"),
    ],
)
def test_wrong_rules_are_explained(text: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_rule(text)
    assert str(caught.value).endswith(".")
