"""The grammars that come with Boildown, for tests."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from random import Random

import tomlkit

from boildown.grammar import Grammar, Sampler, read_lark

GRAMMARS = Path(__file__).parents[2] / "grammars"
NAMES = sorted(path.parent.name for path in GRAMMARS.glob("*/grammar.lark"))


@functools.cache
def load(name: str) -> Grammar:
    meta = tomlkit.parse((GRAMMARS / name / "language.toml").read_text(encoding="utf-8"))
    source = (GRAMMARS / name / "grammar.lark").read_text(encoding="utf-8")
    grammar = read_lark(source, f"{name}/grammar.lark", str(meta["start"]))
    return replace(grammar, same=dict(meta.get("same", {})))


def examples(name: str) -> list[str]:
    """Read the examples byte for byte."""
    return [path.read_bytes().decode() for path in sorted((GRAMMARS / name / "examples").iterdir())]


def samples(name: str, count: int = 1000, budget: int = 40) -> list[str]:
    grammar = load(name)
    sampler, rng = Sampler(grammar), Random(0)
    return [sampler.sample(grammar.start, rng, budget) or "" for _ in range(count)]
