"""Words of a program: short strings and numbers in the sources that its test command names.

A source may be in any language: comments and literals are told by the notations that most have.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boildown.files import FileError, read_text
from boildown.targets.test_command import TestCommand

MOST_WORDS = 200
"""Words that are taken at most, the first ones."""
LONGEST_WORD = 24
"""Characters of the longest word."""
MOST_FILES = 10
"""Files that are read at most."""
LARGEST_FILE = 200_000
"""Bytes of the largest file that is read."""
_INSTALLED = frozenset(("node_modules", "site-packages", ".venv", "venv"))
"""Folders whose files are no sources of the user's."""

_TOKEN = re.compile(
    r"/\*[\s\S]*?(?:\*/|\Z)|//[^\n]*|#(?=[\s!#])[^\n]*|^[ \t]*--[^\n]*"
    r"|\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)"
    r"|(?P<quote>[\"'`])(?P<string>(?:\\.|(?!(?P=quote))[^\\\n])*)(?P=quote)"
    r"|(?P<number>(?:(?<![\w)\]])(?<![\w)\]] )-)?(?<![\w.])[0-9][0-9_]*(?:\.[0-9]+)?(?![\w.]))",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class ProgramWords:
    """Words of a program, and the files that they come from."""

    words: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Relative to where the test command starts, as far as they are below it."""

    @property
    def note(self) -> str:
        """How many words were taken from where, as a sentence."""
        if not self.files:
            return (
                "No words of the program were taken: the test command names no source. Name a file"
                " or a module of yours in it."
            )
        return f"Words of the program: {len(self.words)} were taken from {', '.join(self.files)}."


def words_in(code: str) -> Iterator[str]:
    """Yield the short string literals and the numbers in a source, in order.

    >>> list(words_in('if order["currency"] != "EUR" or n > 1_000:  # it isn\\'t'))
    ['currency', 'EUR', '1000']
    """
    for found in _TOKEN.finditer(code):
        word = found["string"] or (found["number"] or "").replace("_", "")
        if is_word(word):
            yield word


def is_word(text: str) -> bool:
    """Say whether a literal may name a part: it is short, on one line, and has no escapes.

    >>> [is_word(each) for each in ("key", "==", "", r"a\\d", "x" * 25)]
    [True, False, False, False, False]
    """
    is_plain = text.isprintable() and "\\" not in text
    return len(text) <= LONGEST_WORD and is_plain and any(map(str.isalnum, text))


def program_words(command: TestCommand) -> ProgramWords:
    """Read the words of the sources that a test command names.

    These are the files among its arguments, and those of the Python module that it runs or takes a
    predicate from; neither the input nor what is installed or no text. What can't be read is left
    out.
    """
    words: dict[str, None] = {}
    files = []
    for path, code in itertools.islice(_sources(command), MOST_FILES):
        files.append(os.path.relpath(path, command.cwd))
        words.update(dict.fromkeys(words_in(code)))
    return ProgramWords(tuple(itertools.islice(words, MOST_WORDS)), tuple(files))


def _sources(command: TestCommand) -> Iterator[tuple[Path, str]]:
    """Yield the sources that a command names, each once, with their texts."""
    seen = {os.path.realpath(command.input_path)}
    for path in _named(command):
        real = os.path.realpath(path)
        code = None if real in seen else _code(path)
        seen.add(real)
        if code is not None:
            yield path, code


def _named(command: TestCommand) -> Iterator[Path]:
    """Yield paths that a command names; there may be nothing."""
    if command.predicate is not None:
        # The arguments are those of the script that calls it.
        yield from _modules(command.predicate.partition(":")[0], command.cwd)
        return
    for index, part in enumerate(command.argv):
        if index and command.argv[index - 1] == "-m":
            yield from _modules(part, command.cwd)
        named = part.replace("{test}", command.test or "").partition("::")[0]
        path = command.cwd / named
        # A program without a folder is looked for elsewhere.
        if (
            "{" not in named
            and (index or os.path.dirname(part))
            and not _is_installed(path, command)
        ):
            yield path


def _is_installed(path: Path, command: TestCommand) -> bool:
    parts = Path(os.path.relpath(path, command.cwd)).parts
    is_program = str(path) == str(command.cwd / command.argv[0])
    return not _INSTALLED.isdisjoint(parts) or (is_program and ".." in parts)


def _modules(name: str, folder: Path) -> Iterator[Path]:
    """Yield the paths at which a Python module may be; of a package, those of all its modules."""
    for root in (folder, folder / "src"):
        path = root.joinpath(*name.split("."))
        yield path.with_name(f"{path.name}.py")
        yield path / "__main__.py"
        yield from sorted(path.glob("*.py"))


def _code(path: Path) -> str | None:
    """Return the text of a file; None if it is no text, or too large, or can't be read."""
    try:
        is_small = os.path.isfile(path) and path.stat().st_size <= LARGEST_FILE
        code = read_text(path) if is_small else None
    except (FileError, OSError, ValueError):
        return None
    return None if code is None or "\0" in code else code
