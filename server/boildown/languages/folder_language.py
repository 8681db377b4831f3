"""The language of folders: a list of files, each with the tree of its own language.

The text is the one of `boildown.folder_text`. A file is a header, which stays as it is, and a
content, which may be empty; so a reducer leaves out files, empties them, and reduces in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from random import Random

from boildown.engine.language import Check, Expansions, Language, Parsed, Rewriting
from boildown.folder_text import sections
from boildown.tree import Kind, Leaf, Node, Tree

_FILE, _CONTENT, _HEADER = "file", "content", "header"
_KEPT_TREES = 4096
"""Files whose trees are kept: after a step all but one are the same."""


@dataclass(frozen=True, slots=True, eq=False)
class FolderLanguage:
    """The language of the texts that stand for folders."""

    detect: Callable[[str, str], Language]
    """Returns the language of a file by its path and its content."""
    name: str = "folder"
    gap: str = " "
    scope: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    strict: bool = False
    _languages: dict[str, Language] = field(default_factory=dict)
    """The languages that were met, by their names."""
    _by_path: dict[str, Language] = field(default_factory=dict)
    _parsed: Callable[[str, str], Parsed] = field(init=False)

    def __post_init__(self) -> None:
        def parsed(path: str, content: str) -> Parsed:
            return self._language(path, content).parse(content)

        object.__setattr__(self, "_parsed", lru_cache(_KEPT_TREES)(parsed))

    @property
    def rewriting(self) -> Rewriting:
        """The literals and rules of all languages that were met."""
        known = [each.rewriting for each in self._met()]
        literals = dict.fromkeys(literal for each in known for literal in each.literals)
        return Rewriting(tuple(literals), tuple(rule for each in known for rule in each.rules))

    def parse(self, text: str) -> Parsed:
        """Parse the files, each in its language; one that did not change is not parsed again."""
        files: list[Tree] = []
        notes: dict[str, None] = {}
        valid = True
        end = 0
        for start, path, begin, after in sections(text):
            if start > end:
                # Text that no file holds comes first, if at all.
                files.append(Leaf("lost", text[end:start]))
            header = Leaf(_HEADER, text[start:begin], "", start)
            found = self._parsed(path, text[begin:after])
            notes |= dict.fromkeys(f"{path}: {note}" for note in found.notes)
            valid = valid and found.valid
            content = (found.tree,) if after > begin else ()
            files.append(Node(_FILE, (header, Node(_CONTENT, content, Kind.OPTION))))
            end = after
        if end < len(text):
            files.append(Leaf("lost", text[end:]))
        return Parsed(Node("files", tuple(files), Kind.LIST), tuple(notes), valid)

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a subtree may stand in a place, by the word of any language that was met.

        Languages may share a label; what fits in none of them but in another costs a run.
        """
        return slot == label or any(each.fits(slot, label) for each in self._met())

    def shortest(self, label: str) -> str | None:
        """Return the shortest text of a label in the first language that knows one."""
        return next((text for each in self._met() if (text := each.shortest(label))), None)

    def expansions(self, label: str) -> Expansions | None:
        """Return the alternatives of a label in the first language that knows them."""
        return next((found for each in self._met() if (found := each.expansions(label))), None)

    def substitutes(self, label: str) -> tuple[str, ...]:
        """Return the labels that fit in place of one, by the first language that knows any."""
        return next((found for each in self._met() if (found := each.substitutes(label))), ())

    def valid(self, text: str) -> bool:
        """Say whether each file follows the grammar of its language."""
        return all(
            self._language(path, text[start:end]).valid(text[start:end])
            for _, path, start, end in sections(text)
        )

    def checker(self, text: str) -> Check:
        """Return a check by each file's own language, of the files that a candidate changes."""
        originals = {path: text[start:end] for _, path, start, end in sections(text)}
        checks: dict[str, Check] = {}

        def is_worth(path: str, content: str, before: str) -> bool:
            if path not in originals:
                return True
            if path not in checks:
                original = originals[path]
                checks[path] = self._language(path, original).checker(original)
            return checks[path](content, before)

        worth = lru_cache(_KEPT_TREES)(is_worth)

        def accepts(candidate: str, best: str) -> bool:
            before = {path: best[start:end] for _, path, start, end in sections(best)}
            return all(
                worth(path, candidate[start:end], before.get(path, ""))
                for _, path, start, end in sections(candidate)
            )

        return accepts

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text of the first language that has one for the label."""
        return next(
            (text for each in self._met() if (text := each.sample(label, rng, budget))), None
        )

    def _met(self) -> Iterator[Language]:
        return iter(self._languages.values())

    def _language(self, path: str, content: str) -> Language:
        if path not in self._by_path:
            found = self.detect(PurePosixPath(path).name, content)
            self._by_path[path] = self._languages.setdefault(found.name, found)
        return self._by_path[path]
