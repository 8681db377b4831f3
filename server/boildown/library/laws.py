"""Laws for programs: parsed from their notation, to ask which inputs they explain."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boildown.engine.language import Language
from boildown.engine.laws.law import Law
from boildown.engine.laws.notation import parse_rules
from boildown.languages import load_language


def parse_law(text: str, language: Language | str | Path | Mapping[str, Any]) -> Law:
    """Parse a law in the notation of `docs/laws.md`, for the inputs of a language.

    `text` is the law, `language` a language, its name, a grammar file, or a grammar as a mapping in
    the fuzzingbook format.

    Raises:
        ValueError: the text is no law; the message says where.
        LanguageError: there is no such language.

    >>> law = parse_law("//price < 0 and not //draft", "json")
    >>> law.matches('[{"price": -1}]'), law.matches('[{"price": -1, "draft": true}]')
    (True, False)
    """
    if isinstance(language, str | Path | Mapping):
        language = load_language(language)
    return Law(parse_rules(text), language)
