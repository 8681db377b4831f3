"""Pipelines of a shell: the last program reads the output of a tool that reads the candidate.

As in `tool {file} | node` and `tool {file} > out.js && node out.js`. Where the last one fails on
the candidate itself, too, the tool has no part in the failure.
"""

from __future__ import annotations

import os
import re
import shlex

from boildown.runner.command import TestCommand

_SHELLS = frozenset({"sh", "bash", "dash", "ksh", "zsh"})
_QUOTED = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*\"""", re.DOTALL)
_MORE = re.compile(
    r"\$\(|`|\|\||(?<![>&])&(?![&>])|[()\n]|<<|<[^|;&]*$|(?:^|[|;&]\s*)(?:!|if|for|while|case)\s"
)
"""What makes more of a line than programs that run one after the other."""
_JOINED = re.compile(r"\||&&|;")
_NAME = r"(?<![^\s=>'\"]){}(?![^\s'\"])"


def last_on_candidate(command: TestCommand) -> tuple[str, ...]:
    """Return the command that runs the last program of a pipeline on the candidate itself.

    Empty if the test command is no pipeline, or a rule of the user's or a good version judges.
    """
    argv = command.argv
    by_rule = command.good or command.interesting or command.reproduces is not None
    is_shell = len(argv) == 3 and os.path.basename(argv[0]) in _SHELLS and argv[1] == "-c"
    if by_rule or command.folder or not is_shell:
        return ()
    bare = _QUOTED.sub(lambda found: "_" * len(found[0]), argv[2])
    joints = list(_JOINED.finditer(bare))
    if not joints or _MORE.search(bare):
        return ()
    before, last = argv[2][: joints[-1].start()], argv[2][joints[-1].end() :].strip()
    if "{file}" not in before or "{file}" in last or not last:
        return ()
    if joints[-1][0] == "|":
        return (*argv[:2], f"{last} < {{file}}")
    try:
        written = [word for word in shlex.split(last)[1:] if _names(word, before)]
    except ValueError:
        return ()
    if len(written) != 1:
        return ()
    return (*argv[:2], re.sub(_NAME.format(re.escape(written[0])), lambda _name: "{file}", last))


def _names(word: str, line: str) -> bool:
    """Say whether a word looks like a file's name, and a part of a command line names that file."""
    return "." in word and re.search(_NAME.format(re.escape(word)), line) is not None
