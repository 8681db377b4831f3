"""What programs print when they fail, and what is read from it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from pathlib import Path

import pytest

from boildown.folder_text import packed
from boildown.runner.command import Level, TestCommand
from boildown.runner.judging.failures import Failure
from boildown.runner.judging.failures.python import is_equality
from boildown.runner.judging.failures.sanitizers import sanitizer_stack
from boildown.runner.judging.signature import (
    Program,
    failing_output,
    find_failure,
    owner,
    program_of,
    signature,
    unmirrored,
)
from boildown.runner.judging.words import AllWords, Masked, Words, fixed_words
from boildown.runner.run import Run

FILE = "/tmp/boildown-1-ab/7/crash.in"

PYTHON = """\
Traceback (most recent call last):
  File "/home/me/tool/main.py", line 9, in <module>
    run(sys.argv[1])
  File "/home/me/tool/eval.py", line 3, in evaluate
    return left / right
           ~~~~~^~~~~~~
ZeroDivisionError: division by zero
"""

OWN_FRAMES = f"""\
Traceback (most recent call last):
  File "/usr/lib/python3/runpy.py", line 198, in run_path
    exec(code)
  File "{FILE}", line 3, in inner
    1 / 0
  File "<frozen importlib._bootstrap>", line 1, in load
ZeroDivisionError: division by zero
"""

CHAINED = """\
Traceback (most recent call last):
  File "/tool/parse.py", line 3, in parse
    return table[key]
KeyError: 'a'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/tool/main.py", line 5, in main
    parse()
tool.errors.ConfigError: cannot read: line 3
second line of it
"""

DURING = CHAINED.replace(
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
)

RECURSION = """\
Traceback (most recent call last):
  File "/tool/walk.py", line 3, in walk
    walk(node)
  [Previous line repeated 993 more times]
RecursionError: maximum recursion depth exceeded
"""

SYNTAX = f"""\
  File "{FILE}", line 3
    x = = 1
        ^
SyntaxError: invalid syntax
"""

GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "/tool/main.py", line 3, in <module>
  |   File "/tool/main.py", line 2, in f
  | ExceptionGroup: many (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | ValueError: 1
    +---------------- 2 ----------------
    | KeyError: 2
    +------------------------------------
"""

PYTEST_LONG = """\
=================================== FAILURES ===================================
____________________________________ test_a ____________________________________

    def test_a():
>       helper("{")

sub/crash.in:5:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

self = <json.decoder.JSONDecoder object at 0x7fc5b1095ad0>, s = '{', idx = 0

    def raw_decode(self, s, idx=0):
        try:
>           obj, end = self.scan_once(s, idx)
                       ^^^^^^^^^^^^^^^^^^^^^^
E           json.decoder.JSONDecodeError: Expecting property name: line 1 column 2 (char 1)

/usr/lib/python3.11/json/decoder.py:353: JSONDecodeError
____________________________________ test_b ____________________________________

    def test_b():
>       assert 1 + 1 == 3
E       assert (1 + 1) == 3

tests/crash.in:7: AssertionError
=========================== short test summary info ============================
FAILED tests/crash.in::test_a - json.decoder.JSONDecodeError: Expecting prop...
FAILED tests/crash.in::test_b - assert (1 + 1) == 3
2 failed in 1.44s
"""

PYTEST_SHORT = """\
=================================== FAILURES ===================================
____________________________________ test_a ____________________________________
crash.in:5: in test_a
    helper("{")
/usr/lib/python3.11/json/decoder.py:353: in raw_decode
    obj, end = self.scan_once(s, idx)
               ^^^^^^^^^^^^^^^^^^^^^^
E   json.decoder.JSONDecodeError: Expecting property name: line 1 column 2 (char 1)
=========================== short test summary info ============================
FAILED crash.in::test_a - json.decoder.JSONDecodeError: Expecting property n...
1 failed in 1.50s
"""

PYTEST_ASSERTION = """\
=================================== FAILURES ===================================
__________________________________ test_b[x] ___________________________________

    def test_b():
>       assert 1 + 1 == 3
E       assert (1 + 1) == 3

crash.in:7: AssertionError
=========================== short test summary info ============================
FAILED tests/crash.in::test_b[x] - assert (1 + 1) == 3
1 failed in 0.01s
"""

PYTEST_SUMMARY_ONLY = """\
=========================== short test summary info ============================
FAILED tests/test_x.py::test_a - ValueError: no
1 failed in 0.01s
"""

NODE = """\
/tmp/sig/lib.js:1
module.exports = function parse(x){ return x.b.c; };
                                               ^

TypeError: Cannot read properties of undefined (reading 'c')
    at parse (/tmp/sig/lib.js:1:48)
    at Object.<anonymous> (/tmp/sig/x.js:1:30)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)

Node.js v20.20.2
"""

NODE_OWN = f"""\
SyntaxError: Expected property name or '}}' in JSON at position 1
    at JSON.parse (<anonymous>)
    at file://{FILE}:1:6
    at runScriptInThisContext (node:internal/vm:209:10)
    at load (/srv/app/load.mjs:3:1)
"""

JAVA = """\
Exception in thread "main" java.lang.IllegalStateException: bad
\tat M.f(M.java:1)
\tat M.main(M.java:1)
Caused by: java.lang.NullPointerException: Cannot invoke "String.length()"
\tat org.x.Reader.read(M.java:12)
\t... 3 more
"""

GO = """\
panic: runtime error: index out of range [5] with length 3 [recovered]

goroutine 1 [running]:
panic({0x45a0c0?, 0xc00001c0a8?})
\t/usr/lib/go/src/runtime/panic.go:770 +0x132
main.pick({0xc000012345, 0x3, 0x3}, 0x5)
\t/home/me/tool/pick.go:12 +0x1d
main.main()
\t/home/me/tool/main.go:3 +0x1d
exit status 2
"""

GO_OVERFLOW = """\
runtime: goroutine stack exceeds 1000000000-byte limit
fatal error: stack overflow

runtime stack:
runtime.throw({0x1, 0x2})
\t/usr/lib/go/src/runtime/panic.go:1023 +0x5c

goroutine 1 [running]:
main.f(0x1)
\t/home/me/f.go:3 +0x1d
"""

RUST = """\

thread 'main' (29177) panicked at crates/text/src/wrap.rs:172:52:
index out of bounds: the len is 1 but the index is 3
stack backtrace:
"""

RUST_OLD = """\
thread 'main' panicked at 'called `Option::unwrap()` on a `None` value', src/main.rs:12:5
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""

ASAN = """\
=================================================================
==29080==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x55943
WRITE of size 1 at 0x602000000014 thread T0
    #0 0x55943612a4c2 in __interceptor_strlen ../../src/libsanitizer/asan/asan_interceptors.cpp:9
    #1 0x55943612a4c2 in main /tmp/sig/a.c:5:12
    #2 0x7ff7f1245249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58

SUMMARY: AddressSanitizer: heap-buffer-overflow /tmp/sig/a.c:5 in main
==29080==ABORTING
"""

LEAK = """\
==29092==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 77 byte(s) in 1 object(s) allocated from:
    #0 0x7fc4f44b89cf in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc.cpp:69
    #1 0x55e874fa9717 in read_all /tmp/sig/a.c:5

SUMMARY: AddressSanitizer: 77 byte(s) leaked in 1 allocation(s).
"""

UBSAN = """\
a.c:5:188: runtime error: signed integer overflow: 2147483647 + 2 cannot be represented in type
"""

GCC = """\
x.c: In function 'f':
x.c:12:5: internal compiler error: in tree_check_failed, at tree.cc:8765
   12 |     return x;
Please submit a full bug report, with preprocessed source.
"""

GCC_SIGNAL = """\
x.c:12:5: internal compiler error: Segmentation fault
0xb4bd4f crash_signal
\t../../src/gcc/toplev.cc:337
0x64ec50 fold_convert_loc(unsigned int, tree_node*, tree_node*)
\t../../src/gcc/fold-const.cc:2418
"""

CLANG = """\
PLEASE submit a bug report to https://example.org/ and include the crash backtrace.
Stack dump:
0.\tProgram arguments: clang -c crash.in
1.\tcrash.in:3:5: current parser token 'x'
 #0 0x00007f3b llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/lib/libLLVM.so+0xe3)
 #1 0x00007f3b SignalHandler(int) Signals.cpp:0:0
 #2 0x00007f3b (/lib/x86_64-linux-gnu/libc.so.6+0x3c050)
 #3 0x00007f3b clang::Sema::ActOnFoo(clang::Scope*) (/usr/lib/libclang-cpp.so+0x12)
"""

RUSTC = """\
error: internal compiler error: compiler/rustc_middle/src/ty/mod.rs:123:5: no type for node
"""


@pytest.mark.parametrize(
    ("output", "wanted"),
    [
        (
            PYTHON,
            "ZeroDivisionError in tool/eval.py: evaluate: `return left / right`: division by zero",
        ),
        (
            OWN_FRAMES,
            "ZeroDivisionError in python3/runpy.py: run_path: `exec(code)`: division by zero",
        ),
        (
            CHAINED,
            "tool.errors.ConfigError from KeyError in tool/parse.py: parse: `return table[key]`:"
            " cannot read",
        ),
        (DURING, "tool.errors.ConfigError in tool/main.py: main: `parse()`: cannot read"),
        (PYTHON + DURING, "tool.errors.ConfigError in tool/main.py: main: `parse()`: cannot read"),
        (RECURSION, "RecursionError"),
        (
            GROUP,
            "ExceptionGroup (KeyError, ValueError) in tool/main.py: f: many sub exceptions",
        ),
        (
            PYTEST_LONG,
            "json.decoder.JSONDecodeError in json/decoder.py: raw_decode:"
            " `obj, end = self.scan_once(s, idx)`: Expecting property name",
        ),
        (
            PYTEST_SHORT,
            "json.decoder.JSONDecodeError in json/decoder.py: raw_decode:"
            " `obj, end = self.scan_once(s, idx)`: Expecting property name",
        ),
        (PYTEST_ASSERTION, "AssertionError in crash.in::test_b[x]: assert =="),
        (PYTEST_SUMMARY_ONLY, "ValueError in test_x.py::test_a: no"),
        (NODE, "TypeError in sig/lib.js: parse: Cannot read properties of undefined reading"),
        (
            NODE_OWN,
            "SyntaxError in app/load.mjs: load: Expected property name or in JSON at position",
        ),
        (
            JAVA,
            "java.lang.IllegalStateException from java.lang.NullPointerException"
            " in org.x.Reader.read: line 12: bad",
        ),
        (
            GO,
            "panic: runtime error: index out of range in tool/pick.go: main.pick: line 12:"
            " with length",
        ),
        (GO_OVERFLOW, "fatal error: stack overflow"),
        (RUST, "panic in src/wrap.rs:172: index out of bounds the len is but the index is"),
        (RUST_OLD, "panic in src/main.rs:12: called on value"),
        ("\nthread 'main' has overflowed its stack\nfatal runtime error: stack", "stack overflow"),
        (ASAN, "AddressSanitizer: heap-buffer-overflow in sig/a.c: main: line 5"),
        (LEAK, "AddressSanitizer: memory leak in sig/a.c: read_all: line 5"),
        (
            UBSAN,
            "UndefinedBehaviorSanitizer: signed integer overflow in a.c:5:"
            " cannot be represented in type",
        ),
        (
            "a: a.c:4: int f(int): Assertion `x > 3' failed.\nAborted",
            "assertion x > 3 in a.c: int f(int)",
        ),
        (
            "Assertion failed: (x > 0), function check, file a.c, line 4.\n",
            "assertion x > 0 in a.c: check",
        ),
        (
            "terminate called after throwing an instance of 'std::out_of_range'\n  what():  at (9)",
            "std::out_of_range: at",
        ),
        ("free(): double free detected in tcache 2\n", "free(): double free detected in tcache 2"),
        (GCC, "internal compiler error in tree.cc: tree_check_failed: line 8765"),
        (
            GCC_SIGNAL,
            "internal compiler error: Segmentation fault in gcc/fold-const.cc: fold_convert_loc",
        ),
        (CLANG, "compiler crash in clang::Sema::ActOnFoo"),
        (RUSTC, "internal compiler error in ty/mod.rs:123: no type for node"),
    ],
)
def test_failures(output: str, wanted: str) -> None:
    for run in (Run(status=1, stderr=output), Run(status=1, stdout=output)):
        assert signature(run, FILE) == f"exit 1: {wanted}"


@pytest.mark.parametrize(
    ("run", "wanted"),
    [
        (Run(status=0, stderr=PYTHON), ""),
        (Run(status=3, stderr="bad input"), "exit 3"),
        (Run(status=3, stderr="error: bad input"), "exit 3: error: bad input"),
        (Run(status=1, stderr=SYNTAX), "exit 1: SyntaxError: invalid syntax"),
        (Run(status=None, signal=11), "SIGSEGV"),
        (
            Run(status=None, signal=6, stderr=RUST),
            "SIGABRT: panic in src/wrap.rs:172: index out of bounds the len is but the index is",
        ),
        (Run(status=None, timed_out=True, stderr=PYTHON), "timeout"),
        (
            Run(status=1, stderr=PYTHON, stdout=NODE),
            "exit 1: ZeroDivisionError in tool/eval.py: evaluate: `return left / right`:"
            " division by zero",
        ),
        (Run(status=1, stderr="Traceback (most recent call last):\n"), "exit 1"),
        (Run(status=1, stderr="Error: no\nAt line 3\n"), "exit 1: Error: no"),
    ],
)
def test_ends_and_what_is_said_of_them(run: Run, wanted: str) -> None:
    assert signature(run, FILE) == wanted


NODE_TAP = """\
TAP version 13
# Subtest: names
    # Subtest: the total is a number
    not ok 1 - the total is a number
      ---
      duration_ms: 1.261572
      location: '/home/me/shop/test/total.test.js:9:1'
      failureType: 'testCodeFailure'
      error: 'Reduce of empty array with no initial value'
      code: 'ERR_TEST_FAILURE'
      name: 'TypeError'
      stack: |-
        Array.reduce (<anonymous>)
        exports.total (/home/me/shop/lib/total.js:4:50)
        TestContext.<anonymous> (/home/me/shop/test/total.test.js:10:13)
        Test.runInAsyncScope (node:async_hooks:206:9)
      ...
    1..1
not ok 1 - names
  ---
  duration_ms: 15.538288
  type: 'suite'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..1
# fail 1
"""

NODE_EQUAL = """\
TAP version 13
# Subtest: no order is twice there
not ok 1 - no order is twice there
  ---
  duration_ms: 1.029466
  error: |-
    Expected values to be strictly equal:
\x20\x20\x20\x20
    3 !== 4
\x20\x20\x20\x20
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 4
  actual: 3
  operator: 'strictEqual'
  stack: |-
    TestContext.<anonymous> (/home/me/shop/test/total.test.js:15:10)
    async Test.processPendingSubtests (node:internal/test_runner/test:526:7)
  ...
1..1
"""

NODE_FILE = """\
TAP version 13
# <anonymous_script>:1
# {"a":
# SyntaxError: Unexpected end of JSON input
#     at JSON.parse (<anonymous>)
#     at Object.<anonymous> (/home/me/shop/test/x.test.js:7:21)
#     at Module._compile (node:internal/modules/cjs/loader:1521:14)
# Node.js v20.20.2
# Subtest: /home/me/shop/test/x.test.js
not ok 1 - /home/me/shop/test/x.test.js
  ---
  duration_ms: 285.826587
  exitCode: 1
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..1
"""

NODE_SPEC = """\
▶ outer
  ✖ inner (10.761869ms)
✖ outer (11.678187ms)
ℹ tests 1

✖ failing tests:

test at test/nested.test.js:4:3
✖ inner (10.761869ms)
  AssertionError [ERR_ASSERTION]: needs one
      at TestContext.<anonymous> (/home/me/shop/test/nested.test.js:5:12)
      at Test.runInAsyncScope (node:async_hooks:206:9)
      at Array.map (<anonymous>) {
    generatedMessage: false,
    operator: '=='
  }
"""

JEST = """\
FAIL test/total.test.js
  ✕ the total is a number (14 ms)
  ✓ no order is twice there (10 ms)

  ● the total is a number

    TypeError: Reduce of empty array with no initial value
        at Array.reduce (<anonymous>)

      2 |   let sum = 0;
      3 |   for (const order of orders) {
    > 4 |     sum += order.lines.map((line) => line.price).reduce((a, b) => a + b);
        |                                                  ^
      5 |   }
      6 |   return sum;

      at reduce (lib/total.js:4:50)
      at Object.total (test/total.test.js:8:10)

Test Suites: 1 failed, 1 total
"""

JEST_EXPECT = """\
FAIL test/total.test.js
  ● no order is twice there

    expect(received).toBe(expected) // Object.is equality

    Expected: 4
    Received: 3

      11 | test('no order is twice there', () => {
    > 13 |   expect(new Set(names).size).toBe(names.length);
         |                               ^
      14 | });

      at Object.toBe (test/total.test.js:13:31)

Test Suites: 1 failed, 1 total
"""

GO_TEST_PANIC = """\
--- FAIL: TestTotal (0.00s)
panic: runtime error: index out of range [1] with length 1 [recovered]
\tpanic: runtime error: index out of range [1] with length 1

goroutine 18 [running]:
testing.tRunner.func1.2({0x518a00, 0xc0000e4018})
\t/usr/lib/go-1.19/src/testing/testing.go:1396 +0x24e
panic({0x518a00, 0xc0000e4018})
\t/usr/lib/go-1.19/src/runtime/panic.go:884 +0x212
example.test/receipts.Total({0xc0000b0030?, 0xc0000e6000?})
\t/home/me/receipts/total.go:9 +0xd7
example.test/receipts.TestTotal(0xc000096680)
\t/home/me/receipts/total_test.go:13 +0x8e
exit status 2
FAIL\texample.test/receipts\t0.004s
"""

GO_TEST_ERROR = """\
--- FAIL: TestSmall (0.00s)
    --- FAIL: TestSmall/line#03 (0.00s)
        other_test.go:14: the line "delta = 7" is wrong: 9
FAIL
exit status 1
FAIL\texample.test/receipts\t0.003s
"""

CARGO_ERROR = """\
running 1 test
test the_total_is_small ... FAILED

failures:

---- the_total_is_small stdout ----
Error: ParseIntError { kind: InvalidDigit }


failures:
    the_total_is_small

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
"""

LESS = (
    "\x1b[31mRuntimeError: error evaluating function `darken`: color.toHSL is not a function"
    "\x1b[39m"
    f"\x1b[31m in \x1b[39m{FILE}\x1b[90m on line 1, column 11:\x1b[39m\n"
    "1 .a{color:\x1b[7m\x1b[31m\x1b[1md\x1b[22marken(1px,2)}\x1b[39m\x1b[27m\x1b[0m\x1b[0m\n"
)


@pytest.mark.parametrize(
    ("output", "wanted"),
    [
        (NODE_TAP, "TypeError in lib/total.js: exports.total: Reduce of empty array with no"
         " initial value"),
        (NODE_EQUAL, "AssertionError in test/total.test.js: TestContext.<anonymous>:"
         " Expected values to be strictly equal"),
        (NODE_FILE, "SyntaxError in test/x.test.js: Object.<anonymous>: Unexpected end of JSON"
         " input"),
        (NODE_SPEC, "AssertionError in test/nested.test.js: TestContext.<anonymous>: needs one"),
        (JEST, "TypeError in lib/total.js: reduce: Reduce of empty array with no initial value"),
        (JEST_EXPECT, "Error in test/total.test.js: Object.toBe: expect received toBe expected"
         " Object is equality"),
        (GO_TEST_PANIC, "panic: runtime error: index out of range in receipts/total.go:"
         " example.test/receipts.Total: line 9: with length"),
        (GO_TEST_ERROR, "failed in other_test.go: TestSmall: line 14: the line is wrong"),
        (CARGO_ERROR, "returned an error in the_total_is_small: ParseIntError"),
        (LESS, "RuntimeError: error evaluating function color toHSL is not function in on"),
        (
            f'[error] {FILE}: Error: Comment "c" was not printed. Please report this error!\n',
            "Error: Comment was not printed Please report this",
        ),
    ],
)  # fmt: skip
def test_test_runners_and_tools(output: str, wanted: str) -> None:
    assert signature(Run(status=1, stdout=output), FILE) == f"exit 1: {wanted}"


def test_a_line_is_read_where_the_file_of_a_mirror_came_from(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/total.js").write_text("\n\n\n  return list.first.name;\n")
    report = NODE_TAP.replace("/home/me/shop", "/tmp/b/overlay/shop")
    mirrored = "/tmp/b/overlay/shop/test/data/orders.json"
    program = Program(input=str(tmp_path / "test/data/orders.json"))
    seen = signature(Run(status=1, stdout=report), mirrored, program=program)
    assert "exports.total: `return list.first.name;`" in seen


def test_levels() -> None:
    run = Run(status=1, stderr=PYTHON)
    assert [signature(run, FILE, level) for level in Level] == [
        "exit 1",
        "exit 1: ZeroDivisionError",
        "exit 1: ZeroDivisionError in tool/eval.py: evaluate: `return left / right`:"
        " division by zero",
        "exit 1: ZeroDivisionError in tool/eval.py: evaluate: `return left / right`:"
        " division by zero",
    ]


def test_what_differs_from_run_to_run_is_left_out_of_messages() -> None:
    def one(directory: str, line: int, address: str, seconds: str) -> str:
        file = f"{directory}/crash.in"
        error = (
            "Traceback (most recent call last):\n"
            f'  File "/tool/main.py", line {line}, in main\n'
            f"ValueError: {file}:{line}:9: bad <Node at {address}> after {seconds} "
            f"(line {line} column 2 (char 9)) in {directory}/out, 3 != 4, process {line}\n"
        )
        run = Run(status=1, stderr=error, directory=directory, file=file)
        return signature(run, file, Level.MESSAGE)

    first = one("/tmp/boildown-1-ab/7", 3, "0x7f00aa11", "0.31 s")
    assert first == one("/tmp/boildown-2-cd/123", 4, "0x7f00bb22", "12 ms")
    assert first == (
        "exit 1: ValueError in tool/main.py: main: {file}:…: bad <Node at 0x…> after … s "
        "(line …) in {dir}/out, 3 != 4, process …"
    )


def test_the_same_failure_under_another_name_is_not_the_candidates() -> None:
    other = PYTHON.replace("/home/me/tool/eval.py", "/home/me/my-crash.in")
    run = Run(status=1, stderr=other)
    assert signature(run, FILE).startswith("exit 1: ZeroDivisionError in me/my-crash.in: evaluate:")


@pytest.mark.parametrize(
    ("output", "wanted"),
    [
        (PYTEST_ASSERTION, True),
        (PYTEST_ASSERTION.replace(" == ", " < "), False),
        ("Traceback (most recent call last):\nAssertionError: 3 != 4\n", True),
        ("Traceback (most recent call last):\nAssertionError: must be sorted\n", False),
        ("Traceback (most recent call last):\nValueError: 3 != 4\n", False),
    ],
)
def test_assertions_of_equality_are_noticed(output: str, wanted: bool) -> None:
    failure = find_failure(Run(status=1, stderr=output), FILE)
    assert isinstance(failure, Failure)
    assert is_equality(failure) is wanted


def test_an_assertion_without_a_message_is_told_by_its_line() -> None:
    for line, wanted in [("`assert «expected == got»`", True), ("`assert expected < got`", False)]:
        assert is_equality(Failure("AssertionError", "helper.py: check", "", line)) is wanted


def test_a_long_output_with_little_in_it_is_read_in_time() -> None:
    lines = "Error: at something: x\n  at nothing\n" * 2000 + "x.c:1: a: b: c\n" * 3000
    assert signature(Run(status=1, stderr=lines), FILE) == "exit 1: Error: at something"


def test_a_long_report_of_a_test_runner_is_read_in_time() -> None:
    lines = "not ok 1 - a\n  ---\n" * 5000 + "  ● a\n\n" + "    at a\n\n" * 5000
    assert signature(Run(status=1, stdout=lines), FILE) == "exit 1: Error: at"
    lines = "--- FAIL: TestA\n" + f"    {' ' * 90}\n" * 1000
    assert signature(Run(status=1, stdout=lines), FILE) == "exit 1: failed in TestA"


def test_a_message_of_several_lines_is_read_from_tap() -> None:
    tap = NODE_EQUAL.replace("\x20\x20\x20\x20\n", "")
    assert signature(Run(status=1, stdout=tap), FILE, Level.MESSAGE).endswith(
        ": Expected values to be strictly equal:\n3 !== 4"
    )


def test_of_the_lines_that_a_go_test_logged_the_one_that_fails_it_counts(tmp_path: Path) -> None:
    code = "\n" * 11 + '\t\t\tt.Logf("a line")\n\n\t\t\tt.Errorf("the line %q", line)\n'
    (tmp_path / "other_test.go").write_text(code)
    output = GO_TEST_ERROR.replace(
        "        other", "        other_test.go:12: a line\n        other"
    )
    seen = signature(Run(status=1, stdout=output), FILE, program=Program((tmp_path,)))
    assert seen.startswith("exit 1: failed in other_test.go: TestSmall: `t.Errorf(")


def python_report(line: str, carets: str = "", message: str = "ValueError: no") -> str:
    """Return a traceback with one frame of the program, whose line number is of no matter."""
    below = f"    {carets}\n" if carets else ""
    return (
        "Traceback (most recent call last):\n"
        f'  File "/tool/main.py", line 3, in total\n    {line}\n{below}{message}\n'
    )


def seen(output: str, text: str = "", program: Program | None = None) -> str:
    return signature(Run(status=1, stderr=output, text=text), FILE, program=program)


def test_two_lines_of_one_function_are_two_places() -> None:
    unpack = python_report("name, value = line.split()")
    assert (
        seen(unpack)
        == "exit 1: ValueError in tool/main.py: total: `name, value = line.split()`: no"
    )
    assert seen(unpack) != seen(python_report("result += float(value)"))
    assert seen(unpack) == seen(unpack.replace("line 3", "line 4"))


def test_calls_in_one_line_are_told_apart_by_their_range() -> None:
    line = "return int(w) * int(h)"
    left = seen(python_report(line, "       ^^^^^^"))
    right = seen(python_report(line, "                ^^^^^^"))
    assert left == "exit 1: ValueError in tool/main.py: total: `return «int(w)» * int(h)`: no"
    assert right == "exit 1: ValueError in tool/main.py: total: `return int(w) * «int(h)»`: no"


@pytest.mark.parametrize(
    ("one", "text", "other", "other_text", "is_same"),
    [
        ("bad number 17", "", "bad number 4.5e3", "", True),
        ("bad name 'a b'", "", "bad name ''", "", True),
        ("bad key total in row", "total = 1", "bad key x in row", "x", True),
        ("bad key total in row", "total = 1", "bad key total in list", "total", False),
        ("too many values to unpack (expected 2)", "", "not enough values to unpack", "", False),
        ("no such file: /tmp/a/b.txt", "", "no such file: /home/c/d", "", True),
        ("can't parse 'x'", "", "can't parse 'can'", "", True),
        ("bad value [1, [2], x]", "", "bad value [x]", "", True),
        ("unexpected ) here", ")", "unexpected ( here", "(", True),
        ("first line\nsecond", "", "first line\nthird", "", True),
    ],
)
def test_words_of_the_message_count_unless_they_are_the_inputs(
    one: str, text: str, other: str, other_text: str, is_same: bool
) -> None:
    left = seen(python_report("check(row)", message=f"ValueError: {one}"), text)
    right = seen(python_report("check(row)", message=f"ValueError: {other}"), other_text)
    assert (left == right) is is_same


def test_words_of_the_original_are_no_words_of_the_program() -> None:
    program = Program(words=frozenset({"total"}))
    left = python_report("check(row)", message="ValueError: bad key total")
    right = python_report("check(row)", message="ValueError: bad key")
    assert seen(left, "tot", program) == seen(right, "tot", program)


LIBRARY = """\
Traceback (most recent call last):
  File "/home/me/tool/main.py", line 6, in load
    return json.loads(body)
  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
"""


def test_below_a_line_of_the_users_code_a_library_counts_by_its_function() -> None:
    assert seen(LIBRARY) == (
        "exit 1: json.decoder.JSONDecodeError in json/decoder.py: raw_decode,"
        " from tool/main.py: load: `return json.loads(body)`: Expecting value"
    )
    assert seen(LIBRARY) != seen(LIBRARY.replace("body", "head"))
    assert seen(LIBRARY) == seen(LIBRARY.replace("raise JSON", "raise  Other"))


LITERAL = f"""\
Traceback (most recent call last):
  File "{FILE}", line 9, in test_total
    assert total('a = 1') == float("zero")
ValueError: no
"""


def test_the_line_of_a_test_that_holds_the_input_counts_without_it() -> None:
    program = Program(holds_input=True)
    here = seen(LITERAL, "a = 1", program)
    assert here == ("exit 1: ValueError in {file}: test_total: `assert total(…) == float(…)`: no")
    assert here == seen(LITERAL.replace("'a = 1'", "''"), "", program)
    assert here != seen(LITERAL.replace("assert", "check"), "", program)
    assert seen(LITERAL, "a = 1") == "exit 1: ValueError: no"
    # A line that the input holds is the input's.
    assert seen(LITERAL, LITERAL, program) == "exit 1: ValueError"


SOURCES = {
    "lib.js": "module.exports = function parse(x) { return x.b.c + x.d.e; };\n",
    "pick.go": "\n" * 11 + "\treturn list[index]\n",
    "src/org/x/Reader.java": "\n" * 11 + "    return text.length();\n",
    "a.c": "\n" * 4 + "  names[n++] = *text;\n",
    "wrap.rs": "\n" * 171 + "    let digit = each.to_digit(10).unwrap();\n",
}


@pytest.mark.parametrize(
    ("output", "wanted"),
    [
        (
            NODE.replace("/tmp/sig", "ROOT"),
            "parse: `module.exports = function parse(x) { «return x.b.c",
        ),
        (GO.replace("/home/me/tool", "ROOT"), "main.pick: `return list[index]`: with length"),
        (GO.replace("/home/me/tool/", ""), "main.pick: `return list[index]`: with length"),
        (JAVA.replace("M.java", "Reader.java"), "org.x.Reader.read: `return text.length();`: bad"),
        (ASAN.replace("/tmp/sig", "ROOT"), "a.c: main: `names[n++ «] = *text;`"),
        (UBSAN, "overflow in a.c: `names[n++] = *text;`: cannot be represented in type"),
        (
            RUST.replace("crates/text/src", "ROOT"),
            "wrap.rs: `let digit = «each.to_digit(10).unwrap();`",
        ),
    ],
)
def test_lines_are_read_from_source_files(tmp_path: Path, output: str, wanted: str) -> None:
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    program = Program((tmp_path,))
    output = output.replace("ROOT", str(tmp_path)).replace("lib.js:1:48", "lib.js:1:37")
    output = output.replace("wrap.rs:172:52", "wrap.rs:172:17")
    assert wanted in seen(output, program=program)
    unread = seen(output, program=Program((tmp_path,), read=False))
    assert "`" not in unread
    assert unread == seen(output.replace(str(tmp_path), f"/elsewhere/{tmp_path.name}"))


def test_no_file_is_read_but_source_code_of_the_program(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden\n")
    for name in (str(secret), "/dev/zero.c", f"{tmp_path}", "a\0b.c"):
        assert "hidden" not in seen(UBSAN.replace("a.c:5", f"{name}:1"))
    made = tmp_path / "made.c"
    made.write_text("of the candidate\n")
    run = Run(status=1, stderr=UBSAN.replace("a.c:5", f"{made}:1"), directory=str(tmp_path))
    assert "candidate" not in signature(run, FILE)


def test_a_line_of_a_folder_is_the_same_in_another_file_of_it() -> None:
    def told(path: str, function: str) -> str:
        report = (
            "Traceback (most recent call last):\n"
            f'  File "{path}", line 2, in {function}\n    return 1 / by\n'
            "ZeroDivisionError: division by zero\n"
        )
        run = Run(1, stderr=report, text=packed([("run.py", "\nreturn 1 / by\n")]))
        return signature(run, "/tmp/x/project", program=Program(inside="."))

    same = "exit 1: ZeroDivisionError in divide: `return 1 / by`: division zero"
    assert told("/tmp/x/project/lib/lib.py", "divide") == same
    assert told("run.py", "divide") == same
    assert told("run.py", "other") != same
    assert told("/tmp/x/other/lib.py", "divide") == same.replace("divide", "other/lib.py: divide")


@pytest.mark.parametrize("inside", [None, "."])
def test_a_line_outside_of_a_folder_is_read_unless_none_may_be(
    tmp_path: Path, inside: str | None
) -> None:
    (tmp_path / "tool.c").write_text("\n\nsum += each;\n")
    output = f"{tmp_path}/tool.c:3: runtime error: overflow: 1 + 2 cannot be represented\n"
    run = Run(1, stderr=output, text=packed([("a.c", "x")]))
    told = [
        signature(run, "/tmp/x/project", program=Program(inside=inside, read=read))
        for read in (True, False)
    ]
    assert "/tool.c: `sum += each;`: " in told[0]
    assert "/tool.c:3: " in told[1]


def test_a_line_that_a_folder_does_not_have_is_told_by_its_number() -> None:
    output = "/tmp/x/project/{}: runtime error: overflow: 1 + 2 cannot be represented\n"
    text = packed([("tool.c", "one\n")])
    for place, told in (
        ("tool.c:1", " overflow: `one`: "),
        ("tool.c:3", "project/tool.c:3: "),
        ("tool.c:0", "project/tool.c:0: "),
        ("no.c:1", "project/no.c:1: "),
    ):
        run = Run(1, stderr=output.format(place), text=text)
        assert told in signature(run, "/tmp/x/project", program=Program(inside="."))


def test_what_a_logger_puts_before_each_line_is_no_part_of_a_report() -> None:
    for before in ("[ERROR] ", "[fatal] ", "\x1b[1;31m"):
        logged = "".join(f"{before}{line}\n" for line in PYTHON.splitlines())
        assert seen(logged) == seen(PYTHON)


@pytest.mark.parametrize(
    "place", ["src/a.c:2:9", "../project/src/a.c:2:9", "/tmp/x/project/src/a.c:2:9"]
)
def test_an_error_of_a_compiler_counts_where_the_input_is_a_folder(place: str) -> None:
    output = f"In file included from b.h:1:\n{place}: error: 'x' has no member named 'y'\n"
    text = packed([("src/a.c", "int x;\nint y = x.y;\n")])
    run = Run(2, stderr=output, text=text)
    told = signature(run, "/tmp/x/project", program=Program(inside="."))
    assert told == "exit 2: error: `int y = x.y;`: has no member named"
    # In a file, its line is the candidate's.
    assert signature(run, "/tmp/x/a.c") == "exit 2: error: has no member named"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'",
            "unsupported operand type for int and NoneType",
        ),
        ("TypeError: 'list' object is not callable", "list object is not callable"),
        (
            "TypeError: Cannot read properties of null (reading 'x')",
            "properties of null",
        ),
        ("KeyError: 'str'", ""),
        (
            "ValueError: invalid literal for int() with base 10: 'x'",
            "invalid literal for int with",
        ),
    ],
)
def test_the_name_of_a_type_is_no_value(said: str, words: str) -> None:
    run = Run(1, stderr=f"Traceback (most recent call last):\n{said}\n", text="a str null")
    told = signature(run, "crash.json", program=Program(words={"str"}))
    assert told.startswith(f"exit 1: {said.partition(':')[0]}")
    assert words in told
    assert told.endswith(": str") is False


def test_source_that_a_program_has_made_is_not_compared() -> None:
    """A tool that compiles its own output: the line that is quoted comes from the candidate."""
    output = (
        "Traceback (most recent call last):\n"
        '  File "/tool/check.py", line 9, in compiled\n    compile(made, path, "exec")\n'
        '  File "/tmp/made/out.py", line 3\n    x = f(a, b c)\n             ^\n'
        "SyntaxError: invalid syntax\n"
    )
    told = signature(Run(1, stderr=output, text="f(a, b c)"), "crash.py")
    assert told == (
        'exit 1: SyntaxError in tool/check.py: compiled: `compile(made, path, "exec")`: '
        "invalid syntax"
    )


@pytest.mark.parametrize("file", [FILE, FILE.replace("/", "\\")])
def test_the_candidates_file_is_told_by_the_end_of_its_path(file: str) -> None:
    own = (FILE, "crash.in", "7/crash.in", "./crash.in", "../crash.in", "../../7/crash.in")
    other = ("", "rash.in", "8/crash.in", "crash.in.py", "/7/crash.in/a", "tool.py")
    is_own = owner(file)
    assert [path for path in (*own, *other) if is_own(path)] == [*own]
    assert is_own("7\\crash.in")


def test_where_no_file_is_known_no_path_is_its() -> None:
    assert not any(map(owner(""), ("", "a", "/a")))


def test_a_path_in_a_mirror_is_that_of_the_original() -> None:
    mirrored, original = "/tmp/m/shop/data/a.json", "/home/me/shop/data/a.json"
    for path, instead in (
        ("/tmp/m/shop/lib/b.js", "/home/me/shop/lib/b.js"),
        ("/tmp/m/shop/data/a.json", original),
        ("/usr/lib/b.js", "/usr/lib/b.js"),
        ("lib/b.js", "lib/b.js"),
    ):
        assert unmirrored(path, mirrored, original) == instead
        assert unmirrored(path, mirrored, "") == path
    assert unmirrored("/m/lib/b.js", "/m/a.json", "/home/me/a.json") == "/home/me/lib/b.js"


def test_a_program_starts_where_the_command_does_or_near_the_input() -> None:
    root = Path("/home/me")
    command = TestCommand(("tool",), root / "shop", "a.json", original=root / "shop/data/x/a.json")
    program = program_of(command, Masked({"a"}, frozenset(), frozenset({"a line"})), read=False)
    shop = root / "shop"
    assert program.folders == (shop, shop / "data/x", shop / "data")
    assert (program.input, program.inside) == ("/home/me/shop/data/x/a.json", None)
    assert (program.holds_input, program.read, program.code) == (False, False, False)
    assert "a" in program.words
    assert program.untelling == {"a line"}
    part = program_of(replace(command, content=str.upper, code=True), frozenset({"b"}))
    assert (part.holds_input, part.code, part.read, part.untelling) == (True, True, True, set())
    for cwd, inside in (("shop", "."), ("shop/data", "data"), ("", "..")):
        folder = TestCommand(("tool",), root / cwd, "shop", original=root / "shop", folder=True)
        assert program_of(folder).inside == inside
    piped = program_of(TestCommand(("tool",), root, "a.json"))
    assert (piped.folders, piped.input, piped.inside) == ((root,), "", None)


def test_the_output_that_reports_the_failure_is_shown_or_else_both() -> None:
    for stdout, stderr, shown in (
        ("out\n", PYTHON, PYTHON),
        (PYTHON, "warning\n", PYTHON),
        ("out\n", "err\n", "out\nerr"),
        ("out\n", "", "out"),
        ("", "err\n", "err"),
        ("", "", ""),
    ):
        assert failing_output(Run(1, stdout=stdout, stderr=stderr)) == shown


def test_what_a_run_makes_in_its_own_folder_is_no_program() -> None:
    report = python_report("check(row)").replace("/tool/main.py", "/tmp/boildown-1-ab/7/made.py")
    run = Run(1, stderr=report, directory="/tmp/boildown-1-ab/7")
    assert signature(run, FILE) == "exit 1: ValueError: no"
    assert "made.py" in signature(replace(run, directory="/tmp/boildown-1-ab/8"), FILE)


def test_an_end_is_all_there_is_of_a_run_that_timed_out() -> None:
    assert find_failure(Run(1, stderr=PYTHON), FILE) is not None
    assert signature(Run(None, timed_out=True, stderr=PYTHON), FILE) == "timeout"
    assert signature(Run(1, stderr=PYTHON), FILE, Level.EXIT) == "exit 1"


def test_a_failure_is_looked_for_at_the_end_of_a_long_output() -> None:
    long = "a line of an output\n" * 10_500
    assert signature(Run(1, stderr=long + PYTHON), FILE).startswith("exit 1: ZeroDivisionError")
    assert signature(Run(1, stderr=PYTHON + long), FILE) == "exit 1"


def test_the_same_words_are_left_out_of_code_and_of_text() -> None:
    """Where the input is a list in a test, a candidate may take fewer lines than the original."""
    line = "total(*[('a', 1)]) == 7"
    report = LITERAL.replace("""assert total('a = 1') == float("zero")""", line)
    for code, shown in ((True, "total(*…"), (False, "total(*[(…, 1)]) == 7")):
        assert f"`{shown}`" in seen(report, "", Program(holds_input=True, code=code))


def masked(message: str, candidate: str = "", words: Container[str] = frozenset()) -> str:
    return fixed_words(Failure("ValueError"), message, candidate, words)


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("no value for a key", "no value for key"),
        ("two words\nmore of them", "two words"),
        ("\n  behind blanks", "behind blanks"),
        ("cannot read 'it as", "cannot read"),
        ('bad"x"value', "bad value"),
        ("it's there at line … now", "it's there at now"),
        ("path a/b and c\\d and x9", "path and and"),
        ("name of undefined", "name of undefined"),
        ("a list of None here", "list of None here"),
        ("got null, true and nan", "got null and"),
        (
            " ".join(letter * 2 for letter in "abcdefghijklmn"),
            " ".join(letter * 2 for letter in "abcdefghijkl"),
        ),
        ("x " * 249 + "yy zz", "yy"),
        ("assert len(x) == 3 and x is not y", "assert len and is not"),
    ],
)
def test_words_of_a_message_that_are_compared(message: str, left: str) -> None:
    assert masked(message) == left


def test_words_of_the_candidate_the_original_and_the_error_are_not_compared() -> None:
    assert masked("Bad Total in row of values", "the bad one", {"row"}) == "Total in of values"
    assert fixed_words(Failure("tool.ParseError"), "ParseError tool two", "", frozenset()) == "two"
    for message, left in (
        ("assert 3 not in [1] and 4 == 5", "assert not in and =="),
        ("asserted 3 == 4", "asserted"),
    ):
        assert fixed_words(Failure("AssertionError"), message, "", frozenset()) == left


def test_words_of_a_text_are_whole_ones_in_any_case() -> None:
    words = Words("Unknown key_name in row2, key")
    asked = ("unknown", "key", "name", "row", "ow", "nown", "in", "no")
    assert [word for word in asked if word in words] == ["unknown", "key", "name", "row", "in"]
    assert "name" in words
    assert 3 not in words  # type: ignore[comparison-overlap]
    files = packed([("a.txt", "one ab"), ("b.txt", "cd two")])
    assert "abcd" in Words(files)
    assert "abcd" not in Words(f"x{files}")
    assert "abcd" not in Words(packed([("a.txt", "one " * 25_000 + "ab"), ("b.txt", "cd two")]))


def test_where_all_words_vary_none_is_compared() -> None:
    assert "any" in AllWords()
    assert masked("bad value of undefined", "", AllWords()) == "undefined"


def test_masked_words_are_those_of_the_original_and_unsteady_ones() -> None:
    masked = Masked(Words("an original"), frozenset({"unsteady"}))
    assert [word in masked for word in ("original", "unsteady", "other")] == [True, True, False]


def test_the_stack_of_a_sanitizer_has_the_frames_outside_of_it() -> None:
    frames = [(each.function, each.file, each.number) for each in sanitizer_stack(ASAN)]
    assert frames[0] == ("main", "/tmp/sig/a.c", 5)
    assert [each[0] for each in frames] == ["main", "__libc_start_call_main"]
    assert sanitizer_stack(UBSAN) == []
