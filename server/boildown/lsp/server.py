"""The language server's state for one client: documents, jobs, results, settings."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from boildown import config, history, targets
from boildown.jobs import inert, words
from boildown.lsp import settings
from boildown.lsp.documents import Document
from boildown.lsp.job import Job
from boildown.lsp.notifications import Notification
from boildown.lsp.protocol import Protocol
from boildown.lsp.settings import ClientOptions, ConfigFiles, Settings
from boildown.lsp.uris import path_of, uri_of
from boildown.targets import NAMES

if TYPE_CHECKING:
    from boildown.jobs.explain import Explanation
    from boildown.jobs.reduce import Reduced
    from boildown.lsp.known import Known
    from boildown.lsp.live_document import LiveDocument
    from boildown.targets import Target
    from boildown.targets.test_command import TestCommand

Params = TypeVar("Params")

_LINE_END = 10_000
"""A character that no line reaches; it stands for the line's end."""
_BY = "Boildown: "
LONGEST_TOLD = words.SHORT - len(_BY)
"""Characters of a message that an editor shows beside the name."""
PATIENCE = 2.0
"""Seconds to wait for a client's answer that we can do without."""


def inside(uri: str, folder: str) -> bool:
    """Say whether a URI is that of a folder or of a file in it; a file counts as its own folder."""
    return uri == folder or uri.startswith(folder.rstrip("/") + "/")


def diagnostic(
    extent: types.Range,
    message: str,
    severity: types.DiagnosticSeverity = types.DiagnosticSeverity.Information,
) -> types.Diagnostic:
    """Return a mark of Boildown's with a message, in which others' text is inert."""
    return types.Diagnostic(extent, inert.visible(message), severity=severity, source="boildown")


@dataclass(frozen=True)
class Result:
    """A reduction that has ended."""

    document: Document
    """The version that it began with."""
    target: Target
    reduced: Reduced
    output: Path | None = None
    """The file that was written beside the document; None if there is none."""

    @cached_property
    def after(self) -> str:
        """The document's text with the result in it."""
        return self.target.document(self.document.text, self.reduced.text)

    def waits_for(self, document: Document) -> bool:
        """Say whether a document holds the text that was reduced, so that it may be applied."""
        return document.text == self.document.text != self.after

    def stands_in(self, document: Document) -> bool:
        """Say whether a document holds the result, so that it may be taken back."""
        after = history.normal(self.after)
        return history.normal(document.text) == after != history.normal(self.document.text)

    def led_to(self, target: Target) -> bool:
        """Say whether a failing input is its text, judged as in the reduction."""
        own = self.target
        is_same = (target.kind, target.shown) == (own.kind, own.shown)
        return is_same and target.text == self.reduced.text

    def place(self, document: Document) -> tuple[int, int] | None:
        """Return the offsets of its input in a document with the original or the result."""
        start = self.target.start
        if history.normal(document.text) == history.normal(self.document.text):
            return start, self.target.end
        if self.stands_in(document):
            return start, start + len(self.target.written(self.reduced.text))
        return None

    def record(self) -> history.Record:
        """Return the record of its steps for the history."""
        target, reduced = self.target, self.reduced
        return history.Record(
            self.document.uri,
            NAMES[target.kind],
            target.shown,
            reduced.language,
            words.stated(reduced.reduction.certificate),
            reduced.reduction.finished,
            reduced.history,
        )


@dataclass(frozen=True, slots=True)
class OfferedCandidate:
    """An input of a failing test that was found, with the document that it stands in."""

    document: Document
    """Open, or as it is on disk."""
    target: Target


@dataclass(frozen=True, slots=True)
class Located:
    """The smallest text of an input whose suspects were ranked, and its test command."""

    text: str
    command: TestCommand


@dataclass(frozen=True, slots=True)
class GivenExplanation:
    """An explanation that was given, kept for hovers."""

    document: Document
    target: Target
    explanation: Explanation


@dataclass(eq=False)
class CommandCall:
    """A command under way."""

    task: asyncio.Task[Any]
    request: int | str | None
    uri: str
    begins: bool
    """Whether it will begin a job, and has not yet."""
    is_off: bool = False
    """Whether the user has cancelled it before."""


class Server(LanguageServer):
    """A language server with Boildown's state."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("boildown", metadata.version("boildown"), protocol_cls=Protocol)
        self.documents: dict[str, Document] = {}
        self.watchers: list[Callable[[Document], None]] = []
        """Called with each new version of a document."""
        self.jobs: dict[str, Job] = {}
        """The running jobs, by the URI of their document."""
        self.results: dict[str, Result] = {}
        """The last result for each document."""
        self.known: dict[str, Known] = {}
        """The pattern that is known of each document."""
        self.shown: dict[str, Known] = {}
        """The pattern that the client shows in each document."""
        self.marked: dict[str, tuple[str, ...]] = {}
        """The other files that are marked as failing like each document."""
        self.explained: dict[str, GivenExplanation] = {}
        """The last explanation for each document."""
        self.offered: dict[str, OfferedCandidate] = {}
        """The inputs that `boildown.candidates` has found last, by their ids."""
        self.commands: dict[str, Callable[..., Coroutine[Any, Any, Any]]] = {}
        """The functions that execute the commands of the table, by their names."""
        self.calls: list[CommandCall] = []
        """The commands under way."""
        self.choices: dict[str, Mapping[str, Callable[[], Awaitable[str]]]] = {}
        """What the last message about each document has offered, by the titles."""
        self.live: dict[str, LiveDocument] = {}
        """The live documents of reductions, by their URIs."""
        self.suspected: dict[str, dict[str, list[types.Diagnostic]]] = {}
        """The suspects for each input, by the files that they stand in, the first one's before."""
        self.located: dict[str, Located] = {}
        """The smallest text of each input whose suspects were ranked."""
        self.kept: dict[str, tuple[str, ...]] = {}
        """The parts of each document that the user wants to be kept."""
        self.options = ClientOptions()
        """The initialization options, without the settings among them."""
        self.config_files = ConfigFiles(self.flag)
        self._settings: dict[str, Settings] = {}
        self._initial: Mapping[str, Any] = {}
        self._pushed: Mapping[str, Any] = {}
        self._diagnostics: dict[str, dict[str, list[types.Diagnostic]]] = {}
        self.left_alone: Callable[[], None] = lambda: None
        """Called on any thread when the client's process has ended."""
        self.ended = threading.Event()
        """Set when nobody is served any more."""
        self._begun: set[asyncio.Task[Any]] = set()

    def take_options(self, given: object) -> None:
        """Take the initialization options, the settings among them."""
        self._initial = given if isinstance(given, Mapping) else {}
        self.options = settings.read_options(self._initial)

    @property
    def encoding(self) -> str:
        """The units that the client counts characters in."""
        chosen = self.workspace.position_encoding
        return chosen.value if isinstance(chosen, types.PositionEncodingKind) else str(chosen)

    def can(self, *path: str) -> bool:
        """Say whether the client declared a capability, named by its path."""
        value: object = self.client_capabilities
        for name in path:
            value = getattr(value, name, None)
        return value is not None and value is not False

    def tell(
        self, message: str, kind: types.MessageType = types.MessageType.Info, brief: str = ""
    ) -> None:
        """Show a message to the user, in brief if it is long; the log has all of it."""
        whole = inert.message(message)
        shown = words.fitting(inert.message(brief) if brief else whole, LONGEST_TOLD)
        if shown != whole:
            self.log(message, kind)
        self.window_show_message(types.ShowMessageParams(kind, f"{_BY}{shown}"))

    def log(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Write to the client's log."""
        self.window_log_message(types.LogMessageParams(kind, inert.visible(message, keep="\n\t")))

    def send(self, notification: Notification[Params], params: Params) -> None:
        """Send one of Boildown's own notifications to the client."""
        self.protocol.notify(notification.method, params)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Write pygls's own errors to the log rather than into the user's face."""
        self.log(f"{type(error).__name__}: {error}", types.MessageType.Error)

    def flag(self, path: Path, problems: Iterable[config.ConfigProblem]) -> None:
        """Publish the problems of a configuration file as diagnostics, to the lines' ends."""
        uri = uri_of(path)
        document = self.documents.get(uri)
        diagnostics = []
        for problem in problems:
            line, column = max(problem.line, 1) - 1, max(problem.column, 1) - 1
            start, end = types.Position(line, column), types.Position(line, _LINE_END)
            if document is not None:
                start, end = (document.position(document.offset(each)) for each in (start, end))
            extent = types.Range(start, end)
            diagnostics.append(diagnostic(extent, problem.message, types.DiagnosticSeverity.Error))
        self.publish(uri, "configuration", diagnostics)

    def publish(self, uri: str, about: str, diagnostics: list[types.Diagnostic]) -> None:
        """Show diagnostics of one sort, beside those of other sorts; send them if they are news."""
        known = self._diagnostics.setdefault(uri, {})
        if known.get(about, []) == diagnostics:
            return
        known[about] = diagnostics
        document = self.documents.get(uri)
        version = document.version if document is not None else None
        every = [each for sort in known.values() for each in sort]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, every, version))

    def ask(self, question: str, answers: Mapping[str, Callable[[], None]]) -> None:
        """Ask the user, if the client can; call what belongs to the answer. Nobody waits for it."""
        if not self.can("window", "show_message", "message_action_item"):
            return

        def answered(item: types.MessageActionItem | None) -> None:
            if item is not None and item.title in answers:
                answers[item.title]()

        actions = [types.MessageActionItem(answer) for answer in answers]
        params = types.ShowMessageRequestParams(
            types.MessageType.Info, f"{_BY}{inert.message(question)}", actions
        )
        self.window_show_message_request(params, answered)

    def refresh_hints(self) -> None:
        """Have the client ask for the inlay hints again."""
        if self.can("workspace", "inlay_hint", "refresh_support"):
            self.workspace_inlay_hint_refresh(None)

    def begin(self, doing: Coroutine[Any, Any, Any]) -> None:
        """Do something for which nobody waits."""
        task = asyncio.create_task(doing)
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)

    async def settings(self, uri: str) -> Settings:
        """Return the settings for a document, asked for once until they change."""
        if uri not in self._settings:
            pulled = await self._pull(uri)
            merged = {**self._initial, **self._pushed, **pulled}
            self._settings[uri] = settings.read(merged)
            for problem in self._settings[uri].problems:
                self.tell(problem, types.MessageType.Warning)
        return self._settings[uri]

    def forget_settings(self, pushed: object) -> None:
        """Have the settings asked for again; some clients send the new ones along."""
        self._settings.clear()
        if isinstance(pushed, Mapping):
            section = pushed.get("boildown", {})
            self._pushed = section if isinstance(section, Mapping) else {}

    async def _pull(self, uri: str) -> Mapping[str, Any]:
        if not self.can("workspace", "configuration"):
            return {}
        item = types.ConfigurationItem(scope_uri=uri, section="boildown")
        with contextlib.suppress(Exception):  # A client that fails here has no settings.
            asked = self.workspace_configuration_async(types.ConfigurationParams([item]))
            answers = await asyncio.wait_for(asked, PATIENCE)
            if answers and isinstance(answers[0], Mapping):
                return {name: v for name, v in answers[0].items() if v is not None}
        return {}

    def entries(self, document: Document, chosen: Settings) -> tuple[config.InputEntry, ...]:
        """Return the entries that may hold for a document, those from the editor first.

        In a workspace that is not trusted they name no grammar of it.
        """
        file = self.file(document)
        own = config.load_settings(list(chosen.inputs), self.folder(file))[0]
        entries = (*own, *self.config_files.entries(file.parent))
        if self.options.trusted:
            return entries
        # A grammar file is the workspace's own; the name of a language is harmless.
        from boildown.jobs.understand import listed

        names = {each["name"] for each in listed()}
        return tuple(
            replace(
                entry,
                language=entry.language if str(entry.language).lower() in names else None,
                languages=(),
            )
            for entry in entries
        )

    async def targets(
        self, document: Document, chosen: Settings, extent: types.Range | None
    ) -> tuple[list[Target], str]:
        """Return the failing inputs at a range of a document, as `boildown.targets.find` does.

        Python and Markdown are read on a thread, so that other requests need not wait.
        """
        file = self.file(document)
        start, end = document.span(extent) if extent is not None else (0, 0)
        place = targets.Cursor(
            document.text,
            file,
            document.language_id,
            start,
            end,
            self.entries(document, chosen),
            self.folder(file),
            self.options.test_interpreter,
        )
        if not (place.is_python or place.is_test or place.is_markdown):
            return targets.find(place)
        found = await asyncio.to_thread(targets.find, place)
        if place.is_python:
            self.tidy()
        return found

    def led_to(self, document: Document, target: Target) -> Reduced | None:
        """Return the reduction that led to a failing input, if it is the last in its document."""
        result = self.results.get(document.uri)
        return result.reduced if result is not None and result.led_to(target) else None

    def rename(self, old: str, new: str) -> None:
        """Have a document's job, result and kept parts go by its other URI, or its folder's."""
        for uri in [each for each in self.jobs if inside(each, old)]:
            job = self.jobs.pop(uri)
            job.document = replace(job.document, uri=new + uri[len(old) :])
            self.jobs[job.document.uri] = job
        for uri in [each for each in self.results if inside(each, old)]:
            self.results[new + uri[len(old) :]] = self.results.pop(uri)
        for uri in [each for each in self.kept if inside(each, old)]:
            self.kept[new + uri[len(old) :]] = self.kept.pop(uri)

    def release(self, job: Job) -> None:
        """Give the document of a job free for another one."""
        if self.jobs.get(job.document.uri) is job:
            del self.jobs[job.document.uri]

    def drop_jobs(self) -> list[Job]:
        """Cancel all jobs, and show no result of theirs; return them."""
        jobs = list(self.jobs.values())
        for job in jobs:
            job.cancel()
            if job.task is not None:
                job.task.cancel()
        return jobs

    def tidy(self) -> None:
        """Collect the garbage of large trees, unless a job has one of its own."""
        if not self.jobs:
            gc.collect()

    def file(self, document: Document) -> Path:
        """Return the path of a document; one that was never saved gets one in the workspace."""
        path = path_of(document.uri)
        return self.folder(None) / document.name if path is None else path

    def folder(self, file: Path | None) -> Path:
        """Return the workspace folder that a file lies in, else its own directory."""
        uris = [*self.workspace.folders, self.workspace.root_uri or ""]
        folders = [path for uri in uris if (path := path_of(uri)) is not None]
        around = [folder for folder in folders if file is not None and file.is_relative_to(folder)]
        if around:
            return max(around, key=lambda folder: len(folder.parts))
        if file is not None:
            return file.parent
        return folders[0] if folders else Path.cwd()
