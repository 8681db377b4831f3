"""Runs a pinned program on texts, in a process of its own: its packages are not Boildown's.

PYTHON program_runs.py FOLDER NAME    # a JSON string per line in, a JSON string or null out

An answer is what the program raised, as "type: message". FOLDER holds its packages. The imports are
inside the functions, for each process has one program. A text that takes a program too much memory
or time is one on which it raises MemoryError or TimeoutError.
"""

import json
import logging
import resource
import signal
import sys
import warnings

MEMORY = 2 * 1024**3
"""Bytes that a program may take."""
SECONDS = 5
"""Seconds that it may take for one text."""


def late(*_signal):
    raise TimeoutError


def toml():
    import toml

    return toml.loads


def dicttoxml():
    import dicttoxml

    return lambda text: dicttoxml.dicttoxml(json.loads(text))


def tablib():
    import tablib

    return lambda text: tablib.Dataset().load(text, format="csv")


def furl():
    import furl

    return furl.furl


def aniso8601():
    import aniso8601

    return aniso8601.parse_datetime


def iso8601():
    import iso8601

    return iso8601.parse_date


def html2text():
    import html2text

    return html2text.html2text


def configobj():
    import configobj

    return lambda text: configobj.ConfigObj(text.splitlines(), raise_errors=True)


def py_expression_eval():
    from py_expression_eval import Parser

    values = dict.fromkeys(("x", "y", "rate", "i", "l", "n", "tax"), 1)
    return lambda text: Parser().parse(text).evaluate(values)


def pyflakes():
    import ast

    from pyflakes.checker import Checker

    return lambda text: Checker(ast.parse(text))


def email_validator():
    import email_validator

    return lambda text: email_validator.validate_email(text, check_deliverability=False)


def sqlglot():
    import sqlglot

    return sqlglot.transpile


if __name__ == "__main__":
    folder, name = sys.argv[1:]
    sys.path.insert(0, folder)
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, late)
    run, answers = globals()[name](), sys.stdout
    sys.stdout = sys.stderr  # programs may print
    for line in sys.stdin:
        raised = None
        signal.alarm(SECONDS)
        try:
            run(json.loads(line))
        except Exception as error:
            raised = f"{type(error).__name__}: {error}"
        signal.alarm(0)
        print(json.dumps(raised), file=answers, flush=True)
