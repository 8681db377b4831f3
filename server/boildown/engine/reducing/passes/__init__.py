"""The catalogue of reduction passes, and a guide for the author of a new one.

A pass is one reduction algorithm: a function that takes a `Problem` and tries candidates on it. It
lives in a file of its own and has one line in `PASSES` below; a pass of the default pipeline also
has its name in `AUTO`, which is an order found by measuring (`make shootout`).

What a pass gets
----------------
`problem.text` and `problem.tree` are the best text so far and its tree. `problem.language` tells
what may replace what (`fits`, `shortest`, `expansions`). The functions of `engine.candidates` make
candidates of the best: `edited` replaces subtrees, `removed` empties an option,
`items(...).without` deletes list items, `rewritten` splices the text and keeps what parses, and
`retext` takes any text. There are two verbs: `consider` tries one candidate and says whether it is
the new best, and `consider_first` tries an iterable of them up to the first that reproduces and
returns its index.

The contract
------------
1. *Deterministic.* From the same text a pass proposes the same candidates in the same order: no
   random numbers, no clock, no iteration over sets. Runs of a job that was cut short are recalled
   by their texts, so another order would repeat the work.
2. *Lazy, and without looking back.* With several workers, `consider_first` draws candidates ahead
   of the verdicts, so a generator goes on as if each of its candidates had failed. The best doesn't
   change while it runs. State that it changes must be put right after a success (see `prune`).
   Where each unit has few candidates, those of all units are one iterable, by
   `engine.reducing.ahead`: workers need not wait for the verdicts on a unit to begin the next.
3. *Places go stale.* After a success the best has a new tree, and a `Place` of the old one must not
   be used. Keep its `path()` and ask `place_at(problem.tree, path)`, or begin again from the root.
4. *Ends by itself.* A pass must end if every candidate fails. It need not go on until nothing
   helps: the loop in `engine.reducing.reduce` runs all passes again as long as one changes the
   text. Only the published algorithms keep the loops that they were published with.
5. *Smaller by the common order.* Candidates that are not smaller than the best (`problem.key`) cost
   no run and are passed over, as are None, edits of which the language says that they bring a
   syntax error, and edits that failed before in the same surroundings. A pass that orders texts
   otherwise, say by the number of nodes, works on `problem.view()`.
6. *Exceptions pass through.* The oracle raises `Stop` at a limit or a cancel; the best is kept.

What things cost
----------------
A *candidate* that is proposed costs a copy of the text, and one that is tried costs a run of the
user's program: milliseconds to minutes, and more than all else. So propose first what removes most
or succeeds most often, and state the number of runs in the docstring of the pass.

A *success* costs one run, and then more: the tree of the new best is built when it is next looked
at (one path to the root for `edited`, a parse for `retext` and `rewritten`), runs under way beside
it are dropped, and hardly a candidate is known any more, for each is a new text now. A pass that
starts over after every success pays for its failures again, O(n²) runs for n candidates: go on from
where the success was, and leave what it made possible to the next round.

A *stall* is a row of failures. In the pipeline a pass may have `patience`, a number of failures in
a row after which it has stalled: `consider_first` then returns None without another run, whatever
it is given, until the pass has returned. Alone a pass has all the patience there is. Use it for
passes whose successes come early or not at all. `longest` and `shortest` keep a pass off texts
where it is not worth its runs, and with `last` it waits until the passes before it change nothing
any more.

A pass with `certifies` claims that the text is minimal in some sense if it has found nothing, so it
must have tried every single step of its kind: it can't have patience.

A pass, line by line
--------------------
This is `ddmin`, as Zeller and Hildebrandt published it, restricted to complements:

    pieces = 2
    while (length := len(problem.text)) >= 2:
        if problem.consider_first(_complements(problem, pieces)) is not None:
            pieces = max(pieces - 1, 2)
        elif pieces == length:
            return
        else:
            pieces = min(pieces * 2, length)
    # The published algorithm takes for granted that the empty text does not reproduce.
    problem.consider(retext(problem, ""))

- `pieces = 2`: the largest cuts come first, for a success there saves all the smaller ones.
- `len(problem.text)` is asked in every turn, as a success has replaced the best.
- `_complements` is a generator: it yields `retext(problem, ...)`, the text without one piece, and
  with one worker no text after the first that reproduces is made.
- Not None is a success. One piece is gone, so the pieces that are left keep their size.
- None, and the pieces were single characters: each was left out, and nothing reproduced. That is
  1-minimality, which the catalogue states as `certifies=Unit.CHARACTER`.
- None otherwise, also by a stall: smaller pieces. The loop ends, for `pieces` grows at each
  failure, and the text becomes shorter at each success.
- The last line is only reached with a single character left, whose claim it makes good.

On `ab<c>`, with a program that fails where both `<` and `>` are there, the runs are `<c>` (a
success: `ab` is gone), `c>` and `<` (failures: single characters are next), `<>` (a success) and
`>`. Two more candidates, `c>` and `<` again, were judged before and cost no run. `<>` is left.

On trees it is the same, with paths for offsets. This is the step of `gtr` that hoists children:

    index = 0
    while index < len(level.places()):
        place = level.places()[index]
        news = sorted(children(problem.language, place.tree), key=lambda tree: tree.width)
        if problem.consider_first(edited(problem, [(place, new)]) for new in news) is None:
            index += 1

- `level.places()` finds the places anew where the tree has changed, so `place` is never stale.
- `children` asks `language.fits`, so that every candidate follows the grammar.
- The narrowest child comes first, as it saves most. After a success the same index is tried again,
  for the new subtree has children, too; after a failure the next one. Both come to an end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from boildown.engine.certificate import Unit
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes.blanks import blanks, squeeze
from boildown.engine.reducing.passes.choices import choices, choices_nop
from boildown.engine.reducing.passes.coarse import coarse
from boildown.engine.reducing.passes.ddmin import ddmin
from boildown.engine.reducing.passes.extract import extract
from boildown.engine.reducing.passes.grammar import (
    grammar,
    grammar_all,
    grammar_depth,
    grammar_expansions,
    grammar_subtrees,
)
from boildown.engine.reducing.passes.gtr import gtr
from boildown.engine.reducing.passes.hdd import hdd
from boildown.engine.reducing.passes.inclusions import inclusions
from boildown.engine.reducing.passes.lift import lift
from boildown.engine.reducing.passes.links import links
from boildown.engine.reducing.passes.names import names
from boildown.engine.reducing.passes.pairs import neighbours, pairs
from boildown.engine.reducing.passes.perses import perses
from boildown.engine.reducing.passes.pieces import lines, pieces
from boildown.engine.reducing.passes.production import production
from boildown.engine.reducing.passes.prune import prune
from boildown.engine.reducing.passes.repetitions import repetitions
from boildown.engine.reducing.passes.rewrite import literals, rewrite
from boildown.engine.reducing.passes.shorten import shorten
from boildown.engine.reducing.passes.spell import spell
from boildown.engine.reducing.passes.sweeps import (
    bracket_sweep,
    character_sweep,
    run_sweep,
    stretches,
    token_sweep,
    tree_sweep,
)
from boildown.engine.reducing.passes.unnest import deepen, unnest


@dataclass(frozen=True, slots=True)
class Pass:
    """One reduction algorithm, as the catalogue lists it."""

    name: str
    run: Callable[[Problem], None]
    step: str = ""
    """What a person reads while it runs: a participle. Empty: its name."""
    certifies: Unit | None = None
    """The kind of part of which no single one can be left out when the pass has found nothing."""
    longest: int | None = None
    """In the pipeline: no text of more characters than this is worth its runs."""
    shortest: int = 0
    """In the pipeline: no text of fewer characters than this needs it."""
    patience: int | None = None
    """In the pipeline: after so many candidates in a row that failed it gives up, or after fewer by
    what it has brought (`engine.reducing.schedule`)."""
    last: bool = False
    """In the pipeline: whether it waits until the passes before it change nothing any more."""
    unparsed: bool = False
    """In the pipeline: whether it is for long texts only, before they are parsed."""

    def fits(self, length: int) -> bool:
        """Say whether the pipeline runs it on a text of so many characters."""
        return self.shortest <= length and (self.longest is None or length <= self.longest)


LONG_TEXT = 20_000
"""Characters of a text whose coupled parts are looked for as soon as single ones seldom go."""

_PARTS = "leaving parts out"
_DEFINITIONS = "leaving out definitions with their uses"
_CHECKING = "checking that nothing more can go"

PASSES = (
    Pass("coarse", coarse, "leaving large parts out", unparsed=True),
    Pass("squeeze", squeeze, "leaving out white space and comments"),
    Pass("unnest", unnest, "leaving out levels of nesting", patience=100),
    Pass("cuts", prune, _PARTS, shortest=LONG_TEXT, patience=12),
    Pass("long-links", links, _DEFINITIONS, shortest=LONG_TEXT),
    Pass("prune", prune, _PARTS, patience=100),
    Pass("links", links, _DEFINITIONS),
    Pass("inclusions", inclusions, "putting files where they are included"),
    Pass("perses", perses, _PARTS),
    Pass("pairs", pairs, "leaving out parts in pairs", longest=4000, patience=50),
    Pass("shorten", shorten, "shortening names and values", patience=300),
    Pass("repetitions", repetitions, "shortening repetitions"),
    Pass("blanks", blanks, "leaving out white space"),
    Pass("ddmin", ddmin, certifies=Unit.CHARACTER),
    Pass("hdd", hdd),
    Pass("gtr", gtr),
    Pass("grammar", grammar),
    Pass("grammar-subtrees", grammar_subtrees),
    Pass("grammar-expansions", grammar_expansions),
    Pass("grammar-all", grammar_all),
    Pass("grammar-depth", grammar_depth),
    Pass("production", production, "trying simpler parts", patience=300),
    Pass("choices", choices),
    Pass("choices-nop", choices_nop),
    Pass("trees", tree_sweep, _CHECKING, certifies=Unit.TREE),
    Pass("brackets", bracket_sweep, "leaving out brackets", longest=2000),
    Pass("runs", run_sweep, "leaving out words in a row", longest=500, patience=60),
    Pass("deepen", deepen, "making levels of nesting cheaper", last=True),
    Pass("extract", extract, "trying single parts alone", longest=4000, patience=20, last=True),
    Pass("names", names, "leaving out names", longest=4000, patience=60, last=True),
    Pass("rewrite", rewrite, "rewriting parts shorter", longest=4000, patience=60, last=True),
    Pass("lift", lift, "moving parts to the top", longest=1000, patience=20, last=True),
    Pass("literals", literals, "trying simpler values", longest=2000, patience=20, last=True),
    Pass("spell", spell, "spelling values shorter", longest=4000, patience=60, last=True),
    Pass(
        "neighbours", neighbours, "leaving out parts in pairs", longest=4000, patience=20, last=True
    ),
    Pass("stretches", stretches, "trying stretches alone", longest=2000, patience=30, last=True),
    Pass("lines", lines, "leaving lines out", shortest=1000, patience=100, last=True),
    Pass("pieces", pieces, "leaving pieces out", shortest=1000, patience=100, last=True),
    Pass("tokens", token_sweep, _CHECKING, certifies=Unit.TOKEN, longest=2000, last=True),
    Pass(
        "characters", character_sweep, _CHECKING, certifies=Unit.CHARACTER, longest=200, last=True
    ),
)
"""All passes, in the order in which they run when several are asked for."""

AUTO = (
    "coarse",
    "squeeze",
    "unnest",
    "cuts",
    "long-links",
    "prune",
    "links",
    "inclusions",
    "perses",
    "pairs",
    "shorten",
    "repetitions",
    "blanks",
    "production",
    "trees",
    "brackets",
    "runs",
    "deepen",
    "extract",
    "names",
    "rewrite",
    "lift",
    "literals",
    "spell",
    "neighbours",
    "stretches",
    "lines",
    "pieces",
    "tokens",
    "characters",
)
"""The names of the passes of the default pipeline."""


RENAMING = ("shorten", "characters")
"""The passes of the default pipeline that change names without taking them away."""


def named(names: tuple[str | Pass, ...]) -> tuple[Pass, ...]:
    """Return the passes with these names, in the order given; those of one's own as they are.

    Raises:
        ValueError: a name is not in the catalogue; the message lists those that are.
    """
    catalogue = {each.name: each for each in PASSES}
    unknown = [name for name in names if isinstance(name, str) and name not in catalogue]
    if unknown:
        known = ", ".join(catalogue)
        raise ValueError(f"There is no pass called {unknown[0]!r}. The passes are: {known}.")
    return tuple(catalogue[each] if isinstance(each, str) else each for each in names)
