"""The option `--version`: Boildown, its Python, and the packages of each extra."""

from __future__ import annotations

import platform
import re
import sys
from importlib import metadata

_OF_DEVELOPERS = ("dev", "docs")
"""The extras that are of use in a checkout alone."""


def installed() -> list[str]:
    """Return the lines of `boildown --version`: the first is `boildown VERSION`, for programs.

    An extra is complete if all distributions that it requires are installed, of whatever version.
    """
    own = metadata.distribution("boildown")
    lines = [f"boildown {own.version}", f"Python {platform.python_version()}, {sys.executable}"]
    lines.append(platform.platform())
    extras = [
        name for name in own.metadata.get_all("Provides-Extra", []) if name not in _OF_DEVELOPERS
    ]
    return lines + [_extra(name, _required(own.requires or [], name)) for name in extras]


def _required(requirements: list[str], extra: str) -> list[str]:
    """Return the names of the distributions that an extra asks for."""
    marked = re.compile(rf"([\w.-]+).*;.*\bextra == ['\"]{re.escape(extra)}['\"]")
    return [found[1] for each in requirements if (found := marked.match(each))]


def _extra(name: str, required: list[str]) -> str:
    """Return the line on an extra: the versions of its packages, or the command that adds them."""
    versions = {each: _version(each) for each in required}
    there = ", ".join(f"{each} {version}" for each, version in versions.items() if version)
    if missing := ", ".join(each for each, version in versions.items() if version is None):
        advice = f"missing: {missing} (python -m pip install 'boildown[{name}]')"
        there = f"{there}; {advice}" if there else advice
    return f"{name}: {there}"


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
