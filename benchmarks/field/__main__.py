"""Asks for the pattern of real bugs in large inputs, and says how right the answers are for others.

python -m benchmarks.field                      # all bugs, each in a process of its own
python -m benchmarks.field --bugs link,walrus   # those with one of these in their names
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random

from benchmarks.field.cases import Call, Case, Inputs, cases, failure, inputs
from benchmarks.field.releases import install

from boildown import Pattern, generalize
from boildown.engine.patterns.algebra import NoSample, Texts
from boildown.engine.patterns.bounds import upper_bound

DRAWS = 60
"""Inputs that an answer draws to attack its bound."""
CONFIDENCE = 0.99
ORDINARY = 0.95
"""A law that holds for so many ordinary files says nothing."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How right an answer is."""

    name: str
    unseen: bool
    size: int
    shown: str
    law: str
    original: bool
    """Whether it matches the input that it was made from."""
    recall: float
    precision: float | None
    false: list[str]
    """What it says and is not so."""
    runs: int
    """Beyond those of the reduction."""
    seconds: float


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--bugs", default="", help="parts of names, with commas between")
    parser.add_argument("--one", default="", help="ask in this process, and print JSON")
    options = parser.parse_args()
    if options.one:
        case = next(each for each in cases() if each.name == options.one)
        print(json.dumps(asdict(ask(case))))
        return 0
    parts = [each for each in options.bugs.split(",") if each]
    chosen = [each for each in cases() if not parts or any(p in each.name for p in parts)]
    answers = []
    for case in chosen:
        install(case.package)
        if case.fixed:
            install(case.fixed)
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.field", "--one", case.name],
            stdout=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            print(f"{case.name}: no answer")
            continue
        answers.append(Answer(**json.loads(done.stdout.splitlines()[-1])))
        print(told(answers[-1]), flush=True)
    for name, half in (("seen", False), ("unseen", True)):
        print(summed(name, [each for each in answers if each.unseen is half]))
    return 0


def ask(case: Case) -> Answer:
    """Generalize the input of a bug, and ask the answer about others."""
    warnings.simplefilter("ignore")
    call = case.load()
    made = inputs(case, call)
    began = time.process_time()
    pattern = generalize(made.original, call, case.language)
    seconds = time.process_time() - began
    answer = pattern.law or pattern
    explained = sum(map(answer.matches, made.failing))
    wrong = sum(map(answer.matches, made.passing))
    recall, missed = explained / len(made.failing), wrong / len(made.passing)
    return Answer(
        name=case.name,
        unseen=case.unseen,
        size=len(made.original),
        shown=str(pattern),
        law=str(pattern.law or ""),
        original=pattern.matches(made.original) and answer.matches(made.original),
        recall=recall,
        precision=recall / (recall + missed) if explained or wrong else None,
        false=false_claims(pattern, call, made),
        runs=pattern.runs - pattern.reduction_runs,
        seconds=round(seconds, 1),
    )


def false_claims(pattern: Pattern, call: Call, made: Inputs) -> list[str]:
    """Return what an answer says and what is not so."""
    found = []
    wanted = failure(call, made.original)
    bounds: list[tuple[Texts, float]] = []
    if pattern.joint.trials:
        bounds.append((pattern, pattern.joint.lower_bound))
    if pattern.law is not None:
        bounds.append((pattern.law, pattern.law.evidence.lower_bound))
    for texts, bound in bounds:
        try:
            outcomes = [failure(call, texts.sample(Random(number))) for number in range(DRAWS)]
        except NoSample:
            continue
        trials = [each for each in outcomes if each in (wanted, "")]
        if trials and upper_bound(trials.count(wanted), len(trials), CONFIDENCE) < bound:
            found.append(f"bound {bound:.0%}, {trials.count(wanted)} of {len(trials)}")
    if pattern.law is not None:
        held = sum(map(pattern.law.matches, made.ordinary))
        if held >= ORDINARY * len(made.ordinary):
            found.append(f"a law that holds for {held} of {len(made.ordinary)} ordinary files")
    return found


def told(answer: Answer) -> str:
    """Return the lines on an answer."""
    precision = "–" if answer.precision is None else f"{answer.precision:.2f}"
    return (
        f"{answer.name}{' (unseen)' if answer.unseen else ''}, {answer.size:,} characters: original"
        f" {'matched' if answer.original else 'NOT matched'}, recall {answer.recall:.2f}, precision"
        f" {precision}, {answer.runs} runs more, {answer.seconds} s\n  {answer.shown!r}"
        + (f"\n  law: {answer.law}" if answer.law else "")
        + "".join(f"\n  FALSE: {each}" for each in answer.false)
    )


def summed(name: str, answers: Sequence[Answer]) -> str:
    """Return a line on the answers of a half."""
    if not answers:
        return f"{name}: none"
    precise = [each.precision for each in answers if each.precision is not None]
    both = sum(min(each.recall, each.precision or 0) >= 0.9 for each in answers)
    return (
        f"{name}: {len(answers)} bugs, {sum(len(each.false) for each in answers)} false claims,"
        f" original matched in {sum(each.original for each in answers)}, mean recall"
        f" {statistics.mean(each.recall for each in answers):.2f}, mean precision"
        f" {statistics.mean(precise or [0]):.2f}, both at least 0.9 in {both}, median of"
        f" {statistics.median(each.runs for each in answers):.0f} runs after the reductions"
    )


if __name__ == "__main__":
    sys.exit(main())
