"""The examples of the library in the documents show what really happens."""

from __future__ import annotations

import doctest
import re
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_examples_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "docs/library.md"
    (tmp_path / "demo").mkdir()
    for each in ("orders.json", "receipts.py"):
        (tmp_path / "demo" / each).write_text((files("boildown") / "demo" / each).read_text())
    monkeypatch.chdir(tmp_path / "demo")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    blocks = re.findall(r"^```python\n(>>> .*?)^```$", (ROOT / name).read_text(), re.M | re.S)
    assert blocks
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(example)
    assert runner.failures == 0
