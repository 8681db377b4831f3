"""Falsifying examples of Hypothesis, read from what it prints."""

from __future__ import annotations

from boildown.targets.examples import Example, examples
from boildown.targets.literals import Module
from boildown.targets.reach import seen_by

CODE = """\
from hypothesis import example, given

class TestIt:
    @given(ORDERS, FAST)
    @example([{"count": 5}], True)
    def test_it(self, orders, fast):
        pass
"""
PRINTED = """\
E   Failing test case: test_it(
E       self=<test_it.TestIt object at 0x7f0000000000>,
E       orders=[{
E            'name': '',  # or any other generated value
E            'count': 4,
E        }],
{more}E   )
"""


def only(printed: str) -> Example:
    (found,) = examples(Module(CODE), "TestIt::test_it", printed)
    return found


def test_the_arguments_are_data_as_example_takes_it() -> None:
    found = only(PRINTED.replace("{more}", "E       fast=True,\n"))
    assert found.is_data
    assert found.text == "{'orders': [{'name': '', 'count': 4}], 'fast': True}"
    assert found.decorator(found.text) == ("@example(orders=[{'name': '', 'count': 4}], fast=True)")
    assert found.decorator('{"orders": [{}], "fast": True}') == "@example(orders=[{}], fast=True)"
    assert found.decorator('{"orders": []}') == '@example(**{"orders": []})'


def test_the_only_argument_is_the_data_itself() -> None:
    found = only(PRINTED.replace("{more}", ""))
    assert found.text == "[{'name': '', 'count': 4}]"
    assert found.decorator("[{}]", "h.") == "@h.example(orders=[{}])"


def test_a_text_among_the_arguments_is_the_input() -> None:
    found = only(PRINTED.replace("{more}", "E       fast='a<b',\n"))
    assert (found.is_data, found.text) == (False, "a<b")


def test_an_explicit_example_stands_in_the_code() -> None:
    printed = PRINTED.replace("Failing test case", "Failing explicit example").replace("{more}", "")
    assert list(examples(Module(CODE), "TestIt::test_it", printed)) == []
    seen = [
        (node.get_code(False), str(test)) for node, test in seen_by(Module(CODE), "TestIt::test_it")
    ]
    assert seen == [('[{"count": 5}]', "TestIt::test_it"), ('"count"', "TestIt::test_it")]


def test_of_several_failures_in_a_group_the_last_one_is_taken() -> None:
    one = PRINTED.replace("E   ", "    | ").replace("E  ", "    | ")
    group = "".join(
        f"    +---------------- {number} ----------------\n"
        + one.replace("{more}", f"    |     fast={text!r},\n")
        for number, text in enumerate(["a", "b|c"], 1)
    )
    assert only(group).text == "b|c"
