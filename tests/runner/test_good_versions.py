"""Good versions: revisions, releases and folders on which the same test command runs."""

from __future__ import annotations

import json
import shutil
import sys
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path
from subprocess import run

import pytest

from boildown.cli.main import main
from boildown.engine.oracle import Outcome
from boildown.runner.advice import filled
from boildown.runner.command import Isolation, TestCommand, from_argv
from boildown.runner.preflight.preflight import preflight
from boildown.runner.run import CannotRun
from boildown.runner.runner import Runner

GOOD = "import sys\nsys.exit('y' in open(sys.argv[1]).read())\n"
BAD = "import sys\nsys.exit(open(sys.argv[1]).read() != '')\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program that fails on all texts, and the user's cache elsewhere."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "tool.py").write_text(BAD)
    (folder / "sub" / "crash.txt").write_text("x")
    return folder


def command(folder: Path, good: str) -> TestCommand:
    argv = [sys.executable, "-S", "tool.py", "crash.txt"]
    return from_argv(argv, Path("crash.txt"), folder, good=good)


def outcomes(judged: TestCommand) -> tuple[list[Outcome], list[str]]:
    """Return the outcomes of some texts, and what was said of the good version."""
    told: list[str] = []
    with Runner(judged, remark=lambda message: told.append(filled(message))) as runner:
        expected = preflight(runner, "x").expected
        return [verdict.outcome for verdict in runner.oracle(expected)(["a", "y", "xy"])], told


AS_WANTED = [Outcome.REPRODUCED, Outcome.PASSED, Outcome.PASSED]


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    ran = run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def test_a_revision_is_written_into_a_folder_of_its_own(project: Path) -> None:
    (project / "sub" / "tool.py").write_text(GOOD)
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-qm", "good")
    commit = git(project, "rev-parse", "HEAD")
    (project / "sub" / "tool.py").write_text(BAD)
    before = git(project, "status", "--porcelain")
    told = f"The good version is the same command in revision {commit[:12]}."
    assert outcomes(command(project / "sub", "git:HEAD")) == (AS_WANTED, [told])
    assert git(project, "status", "--porcelain") == before
    assert (project / "sub" / "tool.py").read_text() == BAD


def test_a_folder_holds_the_same_command(project: Path) -> None:
    (project / "sub" / "old").mkdir()
    (project / "sub" / "old" / "tool.py").write_text(GOOD)
    told = f"The good version is the same command in the folder {project / 'sub' / 'old'}."
    assert outcomes(command(project / "sub", "old")) == (AS_WANTED, [told])


def test_a_folder_in_the_workspace_stays_there_in_a_copy(project: Path) -> None:
    (project / "pyproject.toml").touch()
    (project / "sub" / "old").mkdir()
    (project / "sub" / "old" / "tool.py").write_text(GOOD)
    copied = replace(command(project / "sub", "old"), isolate=Isolation("copy"))
    assert outcomes(copied)[0] == AS_WANTED


def wheel(folder: Path, version: str, code: str) -> None:
    """Write a wheel of one module by hand."""
    folder.mkdir(exist_ok=True)
    info = f"goodtool-{version}.dist-info"
    with zipfile.ZipFile(folder / f"goodtool-{version}-py3-none-any.whl", "w") as packed:
        packed.writestr("goodtool.py", code)
        packed.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: goodtool\nVersion: {version}\n"
        )
        packed.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        packed.writestr(f"{info}/RECORD", "")


def test_a_release_stands_in_front_of_what_is_installed(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And of what stands in the project. From a folder of wheels, as no test needs a network."""
    wheel(project / "wheels", "1.0", "def wrong(text):\n    return 'y' in text\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(project / "wheels"))
    (project / "sub" / "goodtool.py").write_text("def wrong(text):\n    return text != ''\n")
    (project / "sub" / "tool.py").write_text(
        "import sys, goodtool\nsys.exit(goodtool.wrong(open(sys.argv[1]).read()))\n"
    )
    argv = [sys.executable, "tool.py", "crash.txt"]
    judged = from_argv(argv, Path("crash.txt"), project / "sub", good="pip:goodtool==1.0")
    told = (
        "The good version is the same command with goodtool==1.0 from pip in front of what is"
        " installed."
    )
    assert outcomes(judged) == (AS_WANTED, [told])


PRINTS = """#!/usr/bin/env node
const text = require('fs').readFileSync(process.argv[2], 'utf8');
process.exit(require('tool')(text) ? 1 : 0);
"""


def package(folder: Path, code: str) -> None:
    """Write a package of Node, with a module and a program."""
    folder.mkdir(parents=True)
    about = {"name": "tool", "version": "1.0.0", "main": "main.js", "bin": {"tool": "run.js"}}
    (folder / "package.json").write_text(json.dumps(about))
    (folder / "main.js").write_text(f"module.exports = text => {code};\n")
    (folder / "run.js").write_text(PRINTS.replace("'tool'", "'./main.js'"))
    (folder / "run.js").chmod(0o755)


@pytest.mark.parametrize("program", ["node check.js", "sh check.sh"])
def test_a_release_of_a_package_of_node_is_found_from_scripts_of_the_project(
    project: Path, program: str
) -> None:
    """By `require`, and by a path to its program."""
    if not shutil.which("npm"):
        pytest.skip("There is no npm.")
    package(project / "node_modules" / "tool", "text !== ''")
    (project / "node_modules" / ".bin").mkdir()
    (project / "node_modules" / ".bin" / "tool").symlink_to("../tool/run.js")
    package(project.parent / "good", "text.includes('y')")
    with tarfile.open(project.parent / "good.tgz", "w:gz") as packed:
        packed.add(project.parent / "good", "package")
    (project / "package.json").write_text("{}")
    (project / "sub" / "check.js").write_text(PRINTS)
    (project / "sub" / "check.sh").write_text('../node_modules/.bin/tool "$1"\n')
    argv = [*program.split(), "crash.txt"]
    good = f"npm:{project.parent / 'good.tgz'}"
    judged = from_argv(argv, Path("crash.txt"), project / "sub", good=good)
    found, told = outcomes(judged)
    assert (found, told[0][-30:]) == (AS_WANTED, "from npm, over what is installed."[-30:])


@pytest.mark.parametrize(
    ("good", "said"),
    [
        ("git:no-such-tag", "for git says: "),
        ("pip:no-such-package-of-anybody==1", "says: "),
    ],
)
def test_a_version_that_cannot_be_had_is_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch, good: str, said: str
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    git(project, "init", "-q")
    with pytest.raises(CannotRun, match=f"The good version could not be made, .*{said}"):
        Runner(command(project / "sub", good))


def test_a_branch_with_a_slash_is_a_revision(project: Path) -> None:
    assert command(project / "sub", "git:origin/main").good == ("git:origin/main",)


def test_another_command_stays_a_command(project: Path) -> None:
    assert outcomes(command(project / "sub", "grep -v y")) == (AS_WANTED, [])


TITLE = """
def title(text):
    return " ".join(word if word in ("of", "the") and n else word.capitalize()
                    for n, word in enumerate(text.split()))
"""
TEST = """
from title import title


def test_title():
    assert title("the lord of the rings and of the king") == "The Lord of the Rings And of the King"
"""


@pytest.mark.slow
def test_a_wrong_value_is_told_by_the_one_of_a_good_version(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the test expects is of its own input, so the good version fails on all others, too."""
    monkeypatch.chdir(project)
    (project / "title.py").write_text(TITLE)
    (project / "test_title.py").write_text(TEST)
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-qm", "good")
    git(project, "tag", "v1.0")
    (project / "title.py").write_text(TITLE.replace('"of", "the"', '"the"'))
    assert main(["test_title.py::test_title"]) == 1
    assert "such as --good git:v1.0, or keep the values with" in capsys.readouterr().err
    assert main(["test_title.py::test_title", "--good", "git:v1.0"]) == 0
    assert capsys.readouterr().out == "a of"
