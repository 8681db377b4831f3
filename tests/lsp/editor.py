"""A small editor for the tests: a pytest-lsp client that keeps documents and applies edits."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import register_lsp_features

from boildown.lsp.documents import Document
from lsp.forked import command

REDUCE = "quickfix.boildown.reduce"
CANCEL = "quickfix.boildown.cancel"


def converter() -> Any:
    """Return pytest-lsp's converter, but one that knows an action from a command."""
    made: Any = default_converter()  # type: ignore[no-untyped-call]

    def choose(value: Any, _type: Any) -> Any:
        is_command = isinstance(value.get("command"), str)
        return made.structure(value, types.Command if is_command else types.CodeAction)

    made.register_structure_hook_func(
        lambda each: getattr(each, "__args__", None) == (types.Command, types.CodeAction), choose
    )
    return made


class Editor:
    """One client with its documents; edits are applied as VS Code applies them."""

    def __init__(self) -> None:
        self.client = LanguageClient(converter_factory=converter)
        register_lsp_features(self.client)
        self.documents: dict[str, Document] = {}
        self.edits: list[types.ApplyWorkspaceEditParams] = []
        self.live: list[Any] = []
        self.previews: list[Any] = []
        self.patterns: list[Any] = []
        self.told: list[Any] = []
        self.takes_edits = True
        self.questions: list[types.ShowMessageRequestParams] = []
        self.says = ""
        """The answer to a question; nothing if empty."""
        self.client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)(lambda params: self.answer(params))
        self.client.feature(types.WORKSPACE_APPLY_EDIT)(lambda params: self.apply(params))
        self.client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda _params: None)
        self.client.feature("boildown/progress")(lambda params: self.live.append(params))
        self.client.feature("boildown/preview")(lambda params: self.previews.append(params))
        self.client.feature("boildown/message")(lambda params: self.told.append(params))
        self.client.feature("boildown/pattern")(lambda params: self.patterns.append(params))

    @property
    def pid(self) -> int:
        assert self.client._server is not None
        return self.client._server.pid

    @property
    def messages(self) -> list[str]:
        return [message.message for message in self.client.messages]

    async def start(
        self,
        folder: Path,
        options: dict[str, Any] | None = None,
        capabilities: types.ClientCapabilities | None = None,
        alone: bool = False,
    ) -> types.InitializeResult:
        """Start a server, `alone` as a process by itself, which can be killed."""
        await self.client.start_io(*command(alone), "lsp", "--stdio", env={**os.environ})
        return await self.client.initialize_session(
            types.InitializeParams(
                capabilities=capabilities or client_capabilities("visual-studio-code"),
                root_uri=folder.as_uri(),
                workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name)],
                initialization_options=options or {},
            )
        )

    def open(self, uri: str, text: str, language_id: str = "plaintext") -> str:
        self.documents[uri] = Document(uri, 1, language_id, text)
        item = types.TextDocumentItem(uri, language_id, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def write(self, path: Path, text: str, language_id: str = "plaintext") -> str:
        """Write a file and open it; return its URI."""
        path.write_bytes(text.encode())
        return self.open(path.as_uri(), text, language_id)

    def text(self, uri: str) -> str:
        return self.documents[uri].text

    def change(self, uri: str, changes: list[types.TextDocumentContentChangeEvent]) -> None:
        old = self.documents[uri]
        self.documents[uri] = old.changed(old.version + 1, changes)
        identifier = types.VersionedTextDocumentIdentifier(version=old.version + 1, uri=uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))

    def type(self, uri: str, text: str) -> None:
        """Put a text at the end of a document."""
        document = self.documents[uri]
        end = document.range(len(document.text), len(document.text))
        self.change(uri, [types.TextDocumentContentChangePartial(end, text)])

    def answer(self, params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        self.questions.append(params)
        answers = [item for item in params.actions or () if item.title == self.says]
        return answers[0] if answers else None

    def apply(self, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        self.edits.append(params)
        if not self.takes_edits:
            return types.ApplyWorkspaceEditResult(applied=False)
        for uri, version, changes in _changes(params.edit):
            if uri not in self.documents:
                self.open(uri, Path(unquote(urlsplit(uri).path)).read_text())
            if version is not None and version != self.documents[uri].version:
                return types.ApplyWorkspaceEditResult(applied=False)
            # All edits are of the document as it was, so they are made from its end.
            changes.sort(key=lambda e: (e.range.start.line, e.range.start.character), reverse=True)
            self.change(
                uri, [types.TextDocumentContentChangePartial(e.range, e.new_text) for e in changes]
            )
        return types.ApplyWorkspaceEditResult(applied=True)

    async def actions(
        self,
        uri: str,
        extent: types.Range | None = None,
        only: list[str] | None = None,
        trigger: types.CodeActionTriggerKind = types.CodeActionTriggerKind.Automatic,
    ) -> dict[str, types.CodeAction]:
        """Return the code actions by their titles."""
        start = types.Position(0, 0)
        context = types.CodeActionContext([], only=only, trigger_kind=trigger)
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri), extent or types.Range(start, start), context
            )
        )
        actions = [each for each in found or [] if isinstance(each, types.CodeAction)]
        assert len(actions) == len(found or [])
        return {action.title: action for action in actions}

    async def take(self, action: types.CodeAction) -> None:
        """Choose a code action with an edit, which is asked for now if it was left out."""
        assert action.edit is None or action.data is None
        if action.edit is None:
            action = await self.client.code_action_resolve_async(action)
        assert action.edit is not None
        assert self.apply(types.ApplyWorkspaceEditParams(action.edit)).applied

    async def run(self, command: str, *arguments: Any) -> Any:
        params = types.ExecuteCommandParams(command=command, arguments=list(arguments))
        return await self.client.workspace_execute_command_async(params)

    async def follow(self, action: types.CodeAction) -> Any:
        """Choose a code action that reduces; return what the server says at the end."""
        assert action.command is not None
        arguments: Any = action.command.arguments
        return await self.run(action.command.command, {**arguments[0], "wait": True})

    async def reduce(self, uri: str, **more: Any) -> Any:
        """Reduce a document; return what the server says at the end."""
        return await self.run("boildown.reduce", {"uri": uri, "wait": True, **more})

    async def hover(self, uri: str, line: int = 0, character: int = 0) -> str:
        found = await self.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        )
        assert found is None or isinstance(found.contents, types.MarkupContent)
        return "" if found is None else found.contents.value  # type: ignore[union-attr]

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Wait until something is the case; return it."""
        for _ in range(6000):
            if value := condition():
                return value
            await asyncio.sleep(0.01)
        raise AssertionError(f"never came; messages: {self.messages}")

    def tokens(self) -> list[types.ProgressToken]:
        """Return the tokens of the jobs whose progress has begun."""
        return [token for token, reports in self.client.progress_reports.items() if reports]

    def progress(self, token: types.ProgressToken) -> list[Any]:
        """Return what was reported for a token: begin, reports, end."""
        return list[Any](self.client.progress_reports[token])

    async def stop(self) -> None:
        await self.client.shutdown_session()


def _changes(
    edit: types.WorkspaceEdit,
) -> list[tuple[str, int | None, list[types.TextEdit]]]:
    if edit.document_changes is None:
        return [(uri, None, list(edits)) for uri, edits in (edit.changes or {}).items()]
    changes = []
    for each in edit.document_changes:
        assert isinstance(each, types.TextDocumentEdit)
        edits = [change for change in each.edits if isinstance(change, types.TextEdit)]
        changes.append((each.text_document.uri, each.text_document.version, edits))
    return changes


@contextlib.asynccontextmanager
async def editor(
    folder: Path,
    options: dict[str, Any] | None = None,
    capabilities: types.ClientCapabilities | None = None,
) -> AsyncIterator[Editor]:
    """Run a server for the length of a block."""
    made = Editor()
    await made.start(folder, options, capabilities)
    try:
        yield made
    finally:
        await made.stop()
        await made.client.stop()  # type: ignore[no-untyped-call]
