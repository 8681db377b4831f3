"""Finds the inputs of a failing test: literals, files that it opens, standard input, examples.

The tests that are selected run once, and what they read is recorded. An input is likely if it feeds
the line that fails: by the values in the frames of the traceback, else by the names in the test.
"""

from __future__ import annotations

import enum
import itertools
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boildown.files import FileError, read_text
from boildown.jobs.events import Note, See
from boildown.languages import detect
from boildown.runner.advice import as_message
from boildown.runner.command import TestCommand, from_argv
from boildown.runner.preflight.diagnosis import no_failing_test
from boildown.runner.preflight.preflight import FIRST_RUN_TIMEOUT, patience
from boildown.runner.run import NONE_EARLIER, EarlierRuns
from boildown.runner.runner import Runner
from boildown.targets import InputKind, Target, shown
from boildown.targets.failing_tests import (
    FailingTest,
    Selection,
    is_complete,
)
from boildown.targets.failing_tests import failing_tests as recorded_tests

if TYPE_CHECKING:
    from boildown.targets.encoded import Encoding
    from boildown.targets.literals import Literal, Module
    from boildown.targets.reach import Test

__all__ = [
    "FailingTest",
    "InputCandidate",
    "Selection",
    "Source",
    "failing_tests",
    "input_candidates",
    "target_of",
]


class Source(enum.Enum):
    """The kinds of places that a test has its input from."""

    LITERAL = "literal"
    PARAMETER = "parameter"
    """A literal that gives a case of a parametrized test its value."""
    ENCODED = "encoded"
    """The text in a literal or a file that is decoded, as from base64."""
    STDIN = "stdin"
    """A literal that stands for the program's standard input."""
    FILE = "file"
    EXAMPLE = "example"
    """An argument of Hypothesis' falsifying example."""


_NAMED = {
    Source.LITERAL: "the literal",
    Source.PARAMETER: "the parameter",
    Source.ENCODED: "the text that the test or its program decodes",
    Source.STDIN: "the standard input",
    Source.FILE: "the file that it reads",
    Source.EXAMPLE: "Hypothesis' example",
}


@dataclass(frozen=True, slots=True)
class InputCandidate:
    """A text that a failing test may fail on, with all that is needed to reduce it."""

    kind: Source
    file: Path
    """The file itself, or the one with the literal or the test."""
    whole: str
    """What the file holds now."""
    start: tuple[int, int]
    """Line and column, from 1, where the literal or the test begins; zeros for a whole file."""
    end: tuple[int, int]
    text: str
    language: str
    """The name of the language that the text is in, by what it holds."""
    command: TestCommand
    """The test command for other texts in its place."""
    document: Callable[[str], str] | None
    """Returns the content of `file` with another text; None if a person puts that back."""
    written: Callable[[str], str]
    """Returns what stands in the file for another text: it itself, a literal, or a decorator."""
    likely: bool = True
    """Whether it feeds the failure, as far as that can be seen."""
    matters: bool | None = None
    """Whether the test fails otherwise if it is emptied; None if that was not tried."""
    parts: int = 1
    """Literals that it consists of; the text of several is that of a folder."""
    earlier: EarlierRuns = NONE_EARLIER
    """The run in which the test was found to fail, and that in which the input was emptied."""

    @property
    def named(self) -> str:
        """The kind of the input, as a person calls it."""
        return _NAMED[self.kind]

    @property
    def is_packed(self) -> bool:
        """Whether it is the text of a whole file that stands there in an encoding."""
        return self.kind is Source.ENCODED and not self.start[0]

    @property
    def path(self) -> str:
        """The path of `file` from the working directory."""
        return os.path.relpath(self.file, self.command.cwd)

    @property
    def where(self) -> str:
        """Its place, for a person: the path, with line and column unless it is the whole file."""
        return f"{self.path}:{self.start[0]}:{self.start[1]}" if self.start[0] else self.path

    def put_out(self, text: str) -> str:
        """Return another text as a result: of several parts, as they stand in the file."""
        return text if self.parts == 1 else self.written(text)

    def is_at(self, line: int, column: int | None) -> bool:
        """Say whether a literal goes through a line, or holds the place at a column of it."""
        if column is None:
            return self.start[0] <= line <= self.end[0]
        return self.start <= (line, column) <= self.end


def target_of(candidate: InputCandidate) -> Target:
    """Return a candidate as the failing input of its document; `candidate.whole` is its text.

    Another text of a falsifying example is put in by a decorator of the test.
    """
    command, file = candidate.command, candidate.file
    start, end, written = 0, len(candidate.whole), candidate.written
    if candidate.start[0]:
        start, end = offsets_of(candidate)
    if candidate.kind is Source.EXAMPLE:
        from boildown.targets.examples import placed

        start, written = placed(candidate.whole, start, candidate.written)
    return Target(
        InputKind.LITERAL if candidate.start[0] else InputKind.DOCUMENT,
        start,
        end,
        candidate.text,
        command,
        candidate.language,
        "" if candidate.start[0] else file.name,
        written=written,
        shown=f"pytest {command.test}" if command.test else shown(command),
        why="its test",
    )


def offsets_of(candidate: InputCandidate) -> tuple[int, int]:
    """Return where a literal begins and ends in its file, in code points."""
    from boildown.targets.literals import Module

    module = Module(candidate.whole)
    (line, column), (last, end) = candidate.start, candidate.end
    return module.offset((line, column - 1)), module.offset((last, end - 1))


def failing_tests(
    selection: Selection,
    timeout: float | None = None,
    see: See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[FailingTest, ...]:
    """Run a selection of tests once; return those that fail, at least one.

    Raises PreflightError if none does, none ran, or one hangs without a time-out that was given,
    CannotRun, and Stop.
    """
    with tempfile.TemporaryDirectory(prefix="boildown-") as folder:
        record = Path(folder, "record")
        command = selection.recording(str(record))
        text = read_text(command.input_path) if os.path.isfile(command.input_path) else ""
        with Runner(command, 1, stopped) as runner:
            longest = timeout or FIRST_RUN_TIMEOUT
            limited = replace(command, timeout=timeout)
            waits = patience(
                limited, longest, lambda *told: see(Note(as_message(*told))), lambda: None
            )
            run = runner.run(text, longest, waits=waits)
        told = record.read_text("utf-8") if os.path.exists(record) else ""
    failing = recorded_tests(selection, command, run, told)
    if not failing or (run.timed_out and timeout is None):
        shown = replace(command, argv=selection.argv)
        raise no_failing_test(shown, run, is_complete(told))
    return failing


def input_candidates(test: FailingTest) -> tuple[InputCandidate, ...]:
    """Return all inputs that a failing test may have; those that feed the failure are likely."""
    from boildown.targets.feeding import feeding, is_compared, is_name
    from boildown.targets.literals import Module
    from boildown.targets.reach import is_example, seen_by
    from boildown.targets.syntax import within

    module = Module(read_text(test.file))
    # Those before are the test runner's.
    frames = list(itertools.dropwhile(lambda frame: frame.file != test.file, test.frames))
    lines = [frame.line for frame in frames if frame.file == test.file]
    fed = feeding(module, lines)
    literals = [
        (node, seeing, literal)
        for node, seeing in seen_by(module, test.name)
        if (literal := _read(module, node)) is not None and not is_name(node)
    ]
    given = {
        value.strip()
        for frame in frames
        if frame.file != test.file
        for value in frame.values.values()
    }
    local = {
        value.strip()
        for frame in frames
        if frame.file == test.file
        for name, value in frame.values.items()
        if name in fed.names
    }
    seen = {value.strip() for frame in frames for value in frame.values.values()}
    displays = [node for node, _, literal in literals if literal.is_data]
    found = []
    for node, seeing, literal in literals:
        candidate = _of_literal(test, module, literal, seeing, node)
        if candidate is not None:
            is_inner = any(within(node.parent, each) for each in displays)
            feeds = candidate.kind is Source.STDIN or fed.holds(node)
            value = candidate.text.strip()
            if literal.is_data or (candidate.kind is Source.ENCODED and value not in seen):
                value = _value(literal)
            if value not in given | local:
                value = _made_of(literal, given | local) or value
            if is_example(node) and value in seen:
                local.add(value)
            found.append(_Found(candidate, feeds, value, is_compared(node), is_inner))
    found += _shared(test, given | local)
    found += map(_of_file, _including(list(_files(test, test.opened))))
    found += map(_of_file, _examples(test, module))
    # What was opened before the test may be for any other test.
    named = [literal.value for node, _, literal in literals if fed.holds(node)]
    found += map(_of_file, _opened_before(test, given | local, named))
    found = [_with_expected(each, found) for each in found]
    likely = _with_likely(found, given, local)
    return tuple(
        replace(candidate, likely=is_likely, earlier=EarlierRuns(test.run_on(candidate.text)))
        for candidate, is_likely in likely
    )


def _opened_before(
    test: FailingTest, values: set[str], named: Sequence[str]
) -> Iterator[InputCandidate]:
    """Yield the files that were read before the test and hold a value or a case of it.

    So does one that a literal of the test names. The names of cases that are read from a file
    depend on what it holds, so all are run.
    """
    cases = test if test.selection.is_unittest else replace(test, id=test.name)
    for each in _files(test, test.opened_before):
        if each.text.strip() in values or any(_is_named(each.file, one) for one in named):
            yield each
        elif _holds_a_case(each.text, values):
            yield from _files(cases, (each.file,))


@dataclass(frozen=True, slots=True)
class _Found:
    """An input that was found, with the evidence for it."""

    candidate: InputCandidate
    feeds: bool
    """Whether the failing line needs it, by the names in the test."""
    value: str
    """Its value, as frames hold it; empty if that is not known."""
    is_compared: bool = False
    """Whether the test only compares with it."""
    is_inner: bool = False
    """Whether it is a literal in a display, which is an input itself."""

    @property
    def is_word(self) -> bool:
        """Whether it more likely is a name, a key or a separator than an input."""
        is_whole = self.candidate.kind is Source.EXAMPLE or not self.candidate.start[0]
        return not is_whole and WORD.fullmatch(self.candidate.text) is not None


def _including(files: list[InputCandidate]) -> Iterator[InputCandidate]:
    """Yield the files that a test opened; one that an earlier one names is read because of that."""
    for number, each in enumerate(files):
        if not any(each.file.name in earlier.text for earlier in files[:number]):
            yield each


def _with_expected(each: _Found, found: list[_Found]) -> _Found:
    """Return a literal with its like that the test compares with, written at both places."""
    one = each.candidate
    if each.is_compared or each.is_word or not one.start[0] or one.kind is Source.EXAMPLE:
        return each
    for other in found:
        if other.is_compared and other.candidate.text == one.text:
            return replace(each, candidate=_at_both(*sorted((one, other.candidate), key=_start)))
    return each


def _start(candidate: InputCandidate) -> tuple[int, int]:
    return candidate.start


def _at_both(one: InputCandidate, other: InputCandidate) -> InputCandidate:
    """Return two literals with the same text as one input."""
    (start, low), (high, end) = offsets_of(one), offsets_of(other)
    whole = one.whole

    def written(text: str) -> str:
        return one.written(text) + whole[low:high] + other.written(text)

    def document(text: str) -> str:
        return whole[:start] + written(text) + whole[end:]

    command = replace(one.command, content=document)
    return replace(one, end=other.end, command=command, document=document, written=written)


def _of_file(candidate: InputCandidate) -> _Found:
    return _Found(candidate, True, candidate.text.strip())


WORD = re.compile(r"[\w.:/%-]{0,15}|\s*")
"""A text that more likely is a name or a value than an input."""
_CASE = 8
"""The characters of the shortest value that tells where the case of a test stands."""
_SHARED = 4
"""The characters from which on a text that is part of another one says something."""


def _with_likely(
    found: list[_Found], given: set[str], local: set[str]
) -> Iterator[tuple[InputCandidate, bool]]:
    """Yield the inputs, each with whether it is likely: the best evidence that one has decides.

    `given` are the values in frames below the test, `local` those of the test itself.
    """
    evidence: tuple[Callable[[_Found], bool], ...] = (
        lambda each: each.value in given and not each.is_word,
        lambda each: _is_part(each.value, given) and not each.is_word,
        # The case that was named is the input, however short its value is.
        lambda each: each.candidate.kind is Source.PARAMETER and each.value in given | local | {""},
        lambda each: each.value in local and not each.is_word,
        lambda each: _is_part(each.value, local) and not each.is_word,
        # Of data that is made of objects, frames hold no value.
        lambda each: each.feeds and not (each.value or each.is_word),
        lambda each: each.feeds and each.value in given | local,
        lambda each: each.feeds and not each.is_word,
        lambda each: each.feeds,
        lambda each: not each.is_word,
        lambda _each: True,
    )
    # What a test compares with is in the frames of assertions, too.
    whole = [each for each in found if not (each.is_inner or each.is_compared)]
    likely = next((likely for holds in evidence if (likely := list(filter(holds, whole)))), [])
    for one in found:
        yield one.candidate, any(one is other for other in likely)


def _is_part(text: str, values: set[str]) -> bool:
    return any(
        min(len(text), len(value)) >= _SHARED and (value in text or text in value)
        for value in values
    )


def _value(literal: Literal) -> str:
    """Return the value of a literal as frames hold it."""
    from boildown.targets.displays import shown_value

    shown = shown_value(literal.value) if literal.is_data else literal.value
    return (shown or "").strip()


def _made_of(literal: Literal, values: set[str]) -> str | None:
    """Return the value that a template has become: all of its own text, with any in its holes."""
    from boildown.targets.literals import pieces

    own = pieces(literal)
    if len(own) == 1 or sum(map(len, own)) < _SHARED:
        return None
    return next((each for each in sorted(values) if _holds_in_order(own, each)), None)


def _holds_in_order(pieces: Sequence[str], value: str) -> bool:
    """Say whether a value begins with the first piece, ends with the last, and has the others."""
    first, *middle, last = pieces[0].lstrip(), *pieces[1:-1], pieces[-1].rstrip()
    at = len(first)
    for piece in middle:
        found = value.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return value.startswith(first) and value.endswith(last) and at + len(last) <= len(value)


def _read(module: Module, node: Any) -> Literal | None:
    """Return the literal that a node is; None for one that makes no value, or an empty one."""
    from boildown.targets.literals import Declined, read

    try:
        literal = read(module, node)
    except Declined:
        return None
    return literal if literal.value else None


def _is_named(path: Path, value: str) -> bool:
    """Say whether a literal names a file, alone or with folders before it."""
    return str(path).endswith("/" + value.lstrip("./"))


def _holds_a_case(text: str, values: set[str]) -> bool:
    """Say whether a file holds one of a test's values, which is no word: its case stands there."""
    return any(
        len(value) >= _CASE and WORD.fullmatch(value) is None and value in text for value in values
    )


def _of_literal(
    test: FailingTest, module: Module, literal: Literal, seeing: Test, node: Any
) -> InputCandidate | None:
    """Return the input that a literal is.

    None for another case than the one that failed, and for the name of a file, which is the input.
    """
    from boildown.targets.examples import EXPLICIT
    from boildown.targets.pytest_command import command_of
    from boildown.targets.reach import is_example

    case = seeing.case
    if case is not None and test.indices.get(case.argument, case.index) != case.index:
        return None
    opened = (*test.opened, *test.opened_before)
    inner = (Path(os.path.relpath(path.parent, test.selection.cwd)).parts for path in opened)
    if any(_is_named(path, literal.value) for path in opened):
        return None
    if any(literal.value in parts for parts in inner):
        return None
    selection = test.selection
    if case is None or selection.is_unittest:
        command = selection.command(test.id, test.file)
    else:
        command = command_of(selection.words, seeing, test.file, selection.cwd)
    kind = Source.LITERAL if case is None else Source.PARAMETER
    if is_example(node):
        kind = Source.PARAMETER
        command = replace(command, environment={**command.environment, EXPLICIT: "1"})
    return _placed(test, module, literal, node, command, kind)


def _placed(
    test: FailingTest,
    module: Module,
    literal: Literal,
    node: Any,
    command: TestCommand,
    kind: Source,
) -> InputCandidate:
    """Return a literal of a module, the command's input, as an input of a test."""
    from boildown.targets.displays import LANGUAGE
    from boildown.targets.encoded import encoding_of, observed_encoding
    from boildown.targets.feeding import is_standard_input

    text, written = literal.value, literal.written
    encoding = encoding_of(module.tree, node) or observed_encoding(text, test.decoded)
    if encoding is not None and not literal.holes and (decoded := encoding.read(text)):
        kind, text, written = Source.ENCODED, decoded, partial(_encoded, literal, encoding)
    before, after = module.text[: literal.start], module.text[literal.end :]

    def document(text: str) -> str:
        """Return the module with another text in the place of the literal."""
        return before + written(text) + after

    return InputCandidate(
        Source.STDIN if is_standard_input(node) else kind,
        command.input_path,
        module.text,
        _from_1(node.start_pos),
        _from_1(node.end_pos),
        text,
        LANGUAGE if literal.is_data else detect("", text).name,
        replace(command, content=document, keep=literal.holes, code=literal.is_data),
        document,
        written,
    )


def _shared(test: FailingTest, values: set[str]) -> Iterator[_Found]:
    """Yield the literals of files of fixtures whose values were in use when the test failed."""
    from boildown.targets.literals import Module
    from boildown.targets.reach import literals_of

    cwd = test.selection.cwd
    for path in (folder / "conftest.py" for folder in test.file.parents):
        if not path.is_relative_to(cwd) or not os.path.isfile(path):
            continue
        module, command = Module(read_text(path)), from_argv(test.words, path, cwd)
        for node in literals_of(module):
            literal = _read(module, node)
            if literal is not None and (value := _value(literal)) in values:
                placed = _placed(test, module, literal, node, command, Source.LITERAL)
                found = _Found(placed, True, value)
                if not found.is_word:
                    yield found


def _encoded(literal: Literal, encoding: Encoding, text: str) -> str:
    """Return the literal for another text in the encoding that its test reads."""
    return literal.written(encoding.write(text))


def _from_1(position: tuple[int, int]) -> tuple[int, int]:
    """Return a position of parso's with a column that counts from 1, too."""
    return position[0], position[1] + 1


def _files(test: FailingTest, paths: tuple[Path, ...]) -> Iterator[InputCandidate]:
    """Yield the input candidates that are files which a test opened; an encoded one is decoded."""
    # Only here, for it needs the parser of Python.
    from boildown.targets.encoded import observed_encoding

    for path in paths:
        try:
            text = read_text(path)
        except FileError:
            continue
        if not text or path == test.file:
            continue
        command = from_argv(test.words, path, test.selection.cwd)
        nowhere, whole, kind, name = (0, 0), text, Source.FILE, path.name
        document: Callable[[str], str] = str
        encoding = observed_encoding(text, test.decoded)
        if encoding is not None and (decoded := encoding.read(text)):
            kind, text, document, name = Source.ENCODED, decoded, encoding.write, path.stem
            command = replace(command, content=document)
        language = detect(name, text).name
        yield InputCandidate(
            kind, path, whole, nowhere, nowhere, text, language, command, document, str
        )


def _examples(test: FailingTest, module: Module) -> Iterator[InputCandidate]:
    """Yield the texts in the falsifying example that Hypothesis printed for a test."""
    from boildown.targets.displays import LANGUAGE
    from boildown.targets.examples import EXPLICIT, examples

    selection = test.selection
    if selection.is_unittest or "[" in test.id:
        return  # The plugin that has nothing else tried is for pytest, and for tests by name.
    for example in examples(module, test.name, test.run.stdout):
        command = selection.command(test.id, test.file)
        environment = {**command.environment, EXPLICIT: "1"}
        yield InputCandidate(
            Source.EXAMPLE,
            test.file,
            module.text,
            _from_1(example.test.start_pos),
            _from_1(example.test.start_pos),
            example.text,
            LANGUAGE if example.is_data else detect("", example.text).name,
            replace(command, content=example.document, environment=environment),
            None,
            example.decorator,
        )
