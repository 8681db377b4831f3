"""Regression tests are valid, stand beside the literal, and fail while the bug is there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from boildown.runner.command import from_argv
from boildown.targets.regression import as_file, beside_literal

TEXTS = ["x<", '"<\n']


def inserted(code: str) -> str:
    """Return the code with tests for the texts beside the literal at the mark `|`."""
    at = code.index("|")
    code = code.replace("|", "", 1)
    for offset, text in sorted(beside_literal(code, at, TEXTS), reverse=True):
        code = code[:offset] + text + code[offset:]
    compile(code, "test", "exec")
    return code


def test_a_test_is_copied_with_the_literal_as_an_argument() -> None:
    assert inserted("def test_it():\n    assert '<' not in |'a<'\n\nOTHER = 1\n") == (
        "import pytest\n"
        "def test_it():\n    assert '<' not in 'a<'\n"
        "\n\n"
        '@pytest.mark.parametrize("text", [\n    "x<",\n    "\\"<\\n",\n])\n'
        "def test_it_alike(text):\n    assert '<' not in text\n"
        "\nOTHER = 1\n"
    )


def test_a_method_keeps_its_decorators_and_fixtures() -> None:
    code = (
        '"""Doc."""\nimport pytest\nclass TestA:\n'
        "    @mark\n    async def test_it(self, data):\n        f(|b'a<')\n"
    )
    assert inserted(code) == (
        '"""Doc."""\nimport pytest\nclass TestA:\n'
        "    @mark\n    async def test_it(self, data):\n        f(b'a<')\n"
        "\n"
        '    @pytest.mark.parametrize("text", [\n        b"x<",\n        b"\\"<\\n",\n    ])\n'
        "    @mark\n    async def test_it_alike(self, text, data):\n        f(text)\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "@pytest.mark.parametrize('n, x', [(1, 'b'), (2, |'a<'), (3, 'c')])",
            "@pytest.mark.parametrize('n, x', [(1, 'b'), (2, 'a<'), (2, 'x<'), (2, '\"<\\n'),"
            " (3, 'c')])",
        ),
        (
            "@pytest.mark.parametrize('x', [\n    |r'a<',\n])",
            "@pytest.mark.parametrize('x', [\n    r'a<',\n    r'x<',\n    '\"<\\n',\n])",
        ),
    ],
)
def test_a_case_is_followed_by_further_cases(before: str, after: str) -> None:
    rest = "\ndef test_it(*_): pass\n"
    assert inserted("import pytest\n" + before + rest) == "import pytest\n" + after + rest


def test_the_import_goes_below_the_docstring_and_the_future() -> None:
    code = "'''Doc.'''\nfrom __future__ import annotations\nimport os\ndef test_it(): '|'.x\n"
    assert inserted(code).startswith(
        "'''Doc.'''\nfrom __future__ import annotations\n\nimport pytest\nimport os\n"
    )


@pytest.mark.parametrize("code", ["X = |'a'\ndef test_it(): X", "def f(): |'a'.x", "x|"])
def test_elsewhere_nothing_is_written(code: str) -> None:
    assert beside_literal(code.replace("|", ""), code.index("|"), TEXTS) == []


@pytest.mark.parametrize("interesting", [False, True])
def test_a_test_file_runs_the_program(tmp_path: Path, interesting: bool) -> None:
    crash = tmp_path / "crash.txt"
    argv = [sys.executable, "-c", "import sys; sys.exit('<' in open(sys.argv[1]).read())", "{file}"]
    command = from_argv(argv, crash, tmp_path, interesting=interesting)
    code = as_file(["a<", "b"], command, tmp_path, 'a """ pattern')
    assert code.startswith('"""Inputs that made a program fail alike: a \\"\\"\\" pattern."""\n')
    space: dict[str, object] = {"__file__": str(tmp_path / "test_it.py")}
    exec(compile(code, "test_it", "exec"), space)
    test = space["test_input"]
    assert callable(test)
    passing, failing = ("a<", "b") if interesting else ("b", "a<")
    test(passing, tmp_path)
    with pytest.raises(AssertionError):
        test(failing, tmp_path)
