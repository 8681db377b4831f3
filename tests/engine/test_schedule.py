"""The schedule of passes: how long each goes on, and what is left out at the end of a job."""

from __future__ import annotations

from boildown.engine.candidates import retext
from boildown.engine.certificate import Unit
from boildown.engine.oracle import from_test
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes import AUTO, Pass
from boildown.engine.reducing.reduce import Watch, reduce
from boildown.engine.reducing.schedule import Schedule
from helpers import Characters, Lisp, contains, logged

CANDIDATES = 300


def turn(schedule: Schedule, each: Pass, length: int, *reproducing: int) -> int:
    """Give a pass its turn on a text of so many characters; return how many candidates it tried.

    Those with the numbers that are given reproduce.
    """
    tried: list[str] = []
    wanted = {_candidate(length, number) for number in reproducing}
    problem = Problem(
        Characters().parse("z" * length).tree,
        from_test(logged(lambda new: new in wanted, tried)),
        Characters(),
    )
    is_run = schedule.begin(each, problem)
    if is_run:
        each.run(problem)
        schedule.end(each, problem)
    assert is_run == bool(tried)
    return len(tried)


def _candidate(length: int, number: int) -> str:
    """Return a text that is smaller than those of lower numbers."""
    return f"{CANDIDATES - number:04}".ljust(length, "y")


def _try_all(problem: Problem) -> None:
    length, at = len(problem.text), 0
    while at < CANDIDATES:
        rest = range(at, CANDIDATES)
        hit = problem.consider_first(retext(problem, _candidate(length, n)) for n in rest)
        at = CANDIDATES if hit is None else at + hit + 1


def test_a_pass_that_found_nothing_waits_until_half_of_the_text_is_gone() -> None:
    schedule, each = Schedule(), Pass("each", _try_all, patience=60)
    assert [turn(schedule, each, length) for length in (20, 20, 11, 10, 9)] == [60, 30, 0, 15, 0]


def test_a_pass_fails_in_a_row_twice_as_often_as_before_a_success() -> None:
    schedule, each = Schedule(), Pass("each", _try_all)
    assert turn(schedule, each, 200, 4, 14) == CANDIDATES
    # Nine failures came before a success, so it may have 10 + 2 * 9, and half as many each time.
    assert [turn(schedule, each, 190) for _ in range(3)] == [28, 14, 10]


def test_a_pass_that_is_run_again_fails_once_for_four_characters_at_most() -> None:
    schedule, each = Schedule(), Pass("each", _try_all)
    assert turn(schedule, each, 100, 60) == CANDIDATES
    assert [turn(schedule, each, 80) for _ in range(3)] == [20, 10, 10]


def test_a_pass_that_certifies_goes_through_with_it() -> None:
    schedule, each = Schedule(), Pass("each", _try_all, certifies=Unit.TOKEN)
    assert [turn(schedule, each, 20) for _ in range(3)] == [CANDIDATES] * 3


def test_what_certifies_is_all_that_is_run_last() -> None:
    entered: list[str] = []
    text = "(" + " ".join(f"(a{number} b{number})" for number in range(30)) + ")"
    kept = ("(", "a7", "b7", "a21", "b21", ")")
    reduction = reduce(
        text, from_test(contains(*kept)), Lisp(), AUTO, Watch(entered=entered.append)
    )
    assert reduction.minimality == "1-character-minimal"
    assert entered[-4:] == ["characters", "trees", "tokens", "characters"]
