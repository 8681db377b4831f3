"""Failures that invalid input meets as well, and the search that keeps to valid input for that.

A parser refuses valid input in the words for invalid input; an assertion about what a program makes
of its input fails for what it makes of nonsense; an exit status says nothing. So the search of a
smaller input that fails alike would end at one that fails rightly, unless it keeps to inputs that
another reader takes, or has a version of the program that is good.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from boildown.engine.language import Language
from boildown.languages.plain import Plain
from boildown.languages.readers import (
    has_few_errors,
    is_nearly_valid,
    is_read_by_grammar,
    is_valid,
    kept_filled,
    kept_valid,
    longest_read,
)
from boildown.languages.registry import languages
from boildown.runner.advice import Advice, Message, as_message
from boildown.runner.command import TestCommand
from boildown.runner.judging.doubts import (
    OWN_STATUSES,
    checking_script,
    compares_end_alone,
    doubts_about,
)
from boildown.runner.judging.signature import find_failure
from boildown.runner.pipelines import compiler_on_candidate, last_on_candidate
from boildown.runner.preflight.preflight import Preflight
from boildown.runner.run import Run
from boildown.runner.versions import fitting_version

_REJECTION = re.compile(
    r"(?i)pars(?:e|ing)|syntax|validat|invalid|unexpected|expected|malformed|decod(?:e|ing)"
)
"""The words of a program that rejects its input, rightly or not."""
_DEFECT = re.compile(
    r"(?i:\b(?:internal|panic(?:ked)?|unreachable|crash(?:ed)?|bug)\b)|^(?:\w+\.)*(?:Type|Attribute"
    r"|Key|Index|Name|UnboundLocal|Assertion|Recursion|ZeroDivision|Import|Reference|Range)Error\b"
    r"|NullPointer|ClassCast|OutOfBounds"
)
"""The words and types of errors that no program rejects an input with."""
_NONSENSE = "<(]}'\"%"
"""A text that is valid in languages of which any text is, such as Markdown."""


def is_rejection(run: Run) -> bool:
    """Say whether a run failed with the words of a program that rejects its input."""
    if (failure := find_failure(run, run.file)) is None:
        return False
    said = f"{failure.error}: {failure.message}".partition("\n")[0]
    return _REJECTION.search(said) is not None and _DEFECT.search(said) is None


def limited_to(
    command: TestCommand,
    start: Preflight,
    language: Language,
    note: Callable[[str | Message, str], None],
) -> Language:
    """Return the language in which candidates are made: of some texts only, where that is wanted.

    Valid ones are if the user says so, and where invalid ones may fail alike, unless a good version
    or a rule of the user's tells them apart.
    """
    text = start.run.text
    if command.allow_empty is False:
        language = kept_filled(language)
    reason = "" if command.keep_valid is not None else _reason(command, start, language)
    if not (command.keep_valid or reason):
        return language
    nearly = "" if is_valid(text, language) else "nearly "
    if nearly and not has_few_errors(text, language):
        if command.keep_valid:
            note("The input itself is not valid by another reader, so none is asked.", "invalid")
        return language
    if command.keep_valid:
        return kept_valid(language, text)
    told = (
        f"{reason}, and the input is {nearly}valid {_title(language)} by another reader, so only"
        " valid inputs are tried. To try all, say ",
        Advice("keep_valid", False),
        ".",
    )
    note(told, "keeps-valid")
    return kept_valid(language, text)


def _reason(command: TestCommand, start: Preflight, language: Language) -> str:
    """Say why invalid input may fail as the input does, if a reader can tell them apart; or ""."""
    if is_rejection(start.run):
        reason = "The failure is a rejection"
    elif checking_script(command, start.run) is not None:
        reason = "The failure is an assertion about what a program makes of its input"
    elif (
        start.run.status in OWN_STATUSES or compiler_on_candidate(command)
    ) and compares_end_alone(command, start.expected, start.run):
        reason = "Only the exit status is compared"
    else:
        return ""
    return reason if _can_tell(command, start, language) else ""


def _can_tell(command: TestCommand, start: Preflight, language: Language) -> bool:
    """Say whether a reader can tell valid inputs from others, and nothing else does."""
    is_ruled = command.interesting or command.reproduces is not None or command.compares_output
    if command.good or is_ruled or command.folder or isinstance(language, Plain):
        return False
    return len(start.run.text) <= longest_read(language) and not is_valid(_NONSENSE, language)


def _title(language: Language) -> str:
    """Return the name of a language for people."""
    return next((each.title for each in languages() if each.name == language.name), language.name)


def doubts_of(
    command: TestCommand, start: Preflight | None, run: Run | None, language: Language
) -> tuple[Message, ...]:
    """Return the reasons why the result, by its run, may show another failure than the input."""
    if start is None or run is None:
        return ()
    found = doubts_about(command, start.expected, start.run, run)
    if last_on_candidate(command) and is_rejection(start.run):
        told: Message = (
            "Doubt: the last program rejects the output of the one before it, as it may reject any"
            " wrong output. Name a version that gets it right, such as ",
            Advice("good", fitting_version(command, tool=True)),
            ".",
        )
        return (*found, as_message(told, "output-rejected"))
    if not _reason(command, start, language):
        return (*found, *_no_longer_valid(command, start, run, language))
    if not is_nearly_valid(start.run.text, language):
        return found
    if is_valid(run.text, language):
        if not (is_rejection(start.run) and is_read_by_grammar(language)):
            return found
        told = (
            f"Doubt: the result is valid {_title(language)} by the grammar alone, which knows"
            " nothing of names and types: it may be rejected rightly. Name a version that reads the"
            " input, such as ",
            Advice("good", fitting_version(command, tool=True)),
            ".",
        )
        return (*found, as_message(told, "grammar-alone"))
    told = (
        f"Doubt: the result is no valid {_title(language)} by another reader, and may fail rightly."
        " Name a version that takes the input, such as ",
        Advice("good", fitting_version(command, tool=True)),
        ", or say ",
        Advice("keep_valid", True),
        ".",
    )
    return (*found, as_message(told, "rejected"))


def _no_longer_valid(
    command: TestCommand, start: Preflight, run: Run, language: Language
) -> tuple[Message, ...]:
    """Return the doubt about a result that is not valid where the input is, as after a crash."""
    is_asked = command.keep_valid is None and _can_tell(command, start, language)
    if not is_asked or is_valid(run.text, language) or not is_valid(start.run.text, language):
        return ()
    told = (
        f"Doubt: the result is no valid {_title(language)} by another reader, as the input is, and"
        " may fail for that. To try only valid inputs, say ",
        Advice("keep_valid", True),
        ".",
    )
    return (as_message(told, "no-longer-valid"),)
