"""The worked examples at the top of the parser's modules are true."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from boildown.grammar.parsing import earley, forest, machine, recovery


@pytest.mark.parametrize("module", [earley, forest, machine, recovery], ids=lambda m: m.__name__)
def test_worked_examples(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed
