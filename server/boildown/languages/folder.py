"""Reads language folders: a grammar file or tree-sitter package, `language.toml`, and examples.
A folder holds a grammar (`grammar.lark`, `.g4` or `.json`) or names a tree-sitter package in its
`language.toml`, and has examples. Every key of `language.toml` has a default.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias

import tomlkit
from tomlkit.exceptions import ParseError

from boildown.engine.language import NO_REWRITING, Rewriting, RewritingRule
from boildown.files import FileError, read_bytes
from boildown.grammar import Grammar, GrammarError, read_g4, read_lark, read_mapping_json

LARGEST_FILE = 1_000_000
"""Bytes of the largest grammar that is read."""

INSIDE = ("label", "start", "looks_like", "blank")
"""The keys of the table `inside`."""

Reader: TypeAlias = Callable[[Path, "str | None"], Grammar]


class LanguageError(Exception):
    """A language cannot be loaded; the message says which, why, and the remedy.

    >>> try:
    ...     load_language("klingon")
    ... except LanguageError as error:
    ...     print(error)
    There is no language called 'klingon'. There are ...
    """


@dataclass(frozen=True, slots=True)
class About:
    """The contents of a folder's `language.toml`."""

    files: tuple[str, ...] = ()
    """Globs of file names."""
    ids: tuple[str, ...] = ()
    """The identifiers that editors have for the language (LSP's `languageId`)."""
    start: str | None = None
    """The start symbol; None for the default of the grammar's notation."""
    title: str = ""
    """The language's name for people."""
    tree_sitter: str = ""
    """The module that holds a tree-sitter parser, and its function if it is not `language`, as
    `module:function`."""
    looks_like: str | None = None
    """A regular expression that matches the beginning of a text worth trying to parse; without
    one, an unknown text is never taken for this language."""
    scope: dict[str, str] = field(default_factory=dict)
    """The nonterminals that define an identifier and that use it, by `defines` and `uses`."""
    same: dict[str, str] = field(default_factory=dict)
    """For a nonterminal, the terminal of which all right inside one node have the same text."""
    whole_words: bool = False
    """Whether keywords end where the word does, so that `DELETEFROM` is none."""
    inside: Mapping[str, str] = field(default_factory=dict)
    """The `label` of leaves that may hold a text of the symbol `start`, and regular expressions:
    `looks_like` matches the beginning of those worth trying to parse, `blank` what is white space
    in them."""
    rewriting: Rewriting = NO_REWRITING
    """What people write in place of something longer."""
    words: tuple[str, ...] = ()
    """Keys and names that inputs often have, the commonest first."""


def grammars_folder() -> Path:
    """Return the folder of the shipped grammars: in the package, or in the checkout around it."""
    package = Path(__file__).parents[1]
    inside = package / "grammars"
    return inside if os.path.isdir(inside) else package.parents[1] / "grammars"


def grammar_file(folder: Path) -> Path | None:
    """Return the grammar file of a language's folder, if it has one."""
    return next((path for path in sorted(folder.glob("grammar.*")) if path.suffix in READERS), None)


def about(folder: Path) -> About:
    """Read a folder's `language.toml`.

    Raises:
        GrammarError: it can't be read; a key is unknown or its value of the wrong type.
    """
    path = folder / "language.toml"
    if not os.path.exists(path):
        return About()
    try:
        values = tomlkit.parse(_text(path)).unwrap()
    except ParseError as error:
        reason = str(error).partition(" at line")[0]
        raise GrammarError(str(path), reason, error.line, error.col) from error
    except RecursionError:
        raise GrammarError(str(path), "its values are nested too deeply") from None
    return _about(str(path), values)


def _about(name: str, values: dict[str, Any]) -> About:
    found: dict[str, Any] = {}
    for key in ("files", "ids", "words"):
        listed = values.get(key, [])
        if not _are_strings(listed):
            raise GrammarError(name, f"{key!r} must be a list of strings.")
        found[key] = tuple(listed)
    for key in ("start", "title", "tree_sitter", "looks_like"):
        if key in values:
            if not isinstance(values[key], str):
                raise GrammarError(name, f"{key!r} must be a string.")
            found[key] = values[key]
    if (pattern := found.get("looks_like")) is not None:
        try:
            re.compile(pattern)
        except _NO_REGEX as error:
            reason = f"'looks_like' is no regular expression: {error}."
            raise GrammarError(name, reason) from error
    if not re.fullmatch(r"(tree_sitter_\w+(:\w+)?)?", found.get("tree_sitter", "")):
        raise GrammarError(name, "'tree_sitter' must name a module such as tree_sitter_lua.")
    whole_words = found["whole_words"] = values.get("whole_words", False)
    if not isinstance(whole_words, bool):
        raise GrammarError(name, "'whole_words' must be true or false.")
    for key in ("scope", "same"):
        if isinstance(table := values.get(key), dict):
            found[key] = {name: str(value) for name, value in table.items()}
    if "rewriting" in values:
        found["rewriting"] = _rewriting(name, values["rewriting"])
    if "inside" in values:
        found["inside"] = _inside(name, values["inside"])
    return About(**found)


_NO_REGEX = (re.error, RecursionError, OverflowError)
"""What compiling a text raises that is no regular expression, or too deep or large a one."""


def _inside(name: str, table: Any) -> dict[str, str]:
    """Check the table `inside`, of four strings."""
    if (
        not isinstance(table, dict)
        or set(table) != set(INSIDE)
        or not _are_strings([*table.values()])
    ):
        raise GrammarError(name, f"'inside' must be a table of the strings {', '.join(INSIDE)}.")
    try:
        for key in ("looks_like", "blank"):
            re.compile(table[key])
    except _NO_REGEX as error:
        reason = f"'inside' has a value that is no regular expression: {error}."
        raise GrammarError(name, reason) from error
    return table


def _rewriting(name: str, table: Any) -> Rewriting:
    """Read the table `rewriting`: `literals`, and `rules` of label, pattern and template."""
    if not isinstance(table, dict):
        raise GrammarError(name, "'rewriting' must be a table.")
    literals, rules = table.get("literals", []), table.get("rules", [])
    if not _are_strings(literals):
        raise GrammarError(name, "'rewriting.literals' must be a list of strings.")
    if not isinstance(rules, list) or not all(_are_strings(rule, 3) for rule in rules):
        reason = "'rewriting.rules' must be a list of lists: label, pattern, replacement."
        raise GrammarError(name, reason)
    for _, pattern, template in rules:
        try:
            re.sub(pattern, template, "")
        except (*_NO_REGEX, IndexError) as error:
            reason = f"'rewriting.rules' has a rule that is no regular expression: {error}."
            raise GrammarError(name, reason) from error
    return Rewriting(tuple(literals), tuple(RewritingRule(*rule) for rule in rules))


def _are_strings(value: Any, count: int | None = None) -> bool:
    """Say whether a value is a list of strings, of so many if a number is given."""
    is_list = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return is_list and count in (None, len(value))


def read_grammar(path: Path, start: str | None = None) -> Grammar:
    """Read a grammar file in the notation that its suffix names.

    Raises:
        GrammarError: the file is missing, of an unknown notation, or broken; it says where.
    """
    reader = READERS.get(path.suffix)
    if reader is None:
        known = ", ".join(READERS)
        raise GrammarError(str(path), f"a grammar's file name ends in one of {known}.")
    return reader(path, start)


def examples(folder: Path) -> list[str]:
    """Return the texts in a folder's `examples`, sorted by file name.

    Raises:
        GrammarError: one of them can't be read or is not UTF-8.
    """
    return [_text(path) for path in sorted((folder / "examples").glob("*")) if os.path.isfile(path)]


def _text(path: Path) -> str:
    try:
        data = read_bytes(path, LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise GrammarError(str(path), f"is larger than {LARGEST_FILE:,} bytes.")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GrammarError(str(path), f"is not UTF-8 at byte {error.start}.") from error
    except FileError as error:
        raise GrammarError(str(path), f"can't be read: {error}") from error


def _sibling(path: Path, name: str) -> str | None:
    """Return the text of an imported grammar that lies beside the importing one, if there is."""
    wanted = path.parent / name
    return _text(wanted) if os.path.isfile(wanted) else None


def _lark_import(path: Path, name: str) -> str | None:
    """Return the text of an imported grammar: from beside the importing one, or Lark's own."""
    found = _sibling(path, name)
    if found is None and (own := resources.files("lark") / "grammars" / name).is_file():
        found = own.read_text("utf-8")
    return found


def _lark(path: Path, start: str | None) -> Grammar:
    resolve = functools.partial(_lark_import, path)
    return read_lark(_text(path), str(path), start or "start", resolve)


def _g4(path: Path, start: str | None) -> Grammar:
    return read_g4(_text(path), str(path), start, functools.partial(_sibling, path))


def _json(path: Path, start: str | None) -> Grammar:
    return read_mapping_json(_text(path), str(path), start)


READERS: dict[str, Reader] = {".lark": _lark, ".g4": _g4, ".json": _json}
"""The readers of grammar notations, by the file's suffix."""
