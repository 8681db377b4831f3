"""Failed assertions of C and C++ programs."""

from __future__ import annotations

import re

from boildown.runner.judging.failures import Failure, FailureFinder, Files, place_of

_ASSERTIONS = (
    re.compile(
        r"^(?:[^:\n]+: )?(?P<file>[^:\n]+):\d+: (?P<function>[^\n]+): "
        r"Assertion [`'](?P<what>.*?)'? failed\.?",
        re.M,
    ),
    re.compile(
        r"^Assertion failed: \((?P<what>.*)\), function (?P<function>.*), file (?P<file>.*), line",
        re.M,
    ),
    re.compile(r"^Assertion failed: (?P<what>.*) \((?P<file>[^:]*): (?P<function>.*): \d+\)", re.M),
    re.compile(r"^Assertion failed: (?P<what>.*), file (?P<file>.*), line \d+(?P<function>)", re.M),
)


def c_assertion(output: str, files: Files) -> Failure | None:
    """Find a failed `assert` of C or C++, as the common C libraries print it."""
    for pattern in _ASSERTIONS:
        if found := pattern.search(output):
            file, function = found["file"], found["function"]
            place = function if files.is_movable(file) else place_of(file, function)
            return Failure(f"assertion {found['what']}", "" if files.is_own(file) else place)
    return None


FINDERS: tuple[FailureFinder, ...] = (c_assertion,)
