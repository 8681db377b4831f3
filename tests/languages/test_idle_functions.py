"""The functions that a run did not enter, and what is left where their bodies go."""

from __future__ import annotations

import pytest

from boildown.languages.idle_functions import idle_bodies


def emptied(text: str, entered: set[int]) -> str:
    for start, end, new in reversed(idle_bodies(text, entered)):
        text = text[:start] + new + text[end:]
    return text


@pytest.mark.parametrize(
    ("text", "entered", "left"),
    [
        ("def f():\n    return g()\n", {1}, "def f():\n    return g()\n"),
        ("def f():\n    return g()\n", {2}, "def f():\n    pass\n"),
        (
            "é = 1; a = 2\ndef f(): return 'ü', 1\nx = 1\n",
            {1},
            "é = 1; a = 2\ndef f(): pass\nx = 1\n",
        ),
        # A decorator's line is the first of a function, as its code object has it.
        ("@d\ndef f():\n    return 1\n", {1}, "@d\ndef f():\n    return 1\n"),
        ("@d\ndef f():\n    return 1\n", {2}, "@d\ndef f():\n    pass\n"),
        # What stands first in a body goes with its decorators.
        (
            "def f():\n    @d\n    class A:\n        x = 1\n    return A\n",
            set(),
            "def f():\n    pass\n",
        ),
        (
            "class A:\n    def f(self):\n        def g(): return 1\n        return g\n",
            {2},
            "class A:\n    def f(self):\n        def g(): pass\n        return g\n",
        ),
        ("async def f():\n    await g(1)\n", set(), "async def f():\n    pass\n"),
        ("def f():\n    pass\n", set(), "def f():\n    pass\n"),
        ("def f(:\n    return 1\n", set(), "def f(:\n    return 1\n"),
    ],
)
def test_bodies_that_were_not_entered_are_emptied(text: str, entered: set[int], left: str) -> None:
    assert emptied(text, entered) == left
