"""The command line as a user types it: real files, and a real test command."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boildown.cli.main import main
from boildown.jobs.events import in_bytes, size
from boildown.jobs.words import share
from cli.typed import boildown, boildown_process

pytestmark = pytest.mark.e2e

DEMO = Path(__file__).parents[2] / "server" / "boildown" / "demo"
CASES = Path(__file__).parents[2] / "benchmarks" / "cases"
PYTHON = (sys.executable, "-I", "-S")

SLEEP = f"987.{os.getpid()}"
"""Seconds that no other test run on the machine lets a process sleep."""

CRASH = '{"a": [1, 2, {"b": "<needle>"}], "c": null}\n'
PROGRAM = """
import sys
text = open(sys.argv[1]).read()
if "needle" in text:
    raise ValueError("needle found")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a program and an input that it fails on; the working directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "crash.json").write_text(CRASH)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def notes(report: dict[str, Any]) -> list[str]:
    """Return the texts of the notes in a report as JSON."""
    return [note["text"] for note in report["notes"]]


def configured(keys: str, program: str = "program.py") -> None:
    """Write a configuration with the command and further keys."""
    command = json.dumps([*PYTHON, program, "{file}"])
    Path("boildown.toml").write_text(f'[[input]]\nfiles = "*.json"\ncommand = {command}\n{keys}')


def typed(*options: str, program: str = "program.py") -> tuple[str, ...]:
    return "reduce", "crash.json", *options, "--", *PYTHON, program, "crash.json"


def reduce(*options: str, program: str = "program.py") -> subprocess.CompletedProcess[str]:
    return boildown(*typed(*options, program=program))


@pytest.mark.contract
def test_the_result_goes_beside_the_input(folder: Path) -> None:
    ran = boildown_process(*typed())
    assert (ran.returncode, ran.stdout) == (0, "")
    assert "43 → " not in ran.stderr
    assert "crash.json: 44 → 6 bytes" in ran.stderr
    assert "no single character of it can be left out" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert (folder / "crash.json").read_text() == CRASH
    assert (folder / "crash.reduced.json").read_text() == "needle"


@pytest.mark.slow
@pytest.mark.parametrize("lines_allowed", [True, False])
def test_a_long_result_is_laid_out_where_the_test_allows(folder: Path, lines_allowed: bool) -> None:
    needles = [f"needle-{number:02}" for number in range(12)]
    (folder / "crash.json").write_text(json.dumps({"list": [1, *needles, 2]}))
    (folder / "program.py").write_text(
        f"""
import json, sys
text = open(sys.argv[1]).read()
if {lines_allowed} or "\\n" not in text:
    if set({needles}) <= set(json.loads(text)["list"]):
        raise ValueError("all needles are there")
"""
    )
    ran = reduce()
    assert ran.returncode == 0, ran.stderr
    result = (folder / "crash.reduced.json").read_text()
    if lines_allowed:
        listed = ",\n".join(f'  "{needle}"' for needle in needles)
        assert result == f'{{"list":[\n{listed}\n]}}'
        # The claim and the sizes are those of the compact text: a line break can be left out.
        compact = size(json.dumps({"list": needles}, separators=(",", ":")))
        assert f" → {compact} bytes ({size(result)} with its layout), " in ran.stderr
        assert "no single character of it can be left out, apart from its layout." in ran.stderr
    else:
        assert "layout" not in ran.stderr
        assert json.loads(result) == {"list": needles}
        assert "\n" not in result


@pytest.mark.contract
def test_a_file_of_another_origin_is_not_overwritten(folder: Path) -> None:
    (folder / "crash.reduced.json").write_text("mine")
    assert reduce().returncode == 0
    assert (folder / "crash.reduced.json").read_text() == "mine"
    assert (folder / "crash.reduced.2.json").read_text() == "needle"
    assert reduce().returncode == 0
    assert not (folder / "crash.reduced.3.json").exists()


@pytest.mark.parametrize(
    "how", [("--in-place",), ("--output", "crash.json"), ("--output", "link.json")]
)
def test_in_place_leaves_a_copy(folder: Path, how: tuple[str, ...]) -> None:
    os.chmod("crash.json", 0o640)
    os.symlink("crash.json", "link.json")
    ran = reduce(*how)
    assert ran.returncode == 0
    assert "Written to crash.json; the original is crash.json.orig." in ran.stderr
    assert (folder / "crash.json").read_text() == "needle"
    assert (folder / "crash.json.orig").read_text() == CRASH
    assert stat.S_IMODE((folder / "crash.json").stat().st_mode) == 0o640


def test_a_report_does_not_go_where_the_input_is(folder: Path) -> None:
    ran = reduce("--report", "./crash.json")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "boildown: crash.json is the input itself; name another file.\n"
    assert (folder / "crash.json").read_text() == CRASH


def test_only_all_is_100_percent() -> None:
    assert [share(*of) for of in ((0, 0), (1, 3), (299_999, 300_000), (3, 3))] == [
        *("0.0%", "33.3%", "99.9%", "100.0%")
    ]


@pytest.mark.slow
def test_a_file_of_tests_needs_no_command(folder: Path) -> None:
    text = "def test_all():\n    values = [1, 2, 3]\n    assert sum(values) / len([]) == 2\n"
    (folder / "test_sums.py").write_text(text)
    ran = boildown("check", "test_sums.py")
    assert ran.returncode == 0, ran.stderr
    assert "because   it holds tests, which pytest runs" in ran.stdout
    assert "its code is reduced" in ran.stderr
    assert "every time: exit 1: ZeroDivisionError" in ran.stdout
    (folder / "sums.py").write_text(text)
    assert "There is no test command." in boildown("check", "sums.py").stderr


@pytest.mark.parametrize(
    ("tail", "meant"),
    [
        *(("| cat", "|"), ("|cat", "|"), ("&& true", "&&"), ("> log", ">"), ("2>&1", "2>&1")),
        *(("; true", ";"), ("$HOME", "$HOME"), ("$(ls)", "$("), ("`ls`", "`"), ("< log", "<")),
    ],
)
def test_a_line_for_a_shell_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], tail: str, meant: str
) -> None:
    line = f"python3 program.py crash.json {tail}"
    assert main(["reduce", "crash.json", "--", line]) == 2
    assert capsys.readouterr().err == (
        f"boildown: No shell is started, so the program would get '{meant}' as it stands. For what"
        f" a shell makes of it, type: -- sh -c {shlex.quote(line)}\n"
    )


def test_quoted_words_are_not_for_a_shell(folder: Path) -> None:
    line = f"{shlex.join([*PYTHON, '-c', PROGRAM])} crash.json 'a | b' \\; \"c > d\""
    assert boildown("check", "crash.json", "--", line).returncode == 0


@pytest.mark.parametrize(
    ("option", "choices"),
    [
        ("--level", "exit, error, location, message"),
        ("--compare", "status, output"),
        ("--isolate", "auto, none, copy, strict, or strict:PATH"),
    ],
)
def test_what_can_be_chosen_is_named(folder: Path, option: str, choices: str) -> None:
    ran = reduce(option, "foo")
    assert ran.returncode == 2
    assert f"argument {option}: must be one of {choices}" in ran.stderr.replace("one of:", "one of")


@pytest.mark.contract
def test_json_is_one_object_on_standard_output(folder: Path) -> None:
    ran = boildown_process(*typed("--json", "--output", "small.json"))
    report = json.loads(ran.stdout)
    assert ran.stderr == ""
    assert list(report)[:2] == ["schema", "version"]
    assert report["schema"] == "boildown/reduction@1"
    assert report["bytes_before"] == 44
    assert report["bytes_after"] == report["bytes_written"] == 6
    assert report["tokens_after"] == 1
    assert report["language"] == "json"
    assert report["finished"] is True
    assert report["minimality"] == "1-character-minimal"
    assert report["certificate"] == {
        "unit": "character",
        "of": "output",
        "confidence": None,
        "candidates": 6,
        "timeouts": 0,
        "protected": 0,
        "margin": 0.0,
        "only": "",
        "not_swept": [],
    }
    assert (report["stopped"], report["flaky"]) == (None, None)
    # What is made beside the candidates' own runs is at most ten runs where nothing disagrees.
    assert report["runs"] == report["candidates"] + 10
    assert sum(report["outcomes"].values()) == report["candidates"] + 4
    # Three on the original, on the empty input and on the shortest one of the language.
    assert (report["preflight_runs"], report["verify_runs"]) == (5, 1)
    assert report["outcomes"]["REPRODUCED"] > 0
    assert Path(report["output"]).read_text() == "needle"


@pytest.mark.contract
def test_a_limit_of_runs_is_no_failure(folder: Path) -> None:
    report = json.loads(reduce("--json", "--max-runs", "3").stdout)
    # Three of candidates; the preflight and the verification are not limited.
    assert report["candidates"] == 3
    assert report["runs"] == 3 + report["preflight_runs"] + report["verify_runs"]
    assert (report["finished"], report["stopped"]) == (False, "runs")
    assert (report["minimality"], report["certificate"]) == (None, None)
    assert "needle" in Path(report["output"]).read_text()


@pytest.mark.slow
def test_a_full_disk_leaves_no_claim(folder: Path) -> None:
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only who may mount a small disk can fill one")
    try:
        fill = "try: open('fill', 'wb').write(bytes(1 << 21))\nexcept OSError: pass\n"
        (disk / "program.py").write_text(fill + PROGRAM)
        (disk / "crash.json").write_text(CRASH)
        os.chdir(disk)
        ran = reduce("--json", "--output", str(folder / "small.json"))
        report = json.loads(ran.stdout)
        assert (report["finished"], report["certificate"]) == (True, None)
        assert report["minimality"] is None
        assert any("The disk was full during " in note for note in notes(report))
    finally:
        os.chdir(folder)
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.slow
def test_the_number_of_jobs_does_not_change_the_result(folder: Path) -> None:
    one, four = (json.loads(reduce("--json", "--jobs", jobs).stdout) for jobs in ("1", "4"))
    for varying in ("seconds", "test_seconds", "notes"):
        del one[varying], four[varying]
    assert one == four


def test_names_can_be_kept(folder: Path) -> None:
    Path("crash.json").write_text('{"unneeded": 1, "customers": [["needle"]]}')
    Path("names.py").write_text(
        "import json, sys\nassert 'needle' not in str(json.load(open(sys.argv[1]))['customers'])\n"
    )
    configured("keep_names = true", "names.py")
    report = json.loads(boildown("reduce", "crash.json", "--json").stdout)
    assert Path(report["output"]).read_text() == '{"customers":"needle"}'
    assert report["minimality"] == "1-token-minimal"
    assert report["certificate"]["not_swept"] == [{"unit": "character", "longest": None}]
    assert "shorten" not in report["passes"]


def test_parts_can_be_kept(folder: Path) -> None:
    Path("crash.json").write_text('{"a": [1, 2], "keep": "me", "customers": [["needle"]]}')
    ran = reduce("--keep", '"keep": "me"', "--keep", "2", "--output", "small.json")
    assert Path("small.json").read_text() == '2"keep": "me"needle'
    assert "2 parts were kept and never left out" in ran.stderr
    report = json.loads(reduce("--json", "--keep", "customers").stdout)
    assert report["certificate"]["protected"] == 1
    assert report["certificate"]["unit"] == "character"
    assert Path(report["output"]).read_text() == "customersneedle"


def test_a_stop_in_the_preflight_is_no_failure(folder: Path) -> None:
    (folder / "program.py").write_text("import time\ntime.sleep(5)\n" + PROGRAM)
    report = json.loads(reduce("--json", "--max-seconds", "0.5").stdout)
    assert (report["finished"], report["runs"]) == (False, 0)
    assert Path(report["output"]).read_text() == CRASH


def test_bytes_that_do_not_decode_come_through(folder: Path) -> None:
    Path("crash.json").write_bytes(b"a\xff\xfe needle \xff\r\n\0")
    program = "import sys\ndata = open(sys.argv[1], 'rb').read()\n"
    Path("bytes.py").write_text(program + "assert not (b'\\xff' in data and b'needle' in data)\n")
    assert reduce(program="bytes.py").returncode == 0
    assert Path("crash.reduced.json").read_bytes() in (b"\xffneedle", b"needle\xff")
    assert Path("crash.json").read_bytes() == b"a\xff\xfe needle \xff\r\n\0"


def test_a_command_that_names_no_file_gets_standard_input_and_a_file(folder: Path) -> None:
    script = Path("interesting.sh")
    script.write_text("#!/bin/sh\ngrep -q needle crash.json && grep -q needle\n")
    script.chmod(0o755)
    ran = boildown("reduce", "crash.json", "--interesting", "--", "./interesting.sh")
    assert ran.returncode == 0, ran.stderr
    assert Path("crash.reduced.json").read_text() == "needle"


def test_the_configuration_gives_the_command(folder: Path) -> None:
    Path("boildown.toml").write_text(
        '[[input]]\nfiles = ["*.json"]\nlanguage = "plain"\n'
        f'command = ["{sys.executable}", "-S", "program.py", "{{file}}"]\n'
    )
    report = json.loads(boildown("reduce", "crash.json", "--json").stdout)
    assert report["language"] == "plain"
    assert Path("crash.reduced.json").read_text() == "needle"
    other = boildown("reduce", "program.py")
    assert other.returncode == 2
    assert "says nothing of program.py" in other.stderr


@pytest.mark.contract
@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["reduce", "none.json", "--", "true"], 2, "no file none.json"),
        (["generalize", ".", "--", "true"], 2, "is a folder"),
        (["reduce", "crash.json"], 2, "no test command"),
        (["reduce", "crash.json", "--reproduces", "exit=x", "--", "false"], 2, "exit=x"),
        (["reduce", "crash.json", "--language", "jsn", "--", "false"], 2, "json"),
        (["reduce", "crash.json", "--", "no-such-program"], 2, "no-such-program"),
        (["reduce", "crash.json", "--", "./program.py"], 2, "chmod"),
        (["reduce", "crash.json", "--", "true", "crash.json"], 1, "--interesting"),
        (["reduce", "crash.json", "--", "false", "crash.json"], 1, "empty"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, arguments: list[str], status: int, words: str) -> None:
    ran = boildown(*arguments)
    assert words in ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.returncode == status
    assert (folder / "crash.json").read_text() == CRASH
    assert not list(folder.glob("*reduced*"))


def test_check_says_what_would_run_and_why(folder: Path) -> None:
    ran = boildown("check", "crash.json", "--", *PYTHON, "program.py", "crash.json")
    assert ran.returncode == 0
    assert "crash.json, 44 bytes, as json:" in ran.stdout
    assert "program.py '{file}'" in ran.stdout
    assert "it is given after --" in ran.stdout
    assert "the candidate in a fresh directory" in ran.stdout
    assert "every time: exit 1: ValueError" in ran.stdout
    Path("boildown.toml").write_text(
        '[[input]]\nfiles = ["*.json"]\nlanguage = "plain"\nisolate = "none"\n'
        f'command = ["{sys.executable}", "-S", "program.py", "{{file}}"]\n'
    )
    found = json.loads(boildown("check", "crash.json", "--json").stdout)
    assert found["because"] == f"{folder / 'boildown.toml'} names it for *.json"
    assert (found["language"], found["isolate"]) == ("plain", "none")
    assert found["failure"].startswith("exit 1: ValueError in ")
    assert found["rate"] == 1
    assert found["runs"] >= 3
    assert found["seconds_per_run"] > 0


OLD = "import sys; open(sys.argv[1]).read().index('c')"
"""Another version of the program, which fails on texts without a `c`."""


def test_a_regression_and_the_closest_input_that_passes(folder: Path) -> None:
    old = shlex.join([*PYTHON, "-c", OLD, "crash.json"])
    configured('quick = "grep -q need {file}"')
    ran = boildown("reduce", "crash.json", "--good", old, "--json")
    report = json.loads(ran.stdout)
    assert Path(report["output"]).read_text() == "needlec"
    assert report["passing"] == {"text": "needec", "distance": 1}
    assert report["outcomes"]["INVALID"] > 0
    assert report["runs"] > report["candidates"]
    # On the original each of the three runs, three times, and on two other texts the quick one.
    assert report["preflight_runs"] == 3 * 3 + 2


def test_check_names_all_commands_and_the_configuration_gives_them(folder: Path) -> None:
    Path("boildown.toml").write_text(
        '[[input]]\nfiles = ["*.json"]\nquick = "grep -q needle {file}"\n'
        f'command = ["{sys.executable}", "-S", "program.py", "{{file}}"]\ngood = "cat"\n'
        'compare = "output"\n'
    )
    shown = boildown("check", "crash.json").stdout
    assert "  first     grep -q needle '{file}', which must exit with 0\n" in shown
    assert "  good      cat, whose output or exit status must differ\n" in shown
    assert "every time: exit 1: ValueError in " in shown
    assert " instead of exit 0\n" in shown
    found = json.loads(boildown("check", "crash.json", "--json").stdout)
    assert found["quick"] == "grep -q needle '{file}'"
    assert (found["good"], found["compare"]) == ("cat", "output")
    ran = boildown("check", "crash.json", "--interesting")
    assert ran.stderr.startswith("boildown: --compare output and --interesting both say when")


def test_an_empty_command_is_refused(folder: Path) -> None:
    ran = reduce("--good", " ")
    assert ran.returncode == 2
    assert "argument --good: is empty; name the program that tests the file" in ran.stderr


@pytest.mark.slow
def test_slow_and_hungry_runs_are_reduced(folder: Path) -> None:
    Path("program.py").write_text(
        "import sys\ntext = open(sys.argv[1]).read()\n"
        "if 'needle' in text:\n    b = bytearray(200_000_000)\n"
        "    for i in range(10_000_000): pass\n"
    )
    ran = reduce("--reproduces", "memory>150", "--reproduces", "seconds>0.15")
    assert Path("crash.reduced.json").read_text() == "needle"
    assert "a candidate must be beyond the limit by a tenth." in ran.stderr
    assert "; what is less than 10% beyond the limit counts as not failing." in ran.stderr
    assert re.search(r"reduced:  exit 0, \d\.\d\d s of processor time, 2\d\d MB\n", ran.stderr)
    arguments = ("--reproduces", "memory>150", "--", *PYTHON, "program.py", "crash.json")
    shown = boildown("check", "crash.json", *arguments).stdout
    assert re.search(r"every time: exit 0, 2\d\d MB\n", shown)
    ran = reduce("--reproduces", "memory>5000")
    assert ran.returncode == 1
    assert re.search(r"which ended with exit 0, 2\d\d MB\. It printed nothing", ran.stderr)


def test_check_says_what_is_wrong(folder: Path) -> None:
    ran = boildown("check", "crash.json", "--", "true", "crash.json")
    assert ran.returncode == 1
    assert "true '{file}'" in ran.stdout
    assert "--interesting" in ran.stderr
    ran = boildown("check", "crash.json", "--json", "--", "no-such-program", "crash.json")
    assert ran.returncode == 2
    assert json.loads(ran.stdout)["problem"] == "not found"


@pytest.mark.slow
def test_a_function_can_be_the_judge(folder: Path) -> None:
    Path("checks.py").write_text("def fails(text):\n    return 'needle' in text\n")
    ran = boildown("reduce", "crash.json", "--", "checks:fails")
    assert ran.returncode == 0, ran.stderr
    assert Path("crash.reduced.json").read_text() == "needle"
    Path("boildown.toml").write_text('[[input]]\nfiles = ["*.json"]\npython = "checks:fails"\n')
    ran = boildown("reduce", "crash.json", "--output", "configured.json")
    assert ran.returncode == 0, ran.stderr
    assert Path("configured.json").read_text() == "needle"
    shown = boildown("check", "crash.json").stdout
    assert "loads checks:fails once and forks for each run" in shown


def test_a_bug_report_is_written(folder: Path) -> None:
    assert reduce("--report", "report.md").returncode == 0
    report = Path("report.md").read_text()
    assert report.startswith("# ``exit 1: ValueError in ")
    assert "`crash.json` (6 bytes, 1-character-minimal; reduced from 44 bytes in " in report
    assert "ValueError: needle found" in report
    assert "program.py crash.json" in report
    ran = reduce("--report", "other.md", "--max-seconds", "0.001")
    assert "There is no report" in ran.stderr
    assert not Path("other.md").exists()


@pytest.mark.contract
def test_a_result_that_cannot_be_written_is_not_lost(folder: Path) -> None:
    ran = reduce("--output", "/proc/small.json")
    assert (ran.returncode, ran.stdout) == (3, "needle")
    (told,) = (line for line in ran.stderr.splitlines() if line.startswith("boildown: "))
    assert told.startswith("boildown: /proc/small.json can't be written: ")
    assert told.endswith(". The result is on standard output.")
    ran = reduce("--output", "/proc/small.json", "--json")
    report = json.loads(ran.stdout)
    assert (ran.returncode, report["output"], report["text"]) == (3, None, "needle")
    assert ran.stderr.endswith('The result is in the JSON object, as "text".\n')


def reduce_with_files_of(blocks: int, *options: str) -> subprocess.CompletedProcess[str]:
    """Reduce where no file may be larger than so many blocks."""
    own = [sys.executable, "-m", "boildown", "reduce", "crash.json", *options]
    test = [*PYTHON, "program.py", "crash.json"]
    limited = ["sh", "-c", f'ulimit -f {blocks}; exec "$@"', "sh", *own, "--", *test]
    return subprocess.run(limited, capture_output=True, text=True, check=False)


def test_a_report_that_cannot_be_written_costs_nothing_else(folder: Path) -> None:
    ran = reduce_with_files_of(1, "--report", "report.md")
    assert ran.returncode == 3, ran.stderr
    assert ran.stderr.endswith("boildown: report.md can't be written: File too large.\n")
    assert Path("crash.reduced.json").read_text() == "needle"
    assert not Path("report.md").exists()


def test_without_any_place_for_files_this_is_said(folder: Path) -> None:
    ran = reduce_with_files_of(0)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "Is there room, and the permission to write, in the temporary folder?" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("option", ["--output", "--report"])
def test_a_file_of_the_users_is_replaced_only_by_force(folder: Path, option: str) -> None:
    Path("mine").write_text("mine")
    ran = reduce(option, "mine")
    assert (ran.returncode, "are stopped" in ran.stderr) == (2, False)
    assert ran.stderr == (
        "boildown: mine is there already, and not from Boildown. Name another file, or say --force"
        " to replace it.\n"
    )
    assert Path("mine").read_text() == "mine"
    assert reduce(option, "mine", "--force").returncode == 0
    assert "needle" in Path("mine").read_text()
    assert Path("mine").read_text() != "mine"


def test_a_file_that_comes_during_the_job_stays(folder: Path) -> None:
    text = f"open('{folder}/mine', 'w').write('mine')\n"
    (folder / "writes.py").write_text(text + PROGRAM)
    ran = reduce("--output", "mine", program="writes.py")
    assert (ran.returncode, ran.stdout) == (3, "needle")
    assert Path("mine").read_text() == "mine"


def test_nothing_is_written_where_nothing_was_reduced(folder: Path) -> None:
    (folder / "crash.json").write_text("needle")
    before = sorted(os.listdir(folder))
    for options in ((), ("--in-place",)):
        ran = reduce(*options)
        assert ran.returncode == 0
        assert ran.stderr.endswith("Nothing of it could be left out, so nothing was written.\n")
    assert [name for name in sorted(os.listdir(folder)) if name != ".cache"] == before
    ran = reduce("--max-seconds", "0.001")
    assert ran.stderr.endswith("Nothing was reduced, so nothing was written.\n")
    assert json.loads(reduce("--json").stdout)["output"] == "crash.json"


def test_standard_input_goes_to_standard_output(folder: Path) -> None:
    reads = f"import sys\ntext = sys.stdin.read()\n{PROGRAM.partition('read()')[2]}"
    (folder / "reads.py").write_text(reads)
    command = [sys.executable, "-m", "boildown", "reduce", "-", "--", *PYTHON, "reads.py"]
    ran = subprocess.run(command, input=CRASH, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "needle")
    assert "stdin: 44 → 6 bytes" in ran.stderr
    assert not list(folder.glob("*reduced*"))
    refused = [*command[:5], "--in-place", *command[5:]]
    ran = subprocess.run(refused, input=CRASH, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "standard input can't be overwritten; leave --in-place out." in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--output", "missing/x.json"], "There is no folder missing for x.json"),
        (["--report", "missing/x.md"], "There is no folder missing for x.md"),
        (["--output", "."], ". is a folder"),
        (["--jobs", "0"], "must be at least 1"),
        (["--max-runs", "-5"], "must be at least 1"),
        (["--max-seconds", "nan"], "must be more than 0"),
    ],
)
def test_what_can_be_known_is_said_before_the_first_run(
    folder: Path, arguments: list[str], words: str
) -> None:
    ran = reduce(*arguments)
    assert (ran.returncode, "are stopped" in ran.stderr) == (2, False)
    assert words in ran.stderr


@pytest.mark.slow
def test_a_job_that_was_cut_short_goes_on(folder: Path) -> None:
    first = json.loads(reduce("--json", "--max-runs", "4").stdout)
    second = json.loads(reduce("--json").stdout)
    assert any("goes on from there: 4 outcomes are known" in note for note in notes(second))
    fresh = json.loads(reduce("--json", "--fresh").stdout)
    assert first["candidates"] + second["candidates"] == fresh["candidates"]
    assert not any("goes on" in note for note in notes(fresh))


def test_each_start_of_a_job_knows_what_all_before_it_found(folder: Path) -> None:
    limited = ("--good", shlex.join([*PYTHON, "-c", OLD, "crash.json"]), "--json", "--max-runs")
    runs, known = 0, []
    for limit in ("12", "14", "16"):
        found = json.loads(reduce(*limited, limit).stdout)
        told = [re.search(r"there: (\d+) outcomes? ", note) for note in notes(found)]
        known += [int(each[1]) for each in told if each]
        runs += found["candidates"]
    assert len(known) == 2
    assert 0 < known[0] < known[1] <= runs


@pytest.mark.slow
def test_other_failures_are_in_the_object_and_told_to_those_who_ask(folder: Path) -> None:
    Path("two.py").write_text(
        "import sys\ntext = open(sys.argv[1]).read()\n"
        "if '{' in text and 'null' not in text: raise KeyError\n"
        "if 'needle' in text: raise ValueError\n"
    )
    slid = json.loads(reduce("--json", "--level", "exit", program="two.py").stdout)
    assert Path(slid["output"]).read_text() == "{"
    said = json.loads(reduce("--json", "--output", "s.json", program="two.py").stdout)
    (met,) = said["others"]
    assert met["signature"] == {
        "kind": "exit 1",
        "type": "KeyError",
        "file": f"{folder.name}/two.py",
        "function": "<module>",
        "line_text": "if '{' in text and 'null' not in text: raise KeyError",
    }
    told = f"also found: {met['label']}, with {in_bytes(len(met['text']))}: {met['text']!r}"
    assert "also found" not in reduce("--output", "a.json", program="two.py").stderr
    assert told in reduce("-v", "--output", "b.json", program="two.py").stderr.splitlines()
    assert Path("a.json").read_text() == Path("b.json").read_text() == "needle"


def test_events_are_streamed_as_lines(folder: Path) -> None:
    lines = [json.loads(line) for line in reduce("--json=lines", "--jobs", "1").stdout.splitlines()]
    kinds = [line["schema"].partition("/")[2] for line in lines]
    assert set(kinds) == {"note@1", "progress@1", "reduction@1"}
    assert kinds.count("reduction@1") == 1
    assert kinds[-1] == "reduction@1"
    sizes = [line["bytes"] for line in lines if line["schema"] == "boildown/progress@1"]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == lines[-1]["bytes_after"]
    notes = [line["code"] for line in lines if line["schema"] == "boildown/note@1"]
    assert notes == [note["code"] for note in lines[-1]["notes"]]
    wrong = reduce("--json=line")
    assert wrong.returncode == 2


def test_notes_on_time_are_for_those_who_ask(folder: Path) -> None:
    assert "are stopped" not in reduce().stderr
    assert "note: Runs are stopped after " in reduce("-v").stderr


@pytest.mark.slow
def test_a_program_that_stops_failing_on_the_way(folder: Path) -> None:
    Path("crash.json").write_text(json.dumps([f"w{n}" for n in range(60)]))
    Path("fifty.py").write_text(
        "import os, sys\n"
        "os.write(os.open('log', os.O_WRONLY | os.O_APPEND | os.O_CREAT), b'.')\n"
        "text = open(sys.argv[1]).read()\n"
        "needed = all(f'w{n}' in text for n in range(10, 60, 7))\n"
        "if needed and os.path.getsize('log') <= 50: raise ValueError\n"
    )
    ran = reduce("--json", "--jobs", "1", "--isolate", "none", program="fifty.py")
    report = json.loads(ran.stdout)
    assert os.path.getsize("log") > 50
    assert ran.returncode == 1
    assert (report["finished"], report["minimality"]) == (False, None)
    assert any("Not even the original failed" in note for note in notes(report))
    assert Path(report["output"]).read_text() == Path("crash.json").read_text()


FLAKY = """
import os, random

def fails(text):
    log = os.open("log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(log, b".")
    number = os.fstat(log).st_size
    return "needle" in text and random.Random(number).random() < 0.3
"""
"""Fails in three of ten runs, in an order that is random and the same every time."""


def test_a_failure_in_three_of_ten_runs_is_reduced_and_called_flaky(folder: Path) -> None:
    Path("checks.py").write_text(FLAKY)
    options = ("--jobs", "1", "--isolate", "none", "--report", "report.md", "--json")
    ran = boildown("reduce", "crash.json", *options, "--", "checks:fails")
    report = json.loads(ran.stdout)
    assert Path(report["output"]).read_text() == "needle"
    assert ran.returncode == 0
    (note,) = (note for note in notes(report) if "flaky" in note)
    assert "of 20 runs on the input gave 'exit 1', others 'exit 0'" in note
    assert "95 % sure" in note
    assert "The failure is flaky: about " in Path("report.md").read_text()
    # Several runs stand behind each verdict, and each is counted.
    assert os.path.getsize("log") == report["runs"] > 2 * report["candidates"]
    assert report["certificate"]["confidence"] == 0.95
    assert report["flaky"]["low"] < report["flaky"]["rate"] < report["flaky"]["high"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[tuple[Path, list[str]]]:
    """Give a folder with little room, and what a command must begin with to notice that.

    Only root may mount a small disk. For others a limit of the size of files does as much.
    """
    place = tmp_path / "small"
    place.mkdir()
    if os.geteuid() == 0 and shutil.which("mount"):
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place], check=True)
        try:
            yield place, []
        finally:
            subprocess.run(["umount", "--lazy", place], check=True)
    else:
        yield place, ["sh", "-c", 'ulimit -f 64; exec "$@"', "sh"]


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "TMPDIR"])
def test_a_full_disk(folder: Path, small_disk: tuple[Path, list[str]], variable: str) -> None:
    place, prefix = small_disk
    texts = ["needle" + "x" * 90_000, *map(str, range(400))]
    if variable == "XDG_CACHE_HOME":
        texts[0] = "needle"
    Path("crash.json").write_text(json.dumps(texts))
    command = [*prefix, sys.executable, "-m", "boildown", "reduce", "crash.json", "--json"]
    ran = subprocess.run(
        [*command, "--", *PYTHON, "program.py", "crash.json"],
        env={**os.environ, variable: str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in ran.stderr
    if variable == "XDG_CACHE_HOME":
        report = json.loads(ran.stdout)
        assert Path(report["output"]).read_text() == "needle"
        (note,) = (note for note in notes(report) if "cannot be resumed" in note)
        assert "full" in note or "I/O" in note
    else:
        assert (ran.returncode, ran.stdout) == (2, "")
        assert "A run could not be prepared" in ran.stderr
        assert not list(folder.glob("*reduced*"))
    assert [name for name in os.listdir(place) if name.startswith("boildown-run-")] == []


def test_a_program_that_vanishes_on_the_way(folder: Path) -> None:
    Path("crash.json").write_text(json.dumps(["needle", *range(100)]))
    Path("vanish.py").write_text(
        "import os, sys\ntext = open(sys.argv[1]).read()\n"
        "log = os.open('log', os.O_WRONLY | os.O_APPEND | os.O_CREAT)\n"
        "os.write(log, b'.')\n"
        "if os.fstat(log).st_size == 20: os.rename('program', 'gone')\n"
        "if 'needle' in text: raise ValueError\n"
    )
    Path("program").write_text(f"#!/bin/sh\nexec '{sys.executable}' -S vanish.py \"$1\"\n")
    Path("program").chmod(0o755)
    given = ("--json", "--jobs", "1", "--isolate", "none", "--", "./program", "crash.json")
    ran = boildown("reduce", "crash.json", *given)
    report = json.loads(ran.stdout)
    assert ran.returncode == 1
    assert report["finished"] is False
    assert "needle" in Path(report["output"]).read_text()
    (note,) = (note for note in notes(report) if note.startswith("It ended early: "))
    assert "ended-early" in [note["code"] for note in report["notes"]]
    assert "does not exist" in note


def test_a_cache_directory_that_cannot_be_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc")
    report = json.loads(reduce("--json").stdout)
    assert Path(report["output"]).read_text() == "needle"
    assert report["finished"] is True
    assert any("cannot be resumed" in note for note in notes(report))


def test_tree_shows_the_tree(folder: Path) -> None:
    shown = boildown("grammar", "tree", "crash.json").stdout
    assert "object" in shown
    assert "<needle>" in shown
    assert boildown("grammar", "tree", "crash.json", "--as", "svg").stdout.startswith("<svg")
    assert boildown("grammar", "tree", "crash.json", "--as", "dot").stdout.startswith("digraph")


def test_languages_lists_the_shipped_ones() -> None:
    lines = boildown("grammar", "list").stdout.splitlines()
    assert {"json", "html", "expressions", "plain"} <= {line.split()[0] for line in lines}


@pytest.mark.slow
def test_the_demo_shows_before_after_and_runs() -> None:
    ran = boildown_process("demo")
    assert ran.returncode == 0
    assert "ZeroDivisionError" in ran.stdout
    assert '{"orders":[{"express":true}]}' in ran.stdout
    assert "13,096 → 29 bytes" in ran.stdout
    assert "\n1. receipts.py:18, in shipping\n" in ran.stdout


def slow_reduction(folder: Path, seconds: float = 0.2) -> list[str]:
    """Return a command that reduces slowly: each run leaves a grandchild in another session."""
    (folder / "slow.py").write_text(
        "import subprocess, sys, time\n"
        "open('runs.log', 'a').write('.')\n"
        f"subprocess.Popen(['sleep', '{SLEEP}'], start_new_session=True)\n"
        f"time.sleep({seconds})\n" + PROGRAM
    )
    (folder / "crash.json").write_text(json.dumps(["needle", *map(str, range(200))]))
    given = ("--json", "--isolate", "none", "--", sys.executable, "-S", "slow.py", "crash.json")
    return [sys.executable, "-m", "boildown", "reduce", "crash.json", *given]


def _has_run(folder: Path, times: int) -> bool:
    log = folder / "runs.log"
    return log.exists() and log.stat().st_size >= times


def sleepers() -> set[int]:
    listed = subprocess.run(["pgrep", "-f", f"^sleep {SLEEP}$"], capture_output=True, check=False)
    return set(map(int, listed.stdout.split()))


def test_ctrl_c_keeps_the_best_so_far(folder: Path) -> None:
    process = subprocess.Popen(slow_reduction(folder), stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not _has_run(folder, 8) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    report = json.loads(process.communicate(timeout=60)[0])
    assert process.returncode == 130
    assert report["finished"] is False
    assert "needle" in Path(report["output"]).read_text()
    assert not sleepers()


def test_kill_9_leaves_no_process_behind(folder: Path) -> None:
    process = subprocess.Popen(slow_reduction(folder, seconds=30), stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (found := sleepers()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert found
    process.kill()
    process.wait()
    while sleepers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not sleepers()


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal(folder: Path) -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [*slow_reduction(folder)[:5], "--max-runs", "30", *slow_reduction(folder)[6:]],
        stderr=terminal,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"},
    )
    os.close(terminal)
    shown = b""
    while True:
        try:
            shown += os.read(controller, 4096)
        except OSError:
            break
    os.close(controller)
    assert process.wait(120) == 0
    text = shown.decode()
    assert "█" in text
    assert " runs, " in text
    assert "/s, " in text


@pytest.mark.slow
@pytest.mark.parametrize("case", ["expr-parens", "html-htmlparser", "json-jsonschema"])
def test_a_real_bug_is_reduced_end_to_end(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs the oracles of the benchmark with the interpreter of the tests."""
    interpreter = tmp_path / case / "bin" / "python"
    interpreter.parent.mkdir(parents=True)
    interpreter.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    interpreter.chmod(0o755)
    monkeypatch.setenv("BENCH_ENV", str(tmp_path))
    original = next((CASES / case).glob("input.*"))
    failing = tmp_path / original.name
    shutil.copy(original, failing)
    oracle = CASES / case / "oracle"
    ran = boildown("reduce", str(failing), "--interesting", "--json", "--", str(oracle), "{file}")
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert subprocess.run([oracle, report["output"]], check=False).returncode == 0
    assert failing.read_bytes() == original.read_bytes()
    smallest = {"expr-parens": 5, "html-htmlparser": 5, "json-jsonschema": 100}
    assert report["bytes_after"] <= smallest[case]


STEERING = "\x1b[2J\x1b]0;title\x07\u202e"


@pytest.mark.parametrize("command", ["check", "reduce"])
def test_what_a_program_prints_does_not_steer_the_terminal(folder: Path, command: str) -> None:
    (folder / "loud.py").write_text(
        f"import sys\nif 'a' in open(sys.argv[1]).read(): raise ValueError({STEERING!r})\n"
    )
    (folder / "case.txt").write_text("aa")
    options = [command, "case.txt", "--level", "message"]
    ran = boildown(*options, "--", *PYTHON, "loud.py", "case.txt")
    assert ran.returncode == 0
    shown = ran.stdout + ran.stderr
    assert "\\x1b[2J" in shown
    assert not set(STEERING) & {"\x1b", "\x07", "\u202e"} & set(shown)
