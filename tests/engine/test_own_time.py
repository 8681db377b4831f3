"""What the engine does between two runs, by counts of characters and of runs, never by clocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from boildown import tree as trees
from boildown.engine import difference as differences
from boildown.engine import problem as problems
from boildown.engine.candidates import edited, hoisted
from boildown.engine.difference import difference
from boildown.engine.language import Check
from boildown.engine.oracle import Step, Stop, from_test
from boildown.engine.problem import Problem, is_smaller, key
from boildown.engine.reducing.passes.perses import compatible
from boildown.engine.reducing.reduce import Watch, reduce
from boildown.engine.reducing.steps import Steps
from boildown.languages import load_language
from boildown.tree import Leaf, Place, Tree
from helpers import Characters, contains, run_pass

TEXTS = st.text("ab \n\x85", max_size=8)


def nested(levels: int, inside: str = "42") -> str:
    return "[" * levels + inside + "]" * levels


@given(TEXTS, TEXTS, st.integers(0, 3))
@example("ab", "ab", 3)
def test_a_difference_is_the_same_however_long_the_texts(old: str, new: str, blocks: int) -> None:
    same = "c" * (differences._BLOCK * blocks // 2)
    start, end, instead = difference(same + old + same, same + new + same)
    assert same + new + same == (same + old + same)[:start] + instead + (same + old + same)[end:]
    assert (old == new) == (start == end and not instead)
    # Nothing at either end is the same.
    assert not instead or start == end or instead[0] != (same + old + same)[start]
    assert not instead or start == end or instead[-1] != (same + old + same)[end - 1]


@given(TEXTS, TEXTS, st.sampled_from(["", "x " * 500]), st.sampled_from(["", " y" * 500]))
def test_what_is_smaller_is_so_by_the_key(old: str, new: str, left: str, right: str) -> None:
    old, new = left + old + right, left + new + right
    assert is_smaller(new, old) == (key(new) < key(old))


def test_only_what_differs_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    inked = problems._inked

    def counting(text: str) -> int:
        counted.append(len(text))
        return inked(text)

    monkeypatch.setattr(problems, "_inked", counting)
    text = "word " * 200_000
    problem = Problem(Leaf("text", text), from_test(lambda _text: False), Characters())
    for at in range(0, len(text), 100_000):
        problem.consider(problems.Candidate(text[:at] + text[at + 7 :], lambda: Leaf("", "")))
    assert sum(counted) <= 10 * 7


@pytest.mark.parametrize(
    ("kept", "wanted", "most"),
    [(0, "42", 10), (1, "[42]", 50), (30, nested(30), 300)],
)
@pytest.mark.parametrize("levels", [1_000, 10_000])
def test_levels_go_by_halves(levels: int, kept: int, wanted: str, most: int) -> None:
    """A run for each level would be a thousand."""

    def test(text: str) -> bool:
        return "42" in text and text.count("[") == text.count("]") >= kept

    reduction = reduce(nested(levels), from_test(test), load_language("json"))
    assert reduction.text == wanted
    assert reduction.runs <= most


def test_levels_that_stay_may_be_anywhere() -> None:
    text = "(" * 70 + "(keep " + "(" * 70 + "word" + ")" * 141
    test = contains("(keep", "(word)")
    assert run_pass("unnest", text, test, load_language("plain"))[0] == "(keep(word))"


def test_few_levels_are_left_to_other_passes() -> None:
    assert run_pass("unnest", nested(49), contains("42"), load_language("json")) == (nested(49), 0)


def test_what_is_hoisted_is_not_walked_over(monkeypatch: pytest.MonkeyPatch) -> None:
    walked: list[int] = []
    text_of = trees.text

    def counting(tree: Tree) -> str:
        walked.append(tree.width)
        return text_of(tree)

    monkeypatch.setattr(trees, "text", counting)
    text = nested(300)
    result, runs = run_pass("perses", text, contains(text), load_language("json"))
    assert result == text
    assert runs > 300
    assert sum(walked) <= 2 * len(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("json", '{"a": [1, [2,\n  [3]], {"b": [ 4 ]}]}'),
        ("python", "if a:\n    while b:\n        c\n        if d:\n            e\nf(g(h ))\n"),
        ("expressions", "1 + (2 * (3 - 4))"),
    ],
)
def test_what_is_hoisted_reads_as_any_edit(name: str, text: str) -> None:
    language = load_language(name)
    problem = Problem(language.parse(text).tree, from_test(lambda _text: False), language)
    pairs = [
        (place, inner)
        for place in trees.places(problem.tree)
        for inner in compatible(problem, place, 3)
    ]
    assert len(pairs) > 3
    for place, inner in pairs:
        candidate = hoisted(problem, place, inner)
        assert candidate.text == edited(problem, [(place, inner.tree)]).text
        assert trees.text(candidate.tree()) == candidate.text


def test_two_chains() -> None:
    text = f"[{nested(60, '1')}, {nested(70, '2')}]"
    result, runs = run_pass("unnest", text, contains("1", "2"), load_language("json"))
    assert result == "[[1],[2]]"
    assert runs <= 30


def test_a_job_may_end_between_two_runs() -> None:
    """Candidates that are known, or not worth a run, are a chance to stop, too."""
    runs = checks = 0

    def test(_text: str) -> bool:
        nonlocal runs
        runs += 1
        return False

    def check() -> None:
        nonlocal checks
        checks += 1
        if checks == 500:
            raise Stop

    reduction = reduce(nested(40), from_test(test), load_language("json"), watch=Watch(check=check))
    assert not reduction.finished
    assert runs < checks == 500


@given(st.lists(TEXTS, min_size=1, max_size=6), st.integers(1, 6))
def test_steps_are_a_sequence(texts: list[str], length: int) -> None:
    wanted = [Step(run, text) for run, text in enumerate(texts)]
    steps = Steps(wanted[0], wanted[1:])
    assert list(steps) == wanted
    assert steps == wanted
    assert [steps[at] for at in range(-len(steps), len(steps))] == 2 * wanted
    assert list(reversed(steps)) == wanted[::-1]
    assert list(steps[1:]) == wanted[1:]
    steps.cut(min(length, len(wanted)))
    assert list(steps) == wanted[:length]


@pytest.mark.parametrize(
    "step",
    [
        lambda text: text[1:-1],
        lambda text: text[: len(text) // 2 - 1] + text[len(text) // 2 + 1 :],
        lambda text: '{"a":' + text[5:-3] + "}",
    ],
)
def test_steps_keep_edits_and_no_texts(step: Callable[[str], str]) -> None:
    text = "".join(f"[{number}," for number in range(3000)) + "]" * 3000
    texts: list[str] = [text]
    while len(texts) < 300:
        texts.append(step(texts[-1]))
    steps = Steps(Step(0, text), (Step(0, each) for each in texts[1:]))
    assert [each.text for each in steps] == texts
    assert sum(_kept(steps)) < 3 * len(text)


def _kept(steps: Steps) -> Sequence[int]:
    """Return the lengths of all texts that steps hold."""
    news = [edit.new for edit in steps._edits if isinstance(edit.new, str)]
    return [len(steps[0].text), len(steps[-1].text), *map(len, news)]


def test_the_history_of_a_reduction_is_made_again() -> None:
    text = "\n".join(f"line {number}" for number in range(300))
    reduction = reduce(text, from_test(contains("7", "9")), load_language("plain"))
    texts = [step.text for step in reduction.history]
    assert (texts[0], texts[-1]) == (text, reduction.text)
    assert all(is_smaller(after, before) for before, after in pairwise(texts))


def test_a_checker_goes_on_from_a_text_that_is_near() -> None:
    """It may have to parse all of that, so a small step is no reason for another one."""
    asked: list[int] = []

    class Checked(Characters):
        def checker(self, text: str) -> Check:
            def accepts(_new: str, near: str) -> bool:
                asked.append(len(near))
                return True

            return accepts

    language = Checked()
    leaf = Leaf("text", "word " * 2000)
    problem = Problem(leaf, from_test(lambda _text: True), language)
    for cut in (100, 1000, 1000, 1000, 100):
        shorter = Leaf("text", problem.text[cut:])
        assert problem.consider(edited(problem, [(Place(problem.tree, 0), shorter)]))
    assert asked == [10_000, 10_000, 10_000, 7_900, 7_900]
