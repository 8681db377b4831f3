"""The measurement of flaky failures on a few predicates: what is claimed is true."""

from __future__ import annotations

import pytest
from benchmarks.flaky import WAYS, Rates, measured

TRIES = 6


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rates", [Rates(), Rates(missed=0.3), Rates(spurious=0.1)], ids=str)
def test_no_result_is_false(way: str, rates: Rates) -> None:
    row = measured(way, rates, TRIES)
    assert row.tries == TRIES == row.refused + len(row.ratios)
    assert (row.not_failing, row.sure_and_false, row.doubted_and_false) == (0, 0, 0)
    if rates == Rates():
        assert (row.refused, row.stopped, row.sure) == (0, 0, TRIES)
        assert row.ratios == [1.0] * TRIES
