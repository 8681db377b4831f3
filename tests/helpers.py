"""What the tests share: two tiny languages, counting judges, and one check of a pass."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import NoReturn

import pytest

from boildown.engine.language import NO_REWRITING, Check, Expansions, Language, Parsed
from boildown.engine.oracle import Count, Oracle, Outcome, cached, counted, from_test
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes import Pass, named
from boildown.tree import Kind, Leaf, Node, Tree

Test = Callable[[str], "Outcome | bool"]


def example_count(usual: int) -> int:
    """Return how many examples a property is tried on: BOILDOWN_EXAMPLES, or as many as usual."""
    return int(os.environ.get("BOILDOWN_EXAMPLES", usual))


def missing(sentence: str) -> NoReturn:
    """Skip the test, with a sentence; fail it where BOILDOWN_HAS_ALL promises all that tests need.

    These are editors, and a registry of packages.
    """
    if os.environ.get("BOILDOWN_HAS_ALL") == "1":
        pytest.fail(f"{sentence} But BOILDOWN_HAS_ALL=1 says that nothing is missing.")
    pytest.skip(sentence)


def install(folder: Path, *wanted: str) -> None:
    """Install packages into a folder by pip; where that is out of reach, they are missing."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder)]
    done = subprocess.run([*command, *wanted], capture_output=True, text=True)
    if done.returncode and re.search(r"from versions: none|No module named pip", done.stderr):
        missing(f"{' and '.join(wanted)} can't be installed: pip or its registry is out of reach.")
    assert done.returncode == 0, done.stderr


class Characters:
    """A text is one leaf: a language that knows nothing."""

    name = "characters"
    gap = ""
    scope: Mapping[str, str] = MappingProxyType({})
    rewriting = NO_REWRITING
    strict = False
    words = ()

    def parse(self, text: str) -> Parsed:
        return Parsed(Leaf("text", text, start=0))

    def fits(self, slot: str, label: str) -> bool:
        return slot == label

    def shortest(self, label: str) -> str | None:
        return None

    def expansions(self, label: str) -> Expansions | None:
        return None

    def substitutes(self, label: str) -> tuple[str, ...]:
        return ()

    def valid(self, text: str) -> bool:
        return self.parse(text).valid

    def checker(self, text: str) -> Check:
        return lambda _new, _best: True

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        return None


class Lisp(Characters):
    """Items are words or bracketed lists of items; anything goes, brackets may be odd.

    item ::= WORD | "(" item* ")"
    """

    name = "lisp"
    gap = " "

    def parse(self, text: str) -> Parsed:
        stack: list[list[Tree]] = [[]]
        end = 0
        for match in re.finditer(r"(\s*)([()]|[^\s()]+)", text):
            leaf = Leaf("word", match[2], match[1], match.start(2))
            end = match.end()
            if match[2] == "(":
                stack.append([leaf])
            elif match[2] == ")" and len(stack) > 1:
                stack[-2].append(self._group(stack.pop(), leaf))
            else:
                stack[-1].append(Node("item", (leaf,)))
        while len(stack) > 1:
            rest = stack.pop()
            stack[-1].extend([Node("item", (rest[0],)), *rest[1:]])
        root: list[Tree] = [Node("item*", tuple(stack[0]), Kind.LIST)]
        if end < len(text):
            root.append(Leaf("", "", text[end:], len(text)))
        return Parsed(Node("start", tuple(root)))

    def _group(self, parts: list[Tree], close: Leaf) -> Node:
        return Node("item", (parts[0], Node("item*", tuple(parts[1:]), Kind.LIST), close))

    def fits(self, slot: str, label: str) -> bool:
        return slot == label and label in ("item", "item*")


def run_pass(
    name: str, text: str, test: Test, language: Language, workers: int = 1
) -> tuple[str, int]:
    """Run one pass of the catalogue alone; return its result and the runs it took."""
    (each,) = named((name,))
    return run(each, text, test, language, workers)


def run(each: Pass, text: str, test: Test, language: Language, workers: int = 1) -> tuple[str, int]:
    """Run a pass alone; return its result and the runs it took, the original's not counted."""
    count = Count()
    oracle = cached(counted(run_ahead(from_test(test), workers), count))
    problem = Problem(language.parse(text).tree, oracle, language)
    each.run(problem)
    return problem.text, count.runs


def run_ahead(oracle: Oracle, workers: int) -> Oracle:
    """Take `workers` texts before giving the first verdict, as parallel runs do."""

    def verdicts(texts: Iterable[str]) -> Iterator[object]:
        waiting = []
        for text in texts:
            waiting.append(text)
            if len(waiting) == workers:
                yield from oracle([waiting.pop(0)])
        yield from oracle(waiting)

    return verdicts  # type: ignore[return-value]


SEEDS = 4
"""Seeds of which one has to lead a random search to its goal."""


def by_some_seed(search: Callable[[int], object], wanted: str) -> str:
    """Return the answer of a random search that is wanted, if one of a few seeds gives it.

    Else the answers of all of them, one a line. By a single seed a test would fail as soon as
    anything draws once more; `make bench-diagnosis` measures how often a search succeeds.
    """
    answers: list[str] = []
    for seed in range(SEEDS):
        answers.append(str(search(seed)))
        if answers[-1] == wanted:
            return wanted
    return "\n".join(answers)


def contains(*needles: str) -> Test:
    """Reproduce where all needles occur, in this order."""
    pattern = re.compile(".*".join(map(re.escape, needles)), re.DOTALL)
    return lambda text: pattern.search(text) is not None


def logged(test: Test, log: list[str]) -> Test:
    """Note in `log` the texts that a test is asked about."""

    def judge(text: str) -> Outcome | bool:
        log.append(text)
        return test(text)

    return judge


def dask_process(arguments: list[str], temp: Path) -> subprocess.Popen[bytes]:
    """Start a scheduler or a worker of Dask, whose files go below `temp`."""
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
        cwd=temp,
        env={**os.environ, "TMPDIR": str(temp)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
