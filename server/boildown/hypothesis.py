"""Reduces falsifying examples of Hypothesis by the grammar of the text, further than shrinking.

Hypothesis shrinks the choices by which a strategy made a text, so a text of one piece, such as one
of `st.text()` or of a list of recorded inputs, keeps parts that a parser would see.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, AnyStr

from hypothesis.errors import HypothesisDeprecationWarning, UnsatisfiedAssumption

from boildown.languages import detect
from boildown.library.predicates import as_text
from boildown.library.texts import reduce

__all__ = ["smaller"]


def smaller(
    test: Callable[..., Any],
    example: AnyStr,
    language: str | None = None,
    *,
    max_runs: int | None = None,
    max_seconds: float | None = None,
) -> AnyStr:
    """Reduce a falsifying example of a property, print it as `@example(...)`, and return it.

    `test` is a function with `@given` and one argument, a text or bytes; a method is given bound to
    its object. The `example` is one for which it fails. A text on which it raises the same
    reproduces; one that `assume` rejects does not. Whether the strategy could make the result is
    not asked: `@example` takes any value.

    `language` names a language; None tells it by the text. `max_runs` and `max_seconds` are limits
    at which the best so far is the result.

    Raises:
        TypeError: `test` is no property of one argument, or the example no text.
        ValueError: the property holds for the example.
        LanguageError: there is no such language.

    >>> from hypothesis import given, strategies as st
    >>> @given(document=st.text())
    ... def test_sum(document: str) -> None:
    ...     assert "[[" not in document
    >>> smaller(test_sum, "[1, [[2, 3], 4]]")
    @example(document='[[')
    '[['
    """
    inner = getattr(getattr(test, "hypothesis", None), "inner_test", None)
    if inner is None:
        raise TypeError("The test must be a property, a function with Hypothesis' @given.")
    if (bound := getattr(test, "__self__", None)) is not None:
        inner = inner.__get__(bound)
    names = list(inspect.signature(inner).parameters)
    if len(names) != 1:
        raise TypeError(f"The property must take one argument, not {len(names)}: {names}.")

    def fails(text: AnyStr) -> bool:
        """Raise the property's exception; return False if it holds, or assumes another text."""
        with suppress(UnsatisfiedAssumption):
            inner(text)
        return False

    found = language or detect("", as_text(example)).name
    with warnings.catch_warnings():
        # It says that the test, which uses `assume`, is not called by Hypothesis.
        warnings.simplefilter("ignore", HypothesisDeprecationWarning)
        reduction = reduce(example, fails, found, max_runs=max_runs, max_seconds=max_seconds)
    print(f"@example({names[0]}={reduction.text!r})")
    return reduction.text
