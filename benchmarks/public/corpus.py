"""The entries of Shrink Ray's evaluation/corpus that can be set up from package registries.

A checkout of its repository holds the inputs and the results that were committed. What tells the
bug is told here once more: a program is set up, run on a file, and fails as the entry does if its
output holds some words and it ends with some status.

Not here are entries of compilers and solvers of old that no registry has, python-rapidjson (no
result was committed) and minisat (Debian's, built with gcc, takes all memory instead).
"""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bugs import ENVIRONMENTS, HERE, Case, reproduces

PATIENCE = 60
"""Seconds after which a run counts as one that does not fail."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A bug: its program, and what tells that it fails."""

    name: str
    """The folder of the corpus."""
    setup: str
    """Shell: makes the environment `$ENV`, with the functions of common.sh."""
    command: str
    """Shell: runs the program of `$ENV` on the file `$1`."""
    told: tuple[str, ...] = ()
    """Words that the output must hold, each of them."""
    status: int | None = None
    """The exit status that it must have; None for any."""


_JSON_DEPTH = """\
import json, sys
level, depth = [json.load(open(sys.argv[1], "rb"))], 0
while level:
    depth += 1
    inner = [each for each in level if isinstance(each, (list, dict))]
    level = [each for part in inner for each in (part.values() if type(part) is dict else part)]
sys.exit(depth < 300)"""

_PYTHON_DEPTH = """\
import itertools, libcst, sys
text = open(sys.argv[1], "rb").read()
libcst.parse_module(text)
step = {**dict.fromkeys(b"([{", 1), **dict.fromkeys(b")]}", -1)}
depth = itertools.accumulate((step.get(byte, 0) for byte in text), lambda a, b: max(a + b, 0))
sys.exit(max(depth, default=0) < 400)"""


def _python(program: str) -> str:
    return f'"$ENV/bin/python" -c {shlex.quote(program)} "$1"'


ENTRIES = (
    Entry(
        "black-20.8b1-docstring-extra-quote-crash",
        "with_python 3.9 black==20.8b1 click==8.0.4",
        '"$ENV/bin/black" --check - < "$1"',
        ("INTERNAL ERROR: Black produced different code on the second pass of the formatter",),
        123,
    ),
    Entry(
        "go11810-generic-untyped-bool-ice",
        "go version | grep -E 'go1[.]1[89]'",
        'go build -o /dev/null "$1"',
        ("internal compiler error: expression has untyped type",),
        2,
    ),
    Entry(
        "mypy-0.942-match-union-tuple-crash",
        "with_python 3.10 mypy==0.942",
        '"$ENV/bin/mypy" --show-traceback --no-incremental --cache-dir=/dev/null "$1"',
        ("INTERNAL ERROR", "construct_sequence_child"),
        2,
    ),
    Entry(
        "prettier-3.6.2-css-comma-custom-property-crash",
        'mknpm "$NAME" prettier@3.6.2',
        'node "$ENV/node_modules/prettier/bin/prettier.cjs" "$1"',
        ("Cannot read properties of undefined (reading 'value')", "postcss.mjs"),
        2,
    ),
    Entry(
        "pylint-2.17.4-duplicate-bases-mro-crash",
        "with_python 3.11 pylint==2.17.4 astroid==2.15.5",
        'PYLINTHOME="$ENV" "$ENV/bin/pylint" --persistent=n --score=n "$1"',
        (
            "_is_invalid_metaclass",
            "astroid.exceptions.DuplicateBasesError",
            "Fatal error while checking",
        ),
    ),
    Entry(
        "ruff-0.0.277-isort-skip-block-panic",
        "with_python 3.12 ruff==0.0.277",
        '"$ENV/bin/ruff" check --select I001 --no-cache --isolated "$1"',
        ("Linting panicked", "rules/isort/block.rs:159"),
    ),
    Entry(
        "rustc-1941-gce-braced-const-arg-ice",
        "rustc --version | grep -E ' 1[.]9[45][.]'",
        'RUSTC_ICE=0 rustc --edition 2021 --crate-type lib --out-dir "$ENV/out" "$1"',
        ("var types encountered in structurally_relate_consts",),
        101,
    ),
    Entry(
        "shrinkray-json-deep-nesting",
        "with_python 3.12",
        _python(_JSON_DEPTH),
        status=0,
    ),
    Entry(
        "shrinkray-libcst-deep-nesting",
        "with_python 3.12 libcst==1.8.6",
        _python(_PYTHON_DEPTH),
        status=0,
    ),
    Entry(
        "sqlparse-0.4.4-nested-list",
        "with_python 3.12 sqlparse==0.4.4",
        _python("import sqlparse, sys; sqlparse.parse(open(sys.argv[1]).read())"),
        ("RecursionError: maximum recursion depth exceeded", "in flatten"),
        1,
    ),
    Entry(
        "sympy-1.8-piecewise-subs",
        "with_python 3.10 sympy==1.8 mpmath==1.2.1",
        '"$ENV/bin/python" "$1"',
        ("site-packages/sympy/", "PolynomialError: Piecewise generators do not make sense"),
        1,
    ),
    Entry(
        "terser-5151-forof-empty-pattern-crash",
        'mknpm "$NAME" terser@5.15.1',
        '"$ENV/node_modules/.bin/terser" "$1" -c unsafe=false',
        ("Cannot read properties of undefined (reading 'value')", "at join_object_assignments"),
        1,
    ),
    Entry(
        "toml-0.10.2-mixed-array",
        "with_python 3.12 toml==0.10.2",
        _python("import sys, toml; toml.loads(open(sys.argv[1]).read())"),
        ("IndexError: list index out of range", "in load_array"),
        1,
    ),
    Entry(
        "tsc-5.8.2-object-entries-setstate-crash",
        'mknpm "$NAME" typescript@5.8.2',
        'node "$ENV/node_modules/typescript/bin/tsc" --noEmit "$1"',
        ("Cannot read properties of undefined (reading 'kind')", "at getModifierFlagsWorker"),
        1,
    ),
    Entry(
        "ujson-510-indent-buffer-overflow",
        "with_python 3.10 ujson==5.1.0",
        _python("import sys, ujson; ujson.dumps(ujson.load(open(sys.argv[1])), indent=100)"),
        status=139,
    ),
)

_ORACLE = """\
#!/bin/sh
export ENV={environment}
output=$(timeout {patience} sh -c {command} sh "$1" 2>&1)
status=$?
{tests}
"""
_SETUP = """\
set -e
cd {here}
. ./common.sh
NAME={name}
with_python() {{
    python=$(ls "$(pyenv root)/versions/$1".*/bin/python 2>/dev/null | tail -1)
    : "${{python:=python$1}}"; shift
    mkenv "$NAME" "$python" "$@"
}}
{setup}
"""


def case(checkout: Path, entry: Entry, folder: Path) -> Case | str:
    """Set an entry up, with its oracle in a folder, or say why that cannot be done.

    The original and the committed result must both fail.
    """
    here = checkout / "evaluation/corpus" / entry.name
    original = next(here.glob("original.*"), None)
    kept = next(here.glob("shrinkray_reduced.*"), None)
    if original is None or kept is None:
        return "it is not in the checkout"
    environment = f"public-{entry.name}"
    script = _SETUP.format(here=shlex.quote(str(HERE)), name=environment, setup=entry.setup)
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True)
    if done.returncode:
        return "its program cannot be set up here"
    tests = [f"[ $status = {entry.status} ] || exit 1"] if entry.status is not None else []
    tests += [f"case $output in *{shlex.quote(word)}*) ;; *) exit 1 ;; esac" for word in entry.told]
    oracle = folder / entry.name
    oracle.write_text(
        _ORACLE.format(
            environment=shlex.quote(str(ENVIRONMENTS / environment)),
            patience=PATIENCE,
            command=shlex.quote(entry.command),
            tests="\n".join(tests),
        )
    )
    oracle.chmod(0o755)
    size = kept.stat().st_size
    whole = Case(entry.name, original, oracle, size, kept.read_text("utf-8"), "shrinkray")
    if not (reproduces(whole, original) and reproduces(whole, kept)):
        return "the original or the committed result does not fail here"
    return whole
