"""Modules of LLVM IR that clang makes of random C without optimizing it.

Needed are Debian's packages csmith, libcsmith-dev, clang-14 and llvm. Run as `python ir.py FILE`,
it is an oracle: 0 if the module in the file fails, 1 if it does not, 2 if LLVM rejects it.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

BEST = (
    "@0=global i8 0define void@1(i8%0){store i8%0,i8*@0ret void}"
    "define void@2(i8%0){call void@1(i8%0)ret void}"
)
_SMALL = "--max-funcs 4 --max-block-size 3 --max-block-depth 3 --max-expr-complexity 6"
_COMPILE = "clang-14 -O0 -w -S -emit-llvm -I/usr/include/csmith -x c - -o -"
_FUNCTION = re.compile(r"^define [^@]*(@[\w.$]+)\(.*?^\}", re.MULTILINE | re.DOTALL)
_STORE = re.compile(r"^  store \S+ %[\w.]+, \S+ @", re.MULTILINE)
_CALL = re.compile(r"^  (?:%\S+ = )?call [^@]*(@[\w.$]+)\([^()]*%[^()]*\)", re.MULTILINE)


def make(rng: Random) -> str:
    """Return a failing module of 100 to 200 KB."""
    while True:
        drawn = f"timeout 20 csmith {_SMALL} --seed {rng.getrandbits(31)}"
        module = _said(_COMPILE, _said(drawn))
        if 100_000 <= len(module) <= 200_000 and fails(module):
            return module


def fails(module: str) -> bool:
    """Say if a function calls another with a value, and that one stores a value in a global.

    Raises:
        ValueError: LLVM rejects the module.
    """
    read = _said("opt -S -opaque-pointers -passes=verify -", module)
    bodies = {found[1]: found[0].partition("\n")[2] for found in _FUNCTION.finditer(read)}
    return any(
        _STORE.search(bodies.get(callee, "")) for name, callee in _calls(bodies) if name != callee
    )


def _calls(bodies: dict[str, str]) -> Iterator[tuple[str, str]]:
    return ((name, call[1]) for name, body in bodies.items() for call in _CALL.finditer(body))


def _said(command: str, text: str = "") -> str:
    place = tempfile.gettempdir()  # csmith leaves a file where it runs.
    done = subprocess.run(command.split(), input=text, capture_output=True, text=True, cwd=place)
    if done.returncode:
        raise ValueError(done.stderr[:200])
    return done.stdout


def main(file: str) -> int:
    """Return the status of an oracle on a file."""
    try:
        return 0 if fails(Path(file).read_text("utf-8")) else 1
    except ValueError:
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
