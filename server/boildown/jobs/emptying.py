"""Chooses among the inputs that a failing test may have: each is emptied, in one run.

An input whose emptying leaves the failure as it is has nothing to do with it. Several literals of a
file that matter are one input of several parts, packed as the files of a folder are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from boildown.engine.oracle import Outcome
from boildown.folder_text import packed, unpacked
from boildown.jobs.input_candidates import WORD, InputCandidate, Source, offsets_of
from boildown.runner.judging.judge import expected_of, judge_run
from boildown.runner.judging.signature import find_failure
from boildown.runner.judging.words import AllWords
from boildown.runner.run import Run
from boildown.runner.runner import Runner
from boildown.targets.displays import LANGUAGE, empty, strings_in
from boildown.targets.failing_tests import FailingTest
from boildown.targets.reach import test_places

MOST = 12
"""Inputs that are emptied at most; where there are more, none is."""
_LEAST_SECONDS = 5.0
_TIMES = 10
"""Times as long as the run that failed, a run may take, and `_LEAST_SECONDS` in any case."""
_SHORT = 3
"""Characters of the shortest text that is looked for within a path."""


def chosen(
    test: FailingTest,
    candidates: tuple[InputCandidate, ...],
    stopped: Callable[[], bool] = lambda: False,
    joining: bool = True,
) -> tuple[InputCandidate, ...]:
    """Return the inputs of a failing test; likely are those alone without which it fails otherwise.

    Where several literals matter, alone or together, one input of them all comes first if
    `joining`. A string or a file that alone is likely is not emptied. Raises CannotRun and Stop.
    """
    likely = [each for each in candidates if each.likely]
    # Data that is the only input may be no input at all, such as that of another line.
    is_clear = len(likely) == 1 and likely[0].language != LANGUAGE
    if not likely or is_clear or len(likely) > MOST:
        return candidates
    # What names a file that is written, or a program, is no input, and could do harm if it changed.
    safe = [each for each in candidates if not any(_names(each, path) for path in test.touched)]
    whole = test.run if test.alone else _run(test, likely[0], likely[0].text, stopped)
    runs: dict[str, Run] = {}

    def matters(each: InputCandidate) -> bool:
        if each.kind is Source.EXAMPLE:
            return True
        runs[each.where] = run = _run(test, each, emptied(each), stopped)
        # Words are not compared: they change with each part of a text that is put together.
        # The run was of the whole file, and a line of the input is none of the program.
        expected = expected_of(each.command, replace(whole, text=each.text), AllWords())
        return judge_run(each.command, run, expected).outcome is not Outcome.REPRODUCED

    safely_likely = [each for each in safe if each.likely]
    mattering = [each for each in safely_likely if matters(each)]
    # Beside another input an option is none: what it is set to belongs to the test.
    mattering = [each for each in mattering if not _is_option(each)] or mattering
    if all(map(_is_option, mattering)):
        mattering = _changing(whole, runs, safely_likely, bool(mattering)) or mattering
    if not mattering:
        # What the failure is of may be seen nowhere in its frames, as a template that was compiled.
        others = [each for each in safe if not each.likely and _is_in(each, test)]
        others = others[: MOST - len(safely_likely)]
        mattering = [each for each in others if matters(each)]
    # What no input changes is a fault of the code, but a wrong value, which is wrong of any input.
    failure = find_failure(whole, likely[0].file.name)
    is_value = failure is not None and failure.error == "AssertionError"
    kept = mattering or (safely_likely or likely)
    found = [
        replace(
            each,
            likely=each in kept,
            matters=each in mattering if each.where in runs else None,
            earlier=replace(each.earlier, emptied=runs.get(each.where)),
        )
        for each in candidates
    ]
    is_one_file = len({each.file for each in kept}) == 1
    is_clear = bool(mattering) or is_value or not is_one_file
    if len(kept) > 1 and is_one_file and all(map(_has_place, kept)):
        joined = together(kept)
        # Each alone may do, and the failure still be theirs.
        is_clear = is_clear or matters(joined)
        if joining and is_clear:
            found = [joined, *(replace(each, likely=False) for each in found)]
    return tuple(found if is_clear else (replace(each, likely=False) for each in found))


def _changing(
    whole: Run, runs: Mapping[str, Run], candidates: Sequence[InputCandidate], without_options: bool
) -> list[InputCandidate]:
    """Return the inputs whose emptying changes what an assertion says.

    A wrong value is wrong of any input, and is another one; with another option, it is right.
    """
    tried = [each for each in candidates if each.where in runs]
    told = [_message(whole, each) != _message(runs[each.where], each) for each in tried]
    changing = [each for each, differs in zip(tried, told, strict=True) if differs]
    return [each for each in changing if not (without_options and _is_option(each))]


def _is_option(candidate: InputCandidate) -> bool:
    """Say whether a literal is a word or a list of one, as the options of a program are.

    So are numbers that are given by a keyword.
    """
    if candidate.kind is Source.PARAMETER or not candidate.start[0]:
        return False
    is_data = candidate.language == LANGUAGE
    words = strings_in(candidate.text) if is_data else [candidate.text]
    if not words:
        return _KEYWORD.search(candidate.whole[: offsets_of(candidate)[0]]) is not None
    return len(words) == 1 and WORD.fullmatch(words[0]) is not None


_KEYWORD = re.compile(r"\w=\Z")
"""Matches code before the value of a keyword, as most people write it."""


def _message(run: Run, candidate: InputCandidate) -> str | None:
    failure = find_failure(run, candidate.file.name)
    return None if failure is None else failure.message


def _has_place(candidate: InputCandidate) -> bool:
    return candidate.document is not None and candidate.start[0] > 0


def _is_in(candidate: InputCandidate, test: FailingTest) -> bool:
    """Say whether a literal stands in the test itself, and in no other code of its file."""
    if not _has_place(candidate) or candidate.file != test.file:
        return False
    start, end = offsets_of(candidate)
    return any(
        place.name == test.name and place.whole[0] <= start and end <= place.whole[1]
        for place in test_places(candidate.whole)
    )


def _run(
    test: FailingTest, candidate: InputCandidate, text: str, stopped: Callable[[], bool]
) -> Run:
    """Run the test once with another text in the place of an input."""
    timeout = max(_LEAST_SECONDS, _TIMES * test.run.seconds)
    with Runner(replace(candidate.command, warm=False), 1, stopped) as runner:
        return runner.run(text, timeout)


def emptied(candidate: InputCandidate) -> str:
    """Return the least text of an input's kind: no characters, but the holes of an f-string."""
    if candidate.parts > 1:
        return ""
    if candidate.language == LANGUAGE:
        return empty(candidate.text)
    return "".join(candidate.command.keep)


def _names(candidate: InputCandidate, path: str) -> bool:
    """Say whether a value, or a string in it, is in the path of a file or in a command."""
    is_data = candidate.language == LANGUAGE
    texts = strings_in(candidate.text) if is_data else [candidate.text]
    return any(
        text == path or (len(text) >= _SHORT and text.strip("/") in path) for text in texts if text
    )


def together(parts: Sequence[InputCandidate]) -> InputCandidate:
    """Return literals of one file as one input, which is written back each in its place."""
    parts = sorted(parts, key=lambda each: each.start)
    first, whole = parts[0], parts[0].whole
    spans = [offsets_of(each) for each in parts]
    paths = [
        f"{number}{'.pydata' if each.language == LANGUAGE else ''}"
        for number, each in enumerate(parts, 1)
    ]
    (start, _), (_, end) = spans[0], spans[-1]

    def pieces(text: str) -> Iterator[str]:
        files, at = unpacked(text), start
        for part, path, (low, high) in zip(parts, paths, spans, strict=True):
            yield whole[at:low]
            yield part.written(files.get(path, emptied(part)))
            at = high

    def written(text: str) -> str:
        return "".join(pieces(text))

    def document(text: str) -> str:
        return whole[:start] + written(text) + whole[end:]

    cases = [each for each in parts if each.kind is Source.PARAMETER]
    keep = tuple(hole for each in parts for hole in each.command.keep)
    return replace(
        (cases or parts)[0],
        start=first.start,
        end=parts[-1].end,
        text=packed(zip(paths, (each.text for each in parts), strict=True)),
        language="folder",
        command=replace((cases or parts)[0].command, content=document, keep=keep, code=True),
        document=document,
        written=written,
        parts=len(parts),
    )
