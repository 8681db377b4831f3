"""Windows for tests: takes from this Python what is not there, then runs code that is given.

`python windows.py CODE [ARGUMENT…]` has the arguments in `sys.argv`.

It is Linux all the same: paths have slashes, and the standard library was imported before, as it
looks for the system in ways of its own. What is shown is that Boildown asks for nothing else.
"""

from __future__ import annotations

import importlib
import importlib.abc
import os
import select
import signal
import sys

STANDARD = (
    *("asyncio", "ctypes", "hypothesis", "importlib.metadata", "multiprocessing", "platform"),
    *("platformdirs", "pygls.lsp.server", "pytest", "shutil", "socket", "sqlite3", "subprocess"),
    *("sysconfig", "tempfile", "uuid", "webbrowser"),
)
"""Modules of others, which are imported before the system changes."""
MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
OF_OS = (
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_PATH", "ST_RDONLY", "WNOHANG"),
    *("chown", "fchdir", "fchmod", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid"),
    *("getpgid", "getsid", "getuid", "killpg", "mkfifo", "mknod", "openpty", "posix_spawn"),
    *("register_at_fork", "sched_getaffinity", "setsid", "statvfs", "sysconf", "wait3", "wait4"),
)
OF_SIGNAL = (
    *("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP"),
    *("SIGTSTP", "SIGUSR1", "SIGUSR2", "SIGXFSZ", "pthread_sigmask", "setitimer"),
)


class Absent(importlib.abc.MetaPathFinder):
    """Finds no module of Unix."""

    def find_spec(self, name: str, _path: object, _target: object = None) -> None:
        """Raise ImportError for such a module."""
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def take_unix_away() -> None:
    """Remove modules, functions and constants of Unix."""
    for name in STANDARD:
        importlib.import_module(name)
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Absent())
    for module, names in ((os, OF_OS), (signal, OF_SIGNAL), (select, ["poll", "epoll"])):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    sys.platform = "win32"


if __name__ == "__main__":
    take_unix_away()
    code, *sys.argv[1:] = sys.argv[1:]
    exec(compile(code, "<code>", "exec"), {"__name__": "__main__"})
