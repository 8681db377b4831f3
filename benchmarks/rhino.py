"""Generalize Rhino's bug 385, on which the papers count their runs.

    python -m benchmarks.generalize --rhino JAR     # of Debian's librhino-java: js.jar; needs Java

Rhino 1.7.14 fails an assertion for `var {baz: baz => {}} = baz => {};`. For that input, reduced
already, R. Gopinath reports 10,340 runs for DDSET without covarying fragments, and 15,643 for the
simple variant, with 100 trials per hole.

The text is no valid JavaScript, so a law is looked for with a small grammar that takes any
expression on the left of an assignment, as Rhino's parser does at first.
"""

from __future__ import annotations

import base64
import string
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

from benchmarks.books import INPUTS, TRIES

from boildown import Outcome, load_language
from boildown.engine.generalizing.examine import draws
from boildown.engine.generalizing.generalize import GeneralizeOptions
from boildown.engine.generalizing.generalize import generalize as generalize_text
from boildown.engine.oracle import Count, counted, from_test
from boildown.engine.reducing.reduce import Watch

TEXT = "var {baz: baz => {}} = baz => {};"
FAILURE = "FAILED ASSERTION: unexpected token: FUNCTION"
PUBLISHED = {"ddset": 10_340, "ddset-simple": 15_643}
METHODS = ("auto", "ddset-simple", "ddset")
LAW_RUNS = 260
"""Runs for the law, as the command line has it."""
DESTRUCTURING = {
    "<start>": ["<statement>", "<statement> <start>"],
    "<statement>": ["var <target> = <expression>;", "var <name>;", "<expression>;"],
    "<target>": ["<name>", "<object>", "<array>"],
    "<expression>": ["<arrow>", "<call>", "<object>", "<array>", "<number>", "<name>"],
    "<arrow>": ["<name> => <body>", "() => <body>"],
    "<body>": ["{}", "<expression>"],
    "<call>": ["<name>(<expression>)"],
    "<object>": ["{}", "{<properties>}"],
    "<properties>": ["<property>", "<property>, <properties>"],
    "<property>": ["<name>: <expression>"],
    "<array>": ["[]", "[<expressions>]"],
    "<expressions>": ["<expression>", "<expression>, <expressions>"],
    "<number>": ["<digit>", "<digit><number>"],
    "<digit>": list(string.digits),
    "<name>": ["<letter>", "<letter><name>"],
    "<letter>": list(string.ascii_lowercase),
}
"""Assignments to patterns, in the fuzzingbook format."""


class Rhino:
    """A Rhino that compiles what it is given, started once; a context manager."""

    def __init__(self, jar: Path) -> None:
        shell = ["java", "-cp", str(jar), "org.mozilla.javascript.tools.shell.Main", "-opt", "-1"]
        self._process = subprocess.Popen(
            [*shell, str(Path(__file__).with_name("rhino.js"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Rhino:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()

    def compile(self, text: str) -> Outcome:
        """Return what becomes of a program: syntax errors are invalid."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(base64.b64encode(text.encode("utf-8", "replace")).decode() + "\n")
        stdin.flush()
        said = stdout.readline()
        if not said:
            raise RuntimeError("Rhino does not answer: is the JAR that of Rhino 1.7.14?")
        if FAILURE in said:
            return Outcome.REPRODUCED
        return Outcome.PASSED if said.strip() == "compiled" else Outcome.INVALID


def measure(jar: Path) -> list[dict[str, Any]]:
    """Return a row for each method: runs, those before covarying parts, and outcomes of inputs.

    The last one is of the small grammar, with the law.
    """
    with Rhino(jar) as rhino:
        if rhino.compile(TEXT) is not Outcome.REPRODUCED:
            raise RuntimeError("This Rhino does not have bug 385.")
        rows = [_row(rhino, method, GeneralizeOptions(method, TRIES)) for method in METHODS]
        with_law = GeneralizeOptions("auto", TRIES, law_runs=LAW_RUNS)
        return [*rows, _row(rhino, "auto, own grammar", with_law, DESTRUCTURING)]


def _row(
    rhino: Rhino,
    name: str,
    options: GeneralizeOptions,
    grammar: str | dict[str, list[str]] = "javascript",
) -> dict[str, Any]:
    count = Count()
    before: list[int] = []

    def entered(phase: str) -> None:
        if phase == "covarying":
            before.append(count.runs)

    oracle = counted(from_test(rhino.compile), count)
    language = load_language(grammar)
    how = replace(options, reduce_first=False)
    pattern = generalize_text(TEXT, oracle, language, Random(0), how, Watch(entered=entered))
    runs = count.runs
    rng = Random("inputs")
    texts = draws(pattern, rng, INPUTS if pattern.holes else 0)
    outcomes = [rhino.compile(each.text) for each in texts]
    failed, passed = outcomes.count(Outcome.REPRODUCED), outcomes.count(Outcome.PASSED)
    return {
        "method": name,
        "runs": runs,
        "before covarying": before[0] if before and name == "ddset" else None,
        "published": PUBLISHED.get(name),
        "holes": len(pattern.holes),
        "fail": f"{failed}/{failed + passed}",
        "invalid": len(outcomes) - failed - passed,
        "pattern": str(pattern),
        "law": None if pattern.law is None else str(pattern.law),
    }
