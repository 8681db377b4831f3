"""The command `boildown.debug`: a launch configuration that stops at the first suspect."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boildown.files import FileError, read_text, write_text
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands.common import Answer, Refused
from boildown.lsp.server import Located, Server
from boildown.lsp.shown import suspects

_PROGRAM = re.compile(r"(?P<type>python|node|pytest)(js)?[\d.]*(\.exe)?")
_WITH_VALUE = {"python": ("-X", "-W"), "node": ("-r", "--require", "--import", "--loader", "-C")}
"""Options of the interpreters whose next word is their value."""


async def debug(server: Server, at: DocumentArgument) -> Answer:
    """Answer with how a debugger runs the smallest input, and where it stops. Raises Refused."""
    located, mark = server.located.get(at.uri), suspects.first(server, at.uri)
    if located is None or mark is None:
        raise Refused("No suspect is known of this input. Ask why it fails first.")
    file, line = mark
    configuration = await asyncio.to_thread(_configuration, located)
    breakpoints = [{"uri": file, "line": line}]
    return {"state": "done", "configuration": configuration, "breakpoints": breakpoints}


def _configuration(located: Located) -> dict[str, Any]:
    command, name = located.command, located.command.input_path.name
    parts = {
        "{file}": _file(located),
        "{dir}": str(command.input_path.parent),
        "{original}": str(command.input_path),
        "{test}": command.test or "",
    }
    argv = [_filled(part, parts) for part in command.argv]
    started = launched(argv)
    if "program" in started:
        started["program"] = os.path.join(command.cwd, started["program"])
    return {
        "name": f"Boildown: the smallest input of {name}",
        "request": "launch",
        **started,
        "cwd": str(command.cwd),
        "env": dict(command.environment),
    }


def _file(located: Located) -> str:
    """Return a file that holds the smallest input: the user's own, or a new one. Raises Refused."""
    command = located.command
    path, content = command.input_path, command.content(located.text)
    try:
        if read_text(path) == content:
            return str(path)
    except FileError:
        pass
    if command.in_copy or command.folder or not command.names_file:
        # Another file would not be read, or has not the modules beside it that a test imports.
        raise Refused(f"{path.name} does not hold the smallest input on disk. Apply it, and save.")
    made = Path(tempfile.mkdtemp(prefix="boildown-")) / path.name
    write_text(made, content)
    return str(made)


def _filled(part: str, values: dict[str, str]) -> str:
    return re.sub("|".join(map(re.escape, values)), lambda found: values[found[0]], part)


def launched(argv: Sequence[str]) -> dict[str, Any]:
    """Return a command as debuggers of Python and Node take it. Raises Refused."""
    found = _PROGRAM.fullmatch(os.path.basename(argv[0]))
    program = shutil.which(argv[0]) or argv[0]
    kind = "" if found is None else found["type"]
    if kind == "pytest":
        return {"type": "debugpy", "module": "pytest", "args": list(argv[1:]), "justMyCode": False}
    rest, options = list(argv[1:]), list[str]()
    while kind and rest and rest[0].startswith("-") and rest[0] not in ("-c", "-e", "-m", "-"):
        taken = 2 if rest[0] in _WITH_VALUE[kind] else 1
        options, rest = [*options, *rest[:taken]], rest[taken:]
    if not rest or rest[0] in ("-c", "-e", "-") or (rest[0] == "-m") > (kind == "python"):
        kind = ""
    if kind == "node":
        started = {"runtimeExecutable": program, "runtimeArgs": options}
        return {"type": "node", **started, "program": rest[0], "args": rest[1:]}
    if kind == "python":
        what = {"program": rest[0]} if rest[0] != "-m" else {"module": rest[1]}
        args = rest[1:] if "program" in what else rest[2:]
        started = {"python": program, "pythonArgs": options}
        return {"type": "debugpy", **started, **what, "args": args, "justMyCode": False}
    raise Refused(f"A debugger can start programs of Python and Node, and none by `{argv[0]}`.")
