"""Literals whose text is encoded, as the code around them shows."""

from __future__ import annotations

import gzip

import pytest

from boildown.targets.encoded import encoding_of, observed_encoding
from boildown.targets.literals import Module, node_at, read


@pytest.mark.parametrize(
    ("code", "text", "again"),
    [
        ("f(base64.b64decode('PHg+'))", "<x>", "eQ=="),
        ("TEXT = 'PHg+'\ndef test():\n    b64decode(TEXT, validate=True)", "<x>", "eQ=="),
        ("bytes.fromhex('3c78ff')", "<x\udcff", "79"),
        ("base64.b64decode('PHg')", None, ""),
        ("bytes.fromhex('3C78')", "<x", "79"),
        ("bytes.fromhex('3c  78\\n')", "<x", "79"),
        ("base64.b64decode('PHg\\n+')", "<x>", "eQ=="),
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
    value = read(module, node).value
    assert (found and found.read(value)) == text
    if text is not None:
        assert found is not None
        assert found.write("y") == again


@pytest.mark.parametrize(
    ("value", "decoded", "text", "again"),
    [
        ("PHg+", ("a2b_base64", "PHg+"), "<x>", "eQ=="),
        ("PHg-", ("a2b_base64", "PHg+"), "<x>", "eQ=="),
        ("PHg", ("a2b_base64", "PHg="), "<x", "eQ"),
        ("3c 78\n", ("fromhex", "3c78"), "<x", "79"),
        ("3c78", ("unhexlify", "3c78"), "<x", "79"),
        ("PHg+", ("a2b_base64", "PHg/"), None, ""),
        ("3c78", ("a2b_base64", "eHg+"), None, ""),
        ("", ("a2b_base64", ""), None, ""),
    ],
)
def test_a_value_that_a_run_has_decoded_is_encoded_so(
    value: str, decoded: tuple[str, str], text: str | None, again: str
) -> None:
    found = observed_encoding(value, [decoded])
    assert (found and found.read(value)) == text
    if found is not None:
        assert found.write("y") == again


def test_what_gzip_has_packed_is_told_by_its_first_bytes() -> None:
    packed = gzip.compress(b"<x\xff>").decode("utf-8", "surrogateescape")
    found = observed_encoding(packed, [])
    assert found is not None
    assert found.read(packed) == "<x\udcff>"
    assert found.read(found.write("y\udcff")) == "y\udcff"
    assert found.read(packed[:-1]) is None
    assert observed_encoding("<x>", []) is None
