"""The guardian's loop: take requests from Boildown, answer each once."""

from __future__ import annotations

import os
import sys
from typing import Any

from boildown.runner.guardian.files import make_base, remove, remove_abandoned, unlink, write
from boildown.runner.guardian.messages import BoildownGone, receive, send
from boildown.runner.guardian.processes import adopt_orphans, kill_descendants, wake_on_signals
from boildown.runner.guardian.running import run
from boildown.runner.guardian.warm import preload, takes_text


def main() -> None:
    """Serve requests until the pipe closes."""
    control, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    adopt_orphans()
    wake = wake_on_signals()
    temp = os.fsencode(sys.argv[1])
    sys.argv = [""]
    remove_abandoned(temp)
    base = make_base(temp)
    try:
        send(answers, base)
        while True:
            request = receive(control)
            if request == "cancel":
                continue
            if "preload" in request:
                send(answers, preload(request))
            else:
                send(answers, perform(request, control, wake))
    except (BoildownGone, BrokenPipeError):
        pass
    finally:
        kill_descendants(wake)
        remove(base)


def perform(request: dict[str, Any], control: int, wake: int) -> dict[str, Any]:
    """Make the fresh directory, run the command there, and remove all that is left of it."""
    directory = request["directory"]
    if request.get("call") == "predicate" and takes_text():
        return run(request, control, wake)
    try:
        os.makedirs(directory, 0o700)
        write(request)
        return run(request, control, wake)
    except OSError as error:
        return {"error": error.errno or 0, "where": "prepare", "path": error.filename or directory}
    finally:
        kill_descendants(wake)
        if request["unlink"]:
            unlink(request["file"])
        remove(directory)
