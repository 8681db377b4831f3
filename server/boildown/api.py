"""The library: the engine behind one function per task, for texts and tests that are in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from boildown.engine.language import Language
from boildown.engine.oracle import Outcome, from_test, judge, limited
from boildown.engine.passes import AUTO
from boildown.engine.reduce import Reduction
from boildown.engine.reduce import reduce as reduce_text
from boildown.languages import load_language

Test = Callable[[str], "Outcome | bool"]
"""Says of a text what it does: an outcome, or True for reproduced and False for passed."""


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
    oracle = from_test(test)
    first = judge(oracle, text)
    if not first.reproduced:
        raise ValueError(f"The text does not reproduce: the test says {first.outcome.value}.")
    if max_runs is not None:
        oracle = limited(oracle, max_runs)
    if language is None or isinstance(language, str):
        language = load_language(language or "plain")
    return reduce_text(text, oracle, language, AUTO if passes is None else tuple(passes))
