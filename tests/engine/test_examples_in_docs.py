"""The worked examples in the engine's docstrings show what really happens."""

from __future__ import annotations

import doctest
import inspect
from random import Random
from types import FunctionType, ModuleType

import pytest

from boildown import tree
from boildown.engine.generalizing import joint
from boildown.engine.generalizing.generalization import Generalization
from boildown.engine.generalizing.generalize import GeneralizeOptions, generalize
from boildown.engine.oracle import from_test
from boildown.engine.patterns import bounds, conditions, sketch
from boildown.engine.reducing import passes
from boildown.engine.reducing.passes.ddmin import ddmin
from boildown.engine.reducing.passes.gtr import _hoist_children
from boildown.grammar import restriction
from boildown.grammar.notations.lark import write
from boildown.jobs import instances
from boildown.languages import load_language
from helpers import Characters, logged, run_pass


@pytest.mark.parametrize(
    "module",
    [tree, bounds, conditions, restriction, sketch, write, instances],
    ids=lambda module: module.__name__,
)
def test_docstrings_show_the_output(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize(
    ("quoted", "first_line"), [(ddmin, "    pieces = 2\n"), (_hoist_children, "    index = 0\n")]
)
def test_the_guide_for_passes_quotes_them(quoted: FunctionType, first_line: str) -> None:
    _, _, rest = inspect.getsource(quoted).partition(first_line)
    assert rest
    assert first_line + rest in (passes.__doc__ or "")


def test_the_guide_for_passes_tells_the_runs_of_ddmin() -> None:
    runs: list[str] = []
    judge = logged(lambda text: "<" in text and ">" in text, runs)
    assert run_pass("ddmin", "ab<c>", judge, Characters()) == ("<>", 5)
    assert runs == ["<c>", "c>", "<", "<>", ">"]


def test_holes_are_made_to_hold_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """The example at the top of the module `joint`, step by step."""
    steps: list[str] = []

    def seen(name: str) -> None:
        original = getattr(joint, name)

        def wrapper(state: Generalization, *rest: object) -> object:
            before = str(state.pattern(state.holes))
            result = original(state, *rest)
            after = state.pattern(state.holes)
            steps.append(f"{name} {before} -> {after} {state.joint.reproduced}")
            return result

        monkeypatch.setattr(joint, name, wrapper)

    for name in ("_counterexample", "_narrow", "_give_up", "statement"):
        seen(name)
    language = load_language(
        {"<start>": ["<digit> <digit>"], "<digit>": [str(digit) for digit in range(10)]}
    )
    oracle = from_test(lambda text: sum(map(int, text.split())) < 10)
    options = GeneralizeOptions(reduce_first=False)
    pattern = generalize("1 2", oracle, language, Random(1), options)
    assert steps == [
        "_counterexample <digit> <digit> < 9 -> <digit> <digit> < 9 0",
        "_narrow <digit> <digit> < 9 -> <digit> < 8 <digit> < 9 0",
        "_counterexample <digit> < 8 <digit> < 9 -> <digit> < 8 <digit> < 9 3",
        "_narrow <digit> < 8 <digit> < 9 -> <digit> < 8 <digit> < 9 3",
        "statement <digit> < 8 <digit> < 9 -> <digit> < 8 <digit> < 9 72",
        "_give_up <digit> < 8 <digit> < 9 -> 1 <digit> < 9 0",
        "_counterexample 1 <digit> < 9 -> 1 <digit> < 9 30",
        "statement 1 <digit> < 9 -> 1 <digit> < 9 100",
    ]
    assert pattern.joint.lower_bound == pytest.approx(0.97, abs=0.001)
