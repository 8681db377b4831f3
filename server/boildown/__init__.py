"""Boildown: from a failing input to the smallest one that still fails the same way.

>>> from boildown import reduce
>>> reduce("let x = (1 / (0));", lambda text: "/" in text and "0" in text).text
'/0'
"""

from __future__ import annotations

import sys

if (
    sys.argv[:1] == ["-m"]
    and ("-m", "boildown") in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)
    and not (sys.flags.isolated or getattr(sys.flags, "safe_path", False))
):
    # Python is about to run `-m boildown` and has put the working directory first, which may be
    # anybody's: nothing is imported from there.
    del sys.path[0]

# Nothing is imported for types alone: whoever asks only for the package waits for nothing else.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boildown.engine.certificate import Certificate
    from boildown.engine.laws.law import Law
    from boildown.engine.oracle import Outcome
    from boildown.engine.patterns.algebra import NoSample
    from boildown.engine.patterns.pattern import Pattern
    from boildown.engine.reducing.reduce import Reduction
    from boildown.files import FileError
    from boildown.jobs.why import Why
    from boildown.jobs.work import PreflightError
    from boildown.languages import LanguageError, load_language
    from boildown.library.calls import CallError, failing_call
    from boildown.library.files import CheckedFile, check, reduce_file, reducing_file, why
    from boildown.library.interrupted import Interrupted
    from boildown.library.laws import parse_law
    from boildown.library.texts import generalize, reduce, reducing
    from boildown.library.warning import BoildownWarning
    from boildown.runner.rules import RuleError
    from boildown.runner.run import CannotRun
    from boildown.targets.test_command import CommandError

__all__ = [
    "BoildownWarning",
    "CallError",
    "CannotRun",
    "Certificate",
    "CheckedFile",
    "CommandError",
    "FileError",
    "Interrupted",
    "LanguageError",
    "Law",
    "NoSample",
    "Outcome",
    "Pattern",
    "PreflightError",
    "Reduction",
    "RuleError",
    "Why",
    "check",
    "failing_call",
    "generalize",
    "load_language",
    "parse_law",
    "reduce",
    "reduce_file",
    "reducing",
    "reducing_file",
    "why",
]

_HOMES = {
    "BoildownWarning": "boildown.library.warning",
    "CallError": "boildown.library.calls",
    "CannotRun": "boildown.runner.run",
    "Certificate": "boildown.engine.certificate",
    "CheckedFile": "boildown.library.files",
    "CommandError": "boildown.targets.test_command",
    "FileError": "boildown.files",
    "Interrupted": "boildown.library.interrupted",
    "LanguageError": "boildown.languages",
    "Law": "boildown.engine.laws.law",
    "NoSample": "boildown.engine.patterns.algebra",
    "Outcome": "boildown.engine.oracle",
    "Pattern": "boildown.engine.patterns.pattern",
    "PreflightError": "boildown.jobs.work",
    "Reduction": "boildown.engine.reducing.reduce",
    "RuleError": "boildown.runner.rules",
    "Why": "boildown.jobs.why",
    "check": "boildown.library.files",
    "failing_call": "boildown.library.calls",
    "generalize": "boildown.library.texts",
    "load_language": "boildown.languages",
    "parse_law": "boildown.library.laws",
    "reduce": "boildown.library.texts",
    "reduce_file": "boildown.library.files",
    "reducing": "boildown.library.texts",
    "reducing_file": "boildown.library.files",
    "why": "boildown.library.files",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for: the server starts without the engine and its grammars."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
