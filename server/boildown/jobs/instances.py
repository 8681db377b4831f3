"""Inputs made from a pattern: drawn, run by the test command, and written in a form.

A new form is an entry of `FORMS`: the command line, the server and its clients take it from there.
"""

from __future__ import annotations

import itertools
import pprint
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from boildown.engine.laws.instances import repaired
from boildown.engine.oracle import Stop
from boildown.engine.patterns.grammars import (
    NotContextFree,
    grammar_of_law,
    grammar_of_pattern,
)
from boildown.engine.patterns.hole import Evidence
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.strategies import drawing
from boildown.grammar import Grammar, write_lark
from boildown.jobs.events import PatternError
from boildown.jobs.matching import ReadFormula
from boildown.jobs.work import JobOptions, oracle_of
from boildown.runner.command import TestCommand
from boildown.runner.preflight.preflight import preflight
from boildown.runner.runner import Runner
from boildown.targets.inputs import Inputs
from boildown.targets.regression_file import as_file

EDITED = 10
"""Inputs that are drawn to be edited, for each that is wanted."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcomes of inputs that were run by the test command."""

    evidence: Evidence
    passed: tuple[str, ...]
    """Those that did not fail, or failed differently."""
    finished: bool


def instances(
    pattern: Pattern, count: int, seed: int, where: ReadFormula | None = None
) -> list[str]:
    """Draw up to `count` different inputs of a pattern; the seed decides which.

    Of those drawn, the ones that a formula explains are kept, if one is given; where these are too
    few and it is a law, others are edited until it holds.
    """
    if where is None:
        return pattern.distinct(count, Random(seed))
    language, rng = pattern.language, Random(seed)
    found = dict.fromkeys(pattern.distinct(count, rng, lambda text: where.explains(text, language)))
    law = where.law(language)
    if law is not None and len(found) < count:
        drawn = (pattern.draw(rng) for _ in range(EDITED * count))
        donors = itertools.chain([pattern.text], (each.text for each in drawn if each is not None))
        for text in repaired(law, donors, rng):
            if pattern.matches(text) and where.explains(text, language):
                found[text] = None
                if len(found) == count:
                    break
    return list(found)


def nearest_first(pattern: Pattern, texts: Sequence[str]) -> list[str]:
    """Return inputs in the order in which people read them: about as long as the pattern's text.

    >>> from boildown import generalize
    >>> pattern = generalize("[1]", lambda text: text.startswith("["), "json", law_runs=0)
    >>> nearest_first(pattern, ["[1,2,3]", "[]", "[12]"])
    ['[]', '[12]', '[1,2,3]']
    """
    own = len(pattern.text)
    return sorted(texts, key=lambda text: (abs(len(text) - own), len(text), text))


def check_instances(
    pattern: Pattern,
    texts: Sequence[str],
    command: TestCommand,
    options: JobOptions | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Checked:
    """Run inputs by a test command, to see if they fail as the pattern's text does.

    Raises:
        PreflightError: the pattern's own text does not reproduce; the message says why.
    """
    options = options or JobOptions()
    evidence, finished = Evidence(), True
    passed: list[str] = []
    with Runner(command, options.jobs, stopped) as runner:
        expected = preflight(runner, pattern.text, command.repeat).expected
        try:
            with oracle_of(runner, expected, stopped) as oracle:
                for text, verdict in zip(texts, oracle(texts), strict=False):
                    evidence = evidence.plus(verdict.outcome)
                    if evidence.passed > len(passed):
                        passed.append(text)
        except Stop:
            finished = False
    return Checked(evidence, tuple(passed), finished)


@dataclass(frozen=True, slots=True)
class Instances:
    """Inputs of a pattern, with all that a form may need to write them down."""

    pattern: Pattern
    texts: Sequence[str]
    command: TestCommand | None = None
    """The test command, which tests run on each input; None: what they call is left open."""
    folder: Path = Path()
    """Where the file with the tests is going to be."""
    before: str = ""
    """The text before the input in its document."""
    after: str = ""
    """The text after the input in its document."""
    failure: str = ""
    """The signature of the failure that they have in common; empty: not known."""
    expected: str = ""
    """What the program should print for the pattern's text; empty: not known."""


@dataclass(frozen=True, slots=True)
class OutputForm:
    """A form in which inputs of a pattern can be written."""

    title: str
    """The title of an editor's action for it."""
    render: Callable[[Instances], str]
    """Returns the content of a file."""
    ending: str = ".inputs{}.txt"
    """The end of the name of a new file, after the stem of the input's own: `{}` is for a number,
    `{suffix}` for the suffix of the input's own file."""
    test_inputs: Callable[[Pattern, Sequence[str]], Inputs] | None = None
    """How tests are given the inputs; None if the form holds no tests."""
    needs_holes: bool = True
    """Whether it is of use only for a pattern with more than one input."""


def render(form: str, made: Instances) -> str:
    """Return inputs in one of the `FORMS`, ready to be written to a file."""
    return FORMS[form].render(made)


def _as_text(made: Instances) -> str:
    """Return a line for each input, or a block where one has more than a line."""
    if any("\n" in text or "\r" in text for text in made.texts):
        return "".join(f"--- {number}\n{text}\n" for number, text in enumerate(made.texts, 1))
    return "".join(f"{text}\n" for text in made.texts)


def _as_pattern(made: Instances) -> str:
    """Return the document with the pattern in place of the input."""
    return f"{made.before}{made.pattern}{made.after}"


_PYTEST = '''"""Inputs that fail alike: {title}."""

import pytest

INPUTS = {inputs}


@pytest.mark.parametrize("text", INPUTS)
def test_input(text):
    pytest.fail("Call here with `text` what failed, and assert what it should do.")
'''

_HYPOTHESIS = '''"""Inputs that fail alike: {title}."""

from hypothesis import strategies as st


{strategy}'''


def _as_pytest(made: Instances) -> str:
    if made.command is not None:
        # What is expected is of the pattern's text, which stands first then.
        own = [made.pattern.text] if made.expected else []
        texts = list(dict.fromkeys((*own, *made.texts)))
        return _test_file(_listed(made.pattern, texts), made, made.command)
    inputs = pprint.pformat(list(made.texts), width=96)
    return _PYTEST.format(title=_title(made.pattern), inputs=inputs)


def _as_hypothesis(made: Instances) -> str:
    if made.command is not None:
        return _test_file(_drawn(made.pattern, made.texts), made, made.command)
    inputs = _drawn(made.pattern, made.texts)
    return _HYPOTHESIS.format(title=_title(made.pattern), strategy=inputs.strategy("inputs"))


def _test_file(inputs: Inputs, made: Instances, command: TestCommand) -> str:
    """Return a test file that runs the test command on each input."""
    failure, expected = made.failure, made.expected
    inputs = replace(inputs, failure=failure, expected=expected)
    if command.content is not str:
        # What is around the input in its file belongs to each; it is no part of the pattern.
        whole = [command.content(text) for text in inputs.texts]
        parts = [(True, "file")] if inputs.parts else []
        holes = {"file": ("texts", *whole)}
        inputs = Inputs(whole, inputs.title, parts, holes, failure=failure, expected=expected)
    return as_file(inputs, command, made.folder)


def _listed(pattern: Pattern, texts: Sequence[str]) -> Inputs:
    return Inputs(texts, str(pattern))


def _drawn(pattern: Pattern, texts: Sequence[str]) -> Inputs:
    found = drawing(pattern, _known(pattern, texts))
    return Inputs(texts, str(pattern), _parts(pattern), found.holes, found.rules, found.gap)


def _known(pattern: Pattern, texts: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of each hole in some texts, by its name."""
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
    return {name: list(values) for name, values in holes.items()}


def _parts(pattern: Pattern) -> list[tuple[bool, str]]:
    """Return the parts of a pattern: for each, whether it is a hole, and its text or name."""
    parts = []
    at = 0
    for hole in pattern.holes:
        parts += [(False, pattern.text[at : hole.start]), (True, hole.name)]
        at = hole.end
    parts.append((False, pattern.text[at:]))
    return [part for part in parts if part[1]]


_LARK = """// The inputs that {what}.
// Lark(this, start="{start}", parser="earley") reads them.
{others}
{rules}"""


def _as_lark(made: Instances) -> str:
    """Return a grammar in Lark's notation: of the law if it is context-free, else of the pattern.

    Raises:
        PatternError: neither is; the message says why.
    """
    pattern, law = made.pattern, made.pattern.law
    reasons: list[str] = []
    if law is not None:
        try:
            return _lark(grammar_of_law(law), f"fail by the law {law}", reasons)
        except NotContextFree as error:
            reasons.append(f"The law {law} is not context-free: {error}")
    try:
        return _lark(grammar_of_pattern(pattern), f"fail by the pattern {pattern}", reasons)
    except NotContextFree as error:
        reasons.append(f"The pattern {pattern} is not context-free: {error}")
    raise PatternError(f"There is no Lark grammar to write. {' '.join(reasons)}")


def _lark(grammar: Grammar, what: str, reasons: Sequence[str]) -> str:
    written = write_lark(grammar)
    lines = [each.replace("\n", "\\n") for each in (what, *reasons)]
    others = "".join(f"// {each}\n" for each in lines[1:])
    start = written.partition(":")[0]
    return _LARK.format(what=lines[0], start=start, others=others, rules=written)


def _title(pattern: Pattern) -> str:
    """Return the pattern as it can stand in a string of three quotes."""
    return ascii(str(pattern))[1:-1].replace('"', '\\"')


FORMS = {
    "text": OutputForm("create further failing inputs", _as_text),
    "pytest": OutputForm(
        "write a regression test (pytest)", _as_pytest, test_inputs=_listed, needs_holes=False
    ),
    "hypothesis": OutputForm(
        "write a regression test (Hypothesis)", _as_hypothesis, test_inputs=_drawn
    ),
    "lark": OutputForm(
        "write a Lark grammar of them", _as_lark, ending=".alike{}.lark", needs_holes=False
    ),
    "pattern": OutputForm(
        "open the pattern in place of the input", _as_pattern, ending=".pattern{}{suffix}"
    ),
}
"""The forms in which inputs can be written, by the names that users and clients give."""
