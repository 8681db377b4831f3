"""Attacks a law: mutants that it says fail, and others, until one refutes it or it stands."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from boildown.engine.laws.law import Law, LawEvidence, holds
from boildown.engine.laws.learner import Rule
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import Corpus, in_turns, separators, without_item
from boildown.engine.laws.parts import Parts
from boildown.engine.laws.state import DRAWN, Search
from boildown.engine.laws.strains import (
    appended,
    appended_near,
    declared,
    focus_of,
    of_other_sorts,
    probes,
    retold,
    strains,
    transplanted,
    with_largest,
)
from boildown.engine.laws.table import Table
from boildown.engine.laws.turned import (
    BETWEEN_INPUTS,
    Directed,
    answered,
    composed,
    crossed,
    divided,
    doubled,
    moved,
    rearranged,
    shortened,
    spoken,
    stretched,
    turned,
    wrapped,
)
from boildown.engine.laws.vocabulary import of_counts
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.bounds import lower_bound

MAX_REFUTED = 0.09
"""The share of mutants that may refute a law that has exceptions."""
EACH_SIDE = 3
"""Inputs for which a law holds, and others, that are made against one of its literals."""
MOST_WRAPPED = 8
"""Inputs for which it holds that are made with what it speaks of inside something larger."""
MOST_REARRANGED = 5
"""The same with its items at other places, or without some of them."""
MOST_SPOKEN = 16
"""The same with words that go with those it asks for, and signs; and as many for which it does not
hold."""
MOST_JOINED = 8
"""Pairs of inputs, one for each of two literals, that are made one."""
EACH_JOINED = 2
"""Inputs for one literal that are put beside others."""
MOST_BASES = 3
"""Inputs of either outcome, and the shortest one, that are changed for that."""
MOST_STRAINED = 24
"""Inputs of that kind that are run at most to refute a rule."""
MOST_APPENDED = 20
"""Inputs with one item more that are run besides."""
MOST_DECLARED = 12
"""The same with what may declare a name in it."""
MOST_STRAINED_BASES = 2
"""Failing inputs that these are made of."""
MOST_STRAINS = 300
"""Edits of one of them that are looked at."""
MOST_SURVEYED = 75
"""Inputs that are run at most to find other failures."""
MOST_SURVEYS = 2
"""How often this is done where the first time refuted a law."""
MOST_LEFT_OUT = 24
"""Edits of the shortest failing input for which a law does not hold that are run at most."""
MOST_SHRUNK = 20
"""Inputs that are run at most to reduce one that a rule alone explains."""
MOST_LEAST = 12
"""Inputs that are run at most to reduce one that refutes a law."""
MOST_PLACES = 10
"""Places in a row, separators counted, of which the parts are of sorts of their own."""
MORE_DIGITS = "000"
"""Are put behind a number that may be as long as one likes."""
VARIANTS = 12
"""Changes of one input that are looked at, of those that may be mutants."""
MOST_VARIANTS = 3 * VARIANTS
"""Changes of it that are made for these, at most."""
LEAST_BOUND = 0.8
"""A law is not said if a lower share than this is all that its mutants vouch for."""
LEAST_BOUND_LONGER = 0.92
"""The same for one of several conditions: of the many there are, some fit most inputs by chance."""


def challenged(search: Search, law: Law) -> bool:
    """Run inputs that are made against each literal of a law; say whether one refutes it.

    Some miss the law by this literal alone, and should pass; some satisfy it in another way than
    those that are known, and should fail. They are no draws, and no evidence. A law that is
    proposed again all the same, with exceptions, meets all of them once, and then no more.
    """
    table = search.table
    times = search.challenged.get(law.rules, 0)
    search.challenged[law.rules] = times + 1
    if times > 1:
        return False
    refuted = False
    for rule in law.rules:
        held = table.held([rule]) & table.failing
        # Where another rule holds as well, nothing shows what this one needs.
        alone = held & ~table.held(each for each in law.rules if each is not rule)
        failing = _some(search, alone or held)
        for literal in rule:
            # Where what it looks at is not there, there is little that could be changed.
            passing = _some(search, table.seeing(literal.feature) & table.passing or table.passing)
            others = [each for each in rule if each is not literal]
            both = [*failing, *passing]
            is_absent = literal.test == "exists" and literal.negated
            is_inner = literal.feature.kind == "with" or literal.feature.a.is_inside
            ways: dict[Directed, list[str]] = {
                doubled: both,
                turned: both,
                divided: failing,
                composed: failing,
                moved: passing,
                rearranged: both if is_absent else failing,
                stretched: both,
                spoken: failing[:3],
                answered: failing[:2],
                wrapped: both if is_inner else failing,
                crossed: failing,
                shortened: both,
            }
            left = {(way, side): EACH_SIDE for way in ways for side in (True, False)}
            left |= {(wrapped, True): MOST_WRAPPED, (rearranged, True): MOST_REARRANGED}
            left |= {(spoken, side): MOST_SPOKEN for side in (True, False)}
            left[rearranged, False] = EACH_SIDE if is_absent else 1
            for way, text, parts in _turned(search, literal, ways):
                inside = law.holds(parts)
                if not left[way, inside] or not (inside or holds([tuple(others)], parts)):
                    continue
                if search.spent:
                    return refuted
                outcome = search.run(text, parts)
                if outcome not in (Outcome.REPRODUCED, Outcome.PASSED):
                    continue
                left[way, inside] -= 1
                failed = outcome is Outcome.REPRODUCED
                if failed != inside and (failed or search.reliable(text)):
                    if way is answered:
                        search.widen(parts)
                        search.table.extend(of_counts(search.core[:1], [parts]), search.parts)
                    if not times:
                        return True
                    refuted = True
        joined = itertools.chain(_joined(search, rule), _joined_with_absent(search, law, rule))
        for text, parts in itertools.islice(joined, MOST_JOINED):
            if search.spent:
                return refuted
            outcome = search.run(text, parts)
            if outcome is (Outcome.PASSED if law.holds(parts) else Outcome.REPRODUCED):
                if outcome is Outcome.PASSED and not search.reliable(text):
                    continue
                search.widen(parts)
                if not times:
                    return True
                refuted = True
    return refuted


def _joined(search: Search, rule: Rule) -> Iterator[tuple[str, Parts]]:
    """Yield inputs for which a rule holds as two that pass stand side by side, each for a part.

    That both a loop and a lambda are there says little of whether one has to be in the other.
    """
    table = search.table
    for literal in rule if len(rule) > 1 else ():
        rest = [each for each in rule if each is not literal]
        alone, others = table.held([[literal]]), table.held([rest])
        rows = (alone & ~others & table.passing, others & ~alone & table.passing)
        for made, new in _pairs(search, *rows):
            if holds([rule], new):
                yield made, new


def _joined_with_absent(search: Search, law: Law, rule: Rule) -> Iterator[tuple[str, Parts]]:
    """Yield inputs that a law leaves out only for a part beside them that a rule wants absent.

    It may have to be absent in one part alone.
    """
    table = search.table
    for literal in rule if len(rule) > 1 else ():
        rest = [each for each in rule if each is not literal]
        if literal.test == "exists" and literal.negated:
            there = table.passing & ~table.held([[literal]])
            # What has it by itself comes before what it keeps from failing.
            for others in (~table.held([rest]), -1):
                for made, new in _pairs(search, table.held([rule]) & table.failing, there & others):
                    if not law.holds(new):
                        yield made, new


def _pairs(search: Search, ones: int, others: int) -> Iterator[tuple[str, Parts]]:
    """Yield inputs that are made of two, the shortest of some rows and of others."""
    either = [
        [text for text in search.table.shortest_first(rows) if search.is_base(text)][:EACH_JOINED]
        for rows in (ones, others)
    ]
    for first, second in itertools.product(*either):
        for one, two in ((first, second), (second, first)):
            # What may stand there twice, one after the other, is no key that hides the first.
            for between in BETWEEN_INPUTS:
                made = one + between + two
                if made not in search.outcomes and (new := search.parts(made)) is not None:
                    yield made, new
            listed = _side_by_side(search, one, two)
            if listed is not None and (new := search.untried(listed)) is not None:
                yield listed, new


def _side_by_side(search: Search, one: str, two: str) -> str | None:
    """Return an input with the items of another one behind its own, if both have some."""
    first, second = search.parts(one), search.parts(two)
    if first is None or second is None:
        return None
    ends, others = (_outermost(parts) for parts in (first, second))
    if not ends or not others:
        return None
    at, between = first.all[ends[-1]].end, "".join(separators(one, first, ends[-1]))
    added = two[second.all[others[0]].start : second.all[others[-1]].end]
    return one[:at] + between + added + one[at:]


def _outermost(parts: Parts) -> list[int]:
    """Return the items of the outermost list."""
    found = parts.items()
    return [i for i in found if parts.all[i].parent == parts.all[found[0]].parent]


def strained(search: Search, law: Law) -> bool:
    """Edit failing inputs as the grammar allows; say whether one passes though a law holds for it.

    Mutants are made of what the job's inputs have, so they may lack what tells a law from a
    narrower one: another operator, an option that is absent, another sort of value. A law that
    comes again with exceptions meets all of them, as in `challenged`.
    """
    table = search.table
    by_rule = [table.held([rule]) & table.failing for rule in law.rules]
    before, refuted = 0, False
    is_first = search.challenged.get(law.rules, 1) == 1
    for rule, held in zip(law.rules, by_rule, strict=True):
        bases = _some(search, held & ~before)
        before |= held
        for text, parts in _edited(search, law, rule, bases):
            if search.spent:
                break
            if search.run(text, parts) is Outcome.PASSED and search.reliable(text):
                search.widen(least_input(search, text, parts, law))
                if is_first:
                    return True
                refuted = True
    return refuted


def _edited(
    search: Search, law: Law, rule: Rule, bases: Sequence[str]
) -> Iterator[tuple[str, Parts]]:
    """Yield edits of failing inputs for which a law holds: once with further items, then others."""

    def held(edits: Iterable[str]) -> Iterator[tuple[str, Parts]]:
        for made in edits:
            new = search.untried(made)
            if new is not None and law.holds(new):
                yield made, new

    corpus, rng = search.corpus, search.rng
    every = [(text, parts) for text in bases if (parts := search.parts(text)) is not None]
    read = every[:MOST_STRAINED_BASES]
    is_first = rule not in search.strained
    if is_first:
        search.strained[rule] = 0
        # Where several parts fail by themselves, to undo one of them is not enough.
        single = min(every[1:], key=lambda each: len(focus_of(rule, each[1])), default=None)
        for way, base in ((appended, every[0] if every else None), (appended_near, single)):
            if base is not None:
                further = way(*base, corpus, rng, focus_of(rule, base[1]))
                yield from itertools.islice(held(further), MOST_APPENDED)
    edits = [itertools.islice(strains(rule, *each, corpus, rng), MOST_STRAINS) for each in read]
    left = MOST_STRAINED - search.strained[rule]
    for each in itertools.islice(held(in_turns(edits)), left):
        search.strained[rule] += 1
        yield each
    before = (
        made for text, parts in (read if is_first else ())
        for made in declared(text, parts, corpus, rng, focus_of(rule, parts))
    )  # fmt: skip
    yield from itertools.islice(held(before), MOST_DECLARED)


def surveyed(search: Search, law: Law) -> bool:
    """Change each part of an input that passes; say whether one fails that a law leaves out.

    Another rule may speak of a part that no mutant happened to change. The same is done where such
    a rule holds, as no reduction left out there what does not matter. Each is done once; the first
    is done again for the next law where one was refuted by it, as there may be a third rule.
    """
    table = search.table
    if () not in search.surveyed:
        search.surveyed.add(())
        search.surveys = MOST_SURVEYS
        if _left_out(search, law):
            return True
    for rule in law.rules:
        if rule in search.surveyed or holds([rule], search.core[0]):
            continue
        search.surveyed.add(rule)
        if _shrunk(search, law, rule):
            return True
        if _surveyed(search, law, table.held([rule]) & table.failing, {True: MOST_STRAINED}):
            return True
    if search.surveys:
        search.surveys -= 1
        if _surveyed(search, law, table.passing, {False: MOST_SURVEYED, True: MOST_STRAINED}):
            return True
        search.surveys = 0
    return False


def _left_out(search: Search, law: Law) -> bool:
    """Edit the shortest failing input as the grammar allows; say whether a law misses one.

    What stands in place of what it names, another operator say, may fail for the same reason.
    """
    text = _shortest(search, search.table.failing)
    parts = None if text is None else search.parts(text)
    if text is None or parts is None:
        return False
    edits = strains((), text, parts, search.corpus, search.rng)
    further = appended(text, parts, search.corpus, search.rng)
    named = focus_of(itertools.chain(*law.rules), parts)
    # All of an input may be the one token that matters.
    values = (max(parts.all[i].value, i) for i in (named or [0]))
    plain = [i for i in dict.fromkeys(values) if not parts.all[i].is_literal]
    tokens = [i for i in plain if not parts.all[i].children]
    elsewhere = transplanted(plain, text, parts, search.corpus)
    again = retold(tokens, text, parts, search.corpus, search.rng)
    lanes = [itertools.islice(edits, MOST_STRAINS), further, elsewhere, again]
    return _refuted(search, law, in_turns(lanes), {False: MOST_LEFT_OUT})


def _shrunk(search: Search, law: Law, rule: Rule) -> bool:
    """Reduce the shortest input that one rule alone explains; say whether this refutes the law.

    What is left shows what matters there, as the reduced input does for the first rule.
    """
    table = search.table
    others = [each for each in law.rules if each is not rule]
    rows = table.held([rule]) & table.failing & ~table.explained(others)
    text = _shortest(search, rows)
    refuted, left = False, MOST_SHRUNK
    while text is not None and (parts := search.parts(text)) is not None:
        smaller = None
        for made, new in _smaller(search, text, parts):
            if not left or search.spent:
                return refuted
            if holds(others, new):
                continue
            left -= 1
            outcome, inside = search.run(made, new), law.holds(new)
            if outcome is Outcome.PASSED and inside and search.reliable(made):
                refuted = True
            if outcome is Outcome.REPRODUCED:
                refuted |= not inside
                smaller = made
                break
        text = smaller
    return refuted


def least_input(
    search: Search,
    text: str,
    parts: Parts,
    law: Law | None = None,
    outcome: Outcome = Outcome.PASSED,
) -> Parts:
    """Leave items out of an input as long as its outcome stays; return its last parts.

    Where a law is given, that also holds for what is left, or does not, as for the input: what an
    input that refutes it has besides tells nothing.
    """
    left, first, is_smaller = MOST_LEAST, text, True
    while is_smaller:
        is_smaller = False
        for made, new in _smaller(search, text, parts):
            if not left or search.spent:
                break
            if law is not None and law.holds(new) != law.holds(parts):
                continue
            left -= 1
            # What lies between the first and the last one would make one exception many.
            if search.judge_once(made) is outcome:
                text, parts, is_smaller = made, new, True
                break
            search.note(made, new)
    if text != first:
        search.note(text, parts)
    return parts


def _smaller(search: Search, text: str, parts: Parts) -> Iterator[tuple[str, Parts]]:
    """Yield an input without one item, for each that it has, the longest first."""
    for index in sorted(parts.items(), key=lambda index: -len(parts.all[index].text)):
        made = without_item(text, parts, index)
        if (new := search.untried(made)) is not None:
            yield made, new


def _surveyed(search: Search, law: Law, rows: int, left: dict[bool, int]) -> bool:
    """Change each part of one of some inputs; say whether the outcome refutes a law.

    It is the one that is most like the first input, as people write them. So many are run for which
    the law holds, and for which it does not, as `left` says.
    """
    rng = search.rng
    model = search.corpus.donors[0].parts
    found = ((t, search.parts(t)) for t in search.table.shortest_first(rows) if search.is_base(t))
    bases = [(unlike(parts, model), text, parts) for text, parts in found if parts is not None]
    if not bases:
        return False
    _, text, parts = min(bases, key=lambda each: each[0])
    edits: list[Iterator[str]] = [probed(text, parts, search.corpus, rng)]
    if False in left:
        # What fails for another reason may have what no input of the job has.
        edits.append(strains((), text, parts, search.corpus, rng))
        sorts = (way(text, parts, search.corpus, rng) for way in (appended, of_other_sorts))
        edits.append(_extreme(search, parts, itertools.chain.from_iterable(sorts)))
    return _refuted(search, law, in_turns(edits), left)


def _refuted(search: Search, law: Law, edits: Iterable[str], left: dict[bool, int]) -> bool:
    """Run edits for which a law holds or does not, so many as `left` says, until one refutes it."""
    for made in filter(None, edits):
        if search.spent or not any(left.values()):
            return False
        new = search.untried(made)
        if new is None or not left.get(inside := law.holds(new), 0):
            continue
        left[inside] -= 1
        outcome = search.run(made, new)
        if outcome is (Outcome.PASSED if inside else Outcome.REPRODUCED):
            if inside and not search.reliable(made):
                return False
            found = least_input(search, made, new, law, outcome)
            search.widen(found)
            if not inside:
                search.quote(found)
            return True
    return False


def _extreme(search: Search, parts: Parts, edits: Iterator[str]) -> Iterator[str]:
    """Yield edits of an input in which the new numbers are as large as may be."""
    known = {each.text for each in parts.all}
    for made in itertools.islice(edits, MOST_STRAINS):
        if (new := search.parts(made)) is not None:
            longer, largest = (
                with_largest(made, new, known, more, search.corpus, search.rng)
                for more in (MORE_DIGITS, "")
            )
            yield longer if search.parts(longer) is not None else largest


def probed(text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield changes of a part of each sort, each part in turn, the farthest values first."""
    chosen = list(_sorts(parts).values())
    changes = [
        reversed([*probes(text, parts, index, corpus, rng)])
        for index in rng.sample(chosen, len(chosen))
    ]
    return in_turns(changes)


def unlike(parts: Parts, model: Parts) -> tuple[int, int, int]:
    """Return how many sorts of parts an input lacks of a model's, and how many it has besides.

    The third number is that of its texts that a model lacks: where a reduction left `0000` of a
    year, edits of the input may be invalid that are not with a usual year.
    """
    own, other = set(_sorts(parts)), set(_sorts(model))
    texts, known = ({part.text for part in each.all} for each in (parts, model))
    return len(other - own), len(own - other), len(texts - known)


def _sorts(parts: Parts) -> dict[tuple[tuple[str, ...], str], int]:
    """Return one part of each sort, as their labels and words have it, or their places in a row."""
    found: dict[tuple[tuple[str, ...], str], int] = {}
    for index, part in enumerate(parts.all):
        if part.is_literal:
            continue
        outer = parts.all[part.parent] if part.parent >= 0 else None
        name = part.word or (outer.word if outer is not None else "")
        if part.is_separated and outer is not None and outer.is_item and not name:
            name = str(min(outer.children.index(index), MOST_PLACES))
        found.setdefault((part.labels, name), index)
    return found


def _shortest(search: Search, rows: int) -> str | None:
    """Return the shortest input that others may be made of."""
    return next((each for each in search.table.shortest_first(rows) if search.is_base(each)), None)


def _some(search: Search, rows: int) -> list[str]:
    """Return some inputs that others may be made of, the shortest one and the first among them."""
    rng = search.rng
    texts = [text for text in search.table.shortest_first(rows) if search.is_base(text)]
    chosen = [*texts[:1], *rng.sample(texts[1:], min(MOST_BASES, len(texts[1:])))]
    # As people write them, an input has what undoes a failure, too.
    first = search.corpus.donors[0].text
    return [*dict.fromkeys([*chosen[:1], *([first] if first in texts else ()), *chosen[1:]])]


def _turned(
    search: Search, literal: Atom, ways: Mapping[Directed, Sequence[str]]
) -> Iterator[tuple[Directed, str, Parts]]:
    for way, bases in ways.items():
        read = [(text, parts) for text in bases if (parts := search.parts(text)) is not None]
        variants = [
            itertools.islice(way(literal, *each, search.corpus, search.rng), MOST_VARIANTS)
            for each in read
        ]
        left = MOST_VARIANTS if way is spoken else VARIANTS * len(read)
        for made in in_turns(variants):
            new = search.untried(made)
            if left and new is not None:
                left -= 1
                yield way, made, new


def attacked(search: Search, law: Law, is_part: bool = False) -> tuple[bool, Law]:
    """Draw mutants of a frozen sampler until the law is refuted, or enough of them were run.

    Half of them are to be ones for which it does not hold: these must pass, unless it explains only
    a part of what fails. One that was run before counts as well, or the evidence would not be of
    the sampler.
    """
    own = search.corpus
    texts = {label: dict(each) for label, each in own.texts.items()}
    corpus = replace(own, donors=list(own.donors), texts=texts, unique=set(own.unique))
    rng = Random(search.rng.getrandbits(64))
    trials = reproduced = near = near_passed = unjudged = refuted = run = 0
    wanted = search.options.trials
    for _ in range(DRAWN * 4 * wanted):
        if run >= wanted:
            break
        text = corpus.mutant(rng)
        parts = search.parts(text) if text else None
        if text is None or parts is None or not corpus.admits(parts):
            continue
        inside = law.holds(parts)
        if not inside and near >= wanted // 2:
            continue
        is_new = text not in search.outcomes
        outcome = search.run(text, parts)
        if outcome not in (Outcome.REPRODUCED, Outcome.PASSED):
            unjudged += inside
            continue
        failed = outcome is Outcome.REPRODUCED
        if failed != inside and not (failed and is_part) and (failed or search.reliable(text)):
            refuted += 1
            # Where the law has exceptions already, a few more are no news.
            if not search.table.excepted or refuted > max(2, MAX_REFUTED * (trials + near)):
                search.widen(parts)
                return False, law
        if inside:
            trials += 1
            reproduced += failed
            run += is_new
        else:
            near += 1
            near_passed += not failed
    evidence = LawEvidence(trials, reproduced, near, near_passed, unjudged=unjudged)
    found = _compared(search.table, law, corpus, evidence)
    explained = found.evidence.explained
    # The same few inputs may be drawn again and again.
    different = lower_bound(explained, explained + found.evidence.exceptions)
    literals = [*itertools.chain.from_iterable(law.rules)]
    is_plain = len(literals) == 1 and len(literals[0].sides) < 2 and not is_part
    least = LEAST_BOUND if is_plain else LEAST_BOUND_LONGER
    return min(evidence.lower_bound, different) >= least, found


def _compared(table: Table, law: Law, corpus: Corpus, evidence: LawEvidence) -> Law:
    """Compare a law with all inputs of the table, those that were left out as well."""
    by_rule = [table.held([rule]) for rule in law.rules]
    held = table.held(law.rules)
    missed = table.shortest_first(table.failed & ~held)
    failing = table.failed.bit_count()
    excepted = table.shortest_first(table.passed & held)
    found = replace(
        evidence,
        failing=failing,
        explained=failing - len(missed),
        exceptions=len(excepted),
    )
    return replace(
        law,
        corpus=corpus,
        evidence=found,
        explained=tuple((rows & table.failed).bit_count() for rows in by_rule),
        missed=missed,
        excepted=excepted,
    )
