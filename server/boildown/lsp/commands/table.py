"""The table of the server's commands (`workspace/executeCommand`): one row for each.

It makes the server's `executeCommandProvider`, the list that `initialize` gives to clients, and the
test of `docs/protocol.md`. To add a command, write its file in this folder, with its function and,
where it has keys of its own, its argument, and add a row here. The file must not import the engine
before that is used, so that the server starts fast.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from boildown.lsp import arguments
from boildown.lsp.arguments import Argument, DocumentArgument
from boildown.lsp.commands.cancel import cancel
from boildown.lsp.commands.candidates import TestArgument, candidates, failed_tests, reduce_test
from boildown.lsp.commands.check import check
from boildown.lsp.commands.choose import ChooseArgument, choose
from boildown.lsp.commands.common import NOTHING_FOUND, Answer, Refused, cancelled_ended, refused
from boildown.lsp.commands.configure import ConfigureArgument, configure
from boildown.lsp.commands.debug import debug
from boildown.lsp.commands.explain import explain
from boildown.lsp.commands.generalize import generalize
from boildown.lsp.commands.history import HistoryArgument, history
from boildown.lsp.commands.instantiate import InstantiateArgument, instantiate
from boildown.lsp.commands.keep import keep
from boildown.lsp.commands.live import LiveArgument, live
from boildown.lsp.commands.match_others import match_others
from boildown.lsp.commands.more import more
from boildown.lsp.commands.reduce import reduce
from boildown.lsp.commands.reduce_folder import FolderArgument, reduce_folder, reduce_project
from boildown.lsp.commands.report import ReportArgument, report
from boildown.lsp.commands.results import apply, discard, undo
from boildown.lsp.commands.tree import tree
from boildown.lsp.commands.why import why
from boildown.lsp.server import CommandCall, Server


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its name, its argument and its function."""

    name: str
    argument: type[DocumentArgument]
    function: Callable[[Server, Any], Awaitable[Answer]]
    job: bool
    """Whether it starts a job, which shows progress and whose end `wait` waits for."""
    shown: bool
    """Whether the job finds texts or a pattern that a client may show as they come."""
    optional: bool
    """Whether it may come without an argument; its function then gets None."""

    async def execute(
        self, server: Server, given: Sequence[Any], request: int | str | None = None
    ) -> Answer:
        """Run the command with a client's arguments. Raises JsonRpcInvalidParams."""
        is_absent = self.optional and not given
        argument = None if is_absent else arguments.read(self.argument, self.name, given)
        uri = "" if argument is None else argument.uri
        task = asyncio.current_task()
        assert task is not None
        call = CommandCall(task, request, uri, self.job)
        server.calls.append(call)
        try:
            if self.job:
                await cancelled_ended(server, uri)
            return await self.function(server, argument)
        except Refused as why:
            return refused(server, why, uri)
        except asyncio.CancelledError:
            if not call.is_off:
                raise
            return {"state": "cancelled", "message": NOTHING_FOUND}
        finally:
            server.calls.remove(call)

    @property
    def described(self) -> dict[str, Any]:
        """The command as `initialize` tells clients of it."""
        return {"name": self.name, "job": self.job, "shown": self.shown}


def _command(
    name: str,
    argument: type[Argument],
    function: Callable[[Server, Argument], Awaitable[Answer]],
    *,
    job: bool = False,
    shown: bool = False,
    optional: bool = False,
) -> Command:
    """Return a row; the type checker compares the argument with the function's."""
    return Command(f"boildown.{name}", argument, function, job, shown, optional)


COMMANDS = (
    _command("reduce", DocumentArgument, reduce, job=True, shown=True),
    _command("reduceFolder", FolderArgument, reduce_folder, job=True, shown=True),
    _command("reduceProject", TestArgument, reduce_project, job=True, shown=True),
    _command("apply", DocumentArgument, apply),
    _command("undo", DocumentArgument, undo),
    _command("discard", DocumentArgument, discard),
    _command("live", LiveArgument, live),
    _command("keep", DocumentArgument, keep),
    _command("generalize", DocumentArgument, generalize, job=True, shown=True),
    _command("failedTests", TestArgument, failed_tests),
    _command("candidates", TestArgument, candidates, job=True),
    _command("reduceTest", TestArgument, reduce_test, job=True, shown=True),
    _command("instantiate", InstantiateArgument, instantiate),
    _command("matchOthers", DocumentArgument, match_others),
    _command("explain", DocumentArgument, explain, job=True),
    _command("why", DocumentArgument, why, job=True),
    _command("debug", DocumentArgument, debug),
    _command("history", HistoryArgument, history),
    _command("tree", DocumentArgument, tree),
    _command("check", DocumentArgument, check, job=True),
    _command("report", ReportArgument, report, job=True),
    _command("configure", ConfigureArgument, configure, job=True, shown=True),
    _command("more", DocumentArgument, more),
    _command("choose", ChooseArgument, choose),
    _command("cancel", DocumentArgument, cancel, optional=True),
)
"""All commands, in the order of `docs/protocol.md`."""
