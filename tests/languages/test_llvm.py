"""Modules of LLVM IR: what is left is made valid where parts are gone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boildown.engine.oracle import Outcome, from_test
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.reduce import reduce
from boildown.languages import detect, load_language
from boildown.languages.llvm import mended

EXAMPLES = Path(__file__).parents[2] / "grammars/llvm/examples"
FUNCTION = """
define i32 @half(i32 %0, i32* %1) #0 {
  %3 = load i32, i32* %1
  %4 = sdiv i32 %3, 2
  %5 = icmp eq i32 %4, %0
  br i1 %5, label %6, label %8

6:                                ; preds = %2
  %7 = add i32 %4, 1
  br label %8

8:
  ret i32 %4
}

attributes #0 = { nounwind }
"""


def without(*gone: str) -> str:
    """Return the function without some lines, which are mended then."""
    lines = FUNCTION.split("\n")
    for each in gone:
        lines.remove(each)
    return mended("\n".join(lines))


def test_a_module_in_which_nothing_is_missing_stays_as_it_is() -> None:
    assert mended(FUNCTION) == FUNCTION
    for path in EXAMPLES.iterdir():
        text = path.read_text("utf-8")
        assert mended(text) == text
        assert load_language("llvm").parse(text).valid


def test_the_numbers_of_values_close_up_and_undef_stands_for_one_that_is_gone() -> None:
    new = without("  %4 = sdiv i32 %3, 2")
    assert "%4 = icmp eq i32 undef, %0" in new
    assert "br i1 %4, label %5, label %7" in new
    assert "5:   " in new
    assert "%6 = add i32 undef, 1" in new
    assert "ret i32 undef" in new


def test_a_function_or_variable_that_is_gone_is_undef_where_it_is_used() -> None:
    module = "@g = global i8 0\ndefine void @1() {\n  call void @2(i8* @g)\n  ret void\n}\n"
    assert "call void undef(i8* @g)" in mended(module)
    other = "define void @2(i8*%0) {\n  ret void\n}\n"
    named = "@g = global i8 0\ndefine void @0() {\n  call void @1(i8* @g)\n  ret void\n}\n"
    assert mended(module + other) == named + other.replace("@2", "@1")
    assert "@1(i8* undef)" in mended((named + other.replace("@2", "@1")).partition("\n")[2])


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        ("  br i1 %5, label %6, label %8", "%5 = icmp eq i32 %4, %0\n\n unreachable 6:  "),
        ("  ret i32 %4", "8:\n unreachable }"),
        ("8:", "br label %6\n\n  ret i32 %4"),
        ("attributes #0 = { nounwind }", "@half(i32 %0, i32* %1)  {"),
    ],
)
def test_what_refers_to_a_part_that_is_gone_is_mended(gone: str, expected: str) -> None:
    assert expected in without(gone)


def test_what_is_attached_goes_with_its_metadata() -> None:
    text = "define void @f() {\n  ret void, !dbg !7, !x !8\n}\n!8 = !{}\n"
    assert "ret void, !x !8" in mended(text)


def test_texts_in_quotes_and_types_are_no_names() -> None:
    text = '%struct.S = type { i8 }\n@s = constant [4 x i8] c"%d@x"\n; %7 and @f\n'
    assert mended(text) == text
    without_type = "@t = global %struct.S zeroinitializer"
    assert mended(without_type) == without_type


def test_half_a_module_is_no_reason_to_fail() -> None:
    text = next(EXAMPLES.iterdir()).read_text("utf-8")
    for at in range(0, len(text), 7):
        mended(text[at:])
        mended(text[:at])


def _outcome(text: str) -> Outcome:
    """Say if a module without branches divides; INVALID if a strict reader rejects its names."""
    functions = re.findall(r"define[^@]*(@\w+)\s*\(([^)]*)\)\s*\{([^}]*)\}", text)
    known = [name for name, _, _ in functions]
    for _, parameters, body in functions:
        following = parameters.count("%") + 1
        if not body.strip():
            return Outcome.INVALID
        for number, defined in re.findall(r"%(\d+)(\s*=)?", body):
            if (defined and int(number) != following) or (not defined and int(number) >= following):
                return Outcome.INVALID
            following += bool(defined)
        if not set(re.findall(r"@\w+", body)) <= {*known}:
            return Outcome.INVALID
    divides = any(re.search(r"%\d+\s*=\s*sdiv", body) for *_, body in functions)
    return Outcome.REPRODUCED if divides else Outcome.PASSED


def test_coupled_values_and_functions_go_many_at_once() -> None:
    functions = []
    for number in range(30):
        values = [f"  %{at} = add i32 %{at - 2}, %{at - 3}" for at in range(3, 12)]
        values[5] = "  %8 = sdiv i32 %6, %7" if number == 17 else values[5]
        call = f"  call i32 @f{number - 1}(i32 %9, i32 %11)" if number else ""
        lines = "\n".join((*values, call, "  ret i32 %11"))
        functions.append(f"define i32 @f{number}(i32 %0, i32 %1) {{\n{lines}\n}}\n")
    result = reduce("\n".join(functions), from_test(_outcome), load_language("llvm"))
    assert result.finished
    assert len(result.text) <= 60
    assert result.runs <= 400


def test_another_language_in_a_file_of_that_name_is_not_mended() -> None:
    lexer = "%option noyywrap\n%{\nint lines;\n%}\n%%\n\\n   ++lines;\n[a-z] return WORD;\n%%\n"
    tried = []

    def fails(text: str) -> bool:
        tried.append(text)
        return "%{" in text and "%option" in text

    result = reduce(lexer, from_test(fails), detect("scanner.ll", lexer))
    assert sorted(result.text) == sorted("%option%{")
    assert not any("undef noyywrap" in text for text in tried)


def test_a_sweep_tries_parts_as_they_are_and_a_view_does_what_its_problem_does() -> None:
    tried: list[str] = []
    language = load_language("llvm")

    def fails(text: str) -> bool:
        tried.append(text)
        return False

    problem = Problem(language.parse(FUNCTION).tree, from_test(fails), language)
    gone = FUNCTION.replace("  %4 = sdiv i32 %3, 2\n", "")
    for mends, expected in ((True, mended(gone)), (False, gone)):
        problem.start(None, mends=mends)
        for each in (problem, problem.view()):
            assert not each.consider(Candidate(gone, lambda: language.parse(gone).tree))
            assert tried.pop() == expected
