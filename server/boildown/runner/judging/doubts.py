"""Doubts about a result: reasons why its failure may be another one than the input's."""

from __future__ import annotations

import contextlib
import os
import re
import signal

from boildown.files import FileError, read_text
from boildown.runner.advice import Advice, Message, as_message
from boildown.runner.command import Level, TestCommand
from boildown.runner.judging.failures import Frame
from boildown.runner.judging.failures.managed import javascript_stack
from boildown.runner.judging.failures.python import stack_of
from boildown.runner.judging.judge import Expected
from boildown.runner.judging.signature import find_failure
from boildown.runner.judging.words import Words
from boildown.runner.run import Run, signal_name
from boildown.runner.versions import fitting_version, imported, named_scripts

_WORD = re.compile(r"[^\W\d_]{2,}")
_PATH = re.compile(r"\S*[/\\]\S*")
_ASSERTION = re.compile(r"(?:\w+\.)*AssertionError\b")
_LIBRARY = re.compile(r"^node:|/unittest/|/node_modules/|/site-packages/")
_CHECKS = re.compile(r"assert|expect|should|check|verify|equal|\bok\b", re.IGNORECASE)
"""What a script calls to have a package assert something."""
_STARTS = re.compile(r"\bsubprocess\b|\bchild_process\b|\bos\.(?:system|popen)\b")
"""What a script starts other programs by."""
_INLINE = ("<string>", "[eval]")
"""The files that frames name in a script that stands in the command."""
_SHELL = re.compile(r"#!.*\b(?:ba|da|k|z)?sh\b")
_COMPARES = re.compile(r"\b(?:cmp|diff|[ef]?grep)\b")
"""The programs by which a script for a shell judges what others print."""
_GIVES = re.compile(
    r"(?:^|[|;&({!]|\b(?:if|then|else|do|while)\b)[ \t]*"
    r"(?!(?:[ef]?grep|test|cat|wc|head|tail|echo|printf)\b)\w[\w./-]*\b(?P<given>[^\n|;&]*)",
    re.MULTILINE,
)
"""What a script for a shell gives to other programs than those that only look at it, or print."""
_ARGUMENT = re.compile(r"\$[1@*]")
_ASKS = re.compile(r"[!=]=|\b(?:in|not|if)\b")
_ENDS = re.compile(r"\b(?:exit|SystemExit|exitCode)\b(?!\(main)")
_NO_CHECK = re.compile(r"__name__|argv")
_CLOSE = 3
"""Lines behind a question in which a script that answers it by its exit status ends."""
OWN_STATUSES = range(1, 128)
"""The exit statuses by which a program itself says that it failed; others tell of a signal."""
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
    if (script := checking_script(command, original)) is not None:
        return _by_assertion(command, script, original, result)
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
    if not said and (died := _signal(result)) is not None:
        told = (
            f"Doubt: the result dies by {signal_name(died)} without a word, as many failures do;"
            " compare both with a sanitizer or a debugger."
        )
        return (as_message(told, "mute-signal"),)
    if (script := _judging_script(command, original)) is not None:
        name, source = script
        told = f"only the exit status of {name} is compared, with which other wrong outputs may end"
        return _of_script(command, source, told, "check")
    return ()


def checking_script(command: TestCommand, run: Run) -> tuple[str, str] | None:
    """Return the script that the command names, with its source, if an assertion in it failed.

    So it judges what another program gives, and the failure is not that program's own. A script
    that neither imports nor starts any is the program itself. One that prints words of its own and
    ends asserts as well.
    """
    failure = find_failure(run, run.file)
    by_rule = command.reproduces is not None or command.interesting or command.runs_pytest
    if by_rule or command.good or failure is None:
        return None
    if not _ASSERTION.match(failure.error):
        script = None if failure.place else _judging_script(command, run)
        said = _words(run)
        return script if script and said and said <= _all_words(script[1]) else None
    output = f"{run.stdout}\n{run.stderr}"
    frames = stack_of(output) or javascript_stack(output)
    caller = next((each for each in frames if not _LIBRARY.search(each.file)), Frame(""))
    last = caller.file
    words = [word for part in command.argv for word in part.split()]
    name = os.path.basename(last)
    found = "\n".join(command.argv) if last in _INLINE else None
    for word in words:
        if os.path.basename(word) == name != command.name:
            with contextlib.suppress(FileError):
                found = read_text(command.cwd / word)
    if found is None or not _uses_others(found):
        return None
    line = found.splitlines()[caller.number - 1 : caller.number]
    if frames[:1] != [caller] and last not in _INLINE and not any(map(_CHECKS.search, line)):
        # A package that the script calls has asserted something of its own.
        return None
    return "the command" if last in _INLINE else name, found


def _uses_others(source: str) -> bool:
    """Say whether a script in Python or for Node imports or starts other programs."""
    return any(imported(source)) or _STARTS.search(source) is not None


def _judging_script(command: TestCommand, run: Run) -> tuple[str, str] | None:
    """Return the script that the command runs, with its source, if it judges outputs and ends."""
    if run.status not in OWN_STATUSES:
        return None
    scripts = named_scripts(command)
    return next((each for each in scripts if _asserts(each[1], command.name)), None)


def _asserts(source: str, name: str) -> bool:
    """Say whether a script is a check of outputs; its input is a file with this name."""
    if not _SHELL.match(source):
        return _uses_others(source) and _decides(source)
    given = [each["given"] for each in _GIVES.finditer(source)]
    is_given = any(name in each or _ARGUMENT.search(each) for each in given)
    return is_given and _COMPARES.search(source) is not None


def _decides(source: str) -> bool:
    """Say whether a script in Python or for Node ends with a status where it finds something."""
    lines = source.splitlines()
    return any(
        _ASKS.search(line)
        and not _NO_CHECK.search(line)
        and any(map(_ENDS.search, lines[number : number + 1 + _CLOSE]))
        for number, line in enumerate(lines)
    )


def _by_assertion(
    command: TestCommand, script: tuple[str, str], original: Run, result: Run
) -> tuple[Message, ...]:
    """Return the doubt about an assertion that a script makes of the output of a program."""
    seen = [find_failure(each, each.file) for each in (original, result)]
    first, last = (None if each is None else each.message for each in seen)
    name, source = script
    if first and first == last and first not in source:
        # The values are the same.
        return ()
    told = f"an assertion of {name} failed, which other wrong outputs of the program fail"
    return _of_script(command, source, told, "assertion")


def _of_script(command: TestCommand, source: str, told: str, code: str) -> tuple[Message, ...]:
    """Return the doubt about a failure that a script judges, which others may meet as well."""
    doubt = (
        f"Doubt: {told} as well. Name a version that gets it right, such as ",
        Advice("good", fitting_version(command, source)),
        ".",
    )
    return (as_message(doubt, code),)


def _words(run: Run, whole: bool = False) -> set[str]:
    """Return the words that a program prints by itself, without those of its input and of paths.

    With `whole`, also those of its input. What a shell says of a program that died is no word.
    """
    printed = _PATH.sub(" ", f"{run.stderr}\n{run.stdout}")
    if (died := _signal(run)) is not None and run.signal is None:
        printed = printed.replace(signal.strsignal(died) or "\0", " ").replace("core dumped", " ")
    own = Words("" if whole else run.text)
    return {word for word in _all_words(printed) if word not in own}


def _all_words(text: str) -> set[str]:
    return set(map(str.lower, _WORD.findall(text)))


def _signal(run: Run) -> int | None:
    """Return the signal that ended a run, or one that a shell tells of by its exit status."""
    if run.signal is not None or run.status is None:
        return run.signal
    return run.status - 128 if run.status - 128 in signal.valid_signals() else None
