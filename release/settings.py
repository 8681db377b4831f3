"""Writes what the extension says of `boildown.inputs` into its `package.json`, from the table.

python -m release.settings
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from boildown.runner.command import ISOLATIONS, OPTIONS, Compare, Level

PACKAGE = Path(__file__).parents[1] / "vscode-extension" / "package.json"

_TEXTS = {"type": ["string", "array"], "items": {"type": "string"}}
_ABOVE_0 = {"type": "number", "exclusiveMinimum": 0}
_STATUSES = {"type": ["integer", "array"], "items": {"type": "integer"}}
_WHOLE = {"type": "integer", "minimum": 1}
_RULE = {
    "type": ["object", "array", "string"],
    "additionalProperties": False,
    "properties": {
        "exit": _STATUSES,
        "stdout": {"type": "string"},
        "stderr": {"type": "string"},
        "timeout": {"type": "boolean"},
        "seconds": _ABOVE_0,
        "memory": _ABOVE_0,
    },
}
_KINDS: dict[str, dict[str, Any]] = {
    "bool": {"type": "boolean"},
    "bool | None": {"type": "boolean"},
    "float | None": _ABOVE_0,
    "int": _WHOLE,
    "int | None": _WHOLE,
    "megabytes": _WHOLE,
    "share": {"type": "number", "minimum": 0.5, "maximum": 1},
    "str | None": {"type": "string"},
    "tuple[str, ...]": _TEXTS,
    "command": _TEXTS,
    "passes": _TEXTS,
    "Mapping[str, str]": {"type": "object", "additionalProperties": {"type": "string"}},
    "Rule | None": _RULE,
    "Level": {"type": "string", "enum": [each.value for each in Level]},
    "Compare": {"type": "string", "enum": [each.value for each in Compare]},
    "Isolation": {"type": "string", "pattern": rf"^({'|'.join(ISOLATIONS)})(:[^:]+)*$"},
}
"""The schema of a value by the kind of its option."""
_OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "files": (_TEXTS, "globs, relative to the workspace folder"),
    "command": (_TEXTS, "the command that fails; {file} stands for the candidate"),
    "python": (
        {"type": "string"},
        "a predicate instead of a command, as module:function: it takes the candidate, and raises,"
        " or returns whether it reproduces",
    ),
    "language": (
        {"type": "string"},
        "the language's name, or a grammar file (default: detected by the file name, then by the"
        " editor's language)",
    ),
    "cwd": ({"type": "string"}, "where the command runs (default: the workspace folder)"),
}
"""The keys that are no options."""


def properties() -> dict[str, dict[str, Any]]:
    """Return the schema of each key of an input."""
    rows = {name: (_KINDS[row.kind], row.help) for name, row in OPTIONS.items()}
    return {
        name: {**schema, "description": f"{told[0].upper()}{told[1:]}."}
        for name, (schema, told) in {**_OTHERS, **rows}.items()
    }


def written(package: str) -> str:
    """Return the text of the extension's `package.json` with the settings of today."""
    found = json.loads(package)
    settings = found["contributes"]["configuration"]["properties"]
    settings["boildown.inputs"]["items"]["properties"] = properties()
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PACKAGE.write_text(written(PACKAGE.read_text("utf-8")), "utf-8")
