"""Replays: edits of a reduction that are made again on an earlier text of it."""

from __future__ import annotations

from random import Random

from boildown.engine.reducing.replay import Replay, replayed


def test_every_step_of_random_edits_is_made_again() -> None:
    rng = Random(0)
    for _ in range(200):
        texts = ["".join(rng.choice("ab(c)\n ") for _ in range(40))]
        while len(texts) < 6:
            text = texts[-1]
            start, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
            texts.append(text[:start] + rng.choice(["", "x", "yz"]) + text[end:])
        replay = Replay(texts)
        assert replay.made(()) == texts[0]
        assert replay.made(range(1, replay.number + 1)) == texts[-1]


def test_only_the_step_that_does_harm_is_left_out() -> None:
    texts = ["keep (a) b c\nd\n", "(a) b c\nd\n", "(a) b\nd\n", "(a) b\n", "(a)\n", "a\n"]
    asked: list[str] = []

    def does(text: str) -> bool:
        asked.append(text)
        return "keep" in text

    assert list(replayed(texts, does)) == ["keep a\n"]
    assert asked == ["keep a\n"]


def test_of_a_step_over_several_lines_the_line_that_does_harm_is_left_out() -> None:
    lines = [f"line {number}\n" for number in range(16)]
    found = list(replayed(["".join(lines), "", "-"], lambda text: "line 5\n" in text))
    assert found[-1] == "line 5\n"
    assert len(found) == 4


def test_a_change_too_large_to_be_compared_is_one_edit() -> None:
    before, after = "a b " * 2_000, "c d " * 2_000
    assert Replay([before, after]).made({1}) == after
