"""Reads the failing input of a command: a file, a folder, standard input, or that of a test."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from boildown.cli.shared import STANDARD, UsageError, refuse_globs
from boildown.files import read_piped, read_text


def read_input(options: argparse.Namespace) -> str:
    """Return the failing input: the text of its file, or standard input for `-`.

    That of a failing test is found. Raises FileError, UsageError and what running tests raises.
    """
    from boildown.cli.failing_test import find_input

    is_folder = options.more or (options.file is not None and os.path.isdir(options.file))
    if options.of_folders and is_folder:
        from boildown.cli.folders import take

        return take(options)
    if options.of_folders:
        refuse_globs(options)
    options.part = find_input(options)
    if options.part is not None:
        return str(options.part.text)
    if options.file != STANDARD:
        return read_text(options.file)
    if sys.stdin is None:
        raise UsageError("standard input is closed; name a file, or lead the input there.")
    options.file, options.is_piped = Path("stdin"), True
    return read_piped(sys.stdin.buffer)
