"""Commands that put links where directories were: nothing behind a link is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from boildown.runner.advice import Message, code_of, filled
from boildown.runner.command import TestCommand, from_argv, isolation
from boildown.runner.runner import Runner

PRECIOUS = {"a.txt": "not to be lost", "deep/b.txt": "neither", "deep/er/c.txt": "nor this"}


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    folder = tmp_path / "victim"
    for name, text in PRECIOUS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "deep").chmod(0o750)
    return folder


def is_whole(folder: Path) -> bool:
    """Say whether a folder holds what it held, nothing more, with the permissions that it had."""
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    same = {name: path.read_text() for name, path in found.items()} == PRECIOUS
    return same and (folder / "deep").stat().st_mode & 0o777 == 0o750


def command(tmp_path: Path, script: str, isolate: str = "none") -> TestCommand:
    work = tmp_path / "project"
    (work / "data").mkdir(parents=True, exist_ok=True)
    (work / "data" / "case.txt").write_text("the original")
    (work / "pyproject.toml").write_text("")
    file = work / "data" / "case.txt"
    argv = ["sh", "-c", script, "sh"] + (["{file}"] if isolate != "none" else [])
    return from_argv(argv, file, work, isolate=isolation(isolate))


EXCHANGE = 'd={}; cd /; chmod -R u+rwx "$d"; rm -rf "$d"; ln -s {} "$d"; exit 3'


@pytest.mark.parametrize(
    "directory", ['"$(pwd -P)"', '"$TMPDIR"', '"$(dirname "$TMPDIR")"', '"$(dirname "$(pwd -P)")"']
)
def test_a_directory_exchanged_for_a_link(tmp_path: Path, victim: Path, directory: str) -> None:
    judged = command(tmp_path, EXCHANGE.format(directory, victim))
    with Runner(judged) as runner:
        for text in ("one", "two", "three"):
            assert runner.run(text).status == 3
            assert is_whole(victim)
    assert is_whole(victim)


def test_the_next_directory_is_a_link_already(tmp_path: Path, victim: Path) -> None:
    script = f'cd ..; for n in 2 3 4 5; do ln -s {victim} "$n"; done; exit 3'
    with Runner(command(tmp_path, script)) as runner:
        assert [runner.run(text).status for text in ("one", "two", "three")] == [3, 3, 3]
    assert is_whole(victim)


@pytest.mark.parametrize("folder", ["", "/data"])
def test_a_folder_of_a_mirror_exchanged_for_a_link(
    tmp_path: Path, victim: Path, folder: str
) -> None:
    script = EXCHANGE.format(f'"$(pwd -P){folder}"', victim)
    remarks: list[Message] = []
    judged = command(tmp_path, script, "copy")
    with Runner(judged, remark=remarks.append) as runner:
        assert [runner.run(text).status for text in ("one", "two", "three")] == [3, 3, 3]
        assert is_whole(victim)
    assert is_whole(victim)
    codes = [code_of(remark) for remark in remarks]
    assert codes[:1] == ["directory-replaced"]
    assert codes.count("directory-replaced") == 1


@pytest.mark.parametrize("isolate", ["none", "copy"])
@pytest.mark.parametrize("loss", ["rm {}", "for f in {}; do : > $f; done"])
def test_an_input_that_the_command_removes_is_there_again(
    tmp_path: Path, isolate: str, loss: str
) -> None:
    original = tmp_path / "project" / "data" / "case.txt"
    # A glob, for the path itself would become the candidate's.
    judged = command(tmp_path, loss.format(original.with_name("ca*.txt")) + "; exit 3", isolate)
    remarks: list[Message] = []
    with Runner(judged, remark=remarks.append) as runner:
        assert runner.run("one").status == 3
    assert original.read_text() == "the original"
    assert "it is there again" in " ".join(map(filled, remarks))
    assert {code_of(remark) for remark in remarks} == {"input-changed"}


def test_an_input_that_changes_stays_and_what_it_was_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    original = tmp_path / "project" / "data" / "case.txt"
    remarks: list[Message] = []
    judged = command(tmp_path, f"cd {original.parent}; echo new | tee ca*.txt; exit 3")
    with Runner(judged, remark=remarks.append) as runner:
        runner.run("one")
    assert original.read_text() == "new\n"
    (kept,) = (tmp_path / "state").rglob("*case.txt")
    assert kept.read_text() == "the original"
    assert str(kept) in " ".join(map(filled, remarks))
    assert {code_of(remark) for remark in remarks} == {"input-changed"}


def test_no_mirror_is_made_in_a_directory_that_was_exchanged(tmp_path: Path, victim: Path) -> None:
    """A run of another worker may do it before this worker has had its first."""
    judged = command(tmp_path, "cat data/case.txt; exit 3", "copy")
    with Runner(judged) as runner:
        worker = runner._free_worker(needed=True)
        assert worker is not None
        base = Path(worker.base)
        base.rename(tmp_path / "elsewhere")
        base.symlink_to(victim)
        run = runner.run("one")
        assert (run.status, run.stdout) == (3, "one")
        assert is_whole(victim)
    assert is_whole(victim)


def test_a_link_in_place_of_the_input_is_not_followed(tmp_path: Path, victim: Path) -> None:
    original = tmp_path / "project" / "data" / "case.txt"
    (victim / "empty").write_text("")
    judged = command(
        tmp_path, f"cd {original.parent}; ln -sf {victim}/empty $(echo ca*.txt); exit 3"
    )
    remarks: list[Message] = []
    with Runner(judged, remark=remarks.append) as runner:
        runner.run("one")
    assert (victim / "empty").read_text() == ""
    assert "has changed while the test command ran" in " ".join(map(filled, remarks))
    assert {code_of(remark) for remark in remarks} == {"input-changed"}


def test_an_input_that_is_there_again_has_its_permissions(tmp_path: Path) -> None:
    original = tmp_path / "project" / "data" / "case.txt"
    judged = command(tmp_path, f"rm {original.parent}/ca*.txt; exit 3")
    original.chmod(0o600)
    with Runner(judged) as runner:
        runner.run("one")
    assert original.read_text() == "the original"
    assert original.stat().st_mode & 0o777 == 0o600
