"""Runs the Debugging Book's `DDSetDebugger` on the subjects, in a Python that has it installed.

PYTHON book_runs.py TRIES SEEDS INPUTS    # prints one JSON object
"""

import json
import random
import sys

from book_subjects import SUBJECTS
from debuggingbook.DDSetDebugger import DDSetDebugger, TreeGeneralizer


def run(name: str, tries: int, seed: int, inputs: int) -> dict:
    """Generalize a subject; count the test calls, and how many of its pattern's inputs fail."""
    grammar, text, program = SUBJECTS[name]
    random.seed(seed)
    calls = 0

    def subject(s: str) -> None:
        nonlocal calls
        calls += 1
        program(s)

    class Generalizer(TreeGeneralizer):
        def __init__(self, *args, **options):
            super().__init__(*args, max_tries_for_generalization=tries, **options)

    with DDSetDebugger(grammar, generalizer_class=Generalizer) as debugger:
        subject(text)
    calls = 0
    pattern = debugger.generalize()["s"]
    used = calls
    failed = sum(fails(program, debugger.fuzz_args()["s"]) for _ in range(inputs))
    return {"pattern": pattern, "calls": used, "failed": failed}


def fails(program, text: str) -> bool:
    """Say whether the program fails on a text."""
    try:
        program(text)
    except AssertionError:
        return True
    return False


if __name__ == "__main__":
    tries, seeds, inputs = map(int, sys.argv[1:])
    results = {name: [run(name, tries, seed, inputs) for seed in range(seeds)] for name in SUBJECTS}
    print(json.dumps(results))
