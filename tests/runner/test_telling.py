"""Failures of programs without a known format: what their lines tell, and what tells nothing."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from boildown.jobs import validity
from boildown.jobs.advice import for_terminal
from boildown.jobs.reduce import Reduced, reduce
from boildown.jobs.words import stated
from boildown.jobs.work import JobOptions
from boildown.languages.registry import load_language
from boildown.runner.advice import code_of
from boildown.runner.command import from_argv
from boildown.runner.judging.doubts import checking_script
from boildown.runner.judging.failures import Failure
from boildown.runner.judging.signature import find_failure
from boildown.runner.judging.telling import name_of_line, named_lines, telling_line
from boildown.runner.preflight.preflight import Preflight, preflight
from boildown.runner.rules import parse_rule
from boildown.runner.run import Run
from boildown.runner.runner import Runner
from runner.commands import shell

LINES = [
    ("error: cannot format a.py: INTERNAL ERROR: two", "internal", "INTERNAL ERROR: two"),
    ("INTERNAL ERROR: two passes differ", "INTERNAL ERROR", "two passes differ"),
    ("in.txt:1:2: error: cannot lower this", "error", "cannot lower this"),
    ("/tmp/ab/in.txt:1: fatal error: gone", "fatal error", "gone"),
    ("Error: something is wrong", "Error", "something is wrong"),
    ("tool: fatal: no such state", "fatal", "no such state"),
    ("tool: tool.c:17: panic: no such state", "panic", "no such state"),
    ("[ERROR] something is wrong", "error", "something is wrong"),
    ("\x1b[1;31merror\x1b[0m: something", "error", "something"),
    ("2026-01-01 10:00:00,123 ERROR in the core", "error", "ERROR in the core"),
    ("error[E0308]: mismatched types", "error", "mismatched types"),
    ("thread 'main' panicked at src/x.rs:3:5:", "panicked", "thread 'main' panicked"),
    ("Aborted (core dumped)", "aborted", "Aborted (core dumped)"),
    ("parse failed in the second pass", "failed", "parse failed in the second pass"),
]


@pytest.mark.parametrize(("line", "error", "message"), LINES)
def test_a_line_tells_behind_any_prefix(line: str, error: str, message: str) -> None:
    found = telling_line(f"reading\n{line}\n2 errors found\n", "candidate")
    assert found is not None
    assert found.error.endswith(error)
    assert message in found.message


@pytest.mark.parametrize(
    "line",
    [
        "0 errors, 0 failed",
        "1 error generated.",
        "no errors found",
        "warning: this may be an error",
        "in.txt:3: note: a failed match",
        "make: *** [Makefile:3: all] Error 1",
        "  3 | throw new Error('x')",
        "compiling src/error.c and errors/",
        "a line of the input that failed",
    ],
)
def test_a_line_that_tells_nothing(line: str) -> None:
    assert telling_line(line, "one\na line of the input that failed\n") is None


def test_the_strongest_line_tells() -> None:
    output = "failed to open cache\nerror: one\nfatal: two\npanic: three\npanic: four\n"
    found = telling_line(output, "")
    assert found is not None
    assert (found.error, found.message) == ("panic", "three")


def test_of_equally_strong_lines_the_first_one_tells_unless_others_print_it_too() -> None:
    output = "reading\nfatal: state 12 of a/b\nerror: one\nfatal: two\n"
    assert named_lines(output, "") == {"fatal state of", "error one", "fatal two"}
    names = ["fatal state of", "fatal two", "error one"]
    told = [telling_line(output, "", untelling) for untelling in (names[:1], names[:2], names)]
    assert told == [
        *(Failure("fatal", message="two"), Failure("error", message="one"), None),
    ]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("No such State", "no such state"),
        ("it's at line 12 of a/b.c", "it s at line of"),
        ("step-one failed_twice (really)", "step one failed twice really"),
        ("12", ""),
    ],
)
def test_a_line_is_named_by_its_words(line: str, name: str) -> None:
    assert name_of_line(line) == name


def test_a_type_before_a_colon_tells_if_it_has_the_telling_word() -> None:
    for line, failure in (
        ("ParseError: no state", Failure("ParseError", message="no state")),
        ("ParseError[X1]: no state", Failure("ParseError", message="no state")),
        ("after this: an error", Failure("error", message="after this: an error")),
        ("ERROR in the state", Failure("error", message="ERROR in the state")),
        ("a: b.c: [x] error: no state", Failure("error", message="no state")),
    ):
        assert telling_line(line, "") == failure


MAGIC = "grep -q magic $0 && {{ echo '{}' >&2; exit 123; }}; "
OTHER = "[ -s $0 ] && { echo 'error: cannot format in.txt: Cannot parse: 1:2' >&2; exit 123; }; "


def reduced(tmp_path: Path, code: str, text: str = "hello world\nmagic word\n") -> Reduced:
    return reduce(text, shell(code, tmp_path), JobOptions("plain", fresh=True))


@pytest.mark.parametrize(
    "said",
    [
        "error: cannot format in.txt: INTERNAL ERROR: two passes differ",
        "INTERNAL ERROR: two passes differ",
        "error: internal compiler error: in fold, at tree.c:17",
        "in.txt:1:2: error: cannot lower this node",
        "Error: something is wrong",
        "fatal: no such state",
    ],
)
def test_one_status_for_everything_does_not_slip(tmp_path: Path, said: str) -> None:
    done = reduced(tmp_path, f"{MAGIC.format(said)}{OTHER}exit 0")
    assert done.text == "magic"
    assert done.doubts == ()


def first_look(tmp_path: Path, code: str, text: str = "a magic b") -> Preflight:
    with Runner(shell(code, tmp_path)) as runner:
        return preflight(runner, text)


def test_what_a_passing_run_prints_tells_nothing(tmp_path: Path) -> None:
    start = first_look(tmp_path, "echo 'fatal: colour is off'; " + MAGIC.format("error: bad state"))
    assert start.expected.signature == "exit 123: error: bad state"


def test_what_another_failing_run_prints_tells_nothing(tmp_path: Path) -> None:
    """The empty input fails with the same end and the same last word of a wrapper."""
    code = "grep -q magic $0 && echo 'error: bad state'; echo 'fatal: step one ended'; exit 123"
    assert first_look(tmp_path, code).expected.signature == "exit 123: error: bad state"


def test_words_that_a_program_makes_by_chance_are_not_compared(tmp_path: Path) -> None:
    name = "n=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ' | tr 0-9 k-t); "
    start = first_look(tmp_path, f"{name}grep -q magic $0 && echo fatal: bad state $n && exit 123")
    assert start.expected.signature == "exit 123: fatal: bad state"
    assert start.expected.rate is None


def test_where_only_the_end_can_be_compared_it_is_said_before(tmp_path: Path) -> None:
    start = first_look(tmp_path, "grep -q magic $0 && { echo oh dear; exit 3; }")
    told = [for_terminal(note) for note in start.notes if code_of(note) == "end-alone"]
    assert told == [
        "Only the end of a run is compared (exit 3), for the output names no failure. If other"
        " failures end so, too, say what yours prints with --reproduces stderr=REGEX."
    ]


def test_a_result_that_prints_other_words_is_doubted(tmp_path: Path) -> None:
    code = "grep -q 'magic w' $0 && { echo the tree is upside down; exit 3; }; "
    done = reduced(tmp_path, f"{code}[ -s $0 ] && {{ echo nothing goes here; exit 3; }}; exit 0")
    assert [code_of(doubt) for doubt in done.doubts] == ["other-words"]
    same = reduced(tmp_path, f"{code}exit 0")
    assert (same.text, same.doubts) == ("magic w", ())


def test_a_script_that_judges_outputs_without_a_word_is_doubted(tmp_path: Path) -> None:
    (tmp_path / "check.sh").write_text("#!/bin/sh\nrev crash.txt > out\n! grep -q cigam out\n")
    command = from_argv(["sh", "check.sh"], Path("crash.txt"), tmp_path)
    (tmp_path / "crash.txt").write_text("hello magic")
    done = reduce("hello magic", command, JobOptions("plain", fresh=True))
    assert [code_of(doubt) for doubt in done.doubts] == ["check"]
    assert for_terminal(done.doubts[0]).startswith(
        "Doubt: only the exit status of check.sh is compared, with which other wrong outputs may"
    )


def test_a_death_without_words_is_doubted(tmp_path: Path) -> None:
    done = reduced(tmp_path, "grep -q magic $0 && kill -SEGV $$; exit 0")
    assert [code_of(doubt) for doubt in done.doubts] == ["mute-signal"]


def test_a_rule_is_shown_with_the_line_that_tells(tmp_path: Path) -> None:
    code = f"{MAGIC.format('fatal: no such state')}exit 0"
    command = shell(code, tmp_path, reproduces=parse_rule("stderr=no such"))
    done = reduce("hello magic", command, JobOptions("plain", fresh=True))
    assert done.failures == ("exit 123: fatal: no such state",) * 2


REJECTS = """
import json, sys
text = open(sys.argv[1]).read()
try:
    json.loads(text.replace("é", ""))
    sys.exit("error: invalid JSON here" if "é" in text else 0)
except ValueError:
    sys.exit("error: invalid JSON here")
"""
"""Rejects what is no JSON, and by a defect what has an é, too."""


def rejected(tmp_path: Path, **options: bool) -> Reduced:
    (tmp_path / "tool.py").write_text(REJECTS)
    argv = [sys.executable, "-S", "tool.py", "crash.json"]
    command = from_argv(argv, Path("crash.json"), tmp_path, **options)
    return reduce('{"a": [1, "é"], "b": null}', command, JobOptions("json", fresh=True))


def test_a_valid_input_that_is_rejected_stays_valid(tmp_path: Path) -> None:
    done = rejected(tmp_path)
    assert (done.text, done.doubts) == ('"é"', ())
    assert [for_terminal(note) for note in done.notes if code_of(note) == "keeps-valid"] == [
        "The failure is a rejection, and the input is valid JSON by another reader, so only valid"
        " inputs are tried. To try all, say --no-keep-valid."
    ]
    assert done.reduction.certificate is not None
    assert done.reduction.certificate.only == "inputs that are valid"
    assert stated(done.reduction.certificate) == (
        "1-character-minimal; only inputs that are valid were tried"
    )


def test_a_result_that_is_rejected_rightly_is_doubted(tmp_path: Path) -> None:
    done = rejected(tmp_path, keep_valid=False)
    assert done.text == ""
    assert [code_of(doubt) for doubt in done.doubts] == ["rejected"]
    assert for_terminal(done.doubts[0]) == (
        "Doubt: the result is no valid JSON by another reader, and may fail rightly. Name a version"
        " that takes the input, such as --good pip:NAME==VERSION, or say --keep-valid."
    )


def test_a_crash_on_what_cannot_be_read_is_doubted_where_that_is_not_valid(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(
        "import json, sys\ntext = open(sys.argv[1]).read()\n"
        "try: tree = [json.loads(text)] if text.isascii() else []\n"
        "except ValueError: tree = []\ntree[0]\n"
    )
    command = from_argv([sys.executable, "-S", "tool.py", "in.json"], Path("in.json"), tmp_path)
    text = '{"a": "é", "b": [1, 2]}'
    done = reduce(text, command, JobOptions("json", fresh=True))
    assert [code_of(doubt) for doubt in done.doubts] == ["no-longer-valid"]
    assert for_terminal(done.doubts[0]) == (
        "Doubt: the result is no valid JSON by another reader, as the input is, and may fail for"
        " that. To try only valid inputs, say --keep-valid."
    )
    kept = reduce(text, replace(command, keep_valid=True), JobOptions("json", fresh=True))
    assert (kept.text, kept.doubts) == ('"é"', ())


def test_a_result_can_be_kept_valid(tmp_path: Path) -> None:
    done = rejected(tmp_path, keep_valid=True)
    assert (done.text, done.doubts) == ('"é"', ())


@pytest.mark.parametrize("said", ["Only the exit status is compared", "The failure is an asser"])
def test_wrong_output_is_not_had_from_nonsense(tmp_path: Path, said: str) -> None:
    """What a check finds in what a tool prints, it finds in a piece of that, too."""
    (tmp_path / "tool.py").write_text("import sys\nprint(open(sys.argv[1]).read())\n")
    (tmp_path / "check.py").write_text(
        "import subprocess, sys\n"
        "printed = subprocess.run([sys.executable, '-S', 'tool.py', *sys.argv[1:]],"
        " capture_output=True, text=True).stdout\n"
        + (
            "sys.exit(') -' in printed)"
            if said.startswith("Only")
            else "assert ') -' not in printed"
        )
    )
    command = from_argv([sys.executable, "-S", "check.py", "a.css"], Path("a.css"), tmp_path)
    sheet = "p { margin: 0 }\na { width: calc((1em) - 2px); color: red }\n"
    done = reduce(sheet, command, JobOptions("css", fresh=True))
    assert load_language("css").valid(done.text)
    assert ") -" in done.text
    assert len(done.text) < 30
    assert [True for note in done.notes if for_terminal(note).startswith(said)]
    loose = replace(command, keep_valid=False)
    done = reduce(sheet, loose, JobOptions("css", fresh=True))
    assert done.text == ") -"
    assert "rejected" in [code_of(doubt) for doubt in done.doubts]


def test_the_smallest_that_is_not_empty_can_be_asked_for(tmp_path: Path) -> None:
    """Fails without content, and where a character comes twice."""
    code = "[ $(tr -d ' ' < $0 | wc -c) -eq 1 ] && exit 0; grep -q 'ab c' $0 && exit 0; exit 3"
    whole = reduce("x ab y", shell(code, tmp_path), JobOptions("plain", fresh=True))
    assert whole.text == ""
    asked = shell(code, tmp_path, allow_empty=False)
    filled = reduce("x ab y", asked, JobOptions("plain", fresh=True))
    assert len(filled.text) == 2
    assert filled.reduction.certificate is not None
    assert filled.reduction.certificate.only == "inputs that are not empty"


@pytest.mark.parametrize(
    ("printed", "is_rejection"),
    [
        ("a.py:3: error: unexpected token", True),
        ("SyntaxError: bad input", True),
        ("ParsingError: it ends here", True),
        ("error: INTERNAL ERROR: the output is invalid", False),
        ("TypeError: f() got an unexpected keyword argument", False),
        ("error: the disk is gone", False),
        ("oh dear", False),
    ],
)
def test_the_words_of_a_rejection(printed: str, is_rejection: bool) -> None:
    run = Run(status=1, signal=None, stdout="", stderr=printed, seconds=0.1, timed_out=False)
    assert validity.is_rejection(run) is is_rejection


def test_a_shells_word_on_a_signal_is_none_of_the_program(tmp_path: Path) -> None:
    code = "grep -q magic $0 && sh -c 'kill -SEGV $$'; s=$?; [ $s -gt 128 ] && exit $s; exit 0"
    done = reduced(tmp_path, code)
    assert [code_of(doubt) for doubt in done.doubts] == ["mute-signal"]
    assert for_terminal(done.doubts[0]).startswith(
        "Doubt: the result dies by SIGSEGV without a word"
    )


def test_an_input_that_prints_its_own_words_is_doubted_where_they_go(tmp_path: Path) -> None:
    """As of an interpreter, which prints nothing by itself."""
    done = reduced(tmp_path, "grep -q magic $0 && { cat $0; exit 3; }; [ -s $0 ] && exit 3; exit 0")
    assert [code_of(doubt) for doubt in done.doubts] == ["other-words"]


def test_the_stack_behind_a_loggers_level_tells_where_it_failed() -> None:
    """As Prettier prints it: the words alone are those of many a failure."""
    printed = (
        "[error] theme.less: TypeError: Cannot read properties of undefined (reading 'end')\n"
        "[error]     at locEnd (/opt/prettier/index.js:33381:26)\n"
        "\x1b[31m[error]\x1b[0m     at print (/opt/prettier/index.js:3068:46)\n"
    )
    run = Run(status=2, signal=None, stdout="", stderr=printed, seconds=0.1, timed_out=False)
    failure = find_failure(run, "theme.less")
    assert failure is not None
    assert (failure.error, failure.place) == ("TypeError", "prettier/index.js: locEnd")


def checked(folder: Path, script: str, *argv: str) -> Reduced:
    """Reduce by a script that asserts that nothing is upper case behind a blank."""
    (folder / "check.py").write_text(script)
    site = folder / "site"
    about = site / "formatter-0.2.4.dist-info"
    about.mkdir(parents=True)
    (site / "formatter.py").write_text("def tidy(text): return text.replace('- b', '- B')")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: formatter\nVersion: 0.2.4\n")
    (about / "RECORD").write_text("formatter.py,,\n")
    (folder / "in.txt").touch()
    command = from_argv(
        [sys.executable, *(argv or ("check.py",)), "in.txt"],
        folder / "in.txt",
        folder,
        environment={"PYTHONPATH": str(site)},
    )
    return reduce("a - b c", command, JobOptions("plain", fresh=True))


ASSERTS = "import re, sys\nimport formatter\n{0}\nassert not re.search('[- ].[B-Z]', out)\n"
TOOL = "out = formatter.tidy(open(sys.argv[1]).read())"


@pytest.mark.parametrize("inline", [False, True])
def test_an_assertion_on_what_a_program_gives_is_doubted(tmp_path: Path, inline: bool) -> None:
    script = ASSERTS.format(TOOL)
    done = checked(tmp_path, script, *(("-c", script) if inline else ()))
    assert done.text == "- b"
    assert [code_of(doubt) for doubt in done.doubts] == ["assertion"]
    assert for_terminal(done.doubts[0]) == (
        f"Doubt: an assertion of {'the command' if inline else 'check.py'} failed, which other"
        " wrong outputs of the program fail as well. Name a version that gets it right, such as"
        ' --good "pip:formatter<0.2.4".'
    )


@pytest.mark.parametrize(
    ("call", "is_check"),
    [
        ("parser.parse(open(sys.argv[1]).read())", False),
        ("parser.assert_equal(out, 1)", True),
        ("self.assertEqual(out, 1)", True),
    ],
)
def test_an_assertion_of_a_package_is_none_of_the_script_that_calls_it(
    tmp_path: Path, call: str, is_check: bool
) -> None:
    (tmp_path / "check.py").write_text(f"import sys\nimport parser\n{call}\n")
    command = from_argv([sys.executable, "check.py", "in.txt"], Path("in.txt"), tmp_path)
    told = (
        "Traceback (most recent call last):\n"
        f'  File "{tmp_path}/check.py", line 3, in <module>\n    {call}\n'
        f'  File "{tmp_path}/v/lib/python3.11/site-packages/parser/read.py", line 7, in f\n'
        "    assert isinstance(found, str)\nAssertionError\n"
    )
    run = Run(status=1, signal=None, stdout="", stderr=told, seconds=0.1, timed_out=False)
    assert (checking_script(command, run) is not None) is is_check


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("if '- B' in out:\n    print('error: it changed')\n    sys.exit(1)", "assertion"),
        ("sys.exit('error: it changed' if '- B' in out else 0)", "assertion"),
        ("if '- B' in out:\n    raise SystemExit(2)", "check"),
    ],
)
def test_a_script_that_ends_by_itself_asserts(tmp_path: Path, end: str, code: str) -> None:
    done = checked(tmp_path, f"import sys\nimport formatter\n{TOOL}\n{end}\n")
    assert done.text == "- b"
    assert [code_of(doubt) for doubt in done.doubts] == [code]


@pytest.mark.parametrize(
    ("script", "is_check"),
    [
        (
            '#!/bin/sh\nfmt "$1" > out\ngrep -q x out && { echo "error: x"; exit 3; }\nexit 0\n',
            True,
        ),
        ('#!/bin/sh\nif tool --in=$1 | grep x; then echo "error: x"; exit 3; fi\n', True),
        ('#!/bin/sh\ngrep -q x "$1" && { echo "error: in.txt: x"; exit 3; }\n', False),
        ('#!/bin/sh\ntool "$1"\n', False),
        ("import tool, sys\nif tool.f() == 1:\n    sys.exit('error: x')\n", True),
        (
            "import tool, sys\nif __name__ == '__main__':\n    sys.exit(tool.main())  # error: x\n",
            False,
        ),
        ("import sys\nif f() == 1:\n    sys.exit('error: x')\n", False),
    ],
)
def test_a_script_is_a_check_if_it_judges_what_others_make_of_its_input(
    tmp_path: Path, script: str, is_check: bool
) -> None:
    (tmp_path / "check").write_text(script)
    command = from_argv(["./check", "in.txt"], Path("in.txt"), tmp_path)
    run = Run(status=3, signal=None, stdout="error: x\n", stderr="", seconds=0.1, timed_out=False)
    assert (checking_script(command, run) is not None) is is_check


@pytest.mark.parametrize(
    "script",
    [
        "import re, sys\nout = open(sys.argv[1]).read()\nassert '- b' not in out",
        "import sys\nif '- b' in open(sys.argv[1]).read(): sys.exit('error: - b')",
        ASSERTS.format(TOOL).replace(", out)", ", out), re.findall('- .', out)"),
    ],
    ids=["the program's own", "the program's own status", "with the same value"],
)
def test_an_assertion_that_tells_by_itself_is_not_doubted(tmp_path: Path, script: str) -> None:
    assert checked(tmp_path, script).doubts == ()


def test_a_signal_without_a_word_is_doubted_also_where_the_result_brings_warnings(
    tmp_path: Path,
) -> None:
    """As of a C program that a compiler warns of, the shorter it is."""
    code = (
        "grep -q magic $0 || exit 0; grep -q calm $0 || echo 'warning: no type' >&2; kill -SEGV $$"
    )
    done = reduced(tmp_path, code, text="calm magic")
    assert [code_of(doubt) for doubt in done.doubts] == ["mute-signal"]
