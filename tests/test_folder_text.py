"""Folders as texts: every text is a folder, and every folder of fit paths comes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.engine.candidates import spliced
from boildown.folder_text import SEPARATOR, is_packable, ordered, packed, unlisted, unpacked

PATHS = st.sampled_from(["a.py", "b.json", "sub/c.h", "sub/deep/d", "Makefile"])


@given(st.dictionaries(PATHS, st.text()))
def test_what_is_packed_comes_back(files: dict[str, str]) -> None:
    assert unpacked(packed(files.items())) == files


@given(st.text(alphabet=f"{SEPARATOR}\n./ab"))
def test_every_text_is_a_folder_that_nothing_leads_out_of(text: str) -> None:
    files = unpacked(text)
    assert all(is_packable(path) for path in files)
    assert unpacked(packed(files.items())) == files


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "../x", "a/../../x", "a/./b", "a//b", "a/", "a\nb", "a\0b"]
)
def test_a_path_that_leads_out_or_is_no_path_makes_no_file(path: str) -> None:
    assert not is_packable(path)
    assert path not in unpacked(f"{SEPARATOR}{path}\ntext")
    with pytest.raises(ValueError, match="header"):
        packed([(path, "text")])


def test_the_later_file_of_a_path_counts_and_a_file_makes_way_for_a_folder() -> None:
    text = packed([("a", "1"), ("b", "2"), ("a", "3"), ("b/c", "4")])
    assert unpacked(text) == {"a": "3", "b/c": "4"}


def test_files_that_are_not_listed_go_as_a_whole() -> None:
    text = packed([("a", "1\n"), ("b", "2"), ("c", "")])
    assert unpacked(spliced(text, unlisted(text, {"b"}), "")) == {"b": "2"}


def test_files_that_were_read_stand_last() -> None:
    text = packed([("a", "1"), ("b", "2"), ("c", "3")])
    assert list(unpacked(ordered(text, {"a"}))) == ["b", "c", "a"]


@given(st.text(alphabet=f"{SEPARATOR}\ue01c01"))
def test_separators_in_a_file_come_back(content: str) -> None:
    assert unpacked(packed([("a", content), ("b", "")])) == {"a": content, "b": ""}
