"""Why nothing more of a text can go: each token is left out once, and what that gives is kept."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from boildown import jobs
from boildown.engine.oracle import Outcome, Stop, Verdict, close
from boildown.runner.command import TestCommand
from boildown.runner.preflight import preflight
from boildown.runner.runner import Runner
from boildown.tree import leaves

MOST = 300
"""How many tokens are tried at most."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of the failure when one token was left out."""

    start: int
    """Offset of the token in the text, in code points."""
    end: int
    token: str
    verdict: Verdict

    @property
    def fails_differently(self) -> bool:
        """Whether there was a failure, but another one."""
        return self.verdict.outcome is Outcome.PASSED and self.verdict.signature != ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What each token of a text, or of a part of it, is good for."""

    text: str
    signature: str
    """The failure that all this is about."""
    fates: tuple[Fate, ...]
    left: int
    """How many tokens were not tried, since there are too many or the job was stopped."""


def explain(
    text: str,
    command: TestCommand,
    start: int,
    end: int,
    options: jobs.Options,
    see: jobs.See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Explanation:
    """Leave out each token between two offsets, one at a time; say what that gives.

    A stop is no error: the tokens that were tried are the result.

    Raises:
        PreflightError: the text does not reproduce; the message says why and what to do.
        LanguageError: there is no such language.
    """
    began = time.monotonic()
    bytes_of_text = jobs.size(text)
    language = jobs.language_for(text, command.name, options)
    tokens = [
        (leaf.start, leaf.start + len(leaf.text))
        for leaf in leaves(language.parse(text).tree)
        if leaf.text and leaf.start < end and leaf.start + len(leaf.text) > start
    ]
    fates: list[Fate] = []
    with Runner(command, options.jobs, stopped) as runner:
        expected = preflight(runner, text, 1).expected
        oracle = runner.oracle(expected)
        verdicts = oracle(text[:first] + text[last:] for first, last in tokens[:MOST])
        try:
            for (first, last), verdict in zip(tokens, verdicts, strict=False):
                fates.append(Fate(first, last, text[first:last], verdict))
                seconds = time.monotonic() - began
                see(
                    jobs.Progress(
                        phase="explain",
                        runs=len(fates),
                        before=bytes_of_text,
                        after=bytes_of_text,
                        seconds=seconds,
                        text=text,
                        outcomes=Counter(fate.verdict.outcome for fate in fates),
                    )
                )
        except Stop:
            pass
        finally:
            close(verdicts)
    return Explanation(text, expected.signature, tuple(fates), len(tokens) - len(fates))
