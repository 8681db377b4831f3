"""The handlers of the language server's requests and notifications, and its start and end.

A handler converts, calls, and converts back; the handlers of commands come from the table in
`boildown.lsp.commands.table`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from lsprotocol import types

from boildown.lsp import actions, leaving, lenses, resolving
from boildown.lsp.commands import configure
from boildown.lsp.commands.table import COMMANDS, Command
from boildown.lsp.documents import Document
from boildown.lsp.job import Job
from boildown.lsp.server import PATIENCE, Server, inside
from boildown.lsp.shown import hovers, keeping, live, patterns, suspects
from boildown.lsp.transport import serve_port, serve_stdio, serve_web

JOIN = 1.0
"""Seconds that the jobs get at the end to kill their test commands; what runs then, the guardians
kill."""


def create() -> Server:
    """Return a server with all its handlers."""
    server = Server()
    server.protocol.withdrawn = lambda number: _withdraw(server, number)
    for method, handler in _FEATURES.items():
        server.feature(method, _OPTIONS.get(method))(handler)
    for command in COMMANDS:
        server.command(command.name)(_handler(command))
        server.commands[command.name] = command.execute
    described = [command.described for command in COMMANDS]
    server.protocol.experimental = {"boildown": {"commands": described}}
    return server


def _handler(command: Command) -> Callable[..., Awaitable[dict[str, Any]]]:
    # The parameter's name has pygls pass the server.
    async def execute(ls: Server, *given: Any) -> dict[str, Any]:
        number = ls.protocol.msg_id
        if number is not None and not ls.protocol.is_waited_for(number):
            return {}
        return await command.execute(ls, given, number)

    return execute


def initialize(ls: Server, params: types.InitializeParams) -> None:
    """Take the initialization options."""
    asyncio.get_running_loop().set_exception_handler(_handle)
    ls.take_options(params.initialization_options)
    if params.process_id is not None:
        leaving.watch(params.process_id, lambda: ls.left_alone(), ls.ended)


def _handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report an exception that nobody caught, but not the cancellations at the server's end."""
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        loop.default_exception_handler(context)


async def initialized(ls: Server, _params: types.InitializedParams) -> None:
    """Register for changes of the settings, pytest's cache and programs, as far as possible."""
    watched = [types.FileSystemWatcher(glob) for glob in (lenses.CACHE, suspects.PROGRAMS)]
    wanted = {
        "did_change_configuration": (
            types.WORKSPACE_DID_CHANGE_CONFIGURATION,
            types.DidChangeConfigurationRegistrationOptions(section="boildown"),
        ),
        "did_change_watched_files": (
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            types.DidChangeWatchedFilesRegistrationOptions(watched),
        ),
    }
    registrations = [
        types.Registration(id=method, method=method, register_options=options)
        for capability, (method, options) in wanted.items()
        if ls.can("workspace", capability, "dynamic_registration")
    ]
    if registrations:
        with contextlib.suppress(Exception):  # What is known is then that of the start.
            await ls.client_register_capability_async(types.RegistrationParams(registrations))


def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Remember a document."""
    item = params.text_document
    ls.documents[item.uri] = Document(
        item.uri, item.version, str(item.language_id), item.text, ls.encoding
    )
    configure.publish(ls, ls.documents[item.uri])


def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Follow a document's changes."""
    identifier = params.text_document
    document = ls.documents.get(identifier.uri)
    if document is not None:
        for change in params.content_changes:
            before, document = document, document.changed(identifier.version, [change])
            patterns.follow(ls, before, document)
        ls.documents[identifier.uri] = document
        patterns.refresh(ls, document)
        keeping.show(ls, document)
        suspects.forget(ls, document.uri)
        for look in tuple(ls.watchers):
            look(document)
        configure.publish(ls, document)


def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    """Have the lenses asked for again, since tests are run then, and a live document tried."""
    lenses.refresh(ls)
    if (document := ls.documents.get(params.text_document.uri)) is not None:
        live.saved(ls, document)


def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Forget the suspects of programs that have changed, and have the lenses asked for again."""
    gone = [suspects.forget(ls, each.uri) for each in params.changes]
    if any(gone) or any(each.uri.endswith("/lastfailed") for each in params.changes):
        lenses.refresh(ls)


def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Forget a document; a job on it ends soon, unless it is there again under any name."""
    uri = params.text_document.uri
    ls.documents.pop(uri, None)
    patterns.forget(ls, uri)
    live.closed(ls, uri)
    if (job := ls.jobs.get(uri)) is not None:
        # A client that renames a document closes it, opens the other one and tells of it last.
        asyncio.get_running_loop().call_later(PATIENCE, _end_if_closed, ls, job)


def _end_if_closed(ls: Server, job: Job) -> None:
    if job.document.uri not in ls.documents:
        job.cancel()


def did_rename_files(ls: Server, params: types.RenameFilesParams) -> None:
    """Have jobs and results follow their documents to other names."""
    for each in params.files:
        ls.rename(each.old_uri, each.new_uri)


def did_delete_files(ls: Server, params: types.DeleteFilesParams) -> None:
    """End the jobs on documents that are deleted, with the best so far."""
    for each in params.files:
        for uri, job in ls.jobs.items():
            if inside(uri, each.uri):
                job.cancel()


def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """Have the settings read again."""
    ls.forget_settings(params.settings)
    lenses.refresh(ls)


async def code_action(
    ls: Server, params: types.CodeActionParams
) -> list[types.CodeAction | types.Command]:
    """Return the code actions for a document or a selection in it."""
    chosen = await ls.settings(params.text_document.uri)
    document = ls.documents.get(params.text_document.uri)
    if document is None:
        return []
    only = params.context.only
    wanted = actions.Wanted(
        None if only is None else tuple(map(_value, only)),
        params.context.trigger_kind is not types.CodeActionTriggerKind.Automatic,
    )
    found = await actions.actions(ls, document, chosen, params.range, wanted)
    if ls.can("text_document", "code_action", "code_action_literal_support"):
        return [resolving.deferred(ls, each, document, params.range) for each in found]
    return [action.command for action in found if action.command is not None]


async def code_action_resolve(ls: Server, action: types.CodeAction) -> types.CodeAction:
    """Return a code action with its edit, which was left out where it was offered."""
    return await resolving.resolved(ls, action)


async def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Return the lenses above the failing tests of a document."""
    document = ls.documents.get(params.text_document.uri)
    return [] if document is None else await lenses.lenses(ls, document)


def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """Return the hover at a position: a job's state, an explanation, a pattern or a result."""
    document = ls.documents.get(params.text_document.uri)
    return None if document is None else hovers.hover(ls, document, params.position)


def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    """Return inlay hints with the names of a pattern's holes, and the values at suspects."""
    document, extent = ls.documents.get(params.text_document.uri), params.range
    if document is None:
        return []
    return [*patterns.hints(ls, document, extent), *suspects.hints(ls, document, extent)]


def cancel_progress(ls: Server, params: types.WorkDoneProgressCancelParams) -> None:
    """Cancel the job whose progress the user cancelled."""
    for job in ls.jobs.values():
        if job.token == params.token:
            job.cancel()


async def shutdown(ls: Server, _params: None) -> None:
    """End all jobs, so that nothing is left to do."""
    jobs = ls.drop_jobs()
    await asyncio.gather(*(job.task for job in jobs if job.task), return_exceptions=True)
    ls.protocol.drop_pending()


def _withdraw(server: Server, number: int | str) -> None:
    """Cancel the job whose waiting request the client gave up, or the command that begins it."""
    waited = [job for job in server.jobs.values() if job.request == number]
    for job in waited:
        job.cancel()
    for call in server.calls:
        if call.request == number and not waited:
            call.task.cancel()


def _value(kind: object) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else str(kind)


_FEATURES: dict[str, Any] = {
    types.INITIALIZE: initialize,
    types.INITIALIZED: initialized,
    types.SHUTDOWN: shutdown,
    types.TEXT_DOCUMENT_DID_OPEN: did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: did_change,
    types.TEXT_DOCUMENT_DID_CLOSE: did_close,
    types.TEXT_DOCUMENT_DID_SAVE: did_save,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_watched_files,
    types.WORKSPACE_DID_RENAME_FILES: did_rename_files,
    types.WORKSPACE_DID_DELETE_FILES: did_delete_files,
    types.TEXT_DOCUMENT_CODE_ACTION: code_action,
    types.CODE_ACTION_RESOLVE: code_action_resolve,
    types.TEXT_DOCUMENT_CODE_LENS: code_lens,
    types.TEXT_DOCUMENT_HOVER: hover,
    types.TEXT_DOCUMENT_INLAY_HINT: inlay_hint,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: cancel_progress,
}
_ANY_FILE = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**"), scheme="file")]
)
_OPTIONS: dict[str, Any] = {
    types.WORKSPACE_DID_RENAME_FILES: _ANY_FILE,
    types.WORKSPACE_DID_DELETE_FILES: _ANY_FILE,
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(
        code_action_kinds=list(actions.KINDS), resolve_provider=True
    ),
}


def main(argv: Sequence[str]) -> int:
    """Serve the client, or those of a port, as the arguments say; return the exit status."""
    options = _parser().parse_args(argv)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(message)s")
    # What pygls finds odd about a client's messages is said in the answers.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    _let_others_in()
    try:
        if options.tcp is not None:
            serve_port(create, end, options.tcp)
        elif options.ws is not None:
            serve_web(create, end, options.ws)
        else:
            return serve_stdio(create(), end)
    except (OSError, OverflowError) as error:
        print(f"boildown lsp: {getattr(error, 'strerror', None) or error}", file=sys.stderr)
        return 2
    except ImportError:
        told = "a WebSocket needs another package: pip install 'pygls[ws]'"
        print(f"boildown lsp: {told}", file=sys.stderr)
        return 2
    return 0


def _let_others_in() -> None:
    """Set thread switches and garbage collection so that no request waits long for a job.

    A job on a large input has millions of objects, none of them in cycles; the collector looks at
    the young ones often and briefly, and at all of them only when no job is under way.
    """
    sys.setswitchinterval(0.001)
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 2, 1_000_000)
    gc.enable()


def end(server: Server, jobs: Sequence[Job]) -> None:
    """Give jobs that were told to stop a moment to kill their processes."""
    server.ended.set()
    latest = time.monotonic() + JOIN
    for job in jobs:
        job.join(max(0.0, latest - time.monotonic()))
    for document in server.live.values():
        live.remove(document)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="boildown lsp", description="The language server.")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="standard input and output (default)")
    way.add_argument("--tcp", type=int, metavar="PORT", help="a port of this machine")
    way.add_argument("--ws", type=int, metavar="PORT", help="WebSocket, on a port of this machine")
    return parser
