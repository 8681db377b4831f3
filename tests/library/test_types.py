"""The types of the calls that are documented satisfy mypy and pyright, each in its strict mode."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import missing

CALLS = r"""
import re
from boildown import Reduction, generalize, reduce, reduce_file

def total(text: str) -> int:
    return sum(int(number) for number in text.split("+"))

def is_image(data: bytes) -> bool:
    return b"\xff" in data

def has_word(text: str) -> re.Match[str] | None:
    return re.search("word", text)

def in_file() -> str:
    return reduce_file("crash.json", "python check.py {file}", max_seconds=1.5).text

failing: Reduction[str] = reduce("12+0b1+3", total)
image: bytes = reduce(b"GIF89a\xff\x00", is_image).text
kept: str = reduce("[1, [2, 3], 4]", has_word, "json", keep=["[2"], max_runs=100).text
part: bytes = reduce(b"12", is_image, keep=[b"1"]).text
raised: str = reduce("1 + 2 / 0", eval, "python", raises=ZeroDivisionError).text
line: str = str(generalize("[1]", lambda text: "1" in text, "json", passing=["[]"]))
"""
WRONG = "reduce(1, total)\n"
PYRIGHT = "pyright@1.1.414"


def complaints(checker: str, folder: Path) -> list[int]:
    """Return the lines of the calls that a checker of types complains of."""
    (folder / "calls.py").write_text(CALLS + WRONG)
    if checker == "mypy":
        command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "calls.py"]
        printed = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
        return sorted({int(line) for line in re.findall(r"^calls\.py:(\d+): error", printed, re.M)})
    if (npm := shutil.which("npm")) is None:
        missing("npm is not installed, which gets pyright.")
    config = {"typeCheckingMode": "strict", "include": ["calls.py"]}
    (folder / "pyrightconfig.json").write_text(json.dumps(config))
    command = [npm, "exec", "--yes", f"--package={PYRIGHT}", "--", "pyright", "--outputjson"]
    command += ["--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if not done.stdout.startswith("{"):
        missing("The registry of npm, which has pyright, is out of reach.")
    found = json.loads(done.stdout)["generalDiagnostics"]
    return sorted({each["range"]["start"]["line"] + 1 for each in found})


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_documented_calls_have_types_that_checkers_know(checker: str, tmp_path: Path) -> None:
    assert complaints(checker, tmp_path) == [CALLS.count("\n") + 1]
