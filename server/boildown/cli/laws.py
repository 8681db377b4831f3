"""The commands that take laws: `match`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from boildown.cli.shared import put_out
from boildown.files import read_text
from boildown.jobs.events import headed
from boildown.jobs.inert import terminal
from boildown.jobs.matching import Matched, match, read_formula

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
        put_out(json.dumps({**stored, "inputs": listed}) + "\n")
    else:
        put_out("".join(f"{terminal(_line(each))}\n" for each in found))
        told = f"{formula.typed} explains {explained} of {_inputs(found)}."
        print(terminal(told), file=sys.stderr)
    return 0 if explained == len(found) else 1


def _inputs(found: Sequence[object]) -> str:
    return f"{len(found)} input" if len(found) == 1 else f"{len(found)} inputs"


def _line(matched: Matched) -> str:
    if matched.explained:
        return f"{matched.name}: explained"
    why = "" if matched.valid else f", for it does not follow the grammar of {matched.language}"
    return f"{matched.name}: not explained{why}"
