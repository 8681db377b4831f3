"""The command `help`: topics of their own, with examples."""

from __future__ import annotations

import argparse
import textwrap

from boildown.cli.main import COMMANDS, EXIT_STATUSES, GROUPS, command_parsers
from boildown.cli.shared import UsageError

TOPICS = {
    "first": (
        "a first reduction",
        """
        Take the command that fails today, and put Boildown and the input before it:

          boildown crash.json -- python -m mytool crash.json

        The path of the input in the command stands for the candidate of each run. The result is
        crash.reduced.json beside the input, which stays as it is. A candidate counts when the
        command ends with the same exit status and the same failure. If in doubt, look first:

          boildown check crash.json -- python -m mytool crash.json

        If the result fails in another way than the input did, compare more of the failure, with
        --level message, or say what must be there, with --reproduces stderr=REGEX.
        An input from standard input gives a result on standard output:

          boildown - -- python -m mytool < crash.json > small.json
        """,
    ),
    "hangs": (
        "a program that does not end",
        """
        Say that the hang is the failure, and how long a run may take. The shorter this is, the
        sooner the reduction ends; it must be longer than any run that ends by itself:

          boildown reduce slow.json --reproduces timeout --timeout 5 -- python -m mytool slow.json

        A program that is only slow needs a longer --timeout, and nothing else. The time in which a
        run waits for a processor does not count, up to four times as long: a busy machine makes no
        hang.
        """,
    ),
    "slow": (
        "a program that takes too long, or too much memory",
        """
        Say how much is too much, in quotes, for > means something to a shell. Processor time is
        counted, not the time on the clock, and both are those of all processes of a run:

          boildown reduce slow.json --reproduces 'seconds>2' -- python -m mytool slow.json
          boildown reduce large.json --reproduces 'memory>500' -- python -m mytool large.json

        Both vary from run to run, so a candidate must be beyond the limit by a tenth. A run that
        the time-out ends counts if it had used as much: --timeout 5 saves the rest of its time.
        Memory is in megabytes: that of the largest process, or of all together where more was
        seen in one of the looks, twenty a second.
        """,
    ),
    "versions": (
        "two versions of a program: regressions, and other output",
        """
        For a regression, name the version that is good: it must exit with 0 where yours fails.

          boildown reduce crash.json --good 'old-tool crash.json' -- new-tool crash.json

        Where neither fails and one of them is wrong, keep the difference. A candidate reproduces
        when standard output and exit status differ as they do on the input: one fails and the
        other does not, say, or both exit with 0 and print something else:

          boildown reduce crash.json --good 'old-tool crash.json' --compare output \\
              -- new-tool crash.json

        Output that changes from run to run differs always; a filter leaves it out, as in
        --good "sh -c 'old-tool {file} | grep -v time'", and the same for the test command.
        If runs are slow, a cheap check can come first. Where it does not exit with 0, the test
        command is not run, and the candidate counts as invalid. In a boildown.toml:

          quick = "gcc -fsyntax-only {file}"
        """,
    ),
    "flaky": (
        "a failure that comes and goes",
        """
        The original is run three times, or ten if it never fails, and the result three times.
        Where two runs on a text differ, the original is run 20 times, or 40 if it fails seldom, and
        the others as often as it takes to be 95 % sure of what is claimed; confidence = 0.99 in
        boildown.toml asks for more. A result that does not hold is taken back to the last step that
        does. Better is a command without chance: fixed seeds, no clock, no network, one thread. For
        a failure that is rarer, run the original more
        often, with repeat = 30 in boildown.toml, and look first:

          boildown check crash.json

        If only the message or the place changes, compare less of it, with --level error or
        --level exit.
        """,
    ),
    "folders": (
        "a project, or several files",
        """
        A folder is reduced as a whole: files go, and what is left of the others. The command as
        you type it runs in a copy of the folder, a fresh one each time:

          boildown reduce . -- python -m pytest tests/test_cart.py::test_total
          boildown reduce . -- make test

        Started elsewhere, the command names the folder; {dir} is where the copy is:

          boildown reduce project -- make -C {dir} test
          boildown reduce main.c util.h Makefile -- make

        Taken are the text files that Git does not ignore; boildown check . -- CMD lists them, and
        says what is left out: hidden and binary files, links, node_modules and the like.
        --include and --exclude take globs as .gitignore has them; what --include names is taken
        although it is hidden, ignored or binary, and nothing else is:

          boildown reduce . --include '*.py' --include .env --exclude docs/ -- python run.py

        The packages in node_modules are copied to where Node finds them.

        The result is a folder beside the original, project.reduced, and a page on how to run it,
        project.reduced.md; the original stays. --report writes all files in one page. In a
        boildown.toml, the entry with files = ["."] is for the folder that it is in.
        """,
    ),
    "fuzzing": (
        "a folder of crashes that a fuzzer has found",
        """
        Each file is an input of its own. All are run once and sorted by their failures, and the
        smallest input of each bug is reduced:

          boildown reduce crashes/ --each -- ./parse {file}
          boildown reduce out/ --each --report bugs.md --json -- ./parse @@

        {file}, or AFL's @@, is where the path of an input goes; a command with neither gets it on
        standard input. The folder may be AFL's (only what is in crashes/ is taken, without the
        README.txt), hold the crash-, leak-, oom- and timeout- files of libFuzzer or Atheris among
        others, or be any folder. --level says how much of two failures must be the same for one
        bug.

        The results go to crashes.reduced/, one file for each bug, or to the folder that --output
        names. --report writes a summary in Markdown; --json prints a line for each bug, and one for
        the folder. Started again after Ctrl-C or a kill, the same command goes on; inputs that came
        meanwhile are taken, too. --max-seconds and --max-runs are for all bugs together.
        Exit status 1 says that no input fails, or that a bug could not be reduced: its failure
        comes and goes, say. Hangs need --reproduces timeout.
        """,
    ),
    "pytest": (
        "a failing test of pytest or unittest, or a function",
        """
        Name the failing test in place of an input. It is run once, and its input is found:

          boildown tests/test_lock.py::test_lock
          boildown 'tests/test_lock.py::test_cases[case2]'
          boildown reduce -- python -m unittest tests.test_lock.Lock.test_lock

        That is the string literal that the failing line gets (in the test, in a fixture, in the
        values of parametrize, as standard input), the file that the test opens, or the example
        that Hypothesis has found. Where there are several, they are listed with the line to type:

          boildown reduce tests/test_lock.py::test_lock --literal 12:9
          boildown reduce tests/data/monday.json -- pytest tests/test_lock.py::test_lock

        So are the failing tests of a file. A reduced literal goes to standard output, or with
        --in-place into the test; a reduced file goes beside the file. To reduce the code of the
        tests themselves, name the file and the command:

          boildown reduce tests/test_lock.py -- pytest tests/test_lock.py

        A function that raises, or returns whether the candidate reproduces, is faster than a
        command, for it is loaded once for all runs:

          boildown reduce crash.json -- checks:fails
        """,
    ),
    "shell": (
        "a shell pipeline",
        """
        No shell is started unless you say so. For pipes, && and redirections, start one:

          boildown reduce crash.json -- sh -c 'mytool crash.json | grep -q oops'

        The exit status is that of the pipeline's last command. If 0 means that the failure is
        there, as for grep, say so:

          boildown reduce crash.json --interesting -- sh -c 'mytool crash.json | grep -q oops'
        """,
    ),
    "creduce": (
        "scripts for C-Reduce",
        """
        An interestingness test runs as it is. It finds the candidate under the input's name in
        its working directory, which is fresh for each run, and exits with 0 if it is interesting:

          boildown reduce crash.c --interesting -- ./interesting.sh
        """,
    ),
    "grammars": (
        "a grammar or a parser of your own",
        """
        A grammar file in the notation of Lark, ANTLR or the Fuzzing Book is a language. Test it on
        examples first; what is wrong is told with file, line and column:

          boildown grammar check notes.lark examples/one.notes examples/two.notes
          boildown reduce crash.notes --language notes.lark -- notes-tool crash.notes

        Examples that do not parse are errors, and so are random texts of the grammar that do not
        parse again. Texts with more than one tree, rules that derive themselves alone, and left
        recursion that the fast parser cannot do are warnings. Exit status 1 says that there are
        errors.

        Or take a package with a tree-sitter parser; boildown grammar list says what is missing:

          boildown reduce crash.lua --language tree-sitter-lua -- lua crash.lua
        """,
    ),
    "clusters": (
        "runs on other machines",
        """
        The workers of a Dask cluster can do the runs; --ship names the files that they need:

          boildown reduce crash.json --cluster tcp://host:8786 --ship 'src/**/*' \\
            -- python src/tool.py crash.json

        --cluster local starts one on this machine, to try it.
        """,
    ),
    "configuration": (
        "commands that need not be typed again",
        """
        A boildown.toml in the folder of the input or above it holds the command:

          [[input]]
          files = ["crashes/*.json"]
          command = ["python", "-m", "mytool", "{file}"]
          timeout = 5
          reproduces = "stderr=Traceback"

        Then the input is enough, here and in an editor:

          boildown reduce crashes/one.json
          boildown check crashes/one.json

        What is given besides on the command line goes before what is configured.
        """,
    ),
}
"""Each topic with its title and its text; that on passes is made when it is asked for."""


def add_help(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_help)
    parser.add_argument(
        "topic", nargs="*", metavar="TOPIC", help="one of those that help lists, or a command"
    )


def _help(options: argparse.Namespace) -> int:
    topic = " ".join(options.topic)
    if not topic:
        print("Topics, each by boildown help TOPIC:\n")
        for name, (title, _) in TOPICS.items():
            print(f"  {name:14} {title}")
        print(f"  {'passes':14} the names of the reduction passes")
        print(f"  {'exit':14} the exit statuses, for scripts")
        print("\nThe options of a command are listed by boildown COMMAND --help.")
    elif topic in TOPICS:
        print(textwrap.dedent(TOPICS[topic][1]).strip())
    elif topic == "passes":
        print(_passes())
    elif topic == "exit":
        print("\n".join(f"{status:<4} {text}" for status, text in EXIT_STATUSES.items()))
    elif topic in COMMANDS or topic in GROUPS:
        command_parsers(set(options.topic))[topic].print_help()
    else:
        known = ", ".join((*TOPICS, "passes", "exit"))
        raise UsageError(f"there is no help on '{topic}'; there is on {known}.")
    return 0


def _passes() -> str:
    """Return the text on passes."""
    # Only here, for it takes the engine.
    from boildown.jobs.reduce import DEFAULT_PASSES, PASS_NAMES

    def listed(names: tuple[str, ...]) -> str:
        return textwrap.fill(", ".join(names), 88, initial_indent="  ", subsequent_indent="  ")

    return (
        "The passes of the default order:\n\n"
        f"{listed(tuple(dict.fromkeys(DEFAULT_PASSES)))}\n\n"
        "The others, the published algorithms among them:\n\n"
        f"{listed(tuple(name for name in PASS_NAMES if name not in DEFAULT_PASSES))}\n\n"
        "To run some of them, in an order of your own, in a boildown.toml:\n\n"
        '  passes = ["ddmin", "hdd"]\n\n'
        "One of your own is a function that takes a text and yields others, in a file or behind an"
        "\nentry point of the group boildown.passes; it comes before the others:\n\n"
        '  passes = ["tools/shrink.py:drop_comments", "prune"]'
    )
