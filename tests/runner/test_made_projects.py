"""Projects made by code, of three kinds: 5 % of their lines are reached in few runs."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from boildown.folder_text import packed, unpacked
from boildown.jobs.reduce import Reduced, reduce
from boildown.jobs.work import JobOptions
from boildown.runner.command import from_argv

pytestmark = [pytest.mark.e2e, pytest.mark.nightly]

MODULES = 30
CHAIN = (29, 23, 14, 6)
"""The modules of which each calls the next one; the last one fails."""


def used(number: int) -> list[int]:
    """Return the modules that a module uses: a few before it, and the next one of the chain."""
    found = {number * 7 % (number or 1), number // 2} - {number}
    if number in CHAIN[:-1]:
        found.add(CHAIN[CHAIN.index(number) + 1])
    return sorted(found)


def python_files() -> Iterator[tuple[str, str]]:
    """Yield a package whose modules import each other in four ways, with a test for each."""
    ways = (
        ("from .part{0} import run{0}, LIMIT{0}", "run{0}"),
        ("from . import part{0}", "part{0}.run{0}"),
        ("import shop.part{0}", "shop.part{0}.run{0}"),
        ("from shop.part{0} import run{0} as other{0}", "other{0}"),
    )
    exported = []
    for number in range(MODULES):
        lines = [f'"""Part {number} of the shop."""', "import math"]
        calls = []
        for other in used(number):
            statement, name = (each.format(other) for each in ways[(number + other) % 4])
            lines.append(statement)
            calls.append(f"    value += {name}(value)")
        lines += [f"LIMIT{number} = {number}", "", f"class Item{number}:"]
        for step in range(6):
            lines += [f"    def step{step}(self, value):", f"        self.value = value + {step}"]
            lines += ["        if value > 1000:", "            raise ValueError(value)"]
            lines += ["        return math.floor(value)", ""]
        lines += [f"def run{number}(value):", f"    item = Item{number}()", "    item.step1(value)"]
        lines += [*calls, *(["    value += {}['missing']"] if number == CHAIN[-1] else [])]
        yield f"shop/part{number}.py", "\n".join([*lines, "    return value", ""])
        test = [
            "import unittest",
            f"from shop.part{number} import Item{number}, run{number}",
            f"class Test{number}(unittest.TestCase):",
            f"    def test_item(self):\n        self.assertEqual(Item{number}().step0(1), 1)",
            f"    def test_run(self):\n        run{number}(1)",
        ]
        yield f"tests/test_part{number}.py", "\n".join([*test, ""])
        exported.append(f"from .part{number} import Item{number}, run{number}")
    yield "shop/__init__.py", "\n".join([*exported, ""])
    yield "README.md", "# A shop\n" * 20
    yield "pyproject.toml", '[project]\nname = "shop"\ndependencies = ["requests"]\n'


def c_files() -> Iterator[tuple[str, str]]:
    """Yield a program in C with a header for each part, and a Makefile."""
    for number in range(MODULES):
        includes = [f'#include "part{other}.h"' for other in used(number)]
        fields = [f"    struct part{other} part{other};" for other in used(number)]
        steps = [f"int part{number}_step{step}(struct part{number} *it);" for step in range(4)]
        guard = [f"#ifndef PART{number}", f"#define PART{number}"]
        declared = [f"struct part{number} {{", "    int value;", *fields, "};"]
        header = [*guard, *includes, *declared, *steps, "#endif", ""]
        yield f"include/part{number}.h", "\n".join(header)
        body = [f'#include "part{number}.h"', "#include <stddef.h>"]
        for line in steps:
            body += [line.replace(";", ""), "{", "    it->value += 1;", "    return 0;", "}"]
        if number == CHAIN[0]:
            way = ".".join(f"part{each}" for each in CHAIN[1:])
            body += [f"int wrong(struct part{number} *it)", "{", f"    return it->{way}.missing;"]
            body += ["}"]
        yield f"src/part{number}.c", "\n".join([*body, ""])
    objects = " ".join(f"src/part{number}.o" for number in range(MODULES))
    rules = [
        f"src/part{number}.o: src/part{number}.c include/part{number}.h\n"
        "\t$(CC) -Iinclude -c -o $@ $<"
        for number in range(MODULES)
    ]
    yield "Makefile", "\n".join([f"all: {objects}\n\tar cr shop.a {objects}", *rules, ""])


def npm_files() -> Iterator[tuple[str, str]]:
    """Yield a package of Node whose parts require each other, with a test for each."""
    for number in range(MODULES):
        lines = ["'use strict';"]
        lines += [f"const part{other} = require('./part{other}');" for other in used(number)]
        for step in range(5):
            lines += [f"function step{step}(value) {{", f"  if (value > {step}) {{"]
            lines += ["    throw new Error('too large');", "  }", "  return value;", "}"]
        lines += ["function run(value) {"]
        lines += [f"  value += part{other}.run(value);" for other in used(number)]
        lines += ["  value.missing.field();"] if number == CHAIN[-1] else []
        yield (
            f"lib/part{number}.js",
            "\n".join(
                [
                    *lines,
                    "  return step1(value);",
                    "}",
                    "module.exports = { run, step0, step1 };",
                    "",
                ]
            ),
        )
        test = [f"const part{number} = require('../lib/part{number}');", f"part{number}.run(0);"]
        yield f"test/part{number}.js", "\n".join([*test, ""])
    yield "package.json", '{\n  "name": "shop",\n  "dependencies": {\n    "chalk": "*"\n  }\n}\n'


def reduced(
    folder: Path, files: Mapping[str, str], argv: tuple[str, ...], most_runs: int
) -> Reduced:
    """Reduce a project by its failure, in so many runs at most."""
    command = from_argv(argv, folder, folder, folder=True, files=tuple(files))
    return reduce(packed(sorted(files.items())), command, JobOptions(max_runs=most_runs))


def size(text: str) -> int:
    """Return the characters of all files but white space."""
    return sum(len("".join(content.split())) for content in unpacked(text).values())


def test_a_package_of_python_is_at_a_twentieth_at_once(tmp_path: Path) -> None:
    files = dict(python_files())
    test = f"tests.test_part{CHAIN[0]}.Test{CHAIN[0]}.test_run"
    result = reduced(tmp_path, files, (sys.executable, "-B", "-m", "unittest", test), 20)
    assert "KeyError" in result.start.expected.signature  # type: ignore[union-attr]
    assert 20 * size(result.text) <= size(packed(files.items()))


@pytest.mark.parametrize(
    ("files", "argv", "error"),
    [
        pytest.param(
            dict(c_files()),
            ("make", "CC=gcc", f"src/part{CHAIN[0]}.o"),
            "no member",
            marks=pytest.mark.skipif(not shutil.which("gcc"), reason="There is no GCC."),
        ),
        pytest.param(
            dict(npm_files()),
            ("node", f"test/part{CHAIN[0]}.js"),
            "TypeError",
            marks=pytest.mark.skipif(not shutil.which("node"), reason="There is no Node."),
        ),
    ],
    ids=["c", "npm"],
)
def test_other_projects_are_at_a_twentieth_in_150_runs(
    tmp_path: Path, files: Mapping[str, str], argv: tuple[str, ...], error: str
) -> None:
    result = reduced(tmp_path, files, argv, 150)
    assert error in result.start.expected.signature  # type: ignore[union-attr]
    assert 20 * size(result.text) <= size(packed(files.items()))
