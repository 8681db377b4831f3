"""What a user does to a reduction: parts that are kept, and edits that are handed in on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

import pytest

from boildown.engine.certificate import Unit
from boildown.engine.language import Language
from boildown.engine.oracle import Oracle, Outcome, Stop, Verdict, from_test
from boildown.engine.reducing.passes import PASSES
from boildown.engine.reducing.reduce import Reduction, Watch, reduce
from boildown.engine.user_edit import UserEdit
from boildown.languages import load_language

JSON = load_language("json")
PLAIN = load_language("plain")
TEXT = '{"a": [1, 2, {"deep": "x"}], "keep": {"b": null}, "c": 3}'


class Asked:
    """An oracle that remembers what it was asked."""

    def __init__(self, test: Callable[[str], bool]) -> None:
        self.test = test
        self.texts: list[str] = []

    def __call__(self, texts: Iterable[str]) -> Iterator[Verdict]:
        for text in texts:
            self.texts.append(text)
            yield Verdict(Outcome.REPRODUCED if self.test(text) else Outcome.PASSED)


class User:
    """A user who hands in edits after so many runs, each once, and hears what became of them."""

    def __init__(self, edits: Sequence[tuple[int, UserEdit]]) -> None:
        self.edits = list(edits)
        self.heard: list[tuple[str, Outcome | None]] = []
        self.best: list[str] = []

    def handed(self, run: int) -> UserEdit | None:
        return self.edits.pop(0)[1] if self.edits and self.edits[0][0] <= run else None

    @property
    def watch(self) -> Watch:
        def tried(edit: UserEdit, verdict: Verdict | None) -> None:
            self.heard.append((edit.text, None if verdict is None else verdict.outcome))

        return Watch(
            accepted=lambda text, _verdict: self.best.append(text), handed=self.handed, tried=tried
        )


def reduced(
    text: str, oracle: Oracle, *edits: tuple[int, UserEdit], language: Language = JSON
) -> tuple[Reduction, User]:
    user = User(edits)
    return reduce(text, oracle, language, watch=user.watch), user


def test_no_candidate_lacks_what_is_kept() -> None:
    oracle = Asked(lambda text: '"x"' in text)
    reduction = reduce(TEXT, oracle, JSON, keep=['"b": null', "3"])
    assert all('"b": null' in text and "3" in text for text in oracle.texts)
    assert '"x"' in reduction.text
    assert reduction.kept == ('"b": null', "3")
    certificate = reduction.certificate
    assert certificate is not None
    assert (certificate.unit, certificate.protected) == (Unit.CHARACTER, 2)
    # Each single character of what is left is needed, or kept.
    for at in range(len(reduction.text)):
        without = reduction.text[:at] + reduction.text[at + 1 :]
        assert not all(part in without for part in ('"x"', '"b": null', "3")), without


@pytest.mark.parametrize("each", PASSES, ids=lambda each: str(each.name))
def test_no_pass_asks_for_a_text_without_what_is_kept(each: object) -> None:
    oracle = Asked(lambda text: "x" in text)
    reduce(TEXT, oracle, JSON, passes=[each], keep=["deep", '"c": 3'])  # type: ignore[list-item]
    assert all("deep" in text and '"c": 3' in text for text in oracle.texts)


def test_a_long_text_is_reduced_around_what_is_kept() -> None:
    lines = [f"line {number} of many that say nothing" for number in range(40_000)]
    lines[12_345] = "the needle"
    lines[30_000] = "keep me as I am"
    text = "\n".join(lines)
    assert len(text) > 1_000_000
    oracle = Asked(lambda text: "needle" in text)
    reduction = reduce(text, oracle, PLAIN, keep=["keep me as I am"])
    assert reduction.text == "needlekeep me as I am"
    assert all("keep me as I am" in text for text in oracle.texts)


@pytest.mark.parametrize(
    ("keep", "why"),
    [
        (["none"], "The input does not hold 'none', which is to be kept."),
        (["y" * 50], f"The input does not hold {'y' * 40!r}…, which is to be kept."),
        ([""], "What is kept is a list of texts, none of them empty."),
        ("deep", "What is kept is a list of texts, none of them empty."),
    ],
)
def test_what_cannot_be_kept_is_refused(keep: Sequence[str], why: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the message is compared
        reduce(TEXT, from_test(lambda _text: True), JSON, keep=keep)
    assert str(error.value) == why


def test_an_edit_that_reproduces_is_gone_on_from_though_it_is_larger() -> None:
    larger = '{"z": "y x y", "more": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]}'
    assert len(larger) > len(TEXT)
    # Once "y x y" was seen, only that reproduces: the passes go on from the edit alone.
    seen = False

    def test(text: str) -> bool:
        nonlocal seen
        seen |= "y x y" in text
        return "y x y" in text if seen else "x" in text

    reduction, user = reduced(TEXT, from_test(test), (3, UserEdit(larger)))
    assert user.heard == [(larger, Outcome.REPRODUCED)]
    assert larger in user.best
    assert larger in [step.text for step in reduction.history]
    assert reduction.text == "y x y"
    assert reduction.certificate is not None
    assert reduction.finished


def test_an_edit_that_passes_changes_nothing_but_one_run() -> None:
    def test(text: str) -> bool:
        return '"x"' in text

    plain, _ = reduced(TEXT, from_test(test))
    asked = Asked(test)
    reduction, user = reduced(TEXT, asked, (5, UserEdit("[7, 7]")))
    assert user.heard == [("[7, 7]", Outcome.PASSED)]
    assert reduction.text == plain.text
    assert asked.texts.count("[7, 7]") == 1
    assert len(asked.texts) == len(set(asked.texts))
    assert reduction.certificate is not None


def test_an_edit_of_no_change_costs_no_run() -> None:
    asked = Asked(lambda text: '"x"' in text)
    user = User([])
    best: list[str] = [TEXT]
    watch = user.watch
    watch.accepted = lambda text, _verdict: best.append(text)
    handed = False

    def hand(run: int) -> UserEdit | None:
        nonlocal handed
        if handed or run < 6 or len(best) < 2:
            return None
        handed = True
        return UserEdit(best[-1])

    watch.handed = hand
    reduction = reduce(TEXT, asked, JSON, watch=watch)
    assert handed
    assert [outcome for _, outcome in user.heard] == [Outcome.REPRODUCED]
    assert len(asked.texts) == len(set(asked.texts))
    assert len({step.text for step in reduction.history}) == len(reduction.history)


def test_an_edit_at_the_very_end_is_tried_too() -> None:
    plain, _ = reduced(TEXT, from_test(lambda text: "x" in text))
    user = User([])
    finished = False

    def hand(run: int) -> UserEdit | None:
        nonlocal finished
        if run < plain.runs or finished:
            return None
        finished = True
        return UserEdit("[x, x]")

    watch = user.watch
    watch.handed = hand
    reduction = reduce(TEXT, from_test(lambda text: "x" in text), JSON, watch=watch)
    assert user.heard == [("[x, x]", Outcome.REPRODUCED)]
    assert "[x, x]" in [step.text for step in reduction.history]
    assert reduction.text == "x"
    assert reduction.finished


def test_an_edit_without_what_is_kept_is_not_run() -> None:
    asked = Asked(lambda text: '"x"' in text)
    user = User([(2, UserEdit('["x"]'))])
    reduce(TEXT, asked, JSON, watch=user.watch, keep=["3"])
    assert user.heard == [('["x"]', None)]
    assert '["x"]' not in asked.texts


def test_a_part_that_is_to_be_kept_brings_back_the_last_step_with_it() -> None:
    asked = Asked(lambda text: '"x"' in text)
    user = User([])
    watch = user.watch
    gone: list[str] = []

    def hand(_run: int) -> UserEdit | None:
        if gone or not user.best or "null" in user.best[-1]:
            return None
        gone.append(user.best[-1])
        return UserEdit("null", kept=True)

    watch.handed = hand
    reduction = reduce(TEXT, asked, JSON, watch=watch)
    assert gone
    assert user.heard == [("null", Outcome.REPRODUCED)]
    assert reduction.kept == ("null",)
    assert "null" in reduction.text
    assert gone[0] not in [step.text for step in reduction.history]
    assert reduction.certificate is not None
    assert reduction.certificate.protected == 1
    assert all("null" in step.text for step in reduction.history)


def test_a_part_that_no_step_holds_cannot_be_kept() -> None:
    reduction, user = reduced(
        TEXT,
        from_test(lambda text: "x" in text),
        (2, UserEdit("nowhere", kept=True)),
        (2, UserEdit("", kept=True)),
    )
    assert user.heard == [("nowhere", None), ("", None)]
    assert (reduction.text, reduction.kept) == ("x", ())


def test_a_stop_while_an_edit_is_tried_keeps_the_best() -> None:
    def oracle(texts: Iterable[str]) -> Iterator[Verdict]:
        for text in texts:
            if text == "edit":
                raise Stop("enough")
            yield Verdict(Outcome.REPRODUCED if "x" in text else Outcome.PASSED)

    reduction, user = reduced(TEXT, oracle, (4, UserEdit("edit")))
    assert not reduction.finished
    assert reduction.certificate is None
    assert "x" in reduction.text
    assert user.heard == []


def test_edits_at_any_time_leave_a_result_that_reproduces_and_keeps() -> None:
    rng = Random(19)
    for _ in range(30):
        edits = []
        for run in sorted(rng.choices(range(60), k=rng.randrange(1, 4))):
            text = "".join(rng.choices('x[]{}:,"1 null', k=rng.randrange(12)))
            edits.append((run, UserEdit(text, kept=rng.random() < 0.3)))
        asked = Asked(lambda text: "x" in text)
        first, user = reduced(TEXT, asked, *edits)
        again, _ = reduced(TEXT, from_test(lambda text: "x" in text), *edits)
        assert (again.text, again.runs) == (first.text, first.runs)
        assert "x" in first.text
        assert all(part in first.text for part in first.kept)
        assert first.certificate is not None
        assert len(user.heard) == len(edits) - len(user.edits)
        assert len(asked.texts) == len(set(asked.texts))
