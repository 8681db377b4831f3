"""Doubts about a result: reasons why its failure may be another one than the input's."""

from __future__ import annotations

import re
import signal

from boildown.runner.advice import Message, as_message
from boildown.runner.command import Level, TestCommand
from boildown.runner.judging.judge import Expected
from boildown.runner.judging.words import Words
from boildown.runner.run import Run, signal_name

_WORD = re.compile(r"[^\W\d_]{2,}")
_PATH = re.compile(r"\S*[/\\]\S*")
_FEW = 0.5
"""The share of the words of the original's output below which another output shares few."""


def compares_end_alone(command: TestCommand, expected: Expected, run: Run) -> bool:
    """Say whether nothing but the exit status or signal of the original's run is compared."""
    by_rule = command.reproduces is not None or command.interesting or command.predicate is not None
    is_alone = not by_rule and not command.good and command.level is not Level.EXIT
    return is_alone and expected.signature == run.end


def doubts_about(
    command: TestCommand, expected: Expected, original: Run, result: Run
) -> tuple[Message, ...]:
    """Return the doubts about a result, by its run and the run on the original."""
    if not compares_end_alone(command, expected, original):
        return ()
    said, again = _words(original), _words(result)
    if not said:
        # All that is printed may be the input's, where that is a program.
        said, again = _words(original, whole=True), _words(result, whole=True)
    if said and len(said & again) < _FEW * len(said):
        told = (
            f"Doubt: the result ends with {result.end} as the input does, but prints other words;"
            " it may be another failure."
        )
        return (as_message(told, "other-words"),)
    if not said and not again and (died := _signal(result)) is not None:
        told = (
            f"Doubt: the result dies by {signal_name(died)} without a word, as many failures do;"
            " compare both with a sanitizer or a debugger."
        )
        return (as_message(told, "mute-signal"),)
    return ()


def _words(run: Run, whole: bool = False) -> set[str]:
    """Return the words that a program prints by itself, without those of its input and of paths.

    With `whole`, also those of its input. What a shell says of a program that died is no word.
    """
    printed = _PATH.sub(" ", f"{run.stderr}\n{run.stdout}")
    if (died := _signal(run)) is not None and run.signal is None:
        printed = printed.replace(signal.strsignal(died) or "\0", " ").replace("core dumped", " ")
    own = Words("" if whole else run.text)
    return {word for word in map(str.lower, _WORD.findall(printed)) if word not in own}


def _signal(run: Run) -> int | None:
    """Return the signal that ended a run, or one that a shell tells of by its exit status."""
    if run.signal is not None or run.status is None:
        return run.signal
    return run.status - 128 if run.status - 128 in signal.valid_signals() else None
