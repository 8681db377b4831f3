"""Windows, simulated: all but test commands works without `fork`, `resource` and `fcntl`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WITHOUT_UNIX = (sys.executable, str(Path(__file__).with_name("windows.py")))
MAIN = (
    "import sys; from boildown.__main__ import main; sys.argv[:1] = ['boildown']; sys.exit(main())"
)
IMPORT_ALL = """
import importlib, pkgutil, sys, boildown
assert sys.platform == "win32"
for name in ("fcntl", "resource"):
    try: importlib.import_module(name)
    except ImportError: continue
    raise AssertionError(name)
refused = []
for module in pkgutil.walk_packages(boildown.__path__, "boildown."):
    try: importlib.import_module(module.name)
    except (ImportError, AttributeError): refused.append(module.name)
print(*refused)
"""
PYTEST = """
import sys, pytest
class Late:
    def pytest_sessionstart(self):
        sys.platform = "win32"
# Pytest has begun to capture by then, for which Windows has a console of its own.
sys.platform = "linux"
sys.exit(pytest.main(sys.argv[1:], plugins=[Late()]))
"""


def on_windows(code: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [*WITHOUT_UNIX, code, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=600)


def test_only_what_runs_in_a_guardian_needs_unix(tmp_path: Path) -> None:
    ran = on_windows(IMPORT_ALL, cwd=tmp_path)
    assert ran.stderr == ""
    needy = ("files", "main", "processes", "proposing", "running")
    assert ran.stdout.split() == [f"boildown.runner.guardian.{name}" for name in needy]


def test_a_command_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "crash.json").write_text('{"a": null}')
    told = (
        "boildown: Test commands cannot be run on this system yet; on Windows, use Boildown in the"
        " Windows Subsystem for Linux (WSL).\n"
    )
    command = ("crash.json", "--", sys.executable, "-c", "exit(1)", "crash.json")
    for name in ("reduce", "generalize", "explore"):
        ran = on_windows(MAIN, name, *command, cwd=tmp_path)
        said = [line for line in ran.stderr.splitlines(True) if not line.startswith("note: ")]
        assert (ran.returncode, ran.stdout, said) == (2, "", [told])


def test_a_tree_is_shown(tmp_path: Path) -> None:
    (tmp_path / "crash.json").write_text("[1]")
    ran = on_windows(MAIN, "grammar", "tree", "crash.json", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[-2:] == ['      "]"', ""]
    assert 'NUMBER "1"' in ran.stdout


def test_the_library_reduces_and_generalizes(tmp_path: Path) -> None:
    code = """
from boildown import generalize, reduce
print(reduce('{"a": [1, {"b": null}]}', lambda text: "null" in text, "json").text)
print(generalize('{"a": 1}', lambda text: "1" in text, "json", samples=5).text)
"""
    ran = on_windows(code, cwd=tmp_path)
    assert (ran.stdout, ran.stderr) == ("null\n1\n", "")


@pytest.mark.nightly
@pytest.mark.parametrize(
    "tests",
    [
        ("test_tree.py", "test_folder_text.py", "library/test_texts.py"),
        ("grammar/test_g4.py", "grammar/test_lark.py", "grammar/test_mapping.py"),
        ("engine/test_passes.py", "engine/test_pattern.py", "engine/test_law_notation.py"),
        ("languages/test_python.py", "languages/test_plain.py", "languages/test_registry.py"),
    ],
    ids=["tree", "grammar", "engine", "languages"],
)
def test_engine_grammars_and_languages_pass_their_tests(
    tests: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The settings of the project are those of plugins, too.
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    options = ("-q", "-p", "no:cacheprovider", "-m", "not slow and not nightly")
    ran = on_windows(PYTEST, *options, *(f"tests/{name}" for name in tests), cwd=ROOT)
    assert ran.returncode == 0, ran.stdout
    assert " passed" in ran.stdout
