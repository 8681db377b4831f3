"""Languages by a package with a tree-sitter parser that the configuration names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("tree_sitter_toml")

from boildown import config
from boildown.cli.main import main
from boildown.languages import LanguageError, load_language
from boildown.targets.test_command import CommandArguments, choose_command

CONFIGURED = """\
[[language]]
name = "settings"
files = ["*.set", "conf/*"]
tree_sitter = "tree-sitter-toml"

[[language]]
name = "other"
files = ["*.other"]
tree_sitter = "tree_sitter_of_nobody:language_other"

[[input]]
files = ["*.set", "*.txt"]
command = ["sh", "-c", "exit 3"]

[[input]]
files = ["*.log"]
command = ["sh"]
language = "other"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "boildown.toml").write_text(CONFIGURED)
    (tmp_path / "a.set").write_text("[a]\nb = 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_of_a_configured_language_has_its_tree(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["grammar", "tree", "a.set"]) == 0
    by_file = capsys.readouterr().out
    assert "\n    table\n" in by_file
    (folder / "a.txt").write_text("[a]\nb = 1\n")
    assert main(["grammar", "tree", "--language", "settings", "a.txt"]) == 0
    assert capsys.readouterr().out == by_file


@pytest.mark.parametrize(
    ("file", "argv", "language"),
    [
        ("a.set", (), "tree-sitter-toml"),
        ("a.set", ("sh", "a.set"), "tree-sitter-toml"),
        ("a.txt", (), None),
        ("conf/x", ("sh", "conf/x"), "tree-sitter-toml"),
        ("a.log", (), "tree_sitter_of_nobody:language_other"),
        ("a.txt", ("sh", "a.txt"), None),
    ],
)
def test_a_job_gets_the_language_of_its_input(
    folder: Path, file: str, argv: tuple[str, ...], language: str | None
) -> None:
    chosen = choose_command(folder / file, folder, CommandArguments(argv=argv))
    assert chosen.language == language


def test_what_is_missing_is_listed_with_the_command_that_adds_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install = "python -m pip install tree-sitter-of-nobody"
    assert main(["grammar", "list"]) == 0
    *_, settings, other = capsys.readouterr().out.splitlines()
    assert settings.split() == ["settings", "tree-sitter", "*.set", "conf/*"]
    assert other.endswith(f"  *.other  (first {install})")
    assert main(["grammar", "list", "--json"]) == 0
    *_, settings, other = json.loads(capsys.readouterr().out)
    assert (settings["missing"], settings["install"]) == ("", "")
    assert (other["missing"], other["install"]) == ("tree-sitter-of-nobody", install)
    (folder / "b.other").write_text("x")
    assert main(["grammar", "tree", "b.other"]) == 2
    assert capsys.readouterr().err == (
        f"boildown: The language of-nobody needs more: run `{install}`.\n"
    )


def test_a_package_without_that_function_is_refused() -> None:
    with pytest.raises(LanguageError, match=r"^The parser tree_sitter_toml:nothing can't be"):
        load_language("tree-sitter-toml:nothing")


def test_mistakes_are_told_with_their_place(folder: Path) -> None:
    path = folder / "boildown.toml"
    path.write_text('[[language]]\nname = "a"\ntree_sitter = "os"\nfile = "x"\n')
    entries, problems = config.load(path)
    assert entries == ()
    assert [str(problem).partition(":")[2] for problem in problems] == [
        "3:1: 'tree_sitter' must name a package with a parser, such as 'tree-sitter-lua'.",
        "4:1: 'file' is unknown; known are: name, files, tree_sitter.",
        "1:1: This language has no 'files'.",
    ]
    path.write_text('language = "lua"\n')
    (problem,) = config.load(path)[1]
    assert str(problem) == f"{path}:1:1: 'language' must be a list: write [[language]]."
