"""The metadata that a Python project's own file declares: the table `project` of pyproject.toml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

_LARGEST = 1_000_000
"""Characters of a project file that are read."""


def project_table(folder: Path, top: Path) -> dict[str, Any]:
    """Return the table `project` of the nearest file in a folder or above, up to `top`.

    It is empty where there is none, or where a file on the way can't be read.
    """
    for each in (folder, *folder.parents):
        try:
            with (each / "pyproject.toml").open(encoding="utf-8") as file:
                found = tomlkit.parse(file.read(_LARGEST)).unwrap().get("project")
        except FileNotFoundError:
            found = None
        except (OSError, UnicodeDecodeError, TOMLKitError, RecursionError):
            return {}
        if isinstance(found, dict):
            return found
        if each == top or not each.is_relative_to(top):
            break
    return {}
