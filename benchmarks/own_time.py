"""Measures Boildown's own time for each candidate that fails, and what deep nesting costs.

`python -m benchmarks.own_time [LANGUAGE,LANGUAGE]` prints two tables. The first has the processor
time between two runs, where the candidate failed, in the middle half of them, for texts of 100 KB
and 1 MB in nine languages, undamaged and with three faults. The test is a search in the text that
costs nothing: nine tenths of the text have to stay, and a few of its parts, so most candidates fail
and the text stays long. The pipeline gets its first runs, and then each pass that works on long
texts gets some of its own, from the same tree, each for a limited time. The slowest of these passes
is named; those of which hardly a candidate failed are left out.

The second has the runs, the steps of the history, the seconds, and the peak of memory for a word in
1,000 and in 100,000 levels of brackets.

Each row is made by a process of its own. Returns 1 if a goal is missed.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from statistics import mean
from typing import Any

from benchmarks.growth import javascript_input, json_input

from boildown.engine.oracle import Oracle, Stop, Verdict, cached, from_test, limited
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes import named
from boildown.engine.reducing.reduce import Watch, reduce
from boildown.languages import load_language

SIZES = {100_000: 5.0, 1_000_000: 25.0}
"""Characters, and the milliseconds that the median may take."""
LEVELS = {1_000: (50, 300), 100_000: (200, 300)}
"""Levels of brackets, and the most runs and megabytes that they may take."""
RUNS = 200
"""Runs of the pipeline that are measured, and of each pass."""
PASS_RUNS = 120
PASSES = ("prune", "perses", "shorten", "repetitions", "blanks", "production", "trees", "lines")
"""Passes that work on long texts, and are measured one by one."""
PARTS = 40
"""Parts of the text that have to stay."""
PIPELINE_SECONDS = 10.0
PASS_SECONDS = 3.0
"""Of processor time, from the first candidate on, to the end of the one that is at hand then."""
FEWEST_FAILURES = 20
"""Of a pass, for its times to be told."""
DEEP = ("json", "plain", "expressions", "javascript")


@dataclass(slots=True)
class Gaps:
    """The processor time of the engine before each candidate that failed."""

    milliseconds: list[float] = field(default_factory=list)

    def oracle(self, test: Callable[[str], bool]) -> Oracle:
        """Make an oracle of a test, and measure the time between its runs."""
        last = time.process_time()

        def timed(texts: Iterable[str]) -> Iterator[Verdict]:
            nonlocal last
            for text in texts:
                gap = time.process_time() - last
                (verdict,) = from_test(test)((text,))
                if not verdict.reproduced:
                    self.milliseconds.append(1000 * gap)
                last = time.process_time()
                yield verdict

        return timed


def until(seconds: float) -> Callable[[], None]:
    """Return a check that ends a reduction some processor time after its first call."""
    ends: list[float] = []

    def check() -> None:
        now = time.process_time()
        if not ends:
            ends.append(now + seconds)
        if now > ends[0]:
            raise Stop

    return check


def measure(name: str, size: int, damaged: bool) -> dict[str, Any]:
    """Measure one text; return its row."""
    text = INPUTS[name](size)
    text = with_faults(text) if damaged else text
    needles = [text[at : at + 9] for at in range(size // PARTS, len(text) - 9, size // PARTS)]
    least = len(text) * 9 // 10

    def test(new: str) -> bool:
        return len(new) >= least and all(needle in new for needle in needles)

    language = load_language(name)
    whole = Gaps()
    watch = Watch(check=until(PIPELINE_SECONDS))
    reduce(text, limited(whole.oracle(test), RUNS), language, watch=watch)
    tree = language.parse(text).tree
    slowest = (0.0, "")
    for each in named(PASSES):
        gaps = Gaps()
        oracle = limited(cached(gaps.oracle(test)), PASS_RUNS)
        problem = Problem(tree, oracle, language, check=until(PASS_SECONDS))
        with suppress(Stop):
            each.run(problem)
        # Before its first run a pass looks at the whole tree, once.
        if len(gaps.milliseconds) > FEWEST_FAILURES:
            slowest = max(slowest, (_middle(gaps.milliseconds[1:]), each.name))
    times = whole.milliseconds
    return {
        "middle": _middle(times),
        "mean": mean(times),
        "slowest": slowest,
        "peak": _peak(),
    }


def _middle(times: list[float]) -> float:
    """Return the mean of the middle half: a median, where a clock ticks in milliseconds."""
    quarter = len(times) // 4
    return mean(sorted(times)[quarter : len(times) - quarter])


def measure_deep(name: str, levels: int, kept: int) -> dict[str, Any]:
    """Measure a word in so many levels of brackets, of which some have to stay; return the row."""
    opener, word, closer = NESTED[name]
    text = opener * levels + word + closer * levels

    def test(new: str) -> bool:
        return word in new and new.count(opener) >= kept

    reduction = reduce(text, limited(from_test(test), 100_000), load_language(name))
    return {
        "runs": reduction.runs,
        "size": len(reduction.text),
        "steps": len(reduction.history),
        "seconds": time.process_time(),
        "peak": _peak(),
    }


NESTED = {
    "json": ("[", "42", "]"),
    "plain": ("(", "word", ")"),
    "expressions": ("(", "42", ")"),
    "javascript": ("[", "42", "]"),
}


def with_faults(text: str) -> str:
    """Leave out two characters at each quarter of a text."""
    quarter = len(text) // 4
    return "".join(text[quarter * part : quarter * (part + 1) - 2] for part in range(4))


def _made(record: Callable[[int], str]) -> Callable[[int], str]:
    """Return a function that repeats a record with numbers up to a size."""

    def make(size: int) -> str:
        parts: list[str] = []
        length = 0
        for number in count():
            parts.append(record(number))
            length += len(parts[-1])
            if length >= size:
                break
        return "".join(parts)

    return make


def _around(before: str, make: Callable[[int], str], after: str) -> Callable[[int], str]:
    return lambda size: before + make(size) + after


def _xml(number: int) -> str:
    return (
        f'  <item id="i{number}">\n    <name>Part {number}</name>\n'
        f"    <price currency='EUR'>{number % 97}.50</price>\n    <sold/>\n  </item>\n"
    )


def _sql(number: int) -> str:
    if number % 5:
        return f"INSERT INTO t{number % 9} (a, b) VALUES ({number}, 'v{number}');\n"
    return f"SELECT a, b FROM t{number % 9} WHERE a > {number} AND b = 'v{number}' ORDER BY a;\n"


def _python(number: int) -> str:
    return (
        f"def f{number}(a, b={number}):\n    c = a * {number % 97} + b\n    if c > b:\n"
        f"        item{number}(c, [a, b])\n    return c\n\n\n"
    )


def _c(number: int) -> str:
    return (
        f"static int f{number}(int a, struct s{number % 7} *b) {{\n  int c = a * {number % 97};\n"
        f"  if (c > b->x) {{\n    g{number}(c, &b[{number % 5}]);\n  }}\n  return c;\n}}\n"
    )


def _yaml(number: int) -> str:
    return (
        f"- id: {number}\n  name: item {number}\n  tags: [t{number % 7}, t{number % 11}]\n"
        f"  nested:\n    price: {number % 97}.5\n"
    )


def _css(number: int) -> str:
    return (
        f".class{number} > a:hover, #id{number} {{\n  color: #{number % 4096:03x};\n"
        f"  margin: {number % 9}px 0 auto;\n}}\n"
    )


def _plain(number: int) -> str:
    return f"{number % 60:02} INFO (worker {number % 7}): item {number}, took {number % 97} ms\n"


INPUTS: dict[str, Callable[[int], str]] = {
    "json": json_input,
    "javascript": javascript_input,
    "xml": _around("<items>\n", _made(_xml), "</items>\n"),
    "sql": _made(_sql),
    "python": _made(_python),
    "c": _made(_c),
    "yaml": _made(_yaml),
    "css": _made(_css),
    "plain": _made(_plain),
}
"""Functions that return a text of about so many characters, by language."""


def _peak() -> int:
    """Return the most memory that this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000


def _row(*arguments: object) -> dict[str, Any] | None:
    """Make one row in a process of its own; None if it fails."""
    command = [sys.executable, "-m", "benchmarks.own_time", "--row", *map(str, arguments)]
    found = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    return None if found.returncode else dict(json.loads(found.stdout))


def main() -> int:
    """Print the tables; return 1 if a goal is missed."""
    if sys.argv[1:2] == ["--row"]:
        kind, name, *numbers = sys.argv[2:]
        first, second = map(int, numbers)
        deep = kind == "deep"
        row = measure_deep(name, first, second) if deep else measure(name, first, bool(second))
        print(json.dumps(row))
        return 0
    asked = sys.argv[1].split(",") if sys.argv[1:] else [*INPUTS]
    missed = _print_times([name for name in asked if name in INPUTS])
    return int(_print_levels([name for name in DEEP if name in asked]) or missed)


def _print_times(names: list[str]) -> bool:
    print("Own milliseconds for a candidate that failed")
    print(f"{'':12}{'size':>9} {'':8}{'middle':>8}{'mean':>8}  {'slowest pass':22}{'MB':>6}")
    missed = False
    for size, most in SIZES.items():
        for name in names:
            for damaged in (0, 1):
                row = _row("text", name, size, damaged)
                shown = f"{name:12}{size:9} {'damaged' if damaged else '':8}"
                if row is None:
                    print(f"{shown} failed", flush=True)
                    continue
                slow, slowest = row["slowest"]
                late = max(row["middle"], slow) > most
                missed |= late
                print(
                    f"{shown}{row['middle']:8.1f}{row['mean']:8.1f}  {slow:8.1f} {slowest:13}"
                    f"{row['peak']:6}{'  missed' if late else ''}",
                    flush=True,
                )
    return missed


def _print_levels(names: list[str]) -> bool:
    print("\nLevels of brackets around a word, of which none or two have to stay")
    print(f"{'':12}{'levels':>8}{'stay':>5}{'runs':>7}{'steps':>7}{'seconds':>9}{'MB':>7}")
    missed = False
    for levels, (runs, megabytes) in LEVELS.items():
        for name in names:
            for kept in (0, 2):
                row = _row("deep", name, levels, kept)
                shown = f"{name:12}{levels:8}{kept:5}"
                if row is None:
                    print(f"{shown} failed", flush=True)
                    continue
                over = row["runs"] > runs or row["peak"] > megabytes
                missed |= over
                print(
                    f"{shown}{row['runs']:7}{row['steps']:7}{row['seconds']:9.1f}{row['peak']:7}"
                    f"{'  missed' if over else ''}",
                    flush=True,
                )
    return missed


if __name__ == "__main__":
    sys.exit(main())
