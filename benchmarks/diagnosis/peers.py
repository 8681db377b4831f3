"""Compares Boildown with peers: the Debugging Book's DDSet, Alhazen and Avicenna, by F1.

    python -m benchmarks.diagnosis.peers --ddset PYTHON --alhazen PYTHON --avicenna PYTHON

Each PYTHON is one that has the peer installed. All get the same grammar, failing input and truth;
all that learn from passing inputs get three of these, too. A peer that fails or does not end
in time has no answer. Figures are kept in peers.json; `python -m benchmarks.diagnosis --report`
puts them into DIAGNOSIS.md.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from pathlib import Path
from resource import RLIMIT_CPU, setrlimit

from benchmarks.diagnosis.peer_grammars import GRAMMARS
from benchmarks.diagnosis.scoring import Compared, Score
from benchmarks.diagnosis.subject import Subject, failing_inputs, independent, outcome
from benchmarks.diagnosis.subjects import WRITTEN

from boildown import generalize
from boildown.engine.oracle import Outcome

FIGURES = Path(__file__).with_name("peers.json")
TEXTS = 50
"""Independent texts of each kind: the peers parse slowly."""
PASSING = 3
"""Passing inputs that are given beside the failing one."""
SECONDS = 300
"""Processor time that a peer may take for a subject."""
TOOLS = ("ddset", "alhazen", "avicenna")


Matches = Callable[[str], bool]
Found = tuple[str, Matches]
Tool = Callable[[Subject, str, Matches], AbstractContextManager[Found]]
"""Answers to a failing text and a truth, in words and as a function."""


@contextmanager
def boildown(subject: Subject, text: str, fails: Matches) -> Iterator[Found]:
    """Generalize with Boildown and the peers' grammar; its answer is the law, if it finds one."""
    passing = known_passing(subject)
    pattern = generalize(text, fails, GRAMMARS[subject.name], max_runs=1000, passing=passing)
    answer = pattern.law or pattern
    yield str(answer), answer.matches


def known_passing(subject: Subject) -> list[str]:
    """Return the passing inputs that each tool may learn from."""
    return [*itertools.islice(independent(subject, "known", False), PASSING)]


def compare(subject: Subject, tool: str, ask: Tool) -> Compared:
    """Let a tool answer, and score it."""
    runs = 0

    def fails(text: str) -> bool:
        nonlocal runs
        runs += 1
        return outcome(subject, text) is Outcome.REPRODUCED

    try:
        with ask(subject, failing_inputs(subject)[0], fails) as (found, matches):
            failing, passing = (
                [*map(matches, itertools.islice(independent(subject, "peers", kind), TEXTS))]
                for kind in (True, False)
            )
    except (OSError, ValueError) as error:
        return Compared(subject.name, tool, f"no answer: {error}", 0.0, None, 0.0, runs)
    score = Score(len(failing), sum(failing), len(passing), sum(passing))
    return Compared(subject.name, tool, found, score.f1, score.precision, score.recall, runs)


def peer(python: Path, tool: str) -> Tool:
    """Make a function that asks a peer in another Python."""

    @contextmanager
    def ask(subject: Subject, text: str, fails: Matches) -> Iterator[Found]:
        command = [str(python), str(Path(__file__).with_name("peer_runs.py")), tool]
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            preexec_fn=lambda: setrlimit(RLIMIT_CPU, (SECONDS, SECONDS)),
        )
        try:
            known = known_passing(subject)
            given = {"grammar": GRAMMARS[subject.name], "failing": text, "passing": known}
            said = _told(process, given)
            while "ask" in said:
                said = _told(process, fails(said["ask"]))
            yield str(said["found"]), lambda text: bool(_told(process, text)["matches"])
        finally:
            process.kill()
            process.communicate()

    return ask


def _told(process: subprocess.Popen[str], said: object) -> dict[str, str]:
    assert process.stdin is not None and process.stdout is not None  # noqa: PT018 - both are pipes
    process.stdin.write(json.dumps(said) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise ValueError(f"it ended with status {process.wait()}")
    answer: dict[str, str] = json.loads(line)
    return answer


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--subjects", default="", help="parts of names, with commas between")
    for tool in TOOLS:
        parser.add_argument(f"--{tool}", type=Path, metavar="PYTHON")
    options = parser.parse_args()
    asked: dict[str, Tool] = {"boildown": boildown}
    asked |= {tool: peer(path, tool) for tool in TOOLS if (path := getattr(options, tool))}
    figures = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    names = [each for each in options.subjects.split(",") if each]
    for subject in WRITTEN:
        if subject.name in GRAMMARS and (not names or any(name in subject.name for name in names)):
            for tool, ask in asked.items():
                found = compare(subject, tool, ask)
                print(f"{found.subject}, {tool}: F1 {found.f1:.2f}, {found.runs} runs", flush=True)
                print(f"  {found.found!r}", flush=True)
                figures[f"{subject.name} {tool}"] = asdict(found)
                FIGURES.write_text(
                    json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
