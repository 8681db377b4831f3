"""Arithmetic expressions, read by a parser of the same precedences that is written here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from benchmarks.diagnosis.subject import Subject

_TOKEN = re.compile(
    r"\s*(?:((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|\*\*|[-+*/%^(),])|([^\W\d]\w*))"
)

_END = "\n"
"""Stands after the last word."""


@dataclass(frozen=True, slots=True)
class Term:
    """A number, a name, or an operation on terms: a sign, "call NAME", or "()" for a bracket."""

    word: str
    parts: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return f"{self.word}({', '.join(map(str, self.parts))})"

    def inner(self) -> Iterator[Term]:
        """Yield the term and all terms inside it."""
        yield self
        for part in self.parts:
            yield from part.inner()


class _Parser:
    def __init__(self, text: str) -> None:
        self.words: list[str] = []
        at, text = 0, text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise ValueError(f"no word of an expression at {at}")
            self.words.append(match[1] or match[2])
            at = match.end()
        self.words.append(_END)
        self.at = 0

    def take(self, *words: str) -> str:
        found = self.words[self.at]
        if found not in words:
            return ""
        self.at += 1
        return found

    def need(self, word: str) -> None:
        if not self.take(word):
            raise ValueError(f"{word} is missing before {self.words[self.at]!r}")

    def expr(self) -> Term:
        left = self.term()
        while sign := self.take("+", "-"):
            left = Term(sign, (left, self.term()))
        return left

    def term(self) -> Term:
        left = self.factor()
        while sign := self.take("*", "/", "%"):
            left = Term(sign, (left, self.factor()))
        return left

    def factor(self) -> Term:
        if sign := self.take("+", "-"):
            return Term(f"unary {sign}", (self.factor(),))
        base = self.atom()
        return Term("^", (base, self.factor())) if self.take("**", "^") else base

    def atom(self) -> Term:
        if self.take("("):
            inner = self.expr()
            self.need(")")
            return Term("()", (inner,))
        word = self.words[self.at]
        if not (word[0].isalnum() or word[0] in "_."):
            raise ValueError(f"no term at {word!r}")
        self.at += 1
        if not (word[0].isalpha() or word[0] == "_") or not self.take("("):
            return Term(word)
        parts: list[Term] = []
        if not self.take(")"):
            parts.append(self.expr())
            while self.take(","):
                parts.append(self.expr())
            self.need(")")
        return Term(f"call {word}", tuple(parts))


def parsed(text: str) -> Term:
    """Parse an expression.

    Raises:
        ValueError: it is none.
    """
    parser = _Parser(text)
    found = parser.expr()
    parser.need(_END)
    return found


def fails_if(law: Callable[[Term], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on some term of a text."""
    return lambda text: any(map(law, parsed(text).inner()))


def as_a_whole(law: Callable[[Term], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on the whole expression."""
    return lambda text: law(parsed(text))


def literal(term: Term) -> float | None:
    """Return the value of a number, with or without a sign."""
    if term.word == "unary -":
        inner = literal(term.parts[0])
        return None if inner is None else -inner
    return float(term.word) if term.word[0].isdigit() or term.word[0] == "." else None


def is_name(term: Term) -> bool:
    """Say whether a term is a variable."""
    return (
        not term.parts and (term.word[0].isalpha() or term.word[0] == "_") and " " not in term.word
    )


NAMES = ("x", "y", "rate", "i", "l", "n", "tax")


def number(rng: Random) -> str:
    """Make a number."""
    return rng.choice((str(rng.randint(0, 9)), str(rng.randint(10, 999)), f"{rng.randint(0, 9)}.5"))


def expression(rng: Random, depth: int = 2, leaf: Callable[[Random], str] | None = None) -> str:
    """Make an expression of a few operators."""
    make = leaf or (lambda rng: rng.choice((number(rng), rng.choice(NAMES))))
    if depth == 0 or rng.random() < 0.15:
        return make(rng)
    left, right = expression(rng, depth - 1, leaf), expression(rng, depth - 1, leaf)
    blank = rng.choice(("", " "))
    return rng.choice(
        (
            f"{left}{blank}+{blank}{right}",
            f"{left}{blank}-{blank}{right}",
            f"{left}{blank}*{blank}{right}",
            f"({left})",
            f"({left} + {right}) * {make(rng)}",
            f"max({left}, {right})",
        )
    )


def among(rng: Random, *given: str) -> str:
    """Make an expression that has given terms among others."""
    found = [*given, *(expression(rng, 1) for _ in range(rng.randint(0, 2)))]
    rng.shuffle(found)
    return rng.choice((" + ", " - ", "+")).join(found)


def _division(rng: Random) -> str:
    divisor = rng.choice(("0", "0.0", "2", "10", "x", "00", "(0 + 1)", "0.5", "y"))
    return among(rng, f"{rng.choice(NAMES)} {rng.choice('//%*')} {divisor}", rng.choice(("0", "3")))


def _brackets(rng: Random) -> str:
    text = rng.choice(NAMES)
    for _ in range(rng.randint(0, 6)):
        text = rng.choice((f"({text})", f"({text} + {number(rng)})", f"(2 * {text})", f"f({text})"))
    return among(rng, text)


def _brackets_around(term: Term) -> int:
    return (term.word == "()") + max(map(_brackets_around, term.parts), default=0)


def _arguments(rng: Random) -> str:
    arguments = ", ".join(expression(rng, 1) for _ in range(rng.randint(0, 3)))
    name = rng.choice(("max", "max", "min", "f"))
    return among(rng, f"{name}({arguments})")


def _product(rng: Random) -> str:
    factors = [rng.choice(("", "", "-")) + rng.choice(("2", "3.5", "7", "10")) for _ in range(2)]
    return among(rng, " * ".join(factors))


def _negative_product(term: Term) -> bool:
    if term.word != "*":
        return False
    left, right = map(literal, term.parts)
    return left is not None and right is not None and left * right < 0


def _same(rng: Random) -> str:
    left = rng.choice((rng.choice(NAMES), f"f({rng.choice(NAMES)})", number(rng)))
    right = left if rng.random() < 0.5 else rng.choice((*NAMES, number(rng)))
    return among(rng, rng.choice(("{}", "2 * ({})", "f({})")).format(f"{left} - {right}"))


SUBJECTS = (
    Subject(
        "expr division by zero", "expressions", "a number that is zero divides",
        '"/"/right = 0 or "%"/right = 0',
        ("equal", "anywhere", "alternatives"),
        fails_if(lambda term: term.word in ("/", "%") and literal(term.parts[1]) == 0),
        _division,
    ),
    Subject(
        "expr deep brackets", "expressions", "more than 3 brackets stand in one another",
        'depth("()") > 3',
        ("depth",),
        as_a_whole(lambda term: _brackets_around(term) > 3),
        _brackets,
    ),
    Subject(
        "expr empty max", "expressions", "max is called without an argument",
        'empty(//call["max"]/expr)',
        ("empty", "child"),
        fails_if(lambda term: term.word == "call max" and not term.parts),
        _arguments,
    ),
    Subject(
        "expr divisible", "expressions", "some whole number is divisible by 7", "//NUMBER % 7 = 0",
        ("divisible",),
        fails_if(lambda term: term.word.isdecimal() and int(term.word) % 7 == 0),
        lambda rng: expression(rng, 2),
    ),
    Subject(
        "expr negative product", "expressions", "a product of two numbers is below zero",
        "//term[product(factor) < 0]",
        ("less", "sum"),
        fails_if(_negative_product),
        _product,
    ),
    Subject(
        "expr same operands", "expressions", "something is subtracted from itself",
        '//"-"[left = right]',
        ("equal",),
        fails_if(
            lambda term: term.word == "-" and len({*map(str, term.parts)}) == 1
            and len(term.parts) == 2
        ),
        _same,
    ),
    Subject(
        "expr high digit", "expressions", "some number begins with 8 or 9",
        '//NUMBER matches "[89]"',
        ("alternatives", "prefix"),
        fails_if(lambda term: term.word[0] in "89"),
        lambda rng: expression(rng, 2),
    ),
    Subject(
        "expr unclear name", "expressions", "a name is i, l or n", '//NAME in {"i", "l", "n"}',
        ("alternatives", "anywhere"),
        fails_if(lambda term: is_name(term) and term.word in ("i", "l", "n")),
        lambda rng: expression(rng, 1),
    ),
    Subject(
        "expr many terms", "expressions", "there are more than 6 numbers",
        "count(//NUMBER) > 6",
        ("how often", "count"),
        as_a_whole(
            lambda term: sum(not t.parts and literal(t) is not None for t in term.inner()) > 6
        ),
        lambda rng: " + ".join(expression(rng, 1) for _ in range(rng.randint(1, 6))),
    ),
)  # fmt: skip
