"""The guardian's loop: take requests from Boildown, answer each once."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import sys

from boildown.runner.guardian.cgroups import make_group, remove_group
from boildown.runner.guardian.files import (
    Base,
    Exchanged,
    make_base,
    read_files,
    read_imported,
    remove_abandoned,
    take_back,
    write,
)
from boildown.runner.guardian.linux import adopt_orphans, be_killed_first
from boildown.runner.guardian.messages import (
    GREETING,
    TEMPORARY_FOLDER,
    BoildownGone,
    receive,
    send,
)
from boildown.runner.guardian.processes import kill_descendants, wake_on_signals
from boildown.runner.guardian.running import Child, run, waiting
from boildown.runner.guardian.warm import loaded, preload, takes_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_AT_ONCE = 20
"""Directories that are removed before Boildown gets its answer; more are removed after it."""


def main() -> None:
    """Serve requests until the pipe closes."""
    # The pipe moves to other descriptors, and 0 and 1 lead nowhere: whatever is imported ahead may
    # print and read without disturbing the messages. The runs get streams of their own.
    control, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    # The runs inherit it: none writes a core dump.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    be_killed_first()
    adopt_orphans()
    make_group()
    wake = wake_on_signals()
    temp = os.fsencode(sys.argv[1])
    # Code that is imported ahead must not take the guardian's argument for one of its own.
    sys.argv = [""]
    remove_abandoned(temp)
    base = make_base(temp)
    temporary = os.fsencode(TEMPORARY_FOLDER)
    spare: Child | None = None
    try:
        base.make(temporary)
        os.write(answers, GREETING)
        made = os.fstat(base.descriptor)
        send(answers, (base.path, made.st_dev, made.st_ino))
        while True:
            request = receive(control)
            if request == "cancel":
                # The run ended before the cancel was read, and its answer is on the way.
                continue
            if "preload" in request:
                answer = preload(request)
                base.throw_away(os.path.basename(request["directory"]))
                send(answers, answer)
            else:
                answer = perform(base, request, control, wake, spare)
                answer["in_place"] = answer.get("where") != "exchanged" and base.is_in_place()
                send(answers, answer)
                if not answer["in_place"]:
                    # Boildown starts another guardian, with a directory of its own.
                    return
                # A long candidate does not wait beside the next one.
                request.clear()
            # The answer is sent first: Boildown thinks while the next child is forked. The old one
            # is used up, or knows nothing of what has been loaded since.
            if spare is not None:
                spare.close()
            spare = next_child()
            base.tidy(lambda: bool(select.select([control], [], [], 0)[0]))
    except (BoildownGone, BrokenPipeError):
        pass
    finally:
        # Where descendants cannot be listed, it would be waited for.
        if spare is not None:
            spare.close()
        kill_descendants(wake)
        remove_group()
        base.remove()


def next_child() -> Child | None:
    """Fork the child of the next run ahead, if runs are warm."""
    try:
        return waiting() if loaded() else None
    except OSError:
        # The machine may be short of processes just now; the run itself tries again and reports it.
        return None


def perform(
    base: Base, request: dict[str, Any], control: int, wake: int, spare: Child | None
) -> dict[str, Any]:
    """Make the fresh directory, run the command there, and take all that is left of it away."""
    if "call" not in request and spare is not None:
        # After a cold run all descendants are killed, and a waiting child would be one of them.
        spare.close()
    directory = os.path.basename(request["directory"])
    needs_file = request.get("call") != "predicate" or not takes_text()
    try:
        if needs_file:
            base.make(directory)
            write(base, request)
        answer = run(request, control, wake, spare)
        if "files" in request:
            answer["read"] = read_files(base, request)
            answer["imported"] = read_imported(base, request)
        return answer
    except Exchanged as error:
        return {"error": error.errno, "where": "exchanged", "path": request["file"]}
    except OSError as error:
        path = error.filename or request["directory"]
        return {"error": error.errno or 0, "where": "prepare", "path": path}
    finally:
        kill_descendants(wake)
        for path in request["unlink"]:
            take_back(base, path)
        if needs_file:
            base.throw_away(directory)
        with contextlib.suppress(OSError):  # The directory may be gone with all in it.
            base.renew(os.fsencode(TEMPORARY_FOLDER))
            base.tidy(most=_AT_ONCE)
