"""Random predicates on random texts, and what is true of them, found by brute force."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from random import Random

from boildown.engine.certificate import Unit
from boildown.engine.language import Language
from boildown.engine.oracle import from_test
from boildown.engine.reducing.reduce import reduce

Predicate = Callable[[str], bool]

PIECES = {
    "plain": ("a", "b", "(", ")", " ", "\n", "-"),
    "json": ("1", "[", "]", ",", "{", "}", ":", '"a"', " ", "null"),
    "python": ("a", "=", "1", "(", ")", "\n", "if ", ":", " ", "f", ","),
    "xml": ("<a>", "</a>", "<b/>", "x", " ", "&lt;"),
    "html": ("<p>", "</p>", "<b>", "</b>", "x", "<br>", " "),
    "javascript": ("a", "=", "1", "(", ")", "{", "}", ";", ",", "f"),
}
"""For each language, what its random texts are made of."""


def chance_of(seed: int, text: str) -> float:
    """Return a number below 1 that a text has in a random predicate."""
    digest = hashlib.blake2b(f"{seed} {text}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**32


def random_predicate(text: str, rng: Random) -> Predicate:
    """Return a predicate that a text fulfils: random, monotone, or one of what is coupled."""
    seed, density = rng.getrandbits(32), rng.choice((0.02, 0.1, 0.4))
    kept = sorted(rng.sample(range(len(text)), min(rng.randint(0, 4), len(text))))
    needles = re.compile(".*".join(re.escape(text[at]) for at in kept), re.DOTALL)
    one, other = rng.choice(text), rng.choice(text)
    difference = text.count(one) - text.count(other)
    return rng.choice(
        (
            lambda new: new == text or chance_of(seed, new) < density,
            lambda new: needles.search(new) is not None,
            lambda new: needles.search(new) is not None or chance_of(seed, new) < density,
            lambda new: one in new and new.count(one) - new.count(other) == difference,
        )
    )


def left_out(text: str, unit: Unit, predicate: Predicate, language: Language) -> set[str]:
    """Return the texts that still fail without a single part, found by trying them all."""
    if unit is Unit.TREE:
        found: set[str] = set()

        def seen(new: str) -> bool:
            found.update([new] if predicate(new) else [])
            return False

        reduce(text, from_test(seen), language, ("trees",))
        return found
    spans = (
        [(at, at + 1) for at in range(len(text))]
        if unit is Unit.CHARACTER
        else [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]
    )
    return set(filter(predicate, (text[:start] + text[end:] for start, end in spans)))
