"""Notes which test executes which line, as a plugin of pytest; as a program it prints them.

    python by_test.py FOLDER

Coverage has kept its data in the folder, with a context for each test; the file `passed` there has
the tests that passed, one in a line. Printed is, by file and line, how many of them executed it.
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path

import coverage
import pytest

PASSED = "passed"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    running = coverage.Coverage.current()
    running.switch_context(item.nodeid)
    yield
    running.switch_context("")


def pytest_runtest_logreport(report):
    if report.when == "call" and report.passed:
        with open(os.environ["WHY_PASSED"], "a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")


def main():
    folder = Path(sys.argv[1])
    known = folder / PASSED
    passed = set(known.read_text("utf-8").splitlines()) if known.exists() else set()
    found = {}
    for path in folder.glob("data.*"):
        data = coverage.CoverageData(str(path))
        data.read()
        for file in data.measured_files():
            lines = found.setdefault(file, Counter())
            for line, contexts in data.contexts_by_lineno(file).items():
                lines[line] += len(passed.intersection(contexts))
    print(json.dumps({"passed": len(passed), "lines": found}))


if __name__ == "__main__":
    main()
