"""Releases of packages, each in a folder of its own, and what two of them make of a text."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.bugs import ENVIRONMENTS

_PYTHON = """
import json, signal, sys

def late(*_):
    raise TimeoutError

source, folder = sys.argv[1:]
sys.path.insert(0, folder)
names = {}
exec(source, names)
signal.signal(signal.SIGVTALRM, late)
for line in sys.stdin:
    signal.setitimer(signal.ITIMER_VIRTUAL, 2)
    try:
        answer = names["call"](json.loads(line)), ""
    except Exception as error:
        answer = "", f"{type(error).__name__}: {error}"
    print(json.dumps(answer), flush=True)
"""
_NODE = """
const call = new Function("require", `${process.argv[1]}; return call`)(require);
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  let answer;
  try { answer = [call(JSON.parse(line)), ""]; } catch (error) { answer = ["", String(error)]; }
  console.log(JSON.stringify(answer));
});
"""


def folder(release: str) -> Path:
    """Return where a release such as `toml==0.10.2` or `toml@3.0.0` is, or will be."""
    return ENVIRONMENTS / "field" / release.replace("==", "-")


def install(release: str) -> None:
    """Install a release from PyPI, or from npm where it is named so, unless it is there.

    Raises:
        subprocess.CalledProcessError: the registry said no.
    """
    place = folder(release)
    if place.exists():
        return
    if "==" in release:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(place)]
    else:
        command = ["npm", "install", "--silent", "--ignore-scripts", "--prefix", str(place)]
    subprocess.run([*command, release], check=True)


def compared(source: str, release: str, fixed: str) -> Callable[[str], None]:
    """Return a function that raises if a release makes something else of a text than a fixed one.

    It says nothing of a text that the fixed release rejects. The source is that of a function
    `call` which returns an answer, in Python or, for releases from npm, in JavaScript.
    """
    processes = [_started(source, each) for each in (release, fixed)]

    def call(text: str) -> None:
        # Both work at the same time.
        for process in processes:
            print(json.dumps(text), file=process.stdin, flush=True)
        (found, fault), (right, rejected) = map(_answer, processes)
        if rejected:
            return
        if fault:
            raise RuntimeError(fault)
        assert found == right, "the releases differ"

    return call


def _started(source: str, release: str) -> subprocess.Popen[str]:
    """Start a process that answers texts by a release, a line of JSON for each."""
    place = folder(release)
    if "==" in release:
        command = [sys.executable, "-c", _PYTHON, source, str(place)]
    else:
        command = ["node", "-e", _NODE, source]
    return subprocess.Popen(
        command, cwd=place, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip


def _answer(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Read an answer, or an error."""
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise OSError(f"{process.args!r} ended")
    answer, error = json.loads(line)
    return answer, error
