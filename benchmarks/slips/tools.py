"""Slips on real tools: whether the result of a reduction still shows the bug that it began with.

    python -m benchmarks.slips.tools [--only NAME ...] [--check] [--report]

A case is a file in `bugs`: an old release of a tool with a known bug, the command that a user would
type first, a file in which the bug's public trigger stands among what is ordinary, and a judge: a
shell script that says by a fixed release, by another program or by the message whether a text shows
this bug. Boildown does not see the judge. `--check` asks it about the original, the smallest input
that is known and a near miss. The cases are frozen: nothing may be tuned to them.

Outcomes are kept one by one below the benchmarks' environments; SLIPS_TOOLS.md is written of them
and of `tools_before.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import tomlkit
from benchmarks.bugs import ENVIRONMENTS
from benchmarks.first_tries.__main__ import set_up
from benchmarks.first_tries.inputs import filled
from benchmarks.markdown import paragraphs, table
from benchmarks.processes import run

HERE = Path(__file__).resolve().parent
KINDS = ("rejection", "one status", "scratch files", "other")
_RECORD = ENVIRONMENTS / "slips_tools.json"
_BEFORE = HERE / "tools_before.json"
_LINES = re.compile(r"^@@@ (\S+)(?: (\d+) (\d+))?$", re.M)
_MOST_SECONDS = 1800
_SHOWN = 200
"""Characters of a result that are kept."""
_ORDINARY = {"command", "text", "time", "long-run", "cold-runs", "record", "resumed", "ended-early",
             "written", "strict-level", "keeps-valid", "last-program"}  # fmt: skip
"""The codes of notes that are no doubt about the failure."""


@dataclass(frozen=True, slots=True)
class Case:
    """A known bug of a tool, and a file that shows it."""

    name: str
    kind: str
    tool: str
    """The tool and its release."""
    bug: str
    """What is wrong, and where it was reported."""
    file: str
    """The name of the input."""
    typed: str
    """The line for a shell that a user would type first."""
    input: str
    """A line `@@ NAME COUNT` stands for ordinary blocks of that kind, a line `@@@ PATH` or
    `@@@ PATH FIRST LAST` for a file that is installed with the tool, or for those lines of it."""
    smallest: str
    """The smallest input known by hand that shows the bug."""
    near: str
    """A text that fails as the original to the eye of the first command, or nearly, by another bug
    or by none."""
    judge: str
    """A script for sh, in a folder with the text. Its exit status is 0 if the text shows the bug;
    $fixed is the folder of the programs of `fixed_pip` and `fixed_npm`."""
    pip: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    deb: tuple[str, ...] = ()
    """Debian packages, with their versions, that are unpacked into a folder of their own."""
    fixed_pip: tuple[str, ...] = ()
    fixed_npm: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """Programs of the machine."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Further files of the user, by name; those that begin with #! are programs."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the reduction of a case came to."""

    name: str
    before: int = 0
    """Bytes."""
    after: int = 0
    runs: int = 0
    same: bool = False
    """Whether the judge sees the bug of the original in the result."""
    doubts: str = ""
    """The codes of the notes that name a doubt."""
    text: str = ""
    """The beginning of the result."""
    problem: str = ""
    """Why there is no result."""

    @property
    def slipped(self) -> bool:
        """Whether there is a result, and it shows another bug or none."""
        return not self.same and not self.problem


def load(path: Path) -> Case:
    """Read a case."""
    values = tomlkit.parse(path.read_text("utf-8")).unwrap()
    lists = {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
    return Case(**{**values, **lists, "name": path.stem})


def cases() -> list[Case]:
    """Return all cases, kind by kind."""
    found = [load(path) for path in sorted((HERE / "bugs").glob("*.toml"))]
    return sorted(found, key=lambda case: KINDS.index(case.kind))


def missing(case: Case) -> list[str]:
    """Return the programs of the machine that a case needs and that are not there."""
    npm = ("npm", "node") if case.npm else ()
    deb = ("apt-get", "dpkg") if case.deb else ()
    return [name for name in (*case.needs, *npm, *deb) if shutil.which(name) is None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the programs of a case are, and its input."""

    case: Case
    home: Path
    variables: Mapping[str, str]
    text: str

    def lay(self, folder: Path, text: str) -> None:
        """Write the user's files and a text into a folder."""
        for name, content in {**self.case.files, self.case.file: text}.items():
            path = folder / name
            path.write_text(content, encoding="utf-8")
            path.chmod(0o755 if content.startswith("#!") else 0o644)

    def shows(self, text: str) -> bool:
        """Ask the judge whether a text shows the bug of the case."""
        with tempfile.TemporaryDirectory(prefix="slips-") as made:
            self.lay(Path(made), text)
            status, _, _ = run(["sh", "-c", self.case.judge], Path(made), self.variables, 120)
        return status == 0


def place(case: Case) -> Place:
    """Install the programs of a case, unless they are, and make its input."""
    home = ENVIRONMENTS / "slips_tools" / case.name
    programs = set_up(home, case.pip, case.npm)
    fixed = set_up(home / "fixed", case.fixed_pip, case.fixed_npm)
    if case.deb:
        programs.append(_unpacked(home / "deb", case.deb))
    own = Path(sys.executable).parent
    variables = {
        **os.environ,
        "PATH": os.pathsep.join(map(str, [*programs, own, os.environ["PATH"]])),
        "NODE_PATH": str(home / "node_modules"),
        "fixed": str(fixed[0] if fixed else ""),
    }
    return Place(case, home, variables, made_input(case.input, home))


def _unpacked(folder: Path, packages: Sequence[str]) -> Path:
    """Unpack Debian packages below a folder, unless they are; return where their programs are."""
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="slips-") as made:
            subprocess.run(
                ["apt-get", "-qq", "download", *packages],
                cwd=made,
                check=True,
                stderr=subprocess.DEVNULL,
            )
            for archive in Path(made).glob("*.deb"):
                subprocess.run(["dpkg", "-x", str(archive), str(folder)], check=True)
    return folder / "usr/bin"


def made_input(template: str, home: Path) -> str:
    """Return an input with ordinary blocks, and lines of files below a home, in their places."""

    def lines(marker: re.Match[str]) -> str:
        roots = [*home.glob("python/lib/python3*/site-packages"), home / "node_modules", home]
        path = next(each / marker[1] for each in roots if (each / marker[1]).exists())
        taken = path.read_text("utf-8").splitlines()
        return "\n".join(taken[int(marker[2]) - 1 : int(marker[3])] if marker[2] else taken)

    return filled(_LINES.sub(lines, template))


def measure(case: Case) -> Outcome:
    """Reduce the input of a case by the command line, and have the result judged."""
    laid = place(case)
    before = len(laid.text.encode())
    with tempfile.TemporaryDirectory(prefix="slips-") as made:
        folder, output = Path(made, "project"), Path(made, "result")
        folder.mkdir()
        laid.lay(folder, laid.text)
        (folder / "pyproject.toml").touch()
        status, printed, error = run(
            ["sh", "-c", _measured(case, output)],
            folder,
            {**laid.variables, "XDG_CACHE_HOME": str(Path(made, "cache"))},
            _MOST_SECONDS,
        )
        if status or not output.exists():
            return Outcome(case.name, before, problem=_told(status, printed, error))
        text = output.read_text("utf-8")
    done = json.loads(printed)
    codes = {note["code"] for note in (*done["notes"], *done["doubts"])} - _ORDINARY
    return Outcome(
        case.name,
        before,
        len(text.encode()),
        done["runs"],
        laid.shows(text),
        ", ".join(sorted(codes)),
        text[:_SHOWN],
    )


def _measured(case: Case, output: Path) -> str:
    """Return the line as it is typed, with one run at a time, and its report as JSON."""
    words = f"boildown reduce {case.file}"
    return case.typed.replace(words, f"{words} --json --jobs 1 --output '{output}'", 1)


def _told(status: int, printed: str, error: str) -> str:
    """Return in one line why there is no result."""
    said = (error.strip() or printed.strip() or "nothing said").splitlines()
    refusal = next((line for line in said if line.startswith("boildown: ")), said[-1])
    return f"exit {status}: {refusal[:200]}"


def check(case: Case) -> bool:
    """Print what the judge says of the three texts that it must know; return if it is right."""
    laid = place(case)
    answers = [laid.shows(text) for text in (laid.text, case.smallest, case.near)]
    is_right = answers == [True, True, False]
    size = len(laid.text.encode())
    print(f"{case.name}: {'right' if is_right else 'WRONG'}, {size:,} bytes, {answers}", flush=True)
    return is_right


def totals(outcomes: Mapping[str, Outcome], of: int) -> str:
    """Return the sums as a sentence."""
    results = [each for each in outcomes.values() if not each.problem]
    slips = [each for each in results if each.slipped]
    silent = sum(not each.doubts for each in slips)
    return (
        f"{len(outcomes)} of {of} cases were measured. Slips without a named doubt: {silent}; with "
        f"one: {len(slips) - silent}. Same bug: {len(results) - len(slips)}; no result: "
        f"{len(outcomes) - len(results)}."
    )


_HEAD = ("case", "kind", "typed first", "bytes", "smallest known", "runs", "same bug",
         "doubt named")  # fmt: skip


def rows(known: Sequence[Case], outcomes: Mapping[str, Outcome]) -> list[tuple[object, ...]]:
    """Return a row of the table for each outcome."""
    found: list[tuple[object, ...]] = []
    for case in known:
        if (each := outcomes.get(case.name)) is None:
            continue
        best = len(case.smallest.encode())
        head = (case.name, case.kind, _code(case.typed))
        if each.problem:
            found.append((*head, f"{each.before:,}", best, None, "no result", _code(each.problem)))
            continue
        sizes = f"{each.before:,} → {each.after:,}"
        same = "yes" if each.same else "no"
        found.append((*head, sizes, best, f"{each.runs:,}", same, each.doubts or "no"))
    return found


def _code(line: str) -> str:
    return f"`{line.replace('|', chr(92) + '|')}`"


def report(
    known: Sequence[Case],
    before: Mapping[str, Outcome],
    now: Mapping[str, Outcome],
    left_out: Sequence[str] = (),
) -> str:
    """Return the outcomes as Markdown, beside those before runs were isolated and telling lines
    compared."""
    parts = [
        "# Slips on real tools",
        "Outcomes of `python -m benchmarks.slips.tools`: known bugs of old releases, reduced by "
        "the line that a user would type first, one run at a time. A judge that Boildown does not "
        "see says whether the result still shows the bug. “Doubt named” are the codes of the "
        "notes and doubts with the result.",
        *_shown(known, now),
        "\n".join(f"Left out: {sentence}" for sentence in left_out),
        "## Before",
        "The same with the version before runs were isolated by default and telling lines were "
        "compared (`slips/tools_before.json`), on a busy machine: what did not end in seven "
        "minutes is missing.",
        *_shown(known, before),
        "## The bugs",
        table(
            ("case", "tool", "bug", "judge"),
            [(case.name, case.tool, case.bug, _code(_judged(case))) for case in known],
        ),
    ]
    return paragraphs(parts) + "\n"


def _judged(case: Case) -> str:
    """Return by what the judge of a case decides, in a few words."""
    fixed = " ".join((*case.fixed_pip, *case.fixed_npm))
    return fixed or case.judge.strip().splitlines()[-1]


def _shown(known: Sequence[Case], outcomes: Mapping[str, Outcome]) -> list[str]:
    lacking = [case.name for case in known if case.name not in outcomes]
    if not outcomes:
        return ["Nothing was measured yet."]
    parts = [totals(outcomes, len(known)), table(_HEAD, rows(known, outcomes))]
    return [*parts, f"Not measured: {', '.join(lacking)}." if lacking else ""]


def _recorded(record: Path) -> dict[str, Outcome]:
    kept = json.loads(record.read_text()) if record.exists() else {}
    return {name: Outcome(**values) for name, values in kept.items()}


def main() -> int:
    """Measure or check the cases, print the table of all outcomes, and write it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.slips.tools")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="the cases to measure")
    parser.add_argument("--check", action="store_true", help="only ask the judges what they know")
    parser.add_argument("--report", action="store_true", help="only write the report again")
    parser.add_argument("--record-before", action="store_true", help=f"keep them in {_BEFORE.name}")
    options = parser.parse_args()
    known = cases()
    names = {case.name for case in known}
    if unknown := set(options.only or ()) - names:
        parser.error(f"no case {sorted(unknown)[0]!r}; there are {', '.join(sorted(names))}")
    record = _BEFORE if options.record_before else _RECORD
    left_out, is_right = [], True
    for case in known:
        if options.report or (options.only and case.name not in options.only):
            continue
        if lacking := missing(case):
            left_out.append(f"{case.name}, for {', '.join(lacking)} is not installed.")
        elif options.check:
            is_right &= check(case)
        else:
            outcome = measure(case)
            kept = {**_recorded(record), case.name: outcome}
            print(*rows([case], kept), file=sys.stderr, flush=True)
            stored = {name: asdict(each) for name, each in sorted(kept.items())}
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_text(json.dumps(stored, indent=1) + "\n")
    if not options.check:
        shown = report(known, _recorded(_BEFORE), _recorded(_RECORD), left_out)
        print(shown)
        (HERE.parent / "SLIPS_TOOLS.md").write_text(shown, encoding="utf-8")
    return int(not is_right)


if __name__ == "__main__":
    sys.exit(main())
