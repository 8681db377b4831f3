"""The commands about failing tests: which failed last, the inputs of one, and its reduction."""

from __future__ import annotations

import asyncio
import os
import shlex
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from lsprotocol import types

from boildown.files import read_text
from boildown.jobs import inert
from boildown.lsp.arguments import DocumentArgument, plain, word
from boildown.lsp.commands import common
from boildown.lsp.commands.common import Activity, Answer, FoundInput, Refused
from boildown.lsp.commands.reduce import REDUCING
from boildown.lsp.documents import NOT_OPEN, Document
from boildown.lsp.job import Job
from boildown.lsp.readers import optional
from boildown.lsp.server import OfferedCandidate, Server
from boildown.lsp.settings import Settings
from boildown.lsp.uris import uri_of
from boildown.targets import InputKind, Target
from boildown.targets.pytest_command import failed_last

if TYPE_CHECKING:
    from boildown.jobs.input_candidates import InputCandidate, Selection

_MOST_ANSWERS = 8
"""Inputs that a question offers."""
_MOST_KEPT = 500
"""Inputs of earlier tests that can still be reduced: those of all failed tests of a file."""
_SHOWN = 30
"""Characters of an input in an answer."""


@dataclass(frozen=True, slots=True)
class TestArgument(DocumentArgument):
    """The argument of the commands about a failing test."""

    test: Annotated[str | None, optional(word)] = None
    """As pytest selects it in its file; None: the one at the range."""

    __test__ = False  # For pytest, which would collect it.


async def failed_tests(server: Server, at: TestArgument) -> Answer:
    """Answer with the tests that failed last: of a file, of a class of it, or a single one.

    A single one is taken at its word where pytest's cache does not know of it.
    """
    from boildown.targets.reach import test_places

    document = common.open_document(server, at)
    file = server.file(document)
    failed = await asyncio.to_thread(failed_last, file, server.folder(file))
    below = [each for each in failed if at.test is None or f"{each}::".startswith(f"{at.test}::")]
    if not below and any(place.name == at.test for place in test_places(document.text)):
        below = [str(at.test)]
    if not below:
        what = document.name if at.test is None else at.test
        raise Refused(f"pytest knows of no failed test in {what}. Run the tests first.")
    # As they stand in the file: each is reduced below what was changed for those before it.
    places = {place.name: place.whole for place in test_places(document.text)}
    last = (len(document.text), len(document.text))
    in_order = sorted(set(below), key=lambda name: (places.get(name, last), name))
    return {"state": "done", "tests": in_order}


async def candidates(server: Server, at: TestArgument) -> Answer:
    """Run a test once; answer with the inputs that it may fail on."""
    found, name, selection = await find_test(server, at)
    activity = Activity("running", "run", partial(_work, selection), partial(_list, name), name)
    job = common.start(server, found, activity)
    return await common.answer(server, job, replace(at, wait=True))


async def reduce_test(server: Server, at: TestArgument) -> Answer:
    """Run a test once, and reduce the input that it fails on; where there are several, ask."""
    found, name, selection = await find_test(server, at)
    activity = Activity("running", "run", partial(_work, selection), partial(_go_on, name), name)
    return await common.answer(server, common.start(server, found, activity), at)


async def find_test(server: Server, at: TestArgument) -> tuple[FoundInput, str, Selection]:
    """Return a test that a job can run, with its name and how it is selected. Raises Refused."""
    settings = await server.settings(at.uri)
    document = common.open_document(server, at)
    file = server.file(document)
    name = at.test or await asyncio.to_thread(test_at, document, at.range)
    if name is None:
        raise Refused(f"There is no test at this place of {document.name}.")
    return await asyncio.to_thread(_selected, server, document, settings, file, name)


def _selected(
    server: Server, document: Document, settings: Settings, file: Path, name: str
) -> tuple[FoundInput, str, Selection]:
    from boildown.targets.failing_tests import selected
    from boildown.targets.pytest_command import project_of

    if not os.path.isfile(file) or read_text(file) != document.text:
        raise Refused(f"{document.name} has unsaved changes. Save it: what is saved is run.")
    project = project_of(file, server.folder(file))
    selection = selected(f"{file}::{name}", project, server.options.test_interpreter)
    assert selection is not None
    command = selection.command(name, file)
    target = Target(InputKind.DOCUMENT, 0, len(document.text), document.text, command)
    return FoundInput(document, settings, target), name, selection


def test_at(document: Document, extent: types.Range | None) -> str | None:
    """Return the name of the test in whose lines a range begins; None if there is none."""
    from boildown.targets.reach import test_places

    start = document.span(extent)[0] if extent is not None else 0
    # Where no line is between two tests, the end of one is the beginning of the next.
    for place in reversed(list(test_places(document.text))):
        if document.text.rfind("\n", 0, place.whole[0]) < start <= place.whole[1]:
            return place.name
    return None


def _work(selection: Selection, job: Job) -> list[InputCandidate]:
    """Return the inputs of all tests that fail, of the cases of a parametrized one."""
    from boildown.jobs.emptying import chosen
    from boildown.jobs.input_candidates import failing_tests, input_candidates

    found: dict[Any, InputCandidate] = {}
    for test in failing_tests(selection, see=partial(common.watch, job), stopped=job.stopped):
        for each in chosen(test, input_candidates(test), job.stopped, joining=False):
            place = each.file, each.start, each.text
            if each.likely or place not in found:
                found[place] = each
    return sorted(found.values(), key=lambda each: not each.likely)


async def _list(name: str, server: Server, job: Job, found: list[InputCandidate]) -> None:
    """Keep the inputs that were found, and answer with them."""
    listed = _offer(server, job, name, found)
    job.outcome.update(state="done", message=f"{name} fails.", test=name, candidates=listed)


async def _go_on(name: str, server: Server, job: Job, found: list[InputCandidate]) -> None:
    """Reduce the one likely input, or the one of several that the user chooses.

    Where none is likely the user chooses among all, and a client that can't ask lists them. Raises
    Refused if there is none.
    """
    listed = _offer(server, job, name, found)
    likely = [each for each in listed if each["likely"]]
    server.release(job)
    asks = server.can("window", "show_message", "message_action_item")
    if len(likely) == 1 or (likely and not asks):
        second = _reduce(server, job, likely[0])
        second.request = job.request
        if job.request is not None and second.task is not None:
            await asyncio.wait([second.task])
        job.outcome = second.outcome
        return
    message = f"{name} fails. Which input is to be reduced?"
    job.outcome.update(state="done", message=message, test=name, candidates=listed)
    answers = {each["label"]: partial(_chosen, server, job, each) for each in likely or listed}
    server.ask(message, dict(list(answers.items())[:_MOST_ANSWERS]))


def _chosen(server: Server, job: Job, candidate: dict[str, Any]) -> None:
    try:
        _reduce(server, job, candidate)
    except Refused as why:
        common.refused(server, why)


def _reduce(server: Server, job: Job, candidate: dict[str, Any]) -> Job:
    """Start a reduction of an input that was found. Raises Refused."""
    found = common.found_before(server, candidate["candidate"], job.settings)
    return common.start(server, found, REDUCING)


def _offer(
    server: Server, job: Job, name: str, found: list[InputCandidate]
) -> list[dict[str, Any]]:
    """Keep the inputs that were found, and some earlier ones; return them for clients."""
    from boildown.jobs.input_candidates import Source, target_of

    if packed := [each for each in found if each.is_packed]:
        # No editor shows such a file as a text.
        found = [each for each in found if not each.is_packed]
        told = f"{name} reads {packed[0].path}, which is packed. In a terminal, type: boildown "
        if not found:
            raise Refused(told + shlex.join(packed[0].command.argv[-1:]))
    if not found:
        raise Refused(f"{name} reads neither a literal nor a file, so it has no input to reduce.")
    for key in list(server.offered)[: len(server.offered) - _MOST_KEPT]:
        del server.offered[key]
    listed = []
    for number, each in enumerate(found):
        uri = uri_of(each.file)
        document = server.documents.get(uri)
        if document is None or document.text != each.whole:
            document = Document(uri, NOT_OPEN, "", each.whole, server.encoding)
        target, key = target_of(each), f"{job.number}.{number}"
        server.offered[key] = OfferedCandidate(document, target)
        is_literal = each.kind not in (Source.FILE, Source.EXAMPLE)
        extent = document.range(target.start, target.end) if is_literal else None
        listed.append(
            {
                "candidate": key,
                "uri": uri,
                "kind": each.kind.value,
                "label": _label(name, each),
                "range": None if extent is None else plain(extent),
                "text": each.text,
                "language": each.language,
                "likely": each.likely,
            }
        )
    return listed


def _label(name: str, candidate: InputCandidate) -> str:
    """Return an input in one line for a person: its kind, place and size."""
    if candidate.kind.value == "file":
        return inert.message(f"{name} reads {candidate.path}")
    shown = " ".join(candidate.text.split())
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    what = _NAMED[candidate.kind.value]
    return inert.message(f"{what.format(line=candidate.start[0])}: {shown}")


_NAMED = {
    "literal": "String in line {line}",
    "parameter": "Parameter in line {line}",
    "encoded": "Encoded text in line {line}",
    "stdin": "Standard input in line {line}",
    "example": "Hypothesis’ example",
}
"""The kinds of inputs that are no files."""
