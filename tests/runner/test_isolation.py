"""Runs that write where they start, or elsewhere: they are kept apart, and results hold alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from boildown.jobs import reduce as reducing
from boildown.jobs.advice import for_terminal
from boildown.jobs.events import Event, Progress
from boildown.jobs.reduce import Reduced, reduce
from boildown.jobs.work import JobOptions
from boildown.runner import workspace as workspace_module
from boildown.runner.advice import code_of
from boildown.runner.command import Isolation, TestCommand, from_argv
from boildown.runner.preflight.preflight import preflight
from boildown.runner.runner import Runner

KEEPS = "cp $0 made; grep -q b $0 && exit 3; exit 0"
"""Leaves a file where it starts."""


def command(folder: Path, code: str, *options: Isolation) -> TestCommand:
    (folder / "crash.txt").write_text("a b c")
    isolate = {"isolate": options[0]} if options else {}
    return from_argv(["sh", "-c", code, "crash.txt"], Path("crash.txt"), folder, **isolate)


def kept_apart(judged: TestCommand) -> tuple[list[str], Runner]:
    """Return the notes of a preflight on what the command wrote, and its runner."""
    with Runner(judged, 4) as runner:
        notes = preflight(runner, "a b c").notes
    return [for_terminal(note) for note in notes if code_of(note) == "written"], runner


def test_runs_that_write_where_they_start_get_copies(tmp_path: Path) -> None:
    notes, runner = kept_apart(command(tmp_path, KEEPS))
    assert notes == ["The command wrote made; each worker has a copy of the folder."]
    assert (runner.jobs, runner.command.in_copy, runner.command.scratch) == (4, True, ("made",))


def test_a_file_that_a_failing_run_removes_again_is_seen(tmp_path: Path) -> None:
    """As that of a linker, which the empty input makes fail."""
    notes, _ = kept_apart(
        command(tmp_path, f"[ -s $0 ] || rm -f made; [ -s $0 ] || exit 1; {KEEPS}")
    )
    assert notes == ["The command wrote made; each worker has a copy of the folder."]


def test_a_run_finds_nothing_of_the_one_before(tmp_path: Path) -> None:
    with Runner(command(tmp_path, f"[ -e made ] && echo again; {KEEPS}")) as runner:
        preflight(runner, "a b c")
        assert [runner.run(text).stdout for text in ("b", "b")] == ["", ""]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param('cp $0 "{folder}/made"', id="by a path of its own"),
        pytest.param('cp $0 made; [ "$PWD" = "{folder}" ] || exit 0', id="fails here alone"),
    ],
)
def test_where_copies_do_not_help_one_runs_at_a_time(tmp_path: Path, code: str) -> None:
    script = f"{code.replace('{folder}', str(tmp_path))}; grep -q b $0 && exit 3; exit 0"
    notes, runner = kept_apart(command(tmp_path, script))
    assert notes == ["The command wrote made; running one at a time."]
    assert (runner.jobs, runner.command.in_copy) == (1, False)


def test_a_large_folder_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_module, "_COPIES_LIMIT", 4)
    notes, runner = kept_apart(command(tmp_path, KEEPS))
    assert notes == ["The command wrote made; running one at a time."]
    assert (runner.jobs, runner.command.in_copy) == (1, False)


def test_a_command_that_starts_in_the_temporary_folder_runs_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is everybody's, and copied for nobody."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    notes, _ = kept_apart(command(tmp_path, KEEPS))
    assert notes == ["The command wrote made; running one at a time."]


def test_who_wants_no_isolation_gets_none(tmp_path: Path) -> None:
    notes, runner = kept_apart(command(tmp_path, KEEPS, Isolation("none")))
    assert (notes, runner.jobs, runner.command.in_copy) == ([], 4, False)


def test_nothing_is_said_where_nothing_was_written(tmp_path: Path) -> None:
    notes, runner = kept_apart(command(tmp_path, "grep -q b $0 && exit 3; exit 0"))
    assert (notes, runner.jobs, runner.command.in_copy) == ([], 4, False)


@pytest.mark.parametrize("jobs", [1, 4])
def test_a_result_is_the_same_at_any_number_of_workers(tmp_path: Path, jobs: int) -> None:
    """The second step reads what the first has left, which another run may overwrite."""
    code = "tr -d ' ' < $0 > once; sleep 0.02; grep -q xy once && exit 3; exit 0"
    options = JobOptions("plain", jobs=jobs, fresh=True)
    done = reduce("first x y\nsecond\nthird", command(tmp_path, code), options)
    assert (done.text, done.verified) == ("xy", True)


def test_a_result_that_does_not_fail_alone_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs meet in a place that nobody sees: the search goes on from the step that holds, alone."""
    project, meeting = tmp_path / "project", tmp_path / "meeting"
    project.mkdir()
    meeting.touch()
    code = f"[ -e {meeting} ] && grep -q b $0 && exit 3; grep -q bc $0 && exit 3; exit 0"
    held = reducing._held

    def alone(*arguments: object) -> object:
        meeting.unlink(missing_ok=True)
        return held(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(reducing, "_held", alone)
    done = reduce("a bc d", command(project, code), JobOptions("plain", jobs=2, fresh=True))
    assert (done.text, done.verified, done.reduction.finished) == ("bc", True, True)
    assert "runs-met" in map(code_of, done.notes)
    assert [step.run for step in done.history] == sorted(step.run for step in done.history)
    assert done.history[-1].text == "bc"


def stopped_at_b(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Reduced:
    """Stop a job whose runs meet when its best text fails only where they do."""
    project, meeting = folder / "project", folder / "meeting"
    project.mkdir()
    meeting.touch()
    code = f"[ -e {meeting} ] && grep -q b $0 && exit 3; grep -q bc $0 && exit 3; exit 0"
    held, texts = reducing._held, [""]

    def alone(*arguments: object) -> object:
        meeting.unlink(missing_ok=True)
        return held(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(reducing, "_held", alone)

    def see(event: Event) -> None:
        if isinstance(event, Progress):
            texts.append(event.text)

    options = JobOptions("plain", jobs=2, fresh=True)
    return reduce("a bc d", command(project, code), options, see, lambda: texts[-1] == "b")


def test_a_stopped_job_writes_only_what_failed_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = stopped_at_b(tmp_path, monkeypatch)
    assert "bc" in done.text
    assert (done.verified, done.stopped, done.reduction.finished) == (True, "user", False)


def test_a_stopped_job_without_time_for_a_run_alone_has_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reducing, "_LAST_SECONDS", -1000.0)
    done = stopped_at_b(tmp_path, monkeypatch)
    assert (done.text, done.verified, done.stopped) == ("a bc d", False, "user")
    assert "unverified" in map(code_of, done.notes)


def test_a_stopped_job_whose_workers_have_copies_keeps_its_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a hang, for which there is no time."""
    monkeypatch.setattr(reducing, "_LAST_SECONDS", -1000.0)
    best = [""]

    def see(event: Event) -> None:
        if isinstance(event, Progress):
            best.append(event.text)

    options = JobOptions("plain", jobs=2, fresh=True)
    writes = command(tmp_path, "cat $0 > once; grep -q b once && exit 3; exit 0")
    done = reduce("a bc d", writes, options, see, lambda: len(best[-1]) in range(1, 6))
    assert (done.text, done.stopped, done.reduction.finished) == (best[-1], "user", False)
    assert 0 < len(done.text) < 6
