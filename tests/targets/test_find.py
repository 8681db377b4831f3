"""Failing inputs at a place in a document, with the command that judges each."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from boildown import config
from boildown.jobs.reduce import reduce
from boildown.jobs.work import JobOptions
from boildown.targets import Cursor, InputKind, Target, find

ENTRY = {"files": ["*.json", "notes.md"], "command": ["true", "{file}"]}


def at(text: str, file: Path, entries: tuple[config.InputEntry, ...] = ()) -> Cursor:
    """Return the place between the marks `|` in a text; one mark is a cursor."""
    start = text.index("|")
    text = text.replace("|", "", 1)
    end = text.find("|")
    text = text.replace("|", "", 1)
    ids = {".py": "python", ".md": "markdown"}
    language_id = ids.get(file.suffix, "plaintext")
    end = start if end < 0 else end
    return Cursor(text, file, language_id, start, end, entries, file.parent, (sys.executable,))


def only(place: Cursor, kind: InputKind) -> Target:
    (target,) = (each for each in find(place)[0] if each.kind is kind)
    return target


@pytest.fixture
def entries(tmp_path: Path) -> tuple[config.InputEntry, ...]:
    return config.load_settings([ENTRY], tmp_path)[0]


def test_a_cursor_in_a_document_means_the_document(
    tmp_path: Path, entries: tuple[config.InputEntry, ...]
) -> None:
    (target,), declined = find(at("[1|, 2]", tmp_path / "a.json", entries))
    assert (target.kind, target.start, target.end) == (InputKind.DOCUMENT, 0, 6)
    assert (target.text, target.shown, declined) == ("[1, 2]", "true {file}", "")


def test_a_selection_can_be_reduced_in_place_alone_or_not_at_all(
    tmp_path: Path, entries: tuple[config.InputEntry, ...]
) -> None:
    selection, alone, document = find(at("[|1, 2|]", tmp_path / "a.json", entries))[0]
    assert (selection.kind, alone.kind, document.kind) == (
        InputKind.SELECTION,
        InputKind.ALONE,
        InputKind.DOCUMENT,
    )
    assert (selection.text, alone.text, document.text) == ("1, 2", "1, 2", "[1, 2]")
    assert selection.command is not None
    assert alone.command is not None
    assert selection.command.content("3") == "[3]"
    assert alone.command.content("3") == "3"
    assert alone.document("[1, 2]", "3") == "[3]"


def test_without_configuration_there_is_no_command(tmp_path: Path) -> None:
    (target,), _ = find(at("x|", tmp_path / "a.json"))
    assert target.command is None


NOTES = """# Notes
- a list
  ```json
  {"a":
     1}|
  ```
~~~py
x
~~~
"""


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_block_is_a_file_of_its_own_language(
    tmp_path: Path, entries: tuple[config.InputEntry, ...], eol: str
) -> None:
    place = at(NOTES.replace("\n", eol), tmp_path / "other.md", entries)
    block = only(place, InputKind.BLOCK)
    assert block.text == '{"a":\n   1}\n'.replace("\n", eol)
    assert (block.name, block.language_id) == ("other.json", "json")
    assert block.command is not None
    assert block.command.content("[]") == "[]"
    assert block.command.name == "other.json"
    after = block.document(place.text, '{"a":1\n}')
    assert after == place.text.replace('  {"a":\n     1}\n'.replace("\n", eol), '  {"a":1\n  }\n')


def test_a_block_without_a_command_of_its_own_is_tested_in_its_document(
    tmp_path: Path, entries: tuple[config.InputEntry, ...]
) -> None:
    place = at("# x\n```py\na|\n```\n", tmp_path / "notes.md", entries)
    block = only(place, InputKind.BLOCK)
    assert block.command is not None
    assert block.command.content("b") == "# x\n```py\nb\n```\n"
    assert only(place, InputKind.DOCUMENT).command is not None


def test_half_a_rule_is_no_reason_to_run_pytest_instead(tmp_path: Path) -> None:
    table = {"files": "*.py", "command": "true", "level": "line"}
    entries, _ = config.load_settings([table], tmp_path)
    found, declined = find(at("def test_a():\n    f('b|')", tmp_path / "test_a.py", entries))
    assert [target.command for target in found] == [None]
    assert declined == "The configuration of test_a.py is wrong in 'level'; mend it first."


def test_an_f_string_is_declined_with_the_reason(tmp_path: Path) -> None:
    found, declined = find(at("def test_a():\n    f'{b}|'", tmp_path / "test_a.py"))
    assert [target.kind for target in found] == [InputKind.DOCUMENT]
    assert "f-string" in declined


def test_a_string_that_no_test_sees_is_no_failing_input(tmp_path: Path) -> None:
    found, declined = find(at("x = 'a|'", tmp_path / "a.py"))
    assert ([target.kind for target in found], declined) == ([InputKind.DOCUMENT], "")


def test_of_several_tests_the_one_that_failed_last_is_run(tmp_path: Path) -> None:
    code = "X = 'x|'\n" + "".join(f"def test_{name}(): X\n" for name in "abc")
    file = tmp_path / "sub" / "test_it.py"
    assert only(at(code, file), InputKind.LITERAL).shown == "pytest …::test_a"
    cache = tmp_path / "sub" / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    failed = {"test_it.py::test_c": True, "test_it.py::test_b[1]": True, "other.py::test_a": True}
    (cache / "lastfailed").write_text(json.dumps(failed))
    assert only(at(code, file), InputKind.LITERAL).shown == "pytest …::test_b"
    (cache / "lastfailed").write_text("no JSON")
    assert only(at(code, file), InputKind.LITERAL).shown == "pytest …::test_a"


def test_a_command_for_the_file_comes_before_pytest(tmp_path: Path) -> None:
    entry = {"files": ["*.py"], "command": ["true", "{file}"], "language": "json"}
    entries = config.load_settings([entry], tmp_path)[0]
    literal = only(at("x = b'a|'", tmp_path / "a.py", entries), InputKind.LITERAL)
    assert (literal.shown, literal.language) == ("true {file}", "json")
    assert literal.command is not None
    assert literal.command.content("b\n") == "x = b'b\\n'"


REDUCED = [
    ("def test_it():\n    assert b'<' not in |rb'''\n<'''\n", "rb'''<'''"),
    (
        "import pytest\nX = |'a<'\n@pytest.fixture\ndef it():\n    return X.strip()\n"
        "def test_it(it):\n    assert '<' not in it\n",
        "'<'",
    ),
    (
        "import pytest\n"
        "@pytest.mark.parametrize('n, x', [(1, 'a<'), (2, |'a' '<'), (3, 'a<')])\n"
        "def test_it(n, x):\n    assert n != 2 or '<' not in x\n",
        "'<'",
    ),
]


@pytest.mark.e2e
@pytest.mark.parametrize(("code", "after"), REDUCED)
def test_literals_are_reduced_by_their_test(
    tmp_path: Path, code: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    place = at(code, tmp_path / "test_it.py")
    place.file.write_text(place.text)
    literal = only(place, InputKind.LITERAL)
    assert literal.command is not None
    options = JobOptions("plain", passes=("ddmin",))
    reduced = reduce(literal.text, replace(literal.command, repeat=1), options)
    assert literal.written(reduced.reduction.text) == after
    assert [path.name for path in tmp_path.iterdir()] == ["test_it.py"]
