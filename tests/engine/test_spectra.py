"""The order of suspects: by the runs that execute them, and by where a traceback ends."""

from __future__ import annotations

from boildown.engine.locating.spectra import rank
from boildown.folder_text import Place

READ, CALL, CHECK, FAIL = (("a.py", line, 0) for line in (1, 2, 3, 4))
FUNCTIONS: dict[Place, str] = {READ: "read", CALL: "total", CHECK: "check", FAIL: "fail"}


def _ranked(passing: list[list[Place]], *stack: int) -> list[str]:
    failing = [[READ, CALL, CHECK, FAIL]] * 2
    found = rank(failing, passing, FUNCTIONS, [("a.py", line) for line in stack])
    return [each.function for each in found]


def test_the_function_in_which_the_traceback_ends_comes_first() -> None:
    passing = [[READ, CALL], [READ, FAIL], [READ]]
    assert _ranked(passing) == ["check", "fail", "total", "read"]
    assert _ranked(passing, 4, 2) == ["fail", "check", "total", "read"]


def test_a_traceback_that_passing_runs_contradict_is_not_followed() -> None:
    passing = [[READ, CALL, FAIL], [READ, FAIL]]
    assert _ranked(passing, 4, 2) == ["check", "total", "fail", "read"]


def test_frames_that_are_no_suspects_are_passed_over() -> None:
    passing = [[READ, CALL], [READ]]
    assert _ranked(passing, 99, 2, 1) == ["total", "fail", "check", "read"]
