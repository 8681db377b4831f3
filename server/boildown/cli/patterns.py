"""The commands that deal in patterns: `generalize`, `explore` and `pattern sample`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from boildown.cli.channels import lost
from boildown.cli.display import Display, in_line
from boildown.cli.inputs import read_input
from boildown.cli.shared import (
    Unwritten,
    UsageError,
    add_force,
    add_input,
    add_options,
    add_samples,
    add_seed,
    check_target,
    chosen_command,
    count,
    job_options,
    put_json,
    put_out,
)
from boildown.cli.stopping import Interruption, interruptible
from boildown.cli.usage import LastResort
from boildown.files import FileError, read_text, write_text
from boildown.jobs import words
from boildown.jobs.advice import for_terminal
from boildown.jobs.card import card
from boildown.jobs.defects import STATUS, has_defect
from boildown.jobs.events import PatternError, headed
from boildown.jobs.explore import Explored, dump_explored, explore
from boildown.jobs.generalize import (
    LAW_RUNS,
    METHODS,
    Generalized,
    GeneralizeOptions,
    GivenInput,
    generalize,
    sketch,
    worded_rule,
)
from boildown.jobs.instances import FORMS, Instances, check_instances, render
from boildown.jobs.instances import instances as instances_of
from boildown.jobs.matching import read_formula
from boildown.jobs.stored import StoredPattern
from boildown.jobs.stored import dump as dump_pattern
from boildown.jobs.stored import load as load_pattern
from boildown.jobs.work import JOB_OPTIONS, JobOptions
from boildown.targets.program_words import program_words
from boildown.targets.test_command import CommandError, TestCommand


def add_generalize(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_generalize)
    add_input(parser)
    how = _add_how(parser)
    for claim, other in (("passing", "failing"), ("failing", "passing")):
        how.add_argument(
            f"--{claim}",
            type=Path,
            nargs="+",
            action="extend",
            default=[],
            metavar="OTHER",
            help=f"other inputs, which are {claim}: each is run once, and the law learns from it as"
            f" from those of --{other}; none is quoted (default: none)",
        )
    how.add_argument(
        "--words",
        action="store_true",
        help="put words of the program into inputs for the law: short strings and numbers in the"
        " files and modules that the test command names",
    )
    how.add_argument(
        "--output", type=Path, metavar="PATTERN.json", help="a file for it (default: none)"
    )
    add_force(how)


def add_explore(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_explore)
    add_input(parser)
    _add_how(parser).add_argument(
        "--mutants",
        type=count,
        default=1000,
        metavar="N",
        help="changed inputs that are tried (default: %(default)s)",
    )


def add_sample(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_sample)
    add_input(parser, of_tests=False, of_patterns=True)
    parser.usage = f"{parser.prog} PATTERN.json [options] [--check -- CMD ...]"
    which = parser.add_argument_group("which inputs")
    add_samples(which, 10, "how many")
    which.add_argument(
        "--where",
        metavar="LAW",
        help="a law that they satisfy, such as 'not //id'; see docs/laws.md (default: any)",
    )
    which.add_argument(
        "--as",
        dest="form",
        choices=FORMS,
        default="text",
        help="the form that they are written in (default: %(default)s)",
    )
    which.add_argument(
        "--expected",
        default="",
        metavar="TEXT",
        help="what the program should print for the reduced input, for a test that is written "
        "with --as pytest to assert it (default: not known)",
    )
    which.add_argument(
        "--language",
        metavar="L",
        help="a language's name, or a grammar file (default: the one that the pattern names)",
    )
    add_options(parser, {"jobs": JOB_OPTIONS["jobs"]})
    which.add_argument(
        "--check", action="store_true", help="run each input, and say how many of them fail"
    )


def _add_how(command: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    group = command.add_argument_group("how to generalize")
    group.add_argument(
        "--method",
        choices=METHODS,
        default="auto",
        help="the way to find holes (default: %(default)s)",
    )
    group.add_argument(
        "--samples",
        type=count,
        default=100,
        metavar="N",
        help="trials behind a statement (default: %(default)s, of a pattern beside a law 60)",
    )
    group.add_argument(
        "--law-runs",
        type=int,
        metavar="N",
        help="runs for a law that explains all failing inputs, which seldom convinces outside of"
        f" small data (default: 0; with --passing, --failing or --words {LAW_RUNS} or fewer)",
    )
    add_seed(group)
    group.add_argument(
        "--exact",
        action="store_true",
        help="print patterns in the exact notation, not sketched",
    )
    group.add_argument("--no-reduce", action="store_true", help="take the input as it is")
    add_options(command, JOB_OPTIONS)
    return group


def _generalize(options: argparse.Namespace) -> int:
    text = read_input(options)
    chosen, how = chosen_command(options), _how(options)
    how = replace(how, given=tuple(_given(options)))
    if options.law_runs is None and (how.given or options.words):
        how = replace(how, law_runs=None)
    command = chosen.command
    if options.words:
        found_words = program_words(command)
        how = replace(how, words=found_words.words)
        command = replace(command, notes=(*command.notes, found_words.note))
    check_target(options.output, options.file, options.force)
    with interruptible() as interrupted:
        limits = job_options(options, chosen)
        with Display(options.json, options.verbose) as display, interrupted.at_work():
            seed, see, stopped = options.seed, display.see, interrupted.is_set
            found = generalize(text, command, limits, how, seed, see=see, stopped=stopped)
        resort = LastResort(found.notes)
        least = {"text": found.pattern.text, "law": str(found.pattern.law or "")}
        in_full = resort.attempt("JSON", partial(dump_pattern, found, for_terminal), least)
        stored = {**in_full, "file": str(options.file)}
        problem = None if in_full is least else _stored(options, stored)
        if options.json or problem is not None:
            put_json(stored)
        else:
            for line in card(found):
                display.print(line)
            if found.pattern.law is not None:
                put_out(f"It fails if {found.pattern.law}\n")
            exact = options.exact or not resort.attempt(
                "sketch", lambda: bool(str(sketch(found.pattern))), False
            )
            put_out(f"{found.pattern if exact else sketch(found.pattern)}\n")
            for line in resort.attempt("summary", lambda: list(report(found, exact)), []):
                display.print(line)
            for other in found.others.items() if options.verbose else ():
                display.print(words.other_failure(*other))
            if options.output is not None:
                display.print(f"Written to {options.output}.")
        if lost() is None:
            found.forget()
    if problem is not None:
        raise Unwritten(f"{problem} The pattern is on standard output.")
    return interrupted.status or (STATUS if resort.met else 0)


def _given(options: argparse.Namespace) -> Iterator[GivenInput]:
    """Yield the other inputs at hand. Raises FileError."""
    for paths, fails in ((options.passing, False), (options.failing, True)):
        for path in paths:
            yield GivenInput(str(path), read_text(path), fails)


def _stored(options: argparse.Namespace, pattern: dict[str, Any]) -> FileError | None:
    """Write a pattern to the file that is wanted, if any; return the error if that fails."""
    if options.output is None:
        return None
    try:
        # Another file may have come there during the job.
        check_target(options.output, options.file, options.force)
        write_text(options.output, json.dumps(pattern, indent=2) + "\n")
    except FileError as error:
        return error
    return None


def _how(options: argparse.Namespace) -> GeneralizeOptions:
    law_runs = 0 if options.law_runs is None else options.law_runs
    return GeneralizeOptions(
        options.method, options.samples, reduce_first=not options.no_reduce, law_runs=law_runs
    )


def report(found: Generalized, exact: bool = False) -> Iterator[str]:
    """Yield the lines on the evidence of a pattern, whose holes are sketched or exact."""
    pattern = found.pattern
    if pattern.law is not None:
        if len(pattern.law.rules) > 1:
            for rule, count in zip(pattern.law.rules, pattern.law.explained, strict=True):
                yield f"  {worded_rule(rule)}  explains {count} failing inputs"
        yield from (f"  {line}" for line in words.law(pattern.law))
    shown = map(str, pattern.holes) if exact else sketch(pattern).holes
    for hole, text in zip(pattern.holes, shown, strict=True):
        yield f"  {text}  {words.evidence(hole.evidence)}"
        if hole.counterexample is not None:
            yield f"    no wider, for this passes: {hole.counterexample!r}"
    if not pattern.is_general:
        tried = "other texts in the place of each part, and further items of each list"
        yield f"  No pattern was found in {pattern.runs} runs; tried were {tried}."
    else:
        what = "as a part of other inputs" if pattern.anywhere else "all holes together"
        yield f"  {what}: {words.evidence(pattern.joint)}"
        yield f"  drawn from {pattern.sampler}"
    if pattern.recall is not None:
        yield f"  {words.recall(pattern.recall)}"
    stopped = "" if pattern.finished else "; stopped early"
    yield f"  {pattern.runs} runs, {found.seconds:.1f} s{stopped}"


def _explore(options: argparse.Namespace) -> int:
    text = read_input(options)
    chosen, how = chosen_command(options), _how(options)
    limits, mutants, seed = job_options(options, chosen), options.mutants, options.seed
    with interruptible() as interrupted:
        with Display(options.json, options.verbose) as display, interrupted.at_work():
            find = partial(explore, see=display.see, stopped=interrupted.is_set)
            explored = find(text, chosen.command, limits, how, mutants, seed)
        if options.json:
            put_json(dump_explored(explored, for_terminal))
        else:
            print("\n".join(listed(explored, options.exact)))
            stopped = "" if explored.finished else "; stopped early"
            display.print(f"{explored.runs} runs, {explored.seconds:.1f} s{stopped}")
        if lost() is None:
            explored.forget()
    return interrupted.status or (STATUS if has_defect(explored.notes) else 0)


def listed(explored: Explored, exact: bool = False) -> Iterator[str]:
    """Yield the lines on the failures that were found, with the patterns that explain them."""
    found = explored.exploration
    if found is None:
        yield "The job ended before the pattern of the input was known: there is nothing to list."
        return
    signature = None
    for each in found.found:
        if each.signature != signature:
            signature = each.signature
            yield f"{signature or 'the failure'}  ({found.inputs[signature]} further inputs)"
        if each.pattern.law is not None:
            yield f"  fails if {each.pattern.law}"
        yield f"  {in_line(each.pattern.text)}"
        shown = str(each.pattern) if exact else sketch(each.pattern).line
        yield (
            f"    {shown}  explains {each.explained}: {each.matching} match,"
            f" {each.reducing} reduce to it"
        )
    first = found.found[0]
    if met := found.inputs[first.signature]:
        yield f"The first pattern matches {first.matching} of {met} mutants that fail like it."


def _sample(options: argparse.Namespace) -> int:
    if options.expected and options.form != "pytest":
        raise UsageError("--expected is what a test asserts: add --as pytest.")
    stored = load_pattern(read_input(options), str(options.file), options.language)
    pattern = stored.pattern
    where = None
    if options.where is not None:
        where = read_formula(options.where, read_text, options.language)
    texts = instances_of(pattern, options.count, options.seed, where)
    if len(texts) < options.count:
        print(
            f"boildown: only {len(texts)} different inputs were found for {sketch(pattern).line}",
            file=sys.stderr,
        )
    with interruptible() as interrupted:
        checked = None
        if options.check:
            checked = _check(options, stored, texts, interrupted)
        if options.json:
            head = {**headed("instances"), "pattern": str(pattern), "texts": texts}
            put_json({**head, **(checked or {})})
        else:
            put_out(_rendered(options, stored, texts))
            if checked is not None:
                print(_share(checked), file=sys.stderr)
    return interrupted.status


def _rendered(options: argparse.Namespace, stored: StoredPattern, texts: list[str]) -> str:
    """Return inputs in the form that is wanted; tests run the test command if one is known."""
    command = None
    if FORMS[options.form].test_inputs is not None:
        try:
            command = _command(options, stored)
        except (CommandError, PatternError):
            if not options.expected:
                print(
                    "boildown: give the command that fails today after -- for the tests to run it.",
                    file=sys.stderr,
                )
    if command is not None and command.predicate is not None:
        command = None
    if options.expected and (command is None or command.runs_pytest):
        raise UsageError("--expected is for tests that run a program: give its command after --.")
    if command is not None:
        print(f"boildown: the tests belong into {Path.cwd()}.", file=sys.stderr)
    made = Instances(
        stored.pattern,
        texts,
        command,
        Path.cwd(),
        failure=stored.failure,
        expected=options.expected,
    )
    shown = render(options.form, made)
    return shown if shown.endswith("\n") or not shown else f"{shown}\n"


def _command(options: argparse.Namespace, stored: StoredPattern) -> TestCommand:
    """Return the test command for files of the name that the pattern was found with."""
    if stored.file is None and not options.command:
        raise PatternError("Give the command that fails after --, for the pattern names no file.")
    options.file = options.file if stored.file is None else Path(stored.file)
    return chosen_command(options).command


def _check(
    options: argparse.Namespace, stored: StoredPattern, texts: list[str], interrupted: Interruption
) -> dict[str, Any]:
    """Run the inputs, as files of the name that the pattern was found with."""
    command = _command(options, stored)
    limits = JobOptions(jobs=options.jobs or os.cpu_count() or 1)
    with interrupted.at_work():
        found = check_instances(stored.pattern, texts, command, limits, interrupted.is_set)
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
