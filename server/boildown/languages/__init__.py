"""Languages: parsing, editing and generation for a kind of text.

A language comes from a grammar, from a parser made for it, or from nothing but brackets and lines;
`load_language` finds one by its name, `detect` the one that a text is in.
"""

from boildown.languages.folder import LanguageError
from boildown.languages.registry import (
    Description,
    detect,
    languages,
    load_language,
    needs,
    wheel,
)

__all__ = [
    "Description",
    "LanguageError",
    "detect",
    "languages",
    "load_language",
    "needs",
    "wheel",
]
