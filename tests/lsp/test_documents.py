"""Positions in all three encodings, changes, and names."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from boildown.lsp import documents
from boildown.lsp.documents import Document

ENCODINGS = ("utf-8", "utf-16", "utf-32")
CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
WIDTHS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
TEXTS = st.text(st.sampled_from("ab \n\r\t\x0c\x85\u2028äß€😀𝔘\ud800\udcff"), max_size=30)


def document(text: str, encoding: str = "utf-16") -> Document:
    return Document("file:///a.txt", 1, "plaintext", text, encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS)
def test_a_position_leads_back_to_its_offset(encoding: str, text: str) -> None:
    here = document(text, encoding)
    for offset in range(len(text) + 1):
        inside_line_end = text[offset - 1 : offset + 1] == "\r\n"
        expected = offset - 1 if inside_line_end and offset else offset
        assert here.offset(here.position(offset)) == expected


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(text=TEXTS)
def test_characters_are_counted_as_the_encoding_does(encoding: str, text: str) -> None:
    here = document(text, encoding)
    position = here.position(len(text))
    data = here.line(position.line).encode(CODECS[encoding], "surrogatepass")
    assert position.character == len(data) // WIDTHS[encoding]


@pytest.mark.parametrize(
    ("encoding", "offsets"),
    [
        ("utf-8", [0, 1, 1, 1, 1, 2, 3, 3, 3]),
        ("utf-16", [0, 1, 1, 2, 3, 3, 3]),
        ("utf-32", [0, 1, 2, 3, 3]),
    ],
)
def test_a_position_inside_a_character_is_before_it_and_one_beyond_the_line_at_its_end(
    encoding: str, offsets: list[int]
) -> None:
    here = document("a😀b\nnext", encoding)
    found = [here.offset(types.Position(0, character)) for character in range(len(offsets))]
    assert found == offsets


def test_a_position_beyond_the_last_line_is_the_end() -> None:
    assert document("a\nb").offset(types.Position(7, 3)) == 3


def test_lines_end_where_the_protocol_says_and_nowhere_else() -> None:
    here = document("a\x0cb\u2028c\r\nd\re\nf")
    assert [here.line(number) for number in range(len(here.starts))] == [
        "a\x0cb\u2028c",
        "d",
        "e",
        "f",
    ]


@given(TEXTS, st.integers(0, 30), st.integers(0, 30), TEXTS)
def test_a_change_replaces_its_range(text: str, start: int, end: int, new: str) -> None:
    here = document(text)
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    start, end = (here.offset(here.position(offset)) for offset in (start, end))
    change = types.TextDocumentContentChangePartial(here.range(start, end), new)
    after = here.changed(2, [change])
    assert after.text == text[:start] + new + text[end:]
    assert after.version == 2


def test_a_change_without_a_range_replaces_all() -> None:
    after = document("old").changed(5, [types.TextDocumentContentChangeWholeDocument("new")])
    assert (after.text, after.version) == ("new", 5)


@pytest.mark.parametrize(
    ("uri", "language_id", "name"),
    [
        ("file:///x/crash%20one.json", "json", "crash one.json"),
        ("file:///x/Makefile", "makefile", "Makefile"),
        ("untitled:Untitled-1", "python", "Untitled-1.py"),
        ("untitled:Untitled-1", "json", "Untitled-1.json"),
        ("untitled:Untitled-1", "plaintext", "Untitled-1.txt"),
        ("untitled:", "plaintext", "input.txt"),
    ],
)
def test_a_name_says_the_language(uri: str, language_id: str, name: str) -> None:
    assert Document(uri, 1, language_id, "").name == name


@given(text=TEXTS, edits=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 4), TEXTS)))
def test_lines_after_edits_are_those_of_a_document_that_was_opened_so(
    text: str, edits: list[tuple[int, int, str]]
) -> None:
    here = document(text)
    for at, length, inserted in edits:
        extent = here.range(at, at + length)
        here = here.changed(2, [types.TextDocumentContentChangePartial(extent, inserted)])
        fresh = document(here.text)
        assert here.starts == fresh.starts
        assert here.position(len(here.text)) == fresh.position(len(here.text))


def test_an_edit_of_a_long_line_looks_only_at_what_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    here = document("é" * 100_000)
    assert here.position(7) == types.Position(0, 7)
    for name in ("_LINE_END", "_ASTRAL"):
        pattern = getattr(documents, name)
        monkeypatch.setattr(documents, name, Near(pattern))
    spot = types.Range(types.Position(0, 50_000), types.Position(0, 50_001))
    edited = here.changed(2, [types.TextDocumentContentChangePartial(spot, "\n😀")])
    assert edited.starts == [0, 50_001]
    assert not edited.is_narrow


class Near:
    """A pattern that refuses to look at long texts."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[Any]:
        assert min(end, len(text)) - start < 10
        return self.pattern.finditer(text, start, end)

    def search(self, text: str) -> re.Match[str] | None:
        assert len(text) < 10
        return self.pattern.search(text)
