"""The lines that lcov tells of, with their functions, in each of its versions."""

from __future__ import annotations

from boildown.runner.lcov import executed


def _told(*rows: str) -> list[tuple[str, int, str]]:
    text = "\n".join(["TN:", "SF:src/a.c", *rows, "end_of_record"])
    return [(place[0], place[1], name) for place, name in executed(text, "/project")]


def test_lines_belong_to_the_function_that_begins_before_them() -> None:
    rows = ("FN:9,main", "FN:3,read", "FNDA:1,main", "DA:1,1", "DA:4,2", "DA:5,0", "DA:9,1,abc=")
    path = "/project/src/a.c"
    assert _told(*rows) == [(path, 1, ""), (path, 4, "read"), (path, 9, "main")]


def test_functions_that_say_where_they_end() -> None:
    """Since lcov 2.0 it is in the same row as the name, which may have commas; since 2.2 not."""
    rows = ("FN:3,7,pair<int, int>::read", "DA:4,1", "DA:8,1")
    assert [each[1:] for each in _told(*rows)] == [(4, "pair<int, int>::read"), (8, "")]
    later = ("FNL:0,3,7", "FNA:0,1,f(int, int)", "DA:4,1", "DA:8,1")
    assert [each[1:] for each in _told(*later)] == [(4, "f(int, int)"), (8, "")]
    assert [each[1:] for each in _told("FN:3,f(int, int)", "DA:4,1")] == [(4, "f(int, int)")]


def test_what_is_no_lcov_is_passed_over() -> None:
    assert _told("DA:", "DA:x,1", "FN:x", "FNA:7,1,f", "BRDA:1,0,0,-", "DA:2") == []
    assert list(executed("DA:1,1\nend_of_record\nSF:/b.c\nDA:1,1", "/")) == []
