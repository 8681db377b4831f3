"""The public benchmark: instances of the families fail, and oracles tell what entries fail by."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from benchmarks.bugs import Case
from benchmarks.public import ir
from benchmarks.public.corpus import Entry, case
from benchmarks.public.families import FAMILIES, Family
from benchmarks.public.outside import Row, written

from boildown.engine.oracle import Outcome


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_instances_of_a_family_fail(family: Family) -> None:
    texts = {family.make(Random(seed)) for seed in range(5)}
    assert len(texts) == 5
    assert {family.judge(text) for text in (*texts, family.best)} == {Outcome.REPRODUCED}
    assert family.judge("") is not Outcome.REPRODUCED
    # Half of an instance is none, so that the outcome does not follow from what any part holds.
    assert {family.judge(text[: len(text) // 2]) for text in texts} == {Outcome.INVALID}


ENTRY = Entry("some-bug", "[ -d . ]", 'cat "$1"; exit 3', ("it's", "wrong"), 3)


def test_an_entry_of_the_corpus_fails_by_what_its_program_says(tmp_path: Path) -> None:
    folder = tmp_path / "evaluation/corpus/some-bug"
    folder.mkdir(parents=True)
    (folder / "original.txt").write_text("it's all wrong")
    assert case(tmp_path, ENTRY, tmp_path) == "it is not in the checkout"
    kept = folder / "shrinkray_reduced.txt"
    kept.write_text("it is wrong")
    told = case(tmp_path, ENTRY, tmp_path)
    assert told == "the original or the committed result does not fail here"
    kept.write_text("it'swrong")
    ready = case(tmp_path, ENTRY, tmp_path)
    assert isinstance(ready, Case)
    assert (ready.size, ready.best_bytes) == (14, 9)
    other = case(tmp_path, replace(ENTRY, status=4), tmp_path)
    assert other == told
    assert case(tmp_path, replace(ENTRY, setup="false"), tmp_path) != other


def test_means_are_of_what_ended_and_larger_ones_are_named() -> None:
    row = Row("corpus", "a", "boildown", 100, 20, 50, 0, False, 10, "", "")
    rows = [
        row,
        replace(row, tool="shrinkray", after=40, runs=100),
        replace(row, name="b", after=5),
        replace(row, name="c", after=90, capped=True),
    ]
    told = written("corpus", rows)
    assert "Boildown's bytes to the best: 1.00 (geometric mean of 2)." in told
    assert "Larger than the best, of those that ended: a." in told
    assert "in the 1 that both ended: 0.50 times the bytes, 0.50 times" in told
    assert written("perses", rows) == ""


@pytest.mark.skipif(shutil.which("opt") is None, reason="LLVM is not installed")
def test_a_module_fails_by_a_call_of_what_stores_in_a_global() -> None:
    assert ir.fails(ir.BEST)
    assert not ir.fails(ir.BEST.replace("call void@1(i8%0)", "call void@1(i8 1)"))
    with pytest.raises(ValueError, match="error"):
        ir.fails(ir.BEST.replace("@0=global i8 0", ""))
