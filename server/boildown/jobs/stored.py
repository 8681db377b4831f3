"""Patterns in files: JSON that says the language to read it with."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from boildown.engine.patterns.pattern import Pattern, pattern_from_json
from boildown.engine.patterns.sketch import sketch
from boildown.jobs.events import coded, headed
from boildown.jobs.generalize import Generalized
from boildown.languages import load_language
from boildown.runner.advice import Message
from boildown.runner.judging.parts import others_in_json


class PatternError(Exception):
    """A text that is no stored pattern; the message says why."""


def dump(found: Generalized, worded: Callable[[Message], str]) -> dict[str, Any]:
    """Return a pattern with its failure as JSON can hold it; `worded` makes notes texts."""
    stored, sketched = found.pattern.to_json(), sketch(found.pattern)
    holes = zip(stored["holes"], sketched.marks, sketched.holes, strict=True)
    return {
        **headed("pattern"),
        **stored,
        "sketch": str(sketched),
        "holes": [{**hole, "mark": mark, "sketch": text} for hole, mark, text in holes],
        "language": found.language,
        "failure": found.signature,
        "seconds": round(found.seconds, 3),
        "notes": coded(found.notes, worded),
        "others": others_in_json(found.others),
    }


def load(text: str, language: str | None = None) -> Pattern:
    """Return the pattern that a text holds, in the language that it names or in another one.

    Raises:
        PatternError: the text holds no pattern of the language.
        LanguageError: there is no such language.
    """
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PatternError(f"This is no pattern: it is not JSON ({error}).") from None
    if not isinstance(stored, dict) or not isinstance(stored.get("language"), str):
        raise PatternError(
            "This is no pattern: it has no 'language'. Make one with"
            " `boildown generalize FILE --output PATTERN.json -- CMD`."
        )
    try:
        return pattern_from_json(stored, load_language(language or stored["language"]))
    except ValueError as error:
        raise PatternError(str(error)) from None
