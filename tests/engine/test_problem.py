"""The order of candidates, and those that are never run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from boildown import reduce
from boildown.engine.candidates import retext
from boildown.engine.declarations import BELIEVED
from boildown.engine.failed_edits import LONGEST_TEXT, FailedEdits
from boildown.engine.language import NO_REWRITING, Check
from boildown.engine.oracle import Outcome, Stop, Verdict, from_test
from boildown.engine.problem import Candidate, Problem, changes_type, is_smaller, keeps, key
from boildown.languages import load_language
from helpers import Characters, Test, contains, logged

SMALLER = [("ab", "abc"), ("a  c", "abc"), ("ab", "a b"), ("abc", "abd"), ("\u3000\xa0a", "ab")]
"""Pairs of texts, the smaller one first."""


@pytest.mark.parametrize("around", ["", "x" * 150, "x \n" * 100, "é\u2003" * 150])
@pytest.mark.parametrize(("small", "large"), SMALLER)
def test_the_smaller_text_has_less_ink_or_else_less_space_or_else_comes_first(
    small: str, large: str, around: str
) -> None:
    one, other = f"{around}{small}{around}", f"{around}{large}{around}"
    assert is_smaller(one, other)
    assert not is_smaller(other, one)
    assert not is_smaller(one, one)
    assert key(one) < key(other)


TEXTS = some.text("ab \n\xa0", max_size=6)


@given(some.sampled_from(["", "x y" * 70]), TEXTS, TEXTS)
def test_long_texts_are_in_the_order_of_their_keys(around: str, one: str, other: str) -> None:
    one, other = around + one + around, around + other + around
    assert is_smaller(one, other) == (key(one) < key(other))


def test_white_space_is_counted_alike_in_short_and_in_long_texts() -> None:
    spaces = "".join(each for each in map(chr, range(0x3001)) if each.isspace())
    assert key(f"a{spaces}b")[0] == key(f"{spaces * 10}ab")[0] == 2
    assert key("ab" * 100)[0] == 200


class Picky(Characters):
    """A language that refuses texts with a `!`, and writes down what it compares them with."""

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.asked: list[tuple[str, str]] = []
        self.originals: list[str] = []

    def checker(self, text: str) -> Check:
        self.originals.append(text)

        def check(new: str, near: str) -> bool:
            self.asked.append((new, near))
            return "!" not in new

        return check


def started(
    text: str, test: Test, language: Characters | None = None, **options: object
) -> tuple[Problem, list[str]]:
    """Return a problem and the list of the texts that are run."""
    language, runs = language or Characters(), list[str]()
    oracle = from_test(logged(test, runs))
    return Problem(language.parse(text).tree, oracle, language, **options), runs  # type: ignore[arg-type]


def texts(problem: Problem, *new: str | None) -> list[Candidate | None]:
    def candidate(text: str) -> Candidate:
        return Candidate(text, lambda: problem.language.parse(text).tree)

    return [each if each is None else candidate(each) for each in new]


def test_the_first_candidate_that_reproduces_is_the_new_best() -> None:
    accepted: list[tuple[str, Verdict]] = []
    problem, runs = started("abcd", contains("a"), accepted=lambda *each: accepted.append(each))
    # No candidate, one that is larger, one that is no other, and one that fails, come before it.
    new = texts(problem, None, "abcde", "abcd", "bcd", "ab", "a")
    assert problem.consider_first(new) == 4
    assert runs == ["bcd", "ab"]
    assert problem.text == "ab"
    assert str(problem.tree) == str(Characters().parse("ab").tree)
    assert accepted == [("ab", Verdict(Outcome.REPRODUCED))]
    assert problem.consider_first(texts(problem, "b", None)) is None
    assert problem.text == "ab"
    assert problem.consider(None) is False
    assert problem.consider(retext(problem, "b")) is False
    assert problem.consider(retext(problem, "a")) is True


def test_the_tree_of_a_candidate_is_built_once_and_only_if_it_is_looked_at() -> None:
    built: list[str] = []

    def candidate(text: str) -> Candidate:
        return Candidate(text, lambda: built.append(text) or Characters().parse(text).tree)  # type: ignore[func-returns-value]

    problem, _ = started("abc", lambda _text: True)
    assert problem.consider(candidate("ab"))
    assert problem.consider(candidate("a"))
    assert built == []
    assert problem.tree is problem.tree
    assert built == ["a"]


def test_what_the_user_protects_is_in_all_that_is_run() -> None:
    assert keeps("abc", ("a", "bc"))
    assert not keeps("abc", ("a", "d"))
    problem, runs = started("abcd", lambda _text: True, keep=("a", "c"))
    assert problem.consider_first(texts(problem, "ab", "bc", "ac")) == 2
    assert problem.view().consider_first(texts(problem, "a", "c", "cba")) == 2
    assert runs == ["ac", "cba"]


def test_an_empty_value_of_another_type_is_not_run() -> None:
    problem, runs = started('{"a":null}', lambda _text: True)
    assert problem.consider_first(texts(problem, '{"a":[]}', '{"a":0}')) == 1
    assert runs == ['{"a":0}']


def test_a_check_comes_before_each_candidate_and_may_end_it_all() -> None:
    left = [None] * 5

    def check() -> None:
        if not left:
            raise Stop
        left.pop()

    problem, runs = started("abc", lambda _text: False, check=check)
    problem.consider_first(texts(problem, "ab", None, "abcd"))
    problem.view().consider_first(texts(problem, "ab", None))
    assert (left, runs) == ([], ["ab", "ab"])
    for each in (problem, problem.view()):
        with pytest.raises(Stop):
            each.consider_first(texts(problem, "a"))


def test_a_pass_gives_up_after_some_failures_in_a_row() -> None:
    problem, runs = started("abcdef", contains("a"))
    problem.start(3)
    assert problem.consider_first(texts(problem, "b", None, "c", "a", "d")) == 3
    assert problem.longest_row == 2
    problem.start(3)
    assert problem.longest_row == 0
    runs.clear()
    problem, runs = started("abcdef", contains("a"))
    problem.start(3)
    assert problem.consider_first(texts(problem, "b", "c")) is None
    assert problem.consider_first(texts(problem, "d", "abcde")) is None
    assert problem.consider_first(texts(problem, "abcde")) is None
    assert runs == ["b", "c", "d"]
    problem.start(None)
    new = texts(problem, *"bcdefghi", "abcde")
    assert problem.consider_first(new) == 8
    assert problem.consider_first(texts(problem, "b", "abcd")) == 1
    assert problem.longest_row == 8


@pytest.mark.parametrize("strict", [False, True])
def test_what_the_language_refuses_is_run_only_where_it_may_leave_the_language(
    strict: bool,
) -> None:
    language = Picky(strict)
    problem, runs = started("abcd", lambda _text: False, language)
    for each in (problem, problem.view()):
        runs.clear()
        free = [Candidate(text, lambda: problem.tree, True) for text in ("a!", "b")]
        each.consider_first([*texts(problem, "a", "c!"), *free])
        assert runs == (["a", "b"] if strict else ["a", "a!", "b"])
        assert not each.consider_first(texts(problem, "d!"))
    assert language.originals == ["abcd"] * 2


def test_a_language_compares_with_a_text_that_is_near_the_best_one() -> None:
    language = Picky()
    problem, _ = started("a" * 5000, lambda _text: True, language)
    for length in (4000, 3500, 2900, 2800):
        assert problem.consider(*texts(problem, "a" * length))
    assert [len(near) for _, near in language.asked] == [5000, 5000, 5000, 2900]


class Numbered(Characters):
    """A language in which digits close up: of `13`, `12` is left."""

    def __init__(self) -> None:
        self.parsed: list[str] = []
        self.rewriting = replace(NO_REWRITING, mended=self.mended)

    def parse(self, text: str):  # type: ignore[no-untyped-def]
        self.parsed.append(text)
        return super().parse(text)

    def mended(self, text: str) -> str:
        numbers = iter(range(1, 10))
        return "".join(str(next(numbers)) if each.isdigit() else each for each in text)


def test_candidates_are_mended_where_the_input_needs_no_mending() -> None:
    language = Numbered()
    problem, runs = started("1a2b3c", contains("c"), language)
    assert problem.consider_first(texts(problem, "2b3", "1a3c")) == 1
    assert runs == ["1b2", "1a2c"]
    assert str(problem.tree) == str(Characters().parse("1a2c").tree)
    runs.clear()
    problem.view().consider_first(texts(problem, "2b"))
    problem.consider_first([Candidate("2", lambda: problem.tree, free=True)])
    problem.start(None, mends=False)
    problem.consider_first(texts(problem, "2a"))
    problem.start(None)
    problem.consider_first(texts(problem, "2a"))
    assert runs == ["1b", "2", "2a", "1a"]
    # What needs no mending has its own tree.
    (plain,) = texts(problem, "1a2")
    assert plain is not None
    problem, runs = started("1a2b", lambda _text: True, language)
    own = Characters().parse("1a2").tree
    assert problem.consider(replace(plain, tree=lambda: own))
    assert problem.tree is own
    problem, runs = started("2a3b", lambda _text: False, language)
    problem.consider_first(texts(problem, "3b"))
    assert runs == ["3b"]


def test_an_edit_that_failed_is_left_out_until_it_is_asked_for_again() -> None:
    known, rest = FailedEdits(), "xyz" * 80
    problem, runs = started(f"ab{rest}c", contains("b"), failed_edits=known)
    assert problem.hypotheses is known.hypotheses
    assert problem.consider_first(texts(problem, f"a{rest}c", f"ab{rest}")) == 1
    assert problem.consider_first(texts(problem, f"a{rest}")) is None
    assert runs == [f"a{rest}c", f"ab{rest}"]
    known.trusted = False
    assert problem.consider_first(texts(problem, f"a{rest}")) is None
    assert runs[2:] == [f"a{rest}"]


def test_what_lacks_a_declaration_as_others_that_were_invalid_did_is_passed_over() -> None:
    language, known = load_language("c"), FailedEdits()
    names = [f" u {name};" for name in "abcdefghij"]
    text = "".join(["typedef long u;", *names])
    outcomes = iter([Outcome.PASSED, *[Outcome.INVALID] * BELIEVED, *[Outcome.PASSED] * 5])
    runs: list[str] = []

    def judge(new: str) -> Outcome:
        runs.append(new)
        return next(outcomes)

    tree = language.parse(text).tree
    problem = Problem(tree, from_test(judge), language, failed_edits=known)

    def ran(new: str) -> bool:
        before = len(runs)
        assert problem.consider_first([Candidate(new, lambda: tree)]) is None
        return len(runs) > before

    # Before any was INVALID nothing is learned of what they lack.
    assert all(ran("".join(names[at:])) for at in range(BELIEVED + 1))
    assert known.spared == 0
    assert not ran("".join(names[6:]))
    assert known.spared == 1
    assert ran("".join(["typedef long u;", *names[1:]]))
    known.trusted = False
    assert ran("".join(names[7:]))


def test_the_runs_behind_the_one_that_reproduces_are_ended() -> None:
    taken: list[Iterator[Verdict]] = []

    def oracle(texts: Iterable[str]) -> Iterator[Verdict]:
        taken.append(from_test(contains("a"))(texts))
        return taken[-1]

    problem = Problem(Characters().parse("abc").tree, oracle, Characters())
    assert problem.consider_first(texts(problem, "ab", "a")) == 0
    assert next(taken[0], None) is None


def test_of_a_long_text_no_failed_edit_is_remembered() -> None:
    for length, count in ((LONGEST_TEXT, 1), (LONGEST_TEXT + 1, 2)):
        text = "a" * length
        problem, runs = started(text, lambda _text: False, failed_edits=FailedEdits())
        for _ in range(2):
            problem.consider_first(texts(problem, text[1:]))
        assert len(runs) == count


@pytest.mark.parametrize(
    ("old", "new", "does"),
    [
        ('{"a":null}', '{"a":""}', True),
        ('{"a":null}', '{"a":[]}', True),
        ('{"a":[]}', '{"a":""}', True),
        ("f(None)", "f('')", True),
        ('{"a":[1]}', '{"a":[]}', False),
        ('{"a":null}', '{"a":0}', False),
        ('{"a":"x"}', '{"a":""}', False),
        ('{"a":null,"b":1}', '{"a":null}', False),
    ],
)
def test_an_empty_value_of_another_type_is_none_of_the_same(old: str, new: str, does: bool) -> None:
    assert changes_type(old, new) is does


@pytest.mark.parametrize("value", ["null", "[]", "{}"])
def test_an_empty_value_stays_where_an_empty_text_would_do(value: str) -> None:
    def fails(text: str) -> bool:
        try:
            tags = json.loads(text)["tags"]
        except (ValueError, LookupError, TypeError):
            return False
        return not tags and not isinstance(tags, int)

    reduction = reduce(f'{{"tags": {value}, "shop": "Corner"}}', fails, "json")
    assert reduction.text == f'{{"tags":{value}}}'
