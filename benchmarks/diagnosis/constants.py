"""The words of a subject's program: the constants in the code of its truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType

from benchmarks.diagnosis.subject import Subject

from boildown.targets.program_words import is_word


def words(subject: Subject) -> tuple[str, ...]:
    """Return the short strings and the numbers in the code of a truth, each once.

    The code is that of the function, and of the functions of its module that it names or holds.
    """
    assert isinstance(subject.fails, FunctionType)
    seen = [subject.fails]
    found: dict[str, None] = {}
    for each in seen:
        codes = list(_codes(each.__code__))
        for code in codes:
            values = _values(code.co_consts)
            found.update((value, None) for value in values if value != each.__doc__)
        named = (each.__globals__.get(name) for code in codes for name in code.co_names)
        held = (cell.cell_contents for cell in each.__closure__ or ())
        for one in (*held, *named):
            if isinstance(one, FunctionType) and one.__module__ == each.__module__:
                seen += [one] if one not in seen else []
    return tuple(each for each in found if is_word(each) and "<" not in each)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _values(constants: Iterable[object]) -> Iterator[str]:
    """Yield strings and numbers as they are written, without the names of inner functions."""
    for each in constants:
        if isinstance(each, tuple):
            yield from _values(each)
        elif isinstance(each, frozenset):
            yield from sorted(_values(each))
        elif isinstance(each, str | int | float) and not isinstance(each, bool):
            yield str(each)
