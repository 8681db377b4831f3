"""Patterns in files: JSON that says the language to read it with."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from boildown.decoding import FILLED, PATH, WrongShape, decode
from boildown.engine.matters import VariedToken
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.reading import pattern_from_json
from boildown.engine.patterns.sketch import sketch
from boildown.jobs.card import card
from boildown.jobs.events import PatternError, coded, headed
from boildown.jobs.generalize import Generalized
from boildown.languages import load_language
from boildown.runner.advice import Message
from boildown.runner.judging.parts import others_in_json
from boildown.visible import visible


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
        "smallest": found.smallest,
        "passing": found.passing and asdict(found.passing),
        "tokens": [_token(each) for each in found.pattern.tokens],
        "card": [visible(line) for line in card(found)],
        "others": others_in_json(found.others),
    }


def _token(token: VariedToken) -> dict[str, Any]:
    return {**asdict(token), "need": token.need and token.need.value}


@dataclass(frozen=True, slots=True)
class StoredPattern:
    """A pattern as it stands in a file, with its failure and the path of its input."""

    pattern: Pattern
    failure: str
    """The signature of the failure; empty: not known."""
    file: str | None
    """The path of the failing input, from the folder in which the pattern was found."""


@dataclass(frozen=True, slots=True)
class _Head:
    """The keys of a pattern file beside those of the pattern."""

    language: Annotated[str, FILLED]
    failure: str | None = None
    file: Annotated[str, PATH] | None = None


def load(text: str, name: str, language: str | None = None) -> StoredPattern:
    """Return the pattern of a file, in the language that the file names or in another one.

    `name` is that of the file, for messages.

    Raises:
        PatternError: the text holds no pattern of the language; the message says where and why.
        LanguageError: there is no such language.
    """
    try:
        values = json.loads(text)
        head = decode(_Head, values)
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, WrongShape) else f"it is not JSON ({error})."
        raise PatternError(f"{name} is no pattern file: {reason} {_MAKE_ONE}") from None
    try:
        pattern = pattern_from_json(values, load_language(language or head.language))
    except WrongShape as error:
        raise PatternError(f"{name} is no pattern file: {error}") from None
    return StoredPattern(pattern, head.failure or "", head.file)


_MAKE_ONE = "`boildown generalize FILE --output PATTERN.json -- CMD` makes one."
