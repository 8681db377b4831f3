r"""The real subjects: old and new releases of real programs, and failing inputs for them.

How small a text may be was found by hand: the part that matters, at each depth or count, was run
40 to 100 times with varied hash seeds and sizes of the environment, and the smallest one that never
passed was taken. Where a limit is one of the machine (stack, memory, time), it moves a little with
the version of the system.
"""

from __future__ import annotations

from benchmarks.first_tries.inputs import filled
from benchmarks.fragile.made import nested_json, records
from benchmarks.fragile.subject import Subject

_SHOW = """\
import sys

import ujson

with open(sys.argv[1]) as file:
    tree = ujson.load(file)
print(ujson.dumps(tree, indent=100))
"""


def _tree(depth: int) -> str:
    """Return lists within each other, and an object around every third one."""
    inner = '{"team": "data"}'
    for n in range(depth):
        inner = f'[{{"k{n}": {inner}}}]' if n % 3 == 0 else f"[{inner}]"
    return inner


_SHELL = 'ulimit -s 64\nexec dash -n "$1"\n'


def _script(depth: int) -> str:
    """Return a shell script with subshells within each other."""
    inner = "make all"
    for n in range(depth, 0, -1):
        inner = f"(cd part{n} && {inner})" if n % 12 == 0 else f"({inner})"
    around = "".join(
        f'if [ -f "conf{n}" ]; then\n  echo "reading {n}"\n  . "./conf{n}"\nfi\n' for n in range(8)
    )
    return f"#!/bin/sh\nset -e\n{around}{inner}\n{around}"


_COMPILE = """\
ulimit -s 128
exec "$1" -S -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$2"
"""

_PARSE = """\
const fs = require("fs");
const esprima = require("esprima");
const tree = esprima.parse(fs.readFileSync(process.argv[2], "utf8"));
console.log(tree.body.length);
"""

_SOUP = """\
import sys

from bs4 import BeautifulSoup

sys.setrecursionlimit(200)  # as if called from deep below
with open(sys.argv[1]) as file:
    print(str(BeautifulSoup(file, "html.parser")))
"""


def _page(depth: int) -> str:
    inner = "deep"
    for n in range(depth, 0, -1):
        inner = f"<b>{inner}</b>" if n % 6 else f'<b id="b{n}">{n} {inner}</b>'
    return filled(f"<body>\n@@ html 8\n<p>{inner}</p>\n@@ html 8\n</body>\n")


_EVALUATE = """\
import re
import sys

from lark import Lark

GRAMMAR = r\"\"\"
start: e
e: e "-" e | NUMBER
NUMBER: /[0-9]+/
%ignore /\\s/
\"\"\"


def value(tree):
    if len(tree.children) == 1:
        return int(tree.children[0])
    left, right = map(value, tree.children)
    return left - right


parser = Lark(GRAMMAR, parser="earley")
with open(sys.argv[1]) as file:
    for line in file:
        text = line.partition("=")[2]
        if numbers := [int(number) for number in re.findall("[0-9]+", text)]:
            left = numbers[0] - sum(numbers[1:])
            assert value(parser.parse(text).children[0]) == left, "it groups to the right"
"""


def _differences() -> str:
    lines = [f"total{n} = {n * 7}" for n in range(20)]
    lines[10] = "rest = " + " - ".join(str(n * 11 % 90 + 1) for n in range(25))
    return "\n".join(lines) + "\n"


_RENDER = """\
import signal
import sys

import mistune


def late(*_):
    raise TimeoutError("no page in time")


with open(sys.argv[1]) as file:
    text = file.read()
signal.signal(signal.SIGVTALRM, late)
signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
mistune.html(text)
signal.setitimer(signal.ITIMER_VIRTUAL, 0)
"""


def _markdown() -> str:
    items = "".join(f"- item {n} with `code{n}` and [a link](page{n}.html)\n" for n in range(12))
    return f"# Notes\n\n{items}\nA path is *a{chr(92) * 60}server, and more.\n\n## Then\n\n{items}"


_BUILD = """\
# Says whether a build fails only if its steps run at the same time.
file=$(realpath "$1")
cd "$(mktemp -d)" && make -s -f "$file" || exit 3
cd "$(mktemp -d)" && make -s -j2 -f "$file" || { echo "the parallel build failed" >&2; exit 1; }
"""


def _makefile() -> str:
    others = "".join(f"part{n}.o:\n\techo part {n} > part{n}.o\n\n" for n in range(10))
    steps = "".join(f"\ttrue check {n}\n" for n in range(14))
    return (
        "all: version.h main.o parts\n\n"
        f"version.h:\n{steps}\techo 1 > version.h\n\n"
        "main.o:\n\tcat version.h > main.o\n\n"
        f"parts: {' '.join(f'part{n}.o' for n in range(10))}\n\n{others}"
    )


_QUERY = 'ulimit -v 20000\nexec sqlite3 -bail :memory: ".read $1"\n'


def _dump() -> str:
    rows = "".join(
        f"INSERT INTO pages VALUES(randomblob(1000000));\nUPDATE counts SET n = n + {n};\n"
        for n in range(24)
    )
    return f"CREATE TABLE counts(n);\nCREATE TABLE pages(body);\n{rows}"


_COLOUR = """\
import sys

from constraint import MinConflictsSolver, Problem

with open(sys.argv[1]) as file:
    words = [line.split() for line in file]
edges = [line[1:] for line in words if len(line) == 3 and line[0] == "edge" and line[1] != line[2]]
problem = Problem(MinConflictsSolver(steps=3))
if nodes := sorted({node for edge in edges for node in edge}):
    problem.addVariables(nodes, "rgb")
    for edge in edges:
        problem.addConstraint(lambda one, other: one != other, edge)
    assert problem.getSolution() is not None, "no colouring"
"""


def _graph() -> str:
    nodes = "abcdefghijklmnopqrst"
    edges = {(a, nodes[(n * step + step) % 20]) for n, a in enumerate(nodes) for step in (3, 7)}
    edges |= {(a, b) for a in "cdef" for b in "cdef" if a < b}
    return "".join(f"edge {a} {b}\n" for a, b in sorted(edges) if a != b)


_K4 = [(a, b) for a in "abcd" for b in "abcd" if a < b]

REAL = (
    Subject(
        "ujson-indent", "depth and layout of the heap", "tree.json",
        filled(records(12, _tree(30), 12)), ("{python}", "show.py", "tree.json"),
        f"{'[' * 26}0{']' * 26}", "26 lists with something in them crash always, 25 never",
        files={"show.py": _SHOW}, pip=("ujson==5.1.0",), shows=r"^exit -11\b",
    ),
    Subject(
        "dash-subshells", "depth, and stack of 64 KB", "deep.sh", _script(280),
        ("sh", "small.sh", "deep.sh"), "(" * 236,
        "236 crash always, 200 in one run of three: the stack's start varies",
        files={"small.sh": _SHELL}, needs=("dash",), shows=r"^exit -11\b",
    ),
    Subject(
        "cpython-parser", "depth, and stack of 128 KB", "deep.py",
        filled(f"@@ python 8\nTREE = {nested_json(90)}\n@@ python 8\n"),
        ("sh", "small.sh", "{python}", "deep.py"), "[" * 74,
        "by Python 3.11: 74 crash always, 71 in three of four runs",
        files={"small.sh": _COMPILE}, shows=r"^exit -11\b",
    ),
    Subject(
        "esprima-arrays", "depth, and stack of 100 KB", "deep.js",
        filled(f"@@ javascript 5\nvar tree = {nested_json(100)};\n@@ javascript 5\n"),
        ("node", "--stack-size=100", "parse.js", "deep.js"), "[" * 33,
        "by Node 20: 33 overflow the stack always, 32 never",
        files={"parse.js": _PARSE}, npm=("esprima@2.7.3",), shows="RangeError: Maximum call stack",
    ),
    Subject(
        "soup-recursion", "depth, and Python's recursion limit", "deep.html", _page(130),
        ("{python}", "show.py", "deep.html"), "<b>" * 97, "97 elements fail always, 96 never",
        files={"show.py": _SOUP}, pip=("beautifulsoup4==4.11.2",), shows="RecursionError",
    ),
    Subject(
        "lark-grouping", "hash seed", "sums.txt", _differences(),
        ("{python}", "evaluate.py", "sums.txt"), "=" + "-".join("1" * 7),
        "seven numbers are grouped wrongly with 199 of 200 hash seeds, three with half of them",
        files={"evaluate.py": _EVALUATE}, pip=("lark==1.1.5",), shows="it groups to the right",
    ),
    Subject(
        "mistune-deadline", "time", "page.md", _markdown(), ("{python}", "render.py", "page.md"),
        "*" + "\\" * 28, "28 backslashes take 0.1 s or so of 0.05, 26 half of it",
        files={"render.py": _RENDER}, pip=("mistune==2.0.2",), shows="TimeoutError",
    ),
    Subject(
        "make-prerequisite", "race", "Makefile", _makefile(), ("sh", "build.sh", "Makefile"),
        "a:b c\nb:\n\ttrue\n\t>c",
        "the second job needs a file that the first one takes a step to begin with: fails always; "
        "without the step in six of ten runs",
        files={"build.sh": _BUILD}, needs=("make",), shows="the parallel build failed",
    ),
    Subject(
        "sqlite-memory", "memory, of 20 MB", "dump.sql", _dump(), ("sh", "query.sh", "dump.sql"),
        "CREATE TABLE t(a);" + "INSERT INTO t VALUES(randomblob(1000000));" * 12,
        "12 rows of a megabyte fail always, 11 never",
        files={"query.sh": _QUERY}, needs=("sqlite3",), shows="out of memory",
        options=("--reproduces", "stderr=out of memory"),
    ),
    Subject(
        "constraint-steps", "a random search", "graph.txt", _graph(),
        ("{python}", "colour.py", "graph.txt"), "\n".join(f"edge {a} {b}" for a, b in _K4),
        "four nodes with all edges have no colouring with three; of a graph that has one, the "
        "search misses it in some runs",
        files={"colour.py": _COLOUR}, pip=("python-constraint==1.4.0",), shows="no colouring",
    ),
)  # fmt: skip
