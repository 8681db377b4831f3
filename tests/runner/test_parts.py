"""The parts of a signature, as programs get them."""

from __future__ import annotations

import pytest

from boildown.runner.judging.parts import SignatureParts, others_in_json, parts_of


@pytest.mark.parametrize(
    ("signature", "parts"),
    [
        (
            "exit 1: ZeroDivisionError in tool/eval.py: evaluate: `return a / b`: division by zero",
            SignatureParts(
                "exit 1", "ZeroDivisionError", "tool/eval.py", "evaluate", "return a / b"
            ),
        ),
        (
            "exit 1: TypeError in json/decoder.py: read, from tool/main.py: check: `f()`: in b: c",
            SignatureParts("exit 1", "TypeError", "tool/main.py", "check", "f()"),
        ),
        (
            "exit 1: app.ConfigError from KeyError in tool.py: main: cannot read",
            SignatureParts("exit 1", "app.ConfigError from KeyError", "tool.py", "main"),
        ),
        (
            "exit 1: AssertionError in crash.in::test_b[x]: assert ==",
            SignatureParts("exit 1", "AssertionError", "crash.in", "test_b[x]"),
        ),
        (
            "exit 1: java.lang.Error in org.x.Reader.read: line 12: bad",
            SignatureParts("exit 1", "java.lang.Error", None, "org.x.Reader.read", "line 12"),
        ),
        (
            "exit 2: panic: runtime error: index out of range in tool/pick.go: main.pick: line 12",
            SignatureParts(
                "exit 2",
                "panic: runtime error: index out of range",
                "tool/pick.go",
                "main.pick",
                "line 12",
            ),
        ),
        (
            "SIGABRT: panic in src/wrap.rs:172: index out of bounds",
            SignatureParts("SIGABRT", "panic", "src/wrap.rs"),
        ),
        (
            "exit 1: AddressSanitizer: heap-buffer-overflow in sig/a.c: main: line 5",
            SignatureParts(
                "exit 1", "AddressSanitizer: heap-buffer-overflow", "sig/a.c", "main", "line 5"
            ),
        ),
        (
            "SIGABRT: assertion x in y in a.c: int f(int)",
            SignatureParts("SIGABRT", "assertion x in y", "a.c", "int f(int)"),
        ),
        (
            "exit 4: internal compiler error: Segmentation fault in gcc/fold.cc: fold_loc",
            SignatureParts(
                "exit 4", "internal compiler error: Segmentation fault", "gcc/fold.cc", "fold_loc"
            ),
        ),
        (
            "SIGSEGV: compiler crash in clang::Sema::ActOnFoo",
            SignatureParts("SIGSEGV", "compiler crash", None, "clang::Sema::ActOnFoo"),
        ),
        ("exit 1: SyntaxError: invalid syntax", SignatureParts("exit 1", "SyntaxError")),
        ("exit 1: ValueError: a instead of b", SignatureParts("exit 1", "ValueError")),
        ("SIGSEGV", SignatureParts("SIGSEGV")),
        ("memory limit", SignatureParts("memory limit")),
        ("exit 3 instead of exit 0", SignatureParts("difference")),
        ("exit 0, with other output", SignatureParts("difference")),
    ],
)
def test_parts(signature: str, parts: SignatureParts) -> None:
    assert parts_of(signature) == parts


def test_other_failures_are_objects() -> None:
    assert others_in_json({"exit 1: KeyError": "x"}) == [
        {
            "signature": {
                "kind": "exit 1",
                "type": "KeyError",
                "file": None,
                "function": None,
                "line_text": None,
            },
            "label": "exit 1: KeyError",
            "text": "x",
        }
    ]
