"""Languages and derivation trees for people: which languages there are, and trees as pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from boildown.config import LanguageEntry
from boildown.jobs.generalize import Generalized
from boildown.jobs.work import JobOptions, language_for
from boildown.languages import LanguageError, detect, languages, needs, wheel
from boildown.languages.picture import DrawnRow, as_dot, as_rows, as_svg, as_text
from boildown.tree import Tree, places

__all__ = [
    "PICTURES",
    "LanguageError",
    "Understood",
    "detected",
    "listed",
    "understand",
    "understood_pattern",
]

PICTURES = ("dot", "svg", "text")
"""The forms in which a tree can be drawn."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A text with its derivation tree."""

    language: str
    """The language's name, or the grammar file that was asked for."""
    text: str
    tree: Tree
    notes: tuple[str, ...] = ()
    """Sentences for the user, such as where the text does not follow the grammar."""

    def picture(self, form: str) -> str:
        """Return the tree in one of `PICTURES`."""
        return {"dot": as_dot, "svg": as_svg, "text": as_text}[form](self.tree)

    def rows(
        self,
        holes: Mapping[tuple[int, ...], int] | None = None,
        gaps: Mapping[tuple[int, ...], tuple[int, ...]] | None = None,
    ) -> list[DrawnRow]:
        """Return the tree for somebody who draws it, as `languages.picture.as_rows` does."""
        return as_rows(self.tree, holes, gaps)

    def is_larger(self, most: int) -> bool:
        """Say whether the tree has more than so many nodes and tokens."""
        return next(islice(places(self.tree), most, None), None) is not None


def understand(
    text: str, name: str, language: str | None = None, language_id: str | None = None
) -> Understood:
    """Parse a text in the language that is asked for, or else in the detected one.

    `name` is the name of a file that would hold the text, `language_id` the editor's name of the
    language; both help to detect it. Raises LanguageError if there is no such language.
    """
    chosen = language_for(text, name, JobOptions(language=language, language_id=language_id))
    parsed = chosen.parse(text)
    return Understood(language or chosen.name, text, parsed.tree, parsed.notes)


def understood_pattern(found: Generalized) -> Understood:
    """Return the text of a pattern with its derivation tree, which the holes are subtrees of."""
    return Understood(found.language, found.pattern.text, found.pattern.template.tree)


def detected(text: str, name: str, language_id: str | None = None) -> str:
    """Return the name of the language that a text is in, by file name, editor, and content."""
    return detect(name, text, language_id).name


def listed(configured: Sequence[LanguageEntry] = ()) -> list[dict[str, Any]]:
    """Describe all languages, sorted by name, and then configured ones, as JSON can hold it.

    Each has `name`, `title`, `source`, `files` (globs), `ids` (editors' names), `missing`: the
    extra or the package to install first, empty if the language can be used, and `install`: the
    command that does so.
    """
    wheels = [wheel(each.tree_sitter, each.name, each.files) for each in configured]
    return [{**asdict(each), "install": needs(each)} for each in [*languages(), *wheels]]
