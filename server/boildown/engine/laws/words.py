"""Words that an input lacks, of its program and its language: many are put into it at once.

Mutants are made of inputs at hand, so none has the key or section whose absence makes a program
fail; but the program names it, and many a key is common in the language. Copies of an item, each
with another word, stand beside the items of a list. If it passes so, the few words that it needs
are found by bisection of the prefixes (as in Junker, QuickXplain, 2004), in about log2 of their
number of runs for each.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import TypeAlias

from boildown.engine.language import Language
from boildown.engine.laws.aim import like
from boildown.engine.laws.attack import unlike
from boildown.engine.laws.families import counterparts, relatives
from boildown.engine.laws.features import Chosen, Feature, Named, steps_of
from boildown.engine.laws.law import WITH_COMMON_WORDS, WITH_WORDS, Law, holds
from boildown.engine.laws.learner import Rule
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import (
    NEUTRAL,
    Corpus,
    grown,
    renamed,
    separators,
    tried_separator,
)
from boildown.engine.laws.parts import ANY, Parts, read
from boildown.engine.laws.state import LONGEST, Search
from boildown.engine.laws.strains import focus_of
from boildown.engine.laws.table import Table
from boildown.engine.laws.vocabulary import sorts
from boildown.engine.numerals import number
from boildown.engine.oracle import Outcome

MOST_RUNS = 24
"""Runs that are made to find words whose absence matters, at most."""
MOST_COMMON_RUNS = 8
"""The same for words that are only common in the language, until one of these matters."""
MOST_LISTS = 3
"""Sorts of lists of one input that words are put into, the outermost first."""
MOST_ALIKE = 8
"""Lists of one sort that words are put into at once."""
MOST_NEAR = 8
"""Lists around what a law names that words are put into, the nearest first."""
MOST_BASES = 60
"""Failing inputs in which these are looked for, the shortest first."""
LONGEST_ITEM = 100
"""Characters of the longest item of which copies are made."""
ITEMS_DRAWN = 4
"""Texts of the grammar that are drawn for a list without items, to have one of which to copy."""

_Place: TypeAlias = Callable[[Sequence[str]], str]
"""Returns an input with a copy of an item for each word, at one place."""


@dataclass(slots=True)
class LackingWords:
    """Words that failing inputs lack, with the runs by which they are looked for."""

    words: list[str]
    """Those of the program that no part of the inputs has."""
    common: list[str]
    """Those of the language, too."""
    language: Language
    judge: Callable[[str], Outcome]
    check: Callable[[], None] = lambda: None
    admits: Callable[[str], bool] = lambda _text: True
    """Says whether an input that follows the grammar may be run."""
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    """Those of inputs with words, most of them with many."""
    passing: dict[str, list[str]] = field(default_factory=dict)
    """The inputs that pass with few words, and these."""

    @property
    def spent(self) -> bool:
        """Whether no runs are left."""
        few = not self.words and Outcome.PASSED not in self.outcomes.values()
        return len(self.outcomes) >= (MOST_COMMON_RUNS if few else MOST_RUNS)

    def fits(self, text: str) -> bool:
        """Say whether an input follows the grammar, and may be run."""
        return self.language.valid(text) and self.admits(text)

    def run(self, text: str) -> Outcome:
        """Return the outcome of an input; one that does not follow the grammar is invalid."""
        self.check()
        if text in self.outcomes or not self.fits(text):
            return self.outcomes.get(text, Outcome.INVALID)
        outcome = self.outcomes[text] = self.judge(text)
        return outcome


def find_lacking(
    words: Sequence[str],
    original: str,
    reduced: str,
    language: Language,
    judge: Callable[[str], Outcome],
    check: Callable[[], None] = lambda: None,
) -> LackingWords:
    """Find words without which the original and the reduced input fail.

    They are of the program (`words`) or common in the language. `judge` runs one input, and may
    raise `Stop`, as `check` may at any time. An input that fails in
    another way is to be invalid: that shows nothing of the words in it but that they are too many.
    """
    texts = [reduced, original] if len(original) <= LONGEST else [reduced]
    read_once = [(text, parts) for text in dict.fromkeys(texts) if (parts := read(text, language))]
    # Mutants have those already, wherever they may stand.
    had = {part.word for _, parts in read_once for part in parts.all}
    own = [each for each in dict.fromkeys(words) if each not in had]
    common = [each for each in dict.fromkeys(language.words) if each not in {*had, *own}]
    found = LackingWords(own, common, language, judge, check)
    every = [*own, *common]
    _seek(found, (
        (place, every) for is_behind in (False, True) for text, parts in read_once
        for place in _places(text, parts, language, is_behind)
    ))  # fmt: skip
    for text, parts in read_once if found.words and not found.passing else ():
        _rename(found, text, parts)
    return found


def _seek(found: LackingWords, places: Iterable[tuple[_Place, list[str]]]) -> None:
    """Put words to one place after the other, and find those with which an input passes."""
    waiting = deque(places)
    while waiting and not found.spent:
        place, chosen = waiting.popleft()
        chosen = _fitting(found, place, chosen)
        outcome = found.run(place(chosen)) if chosen else Outcome.REPRODUCED
        if outcome is Outcome.PASSED:
            needed = _needed(found, place, chosen)
            if needed is None:
                break
            found.passing[place(needed)] = needed
            # Others may do as well.
            waiting = deque([(place, [each for each in chosen if each not in needed])])
        elif outcome is not Outcome.REPRODUCED and len(chosen) > 1 and found.words:
            middle = len(chosen) // 2
            waiting += [(place, chosen[:middle]), (place, chosen[middle:])]


def _rename(found: LackingWords, text: str, parts: Parts) -> None:
    """Let parts that stand in no list have one word after the other, until the input passes.

    It has to fail with any other word, or it is only the part's own one that matters.
    """
    for index, part in enumerate(parts.all):
        if part.is_item or not parts.owns_word(index):
            continue
        for word in (2 * part.word, *found.words):
            made = text[: part.start] + renamed(parts, index, word) + text[part.end :]
            if found.spent or found.passing:
                return
            outcome = found.run(made)
            if word == 2 * part.word and outcome is not Outcome.REPRODUCED:
                break
            if outcome is Outcome.PASSED:
                found.passing[made] = [word]


def _places(text: str, parts: Parts, language: Language, is_behind: bool) -> Iterator[_Place]:
    """Yield places in lists of a text for words, those of the outermost lists first.

    A place is in all lists of one sort at once, as one that fails for lack of a word may be any.
    """
    for lists in _lists(parts)[:MOST_LISTS]:
        for count in dict.fromkeys((min(len(lists), MOST_ALIKE), 1)):
            found = [*_beside(text, parts, lists[:count], is_behind)]
            if any(language.valid(place([NEUTRAL])) for place in found):
                yield from found
                break
    if not is_behind:
        first = dict(reversed([(label, at) for at, label in parts.absent]))
        for label, at in itertools.islice(first.items(), MOST_LISTS):
            yield from itertools.islice(_begun(text, parts, at, label, language), 1)


def _beside(
    text: str, parts: Parts, lists: Sequence[Sequence[int]], is_behind: bool
) -> Iterator[_Place]:
    """Yield the place before the items of some lists or behind them, if copies can stand there."""
    spots = []
    for items in lists:
        index = min(items, key=lambda i: len(parts.all[i].text))
        part, separator = parts.all[index], _separator(text, parts, index)
        # Two texts side by side may be one.
        is_apart = separator != "" or part.word
        if separator is not None and is_apart and len(part.text) <= LONGEST_ITEM:
            at = parts.all[items[-1]].end if is_behind else parts.all[items[0]].start
            spots.append((at, index, separator))
    if spots:
        yield partial(_inserted, text, parts, spots, is_behind)


def _begun(text: str, parts: Parts, at: int, label: str, language: Language) -> Iterator[_Place]:
    """Yield places in a list that has no items, with one of the grammar in it."""
    for seed in range(ITEMS_DRAWN):
        made = grown(Corpus(language), text, at, label, Random(seed))
        new = None if made is None else read(made, language, parts.naming)
        if made is None or new is None:
            continue
        end = at + len(made) - len(text)
        for index, part in enumerate(new.all):
            inside = at <= part.start and part.end <= end and len(part.text) <= LONGEST_ITEM
            if inside and part.is_item and part.word:
                separator = _separator(made, new, index)
                if separator is not None:
                    yield partial(_inserted, made, new, [(part.start, index, separator)], False)


def _lists(parts: Parts) -> list[list[list[int]]]:
    """Return the items with words of each list, the lists of a sort together, the outermost first.

    Tokens without a word, such as the fields of a table, may be words themselves.
    """
    found = _worded(parts)
    chosen: dict[tuple[str, str], list[list[int]]] = {}

    def far(place: tuple[int, str]) -> tuple[bool, int]:
        has_words = any(parts.all[i].word for i in found[place])
        parent, _ = place
        return not has_words, -1 if parent < 0 else len([*parts.above(parent)])

    for place in sorted(found, key=far):
        parent, _ = place
        above = [i for i in (parent, *parts.above(parent)) if i >= 0 and parts.all[i].word][:1]
        owner = parts.all[above[0]].word if above else ""
        sort = parts.all[found[place][0]].labels[-1], owner
        chosen.setdefault(sort, []).append(found[place])
    return list(chosen.values())


def _worded(parts: Parts) -> dict[tuple[int, str], list[int]]:
    """Return the items with words by the list that they stand in, or those that are words."""
    named: dict[tuple[int, str], list[int]] = {}
    plain: dict[tuple[int, str], list[int]] = {}
    for index, part in enumerate(parts.all):
        if part.is_item and part.word:
            named.setdefault(part.in_list, []).append(index)
        elif part.is_item and _is_text(parts, index):
            plain.setdefault(part.in_list, []).append(index)
    return {**plain, **named}


def _is_text(parts: Parts, index: int) -> bool:
    """Say whether a part is a token that may be another word."""
    part = parts.all[index]
    may_be = not part.is_literal and part.bare != "" and parts.is_plain(index)
    return may_be and number(part.bare) is None


def _separator(text: str, parts: Parts, index: int) -> str | None:
    """Return the separator of the items of a list; None if that is not known."""
    return "".join(separators(text, parts, index)) or tried_separator(text, parts, index)


def _inserted(
    text: str,
    parts: Parts,
    spots: Sequence[tuple[int, int, str]],
    is_behind: bool,
    words: Sequence[str],
) -> str:
    """Return a text with a copy of an item for each word at some offsets, before or behind them.

    Each spot is an offset, the item and its separator.
    """
    for at, index, separator in sorted(spots, reverse=True):
        part = parts.all[index]
        copies = [
            renamed(parts, index, word) if part.word else like(part.text, word) for word in words
        ]
        made = "".join(separator + each if is_behind else each + separator for each in copies)
        text = text[:at] + made + text[at:]
    return text


def _fitting(found: LackingWords, place: _Place, words: list[str]) -> list[str]:
    """Leave out the words with which an input does not follow the grammar, by halves."""
    found.check()
    if not words or found.fits(place(words)):
        return words
    middle = len(words) // 2
    if not middle:
        return []
    halves = (words[:middle], words[middle:])
    return [each for half in halves for each in _fitting(found, place, half)]


def _needed(found: LackingWords, place: _Place, words: Sequence[str]) -> list[str] | None:
    """Return few of the words with which an input passes, so that it does with these alone.

    None if the runs do not suffice.

    The last word of the shortest prefix that passes is needed, and then of the prefixes before it
    together with that word, and so on.
    """
    needed: list[str] = []
    rest = list(words)
    while True:
        low, high = 0, len(rest)
        while high - low > 1 and not found.spent:
            middle = (low + high) // 2
            passes = found.run(place([*rest[:middle], *needed])) is Outcome.PASSED
            low, high = (low, middle) if passes else (middle, high)
        needed, rest = [*rest[high - 1 : high], *needed], rest[: high - 1]
        if found.spent:
            return None
        if not rest or found.run(place(needed)) is Outcome.PASSED:
            return needed


def enter_lacking(search: Search, lacking: LackingWords) -> list[Feature]:
    """Enter the runs into the table if any passes; return the features that laws may then have."""
    search.runs += len(lacking.outcomes)
    if not lacking.passing:
        return []
    search.crowded |= lacking.outcomes.keys() - lacking.passing.keys()
    for text, outcome in lacking.outcomes.items():
        parts = search.parts(text)
        judged = outcome in (Outcome.REPRODUCED, Outcome.PASSED)
        if parts is not None and judged and text not in search.outcomes:
            search.enter(text, parts, outcome is Outcome.REPRODUCED)
    passing = [parts for text in lacking.passing if (parts := search.parts(text)) is not None]
    # Such a part may be written in several ways.
    words = [word for needed in lacking.passing.values() for word in needed]
    found = [Feature("texts", Chosen(Named(ANY, word))) for word in words]
    found += sorts(search.core[:1], passing)
    added = [each for each in found if each not in search.table.columns]
    search.table.extend(added, search.parts)
    return [*added, *_ask(search.table, words, passing)]


def _ask(table: Table, words: Collection[str], inputs: Sequence[Parts]) -> list[Feature]:
    """Let laws ask whether a token is one of some words; return the features of these."""
    found = []
    for feature in table.features:
        if feature.kind == "texts" and feature.a.text is None and feature.a.step.word is None:
            texts = {text: None for parts in inputs for text in feature.a.texts(parts)}
            known = (text for text in texts if text in words)
            asked = [Atom(feature, "some is", constant=each, negated=True) for each in known]
            if asked:
                others = table.scopes.get(feature, ())
                table.scopes[feature] = tuple(dict.fromkeys((*others, *asked)))
                table.questions.pop(feature, None)
                found.append(feature)
    return found


def undone(search: Search, lacking: LackingWords, law: Law) -> bool:
    """Put words into the lists around the parts of a law; say whether an input passes with some.

    A part may fail for lack of one inside it, or beside it, and that may stand elsewhere already.
    """

    def admits(text: str) -> bool:
        parts = search.parts(text)
        return parts is not None and search.corpus.admits(parts)

    found = replace(lacking, outcomes={}, passing={}, judge=search.judge, admits=admits)
    named = sorted(search.corpus.names)
    for rule in law.rules:
        if rule not in search.filled:
            search.filled.add(rule)
            asked = [step.word for each in rule for step in steps_of(each.feature) if step.word]
            akin = (each for word in asked for each in (*counterparts(word), *relatives(word)))
            words = dict.fromkeys([*lacking.words, *akin, *named, *lacking.common])
            _seek(found, _around(search, rule, [*words]))
    enter_lacking(search, found)
    parsed = ((text, search.parts(text)) for text in found.passing)
    refuting = [text for text, parts in parsed if parts is not None and law.holds(parts)]
    found.passing = {text: found.passing[text] for text in refuting}
    if refuting:
        learn_lacking(search, found)
    return bool(refuting)


def provoked(search: Search, lacking: LackingWords, law: Law) -> bool:
    """Put words into an input that passes; say whether one fails for which a law does not hold.

    Another rule may ask for a part that no input of the job has. This is done once.
    """
    table = search.table
    found = ((text, search.parts(text)) for text in table.shortest_first(table.passing))
    bases = [(text, parts) for text, parts in found if parts is not None and search.is_base(text)]
    if () in search.filled or not bases:
        return False
    search.filled.add(())
    model = search.corpus.donors[0].parts
    base, inside = min(bases, key=lambda each: unlike(each[1], model))
    had = {part.word for part in inside.all}
    words = [each for each in (*lacking.words, *lacking.common) if each not in had]
    turned = {Outcome.PASSED: Outcome.REPRODUCED, Outcome.REPRODUCED: Outcome.PASSED}

    def judge(text: str) -> Outcome:
        outcome = search.judge_once(text)
        return turned.get(outcome, outcome)

    def admits(text: str) -> bool:
        return search.untried(text) is not None

    sought = replace(lacking, outcomes={}, passing={}, judge=judge, admits=admits)
    places = _places(base, inside, search.language, is_behind=True)
    _seek(sought, ((place, words) for place in places))
    search.crowded |= sought.outcomes.keys() - sought.passing.keys()
    refuted = False
    for text in sought.outcomes:
        parts = search.parts(text)
        assert parts is not None
        search.note(text, parts)
        if text in sought.passing and not law.holds(parts):
            named = [Feature("texts", Chosen(Named(ANY, word))) for word in sought.passing[text]]
            search.table.extend([*named, *sorts(search.core[:1], [parts])], search.parts)
            search.quote(parts)
            refuted = True
    if refuted:
        _learn(search, lacking)
    return refuted


def _around(search: Search, rule: Rule, words: Sequence[str]) -> Iterator[tuple[_Place, list[str]]]:
    """Yield places in lists around the parts of a rule, all of one sort, the nearest first.

    They are of the shortest input with such a list, and of the first one of all. With each come the
    words that neither stand there nor are named by the rule.
    """
    table, named = search.table, set[str]()
    found: dict[tuple[str, bool, bool], tuple[int, str, Parts, list[list[int]]]] = {}
    first = search.corpus.donors[0].text
    shortest = table.shortest_first(table.held([rule]) & table.failing)[:MOST_BASES]
    for text in filter(search.is_base, dict.fromkeys((*shortest, first))):
        parts = search.parts(text)
        if parts is None or not (search.corpus.admits(parts) and holds([rule], parts)):
            continue
        focus = focus_of(rule, parts) or [0]
        named |= {parts.all[index].word for index in focus}
        for (label, is_around), far, lists in _nearest(parts, focus):
            sort = label, is_around, text == first
            if sort not in found or far < found[sort][0]:
                found[sort] = far, text, parts, lists
    left = MOST_NEAR
    for _, text, parts, lists in sorted(found.values(), key=lambda each: each[0]):
        known = named.union(_spoken(parts, index) for items in lists for index in items)
        chosen = [each for each in words if each not in known]
        for place in _beside(text, parts, lists, is_behind=True) if left else ():
            yield place, chosen
            left -= 1


def _spoken(parts: Parts, index: int) -> str:
    """Return the word of an item, or the text that is one."""
    return parts.all[index].word or parts.all[index].bare


def _nearest(
    parts: Parts, focus: Iterable[int]
) -> Iterator[tuple[tuple[str, bool], int, list[list[int]]]]:
    """Yield the nearest lists of each sort inside some parts, and of those that these stand in.

    A sort is the label of an item, and whether the part stands in the list; with how many steps
    away that is.
    """
    lists = _worded(parts)
    found: dict[tuple[str, bool], dict[int, dict[tuple[int, str], None]]] = {}
    for index in focus:
        for place, items in lists.items():
            parent, _ = place
            above, around = ([*parts.above(i)] for i in (index, parent))
            if parent in above or index in (parent, *around):
                sort = parts.all[items[0]].labels[-1], parent in above
                far = abs(len(above) - len(around))
                found.setdefault(sort, {}).setdefault(far, {}).setdefault(place)
    for sort, by_distance in found.items():
        far = min(by_distance)
        yield sort, far, [lists[place] for place in by_distance[far]]


def learn_lacking(search: Search, lacking: LackingWords) -> None:
    """Let mutants be made of the inputs that pass, and of the words."""
    _learn(search, lacking)
    for text, needed in lacking.passing.items():
        parts = search.parts(text)
        assert parts is not None
        search.corpus.add(text, parts)
        # The first donors are taken the most often.
        search.corpus.donors.insert(1, search.corpus.donors.pop())
        search.widen(parts)
        _elsewhere(search, needed)


def _learn(search: Search, lacking: LackingWords) -> None:
    """Let mutants be made of the words, and the evidence say so."""
    if not search.corpus.words:
        search.sampler += WITH_WORDS if lacking.words else WITH_COMMON_WORDS
    search.corpus.words = (*lacking.words, *lacking.common)
    if search.table.quotable is not None:
        search.table.quotable |= {*search.corpus.words}


def _elsewhere(search: Search, words: Sequence[str]) -> None:
    """Run inputs in which parts of each other sort have the words: these may do as well, or not."""
    seen: set[str] = set()
    for donor in search.corpus.donors[:3]:
        text, parts = donor.text, donor.parts
        for index, part in enumerate(parts.all):
            if not parts.owns_word(index) or part.labels[-1] in seen or part.word in words:
                continue
            seen.add(part.labels[-1])
            for word in words:
                made = text[: part.start] + renamed(parts, index, word) + text[part.end :]
                found = search.parts(made)
                if found is None or not search.corpus.admits(found) or search.spent:
                    continue
                if search.run(made, found) is Outcome.PASSED:
                    feature = Feature("texts", Chosen(Named(part.labels[-1], word)))
                    search.table.extend([feature], search.parts)
                    search.widen(found)
