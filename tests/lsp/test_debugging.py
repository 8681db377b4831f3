"""A launch configuration that runs the smallest input and stops at the first suspect."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from boildown.lsp.commands.common import Refused
from boildown.lsp.commands.debug import launched
from lsp.editor import editor

DEMO = Path(__file__).parents[2] / "server" / "boildown" / "demo"
TITLE = "Boildown: debug the smallest input"
INPUT = '{"orders":[{"express":true,"a":1}]}'
SMALLEST = '{"orders":[{"express":true}]}'


@pytest.mark.parametrize(
    ("argv", "wanted"),
    [
        (
            ["/p/python3.11", "-I", "-X", "dev", "tool.py", "-v", "a.json"],
            {"program": "tool.py", "pythonArgs": ["-I", "-X", "dev"], "args": ["-v", "a.json"]},
        ),
        (["/p/python", "-m", "tool", "x"], {"module": "tool", "pythonArgs": [], "args": ["x"]}),
        (["/p/pytest", "test_it.py::test_a"], {"module": "pytest", "args": ["test_it.py::test_a"]}),
        (
            ["/p/node", "--require", "a.js", "--test", "total.test.js"],
            {"program": "total.test.js", "runtimeArgs": ["--require", "a.js", "--test"]},
        ),
    ],
)
def test_a_command_of_python_or_node_is_told_as_debuggers_take_it(
    argv: list[str], wanted: dict[str, Any]
) -> None:
    found = launched(argv)
    assert found == {**found, **wanted}
    assert found["type"] == ("node" if "node" in argv[0] else "debugpy")


@pytest.mark.parametrize(
    "line",
    ["sh -c x", "./parse a", "python -c x a", "python", "python -", "node -e x", "node -m x"],
)
def test_a_command_that_no_debugger_starts_is_refused(line: str) -> None:
    with pytest.raises(Refused, match="A debugger can start programs of Python and Node, and none"):
        launched(line.split())


@pytest.mark.slow
async def test_the_smallest_input_is_debugged_from_its_first_suspect(tmp_path: Path) -> None:
    shutil.copy(DEMO / "receipts.py", tmp_path)
    (tmp_path / "boildown.toml").write_text(
        "[[input]]\nfiles = ['*.json']\n"
        f"command = ['{sys.executable}', '-B', 'receipts.py', '{{file}}']\n"
    )
    async with editor(tmp_path, {"jobs": 1, "applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.json", INPUT, "json")
        at = {"uri": uri}
        refused = await user.run("boildown.debug", at)
        assert refused["message"] == "No suspect is known of this input. Ask why it fails first."
        assert TITLE not in await user.actions(uri, only=["quickfix.boildown"])
        await user.run("boildown.why", {**at, "wait": True})
        action = (await user.actions(uri))[TITLE]
        assert action.command is not None
        found = await user.run(action.command.command, *(action.command.arguments or ()))
        source = (tmp_path / "receipts.py").as_uri()
        assert found["breakpoints"] == [{"uri": source, "line": 18}]
        configuration = found["configuration"]
        (smallest,) = configuration["args"]
        assert Path(smallest).name == "crash.json"
        assert Path(smallest).read_text() == SMALLEST
        assert (tmp_path / "crash.json").read_text() == INPUT
        assert configuration == {
            "name": "Boildown: the smallest input of crash.json",
            "request": "launch",
            "type": "debugpy",
            "python": sys.executable,
            "pythonArgs": ["-B"],
            "program": str(tmp_path / "receipts.py"),
            "args": [smallest],
            "justMyCode": False,
            "cwd": str(tmp_path),
            "env": {},
        }
        # Where the user's own file holds it, that is run.
        (tmp_path / "crash.json").write_text(SMALLEST)
        again = await user.run("boildown.debug", at)
        assert again["configuration"]["args"] == [str(tmp_path / "crash.json")]
        opened = user.open(source, (tmp_path / "receipts.py").read_text(), "python")
        document = types.TextDocumentIdentifier(opened)
        lenses = await user.client.text_document_code_lens_async(types.CodeLensParams(document))
        commands = [each.command for each in lenses or () if each.command]
        assert types.Command(TITLE, "boildown.debug", arguments=(at,)) in commands


@pytest.mark.slow
async def test_a_test_is_debugged_once_it_holds_the_smallest_input(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "shop.py").write_text(
        "def check(text):\n    for each in text:\n        if each == '<':\n"
        "            raise ValueError\n"
    )
    file = tmp_path / "test_it.py"
    code = "from shop import check\n\ndef test_a():\n    check('a<b')\n"
    async with editor(tmp_path, {"jobs": 1}) as user:
        uri = user.write(file, code, "python")
        place = {"start": {"line": 3, "character": 12}, "end": {"line": 3, "character": 12}}
        at = {"uri": uri, "range": place, "wait": True}
        await user.run("boildown.reduce", at)
        assert user.text(uri) == code.replace("a<b", "<")
        await user.run("boildown.why", at)
        refused = await user.run("boildown.debug", at)
        why = "test_it.py does not hold the smallest input on disk. Apply it, and save."
        assert refused == {"state": "refused", "message": why}
        file.write_text(user.text(uri))
        found = await user.run("boildown.debug", at)
        assert found["configuration"]["module"] == "pytest"
        assert found["configuration"]["args"][-1] == f"{file}::test_a"
        assert found["configuration"]["env"]["PYTHONPATH"]
