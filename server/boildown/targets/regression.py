"""Regression tests of inputs that fail alike: they need no Boildown, and fail until it is mended.

Inputs of a literal go next to the test that has the literal: as further cases of its
`parametrize`, or as a copy of the test that takes them one by one. Inputs of a program go into a
test file of their own, which runs the program as the test command does.
"""

from __future__ import annotations

import os
import pprint
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boildown.runner.command import TestCommand
from boildown.targets.literals import Literal, Module, Style, node_at, read, write
from boildown.targets.reach import case_element, enclosing_test

Insertion = tuple[int, str]
"""An offset in the code, and what is put there."""


def beside_literal(code: str, offset: int, texts: Sequence[str]) -> list[Insertion]:
    """Return what to insert into Python code to test further values of the literal at an offset.

    Nothing is returned where the literal stands in no test, as in a constant.
    """
    module = Module(code)
    node = node_at(module, offset, offset)
    if node is None:
        return []
    literal = read(module, node)
    element = case_element(node)
    if element is not None:
        return [_further_cases(module, element, literal, texts)]
    test = enclosing_test(module, node)
    if test is None:
        return []
    copy = _copy(module, test, literal, texts)
    return [copy] if re.search(r"^import pytest\b", code, re.M) else [_import(module), copy]


def _further_cases(
    module: Module, element: Any, literal: Literal, texts: Sequence[str]
) -> Insertion:
    """Return the copies of one case of a test, with other values."""
    start, end = module.span(element)
    line_start = module.text.rfind("\n", 0, start) + 1
    indent = module.text[line_start:start]
    between = ",\n" + indent if not indent.strip() else ", "
    before, after = module.text[start : literal.start], module.text[literal.end : end]
    copies = [between + before + literal.written(text) + after for text in texts]
    return end, "".join(copies)


def _copy(module: Module, test: Any, literal: Literal, texts: Sequence[str]) -> Insertion:
    """Return a copy of a test that takes the value of the literal as an argument."""
    start, end = module.span(test)
    line_start = module.text.rfind("\n", 0, start) + 1
    indent = module.text[line_start:start]
    code = module.text[start : literal.start] + "text" + module.text[literal.end : end]
    code = _SIGNATURE.sub(_with_parameter, code, count=1)
    style = Style("b" if literal.style.is_bytes else "", '"')
    values = "".join(f"{indent}    {write(text, style)},\n" for text in texts)
    decorator = f'@pytest.mark.parametrize("text", [\n{values}{indent}])\n{indent}'
    gap = "\n" if indent else "\n\n"
    return end, f"{gap}{indent}{decorator}{code.rstrip()}\n"


_SIGNATURE = re.compile(r"^(\s*(?:async\s+)?def\s+\w+)\(\s*(self\b)?\s*,?\s*(\))?", re.MULTILINE)


def _with_parameter(signature: re.Match[str]) -> str:
    """Return the beginning of a function with another name and one more parameter."""
    parameters = "self, text" if signature[2] else "text"
    return f"{signature[1]}_alike({parameters}{')' if signature[3] else ', '}"


def _import(module: Module) -> Insertion:
    """Return where `import pytest` goes: after the docstring and the imports from the future."""
    at = 0
    for statement in module.tree.children:
        code = statement.get_code(include_prefix=False)
        is_docstring = re.match(r"[A-Za-z]{0,2}[\"']", code)
        if not (is_docstring or code.startswith("from __future__")):
            break
        at = module.offset(statement.end_pos)
    return at, "import pytest\n" if at == 0 else "\nimport pytest\n"


_FILE = '''"""Inputs that made a program fail alike: {title}."""

import subprocess
from pathlib import Path

import pytest

COMMAND = {command}
"""What runs the program; {{file}} stands for the input."""

FOLDER = Path(__file__).parent / {folder!r}

INPUTS = {inputs}


@pytest.mark.parametrize("text", INPUTS)
def test_input(text, tmp_path):
    file = tmp_path / {name!r}
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    command = [part.replace("{{file}}", str(file)) for part in COMMAND]
    done = subprocess.run(
        command, cwd={cwd}, stdin=file.open("rb"), capture_output=True, timeout={timeout:g}
    )
    assert done.returncode {good}, done.stderr.decode(errors="replace")
'''


def as_file(
    texts: Sequence[str], command: TestCommand, folder: Path, title: str, timeout: float = 60
) -> str:
    """Return a test file for a folder that runs a test command on each input."""
    argv = [part.replace("{original}", str(command.original)) for part in command.argv]
    title = ascii(title)[1:-1].replace('"', '\\"')
    return _FILE.format(
        title=textwrap.shorten(title, 200),
        command=pprint.pformat(argv, width=96),
        folder=os.path.relpath(command.cwd, folder),
        inputs=pprint.pformat([command.content(text) for text in texts], width=96),
        name=command.name,
        cwd="FOLDER" if command.names_file else "tmp_path",
        timeout=command.timeout or timeout,
        good="!= 0" if command.interesting else "== 0",
    )
