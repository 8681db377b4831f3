"""Rejections by a parser, as failures: valid input is refused in the words for invalid input.

So the search of a smaller input that fails alike ends at one that is rejected rightly, unless it
keeps to inputs that another reader takes, or has a version of the program that is good.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from boildown.engine.language import LONGEST_PARSED, Language
from boildown.languages.plain import Plain
from boildown.languages.readers import is_read_by_grammar, is_valid, kept_filled, kept_valid
from boildown.runner.advice import Advice, Message, as_message
from boildown.runner.command import TestCommand
from boildown.runner.judging.doubts import doubts_about
from boildown.runner.judging.signature import find_failure
from boildown.runner.pipelines import last_on_candidate
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

    Valid ones are if the user says so, and where the program rejects an input that another reader
    takes, unless a good version or a rule of the user's tells rejections apart.
    """
    text = start.run.text
    if command.allow_empty is False:
        language = kept_filled(language)
    if command.keep_valid:
        if is_valid(text, language):
            return kept_valid(language, text)
        note("The input itself is not valid by another reader, so none is asked.", "invalid")
        return language
    if command.keep_valid is False or not _misses_a_reader(command, start, language):
        return language
    told = (
        f"The failure is a rejection, and the input is valid {language.name} by another reader, so"
        " only valid inputs are tried. To try all, say ",
        Advice("keep_valid", False),
        ".",
    )
    note(told, "keeps-valid")
    return kept_valid(language, text)


def _misses_a_reader(command: TestCommand, start: Preflight, language: Language) -> bool:
    """Say whether the failure is a rejection of an input that is valid by another reader."""
    text = start.run.text
    is_ruled = command.interesting or command.reproduces is not None or command.compares_output
    if command.good or is_ruled or command.folder or isinstance(language, Plain):
        return False
    return len(text) <= LONGEST_PARSED and is_rejection(start.run) and is_valid(text, language)


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
    if not _misses_a_reader(command, start, language):
        return found
    if is_valid(run.text, language):
        if not is_read_by_grammar(language):
            return found
        told = (
            f"Doubt: the result is valid {language.name} by the grammar alone, which knows nothing"
            " of names and types: it may be rejected rightly. Name a version that reads the input"
            " with ",
            Advice("good"),
            ".",
        )
        return (*found, as_message(told, "grammar-alone"))
    told = (
        f"Doubt: the input is valid {language.name} by another reader, and the result is not: it"
        " may be rejected rightly. Name a version that reads the input with ",
        Advice("good"),
        ", or say ",
        Advice("keep_valid", True),
        ".",
    )
    return (*found, as_message(told, "rejected"))
