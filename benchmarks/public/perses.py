"""Eight C programs of the Perses benchmark, with a property of gcc's output as their failure.

Their compilers of long ago are not to be had, so each program fails by what gcc 12 says of it: it
gives a warning, and its assembly has an instruction. The programs, the warnings and the
instructions follow from a rule, before anything was measured:

- The programs are the eight smallest `benchmark/gcc-N/small.c` and `benchmark/clang-N/small.c`
  above 10 KB that gcc 12 accepts where what gcc 14 rejects by default is an error.
- The warning and the instruction are those that gcc gives least often for the program (of equal
  ones the first by name), warnings of what is unused left out.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from benchmarks.bugs import Case, reproduces

PROGRAMS = (
    ("gcc-66691", "builtin-declaration-mismatch", "cltd"),
    ("gcc-61047", "tautological-compare", "cmove"),
    ("gcc-58731", "tautological-compare", "cmove"),
    ("gcc-61383", "parentheses", "addb"),
    ("clang-18556", "empty-body", "addl"),
    ("clang-19595", "bool-operation", "andw"),
    ("gcc-59903", "empty-body", "addl"),
    ("clang-21582", "overflow", "addl"),
)
"""The name of each program, its warning and its instruction."""

_ORACLE = """\
#!/bin/sh
export LC_ALL=C
said=$(timeout 60 gcc -x c -O1 -Wall -Wextra -Werror=implicit-function-declaration \\
    -Werror=implicit-int -Werror=int-conversion -Werror=incompatible-pointer-types \\
    -S -o - "$1" 2>&1) || exit 2
case $said in *"[-W{warning}]"*) ;; *) exit 1 ;; esac
case $said in *"	{instruction}"[!a-z]*) ;; *) exit 1 ;; esac
"""


def case(checkout: Path, program: tuple[str, str, str], folder: Path) -> Case | str:
    """Make the oracle of a program in a folder, or say why that cannot be done."""
    name, warning, instruction = program
    file = checkout / "benchmark" / name / "small.c"
    if not file.is_file():
        return "it is not in the checkout"
    if shutil.which("gcc") is None:
        return "there is no gcc"
    oracle = folder / name
    oracle.write_text(_ORACLE.format(warning=warning, instruction=instruction))
    oracle.chmod(0o755)
    whole = Case(name, file, oracle, 0, "", "")
    return whole if reproduces(whole, file) else "it does not fail by this gcc"
