"""All languages by name: which there are, how to get one, and which one a text is in."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Any

from boildown.engine.language import Language
from boildown.languages.folder import (
    LanguageError,
    about,
    grammar_file,
    grammars_folder,
    read_grammar,
)
from boildown.languages.grammar import grammar_language
from boildown.languages.plain import Plain


@dataclass(frozen=True, slots=True)
class Description:
    """What there is to know of a language before it is loaded."""

    name: str
    source: str
    """What it is made of: "grammar", "tree-sitter", "parso" or "built in"."""
    files: tuple[str, ...] = ()
    """Globs of file names."""
    ids: tuple[str, ...] = ()
    """What editors call it, the name itself left out."""
    missing: str = ""
    """The extra that has to be installed first; empty if it can be used."""

    @property
    def installed(self) -> bool:
        """Whether it can be used."""
        return not self.missing


@dataclass(frozen=True, slots=True)
class Entry:
    """A language of the catalogue."""

    description: Description
    load: Callable[[], Language]
    looks_like: str | None = None
    """Matches the beginning of a text that is worth trying to parse."""


def languages() -> list[Description]:
    """Describe all languages, sorted by name."""
    return [entry.description for _, entry in sorted(_catalogue().items())]


def load_language(source: str | Path | Mapping[str, Any]) -> Language:
    """Return a language by its name, from a grammar file or folder, or from a grammar as a mapping.

    A mapping is a grammar in the fuzzingbook format: nonterminals such as `<digit>` to lists of
    expansions, which are strings, lists of symbols, or pairs of these with options.

    Raises:
        LanguageError: there is no such language, or a part of it is not installed.
        GrammarError: the grammar is broken; the message says where.
    """
    if isinstance(source, Mapping):
        return _from_mapping(source)
    if isinstance(source, str) and (entry := _catalogue().get(source.lower())) is not None:
        return _load(entry)
    path = Path(source)
    if path.is_dir():
        return _from_folder(path, path.name)
    if path.suffix or path.exists() or isinstance(source, Path):
        return grammar_language(read_grammar(path), path.stem)
    raise LanguageError(_unknown(source))


def detect(file_name: str, text: str, language_id: str | None = None) -> Language:
    """Return the language of a text: by file name, by the editor's word, by trying to parse it.

    What none of these tell is plain text.
    """
    entries = [entry for entry in _catalogue().values() if entry.description.installed]
    name = PurePath(file_name).name
    for entry in entries:
        if any(fnmatchcase(name.lower(), glob.lower()) for glob in entry.description.files):
            return _load(entry)
    for entry in entries:
        if language_id and language_id in (entry.description.name, *entry.description.ids):
            return _load(entry)
    for entry in entries:
        if entry.looks_like and re.match(entry.looks_like, text) is not None:
            language = _load(entry)
            if language.parse(text).valid:
                return language
    return Plain()


def _load(entry: Entry) -> Language:
    if entry.description.missing:
        raise LanguageError(
            f"The language {entry.description.name} needs the extra "
            f"{entry.description.missing!r}: "
            f"run `python -m pip install 'boildown[{entry.description.missing}]'`."
        )
    return entry.load()


def _unknown(name: str) -> str:
    known = sorted(_catalogue())
    near = difflib.get_close_matches(name.lower(), known, 3)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(known)}."
    return (
        f"There is no language called {name!r}. {hint} "
        "A path to a grammar file (.lark, .g4, .json) will do, too."
    )


@functools.cache
def _catalogue() -> dict[str, Entry]:
    """Return the languages by name. Where a name comes twice, the first is taken."""
    entries: dict[str, Entry] = {}
    for entry in (*_shipped(), _plain()):
        entries.setdefault(entry.description.name, entry)
    return entries


def _plain() -> Entry:
    return Entry(Description("plain", "built in", ("*.txt", "*.log"), ("plaintext",)), Plain)


def _shipped() -> Iterator[Entry]:
    root = grammars_folder()
    for folder in sorted(root.iterdir()) if root.is_dir() else ():
        if grammar_file(folder) is not None:
            known = about(folder)
            yield Entry(
                Description(folder.name, "grammar", known.files, known.ids),
                functools.cache(functools.partial(_from_folder, folder, folder.name)),
                known.looks_like,
            )


def _from_folder(folder: Path, name: str) -> Language:
    path = grammar_file(folder)
    if path is None:
        raise LanguageError(
            f"The folder {folder} has no grammar file (grammar.lark, .g4 or .json)."
        )
    known = about(folder)
    return grammar_language(read_grammar(path, known.start), name, known.scope)


def _from_mapping(source: Mapping[str, Any]) -> Language:
    raise LanguageError("Grammars as mappings can't be read yet.")
