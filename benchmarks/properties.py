"""Ten properties over structured text: Hypothesis's own shrink, and what `smaller` makes of it.

    python -m benchmarks.properties

Each property has a strategy as people write them: recursive data that is serialized, lines that are
joined, text by a regular expression, or recorded inputs that are chosen from. Hypothesis finds an
example that fails, with a fixed seed, and shrinks it; `boildown.hypothesis.smaller` goes on from
there. Calls are those of the property. No language is told.
"""

from __future__ import annotations

import ast
import configparser
import contextlib
import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

from benchmarks.markdown import table
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from boildown.hypothesis import smaller

Property = Callable[[str], None]

words = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8)
scalars = st.none() | st.booleans() | st.integers() | words
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(words, inner), max_leaves=20
)


def json_depth(text: str) -> None:
    """Fails where a list in an object in a list holds a number below zero."""

    def walk(value: Any, inside: str) -> None:
        if isinstance(value, dict | list):
            kind = "o" if isinstance(value, dict) else "l"
            for each in value.values() if isinstance(value, dict) else value:
                walk(each, inside + kind)
        assert not (isinstance(value, int) and value < 0 and inside.endswith("ol"))

    walk(json.loads(text), "")


RECORDED = [
    json.dumps(
        {
            "orders": [
                {"id": number, "lines": [{"sku": f"A{line}", "n": line} for line in range(4)]}
                for number in range(count)
            ],
            "currency": "EUR",
            "express": bool(count % 2),
        },
        indent=1,
    )
    for count in range(1, 9)
]


def json_recorded(text: str) -> None:
    """Fails where an express order has an article without a quantity."""
    document = json.loads(text)
    for order in document["orders"]:
        assert not (document["express"] and any(line["n"] == 0 for line in order["lines"]))


rows = st.lists(st.lists(words, min_size=3, max_size=3), min_size=1, max_size=12)


def csv_rows(text: str) -> None:
    """Fails where a word comes twice in the second column."""
    second = [row[1] for row in csv.reader(io.StringIO(text)) if len(row) > 1]
    assert len(second) == len(set(second))


expressions = st.recursive(
    st.integers(0, 999).map(str),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
        lambda parts: f"({' '.join(parts)})"
    ),
    max_leaves=12,
)


def expression(text: str) -> None:
    """Raises ZeroDivisionError as the expression does."""
    with contextlib.suppress(SyntaxError, TypeError, ValueError, OverflowError):
        eval(compile(ast.parse(text, mode="eval"), "text", "eval"), {"__builtins__": {}})


elements = st.recursive(
    words,
    lambda inner: st.tuples(words, st.dictionaries(words, words), st.lists(inner)).map(
        lambda parts: (
            f"<{parts[0]}{''.join(f' {k}={v!r}' for k, v in parts[1].items())}>"
            f"{''.join(parts[2])}</{parts[0]}>"
        )
    ),
    max_leaves=12,
)


def xml_mixed(text: str) -> None:
    """Fails where an element with an attribute holds text after another element."""
    with contextlib.suppress(ET.ParseError):
        for element in ET.fromstring(f"<r>{text}</r>").iter():
            assert not (element.attrib and any(child.tail for child in element))


tables = st.lists(
    st.tuples(words, st.dictionaries(words, st.integers() | words, max_size=4)), max_size=6
).map(
    lambda found: "".join(
        f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in body.items())
        for name, body in found
    )
)


def toml_sections(text: str) -> None:
    """Fails where two sections define the same key."""
    keys: list[str] = []
    section: set[str] = set()
    for line in text.splitlines():
        if line.startswith("["):
            keys += section
            section = set()
        elif " = " in line:
            section.add(line.partition(" = ")[0])
    keys += section
    assert len(keys) == len(set(keys))


conditions = st.recursive(
    st.tuples(words, st.sampled_from(["=", "<", "LIKE"]), st.integers(0, 99) | words.map(repr)).map(
        lambda parts: " ".join(map(str, parts))
    ),
    lambda inner: st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(
        lambda parts: f"({' '.join(parts)})"
    ),
    max_leaves=8,
)
queries = st.tuples(st.lists(words, min_size=1, max_size=5), words, conditions).map(
    lambda parts: f"SELECT {', '.join(parts[0])} FROM {parts[1]} WHERE {parts[2]};"
)


def sql_like(text: str) -> None:
    """Fails on a LIKE in brackets behind an OR, as a rewriter of queries did."""
    assert re.search(r"OR \(?\w+ LIKE", text) is None


blocks = st.lists(
    st.one_of(
        words.map(lambda word: f"# {word}"),
        st.lists(words, min_size=1).map(lambda found: "\n".join(f"- {word}" for word in found)),
        st.lists(words, min_size=1).map(" ".join),
        words.map(lambda word: f"```\n{word}\n```"),
    ),
    max_size=10,
).map("\n\n".join)


def markdown(text: str) -> None:
    """Fails where a block of code follows a list of two items."""
    assert re.search(r"^- .*\n- .*\n+```", text, re.MULTILINE) is None


statements = st.recursive(
    st.tuples(words, st.integers(0, 99)).map(lambda parts: [f"v_{parts[0]} = {parts[1]}"]),
    lambda inner: st.tuples(
        st.sampled_from(["if True:", "while False:", "for i in []:", "def f():"]),
        st.lists(inner, min_size=1, max_size=3),
    ).map(lambda parts: [parts[0], *(f"    {line}" for each in parts[1] for line in each)]),
    max_leaves=10,
)


def python_nested(text: str) -> None:
    """Fails where a loop stands in a function, and an assignment to a name with an `e` in it."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            loops = [each for each in ast.walk(node) if isinstance(each, ast.For | ast.While)]
            assert not any(
                isinstance(each, ast.Name) and "e" in each.id
                for loop in loops
                for each in ast.walk(loop)
            )


ini = st.from_regex(
    r"(\[[a-z]{1,6}\]\n([a-z]{1,6} ?= ?[a-z0-9 ]{0,8}\n){0,3}){1,4}", fullmatch=True
)


def ini_empty(text: str) -> None:
    """Fails where a section has an option that is empty."""
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.read_string(text)
    for section in parser.sections():
        assert all(parser[section].values())


PROPERTIES: tuple[tuple[str, Any, Property], ...] = (
    ("JSON, serialized", values.map(json.dumps), json_depth),
    ("JSON, recorded", st.sampled_from(RECORDED), json_recorded),
    ("CSV", rows.map(lambda found: "\n".join(map(",".join, found))), csv_rows),
    ("expressions", expressions, expression),
    ("XML", elements, xml_mixed),
    ("TOML", tables, toml_sections),
    ("SQL", queries, sql_like),
    ("Markdown", blocks, markdown),
    ("Python", statements.map("\n".join), python_nested),
    ("INI, by a regular expression", ini, ini_empty),
)


class Counted:
    """A property that counts its calls, and remembers the last text on which it failed."""

    def __init__(self, holds: Property, strategy: Any = None) -> None:
        self.calls = 0
        self.failing = ""

        @given(text=st.text() if strategy is None else strategy)
        def test(text: str) -> None:
            self.calls += 1
            try:
                holds(text)
            except Exception:
                self.failing = text
                raise

        self.property = test


def shrunk(strategy: Any, holds: Property) -> tuple[str, int]:
    """Return Hypothesis's smallest failing example, and how often it called the property."""
    counted = Counted(holds, strategy)
    quiet = settings(
        max_examples=20_000,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        seed(20)(quiet(counted.property))()
    # It replays the smallest one at last.
    return counted.failing, counted.calls


def measured(strategy: Any, holds: Property) -> tuple[str, int, str, int]:
    """Return Hypothesis's example and `smaller`'s, each with the calls that it took."""
    example, calls = shrunk(strategy, holds)
    counted = Counted(holds)
    with contextlib.redirect_stdout(io.StringIO()):
        result = smaller(counted.property, example)
    return example, calls, result, counted.calls


def main() -> int:
    """Print the table; return 1 if a result is larger than Hypothesis's."""
    rows = []
    less = same = 0
    for name, strategy, holds in PROPERTIES:
        example, calls, result, more = measured(strategy, holds)
        less += len(result) < len(example)
        same += len(result) == len(example)
        shown = map(json.dumps, (example, result))
        rows.append((name, len(example), len(result), calls, more, *shown))
    head = ("property", "Hypothesis", "smaller", "its calls", "more calls", "example", "result")
    print(table(head, rows))
    print(f"\nsmaller in {less} of {len(rows)}, as small in {same}; a result may be a text that")
    print("the strategy cannot make, and that no parser but the property's takes.")
    return int(less + same < len(rows))


if __name__ == "__main__":
    raise SystemExit(main())
