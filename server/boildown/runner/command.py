"""The test command as a value, with placeholders where the path of a candidate goes.

A command is an argument list in which `{file}`, `{original}`, `{dir}` and `{test}` stand for what
each run fills in. A command that names none of them but `{original}` runs in the fresh directory,
with the candidate there under its name and on standard input, as scripts for C-Reduce expect it.
"""

from __future__ import annotations

import enum
import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from boildown.engine.flaky import CONFIDENCE
from boildown.runner.advice import Advice, Message
from boildown.runner.options import option, table
from boildown.runner.pytest_runs import (
    find_interpreter,
    pytest_position,
    python_of_script,
    unittest_position,
    without_cache,
)
from boildown.runner.rules import Rule, RuleError, parse_rule, rule_from_table
from boildown.runner.run import CannotRun, Obstacle
from boildown.runner.test_runners import runs_tests

__all__ = [
    "AUTO_REPEAT",
    "OPTIONS",
    "PLACEHOLDER",
    "PREDICATE",
    "Compare",
    "Isolation",
    "Level",
    "Role",
    "Rule",
    "RuleError",
    "TestCommand",
    "changed",
    "find_program",
    "from_argv",
    "from_predicate",
    "from_string",
    "isolation",
    "parse_rule",
    "rule_from_table",
    "with_id_as_it_is",
]

PREDICATE = re.compile(r"[\w.]+:[\w.]+")
"""Matches a function in Python that judges candidates, as `module:function`."""
PLACEHOLDER = re.compile(r"\{(file|original|dir|test)\}")
_ID_WITH_PLACEHOLDER = re.compile(rf"::[^\[]*\[.*{PLACEHOLDER.pattern}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Isolation:
    """How far a run is kept apart from other runs and from the user's files.

    `auto`: the candidate is in a fresh directory, and the command starts in the user's folder; in
    a copy of that if it runs tests. `none`: the same, whatever it writes there. `copy`: in a copy
    of the workspace, with the candidate in the input's place. `strict`: as `copy`, and a run may
    write only below its own directories and `writable`, where Linux can ensure that.
    """

    kind: Literal["auto", "none", "copy", "strict"] = "auto"
    writable: tuple[str, ...] = ()
    """Folders and files, relative to the command's directory, that a strict run may write, too."""


ISOLATIONS: tuple[Literal["auto", "none", "copy", "strict"], ...] = (
    *("auto", "none", "copy", "strict"),
)
"""The kinds of isolation, from what is chosen for a command to the strictest."""


def isolation(value: str) -> Isolation:
    """Read `auto`, `none`, `copy`, `strict` or `strict:PATH:PATH`. Raises ValueError."""
    name, *writable = value.split(":")
    for kind in ISOLATIONS:
        if name == kind and all(writable) and (not writable or kind == "strict"):
            return Isolation(kind, tuple(writable))
    raise ValueError(
        f"must be one of {', '.join(ISOLATIONS)}, or strict:PATH with what may be written, too"
    )


class Compare(enum.Enum):
    """The part of a run that is compared with the run of the good version."""

    STATUS = "status"
    """The good one must exit with 0 where the test command fails."""
    OUTPUT = "output"
    """Standard output and exit status must differ as they do on the original."""


class Level(enum.Enum):
    """How much of a failure's signature is compared; each level includes those before it."""

    EXIT = "exit"
    """The exit status or signal."""
    ERROR = "error"
    """The type of the error."""
    LOCATION = "location"
    """The line of the program at which it fails, by file, function and text, and the words of the
    message that are not the candidate's."""
    MESSAGE = "message"
    """The whole message with its values, without addresses, times and the like."""


class Role(enum.Enum):
    """The role of a command in a verdict: a candidate may be run by up to three, one by one."""

    QUICK = "quick"
    """It decides whether the candidate is worth a run of the test command."""
    TEST = "test"
    """The test command itself."""
    GOOD = "good"
    """Another version of the program, which is right: the test command is compared with it."""


_QUOTED = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*\"""", re.DOTALL)
"""The parts of a command line in which operators mean nothing to a shell."""
_FOR_A_SHELL = re.compile(r"\|\|?|&&?|;|[0-9]*[<>]+(?:&[0-9])?|\$\(|`|\$\{?[A-Za-z_]\w*\}?")
"""Operators, and parts that are replaced: words to a shell, and nothing to a program."""


SAME, INPUT, RUNS = "the same failure", "the input", "the runs"
"""The headings that the command line lists options under."""
AUTO_REPEAT = 3
"""Runs of the original, if nobody asks for others: more where their results differ."""
_SAME: dict[str, Any] = {"need": SAME, "judges": True}


@dataclass(frozen=True, slots=True)
class TestCommand:
    """The test command: how the program runs on a candidate, and how a run is judged.

    Of a further command, `good`, `quick` and `coverage` hold the arguments. Paths and globs start
    from `cwd`.
    """

    __test__ = False  # Keeps pytest from taking the class for a test.
    argv: tuple[str, ...]
    """Arguments with placeholders; the first is the program."""
    cwd: Path
    """The caller's directory: where relative paths in the command start from."""
    name: str
    """The file name that a candidate gets, such as `crash.json`."""
    original: Path | None = None
    """The input file itself, absolute."""
    good: tuple[str, ...] = option(
        (),
        "a version that passes: a command, git:REV, pip:SPEC, npm:SPEC",
        **_SAME,
        metavar="CMD",
        kind="command",
    )
    compare: Compare = option(
        Compare.STATUS,
        "with a good version: its exit status, or its output, which must differ as on the input",
        "status",
        **_SAME,
        metavar="WHAT",
    )
    reproduces: Rule | None = option(
        None,
        "what a run must show: exit=N, stdout=REGEX, stderr=REGEX, timeout, 'seconds>N' or"
        " 'memory>N'; repeatable",
        "the failure of the input",
        **_SAME,
        metavar="RULE",
    )
    interesting: bool = option(False, "exit status 0 means reproduced, as for C-Reduce", **_SAME)
    level: Level = option(
        Level.LOCATION,
        "how much must be the same: exit, error, location, message",
        "location",
        **_SAME,
        metavar="LEVEL",
    )
    timeout: float | None = option(
        None,
        "seconds a run may take, without waits for a processor",
        "ten times the first run",
        **_SAME,
        metavar="S",
    )
    invalid: Rule | None = option(None, "runs that say nothing, by the same rules", judges=True)
    quick: tuple[str, ...] = option(
        (),
        "a cheap command that runs first: where it does not exit with 0, the test command is not"
        " run, and the candidate counts as invalid",
        judges=True,
        kind="command",
    )
    coverage: tuple[str, ...] = option(
        (),
        "a command that prints, as lcov, the lines that were executed since the last time; `why`"
        " runs it after each run",
        kind="command",
        decides=False,
    )
    allow_empty: bool | None = option(
        None,
        "take the empty input for a result; or else the smallest that is not empty",
        "it is one where other inputs pass",
        need="",
        decides=False,
    )
    repeat: int = option(
        AUTO_REPEAT, "runs of the original before any other", "3, or more", decides=False
    )
    confidence: float = option(
        CONFIDENCE,
        "how sure to be of what is said of a flaky failure",
        "0.95",
        kind="share",
        decides=False,
    )
    keep_valid: bool | None = option(
        None,
        "try only inputs that are valid by another reader of the language",
        "where a program without --good rejects a valid input",
        need="",
    )
    keep: tuple[str, ...] = option(
        (), "a part that no candidate may lack; repeatable", need=INPUT, metavar="TEXT"
    )
    keep_names: bool = option(False, "leave names, strings and numbers as they are")
    passes: tuple[str, ...] = option(
        (),
        "the reduction passes in their order: names, FILE.py:FUNCTION from where the command runs"
        " for one of your own, or an entry point; your own alone come before the others",
        "the best known order",
        kind="passes",
    )
    isolate: Isolation = option(
        Isolation(),
        "copy: each run has a copy of the workspace; strict, strict:PATH: and writes only there;"
        " none: runs share the folder",
        "auto, copies for tests",
        need=RUNS,
        metavar="HOW",
    )
    cluster: str | None = option(
        None,
        "a Dask scheduler whose workers do the runs, or local",
        need=RUNS,
        metavar="ADDRESS",
    )
    ship: tuple[str, ...] = option(
        (),
        "globs of the files that the command needs on a cluster; hidden files, keys and what"
        " .gitignore names go only by their own names, without wildcards",
        need="",
        metavar="GLOB",
    )
    test: str | None = option(None, "a pytest id: instead of a command, or the value of {test}")
    environment: Mapping[str, str] = option(dict, "a table of variables")
    memory: int | None = option(
        None, "megabytes of a run with all its processes", "half of the machine's", kind="megabytes"
    )
    cpu: int | None = option(None, "seconds of processor time of each process of a run")
    warm: bool = option(
        True, "false: a predicate or pytest is not loaded ahead for all runs", decides=False
    )
    depends: tuple[str, ...] = option(
        (), "globs of files whose change makes earlier outcomes worthless", decides=False
    )
    notes: tuple[str, ...] = ()
    """Sentences for the user on how the command was understood."""
    workspace: Path | None = None
    """The folder that is copied for runs; None: found by repository and project files."""
    good_cwd: Path | None = None
    """Where the good version starts, if that is another folder; `runner.versions` sets it."""
    good_workspace: Path | None = None
    """The folder that a copy of the workspace is made of for the good version, if not its own."""
    good_environment: Mapping[str, str] | None = None
    """All variables of the good version, if they are others."""
    scratch: tuple[str, ...] = ()
    """Files that runs make, relative to the workspace: in a copy of it, each run begins without."""
    predicate: str | None = None
    """`module:function` if the command calls this in Python; see `from_predicate`."""
    content: Callable[[str], str] = str
    """Makes the content of the candidate's file from the input, which may be a part of a file."""
    code: bool = False
    """Whether the input is code of its file, such as a list, and no text that a literal holds."""
    folder: bool = False
    """Whether the input is a folder: its text is that of `boildown.folder_text`, and each run gets
    a folder of its own."""
    files: tuple[str, ...] = ()
    """Of a folder: the paths of its files, relative to it."""
    executable: tuple[str, ...] = ()
    """Of a folder: those of its files that may be executed."""
    observed: str = ""
    """The folder into which runs write the lines of Python that they execute, if they are to; see
    `runner.observation`."""

    @property
    def input_path(self) -> Path:
        """Where the input is, or would be if it were a file."""
        return self.original or self.cwd / self.name

    @property
    def names_file(self) -> bool:
        """Whether the command says where the candidate goes; if not, it runs where that is."""
        return self.in_copy or self.folder or _names_file(self.argv)

    @property
    def in_copy(self) -> bool:
        """Whether each worker has a copy of the workspace, with the candidate in its place.

        A command that names no file needs none to be strict: it runs in a fresh directory.
        """
        if self.folder or self.isolate.kind in ("auto", "none"):
            return False
        return self.isolate.kind == "copy" or _names_file(self.argv) or runs_tests(self.argv)

    @property
    def is_strict(self) -> bool:
        """Whether a run may write only below its own directories and writable paths."""
        return self.isolate.kind == "strict"

    @property
    def compares_output(self) -> bool:
        """Whether the output of the good version must differ, rather than its end."""
        return bool(self.good) and self.compare is Compare.OUTPUT

    @property
    def runs_pytest(self) -> bool:
        """Whether the command runs pytest, whose exit statuses mean more than failure."""
        return pytest_position(self.argv) is not None

    @property
    def preload(self) -> str | None:
        """The thing to load once for all warm runs: a predicate, "pytest", or nothing."""
        if not self.warm or not hasattr(os, "fork"):
            return None
        if self.predicate is not None:
            return self.predicate
        return "pytest" if pytest_position(self.argv) in (1, 3) else None

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles for which there is a command, in the order in which a candidate meets them."""
        has = {Role.QUICK: bool(self.quick), Role.TEST: True, Role.GOOD: bool(self.good)}
        return tuple(role for role in Role if has[role])

    def in_role(self, role: Role) -> TestCommand:
        """Return the command of a role: this one, or a further one on the same candidates."""
        if role is Role.TEST:
            return self
        argv = self.quick if role is Role.QUICK else self.good
        command = replace(self, argv=argv, predicate=None, warm=False, observed="")
        if role is Role.QUICK or self.good_cwd is None:
            return command
        environment = self.good_environment or self.environment
        return replace(command, cwd=self.good_cwd, environment=environment)

    @property
    def shown(self) -> str:
        """The command as one line for a person."""
        return shlex.join(self.argv)

    def typed(self, file: str) -> str:
        """Return the line to type into a shell that runs the command on a file."""
        line = shlex.join(part.replace("{file}", file) for part in self.argv)
        return line if self.names_file else f"{line} < {shlex.quote(file)}"


OPTIONS = table(TestCommand)
"""All that a user can say of a test command."""


def _names_file(argv: Sequence[str]) -> bool:
    return any(match[1] != "original" for part in argv for match in PLACEHOLDER.finditer(part))


def with_id_as_it_is(argv: Sequence[str], test: str | None = None) -> dict[str, Any]:
    """Return the fields `argv` and `test` of a command that runs tests.

    The id of a case may hold what reads as a placeholder, such as `{file}`, and is passed on as it
    is. `test` is that id where a word of the command is not known to be the whole of it.
    """
    for index, word in enumerate(argv):
        if _ID_WITH_PLACEHOLDER.search(word) is not None:
            argv, test = (*argv[:index], "{test}", *argv[index + 1 :]), test or word
            break
    return {"argv": tuple(argv), "test": test}


def from_argv(argv: Sequence[str], file: Path, cwd: Path, **options: Any) -> TestCommand:
    """Make a test command of an argument list, the command that fails today.

    `file` is the input, relative to `cwd` or absolute; with the option `folder` it is a folder.
    Where the command holds its path, this becomes `{file}`, and a note says so. `options` are the
    other fields of TestCommand; further commands may be given as strings. Raises CannotRun if there
    is no command.
    """
    cwd = Path(os.path.abspath(cwd))
    original = Path(os.path.abspath(cwd / file))
    if not argv or not argv[0]:
        raise CannotRun("There is no test command.", Obstacle.USAGE)
    kept = with_id_as_it_is(argv, options.get("test"))
    parts, options["test"] = kept["argv"], kept["test"]
    notes: list[str] = []
    further = {name: options.pop(name) for name in _FURTHER if name in options}
    if not any("{file}" in part for part in parts):
        # A program that is no part of the input, as in an environment below the folder, stays.
        of_folder = os.path.relpath(cwd / parts[0], original) in options.get("files", ())
        first = 1 if options.get("folder") and not of_folder else 0
        for index, part in enumerate(parts[first:], first):
            named, path = _with_placeholder(part, file, original, cwd, options.get("folder", False))
            if path is not None:
                notes.append(
                    f"'{path}' in the command is the input; each run gets a candidate there."
                )
                parts = (*parts[:index], named, *parts[index + 1 :])
    if options.get("folder"):
        return _in_folder(parts, cwd, original, notes, further, options)
    runs_unittest = unittest_position(parts) is not None
    if pytest_position(parts) is not None or runs_unittest:
        parts = without_cache(parts, cwd)
        if _is_auto(options):
            options["isolate"] = Isolation("copy")
            runner = "unittest" if runs_unittest else "pytest"
            notes.append(f"{runner} runs in a copy of the workspace, so that imports work.")
    elif _is_auto(options) and runs_tests(parts) and not _names_file(parts):
        options["isolate"] = Isolation("copy")
        notes.append("The tests run in a copy of the workspace, where the candidate is the input.")
    command = TestCommand(parts, cwd, original.name, original, **options)
    command = replace(command, notes=(*command.notes, *dict.fromkeys(notes)))
    command = command if command.names_file else _from_fresh_directory(command)
    return changed(command, file, **further)


def _is_auto(options: Mapping[str, Any]) -> bool:
    given: Isolation = options.get("isolate", Isolation())
    return given.kind == "auto"


def _in_folder(
    parts: tuple[str, ...],
    cwd: Path,
    original: Path,
    notes: Sequence[str],
    further: Mapping[str, str | Sequence[str]],
    options: Mapping[str, Any],
) -> TestCommand:
    """Make a test command of which each run gets a folder of its own. Raises CannotRun."""
    if not cwd.is_relative_to(original) and not _names_file(parts):
        message = (
            f"The command does not name the folder {original.name}, and would run on the original "
            "each time. Write {dir} where it goes, or start Boildown in that folder."
        )
        raise CannotRun(message, Obstacle.USAGE)
    if cwd.is_relative_to(original) and options.get("ship"):
        message = (
            "The command starts in the folder, where a cluster's workers have the candidate's files"
            " alone. Start Boildown elsewhere, and write {dir} where the folder goes."
        )
        raise CannotRun(message, Obstacle.USAGE)
    files: Sequence[str] = options.get("files", ())
    executable = tuple(path for path in files if os.access(original / path, os.X_OK))
    where = "where it starts" if cwd.is_relative_to(original) else "instead of {dir}"
    told = f"Each run gets a copy of the candidate's files, {where}."
    command = TestCommand(without_cache(parts, cwd), cwd, original.name, original, **options)
    told_all = (*command.notes, *dict.fromkeys(notes), told)
    command = replace(command, notes=told_all, executable=executable)
    return changed(command, original, **further)


_FURTHER = ("quick", "good", "coverage")
"""The fields of TestCommand that hold further commands."""
VERSION_KINDS = ("git:", "pip:", "npm:")
"""What a good version begins with that is a revision or a release, and no command."""


def changed(command: TestCommand, file: Path, **options: Any) -> TestCommand:
    """Return a command with other fields; further commands are read as the test command is.

    Raises CannotRun if they make no sense, or not together.
    """
    for name in _FURTHER:
        if given := options.get(name):
            argv = _divided(given, name) if isinstance(given, str) else given
            isolate = options.get("isolate", command.isolate)
            # The slash in `git:origin/main` makes no path of it; and coverage is of no candidate.
            is_version = name == "good" and argv[0].startswith(VERSION_KINDS)
            further = from_argv(argv, file, command.cwd, isolate=isolate)
            kept = is_version or name == "coverage"
            options[name] = tuple(argv) if kept else further.argv
    command = replace(command, **options)
    if command.compare is Compare.OUTPUT and command.interesting:
        both = " both say when the failure is there; keep one."
        message: Message = (
            Advice("compare", "output"),
            " and ",
            Advice("interesting", True),
            both,
        )
        raise CannotRun(message, Obstacle.USAGE)
    if command.compare is Compare.OUTPUT and not command.good:
        message = (
            Advice("compare", "output"),
            " compares with the version named by ",
            Advice("good"),
            ".",
        )
        raise CannotRun(message, Obstacle.USAGE)
    return command


def from_string(text: str, file: Path, cwd: Path, **options: Any) -> TestCommand:
    """Make a test command of one string, divided as a shell does it (no shell is started).

    Raises CannotRun where a shell would do more with it than divide it.
    """
    return from_argv(_divided(text), file, cwd, **options)


def _divided(text: str, option: str = "command") -> list[str]:
    """Divide a command line, the test command or that of an option, into words as a shell does it.

    Raises CannotRun where a shell would do more.
    """
    try:
        argv = shlex.split(text)
    except ValueError as error:
        raise CannotRun(
            f"The command {text!r} has an open quote ({error}).", Obstacle.USAGE
        ) from None
    if (meant := _FOR_A_SHELL.search(_QUOTED.sub("", text))) is not None:
        line = shlex.join(["sh", "-c", text])
        message: Message = (
            f"No shell is started, so the program would get '{meant[0]}' as it stands. For what a "
            "shell makes of it, type: ",
            Advice(option, line),
        )
        raise CannotRun(message, Obstacle.USAGE)
    return argv


def from_predicate(
    target: str, file: Path, cwd: Path, interpreter: Sequence[str] = (), **options: Any
) -> TestCommand:
    """Make a test command of a predicate in Python, `module:function`, found from `cwd`.

    It takes the text of the candidate, or its path (a Path if the parameter is annotated so, a
    string if it is not annotated and named path, file, filename or file_path). It fails by raising,
    or returns whether the candidate reproduces: a bool, or an Outcome or its name. `interpreter` is
    the Python to call it in; the project's if it is not given. Raises CannotRun if `target` is
    malformed.
    """
    if not PREDICATE.fullmatch(target):
        raise CannotRun(
            f"'{target}' is no predicate; name it as module:function, as in checks:fails.",
            Obstacle.USAGE,
        )
    interpreter = interpreter or find_interpreter(cwd)
    script = str(Path(__file__).with_name("guardian") / "predicate.py")
    options.setdefault("invalid", Rule(exit=frozenset({2})))
    return from_argv(
        [*interpreter, script, target, "{file}"], file, cwd, predicate=target, **options
    )


def _with_placeholder(
    part: str, file: Path, original: Path, cwd: Path, folder: bool
) -> tuple[str, str | None]:
    """Replace the input's path in one argument; return the argument and the path that it held.

    Of a folder, the path may go on to what is in it.
    """
    if part and _same_file(cwd / part, original):
        return "{file}", part
    spellings = {str(original), str(file), os.path.relpath(original, cwd)} - {".", ".."}
    after = r"(?!\w|\.\w|-)" if folder else r"(?![\w/\\-]|\.\w)"
    for spelling in sorted(spellings, key=len, reverse=True):
        pattern = rf"(?<![\w./\\-])(?:\./)?{re.escape(spelling)}{after}"
        named, count = re.subn(pattern, "{file}", part)
        if count:
            return named, spelling
    return part, None


def _same_file(path: Path, original: Path) -> bool:
    try:
        return os.path.abspath(path) == str(original) or path.samefile(original)
    except (OSError, ValueError):
        return False


def _from_fresh_directory(command: TestCommand) -> TestCommand:
    """Make the scripts that a command names by relative paths absolute: it runs elsewhere."""
    parts = list(command.argv)
    notes = []
    for index, part in enumerate(parts):
        if part == command.name or not _looks_like_script(part, command.cwd, first=index == 0):
            continue
        parts[index] = str(command.cwd / part)
        if index:
            notes.append(f"'{part}' in the command is {parts[index]}.")
    notes.append(
        "The command does not name the input, so each run gets a candidate on standard input and "
        f"as '{command.name}' in a directory of its own."
    )
    return replace(command, argv=tuple(parts), notes=(*command.notes, *notes))


def _looks_like_script(part: str, cwd: Path, first: bool) -> bool:
    """Say whether an argument is the relative path of a file, and not a word that is one too."""
    path = Path(part)
    if path.is_absolute() or part.startswith("-"):
        return False
    has_separator = os.sep in part or (os.altsep is not None and os.altsep in part)
    if first:
        return has_separator
    try:
        return os.path.isfile(cwd / path) and (has_separator or path.suffix != "")
    except (OSError, ValueError):
        return False


def find_loader(command: TestCommand) -> str | None:
    """Return the Python that is to load things ahead for the command; None if there is none.

    Of pytest's own script it is the one in its first line. Raises CannotRun.
    """
    program = find_program(command)
    if command.predicate is not None or pytest_position(command.argv) != 1:
        return program
    return python_of_script(Path(program))


def find_program(command: TestCommand) -> str:
    """Return the absolute path of the program, found as a shell finds it. Raises CannotRun."""
    name = command.argv[0]
    if name.startswith("{"):
        return name
    path = command.environment.get("PATH", os.environ.get("PATH", os.defpath))
    has_separator = os.path.dirname(name) != ""
    if has_separator:
        found = str(command.cwd / name)
        if os.path.relpath(found, command.input_path) in command.executable:
            # It comes with the candidate, and may be nowhere else on a cluster's worker.
            return found
        if not os.path.exists(found):
            told = _quoted(name) or f"The program '{_shortened(found)}' does not exist."
            raise CannotRun(told, Obstacle.NOT_FOUND)
        if os.path.isdir(found):
            raise CannotRun(
                f"'{found}' is a folder; name the program in it.", Obstacle.NOT_EXECUTABLE
            )
        if not os.access(found, os.X_OK):
            raise CannotRun(
                f"'{found}' may not be executed. Try: chmod +x {shlex.quote(found)}, or name its "
                "interpreter first (sh, python, ...).",
                Obstacle.NOT_EXECUTABLE,
            )
        return found
    places = [os.path.join(command.cwd, place) for place in path.split(os.pathsep) if place]
    found_on_path = shutil.which(name, path=os.pathsep.join(places))
    if found_on_path is None:
        hint = ""
        if os.path.isfile(command.cwd / name):
            hint = f" There is a file of this name in {command.cwd}; to run it, say ./{name}."
        missing = f"The program '{_shortened(name)}' was not found on PATH.{hint}"
        raise CannotRun(_quoted(name) or missing, Obstacle.NOT_FOUND)
    return found_on_path


_LONGEST_SHOWN = 60
"""Characters of the longest name of a program that a message repeats whole."""


def _quoted(name: str) -> str | None:
    """Return the sentence on a name that is a whole command line, if it is one."""
    if len(name.split()) < 2:
        return None
    return (
        "A command is a list of words; this one looks quoted as a whole:"
        f" '{_shortened(name)}'. Give each word by itself, or the line as one string."
    )


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}…"
