"""JSON that stands in a string of JSON is a part of the tree."""

from __future__ import annotations

import json

from boildown import reduce
from boildown.languages import load_language
from boildown.tree import leaves

PAYLOAD = {
    "shop": 'the "old" one',
    "orders": [{"id": n, "lines": [{"count": n - 2, "sku": f"a\n{n}"}]} for n in range(1, 5)],
}
EVENT = json.dumps({"id": 12, "payload": json.dumps(PAYLOAD, indent=1), "kind": "order"}, indent=1)


def fail(text: str) -> None:
    for order in json.loads(json.loads(text)["payload"])["orders"]:
        for line in order["lines"]:
            if line["count"] == 0:
                raise ZeroDivisionError


def test_json_in_a_string_is_reduced_as_json() -> None:
    found = reduce(EVENT, fail, language="json")
    assert json.loads(json.loads(found.text)["payload"]) == {"orders": [{"lines": [{"count": 0}]}]}


def test_its_tokens_are_leaves_and_its_line_ends_white_space() -> None:
    source = r'["{\n \"a\\n\\\"\": [1]}", "[x]"]'
    found = list(leaves(load_language("json").parse(source).tree))
    texts = ["[", '"', "{", r"\"a\\n\\\"\"", ":", "[", "1", "]", "}", '"', ",", '"[x]"', "]"]
    assert [leaf.text for leaf in found] == texts
    assert [leaf.prefix for leaf in found if leaf.prefix] == [r"\n ", " ", " "]


def test_such_a_string_stands_where_any_string_may_and_its_parts_do_not() -> None:
    language = load_language("json")
    assert language.fits("value", "escaped")
    assert not language.fits("value", "escaped_value")
    assert not language.fits("escaped_value", "value")
