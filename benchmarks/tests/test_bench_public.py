"""The families of the public benchmark: their instances fail, and so does the best text of each."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.public.families import FAMILIES, Family

from boildown.engine.oracle import Outcome


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_instances_of_a_family_fail(family: Family) -> None:
    texts = {family.make(Random(seed)) for seed in range(5)}
    assert len(texts) == 5
    assert {family.judge(text) for text in (*texts, family.best)} == {Outcome.REPRODUCED}
    assert family.judge("") is not Outcome.REPRODUCED
    # Half of an instance is none, so that the outcome does not follow from what any part holds.
    assert {family.judge(text[: len(text) // 2]) for text in texts} == {Outcome.INVALID}
