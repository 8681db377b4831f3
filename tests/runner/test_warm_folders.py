"""Warm runs on folders: what is imported from elsewhere is loaded ahead, the folder's own never."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from boildown.folder_text import packed
from boildown.runner.command import Level, TestCommand, from_argv
from boildown.runner.request import own_names
from boildown.runner.run import Run
from boildown.runner.runner import Runner

LOADED = "import os\nos.write(os.open({!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT), b'x')\n"
PROJECT = {
    "lib/__init__.py": "",
    "lib/tools.py": "LIMIT = 1\n",
    "tests/test_it.py": "from lib.tools import LIMIT\n\n\ndef test_it():\n    assert LIMIT == 2\n",
}


class Installed:
    """A Python with an environment of its own, which has pytest, and a project beside it."""

    def __init__(self, root: Path) -> None:
        self.root = root / "project"
        self.root.mkdir(parents=True)
        made = root / "environment"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", made], check=True)
        self.python = str(made / "bin" / "python")
        (self.site,) = made.glob("lib/python*/site-packages")
        (self.site / "tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
        self.loads = root / "loads"
        self.install("outside", LOADED.format(str(self.loads)))
        script = made / "bin" / "pytest"
        script.write_text(f"#!{self.python}\nimport sys, pytest\nsys.exit(pytest.main())\n")
        script.chmod(0o755)
        self.script = str(script)

    def install(self, name: str, code: str) -> None:
        (self.site / f"{name}.py").write_text(code)

    def command(self, files: Mapping[str, str], *argv: str, **options: object) -> TestCommand:
        """A command for a folder, whose files are also written where it was before."""
        for path, content in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(content)
        words = argv or (self.python, "-m", "pytest", "-q", "tests")
        return from_argv(words, self.root, self.root, folder=True, files=tuple(files), **options)


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    return Installed(tmp_path)


def ended(run: Run) -> tuple[int | None, str]:
    """How a run ended and what it printed, without the seconds that it took."""
    return run.status, re.sub(r"in [\d.]+s", "", run.stdout + run.stderr)


def both(
    command: TestCommand, folders: Sequence[Mapping[str, str]], warm: bool = True
) -> list[str]:
    """Check that warm and cold runs on folders end the same way; return what they print."""
    found = []
    with Runner(command) as runner:
        # The first one is cold in any case, and tells what it imports.
        runner.run(packed(folders[0].items()))
        for folder in folders:
            runs = [runner.run(packed(folder.items()), cold=cold) for cold in (False, True)]
            assert runner.warm is warm, runner.why_cold
            assert ended(runs[0]) == ended(runs[1])
            found.append(runs[0].stdout)
    return found


@pytest.mark.parametrize("as_script", [False, True])
def test_the_folders_own_modules_are_imported_afresh(installed: Installed, as_script: bool) -> None:
    """The candidates have files of the same size, and are written within a second."""
    given = {**PROJECT, "lib/tools.py": "import outside\nLIMIT = 1\n"}
    texts = [
        "import outside\nLIMIT = 2\n",
        "import outside\nLIMIT = 3\n",
        "import outside\nLIMIT = 2\n",
    ]
    folders = [given, *({**given, "lib/tools.py": text} for text in texts)]
    argv = (installed.script, "-q", "tests") if as_script else ()
    told = both(installed.command(given, *argv), folders)
    assert [re.findall(r"assert (\d) ==|(\d) passed", each)[0] for each in told] == [
        ("1", ""),
        ("", "1"),
        ("3", ""),
        ("", "1"),
    ]
    # One for the first run and each cold one, one for a trial, one for all warm runs.
    assert installed.loads.read_text() == "x" * (5 + 2)


def test_a_part_that_is_left_out_is_not_found_in_the_original(installed: Installed) -> None:
    (installed.site / "editable.pth").write_text(f"{installed.root}\n")
    part = {path: text for path, text in PROJECT.items() if path != "lib/tools.py"}
    told = both(installed.command(PROJECT), [PROJECT, part])
    assert "No module named 'lib.tools'" in told[1]


def test_path_directory_root_and_environment_are_those_of_a_fresh_process(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(installed.root / "more"))
    files = {
        "conftest.py": "import os, sys\nsys.path.insert(0, 'vendor')\nos.environ['MINE'] = 'set'\n",
        "pytest.ini": "[pytest]\nmarkers = one\n",
        "more/extra.py": "",
        "vendor/inner.py": "",
        "tests/test_it.py": (
            "import os, sys\nimport inner, extra\n\n\ndef test_it(request):\n"
            "    for name in sorted(os.environ):\n        print(name, os.environ[name])\n"
            "    print(sys.path, os.getcwd(), request.config.rootpath)\n"
            "    print(request.config.getini('markers')[0], sys.dont_write_bytecode)\n"
            "    print([each for each in sys.modules if each in ('inner', 'extra', 'conftest')])\n"
            "    assert 0\n"
        ),
    }
    bare = {**files, "conftest.py": "import sys\nsys.path.insert(0, 'vendor')\n"}
    whole, less = both(installed.command(files), [files, bare])
    assert "MINE set\n" in whole
    assert "MINE" not in less
    assert "BOILDOWN_IMPORTED" not in whole
    assert "', 'vendor', '" in whole
    assert "/project/more'" in whole
    assert "/boildown-run-" in whole


def test_a_plugin_of_the_folder_is_that_of_the_candidate(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-pno:boildown -pno:pytest-lsp -pno:xdist")
    made = installed.site / "lib-1.dist-info"
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: lib\nVersion: 1\n")
    (made / "entry_points.txt").write_text("[pytest11]\nlib_plugin = lib.plugin\n")
    plugin = "def pytest_report_header():\n    return 'header {}'\n"
    argv = (installed.python, "-m", "pytest", "tests")
    folders = [{**PROJECT, "lib/plugin.py": plugin.format(each)} for each in ("one", "two")]
    told = both(installed.command(folders[0], *argv), folders)
    assert [re.findall(r"header \w+", each) for each in told] == [["header one"], ["header two"]]


OUTSIDE = {
    "imports the project": (
        "try:\n    import lib.tools as seen\nexcept ImportError:\n    seen = 0\n",
        "",
    ),
    "reads the environment": (
        "import os\nseen = os.environ.get('MINE')\n",
        "import os\nos.environ['MINE'] = '1'\n",
    ),
    "sets the environment": ("import os\nseen = os.environ['MINE'] = '2'\n", ""),
    "reads the folder": ("seen = open('lib/tools.py').read()\n", ""),
    "warns": ("import warnings\nwarnings.warn('old')\nseen = 3\n", ""),
    "prints": ("print('loaded')\nseen = 4\n", ""),
    "keeps the output": ("import sys\nout = sys.stdout\nout.flush()\nseen = 5\n", ""),
    "is elsewhere first": ("seen = 6\n", "import sys\nsys.path.insert(0, {vendor!r})\n"),
    "starts a thread": (
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\nseen = 7\n",
        "",
    ),
    "ends the process": (
        "import os, sys\nif 'conftest' not in sys.modules: os._exit(3)\nseen = 8\n",
        "",
    ),
    "replaces a module": (
        "import other\nseen = other.__name__\n",
        "import sys, types\nsys.modules['other'] = types.ModuleType('faked')\n",
    ),
    "has a late name": (
        "import colorsys\nseen = colorsys.__file__\n",
        "import sys\nsys.path.insert(0, 'late')\n",
    ),
}


@pytest.mark.parametrize("how", OUTSIDE)
def test_what_would_load_otherwise_in_a_run_is_not_loaded_ahead(
    installed: Installed, tmp_path: Path, how: str
) -> None:
    code, conftest = OUTSIDE[how]
    vendor = tmp_path / "vendor"
    vendor.mkdir()
    (vendor / "depends.py").write_text("seen = 'vendored'\n")
    installed.install("other", "")
    installed.install("depends", code)
    files = {
        "conftest.py": f"import outside\n{conftest.format(vendor=str(vendor))}",
        **PROJECT,
        "late/colorsys.py": "",
        "tests/test_it.py": "import depends\n\n\ndef test_it():\n    assert depends.seen == ''\n",
    }
    without = {**files, "conftest.py": "import outside\n", "lib/tools.py": "LIMIT = 2\n"}
    both(installed.command(files), [files, without])
    # What came before it is loaded ahead all the same: 3 cold runs, and once or twice by trials.
    assert len(installed.loads.read_text()) in range(3 + 2, 3 + 4)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("colorsys.py", ""),
        ("textwrap.py", "textwrap has the name of a file in the folder"),
        ("lib/textwrap.py", ""),
        ("src/textwrap/__init__.py", "textwrap has the name of a file in the folder"),
    ],
)
def test_names_that_pytest_imports_itself(installed: Installed, path: str, why: str) -> None:
    import textwrap

    files = {**PROJECT, path: Path(textwrap.__file__).read_text()}
    with Runner(installed.command(files)) as runner:
        for _ in range(2):
            assert runner.run(packed(files.items())).status == 1
        assert (runner.warm, why in runner.why_cold) == (not why, True), runner.why_cold


def test_what_a_run_writes_is_not_there_for_the_next(installed: Installed) -> None:
    files = {
        **PROJECT,
        "tests/test_it.py": (
            "import os\n\n\ndef test_it():\n"
            "    found = sorted(os.listdir('lib')), os.listdir('..')\n"
            "    open('lib/left.py', 'w').close()\n    open('../left.py', 'w').close()\n"
            "    assert not found\n"
        ),
    }
    (told,) = both(installed.command(files), [files])
    assert "['__init__.py', 'tools.py']" in told
    assert "['project']" in told
    assert sorted(path.name for path in (installed.root / "lib").iterdir()) == [
        "__init__.py",
        "tools.py",
    ]


def test_where_pytest_is_no_script_of_python_runs_are_cold(installed: Installed) -> None:
    script = Path(installed.script)
    script.write_text(f'#!/bin/sh\nexec {installed.python} -m pytest "$@"\n')
    command = installed.command(PROJECT, str(script), "-q", "tests")
    both(command, [PROJECT], warm=False)


def test_two_workers_and_verdicts_in_order(installed: Installed) -> None:
    from boildown.runner.judging.judge import Expected

    given = PROJECT["lib/tools.py"]
    folders = [{**PROJECT, "lib/tools.py": given.replace("1", each)} for each in "1213422"]
    with Runner(installed.command(PROJECT, level=Level.EXIT), 2) as runner:
        texts = [packed(folder.items()) for folder in folders]
        verdicts = list(runner.oracle(Expected("exit 1"))(texts))
        assert runner.warm
    assert [verdict.reproduced for verdict in verdicts] == [each != "2" for each in "1213422"]


def test_names_of_a_folders_own() -> None:
    files = (
        "a.py",
        "lib/__init__.py",
        "lib/b.py",
        "lib/c.cpython-312.so",
        "docs/d.rst",
        "src/e/f.py",
    )
    assert own_names(files, [".", "src"]) == {
        "modules": ["a", "b", "c", "f", "lib"],
        "first": ["a", "lib"],
        "names": ["a", "b", "c", "docs", "e", "f", "lib", "src"],
    }
