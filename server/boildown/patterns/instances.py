"""Inputs of a pattern: as texts, as tests, and whether they fail."""

from __future__ import annotations

import pprint
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from boildown import jobs
from boildown.engine.hole import Evidence
from boildown.engine.oracle import Stop
from boildown.engine.pattern import Pattern
from boildown.runner.cluster import oracle_of
from boildown.runner.command import TestCommand
from boildown.runner.preflight import preflight
from boildown.runner.runner import Runner

FORMS = ("text", "pytest", "hypothesis")
"""How inputs can be given out."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the test command said of inputs."""

    evidence: Evidence
    passed: tuple[str, ...]
    """Those that did not fail, or failed differently."""
    finished: bool


def instances(pattern: Pattern, count: int, seed: int) -> list[str]:
    """Return up to so many different inputs of a pattern."""
    return pattern.distinct(count, Random(seed))


def check_instances(
    pattern: Pattern,
    texts: Sequence[str],
    command: TestCommand,
    options: jobs.Options | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Checked:
    """Run inputs by a test command, to see if they fail as the pattern's text does.

    Raises:
        PreflightError: the pattern's own text does not reproduce; the message says why.
    """
    options = options or jobs.Options()
    evidence, finished = Evidence(), True
    passed: list[str] = []
    with Runner(command, options.jobs, stopped) as runner:
        expected = preflight(runner, pattern.text, options.repeat).expected
        try:
            with oracle_of(runner, expected, stopped) as oracle:
                for text, verdict in zip(texts, oracle(texts), strict=False):
                    evidence = evidence.plus(verdict.outcome)
                    if evidence.passed > len(passed):
                        passed.append(text)
        except Stop:
            finished = False
    return Checked(evidence, tuple(passed), finished)


def rendered(pattern: Pattern, texts: Sequence[str], form: str) -> str:
    """Return inputs in one of the `FORMS`, ready to be written to a file."""
    if form == "pytest":
        return _as_pytest(pattern, texts)
    if form == "hypothesis":
        return _as_hypothesis(pattern, texts)
    if any("\n" in text or "\r" in text for text in texts):
        return "".join(f"--- {number}\n{text}\n" for number, text in enumerate(texts, 1))
    return "".join(f"{text}\n" for text in texts)


_PYTEST = '''"""Inputs that fail alike: {title}."""

import pytest

INPUTS = {inputs}


@pytest.mark.parametrize("text", INPUTS)
def test_input(text):
    pytest.fail("Call here with `text` what failed, and assert what it should do.")
'''

_HYPOTHESIS = '''"""Inputs that fail alike: {title}."""

from hypothesis import strategies as st

PARTS = {parts}
"""What an input is made of: text that stays, and the names of holes."""

HOLES = {holes}
"""Texts that may stand in each hole."""


@st.composite
def inputs(draw):
    """An input; holes of one name hold the same text."""
    values = {{name: draw(st.sampled_from(texts)) for name, texts in HOLES.items()}}
    return "".join(values[part] if is_hole else part for is_hole, part in PARTS)
'''


def _as_pytest(pattern: Pattern, texts: Sequence[str]) -> str:
    return _PYTEST.format(title=_title(pattern), inputs=pprint.pformat(list(texts), width=96))


def _as_hypothesis(pattern: Pattern, texts: Sequence[str]) -> str:
    parts, holes = assembled(pattern, texts)
    return _HYPOTHESIS.format(
        title=_title(pattern),
        parts=pprint.pformat(parts, width=96),
        holes=pprint.pformat(holes, width=96),
    )


def assembled(
    pattern: Pattern, texts: Sequence[str]
) -> tuple[list[tuple[bool, str]], dict[str, list[str]]]:
    """Return how inputs are put together: their parts, and what may stand in each hole.

    A part is whether it is a hole, and the hole's name or else the text there.
    """
    parts = _parts(pattern)
    holes: dict[str, dict[str, None]] = {hole.name: {} for hole in pattern.holes}
    for text in (pattern.text, *texts):
        values = {
            hole.name: hole.wrapped(value.text)
            for hole, value in zip(pattern.holes, pattern.read(text) or (), strict=False)
        }
        # Where white space had to be put around a value, it can't be put together like this.
        if "".join(values.get(part, part) if is_hole else part for is_hole, part in parts) == text:
            for name, value in values.items():
                holes[name][value] = None
    return parts, {name: list(values) for name, values in holes.items()}


def _parts(pattern: Pattern) -> list[tuple[bool, str]]:
    """Return what a text is made of: for each part whether it is a hole, and its text or name."""
    parts = []
    at = 0
    for hole in pattern.holes:
        parts += [(False, pattern.text[at : hole.start]), (True, hole.name)]
        at = hole.end
    parts.append((False, pattern.text[at:]))
    return [part for part in parts if part[1]]


def _title(pattern: Pattern) -> str:
    """Return the pattern as it can stand in a string of three quotes."""
    return ascii(str(pattern))[1:-1].replace('"', '\\"')
