"""Names that nothing declares: what a job learns of them, and the runs that it saves."""

from __future__ import annotations

import re

import pytest

from boildown.engine.declarations import BELIEVED, PROBED, Declarations, Role
from boildown.engine.oracle import Outcome, from_test
from boildown.engine.reducing.reduce import reduce
from boildown.languages import load_language

C = load_language("c")
TEXT = (
    "typedef long u; int f(char x) { return x; } u g(u y) { return f(y); } float h() { return 0; }"
)
"""`u` and `f` are used in other items of the text, `x` and `y` in their own."""


def roles(after: str, before: str = TEXT) -> frozenset[Role]:
    return Declarations().roles(C.parse(before).tree, before, after)


def without(part: str) -> str:
    assert part in TEXT
    return TEXT.replace(part, "", 1)


def test_a_role_is_the_sort_of_the_place_and_where_the_uses_are() -> None:
    (type_name,) = roles(without("typedef long u;"))
    assert (type_name[0], type_name[2]) == ("type_identifier", False)
    (parameter,) = roles(without("char x"))
    assert (parameter[0], parameter[2]) == ("identifier", True)
    assert len(roles(without("typedef long u; int f(char x) { return x; }"))) == 2


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(without(" u g(u y) { return f(y); }"), id="only uses are gone"),
        pytest.param(without("return x;"), id="one use is gone"),
        pytest.param(without("float h() { return 0; }"), id="nothing else uses it"),
        pytest.param(TEXT.replace("x", ""), id="gone with its use"),
        pytest.param(TEXT.replace("x", "z"), id="renamed"),
        pytest.param(TEXT.replace("char x", "short x"), id="something else is in its place"),
        pytest.param(TEXT.replace(" ", "  "), id="white space"),
        pytest.param("", id="all is gone"),
    ],
)
def test_where_a_declaration_stays_or_no_use_does_there_is_no_role(after: str) -> None:
    assert roles(after) == frozenset()


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [("json", '[{"a": 1}, "a"]', '["a"]'), ("plain", "a b; c a", "b; c a")],
)
def test_words_in_strings_and_without_a_grammar_have_no_role(
    language: str, before: str, after: str
) -> None:
    root = load_language(language).parse(before).tree
    assert not Declarations().roles(root, before, after)


def test_a_first_place_that_may_be_there_still_is_not_gone() -> None:
    # Either `u` may be the one that is left.
    assert not any(role[0] == "type_identifier" for role in roles("u g;", "u f; u g;"))


def expected(declarations: Declarations, lacking: frozenset[Role]) -> int:
    """Count the candidates, of sixteen times sixteen, that are expected to be INVALID."""
    texts = map(str, range(PROBED * PROBED))
    return sum(declarations.expects_invalid(text, lacking) for text in texts)


def test_what_is_invalid_again_and_again_is_expected_to_be_so() -> None:
    known = Declarations()
    lacking = roles(without("typedef long u;"))
    known.learn([(lacking, Outcome.INVALID)] * (BELIEVED - 1))
    assert expected(known, lacking) == 0
    known.learn([(lacking, Outcome.INVALID)])
    # Some are run all the same, so that a hypothesis that is wrong by now is found out.
    assert PROBED * PROBED / 2 < expected(known, lacking) < PROBED * PROBED
    assert expected(known, roles(without("char x"))) == 0


@pytest.mark.parametrize("other", [Outcome.PASSED, Outcome.REPRODUCED, Outcome.TIMEOUT])
def test_another_outcome_refutes_it(other: Outcome) -> None:
    known = Declarations()
    lacking = roles(without("char x"))
    known.learn([(lacking, Outcome.INVALID)] * BELIEVED)
    known.learn([(lacking, other)])
    assert expected(known, lacking) == 0


BOTH = without("typedef long u; int f(char x) { return x; }")
TYPE, PARAMETER = roles(without("typedef long u;")), roles(without("char x"))


def test_of_several_places_that_are_gone_none_is_known_to_matter() -> None:
    known = Declarations()
    known.learn([(roles(BOTH), Outcome.INVALID)] * BELIEVED)
    assert expected(known, roles(BOTH)) == 0


def test_a_place_that_was_gone_without_harm_is_not_what_matters() -> None:
    known = Declarations()
    (other,) = roles(BOTH) - TYPE
    known.learn([(frozenset({other}), Outcome.PASSED)])
    known.learn([(roles(BOTH), Outcome.INVALID)] * BELIEVED)
    assert expected(known, TYPE)
    assert not expected(known, frozenset({other}))


def test_a_hypothesis_that_was_refuted_needs_more_to_be_believed_again() -> None:
    known = Declarations()
    known.learn([(PARAMETER, Outcome.INVALID), (PARAMETER, Outcome.PASSED)])
    known.learn([(PARAMETER, Outcome.INVALID)] * (2 * BELIEVED - 1))
    assert not expected(known, PARAMETER)
    known.learn([(PARAMETER, Outcome.INVALID)])
    assert expected(known, PARAMETER)


def compiler(text: str) -> Outcome:
    """Fail where a function calls `last`; reject a call of what was not defined before it."""
    defined: set[str] = set()
    calls = []
    for name, body in re.findall(r"int (\w+)\(\) ?\{([^{}]*)\}", text):
        defined.add(name)
        calls += re.findall(r"(\w+)\(\)", body)
        if not defined.issuperset(calls):
            return Outcome.INVALID
    return Outcome.REPRODUCED if "last" in calls else Outcome.PASSED


def test_fewer_candidates_are_invalid_and_the_result_is_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    needed = [f"int f{n}() {{ return {f'f{n - 1}() + ' if n else ''}{n}; }}" for n in range(30)]
    text = "\n".join([*needed, "int last() { return f29(); }", "int main() { return last(); }"])
    with_it = reduce(text, from_test(compiler), C)
    monkeypatch.setattr("boildown.engine.declarations.BELIEVED", 10**9)
    without_it = reduce(text, from_test(compiler), C)
    assert len(with_it.text) <= len(without_it.text)
    assert with_it.minimality == without_it.minimality
    assert with_it.outcomes[Outcome.INVALID] < without_it.outcomes[Outcome.INVALID]
