"""Attacks a law: mutants that it says fail, and others, until one refutes it or it stands."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from boildown.engine.laws.law import Law, LawEvidence
from boildown.engine.laws.learner import Rule
from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.state import DRAWN, Search
from boildown.engine.laws.table import Table
from boildown.engine.oracle import Outcome

MAX_REFUTED = 0.06
"""The share of mutants that may refute a law that has exceptions."""
LEAST_BOUND = 0.8
"""A law is not said if a lower share than this is all that its mutants vouch for."""


def attacked(search: Search, law: Law) -> tuple[bool, Law]:
    """Draw mutants of a frozen sampler until the law is refuted, or there were enough.

    Half of them are to be ones for which it does not hold: these must pass.
    """
    corpus = Corpus(search.language, list(search.corpus.donors), dict(search.corpus.texts))
    rng = Random(search.rng.getrandbits(64))
    trials = reproduced = near = near_passed = refuted = 0
    wanted = search.options.trials
    for _ in range(DRAWN * 4 * wanted):
        if trials >= wanted:
            break
        found = search.mutant(rng, corpus)
        if found is None:
            continue
        text, parts = found
        inside = law.holds(parts)
        if not inside and near >= wanted // 2:
            continue
        outcome = search.run(text, parts)
        if outcome not in (Outcome.REPRODUCED, Outcome.PASSED):
            continue
        failed = outcome is Outcome.REPRODUCED
        if failed != inside and (failed or search.reliable(text)):
            refuted += 1
            # Where the law has exceptions already, a few more are no news.
            if not search.table.excepted or refuted > max(1, MAX_REFUTED * (trials + near)):
                return False, law
        if inside:
            trials += 1
            reproduced += failed
        else:
            near += 1
            near_passed += not failed
    evidence = LawEvidence(trials, reproduced, near, near_passed)
    return evidence.lower_bound >= LEAST_BOUND, _compared(search.table, law, corpus, evidence)


def _compared(table: Table, law: Law, corpus: Corpus, evidence: LawEvidence) -> Law:
    """Compare a law with all inputs of the table, those that were left out as well."""
    by_rule = [_rows(table, rule) for rule in law.rules]
    held = 0
    for rows in by_rule:
        held |= rows
    missed = _texts(table, table.failed & ~held)
    failing = table.failed.bit_count()
    return replace(
        law,
        corpus=corpus,
        evidence=replace(evidence, failing=failing, explained=failing - len(missed)),
        explained=tuple((rows & table.failed).bit_count() for rows in by_rule),
        missed=missed,
        excepted=_texts(table, table.passed & held),
    )


def _texts(table: Table, rows: int) -> tuple[str, ...]:
    texts = (text for row, text in enumerate(table.texts) if rows >> row & 1)
    return tuple(sorted(texts, key=lambda text: (len(text), text)))


def _rows(table: Table, rule: Rule) -> int:
    found = table.failed | table.passed
    for literal in rule:
        found &= table.rows(literal)
    return found
