"""Certificates of random predicates on coupled texts, checked by brute force.

`BOILDOWN_HOSTILE=N` tries N predicates in place of the few that each run of the tests can afford.
"""

from __future__ import annotations

import importlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from benchmarks.predicates import Predicate, left_out

from boildown.cli.main import main
from boildown.engine.certificate import Unit
from boildown.engine.oracle import Oracle, from_test
from boildown.engine.reducing.reduce import reduce
from boildown.engine.reducing.tidy import tidied
from boildown.languages import load_language
from boildown.runner.runner import Runner

PREDICATES = int(os.environ.get("BOILDOWN_HOSTILE", "12"))
"""How many predicates are tried, over all kinds of texts."""
RUN_PREDICATES = 12
"""How many of them are judged by runs of their own, which takes ten times as long."""
LAID_OUT = 10
"""A seed whose result is one long line."""

TABLE = """
def fails(text):
    head, *rows = [line.split() for line in text.strip().split("\\n")]
    if len(head) != 2 or any(len(row) != 3 for row in rows):
        return False
    names = [row[0] for row in rows]
    return (
        (not {counted} or head[0] == "n=%d" % len(rows))
        and (not {as_long} or {{"m=%d" % len(row[2]) for row in rows}} == {{head[1]}})
        and (not {referring} or len(set(names)) == len(names))
        and (not {referring} or {{row[1] for row in rows}} <= set(names))
        and all(any(needle in row[2] for row in rows) for needle in {needles})
    )
"""
DOCUMENT = """
import json

def fails(text):
    try:
        given = json.loads(text)
        rows = given["rows"]
        names = [row["name"] for row in rows]
        cells = [row["cells"] for row in rows]
        return (
            (not {counted} or given["n"] == len(rows))
            and (not {as_long} or {{len(each) for each in cells}} == {{given["m"]}})
            and (not {referring} or len(set(names)) == len(names))
            and (not {referring} or {{row["next"] for row in rows}} <= set(names))
            and {needles} <= {{word for each in cells for word in each}}
        )
    except (ValueError, KeyError, TypeError):
        return False
"""
STATES = """
def fails(text):
    lines = [line.split() for line in text.strip().split("\\n")]
    if any(len(line) != 2 or line[0] not in ("state", "go") for line in lines):
        return False
    named = [name for kind, name in lines if kind == "state"]
    led = [name for kind, name in lines if kind == "go"]
    return (
        (not {referring} or len(set(named)) == len(named))
        and (not {referring} or set(led) <= set(named))
        and len(led) >= len({needles})
    )
"""
"""The sources of predicates: what holds in the text has to stay so, and the needles stay."""


def table(rng: Random) -> tuple[str, set[str]]:
    """Return a table with the numbers of its rows and columns; rows name others; and needles."""
    count, columns = rng.randint(3, 6), rng.randint(8, 10)
    rows = [
        f"r{at} r{rng.randrange(count)} " + "".join(rng.choices("AC", k=columns))
        for at in range(count)
    ]
    needle = rows[-1].split()[-1][: rng.randint(1, 3)]
    return f"n={count} m={columns}\n" + "\n".join(rows) + "\n", {needle}


def document(rng: Random) -> tuple[str, set[str]]:
    """Return JSON with the same on a line; of so many needles that some results are laid out."""
    count, columns = rng.randint(2, 4), rng.randint(1, 3)
    rows = [
        {
            "name": f"r{at}",
            "next": f"r{rng.randrange(count)}",
            "cells": [f"cell-{at}-{column}" for column in range(columns)],
        }
        for at in range(count)
    ]
    cells = [cell for row in rows for cell in row["cells"]]
    needles = set(rng.sample(cells, min(rng.choice((0, 1, 2, len(cells))), len(cells))))
    return json.dumps({"n": count, "m": columns, "rows": rows}), needles


def states(rng: Random) -> tuple[str, set[str]]:
    """Return states with the names of others that they lead to; and as many words as must do so."""
    count = rng.randint(3, 6)
    lines = []
    for at in range(count):
        lines.append(f"state s{at}")
        lines += [f"  go s{rng.randrange(count)}" for _ in range(rng.randint(1, 2))]
    return "\n".join(lines) + "\n", {f"s{at}" for at in range(rng.randint(1, 3))}


KINDS = (("plain", table, TABLE), ("json", document, DOCUMENT), ("plain", states, STATES))
"""Languages, each with texts and their predicates."""


def case(seed: int) -> tuple[str, str, str]:
    """Return a language, a text and the source of a predicate that it fulfils."""
    rng = Random(seed)
    name, make, source = KINDS[seed % len(KINDS)]
    text, needles = make(rng)
    links = ("counted", "as_long", "referring")
    held = {link: rng.random() < 0.8 for link in links}
    return name, text, source.format(needles=needles or "set()", **held)


def predicate_of(source: str) -> Predicate:
    """Return the predicate of a module's source."""
    names: dict[str, Predicate] = {}
    exec(source, names)
    return names["fails"]


@pytest.fixture(autouse=True)
def _links_in_short_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("boildown.engine.reducing.passes.links")
    monkeypatch.setattr(module, "SHORT_TEXT", 0)


@pytest.mark.parametrize("seed", range(PREDICATES))
def test_certificates_of_coupled_texts_are_true(seed: int) -> None:
    name, text, source = case(seed)
    test, language = predicate_of(source), load_language(name)
    reduction = reduce(text, from_test(test), language)
    assert reduction.finished
    assert test(reduction.text)
    assert reduction.certificate is not None
    assert not left_out(reduction.text, reduction.certificate.unit, test, language)


@pytest.fixture
def asked_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the search ask the predicate in this process; the runs before and after it stay runs."""

    @contextmanager
    def oracle_of(runner: Runner, *_: object) -> Iterator[Oracle]:
        yield from_test(predicate_of((runner.command.cwd / "checks.py").read_text()))

    monkeypatch.setattr("boildown.jobs.work.oracle_of", oracle_of)


@pytest.mark.usefixtures("asked_here")
@pytest.mark.parametrize("seed", range(PREDICATES))
def test_what_the_command_line_writes_of_coupled_texts_is_minimal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    monkeypatch.chdir(tmp_path)
    reduced_by_command(monkeypatch, capsys, seed)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(RUN_PREDICATES))
def test_what_the_command_line_writes_by_runs_is_minimal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    monkeypatch.chdir(tmp_path)
    reduced_by_command(monkeypatch, capsys, seed)


def reduced_by_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    """Reduce a case here by the command line; check the certificate of the file by brute force."""
    name, text, source = case(seed)
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path.cwd()))
    Path("checks.py").write_text(source)
    Path("crash.txt").write_text(text)
    options = ["--language", name, "--output", "small.txt", "--", "checks:fails"]
    assert main(["reduce", "crash.txt", "--json", "--fresh", "--jobs", "1", *options]) == 0
    report = json.loads(capsys.readouterr().out)
    written, certificate = Path("small.txt").read_text(), report["certificate"]
    is_laid_out = certificate["of"] == "before_layout"
    compact = re.sub(r"\n *", "", written) if is_laid_out else written
    test, language = predicate_of(source), load_language(name)
    assert test(written)
    assert test(compact)
    assert (report["bytes_after"], report["bytes_written"]) == (len(compact), len(written))
    left = left_out(compact, Unit(certificate["unit"]), test, language)
    assert len(left) <= certificate["timeouts"]


def test_some_results_are_laid_out() -> None:
    _, text, source = case(LAID_OUT)
    language = load_language("json")
    reduction = reduce(text, from_test(predicate_of(source)), language)
    layout = tidied(reduction.text, language)
    assert layout is not None
    assert predicate_of(source)(layout)
