"""Reduces a failing input by its test command, and verifies the result by a fresh run."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import chain, islice
from typing import Any

from boildown.engine.candidates import Splice
from boildown.engine.certificate import Certified
from boildown.engine.flaky import Care
from boildown.engine.language import LONGEST_PARSED, Language
from boildown.engine.oracle import Outcome, Step, Stop
from boildown.engine.problem import keeps
from boildown.engine.reducing.idle import Idle
from boildown.engine.reducing.passes import AUTO, PASSES, Pass
from boildown.engine.reducing.reduce import Reduction, Watch, check_kept, unreduced
from boildown.engine.reducing.reduce import reduce as reduce_text
from boildown.engine.reducing.steps import Steps
from boildown.engine.reducing.tidy import tidied
from boildown.engine.rescue import attempted
from boildown.folder_text import ordered, unlisted
from boildown.jobs.events import EditTried, See, UserEdit, runs
from boildown.jobs.merging import merging
from boildown.jobs.own_passes import OwnPass, load_passes
from boildown.jobs.validity import doubts_of, limited_to
from boildown.jobs.work import JobOptions, Work, prepared
from boildown.languages.dispensable import Dispensable
from boildown.languages.idle_parts import idle_parts
from boildown.languages.readers import only_tried
from boildown.runner.advice import LOOSER_LEVEL, Message
from boildown.runner.command import TestCommand
from boildown.runner.executed import Executed, executed_by
from boildown.runner.judging.judge import MARGIN, Expected, described
from boildown.runner.judging.parts import others_in_json
from boildown.runner.preflight.diagnosis import STEADY_ADVICE
from boildown.runner.preflight.preflight import Preflight
from boildown.runner.resuming.cache import SavedJob
from boildown.runner.run import CannotRun, Run
from boildown.runner.runner import Runner

__all__ = [
    "DEFAULT_PASSES",
    "PASS_NAMES",
    "Reduced",
    "check_kept",
    "reduce",
]

PASS_NAMES = tuple(each.name for each in PASSES)
"""The names of all passes, in the order of the catalogue."""
DEFAULT_PASSES = AUTO
"""The names of the passes of the default pipeline."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """The result of a reduction by a test command, with the runs that it rests on."""

    reduction: Reduction
    """What the engine found; its text is the one that its certificate is about."""
    language: str
    passes: tuple[str, ...]
    notes: tuple[Message, ...]
    seconds: float
    """From the start of the job to its end."""
    test_seconds: float
    """Of these, spent in runs of the test command (runs at the same time count each)."""
    verified: bool
    """Whether the result was run once more at the end and reproduced."""
    others: dict[str, str]
    """Other failures that were met on the way: signature to smallest text."""
    start: Preflight | None = None
    """The findings of the preflight; None if the job was stopped before."""
    run: Run | None = None
    """The last run on the result, if it reproduced."""
    layout: str | None = None
    """The text laid out for people to read, if that reproduces, too, and is not the same."""
    verify_runs: int = 0
    """Runs at the end, by which the result was verified."""
    stopped: str | None = None
    """Why it was stopped early, if it was: "runs", "seconds", "user", or "limit" for others."""
    failures: tuple[str, str] | None = None
    """The failures of the original and of the result, with their messages, for a person to compare.

    None if the result was not run, or exit status 0 means that it reproduces.
    """
    doubts: tuple[Message, ...] = ()
    """Reasons why the result may show another failure than the original."""
    forget: Callable[[], None] = field(default=lambda: None, repr=False, compare=False)
    """To be called when the result is where it belongs: deletes the record of a finished job."""

    @property
    def runs(self) -> int:
        """How often the command was run, the preflight and the verification included."""
        before = 0 if self.start is None else self.start.runs
        return before + self.reduction.runs + self.verify_runs

    @property
    def text(self) -> str:
        """The result as it is put out: laid out where that reproduces, too."""
        return self.reduction.text if self.layout is None else self.layout

    @property
    def history(self) -> Sequence[Step]:
        """The steps to the result as it is put out."""
        steps = self.reduction.history
        if self.layout is None:
            return steps
        return Steps(steps[0], chain(islice(steps, 1, None), [Step(steps[-1].run, self.layout)]))

    @property
    def in_json(self) -> dict[str, Any]:
        """The findings, as programs and the clients of the server get them."""
        found, certificate = self.reduction, self.reduction.certificate
        names = "original", "reduced"
        return {
            "runs": self.runs,
            "candidates": found.candidates,
            "cached": found.cached,
            "finished": found.finished,
            "minimality": found.minimality,
            "certificate": None if certificate is None else certificate.to_json(),
            "failures": self.failures and dict(zip(names, self.failures, strict=True)),
            "passing": found.passing and asdict(found.passing),
            "others": others_in_json(self.others),
        }


def reduce(
    text: str,
    command: TestCommand,
    options: JobOptions | None = None,
    see: See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
    edits: Callable[[], UserEdit | None] = lambda: None,
) -> Reduced:
    """Reduce a failing input by its test command.

    A stop, a limit of runs or of seconds is no error: the best so far is the result. `edits` is
    asked between two runs for what the user hands in, and `see` told what became of it.

    Raises:
        PreflightError: nothing can be reduced; the message says why and what to do.
        CannotRun: the cluster that the command names does not answer.
        LanguageError: there is no such language, or its grammar is broken.
        ValueError: there is no such pass, or one of the user's own cannot be loaded; or the input
            lacks what is to be kept.
    """
    work = prepared(text, command, options, see, stopped)
    work.options = replace(work.options, keep=(*work.options.keep, *command.keep))
    check_kept(text, work.options.keep)
    job = _Reducing(work, command, edits, unreduced(text))
    tell = partial(work.note, code="own-pass")
    with Runner(command, work.options.jobs, work.limits.over, work.note) as runner:
        # As somebody else will run it: of a folder, with nothing that was loaded ahead. Not as the
        # preflight may find that runs are kept apart, which is for those at the same time.
        last = replace(runner.command, warm=command.warm and not command.folder)
        with load_passes(work.own_passes, command.cwd, tell, work.limits.over) as job.own:
            try:
                _search(job, runner, last)
            except Stop:
                # From a computation around the search, which gives its best itself.
                if work.best:
                    runs = work.count.runs
                    job.reduction = _stopped_at(job.reduction, text, runs, work.best)
        test_seconds = runner.seconds
        job.together = runner.jobs > 1 and not runner.command.in_copy
        _note_ends(job, runner.full)
        is_over = job.reduction.finished
        stop = None if is_over else work.limits.reached(work.count.runs)
        if job.start is not None:
            _verify_and_lay_out(job, job.start, runner, last)
    attempted("advice", partial(_advise, job), None, work.defect)
    failures = attempted("failures", partial(_failures, job), None, work.defect)
    no_doubts: tuple[Message, ...] = ()
    doubt = partial(doubts_of, command, job.start, job.run, work.language)
    doubts = attempted("doubts", doubt, no_doubts, work.defect)
    return Reduced(
        job.reduction,
        work.language.name,
        (*work.own_passes, *work.options.passes),
        tuple(work.notes),
        work.elapsed(),
        test_seconds,
        job.run is not None,
        work.others,
        job.start,
        job.run,
        job.layout,
        job.verify_runs,
        stop,
        failures,
        doubts,
        work.forget if is_over and (job.run is not None or not stopped()) else lambda: None,
    )


@dataclass(slots=True)
class _Reducing:
    """The findings of a reduction, from phase to phase."""

    work: Work
    command: TestCommand
    """As it was given."""
    edits: Callable[[], UserEdit | None]
    reduction: Reduction
    own: Sequence[OwnPass] = ()
    start: Preflight | None = None
    run: Run | None = None
    """The last run on the result, if it reproduced."""
    layout: str | None = None
    checked: tuple[Step, Run] | None = None
    """The last step, if it was run afresh already, and that run."""
    verify_runs: int = 0
    together: bool = False
    """Whether several runs were under way in one folder at the same time, to the end."""


def _search(job: _Reducing, runner: Runner, last: TestCommand) -> None:
    """Run the preflight, and reduce the text; again with one run at a time where runs have met.

    `last` is the command of a fresh run. Raises Stop.
    """
    work = job.work
    job.start = start = work.begin(runner)
    work.language = limited_to(job.command, start, work.language, work.note)
    idle = None
    if job.command.folder:
        idle, runs = _idle_parts(job, start.run.read)
        job.start = start = replace(start, runs=start.runs + runs)
    find = partial(_reduced, job, runner, start)
    found = attempted("reduce", partial(find, work.text, idle), None, work.defect)
    if found is None:
        raise Stop("a defect has ended it")
    job.reduction = found
    if runner.jobs == 1 or not found.finished:
        return
    with Runner(last, 1, work.limits.over, work.note) as alone:
        expected, _ = _as_flaky(work.expected(start), found)
        checked = _held(found, alone, expected)
        job.verify_runs = alone.runs
    if checked is None or checked[0].text == found.text:
        job.checked = checked
        return
    runner.jobs = 1
    work.note(_MET, "runs-met")
    job.reduction = _continued(found, checked[0], find(checked[0].text, None, afresh=True))


def _note_ends(job: _Reducing, full: int) -> None:
    """Note the obstacles that the search met; `full` runs had no room on the disk."""
    if full:
        job.work.note(
            f"The disk was full during {runs(full)}, which can change how the test command"
            " ends: nothing is claimed of the result. Make room, and run it again.",
            "disk-full",
        )
        job.reduction = replace(job.reduction, certificate=None)
    for sentence in job.reduction.notes:
        job.work.note(sentence, "ended-early")


def _verify_and_lay_out(
    job: _Reducing, start: Preflight, runner: Runner, last: TestCommand
) -> None:
    """Run the result afresh by the command `last`, and lay it out if that reproduces, too."""
    work, rule = job.work, job.command.reproduces
    expected, notes = _as_flaky(work.expected(start), job.reduction)
    for told, code in notes:
        work.note(told, code)
    late = time.monotonic() + _LAST_SECONDS + 2 * start.seconds
    asked = work.limits.stopped
    stopped = (lambda: time.monotonic() > late) if asked() and job.together else asked
    before = runner.runs
    verify = partial(_verified, job, runner, expected)
    runner.go_on_alone(last, stopped)
    job.reduction, run = attempted("verify", verify, (job.reduction, None), work.defect)
    if run is not None and not asked():
        lay_out = partial(_laid_out, job.reduction, run, runner, expected, work.language)
        job.layout, run = attempted("layout", lay_out, (None, run), work.defect)
    job.run = run
    job.verify_runs += runner.runs - before
    if (certificate := job.reduction.certificate) is not None:
        if job.layout is not None:
            certificate = replace(certificate, of=Certified.BEFORE_LAYOUT)
        if rule is not None and rule.measures:
            certificate = replace(certificate, margin=MARGIN)
        certificate = replace(certificate, only=only_tried(work.language))
        job.reduction = replace(job.reduction, certificate=certificate)


def _stopped_at(reduction: Reduction, text: str, runs: int, best: str) -> Reduction:
    """Return a reduction that was stopped with a text that it has not stated itself."""
    steps = Steps(Step(0, text), [Step(runs, best)])
    return replace(reduction, text=best, history=steps)


def _failures(job: _Reducing) -> tuple[str, str] | None:
    if job.start is None or job.run is None or job.command.interesting:
        return None
    return described(job.command, job.start.run), described(job.command, job.run)


_LEAST_STRICT = 10
"""Candidates that must have failed in another way before a looser level is offered."""


def _advise(job: _Reducing) -> None:
    """Offer a looser level if it would take more candidates than the level compares as the same."""
    work = job.work
    rejected, taken = work.stricter, work.outcomes[Outcome.REPRODUCED]
    # Where the preflight has seen that messages must be the same, they must.
    is_free = job.start is not None and job.start.expected.level is None
    if not (is_free and work.compares(job.command)) or rejected < max(_LEAST_STRICT, taken + 1):
        return
    told = (
        f"{rejected} of {rejected + taken} candidates with the same error failed at another line "
        "or with other words, and were not taken for the same failure. If they are, compare less "
        "of it with "
    )
    work.note((told, *LOOSER_LEVEL, "."), "strict-level")


_PREFLIGHT_RUNS = 5
"""Runs of a preflight on which nothing differs: three of the original, the empty, a short input."""
_FRESH_RUNS = 1
"""Runs by which a new runner verifies the result, after those of the reduction."""


def _idle_parts(job: _Reducing, read: Collection[str]) -> tuple[Idle, int]:
    """Return the parts of a folder that its failing run may not need, and the runs that took.

    It has read the files `read`, which stand last in the text from now on. Where Python is among
    them, a run here tells which lines it executes.
    """
    work, command = job.work, job.command
    assert job.start is not None
    text = work.text = ordered(work.text, read)
    unread = unlisted(text, read)
    if command.cluster is not None or not any(name.endswith(".py") for name in read):
        return Idle([unread]), 0
    executed = executed_by(command, text, job.start.expected.timeout, work.limits.over)
    return _idle(text, executed, unread), 1


def _idle(text: str, executed: Executed, unread: Sequence[Splice]) -> Idle:
    """Return the parts of a folder that its failing run may not need, by a trace of it."""
    parts, emptied = idle_parts(text, executed.lines)
    more = Dispensable(text, executed.lines, executed.calls)
    return Idle(
        [[*unread, *parts], parts, [*unread, *emptied], emptied, unread],
        more.size,
        lambda gone: [*unread, *more.without(gone)],
    )


def _reduced(
    job: _Reducing,
    runner: Runner,
    start: Preflight,
    text: str,
    idle: Idle | None,
    afresh: bool = False,
) -> Reduction:
    """Reduce a text, resuming an attempt that was cut short from its record on disk.

    The user's own passes come first: they know the kind of text. `afresh` forgets the record.
    """
    work, own = job.work, job.own
    options, count = work.options, work.count
    passes: list[str | Pass] = [*(each.run for each in own), *options.passes]
    if runner.command.folder and options.passes == DEFAULT_PASSES:
        passes.insert(len(own), merging(runner.command))
    before = count.candidates
    settings = "reduce", [each.digest for each in own], options.keep
    with work.oracle(runner, start, *settings, once=True, afresh=afresh) as (oracle, saved):
        watch = Watch(
            work.accepted,
            work.progress,
            work.limits.check,
            _handing(saved, job.edits),
            lambda edit, verdict: work.see(EditTried(edit, verdict)),
            work.defect,
        )
        care = Care(
            runner.command.confidence,
            start.reproduced,
            start.tried,
            # More of them are the user's wish.
            checks=min(start.runs, _PREFLIGHT_RUNS) + _FRESH_RUNS,
            verifying=3 - _FRESH_RUNS,
            vary=runner.vary,
        )
        how = partial(reduce_text, care=care, idle=idle, keep=options.keep)
        reduction = how(text, oracle, work.language, passes, watch)
        best = saved.best
        if not (reduction.finished or best is None or saved.edits) and len(best) < len(
            reduction.text
        ):
            # Stopped again on the way to where the earlier attempt was, whose best has just failed.
            reduction = _stopped_at(reduction, work.text, count.runs, best)
            reduction = replace(reduction, passing=None)
    known = sum(reduction.outcomes.values()) - (count.candidates - before)
    cached, outcomes = reduction.cached + known, count.outcomes
    return replace(reduction, runs=count.runs, cached=cached, outcomes=outcomes)


def _handing(
    saved: SavedJob, edits: Callable[[], UserEdit | None]
) -> Callable[[int], UserEdit | None]:
    """Return a callback that hands in the user's edits and records them on disk.

    Those of an attempt that was cut short come first, each after as many runs as before.
    """
    replayed = deque(saved.edits)

    def handed(run: int) -> UserEdit | None:
        if replayed:
            return replayed.popleft()[1] if replayed[0][0] <= run else None
        if (edit := edits()) is not None:
            saved.edit(run, edit)
        return edit

    return handed


_MET = (
    "The smallest text did not fail when it was run alone: runs at the same time meet somewhere, in"
    " a file or a port say. Going on with one at a time."
)
"""The note on runs that are not as private as they seemed."""


def _continued(reduction: Reduction, step: Step, further: Reduction) -> Reduction:
    """Return the result of a search that went on from a step of another one."""
    before = [each for each in reduction.history if each.run <= step.run]
    after = (
        replace(each, run=reduction.runs + each.run) for each in islice(further.history, 1, None)
    )
    return replace(further, history=Steps(before[0], chain(before[1:], after)))


_VERIFIED = 0.995
"""The confidence at least with which a result is verified: all has rested on it."""


def _as_flaky(
    expected: Expected, reduction: Reduction
) -> tuple[Expected, list[tuple[str | Message, str]]]:
    """Return the expected failure as a flaky one if it was seen to be, and the notes on that."""
    flaky, reliability = reduction.flaky, reduction.reliability
    notes: list[tuple[str | Message, str]] = []
    if flaky is None:
        return expected, notes
    expected = replace(expected, confidence=max(expected.confidence, _VERIFIED))
    if reliability is not None and reliability.fragile is not None:
        told = (
            f"Smaller inputs fail less reliably, so they were not taken: one of them failed in "
            f"{reliability.fragile} runs, the original in {reliability.original}."
        )
        notes.append((told, "fragile"))
        if flaky.rate == 1:
            # All that is taken always fails: there is no more to tell.
            return expected, notes
    if expected.rate is not None:
        return expected, notes
    told = (
        "The failure is flaky: some inputs gave different results in different runs. About "
        f"{flaky.rate:.0%} of runs show it on inputs that fail, {flaky.spurious:.0%} on others; "
        "what rested on a single run was run again."
    )
    notes.append(((told, *STEADY_ADVICE), "flaky"))
    return replace(expected, rate=flaky.rate), notes


def _held(reduction: Reduction, runner: Runner, expected: Expected) -> tuple[Step, Run] | None:
    """Return the last step that reproduces when it is run afresh, and that run; None if none does.

    Raises Stop and CannotRun.
    """
    for step in reversed(reduction.history):
        if (run := _reproduced(step.text, runner, expected)) is not None:
            return step, run
    return None


_LAST_SECONDS = 10.0
"""How long a job that is stopped may still run its result alone, beside the time of two runs."""


def _verified(job: _Reducing, runner: Runner, expected: Expected) -> tuple[Reduction, Run | None]:
    """Run the result afresh; where it does not reproduce, go back to a step that does.

    Returns the run that reproduced; None if there was no time for it, or no step does. A result of
    runs at the same time is none before it was run alone, even if the job is stopped.
    """
    work, reduction = job.work, job.reduction
    if work.limits.stopped() and not job.together:
        return reduction, None
    work.progress("verify")
    try:
        held = job.checked or _held(reduction, runner, expected)
    except (Stop, CannotRun):
        if not job.together:
            return reduction, None
        told = "There was no time to run the smallest text alone, so it is no result yet."
        work.note(told, "unverified")
        nothing = replace(
            reduction, text=work.text, history=Steps(reduction.history[0]), passing=None
        )
        return replace(nothing, finished=False, certificate=None), None
    if held is None:
        work.note(
            "Not even the original failed when it was run again: nothing is reduced.", "unreliable"
        )
        unreduced = replace(reduction, text=work.text, passing=None)
        return replace(unreduced, finished=False, certificate=None), None
    step, run = held
    if step.text != reduction.text:
        work.note(
            "The smallest text did not fail when it was run again, so the test command is"
            " not reliable. This is the smallest one that failed twice.",
            "unreliable",
        )
        reduction = replace(
            reduction, text=step.text, finished=False, certificate=None, passing=None
        )
    return reduction, run


def _laid_out(
    reduction: Reduction, run: Run, runner: Runner, expected: Expected, language: Language
) -> tuple[str | None, Run]:
    """Return the result with its long lines laid out, and the run on it, if that reproduces.

    Otherwise None, and the run that there was.
    """
    layable = len(reduction.history) > 1 and len(reduction.text) <= LONGEST_PARSED
    try:
        layout = tidied(reduction.text, language) if layable else None
        if layout is None or not keeps(layout, reduction.kept):
            return None, run
        shown = _reproduced(layout, runner, expected)
    except (Stop, CannotRun):
        shown = None
    return (None, run) if shown is None else (layout, shown)


def _reproduced(text: str, runner: Runner, expected: Expected) -> Run | None:
    """Run a text as often as a verdict needs; return the run if it reproduced."""
    verdict, run = runner.verdict(text, expected)
    return run if verdict.reproduced else None
