"""Falsifying examples of Hypothesis: read from its output, and written as a decorator of the test.

With the decorator, and with all other phases switched off by the plugin for pytest, a run tries the
candidate and nothing else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from boildown.languages.python_data import expression
from boildown.targets.literals import Module
from boildown.targets.reach import TestOutline
from boildown.targets.regression import import_place
from boildown.targets.syntax import imported, statements

EXPLICIT = "BOILDOWN_EXPLICIT"
"""The environment variable that switches the other phases off."""
_FALSIFYING = r"(?:Falsifying|Failing) (?!explicit )[a-z ]*: {name}\((?P<arguments>.*?\n)(?:E +)?\)"
_BARS = re.compile(r"^(?:E +)?(?: *\|)+ ?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A falsifying example: one argument, a text or bytes, or all of them as Python data."""

    module: Module
    test: Any
    """The statement of the test."""
    arguments: Mapping[str, object]
    name: str | None
    """The argument that is the input; None: all are."""

    @property
    def is_data(self) -> bool:
        """Whether the input is Python data: the only argument, or a dictionary of them all."""
        return self.name is None

    @property
    def text(self) -> str:
        """The value; of bytes, with surrogate escapes."""
        if self.name is None:
            values = list(self.arguments.values())
            return repr(values[0] if len(values) == 1 else dict(self.arguments))
        value = self.arguments[self.name]
        return value if isinstance(value, str) else _bytes(value).decode("utf-8", "surrogateescape")

    def decorator(self, text: str, package: str = "") -> str:
        """Return the decorator that has the test tried on another text."""
        if self.name is None:
            return f"@{package}example({self._listed(text)})"
        is_text = isinstance(self.arguments[self.name], str)
        value = text if is_text else text.encode("utf-8", "surrogateescape")
        given = {**self.arguments, self.name: value}
        listed = ", ".join(f"{name}={each!r}" for name, each in given.items())
        return f"@{package}example({listed})"

    def _listed(self, text: str) -> str:
        """Return the arguments of `example` for Python data."""
        if len(self.arguments) == 1:
            return f"{next(iter(self.arguments))}={text}"
        found = expression(text)
        keys = found.keys if isinstance(found, ast.Dict) else []
        names = [each.value for each in keys if isinstance(each, ast.Constant)]
        if not isinstance(found, ast.Dict) or names != list(self.arguments):
            return f"**{text}"
        pairs = zip(self.arguments, found.values, strict=True)
        return ", ".join(f"{name}={ast.unparse(value)}" for name, value in pairs)

    def document(self, text: str) -> str:
        """Return the code of the test file for a run on another text."""
        at = self.module.offset(self.test.start_pos)
        before, after = self.module.text[:at], self.module.text[at:]
        margin = " " * self.test.start_pos[1]
        added = self.decorator(text, '__import__("hypothesis").')
        return f"{before}{added}\n{margin}{after}"


def placed(code: str, at: int, decorator: Callable[[str], str]) -> tuple[int, Callable[[str], str]]:
    """Return where an edit begins that decorates the test at an offset, and the text it puts there.

    The edit reaches to the test. Where `example` is not imported yet, it begins at the imports.
    """
    module = Module(code)
    margin = code[code.rfind("\n", 0, at) + 1 : at]
    start, before = at, ""
    if not any("example" in imported(each) for each in statements(module.tree)):
        start, line = import_place(module, "from hypothesis import example\n")
        before = line + code[start:at]
    return start, lambda text: f"{before}{decorator(text)}\n{margin}"


def _bytes(value: object) -> bytes:
    assert isinstance(value, bytes)
    return value


def examples(module: Module, name: str, output: str) -> Iterator[Example]:
    """Yield the texts in the last falsifying example of a test that Hypothesis has printed.

    Where it has none, its arguments are the input. An explicit example stands in the code. Nothing
    is yielded of a test that chooses its phases itself, where others than the candidate would be
    tried.
    """
    tests = (test for each, test, _ in TestOutline(module).tests if each == name)
    test = next(tests, None)
    pattern = _FALSIFYING.format(name=re.escape(name.rpartition("::")[2]))
    # Several failures are a group of exceptions, with a bar before each line.
    printed = list(re.finditer(pattern, _BARS.sub("", output), re.DOTALL))
    if not printed or test is None or "phases" in test.get_code():
        return
    arguments = _arguments(printed[-1]["arguments"])
    texts = [name for name, each in arguments.items() if isinstance(each, str | bytes) and each]
    data: list[str | None] = [None] if arguments else []
    for argument in texts or data:
        yield Example(module, test, arguments, argument)


def _arguments(printed: str) -> dict[str, object]:
    """Return the arguments as Hypothesis prints them, one a line; none if not all are literals."""
    code = re.sub(r"(?m)^(?:E +)?(?: *self=.*$)?", "", printed)
    try:
        call = ast.parse(f"f({code})", mode="eval").body
        assert isinstance(call, ast.Call)
        return {each.arg: ast.literal_eval(each.value) for each in call.keywords if each.arg}
    except (SyntaxError, ValueError):
        return {}
