"""All languages by name: which there are, how to get one, and which one a text is in."""

from __future__ import annotations

import difflib
import functools
import importlib.util
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Any

from boildown.engine.language import Language
from boildown.grammar import GrammarError, read_mapping
from boildown.languages.folder import (
    About,
    LanguageError,
    about,
    examples,
    grammar_file,
    grammars_folder,
    read_grammar,
)
from boildown.languages.grammar import grammar_language
from boildown.languages.plain import Plain
from boildown.languages.python import python_language

EXTRA = "languages"
"""The extra that holds tree-sitter and its languages."""


@dataclass(frozen=True, slots=True)
class Description:
    """What there is to know of a language before it is loaded."""

    name: str
    title: str
    """What people call it."""
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
        LanguageError: there is no such language, a part of it is not installed, or its grammar is
            broken; the message says where.
    """
    try:
        return _load_language(source)
    except GrammarError as error:
        raise LanguageError(str(error)) from error


def _load_language(source: str | Path | Mapping[str, Any]) -> Language:
    if isinstance(source, Mapping):
        return grammar_language(read_mapping(source), "mapping")
    if isinstance(source, str) and (entry := _catalogue().get(source.lower())) is not None:
        return _load(entry)
    path = Path(source)
    if path.is_dir():
        return _from_folder(path, about(path))
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
    """Return the languages by name."""
    python = about(grammars_folder() / "python")
    parso = Description("python", "Python", "parso", python.files, python.ids)
    plain = Description("plain", "Plain text", "built in", ("*.txt", "*.log"), ("plaintext",))
    entries = [*_shipped(), Entry(parso, _python, python.looks_like), Entry(plain, Plain)]
    return {entry.description.name: entry for entry in entries}


@functools.cache
def _python() -> Language:
    return python_language(functools.partial(examples, grammars_folder() / "python"))


def _shipped() -> Iterator[Entry]:
    root = grammars_folder()
    for folder in sorted(root.iterdir()) if root.is_dir() else ():
        if folder.is_dir() and (source := _source(folder, known := about(folder))):
            missing = "" if _is_installed(known) else EXTRA
            title = known.title or folder.name
            yield Entry(
                Description(folder.name, title, source, known.files, known.ids, missing),
                functools.cache(functools.partial(_from_folder, folder, known)),
                known.looks_like,
            )


def _source(folder: Path, known: About) -> str:
    if grammar_file(folder) is not None:
        return "grammar"
    return "tree-sitter" if known.tree_sitter else ""


def _is_installed(known: About) -> bool:
    modules = ("tree_sitter", known.tree_sitter.partition(":")[0]) if known.tree_sitter else ()
    return all(importlib.util.find_spec(module) is not None for module in modules)


def _from_folder(folder: Path, known: About) -> Language:
    path = grammar_file(folder)
    if path is not None:
        grammar = replace(read_grammar(path, known.start), same=known.same)
        return grammar_language(grammar, folder.name, known.scope)
    if known.tree_sitter:
        # Only here, for it needs an extra.
        from boildown.languages.treesitter import tree_sitter_language

        texts = functools.partial(examples, folder)
        return tree_sitter_language(folder.name, known.tree_sitter, texts)
    raise LanguageError(f"The folder {folder} has no grammar file (grammar.lark, .g4 or .json).")
