"""Moves a part to the top of the text, and all else that was around it goes.

A declaration deep inside, such as the only field of a structure, often would do at the top, but its
uses name it by what is around it, as in `p->field`, and there it may not stand in place of that: a
declaration is no parameter. So a part is moved before the outermost statement, what was around it
is left out, and its uses elsewhere become its bare name, all in one edit:

    int f(struct{char h[8];}*i){a(i->h);}   is   char h[8];int f(){a(h);}

Moving declarations out of functions and structures is among the transformations of Regehr et al.,
"Test-Case Reduction for C Compiler Bugs", PLDI 2012. What does not parse costs no run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from boildown import tree as trees
from boildown.engine.candidates import Splice, rewritten
from boildown.engine.problem import Problem
from boildown.engine.reducing.identifiers import cuts, outermost, removable
from boildown.engine.uses import Use, shared_words
from boildown.tree import Kind, Node, Place

FEWEST_TOKENS = 2
"""Tokens of the smallest part that is moved."""
PARTS_AROUND = 5
"""Parts around an item that are left out, the widest first. Of an array of 300 levels, all of them
are 45,000 candidates, which were parsed for two minutes without a run."""
LIST_DEPTH = 2
"""Levels in which the list of the statements is looked for."""
LONGEST_QUALIFIERS = 100
"""Characters of the longest names before a name that are left out."""

_QUALIFIERS = re.compile(r"(?:\b\w+\s*(?:\.|->|::)\s*)+\Z")


def lift(problem: Problem) -> None:
    """Move list items and optional parts to the top, without one of the parts around them.

    The widest part around an item goes first. Costs up to three runs for each item and each of
    `PARTS_AROUND` parts around it that leave a text that parses.
    """
    while problem.consider_first(rewritten(problem, _lifts(problem))) is not None:
        pass


def _lifts(problem: Problem) -> Iterator[list[Splice]]:
    names = {uses[0].word: uses for uses in shared_words(problem.tree)}
    found = [
        (part, above, gone)
        for part in trees.places(problem.tree)
        if (above := part.parent) is not None
        and _is_item(part, above)
        and trees.size(part.tree) >= FEWEST_TOKENS
        for gone in islice(reversed([*removable(above)]), PARTS_AROUND)
    ]
    # That uses are right as they are is rare, for else the part could be hoisted.
    for is_renamed in (True, False):
        for part, above, gone in found:
            top = _statement(above)
            for bare in _bare(problem.text, names, part, gone) if is_renamed else ((),):
                for moved in _as_statement(problem.text, part):
                    yield _moved(problem, top, gone, moved, bare)


def _statement(place: Place) -> Place:
    """Return the outermost statement around a place: an item of the list that the text is."""
    spine = [place]
    while (above := spine[-1].parent) is not None:
        spine.append(above)
    spine.reverse()
    for at, each in enumerate(spine[:LIST_DEPTH]):
        if isinstance(each.tree, Node) and each.tree.kind is Kind.LIST:
            return spine[min(at + 1, len(spine) - 1)]
    return spine[0]


def _is_item(part: Place, above: Place) -> bool:
    """Say whether a part is an item of a list or an optional part, even one that has to stay."""
    parent = above.tree
    assert isinstance(parent, Node)
    return parent.kind is not Kind.RULE and part.index % parent.stride == 0


def _bare(
    text: str, names: Mapping[str, Sequence[Use]], part: Place, gone: Place
) -> Iterator[Sequence[Splice]]:
    """Yield splices that make the uses of one of the part's words its bare name, where they stay.

    A use loses the names before it, as in `a.b` or `p->b`, or is all that is left of the subtree
    around it.
    """
    for word in dict.fromkeys(leaf.text for leaf in trees.leaves(part.tree)):
        uses = names.get(word, ())
        staying = [use for use in uses if not gone.start <= use.start < gone.end]
        if staying:
            yield [(_start_of_name(text, use.start), use.end, word) for use in staying]
            yield [(*use.span(1), word) for use in staying]


def _start_of_name(text: str, start: int) -> int:
    """Return where a name with names before it starts, as of a member and its owner."""
    match = _QUALIFIERS.search(text, max(start - LONGEST_QUALIFIERS, 0), start)
    return start if match is None else match.start()


def _as_statement(text: str, part: Place) -> Iterator[str]:
    """Yield the text of a part with each end of a statement."""
    start, end = part.span
    if "\n" in text:
        yield text[start:end] + "\n"
    yield text[start:end] + ("" if text[end - 1] in ";}" else ";")


def _moved(
    problem: Problem, top: Place, gone: Place, moved: str, bare: Sequence[Splice]
) -> list[Splice]:
    """Put a text before the outermost part, and leave out another one that is inside it."""
    at = top.span[0]
    (start, end, new), *rest = cuts(problem, [gone])
    if start <= at:
        return outermost([(start, end, moved + new), *rest, *bare])
    return outermost([(at, at, moved), (start, end, new), *rest, *bare])
