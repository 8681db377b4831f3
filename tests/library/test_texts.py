"""The library as its users call it."""

from __future__ import annotations

import doctest
import importlib
import itertools
import time
from functools import partial

import pytest

import boildown
from boildown import Outcome, generalize, load_language, reduce

pytestmark = pytest.mark.contract

SIGNED = {"<start>": ["<sign><digit>"], "<sign>": ["-", "+"], "<digit>": ["1", "2", "3"]}


def test_reduce_takes_any_callable() -> None:
    reduction = reduce('{"a": [1, {"b": null}]}', lambda text: "null" in text, "json")
    assert reduction.text == "null"
    assert reduction.finished
    assert reduction.minimality == "1-character-minimal"
    assert [step.run for step in reduction.history] == sorted({s.run for s in reduction.history})
    assert reduction.history[0].text == '{"a": [1, {"b": null}]}'
    assert reduction.history[-1].text == "null"


def test_outcomes_are_counted() -> None:
    def test(text: str) -> Outcome:
        return Outcome.REPRODUCED if "x" in text else Outcome.INVALID

    reduction = reduce("a x b", test)
    assert reduction.text == "x"
    assert reduction.outcomes[Outcome.INVALID] > 0
    assert reduction.outcomes[Outcome.PASSED] == 0
    assert sum(reduction.outcomes.values()) == reduction.runs


def test_a_text_that_does_not_reproduce_is_refused() -> None:
    with pytest.raises(ValueError, match="does not reproduce: the test says PASSED"):
        reduce("abc", lambda text: False)


def test_a_limit_of_runs_gives_the_best_so_far() -> None:
    reduction = reduce("a b c x", lambda text: "x" in text, max_runs=2)
    assert not reduction.finished
    assert (reduction.runs, reduction.stopped) == (2, "runs")
    assert "x" in reduction.text


def test_passes_are_picked_by_name() -> None:
    assert reduce("(a (x))", lambda text: "x" in text, passes=["ddmin"]).text == "x"
    with pytest.raises(ValueError, match="no pass called 'nope'"):
        reduce("x", lambda text: "x" in text, passes=["nope"])


def test_parts_are_kept() -> None:
    asked = []

    def test(text: str) -> bool:
        asked.append(text)
        return "x" in text

    reduction = reduce("[[x], {y: z}, w]", test, keep=["{y", "w"])
    assert (reduction.text, reduction.kept) == ("x{yw", ("{y", "w"))
    assert reduction.certificate is not None
    assert reduction.certificate.protected == 2
    # Beside the empty text, which is asked about first.
    assert [text for text in asked if "{y" not in text or "w" not in text] == [""]
    *_, last = boildown.reducing("[[x], {y: z}, w]", test, keep=["{y", "w"])
    assert last.text == "x{yw"


def test_parts_of_bytes_are_kept() -> None:
    reduction = reduce(b"GIF89a\xff\x00\x80", lambda data: b"\xff" in data, keep=[b"\x80"])
    assert reduction.text == b"\xff\x80"


def test_a_part_that_is_not_there_cannot_be_kept() -> None:
    with pytest.raises(ValueError, match=r"^The input does not hold 'z', which is to be kept\.$"):
        reduce("x y", lambda text: "x" in text, keep=["z"])


def test_results_are_written_in_one_line() -> None:
    text = "ab\ncd x " * 100
    reduction = reduce(text, lambda text: text.count("x\n") + text.count("x ") > 30)
    assert repr(reduction) == (
        f"<Reduction 800 → 62 in {reduction.runs} runs, 1-character-minimal: {'x ' * 20!r}…>"
    )
    limited = reduce("a\nx", lambda text: "x" in text, max_runs=1)
    assert repr(limited) == "<Reduction 3 → 3 in 1 run, not finished: 'a\\nx'>"
    digits = {"<start>": ["-<digit>\n"], "<digit>": ["1", "2"]}
    pattern = generalize("-1\n", lambda text: text.startswith("-"), digits, max_runs=300)
    assert repr(pattern) == (
        f"<Pattern '-<digit>\\n': 100 of 100 reproduced, in {pattern.runs} runs>"
    )


def test_a_limit_of_seconds_gives_the_best_so_far() -> None:
    seconds = iter(range(100))

    def test(text: str) -> bool:
        return "x" in text

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: next(seconds))
        reduction = reduce("a b c x", test, max_seconds=3)
    assert (reduction.runs, reduction.finished, reduction.stopped) == (2, False, "seconds")
    assert "x" in reduction.text


def test_loaded_languages_give_back_every_character() -> None:
    for text in ('{"a": 1}', "{", "", "\ud800 \0 \r\n"):
        parsed = load_language("json").parse(text)
        assert boildown.tree.text(parsed.tree) == text


@pytest.mark.parametrize("name", ["boildown", "boildown.library.texts"])
def test_the_examples_in_docstrings_hold(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted
    assert not found.failed


def test_the_clock_does_not_say_how_much_is_done_for_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    hours = itertools.count(0, 3600)
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(hours)))
    found = generalize("-1", lambda text: text.startswith("-"), SIGNED, samples=10)
    assert [note for note in found.notes if "a law is looked for" in note] == []


def test_a_slow_call_leaves_fewer_for_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    used = 0.0
    monkeypatch.setattr(time, "process_time", lambda: used)
    calls: list[str] = []

    def slow(text: str, first: float, others: float) -> bool:
        nonlocal used
        used += others if calls else first
        calls.append(text)
        return text.startswith("-")

    def notes(first: float, others: float) -> list[str]:
        calls.clear()
        test = partial(slow, first=first, others=others)
        found = generalize("-1", test, SIGNED, samples=10, words=["1"])
        return [note for note in found.notes if "a law is looked for" in note]

    told = "A run uses 1.0 s of processor time, so a law is looked for in 31 runs."
    assert notes(1.0, 1.0) == [told]
    # The first one loads something.
    assert notes(1.0, 0.01) == []
