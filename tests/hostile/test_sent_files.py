"""Laws, grammars, language folders, configurations and records that somebody damaged.

Each command that takes one works, or says what is wrong. The environment variable
`BOILDOWN_MUTANTS` says how many of each are tried.
"""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomlkit

from boildown import history
from boildown.engine.laws.notation import GRAMMAR
from boildown.engine.oracle import Step
from grammar.shipped import GRAMMARS
from mutants import as_json, bounded, mutants, said, text_mutants

LAWS = (
    '//price < 0 and not //id or //name contains "x"',
    "not (//a < 0 or //b) and (count(//c) > 2 or max(//d) <= 1.5e3)",
    'every count(//a/b) = 2 or //a not in {"x", "y"} and //a % 2 = 1',
    "//<pair 'price'> starts with {\"a\"} or depth(array) > 4",
    "//. [ a[1] < b[2] ] or //a[./b = 3 and not c]",
    f"{'(' * 2000}//a{')' * 2000}",
    f"{'not ' * 2000}//a",
    'repeated(//id) and //x[> 2] = "y" or "p.json"',
)


def test_laws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("crash.json").write_text('{"id": 1, "price": -5, "c": [1, [2], {"a": "x"}]}')
    for content in text_mutants(LAWS, "law"):
        law = content.decode("utf-8", "surrogateescape").replace("\0", "") or "x"
        if not law.startswith("-"):
            said("pattern", "match", law, "crash.json")


def shop(folder: Path, *others: Path) -> None:
    """Write a text for grammars to read, and what they may import."""
    (folder / "text.txt").write_text('{"a": [1, 2]}')
    for path in others:
        shutil.copy(path, folder)


MAPPING = {
    "<start>": ["<value>", ["<value>", " ", "<start>"]],
    "<value>": ["(<value>)", ["<DIGIT>", {"priority": 2}], "[<value>,<value>]"],
    "<DIGIT>": ["1", "2", ""],
}
G4 = """grammar t;
options { tokenVocab=x; }
start : value (',' value)* EOF ;
value : '(' value ')' | left=value op=('+'|'*') value # sum | NUMBER | ~[ab] ;
NUMBER : [0-9]+ ('.' DIGIT*)? -> type(NUMBER) ;
fragment DIGIT : '0'..'9' ;
WS : [ \\t\\u0020]+ -> skip ;
"""


def lark_texts() -> list[str]:
    paths = [path for path in GRAMMARS.glob("*/grammar.lark") if path.stat().st_size < 8000]
    return [*(path.read_text("utf-8") for path in sorted(paths)), GRAMMAR]


@pytest.mark.parametrize("suffix", [".lark", ".g4", ".json"])
def test_grammars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    name = f"own{suffix}"
    contents = {
        ".lark": lambda: text_mutants(lark_texts(), "lark"),
        ".g4": lambda: text_mutants([G4], "g4"),
        ".json": lambda: mutants([MAPPING], as_json, "mapping"),
    }
    for number, content in enumerate(contents[suffix]()):
        Path(name).write_bytes(content)
        said("grammar", "tree", "text.txt", "--language", name)
        if number % 5 == 0:
            said("grammar", "check", name, "text.txt")
        if number % 50 == 0:
            run = ("-n", "2") if number % 100 else ("--mutants", "5", "--max-runs", "50")
            verb = ("pattern", "verify", "//a") if number % 100 else ("explore",)
            said(*verb, "text.txt", "--language", name, *run, "--jobs", "1", "--", "false")


ABOUT: Sequence[dict[str, Any]] = (
    {
        "title": "Own",
        "files": ["*.own"],
        "ids": ["own"],
        "start": "start",
        "looks_like": r"\s*[{\[]",
        "whole_words": True,
        "words": ["a", "b"],
        "scope": {"defines": "pair", "uses": "value"},
        "same": {"pair": "STRING"},
        "rewriting": {"literals": ["0", "null"], "rules": [["value", r"(\d)+", r"\1"]]},
    },
    {"tree_sitter": "tree_sitter_json", "files": ["*.own"]},
)


def as_toml(value: Any) -> str:
    return tomlkit.dumps(value)


def test_language_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    (tmp_path / "own" / "examples").mkdir(parents=True)
    (tmp_path / "own" / "examples" / "1").write_text('{"a": 1}')
    grammar = (GRAMMARS / "json" / "grammar.lark").read_text("utf-8")
    for number, content in enumerate(mutants(ABOUT, as_toml, "about")):
        (tmp_path / "own" / "language.toml").write_bytes(content)
        with_grammar = Random(number).random() < 0.8
        if with_grammar:
            (tmp_path / "own" / "grammar.lark").write_text(grammar)
        else:
            (tmp_path / "own" / "grammar.lark").unlink(missing_ok=True)
        said("grammar", "tree", "text.txt", "--language", "own")
        said("grammar", "check", "own")
        if number % 50 == 0:
            run = ("--max-runs", "50", "--jobs", "1", "--", "false")
            said("reduce", "text.txt", "--output", "-", "--language", "own", *run)


CONFIGURATIONS: Sequence[dict[str, Any]] = (
    {
        "input": [
            {
                "files": ["*.txt", "a/**/*.json"],
                "command": ["tool", "{file}"],
                "timeout": 2.5,
                "language": "json",
                "reproduces": ["exit=2", "stderr=Error"],
                "invalid": {"exit": [3], "stdout": "bad"},
                "environment": {"LANG": "C"},
                "level": "location",
                "isolate": "strict:out",
                "memory": 500,
                "quick": "tool --quick {file}",
                "cwd": "sub",
            },
            {"files": "*.md", "python": "pkg.module:function", "allow_empty": True},
            {"files": "tests/*.py", "test": "test_it.py::test_one"},
        ],
        "language": [{"name": "lua", "files": ["*.lua"], "tree_sitter": "tree-sitter-lua"}],
    },
)


@pytest.mark.parametrize("name", ["boildown.toml", "pyproject.toml"])
def test_configurations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    shop(tmp_path)
    seeds = CONFIGURATIONS
    if name == "pyproject.toml":
        project = {"name": "own", "requires-python": ">=3.10", "version": "1"}
        seeds = [{"project": project, "tool": {"boildown": each}} for each in CONFIGURATIONS]
    for number, content in enumerate(mutants(seeds, as_toml, name)):
        Path(name).write_bytes(content)
        said("grammar", "list")
        if number % 5 == 0:
            said("pattern", "match", "//a", "text.txt")
        if number % 20 == 0:
            said("check", "text.txt", "--jobs", "1", "--max-seconds", "5")


RECORD = {
    "format": 1,
    "uri": "file:///a/crash.json",
    "what": "the document",
    "command": "tool crash.json",
    "language": "json",
    "minimality": "1-token-minimal",
    "finished": True,
    "runs": [0, 5, 9],
    "original": "[1, 2, 3]",
    "changes": [[1, 4, ""], [1, 4, ""]],
}
"""A record as `history.save` writes it."""


def test_records_of_past_reductions(tmp_path: Path) -> None:
    """One that can't be read counts as none."""
    name = f"{history.digest('[1, 2, 3]')}-{history.digest('[3]')}"
    whole = history.Record(
        "file:///a/crash.json",
        "the document",
        "tool crash.json",
        "json",
        "1-token-minimal",
        finished=True,
        steps=(Step(0, "[1, 2, 3]"), Step(5, "[2, 3]"), Step(9, "[3]")),
    )
    for content in (as_json(RECORD).encode(), *mutants([RECORD], as_json, "record")):
        rng = Random(content)
        data = zlib.compress(content)
        data = data[: rng.randrange(len(data))] if rng.random() < 0.1 else data
        (tmp_path / name).write_bytes(data)
        with bounded():
            found = history.find("[3]", tmp_path)
        if found is not None:
            assert found.steps[-1].text.strip() in ("[3]", "[1, 2, 3]")
            assert all(isinstance(each, Step) for each in found.steps)
            history.save(whole, tmp_path / "again")
    (tmp_path / name).write_bytes(zlib.compress(as_json(RECORD).encode()))
    assert history.find("[3]", tmp_path) == whole
