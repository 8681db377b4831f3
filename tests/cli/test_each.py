"""`reduce --each`: one reduced input for each bug of a folder of crashes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from boildown.files import FileError
from boildown.jobs.each import _EachJob as EachJob
from boildown.jobs.work import JobOptions
from boildown.runner.command import TestCommand, from_argv
from boildown.runner.limits import JobLimits
from boildown.runner.resuming.cache import Store
from boildown.targets.crashes import crash_files, with_placeholder
from cli.typed import boildown

PROGRAM = """\
cat "$1" >> runs.log; echo >> runs.log
case $(cat "$1") in
*Q*) exit 3;;
*Z*) kill -SEGV $$;;
esac
"""
RAISES = """\
import sys
text = open(sys.argv[1]).read()
if text.startswith("a"):
    raise ValueError(f"{text} is not known")
if text.startswith("b"):
    raise ValueError("is not known")
if text.startswith("c"):
    raise KeyError("cake")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder for crashes; the program is beside it, in the working directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.sh").write_text(PROGRAM)
    (tmp_path / "crashes").mkdir()
    return tmp_path / "crashes"


def fill(folder: Path, *files: tuple[str, str]) -> None:
    for name, content in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


AFL = (
    ("README.txt", "Command line used to find this crash"),
    ("id:000000,sig:11,src:000000", "aaZa"),
    ("id:000001,sig:06", "bbQbb"),
    ("id:000002,sig:06", "Qc"),
    ("id:000003,sig:06", "Qc"),
    ("id:000004,sig:00", "fine"),
)


def each(*arguments: str) -> subprocess.CompletedProcess[str]:
    # The program tells in a file of the folder what it was run on.
    return boildown("reduce", "--isolate", "none", *arguments)


def objects(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.e2e
def test_one_input_is_left_for_each_bug(folder: Path) -> None:
    fill(folder, *AFL)
    ran = each(
        *("crashes", "--each", "--json", "--report", "bugs.md", "--jobs", "1"),
        *("--", "sh", "program.sh", "@@"),
    )
    assert ran.returncode == 0, ran.stderr
    first, second, summary = objects(ran.stdout)
    assert (first["signature"], first["duplicates"], first["inputs"]) == (
        "exit 3",
        2,
        [f"crashes/{AFL[number][0]}" for number in (3, 4, 2)],
    )
    assert (first["output"], second["output"]) == (
        "crashes.reduced/id-000002,sig-06",
        "crashes.reduced/id-000000,sig-11,src-000000",
    )
    assert (Path(first["output"]).read_text(), Path(second["output"]).read_text()) == ("Q", "Z")
    assert (second["signature"], second["inputs"]) == ("SIGSEGV", [f"crashes/{AFL[1][0]}"])
    assert first["reduction"]["minimality"] == "1-character-minimal"
    assert {name: summary[name] for name in ("schema", "inputs", "sorted", "bugs", "others")} == {
        "schema": "boildown/bugs@1",
        "inputs": 5,
        "sorted": 5,
        "bugs": 2,
        "others": {"PASSED": [f"crashes/{AFL[5][0]}"]},
    }
    assert (summary["duplicates"], summary["reduced"], summary["finished"]) == (2, 2, 2)
    assert (summary["bytes_before"], summary["bytes_after"]) == (6, 2)
    markdown = Path("bugs.md").read_text()
    assert markdown.startswith("# 2 bugs in 5 inputs of `crashes`\n")
    assert "| 1 | `exit 3` | 3 | 2 bytes | 1 byte | 1-character-minimal |\n" in markdown
    assert "1 input did not fail: `id:000004,sig:00`.\n" in markdown
    assert "It fails with `sh program.sh crashes.reduced/id-000002,sig-06`.\n" in markdown
    assert "Also shown by `id:000003,sig:06`, `id:000001,sig:06`.\n" in markdown
    # Nothing is on record any more, and what Boildown wrote may be replaced.
    runs = len(Path("runs.log").read_text().splitlines())
    again = each("crashes", "--each", "--json", "--jobs", "1", "--", "sh", "program.sh", "@@")
    assert again.returncode == 0, again.stderr
    assert len(Path("runs.log").read_text().splitlines()) == 2 * runs
    assert sorted(os.listdir("crashes.reduced")) == [
        "id-000000,sig-11,src-000000",
        "id-000002,sig-06",
    ]


@pytest.mark.e2e
def test_a_killed_job_goes_on_with_the_bugs_that_are_left(folder: Path) -> None:
    fill(folder, *AFL)
    arguments = ["crashes", "--each", "--json", "--jobs", "1", "--", "sh", "program.sh", "{file}"]
    command = [sys.executable, "-m", "boildown", "reduce", "--isolate", "none", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        told = json.loads(first.stdout.readline())
        first.send_signal(signal.SIGKILL)
    # What was found of the first bug stays; the inputs that came meanwhile are sorted.
    fill(folder, ("id:000005,sig:11", "aaaaaaZ"), ("id:000006,sig:06", "xxxxxxQxxxxxx"))
    Path("runs.log").unlink()
    again = each(*arguments)
    assert again.returncode == 0, again.stderr
    one, two, summary = objects(again.stdout)
    assert one["reduction"] == told["reduction"]
    assert [len(bug["inputs"]) for bug in (one, two)] == [4, 2]
    assert Path(two["output"]).read_text() == "Z"
    runs = Counter(Path("runs.log").read_text().splitlines())
    # Only the result of the first bug was run again, and none of its inputs but the one that came.
    assert (runs["Q"], runs["Qc"], runs["bbQbb"], runs["xxxxxxQxxxxxx"]) == (1, 0, 0, 1)
    assert runs["fine"] == 0
    assert summary["bugs"] == 2


@pytest.mark.e2e
def test_messages_are_compared_without_the_words_of_either_input(folder: Path) -> None:
    Path("raises.py").write_text(RAISES)
    fill(folder, ("1", "a cake"), ("2", "a known thing"), ("3", "c"), ("4", "b"))
    run = (sys.executable, "-I", "-S", "raises.py", "{file}")
    ran = each("crashes", "--each", "--json", "--max-runs", "20", "--", *run)
    assert ran.returncode == 0, ran.stderr
    bugs = objects(ran.stdout)[:-1]
    assert [bug["inputs"] for bug in bugs] == [
        ["crashes/3"],
        ["crashes/4"],
        ["crashes/1", "crashes/2"],
    ]
    at_level = each("crashes", "--each", "--json", "--level", "error", "--", *run)
    assert [bug["inputs"] for bug in objects(at_level.stdout)[:-1]] == [
        ["crashes/3"],
        ["crashes/4", "crashes/1", "crashes/2"],
    ]


@pytest.mark.e2e
def test_limits_are_shared_and_statuses_tell_how_it_ended(folder: Path) -> None:
    fill(folder, ("a", "x" * 40 + "Z"), ("b", "y" * 40 + "Q"), ("c", "fine"))
    program = ("--jobs", "1", "--", "sh", "program.sh", "{file}")
    limited = each("crashes", "--each", "--json", "--max-runs", "10", *program)
    assert limited.returncode == 0, limited.stderr
    *bugs, summary = objects(limited.stdout)
    assert [bug["reduction"]["stopped"] for bug in bugs] == ["runs", "runs"]
    assert (summary["reduced"], summary["finished"]) == (2, 0)
    # Where nothing fails, status 1 says so.
    (folder / "a").unlink()
    (folder / "b").unlink()
    none = each("crashes", "--each", "--fresh", *program)
    assert none.returncode == 1
    assert none.stderr.splitlines() == ["0 bugs in 1 input of crashes", "  1 input did not fail"]


@pytest.mark.e2e
def test_a_bug_that_cannot_be_reduced_or_written_is_told(folder: Path) -> None:
    # It fails on every input, the empty one too, and so nothing is reduced.
    fill(folder, ("a", "x"))
    always = each("crashes", "--each", "--json", "--", "sh", "-c", "exit 7")
    assert always.returncode == 1
    bug, summary = objects(always.stdout)
    assert (bug["output"], bug["reduction"], summary["reduced"]) == (None, None, 0)
    assert bug["problem"].startswith("The empty input reproduces too")
    # The folder for the results turns out to be a file.
    fill(folder, ("a", "xZ"))
    Path("crashes.reduced").write_text("mine")
    unwritten = each("crashes", "--each", "--json", "--", "sh", "program.sh", "@@")
    assert unwritten.returncode == 3
    assert objects(unwritten.stdout)[0]["text"] == "Z"
    assert Path("crashes.reduced").read_text() == "mine"


REFUSED = {
    "crashes --each": "There is no file in crashes to reduce.",
    "program.sh --each": "program.sh is no folder; --each takes one with an input in each file.",
    "crashes --each --in-place": "--each is for a folder of inputs, and --in-place for one input.",
    "crashes --each --output -": (
        "with --each the results go into a folder; name one with --output."
    ),
    "crashes --each --output program.sh": "program.sh is no folder; name one for the results.",
    "program.sh crashes --each": (
        "--each is for a folder of inputs, and several files for one input."
    ),
}


@pytest.mark.parametrize("typed", REFUSED)
def test_what_makes_no_sense_is_refused(folder: Path, typed: str) -> None:
    words = typed.split()
    if words[0] == "program.sh" and words[1] == "crashes":
        fill(folder, ("a", "x"))
        words[1] = "crashes/a"
    ran = each(*words, "--", "sh", "program.sh")
    assert (ran.returncode, ran.stderr) == (2, f"boildown: {REFUSED[typed]}\n")


SHA = "da39a3ee5e6b4b0d3255bfef95601890afd80709"


@pytest.mark.parametrize(
    ("files", "taken"),
    [
        # AFL: of an instance's folder, only the crashes.
        (
            [
                *("default/crashes/id:000000,sig:06", "default/crashes/README.txt"),
                *("default/cmdline", "default/queue/id:000000,time:0"),
                "default/crashes.old/id:000000,sig:11",
            ],
            ["default/crashes.old/id:000000,sig:11", "default/crashes/id:000000,sig:06"],
        ),
        (["id_000001", "README.txt"], ["id_000001"]),
        (["hangs/id:000000"], ["hangs/id:000000"]),
        # libFuzzer and Atheris: beside the fuzzer and its log.
        (
            [f"crash-{SHA}", "fuzz.py", "log.txt", f"timeout-{SHA}"],
            [f"crash-{SHA}", f"timeout-{SHA}"],
        ),
        ([f"slow-unit-{SHA}", "crash-1.json"], ["crash-1.json", f"slow-unit-{SHA}"]),
        ([".hidden", "a.json", "sub/b.json"], ["a.json", "sub/b.json"]),
    ],
)
def test_the_layouts_of_fuzzers_are_known(folder: Path, files: list[str], taken: list[str]) -> None:
    fill(folder, *((name, "x") for name in files))
    assert [str(path.relative_to(folder)) for path in crash_files(folder)] == taken


def test_the_command_may_name_an_input_and_not_the_folder(folder: Path) -> None:
    fill(folder, ("a", "x"))
    files = crash_files(folder)
    assert with_placeholder(["p", "crashes/a", "@@", "a"], folder, files) == (
        *("p", "{file}", "{file}", "a"),
    )
    with pytest.raises(FileError, match="names crashes, but with --each every run gets one file"):
        with_placeholder(["p", "crashes"], folder, files)


def test_the_time_of_a_run_is_on_record(folder: Path) -> None:
    fill(folder, ("one", "Q"), ("two", "Z"))

    def command(path: Path) -> TestCommand:
        return from_argv(["sh", "program.sh", "{file}"], path, folder.parent)

    def slowest() -> float:
        """Sort the inputs; return the time of the slowest run, on which that of others depends."""
        job = EachJob(command, JobOptions(), lambda _event: None, JobLimits())
        with Store() as store:
            job.sorted(sorted(folder.iterdir()), store.job(b"key"))
        return job.slowest

    first = slowest()
    assert first > 0
    assert slowest() == first
