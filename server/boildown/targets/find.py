"""Finds the failing inputs at a cursor in a document, and the test command of each.

An input is a value: where it stands, its text, the command, and how another text is written in its
place. The test command runs on what its file would hold then, so nothing but the writing knows
whether an input is a document, a selection, a literal or a block of code.
"""

from __future__ import annotations

import enum
import os
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from boildown import config
from boildown.runner.command import PLACEHOLDER, TestCommand
from boildown.runner.run import CannotRun
from boildown.targets.declined import Declined
from boildown.targets.pytest_command import choose, command_for

if TYPE_CHECKING:
    from boildown.targets.strings import StringLiteral


class InputKind(enum.Enum):
    """The kinds of failing inputs in a document; the values are the protocol's."""

    LITERAL = "literal"
    DATA = "data"
    BLOCK = "block"
    SELECTION = "selection"
    ALONE = "alone"
    DOCUMENT = "document"


NAMES = {
    InputKind.LITERAL: "the string",
    InputKind.DATA: "the data",
    InputKind.BLOCK: "the code block",
    InputKind.SELECTION: "the selection",
    InputKind.ALONE: "the selection alone",
    InputKind.DOCUMENT: "the document",
}
"""The name of each kind of input, for a person."""


@dataclass(frozen=True, slots=True)
class Target:
    """A failing input in a document, with all that is needed to reduce it and put it back."""

    kind: InputKind
    start: int
    """Where it begins in the document, in code points."""
    end: int
    text: str
    """The failing input itself."""
    command: TestCommand | None
    """None if no test command is known."""
    language: str | None = None
    """How the input is parsed; None to detect it by `name`, `language_id` and the text."""
    name: str = ""
    """The name of a file that would hold the input; empty if its suffix would say nothing."""
    language_id: str | None = None
    """The editor's or the document's name of the input's language."""
    written: Callable[[str], str] = str
    """Returns the text from `start` to `end` of the document for another input."""
    shown: str = ""
    """The test command for a title."""
    why: str = ""
    """Where the test command comes from, for a person."""

    def document(self, before: str, text: str) -> str:
        """Return the whole document with another text as the input."""
        return before[: self.start] + self.written(text) + before[self.end :]

    def moved(self, start: int, end: int, text: str) -> Target | None:
        """Return it in the document with a text from `start` to `end`; None if that cuts it."""
        if self.end <= start:
            return self
        if self.start < end:
            return None
        by = start + len(text) - end
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True, slots=True)
class Cursor:
    """The user's cursor or selection in a document, with the configuration that may hold."""

    text: str
    file: Path
    """The document's path, or one that it could have."""
    language_id: str
    start: int
    """The selection's start, in code points."""
    end: int
    entries: tuple[config.InputEntry, ...]
    """The configuration that may hold."""
    folder: Path
    """The workspace folder, or the file's own."""
    python: tuple[str, ...] = ()
    """The Python that runs the project's tests; empty: the first that is found."""

    @property
    def is_python(self) -> bool:
        """Whether string literals are looked for."""
        return self.language_id == "python" or self.file.suffix in (".py", ".pyi")

    @property
    def is_test(self) -> bool:
        """Whether it is a file of tests in another language, whose strings are looked for."""
        return _TEST_FILE.search(self.file.name) is not None

    @property
    def is_markdown(self) -> bool:
        """Whether blocks of code are looked for."""
        return self.language_id == "markdown" or self.file.suffix in (".md", ".markdown")


def find(cursor: Cursor) -> tuple[list[Target], str]:
    """Return the failing inputs at a cursor, the closest first, those without a command too.

    The second value says why the closest one can't be reduced, if there is such a one.
    """
    found: list[Target] = []
    declined = ""
    if cursor.is_python:
        try:
            found += _literal(cursor)
        except Declined as reason:
            declined = str(reason)
    elif cursor.is_test:
        try:
            found += _strings(cursor)
        except Declined as reason:
            declined = str(reason)
    if cursor.is_markdown:
        found += _block(cursor)
    document = _document(cursor)
    if cursor.start < cursor.end and (cursor.start, cursor.end) != (0, len(cursor.text)):
        found += [_selection(cursor, document), _alone(cursor, document)]
    return [*found, document], declined


def shown(command: TestCommand, longest: int = 60) -> str:
    """Return a test command as one short line: the program's name alone, placeholders bare.

    Of a predicate or a test, which a script of Boildown's own may run, the name says it all.
    """
    if command.predicate is not None:
        return command.predicate
    if command.test is not None and command.runs_pytest:
        return f"pytest …::{command.test.partition('::')[2] or command.test}"
    line = shlex.join((os.path.basename(command.argv[0]), *command.argv[1:]))
    line = re.sub(rf"'([^']*(?:{PLACEHOLDER.pattern})[^']*)'", r"\1", line)
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _document(cursor: Cursor) -> Target:
    entry, command = _configured(cursor.entries, cursor.file)
    return Target(
        InputKind.DOCUMENT,
        0,
        len(cursor.text),
        cursor.text,
        command,
        entry.language if entry is not None else None,
        cursor.file.name,
        cursor.language_id,
        shown=shown(command) if command is not None else "",
        why=_why(entry),
    )


def _why(entry: config.InputEntry | None) -> str:
    """Say which entry a command is from."""
    return "" if entry is None else f"configured for {', '.join(entry.files)} in {entry.base}"


def _configured(
    entries: tuple[config.InputEntry, ...], file: Path
) -> tuple[config.InputEntry | None, TestCommand | None]:
    """Return the entry for a file with its command; a command that makes no sense is none."""
    entry = config.match(entries, file)
    if entry is None:
        return None, None
    try:
        return entry, config.command_for(entry, file)
    except CannotRun:
        return entry, None


def _selection(cursor: Cursor, document: Target) -> Target:
    """Return the selection as an input, with the rest of the document kept as it is."""
    before, after = cursor.text[: cursor.start], cursor.text[cursor.end :]
    return replace(
        document,
        kind=InputKind.SELECTION,
        start=cursor.start,
        end=cursor.end,
        text=cursor.text[cursor.start : cursor.end],
        command=_within(document.command, lambda text: before + text + after),
    )


def _alone(cursor: Cursor, document: Target) -> Target:
    """Return the selection as an input of its own, without the rest."""
    text = cursor.text[cursor.start : cursor.end]
    return replace(document, kind=InputKind.ALONE, start=cursor.start, end=cursor.end, text=text)


def _within(command: TestCommand | None, content: Callable[[str], str]) -> TestCommand | None:
    return replace(command, content=content) if command is not None else None


_FENCE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^\s`]*)[^\n`]*\n"
    r"(?P<code>(?:.*\n)*?)"
    r"[ \t]*(?P=fence)[`~]*[ \t\r]*$",
    re.MULTILINE,
)


def _block(cursor: Cursor) -> Iterator[Target]:
    """Yield the fenced block of code around the selection, a file of its own language."""
    for fence in _FENCE.finditer(cursor.text):
        if fence.start() <= cursor.start <= cursor.end <= fence.end():
            yield _block_in(cursor, fence)


def _block_in(cursor: Cursor, fence: re.Match[str]) -> Target:
    start, end = fence.span("code")
    indent, info = fence["indent"], fence["info"].strip("{}.").lower()

    def written(text: str) -> str:
        return _fenced(text, indent)

    name = cursor.file.stem + suffix(info)
    entry, command = _configured(cursor.entries, cursor.file.with_name(name))
    if command is None:
        before, after = cursor.text[:start], cursor.text[end:]
        entry, command = _configured(cursor.entries, cursor.file)
        command = _within(command, lambda text: before + written(text) + after)
    return Target(
        InputKind.BLOCK,
        start,
        end,
        re.sub(rf"^{indent}", "", fence["code"], flags=re.MULTILINE),
        command,
        entry.language if entry is not None else None,
        name,
        info or None,
        written,
        shown(command) if command is not None else "",
        _why(entry),
    )


def _fenced(text: str, indent: str) -> str:
    """Return code as it stands between two fences."""
    if text and not text.endswith("\n"):
        text += "\n"
    return re.sub(r"^(?=.)", indent, text, flags=re.MULTILINE)


_SUFFIXES = {
    "": ".txt",
    "plaintext": ".txt",
    "text": ".txt",
    "python": ".py",
    "py": ".py",
    "javascript": ".js",
    "typescript": ".ts",
    "markdown": ".md",
    "rust": ".rs",
    "ruby": ".rb",
    "shellscript": ".sh",
    "bash": ".sh",
}


def suffix(language_id: str) -> str:
    """Return the suffix of files in a language, by the name that editors and Markdown use."""
    return _SUFFIXES.get(language_id, f".{language_id}")


def _literal(cursor: Cursor) -> Iterator[Target]:
    """Yield the string literal around the selection, if a test sees its value.

    Raises Declined.
    """
    # Imported late: most places in Python are no strings.
    from boildown.targets.literals import Module, in_string, node_at, read
    from boildown.targets.reach import reaching

    if not in_string(cursor.text, cursor.start):
        return
    module = Module(cursor.text)
    node = node_at(module, cursor.start, cursor.end)
    if node is None:
        return
    entry, command = _configured(cursor.entries, cursor.file)
    tests = reaching(module, node)
    if entry is not None and entry.wrong:
        # Pytest would judge in another way than the user means.
        keys = " and ".join(f"'{key}'" for key in entry.wrong)
        raise Declined(
            f"The configuration of {cursor.file.name} is wrong in {keys}; mend it first."
        )
    if not tests and command is None:
        return
    literal = read(module, node)
    line, why = shown(command) if command is not None else "", _why(entry)
    if command is None:
        test, has_failed = choose(tests, cursor.file, cursor.folder)
        command = command_for(test, cursor.file, cursor.folder, cursor.python)
        line = shown(command)
        why = "the test that failed last" if has_failed else "the first test"
        why = f"{why} of {len(tests)} that see the string" if tests[1:] else "its test"
    before, after = cursor.text[: literal.start], cursor.text[literal.end :]
    command = replace(command, keep=literal.holes)
    yield Target(
        InputKind.LITERAL,
        literal.start,
        literal.end,
        literal.value,
        _within(command, lambda value: before + literal.written(value) + after),
        entry.language if entry is not None else None,
        written=literal.written,
        shown=line,
        why=why,
    )


_TEST_FILE = re.compile(r"(?:test|spec)\.\w{2,3}$")
"""Matches the names of files that may hold tests, before their syntax is imported."""


def _strings(cursor: Cursor) -> list[Target]:
    """Return the string around the selection in a test of another language than Python, and data.

    Raises Declined.
    """
    # Imported late: most documents are no tests.
    from boildown.targets.strings import literals_at, syntax_of

    syntax = syntax_of(cursor.file)
    found = literals_at(syntax, cursor.text, cursor.start, cursor.end) if syntax else []
    entry, command = _configured(cursor.entries, cursor.file) if found else (None, None)
    return [_string(cursor, each, entry, command) for each in found]


def _string(
    cursor: Cursor,
    literal: StringLiteral,
    entry: config.InputEntry | None,
    command: TestCommand | None,
) -> Target:
    """Return a string or data as an input, by a command that is configured or by its test."""
    token, line, why = literal.token, shown(command) if command is not None else "", _why(entry)
    if command is None:
        command = literal.command(cursor.file, cursor.folder)
        line = shown(replace(command, argv=_named(command, cursor.file)))
        why = "its test" if token.test else "the tests of its file"
    before, after = cursor.text[: token.start], cursor.text[token.end :]
    own = "javascript" if token.is_data else None
    return Target(
        InputKind.DATA if token.is_data else InputKind.LITERAL,
        token.start,
        token.end,
        literal.value,
        _within(command, lambda value: before + literal.written(value) + after),
        entry.language if entry is not None and entry.language else own,
        written=literal.written,
        shown=line,
        why=why,
    )


def _named(command: TestCommand, file: Path) -> tuple[str, ...]:
    return tuple(word.replace("{file}", file.name) for word in command.argv)
