"""Wraps an oracle, for every tool alike: counts its runs and keeps the smallest success.

Started as `python -ISs counting.py FOLDER ORACLE FILE`; exits as the oracle does. In FOLDER, `runs`
gets one byte per start, before the oracle runs, so that a run that a tool kills counts too; `log`
gets a line `NUMBER BYTES STATUS` per run that ends; `best` is the smallest file that passed.
It imports next to nothing, because it is started thousands of times.
"""

import os
import sys


def main(folder: str, oracle: str, file: str) -> int:
    """Run the oracle on the file, log its exit status and return that."""
    number = _append(f"{folder}/runs", ".")
    with open(file, "rb") as opened:
        content = opened.read()
    status = _run(oracle, file)
    _append(f"{folder}/log", f"{number} {len(content)} {status}\n")
    if status == 0:
        _keep(content, f"{folder}/best")
    return status


def _append(path: str, text: str) -> int:
    """Append to a file in one write; return its size then."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(descriptor, text.encode())
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


def _run(oracle: str, file: str) -> int:
    """Run the oracle in silence; a death by a signal counts as status 1."""
    silence = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    pid = os.posix_spawn(oracle, [oracle, file], os.environ, file_actions=silence)
    _, status = os.waitpid(pid, 0)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 1


def _keep(content: bytes, path: str) -> None:
    if os.path.exists(path) and os.path.getsize(path) <= len(content):
        return
    fresh = f"{path}.{os.getpid()}"
    with open(fresh, "wb") as opened:
        opened.write(content)
    os.replace(fresh, path)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
