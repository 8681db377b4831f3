"""Compares the passes on cases that are sampled from the shipped grammars.

Inputs are sampled from the shipped grammars. A test asks whether one symbol occurs in the parse of
a candidate, or a pair or a triple of symbols; a text that does not parse is INVALID. This is the
shoot-out that the chapter "Reducing Failure-Inducing Inputs" of the Fuzzing Book sets as its third
exercise. The tests run in this process, and everything follows from fixed seeds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from boildown import tree as trees
from boildown.engine.language import Language
from boildown.engine.oracle import Count, Outcome, Stop, cached, counted, from_test, limited
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes import PASSES, named
from boildown.engine.reducing.reduce import reduce
from boildown.grammar import ParseSuccess
from boildown.languages import load_language
from boildown.languages.grammar import GrammarLanguage

GRAMMARS = ("expressions", "json", "html")
INPUTS = 6
"""How many inputs there are per grammar and number of symbols."""
TOKENS = 200
"""The budget of an input."""
SHORTEST = 100
"""How many characters an input has at least."""
MAX_RUNS = 3000
"""Where a pass is stopped."""

PUBLISHED = (
    *("ddmin", "hdd", "gtr", "grammar", "grammar-all", "grammar-depth"),
    *("perses", "choices", "production"),
)
"""The algorithms that are compared with the pipeline, as far as the catalogue has them."""


_SYMBOL = re.compile(r'\w+|"[^"]+"')
"""The label of a symbol that the grammar names, not of a list or an option within a rule."""


@dataclass(frozen=True, slots=True)
class Generated:
    """The figures of one pass on one generated case."""

    grammar: str
    number: int
    """Which of the grammar's cases it is, from 0."""
    symbols: tuple[str, ...]
    """The symbols that must occur in a candidate for it to reproduce."""
    algorithm: str
    """The name of a pass, or "auto" for the default pipeline."""
    size_before: int
    """In characters."""
    size_after: int
    runs: int
    finished: bool
    """False if it was stopped at the most runs."""


Test = Callable[[str], Outcome]


def measure_all() -> list[Generated]:
    """Run all algorithms on all generated cases."""
    rows = []
    for grammar in GRAMMARS:
        language = load(grammar)
        for number, (text, symbols) in enumerate(cases(language, grammar)):
            test = occurrence_test(language, symbols)
            for name in algorithms():
                result, runs, finished = run(name, text, test, language)
                sizes = len(text), len(result)
                rows.append(Generated(grammar, number, symbols, name, *sizes, runs, finished))
        print(f"{grammar}: {len(rows)} reductions so far", flush=True)
    return rows


def load(grammar: str) -> GrammarLanguage:
    """Return a shipped language that a grammar describes."""
    language = load_language(grammar)
    assert isinstance(language, GrammarLanguage)
    return language


def algorithms() -> tuple[str, ...]:
    """Return the names of the compared passes, the pipeline last."""
    catalogue = {each.name for each in PASSES}
    return (*(name for name in PUBLISHED if name in catalogue), "auto")


def cases(language: GrammarLanguage, seed: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield inputs, each with the one, two or three symbols that must occur."""
    rng = Random(seed)
    everywhere = symbols_in(language, language.shortest("start") or "")
    for wanted in (1, 2, 3):
        made = 0
        while made < INPUTS:
            text = language.sample("start", rng, TOKENS) or ""
            found = sorted(symbols_in(language, text) - everywhere)
            if len(text) >= SHORTEST and len(found) >= wanted:
                made += 1
                yield text, tuple(sorted(rng.sample(found, wanted)))


def symbols_in(language: GrammarLanguage, text: str) -> frozenset[str]:
    """Return the nonterminals and terminals in the parse of a text; none if it does not parse."""
    result = language.parser.parse(text)
    if not isinstance(result, ParseSuccess):
        return frozenset()
    labels = {place.tree.label for place in trees.places(result.tree)}
    return frozenset(label for label in labels if _SYMBOL.fullmatch(label))


def occurrence_test(language: GrammarLanguage, symbols: tuple[str, ...]) -> Test:
    """Make a cached predicate that holds where all symbols occur in a text's parse."""
    memory: dict[str, Outcome] = {}

    def test(text: str) -> Outcome:
        if text not in memory:
            memory[text] = judged(text)
        return memory[text]

    def judged(text: str) -> Outcome:
        found = symbols_in(language, text)
        if not found:
            return Outcome.INVALID
        return Outcome.REPRODUCED if found.issuperset(symbols) else Outcome.PASSED

    return test


def run(algorithm: str, text: str, test: Test, language: Language) -> tuple[str, int, bool]:
    """Run a pass alone and once, or the pipeline; return the result, its runs, and if it ended.

    The run of the input itself is not counted.
    """
    oracle = limited(from_test(test), MAX_RUNS)
    if algorithm == "auto":
        reduction = reduce(text, oracle, language)
        return reduction.text, reduction.runs, reduction.finished
    count = Count()
    problem = Problem(language.parse(text).tree, cached(counted(oracle, count)), language)
    (each,) = named((algorithm,))
    try:
        each.run(problem)
    except Stop:
        return problem.text, count.runs, False
    return problem.text, count.runs, True
