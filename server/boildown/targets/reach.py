"""Finds the pytest tests that see the value of a literal, and the case of a parametrized one.

A literal in a test, in its `parametrize` decorator, in a fixture, a helper or a constant of the
module is seen by the tests that name these, directly or through others. What no test can see is no
failing input: docstrings, annotations, ids, and everything in a file without tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from boildown.targets.displays import is_display
from boildown.targets.literals import Declined, Module, read
from boildown.targets.syntax import (
    decorators,
    defined,
    descendants,
    elements,
    index_in,
    names_in,
    statements,
    undecorated,
    up,
    within,
)

_TEST = re.compile(r"test")
_MARKER = re.compile(r"(?:\w+\.)*(?P<name>\w+)")


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a parametrized test, by position: an id would change with the literal."""

    argument: str
    """The first name that the decorator gives values to."""
    index: int
    is_whole: bool = True
    """Whether the decorator gives values to no other name."""


@dataclass(frozen=True, slots=True)
class Test:
    """A test as pytest selects it, without its file."""

    name: str
    """Such as `test_it` or `TestIt::test_it`."""
    case: Case | None = None
    """The one case that sees the literal; None for all."""

    __test__ = False  # For pytest, which would collect it.

    def __str__(self) -> str:
        return self.name if self.case is None else f"{self.name} (case {self.case.index + 1})"


@dataclass(frozen=True, slots=True)
class TestPlace:
    """The place of a test in its module, in offsets."""

    name: str
    """As in `Test.name`."""
    title: tuple[int, int]
    """The ends of the function's name."""
    whole: tuple[int, int]
    """The ends of the test with its decorators."""

    __test__ = False  # For pytest, which would collect it.


# An editor asks at each move of the cursor.
@lru_cache(4)
def test_places(code: str) -> tuple[TestPlace, ...]:
    """Return the places of all tests in a module, in its order."""
    module = Module(code)
    return tuple(
        TestPlace(name, module.span(undecorated(test).name), module.span(test))
        for name, test, _ in TestOutline(module).tests
    )


def reaching(module: Module, node: Any) -> list[Test]:
    """Return the tests that see the value of a literal, in the order of the file."""
    outline = TestOutline(module)
    return _reaching(outline, node, outline.tests)


def seen_by(module: Module, name: str) -> Iterator[tuple[Any, Test]]:
    """Yield the literals whose value a test sees, each with the test or its case that does.

    A display comes before the literals in it; one in another is no input of its own, nor are the
    cases of a parametrized test together, or the values of one that has several.
    """
    outline = TestOutline(module)
    tests = [test for test in outline.tests if test[0] == name]
    displays: list[Any] = []
    for node in descendants(module.tree):
        if is_display(node) and not any(within(node, each) for each in displays):
            for test in _reaching(outline, node, tests):
                if not _holds_cases(outline, node, test):
                    displays.append(node)
                    yield node, test
            continue
        is_literal = node.type in ("string", "strings", "fstring") and node.parent.type != "strings"
        if is_literal and not any("fstring" in each.type for each in up(node.parent)):
            for test in _reaching(outline, node, tests):
                yield node, test


def literals_of(module: Module) -> Iterator[Any]:
    """Yield the literals of a module that make values; of a display, not those in it."""
    displays: list[Any] = []
    for node in descendants(module.tree):
        if _is_no_value(node) or any(within(node, each) for each in displays):
            continue
        if is_display(node):
            displays.append(node)
            yield node
        elif node.type in ("string", "strings", "fstring") and node.parent.type != "strings":
            yield node


def _holds_cases(outline: TestOutline, node: Any, test: Test) -> bool:
    """Say whether a display holds cases of a test, or the values of one of its cases."""
    if test.case is not None:
        return not test.case.is_whole and case_element(outline.module, node) is node
    home = outline.home(list(up(node)))
    if any(each.type == "decorator" for each in up(node)):
        return not is_example(node)
    if home is None or home.type != "expr_stmt" or home.children[-1] is not node:
        return False
    names = defined(home)
    return any(
        _case_from_constant(outline.module, each, names, 0) is not None
        for name, each, _ in outline.tests
        if name == test.name
    )


def _reaching(outline: TestOutline, node: Any, tests: list[tuple[str, Any, Any]]) -> list[Test]:
    """Return those of some tests of an outline that see the value of a literal."""
    if _is_no_value(node):
        return []
    path = list(up(node))
    decorator = next((each for each in path if each.type == "decorator"), None)
    if decorator is not None and "fixture" not in _called(decorator):
        return _reached_by_decorator(outline.module, node, decorator, tests)
    home = outline.home(path)
    return [] if home is None else outline.tests_that_see(home, _element(node, home), tests)


@dataclass(frozen=True)
class TestOutline:
    """The definitions at the top of a module, and its tests."""

    module: Module
    _known: dict[str, set[str]] = field(default_factory=dict)
    """The names that each test mentions, as far as they were asked for."""

    @cached_property
    def definitions(self) -> Mapping[str, list[Any]]:
        """The statements that define each name of the module."""
        found: dict[str, list[Any]] = {}
        for statement in statements(self.module.tree):
            for name in defined(statement):
                found.setdefault(name, []).append(statement)
        return found

    @cached_property
    def tests(self) -> list[tuple[str, Any, Any]]:
        """The tests: name, function, and class or None."""
        found = []
        for statement in statements(self.module.tree):
            inner = undecorated(statement)
            if inner.type == "funcdef" and _TEST.match(inner.name.value):
                found.append((inner.name.value, statement, None))
            elif inner.type == "classdef" and self._holds_tests(inner):
                for method in statements(inner.children[-1]):
                    function = undecorated(method)
                    if function.type == "funcdef" and _TEST.match(function.name.value):
                        name = f"{inner.name.value}::{function.name.value}"
                        found.append((name, method, statement))
        return found

    def _holds_tests(self, definition: Any) -> bool:
        """Say whether pytest looks for tests in a class."""
        return definition.name.value.startswith("Test") or self._is_test_case(definition, set())

    def _is_test_case(self, definition: Any, known: set[str]) -> bool:
        """Say whether a class is made from `unittest.TestCase`, by others of the module, too."""
        bases = definition.get_super_arglist()
        if bases is None or "TestCase" in bases.get_code():
            return bases is not None
        names = names_in(bases) - known
        known |= names
        found = [undecorated(each) for name in names for each in self.definitions.get(name, ())]
        return any(each.type == "classdef" and self._is_test_case(each, known) for each in found)

    def home(self, path: list[Any]) -> Any:
        """Return the test or the top statement that a node is in; `path` leads up from it."""
        for _, test, _ in self.tests:
            if any(each is test for each in path):
                return test
        tops = statements(self.module.tree)
        return next((top for top in tops if any(each is top for each in path)), None)

    def tests_that_see(
        self, home: Any, element: int | None, tests: list[tuple[str, Any, Any]]
    ) -> list[Test]:
        """Return those of some tests that run a statement or name its definitions.

        `element` is the position in the list that the statement assigns, if it does.
        """
        for name, test, _ in self.tests:
            if test is home:
                return [Test(name)] if any(each[1] is test for each in tests) else []
        names = defined(home)
        seeing = []
        for name, test, around in tests:
            case = _case_from_constant(self.module, test, names, element)
            if case is not None:
                seeing.append(Test(name, case))
            elif around is home or not names.isdisjoint(self._mentioned(name, test, around)):
                seeing.append(Test(name))
        return seeing

    def _mentioned(self, name: str, test: Any, around: Any) -> set[str]:
        """Return the names in a test, and those in the definitions that they name."""
        if name in self._known:
            return self._known[name]
        waiting = names_in(test) | self._sharednames(around)
        for statement in statements(self.module.tree):
            if _is_autouse(statement):
                waiting |= defined(statement)
        known = self._known[name] = set()
        while waiting:
            mentioned = waiting.pop()
            if mentioned not in known:
                known.add(mentioned)
                for statement in self.definitions.get(mentioned, ()):
                    waiting |= names_in(statement) - known
        return known

    def _sharednames(self, around: Any) -> set[str]:
        """Return the names in a class of tests that are not in one of its tests."""
        if around is None:
            return set()
        tests = [test for _, test, _ in self.tests]
        bases = undecorated(around).get_super_arglist()
        found = names_in(bases) if bases is not None else set()
        for statement in statements(undecorated(around).children[-1]):
            if not any(statement is test for test in tests):
                found |= names_in(statement)
        return found


def _is_autouse(statement: Any) -> bool:
    return any(
        "autouse" in each.get_code() and "fixture" in each.get_code()
        for each in decorators(statement)
    )


def _is_no_value(node: Any) -> bool:
    """Say whether a literal is a docstring or another bare statement, or in an annotation."""
    parent = node.parent
    if parent is None or parent.type in ("simple_stmt", "file_input"):
        return True
    below = node
    for each in up(parent):
        if each.type in ("annassign", "tfpdef") and below is each.children[1]:
            return True
        if each.type == "param" and each.annotation is not None and within(node, each.annotation):
            return True
        if each.type == "funcdef":
            return each.annotation is not None and within(node, each.annotation)
        below = each
    return False


def _reached_by_decorator(
    module: Module, node: Any, decorator: Any, tests: list[tuple[str, Any, Any]]
) -> list[Test]:
    """Return those of some tests that a `parametrize` or `example` with this literal is for."""
    decorated = next((each for each in up(decorator) if each.type == "decorated"), None)
    if _called(decorator) == "example":
        return [Test(name) for name, test, _ in tests if test is decorated]
    parts = _parametrize(decorator)
    if parts is None or not within(node, parts[1]) or _is_id(node):
        return []
    names, values = parts
    index = index_in(values, node)
    case = None if index is None else _case(module, names, index)
    return [
        Test(name, case) for name, test, around in tests if test is decorated or around is decorated
    ]


def is_example(node: Any) -> bool:
    """Say whether a literal is in an explicit example of Hypothesis."""
    return any(each.type == "decorator" and _called(each) == "example" for each in up(node))


def _called(decorator: Any) -> str:
    """Return the last part of the name of a decorator, such as `parametrize`."""
    code = "".join(decorator.get_code(include_prefix=False).lstrip("@").split())
    marker = _MARKER.match(code)
    return marker["name"] if marker is not None else ""


def _parametrize(decorator: Any) -> tuple[Any, Any] | None:
    """Return the arguments of `@pytest.mark.parametrize(names, values, ...)`."""
    if _called(decorator) != "parametrize":
        return None
    arguments = next((c for c in descendants(decorator) if c.type == "arglist"), None)
    if arguments is None:
        return None
    named: dict[str, Any] = {}
    positional = []
    for argument in arguments.children[::2]:
        if argument.type == "argument" and argument.children[1] == "=":
            named[argument.children[0].value] = argument.children[2]
        else:
            positional.append(argument)
    order = dict(zip(("argnames", "argvalues"), positional, strict=False))
    both = {**order, **named}
    if "argnames" not in both or "argvalues" not in both:
        return None
    return both["argnames"], both["argvalues"]


def _is_id(node: Any) -> bool:
    """Say whether a literal is the `id` of a `pytest.param`."""
    return any(
        each.type == "argument" and each.children[1] == "=" and each.children[0].value == "id"
        for each in up(node)
    )


def _case(module: Module, names: Any, index: int) -> Case | None:
    """Return the case at an index of the values for `"a, b"`, `["a", "b"]` or `("a", "b")`."""
    found: list[str] = []
    for each in (names, *descendants(names)):
        if each.type == "string":
            try:
                found += read(module, each).value.split(",")
            except Declined:
                return None
    first = found[0].strip() if found else ""
    return Case(first, index, len(found) == 1) if first else None


def _element(node: Any, home: Any) -> int | None:
    """Return which element of the list that a statement assigns a literal is in."""
    if home.type != "expr_stmt":
        return None
    return index_in(home.children[-1], node)


def _case_from_constant(
    module: Module, test: Any, names: set[str], element: int | None
) -> Case | None:
    """Return the case of a test that takes its values from a constant of the module."""
    if element is None:
        return None
    for decorator in decorators(test):
        parts = _parametrize(decorator)
        if parts is not None and parts[1].type == "name" and parts[1].value in names:
            return _case(module, parts[0], element)
    return None


def enclosing_test(module: Module, node: Any) -> Any:
    """Return the test, with its decorators, whose body a literal is in; None if there is none."""
    path = list(up(node))
    if any(each.type == "decorator" for each in path):
        return None
    tests = [test for _, test, _ in TestOutline(module).tests]
    return next((each for each in path if any(each is test for test in tests)), None)


def is_unittest(test: Any) -> bool:
    """Say whether a test is a method of a `unittest.TestCase`, which takes no parameters."""
    around = [each for each in up(test) if each.type == "classdef"]
    bases = around[0].get_super_arglist() if around else None
    return bases is not None and "TestCase" in bases.get_code()


def case_element(module: Module, node: Any) -> Any:
    """Return the case that a literal is in, of a `parametrize` or of a constant that one takes.

    None if it is in none.
    """
    decorator = next((each for each in up(node) if each.type == "decorator"), None)
    if decorator is not None:
        parts = _parametrize(decorator)
        if parts is None or _is_id(node):
            return None
        return next((each for each in elements(parts[1]) or () if within(node, each)), None)
    home = TestOutline(module).home(list(up(node)))
    index = _element(node, home) if home is not None else None
    if index is None or all(test.case is None for test in reaching(module, node)):
        return None
    return (elements(home.children[-1]) or ())[index]


def constant(module: Module, node: Any) -> str | None:
    """Return the name of the module's that is assigned the value with a literal in it."""
    home = TestOutline(module).home(list(up(node)))
    if home is None or home.type != "expr_stmt" or len(defined(home)) != 1:
        return None
    return next(iter(defined(home)))


def tests_of_constant(module: Module, node: Any) -> list[Any]:
    """Return the test functions that name the constant that a literal is in, without classes."""
    seeing = {test.name for test in reaching(module, node)}
    return [
        test
        for name, test, around in TestOutline(module).tests
        if name in seeing and around is None
    ]
