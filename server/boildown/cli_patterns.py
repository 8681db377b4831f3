"""The command line for patterns: `generalize`, `instantiate` and `explore`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boildown import jobs, patterns
from boildown.cli_shared import (
    INTERRUPTED,
    UsageError,
    add_input,
    check_target,
    count,
    interruptible,
    positive,
    test_command,
)
from boildown.display import Display
from boildown.engine.conditions import shown
from boildown.engine.generalize import METHODS, Options
from boildown.engine.hole import Evidence
from boildown.engine.pattern import Pattern
from boildown.files import read_text, write_text
from boildown.patterns import Explored, Generalized, PatternError
from boildown.runner.command import TestCommand
from boildown.targets.inputs import Inputs
from boildown.targets.regression_file import as_file


def add_commands(commands: Any) -> None:
    """Add the commands of this module to the parser of all."""
    generalize = commands.add_parser("generalize", help="find the pattern of a failing input")
    generalize.set_defaults(run=_generalize)
    add_input(generalize)
    _add_how(generalize)
    generalize.add_argument("--output", type=Path, metavar="PATTERN.json")

    explore = commands.add_parser(
        "explore", help="look for other failures, and for what the pattern of an input misses"
    )
    explore.set_defaults(run=_explore)
    add_input(explore)
    _add_how(explore).add_argument(
        "--mutants", type=count, default=1000, metavar="N", help="changed inputs that are tried"
    )

    instantiate = commands.add_parser("instantiate", help="make inputs of a pattern")
    instantiate.set_defaults(run=_instantiate)
    add_input(instantiate)
    instantiate.usage = f"{instantiate.prog} PATTERN.json [options] [--check -- CMD ...]"
    which = instantiate.add_argument_group("which inputs")
    which.add_argument("-n", dest="count", type=count, default=10, metavar="N", help="how many")
    which.add_argument("--seed", type=int, default=0, metavar="N")
    which.add_argument("--as", dest="form", choices=patterns.FORMS, default="text")
    which.add_argument("--language", metavar="L", help="instead of the one that the file names")
    which.add_argument("--jobs", type=count, default=os.cpu_count() or 1, metavar="N")
    which.add_argument(
        "--check", action="store_true", help="run each input, and say how many of them fail"
    )


def _add_how(command: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    group = command.add_argument_group("how to generalize")
    group.add_argument("--method", choices=sorted(METHODS), default="auto")
    group.add_argument(
        "--samples", type=count, default=100, metavar="N", help="trials behind a statement"
    )
    group.add_argument("--seed", type=int, default=0, metavar="N")
    group.add_argument("--no-reduce", action="store_true", help="take the input as it is")
    group.add_argument("--language", metavar="L", help="a language's name, or a grammar file")
    group.add_argument("--jobs", type=count, default=os.cpu_count() or 1, metavar="N")
    group.add_argument("--max-runs", type=count, metavar="N")
    group.add_argument("--max-seconds", type=positive, metavar="S")
    group.add_argument(
        "--fresh", action="store_true", help="forget what an earlier attempt has left"
    )
    return group


def _generalize(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    command, how = test_command(options), _how(options)
    check_target(options.output, options.file)
    with Display(quiet=options.json) as display, interruptible() as interrupted:
        found = patterns.generalize(
            text, command, _limits(options), how, options.seed, display.see, interrupted.is_set
        )
    stored = {**patterns.dump(found), "file": str(options.file)}
    if options.output is not None:
        write_text(options.output, json.dumps(stored, indent=2) + "\n")
    if options.json:
        print(json.dumps(stored))
    else:
        print(found.pattern)
        for line in report(found):
            display.print(line)
        if options.output is not None:
            display.print(f"Written to {options.output}.")
    return INTERRUPTED if interrupted.is_set() else 0


def _how(options: argparse.Namespace) -> Options:
    return Options(options.method, options.samples, reduce_first=not options.no_reduce)


def _limits(options: argparse.Namespace) -> jobs.Options:
    return jobs.Options(
        language=options.language,
        jobs=options.jobs,
        max_runs=options.max_runs,
        max_seconds=options.max_seconds,
        repeat=options.repeat,
        fresh=options.fresh,
    )


def report(found: Generalized) -> Iterator[str]:
    """Yield the lines that say what a pattern rests on."""
    pattern = found.pattern
    for hole in pattern.holes:
        yield f"  {hole}  {_evidence(hole.evidence)}"
        if hole.counterexample is not None:
            yield f"    no wider, for this passes: {hole.counterexample!r}"
    if not pattern.holes:
        yield "  Nothing else may stand anywhere: this very text is all that is known to fail."
    else:
        yield f"  all holes together: {_evidence(pattern.joint)}"
        yield f"  drawn from {pattern.sampler}"
    stopped = "" if pattern.finished else "; stopped early"
    yield f"  {pattern.runs} runs, {found.seconds:.1f} s{stopped}"
    for signature, smallest in found.others.items():
        yield f"  also found: {signature}, with {jobs.in_bytes(jobs.size(smallest))}"


def _evidence(evidence: Evidence) -> str:
    text = f"{evidence.reproduced} of {evidence.trials} reproduced"
    if evidence.trials:
        text += f", at least {evidence.lower_bound:.1%} do (with 95 % confidence)"
    if evidence.invalid or evidence.timeouts:
        text += f"; {evidence.invalid} invalid, {evidence.timeouts} timed out"
    return text


def _explore(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    command, how = test_command(options), _how(options)
    limits, mutants, seed = _limits(options), options.mutants, options.seed
    with Display(quiet=options.json) as display, interruptible() as interrupted:
        explored = patterns.explore(
            text, command, limits, how, mutants, seed, display.see, interrupted.is_set
        )
    if options.json:
        print(json.dumps(patterns.dump_explored(explored)))
    else:
        for line in listed(explored):
            print(line)
        stopped = "" if explored.finished else "; stopped early"
        display.print(f"{explored.runs} runs, {explored.seconds:.1f} s{stopped}")
    return INTERRUPTED if interrupted.is_set() else 0


def listed(explored: Explored) -> Iterator[str]:
    """Yield the lines that say which failures were found, and what explains them."""
    found = explored.exploration
    if found is None:
        yield "The job ended before the pattern of the input was known: there is nothing to list."
        return
    signature = None
    for each in found.found:
        if each.signature != signature:
            signature = each.signature
            yield f"{signature or 'the failure'}  ({found.inputs[signature]} further inputs)"
        yield f"  {shown(each.pattern.text)}"
        yield (
            f"    {each.pattern}  explains {each.explained}: {each.matching} match,"
            f" {each.reducing} reduce to it"
        )
    if found.recall is not None:
        yield f"The first pattern matches {found.recall:.1%} of the inputs that fail like it."


def _instantiate(options: argparse.Namespace) -> int:
    stored = read_text(options.file)
    pattern = patterns.load(stored, options.language)
    texts = patterns.instances(pattern, options.count, options.seed)
    if len(texts) < options.count:
        print(
            f"boildown: only {len(texts)} different inputs were found for {pattern}",
            file=sys.stderr,
        )
    checked = _check(options, pattern, texts, stored) if options.check else None
    if options.json:
        print(json.dumps({"pattern": str(pattern), "texts": texts, **(checked or {})}))
    else:
        sys.stdout.write(_rendered(options, pattern, texts, stored))
        if checked is not None:
            print(_share(checked), file=sys.stderr)
    return INTERRUPTED if checked is not None and not checked["finished"] else 0


def _rendered(options: argparse.Namespace, pattern: Pattern, texts: list[str], stored: str) -> str:
    """Return inputs in the form that is wanted; tests run the test command if one is known."""
    plain = patterns.rendered(pattern, texts, options.form)
    if options.form == "text":
        return plain
    try:
        command = _command(options, stored)
    except (UsageError, PatternError):
        print(
            "boildown: give the command that fails today after -- to have the tests run it.",
            file=sys.stderr,
        )
        return plain
    if command.predicate is not None:
        return plain
    parts = patterns.assembled(pattern, texts) if options.form == "hypothesis" else ()
    print(f"boildown: the tests belong into {Path.cwd()}.", file=sys.stderr)
    return as_file(Inputs(texts, str(pattern), *parts), command, Path.cwd())


def _command(options: argparse.Namespace, stored: str) -> TestCommand:
    """Return the test command for files of the name that the pattern was found with."""
    name = json.loads(stored).get("file")
    if not isinstance(name, str) and not (options.command or options.test or options.python):
        raise PatternError("Give the command that fails after --, for the pattern names no file.")
    options.file = Path(name) if isinstance(name, str) else options.file
    return test_command(options)


def _check(
    options: argparse.Namespace, pattern: Pattern, texts: list[str], stored: str
) -> dict[str, Any]:
    """Run the inputs, as files of the name that the pattern was found with."""
    command = _command(options, stored)
    limits = jobs.Options(jobs=options.jobs, repeat=options.repeat)
    with interruptible() as interrupted:
        found = patterns.check_instances(pattern, texts, command, limits, interrupted.is_set)
    evidence = found.evidence
    return {
        "trials": evidence.trials,
        "reproduced": evidence.reproduced,
        "invalid": evidence.invalid,
        "timeouts": evidence.timeouts,
        "rate": evidence.rate,
        "passed": list(found.passed),
        "finished": found.finished,
    }


def _share(checked: dict[str, Any]) -> str:
    said = (
        f"{checked['reproduced']} of {checked['trials']} inputs reproduce ({checked['rate']:.1%})"
    )
    return f"{said}; {checked['invalid']} invalid, {checked['timeouts']} timed out"
