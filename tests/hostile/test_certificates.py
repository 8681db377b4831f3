"""Certificates of random predicates, checked by brute force: none may be false and not doubted.

`BOILDOWN_HOSTILE=N` tries N predicates in place of the few that each run of the tests can afford.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest
from benchmarks.predicates import PIECES, Predicate, left_out, random_predicate

from boildown.engine.certificate import Unit
from boildown.engine.oracle import Oracle, Verdict
from boildown.engine.reducing.passes import AUTO, RENAMING
from boildown.engine.reducing.reduce import reduce
from boildown.languages import load_language
from boildown.runner.command import TestCommand
from boildown.runner.judging.judge import Expected, judge_run
from boildown.runner.run import Run

PREDICATES = int(os.environ.get("BOILDOWN_HOSTILE", "60"))
"""How many predicates are tried, over all languages."""

PIPELINES = (
    AUTO,
    tuple(name for name in AUTO if name not in RENAMING),
    ("perses", "trees"),
    ("trees",),
    ("tokens",),
    ("characters",),
    ("ddmin",),
)


class Machine:
    """A machine on which one run in a hundred does not end in time, at random."""

    def __init__(self, predicate: Predicate, rng: Random) -> None:
        self.predicate = predicate
        self.rng = rng
        self.runs = 0

    def run(self, text: str) -> Run:
        """Return a run on a text."""
        self.runs += 1
        if self.rng.random() < 0.01:
            return Run(None, timed_out=True, seconds=1.0)
        return Run(int(self.predicate(text)))

    def oracle(self, texts: Iterable[str]) -> Iterator[Verdict]:
        """Judge texts as the runner does."""
        command, expected = TestCommand(("tool",), Path("/"), "crash"), Expected("exit 1")
        for text in texts:
            yield judge_run(command, self.run(text), expected)


def certified(seed: int, name: str) -> tuple[int, int]:
    """Reduce a random text by a random predicate; return false steps, and those doubted."""
    rng = Random(f"{seed} {name}")
    language = load_language(name)
    text = "".join(rng.choice(PIECES[name]) for _ in range(rng.randint(2, 8)))[:10]
    predicate = random_predicate(text, rng)
    machine = Machine(predicate, rng)
    oracle: Oracle = machine.oracle
    reduction = reduce(text, oracle, language, rng.choice(PIPELINES))
    assert reduction.finished
    assert predicate(reduction.text)
    assert reduction.runs == machine.runs
    certificate = reduction.certificate
    if certificate is None:
        return 0, 0
    return (
        len(left_out(reduction.text, certificate.unit, predicate, language)),
        certificate.timeouts,
    )


@pytest.mark.parametrize("name", PIECES)
def test_no_certificate_is_false_without_a_doubt(name: str) -> None:
    for seed in range(max(PREDICATES // len(PIECES), 1)):
        wrong, doubted = certified(seed, name)
        assert wrong <= doubted, f"seed {seed}"


CHECKS = """
import hashlib, os, random, signal

def fails(text):
    if random.random() < 0.03:
        os.kill(os.getpid(), signal.SIGSTOP)
    return predicate(text)
"""
RANDOM = """
def predicate(text):
    digest = hashlib.blake2b(({seed!r} + text).encode(), digest_size=4).digest()
    return text == {text!r} or {needle!r} in text and digest[0] < 60
"""
NEEDLES = """
import json

def predicate(text):
    try:
        return {needles!r} <= set(json.loads(text)["list"])
    except (ValueError, KeyError, TypeError):
        return False
"""


def reduced(folder: Path, predicate: str, text: str) -> tuple[dict[str, object], str]:
    """Reduce a file through the command line; return its report and the text that it wrote."""
    (folder / "checks.py").write_text(CHECKS + predicate)
    (folder / "crash.json").write_text(text)
    command = [sys.executable, "-m", "boildown", "reduce", "crash.json", "--json", "--fresh"]
    options = ["--timeout", "1", "--output", "small.json", "--", "checks:fails"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder)}
    ran = subprocess.run(
        [*command, *options],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout), (folder / "small.json").read_text()


def predicate_of(source: str) -> Predicate:
    """Return the predicate of a module's source, without its freezes."""
    names: dict[str, Predicate] = {}
    exec(CHECKS + source, names)
    return names["predicate"]


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(max(PREDICATES // 30, 1)))
def test_what_the_command_line_writes_is_minimal_though_runs_freeze(
    tmp_path: Path, seed: int
) -> None:
    rng = Random(seed)
    text = "".join(rng.choice(PIECES["json"]) for _ in range(8)) + "7"
    source = RANDOM.format(seed=str(seed), text=text, needle="7")
    report, written = reduced(tmp_path, source, text)
    certificate = report["certificate"]
    assert isinstance(certificate, dict)
    assert (certificate["unit"], certificate["of"]) == ("character", "output")
    wrong = left_out(written, Unit.CHARACTER, predicate_of(source), load_language("json"))
    assert len(wrong) <= certificate["timeouts"]


@pytest.mark.nightly
def test_a_layout_is_no_part_of_the_claim(tmp_path: Path) -> None:
    needles = {f"needle-{number:02}" for number in range(12)}
    source = NEEDLES.format(needles=needles)
    report, written = reduced(tmp_path, source, json.dumps({"list": [1, *sorted(needles), 2]}))
    certificate = report["certificate"]
    assert isinstance(certificate, dict)
    assert (certificate["unit"], certificate["of"]) == ("character", "before_layout")
    predicate, compact = predicate_of(source), re.sub(r"\n *", "", written)
    assert predicate(written)
    assert predicate(compact)
    assert report["bytes_after"] == len(compact)
    assert report["bytes_written"] == len(written)
    assert left_out(written, Unit.CHARACTER, predicate, load_language("json"))
    wrong = left_out(compact, Unit.CHARACTER, predicate, load_language("json"))
    assert len(wrong) <= certificate["timeouts"]
