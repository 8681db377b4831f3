"""What a run of Python may do without though it has executed it, and what goes with that."""

from __future__ import annotations

from boildown.engine.candidates import spliced
from boildown.folder_text import Call, packed, unpacked
from boildown.languages.dispensable import Dispensable

MAIN = """\
from lib import load, save

def main():
    load()
    save()
    return 1 / 0

main()
"""
LIB = """\
import json

KINDS = {
    "a": json.dumps,
    "b": json.loads,
}

def load():
    return parsed(shared())

def parsed(value):
    return value

def shared():
    return KINDS

def save():
    return shared()
"""
TEXT = packed([("main.py", MAIN), ("lib.py", LIB)])
EXECUTED = {
    path: frozenset(range(1, content.count("\n") + 1))
    for path, content in (("main.py", MAIN), ("lib.py", LIB))
}
CALLS: list[Call] = [
    (None, ("main.py", 3)),
    (("main.py", 3), ("lib.py", 8)),
    (("main.py", 3), ("lib.py", 17)),
    (("lib.py", 8), ("lib.py", 11)),
    (("lib.py", 8), ("lib.py", 14)),
    (("lib.py", 17), ("lib.py", 14)),
]


def without(*gone: int) -> dict[str, str]:
    return unpacked(spliced(TEXT, Dispensable(TEXT, EXECUTED, CALLS).without(gone), ""))


def test_a_display_is_emptied_with_the_imports_that_only_it_needs() -> None:
    start, end = LIB.index("KINDS"), LIB.index("}")
    assert without(0) == {"main.py": MAIN, "lib.py": f"\nKINDS = {{{LIB[end:]}"}
    assert LIB[:start] == "import json\n\n"


def test_with_a_function_all_that_it_dominates_goes() -> None:
    # Three lines of `main` and one of each of the other four are more than those of `load`.
    assert without(1) == {"main.py": "\ndef main():\n    pass\n\nmain()\n"}


def test_what_another_function_calls_too_stays() -> None:
    assert without(2) == {
        "main.py": MAIN,
        "lib.py": LIB.replace("return parsed(shared())", "pass").replace(
            "def parsed(value):\n    return value\n", ""
        ),
    }


def test_two_functions_leave_out_what_only_both_call() -> None:
    assert Dispensable(TEXT, EXECUTED, CALLS).size == 6
    found = [without(2, at)["lib.py"] for at in (3, 4, 5)]
    assert "\ndef load():\n    pass\n\n\ndef save():\n    pass\n" in found


def test_of_what_was_not_executed_or_is_no_python_nothing_is_said() -> None:
    assert Dispensable(TEXT, {}, CALLS).size == 0
    assert Dispensable(packed([("a.py", "def f(:\n")]), {"a.py": frozenset({1})}, ()).size == 0
