"""Globs as in `.gitignore`: which files an entry of the configuration is for."""

from __future__ import annotations

import re
from pathlib import Path


def glob_matches(glob: str, file: Path, base: Path) -> bool:
    """Say whether a file below `base` matches: `*` and `?` within a name, `**` for any folders."""
    try:
        parts = file.relative_to(base).as_posix()
    except ValueError:
        return False
    if "/" not in glob:
        glob = "**/" + glob
    # Imported here: a server that does nothing yet loads no grammar.
    from boildown.grammar.parsing.linear import SlowPattern, compiled

    # A pattern such as `*a*a*a*` is ambiguous, and anybody may have written it.
    try:
        return compiled(_glob_pattern(glob.removeprefix("./"))).fullmatch(parts) is not None
    except (re.error, SlowPattern):
        return False


def _glob_pattern(glob: str) -> str:
    pattern = ""
    for part in re.split(r"(\*\*/|\*\*|\*|\?|\[[^]/]+\])", glob):
        match part:
            case "**/":
                pattern += "(?:.*/)?"
            case "**":
                pattern += ".*"
            case "*":
                pattern += "[^/]*"
            case "?":
                pattern += "[^/]"
            case _ if len(part) > 2 and part.startswith("["):
                # Escaped, for some pairs of characters may mean more in a set one day.
                among = re.sub(r"(?:\\-)+", "-", re.escape(part[1:-1].removeprefix("!")))
                pattern += f"[{'^' if part[1] == '!' else ''}{among}]"
            case _:
                pattern += re.escape(part)
    return pattern
