"""What the tests of real editors share: the set-up that the documentation gives."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from helpers import missing

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "editors.md"

PROGRAM = """
import os, sys, time
text = open(sys.argv[1]).read()
if os.path.exists("hang"):
    if len(text) < 200:
        sys.exit(0)
    with open("smaller", "a+") as smaller:
        if smaller.tell() >= int(open("hang").read()):
            open("hanging", "w").close()
            time.sleep(100)
        if "x" in text and len(text) < 460:
            smaller.write(".")
sys.exit("x" in text)
"""
"""Fails where there is an x. A file `hang` holds after how many runs on smaller failing texts it
hangs and says so; while it is there, short texts pass, so that there are that many."""
PAIRS = r"""
[[input]]
files = ["*.json"]
interesting = true
command = ["grep", "-qE", "^\\[.+,.+\\]$", "{file}"]
"""
"""Has every list of two or more elements fail."""
LITERALS = r"""
[[input]]
files = ["test_shop.py"]
interesting = true
command = ["grep", "-qE", "é = .\\[.+,.+\\]", "{file}"]
"""
"""Has a literal of the test fail as in pytest, but faster: a pattern takes hundreds of runs."""
TEST = """\
from shop import check

def test_two():
    é = "[1, 2, 3]"
    other = "[4]"
    check(é, other)
"""
SHOP = """\
import json

def check(text, other):
    orders = json.loads(text)
    if len(orders + json.loads(other)) > 2:
        raise ValueError("too many")
"""
"""A test that fails on one of two strings."""
KINDS = """\
import pytest
from hypothesis import given, strategies
from shop import check

def fails(text):
    assert "x" not in text

def test_literal():
    fails("so x far")

@pytest.mark.parametrize("text", ["fine", "not x fine"])
def test_parameter(text):
    fails(text)

def test_data():
    orders = [{"id": 1}, {"id": 2, "x": 3}]
    fails(str(orders))

def test_file():
    fails(open("sign.txt").read())

@given(strategies.text(alphabet="ax", min_size=2))
def test_given(text):
    fails(text)
"""
"""A failing test for each kind of input."""
KEYS = (
    ("test_literal", "fails(", "test_kinds.py", 'fails("x")'),
    ("test_parameter", "fails(", "test_kinds.py", '["fine", "x"]'),
    ("test_data", "fails(", "test_kinds.py", 'orders = [{"x": 3}]'),
    ("test_file", "fails(", "sign.txt", "x"),
    ("test_given", "fails(", "test_kinds.py", "@example(text='x')"),
)
"""Each of them, what the cursor is on in it, and where which text is to be found at the end."""
TEXT = "filler " * 30 + "x\nfive x six\n" + "seven eight\n" * 20


def project(folder: Path) -> Path:
    """Make a project with a failing input; return the input's path."""
    (folder / "repro.py").write_text(PROGRAM)
    (folder / "boildown.toml").write_text(
        "[[input]]\nfiles = ['*.txt']\ntimeout = 100\nisolate = 'none'\n"
        f"command = ['{sys.executable}', '-I', '-S', 'repro.py', '{{file}}']\n"
    )
    with open(folder / "boildown.toml", "a") as more:
        more.write(PAIRS + LITERALS)
    (folder / "pairs.json").write_text("[0,0]")
    (folder / "test_shop.py").write_text(TEST)
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_kinds.py").write_text(KINDS)
    (folder / "sign.txt").write_text("a sign with an x")
    (folder / "keys.json").write_text(json.dumps(KEYS))
    (folder / "crash.log").write_text("a line\nand x\n")
    crash = folder / "crash.txt"
    crash.write_text(TEXT)
    return crash


def run(argv: list[str], folder: Path) -> str:
    """Run an editor in a folder, with `boildown` on the path; return what it printed."""
    scripts = str(Path(sys.executable).parent)
    own = {"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    own["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    own["PATH"] = os.pathsep.join((scripts, os.environ["PATH"]))
    ended = subprocess.run(
        argv,
        cwd=folder,
        env={**os.environ, **own},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
    return ended.stdout


def program(name: str, executable: str, *check: str) -> str:
    """Return the path of an editor; where it is missing, skip the test, or fail it in CI.

    `check` are arguments with which the editor ends with status 0 only if it can be used.
    """
    found = shutil.which(executable)
    if found is None:
        missing(f"{name} is not installed: there is no `{executable}` on the path.")
    elif check and subprocess.run([found, *check], capture_output=True, timeout=60).returncode:
        missing(f"{name} is not installed: `{shlex.join((executable, *check))}` fails.")
    return str(found)


def documented(language: str, heading: str) -> str:
    """Return what a section of `docs/editors.md` says in a language to set an editor up."""
    (section,) = re.findall(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", PAGE.read_text("utf-8"), re.M | re.S)
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", section, re.M | re.S)
    assert blocks
    return "\n".join(blocks)
