"""The catalogue of languages: listing them, loading one by name, detecting that of a text."""

from __future__ import annotations

import difflib
import functools
import importlib.util
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Any

from boildown.engine.language import LONGEST_PARSED, Language
from boildown.folder_text import SEPARATOR
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
from boildown.languages.folder_language import FolderLanguage
from boildown.languages.grammar import grammar_language
from boildown.languages.plain import Plain
from boildown.tree import places

_WHEEL = re.compile(r"tree[-_]sitter[-_][\w-]+(?::\w+)?")
"""The name of a package with a parser, and of its function if that is not `language`."""


@dataclass(frozen=True, slots=True)
class Description:
    """The metadata of a language, known before it is loaded."""

    name: str
    title: str
    """Its name for people."""
    source: str
    """The kind of its parser: "grammar", "tree-sitter", "parso" or "built in"."""
    files: tuple[str, ...] = ()
    """Globs of file names."""
    ids: tuple[str, ...] = ()
    """The identifiers that editors have for it (LSP's `languageId`), besides its name."""
    missing: str = ""
    """The packages to install first, with blanks between; empty if the language can be loaded."""

    @property
    def installed(self) -> bool:
        """Whether the language can be loaded without installing anything."""
        return not self.missing


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A language of the catalogue, and the function that loads it."""

    description: Description
    load: Callable[[], Language]
    looks_like: str | None = None
    """A regular expression that matches the beginning of a text worth trying to parse."""


def languages() -> list[Description]:
    """Return the descriptions of all languages, sorted by name."""
    return [entry.description for _, entry in sorted(_catalogue().items())]


def load_language(source: str | Path | Mapping[str, Any]) -> Language:
    """Load a language by its name, from a grammar file or folder, or from a grammar as a mapping.

    The name of an installed package with a parser will do as well, such as `tree-sitter-lua`.

    A mapping is a grammar in the fuzzingbook format: nonterminals such as `<digit>` to lists of
    expansions, which are strings, lists of symbols, or pairs of these with options.

    Raises:
        LanguageError: there is no such language, a part of it is not installed, or its grammar is
            broken; the message says where.

    >>> load_language("json").name
    'json'
    >>> digits = load_language({"<start>": ["-<digit>"], "<digit>": ["1", "2", "3"]})
    >>> digits.valid("-2"), digits.valid("2")
    (True, False)
    """
    try:
        return _load_language(source)
    except GrammarError as error:
        raise LanguageError(str(error)) from error
    except RecursionError:
        raise LanguageError(f"The grammar {source} is nested too deeply.") from None


def _load_language(source: str | Path | Mapping[str, Any]) -> Language:
    if isinstance(source, Mapping):
        return grammar_language(read_mapping(source), "mapping")
    if isinstance(source, str) and (entry := _catalogue().get(source.lower())) is not None:
        return _load(entry)
    if isinstance(source, str) and _is_wheel(source):
        return _from_wheel(source)
    if source == "folder":
        return FolderLanguage(detect)
    path = Path(source)
    if os.path.isdir(path):
        return _from_folder(path, about(path))
    if path.suffix or os.path.exists(path) or isinstance(source, Path):
        return grammar_language(read_grammar(path), path.stem)
    raise LanguageError(_unknown(source))


def detect(file_name: str, text: str, language_id: str | None = None) -> Language:
    """Return the language of a text: by file name, by the editor's word, by trying to parse it.

    Of several that have the name, as C and C++ have `*.h`, it is the one that reads most of the
    text. What none of these tell is plain text, with a note where the parser for it is not
    installed. The text of a folder has the language of folders.
    """
    if text.startswith(SEPARATOR):
        return FolderLanguage(detect)
    entries = [entry for entry in _catalogue().values() if entry.description.installed]
    name = PurePath(file_name).name
    if named := [_load(entry) for entry in entries if _is_named(entry.description, name)]:
        return named[0] if len(named) == 1 else _reading_most(named, text)
    for entry in entries:
        if language_id and language_id in (entry.description.name, *entry.description.ids):
            return _load(entry)
    for entry in entries:
        if entry.looks_like and re.match(entry.looks_like, text) is not None:
            language = _load(entry)
            if len(text) <= LONGEST_PARSED and language.valid(text):
                return language
    for entry in _catalogue().values():
        if not entry.description.installed and _is_named(entry.description, name):
            return Plain(notes=(f"{name} is read as plain text. {_needed(entry.description)}",))
    return Plain()


def _reading_most(languages: Sequence[Language], text: str) -> Language:
    """Return the first language that reads all of a text, or the one that reads most of it.

    Of a text that is too long to try it is the first one.
    """

    def unread(language: Language) -> int:
        root = language.parse(text).tree
        return sum(place.tree.width for place in places(root) if place.tree.label == "ERROR")

    if len(text) > LONGEST_PARSED:
        return languages[0]
    reads_all = (each for each in languages if each.valid(text))
    return next(reads_all, None) or min(languages, key=unread)


def _is_wheel(source: str) -> bool:
    """Say whether a name is that of a package with a tree-sitter parser."""
    return _WHEEL.fullmatch(source) is not None


def wheel(source: str, name: str = "", files: tuple[str, ...] = ()) -> Description:
    """Return the description of the language of a package, be it installed or not."""
    source = source.replace("-", "_")
    name = name or source.partition(":")[0].replace("_", "-").removeprefix("tree-sitter-")
    return Description(name, name, "tree-sitter", files, (), _missing(source))


def needs(description: Description) -> str:
    """Return the command that adds what a language needs; nothing if that is there."""
    if not description.missing:
        return ""
    return f"python -m pip install {description.missing}"


@functools.cache
def _from_wheel(source: str) -> Language:
    """Load the language of an installed package. Raises LanguageError."""
    description = wheel(source)
    if description.missing:
        raise LanguageError(_needed(description))
    from boildown.languages.treesitter import tree_sitter_language

    return tree_sitter_language(description.name, source.replace("-", "_"))


def _is_named(description: Description, name: str) -> bool:
    """Say whether a file of this name holds the language."""
    return any(fnmatchcase(name.lower(), glob.lower()) for glob in description.files)


def _needed(description: Description) -> str:
    """Return the sentence on the packages to install for a language."""
    return f"The language {description.name} needs more: run `{needs(description)}`."


def _load(entry: CatalogueEntry) -> Language:
    if entry.description.missing:
        raise LanguageError(_needed(entry.description))
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
def _catalogue() -> dict[str, CatalogueEntry]:
    """Return the entries of all languages by name."""
    python = about(grammars_folder() / "python")
    parso = Description("python", "Python", "parso", python.files, python.ids)
    plain = Description("plain", "Plain text", "built in", ("*.txt", "*.log"), ("plaintext",))
    entries = [
        *_shipped(),
        CatalogueEntry(parso, _python, python.looks_like),
        CatalogueEntry(plain, Plain),
        CatalogueEntry(
            Description("python-data", "Python data", "parso", ("*.pydata",)), _python_data
        ),
    ]
    return {entry.description.name: entry for entry in entries}


@functools.cache
def _python() -> Language:
    # Only here, for parso takes as long to import as all grammars together.
    from boildown.languages.python import python_language

    folder = grammars_folder() / "python"
    known = about(folder)
    return python_language(functools.partial(examples, folder), known.rewriting, known.words)


@functools.cache
def _python_data() -> Language:
    from boildown.languages.python_data import PythonData

    return PythonData()


def _shipped() -> Iterator[CatalogueEntry]:
    root = grammars_folder()
    for folder in sorted(root.iterdir()) if os.path.isdir(root) else ():
        if os.path.isdir(folder) and (source := _source(folder, known := about(folder))):
            missing = _missing(known.tree_sitter)
            title = known.title or folder.name
            yield CatalogueEntry(
                Description(folder.name, title, source, known.files, known.ids, missing),
                functools.cache(functools.partial(_from_folder, folder, known)),
                known.looks_like,
            )


def _source(folder: Path, known: About) -> str:
    if grammar_file(folder) is not None:
        return "grammar"
    return "tree-sitter" if known.tree_sitter else ""


def _missing(tree_sitter: str) -> str:
    """Return the packages that a parser of tree-sitter lacks, as pip takes them."""
    modules = ("tree_sitter", tree_sitter.partition(":")[0]) if tree_sitter else ()
    missing = (module for module in modules if importlib.util.find_spec(module) is None)
    return " ".join(missing).replace("_", "-")


def _from_folder(folder: Path, known: About) -> Language:
    path = grammar_file(folder)
    if path is not None:
        read = read_grammar(path, known.start)
        grammar = replace(read, same=known.same, whole_words=known.whole_words)
        if known.inside and known.inside["start"] not in grammar.rules:
            raise LanguageError(f"{path} has no rule {known.inside['start']!r} for 'inside'.")
        more = known.scope, known.rewriting, known.words, known.inside
        return grammar_language(grammar, folder.name, *more)
    if known.tree_sitter:
        # Only here, for the extension is without tree-sitter until that is installed.
        from boildown.languages.treesitter import tree_sitter_language

        texts = functools.partial(examples, folder)
        return tree_sitter_language(
            folder.name, known.tree_sitter, texts, known.rewriting, known.words
        )
    raise LanguageError(f"The folder {folder} has no grammar file (grammar.lark, .g4 or .json).")
