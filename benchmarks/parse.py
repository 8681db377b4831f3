"""Measures the throughput of Boildown's parsers beside that of others, in one run.

    python -m benchmarks.parse [--quick]

Prints KB (1,000 characters) per second, the best of several rounds, in which all parsers take turns
so that a busy machine slows all of them alike. A dash means that a parser has no part in a row:
Earley parsers other than ours take minutes for large texts, and parso parses Python only. The
Fuzzing Book's parser is measured where it can be imported: `pip install fuzzingbook`, which takes a
gigabyte, into any environment of the same Python, and its `site-packages` in PYTHONPATH.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import lark
import parso.grammar

from boildown.grammar import Grammar, Parser, ParseSuccess, read_lark, read_mapping
from boildown.languages import load_language

ROOT = Path(__file__).parents[1]
Parse: TypeAlias = Callable[[str], object]
COLUMNS = ("boildown", "Lark LALR", "Lark Earley", "fuzzingbook", "parso")


@dataclass(frozen=True)
class Row:
    """One text, and who can parse it."""

    name: str
    text: str
    parsers: Mapping[str, Parse]
    speeds: dict[str, float] = field(default_factory=dict)


def main() -> int:
    options = argparse.ArgumentParser(description="Measure parsers.")
    options.add_argument("--quick", action="store_true", help="leave out the largest texts")
    options.add_argument("--megabyte", action="store_true", help="only one large text, with memory")
    arguments = options.parse_args()
    if arguments.megabyte:
        megabyte()
        return 0
    print(f"{'KB/s':26}", *(f"{column:>12}" for column in COLUMNS))
    for row in rows(arguments.quick):
        measure(row)
        show(row)
    if not arguments.quick:
        command = [sys.executable, "-m", "benchmarks.parse", "--megabyte"]
        subprocess.run(command, check=True, cwd=ROOT)
    return 0


def rows(quick: bool) -> list[Row]:
    found = [*json_rows(quick), *expression_rows(), *character_rows(), *ambiguous_rows()]
    return [*found, *code_rows()]


def json_rows(quick: bool) -> list[Row]:
    source = (ROOT / "grammars" / "json" / "grammar.lark").read_text(encoding="utf-8")
    ours, lalr, earley = boildown(read_lark(source)), lark_lalr(source), lark_earley(source)
    found = []
    for size in (1_000, 10_000, 100_000, *(() if quick else (1_000_000,))):
        parsers = {"boildown": ours, "Lark LALR": lalr}
        if size <= 10_000:
            parsers["Lark Earley"] = earley
        found.append(Row(f"JSON {kilobytes(size)}", json_text(size), parsers))
    return found


EXPRESSIONS = r"""
start: sum
sum: sum "+" product | sum "-" product | product
product: product "*" atom | product "/" atom | atom
atom: NUMBER | NAME | "(" sum ")" | "-" atom
NUMBER: /[0-9]+(?:\.[0-9]+)?/
NAME: /[a-z]+/
%ignore " "
"""


def expression_rows() -> list[Row]:
    parsers = {
        "boildown": boildown(read_lark(EXPRESSIONS)),
        "Lark LALR": lark_lalr(EXPRESSIONS),
        "Lark Earley": lark_earley(EXPRESSIONS),
    }
    few = {name: parsers[name] for name in ("boildown", "Lark LALR")}
    return [
        Row("left-recursive 10 KB", expression_text(10_000), parsers),
        Row("left-recursive 100 KB", expression_text(100_000), few),
    ]


CHARACTERS = [chr(code) for code in range(32, 127) if chr(code) not in '"\\<>']
JSON_BY_CHARACTERS: dict[str, list[str]] = {
    "<start>": ["<element>"],
    "<element>": ["<space><value><space>"],
    "<value>": ["<object>", "<array>", "<string>", "<number>", "true", "false", "null"],
    "<object>": ["{<space>}", "{<members>}"],
    "<members>": ["<member>", "<member>,<members>"],
    "<member>": ["<space><string><space>:<element>"],
    "<array>": ["[<space>]", "[<elements>]"],
    "<elements>": ["<element>", "<element>,<elements>"],
    "<string>": ['"<characters>"'],
    "<characters>": ["", "<character><characters>"],
    "<character>": [*CHARACTERS, "\\<escape>"],
    "<escape>": [*'"\\/bfnrt', "u<hex><hex><hex><hex>"],
    "<hex>": list("0123456789abcdefABCDEF"),
    "<number>": ["<integer><fraction><exponent>"],
    "<integer>": ["<digit>", "<nonzero><digits>", "-<digit>", "-<nonzero><digits>"],
    "<digits>": ["<digit>", "<digit><digits>"],
    "<digit>": ["0", "<nonzero>"],
    "<nonzero>": list("123456789"),
    "<fraction>": ["", ".<digits>"],
    "<exponent>": ["", "e<sign><digits>", "E<sign><digits>"],
    "<sign>": ["", "+", "-"],
    "<space>": ["", "<blank><space>"],
    "<blank>": [" ", "\n", "\t", "\r"],
}


def character_rows() -> list[Row]:
    parsers = {
        "boildown": boildown(read_mapping(JSON_BY_CHARACTERS)),
        "Lark Earley": lark_earley(as_lark(JSON_BY_CHARACTERS)),
        **fuzzingbook(JSON_BY_CHARACTERS),
    }
    ours = {"boildown": parsers["boildown"]}
    return [
        Row("JSON by characters 1 KB", json_text(1_000), parsers),
        Row("JSON by characters 10 KB", json_text(10_000), parsers),
        Row("JSON by characters 100 KB", json_text(100_000), ours),
        Row("JSON by characters 1 MB", json_text(1_000_000), ours),
    ]


def ambiguous_rows() -> list[Row]:
    source = 'start: e\ne: e OPERATOR e | NUMBER\nOPERATOR: "+"\nNUMBER: /[0-9]+/'
    parsers = {"boildown": boildown(read_lark(source)), "Lark Earley": lark_earley(source)}
    return [
        Row(f"e: e op e, {count} operands", "+".join(map(str, range(count))), parsers)
        for count in (30, 60, 120)
    ]


def code_rows() -> list[Row]:
    grammar = parso.grammar.load_grammar()
    source = Path(argparse.__file__).read_text(encoding="utf-8")

    def parse(text: str) -> object:
        return grammar.parse(text, cache=False)

    # Cut at the end of a line, so that both read the same valid text for the most part.
    source = source[: source.rindex("\n", 0, 100_000) + 1]
    ours = {"boildown": load_language("python").parse, "parso": parse}
    script = next((ROOT / "benchmarks" / "cases" / "js-terser").glob("input.*")).read_text("utf-8")
    megabyte = (script + "\n") * (1_000_000 // len(script) + 1)
    return [
        Row("Python 100 KB", source, ours),
        Row("JavaScript 1 MB", megabyte, {"boildown": load_language("javascript").parse}),
    ]


def boildown(grammar: Grammar) -> Parse:
    parser = Parser(grammar)

    def parse(text: str) -> object:
        answer = parser.parse(text)
        assert isinstance(answer, ParseSuccess), answer
        return answer

    return parse


def lark_lalr(source: str) -> Parse:
    return lark.Lark(source, parser="lalr", keep_all_tokens=True).parse


def lark_earley(source: str) -> Parse:
    return lark.Lark(source, parser="earley", keep_all_tokens=True).parse


def fuzzingbook(mapping: Mapping[str, Sequence[str]]) -> dict[str, Parse]:
    """Return the Fuzzing Book's Earley parser, if it is installed."""
    try:
        module = importlib.import_module("fuzzingbook.Parser")
    except ImportError:
        return {}
    parser = module.EarleyParser(mapping)
    return {"fuzzingbook": lambda text: next(iter(parser.parse(text)))}


def as_lark(mapping: Mapping[str, Sequence[str]]) -> str:
    """Write a grammar of the Fuzzing Book in Lark's notation."""

    def piece(text: str) -> str:
        return text[1:-1] if re.fullmatch("<[a-z]+>", text) else json.dumps(text)

    def body(expansion: str) -> str:
        return " ".join(piece(text) for text in re.split("(<[a-z]+>)", expansion) if text)

    return "\n".join(
        f"{key[1:-1]}: {' | '.join(map(body, expansions))}" for key, expansions in mapping.items()
    )


def measure(row: Row) -> None:
    """Measure all parsers on a text, in turns, for about two seconds in all."""
    seconds: dict[str, float] = {}
    spent, rounds = 0.0, 0
    while rounds < 2 or (spent < 2 and rounds < 20):
        for name, parse in row.parsers.items():
            if rounds and seconds[name] > 5:
                continue
            begin = time.perf_counter()
            parse(row.text)
            taken = time.perf_counter() - begin
            seconds[name] = min(seconds.get(name, taken), taken)
            spent += taken
        rounds += 1
    row.speeds.update({name: len(row.text) / 1000 / taken for name, taken in seconds.items()})


def show(row: Row) -> None:
    cells = [
        f"{row.speeds[column]:12.1f}" if column in row.speeds else f"{'-':>12}"
        for column in COLUMNS
    ]
    ratios = [
        f"{row.speeds['boildown'] / row.speeds[column]:.2f} times {column}"
        for column in COLUMNS[1:]
        if column in row.speeds and "boildown" in row.speeds
    ]
    print(f"{row.name:26}", *cells, "  ", ", ".join(ratios), flush=True)


def megabyte() -> None:
    """Parse one megabyte of JSON into a tree; print seconds and memory of this process."""
    source = (ROOT / "grammars" / "json" / "grammar.lark").read_text(encoding="utf-8")
    parse, text = boildown(read_lark(source)), json_text(1_000_000)
    before = memory()
    begin = time.perf_counter()
    answer = parse(text)
    seconds = time.perf_counter() - begin
    print(
        f"{len(text):,} characters of JSON into a tree: {seconds:.2f} s; the process has grown "
        f"from {before:.0f} MB to {memory():.0f} MB"
    )
    del answer


def memory() -> float:
    """Return the memory of this process, in MB; on Linux as it is now, elsewhere at its most."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def json_text(size: int) -> str:
    """Return a JSON document of about a size, the same in every run."""
    rng = random.Random(1)

    def value(depth: int) -> object:
        kind = rng.random()
        if depth == 0 or kind < 0.3:
            words = rng.choice(("alpha beta", "caf\\u00e9", "x", "a longer text with words"))
            return rng.choice((words, rng.randrange(10_000), rng.random(), True, None))
        if kind < 0.6:
            return [value(depth - 1) for _ in range(rng.randrange(7))]
        return {f"key{rng.randrange(100)}": value(depth - 1) for _ in range(rng.randrange(7))}

    items: list[object] = []
    length = 0
    while length < size:
        items.append(value(4))
        length += len(json.dumps(items[-1], indent=1))
    return json.dumps(items, indent=1)


def expression_text(size: int) -> str:
    """Return an expression of about a size, the same in every run."""
    rng = random.Random(1)

    def expression(depth: int) -> str:
        if depth == 0 or rng.random() < 0.2:
            return rng.choice((str(rng.randrange(1000)), "x", "total", "-y"))
        inner = f" {rng.choice('+-*/')} ".join(
            expression(depth - 1) for _ in range(rng.randrange(1, 5))
        )
        return f"({inner})"

    text = expression(4)
    while len(text) < size:
        text += " + " + expression(4)
    return text


def kilobytes(size: int) -> str:
    """Write a size for people."""
    return f"{size // 1000} KB" if size < 1_000_000 else f"{size // 1_000_000} MB"


if __name__ == "__main__":
    sys.exit(main())
