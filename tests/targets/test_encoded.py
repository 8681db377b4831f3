"""Literals whose text is encoded, as the code around them shows."""

from __future__ import annotations

import pytest

from boildown.targets.encoded import encoding_of
from boildown.targets.literals import Module, node_at


@pytest.mark.parametrize(
    ("code", "text", "again"),
    [
        ("f(base64.b64decode('PHg+'))", "<x>", "eQ=="),
        ("TEXT = 'PHg+'\ndef test():\n    b64decode(TEXT, validate=True)", "<x>", "eQ=="),
        ("bytes.fromhex('3c78ff')", "<x\udcff", "79"),
        ("base64.b64decode('PHg')", None, ""),
        ("bytes.fromhex('3C78')", None, ""),
        ("b64encode('PHg+')", None, ""),
        ("f('x', b64decode('PHg+', 'PHg+'))", "<x>", "eQ=="),
        ("OTHER = ['PHg+']\nb64decode(OTHER)", None, ""),
    ],
)
def test_the_text_in_a_literal_is_told_by_its_decoder(
    code: str, text: str | None, again: str
) -> None:
    module = Module(code)
    at = code.index("'PHg") + 1 if "'PHg" in code else code.index("'3") + 1
    node = node_at(module, at, at)
    found = encoding_of(module.tree, node)
    value = node.value[1:-1]
    assert (found and found.read(value)) == text
    if text is not None:
        assert found is not None
        assert found.write(b"y") == again
