"""The order of candidates, and those that are never run."""

from __future__ import annotations

import json

import pytest

from boildown import reduce
from boildown.engine.problem import changes_type


@pytest.mark.parametrize(
    ("old", "new", "does"),
    [
        ('{"a":null}', '{"a":""}', True),
        ('{"a":null}', '{"a":[]}', True),
        ('{"a":[]}', '{"a":""}', True),
        ("f(None)", "f('')", True),
        ('{"a":[1]}', '{"a":[]}', False),
        ('{"a":null}', '{"a":0}', False),
        ('{"a":"x"}', '{"a":""}', False),
        ('{"a":null,"b":1}', '{"a":null}', False),
    ],
)
def test_an_empty_value_of_another_type_is_none_of_the_same(old: str, new: str, does: bool) -> None:
    assert changes_type(old, new) is does


@pytest.mark.parametrize("value", ["null", "[]", "{}"])
def test_an_empty_value_stays_where_an_empty_text_would_do(value: str) -> None:
    def fails(text: str) -> bool:
        try:
            tags = json.loads(text)["tags"]
        except (ValueError, LookupError, TypeError):
            return False
        return not tags and not isinstance(tags, int)

    reduction = reduce(f'{{"tags": {value}, "shop": "Corner"}}', fails, "json")
    assert reduction.text == f'{{"tags":{value}}}'
