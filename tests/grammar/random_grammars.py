"""Random grammars over the letters a and b, and the texts that they derive, by enumeration."""

from __future__ import annotations

from hypothesis import strategies as st

from boildown.grammar import ir
from boildown.grammar.ir import Alt, Expr, Lit, Opt, Repeat, Seq, Sym

NAMES = ("A", "B", "C")


def exprs() -> st.SearchStrategy[Expr]:
    atoms: st.SearchStrategy[Expr] = st.sampled_from(
        [Lit("a"), Lit("b"), Lit("ab"), *map(Sym, NAMES)]
    )

    def wider(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        several = st.lists(inner, min_size=0, max_size=3).map(tuple)
        return st.one_of(
            several.map(ir.seq),
            st.lists(inner, min_size=1, max_size=3).map(ir.alt),
            inner.map(ir.opt),
            st.builds(ir.repeat, inner, st.integers(0, 2), st.sampled_from([None, 2, 3])),
            st.builds(lambda x, s: Repeat(x, 1, None, s), inner, atoms),
            st.builds(lambda x, s: Repeat(x, 0, 2, s), inner, atoms),
        )

    return st.recursive(atoms, wider, max_leaves=8)


def rule_sets() -> st.SearchStrategy[dict[str, Expr]]:
    return st.fixed_dictionaries({name: exprs() for name in NAMES})


def language(rules: dict[str, Expr], longest: int) -> dict[str, frozenset[str]]:
    """Return the texts of every rule up to a length, by enumeration."""
    known: dict[str, frozenset[str]] = dict.fromkeys(rules, frozenset())
    while True:
        found = {name: texts(expr, known, longest) for name, expr in rules.items()}
        if found == known:
            return known
        known = found


def texts(expr: Expr, known: dict[str, frozenset[str]], longest: int) -> frozenset[str]:
    if isinstance(expr, Lit):
        return frozenset({expr.text})
    if isinstance(expr, Sym):
        return known[expr.name]
    if isinstance(expr, Seq):
        result = frozenset({""})
        for item in expr.items:
            result = joined(result, texts(item, known, longest), longest)
        return result
    if isinstance(expr, Alt):
        return frozenset().union(*(texts(choice, known, longest) for choice in expr.choices))
    if isinstance(expr, Opt):
        return texts(expr.item, known, longest) | {""}
    assert isinstance(expr, Repeat)
    return repeated(expr, known, longest)


def repeated(expr: Repeat, known: dict[str, frozenset[str]], longest: int) -> frozenset[str]:
    item = texts(expr.item, known, longest)
    separator = frozenset({""})
    if expr.separator is not None:
        separator = texts(expr.separator, known, longest)
    most = expr.max if expr.max is not None else longest + 2
    found = frozenset({""} if expr.min == 0 else ())
    row = item
    for count in range(1, most + 1):
        if count >= expr.min:
            found |= row
        row = joined(joined(row, separator, longest), item, longest)
    return found


def joined(left: frozenset[str], right: frozenset[str], longest: int) -> frozenset[str]:
    return frozenset(a + b for a in left for b in right if len(a + b) <= longest)
