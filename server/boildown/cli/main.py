"""The command line: finds the command that is named, imports its module, and runs it."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module

from boildown.cli.printing import inert_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "reduce": ("reduce:add_reduce", "find the smallest input that still fails the same way"),
    "why": ("why:add_why", "rank the functions of the program in which the bug may be"),
    "check": ("check:add_check", "run the input alone: does it fail, and always the same way?"),
    "generalize": ("patterns:add_generalize", "find the pattern of all inputs that fail like it"),
    "explore": ("patterns:add_explore", "look for other failures, and for what a pattern misses"),
    "pattern sample": ("patterns:add_sample", "make inputs of a pattern"),
    "pattern match": ("laws:add_match", "say which inputs a law or a pattern explains"),
    "pattern verify": ("laws:add_verify", "check a fix on new inputs"),
    "jobs": ("unfinished:add_jobs", "list the jobs that were cut short, with their best texts"),
    "grammar check": ("grammars:add_check", "test a grammar of your own on examples"),
    "grammar tree": ("grammars:add_tree", "draw the derivation tree of a text"),
    "grammar list": ("grammars:add_list", "list the languages"),
    "demo": ("demo:add_demo", "reduce a shipped example"),
    "help": ("topics:add_help", "explain a topic, with examples"),
    "lsp": ("", "start the language server (--stdio, --tcp, --ws)"),
}
"""Each command with the function that adds its arguments, and its line of help.

The module of a function is imported only when its command is chosen: a list of commands must not
wait for grammars and passes.
"""

GROUPS = {
    "pattern": "sample inputs of a pattern, match files, verify a fix",
    "grammar": "check a grammar, draw a tree, list the languages",
}
"""The first word of commands that have two, with its line of help."""

NEEDS = {
    "understand a failure": ("reduce", "generalize", "explore", "check"),
    "go on with a result": ("pattern", "jobs"),
    "other kinds of input": ("grammar",),
    "learn": ("demo", "help"),
}
"""The commands that `--help` lists, by need, for one screen: an editor starts the server, and `why`
is for who has reduced an input before."""

EXIT_STATUSES = {
    0: "done, also when a limit ended it early",
    1: "the input does not reproduce the failure, or not every time",
    2: "wrong usage or configuration",
    3: "a result could not be written, or a defect of Boildown has cost a part of it",
    129: "stopped by SIGHUP, as its terminal was closed",
    130: "stopped by Ctrl-C",
    143: "stopped by SIGTERM",
}
"""Each exit status, with its meaning for all commands that do not say another one."""


def main(argv: Sequence[str]) -> int:
    """Run one command; return its exit status."""
    with inert_streams():
        return _run(argv)


def _run(argv: Sequence[str]) -> int:
    own, command = _split(argv)
    if not argv or (len(argv) == 1 and argv[0] in GROUPS):
        own = [*argv, "--help"]
    elif _is_input(own):
        own = ["reduce", *own]
    elif not own[0].startswith("-") and not _is_command(own):
        from boildown.cli.usage import no_command

        return _fail(no_command(argv, GROUPS, COMMANDS), 2)
    parser = command_parsers(set(own))[""]
    try:
        options, rest = parser.parse_known_args(own)
        options.command = command
        if rest and _are_inputs(rest, options):
            from pathlib import Path

            options.more, rest = [Path(word) for word in rest], []
        if rest or _is_without_input(options):
            from boildown.cli.usage import misplaced

            after = command if "--" in argv else None
            return _fail(misplaced(own, rest, after, options.parser), 2)
        status: int = options.run(options)
    except Exception as error:
        from boildown.cli.usage import refusal

        status = _fail(*(refusal(error) or _defect(error)))
    from boildown.cli.channels import lost

    if (why := lost()) is not None:
        return _fail(f"Standard output can't be written: {why.strerror}.", status or 3)
    return status


def _is_input(own: Sequence[str]) -> bool:
    """Say whether arguments begin with an input rather than a command: a reduction is meant."""
    if not own or own[0] == "-" or "::" in own[0]:
        return True
    return own[0] not in GROUPS and own[0] not in COMMANDS and os.path.exists(own[0])


def _is_command(own: Sequence[str]) -> bool:
    """Say whether arguments begin with a command, or ask for the help of a group."""
    if own[0] in GROUPS:
        return own[1] in ("-h", "--help") or " ".join(own[:2]) in COMMANDS
    return own[0] in COMMANDS


def _defect(error: Exception) -> tuple[str, int]:
    """Return the message and the exit status for an error that is a defect of Boildown's."""
    from boildown.jobs.defects import STATUS, in_words, reported

    return f"a defect of Boildown has ended it: {in_words(error)}. {reported('', error)}", STATUS


def _are_inputs(words: Sequence[str], options: argparse.Namespace) -> bool:
    """Say whether arguments are further files of an input that consists of several."""
    if not getattr(options, "of_folders", False) or options.file is None:
        return False
    import shutil

    # Without one, the first of them may be the program, and the -- before it forgotten.
    return all(map(os.path.isfile, (options.file, *words))) and bool(
        options.command or shutil.which(words[0]) is None
    )


def _is_without_input(options: argparse.Namespace) -> bool:
    """Say whether an input is wanted and not named; a command that runs tests has one itself."""
    if getattr(options, "file", "") is not None:
        return False
    from pathlib import Path

    from boildown.targets.failing_tests import selected_by

    return not options.of_tests or selected_by(options.command, Path.cwd()) is None


def command_parsers(words: set[str]) -> dict[str, argparse.ArgumentParser]:
    """Return the parser of all commands as "", and that of each command and group by its name.

    A command has its arguments if `words` hold its name.
    """
    parser = argparse.ArgumentParser(
        prog="boildown",
        usage="boildown [COMMAND] FILE [options] -- CMD ...",
        description=_listed(),
        formatter_class=_OneScreen,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print what is installed")
    parser.add_argument(
        "--print-completion",
        action=_Completion,
        metavar="SHELL",
        help="print completion for bash, zsh, tcsh or fish",
    )
    parsers = {"": parser}
    inner = {"": parser.add_subparsers(required=True, metavar="COMMAND", prog="boildown")}
    for name, text in GROUPS.items():
        parsers[name] = inner[""].add_parser(name, help=text, description=text, allow_abbrev=False)
        inner[name] = parsers[name].add_subparsers(required=True, metavar="COMMAND")
    for name, (place, text) in COMMANDS.items():
        group, _, verb = name.rpartition(" ")
        # Abbreviations would change their meaning with each new option.
        command = inner[group].add_parser(verb, help=text, description=text, allow_abbrev=False)
        command.set_defaults(run=lambda _options: 2, parser=command)
        parsers[name] = command
        if place and words.issuperset(name.split()):
            module, _, function = place.partition(":")
            getattr(import_module(f"boildown.cli.{module}"), function)(command)
    return parsers


def _listed() -> str:
    """Return what a first look needs: an example, and the commands by need."""
    lines = [
        "Boil a failing input down to the smallest one that still fails the same way:",
        "  boildown crash.json -- python -m mytool crash.json",
        "",
    ]
    for need, names in NEEDS.items():
        lines.append(f"{need}:")
        lines += [f"  {name:12}{GROUPS.get(name) or COMMANDS[name][1]}" for name in names]
    return "\n".join(lines)


class _OneScreen(argparse.RawDescriptionHelpFormatter):
    """Leaves out the list of commands, which the description has, by need."""

    def add_argument(self, action: argparse.Action) -> None:
        if not isinstance(action, argparse._SubParsersAction):
            super().add_argument(action)


class _Version(argparse.Action):
    """Prints what is installed; the packages' metadata is read only for it."""

    def __call__(self, parser: argparse.ArgumentParser, *_arguments: object) -> None:
        from boildown.cli.versions import installed

        print("\n".join(installed()))
        parser.exit()


class _Completion(argparse.Action):
    """Prints the code of shell completion, if the library for it is installed."""

    def __call__(
        self, parser: argparse.ArgumentParser, _namespace: object, shell: object, *_rest: object
    ) -> None:
        try:
            import shtab
        except ImportError:
            parser.exit(
                _fail(
                    "shell completion needs the extra 'completion':"
                    " run `python -m pip install 'boildown[completion]'`.",
                    2,
                )
            )
        if shell not in shtab.SUPPORTED_SHELLS:
            known = ", ".join(shtab.SUPPORTED_SHELLS)
            parser.error(f"there is no completion for {shell!r}; there is for {known}")
        from boildown.cli.shared import put_out

        put_out(
            shtab.complete(command_parsers(set(" ".join(COMMANDS).split()))[""], str(shell)) + "\n"
        )
        parser.exit()


def _split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Divide the arguments at the first `--`: Boildown's own, and the test command."""
    if "--" not in argv:
        return list(argv), []
    at = list(argv).index("--")
    return list(argv[:at]), list(argv[at + 1 :])


def _fail(message: str, status: int) -> int:
    print(f"boildown: {message}", file=sys.stderr)
    return status
