"""Deletes, merges and inlines names: a definition changes together with all uses of its name.

Leaving out a definition alone makes a program that means nothing, so a program may be 1-minimal and
still be full of definitions. Removing a parameter with its arguments and inlining are among the
transformations of Regehr et al., "Test-Case Reduction for C Compiler Bugs", PLDI 2012; here they
are edits of any tree, for a name is told by its text alone. What does not parse costs no run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter

from boildown import tree as trees
from boildown.engine.candidates import Splice, joined, rewritten
from boildown.engine.problem import Problem
from boildown.engine.reducing.identifiers import (
    PLAIN_VALUE,
    after,
    cuts,
    outermost,
    parameters,
    removable,
)
from boildown.engine.reducing.links import LinkedName, Links, links
from boildown.engine.uses import Use, shared_words
from boildown.tree import Leaf, Node, Place, Tree, is_key_word

_WORD = re.compile(r"[^\W\d]\w*")

DEFINITIONS_TRIED = 3
"""Uses of a name that are tried as its definition."""
MAX_INLINED_USES = 6
"""A name with more uses than this is not inlined."""
VALUES_TRIED = 6
"""Parts of a definition that are tried in place of its uses."""
HEIGHTS_TRIED = 4
"""Ever larger subtrees around a use that are tried to be replaced with it."""


def names(problem: Problem) -> None:
    """Remove names with all uses, merge them, remove parameters with arguments, and inline."""
    while problem.consider_first(rewritten(problem, map(outermost, _steps(problem)))) is not None:
        pass


def _steps(problem: Problem) -> Iterator[list[Splice]]:
    names = shared_words(problem.tree)
    lists = parameters(problem)
    # A key word such as `const` may have to go everywhere, too.
    for uses in shared_words(problem.tree, with_key_words=True):
        yield from _removals(problem, uses)
    yield from _merged(problem)
    for uses in names:
        yield from _arguments(problem, names, uses, lists)
    inlined = [each for uses in names for each in _inlinings(problem, uses)]
    inlined.sort(key=itemgetter(0))
    for _, splices in inlined:
        yield splices


def _removals(problem: Problem, uses: Sequence[Use]) -> Iterator[list[Splice]]:
    """Remove a name everywhere, with the nearest part that may go around it, or the next."""
    around = [list(islice(removable(use.place), 2)) for use in uses]
    if all(around):
        first, *rest = around
        for level in (0, -1):
            yield cuts(problem, [first[0], *(each[level] for each in rest)])


def _merged(problem: Problem) -> Iterator[list[Splice]]:
    """Remove a definition, and put a plain value or another name in place of each use.

    The other names are the last one in the definition, and those of other definitions that are
    used as tokens of the same sort.
    """
    found = links(problem.tree, problem.text)
    others: dict[str, dict[str, None]] = {}
    for each in found.definitions:
        others.setdefault(_sort(found, each), {})[each.word] = None
    for definition in found.definitions:
        cut = cuts(problem, [definition.unit])
        leaves = [found.leaves[use.leaf] for use in definition.uses]
        yield [*cut, *((leaf.span[0], leaf.end, PLAIN_VALUE) for leaf in leaves)]
        inside = _WORD.findall(problem.text, definition.unit.start, definition.unit.end)
        alike = islice(others[_sort(found, definition)], VALUES_TRIED)
        for word in dict.fromkeys((*inside[-1:], *alike)):
            if word != definition.word:
                yield [*cut, *((use.start, use.end, word) for use in definition.uses)]


def _sort(found: Links, definition: LinkedName) -> str:
    """Return the label of the token in which a name is used first."""
    return found.leaves[definition.uses[0].leaf].tree.label


def _inlinings(problem: Problem, uses: Sequence[Use]) -> Iterator[tuple[int, list[Splice]]]:
    """Remove a definition and put one of its parts in place of each use.

    With each comes a number, which is the smaller, the more often such steps succeed.
    """
    for at, definition in enumerate(uses[:DEFINITIONS_TRIED]):
        for level, gone in enumerate(islice(removable(definition.place), 2)):
            cut = cuts(problem, [gone])
            later = [use for use in uses if use.start >= gone.end]
            outside = [use for use in uses if not gone.start <= use.start < gone.end]
            values = islice(_parts(gone.tree, definition.word), VALUES_TRIED)
            nameless = _without_name(gone.tree, definition.word, problem.language.gap)
            ranked = [*enumerate(dict.fromkeys(values)), (2, PLAIN_VALUE), (3, nameless)]
            for wide, others in enumerate([later, outside][: 1 + (later != outside)]):
                if not 0 < len(others) <= MAX_INLINED_USES:
                    continue
                for number, value in ranked:
                    for height in range(HEIGHTS_TRIED):
                        rank = 2 * (at + level + wide) + number + height
                        yield rank, [*cut, *((*use.span(height), value) for use in others)]


def _parts(tree: Tree, word: str) -> Iterator[str]:
    """Yield the texts of the parts of a tree without a word, the largest first."""
    near = [tree]
    for top in near:
        if isinstance(top, Node):
            near += top.children
    for part in sorted(near, key=lambda part: -part.width):
        is_word = isinstance(part, Leaf) and is_key_word(part)
        text = "" if is_word else trees.text(part).strip()
        if text and all(leaf.text != word for leaf in trees.leaves(part)):
            yield text


def _without_name(tree: Tree, word: str, gap: str) -> str:
    """Return a definition without its name, key word and end: of `typedef char b[16];` the type."""
    kept = [leaf for leaf in trees.leaves(tree) if leaf.text not in (word, ";")]
    if kept and is_key_word(kept[0]):
        del kept[0]
    return joined([leaf.text for leaf in kept], gap)


def _arguments(
    problem: Problem,
    names: Sequence[Sequence[Use]],
    uses: Sequence[Use],
    lists: Mapping[int, list[Place]],
) -> Iterator[list[Splice]]:
    """Remove the same item of all lists that follow a name, or the next one of the first list.

    The first list is what the name is defined with; for a class, what its first method is.
    """
    definition = next(removable(uses[0].place), uses[0].place)
    taken = [
        each for use in uses if (each := _list(problem.text, use, definition, lists)) is not None
    ]
    for index in range(max(map(len, taken), default=0)):
        for skipped in (0, 1):
            which = [index + skipped, *[index] * (len(taken) - 1)]
            gone = [each[at] for each, at in zip(taken, which, strict=True) if at < len(each)]
            if len(gone) > 1:
                yield from _without(problem, names, uses, definition, gone)
    yield from _bare(problem.text, uses, lists)


def _bare(
    text: str, uses: Sequence[Use], lists: Mapping[int, list[Place]]
) -> Iterator[list[Splice]]:
    """Remove the lists that follow a name with their brackets, those in brackets of one kind."""
    following = [after(text, use.end) for use in uses]
    for opening in "([<":
        brackets = [at for at in following if at in lists and text[at] == opening]
        if len(brackets) > 1:
            yield [(at, after(text, lists[at][-1].end) + 1, "") for at in brackets]


def _list(
    text: str, use: Use, definition: Place, lists: Mapping[int, list[Place]]
) -> list[Place] | None:
    bracket = after(text, use.end)
    if bracket not in lists and use.end < definition.end:
        inside = (at for at in lists if use.end <= at < definition.end and text[at] == "(")
        bracket = min(inside, default=-1)
    return lists.get(bracket)


def _without(
    problem: Problem,
    names: Sequence[Sequence[Use]],
    own: Sequence[Use],
    definition: Place,
    gone: Sequence[Place],
) -> Iterator[list[Splice]]:
    """Remove a parameter, `gone[0]`, and its arguments, and put one of them in its place."""
    cut = cuts(problem, gone)
    parameter = next(trees.leaves(gone[0].tree)).text
    inside = [
        use
        for uses in names
        for use in uses
        if use.word == parameter
        and definition.start <= use.start < definition.end
        and not gone[0].start <= use.start < gone[0].end
        and use not in own
    ]
    values = (trees.text(gone[1].tree).strip(), PLAIN_VALUE) if inside else ("",)
    for value in values:
        yield [*cut, *((use.start, use.end, value) for use in inside)]
