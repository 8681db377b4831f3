"""Turns between a job on a thread of its own and the program that iterates over it.

A job calls back, and a program wants to iterate. Only one of the two goes on at a time, so a job
does nothing while nobody asks for its next item; and what the program has to do for the job, such
as calling its own predicate, is done on the program's thread.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator
from queue import SimpleQueue
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Result = TypeVar("Result")


def in_turns(
    job: Callable[[Callable[[Item], Answer | None]], Result],
) -> Generator[Item, Answer, Result]:
    """Run a job that gives items and gets answers as a generator, which returns its result.

    The function that the job gives items to answers None once the generator is closed; then the job
    is to end, and is waited for.
    """
    items: SimpleQueue[tuple[Item] | None] = SimpleQueue()
    answers: SimpleQueue[Answer | None] = SimpleQueue()
    results: list[Result] = []
    errors: list[BaseException] = []
    closed = threading.Event()

    def give(item: Item) -> Answer | None:
        if closed.is_set():
            return None
        items.put((item,))
        return answers.get()

    def run() -> None:
        try:
            results.append(job(give))
        except BaseException as error:
            errors.append(error)
        items.put(None)

    thread = threading.Thread(target=run, name="boildown", daemon=True)
    thread.start()
    try:
        while (given := items.get()) is not None:
            answers.put((yield given[0]))
        if errors:
            raise errors[0]
        return results[0]
    finally:
        closed.set()
        answers.put(None)
        # At the end of the program no other thread runs any more.
        if not sys.is_finalizing():
            thread.join()
