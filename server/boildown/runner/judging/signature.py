"""Signatures of failures: equal for two runs whose failures count as the same.

The program stays while its input changes. So the place of a failure is the line of the program, by
its text, and the words of its message count as far as they are not the candidate's. The first kind
of failure that is found, in standard error and then in standard output, decides; without any, the
exit status alone does. A signature is a line for people, such as ``exit 1: KeyError in
tool/checks.py: check: `rule["id"]` ``, and two failures are the same if their signatures are equal.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container
from dataclasses import dataclass
from pathlib import Path

from boildown.folder_text import unpacked
from boildown.runner.command import Level, TestCommand
from boildown.runner.judging.failures import (
    Failure,
    FailureFinder,
    Files,
    assertions,
    compilers,
    llvm,
    managed,
    native,
    programs,
    python,
    sanitizers,
    test_runners,
)
from boildown.runner.judging.sources import source_line
from boildown.runner.judging.telling import telling_line
from boildown.runner.judging.words import Masked, fixed_words
from boildown.runner.run import Run

FAILURE_FINDERS: tuple[FailureFinder, ...] = (
    *sanitizers.FINDERS,
    *python.FINDERS,
    *managed.FINDERS,
    *test_runners.FINDERS,
    *compilers.FINDERS,
    *assertions.FINDERS,
    *llvm.FINDERS,
    *native.FINDERS,
    *programs.FINDERS,
)
"""In the order in which they are tried: a report that wraps another one comes before it.

So Clang's stack dump comes after the assertion that led to it. A new kind of failure goes into the
`FINDERS` of the module that it fits.
"""

_SEARCHED_CHARACTERS = 200_000
"""Characters at the end of an output that are searched; a failure is reported last."""


@dataclass(frozen=True, slots=True)
class Program:
    """The facts about a program that its failures are compared with."""

    folders: tuple[Path, ...] = ()
    """Where relative paths in its reports start from."""
    holds_input: bool = False
    """Whether the input is a part of the program's own file, such as a literal in a test."""
    words: Container[str] = frozenset()
    """The words of the original input: in messages they may be the input's."""
    read: bool = True
    """Whether lines are read from source files; else their numbers stand for them."""
    input: str = ""
    """The path of the input, for which the candidate's file stands."""
    inside: str | None = None
    """Where the input is a folder: the way from it to where the program starts; else None."""
    untelling: Container[str] = frozenset()
    """The names of lines that tell nothing of a failure, for other runs print them, too."""
    code: bool = False
    """Whether the part that is the input is code, such as a list."""


def program_of(
    command: TestCommand, words: Container[str] = frozenset(), read: bool = True
) -> Program:
    """Return the program that a test command runs."""
    original = command.original
    folders = (command.cwd,) if original is None else (command.cwd, *original.parents[:3])
    folders = tuple(dict.fromkeys(folders))
    inside = None
    if command.folder and original is not None:
        # Also one that begins with "..", which leads nowhere in the folder.
        inside = os.path.relpath(command.cwd, original)
    is_part = command.content is not str
    untelling = words.untelling if isinstance(words, Masked) else frozenset()
    named = str(original or "")
    return Program(folders, is_part, words, read, named, inside, untelling, command.code)


def signature(
    run: Run, file: str, level: Level = Level.LOCATION, program: Program | None = None
) -> str:
    """Return the signature of a failed run, or nothing for a run that exits with 0.

    `file` is the path that the candidate had: frames in it say nothing about the program, for its
    lines move.
    """
    if not run.failed and not run.timed_out:
        return ""
    program = program or Program()
    failure = None
    if not run.timed_out and level is not Level.EXIT:
        failure = find_failure(run, file, program)
    if failure is None:
        return run.end
    said = normal(f"{run.end}: {failure.error}", run, file)
    if level is Level.ERROR:
        return said
    if failure.place:
        said += normal(f" in {failure.place}", run, file)
    if failure.caller:
        said += normal(f", from {failure.caller}", run, file)
    if failure.line:
        # Last of all, and as it is: a line of the program holds nothing of a run.
        said += f": {failure.line}"
    if level is Level.MESSAGE:
        message = normal(failure.message, run, file)
    else:
        message = fixed_words(failure, normal(failure.message, run, file), run.text, program.words)
    return f"{said}: {message}" if message else said


def find_failure(run: Run, file: str, program: Program | None = None) -> Failure | None:
    """Return the failure that the run reported, if it is of a known kind."""
    program = program or Program()
    files = _files(run, file, program)
    return (
        _found_in(run.stderr, files)
        or _found_in(run.stdout, files)
        or _told_in(run.stderr, run, program)
        or _told_in(run.stdout, run, program)
    )


def _files(run: Run, file: str, program: Program) -> Files:
    if program.inside is not None:
        return _files_of_folder(run, file, program, program.inside)
    is_candidate = owner(file)
    made = f"{run.directory}/" if run.directory else ""

    def is_own(path: str) -> bool:
        return is_candidate(path) or (made != "" and path.startswith(made))

    def line(path: str, number: int) -> str:
        if not program.read or is_own(path):
            return ""
        return source_line(unmirrored(path, file, program.input), number, program.folders)

    def own_line(text: str) -> str:
        is_program = text.strip() != "" and text.strip() not in run.text
        if not (program.holds_input and is_program):
            return ""
        return _DATA.sub("…", text) if program.code else _LITERAL.sub("…", text)

    return Files(is_own, line, own_line)


def _files_of_folder(run: Run, root: str, program: Program, inside: str) -> Files:
    """Return the files of a candidate that is the program: a line that moved is the same line.

    It may also have moved to another file, so where it stands is no part of the failure.
    """
    files: dict[str, str] = {}

    def place(path: str) -> str:
        return os.path.normpath(os.path.join(root, inside, path))

    def is_movable(path: str) -> bool:
        return place(path).startswith(f"{root}/")

    def line(path: str, number: int) -> str:
        whole = place(path)
        if not is_movable(path):
            return source_line(path, number, program.folders) if program.read else ""
        # Taken apart only now: most runs report nothing.
        files.update(files or unpacked(run.text))
        lines = files.get(whole[len(root) + 1 :], "").split("\n")
        return lines[number - 1] if 0 < number <= len(lines) else ""

    return Files(lambda _path: False, line, is_movable=is_movable)


def unmirrored(path: str, file: str, original: str) -> str:
    """Return the original of a path in the mirror in which `file` stands for the input.

    The mirror may be gone by now, and the files of the workspace are the same.
    """
    mirrored, own = file.split("/"), original.split("/")
    while mirrored and own and mirrored[-1] == own[-1]:
        mirrored.pop()
        own.pop()
    root, workspace = "/".join([*mirrored, ""]), "/".join([*own, ""])
    return workspace + path[len(root) :] if original and path.startswith(root) else path


_LOGGED = re.compile(r"\x1b\[[\d;]*m|^\[(?:error|fatal|severe)\] ?", re.IGNORECASE | re.MULTILINE)
"""Colours, and the level that a logger puts before each line of a report."""
_DATA = re.compile(r"(?:[\[{'\"]|(?<![\w)\]])\().*", re.DOTALL)
"""The rest of a line from the first display or string on: a candidate may take fewer lines."""
_LITERAL = re.compile(
    r"""(?<!\w)[rbufRBUF]{0,2}(?:(?P<long>\'{3}|"{3}).*?(?:(?P=long)|$)"""
    r"""|'(?:[^'\\]|\\.)*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$))"""
)
"""A string literal in a line of Python code, up to the end of the line if that is within it."""


def _found_in(output: str, files: Files) -> Failure | None:
    """Return the failure that the first finder finds in an output."""
    tail = _LOGGED.sub("", output[-_SEARCHED_CHARACTERS:])
    found = (find(tail, files) for find in FAILURE_FINDERS)
    return next((failure for failure in found if failure is not None), None)


def _told_in(output: str, run: Run, program: Program) -> Failure | None:
    """Return the failure that a line of an output tells of, if its format is not known."""
    return telling_line(output[-_SEARCHED_CHARACTERS:], run.text, program.untelling)


def failing_output(run: Run) -> str:
    """Return the output of a run (standard error or standard output) that reports its failure.

    That is the one in which a failure is found; the other may hold warnings. Where there is none,
    it is both, standard error last.
    """
    files = Files(owner(run.file))
    for output in (run.stderr, run.stdout):
        if _found_in(output, files) is not None:
            return output
    stdout, stderr = run.stdout.strip(), run.stderr.strip()
    return f"{stdout}\n{stderr}" if stdout and stderr else stdout or stderr


def owner(file: str) -> Callable[[str], bool]:
    """Return a predicate on paths, absolute or relative, that holds for the candidate's file."""
    whole = file.replace("\\", "/")

    def is_own(path: str) -> bool:
        path = path.replace("\\", "/").removeprefix("./")
        while path.startswith("../"):
            path = path[3:]
        return path != "" and (path == whole or whole.endswith("/" + path))

    return is_own


def normal(text: str, run: Run, file: str) -> str:
    """Normalize a text: replace the parts that differ from run to run.

    Paths of the run, positions in the candidate, addresses, times and process ids are replaced.
    """
    for path, instead in ((file, "{file}"), (run.directory, "{dir}")):
        if path:
            text = text.replace(path, instead)
    for pattern, instead in _VOLATILE:
        text = pattern.sub(instead, text)
    return text


_VOLATILE = (
    (re.compile(r"\{file\}(?::\d+)+"), "{file}:…"),
    (re.compile(r"\bline \d+(?:,? col(?:umn)? \d+)?(?: \(char \d+(?: - \d+)?\))?"), "line …"),
    (re.compile(r"\b0x[0-9a-fA-F]{5,}\b"), "0x…"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|minutes?)\b"), "… s"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"), "…"),
    (re.compile(r"\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b"), "…"),
    (re.compile(r"(?i)\b(pid|process|thread)([ :=]+)\d+\b"), r"\1\2…"),
    (re.compile(r"==\d+=="), "==…=="),
)
