"""The commands `tree` and `languages`: the tree of a text, and the languages that there are."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from boildown.cli.shared import LANGUAGE, put_out
from boildown.config import configured_languages, named_language
from boildown.files import read_text
from boildown.jobs.understand import PICTURES, listed, understand


def add_tree(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_tree)
    parser.add_argument("file", type=Path, metavar="FILE", help="the text")
    parser.add_argument("--language", metavar="L", help=LANGUAGE)
    parser.add_argument(
        "--as",
        dest="form",
        choices=PICTURES,
        default="text",
        help="the form of the tree (default: %(default)s)",
    )


def add_languages(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_languages)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _tree(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    language = named_language(options.language, options.file)
    understood = understand(text, options.file.name, language)
    for note in understood.notes:
        print(f"note: {note}", file=sys.stderr)
    put_out(f"{understood.picture(options.form)}\n")
    return 0


def _languages(options: argparse.Namespace) -> int:
    languages = listed(configured_languages(Path.cwd()))
    if options.json:
        put_out(json.dumps(languages) + "\n")
        return 0
    width = max(len(each["name"]) for each in languages)
    for each in languages:
        state = f"  (needs {each['missing']}: {each['install']})" if each["missing"] else ""
        print(f"{each['name']:{width}}  {each['source']:12}  {' '.join(each['files'])}{state}")
    return 0
