"""The catalogue of passes: one algorithm each, in one file each.

A pass is a function that takes a `Problem` and tries candidates on it. It tries the same things in
the same order whenever it starts from the same text, makes no promise about how often it is called,
and leaves going on until nothing gives to the loop over passes in `boildown.engine.reduce`; only
the published algorithms keep the loops that they were published with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from boildown.engine.passes.blanks import blanks, squeeze
from boildown.engine.passes.choices import choices, choices_nop
from boildown.engine.passes.ddmin import ddmin
from boildown.engine.passes.extract import extract
from boildown.engine.passes.grammar import (
    grammar,
    grammar_all,
    grammar_depth,
    grammar_expansions,
    grammar_subtrees,
)
from boildown.engine.passes.gtr import gtr
from boildown.engine.passes.hdd import hdd
from boildown.engine.passes.names import names
from boildown.engine.passes.pairs import neighbours, pairs
from boildown.engine.passes.perses import perses
from boildown.engine.passes.production import production
from boildown.engine.passes.prune import prune
from boildown.engine.passes.shorten import shorten
from boildown.engine.passes.sweeps import (
    bracket_sweep,
    character_sweep,
    run_sweep,
    token_sweep,
    tree_sweep,
)
from boildown.engine.problem import Problem


@dataclass(frozen=True, slots=True)
class Pass:
    """One reduction algorithm, as the catalogue lists it."""

    name: str
    run: Callable[[Problem], None]
    certifies: str = ""
    """What the text is shown to be when the pass has found nothing."""
    longest: int | None = None
    """In the pipeline: no text of more characters than this is worth its runs."""
    patience: int | None = None
    """In the pipeline: after so many candidates in a row that failed it gives up."""
    last: bool = False
    """In the pipeline: whether it waits until the passes before it change nothing any more."""


PASSES = (
    Pass("squeeze", squeeze),
    Pass("prune", prune),
    Pass("perses", perses),
    Pass("pairs", pairs, longest=4000, patience=150),
    Pass("shorten", shorten, patience=300),
    Pass("blanks", blanks),
    Pass("ddmin", ddmin, certifies="1-character-minimal"),
    Pass("hdd", hdd),
    Pass("gtr", gtr),
    Pass("grammar", grammar),
    Pass("grammar-subtrees", grammar_subtrees),
    Pass("grammar-expansions", grammar_expansions),
    Pass("grammar-all", grammar_all),
    Pass("grammar-depth", grammar_depth),
    Pass("production", production, patience=300),
    Pass("choices", choices),
    Pass("choices-nop", choices_nop),
    Pass("trees", tree_sweep, certifies="1-tree-minimal"),
    Pass("brackets", bracket_sweep, longest=2000),
    Pass("runs", run_sweep, longest=500),
    Pass("extract", extract, longest=4000, patience=60, last=True),
    Pass("names", names, longest=4000, patience=150, last=True),
    Pass("neighbours", neighbours, longest=4000, patience=60, last=True),
    Pass("tokens", token_sweep, certifies="1-token-minimal", longest=2000, last=True),
    Pass("characters", character_sweep, certifies="1-character-minimal", longest=200, last=True),
)
"""All passes, in the order in which they run when several are asked for."""

AUTO = (
    "squeeze",
    "prune",
    "perses",
    "pairs",
    "shorten",
    "blanks",
    "production",
    "trees",
    "brackets",
    "runs",
    "extract",
    "names",
    "neighbours",
    "tokens",
    "characters",
)
"""The names of the passes of the default pipeline."""


RENAMING = ("shorten", "characters")
"""The passes of the default pipeline that change names without taking them away."""


def named(names: tuple[str, ...]) -> tuple[Pass, ...]:
    """Return the passes with these names, in the order given.

    Raises:
        ValueError: a name is not in the catalogue; the message lists those that are.
    """
    catalogue = {each.name: each for each in PASSES}
    unknown = [name for name in names if name not in catalogue]
    if unknown:
        known = ", ".join(catalogue)
        raise ValueError(f"There is no pass called {unknown[0]!r}. The passes are: {known}.")
    return tuple(catalogue[name] for name in names)
