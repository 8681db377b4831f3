"""The command `boildown.configure`: a new `[[input]]`; and diagnostics of configuration files."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

from boildown import config
from boildown.files import FileError, read_text, write_text
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands import common
from boildown.lsp.commands.common import Answer, Refused, open_document
from boildown.lsp.commands.reduce import reduce
from boildown.lsp.documents import Document
from boildown.lsp.readers import optional
from boildown.lsp.server import Server
from boildown.lsp.shown import edits, messages
from boildown.lsp.shown.messages import Told
from boildown.lsp.uris import path_of, uri_of
from boildown.targets import InputKind, Target
from boildown.targets.pytest_command import node_id

TEMPLATE = ("python", "repro.py", "{file}")
_ENTRY = re.compile(r"(?m)(?:^[ \t]*#.*\n)*^[ \t]*\[\[ *(?:tool\.boildown\.)?input *\]\]")
"""The header of an entry, with the comment right above it."""


def is_config(uri: str) -> bool:
    """Say whether a document is a configuration file."""
    return uri.rpartition("/")[2] in (config.NAME, "pyproject.toml")


def publish(server: Server, document: Document) -> None:
    """Publish the problems of a configuration file that is open as diagnostics."""
    path = path_of(document.uri)
    if path is None or not is_config(document.uri):
        return
    problems: tuple[config.ConfigProblem, ...] = ()
    # A large pyproject.toml takes its time, and most are none of our business.
    if path.name == config.NAME or "boildown" in document.text:
        _, problems = config.load_text(document.text, path)
    server.flag(path, problems)


_IS_GENERAL = re.compile(r"(?<!\[)\*")
"""Whether a glob matches more than one file."""
_IN_NO_COMMAND = re.compile("[\0\ud800-\udfff]")
"""NUL, and surrogates, which are no characters and so can't be written into a configuration."""


def test_command(value: object) -> str | list[str]:
    """Read a test command. Raises ValueError."""
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        raise ValueError("must be a string or a list of strings")
    if any(_IN_NO_COMMAND.search(word) for word in words):
        raise ValueError("has a character that no command can have")
    return value if isinstance(value, str) else words


@dataclass(frozen=True, slots=True)
class ConfigureArgument(DocumentArgument):
    """The argument of `boildown.configure`."""

    command: Annotated[str | list[str] | None, optional(test_command)] = None
    """The test command; None: the user is to write it into the file."""


async def configure(server: Server, at: ConfigureArgument) -> Answer:
    """Write an entry for a document into its configuration file.

    With a command, go on and reduce; without one, open the file where the command is to be written.
    """
    document = open_document(server, DocumentArgument(at.uri))
    path, uri = _config_file(server, document)
    glob = await _glob(server, document, path, at)
    entry = _entry(path, glob, at.command)
    before = _saved(path)
    text, at_entry = await _add(
        server, path, uri, entry, is_last=_IS_GENERAL.search(glob) is not None
    )
    if at.command is not None:
        choices = {messages.UNDO: partial(_take_back, path, before, text)}
        shown = f"{path.name} has now: {'  '.join(entry.splitlines()[1:])}"
        messages.tell(server, Told(uri, shown, choices=choices))
        return await reduce(
            server, DocumentArgument(at.uri, range=at.range, input=at.input, wait=at.wait)
        )
    await _open(server, path, text, slice(at_entry, at_entry + len(entry)))
    server.tell(f"Write the test command into {path} and save it; then reduce {document.name}.")
    return {"state": "done", "output": str(path)}


def _config_file(server: Server, document: Document) -> tuple[Path, str]:
    """Return the configuration file that holds for a document, or the one to make.

    Raises Refused where the document is no file in a folder that is there.
    """
    file = server.file(document)
    if os.path.isdir(file) or not os.path.isdir(file.parent):
        raise Refused(f"{file} is no file in a folder that exists. Save it first.")
    path = config.find_config(file.parent) or server.folder(file) / config.NAME
    return path, uri_of(path)


async def _glob(server: Server, document: Document, path: Path, at: ConfigureArgument) -> str:
    """Return the glob that matches a document, or the block of code in it that is asked about.

    One that was never saved has no path, so all files of its suffix are meant. So are they in a
    folder of its own that has another of them, as crash files do; but not the code of a project.
    """
    file = server.file(document)
    if at.range is not None and at.input in (None, InputKind.BLOCK):
        found, _ = await server.targets(document, await server.settings(at.uri), at.range)
        names = [target.name for target in found if target.kind is InputKind.BLOCK]
        file = file.with_name(names[0]) if names else file
    if path_of(document.uri) is None:
        return f"*{file.suffix}"
    if not file.is_relative_to(path.parent):
        return _exactly(file.name)
    relative = file.relative_to(path.parent)
    is_one_of_many = (
        relative.parent.name
        and file.suffix
        and not common.is_python(document)
        and (at.command is None or "{file}" in "".join(at.command))
        and _has_others(file)
    )
    if is_one_of_many:
        return f"{_exactly(str(relative.parent))}/*{_exactly(file.suffix)}"
    return _exactly(str(relative))


def _exactly(name: str) -> str:
    """Return the glob that matches a name alone."""
    return "".join(f"[{each}]" if each in "*?[" else each for each in name)


def _has_others(file: Path) -> bool:
    """Say whether a folder has another file with the suffix of a file in it."""
    try:
        names = os.listdir(file.parent)
    except OSError:
        return False
    return any(name != file.name and Path(name).suffix == file.suffix for name in names)


def _entry(path: Path, glob: str, command: str | list[str] | None) -> str:
    """Return the lines of an `[[input]]` for the files that a glob matches. Raises Refused."""
    entry: dict[str, object] = {"files": [glob]}
    test = node_id(command, path.parent) if command is not None else None
    if test is not None:
        entry["test"] = test
    else:
        entry["command"] = list(TEMPLATE) if command is None else command
    if command is not None:
        _, problems = config.load_settings([entry], path.parent)
        if problems:
            raise Refused(problems[0].message.removeprefix("inputs[0]: "))
    table = "tool.boildown.input" if path.name == "pyproject.toml" else "input"
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in entry.items()]
    return "\n".join([f"[[{table}]]", *lines]) + "\n"


async def _add(server: Server, path: Path, uri: str, entry: str, is_last: bool) -> tuple[str, int]:
    """Put an entry into a file or into the document that is open, after all others if it is last.

    Return the new text and the offset of the entry in it. Raises Refused.
    """
    open_document = server.documents.get(uri)
    saved = _saved(path) or ""
    if open_document is None or open_document.text == saved:
        start, end, lines = _insertion(saved, entry, is_last)
        text = saved[:start] + lines + saved[end:]
        try:
            write_text(path, text)
        except FileError as error:
            raise Refused(str(error)) from None
        return text, start + lines.index(entry)
    start, end, lines = _insertion(open_document.text, entry, is_last)
    place = Target(InputKind.DOCUMENT, start, end, "", None)
    if not await edits.put(server, open_document, place, lines, "Boildown: test command"):
        raise Refused(f"The editor did not take the edit of {path.name}.")
    raise Refused(f"{path.name} has unsaved changes. The entry is in it: save it and go on.")


def _saved(path: Path) -> str | None:
    """Return the text of a configuration file, or None if there is none. Raises Refused."""
    try:
        return read_text(path) if os.path.exists(path) else None
    except FileError as error:
        raise Refused(str(error)) from None


async def _take_back(path: Path, before: str | None, written: str) -> str:
    """Take an entry out of a configuration file again; return the reason if that can't be."""
    try:
        if _saved(path) != written:
            return f"{path.name} has changed since then and stays as it is."
        if before is None:
            path.unlink()
        else:
            write_text(path, before)
    except (FileError, OSError, Refused) as error:
        return f"{path.name} stays as it is: {error}"
    return ""


def _insertion(text: str, entry: str, is_last: bool) -> tuple[int, int, str]:
    """Return the offsets in a configuration that an entry replaces, and the lines to put there.

    The first that matches wins: one for a single file goes before the other entries and the
    comment above them, and one that may match the files of others after them.
    """
    first = None if is_last else _ENTRY.search(text)
    if first is not None:
        return first.start(), first.start(), f"{entry}\n"
    end = len(text.rstrip())
    return end, len(text), f"\n\n{entry}" if end else entry


async def _open(server: Server, path: Path, text: str, entry: slice) -> None:
    """Open a configuration file with the command of an entry selected."""
    document = Document("", 0, "toml", text, server.encoding)
    start = text.index("command = ", entry.start) + len("command = ")
    await edits.show(server, path, document.range(start, entry.stop - 1))
