"""The state of a reduction that passes work on: the best text, and two verbs to improve it.

One total order decides what is smaller, so every accepted candidate is a step down and the loop
over passes ends. A candidate that is not smaller costs no run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TypeAlias

from boildown import tree as trees
from boildown.engine.declarations import Role
from boildown.engine.difference import changed, difference
from boildown.engine.failed_edits import LONGEST_TEXT, FailedEdits, Hypotheses, Splices, edit_digest
from boildown.engine.language import Check, Language
from boildown.engine.oracle import Oracle, Outcome, Verdict, close
from boildown.tree import Tree

Key: TypeAlias = tuple[int, int, str]


_SPACES = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "
_OTHER_SPACES = "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_NEAR = 2000
"""Characters that a step may span for the checks to go on from the text before it."""
_COUNTED = 200
"""Characters from which on counting the white space is faster than splitting at it."""


def key(text: str) -> Key:
    """Return the sort key of texts: characters other than white space, all, then shortlex."""
    return (_inked(text), len(text), text)


def is_smaller(new: str, old: str) -> bool:
    """Say whether `key(new) < key(old)`, of long texts by their differences alone."""
    if len(new) < _COUNTED and len(old) < _COUNTED:
        return key(new) < key(old)
    start, end, instead = difference(old, new)
    more = _inked(instead) - _inked(old[start:end])
    return (more, len(new) - len(old), new) < (0, 0, old)


_EMPTY = frozenset({"null", "None", "nil", "[]", "{}", '""', "''"})
"""Values without content, of one type each. Where a failure does not tell them apart, a person
still reads `null` or `[]` as what was there, and `""` as something else."""
_MOST_SAVED = 4
"""Characters that one of them is shorter than another at most."""


def changes_type(old: str, new: str) -> bool:
    """Say whether the one change between two texts is that of an empty value's type."""
    if not 0 <= len(old) - len(new) <= _MOST_SAVED:
        return False
    start, end, instead = difference(old, new)
    return instead in _EMPTY and old[start:end] in _EMPTY


def keeps(text: str, keep: Iterable[str]) -> bool:
    """Say whether a text holds each of the texts that the user protects, letter by letter."""
    return all(each in text for each in keep)


def _inked(text: str) -> int:
    """Count the characters that are no white space."""
    if len(text) < _COUNTED:
        return sum(map(len, text.split()))
    spaces = _SPACES if text.isascii() else _SPACES + _OTHER_SPACES
    return len(text) - sum(map(text.count, spaces))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text to test, with a function that builds its tree should it be accepted."""

    text: str
    tree: Callable[[], Tree]
    free: bool = False
    """Whether it may leave the language, so that no parse decides whether it is worth a run."""
    splices: Splices = ()
    """The edit that makes it of the best text; empty where the two texts tell enough."""


class Problem:
    """The smallest text known to reproduce the failure, with its tree.

    Holds its best as text and tree; both are values, replaced as a whole. The tree of an accepted
    candidate is built when it is first looked at.
    """

    def __init__(
        self,
        tree: Tree,
        oracle: Oracle,
        language: Language,
        accepted: Callable[[str, Verdict], None] = lambda _text, _verdict: None,
        failed_edits: FailedEdits | None = None,
        *,
        check: Callable[[], None] = lambda: None,
        keep: Sequence[str] = (),
    ) -> None:
        """`check` is called for each candidate, run or not, and may raise `Stop`.

        A candidate without each text of `keep` costs no run.
        """
        self.language = language
        self.check = check
        self._keep = keep
        self._patience: int | None = None
        self._failures = 0
        self.longest_row = 0
        """The most failures in a row that ended in a success, since the pass began."""
        self._mends = True
        self._failed_edits = failed_edits
        self._oracle = oracle
        self._accepted = accepted
        self._best = Candidate(trees.text(tree), lambda: tree)
        self._tree: Tree | None = tree
        self._original = self._best.text
        self._accepts: Check | None = None
        self._checked_from = self._original
        """A text near the best one. Where there are errors the checker has to parse all of it."""
        self.hypotheses = Hypotheses() if failed_edits is None else failed_edits.hypotheses
        """What is known of what is coupled."""

    @property
    def text(self) -> str:
        """The best text so far."""
        return self._best.text

    @property
    def tree(self) -> Tree:
        """The tree of the best text so far."""
        if self._tree is None:
            self._tree = self._best.tree()
        return self._tree

    def view(self) -> Problem:
        """Return a separate problem for a pass with an order of its own, such as tree size.

        There whatever reproduces is the new best, so the pass may only propose what is smaller in
        its order. What is smaller in the order of all becomes the best here, too.
        """
        return _View(self)

    def consider(self, candidate: Candidate | None) -> bool:
        """Try one candidate; say whether it is the new best."""
        return candidate is not None and self.consider_first((candidate,)) is not None

    def consider_first(self, candidates: Iterable[Candidate | None]) -> int | None:
        """Try candidates until one reproduces; return its index, or None.

        Several may be run at once, yet the first in the order given wins. Candidates that are
        None, not smaller than the best, without what the user protects, or not worth a run by the
        language's word are passed over, and so are edits that failed before in the same
        surroundings, if such are remembered.
        """
        asked: deque[tuple[int, Candidate, frozenset[Role]]] = deque()
        left = None if self._patience is None else max(self._patience - self._failures, 0)
        known = self._failed_edits if len(self.text) <= LONGEST_TEXT else None
        # What a verdict of this call teaches counts from the next one on.
        in_use = known is not None and known.declarations.in_use

        def texts() -> Iterator[str]:
            for each in islice(self._worth_runs(candidates, known), left):
                asked.append(each)
                yield each[1].text

        verdicts = self._oracle(texts())
        failed: list[bytes] = []
        judged: list[tuple[frozenset[Role], Outcome]] = []
        failures = 0
        hit: tuple[int, Candidate, Verdict] | None = None
        try:
            for verdict in verdicts:
                index, candidate, lacking = asked.popleft()
                if known is not None and not in_use and verdict.outcome is Outcome.INVALID:
                    lacking = self._lacking(candidate, known)
                judged.append((lacking, verdict.outcome))
                if verdict.reproduced:
                    hit = index, candidate, verdict
                    break
                failures += 1
                if known is not None:
                    failed.append(edit_digest(self.text, candidate.text, candidate.splices))
        finally:
            close(verdicts)
        self._failures += failures
        if known is not None:
            known.add(self.text, failed)
            known.declarations.learn(judged)
        return self._conclude(hit)

    def _worth_runs(
        self, candidates: Iterable[Candidate | None], known: FailedEdits | None
    ) -> Iterator[tuple[int, Candidate, frozenset[Role]]]:
        """Yield the candidates that are worth a run, each with its index and the roles it lacks.

        Roles are told once a candidate was INVALID: from then on they say what is passed over.
        """
        in_use = known is not None and known.declarations.in_use
        for index, each in enumerate(candidates):
            candidate = self._mended(each)
            if not self._worth_a_run(candidate) or candidate is None:
                continue
            if known is None or not in_use:
                yield index, candidate, frozenset()
                continue
            lacking = self._lacking(candidate, known)
            if known.trusted and known.declarations.expects_invalid(candidate.text, lacking):
                known.spared += 1
            else:
                yield index, candidate, lacking

    @cached_property
    def _mend(self) -> Callable[[str], str] | None:
        """The language's way to mend texts; None if it would change the input as it is."""
        mended = self.language.rewriting.mended
        is_understood = mended is not None and mended(self._original) == self._original
        return mended if is_understood else None

    def _mended(self, candidate: Candidate | None) -> Candidate | None:
        """Return a candidate in which nothing is missing that the language can put in its stead."""
        if candidate is None or candidate.free or not self._mends or self._mend is None:
            return candidate
        text = self._mend(candidate.text)
        if text == candidate.text:
            return candidate
        return Candidate(text, lambda: self.language.parse(text).tree)

    def _lacking(self, candidate: Candidate, known: FailedEdits) -> frozenset[Role]:
        """Return the roles of the places that seem to declare names, which a candidate lacks."""
        return known.declarations.roles(self.tree, self.text, candidate.text)

    def _conclude(self, hit: tuple[int, Candidate, Verdict] | None) -> int | None:
        """Accept the candidate that reproduced, and return its index."""
        if hit is None:
            return None
        self.longest_row = max(self.longest_row, self._failures)
        self._failures = 0
        index, candidate, verdict = hit
        self._accept(candidate, verdict)
        return index

    def start(self, patience: int | None, *, mends: bool = True) -> None:
        """Begin a pass that gives up after so many candidates in a row that failed.

        Candidates are mended, where the language can, but for those of a sweep, which is to try
        each part by itself.
        """
        self._patience, self._failures, self.longest_row = patience, 0, 0
        self._mends = mends

    def _worth_a_run(self, candidate: Candidate | None) -> bool:
        self.check()
        if candidate is None or not is_smaller(candidate.text, self.text):
            return False
        if not keeps(candidate.text, self._keep) or changes_type(self.text, candidate.text):
            return False
        known = self._failed_edits
        if known is not None and known.knows(self.text, candidate.text, candidate.splices):
            return False
        return (candidate.free and not self.language.strict) or self.accepts(candidate.text)

    def accepts(self, text: str) -> bool:
        """Say whether a candidate is worth a run by the language's word."""
        if self._accepts is None:
            # Asked of the language as late as can be: it may have to parse the text.
            self._accepts = self.language.checker(self._original)
        return self._accepts(text, self._checked_from)

    def _accept(self, candidate: Candidate, verdict: Verdict) -> None:
        start, end, new = changed(self._checked_from, candidate.text)
        if max(end, new) - start > _NEAR:
            self._checked_from = candidate.text
        self._best = candidate
        self._tree = None
        self._accepted(candidate.text, verdict)

    def _offer(self, candidate: Candidate, verdict: Verdict) -> None:
        if is_smaller(candidate.text, self.text):
            self._accept(candidate, verdict)


class _View(Problem):
    """A problem in which a pass orders the candidates itself."""

    def __init__(self, whole: Problem) -> None:
        super().__init__(
            whole.tree, whole._oracle, whole.language, check=whole.check, keep=whole._keep
        )
        self._whole = whole

    def _mended(self, candidate: Candidate | None) -> Candidate | None:
        return self._whole._mended(candidate)

    def _worth_a_run(self, candidate: Candidate | None) -> bool:
        self.check()
        if candidate is None or candidate.text == self.text:
            return False
        if not keeps(candidate.text, self._keep):
            return False
        return (candidate.free and not self.language.strict) or self.accepts(candidate.text)

    def _accept(self, candidate: Candidate, verdict: Verdict) -> None:
        super()._accept(candidate, verdict)
        self._whole._offer(candidate, verdict)
