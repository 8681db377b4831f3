"""Grammars that are made to be slow: they load and parse in bounded time, or are refused."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boildown.grammar.parsing import linear
from boildown.grammar.parsing.components import components
from boildown.grammar.parsing.linear import Simulated, compiled
from boildown.grammar.parsing.regexes import parse
from boildown.languages import LanguageError, load_language
from helpers import example_count

PATIENCE = 300
"""Seconds for what took hours or for ever."""

USE = """
import sys
from random import Random
from boildown.languages import load_language
language = load_language(sys.argv[1])
for text in sys.argv[2:]:
    print(language.parse(text).valid)
print(language.shortest("start"))
language.expansions("start")
language.sample("start", Random(0), 20)
"""


def used(grammar: str, tmp_path: Path, *texts: str) -> list[str]:
    """Load a grammar and use it in a process that can be ended; return what it says."""
    path = tmp_path / "grammar.lark"
    path.write_text(grammar)
    done = subprocess.run(
        [sys.executable, "-c", USE, path, *texts], capture_output=True, timeout=PATIENCE, check=True
    )
    return done.stdout.decode().splitlines()


def test_a_repetition_in_a_repetition_takes_linear_time(tmp_path: Path) -> None:
    assert used("start: /(a+)+$/", tmp_path, "a" * 5000, "a" * 5000 + "b") == ["True", "False", "a"]


@pytest.mark.parametrize(
    "pattern", ["(a*)*b", "(a|a)+b", "(a|b|ab)*c", "a*a*a*a*b", "(.*?,){11}P", "(a?){40}a{40}b"]
)
def test_an_ambiguous_pattern_is_simulated(pattern: str) -> None:
    matcher = compiled(pattern)
    assert isinstance(matcher, Simulated)
    assert matcher.match("a" * 20_000) is None


@pytest.mark.parametrize(
    "pattern",
    [r'"(\\.|[^"\\])*"', r"/\*(.|\n)*?\*/", r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", r"\w+\s*=",
     r'"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"', r"(\d{1,3}\.){3}\d{1,3}"],
)  # fmt: skip
def test_a_usual_pattern_is_left_to_the_standard_library(pattern: str) -> None:
    assert isinstance(compiled(pattern), re.Pattern)


def _repeated(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    count = st.sampled_from(["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{2,}?"])
    return st.builds(lambda part, times: f"(?:{part}){times}", inner, count)


PATTERNS = st.recursive(
    st.sampled_from([*"abc.^$", "[ab]", "[^a]", r"\w", r"\b"]),
    lambda inner: (
        st.builds("(?:{}|{})".format, inner, inner)
        | st.builds("{}{}".format, inner, inner)
        | st.builds("(?{}{})".format, st.sampled_from(["=", "!", "i:", "s:"]), inner)
        | _repeated(inner)
    ),
    max_leaves=8,
)


@given(PATTERNS, st.text("abcA\n", max_size=9), st.integers(0, 9))
@settings(max_examples=example_count(500))
def test_a_simulated_pattern_matches_what_the_standard_library_does(
    pattern: str, text: str, begin: int
) -> None:
    # What a repetition of the empty text matches first differs between matchers.
    assume(all(parse(part).getwidth()[0] for part in _repetitions(pattern)))
    tree = parse(pattern)
    simulated = Simulated(linear.PatternAutomaton(list(tree), int(tree.state.flags), is_exact=True))
    plain = re.compile(pattern)
    wanted, found = plain.match(text, begin), simulated.match(text, min(begin, len(text)))
    assert (found and found.end()) == (wanted and wanted.end())
    assert (simulated.fullmatch(text) is None) == (plain.fullmatch(text) is None)


def _repetitions(pattern: str) -> list[str]:
    """Return the repeated parts of a pattern: groups with a count after them."""
    begins, found = [], []
    for at, char in enumerate(pattern):
        if char == "(":
            begins.append(at)
        elif char == ")":
            begin = begins.pop()
            if pattern[at + 1 : at + 2] in ("*", "+", "?", "{"):
                found.append(pattern[begin : at + 1])
    return found


def test_a_slow_pattern_with_a_reference_is_refused_by_name_and_place(tmp_path: Path) -> None:
    path = tmp_path / "grammar.lark"
    path.write_text('start: "x" A\nA: /((a|b)+)+\\1c/\n')
    with pytest.raises(LanguageError) as error:
        load_language(path)
    assert str(error.value) == (
        f"{path}:2:5: /((a|b)+)+\\1c/ may match in too many ways; write it so that a text matches "
        "in one way only"
    )


def test_a_counted_repetition_loads_fast(tmp_path: Path) -> None:
    assert used('start: "a"~1..20000', tmp_path, "aaa", "") == ["True", "False", "a"]


def test_many_alternatives_load_fast(tmp_path: Path) -> None:
    rules = "".join(f'r{i}: "k{i}" "b"\n' for i in range(10_000))
    start = f"start: ({' | '.join(f'r{i}' for i in range(10_000))})+\n"
    assert used(start + rules, tmp_path, "k7bk8b", "k7") == ["True", "False", "k0b"]


def test_many_nested_rules_load_fast(tmp_path: Path) -> None:
    chain = "".join(f'r{i}: r{i + 1} | "b{i}" r{i} | r{i + 1} "c{i}"\n' for i in range(3000))
    grammar = f'start: r0\n{chain}r3000: "c"\n'
    assert used(grammar, tmp_path, "b0b2999c", "b0") == ["True", "False", "c"]


def test_a_text_that_is_too_long_to_be_made_counts_as_none(tmp_path: Path) -> None:
    doubling = "".join(f"r{i}: r{i + 1} r{i + 1}\n" for i in range(60))
    assert used(f'start: r0\n{doubling}r60: "c"\n', tmp_path) == ["None"]


@pytest.mark.parametrize(
    ("grammar", "reason"),
    [
        ("start: " + "(" * 3000 + '"a"' + ")" * 3000, "a rule is nested too deeply"),
        (
            'start: "a"~900000',
            "the grammar is too large: more than 500,000 symbols, repetitions written out",
        ),
        (
            'start: "a"~1..100000',
            "the grammar is too large: more than 50,000 rules and parts of rules",
        ),
        ("start: /" + "(" * 5000 + "a" + ")" * 5000 + "/", "nested too deeply"),
        ("// " + "x" * 1_000_000, "is larger than 1,000,000 bytes."),
    ],
)
def test_a_grammar_beyond_a_limit_is_refused(grammar: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "grammar.lark"
    path.write_text(grammar)
    with pytest.raises(LanguageError, match=re.escape(reason)):
        load_language(path)


def test_tables_beyond_a_limit_leave_the_text_plain_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "grammar.lark"
    path.write_text('start: "a" start | "b" start "b" | "c"')
    monkeypatch.setattr("boildown.grammar.parsing.automaton.MAX_ITEMS", 3)
    parsed = load_language(path).parse("abcb")
    assert parsed.notes == ("The grammar of grammar is too large for this text; it is read plain.",)
    assert not parsed.valid


def test_the_components_of_a_graph_come_after_those_that_they_lead_to() -> None:
    assert components([[1], [2], [0, 3], [4], [3], [5], []]) == [[4, 3], [2, 1, 0], [5], [6]]
