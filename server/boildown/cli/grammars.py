"""The commands that deal in grammars: `check` tests one, `tree` draws a text, `list` names all."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from boildown.cli.shared import add_options, put_json, put_out
from boildown.config import configured_languages, named_language
from boildown.files import read_text
from boildown.jobs.events import headed
from boildown.jobs.grammar_check import check_grammar
from boildown.jobs.understand import PICTURES, listed, understand
from boildown.jobs.work import JOB_OPTIONS


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_check)
    parser.add_argument(
        "grammar", type=Path, metavar="FILE", help="a .lark, .g4 or .json grammar, or its folder"
    )
    parser.add_argument(
        "examples", type=Path, nargs="*", metavar="EXAMPLE", help="texts that it must parse"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_tree(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_tree)
    parser.add_argument("file", type=Path, metavar="FILE", help="the text")
    add_options(parser, {"language": JOB_OPTIONS["language"]})
    parser.add_argument(
        "--as",
        dest="form",
        choices=PICTURES,
        default="text",
        help="the form of the tree (default: %(default)s)",
    )


def add_list(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_list)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _check(options: argparse.Namespace) -> int:
    checked = check_grammar(options.grammar, options.examples)
    failed = any(each.is_error for each in checked.findings)
    if options.json:
        found = asdict(checked)
        for finding in found["findings"]:
            finding["path"] = str(finding["path"])
        put_json({**headed("grammar-check"), **found})
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


def _tree(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    language = named_language(options.language, options.file)
    understood = understand(text, options.file.name, language)
    for note in understood.notes:
        print(f"note: {note}", file=sys.stderr)
    put_out(f"{understood.picture(options.form)}\n")
    return 0


def _list(options: argparse.Namespace) -> int:
    languages = listed(configured_languages(Path.cwd()))
    if options.json:
        put_json(languages)
        return 0
    width = max(len(each["name"]) for each in languages)
    for each in languages:
        state = f"  (first {each['install']})" if each["install"] else ""
        print(f"{each['name']:{width}}  {each['source']:12}  {' '.join(each['files'])}{state}")
    return 0
