"""Judges a candidate folder, for every tool alike: measures it, runs the command, logs both.

Started as `python -ISs judging.py CONFIG [FOLDER]`, without one in the folder that it judges; exits
with 0 if the command prints the failure's message. The log gets a line `FILES LINES BYTES STATUS`
for each run, also for one that a tool kills, for it is written before the run with the status "?".
It imports next to nothing, because it is started thousands of times.
"""

import json
import os
import re
import subprocess
import sys


def main(config: str, folder: str = ".") -> int:
    """Judge the folder; return the exit status."""
    with open(config, encoding="utf-8") as opened:
        told = json.load(opened)
    os.chdir(folder)
    sizes = " ".join(map(str, measured(".")))
    _append(told["log"], f"{sizes} ?\n")
    # A group of its own is not made: what kills this process is to reach the command, too.
    done = subprocess.run(
        told["command"],
        env={**os.environ, **_joined(told["environment"])},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    status = 0 if re.search(told["message"], done.stdout.decode("utf-8", "replace")) else 1
    _append(told["log"], f"{sizes} {status}\n")
    return status


def _joined(environment: "dict[str, str]") -> "dict[str, str]":
    """Return the project's variables, with what a tool has added to a path of Python's."""
    paths = environment.get("PYTHONPATH", ""), os.environ.get("PYTHONPATH", "")
    both = os.pathsep.join(filter(None, paths))
    return {**environment, "PYTHONPATH": both} if both else environment


def measured(root: str) -> tuple[int, int, int]:
    """Return the files, the lines that are not blank, and the bytes of a folder."""
    files = lines = size = 0
    for folder, _, names in os.walk(root):
        for name in names:
            content = _read(os.path.join(folder, name))
            files += 1
            size += len(content)
            lines += sum(not line.isspace() for line in content.splitlines())
    return files, lines, size


def _read(path: str) -> bytes:
    """Read a file without a trace in its time of access, by which tools may see what is read."""
    flags = os.O_RDONLY | getattr(os, "O_NOATIME", 0)
    with open(os.open(path, flags), "rb") as opened:
        return opened.read()


def _append(path: str, line: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(descriptor, line.encode())
    finally:
        os.close(descriptor)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
