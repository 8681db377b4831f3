"""Bug reports, and the other failures that go into them."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest

from boildown.engine.oracle import Outcome, Verdict, observed
from boildown.engine.passing import Passing
from boildown.engine.reducing.reduce import reduce
from boildown.jobs.diagnosis import Diagnosis
from boildown.jobs.report import bug_report
from boildown.languages import load_language
from boildown.runner.command import Compare, Level, from_argv
from boildown.runner.judging.others import Others
from boildown.runner.preflight.preflight import preflight
from boildown.runner.run import Run
from boildown.runner.runner import Runner

REPORT = """\
# `exit 1: KeyError in tool/parse.py: read_all`

The input, `crash.json` (9 bytes, 1-token-minimal; reduced from 1,234 bytes in 56 runs):

```json
{"a": []}
```

The command:

```sh
~/bin/tool --in crash.json
```

It ends with exit 1, after:

```
Traceback (most recent call last):
  File "~/tool/parse.py", line 3, in read_all
KeyError: 'crash.json'
```

All inputs of this pattern fail so, as far as tried:

```
{"a": <value>}
```

Other failures that were met on the way, each with its smallest input:

- `exit 3`

````json
a ``` b
````

Versions: Boildown """


def reported(tmp_path: Path, home: str, text: str = '{"a": []}') -> str:
    argv = [f"{home}/bin/tool", "--in", "crash.json"]
    file = "/tmp/boildown-run-1-ab/7/crash.json"
    error = (
        "Traceback (most recent call last):\n"
        f'  File "{home}/tool/parse.py", line 3, in read_all\n'
        f"KeyError: '{file}'\n"
    )
    run = Run(status=1, stderr=error, file=file, directory="/tmp/boildown-run-1-ab/7")
    command = from_argv(argv, Path("crash.json"), tmp_path, environment={"TOKEN": "secret"})
    others = {"exit 3": "a ``` b"}
    found = Diagnosis(text, 1234, 56, "1-token-minimal", '{"a": <value>}', others)
    return bug_report(found, command, run, "exit 1: KeyError in tool/parse.py: read_all")


def test_a_report_says_all_and_nothing_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    report = reported(tmp_path, "/home/someone")
    assert report.startswith(REPORT)
    assert platform.python_version() in report
    assert "someone" not in report
    assert "secret" not in report


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "\n(empty)\n"),
        ("a\x00\udcff", "\n```python\nb'a\\x00\\xff'\n```\n"),
        ("x" * 30_000, "\n(attached: 30,000 bytes)\n"),
        ("one\n\ttwo\n", "\n```json\none\n\ttwo\n```\n"),
    ],
)
def test_inputs_of_any_kind_are_shown(tmp_path: Path, text: str, shown: str) -> None:
    assert shown in reported(tmp_path, "/home/someone", text)


def test_the_python_of_an_environment_is_named_without_its_path(tmp_path: Path) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    (tmp_path / ".venv" / "pyvenv.cfg").touch()
    run = Run(status=1)
    for program in (str(python), ".venv/bin/python"):
        command = from_argv((program, "tool.py", "crash.txt"), Path("crash.txt"), tmp_path)
        report = bug_report(Diagnosis("x", 9, 5), command, run, "exit 1")
        assert "```sh\npython tool.py crash.txt\n```" in report


def test_of_many_other_failures_three_are_shown(tmp_path: Path) -> None:
    run = Run(status=1)
    command = from_argv(("tool", "crash.txt"), Path("crash.txt"), tmp_path)
    others = {f"exit {status}": "x" for status in range(2, 7)}
    report = bug_report(Diagnosis("x", 9, 5, others=others), command, run, "exit 1")
    assert (report.count("- `exit "), "\nThere were 2 more.\n" in report) == (3, True)


def test_the_other_command_and_the_closest_input_that_passes_are_named(tmp_path: Path) -> None:
    command = from_argv(
        ["new"], Path("crash.txt"), tmp_path, good="old {file}", compare=Compare.OUTPUT
    )
    run = Run(status=1, other=Run(status=0))
    found = Diagnosis("ab", 9, 9, passing=Passing("ac", 1))
    assert (
        "This command, with which it is compared, ends with exit 0:\n\n"
        "```sh\nold crash.txt\n```\n\n"
        "An input that passes, 1 character away:\n\n```\nac\n```\n"
    ) in bug_report(found, command, run, "exit 1")


def test_a_command_without_the_input_gets_it_on_standard_input(tmp_path: Path) -> None:
    command = from_argv(["sort", "-n"], Path("crash.txt"), tmp_path)
    report = bug_report(Diagnosis("x", 1, 1), command, Run(status=None, signal=11), "SIGSEGV")
    assert "\nsort -n < crash.txt\n" in report
    assert "It ends with SIGSEGV, after:\n\n```\n(no output)\n```" in report


def test_other_failures_are_kept_with_their_smallest_input() -> None:
    others = Others("exit 1")
    for text, outcome, signature in [
        ("aaa", Outcome.PASSED, "exit 2"),
        ("a", Outcome.REPRODUCED, "exit 1"),
        ("b", Outcome.PASSED, ""),
        ("c", Outcome.TIMEOUT, "timeout"),
        ("bb", Outcome.PASSED, "exit 2"),
        ("dddd", Outcome.PASSED, "exit 2"),
        ("e", Outcome.PASSED, "SIGSEGV"),
    ]:
        others.see(text, Verdict(outcome, signature))
    assert others.found == {"exit 2": "bb", "SIGSEGV": "e"}


def test_a_reduction_does_not_slip_to_the_other_bug(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(
        "import sys\n"
        "def first(text):\n    raise KeyError(text)\n"
        "def second(text):\n    raise KeyError(text)\n"
        "text = open(sys.argv[1]).read()\n"
        "if '(' in text and ')' in text: first(text)\n"
        "if '(' in text: second(text)\n"
    )
    argv = [sys.executable, "tool.py", "crash.txt"]
    results = {}
    for level in (Level.EXIT, Level.LOCATION):
        command = from_argv(argv, Path("crash.txt"), tmp_path, level=level)
        with Runner(command) as runner:
            start = preflight(runner, "a(b)c")
            others = Others(start.expected.signature)
            oracle = observed(runner.oracle(start.expected), others.see)
            results[level] = reduce("a(b)c", oracle, load_language("plain"), ("ddmin",)).text
    assert results[Level.EXIT] == "("
    assert results[Level.LOCATION] == "()"
    (text,) = others.found.values()
    place = f"{tmp_path.name}/tool.py: second"
    assert list(others.found) == [f"exit 1: KeyError in {place}: `raise KeyError(text)`"]
    assert text == "("
