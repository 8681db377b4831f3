"""Which tests see a literal: each literal of a sample file says it itself."""

from __future__ import annotations

import re

import pytest

from boildown.targets.literals import Module, node_at
from boildown.targets.reach import reaching, seen_by

SAMPLE = '''"""-"""
import pytest
from unittest import TestCase
CASES = [("a: test_cases (case 1), test_starred", 1), "b: test_cases (case 2), test_starred"]
USED: "-" = "c: TestIt::test_method"
UNUSED = "-"
"-"
@pytest.fixture
def data(tmp_path):
    """-"""
    return "d: test_data"
@pytest.fixture(params=["e: test_data", "f: test_data"])
def other(data):
    pass
def helper(x: "-" = "g: TestIt::test_method") -> "-":
    return USED + x
def lonely():
    return "-"
@pytest.mark.parametrize("text, n", CASES)
def test_cases(text, n):
    assert text, "h: test_cases"
def test_data(data, other):
    "-"
    assert data.strip() == dedent("i: test_data").encode()
class TestIt:
    "-"
    constant = "j: TestIt::test_method, TestIt::test_async"
    def setup_method(self):
        self.value = b"k: TestIt::test_method, TestIt::test_async"
    @pytest.mark.parametrize(
        "p",
        [
            "l: TestIt::test_method (case 1)",
            pytest.param("m: TestIt::test_method (case 2)", id="-"),
            ["n", ("n: TestIt::test_method (case 3)", 1)],
        ],
        ids=["-", "-", "-"],
    )
    def test_method(self, p):
        helper(p)
    async def test_async(self):
        x: "-" = "o: TestIt::test_async"
        def inner():
            return r"p: TestIt::test_async"
class Helper:
    value = "-"
@pytest.mark.skipif(True, reason="-")
@pytest.mark.parametrize(argnames=("-", "b"), argvalues=[*CASES, "q: test_starred"])
def test_starred(a, b):
    pass
@pytest.mark.parametrize(["x"], [["r: test_made"] for _ in range(3)])
def test_made(x):
    pass
class Old(TestCase):
    def test_old(self):
        self.fail("s: Old::test_old")
@pytest.mark.parametrize("-", ("t: TestMany::test_one (case 1), TestMany::test_two (case 1)",))
class TestMany:
    def test_one(self, x):
        pass
    def test_two(self, x):
        pass
print("-")
'''
LITERALS = [
    (match.start(1), match[2] or "")
    for match in re.finditer(r'"("?"?(?:-|[a-z]: ([^"]+)))"', SAMPLE)
]


@pytest.mark.parametrize(("offset", "tests"), LITERALS)
def test_the_tests_that_see_a_literal(offset: int, tests: str) -> None:
    module = Module(SAMPLE)
    node = node_at(module, offset, offset)
    assert node is not None
    assert ", ".join(map(str, reaching(module, node))) == tests


def test_the_sample_says_it_of_every_literal() -> None:
    assert len(LITERALS) == 40


def test_an_autouse_fixture_is_seen_by_all() -> None:
    code = (
        "@fixture(autouse=True)\ndef always():\n    return 'x'\n"
        "def test_a(): pass\nclass TestB:\n    def test_c(self): pass\n"
    )
    module = Module(code)
    node = node_at(module, code.index("'x'"), code.index("'x'"))
    assert list(map(str, reaching(module, node))) == ["test_a", "TestB::test_c"]


def test_a_test_case_may_be_made_from_another() -> None:
    code = (
        "class Base(unittest.TestCase):\n    value = 'x'\n"
        "class Sub(Base):\n    def test_a(self): self.check('y')\n"
        "class Loop(Loop):\n    def test_b(self): 'z'\n"
    )
    module = Module(code)
    assert [(node.value, str(test)) for node, test in seen_by(module, "Sub::test_a")] == [
        *(("'x'", "Sub::test_a"), ("'y'", "Sub::test_a")),
    ]
    assert list(seen_by(module, "Loop::test_b")) == []


def test_code_with_errors_is_no_trouble() -> None:
    code = "def test_a(:\n    x = 'a'\n  y = (\n"
    module = Module(code)
    node = node_at(module, code.index("'a'"), code.index("'a'"))
    assert isinstance(reaching(module, node), list)


def test_deep_nesting_is_no_trouble() -> None:
    code = "def test_a():\n    f(" + "[" * 80 + "'a'" + "]" * 80 + ")\n"
    module = Module(code)
    node = node_at(module, code.index("'a'"), code.index("'a'"))
    assert list(map(str, reaching(module, node))) == ["test_a"]
