"""Passes of a user's own: the examples of the documentation, what is refused, what is survived."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import helpers
from boildown import config
from boildown.engine.reducing.passes import AUTO, RENAMING
from boildown.jobs import own_passes
from boildown.jobs.events import Event, Note
from boildown.jobs.own_passes import PassError, load_passes
from boildown.jobs.reduce import reduce
from boildown.jobs.work import JobOptions
from boildown.library.files import reduce_file
from boildown.runner import proposer
from boildown.runner.advice import filled
from boildown.runner.command import from_argv
from boildown.runner.guardian.linux import state
from boildown.targets.test_command import TestCommand

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "own-pass.md"
COMMENTS, CHECKSUM = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    return tmp_path


@contextmanager
def own(
    folder: Path, source: str, told: list[str] | None = None, name: str = "tools/shrink.py:shrink"
) -> Iterator[own_passes.OwnPass]:
    """Load the function `shrink` of a file with this source."""
    (folder / "tools" / "shrink.py").write_text(source)
    tell = list[str]().append if told is None else told.append
    with load_passes([name], folder, tell) as (loaded,):
        yield loaded


def reduced(loaded: own_passes.OwnPass, text: str, test: helpers.Test) -> tuple[str, int]:
    return helpers.run(loaded.run, text, test, helpers.Characters())


def test_comments_go_in_one_run_or_one_by_one(folder: Path) -> None:
    text = "a # one\nb # two\nc # three\n"
    with own(folder, COMMENTS, name="tools/shrink.py:drop_comments") as loaded:
        assert reduced(loaded, text, helpers.contains("a", "b")) == ("a\nb\nc\n", 1)
        # The second is needed: all at once, the first, and then the two left, in their order.
        assert reduced(loaded, text, helpers.contains("two")) == ("a\nb # two\nc\n", 4)


def valid_and_bad(text: str) -> bool:
    head, _, body = text.partition("\n")
    return head == f"{zlib.crc32(body.encode()):08x}" and "bad" in body


CHECKS = """\
import zlib

def fails(text: str) -> None:
    head, _, body = text.partition("\\n")
    if head == f"{zlib.crc32(body.encode()):08x}" and "bad" in body:
        raise ValueError("bad line")
"""


@pytest.mark.e2e
def test_a_checksum_is_kept_right_by_a_configured_pass(folder: Path) -> None:
    (folder / "tools" / "shrink.py").write_text(CHECKSUM)
    (folder / "checks.py").write_text(CHECKS)
    body = "".join(f"line {number}\n" for number in range(40)) + "bad\n" + "more\n" * 7
    whole = f"{zlib.crc32(body.encode()):08x}\n{body}"
    (folder / "a.rec").write_text(whole)
    options: dict[str, Any] = {"language": "plain", "jobs": 1, "max_runs": 300}
    without = reduce_file("a.rec", python="checks:fails", **options)
    # Hardly anything goes while the checksum stays.
    assert len(without.text) > len(whole) / 2
    (folder / "boildown.toml").write_text(
        '[[input]]\nfiles = ["*.rec"]\npython = "checks:fails"\n'
        'passes = ["tools/shrink.py:with_checksum"]\n'
    )
    result = reduce_file("a.rec", **options)
    body = result.text.partition("\n")[2]
    assert valid_and_bad(result.text)
    assert body.strip() == "bad"


REFUSED = {
    "def other(text): ...": (
        "shrink.py:1: there is no function shrink in the file; there are other."
    ),
    "x = (\n": "shrink.py:1:5: '(' was never closed.",
    "\nimport nothing_of_this_name\n": (
        "The pass can't be loaded. {path}:2: ModuleNotFoundError: No module named"
        " 'nothing_of_this_name'."
    ),
    "import sys\nsys.exit(3)": "The pass can't be loaded. {path}:2: SystemExit: 3.",
    "\n\ndef shrink(): ...": "shrink.py:3: the pass must take one argument, the text.",
    "def shrink(text, *, tree): ...": "shrink.py:1: the pass must take one argument, the text.",
    "shrink = 3": "shrink.py:1: there is no function shrink in the file; there is none.",
}


@pytest.mark.parametrize("source", REFUSED)
def test_what_cannot_be_loaded_is_refused_with_file_and_line(folder: Path, source: str) -> None:
    with pytest.raises(PassError) as refused, own(folder, source):
        pass
    path = folder / "tools" / "shrink.py"
    assert str(refused.value).endswith(REFUSED[source].format(path=path))
    assert str(path) in str(refused.value)


def test_a_file_that_is_not_there_is_refused(folder: Path) -> None:
    told = r"no\.py:f can't be read\. There is no file .*/no\.py\.$"
    with (
        pytest.raises(PassError, match=told),
        load_passes(["no.py:f"], folder, list[str]().append),
    ):
        pass


FAULTS = {
    "def shrink(text):\n    yield text[1:]\n    yield 3\n": (
        "{path}:3: it must yield strings, and gave a value of the type int."
    ),
    "def shrink(text):\n    return ['x', None]\n": (
        "{path}:1: it must yield strings, and gave None."
    ),
    "def shrink(text): ...": "{path}:1: it must yield texts, and gave None.",
    "def shrink(text): return text": (
        "{path}:1: it must yield texts, and gave a value of the type str."
    ),
    "def shrink(text):\n    yield text[1:]\n    raise ValueError('oh')\n": (
        "{path}:3: ValueError: oh."
    ),
    "def help(text):\n    return text[9]\n\ndef shrink(text):\n    yield help(text)\n": (
        "{path}:5: IndexError: string index out of range."
    ),
    "import sys\ndef shrink(text):\n    sys.exit(1)\n": "{path}:3: SystemExit: 1.",
    "def shrink(text):\n    while True:\n        yield text + 'x'\n": (
        "{path}:3: it gave 10,040 texts for one of 4 characters."
    ),
}


@pytest.mark.parametrize("source", FAULTS)
def test_what_breaks_the_contract_ends_the_pass_with_a_sentence(folder: Path, source: str) -> None:
    told: list[str] = []
    with own(folder, source, told) as loaded:
        text, _ = reduced(loaded, "abcd", helpers.contains("bcd"))
        assert text == ("bcd" if "text[1:]" in source else "abcd")
        where = FAULTS[source].format(path=folder / "tools" / "shrink.py")
        assert told == [f"The pass tools/shrink.py:shrink is left out from here on. {where}"]
        # It does nothing more.
        assert reduced(loaded, "abcd", helpers.contains("bcd")) == ("abcd", 0)


ENDLESS = {
    "    while True: pass\n": "3: it computes for more than 0.1 s.",
    "    while True:\n        text += ''\n": "[34]: it computes for more than 0.1 s.",
    "    import re; re.match('(a+)+b', 'a' * 40)\n": "3: it computes for more than 0.1 s.",
    "    import time; time.sleep(1000)\n": "3: it waits for more than 0.3 s.",
    "    import signal\n    signal.pause()\n": "4: it waits for more than 0.3 s.",
}


@pytest.mark.parametrize("body", ENDLESS)
def test_a_pass_that_gives_nothing_is_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    monkeypatch.setattr(proposer, "MOST_SECONDS", 0.1 if "computes" in ENDLESS[body] else 1000)
    monkeypatch.setattr(proposer, "MOST_ASLEEP", 0.3 if "waits" in ENDLESS[body] else 1000)
    told: list[str] = []
    with own(folder, f"def shrink(text):\n    yield text[1:]\n{body}", told) as loaded:
        assert reduced(loaded, "abcd", helpers.contains("bcd"))[0] == "bcd"
    (sentence,) = told
    assert re.search(rf"/shrink\.py:{ENDLESS[body]}$", sentence)


def test_what_computes_when_it_is_loaded_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proposer, "MOST_SECONDS", 0.1)
    told = r"The pass can't be loaded\. .*/shrink\.py:2: it computes for more than 0\.1 s\.$"
    with pytest.raises(PassError, match=told), own(folder, "x = 1\nwhile True: pass\n"):
        pass


DEAF = "import os, time; os.closerange(0, 100); time.sleep(1000)"
ENDS = {
    "raise Odd": "5: Odd.",
    "raise KeyboardInterrupt": "5: KeyboardInterrupt.",
    "raise GeneratorExit": "5: GeneratorExit.",
    "raise Mute": "5: Mute.",
    "import os; os._exit(3)": "4: its process has ended itself, with exit status 3.",
    "import os; os.kill(os.getpid(), 9)": "4: its process was ended by the signal SIGKILL.",
    "import ctypes; ctypes.string_at(0)": "5: its process was ended by the signal SIGSEGV.",
    DEAF: "4: it has closed the pipe to Boildown.",
    "yield '\\ud800'": "5: it gave a text that no file can hold, with half of a surrogate pair.",
    "yield 'x' * 1_000_100": "5: it gave a text of 1,000,100 characters for one of 4.",
}


@pytest.mark.parametrize("line", ENDS)
def test_no_end_of_a_pass_is_one_of_the_job(
    folder: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setattr(proposer, "_LAST_WORDS", 1.0 if line == DEAF else 60.0)
    told: list[str] = []
    source = (
        "class Odd(BaseException): ...\n"
        "class Mute(Exception):\n"
        "    def __str__(self): raise Odd\n"
        f"def shrink(text):\n    {line}\n    yield ''\n"
    )
    with own(folder, source, told) as loaded:
        assert reduced(loaded, "abcd", helpers.contains("bcd"))[0] == "abcd"
    (sentence,) = told
    assert sentence.endswith(f"/shrink.py:{ENDS[line]}")


UNRULY = """\
import atexit, os, signal, subprocess, sys, threading, time

atexit.register(print, "bye")
os.chdir("/")
print("loaded")
os.write(1, b"raw")
os.write(2, b"raw")
sys.stdout = sys.stderr = None
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
sys.setrecursionlimit(100)
threading.Thread(target=time.sleep, args=(1000,)).start()
child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
open(os.environ["LEFT"], "w").write(f"{os.getpid()} {child.pid}")

def shrink(text):
    os.environ["PATH"] = ""
    if os.fork():
        for at in range(len(text)):
            yield text[:at] + text[at + 1 :]
"""


def test_what_a_pass_does_to_its_process_stays_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEFT", str(folder / "left"))
    before = Path.cwd(), signal.getsignal(signal.SIGTERM), sys.getrecursionlimit(), os.environ
    told: list[str] = []
    with own(folder, UNRULY, told) as loaded:
        assert reduced(loaded, "abcd", helpers.contains("c"))[0] == "c"
        left = [int(pid) for pid in (folder / "left").read_text().split()]
    after = Path.cwd(), signal.getsignal(signal.SIGTERM), sys.getrecursionlimit(), os.environ
    assert before == after
    assert (told, capfd.readouterr()) == ([], ("", ""))
    assert not any(is_alive(pid) for pid in left)


def is_alive(pid: int) -> bool:
    """Say whether a process is there, and no zombie that somebody else is to collect."""
    return state(pid) not in (b"", b"Z")


JOB = """\
import os, sys
from pathlib import Path
from boildown.jobs.own_passes import load_passes

with load_passes(["tools/shrink.py:shrink"], Path.cwd(), print):
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.mark.e2e
def test_kill_9_leaves_no_pass_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEFT", str(folder / "left"))
    (folder / "tools" / "shrink.py").write_text(UNRULY)
    command = [sys.executable, "-c", JOB]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as job:
        assert job.stdout is not None
        assert job.stdout.readline() == b"ready\n"
        left = [int(pid) for pid in (folder / "left").read_text().split()]
        assert all(map(is_alive, left))
        job.kill()
    end = time.monotonic() + 60
    while any(map(is_alive, left)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(is_alive, left))


def test_a_stop_ends_a_pass_that_computes(folder: Path) -> None:
    asked = iter([False, True])
    (folder / "tools" / "shrink.py").write_text("def shrink(text):\n    while True: pass\n")
    told: list[str] = []
    passes = ["tools/shrink.py:shrink"]
    with load_passes(passes, folder, told.append, lambda: next(asked, True)) as (loaded,):
        assert reduced(loaded, "abcd", helpers.contains("b")) == ("abcd", 0)
    assert told == []


def test_texts_that_are_larger_cost_no_run(folder: Path) -> None:
    told: list[str] = []
    with own(folder, "def shrink(text): return [text + 'x', 'z' + text, text]", told) as loaded:
        assert reduced(loaded, "abcd", helpers.contains("b")) == ("abcd", 0)
    assert told == []


def needle(folder: Path, passes: tuple[str, ...]) -> TestCommand:
    (folder / "a.txt").write_text("hay needle hay")
    script = "grep -q needle && exit 3; exit 0"
    return from_argv(["sh", "-c", script], folder / "a.txt", folder, passes=passes)


def job(
    folder: Path, options: JobOptions, passes: tuple[str, ...] = ("tools/shrink.py:shrink",)
) -> tuple[Any, list[str]]:
    """Reduce the text by a command; return the result, and the notes with their codes."""
    notes: list[str] = []

    def see(event: Event) -> None:
        if isinstance(event, Note):
            notes.append(filled(event.text))

    return reduce("hay needle hay", needle(folder, passes), options, see), notes


@pytest.mark.e2e
def test_a_broken_pass_does_not_break_the_job(folder: Path) -> None:
    (folder / "tools" / "shrink.py").write_text("def shrink(text):\n    yield 1 / 0\n")
    result, notes = job(folder, JobOptions())
    assert result.text == "needle"
    assert result.reduction.minimality == "1-character-minimal"
    assert [note for note in notes if "shrink" in note] == [
        "The pass tools/shrink.py:shrink is left out from here on."
        f" {folder / 'tools' / 'shrink.py'}:2: ZeroDivisionError: division by zero."
    ]
    assert result.passes[0] == "tools/shrink.py:shrink"


@pytest.mark.e2e
def test_a_changed_pass_resumes_nothing(folder: Path) -> None:
    source = "def shrink(text):\n    yield text[4:]\n    yield text[:-4]\n"
    (folder / "tools" / "shrink.py").write_text(source)
    job(folder, JobOptions(max_runs=3))
    _, notes = job(folder, JobOptions(max_runs=3))
    assert any("was cut short before and goes on" in note for note in notes)
    (folder / "tools" / "shrink.py").write_text(source + "# changed\n")
    _, notes = job(folder, JobOptions(max_runs=3))
    assert not any("was cut short before" in note for note in notes)


def test_entry_points_are_found_by_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = folder / "site"
    (site / "shrinker-1.0.dist-info").mkdir(parents=True)
    (site / "shrinker-1.0.dist-info" / "METADATA").write_text("Name: shrinker\nVersion: 1.0\n")
    (site / "shrinker-1.0.dist-info" / "entry_points.txt").write_text(
        "[boildown.passes]\nhalve-it = shrinker:halve\nbroken = shrinker:nothing\n"
    )
    (site / "shrinker.py").write_text("def halve(text):\n    yield text[len(text) // 2 :]\n")
    monkeypatch.syspath_prepend(str(site))
    command = from_argv(["tool"], Path("x"), folder)
    chosen = own_passes.chosen_passes(command, ["ddmin", "halve-it"])
    assert chosen == (("ddmin",), ("halve-it",))
    assert own_passes.chosen_passes(replace(command, passes=("halve-it",))) == (AUTO, ("halve-it",))
    kept, _ = own_passes.chosen_passes(replace(command, keep_names=True))
    assert kept == tuple(name for name in AUTO if name not in RENAMING)
    with pytest.raises(PassError, match="no pass called 'magic'"):
        own_passes.chosen_passes(command, ["magic"])
    with load_passes(["halve-it"], folder, list[str]().append) as (loaded,):
        assert reduced(loaded, "abcdefgh", helpers.contains("g")) == ("gh", 3)
    for name, told in (
        ("broken", r"^The pass broken \(shrinker:nothing\) can't be loaded\."),
        ("halve", r"of which there are: broken, halve-it\.$"),
    ):
        with (
            pytest.raises(PassError, match=told),
            load_passes([name], folder, list[str]().append),
        ):
            pass


def test_a_configuration_is_checked_and_nothing_is_run_by_that(folder: Path) -> None:
    (folder / "tools" / "shrink.py").write_text("open('ran', 'w')\n")
    path = folder / "boildown.toml"
    head = '[[input]]\nfiles = ["*.rec"]\ncommand = "sh"\n'
    path.write_text(head + 'passes = ["tools/shrink.py:f", "tools/no.py:f"]\n')
    entries, problems = config.load(path)
    assert [str(problem) for problem in problems] == [
        f"{path}:4:1: There is no file {folder / 'tools' / 'no.py'} with a pass."
    ]
    assert entries[0].options["passes"] == ("tools/shrink.py:f", "tools/no.py:f")
    path.write_text(head + 'passes = ["tools/shrink.py f"]\n')
    (problem,) = config.load(path)[1]
    assert str(problem) == (
        f"{path}:4:1: 'passes' has 'tools/shrink.py f', which is neither FILE.py:FUNCTION nor an"
        " entry point."
    )
    assert not (folder / "ran").exists()
