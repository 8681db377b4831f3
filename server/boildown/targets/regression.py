"""Regression tests beside a literal: they need no Boildown, and fail until the bug is mended.

Inputs of a literal go where the literal is: as further cases of its `parametrize`, as a copy of the
test that takes them as an argument, or as one that puts them in the place of a constant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from boildown.targets.asserted import asserted, comparisons, is_exception
from boildown.targets.inputs import Inputs
from boildown.targets.literals import Literal, Module, Style, node_at, read, write
from boildown.targets.reach import (
    case_element,
    constant,
    enclosing_test,
    is_unittest,
    tests_of_constant,
)
from boildown.targets.syntax import statements

Insertion = tuple[int, str]
"""An offset in the code, and the text to insert there."""


def beside_literal(code: str, offset: int, inputs: Inputs) -> list[Insertion]:
    """Return the insertions into Python code that test further values of the literal at an offset.

    Nothing is returned where the literal stands in no test and no constant, as in a fixture.
    """
    module = Module(code)
    node = node_at(module, offset, offset)
    if node is None:
        return []
    literal = read(module, node)
    if literal.style.is_formatted:
        # Its holes name what is at hand only where it stands.
        return []
    writing = _Writing(module, node, literal, inputs)
    element = case_element(module, node)
    if element is not None:
        return [] if inputs.parts else [writing.further_cases(element)]
    test = enclosing_test(module, node)
    if test is not None and inputs.expected:
        found = writing.expecting(test)
    elif test is not None:
        found = writing.unittests(test) if is_unittest(test) else writing.copy(test)
    elif (name := constant(module, node)) and (tests := tests_of_constant(module, node)):
        found = writing.with_constant(name, tests[0])
    else:
        return []
    joined: dict[int, str] = {}
    for at, text in found:
        joined[at] = joined.get(at, "") + text.replace("\n", literal.style.eol)
    return list(joined.items())


@dataclass(frozen=True, slots=True)
class _Writing:
    """The writer of tests beside one literal."""

    module: Module
    node: Any
    """The literal's, of parso's tree."""
    literal: Literal
    inputs: Inputs

    def further_cases(self, element: Any) -> Insertion:
        """Return the copies of one case of a test, with other values."""
        start, end = self.module.span(element)
        code, literal = self.module.text, self.literal
        line_start = code.rfind("\n", 0, start) + 1
        indent = code[line_start:start]
        between = f",{literal.style.eol}{indent}" if not indent.strip() else ", "
        before, after = code[start : literal.start], code[literal.end : end]
        texts = self.inputs.texts
        return end, "".join(between + before + literal.written(text) + after for text in texts)

    def copy(self, test: Any) -> list[Insertion]:
        """Return a copy of a test that takes the value of the literal as an argument."""
        argument, name = self._free("text"), self._free(f"{_name(test)}_alike")
        copied = self._copied(test, argument, self._unasserted(test))
        signature = _SIGNATURE.search(copied)
        assert signature is not None
        copied = (
            copied[: signature.start()]
            + _with_parameter(signature, name, argument)
            + copied[signature.end() :]
        )
        has_others = signature["more"] is None
        return self._put(test, argument, copied, has_others)

    def unittests(self, test: Any) -> list[Insertion]:
        """Return a copy of a method of a `unittest.TestCase` for each value."""
        name, edits = self._free(f"{_name(test)}_alike"), self._unasserted(test)
        copies = [
            self._renamed(test, f"{name}_{number}", self._copied(test, written, edits))
            for number, written in enumerate(map(self.literal.written, self.inputs.texts), 1)
        ]
        return [(self.module.span(test)[1], "".join(copies))]

    def expecting(self, test: Any) -> list[Insertion]:
        """Return a copy of a test on the first input, with the value that this should give."""
        compared = asserted(test, self.node, self.inputs.failure)
        if compared is None:
            return []
        edits = [(*self.module.span(compared.constant), self.inputs.expected)]
        copied = self._copied(test, self.literal.written(self.inputs.texts[0]), edits)
        name = self._free(f"{_name(test)}_alike")
        return [(self.module.span(test)[1], self._renamed(test, name, copied))]

    def _copied(self, test: Any, written: str, edits: Sequence[tuple[int, int, str]]) -> str:
        """Return the code of a test with something else for the literal, and with other edits.

        An edit is a start and an end in the module's code, outside of the literal, and a text.
        """
        start, end = self.module.span(test)
        code = self.module.text
        copied, at = "", start
        for first, last, text in sorted([*edits, (self.literal.start, self.literal.end, written)]):
            copied, at = copied + code[at:first] + text, last
        return copied + code[at:end]

    def _unasserted(self, test: Any) -> list[tuple[int, int, str]]:
        """Return the edits by which a test of an exception asserts nothing of other inputs' values.

        What is called stays, since it raises the exception; what it returns is of the input.
        """
        if not is_exception(self.inputs.failure):
            return []
        found, edits = list(comparisons(test, self.node)), []
        asserts = [each.statement for each in found]
        for statement, value, _ in found:
            (start, end), (first, last) = map(self.module.span, (statement, value))
            line = statement.parent
            if value.type != "name":
                edits += [(start, first, ""), (last, end, "")]
            elif (line.type, len(line.children)) == ("simple_stmt", 2) and any(
                each not in asserts for each in statements(line.parent)
            ):
                # A name says nothing without its comparison, so the line goes.
                start, end = self.module.span(line)
                edits.append((start - len(statement.get_first_leaf().prefix), end, ""))
        return edits

    def _renamed(self, test: Any, name: str, copied: str) -> str:
        """Return the insertion of a copy of a test under another name."""
        indent = self._indent(test)
        renamed = _SIGNATURE.sub(rf"\g<def>{name}\g<rest>", copied, count=1)
        gap = "\n" if indent else "\n\n"
        return f"{gap}{indent}{renamed.rstrip()}\n"

    def with_constant(self, name: str, test: Any) -> list[Insertion]:
        """Return a test that runs another one with its values in the place of a constant."""
        argument, other = self._free("text"), self._free(f"{_name(test)}_alike")
        code, literal = self.module.text, self.literal
        start, end = self.module.span(constant_value(self.module, literal))
        value = code[start : literal.start] + argument + code[literal.end : end]
        function = _function(test)
        names = [each.name.value for each in function.get_params()]
        is_async = function.parent.type in ("async_stmt", "async_funcdef")
        call = f"{'await ' if is_async else ''}{_name(test)}({', '.join(names)})"
        copied = (
            f"{'async ' if is_async else ''}def {other}({', '.join([argument, *names])}):\n"
            f"    with pytest.MonkeyPatch.context() as patch:\n"
            f"        patch.setitem(globals(), {name!r}, {value})\n"
            f"        {call}\n"
        )
        return self._put(test, argument, copied, bool(names), needs_pytest=True)

    def _put(
        self, test: Any, argument: str, copied: str, has_others: bool, needs_pytest: bool = False
    ) -> list[Insertion]:
        """Return the insertion of a test below another one, with its decorator and imports."""
        indent = self._indent(test)
        is_bytes = self.literal.style.is_bytes
        gap = "\n" if indent else "\n\n"
        end = self.module.span(test)[1]
        found = []
        if self.inputs.parts:
            name = self._free(f"inputs_of_{_name(test)}")
            top = test
            while top.parent is not self.module.tree:
                top = top.parent
            strategy = self.inputs.strategy(name, is_bytes)
            found.append((self.module.span(top)[0], f"{strategy}\n\n"))
            # The first draw reads all regular expressions, which may take a second.
            slow = "HealthCheck.too_slow"
            checks = f"{slow}, HealthCheck.function_scoped_fixture" if has_others else slow
            options = f"deadline=None, suppress_health_check=[{checks}]"
            decorator = f"@settings({options})\n{indent}@given({argument}={name}())\n{indent}"
        else:
            style = Style("b" if is_bytes else "", '"')
            values = [f"{indent}    {write(text, style)},\n" for text in self.inputs.texts]
            listed = f"[\n{''.join(values)}{indent}]"
            decorator = f'@pytest.mark.parametrize("{argument}", {listed})\n{indent}'
        found.append((end, f"{gap}{indent}{decorator}{copied.rstrip()}\n"))
        lines = _FOR_HYPOTHESIS if self.inputs.parts else ""
        has_pytest = re.search(r"^import pytest\b", self.module.text, re.M)
        if not has_pytest and (needs_pytest or not self.inputs.parts):
            lines += "import pytest\n"
        return [import_place(self.module, lines), *found] if lines else found

    def _indent(self, test: Any) -> str:
        start = self.module.span(test)[0]
        return self.module.text[self.module.text.rfind("\n", 0, start) + 1 : start]

    def _free(self, name: str) -> str:
        """Return a name that the module does not have yet."""
        number, free = 1, name
        while re.search(rf"\b{free}(?:_1)?\b", self.module.text):
            number += 1
            free = f"{name}_{number}"
        return free


_FOR_HYPOTHESIS = """\
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
"""
_SIGNATURE = re.compile(
    r"^(?P<def>\s*(?:async\s+)?def\s+)\w+(?P<rest>\(\s*(?P<self>self\b)?\s*,?\s*(?P<more>\))?)",
    re.MULTILINE,
)


def _with_parameter(signature: re.Match[str], name: str, argument: str) -> str:
    """Return the beginning of a function with another name and one more parameter."""
    parameters = f"self, {argument}" if signature["self"] else argument
    return f"{signature['def']}{name}({parameters}{')' if signature['more'] else ', '}"


def _function(test: Any) -> Any:
    while test.type != "funcdef":
        test = test.children[-1]
    return test


def _name(test: Any) -> str:
    return str(_function(test).name.value)


def constant_value(module: Module, literal: Literal) -> Any:
    """Return the node of the value that a constant with a literal in it has."""
    node = node_at(module, literal.start, literal.end)
    while node.parent.type != "expr_stmt":
        node = node.parent
    return node


def import_place(module: Module, lines: str) -> Insertion:
    """Return where imports go: after the docstring and the imports from the future."""
    at, code = 0, ""
    for statement in module.tree.children:
        code = statement.get_code(include_prefix=False)
        is_docstring = re.match(r"[A-Za-z]{0,2}[\"']", code)
        if not (is_docstring or code.startswith("from __future__")):
            break
        at = module.offset(statement.end_pos)
    if at == 0:
        return at, lines if code.startswith(("import ", "from ")) else f"{lines}\n\n"
    return at, f"\n{lines}"
