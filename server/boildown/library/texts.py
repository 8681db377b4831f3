"""The library: reduces and generalizes texts in memory by a Python predicate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from boildown.engine.generalizing import generalize as engine
from boildown.engine.language import Language
from boildown.engine.oracle import Oracle, Outcome, from_test, judge, limited
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.reducing.passes import AUTO
from boildown.engine.reducing.reduce import Reduction
from boildown.engine.reducing.reduce import reduce as reduce_text
from boildown.languages import load_language

Test = Callable[[str], "Outcome | bool"]
"""A predicate on texts: returns an outcome, or True for reproduced and False for passed."""


def reduce(
    text: str,
    test: Test,
    language: Language | str | None = None,
    *,
    passes: Sequence[str] | None = None,
    max_runs: int | None = None,
) -> Reduction:
    """Reduce a text to the smallest one for which `test` still says that it reproduces.

    `language` is a language or its name; None takes brackets, lines and words for structure.
    `passes` names passes of the catalogue. The first run, on the text itself, is not counted.

    Raises:
        ValueError: the text does not reproduce, or there is no such pass.
        LanguageError: there is no such language.

    >>> reduce("[1, [2, 3], 4]", lambda text: "3" in text, "json").text
    '3'
    """
    oracle = _judging(text, test, max_runs)
    if language is None or isinstance(language, str):
        language = load_language(language or "plain")
    return reduce_text(text, oracle, language, AUTO if passes is None else tuple(passes))


def generalize(
    text: str,
    test: Test,
    language: Language | str | Path | Mapping[str, Any],
    *,
    method: str = "auto",
    samples: int = 100,
    seed: int = 0,
    reduce_first: bool = True,
    max_runs: int | None = None,
) -> Pattern:
    """Return the pattern of the texts for which `test` says that they reproduce.

    `language` is a language, its name, a grammar file, or a grammar as a mapping in the fuzzingbook
    format. `method` is "auto", "ddset" or "ddset-simple"; `samples` is how many random texts the
    statements rest on. The text is reduced first, unless `reduce_first` is false. The first run, on
    the text itself, is not counted.

    Raises:
        ValueError: the text does not reproduce, or there is no such method.
        LanguageError: there is no such language.

    >>> digits = {"<start>": ["-<digit>"], "<digit>": ["1", "2", "3"]}
    >>> str(generalize("-1", lambda text: text.startswith("-"), digits))
    '-<digit>'
    """
    oracle = _judging(text, test, max_runs)
    if isinstance(language, str | Path | Mapping):
        language = load_language(language)
    how = engine.GeneralizeOptions(method=method, samples=samples, reduce_first=reduce_first)
    return engine.generalize(text, oracle, language, Random(seed), how)


def _judging(text: str, test: Test, max_runs: int | None) -> Oracle:
    """Return the test as an oracle with its limit, once it has reproduced on the text."""
    oracle = from_test(test)
    first = judge(oracle, text)
    if not first.reproduced:
        raise ValueError(f"The text does not reproduce: the test says {first.outcome.value}.")
    return oracle if max_runs is None else limited(oracle, max_runs)
