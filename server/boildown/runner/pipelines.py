"""Pipelines of a shell: the last program reads the output of a tool that reads the candidate.

As in `tool {file} | node` and `tool {file} > out.js && node out.js`. Where the last one fails on
the candidate itself, too, the tool has no part in the failure. Or the tool is a compiler and the
last program is what it makes, as in `gcc {file} && ./a.out`: where that reads what was never set,
it dies by chance.
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
_COMPILES = re.compile(r"(?:\S*/)?(?:gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?)(?:-[\d.]+)?(?=\s)")
_OUTPUT = re.compile(r"\s-o\s*\S+")
_CHECKED = "-O1 -c -o /dev/null -Winit-self" + "".join(
    f" -Werror={name}"
    for name in (
        "init-self",
        "uninitialized",
        "maybe-uninitialized",
        "return-type",
        "format",
        "implicit-int",
        "implicit-function-declaration",
        "int-conversion",
        "incompatible-pointer-types",
    )
)
_NAME = r"(?<![^\s=>'\"]){}(?![^\s'\"])"


def last_on_candidate(command: TestCommand) -> tuple[str, ...]:
    """Return the command that runs the last program of a pipeline on the candidate itself.

    Empty if the test command is no pipeline, or a rule of the user's or a good version judges.
    """
    parts = _parts(command)
    if len(parts) < 2:
        return ()
    argv, (*before, joint, last) = command.argv, parts
    if "{file}" not in (line := "".join(before)) or "{file}" in last or not last:
        return ()
    if joint == "|":
        return (*argv[:2], f"{last} < {{file}}")
    try:
        written = [word for word in shlex.split(last)[1:] if _names(word, line)]
    except ValueError:
        return ()
    if len(written) != 1:
        return ()
    return (*argv[:2], re.sub(_NAME.format(re.escape(written[0])), lambda _name: "{file}", last))


def compiler_on_candidate(command: TestCommand) -> tuple[str, ...]:
    """Return the command that has the compiler of a pipeline refuse programs that die by chance.

    Empty if no program of the pipeline compiles the candidate, to be run by one behind it, or the
    user wants all texts to be tried.
    """
    if command.keep_valid is False:
        return ()
    parts = _parts(command)
    for part in parts[:-1]:
        if (found := _COMPILES.match(part)) is not None and "{file}" in part:
            line = _OUTPUT.sub("", part[found.end() :])
            return (*command.argv[:2], f"{found[0]}{line} {_CHECKED}")
    return ()


def _parts(command: TestCommand) -> list[str]:
    """Split a pipeline into its programs and the joints between them; empty if it is none.

    Also if a rule of the user's or a good version judges.
    """
    argv = command.argv
    by_rule = command.good or command.interesting or command.reproduces is not None
    is_shell = len(argv) == 3 and os.path.basename(argv[0]) in _SHELLS and argv[1] == "-c"
    if by_rule or command.folder or not is_shell:
        return []
    bare = _QUOTED.sub(lambda found: "_" * len(found[0]), argv[2])
    if _MORE.search(bare):
        return []
    parts, begin = [], 0
    for joint in _JOINED.finditer(bare):
        parts += [argv[2][begin : joint.start()].strip(), joint[0]]
        begin = joint.end()
    return [*parts, argv[2][begin:].strip()]


def _names(word: str, line: str) -> bool:
    """Say whether a word looks like a file's name, and a part of a command line names that file."""
    return "." in word and re.search(_NAME.format(re.escape(word)), line) is not None
