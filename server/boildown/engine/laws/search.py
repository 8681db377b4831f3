"""Searches the law of a failure: proposes, attacks, and learns anew, until a proposal stands.

All runs go into one table. The learner proposes the simplest laws that agree with it, and of many
mutants those are run next on which the proposals disagree most (Seung, Opper and Sompolinsky, Query
by Committee, 1992); a threshold is bisected by inputs made for it. What stands then is attacked by
mutants for which it holds and by others for which it does not, drawn from a sampler that does not
change any more. Only when none of these refutes it, it is an answer, and they are its evidence.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from random import Random
from types import MappingProxyType

from boildown.engine.language import Language
from boildown.engine.laws.attack import (
    MOST_STRAINS,
    attacked,
    challenged,
    least_input,
    probed,
    strained,
    surveyed,
)
from boildown.engine.laws.families import counterparts
from boildown.engine.laws.features import Feature, quoted
from boildown.engine.laws.law import SAMPLER_WITH_GIVEN, Law, holds, worded
from boildown.engine.laws.learner import Proposal, Rule, cost_of, learn, learn_part, merged
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import NEUTRAL, Corpus, Donor, in_turns, renamed
from boildown.engine.laws.parts import (
    ANY,
    BLANK,
    BLANK_LINE,
    FRACTION,
    INDENTED_LINE,
    KIND,
    PADDED,
    SIGN,
    Parts,
)
from boildown.engine.laws.propose import literals
from boildown.engine.laws.scopes import is_alone_in_scope, scope
from boildown.engine.laws.state import DRAWN, LONGEST, LawOptions, Search
from boildown.engine.laws.strains import strains
from boildown.engine.laws.table import Table
from boildown.engine.laws.thresholds import bisected
from boildown.engine.laws.turned import turned
from boildown.engine.laws.vocabulary import dear, sorts, vocabulary
from boildown.engine.laws.words import LackingWords, enter_lacking, learn_lacking, provoked, undone
from boildown.engine.oracle import Outcome
from boildown.engine.problem import key
from boildown.tree import Tree

__all__ = ["LawOptions", "find_law"]

FIRST_MUTANTS = 30
"""Mutants that are run before anything is proposed."""
COMMITTEE = 30
"""Proposals that are told apart by runs."""
POOL = 60
"""Mutants of which the most telling ones are run."""
MOST_CONTRIVED = 8
"""Literals that inputs are made for in each round, at most."""
ROWS_CONTRIVED = 3
"""Inputs that are changed for one literal."""
EACH_CONTRIVED = 8
"""Changes of each of them."""
EACH_ROUND = 8
"""Mutants of a pool that are run at most."""
QUIET_ROUNDS = 2
"""Pools in a row that tell no proposals apart, after which the simplest one is attacked."""
MOST_STUCK = 3
"""How often more mutants are run where no law explains all but a few rows."""
MIN_EXCEPTIONS = 2
"""So few rows may always be left out where no law explains all of them."""
MOST_LOOKED_INTO = 2
"""Inputs of either outcome of which mutants are made before they are left out."""
EACH_LOOKED_INTO = 12
"""Mutants that are run of each input that would be left out."""
MAX_EXCEPTIONS = 0.09
"""The share of the rows that may be left out there."""
MAX_CHALLENGED = 0.15
"""The share that a plain law may be wrong about where no law was found."""
LEAST_EXPLAINED = 0.5
"""A law for less than this share of the failing rows is not said."""
MOST_IN_PART = 4
"""Laws that explain a part of the failing rows and are attacked, until one stands."""
MOST_BETWEEN = 8
"""Inputs that are run to tell a shorter law from a longer one."""
MOST_SIMPLIFIED = 2
"""Shorter laws that are attacked in place of one that stands."""
MAX_SPARED = 0.015
"""The share of the rows that a law may be made shorter for; fewer, as a law explains them."""
MOST_PAIRED = 80
"""Literals that are paired to see whether two explain all but a few rows."""
MOST_NARROWED = 20
"""Literals that hold for nearly all failing rows, and are tried with each other such one."""
LEAST_LEFT = 10
"""Inputs of either outcome that must be left without those with numbers of other sorts."""
MOST_NAMES = 2
"""Names that mutants alone have for which inputs are left out at once."""
LEAST_OTHER_NAMES = 4
"""Other such names that must be there then, and make no difference."""
MET = 60
"""Inputs of each outcome that were run before and are taken into the table, at most."""
OF_OTHER_KINDS = ("is not", "not in", "begins not", "ends not", "has not", "left != right", "empty")
"""Questions that hold for a number where strings are compared, or for an empty string as well."""
GIVEN_DONORS = 20
"""Inputs of those given that mutants are made of, at most."""
_OF_LINES = ((BLANK_LINE,), (INDENTED_LINE,))


def find_law(
    original: str,
    reduced: str,
    known: Mapping[str, Outcome],
    language: Language,
    judge: Callable[[str], Outcome],
    rng: Random,
    *,
    options: LawOptions | None = None,
    check: Callable[[], None] = lambda: None,
    reliable: Callable[[str], bool] = lambda _text: True,
    given: Mapping[str, Outcome] = MappingProxyType({}),
    lacking: LackingWords | None = None,
) -> tuple[Law | None, bool]:
    """Find the law of a failure; say whether it stood all attacks.

    `known` are inputs that were run before. `judge` runs one input, and may raise `Stop`. `given`
    are inputs of the user's: a law may name their sorts of parts, and quotes no texts of them.
    `lacking` is what was found by words of the program, which a law may quote.
    """
    valid = _valid(original, reduced, known, language)
    if valid is None:
        return None, False
    trees = [language.parse(each).tree for each in valid]
    largest, small = (Parts(tree, language) for tree in trees)
    search = Search(
        language, judge, rng, options or LawOptions(), check, reliable,
        Table([]), Corpus(language), [], frozenset(largest.naming | small.naming),
    )  # fmt: skip
    _begin(search, valid, trees, known, given)
    law, stood = _searched(search, lacking)
    if not stood and (in_part := _in_part(search, 1 << search.table.texts.index(search.reduced))):
        return in_part, True
    if not stood and (plain := _as_challenged(search)):
        return plain, True
    return law, stood


def _valid(
    original: str, reduced: str, known: Mapping[str, Outcome], language: Language
) -> tuple[str, str] | None:
    """Return the original and the reduced input, or others for them that follow the grammar.

    A program may be less strict than the grammar, and so a reduction leaves what has no tree. None
    if no failing input has one.
    """
    if language.valid(original) and language.valid(reduced):
        return original, reduced
    met = [text for text, outcome in known.items() if outcome is Outcome.REPRODUCED]
    texts = sorted({original, *met}, key=len)
    least = next(filter(language.valid, texts), None)
    return None if least is None else (next(filter(language.valid, reversed(texts))), least)


def _begin(
    search: Search,
    texts: tuple[str, str],
    trees: Sequence[Tree],
    known: Mapping[str, Outcome],
    given: Mapping[str, Outcome],
) -> None:
    """Read the inputs that were met into the table, and make the vocabulary.

    `texts` are the original and the reduced input, with their `trees`.
    """
    original, reduced = texts
    largest, least = (Parts(tree, search.language, search.naming) for tree in trees)
    search.repeated = largest.repeats(True) | least.repeats(True)
    search.corpus.unique = largest.repeats(False) - search.repeated
    search.corpus.keep_pairs(largest)
    failing = _met(search, known, Outcome.REPRODUCED)
    passing = _met(search, known, Outcome.PASSED)
    search.reduced = reduced
    search.core = [least, *(parts for _, parts in failing[:2])]
    around = [largest] if len(original) <= LONGEST else [parts for _, parts in failing[-1:]]
    others = _read(search, given)
    for parts in (largest, least, *others.values()):
        search.numerals |= parts.numerals()
        search.corpus.kinds |= parts.kinds()
        search.corpus.names |= {part.word for part in parts.all if part.word}
    if not any(BLANK_LINE in each.numerals() for each in (largest, *others.values())):
        # A reduction leaves one in place of what does not matter.
        search.numerals.discard(BLANK_LINE)
    search.table.features = [
        *vocabulary(search.core[:1], around),
        *sorts([least, largest], list(others.values())),
    ]
    search.dear = partial(dear, search.core[:1], around)
    donors = {original: largest} if len(original) <= LONGEST else {}
    # The first donors are taken the most often.
    short = [each for each in others.items() if len(each[0]) <= LONGEST][:GIVEN_DONORS]
    if short:
        search.sampler = SAMPLER_WITH_GIVEN
    donors |= {reduced: least, **dict(short), **dict(failing[-2:]), **dict(failing[:2])}
    for text, parts in donors.items():
        search.corpus.add(text, parts)
    rows = {original: (largest, True), reduced: (least, True)}
    rows |= {text: (parts, True) for text, parts in failing}
    rows |= {text: (parts, False) for text, parts in passing}
    for text, (parts, failed) in rows.items():
        search.enter(text, parts, failed)
    if others:
        search.table.quotable = _quotable(search.table)
    for text, parts in others.items():
        if text not in search.outcomes:
            search.enter(text, parts, given[text] is Outcome.REPRODUCED)


def _read(search: Search, given: Mapping[str, Outcome]) -> dict[str, Parts]:
    """Return the parts of the user's inputs that follow the grammar and have an outcome.

    The shortest come first, those that pass and those that fail in turns.
    """
    sides = [
        sorted((text for text, done in given.items() if done is outcome), key=key)
        for outcome in (Outcome.PASSED, Outcome.REPRODUCED)
    ]
    found = ((text, search.parts(text)) for text in in_turns(sides))
    return {text: parts for text, parts in found if parts is not None}


def _quotable(table: Table) -> frozenset[str]:
    """Return the texts of all parts that features of a table select."""
    columns = [column for each, column in table.columns.items() if each.kind == "texts"]
    seen = (each for column in columns for each in column if isinstance(each, tuple))
    return frozenset(itertools.chain.from_iterable(seen))


def _met(search: Search, known: Mapping[str, Outcome], wanted: Outcome) -> list[tuple[str, Parts]]:
    """Return inputs that were run before, the shortest first, spread over all lengths."""
    texts = [t for t, outcome in known.items() if outcome is wanted and len(t) <= LONGEST]
    texts.sort(key=lambda text: (len(text), text))
    step = max(len(texts) / MET, 1)
    chosen = [texts[int(i * step)] for i in range(min(len(texts), MET))]
    found = ((text, search.parts(text)) for text in chosen)
    return [(text, parts) for text, parts in found if parts is not None]


def _searched(search: Search, lacking: LackingWords | None) -> tuple[Law | None, bool]:
    # What failing inputs lack is asked again where a law looks, also when some words are learned.
    words = lacking
    added = set() if lacking is None else {*enter_lacking(search, lacking)}
    _explore(search, FIRST_MUTANTS)
    quiet = stuck = 0
    while not search.spent:
        proposals = _proposals(search)
        if lacking is not None and proposals and added & _features(proposals[0]):
            learn_lacking(search, lacking)
            lacking = None
            continue
        if not proposals:
            before = search.runs
            if not search.table.passing:
                _explore(search, FIRST_MUTANTS)
                _strain_first(search)
            elif not _excepted(search):
                # Of more rows, more may be left out.
                stuck += 1
                _explore(search, FIRST_MUTANTS)
                if search.runs == before or stuck > MOST_STUCK:
                    break
            elif search.runs == before:
                continue
            if search.runs == before:
                break
            continue
        if quiet < QUIET_ROUNDS and _told_apart(search, proposals):
            quiet = 0
            continue
        quiet += 1
        if quiet < QUIET_ROUNDS:
            continue
        if bisected(search, proposals[0]):
            quiet = 0
            continue
        law = _law(search, proposals[0])
        if (
            challenged(search, law)
            or strained(search, law)
            or (words is not None and (undone(search, words, law) or provoked(search, words, law)))
            or surveyed(search, law)
        ):
            quiet = 0
            continue
        before = search.runs
        stood, law = attacked(search, law)
        if stood:
            return _simplified(search, law), True
        if search.runs == before:
            # No input is left that was not run: the language has only a few.
            break
        quiet = 0
    proposals = _proposals(search) or (_proposals(search) if _excepted(search) else [])
    if not proposals:
        return None, False
    stood, law = attacked(search, _law(search, proposals[0]))
    return (_simplified(search, law) if stood else law), stood


def _in_part(search: Search, row: int) -> Law | None:
    """Find a law for most failing inputs, that of a row among them, where none explains all."""
    table = search.table
    for _ in range(MOST_IN_PART):
        table.restore()
        known = literals(table, search.core)
        found = learn_part(table, known, row, LEAST_EXPLAINED, MAX_EXCEPTIONS)
        if found is None:
            break
        held = table.explained(found.rules)
        is_part = table.failing & ~held != 0
        table.drop(table.passing & held)
        stood, law = attacked(search, _law(search, found), is_part)
        if stood:
            return law
    return None


def _as_challenged(search: Search) -> Law | None:
    """Say the simplest law that was attacked, with its exceptions, where none stands without.

    These are mostly mutants of the few that were looked into for a condition that is missing.
    """
    table = search.table
    table.restore()
    rows = table.failing | table.passing
    most = MAX_CHALLENGED * rows.bit_count()
    plain = [rules for rules in search.challenged if sum(map(len, rules)) == 1]
    for rules in sorted(plain, key=cost_of)[:1]:
        wrong = (table.explained(rules) ^ table.failing) & rows
        if wrong.bit_count() <= most:
            table.drop(wrong)
            stood, law = attacked(search, _law(search, Proposal(rules, cost_of(rules))))
            return law if stood else None
    return None


def _proposals(search: Search) -> list[Proposal]:
    known = literals(search.table, search.core)
    found = learn(search.table, known, COMMITTEE)
    if found and sum(map(len, found[0].rules)) == 1:
        (literal,) = found[0].rules[0]
        if not is_alone_in_scope(literal):
            return found
    elif found and _only_without(search, found[0], known):
        return _proposals(search)
    elif search.dear is not None:
        search.table.extend(search.dear(), search.parts)
        search.dear = None
        return _proposals(search)
    if scope(search, found, known):
        return learn(search.table, literals(search.table, search.core), COMMITTEE)
    return found


def _only_without(search: Search, proposal: Proposal, known: Sequence[tuple[Atom, int]]) -> bool:
    """Leave out inputs with numbers of other sorts if one literal of several is enough then.

    The others may be there for these alone: `//level > 500 and len(//pair) < 20` where a program
    reads no fraction. Two bounds of one number are not. The same of other kinds of values, for what
    holds for all of these: that a value is not this one, or not one of others.
    """
    unlike = _unlike(search)
    of_others = [held for literal, held in known if _is_of_other_kinds(literal)]
    if _without(search, unlike, ((KIND,),), of_others):
        return True
    # What stood until such an input came is a law for all others.
    stood = [each for each in search.challenged if cost_of(each) < proposal.cost]
    odd = ((BLANK,), (FRACTION,), (PADDED,), *_OF_LINES, (KIND,))
    if _without(search, unlike, odd, [search.table.held(rules) for rules in stood]):
        return True
    if len(proposal.rules) > 1:
        return False
    features = [each.feature for each in proposal.rules[0]]
    single = {each for each in features if features.count(each) == 1}
    rows = [held for literal, held in known if literal.feature in single]
    kinds = ((FRACTION,), (SIGN,), (FRACTION, SIGN), (BLANK,), (PADDED,), *_OF_LINES)
    return _without(search, unlike, kinds, rows)


def _is_of_other_kinds(literal: Atom) -> bool:
    """Say whether a literal holds for other kinds of values than those that it compares."""
    is_missing = literal.test == "lacks" and literal.feature.kind in ("listed", "defined")
    return is_missing or literal.test in OF_OTHER_KINDS


def _features(proposal: Proposal) -> set[Feature]:
    return {literal.feature for rule in proposal.rules for literal in rule}


def _excepted(search: Search) -> bool:
    """Leave out the few rows that no simple law, and none that was challenged, explains.

    Say whether this helps.

    Programs are not always as strict as the law that a person would give: a key that stands twice
    hides its first value, say.
    """
    table = search.table
    unlike = _unlike(search)
    if _without_lines(search, unlike):
        return True
    all_rows = table.failing | table.passing
    few, fewer = (
        max(MIN_EXCEPTIONS, int(share * all_rows.bit_count()))
        for share in (MAX_EXCEPTIONS, MAX_SPARED)
    )
    found = [(*table.worded(each), rows) for each, rows in literals(table, search.core)]
    narrow = [each for each in found if (each[2] & table.passing).bit_count() <= few]
    either = itertools.combinations(narrow[:MOST_PAIRED], 2)
    # Of those that hold for the same rows, the simplest comes first.
    apart = {each[2]: each for each in reversed(found)}.values()
    wide = [each for each in apart if (table.failing & ~each[2]).bit_count() <= few]
    wide.sort(key=lambda each: (each[2] & table.passing).bit_count())
    odd = unlike.get(FRACTION, 0) | unlike.get(SIGN, 0)
    both = itertools.product(wide[:MOST_NARROWED], wide)
    found += [(one[0] + two[0] + 2, one[1], one[2] | two[2]) for one, two in either]
    # Of so many, some explain most rows by chance.
    found += [
        (one[0] + two[0] + 2, one[1], held) for one, two in both
        if (((held := one[2] & two[2]) ^ table.failing) & all_rows & ~odd).bit_count() <= fewer
    ]  # fmt: skip
    kinds = ((FRACTION,), (SIGN,), (FRACTION, SIGN), (PADDED,))
    if _without(search, unlike, kinds, [each[2] for each in found]):
        return True
    for rules in search.challenged:
        words = " or ".join(map(worded, rules))
        found.append((cost_of(rules), words, table.explained(rules)))
    # What stood until a blank came behind a sign is a law for all inputs that anyone writes.
    if _without(search, unlike, ((BLANK,),), [each[2] for each in found]):
        return True
    scored = []
    for cost, words, held in found:
        wrong = (held ^ table.failing) & all_rows
        if 0 < wrong.bit_count() <= few:
            scored.append((2.0 * wrong.bit_count() + cost, words, wrong))
    if not scored:
        return False
    wrong = min(scored)[2]
    if _widened(search, wrong):
        return True
    if _without_repeats(search, wrong) or _without_names(search, wrong):
        return True
    if _looked_into(search, wrong):
        return True
    if table.excepted.bit_count() >= 2 * few:
        return False
    table.drop(wrong)
    return True


def _widened(search: Search, rows: int) -> bool:
    """Add sorts of parts of inputs that no simple law explains; say whether there were any.

    A mutant may have a part that none of the inputs has of which the vocabulary was read.
    """
    known = {
        (label, part.word) for each in search.core for part in each.all for label in part.labels
    }
    known |= search.widened
    for text, parts in zip(_texts(search, rows), _all_parts(search, rows), strict=True):
        sorts = (
            {(label, part.word) for part in parts.all for label in part.labels} if parts else set()
        )
        if parts is not None and sorts - known and search.is_base(text):
            search.widened |= sorts
            before = len(search.table.features)
            search.widen(parts)
            if len(search.table.features) > before:
                return True
    return False


def _texts(search: Search, rows: int) -> Iterator[str]:
    return (search.table.texts[row] for row in _bits(rows))


def _without_repeats(search: Search, wrong: int) -> bool:
    """Leave out all inputs with a key that stands twice if such a key is in each exception.

    Nothing is said of a key that the job's inputs don't repeat, then, and none is made.
    """
    rows = [parts for parts in _all_parts(search, wrong) if parts is not None]
    common = set.intersection(*(parts.repeats(True) for parts in rows)) - search.repeated
    if not common:
        return False
    chosen = min(common)
    search.corpus.unique.add(chosen)
    table = search.table
    told = table.failing | table.passing
    table.bar(_rows_by(search, told, lambda parts: parts.repeats(True))[chosen])
    return True


def _without_names(search: Search, wrong: int) -> bool:
    """Leave out inputs with one or two names that no input of the job has, if each exception does.

    A mutant may have one that the program takes for another, as it drops a blank behind it; all
    that is made of this mutant has it, too. Others must be there for which it makes no difference,
    and with one of these in its place the outcome is another. The names are told, so this is not
    done where some may be made of texts of the user's other inputs.
    """
    table, corpus = search.table, search.corpus
    if table.quotable is not None:
        return False
    known = corpus.names.union(corpus.words, corpus.language.words)
    # What undoes a part is put there since it may matter.
    known |= {*itertools.chain.from_iterable(map(counterparts, corpus.names))}

    def others(parts: Parts) -> set[str]:
        return {part.word for part in parts.all if part.word} - known

    by_name = _rows_by(search, table.failing | table.passing, others)
    chosen: list[str] = []
    having = 0
    while wrong & ~having and len(chosen) < MOST_NAMES:
        left = wrong & ~having
        best = max(sorted(by_name), key=lambda name: (by_name[name] & left).bit_count(), default="")
        if not best or not by_name[best] & left:
            return False
        chosen.append(best)
        having |= by_name.pop(best)
    if wrong & ~having or sum(not rows & wrong for rows in by_name.values()) < LEAST_OTHER_NAMES:
        return False
    if not all(_matters(search, name, wrong) for name in chosen):
        return False
    corpus.barred_names |= {*chosen}
    search.sampler += f" without {' or '.join(map(quoted, sorted(chosen)))}"
    table.bar(having)
    return True


def _matters(search: Search, name: str, rows: int) -> bool:
    """Say whether the shortest input of some rows has another outcome with a neutral name."""
    for text in search.table.shortest_first(rows):
        parts = search.parts(text)
        found = parts.by_word.get((ANY, name), []) if parts is not None else []
        if parts is not None and found:
            made = text
            for index in reversed(found):
                part = parts.all[index]
                made = made[: part.start] + renamed(parts, index, NEUTRAL) + made[part.end :]
            new = search.parts(made)
            return new is not None and search.run(made, new) is not search.outcomes[text]
    return False


def _rows_by(search: Search, rows: int, of: Callable[[Parts], set[str]]) -> dict[str, int]:
    """Return rows by each of the texts that a function gives for their parts."""
    found: dict[str, int] = {}
    for row, parts in zip(_bits(rows), _all_parts(search, rows), strict=True):
        for each in of(parts) if parts is not None else ():
            found[each] = found.get(each, 0) | 1 << row
    return found


def _unlike(search: Search) -> dict[str, int]:
    """Return the rows with numbers of a sort, or kinds of values, that the job's inputs lack."""

    def unlike(parts: Parts) -> set[str]:
        return parts.numerals() | ({KIND} if search.corpus.has_other_kinds(parts) else set())

    rows = _rows_by(search, search.table.failed | search.table.passed, unlike)
    return {sort: rows[sort] for sort in rows.keys() - search.numerals - search.corpus.barred}


def _without(
    search: Search,
    unlike: Mapping[str, int],
    tried: Sequence[tuple[str, ...]],
    proposed: Sequence[int],
) -> bool:
    """Leave out inputs with values unlike those of the job if a simple law is left then.

    A program that reads digits alone takes a negative number for a text, say, and passes; one that
    compares strings passes where a number is. Nothing is said of such values, then, and none is
    made. Each of `tried` are sorts that are left out together.
    """
    table = search.table
    for kinds in tried:
        rows = reduce(or_, (unlike.get(kind, 0) for kind in kinds))
        failing, passing = table.failing & ~rows, table.passing & ~rows
        is_there = rows & (table.failing | table.passing) != 0
        if not is_there or min(failing.bit_count(), passing.bit_count()) < LEAST_LEFT:
            continue
        # Where a program passes on other kinds of values, a simple law may only hold too often.
        needed = table.failing if KIND in kinds else failing
        if any(not needed & ~held and not held & passing for held in proposed):
            _bar(search, kinds, rows)
            return True
    return False


def _without_lines(search: Search, unlike: Mapping[str, int]) -> bool:
    """Leave out inputs with lines that programs read in several ways if any law is left then."""
    table = search.table
    failing, passing = table.failing, table.passing
    for kinds in _OF_LINES:
        rows = unlike.get(kinds[0], 0)
        table.failing, table.passing = failing & ~rows, passing & ~rows
        is_enough = min(table.failing.bit_count(), table.passing.bit_count()) >= LEAST_LEFT
        is_there = is_enough and rows & (failing | passing) != 0
        stands = is_there and bool(learn(table, literals(table, search.core), 1))
        table.failing, table.passing = failing, passing
        if stands:
            _bar(search, kinds, rows)
            return True
    return False


def _bar(search: Search, kinds: Sequence[str], rows: int) -> None:
    """Let mutants have nothing of some sorts, and forget the rows that have."""
    search.corpus.barred |= {*kinds}
    where = "" if {KIND, BLANK_LINE, INDENTED_LINE}.intersection(kinds) else " in numbers"
    search.sampler += f" without {' or '.join(kinds)}{where}"
    search.table.bar(rows)


def _looked_into(search: Search, rows: int) -> bool:
    """Run mutants of inputs that no simple law explains; say whether any was run.

    Another law may begin there, or a condition be missing, and one input alone does not show it.
    """
    before = search.runs
    failing = search.table.failing
    for row in (*_bits(rows & failing), *_bits(rows & ~failing)):
        text, fails = search.table.texts[row], bool(failing >> row & 1)
        parts = search.parts(text)
        if parts is None or not search.is_base(text) or text in search.looked_into:
            continue
        if [*search.looked_into.values()].count(fails) == MOST_LOOKED_INTO:
            continue
        search.looked_into[text] = fails
        if fails:
            search.quote(parts)
        left = min(EACH_LOOKED_INTO, search.options.runs - search.runs)
        _run_mutants(search, Donor(text, parts), left, DRAWN * EACH_LOOKED_INTO)
    return search.runs > before


def _simplified(search: Search, law: Law) -> Law:
    """Return a law that says less and stands as well, apart from a few rows; else the law itself.

    A rule or a literal may be there for one row alone: for a program that is not as strict as the
    law that a person would give.
    """
    table, left = search.table, MOST_SIMPLIFIED

    def has_few_exceptions(rules: tuple[Rule, ...]) -> bool:
        rows = table.failing | table.passing
        few = max(MIN_EXCEPTIONS, int(MAX_SPARED * rows.bit_count()))
        wrong = (table.explained(rules) ^ table.failing) & rows
        # Of the rows that were left out, the law may explain what a shorter one doesn't.
        others = table.passed & ~rows & table.held(rules) & ~table.held(law.rules)
        return wrong.bit_count() + others.bit_count() <= few

    # One that a few inputs have refuted says less, too.
    said = sum(map(len, law.rules))
    before = [each for each in search.challenged if sum(map(len, each)) < said]
    for rules in sorted(dict.fromkeys([*_shorter(law.rules), *before]), key=cost_of):
        if not left or not has_few_exceptions(rules):
            continue
        left -= 1
        shorter = _law(search, Proposal(rules, cost_of(rules)))
        _run_between(search, shorter, law)
        if not search.spent:
            # The first time, the first input that refutes it is all that is run.
            if challenged(search, shorter):
                challenged(search, shorter)
        elif rules not in before:
            continue
        if has_few_exceptions(rules):
            stood, found = attacked(search, shorter)
            # If hardly an input misses it, none shows that it says too little.
            if stood and found.evidence.near >= search.options.trials // 4:
                return found
    return law


def _run_between(search: Search, shorter: Law, law: Law) -> None:
    """Run mutants of the inputs that tell a shorter law from a law, and which do so as well.

    These may be few only because hardly any mutant of others has what a literal speaks of.
    """
    rows = search.table.explained(shorter.rules) ^ search.table.explained(law.rules)
    bases = [text for text in _texts(search, rows) if search.is_base(text)]
    left = MOST_BETWEEN
    for text in bases[:MOST_LOOKED_INTO]:
        if (parts := search.parts(text)) is not None:
            left = _run_mutants(
                *(search, Donor(text, parts), left, DRAWN * MOST_BETWEEN),
                lambda made: shorter.holds(made) != law.holds(made),
            )


def _run_mutants(
    search: Search,
    base: Donor,
    left: int,
    draws: int,
    is_wanted: Callable[[Parts], bool] = lambda _: True,
) -> int:
    """Run so many mutants of an input, `left`, of so many draws; return how many are left."""
    for _ in range(draws):
        found = search.mutant(search.rng, base=base)
        if found is not None and left > 0 and is_wanted(found[1]):
            search.run(*found)
            left -= 1
    return left


def _shorter(rules: tuple[Rule, ...]) -> Iterator[tuple[Rule, ...]]:
    """Yield all that is left of rules without some of them, or without some of their literals."""
    ways = [[(), rule, *((literal,) for literal in rule if len(rule) > 1)] for rule in rules]
    for chosen in itertools.product(*ways):
        left = tuple(filter(None, chosen))
        if left and left != rules:
            yield left


def _all_parts(search: Search, rows: int) -> Iterator[Parts | None]:
    return (search.parts(search.table.texts[row]) for row in _bits(rows))


def _bits(rows: int) -> list[int]:
    return [row for row in range(rows.bit_length()) if rows >> row & 1]


def _law(search: Search, proposal: Proposal) -> Law:
    return Law(merged(proposal.rules), search.language, search.naming, sampler=search.sampler)


def _explore(search: Search, count: int) -> None:
    """Run some mutants, chosen by chance."""
    for _ in range(DRAWN * count):
        if count <= 0 or search.spent:
            return
        found = search.mutant(search.rng)
        if found is not None:
            search.run(*found)
            count -= 1


def _strain_first(search: Search) -> None:
    """Edit the first input as the grammar allows until one passes: all mutants of it fail."""
    if not search.corpus.donors:
        return
    donor = search.corpus.donors[0]
    left = FIRST_MUTANTS
    known = (donor.text, donor.parts, search.corpus, search.rng)
    half = donor.text[: len(donor.text) // 2]
    edits = itertools.chain(("", half), in_turns([probed(*known), strains((), *known)]))
    for edited in itertools.islice(edits, MOST_STRAINS):
        parts = search.untried(edited)
        if parts is None:
            continue
        if not left or search.spent:
            return
        left -= 1
        if search.run(edited, parts) is Outcome.PASSED:
            passing = least_input(search, edited, parts)
            search.table.extend(vocabulary([passing], [donor.parts]), search.parts)
            return


def _contrived(search: Search, proposals: Sequence[Proposal]) -> Iterator[tuple[str, Parts]]:
    """Yield inputs made for the literals of the simplest proposals: ones just on either side."""
    table, rng = search.table, search.rng
    atoms = [atom for each in proposals for rule in each.rules for atom in rule]
    for atom in list(dict.fromkeys(atoms))[:MOST_CONTRIVED]:
        for row in rng.sample(range(len(table.texts)), min(ROWS_CONTRIVED, len(table.texts))):
            text = table.texts[row]
            if not search.is_base(text) or (parts := search.parts(text)) is None:
                continue
            variants = turned(atom, text, parts, search.corpus, rng)
            for made in itertools.islice(variants, EACH_CONTRIVED):
                if (new := search.untried(made)) is not None:
                    yield made, new


def _told_apart(search: Search, proposals: Sequence[Proposal]) -> bool:
    """Run those of many mutants on which the proposals disagree most; say whether any was judged.

    A proposal has the more votes, the simpler it is. What tells them apart often fails in another
    way, or is invalid: that says nothing, and more of the kind would take all runs.
    """
    if len(proposals) < 2:
        return False
    best = proposals[0].cost
    weights = [2.0 ** (best - each.cost) for each in proposals]
    judged: dict[int, tuple[float, str, Parts]] = {}
    pool = (search.mutant(search.rng) for _ in range(POOL))
    for text, parts in filter(None, itertools.chain(pool, _contrived(search, proposals))):
        votes = [holds(each.rules, parts) for each in proposals]
        yes = sum(weight for weight, vote in zip(weights, votes, strict=True) if vote)
        split = min(yes, sum(weights) - yes)
        code = sum(1 << i for i, vote in enumerate(votes) if vote)
        if split and (code not in judged or len(text) < len(judged[code][1])):
            judged[code] = (split, text, parts)
    chosen = sorted(judged.values(), key=lambda each: (-each[0], len(each[1]), each[1]))
    outcomes = [
        search.run(text, parts)
        for _, text, parts in chosen[:EACH_ROUND]
        if not search.spent and text not in search.outcomes
    ]
    return any(each in (Outcome.REPRODUCED, Outcome.PASSED) for each in outcomes)
