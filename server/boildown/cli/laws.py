"""The commands that take laws: `pattern match` and `pattern verify`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from boildown.cli.inputs import read_input
from boildown.cli.shared import (
    add_input,
    add_options,
    add_samples,
    chosen_command,
    job_options,
    put_json,
)
from boildown.cli.stopping import interruptible
from boildown.files import read_text
from boildown.jobs.events import headed, many
from boildown.jobs.matching import Matched, match, read_formula
from boildown.jobs.verify import Verified, verify
from boildown.jobs.work import JOB_OPTIONS

LAW = "a law such as '//price < 0', or a PATTERN.json; see docs/laws.md"
"""The help on the argument for the law."""


def add_match(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_match)
    parser.add_argument("law", metavar="LAW", help=LAW)
    parser.add_argument(
        "inputs", type=Path, metavar="FILE", nargs="+", help="the inputs that it may explain"
    )
    parser.add_argument(
        "--language",
        metavar="L",
        help="a language's name, or a grammar file (default: by each file's name, else its text)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.epilog = "Exit status: 0 if it explains all inputs, 1 if not, 2 for wrong usage."


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_verify)
    parser.add_argument("law", metavar="LAW", help=LAW)
    add_input(parser, of_tests=False)
    parser.usage = f"{parser.prog} LAW FILE [options] -- (CMD ... | MODULE:FUNCTION)"
    parser.epilog = (
        "FILE is an input on which the program failed: others are made from it. Exit status: 0 if"
        " the program passes for inputs of each law, 1 if not, 2 for wrong usage."
    )
    add_samples(parser.add_argument_group("which inputs"), 100, "how many for each law")
    add_options(parser, JOB_OPTIONS, ("max_runs", "fresh"))


def _verify(options: argparse.Namespace) -> int:
    formula = read_formula(options.law, read_text, options.language)
    text, chosen = read_input(options), chosen_command(options)
    limits = job_options(options, chosen)
    with interruptible() as interrupted:
        with interrupted.at_work():
            found = verify(
                formula,
                text,
                chosen.command,
                limits,
                options.count,
                options.seed,
                stopped=interrupted.is_set,
            )
        if options.json:
            laws = [asdict(each) | {"covered": each.covered} for each in found.laws]
            told = {"covered": found.covered, "finished": found.finished, "laws": laws}
            put_json({**headed("verification"), **told})
        else:
            print("\n".join(_attacked(found)))
    return interrupted.status or (0 if found.covered else 1)


def _attacked(found: Verified) -> Iterator[str]:
    """Yield the lines on a verification."""
    for each in found.laws:
        if not each.tried:
            yield f"{each.law}: no input was found for which it holds"
            continue
        failing = f"{len(each.failing)} of {many(each.tried, 'input')} still fail"
        none = f"{many(each.tried, 'input')}, none fails"
        yield f"{each.law}: {failing if each.failing else none}"
        if each.failing:
            shortest = each.failing[0]
            why = f": {shortest.failure}" if shortest.failure else ""
            yield f"  this input still fails: {shortest.text!r}{why}"
    covered = sum(each.covered for each in found.laws)
    stopped = "" if found.finished else "; stopped early"
    yield f"It covers {covered} of {many(len(found.laws), 'law')}{stopped}."


def _match(options: argparse.Namespace) -> int:
    formula = read_formula(options.law, read_text, options.language)
    inputs = ((str(path), read_text(path)) for path in options.inputs)
    found = list(match(formula, inputs, options.language))
    explained = sum(each.explained for each in found)
    if options.json:
        listed = [
            {"file": each.name, "explained": each.explained, "valid": each.valid} for each in found
        ]
        stored = {**headed("matches"), "law": formula.typed, "explained": explained}
        put_json({**stored, "inputs": listed})
    else:
        print("\n".join(map(_line, found)))
        told = f"{formula.typed} explains {explained} of {many(len(found), 'input')}."
        print(told, file=sys.stderr)
    return 0 if explained == len(found) else 1


def _line(matched: Matched) -> str:
    if matched.explained:
        return f"{matched.name}: explained"
    why = "" if matched.valid else f", for it does not follow the grammar of {matched.language}"
    return f"{matched.name}: not explained{why}"
