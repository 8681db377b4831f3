"""What feeds the failing line of a test: each literal of a sample test says it itself."""

from __future__ import annotations

import pytest

from boildown.targets.feeding import feeding, is_compared, is_name, is_standard_input
from boildown.targets.literals import Module
from boildown.targets.reach import seen_by

SAMPLE = '''import sys, pytest
TEXT = "fed: a constant"
OTHER = "a constant"
@pytest.fixture
def data():
    return "fed: a fixture"
@pytest.fixture
def other():
    return "a fixture"
def check(text, expected):
    assert parse(text) == expected  # 2
class TestIt:
    def setup_method(self):
        self.text = "fed: an attribute"
        self.other = "an attribute"
    def test_it(self, data, other, monkeypatch):
        """A docstring."""
        name = "a variable"
        monkeypatch.setattr(sys, "stdin", io.StringIO("stdin: replaced"))
        monkeypatch.setattr("builtins.input", lambda _prompt: "stdin: returned")
        subprocess.run(["tool", name], input="stdin: given")
        with open("fed: a name") as file:
            text = dedent("""fed: a variable""") + file.read()
        expected = "expected"
        result = parse(text, "fed: an argument")
        assert result == expected, "a message"  # 1
        self.assertEqual(parse("fed: an assertion"), "expected")  # 3
        with pytest.raises(ValueError, match="a message"):  # 4
            parse(data, self.text, TEXT, other == "expected", "fed: a body")
        check(OTHER, "an argument")
'''


def lines(*marks: int) -> list[int]:
    return [at for at, line in enumerate(SAMPLE.splitlines(), 1) for m in marks if f"# {m}" in line]


def fed(*marks: int) -> list[str]:
    """Return the literals that feed the lines with some marks."""
    module = Module(SAMPLE)
    found = feeding(module, lines(*marks))
    nodes = [node for node, _ in seen_by(module, "TestIt::test_it") if found.holds(node)]
    return [node.value.strip('"') for node in nodes]


def test_a_compared_result_is_fed_by_what_it_is_made_of() -> None:
    assert fed(1) == ["fed: a name", "fed: a variable", "fed: an argument"]


def test_what_a_test_compares_with_is_no_input() -> None:
    assert fed(3) == ["fed: an assertion"]


def test_constants_fixtures_and_attributes_are_followed() -> None:
    assert fed(4) == [
        *("fed: a constant", "fed: a fixture", "fed: an attribute", "fed: a body"),
    ]


def test_nothing_feeds_no_line() -> None:
    assert fed() == []


def test_every_literal_that_a_test_sees_is_found_once() -> None:
    module = Module(SAMPLE)
    nodes = [node for node, _ in seen_by(module, "TestIt::test_it")]
    seen = [node.value for node in nodes if node.type == "string"]
    assert len(seen) == len(set(map(id, seen))) == 24
    assert "A docstring." not in seen


@pytest.mark.parametrize("name", ["TestIt::test_it"])
def test_standard_input_is_told_by_its_place(name: str) -> None:
    nodes = [node for node, _ in seen_by(Module(SAMPLE), name) if is_standard_input(node)]
    assert [node.value.strip('"') for node in nodes] == [
        *("stdin: replaced", "stdin: returned", "stdin: given"),
    ]


OVERWRITTEN = """
def test_it(many):
    t = split("an earlier text")
    assert len(t) == 2
    t = split("fed: the last text")
    if many:
        t += split("fed: a further text")
    assert len(t) == 1  # fails
    t = split("a later text")
"""


def test_what_is_overwritten_feeds_no_line_after_it() -> None:
    module = Module(OVERWRITTEN)
    at = OVERWRITTEN[: OVERWRITTEN.index("# fails")].count("\n") + 1
    found = feeding(module, [at])
    nodes = [node for node, _ in seen_by(module, "test_it") if found.holds(node)]
    assert [node.value.strip('"') for node in nodes] == [
        *("fed: the last text", "fed: a further text"),
    ]


COMPARED = """
def test_it():
    lines = "\\n".join(["compared: a line", "compared: another"])
    assert_equal(lines, parse("an argument"))
    expected = dedent('''compared: a text''')
    self.assertIn(expected, parse("another argument"))
    same = "a text that is parsed, too"
    assert parse(same) == same
    text = "the only argument of a helper"
    assert_parses(text)
    assert_renders("a literal beside it", "and a further one")
    condition = "a text that a condition compares"
    if "a text" in condition:
        fail("compared: a message")
    Point = make_dataclass("name: of a class", ["name: of a field"])
    key = "compared: a key"
    assert parse(Point)[0] == key
    alone = "a text about which all is said"
    assert "<" not in alone
"""


def test_what_a_variable_holds_is_compared_where_nothing_else_is_done_with_it() -> None:
    nodes = [node for node, _ in seen_by(Module(COMPARED), "test_it") if node.type == "string"]
    values = {node.value.strip("\"'"): is_compared(node) for node in nodes}
    del values["\\n"], values["a text"], values["<"]
    assert {text for text, compared in values.items() if compared} == {
        text for text in values if text.startswith("compared: ")
    }
    names = [node.value.strip('"') for node in nodes if is_name(node)]
    assert names == ["name: of a class", "name: of a field"]
