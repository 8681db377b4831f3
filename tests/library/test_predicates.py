"""Predicates as their authors write them: they return, raise, take bytes, or are slips."""

from __future__ import annotations

import asyncio
import inspect
import json
import pickle
import re
import threading
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from math import nan
from random import Random
from typing import Any

import pytest

from boildown import BoildownWarning, generalize, reduce, reduce_file, reducing
from boildown.engine.oracle import Outcome, Verdict
from boildown.library.predicates import Predicate, calling, predicate_on, shown, signature_of
from seed_grammars import POSITIVE_INTEGERS


def total(text: str) -> int:
    """Fail in two ways, on lines of their own."""
    numbers = text.split("+")
    if "b" in text:
        raise ValueError("no hexadecimal numbers")
    return sum(int(number) for number in numbers if number)


def test_what_raises_the_same_reproduces() -> None:
    reduction = reduce("12+b+3", total)
    assert reduction.text == "b"
    assert reduction.minimality == "1-character-minimal"
    assert reduction.failures is not None
    original, reduced = reduction.failures
    assert original == reduced
    assert original.startswith("ValueError in library/test_predicates.py: total: `")
    assert original.endswith("no hexadecimal numbers")


def test_the_same_exception_from_another_line_is_another_failure() -> None:
    assert reduce("1+x+23", total).text == "x"
    assert reduce("1+x+b", total).text == "b"


def test_raises_names_the_failure() -> None:
    assert reduce("1+x+b", total, raises=ValueError).text in ("x", "b")
    with pytest.warns(BoildownWarning, match="^The test raises JSONDecodeError on the empty text"):
        assert reduce("[1, {]", json.loads, raises=(KeyError, json.JSONDecodeError)).text == ""


def test_another_exception_than_the_named_one_is_refused_with_its_cause() -> None:
    with pytest.raises(ValueError, match=r"the test raised ValueError in .*, not KeyE") as refused:
        reduce("1+b", total, raises=(KeyError, OSError))
    assert str(refused.value).endswith(": no hexadecimal numbers, not KeyError or OSError.")
    assert str(refused.value.__cause__) == "no hexadecimal numbers"
    with pytest.raises(ValueError, match="the test returned, not KeyError"):
        reduce("1+2", total, raises=KeyError)


def test_an_exception_of_a_class_in_a_function_has_a_type_and_a_place() -> None:
    class LocalError(Exception):
        pass

    def test(text: str) -> None:
        if "x" in text:
            raise LocalError(text)
        if "y" in text:
            raise RuntimeError

    reduction = reduce("ab x y", test)
    assert reduction.text == "x"
    assert reduction.failures is not None
    assert ".<locals>.LocalError in library/test_predicates.py: test: `" in reduction.failures[1]


def test_an_answer_is_a_value_or_an_error() -> None:
    error, ended = ValueError("no"), SystemExit(3)

    def test(text: str) -> str:
        if text in raised:
            raise raised[text]
        return text * 2

    raised = {"error": error, "end": ended, "stop": KeyboardInterrupt()}
    call = calling(test, "", ())
    assert call("a") == ("aa", None)
    assert call("error") == (None, error)
    assert call("end") == (None, ended)
    with pytest.raises(KeyboardInterrupt):
        call("stop")
    answer, stopped = calling(test, "", KeyboardInterrupt)("stop")
    assert (answer, type(stopped)) == (None, KeyboardInterrupt)


@pytest.mark.parametrize("fails", [True, False])
@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (True, Outcome.REPRODUCED),
        (False, Outcome.PASSED),
        (Outcome.REPRODUCED, Outcome.REPRODUCED),
        (Outcome.PASSED, Outcome.PASSED),
        (Outcome.INVALID, Outcome.INVALID),
        (Outcome.TIMEOUT, Outcome.TIMEOUT),
    ],
)
def test_an_outcome_is_taken_as_it_is_unless_an_exception_is_the_failure(
    answer: object, outcome: Outcome, fails: bool
) -> None:
    predicate = Predicate(lambda _text: (answer, None), failure="ValueError" if fails else None)
    expected = Outcome.PASSED if fails and outcome is Outcome.REPRODUCED else outcome
    assert [*predicate.oracle()(["a"])] == [Verdict(expected)]
    other = predicate.oracle(lambda _text: (None, ValueError()))
    reproduced = Outcome.REPRODUCED if fails else Outcome.PASSED
    assert [*other(["a", "b"])] == [Verdict(reproduced, "ValueError")] * 2
    assert predicate.raised == (0 if fails else 2)


def test_exceptions_that_are_no_failure_are_counted() -> None:
    predicate = Predicate(lambda _text: (None, None))
    assert [*predicate.notes()] == []
    for count, times in ((1, "once"), (2, "2 times"), (1000, "1,000 times")):
        while predicate.raised < count:
            predicate.judged(f"text {predicate.raised}", None, KeyError(predicate.raised))
        (note,) = predicate.notes()
        assert note.startswith(f"The test raised {times}, first KeyError on 'text 0', where")


@pytest.mark.parametrize(("raises", "is_same"), [((), False), (OSError, True), (KeyError, False)])
def test_a_failure_is_told_by_its_signature_or_by_the_types_that_are_named(
    raises: Any, is_same: bool
) -> None:
    predicate = Predicate(lambda _text: (None, None), raises, failure="OSError")
    verdict = predicate.judged("a", None, FileNotFoundError())
    outcome = Outcome.REPRODUCED if is_same else Outcome.PASSED
    assert verdict == Verdict(outcome, "FileNotFoundError")


@pytest.mark.parametrize(("length", "end"), [(58, "a'"), (59, "a…"), (70, "a…")])
def test_a_long_text_is_shown_by_its_beginning(length: int, end: str) -> None:
    written = shown("a" * length)
    assert (len(written), written[:2], written[-2:]) == (60, "'a", end)


def test_the_answer_on_the_original_is_what_others_are_compared_with() -> None:
    def test(text: str) -> bool:
        if "b" in text:
            raise ValueError(f"no {text} in two\nlines")
        return "a" in text

    call = calling(test, "", ())
    returned = predicate_on("a", call, ())
    assert (returned.failure, returned.raises, returned.described) == (None, (), "")
    raised = predicate_on("b", call, (ValueError, KeyError))
    assert raised.raises == (ValueError, KeyError)
    assert raised.failure is not None
    assert raised.failure.endswith(": no in two")
    assert raised.described.endswith(": no b in two")
    assert "b" in raised.words
    (verdict,) = raised.oracle()(["bb"])
    assert verdict.reproduced
    told = r"the test says INVALID\.$"
    with pytest.raises(ValueError, match=told):
        predicate_on("x", lambda _text: (Outcome.INVALID, None), ())


@pytest.mark.parametrize("depth", [3, 300])
def test_of_many_frames_the_innermost_ones_are_looked_at(depth: int) -> None:
    def deep(left: int) -> None:
        if left:
            deep(left - 1)
        raise ValueError("too deep")

    _, error = calling(lambda _text: deep(depth), "", ())("")
    assert error is not None
    assert signature_of(error, "").startswith(
        "ValueError in library/test_predicates.py: deep: `raise ValueError"
    )


def test_an_exit_of_the_program_is_a_failure() -> None:
    def main(text: str) -> None:
        if "--bad" in text:
            raise SystemExit(2)

    assert reduce("a --bad b", main).text == "--bad"


def test_an_interrupt_is_none_unless_it_is_named() -> None:
    def test(text: str) -> bool:
        if text == "x":
            raise KeyboardInterrupt
        return "x" in text

    with pytest.raises(KeyboardInterrupt):
        reduce("a x b", test)
    with pytest.raises(KeyboardInterrupt):
        list(reducing("a x b", test))
    assert reduce("x", test, raises=KeyboardInterrupt).text == "x"


def test_where_it_returns_an_exception_is_no_failure_and_is_told() -> None:
    def test(text: str) -> bool:
        if len(text) < 2:
            raise IndexError("too short")
        return "x" in text

    reduction = reduce("a x b", test)
    assert reduction.text == " x"
    (note,) = reduction.notes
    assert note.startswith("The test raised 7 times, first IndexError in ")
    assert note.endswith(
        ": too short on '', where it returns for the original: that counts as not reproducing."
    )


@pytest.mark.parametrize("answer", [1, "yes", [0], re.compile("x").search("axb")])
def test_what_is_true_reproduces_and_what_is_false_does_not(answer: object) -> None:
    assert reduce("abc", lambda text: answer if "b" in text else None).text == "b"
    with pytest.raises(ValueError, match=r"does not reproduce: the test returned None\.$"):
        reduce("abc", lambda _text: None)
    with pytest.raises(ValueError, match=r"does not reproduce: the test says PASSED\.$"):
        reduce("abc", lambda _text: 0)


@pytest.mark.parametrize("limit", [{"max_runs": -1}, {"max_seconds": -0.5}, {"max_seconds": nan}])
def test_a_limit_below_zero_is_refused(limit: dict[str, Any]) -> None:
    (name,) = limit
    told = f"^{name} must be zero or more, or None for no limit, not {limit[name]}"
    for call in (reduce, reducing, generalize):
        with pytest.raises(ValueError, match=told):
            call("b", lambda text: "b" in text, "plain", **limit)
    with pytest.raises(ValueError, match=told):
        reduce_file("a.txt", ["false"], **limit)


async def later(text: str) -> bool:
    return "x" in text


def lazily(text: str) -> Iterator[bool]:
    yield "x" in text


async def streamed(text: str) -> AsyncIterator[bool]:
    yield "x" in text


@pytest.mark.parametrize(
    ("test", "why"),
    [(later, "asynchronous"), (lazily, "a generator"), (streamed, "a generator")],
)
def test_what_does_not_answer_at_once_is_refused(test: Callable[[str], object], why: str) -> None:
    with pytest.raises(TypeError, match=f"it is {why}"):
        reduce("x", test)
    assert reduce("a x", lambda text: asyncio.run(later(text))).text == "x"


@pytest.mark.parametrize("function", [reduce, reducing, generalize])
def test_a_default_fits_its_parameter_whatever_the_kind_of_text(
    function: Callable[..., object],
) -> None:
    # Pyright takes no empty tuple for a sequence of a type variable that is bytes.
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default == () and "AnyStr" in parameter.annotation:
            assert parameter.annotation == "Sequence[AnyStr] | tuple[()]"


@pytest.mark.parametrize("language", ["json", "python", "plain", "javascript", POSITIVE_INTEGERS])
def test_a_pattern_is_pickled_and_still_draws(language: Any) -> None:
    if language == "javascript":
        pytest.importorskip("tree_sitter")
    pattern = generalize("-17", lambda text: "-" in text, language, max_runs=50)
    again = pickle.loads(pickle.dumps(pattern))
    assert again == pattern
    assert again.sample(Random(1)) == pattern.sample(Random(1))
    assert again.matches("-5") == pattern.matches("-5")


def test_what_is_no_text_or_no_function_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^The text must be str or bytes, not list\.$"):
        reduce(["a"], lambda text: True)  # type: ignore[type-var]
    with pytest.raises(TypeError, match=r"not str; for a test command there is reduce_file\.$"):
        reduce("a", "grep a")  # type: ignore[arg-type]


def compare(text: str, other: str) -> bool:
    return text == other


def test_a_function_that_takes_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match=r"must take one argument, the text: missing .*'other'"):
        reduce("a", compare)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="raises takes a type of exceptions or a tuple of them"):
        reduce("a", int, raises="ValueError")  # type: ignore[arg-type]


def test_a_function_in_c_fails_without_a_place() -> None:
    with pytest.warns(BoildownWarning, match="^The empty text fails in the same way: ValueError: "):
        assert reduce("1a", int).failures == (
            "ValueError: invalid literal for int() with base 10: '1a'",
            "ValueError: invalid literal for int() with base 10: ''",
        )


def test_bytes_come_back_as_bytes() -> None:
    asked: list[bytes] = []

    def test(data: bytes) -> bool:
        asked.append(data)
        return b"\xff" in data and data.count(b"\xc3\xa9") > 0

    reduction = reduce(b"a\xff\xfe\xc3\xa9b\x00", test)
    assert reduction.text == b"\xff\xc3\xa9"
    assert {type(data) for data in asked} == {bytes}
    assert reduction.history[0].text == b"a\xff\xfe\xc3\xa9b\x00"
    assert reduction.history[-1].text == reduction.text
    assert [*reducing(b"a\xff", lambda data: b"\xff" in data)][-1].text == b"\xff"
    assert (
        str(generalize(b"-1", lambda data: data[:1] == b"-", POSITIVE_INTEGERS))
        == "-<positive-int>"
    )


def test_lone_surrogates_are_characters_like_others() -> None:
    assert reduce("a\ud800b", lambda text: "\ud800" in text).text == "\ud800"


def slip(text: str) -> bool:
    raise NameError("out of scope")


SATISFIED = {
    "The test says that the empty text reproduces, too, as it may say of any text: the result may"
    " be empty.": lambda _text: True,
    "The empty text fails in the same way: NameError in library/test_predicates.py: slip: `raise"
    ' NameError("out of scope")`: out of scope. If that is a slip in the test itself, mend it; if'
    " another failure is meant, name it with `raises`: the result may be empty.": slip,
}


@pytest.mark.parametrize("warning", SATISFIED)
def test_a_predicate_that_the_empty_text_satisfies_is_warned_about(warning: str) -> None:
    test = SATISFIED[warning]
    with pytest.warns(BoildownWarning) as seen:
        reduction = reduce("abc", test)
    assert reduction.text == ""
    assert [str(each.message) for each in seen] == [warning]
    assert reduction.notes == (warning,)
    assert {each.filename for each in seen} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error", BoildownWarning)
        with pytest.raises(BoildownWarning):
            reducing("abc", test)


def test_the_original_and_the_empty_text_are_asked_first() -> None:
    asked: list[str] = []

    def test(text: str) -> bool:
        asked.append(text)
        return "x" in text or text == "empty"

    reduction = reduce("a x", test)
    assert asked[:2] == ["a x", ""]
    assert asked[-1] == "x"
    assert reduction.runs == len(asked) - 3
    asked.clear()
    with pytest.raises(ValueError, match="does not reproduce"):
        reduce("abc", test)
    assert asked == ["abc"] * 3


def sometimes(test: Callable[[str], bool], missed: float, spurious: float) -> Callable[[str], bool]:
    """Return a predicate that is wrong in some of its calls."""
    rng = Random(1)
    return lambda text: rng.random() >= missed if test(text) else rng.random() < spurious


def test_a_predicate_that_contradicts_itself_is_noticed_and_warned_about() -> None:
    test = sometimes(lambda text: "x" in text, missed=0.3, spurious=0.02)
    with pytest.warns(BoildownWarning, match="does not always say the same") as seen:
        reduction = reduce("ab (x) cd [ef]", test)
    assert reduction.text == "x"
    assert reduction.flaky is not None
    assert reduction.flaky.low <= 0.7 <= reduction.flaky.high
    assert reduction.certificate is not None
    assert reduction.certificate.confidence == 0.95
    assert reduction.notes == (str(seen[-1].message),)
    assert {each.filename for each in seen} == {__file__}


def test_a_result_that_a_limit_ended_is_asked_about_again() -> None:
    answers = iter([True, False, True, False])
    with pytest.warns(BoildownWarning, match="the same of the result when it was asked again"):
        reduction = reduce("abc", lambda _text: next(answers), max_runs=1)
    assert (reduction.finished, reduction.flaky) == (False, None)


def test_states_are_yielded_before_each_run_on_the_thread_of_the_caller() -> None:
    threads: set[int] = set()

    def test(text: str) -> bool:
        threads.add(threading.get_ident())
        return "x" in text

    *states, result = reducing("f(x, y)", test)
    assert result == reduce("f(x, y)", test)
    assert threads == {threading.get_ident()}
    assert [state.runs for state in states] == list(range(result.runs))
    assert [state.finished for state in states] == [False] * result.runs
    assert {step for state in states for step in state.history} <= set(result.history)
    assert states[-1].history == (result.history[0], result.history[-1])


def test_who_stops_asking_has_the_best_so_far_and_no_thread() -> None:
    for state in reducing("f(x, y)", lambda text: "x" in text):
        if len(state.text) < 7:
            break
    assert state.text == "f(x,y)"
    del state
    assert [each.name for each in threading.enumerate() if each.name == "boildown"] == []


def test_reductions_on_threads_do_not_meet() -> None:
    found: dict[str, str] = {}

    def run(wanted: str) -> None:
        found[wanted] = reduce("(a (b) [c])", lambda text: wanted in text).text

    threads = [threading.Thread(target=run, args=(wanted,)) for wanted in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"a": "a", "b": "b", "c": "c"}
