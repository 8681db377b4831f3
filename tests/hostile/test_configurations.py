"""Configurations with any values and mutated ones, for every reader of them.

The environment variable `BOILDOWN_MUTANTS` says how many of each are tried.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boildown import config
from boildown.config.schema import LANGUAGE_SCHEMA, SCHEMA
from boildown.runner.command import find_program
from boildown.runner.run import CannotRun

COUNT = int(os.environ.get("BOILDOWN_MUTANTS", "200"))
"""How many configurations each test tries."""

WORDS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        [
            "",
            " ",
            "\0",
            "a" * 5000,
            "a b 'c" * 60,
            "{file}",
            "{" * 40,
            "sh",
            "./sh",
            "/",
            "..",
            "~",
            "*" * 50,
            "[!",
            "[z-a]",
            "**/" * 30,
            "(" * 200,
            "a{99999999999999}",
            "exit=1",
            "stderr=(",
            "seconds>1e999",
            "m:f",
            "x.py:f",
            "tree-sitter-x",
            "temp",
        ]
    ),
)
LEAVES = st.one_of(
    WORDS,
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.booleans(),
    st.datetimes(),
    st.dates(),
    st.times(),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from([*SCHEMA, *LANGUAGE_SCHEMA, "input", "unknown"])
TABLES = st.dictionaries(KEYS | WORDS, VALUES, max_size=6)
INPUTS = st.lists(TABLES | VALUES, max_size=3)
DOCUMENTS = st.fixed_dictionaries(
    {}, optional={"input": INPUTS | VALUES, "language": INPUTS | VALUES, "other": VALUES}
)
NAMES = st.sampled_from(["boildown.toml", "pyproject.toml"])


def dumped(value: Any) -> str:
    """Return a value as TOML, in one line."""
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for halves of pairs, which no TOML can hold.
        return json.dumps(value.encode("utf-8", "replace").decode()).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, list):
        return f"[{', '.join(map(dumped, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{dumped(key)} = {dumped(each)}' for key, each in value.items())}}}"
    return value.isoformat() if hasattr(value, "isoformat") else repr(value)


def read_everywhere(path: Path, text: str) -> None:
    """Have everything that reads a configuration read this one; nothing may raise but CannotRun."""
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    entries, problems = config.load(path)
    lines = text.count("\n") + 1
    for problem in problems:
        assert 1 <= problem.line <= lines
        assert problem.column >= 1
        assert problem.message.endswith(".")
    file = path.parent / "a.json"
    found = config.match(entries, file)
    assert config.find_config(path.parent) in (path, None)
    config.configured_languages(path.parent)
    config.named_language(None, file)
    for entry in entries if found is None else [found, *entries]:
        with contextlib.suppress(CannotRun):
            command = config.command_for(entry, file)
            for role in command.roles:
                find_program(command.in_role(role))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("configured")


@settings(max_examples=COUNT)
@given(DOCUMENTS, NAMES)
def test_any_values_are_read(folder: Path, document: dict[str, Any], name: str) -> None:
    if name == "pyproject.toml":
        document = {"tool": {"boildown": document}}
    text = "".join(f"{dumped(key)} = {dumped(each)}\n" for key, each in document.items())
    read_everywhere(folder / name, text)
    (folder / name).unlink()


WRONG: st.SearchStrategy[Any] = st.one_of(
    st.just([]), st.just([[]]), st.just({"a": []}), st.dates(), st.just([5, "x"])
)
"""Values that are right for no key."""


@settings(max_examples=COUNT)
@given(st.sampled_from(sorted(SCHEMA)), WRONG, st.integers(0, 5))
def test_a_wrong_value_is_reported_with_its_line(
    folder: Path, key: str, value: Any, above: int
) -> None:
    lines = ["[[input]]", *["# above"] * above, f"{key} = {dumped(value)}"]
    lines += [f"{each} = 'sh'" for each in ("files", "command") if each != key]
    _, problems = config.load_text("\n".join(lines), folder / "boildown.toml")
    found = [problem for problem in problems if f"'{key}'" in problem.message]
    assert {problem.line for problem in found} == {2 + above}


VALID = """\
# How inputs are tested
[[input]]
files = ["*.json", "data/**/[a-z]*.txt"]
command = ["python3", "-m", "mytool", "{file}"]
cwd = "."
timeout = 2.5
memory = 500
cpu = 10
reproduces = { exit = [1, 2], stderr = "Error: .*", timeout = false }
invalid = ["exit=3", "stdout=usage"]
level = "location"
isolate = "strict:out"
environment = { LANG = "C", "A B" = '''x''' }
passes = ["tools/shrink.py:shrink"]

[[input]]
files = "*.cfg"
python = 'checks:fails'
quick = "true {file}"
interesting = false

[[language]]
name = "lua"
files = ["*.lua"]
tree_sitter = "tree-sitter-lua"
"""
PARTS = ["", '"', "'", "[", "]", "{", "}", "=", "\n", "#", "\0", "\\", ".", "5", "=5", "[[", "é"]
PARTS += ["\udcff", "true", "1979-05-27", '"""', "inf", "\r", "tool", "0x", "\\u", "\\ud800"]


def mutant(text: str, rng: Random) -> str:
    """Return a text with some parts left out, doubled, exchanged, or put in."""
    for _ in range(rng.randint(1, 4)):
        low = rng.randrange(len(text) + 1)
        high = min(len(text), low + int(rng.expovariate(0.15)))
        part = rng.choice([*PARTS, text[low:high] * 2, text[:low][-9:], "a" * rng.randint(0, 999)])
        text = text[:low] + part + text[high:]
    return text


@pytest.mark.parametrize("name", ["boildown.toml", "pyproject.toml"])
def test_mutants_are_read(folder: Path, name: str) -> None:
    text = VALID if name == "boildown.toml" else VALID.replace("[[", "[[tool.boildown.")
    assert config.load_text(text, folder / name)[0]
    for seed in range(COUNT):
        read_everywhere(folder / name, mutant(text, Random(seed)))
    (folder / name).unlink()
