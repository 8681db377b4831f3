"""What V8's coverage says of lines and of parts of them, and damaged records."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from boildown.runner.v8_coverage import executed

FILE = "/a b/shop.js"


def record(text: str, *functions: tuple[str, list[tuple[str, int]]], **more: Any) -> bytes:
    """Return the record of a script: ranges by their texts, with counts."""

    def range_of(part: str, count: int) -> dict[str, int]:
        start = len(text[: text.index(part)].encode("utf-16-le")) // 2
        end = start + len(part.encode("utf-16-le")) // 2
        return {"startOffset": start, "endOffset": end, "count": count}

    told = [
        {"functionName": name, "isBlockCoverage": True, "ranges": [range_of(*each) for each in of]}
        for name, of in functions
    ]
    scripts = [{"scriptId": "1", "url": "file:///a%20b/shop.js", "functions": told}]
    scripts.append({"scriptId": "2", "url": "node:fs", "functions": told})
    return json.dumps({"result": scripts, "timestamp": 1, **more}).encode()


def told(text: str, made: bytes) -> list[tuple[int, int, str]]:
    """Return lines, columns and functions of the places that a record tells."""
    places = list(executed(made, {FILE: text}.get))  # type: ignore[arg-type]
    assert {place[0] for place, _name in places} <= {FILE}
    return [(line, column, name) for (_file, line, column), name in places]


TEXT = "f();\nfunction f(a) {\n  if (a) { g(); }\n  // h\n  return [\n  ].map(b => '😀');\n}\n"
WHOLE = TEXT.strip("\n")
BODY = WHOLE.partition("\n")[2]


def test_lines_and_parts_of_them() -> None:
    made = record(
        TEXT, ("", [(WHOLE, 1)]), ("f", [(BODY, 1), ("{ g(); }", 0)]), ("", [("b => '😀'", 0)])
    )
    assert told(TEXT, made) == [(1, 0, ""), (2, 0, "f"), (3, 0, "f"), (5, 0, "f"), (6, 0, "f")]
    made = record(TEXT, ("", [(WHOLE, 1)]), ("f", [(BODY, 1)]), ("", [("b => '😀'", 2)]))
    assert {(3, 12, "f"), (6, 14, "f")} < set(told(TEXT, made))
    # A function that was not called.
    made = record(TEXT, ("", [(WHOLE, 1)]), ("f", [(BODY, 0)]))
    assert told(TEXT, made) == [(1, 0, "")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_all_ends_of_lines_and_units_of_utf_16(end: str) -> None:
    text = f"'😀é';{end}f = () => 1;{end}g();{end}"
    made = record(text, ("", [(text, 1)]), ("f", [("() => 1", 0)]))
    assert told(text, made) == [(1, 0, ""), (2, 0, ""), (3, 0, "")]


def test_a_source_map_leads_to_the_file_that_a_script_was_made_of() -> None:
    # Its two lines were made of the third and the second one of shop.ts.
    data = {"sources": ["file:///shop.ts", None], "mappings": "AAEA;AADA", "version": 3}
    maps = {"file:///a%20b/shop.js": {"data": data, "lineLengths": [4, 4]}}
    text = "f();\ng();\n"
    made = record(text, ("", [(text, 1)]), **{"source-map-cache": maps})
    sources = {FILE: text, "/shop.ts": "type a = 1\ng()\nf()"}
    assert [each for each, _ in executed(made, lambda file: sources.get(file, ""))] == [
        ("/shop.ts", 3, 0),
        ("/shop.ts", 2, 0),
    ]
    # What is not there is not named.
    assert [each for each, _ in executed(made, lambda file: {FILE: text}.get(file, ""))] == [
        (FILE, 1, 0),
        (FILE, 2, 0),
    ]


def test_damaged_records_tell_nothing_or_something() -> None:
    made = record(TEXT, ("", [(WHOLE, 1)]), ("f", [(BODY, 1), ("{ g(); }", 0)]))
    chance = random.Random(0)
    for _ in range(300):
        damaged = bytearray(made)
        for _ in range(chance.randrange(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.choice(b'09-"{}[],:\xff')
        list(executed(bytes(damaged), lambda _file: TEXT))
    for shape in (b"[]", b"{}", b'{"result": 1}', b'{"result": [{}]}', b'{"result": [1]}', b"{"):
        assert list(executed(shape, lambda _file: TEXT)) == []
