"""Ochiai over a package's own tests, as a baseline: what a ranking says without a reduction.

    python -m benchmarks.why.suites [NAME ...]

The failing run is the one on the bug's input, the passing ones are the tests that the old release
brings in its source distribution and that pass, each a context of coverage. Of each package it is
the first bug by the digest of its name, then the second one, up to ten that have a suite: whose
source distribution can be had, and of which pytest passes at least ten tests without further
packages. A package whose first bug has none is left out.
Only lines of the bug's package count, which is in favour of this baseline. The figures are kept in
`suites.json`, from which the report takes them.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.first_tries.__main__ import set_up
from benchmarks.processes import run
from benchmarks.why.cases import HERE, HOME, Bug, bugs, digest, place, release
from benchmarks.why.functions import functions, owner
from benchmarks.why.scoring import Function, Suspect, rank_by_counts

from boildown.languages.python_functions import functions_by_line

SUITES = HERE / "suites.json"
_CONTEXTS = HERE / "contexts"
_ARCHIVES = (".tar.gz", ".zip")
_MOST = 10
_FEWEST_TESTS = 10
_MOST_SECONDS = 1200


@dataclass(frozen=True, slots=True)
class Suite:
    """What the tests of a package say of one of its bugs."""

    name: str
    passed: int = 0
    """Tests that pass, and are the passing runs."""
    last: int | None = None
    """The rank of the first right function, where a tie counts at its last place."""
    first: int | None = None
    """The same where it counts at its first place."""
    problem: str = ""
    """Why the bug is left out."""


def measure(bug: Bug) -> Suite:
    """Rank the functions of a bug's package by the tests that the package brings."""
    laid = place(bug)
    home = HOME / f"{laid.packages.parents[3].name}-suite"
    programs = set_up(home, (release(bug, bug.bad), *bug.needs, "pytest", "coverage"), ())
    python = programs[0] / "python"
    packages = next(home.glob("python/lib/python3*/site-packages"))
    with tempfile.TemporaryDirectory(prefix="why-suite-") as made:
        folder = Path(made)
        root = _source(bug, folder)
        if root is None:
            return Suite(bug.name, problem="no source distribution can be had")
        tops = sorted({file.partition("/")[0] for file, _name in bug.truth})
        told = "".join(f"\n    */{top}\n    */{top}/*" for top in tops)
        (folder / "settings").write_text(f"[run]\nparallel = true\ninclude ={told}\n")
        for name in ("suite", "failing"):
            (folder / name).mkdir()
        path = f"{programs[0]}:{laid.variables['PATH'].partition(':')[2]}"
        own = replace(laid, packages=packages, variables={**laid.variables, "PATH": path})
        own.run(**_observed(folder, "failing"))
        _test(python, root, {**own.variables, **_observed(folder, "suite")})
        failing, suite = (_read(python, folder / name) for name in ("failing", "suite"))
        if suite["passed"] < _FEWEST_TESTS:
            return Suite(bug.name, suite["passed"], problem="fewer than ten tests pass")
        passing = by_module(suite["lines"], (packages, root / "src", root))
        ranked = ranking(by_module(failing["lines"], (packages,)), passing, packages)
    last = rank_by_counts(ranked, bug.truth)
    counts = next((each.passing for each in ranked if each.function in bug.truth), None)
    best = 1 + sum(each.passing < counts for each in ranked) if counts is not None else None
    return Suite(bug.name, suite["passed"], last, best)


def _source(bug: Bug, folder: Path) -> Path | None:
    """Return the root of the old release's source distribution; None if there is none."""
    get = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    run([*get, "--dest", str(folder), release(bug, bug.bad)], folder, os.environ, _MOST_SECONDS)
    archive = next((each for each in folder.iterdir() if each.name.endswith(_ARCHIVES)), None)
    if archive is None:
        return None
    shutil.unpack_archive(archive, folder / "source")
    return next((folder / "source").iterdir())


def _observed(folder: Path, name: str) -> dict[str, str]:
    """Return the variables with which coverage keeps its data in a folder."""
    return {
        "PYTHONPATH": str(_CONTEXTS),
        "COVERAGE_PROCESS_START": str(folder / "settings"),
        "COVERAGE_FILE": str(folder / name / "data"),
        "WHY_PASSED": str(folder / name / "passed"),
    }


def _test(python: Path, root: Path, variables: Mapping[str, str]) -> None:
    """Run the tests below a folder; those that cannot be loaded are none."""
    options = ["-q", "-p", "by_test", "--continue-on-collection-errors", "-p", "no:cacheprovider"]
    plain = ["-o", "addopts=", "-o", "filterwarnings=default"]
    run([str(python), "-m", "pytest", *options, *plain], root, variables, _MOST_SECONDS)


def _read(python: Path, folder: Path) -> dict[str, Any]:
    """Return how many tests passed, and by file and line how many of them executed it."""
    told = run([str(python), str(_CONTEXTS / "by_test.py"), str(folder)], folder, os.environ, 300)
    return dict(json.loads(told[1]))


_Lines = Mapping[str, Mapping[int, int]]
"""By file, from where packages are installed, and line: how many tests executed it."""


def by_module(lines: Mapping[str, Mapping[str, int]], roots: Sequence[Path]) -> _Lines:
    """Return lines by the paths that files have below the first root that they stand in.

    Tests may load a module from where it is installed, and others from the source.
    """
    found: dict[str, Counter[int]] = {}
    for name, counts in lines.items():
        root = next((each for each in roots if Path(name).is_relative_to(each)), None)
        if root is not None:
            module = found.setdefault(Path(name).relative_to(root).as_posix(), Counter())
            module.update({int(line): count for line, count in counts.items()})
    return found


def ranking(failing: _Lines, passing: _Lines, packages: Path) -> list[Suspect]:
    """Return the functions that the failing run enters, those first that fewest tests enter.

    With a single failing run that is the order of Ochiai's coefficient. A function counts by that
    of its executed lines which fewest tests execute; the line of its definition is none of it.
    """
    fewest: dict[Function, int] = {}
    for file, lines in failing.items():
        known = functions(packages / file)
        bodies = functions_by_line((packages / file).read_text("utf-8", "replace"))
        for line in lines:
            if line not in bodies or (found := owner(known, line)) is None:
                continue
            count = passing.get(file, {}).get(line, 0)
            key = file, found.name
            fewest[key] = min(count, fewest.get(key, count))
    return [Suspect(key, 1, fewest[key]) for key in sorted(fewest, key=lambda key: fewest[key])]


def load() -> list[Suite]:
    """Return the figures that are kept."""
    return (
        [Suite(**each) for each in json.loads(SUITES.read_text("utf-8"))] if SUITES.exists() else []
    )


def in_rounds(known: Sequence[Bug]) -> list[Bug]:
    """Return bugs by the digest of their names: the first of each package, then the second."""
    ordered = sorted(known, key=lambda bug: digest(bug.name))
    rounds: Counter[str] = Counter()
    found = []
    for bug in ordered:
        found.append((rounds[bug.package], bug))
        rounds[bug.package] += 1
    return [bug for _, bug in sorted(found, key=lambda each: each[0])]


def main() -> int:
    """Measure the bugs that are named, or the ten; keep the figures."""
    chosen = in_rounds([bug for bug in bugs() if bug.registry == "pip"])
    kept = {each.name: each for each in load()}
    without: set[str] = set()
    for bug in chosen:
        is_full = sum(not each.problem for each in kept.values()) >= _MOST
        if sys.argv[1:]:
            if bug.name not in sys.argv[1:]:
                continue
        elif is_full or bug.name in kept or bug.package in without:
            without |= {bug.package} if bug.name in kept and kept[bug.name].problem else set()
            continue
        kept[bug.name] = measure(bug)
        print(kept[bug.name], flush=True)
        if kept[bug.name].problem:
            without.add(bug.package)
        rows = [asdict(kept[each.name]) for each in chosen if each.name in kept]
        SUITES.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
