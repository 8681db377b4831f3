"""Runs Boildown on a failing input of a subject; nothing else here knows how Boildown is asked."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random

from benchmarks.diagnosis.scoring import Diagnosis, grade, missed, score
from benchmarks.diagnosis.subject import Subject, failing_inputs, independent, outcome
from benchmarks.generalize import FRESH

from boildown.engine.generalizing.generalize import GeneralizeOptions, generalize
from boildown.engine.oracle import Outcome, Stop, from_test, limited
from boildown.engine.patterns.algebra import NoSample
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.reducing.reduce import Watch
from boildown.languages import load_language

LAW_RUNS = 260
"""Runs for a law, as the command line has it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How Boildown is asked for a diagnosis."""

    max_runs: int
    max_seconds: float
    """Of processor time."""
    words: tuple[str, ...] = ()
    """Those of the program, for absences that no mutant shows."""
    seed: int = 0


def diagnose(subject: Subject, number: int, asked: Asked) -> Diagnosis:
    """Generalize a failing input of a subject within limits, and score the answer."""
    begin = time.process_time()
    try:
        pattern = _found(subject, number, asked, begin + asked.max_seconds)
    except Exception as error:  # a fault of Boildown: the subject is missed, the others go on
        return missed(subject.name, number, f"raised {error!r}")
    seconds = time.process_time() - begin
    answer = pattern.law or pattern
    law = str(answer)
    found = score(
        answer.matches,
        independent(subject, "failing", True),
        independent(subject, "passing", False),
    )
    trials, reproduced = _fresh(subject, pattern)
    return Diagnosis(
        subject=subject.name,
        input=number,
        law=law,
        grade=grade(found, law, subject.reference),
        precision=found.precision,
        recall=found.recall,
        bound=_bound(pattern),
        trials=trials,
        reproduced=reproduced,
        runs=pattern.runs,
        seconds=round(seconds, 2),
        finished=pattern.finished,
    )


def _found(subject: Subject, number: int, asked: Asked, deadline: float) -> Pattern:
    def check() -> None:
        if time.process_time() > deadline:
            raise Stop("the limit of seconds is reached")

    def judged(text: str) -> Outcome:
        check()
        return outcome(subject, text)

    oracle = limited(from_test(judged), asked.max_runs)
    text = failing_inputs(subject)[number]
    language = load_language(subject.language)
    how = GeneralizeOptions(law_runs=LAW_RUNS, words=asked.words)
    return generalize(text, oracle, language, Random(asked.seed), how, Watch(check=check))


def _bound(pattern: Pattern) -> float | None:
    """Return the stated bound of the law, or of the pattern where there is no law."""
    if pattern.law is not None:
        return pattern.law.evidence.lower_bound
    return pattern.joint.lower_bound if pattern.joint.trials else None


def _fresh(subject: Subject, pattern: Pattern) -> tuple[int, int]:
    """Draw texts of an answer, as its statement's were; return how many can be judged, and fail."""
    if pattern.law is None and not pattern.joint.trials:
        return 0, 0
    rng = Random("fresh")
    try:
        outcomes = [outcome(subject, (pattern.law or pattern).sample(rng)) for _ in range(FRESH)]
    except NoSample:
        return 0, 0
    reproduced = outcomes.count(Outcome.REPRODUCED)
    return reproduced + outcomes.count(Outcome.PASSED), reproduced
