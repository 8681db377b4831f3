"""Languages: how a kind of text is parsed, edited and generated.

A language comes from a grammar, from a parser made for it, or from nothing but brackets and lines;
`load_language` and `detect` find the one that is wanted.
"""

from boildown.languages.folder import LanguageError
from boildown.languages.registry import Description, detect, languages, load_language

__all__ = ["Description", "LanguageError", "detect", "languages", "load_language"]
