"""The code actions of a document, with their kinds and titles."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from lsprotocol import types

from boildown.jobs import inert
from boildown.lsp import arguments
from boildown.lsp.commands import candidates, common, history, report
from boildown.lsp.documents import Document
from boildown.lsp.server import Server
from boildown.lsp.settings import Settings
from boildown.lsp.shown import comments, edits, suspects
from boildown.targets import InputKind, Target
from boildown.targets.pytest_command import failed_last

KIND = "quickfix.boildown"
"""The root of all kinds: a menu of refactorings has none of them."""
KINDS = tuple(
    f"{KIND}.{name}"
    for name in (
        *("reduce", "generalize", "instantiate", "apply", "discard", "explain", "why", "debug"),
        *("restore", "report", "configure", "cancel", "live", "keep", "more"),
    )
)

MOST = 4
"""Actions that are offered beside those of others; one more stands for all beyond these."""

TITLES = {
    InputKind.LITERAL: "this string with",
    InputKind.DATA: "this data with",
    InputKind.BLOCK: "this code block with",
    InputKind.SELECTION: "the selection, the rest stays, with",
    InputKind.ALONE: "the selection alone with",
    InputKind.DOCUMENT: "with",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The code actions that a client asks for."""

    kinds: tuple[str, ...] | None
    """Kinds, or branches of kinds; None: all."""
    asked_for: bool
    """Whether the user asked, and not the editor for its light bulb."""

    @property
    def is_ours(self) -> bool:
        """Whether the user has asked for Boildown's actions, and for no other."""
        kinds = self.kinds or ("",)
        return all(f"{each}.".startswith(f"{KIND}.") for each in kinds)

    def has(self, kind: str) -> bool:
        """Say whether a kind is wanted."""
        if self.kinds is None:
            return True
        return any(each in ("", kind) or kind.startswith(f"{each}.") for each in self.kinds)


async def actions(
    server: Server,
    document: Document,
    chosen: Settings,
    extent: types.Range,
    wanted: Wanted,
) -> list[types.CodeAction]:
    """Return the code actions of the wanted kinds for a range of a document, the likeliest first.

    Where others show theirs, too, all beyond `MOST` stand behind one.
    """
    if not any(map(wanted.has, KINDS)):
        return []
    if document.uri in server.jobs:
        noun = server.jobs[document.uri].noun
        title, argument = f"Boildown: cancel the {noun}", {"uri": document.uri}
        found = [_action(title, "cancel", argument)]
        if server.jobs[document.uri].takes_edits:
            live = {"uri": document.uri, "open": True}
            title = "Boildown: edit the best text so far"
            found.append(_action(title, "live", live))
            found += _keep(document, extent)
    elif document.uri in server.live:
        found = list(_keep(document, extent))
    else:
        found = await _idle(server, document, chosen, extent, wanted)
    found = [action for action in found if wanted.has(str(action.kind))]
    can_ask = server.can("window", "show_message", "message_action_item")
    if wanted.is_ours or len(found) <= MOST or not can_ask:
        return found
    place = {"uri": document.uri, "range": arguments.plain(extent)}
    return [*found[:MOST], _action("Boildown: more…", "more", place)]


async def _idle(
    server: Server, document: Document, chosen: Settings, extent: types.Range, wanted: Wanted
) -> list[types.CodeAction]:
    """Return the actions for a document that no job is at work on."""
    targets, declined = await server.targets(document, chosen, extent)
    can_run = [target for target in targets if target.command is not None]
    can_disable = server.can("text_document", "code_action", "disabled_support")
    if not server.options.trusted:
        # Whether there is a command is no matter: nothing of the workspace is read for it.
        return [_disabled("Boildown: reduce", common.UNTRUSTED)] if can_disable else []
    reducing = [_run(document, extent, each, "reduce") for each in can_run]
    if declined and can_disable:
        reducing.insert(0, _disabled("Boildown: reduce this string", declined))
    patterns = [_run(document, extent, each, "generalize") for each in can_run]
    of_test = await asyncio.to_thread(_of_test, server, document, extent)
    of_pattern = list(_of_pattern(server, document, extent))
    about = await asyncio.to_thread(_about_reduced, server, document, extent, targets)
    # What was just found is gone on with; without it, one begins.
    if of_pattern:
        found = [*of_pattern, *about, *reducing, *patterns[:1], *of_test]
    elif len(about) > 1:
        found = [*about[:2], *patterns[:1], *about[2:], *reducing, *of_test]
    else:
        # Of an original that was reduced there is a report alone.
        found = [*reducing[:1], *patterns[:1], *reducing[1:], *about, *of_test]
    # Who selects something means that, and not all that was reduced.
    first = 0 if extent.start == extent.end else len(found)
    found[first:first] = _of_result(server, document, extent)
    found += patterns[1:]
    if can_run:
        found += _keep(document, extent)
    # In code that is no input there is nothing to set, but for a part that was selected.
    may_be_input = extent.start != extent.end or not common.is_python(document)
    if wanted.asked_for and not can_run and may_be_input:
        title = "Boildown: set a test command…"
        configure = {"uri": document.uri, "range": arguments.plain(extent)}
        found.append(_action(title, "configure", configure))
    return found


def _keep(document: Document, extent: types.Range) -> Iterator[types.CodeAction]:
    """Yield the action that keeps the selected text, if there is one."""
    if extent.start != extent.end:
        argument = {"uri": document.uri, "range": arguments.plain(extent)}
        yield _action("Boildown: keep this", "keep", argument)


def _run(document: Document, extent: types.Range, target: Target, verb: str) -> types.CodeAction:
    """Return the action that reduces or generalizes a failing input."""
    shown = inert.visible(target.shown)
    title = f"Boildown: {verb} {TITLES[target.kind]} {shown}"
    return _action(title, verb, _argument(document, extent, target))


def _argument(document: Document, extent: types.Range, target: Target) -> dict[str, Any]:
    argument: dict[str, Any] = {"uri": document.uri, "version": document.version}
    if extent.start != extent.end or target.kind is not InputKind.DOCUMENT:
        argument["range"] = arguments.plain(extent)
    argument["input"] = target.kind.value
    return argument


_TEST_NAME = re.compile(r"[ \t]*(?:async[ \t]+)?def[ \t]+test\w*")


def _of_test(server: Server, document: Document, extent: types.Range) -> list[types.CodeAction]:
    """Return the actions for the input of a test and for its project.

    They are for the name of a test, and for all of one that failed when pytest ran it last.
    """
    if not common.is_python(document):
        return []
    start, end = document.span(extent)
    line = document.starts[document.position(start).line]
    named = _TEST_NAME.match(document.text, line)
    if named is not None and end <= named.end():
        test = candidates.test_at(document, document.range(named.end(), named.end()))
    else:
        file = server.file(document)
        failed = failed_last(file, server.folder(file))
        test = candidates.test_at(document, extent) if failed else None
        test = test if test in failed else None
    if test is None:
        return []
    name = test.rpartition("::")[2]
    argument = {"uri": document.uri, "version": document.version, "test": test}
    return [
        _action(f"Boildown: reduce the input of {name}", "reduce", argument, "reduceTest"),
        _action(f"Boildown: minimal reproduction of {name}", "reduce", argument, "reduceProject"),
    ]


def _of_pattern(
    server: Server, document: Document, extent: types.Range
) -> Iterator[types.CodeAction]:
    """Yield the actions for an input whose pattern is known."""
    known = server.known.get(document.uri)
    start, end = document.span(extent)
    if known is None or end < known.start or known.end < start:
        return
    if not known.is_reduced:
        title = "Boildown: replace by the text of the pattern"
        spot = replace(known.target, start=known.start, end=known.end)
        change = edits.placing(document, spot, known.found.pattern.text)
        yield _edit(title, "apply", edits.edit(server, document, [change]))
    # Imported here: where no pattern is known, no job was loaded yet.
    from boildown.jobs.instances import FORMS

    for name, form in FORMS.items():
        if known.found.pattern.is_general or not form.needs_holes:
            argument = {"uri": document.uri, "form": name}
            yield _action(f"Boildown: {form.title}", "instantiate", argument)
    comment = comments.comment(document, known)
    if comment is not None:
        title = "Boildown: insert the pattern as a comment"
        yield _edit(title, "instantiate", edits.edit(server, document, [comment]))
    if known.target.kind is InputKind.DOCUMENT:
        title = "Boildown: match other files"
        yield _action(title, "instantiate", {"uri": document.uri}, "matchOthers")


def _of_result(
    server: Server, document: Document, extent: types.Range
) -> Iterator[types.CodeAction]:
    """Yield the actions on the last result, for the text that it is of."""
    result = server.results.get(document.uri)
    if result is None or not result.waits_for(document):
        return
    start, end = document.span(extent)
    if end < result.target.start or result.target.end < start:
        return
    change = edits.placing(document, result.target, result.reduced.text)
    yield _edit("Boildown: apply the result", "apply", edits.edit(server, document, [change]))
    yield _action("Boildown: discard the result", "discard", {"uri": document.uri})


def _about_reduced(
    server: Server, document: Document, extent: types.Range, targets: list[Target]
) -> list[types.CodeAction]:
    """Return the actions for a text that was reduced or is the result of that. Reads files."""
    found: list[types.CodeAction] = []
    whole = [each for each in targets if each.kind not in (InputKind.SELECTION, InputKind.ALONE)]
    if suspects.first(server, document.uri) is not None:
        found.append(_action(suspects.DEBUG, "debug", {"uri": document.uri}))
    for target in whole:
        if target.command is not None and report.diagnosis(server, document, target) is not None:
            argument = {**_argument(document, extent, target), "open": True}
            found.append(_action("Boildown: write a bug report", "report", argument))
            break
    for target in whole:
        record = history.original(target.text)
        if record is not None:
            argument = _argument(document, extent, target)
            if target.command is not None:
                found.append(_action("Boildown: why does it fail?", "why", argument))
            undo = {**argument, "step": 0}
            found.append(_action(history.title(record), "restore", undo, "history"))
            if target.command is not None:
                found.append(_action("Boildown: try without this", "explain", argument))
            break
    return found


def _disabled(title: str, reason: str) -> types.CodeAction:
    why = types.CodeActionDisabled(inert.message(reason))
    return types.CodeAction(title=title, kind=f"{KIND}.reduce", disabled=why)


def _action(title: str, kind: str, argument: dict[str, Any], command: str = "") -> types.CodeAction:
    """Return the action for a command, which has the name of its kind if no other is given."""
    run = types.Command(title, f"boildown.{command or kind}", arguments=[argument])
    return types.CodeAction(title=title, kind=f"{KIND}.{kind}", command=run)


def _edit(title: str, kind: str, edit: types.WorkspaceEdit) -> types.CodeAction:
    return types.CodeAction(title=title, kind=f"{KIND}.{kind}", edit=edit)
