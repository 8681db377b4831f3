"""Regression tests are valid, stand beside the literal, and fail while the bug is there."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from boildown.runner.command import Compare, Isolation, Rule, TestCommand, from_argv
from boildown.targets.asserted import asserted_at, expression
from boildown.targets.inputs import Inputs
from boildown.targets.regression import beside_literal
from boildown.targets.regression_file import as_file
from targets.without_boildown import passed_and_failed

TEXTS = ["x<", '"<\n']
LISTED = Inputs(TEXTS, "<a>")
DRAWN = Inputs(TEXTS, "<a>", [(True, "a"), (False, "<")], {"a": ("texts", "x", '"\n')})


def inserted(code: str, inputs: Inputs = LISTED) -> str:
    """Return the code with tests for the texts beside the literal at the mark `|`."""
    at = code.index("|")
    code = code.replace("|", "", 1)
    for offset, text in sorted(beside_literal(code, at, inputs), reverse=True):
        code = code[:offset] + text + code[offset:]
    compile(code, "test", "exec")
    return code


def test_a_test_is_copied_with_the_literal_as_an_argument() -> None:
    assert inserted("def test_it():\n    assert '<' not in |'a<'\n\nOTHER = 1\n") == (
        "import pytest\n\n\n"
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


def test_a_constant_list_of_cases_gets_further_cases() -> None:
    code = "import pytest\nXS = [\n    '<',\n    |'a<',\n]\n"
    rest = "@pytest.mark.parametrize('x', XS)\ndef test_it(x): pass\n"
    assert inserted(code + rest) == (
        "import pytest\nXS = [\n    '<',\n    'a<',\n    'x<',\n    '\"<\\n',\n]\n" + rest
    )


def test_names_that_are_taken_are_not_used_again() -> None:
    code = inserted("import pytest\ndef test_it(text):\n    assert text not in |'a<'\n")
    assert "def test_it_alike(text_2, text):\n    assert text not in text_2\n" in code
    again = inserted(code.replace("'a<'", "|'a<'"))
    assert "def test_it_alike_2(text_3, text):" in again


def test_line_ends_stay_alike() -> None:
    code = inserted("import pytest\r\ndef test_it():\r\n    assert '<' not in |'a<'\r\n")
    assert "\n" not in code.replace("\r\n", "")


# What is written must run: each failing input fails, also by Hypothesis, and the rest passes.
BESIDE = {
    "function": "def test_it():\n    assert '<' not in |'a<'\n",
    "bytes": "def test_it():\n    assert b'<' not in |b'a<'\n",
    "async": (
        "import asyncio, pytest\n\n@pytest.fixture\ndef none(): return ''\n\n"
        "def test_it(none):\n    async def run(): return |'a<'\n"
        "    assert '<' not in none + asyncio.run(run())\n"
    ),
    "method": "class TestA:\n    def test_it(self):\n        assert '<' not in |'a<'\n",
    "unittest": (
        "import unittest\nclass A(unittest.TestCase):\n    def test_it(self):\n"
        "        self.assertNotIn('<', |r'a<')\n"
    ),
    "constant": (
        "import pytest\n\n@pytest.fixture\ndef none(): return ''\n\nX = (|'a<' + '').strip('x')\n\n"
        "def test_it(none):\n    assert '<' not in none + X\n"
    ),
    "case": (
        "import pytest\n\n@pytest.mark.parametrize('n, x', [(1, |'a<')])\n"
        "def test_it(n, x):\n    assert '<' not in x\n"
    ),
}


def written(folder: Path, codes: Mapping[str, str]) -> list[Path]:
    """Write test files; return their paths."""
    paths = []
    for name, code in codes.items():
        paths.append(folder / f"test_{name.replace(' ', '_')}.py")
        paths[-1].write_text(code)
    return paths


@pytest.mark.slow
@pytest.mark.e2e
def test_what_is_written_beside_a_literal_runs_and_fails(tmp_path: Path) -> None:
    codes = {name: inserted(code) for name, code in BESIDE.items()}
    assert passed_and_failed(*written(tmp_path, codes)) == (0, 3 * len(BESIDE))


@pytest.mark.slow
@pytest.mark.e2e
def test_what_hypothesis_draws_fails_too_until_the_bug_is_mended(tmp_path: Path) -> None:
    names = ("function", "bytes", "async", "method", "constant")
    codes = {name: inserted(BESIDE[name], DRAWN) for name in names}
    assert passed_and_failed(*written(tmp_path, codes)) == (0, 2 * len(names))
    fixed = {name: code.replace("assert", "assert True or") for name, code in codes.items()}
    assert passed_and_failed(*written(tmp_path, fixed)) == (2 * len(names), 0)


@pytest.mark.parametrize(
    "code", ["@pytest.fixture\ndef x(): return |'a'\ndef test_it(x): x", "def f(): |'a'.x", "x|"]
)
def test_elsewhere_nothing_is_written(code: str) -> None:
    assert beside_literal(code.replace("|", ""), code.index("|"), LISTED) == []


FAILS = "import sys; sys.exit('<' in sys.stdin.read())"


BARE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""Has pytest leave out Boildown's plugin, which cannot be imported where the tests run."""


def commands(folder: Path) -> dict[str, TestCommand]:
    """Return test commands of all sorts that fail for texts with `<`."""
    crash, python = folder / "crash.txt", sys.executable
    crash.write_text("a<")
    reads = "import sys; text = open(sys.argv[1]).read(); "
    (folder / "tool.py").write_text(reads + "sys.exit('<' in text)")
    (folder / "test_b.py").write_text("def test_b(): assert '<' not in open('crash.txt').read()\n")

    def made(*argv: str, **options: object) -> TestCommand:
        return from_argv([python, *argv], crash, folder, **options)

    beside = reads + "sys.exit('<' in open('crash.txt').read())"
    hangs = reads + "import time; time.sleep(60 * ('<' in text))"
    says = reads + "print('boom' if '<' in text else 'fine')"
    return {
        "file": made("tool.py", "{file}"),
        "standard input": made("-c", FAILS),
        "interesting": made("-c", reads + "sys.exit('<' not in text)", "{file}", interesting=True),
        "status": made("tool.py", "{file}", reproduces=Rule(exit=frozenset({1, 3}))),
        "output": made("-c", says, "{file}", reproduces=Rule(stdout=re.compile("^bo+m"))),
        "hang": made("-c", hangs, "{file}", reproduces=Rule(timeout=True), timeout=2.0),
        "slow": made(
            *("-c", reads + "import time; time.sleep(9 * ('<' in text))", "{file}"),
            reproduces=Rule(seconds=0.5),
        ),
        "hungry": made(
            *("-c", reads + "x = bytearray(200_000_000 * ('<' in text))", "{file}"),
            reproduces=Rule(memory=150),
        ),
        "differs": made(
            *("-c", reads + "print(text.replace('<', ''))", "{file}"),
            compare=Compare.OUTPUT,
            good=[python, "-c", reads + "print(text)", "{file}"],
        ),
        "environment": made(
            "-c",
            "import os; " + reads + "sys.exit(os.environ['S'] in text)",
            "{file}",
            environment={"S": "<"},
        ),
        "pytest": made("-m", "pytest", "-q", "test_b.py::test_b", environment=BARE),
        "copy": made("-c", beside, "{file}", isolate=Isolation("copy")),
    }


@pytest.mark.slow
@pytest.mark.e2e
@pytest.mark.parametrize("inputs", [LISTED, DRAWN], ids=["pytest", "hypothesis"])
def test_a_test_file_runs_the_program(tmp_path: Path, inputs: Inputs) -> None:
    below = tmp_path / "tests"
    below.mkdir()
    codes = {name: as_file(inputs, command, below) for name, command in commands(tmp_path).items()}
    each = 1 if inputs.parts else 2
    paths = written(below, codes)
    assert passed_and_failed(*paths) == (0, each * len(codes))
    for private in ("boildown", sys.executable, str(tmp_path)):
        assert not any(private in code for code in codes.values())
    (tmp_path / "tool.py").write_text("")
    assert passed_and_failed(below / "test_file.py") == (each, 0)


def test_a_title_may_hold_anything(tmp_path: Path) -> None:
    for title in ('a """ pattern', 'ends with "', "\\", "\n\ud800😀'"):
        inputs = Inputs(["x"], title, [(True, "a")], {"a": ("texts", title)})
        command = commands(tmp_path)["file"]
        compile(as_file(inputs, command, tmp_path), "test_it", "exec")
        compile(inputs.strategy("inputs", is_bytes=True), "test_it", "exec")


GONE = 'not (done.returncode == 1 and b"{}" in done.stderr + done.stdout)'


@pytest.mark.parametrize(
    ("failure", "good"),
    [
        ("", "done.returncode == 0"),
        ("exit 3", "done.returncode != 3"),
        ("SIGSEGV", "done.returncode != -11"),
        ("signal 11", "done.returncode != -11"),
        ("exit 1: AssertionError in tool.py: f: `assert x`", GONE.format("AssertionError")),
        ("timeout", "done.returncode == 0"),
        (
            "exit 1: KeyError in tool/checks.py: check: `rule['id']`: 'id'",
            GONE.format("KeyError"),
        ),
        ("exit 1: ÜberlaufError in tool.py: f: `f()`", "done.returncode != 1"),
        ("exit 101: panic in src/main.rs: `x.unwrap()`", "done.returncode != 101"),
    ],
)
def test_what_is_asserted_is_that_the_failure_is_gone(
    tmp_path: Path, failure: str, good: str
) -> None:
    inputs = Inputs(["<"], "<", failure=failure)
    code = as_file(inputs, commands(tmp_path)["file"], tmp_path)
    assert f"    assert {good}, done.stderr" in code


@pytest.mark.e2e
def test_a_clear_refusal_in_place_of_a_crash_passes(tmp_path: Path) -> None:
    tool = tmp_path / "tool.py"
    tool.write_text("import sys\nint(open(sys.argv[1]).read())\n")
    command = from_argv([sys.executable, "tool.py", "{file}"], tmp_path / "a.txt", tmp_path)
    inputs = Inputs(["a", "b"], "a", failure="exit 1: ValueError in tool.py: <module>: `int()`")
    file = written(tmp_path, {"it": as_file(inputs, command, tmp_path)})[0]
    assert passed_and_failed(file) == (0, 2)
    tool.write_text("import sys\nprint('no number')\nsys.exit(1)\n")
    assert passed_and_failed(file) == (2, 0)


@pytest.mark.e2e
def test_a_mirror_of_the_project_links_what_it_does_not_replace(tmp_path: Path) -> None:
    data = tmp_path / "tests" / "data"
    data.mkdir(parents=True)
    (data / "a.txt").write_text("original")
    (data / "b.txt").write_text("beside")
    (tmp_path / "tool.py").write_text(
        "import os\n"
        "assert os.path.islink('tests/data/b.txt') and not os.path.islink('tests/data')\n"
        "assert open('tests/data/b.txt').read() == 'beside'\n"
        "assert open('tests/data/a.txt').read() != 'x'\n"
    )
    argv = [sys.executable, "tool.py"]
    original = data / "a.txt"
    command = from_argv(argv, original, tmp_path, isolate=Isolation("copy"), workspace=tmp_path)
    inputs = Inputs(["x", "y"], "x", failure="exit 1: AssertionError in tool.py")
    code = as_file(inputs, command, tmp_path)
    assert "copy" not in code
    assert passed_and_failed(written(tmp_path, {"it": code})[0]) == (1, 1)
    assert original.read_text() == "original"


DIVISION = "exit 1: ZeroDivisionError in tool.py: total: `return 1 / n`: division by zero"
WRONG = "exit 1: AssertionError in test_it.py: test_it: `assert found == 3`: assert 4 == 3"


@pytest.mark.parametrize(
    ("body", "alike"),
    [
        ("assert total(|'a<') == 3, 'why'", "total(text)"),
        (
            "found = total(|'a<')\n    # It is three.\n    assert found == 3\n    assert found.ok",
            "found = total(text)\n    assert found.ok",
        ),
        ("assert 3 == total(|'a<') and 1", "assert 3 == total(text) and 1"),
        ("assert total(|'a<') == other()", "assert total(text) == other()"),
        ("assert total(|'a<') < 3", "assert total(text) < 3"),
        ("found = total(|'a<'); assert found == 3", "found = total(text); assert found == 3"),
        ("assert call() == ['x', |'a<']", "assert call() == ['x', text]"),
        ("assert call() == 3, |'a<'", "assert call() == 3, text"),
    ],
)
def test_where_an_exception_failed_no_value_of_other_inputs_is_asserted(
    body: str, alike: str
) -> None:
    code = f"import pytest\ndef test_it():\n    {body}\n"
    inputs = Inputs(["<"], "<", failure=DIVISION)
    assert inserted(code, inputs) == (
        code.replace("|", "") + '\n\n@pytest.mark.parametrize("text", [\n    "<",\n])\n'
        f"def test_it_alike(text):\n    {alike}\n"
    )


@pytest.mark.parametrize(
    ("body", "now", "alike"),
    [
        ("assert total(|'a<') == 3, 'why'", "3", "assert total('<') == 0, 'why'"),
        ("assert [\n  3] == total(|'a<')", "[\n  3]", "assert 0 == total('<')"),
        (
            "n = 2\n    found = total(|'a<')\n    assert n == 2\n    assert found == 3",
            "3",
            "n = 2\n    found = total('<')\n    assert n == 2\n    assert found == 0",
        ),
    ],
)
def test_the_expected_value_stands_in_place_of_the_wrong_one(
    body: str, now: str, alike: str
) -> None:
    code = f"def test_it():\n    {body}\n"
    inputs = Inputs(["<", "<<"], "<", failure=WRONG, expected="0")
    assert inserted(code, inputs) == (
        code.replace("|", "") + f"\n\ndef test_it_alike():\n    {alike}\n"
    )
    assert asserted_at(code.replace("|", ""), code.index("|"), WRONG) == now


def test_a_method_of_unittest_takes_an_expected_value() -> None:
    code = (
        "class A(unittest.TestCase):\n    def test_it(self):\n"
        "        self.assertEqual(f(|'a'), 3)\n"
    )
    inputs = Inputs(["<"], "<", failure=WRONG, expected="[0]")
    assert inserted(code, inputs) == (
        code.replace("|", "")
        + "\n    def test_it_alike(self):\n        self.assertEqual(f('<'), [0])\n"
    )


@pytest.mark.parametrize(
    "code",
    [
        "def test_it():\n    assert f(|'a')\n",
        "def test_it():\n    assert 3 == f(|'a') == 3\n",
        "def test_it():\n    x = f(|'a')\n    assert x.a == 1\n    assert x.b == 2\n",
        "import pytest\n@pytest.mark.parametrize('x, n', [(|'a', 3)])\n"
        "def test_it(x, n):\n    assert f(x) == 3\n",
        "def f():\n    assert g(|'a') == 3\n",
    ],
)
def test_where_no_single_value_is_compared_none_is_asked_for(code: str) -> None:
    assert asserted_at(code.replace("|", ""), code.index("|"), "") is None


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        (" [1, 'x'] ", "[1, 'x']"),
        ("pytest.approx(0.5)", "pytest.approx(0.5)"),
        ("1, 2", "(1, 2)"),
        ("1 if x else 2", "(1 if x else 2)"),
        ("not x", "(not x)"),
        ("-1  # as ever", "(-1)"),
        ("1 +", None),
        ("x = 1", None),
        ("", None),
    ],
)
def test_an_expected_value_is_an_expression(typed: str, written: str | None) -> None:
    assert expression(typed) == written


BROKEN = "def total(text):\n    return {} + len(text)\n"


@pytest.mark.e2e
@pytest.mark.parametrize("failure", [DIVISION, WRONG])
def test_what_is_written_for_a_failure_fails_until_it_is_mended(
    tmp_path: Path, failure: str
) -> None:
    code = (
        "import pytest\nfrom tool import total\n\n"
        "def test_it():\n    found = total(|'a<')\n    assert found == 2\n"
    )
    expected = "1" if failure == WRONG else ""
    inputs = Inputs(["<"], "<", failure=failure, expected=expected)
    (tmp_path / "tool.py").write_text(BROKEN.format("1 // 0" if failure == DIVISION else "1"))
    file = written(tmp_path, {"it": inserted(code, inputs)})[0]
    assert passed_and_failed(file) == (0, 2)
    (tmp_path / "tool.py").write_text(BROKEN.format("0"))
    assert passed_and_failed(file) == (2, 0)


@pytest.mark.e2e
def test_a_test_file_takes_the_expected_output(tmp_path: Path) -> None:
    tool = tmp_path / "tool.py"
    tool.write_text("import sys\nprint('total: boom', open(sys.argv[1]).read())\n")
    rule = Rule(stdout=re.compile("boom"))
    command = from_argv(
        [sys.executable, "tool.py", "{file}"], tmp_path / "a.txt", tmp_path, reproduces=rule
    )
    code = as_file(Inputs(["a", "b"], "a", expected=' total: "0"\n'), command, tmp_path)
    assert code.endswith(
        "\n\ndef test_output():\n"
        "    done = run(INPUTS[0])\n"
        '    assert done.stdout.decode(errors="replace").strip() == \'total: "0"\'\n'
    )
    file = written(tmp_path, {"it": code})[0]
    assert passed_and_failed(file) == (0, 3)
    tool.write_text("print('no total')\n")
    assert passed_and_failed(file) == (2, 1)
    tool.write_text("import sys\nprint('total: \"0\"' if open(sys.argv[1]).read() == 'a' else 1)\n")
    assert passed_and_failed(file) == (3, 0)


@pytest.mark.e2e
@pytest.mark.parametrize("style", ["auto", "short", "line", "native", "no"])
def test_an_exception_in_a_pytest_is_told_from_another_failure(tmp_path: Path, style: str) -> None:
    (tmp_path / "test_b.py").write_text(
        "from tool import total\ndef test_b():\n    assert total(open('a.txt').read()) == 2\n"
    )
    argv = [sys.executable, "-m", "pytest", f"--tb={style}", "test_b.py::test_b"]
    original = tmp_path / "a.txt"
    original.write_text("a<")
    command = from_argv(
        argv,
        original,
        tmp_path,
        isolate=Isolation("copy"),
        workspace=tmp_path,
        environment=BARE,
    )
    code = as_file(Inputs(["<"], "<", failure=DIVISION), command, tmp_path)
    file = written(tmp_path, {"it": code})[0]
    tool = tmp_path / "tool.py"
    tool.write_text(BROKEN.format("1 // 0"))
    assert passed_and_failed(file) == (0, 1)
    tool.write_text(BROKEN.format("0"))
    assert passed_and_failed(file) == (1, 0)
    tool.write_text("")  # Nothing can be imported, so no test runs.
    assert passed_and_failed(file) == (0, 1)
