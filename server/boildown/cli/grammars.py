"""The command `grammar`: tests a user's own grammar on examples."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from boildown.cli.shared import put_out
from boildown.jobs.events import headed
from boildown.jobs.grammar_check import check_grammar


def add_grammar(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_check)
    parser.add_argument("action", choices=("check",), help="check: does it parse, and reparse?")
    parser.add_argument(
        "grammar", type=Path, metavar="FILE", help="a .lark, .g4 or .json grammar, or its folder"
    )
    parser.add_argument(
        "examples", type=Path, nargs="*", metavar="EXAMPLE", help="texts that it must parse"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _check(options: argparse.Namespace) -> int:
    checked = check_grammar(options.grammar, options.examples)
    failed = any(each.is_error for each in checked.findings)
    if options.json:
        found = asdict(checked)
        for finding in found["findings"]:
            finding["path"] = str(finding["path"])
        put_out(json.dumps({**headed("grammar-check"), **found}) + "\n")
        return int(failed)
    for finding in checked.findings:
        print(finding)
    print(
        f"{checked.parsed} of {checked.examples} examples parse, {checked.linear} of them in linear"
        f" time; {checked.reparsed} of {checked.samples} samples parse again"
    )
    if checked.left_recursive:
        print(f"left recursion: {', '.join(checked.left_recursive)}")
    return int(failed)
