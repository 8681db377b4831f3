"""The guardian's loop: take requests from Boildown, answer each once."""

from __future__ import annotations

import os
import resource
import sys

from boildown.runner.guardian.files import (
    make_base,
    remove,
    remove_abandoned,
    renew,
    unlink,
    write,
)
from boildown.runner.guardian.messages import HELLO, TEMPORARY, BoildownGone, receive, send
from boildown.runner.guardian.processes import (
    adopt_orphans,
    be_killed_first,
    kill_descendants,
    wake_on_signals,
)
from boildown.runner.guardian.running import Child, run, waiting
from boildown.runner.guardian.warm import loaded, preload, takes_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def main() -> None:
    """Serve requests until the pipe closes."""
    control, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    # The runs inherit it: none writes a core dump.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    be_killed_first()
    adopt_orphans()
    wake = wake_on_signals()
    temp = os.fsencode(sys.argv[1])
    sys.argv = [""]
    remove_abandoned(temp)
    base = make_base(temp)
    temporary = os.path.join(base, os.fsencode(TEMPORARY))
    spare: Child | None = None
    try:
        renew(temporary)
        os.write(answers, HELLO)
        send(answers, base)
        while True:
            request = receive(control)
            if request == "cancel":
                continue
            if "preload" in request:
                send(answers, preload(request))
            else:
                answer = perform(request, control, wake, spare)
                renew(temporary)
                send(answers, answer)
            if spare is not None:
                spare.close()
            spare = next_child()
    except (BoildownGone, BrokenPipeError):
        pass
    finally:
        kill_descendants(wake)
        remove(base)


def next_child() -> Child | None:
    """Fork the child of the next run ahead, where runs only call what was loaded."""
    try:
        return waiting() if loaded() else None
    except OSError:
        return None


def perform(
    request: dict[str, Any], control: int, wake: int, spare: Child | None
) -> dict[str, Any]:
    """Make the fresh directory, run the command there, and remove all that is left of it."""
    if "call" not in request and spare is not None:
        spare.close()
    directory = request["directory"]
    needs_file = request.get("call") != "predicate" or not takes_text()
    try:
        if needs_file:
            os.makedirs(directory, 0o700)
            write(request)
        return run(request, control, wake, spare)
    except OSError as error:
        return {"error": error.errno or 0, "where": "prepare", "path": error.filename or directory}
    finally:
        kill_descendants(wake)
        if needs_file and request["unlink"]:
            unlink(request["file"])
        if needs_file:
            remove(directory)
