"""Regression tests beside a literal: they need no Boildown, and fail until the bug is mended.

Inputs of a literal go where the literal is: as further cases of its `parametrize`, as a copy of the
test that takes them as an argument, or as one that puts them in the place of a constant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from boildown.targets.inputs import Inputs
from boildown.targets.literals import Literal, Module, Style, node_at, read, write
from boildown.targets.reach import (
    case_element,
    constant,
    enclosing_test,
    is_unittest,
    tests_of_constant,
)

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
    writing = _Writing(module, literal, inputs)
    element = case_element(module, node)
    if element is not None:
        return [] if inputs.parts else [writing.further_cases(element)]
    test = enclosing_test(module, node)
    if test is not None:
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
        start, end = self.module.span(test)
        argument, name = self._free("text"), self._free(f"{_name(test)}_alike")
        code, literal = self.module.text, self.literal
        copied = code[start : literal.start] + argument + code[literal.end : end]
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
        start, end = self.module.span(test)
        indent = self._indent(test)
        code, literal = self.module.text, self.literal
        name = self._free(f"{_name(test)}_alike")
        copies = []
        for number, text in enumerate(self.inputs.texts, 1):
            copied = code[start : literal.start] + literal.written(text) + code[literal.end : end]
            copied = _SIGNATURE.sub(rf"\g<def>{name}_{number}\g<rest>", copied, count=1)
            copies.append(f"\n{indent}{copied.rstrip()}\n")
        return [(end, "".join(copies))]

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
