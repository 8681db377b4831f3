"""Patterns of pieces: what stayed of an original, with gaps for what went."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random

import pytest

from boildown.engine.generalizing.chain import embedded, pieces_of, with_blanks
from boildown.engine.generalizing.generalize import GeneralizeOptions, generalize
from boildown.engine.oracle import from_test
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.pieces import Gap, Piece, Pieces
from boildown.engine.patterns.reading import pattern_from_json
from boildown.engine.patterns.sketch import sketch
from boildown.engine.reducing.reduce import Watch
from boildown.languages import load_language

MARKDOWN, PYTHON = load_language("markdown"), load_language("python")
NOTES = "\n\n".join(f"# Part {n}\n\nSome words on {n}, and more.\n\n- item {n}" for n in range(12))


def generalized(text: str, fails: Callable[[str], bool]) -> Pattern:
    options = GeneralizeOptions(samples=40, goal=0.9)
    return generalize(text, from_test(fails), MARKDOWN, Random(0), options)


def in_notes(trigger: str) -> str:
    return NOTES.replace("\n\n# Part 4", f"\n\n{trigger}\n\n# Part 4")


def has_open_link(text: str) -> bool:
    return re.search(r"(?m)\[[^\]\n]*\]\($", text) is not None


def is_too_long(text: str) -> bool:
    return any(len(word) >= 40 for word in re.findall(r"see (\S+)", text))


@pytest.fixture(scope="module")
def open_link() -> Pattern:
    return generalized(in_notes("Look [here](\nor there."), has_open_link)


def test_the_pattern_matches_the_original_and_inputs_that_others_would_write(
    open_link: Pattern,
) -> None:
    assert str(sketch(open_link)) == "…[⟨line⟩](⏎…\nwhere ⟨line⟩ has no ]"
    assert open_link.matches(in_notes("Look [here](\nor there."))
    assert open_link.matches("# The [title of this](\n\nWords.")
    assert not open_link.matches(in_notes("Look [here](there.html) or there."))
    assert not open_link.matches(NOTES)


def test_inputs_of_the_pattern_are_made_of_lines_of_the_original(open_link: Pattern) -> None:
    texts = [open_link.sample(Random(seed)) for seed in range(30)]
    assert all(map(has_open_link, texts))
    assert any("Some words on" in text for text in texts)
    assert open_link.joint.lower_bound >= 0.85


def test_a_gap_shows_the_text_that_passes_in_a_wider_one(open_link: Pattern) -> None:
    counterexamples = [hole.counterexample for hole in open_link.holes]
    assert counterexamples[0] is None
    for text in counterexamples[1:]:
        assert text is not None
        assert not has_open_link(text)


def test_the_pattern_is_read_back_from_its_file(open_link: Pattern) -> None:
    again = pattern_from_json(json.loads(json.dumps(open_link.to_json())), MARKDOWN)
    assert again.to_json() == open_link.to_json()
    assert again.sample(Random(3)) == open_link.sample(Random(3))


def test_holes_that_miss_the_original_are_not_measured_before_the_pieces() -> None:
    entered: list[str] = []
    text = in_notes("Look [here](\nor there.")
    options = GeneralizeOptions(samples=40, goal=0.9)
    watch = Watch(entered=entered.append)
    pattern = generalize(text, from_test(has_open_link), MARKDOWN, Random(0), options, watch)
    assert pattern.matches(text)
    assert "chain" in entered
    assert "joint" not in entered
    assert 0 < pattern.reduction_runs < pattern.runs


def test_other_texts_are_told_from_all_of_the_language(open_link: Pattern) -> None:
    assert (~open_link).matches(NOTES)
    assert not (~open_link).matches(in_notes("Look [here](\nor there."))


def test_where_the_length_of_a_word_decides_it_is_told() -> None:
    address = "https://example.com/a/long/path/that/does/not/fit.html"
    pattern = generalized(in_notes(f"Please see {address} for more."), is_too_long)
    (run,) = [hole for hole in pattern.holes if hole.label == "40+ characters"]
    assert run.counterexample is not None
    assert not is_too_long(run.counterexample)
    assert pattern.matches(in_notes(f"You see {'x' * 40}"))
    assert not pattern.matches(in_notes(f"You see {'x' * 39}"))


def test_the_end_of_an_input_is_no_gap_where_nothing_may_follow() -> None:
    pattern = generalized(f"{NOTES}\n\n> quoted\n>", lambda text: text.endswith("\n>"))
    assert pattern.matches(f"{NOTES}\n\n> other *words*\n>")
    assert not pattern.matches(f"{NOTES}\n\n> other *words*\n> here")


def test_lines_beside_a_piece_stay_where_they_matter() -> None:
    original = in_notes("def total():\n    return 0, or what?")
    pattern = generalized(
        original, lambda text: re.search(r"def \w+\(\):\n +return 0", text) is not None
    )
    assert pattern.matches(original)
    assert pattern.matches(in_notes("def other():\n    return 0"))
    assert not pattern.matches(in_notes("return 0"))


def test_inputs_follow_the_grammar_if_the_original_does() -> None:
    body = "".join(f"def f{n}(a, b):\n    return a + b * {n}\n\n\n" for n in range(20))
    original = body.replace("a + b * 7", "fetch(a, retry=b, wait=7)")
    pattern = generalize(
        original,
        from_test(lambda text: "fetch(" in text and "wait=" in text),
        PYTHON,
        Random(0),
        GeneralizeOptions(samples=40, goal=0.9),
    )
    assert pattern.matches(original)
    assert not pattern.matches("x = ) fetch(wait=7)")


def test_where_the_pieces_of_the_smallest_text_say_nothing_those_of_the_next_do() -> None:
    def fails(text: str) -> bool:
        return re.search(r"<<\w+;>>|<>", text) is not None

    original = in_notes(f"{'Many words, ' * 40}<<word;>>{' and more' * 40}")
    pattern = generalized(original, fails)
    assert pattern.matches(original)
    assert pattern.matches(in_notes("Some <<thing;>> here"))
    assert not pattern.matches(in_notes("Some <thing;> here"))


def test_nothing_is_said_of_the_original_where_all_around_it_matters() -> None:
    size = len(in_notes("!"))
    pattern = generalized(in_notes("!"), lambda text: "!" in text and len(text) in (size, 1))
    assert not pattern.matches(NOTES + "!")


@pytest.mark.parametrize(
    ("gap", "held", "refused"),
    [
        (Gap.ANYTHING, ["", "a", " a\nb "], []),
        (Gap.AFTER, ["", "\n", "  \na", "\na"], ["a", " a\n"]),
        (Gap.BEFORE, ["", "\n", "a\n  ", "a\n"], ["a", "\na"]),
        (Gap.LINES, ["", "\n", "\na\n  ", " \n\n"], ["a", "\na", "a\n"]),
        (Gap.LINE, ["", "a (b", " "], ["\n", "a\nb"]),
        (Gap.BLANK, ["", " \n\t"], ["a", " a "]),
        (Gap.WORD, ["a", "a_1"], ["", "a b", "a-b"]),
        (Gap.RUN, ["a", "a-b"], ["", "a b"]),
    ],
)
def test_what_stands_in_a_gap(gap: Gap, held: list[str], refused: list[str]) -> None:
    for text in held:
        assert gap.holds(f"<{text}>", 1, 1 + len(text)), text
    for text in refused:
        assert not gap.holds(f"<{text}>", 1, 1 + len(text)), text


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a = 1;", ["", "1", ""]),
        ("x; a = 12; y", ["x; ", "12", " y"]),
        ("a = b; a = 3;", ["a = b; ", "3", ""]),
        ("a = (; a = x1; b", None),
        ("a = ;", None),
        ("", None),
    ],
)
def test_pieces_are_found_wherever_they_stand(text: str, values: list[str] | None) -> None:
    gap, number = Piece("", Gap.ANYTHING), Piece("1", Gap.WORD, without="abcx")
    parts = (gap, Piece("a = "), number, Piece(";"), gap)
    parsed = Pieces(MARKDOWN, parts).parse(text)
    assert parsed.valid is (values is not None)
    if values is not None:
        leaves = [leaf.text for leaf in parsed.tree.children[::2]]  # type: ignore[union-attr]
        assert leaves == values


def test_a_long_text_without_a_piece_is_refused_at_once() -> None:
    # By backtracking, this would take as many steps as there are ways to choose eight lines.
    gap = Piece("", Gap.ANYTHING)
    parts = [gap, *(each for _ in range(8) for each in (Piece("- item"), gap)), Piece("end")]
    assert not Pieces(MARKDOWN, tuple(parts)).valid("- item\n" * 5_000)


def test_pieces_are_as_few_as_can_be_and_near_each_other() -> None:
    assert pieces_of("[](", "[a](b) [c](") == [(0, 1), (2, 4)]
    assert pieces_of("abc", "a b abc") == [(4, 7)]
    assert pieces_of("ab", "ba") is None


def test_pieces_with_white_space_alone_between_them_are_one() -> None:
    text = "Call ( a ) [ b ] or { c } < d > ."
    offsets = [at for span in pieces_of("(a)[b]{c}<d>.", text) or [] for at in range(*span)]
    assert "".join(text[at] for at in with_blanks(text, offsets)) == "( a ) [ b ]{ c } < d > ."


def test_what_is_left_of_a_long_text_is_found_by_its_lines() -> None:
    lines = [f"line {number}: {number * number}\n" for number in range(100)]
    inner = "".join(lines[:40]) + "line : 1681\n" + "".join(lines[60:])
    text = "".join(lines)
    offsets = embedded(inner, text)
    assert offsets is not None
    assert "".join(text[at] for at in offsets) == inner
