"""Predicates in Python as oracles: a function is called with a text, and its answer judged.

A predicate says whether a text reproduces, or it is the failing program itself: then it raises, and
a text reproduces if it makes it raise the same. Exceptions are compared as those of a program are
that a test command runs.
"""

from __future__ import annotations

import inspect
import os
import traceback
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import AnyStr, TypeAlias

from boildown.engine.oracle import Oracle, Outcome, Verdict
from boildown.runner.command import Level
from boildown.runner.judging.signature import Program, signature
from boildown.runner.judging.words import Words
from boildown.runner.run import Run, decode, encode

Answer: TypeAlias = "tuple[object, BaseException | None]"
"""The value that a call returned, or the exception that it raised."""

Exceptions: TypeAlias = "type[BaseException] | tuple[type[BaseException], ...]"
"""Types of exceptions, as `except` takes them."""

_PACKAGE = str(Path(__file__).parents[1]) + os.sep
_FRAMES = 100
"""Frames of a traceback that are looked at, the innermost ones."""
_SHOWN = 60
"""Characters of a text that a message shows."""
_HEADING = "Traceback (most recent call last):\n"
_EXIT = "exit 1"
"""How a program ends that an exception ends, in a signature; a call does not end so."""


def as_text(text: str | bytes) -> str:
    """Return a text as the engine takes it: bytes that don't decode become surrogate escapes.

    Raises:
        TypeError: it is neither a string nor bytes.
    """
    if isinstance(text, str | bytes):
        return text if isinstance(text, str) else decode(text)
    raise TypeError(f"The text must be str or bytes, not {type(text).__name__}.")


def types_of(raises: Exceptions) -> tuple[type[BaseException], ...]:
    """Return the types of exceptions as a tuple."""
    return raises if isinstance(raises, tuple) else (raises,)


def _caught(raises: Exceptions) -> tuple[type[BaseException], ...]:
    for each in types_of(raises):
        if not (isinstance(each, type) and issubclass(each, BaseException)):
            raise TypeError(f"raises takes a type of exceptions or a tuple of them, not {each!r}.")
    return (Exception, SystemExit, *types_of(raises))


def _fault(test: Callable[..., object]) -> str | None:
    """Return why a function cannot be called with one argument, as far as that is known."""
    try:
        inspect.signature(test).bind("")
    except TypeError as error:
        return str(error)
    except ValueError:
        # It is written in C, and does not tell.
        return None
    return None


def calling(
    test: Callable[[AnyStr], object], original: AnyStr, raises: Exceptions
) -> Callable[[str], Answer]:
    """Return a function that calls a predicate with a text of the kind of the original.

    An exit of the program is caught like an error; Ctrl-C only if `raises` names it.

    Raises:
        TypeError: the predicate cannot be called.
    """
    if not callable(test):
        hint = "; for a test command there is reduce_file" if isinstance(test, str) else ""
        raise TypeError(f"The test must be a function, not {type(test).__name__}{hint}.")
    if (fault := _fault(test)) is not None:
        raise TypeError(f"The test must take one argument, the text: {fault}.")
    caught = _caught(raises)

    def call(text: str) -> Answer:
        try:
            return test(text if isinstance(original, str) else encode(text)), None
        except caught as error:
            return None, error

    return call


@dataclass(slots=True)
class Predicate:
    """A predicate with its answer on the original, with which those on candidates are compared."""

    call: Callable[[str], Answer]
    raises: Exceptions = ()
    """The exceptions that are the failure; if there are none, that of the original is."""
    words: Container[str] = frozenset()
    """The words of the original: in a message they may be the input's, and are not compared."""
    failure: str | None = None
    """The signature of the exception that is the failure; None if the predicate returned."""
    described: str = ""
    """The same with its message, for a person."""
    raised: int = 0
    """How often it raised where it had returned on the original."""
    first_raised: str = ""
    """The first of these exceptions, and the text."""

    def judged(self, text: str, answer: object, error: BaseException | None) -> Verdict:
        """Compare an answer: the value that was returned, or the exception that was raised.

        Raises:
            TypeError: the value is a coroutine or a generator, and the failure is no exception.
        """
        if error is not None:
            return self._verdict_on(error, text)
        if self.failure is not None:
            if isinstance(answer, Outcome) and answer is not Outcome.REPRODUCED:
                return Verdict(answer)
            return Verdict(Outcome.PASSED)
        if isinstance(answer, Outcome):
            return Verdict(answer)
        if inspect.isawaitable(answer) or inspect.isgenerator(answer) or inspect.isasyncgen(answer):
            raise _misused(answer)
        return Verdict(Outcome.REPRODUCED if answer else Outcome.PASSED)

    def _verdict_on(self, error: BaseException, text: str) -> Verdict:
        seen = signature_of(error, text, self.words)
        if self.failure is None:
            self.raised += 1
            self.first_raised = self.first_raised or f"{seen} on {shown(text)}"
            return Verdict(Outcome.PASSED, seen)
        is_same = isinstance(error, self.raises) if self.raises else seen == self.failure
        return Verdict(Outcome.REPRODUCED if is_same else Outcome.PASSED, seen)

    def oracle(self, call: Callable[[str], Answer] | None = None) -> Oracle:
        """Return the predicate as an oracle, which another function may call it for."""
        asked = call or self.call
        return lambda texts: (self.judged(text, *asked(text)) for text in texts)

    def notes(self) -> Iterator[str]:
        """Yield the note on the exceptions that do not count as the failure, if there were any."""
        if self.raised:
            times = "once" if self.raised == 1 else f"{self.raised:,} times"
            yield (
                f"The test raised {times}, first {self.first_raised}, where it returns for the "
                "original: that counts as not reproducing."
            )


def predicate_on(text: str, call: Callable[[str], Answer], raises: Exceptions) -> Predicate:
    """Call a predicate with the original, and return it with that answer to compare others with.

    Raises:
        ValueError: the original does not reproduce.
        TypeError: it returned a coroutine or a generator.
    """
    answer, error = call(text)
    if raises and not isinstance(error, raises):
        did = "returned" if error is None else f"raised {signature_of(error, text)}"
        wanted = " or ".join(each.__name__ for each in types_of(raises))
        raise ValueError(f"The text does not reproduce: the test {did}, not {wanted}.") from error
    if error is not None:
        words = Words(text)
        failure, described = signature_of(error, text, words), described_as(error, text)
        return Predicate(call, raises, words, failure, described)
    found = Predicate(call)
    verdict = found.judged(text, answer, error)
    if not verdict.reproduced:
        did = f"says {verdict.outcome.value}" if answer is not None else "returned None"
        raise ValueError(f"The text does not reproduce: the test {did}.")
    return found


def _misused(answer: object) -> TypeError:
    """Return the error for an answer that says nothing, though it is true."""
    told = "it is a generator, which does nothing until it is asked"
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        told = "it is asynchronous; run it to its end, as asyncio.run does"
    return TypeError(f"The test must return True, False or an Outcome, or raise: {told}.")


def shown(value: object) -> str:
    """Return a value as Python writes it, the beginning of a long one."""
    written = repr(value)
    return written if len(written) <= _SHOWN else f"{written[: _SHOWN - 1]}…"


def signature_of(
    error: BaseException,
    text: str,
    words: Container[str] = frozenset(),
    level: Level = Level.LOCATION,
) -> str:
    """Return the signature of an exception that a predicate raised on a text."""
    trace = _outside(error)
    if trace is None:
        # A function in C has no frames of its own.
        lines = [_HEADING, *traceback.format_exception_only(type(error), error)]
    else:
        lines = traceback.format_exception(type(error), error, trace, limit=-_FRAMES)
    run = Run(1, stderr="".join(lines), text=text)
    seen = signature(run, "", level, Program(words=words))
    return type(error).__name__ if seen == _EXIT else seen.removeprefix(f"{_EXIT}: ")


def described_as(error: BaseException, text: str) -> str:
    """Return an exception that a predicate raised in a line for a person, with its message."""
    return signature_of(error, text, level=Level.MESSAGE).partition("\n")[0]


def _outside(error: BaseException) -> TracebackType | None:
    """Return the part of a traceback that is the predicate's; None if that has no frames."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_PACKAGE):
        trace = trace.tb_next
    return trace
