"""Failures of the C and C++ runtimes: uncaught exceptions, broken heaps and stacks."""

from __future__ import annotations

import re

from boildown.runner.judging.failures import Failure, FailureFinder, Files

_TERMINATE = re.compile(
    r"^(?:terminate called after throwing an instance of '(?P<gnu>.*)'"
    r"|libc\+\+abi: terminating.* exception of type (?P<llvm>[^:\n]*))"
    r"(?:\n\s*what\(\):\s*|: )?(?P<message>.*)",
    re.M,
)


def cpp_exception(output: str, _files: Files) -> Failure | None:
    """Find a C++ exception that nothing caught."""
    if found := _TERMINATE.search(output):
        return Failure(found["gnu"] or found["llvm"], "", found["message"])
    return None


_HEAP = re.compile(
    r"^(?:\*\*\* )?(?P<what>stack smashing detected|buffer overflow detected|double free or "
    r"corruption[^\n]*|(?:free|malloc|realloc|munmap_chunk)\(\): [^\n*]+|corrupted [^\n*]+|"
    r"double free detected[^\n*]*)",
    re.M,
)


def c_library(output: str, _files: Files) -> Failure | None:
    """Find the abort of the C library for a broken heap or stack."""
    if found := _HEAP.search(output):
        return Failure(found["what"].strip())
    return None


FINDERS: tuple[FailureFinder, ...] = (
    cpp_exception,
    c_library,
)
