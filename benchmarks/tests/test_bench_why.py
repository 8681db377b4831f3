"""The benchmark of suspects: what counts as a right function, and how a ranking is scored."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.why.__main__ import Row, beside, ranking, report, shares
from benchmarks.why.cases import KINDS, MOST, Bug, Place, bugs, unseen
from benchmarks.why.freeze import entered, fails
from benchmarks.why.functions import changed, functions, owner
from benchmarks.why.scoring import Suspect, in_order, rank_by_counts, rank_of, share
from benchmarks.why.stacks import stack
from benchmarks.why.suites import Suite, by_module
from benchmarks.why.suites import ranking as of_tests

BUGS = bugs()
PYTHON = '''\
def outer(text):
    """Say what it does."""
    def inner():
        return [each for each in text]
    return inner


class Parser:
    @property
    def size(self):
        return 1  # a comment

    @size.setter
    def size(self, value):
        self.kept: int = value
'''
JAVASCRIPT = """\
class Parser {
  size(x) { return [x].map((each) => each + 1); }
}
exports.read = function (text) { /* a comment */ return text; };
(function () {
  const inner = () => 1;
  inner();
})();
"""


def told(tmp_path: Path, text: str, name: str = "a.py") -> list[str]:
    """Return the names of a text's functions."""
    (tmp_path / name).write_text(text)
    return [each.name for each in functions(tmp_path / name)]


def differing(tmp_path: Path, before: str, after: str, name: str = "a.py") -> list[str]:
    """Return the names of the functions that another text changes."""
    first, second = tmp_path / name, tmp_path / f"new.{name}"
    first.write_text(before)
    second.write_text(after)
    return [each.name for each in changed(functions(first), functions(second))]


def test_functions_have_their_qualified_names(tmp_path: Path) -> None:
    python = ["outer", "outer.inner", "Parser.size", "Parser.size"]
    assert told(tmp_path, PYTHON) == python
    assert told(tmp_path, JAVASCRIPT, "a.js") == ["Parser.size", "exports.read", "inner"]
    assert told(tmp_path, "def broken(:") == []


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        ("return 1  # a comment", "return (1)", []),
        ('"""Say what it does."""', '"""Say it."""', []),
        ("self.kept: int = value", "self.kept = value", []),
        ("return 1  # a comment", "return 2", ["Parser.size"]),
        ("in text]", "in text if each]", ["outer.inner"]),
        ("outer(text)", "outer(text: str)", []),
        ("outer(text)", "outer(text=None)", ["outer"]),
        ("def inner", "def other", ["outer.inner"]),
    ],
)
def test_a_function_differs_by_what_it_does(
    tmp_path: Path, before: str, after: str, names: list[str]
) -> None:
    assert before in PYTHON
    assert differing(tmp_path, PYTHON, PYTHON.replace(before, after)) == names


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        ("/* a comment */", "", []),
        ("each + 1", "each + 2", ["Parser.size"]),
        ("return text", "return  text.trim()", ["exports.read"]),
        ("() => 1", "() => 2", ["inner"]),
        ("inner();", "inner(1);", []),
    ],
)
def test_a_function_of_javascript_differs_by_its_words(
    tmp_path: Path, before: str, after: str, names: list[str]
) -> None:
    assert before in JAVASCRIPT
    assert differing(tmp_path, JAVASCRIPT, JAVASCRIPT.replace(before, after), "a.js") == names


def test_a_line_belongs_to_the_innermost_function(tmp_path: Path) -> None:
    told(tmp_path, PYTHON)
    found = [owner(functions(tmp_path / "a.py"), line) for line in (1, 4, 5, 6, 9)]
    names = [each.name if each else None for each in found]
    assert names == ["outer", "outer.inner", "outer", None, "Parser.size"]


def stub(tmp_path: Path, package: str, program: str, registry: str = "pip") -> Place:
    """Return a place with a package that has one module, and a user's program."""
    packages = tmp_path / "packages"
    packages.mkdir()
    end, runtime = ("py", sys.executable) if registry == "pip" else ("js", "node")
    (packages / f"shop.{end}").write_text(package)
    command = f"{runtime} run.{end} in.txt"
    files = {f"run.{end}": program}
    bug = Bug("stub", "crash", registry, "shop", "1", "2", "", "in.txt", "7", command, files=files)
    variables = {**os.environ, "PYTHONPATH": str(packages), "NODE_PATH": str(packages)}
    return Place(bug, packages, variables)


CRASHING = """\
VALUES = [each for each in [lambda: 1]]
def idle():
    pass


def price(text):
    return one(text)


def one(text):
    return 1 / (int(text) - 7)
"""


def test_functions_are_entered_though_the_run_crashes(tmp_path: Path) -> None:
    laid = stub(tmp_path, CRASHING, "import sys, shop\nshop.price(open(sys.argv[1]).read())\n")
    # The tracer's folder takes the place of PYTHONPATH: the package is found beside the program.
    laid = replace(laid, bug=replace(laid.bug, files={**laid.bug.files, "shop.py": CRASHING}))
    found = {(path.name, first) for path, first in entered(laid) if path.name == "shop.py"}
    assert found == {("shop.py", 6), ("shop.py", 10)}
    assert fails(laid, "")


def test_the_stack_of_a_crash_has_the_functions_of_packages(tmp_path: Path) -> None:
    laid = stub(tmp_path, CRASHING, "import sys, shop\nshop.price(open(sys.argv[1]).read())\n")
    _, _, said = laid.run()
    assert stack(said, laid.packages) == [("shop.py", "one"), ("shop.py", "price")]
    assert stack("AssertionError\n", laid.packages) == []


RANKING = [
    Suspect(("a.py", "a"), 3, 0),
    Suspect(("a.py", "b"), 3, 1),
    Suspect(("a.py", "c"), 3, 1),
    Suspect(("a.py", "d"), 3, 2),
]


def test_a_ranking_is_scored_by_its_first_right_function() -> None:
    assert rank_of(RANKING, {("a.py", "b"), ("a.py", "d")}) == 2
    assert rank_of(RANKING, {("b.py", "b")}) is None


def test_a_tie_counts_at_its_last_place() -> None:
    assert rank_by_counts(RANKING, {("a.py", "b")}) == 3
    assert rank_by_counts(RANKING, {("a.py", "a")}) == 1
    assert rank_by_counts(RANKING, set()) is None


def test_a_stack_that_comes_back_to_a_function_has_it_once() -> None:
    ranking = in_order([("a.py", "b"), ("a.py", "c"), ("a.py", "b"), ("a.py", "a")])
    assert rank_of(ranking, {("a.py", "a")}) == 3


def test_a_bug_without_a_rank_counts_as_not_found() -> None:
    found = share({"a": 1, "b": 3, "c": 4, "d": None})
    assert (found.bugs, found.first, found.three) == (4, 1, 2)
    assert found.told() == ("25% (1)", "50% (2)")


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_is_frozen_with_its_truth(bug: Bug) -> None:
    assert bug.kind in KINDS
    assert 0 < len(bug.truth) <= MOST
    assert len(set(bug.truth)) == len(bug.truth)
    assert bug.bad != bug.fixed
    assert " issue " in bug.issue
    assert bug.file in bug.command
    assert bug.registry in ("pip", "npm")


def test_half_of_the_bugs_of_each_language_and_kind_are_unseen() -> None:
    hidden = unseen(BUGS)
    groups = Counter((bug.language, bug.kind) for bug in BUGS)
    unseen_ones = Counter((bug.language, bug.kind) for bug in BUGS if bug.name in hidden)
    for group, count in groups.items():
        assert abs(2 * unseen_ones[group] - count) <= 1


def bug_of(name: str, kind: str, *right: str) -> Bug:
    truth = tuple(("a.py", each) for each in right)
    return Bug(name, kind, "pip", "shop", "1", "2", "", "in.txt", "", "true", truth=truth)


def test_the_report_counts_bugs_without_a_ranking_and_names_those_without_a_row() -> None:
    known = [bug_of(name, "crash", "a") for name in ("one", "two", "three")]
    rows = {
        "one": Row("one", (("a.py", "b", 3, 0), ("a.py", "a", 3, 1)), (("a.py", "a"),), traced=9),
        "two": Row("two", problem="exit 1: boildown: no"),
    }
    counts = "0% (0) | 50% (1) | 0% (0) | 50% (1) | 50% (1) | 50% (1) | 50% (1) | 50% (1)"
    assert shares(known, rows).splitlines()[2:] == [
        f"| {group} | 2 | {counts} |" for group in ("all", "Python", "crash", "Python, crash")
    ]
    told = report(known, rows)
    assert "Not measured: three." in told
    assert "exit 1: boildown: no" in told


def test_suspects_are_named_by_their_lines(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(PYTHON)
    file = str(tmp_path / "a.py")
    suspects = [
        {"file": file, "line": 4, "function": "outer.<locals>.inner", "failing": 3, "passing": 0},
        {"file": file, "line": 4, "function": "outer.<locals>.inner", "failing": 3, "passing": 1},
        {"file": "/user/run.py", "line": 2, "function": "main", "failing": 3, "passing": 2},
    ]
    assert ranking(suspects, tmp_path) == [
        ("a.py", "outer.inner", 3, 0),
        ("/user/run.py", "main", 3, 2),
    ]


def test_functions_that_few_tests_enter_come_first(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "def f():\n    return 1\n\n\ndef g():\n    a = 1\n    return a\n"
    )
    # The line of a definition is executed when a module is loaded.
    failing = {"a.py": {1: 0, 2: 0, 5: 0, 6: 0, 7: 0}}
    passing = {"a.py": {2: 4, 6: 9, 7: 3}}
    expected = [Suspect(("a.py", "g"), 1, 3), Suspect(("a.py", "f"), 1, 4)]
    assert of_tests(failing, passing, tmp_path) == expected


def test_lines_of_a_module_that_is_loaded_from_two_places_are_added() -> None:
    told = {"/src/a.py": {"1": 2, "3": 1}, "/lib/a.py": {"1": 3}, "/other/a.py": {"1": 9}}
    assert by_module(told, (Path("/lib"), Path("/src"))) == {"a.py": {1: 5, 3: 1}}


def test_the_tests_of_a_package_stand_beside_the_ranking() -> None:
    suites = [Suite("one", 20, 9, 2), Suite("two", problem="fewer than ten tests pass")]
    told = "\n".join(beside(suites, {"one": {"why": 1, "counts as ties": 3}, "two": {}}))
    assert [row for row in told.splitlines() if row.startswith("| one")] == [
        "| one | 20 | 9 | 2 | 3 | 1 |"
    ]
    assert "Left out: two: fewer than ten tests pass." in told
    assert beside([], {}) == []
