"""The parts of Python files that a run is likely not to need, and what is left without them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence

import pytest

from boildown.engine.candidates import Splice, spliced
from boildown.folder_text import packed, unpacked
from boildown.languages.idle_parts import idle_parts


def left(text: str, splices: Sequence[Splice]) -> dict[str, str]:
    return unpacked(spliced(text, splices, ""))


def alone(content: str, executed: set[int], which: int) -> str:
    text = packed([("a.py", content)])
    return left(text, idle_parts(text, {"a.py": frozenset(executed)})[which])["a.py"]


@pytest.mark.parametrize(
    ("text", "executed", "wanted"),
    [
        ("def f():\n    return g()\n", {1, 2}, "def f():\n    return g()\n"),
        ("def f():\n    return g()\n", {1}, "def f():\n    pass\n"),
        (
            "é = 1; a = 2\ndef f(): return 'ü', 1\ndef g():\n    return 'ü'\n",
            {1, 2, 3},
            "é = 1; a = 2\ndef f(): return 'ü', 1\ndef g():\n    pass\n",
        ),
        ("@d\ndef f():\n    return 1\n", {1, 2}, "@d\ndef f():\n    pass\n"),
        # What stands first in a body goes with its decorators.
        (
            "def f():\n    @d\n    class A:\n        x = 1\n    return A\n",
            {1},
            "def f():\n    pass\n",
        ),
        (
            "class A:\n    def f(self):\n        def g():\n            return 1\n"
            "        return g\n",
            {1, 2, 3, 5},
            "class A:\n    def f(self):\n        def g():\n            pass\n        return g\n",
        ),
        ("async def f():\n    await g(1)\n", {1}, "async def f():\n    pass\n"),
        ("def f():\n    pass\n", {1}, "def f():\n    pass\n"),
        ("def f(:\n    return 1\n", {1}, "def f(:\n    return 1\n"),
    ],
)
def test_functions_that_were_not_entered_are_emptied(
    text: str, executed: set[int], wanted: str
) -> None:
    assert alone(text, executed, 1) == wanted


@pytest.mark.parametrize(
    ("body", "executed", "wanted"),
    [
        ("a = 1\nif a > 2:\n    do_b()\nreturn c\n", {0, 1, 3}, "a = 1\nreturn c\n"),
        ("if a:\n    do_b()\nelse:\n    do_c()\n", {0, 1}, "if a:\n    do_b()\n"),
        ("if a:\n    do_b()\nelse:\n    do_c()\n", {0, 3}, "if a:\n    pass\nelse:\n    do_c()\n"),
        (
            "if a:\n    do_b()\nelif c:\n    do_d()\nelse:\n    do_e()\n",
            {0, 1},
            "if a:\n    do_b()\n",
        ),
        (
            "if a:\n    do_b()\nelif c:\n    do_d()\nelse:\n    do_e()\n",
            {0, 2, 3},
            "if a:\n    pass\nelif c:\n    do_d()\n",
        ),
        (
            "try:\n    a()\nexcept B:\n    do_c()\nfinally:\n    do_d()\n",
            {0, 1, 4, 5},
            "try:\n    a()\nexcept B:\n    pass\nfinally:\n    do_d()\n",
        ),
        ("for a in b:\n    do_c()\nelse:\n    do_d()\n", {0, 1}, "for a in b:\n    do_c()\n"),
        # An assignment over several lines was executed if any of them was.
        ("a = (\n    1,\n    b)\nraise a\n", {2, 3}, "a = (\n    1,\n    b)\nraise a\n"),
        # Without these the function would be another one.
        (
            "global a\nif b:\n    yield c\nreturn d\n",
            {1, 3},
            "global a\nif b:\n    yield c\nreturn d\n",
        ),
        ('"""Does it."""\nreturn 1\n', {1}, "return 1\n"),
        ('"""Does it."""\nreturn 1\n', {0}, "pass\n"),
    ],
)
def test_what_a_function_did_not_execute_goes(body: str, executed: set[int], wanted: str) -> None:
    def function(lines: str) -> str:
        return "def f():\n" + "".join(f"    {line}\n" for line in lines.splitlines())

    found = alone(function(body), {1, *(line + 2 for line in executed)}, 0)
    # What is left of a statement may keep its white space.
    assert ast.dump(ast.parse(found)) == ast.dump(ast.parse(function(wanted)))


FILES = {
    "lib/__init__.py": '"""A."""\nfrom .first import one, unused\nfrom .other import more\n',
    "lib/first.py": inspect.cleandoc(
        """
        import os
        from . import second, third
        from .second import two as renamed, three

        LIMIT = 3
        OTHER = 4


        def one(value):
            if value > LIMIT:
                raise ValueError(value)
            return renamed(second.Item(value))


        def unused():
            return three(OTHER, os, third)
        """
    ),
    "lib/second.py": inspect.cleandoc(
        """
        class Item:
            kind = "item"

            def __init__(self, value):
                self.value = value

            def doubled(self):
                return 2 * self.value


        class Bare:
            pass


        def two(item):
            return item.value / 0


        def three():
            return Bare
        """
    ),
    "lib/third.py": "x = 1\n",
    "lib/other.py": "def more():\n    pass\n",
    "run.py": 'import lib\n\nif __name__ == "__main__":\n    lib.one(2)\n',
}


def everything(content: str) -> frozenset[int]:
    return frozenset(range(1, content.count("\n") + 2))


def test_what_nothing_names_any_more_goes_with_its_imports_and_modules() -> None:
    text = packed(FILES.items())
    executed = {path: everything(content) for path, content in FILES.items()}
    executed["lib/first.py"] -= {11, 16}
    executed["lib/second.py"] -= {8, 20}
    executed["lib/other.py"] -= {2}
    assert left(text, idle_parts(text, executed)[0]) == {
        "lib/__init__.py": "from .first import one\n",
        "lib/first.py": (
            "from . import second\nfrom .second import two as renamed\n\n\n\n"
            "def one(value):\n    return renamed(second.Item(value))\n\n\n"
        ),
        "lib/second.py": (
            'class Item:\n    kind = "item"\n\n    def __init__(self, value):\n'
            "        self.value = value\n\n\n\n\n\ndef two(item):\n    return item.value / 0\n\n\n"
        ),
        "run.py": FILES["run.py"],
    }


def test_of_a_file_that_was_not_executed_nothing_is_said() -> None:
    text = packed(FILES.items())
    assert idle_parts(text, {}) == ([], [])


def test_a_name_counts_in_its_own_module_and_where_it_is_imported_from_it() -> None:
    files = {
        "lib/__init__.py": "from .one import run\nfrom .two import other\n",
        "lib/one.py": "run = 1\nother = 2\n",
        "lib/two.py": "run = 3\nother = 4\n",
        "main.py": "from lib.one import run\nprint(run)\n",
    }
    text = packed(files.items())
    executed = {path: everything(content) for path, content in files.items()}
    assert left(text, idle_parts(text, executed)[0]) == {
        "lib/__init__.py": "",
        "lib/one.py": "run = 1\n",
        "main.py": files["main.py"],
    }
    # What is taken with a star may be any name.
    del files["lib/one.py"]
    files["lib/__init__.py"] = "from .two import *\n"
    files["main.py"] = "from lib import run\nprint(run)\n"
    text = packed(files.items())
    assert left(text, idle_parts(text, executed)[0]) == {
        "lib/__init__.py": files["lib/__init__.py"],
        "lib/two.py": "run = 3\n",
        "main.py": files["main.py"],
    }
