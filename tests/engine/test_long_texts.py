"""Texts that are too long for a tree: their outline, their reduction, and its memory."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.engine.language import LONGEST_PARSED, Check, Parsed
from boildown.engine.oracle import Outcome, from_test, limited
from boildown.engine.problem import Candidate, Problem, key
from boildown.engine.reducing.outline import outlined
from boildown.engine.reducing.reduce import SHORT_TEXT, Watch, reduce
from boildown.languages import load_language
from boildown.languages.plain import Plain
from boildown.tree import Leaf
from helpers import Characters, contains, run_pass

MILLION = 1_000_000


class Watched(Characters):
    """Plain text that notes how long the texts are that it parses or is asked about."""

    gap = " "

    def __init__(self) -> None:
        self.lengths: list[int] = []

    def parse(self, text: str) -> Parsed:
        self.lengths.append(len(text))
        return Plain().parse(text)

    def checker(self, text: str) -> Check:
        self.lengths.append(len(text))
        return super().checker(text)


def items(text: str, low: int = 0, high: int | None = None) -> list[str]:
    """Return the items that a text is divided into."""
    division = outlined(text).divided(low, len(text) if high is None else high)
    if division is None:
        return []
    return [text[a:b] for a, b in zip(division.starts, division.ends, strict=True)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            '[{"a": [1, 2], "b": "],"}, {"c": 3}, 4]',
            ['{"a": [1, 2], "b": "],"}', ' {"c": 3}', " 4"],
        ),
        (
            '{"key": [12345678901, 12345678901, 12345678901,]}\n',
            ["12345678901", " 12345678901", " 12345678901"],
        ),
        (
            "first line is here\nx (\n y\n)\nthird\n",
            ["first line is here\n", "x (\n y\n)\n", "third\n"],
        ),
        (
            "if one:\n    two\n    three\nif four:\n",
            ["if one:\n    two\n    three\n", "if four:\n"],
        ),
        (
            "f(a, b); g(c, (d, e)); x = {{h(i); j};}",
            ["f(a, b);", " g(c, (d, e));", " x = {{h(i); j};}"],
        ),
        (
            "<a><b>one, two</b><c/><b x='>'>three</b></a>",
            ["<b>one, two</b>", "<c/><b x='>'>three</b>"],
        ),
        ("(" * 36, ["(" * 16, "(" * 16, "(" * 4]),
        (
            "several words and no separator at all",
            ["several words and ", "no separator at ", "all"],
        ),
        ("short, text", []),
    ],
)
def test_a_text_is_divided(text: str, wanted: list[str]) -> None:
    assert items(text) == wanted


@given(st.text("([{<a/b>}])'\"\\,; \n", max_size=300))
def test_items_are_in_order_and_apart(text: str) -> None:
    outline = outlined(text)
    spans = [(0, len(text))]
    while spans:
        low, high = spans.pop()
        division = outline.divided(low, high)
        if division is None:
            continue
        found = list(zip(division.starts, division.ends, strict=True))
        at = low
        for (start, end), cut in zip(found, division.cuts, strict=True):
            assert at <= cut <= start <= end <= high
            at = end
        # It ends: every item is shorter than the whole.
        assert all(end - start < high - low for start, end in found)
        spans += found


@given(st.text(max_size=400) | st.text(" \n\x85\u2003a", min_size=200, max_size=400))
def test_the_key_counts_what_is_no_white_space(text: str) -> None:
    assert key(text) == (len("".join(text.split())), len(text), text)


def test_coarse_leaves_out_parts_of_the_outline() -> None:
    text = json.dumps([{"name": f"item {n}", "values": [n, n]} for n in range(200)])
    assert run_pass("coarse", text, contains('"item 77"'), Characters()) == (
        '[ {"name": "item 77"}]',
        16,
    )


def long_json(length: int) -> str:
    records = (json.dumps({"id": n, "values": [n, {"x": str(n)}]}) for n in range(length // 40))
    return "[" + ",\n".join(records) + "]\n"


def long_lines(length: int) -> str:
    return "".join(f"{n} is the number of this line\n" for n in range(length // 30))


def long_line(length: int) -> str:
    return " ".join(f"word{n}" for n in range(length // 8))


@pytest.mark.nightly
@pytest.mark.parametrize("make", [long_json, long_lines, long_line])
def test_a_long_text_is_parsed_when_it_has_become_short(make: Callable[[int], str]) -> None:
    text = make(2 * MILLION)
    assert len(text) > LONGEST_PARSED
    middle = len(text) // 3
    text = text[:middle] + "needle" + text[middle:]
    language = Watched()
    reduction = reduce(text, from_test(lambda new: "needle" in new), language)
    assert (reduction.text, reduction.minimality) == ("needle", "1-character-minimal")
    assert max(language.lengths) <= SHORT_TEXT
    assert reduction.runs < 70


@pytest.mark.nightly
@pytest.mark.parametrize("more", [0, 1])
def test_a_text_that_can_be_parsed_is_not_outlined(more: int) -> None:
    entered: list[str] = []
    text = " " * (LONGEST_PARSED + more)
    watch = Watch(entered=entered.append)
    reduce(text, from_test(lambda _new: False), Characters(), ("coarse", "squeeze"), watch)
    assert entered[0] == ("coarse" if more else "squeeze")


@pytest.mark.nightly
def test_two_parts_of_a_long_json_text() -> None:
    test = contains('"id": 777,', '"x": "33333"')
    reduction = reduce(long_json(2 * MILLION), from_test(test), load_language("json"))
    assert reduction.text == '"id": 777,"x": "33333"'
    assert reduction.minimality == "1-character-minimal"


@pytest.mark.nightly
def test_of_long_texts_only_every_half_is_kept() -> None:
    best = text = "\n".join(["x" * 100_000] * 30)

    def slow(new: str) -> bool:
        """Lets one line go at a time."""
        nonlocal best
        good = len(best) - 110_000 < len(new) < len(best) - 40_000
        best = new if good else best
        return good

    oracle = limited(from_test(slow), 30)
    reduction = reduce(text, oracle, Characters(), ("coarse", "squeeze"))
    lengths = [len(step.text) for step in reduction.history]
    assert reduction.outcomes[Outcome.REPRODUCED] > 15
    assert lengths[0] == len(text)
    assert lengths[-1] == len(best) == len(reduction.text)
    assert len(lengths) <= 3


@pytest.mark.nightly
def test_failed_candidates_are_not_kept() -> None:
    text = "x" * MILLION
    problem = Problem(Leaf("text", text), from_test(lambda _text: False), Characters())

    def candidates() -> Iterator[Candidate]:
        for at in range(20):
            yield Candidate(text[at + 1 :], lambda: Leaf("text", ""), free=True)

    tracemalloc.start()
    try:
        assert problem.consider_first(candidates()) is None
        assert tracemalloc.get_traced_memory()[1] < 4 * MILLION
    finally:
        tracemalloc.stop()


@pytest.mark.nightly
@pytest.mark.parametrize("make", [long_json, long_lines, long_line])
def test_the_memory_for_a_long_text(make: Callable[[int], str]) -> None:
    text = make(3 * MILLION)
    middle = len(text) // 3
    text = text[:middle] + "needle" + text[middle:]
    tracemalloc.start()
    try:
        reduction = reduce(text, from_test(lambda new: "needle" in new), Plain())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert reduction.text == "needle"
    # The caller's own text is not counted.
    assert peak < 5 * len(text)
