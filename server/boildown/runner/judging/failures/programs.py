"""Errors that a program reports in one line, as command-line tools do that hide their stack."""

from __future__ import annotations

import re

from boildown.runner.judging.failures import Failure, FailureFinder, Files

_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_LINE = re.compile(
    r"^(?:\[\w+\] )?(?:[^\s:]+: )?(?P<type>(?:[A-Z]\w*)?(?:Error|Exception)): (?P<message>.+)$",
    re.M,
)


def one_line(output: str, _files: Files) -> Failure | None:
    """Find a line such as `TypeError: …`, perhaps behind the name of a file or a level."""
    found = _LINE.search(_COLOUR.sub("", output))
    return None if found is None else Failure(found["type"], message=found["message"].strip())


FINDERS: tuple[FailureFinder, ...] = (one_line,)
