"""Compiles regular expressions so that no match takes more than a time linear in the text.

The standard library's matcher backtracks: by `(a+)+$` it takes 2^n steps for a text of n letters,
and it can't be interrupted meanwhile. Nearly all patterns of tokens can't do that, and are left to
it. The others are simulated as nondeterministic automata, all paths at once (Thompson, Regular
Expression Search Algorithm, 1968), with the paths in the order in which a backtracking matcher
tries them (Pike's matcher), so that the same text is matched; the sets of paths become the states
of a deterministic automaton as texts need them.

Whether a pattern is ambiguous enough to be slow is told by its automaton (Weber and Seidl, On the
degree of ambiguity of finite automata, 1991): where two paths lead from a state over the same
character and back to it, their number may double with each round; where one stays in a loop and the
other comes to a second one, it may grow with the square.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from boildown.grammar.parsing.components import components
from boildown.grammar.parsing.regexes import ATOMIC, REPEATS, parse, sre, sre_compile, sre_parse

MAX_STATES = 20_000
"""States of the automaton of a pattern that has repetitions."""
_KEPT_MOVES = 50_000
"""Moves of the deterministic automaton that are remembered."""
_LONG_REPEAT = 16
"""From so many on, a counted repetition can be as slow as an endless one."""
_MANY_CHOICES = 12
"""With more choices in a row that a character does not decide, their combinations are many."""
_SAMPLE = "aAzZkKſ\u212a0_9 \t\n\r\x0b\x0c\x1c\x85\xa0é٣\u2003-!\x00\U0010ffff"
"""Characters of each category, beside which only the ends of ranges matter."""


class SlowPattern(ValueError):  # noqa: N818 - says what is the case
    """A pattern that is neither fast when tried with backtracking nor can be simulated."""


class Match(Protocol):
    """A match; of `re.Match`, the part that is used."""

    def end(self) -> int:
        """Return the offset of the end."""

    def __getitem__(self, group: int, /) -> Any:
        """Return the text for group 0."""


class Matcher(Protocol):
    """A compiled pattern; of `re.Pattern`, the part that is used."""

    @property
    def pattern(self) -> Any:
        """The pattern as it is written."""

    def match(self, text: str, position: int = 0, limit: int = ..., /) -> Match | None:
        """Return the match that begins at an offset, as if the text ended at `limit`."""

    def fullmatch(self, text: str, /) -> Match | None:
        """Return the match of the whole text."""


@functools.lru_cache(4096)
def compiled(pattern: str) -> Matcher:
    """Return the matcher of a pattern: the standard library's, unless that might be slow.

    Raises `re.error`, or SlowPattern where one that might be slow can't be simulated, because it is
    too large or its matches depend on how a part of it matched (`\\1`, `(?>...)`).
    """
    plain = re.compile(pattern)
    tree = parse(pattern)
    nodes, flags = list(tree), int(tree.state.flags)
    if not _may_be_slow(nodes, flags):
        return plain
    return Simulated(PatternAutomaton(nodes, flags, is_exact=True), pattern)


def fault(pattern: str) -> str | None:
    """Return in a sentence's words why a pattern can't be used, or None."""
    shown = f"/{pattern[:80]}…/" if len(pattern) > 80 else f"/{pattern}/"
    try:
        compiled(pattern)
    except re.error as error:
        return f"{shown} is no regular expression: {error}"
    except SlowPattern as refused:
        return f"{shown} {refused}; write it so that a text matches in one way only"
    except (RecursionError, OverflowError):
        return f"{shown} is nested too deeply or too large"
    return None


@dataclass(frozen=True, slots=True)
class SimulatedMatch:
    """A match that a simulation found."""

    text: str
    start: int
    stop: int

    def end(self) -> int:
        """Return the offset of the end."""
        return self.stop

    def __getitem__(self, group: int, /) -> str:
        """Return the text of the match."""
        return self.text[self.start : self.stop]


@dataclass(slots=True, eq=False)
class _State:
    """A state of the nondeterministic automaton: it tests a character or the place, or branches."""

    test: Any = None
    """The compiled pattern of one character, or of an assertion if `is_place`."""
    is_place: bool = False
    after: list[int] = field(default_factory=list)
    """The states that follow, the preferred first."""
    known: dict[str, bool] = field(default_factory=dict)
    """The answers of the test for characters."""

    def takes(self, char: str) -> bool:
        """Say whether the state's test lets a character pass."""
        found = self.known.get(char)
        if found is None:
            found = self.known[char] = self.test.match(char) is not None
        return found


class PatternAutomaton:
    """The nondeterministic automaton of a parsed pattern; state 0 accepts."""

    def __init__(self, nodes: Sequence[Any], flags: int, is_exact: bool) -> None:
        """If not `is_exact`, a long counted repetition is an endless one. Raises SlowPattern."""
        self.states = [_State()]
        self._exact = is_exact
        self._times = 1
        self.has_places = False
        self.start = self._sequence(nodes, flags, 0)

    def _add(self, state: _State) -> int:
        if len(self.states) >= MAX_STATES:
            raise SlowPattern("is too large a pattern with repetitions")
        self.states.append(state)
        return len(self.states) - 1

    def _sequence(self, nodes: Sequence[Any], flags: int, then: int) -> int:
        for op, arg in reversed(nodes):
            then = self._node(op, arg, flags, then)
        return then

    def _node(self, op: Any, arg: Any, flags: int, then: int) -> int:
        if op is sre.BRANCH:
            return self._add(_State(after=[self._sequence(b, flags, then) for b in arg[1]]))
        if op is sre.SUBPATTERN:
            _, add, remove, inner = arg
            return self._sequence(inner, (flags | add) & ~remove, then)
        if op in REPEATS:
            return self._repeat(op, arg, flags, then)
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            return self._add(_State(_standard(op, arg, flags), after=[then]))
        if op is sre.AT or op in (sre.ASSERT, sre.ASSERT_NOT):
            self.has_places = True
            if self._exact and _is_slow_look(op, arg, flags):
                test: Any = _Look(PatternAutomaton(arg[1], flags, True), op is sre.ASSERT)
            else:
                test = _standard(op, arg, flags)
            return self._add(_State(test, True, [then]))
        if self._exact:
            raise SlowPattern("may match in too many ways")
        return self._sequence(arg, flags, then) if op is ATOMIC else then

    def _repeat(self, op: Any, arg: Any, flags: int, then: int) -> int:
        least, most, inner = int(arg[0]), arg[1], arg[2]
        if self._exact and op is not sre.MAX_REPEAT and op is not sre.MIN_REPEAT:
            raise SlowPattern("may match in too many ways")
        around = self._times
        if not self._exact and most is not sre.MAXREPEAT:
            # Short repetitions inside each other are long together.
            self._times = min(around * max(int(most), 1), _LONG_REPEAT + 1)
            if self._times > _LONG_REPEAT:
                least, most = min(least, 1), sre.MAXREPEAT
        entry = self._repeated(op, least, most, inner, flags, then)
        self._times = around
        return entry

    def _repeated(
        self, op: Any, least: int, most: Any, inner: Sequence[Any], flags: int, then: int
    ) -> int:
        entry = then
        if most is sre.MAXREPEAT:
            entry = loop = self._add(_State())
            body = self._sequence(inner, flags, loop)
            self.states[loop].after = self._preferred(op, body, then)
            if least:
                entry, least = body, least - 1
        else:
            for _ in range(int(most) - least):
                body = self._sequence(inner, flags, entry)
                entry = self._add(_State(after=self._preferred(op, body, then)))
        for _ in range(least):
            entry = self._sequence(inner, flags, entry)
        return entry

    @staticmethod
    def _preferred(op: Any, body: int, then: int) -> list[int]:
        return [then, body] if op is sre.MIN_REPEAT else [body, then]


def _standard(op: Any, arg: Any, flags: int) -> re.Pattern[str]:
    """Return the standard library's matcher of one parsed node."""
    if op in (sre.LITERAL, sre.NOT_LITERAL) and not flags & re.IGNORECASE:
        return _of_character(arg, op is sre.NOT_LITERAL)
    state = sre_parse.State()
    state.str = ""
    state.flags = flags & ~re.DEBUG
    compiled: re.Pattern[str] = sre_compile.compile(sre_parse.SubPattern(state, [(op, arg)]), 0)
    return compiled


def _is_slow_look(op: Any, arg: Any, flags: int) -> bool:
    """Say whether a node looks ahead for a pattern that may be slow."""
    return op in (sre.ASSERT, sre.ASSERT_NOT) and arg[0] > 0 and _may_be_slow(arg[1], flags)


@functools.lru_cache(1024)
def _of_character(code: int, is_not: bool) -> re.Pattern[str]:
    return re.compile(f"[{'^' * is_not}\\U{code:08x}]")


class Simulated:
    """A pattern that is matched by simulating its automaton."""

    def __init__(self, automaton: PatternAutomaton, pattern: str = "") -> None:
        self.pattern = pattern
        self._automaton = automaton
        self._moves: dict[tuple[tuple[int, ...], str, bool], tuple[int, ...]] = {}

    def match(self, text: str, position: int = 0, limit: int = 1 << 62, /) -> SimulatedMatch | None:
        """Return the match that begins at an offset, the one that backtracking would find first.

        It is found as if the text ended at `limit`.
        """
        text = text if limit >= len(text) else text[:limit]
        end = self._end(text, position, whole=False)
        return None if end is None else SimulatedMatch(text, position, end)

    def fullmatch(self, text: str, /) -> SimulatedMatch | None:
        """Return the match of the whole text."""
        end = self._end(text, 0, whole=True)
        return None if end is None else SimulatedMatch(text, 0, end)

    def _end(self, text: str, position: int, whole: bool) -> int | None:
        end = None
        current = self._closure([self._automaton.start], text, position, whole)
        moves, depends = self._moves, self._automaton.has_places
        while current:
            if current[-1] == 0 or (whole and 0 in current):
                end = position if not whole or position == len(text) else None
            if position == len(text):
                break
            char = text[position]
            position += 1
            key = current, char, whole
            following = None if depends else moves.get(key)
            if following is None:
                following = self._following(current, char, text, position, whole)
                if len(moves) >= _KEPT_MOVES:
                    moves.clear()
                if not depends:
                    moves[key] = following
            current = following
        return end

    def _following(
        self, current: tuple[int, ...], char: str, text: str, position: int, whole: bool
    ) -> tuple[int, ...]:
        states = self._automaton.states
        taken = [states[s].after[0] for s in current if s and states[s].takes(char)]
        return self._closure(taken, text, position, whole)

    def _closure(self, begin: list[int], text: str, position: int, whole: bool) -> tuple[int, ...]:
        """Return the states reached without a character that test one, in order, and 0.

        Those after 0 are left out, as backtracking would not get to them, unless the `whole` text
        must match.
        """
        states = self._automaton.states
        found: list[int] = []
        seen: set[int] = set()
        stack = begin[::-1]
        while stack:
            number = stack.pop()
            if number in seen:
                continue
            seen.add(number)
            state = states[number]
            if number == 0 or (state.test is not None and not state.is_place):
                found.append(number)
                if number == 0 and not whole:
                    break
            elif state.test is None or state.test.match(text, position) is not None:
                stack += reversed(state.after)
        return tuple(found)


class _Look:
    """A look ahead for a pattern that is simulated."""

    def __init__(self, automaton: PatternAutomaton, is_wanted: bool) -> None:
        self._ahead = Simulated(automaton)
        self._is_wanted = is_wanted

    def match(self, text: str, position: int) -> bool | None:
        """Return True if the look ahead accepts the text at an offset, else None."""
        found = self._ahead.match(text, position) is not None
        return True if found is self._is_wanted else None


def _may_be_slow(nodes: Sequence[Any], flags: int) -> bool:
    """Say whether the number of ways to match may grow faster than the text. Raises SlowPattern."""
    if _choices(nodes) <= _MANY_CHOICES:
        return False
    if any(_is_slow_look(op, arg, now) for op, arg, now in _looks(nodes, flags)):
        return True
    automaton = PatternAutomaton(nodes, flags, is_exact=False)
    states = automaton.states
    chars = _characters(nodes)
    taken = {
        number: frozenset(filter(state.takes, chars))
        for number, state in enumerate(states)
        if state.test is not None and not state.is_place
    }
    # The beginning is a state as well: no character leads to it.
    ways = {-1: _ways(states, [automaton.start])}
    ways.update((number, _ways(states, states[number].after)) for number in taken)
    numbers = list(ways)
    index = {number: i for i, number in enumerate(numbers)}
    parts = components([[index[n] for n in ways[number]] for number in numbers])
    part_of = {numbers[i]: part for part, members in enumerate(parts) for i in members}
    # Those that a part leads to come before it.
    loops_after: list[bool] = []
    choices_after: list[int] = []
    for part, members in enumerate(parts):
        own = [numbers[i] for i in members]
        further = {part_of[n] for number in own for n in ways[number]}
        is_loop = part in further
        further.discard(part)
        loops = {p for p in further if loops_after[p]}
        if is_loop and any(_branches(ways[n], taken, part_of, part, loops) for n in own):
            return True
        loops_after.append(is_loop or bool(loops))
        open_choice = any(_branches(ways[n], taken, part_of, None, set()) for n in own)
        choices_after.append(open_choice + max((choices_after[p] for p in further), default=0))
    return choices_after[part_of[-1]] > _MANY_CHOICES


def _branches(
    ways: dict[int, int],
    taken: dict[int, frozenset[str]],
    part_of: dict[int, int],
    here: int | None,
    loops: set[int],
) -> bool:
    """Say whether over one character two ways stay `here`, or one does and one goes to `loops`.

    If `here` is None, whether there are two ways at all.
    """
    staying: dict[str, int] = defaultdict(int)
    leaving: set[str] = set()
    for following, count in ways.items():
        if here is None or part_of[following] == here:
            for char in taken[following]:
                staying[char] += count
        elif part_of[following] in loops:
            leaving |= taken[following]
    return any(count > 1 for count in staying.values()) or not leaving.isdisjoint(staying)


def _ways(states: list[_State], begin: list[int]) -> dict[int, int]:
    """Return the states reached without a character that test one; 2 for several ways."""
    visits: dict[int, int] = defaultdict(int)
    stack = list(begin)
    while stack:
        number = stack.pop()
        if visits[number] == 2:
            continue
        visits[number] += 1
        state = states[number]
        if state.test is None or state.is_place:
            stack += state.after
    return {
        number: count
        for number, count in visits.items()
        if states[number].test is not None and not states[number].is_place
    }


def _looks(nodes: Iterable[Any], flags: int) -> Iterator[tuple[Any, Any, int]]:
    """Yield the nodes that look around, outside of others, with the flags that hold there."""
    for op, arg in nodes:
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            yield op, arg, flags
            continue
        now = (flags | arg[1]) & ~arg[2] if op is sre.SUBPATTERN else flags
        for part in _inner(op, arg):
            yield from _looks(part, now)


def _choices(nodes: Iterable[Any]) -> int:
    """Return how many choices a pattern has, in whatever it repeats as often as that may be."""
    count = 0
    for op, arg in nodes:
        inside = sum(map(_choices, _inner(op, arg)))
        if op in REPEATS:
            count += min(int(arg[1]), _MANY_CHOICES + 1) * (inside + (arg[0] != arg[1]))
        else:
            count += inside + (op is sre.BRANCH)
    return count


def _inner(op: Any, arg: Any) -> list[Any]:
    """Return the parts of a parsed node that are sequences themselves."""
    if op is sre.BRANCH:
        return list(arg[1])
    if op is sre.SUBPATTERN:
        return [arg[3]]
    if op in REPEATS:
        return [arg[2]]
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [arg[1]]
    if op is sre.GROUPREF_EXISTS:
        return [part for part in arg[1:] if part]
    return [arg] if op is ATOMIC else []


def _characters(nodes: Iterable[Any]) -> list[str]:
    """Return characters that tell apart the sets that a pattern tests."""
    found = set(_SAMPLE)
    stack = list(nodes)
    while stack:
        op, arg = stack.pop()
        ends: tuple[int, ...] = ()
        if op in (sre.LITERAL, sre.NOT_LITERAL):
            ends = (arg,)
        elif op is sre.RANGE:
            ends = arg
        elif op is sre.IN:
            stack += arg
        for part in _inner(op, arg):
            stack += part
        for end in ends:
            for code in (end - 1, end, end + 1):
                if 0 <= code <= 0x10FFFF:
                    found |= {chr(code), *chr(code).lower(), *chr(code).upper()}
    return sorted(found)
