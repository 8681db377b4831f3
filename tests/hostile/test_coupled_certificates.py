"""Certificates of random predicates on coupled texts, checked by brute force."""

from __future__ import annotations

import importlib
from functools import partial
from random import Random

import pytest
from benchmarks.predicates import left_out

from boildown.engine.oracle import from_test
from boildown.engine.reducing.reduce import reduce
from boildown.languages import load_language

PREDICATES = 12


def table(rng: Random) -> str:
    """Return a table with the numbers of its rows and columns; rows name others."""
    count, columns = rng.randint(3, 6), rng.randint(8, 10)
    rows = [
        f"r{at} r{rng.randrange(count)} " + "".join(rng.choices("AC", k=columns))
        for at in range(count)
    ]
    return f"n={count} m={columns}\n" + "\n".join(rows) + "\n"


def holds(needle: str, text: str) -> bool:
    """Say whether counts, lengths and references are right, and some row has the needle."""
    head, *lines = text.strip().split("\n")
    rows = [line.split() for line in lines]
    if any(len(row) != 3 for row in rows) or len({len(row[2]) for row in rows}) != 1:
        return False
    names = {row[0] for row in rows}
    if len(names) < len(rows) or not {row[1] for row in rows} <= names:
        return False
    return head.split() == [f"n={len(rows)}", f"m={len(rows[0][2])}"] and any(
        needle in row[2] for row in rows
    )


def test_certificates_of_coupled_texts_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("boildown.engine.reducing.passes.links")
    monkeypatch.setattr(module, "SHORT_TEXT", 0)
    language = load_language("plain")
    for seed in range(PREDICATES):
        rng = Random(seed)
        text = table(rng)
        needle = text.split()[-1][: rng.randint(1, 3)]
        test = partial(holds, needle)
        reduction = reduce(text, from_test(test), language)
        assert reduction.finished
        assert test(reduction.text)
        assert reduction.certificate is not None
        unit = reduction.certificate.unit
        left = left_out(reduction.text, unit, test, language)
        assert not left, f"seed {seed}: {reduction.text!r}"
