"""Failing inputs that are parts of a document: literals in tests and blocks in Markdown."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lsprotocol import types

from lsp.editor import REDUCE, editor
from lsp.projects import configure

CODE = "def test_it():\n    text = 'a' '<'\n    assert '<' not in text\n\n\nOTHER = f'{1}', 'b'\n"


def cursor(line: int, character: int) -> types.Range:
    position = types.Position(line, character)
    return types.Range(position, position)


@pytest.mark.e2e
@pytest.mark.slow
async def test_a_string_is_reduced_by_the_test_around_it(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "test_it.py", CODE, "python")
        (action,) = (await user.actions(uri, cursor(1, 13), [REDUCE])).values()
        assert action.title == "Boildown: reduce this string with pytest …::test_it"
        end = await user.follow(action)
        assert end["text"] == "<"
        assert user.text(uri) == CODE.replace("'a' '<'", "'<'")
        assert "Reduced: 2 → 1 byte, 50.0% smaller, in " in await user.hover(uri, 1, 13)
        assert await user.hover(uri, 0, 0) == ""


async def test_a_string_that_no_test_sees_has_no_action(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "test_it.py", CODE, "python")
        assert await user.actions(uri, cursor(5, 17)) == {}
        assert set(await user.actions(uri, cursor(0, 3))) == {
            "Boildown: reduce the input of test_it",
            "Boildown: minimal reproduction of test_it",
        }


async def test_an_f_string_without_text_has_a_disabled_action_that_says_why(tmp_path: Path) -> None:
    code = "def test_it():\n    text = f'{1}'\n    assert '1' not in text\n"
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "test_it.py", code, "python")
        (action,) = (await user.actions(uri, cursor(1, 13))).values()
        assert action.disabled is not None
        assert "f-string" in action.disabled.reason
        end = await user.reduce(
            uri,
            range={"start": {"line": 1, "character": 13}} | {"end": {"line": 1, "character": 13}},
        )
        assert end["state"] == "refused"
        assert "f-string" in end["message"]


async def test_a_code_block_is_reduced_where_it_stands(tmp_path: Path) -> None:
    configure(tmp_path, files="*.json")
    text = '# Crash\n\n```json\n{"a": "x"}\n```\n'
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.md", text, "markdown")
        assert await user.actions(uri, cursor(0, 0)) == {}
        (action,) = (await user.actions(uri, cursor(3, 2), [REDUCE])).values()
        assert action.title.startswith("Boildown: reduce this code block with ")
        end = await user.follow(action)
        assert end["text"] == '"x"'
        assert user.text(uri) == '# Crash\n\n```json\n"x"\n```\n'


JAVASCRIPT = """\
const { total } = require('./total.js');

test('fine', () => { total('a=1'); });
test('none (yet)', () => {
  total(`amber=3
cedar`);
});
"""
GO = """\
package receipts

import (
	"strings"
	"testing"
)

func TestTotal(t *testing.T) {
	for _, line := range strings.Fields(`amber=3
cedar`) {
		_ = strings.Split(line, "=")[1]
	}
}
"""
TESTS = {
    "node": (
        "total.test.js",
        "const { test } = require('node:test');\n" + JAVASCRIPT,
        5,
        "javascript",
    ),
    "jest": ("total.test.js", JAVASCRIPT, 4, "javascript"),
    "go": ("total_test.go", GO, 8, "go"),
}


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.parametrize("runner", TESTS)
async def test_a_string_in_a_test_of_another_language_is_reduced(
    tmp_path: Path, runner: str
) -> None:
    program = shutil.which(runner)
    if program is None:
        pytest.skip(f"{runner} is not installed; as root: apt install nodejs jest golang-go")
    (tmp_path / "total.js").write_text(
        "exports.total = (text) =>\n"
        "  text.match(/.+/g)?.map((line) => line.split('=')[1].trim());\n"
    )
    (tmp_path / "package.json").write_text('{"devDependencies": {"jest": "*"}}')
    (tmp_path / "go.mod").write_text("module example.test/receipts\n\ngo 1.18\n")
    (tmp_path / "node_modules" / ".bin").mkdir(parents=True)
    (tmp_path / "node_modules" / ".bin" / "jest").symlink_to(program)
    name, code, line, language = TESTS[runner]
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / name, code, language)
        place = cursor(line, code.splitlines()[line].index("amber"))
        (action,) = (await user.actions(uri, place, [REDUCE])).values()
        assert action.title.startswith("Boildown: reduce this string with ")
        end = await user.follow(action)
        assert end["state"] == "done", end["message"]
        assert len(end["text"]) == 1
        assert user.text(uri) == code.replace("amber=3\ncedar", end["text"])


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
async def test_data_in_a_test_of_another_language_is_reduced(tmp_path: Path) -> None:
    data = "[{ sku: 'map', count: 4 }, { sku: 'pen', count: 0, tags: ['blue'] }]"
    code = (
        "const { test } = require('node:test');\n"
        "test('pays', () => {\n"
        f"  const lines = {data};\n"
        "  for (const line of lines) if (line.count === 0) throw new RangeError('none');\n"
        "});\n"
    )
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "pays.test.js", code, "javascript")
        actions = await user.actions(uri, cursor(2, code.splitlines()[2].index("blue")), [REDUCE])
        action = next(each for title, each in actions.items() if "this data with" in title)
        end = await user.follow(action)
        assert end["state"] == "done", end["message"]
        assert user.text(uri) == code.replace(data, "[{count:0}]")


async def test_a_template_with_parts_has_a_disabled_action_that_says_why(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        code = "test('it', () => f(`a ${1} b`));\n"
        uri = user.write(tmp_path / "it.test.js", code, "javascript")
        (action,) = (await user.actions(uri, cursor(0, 21))).values()
        assert action.disabled is not None
        assert "template with parts" in action.disabled.reason
        assert await user.actions(uri, cursor(0, 7)) == {}
