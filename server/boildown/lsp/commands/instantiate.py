"""The command `boildown.instantiate`: further inputs of a pattern, as texts or as tests.

The generators of inputs and tests are imported where they are used, since they load the grammars
and the parsers, and a server that makes no inputs starts without them.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from lsprotocol import types

from boildown.files import FileError, free_path, write_text
from boildown.lsp import sentences
from boildown.lsp.arguments import DocumentArgument
from boildown.lsp.commands.common import Answer, NeedsExpected, Refused, is_python
from boildown.lsp.documents import Document
from boildown.lsp.known import Known
from boildown.lsp.readers import one_of, optional, string, whole
from boildown.lsp.server import Server
from boildown.lsp.shown import edits
from boildown.lsp.uris import path_of
from boildown.targets import InputKind

if TYPE_CHECKING:
    from boildown.targets.inputs import Inputs
    from boildown.targets.test_command import TestCommand

MOST_INPUTS = 10_000
"""How many inputs can be made at once."""
INPUTS = 10
"""How many are made where nothing else is asked for."""
IN_TEST = 3
"""How many of these go into a test with a list of inputs: the shortest."""


def _form(value: object) -> str:
    # Imported here: a server that does nothing yet loads no job.
    from boildown.jobs.instances import FORMS

    return one_of(FORMS)(value)


def _count(value: object) -> int:
    if not 1 <= whole(value) <= MOST_INPUTS:
        raise ValueError(f"must be a number from 1 to {MOST_INPUTS}")
    return whole(value)


def _file(value: object) -> Path:
    path = path_of(string(value))
    if path is None:
        raise ValueError("must be the URI of a file")
    return path


@dataclass(frozen=True, slots=True)
class InstantiateArgument(DocumentArgument):
    """The argument of `boildown.instantiate`."""

    form: Annotated[str, _form] = "text"
    count: Annotated[int | None, optional(_count)] = None
    """How many inputs; None: as many as make sense in the form."""
    seed: Annotated[int, whole] = 0
    file: Annotated[Path | None, optional(_file)] = None
    """The file to make, which a client gives as a URI; None: one beside the document."""
    expected: Annotated[str | None, optional(string)] = None
    """What the test should expect of the reduced input, of the form `pytest`; empty: what is
    asserted without it; None: nobody was asked."""


async def instantiate(server: Server, at: InstantiateArgument) -> Answer:
    """Make inputs of the pattern that is known of a document, and put them where they belong."""
    from boildown.jobs.instances import instances as instances_of

    document, known = server.documents.get(at.uri), server.known.get(at.uri)
    if document is None or known is None:
        raise Refused("No pattern is known of this document. Generalize an input in it first.")
    if at.form == "pytest" and at.expected is None and server.options.message_choices:
        _ask(document, known)
    number = at.count or INPUTS
    texts = await asyncio.to_thread(instances_of, known.found.pattern, number, at.seed)
    if at.form == "pytest" and at.count is None:
        texts = sorted(texts, key=len)[:IN_TEST]
    if at.file is not None and os.path.lexists(at.file):
        raise Refused(f"{at.file} is there already. Name a new file.")
    expected = (at.expected or "").strip() if at.form == "pytest" else ""
    output = await _put(server, document, known, at, texts, expected)
    return {"state": "done", "texts": texts, "output": output and str(output)}


def _ask(document: Document, known: Known) -> None:
    """Have the user asked for the expected value, if a value is wrong. Raises NeedsExpected."""
    if known.target.kind is InputKind.LITERAL:
        from boildown.targets.asserted import asserted_at, is_wrong_value

        failure = known.found.signature
        if is_python(document) and is_wrong_value(failure):
            now = asserted_at(document.text, known.start, failure)
            if now is not None:
                raise NeedsExpected(sentences.expected_in_test(now))
        return
    command = _command(known)
    rule = command.reproduces
    if rule is not None and rule.stdout is not None and not command.runs_pytest:
        raise NeedsExpected(sentences.expected_output(rule.stdout.pattern))


async def _put(
    server: Server,
    document: Document,
    known: Known,
    at: InstantiateArgument,
    texts: list[str],
    expected: str,
) -> Path | None:
    """Write inputs in a form; return the file that was made, if there is one. Raises Refused."""
    from boildown.jobs.events import PatternError
    from boildown.jobs.instances import FORMS, Instances, render

    file, pattern = server.file(document), known.found.pattern
    form, wanted, chosen = at.form, at.file, FORMS[at.form]
    if chosen.test_inputs is None:
        ending = chosen.ending.replace("{suffix}", file.suffix)
        before, after = document.text[: known.start], document.text[known.end :]
        try:
            text = render(form, Instances(pattern, texts, before=before, after=after))
        except PatternError as error:
            raise Refused(str(error)) from None
        return await _write(server, wanted or free_path(file, file.stem + ending), text)
    every = tuple(dict.fromkeys((pattern.text, *texts)))
    if known.target.kind is InputKind.LITERAL:
        inputs = replace(
            chosen.test_inputs(pattern, every), failure=known.found.signature, expected=expected
        )
        await _beside_literal(server, document, known, inputs)
        return None
    path = wanted or _test_path(file)
    command, failure = _command(known), known.found.signature
    if expected and command.runs_pytest:
        raise Refused(
            "The test command is pytest, and what that prints is no value of the program."
        )
    made = Instances(pattern, every, command, path.parent, failure=failure, expected=expected)
    return await _write(server, path, render(form, made))


def _test_path(file: Path) -> Path:
    """Return a free path for a test file beside a file; its name can be imported."""
    stem = re.sub(r"\W", "_", file.stem)
    for number in itertools.count(1):
        path = file.with_name(f"test_{stem}_inputs{'' if number == 1 else f'_{number}'}.py")
        if not os.path.lexists(path):
            return path
    raise AssertionError("numbers do not end")


def _command(known: Known) -> TestCommand:
    """Return the test command, which a test file runs on inputs. Raises Refused."""
    command = known.target.command
    assert command is not None
    if command.predicate is not None:
        raise Refused(
            f"The test command is a function, {command.predicate}: call that in a test of your "
            "own, on further failing inputs."
        )
    return command


async def _beside_literal(server: Server, document: Document, known: Known, inputs: Inputs) -> None:
    """Put tests next to the one whose literal was generalized. Raises Refused."""
    from boildown.targets.asserted import asserted_at, expression
    from boildown.targets.regression import beside_literal

    if not is_python(document):
        raise Refused("Tests are written for Python only: create further inputs instead.")
    if inputs.expected:
        value = expression(inputs.expected)
        if value is None:
            raise Refused(f"{inputs.expected} is no Python expression: give the value as code.")
        if asserted_at(document.text, known.start, inputs.failure) is None:
            raise Refused(
                "The test compares no single value with a constant, so it takes no other."
            )
        inputs = replace(inputs, expected=value)
    if inputs.parts:
        what = "the case of a `parametrize`, or a fixture"
    else:
        what = "a fixture or a helper"
        if not inputs.expected:
            inputs = replace(inputs, texts=[each for each in inputs.texts if each != known.holds])
    insertions = beside_literal(document.text, known.start, inputs)
    if not insertions:
        raise Refused(f"No test can be written for a string in {what}: create further inputs.")
    if not server.can("workspace", "apply_edit"):
        raise Refused("This editor takes no edits from a language server: create further inputs.")
    changes = [types.TextEdit(document.range(at, at), text) for at, text in insertions]
    if not await edits.change(server, document, changes, "Boildown: regression test"):
        raise Refused("The editor did not take the edit, so the document stays as it is.")


async def _write(server: Server, path: Path, text: str) -> Path:
    """Write a new file and open it. Raises Refused."""
    try:
        write_text(path, text)
    except FileError as error:
        raise Refused(str(error)) from None
    await edits.show_new(server, path)
    return path
