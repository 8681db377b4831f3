"""The objects that `--json` prints are those of the JSON schema, and no others."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from docs._ext.reference import JSON_SCHEMA
from jsonschema import Draft4Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import best_match  # type: ignore[import-untyped]

from boildown import Pattern, generalize, parse_law
from boildown.cli.main import COMMANDS, GROUPS, main
from boildown.engine.laws.law import SCHEMA as LAW
from boildown.engine.laws.law import LawEvidence
from boildown.engine.patterns.conditions import (
    CONDITION_KINDS,
    Alternatives,
    Condition,
    Containing,
    Except,
    Lacking,
    Numbers,
    Without,
    to_json,
)
from boildown.engine.patterns.pieces import Gap, Piece, Pieces
from boildown.languages import load_language
from boildown.runner.resuming.cache import JobDescription, Store
from cli.test_usage import PACKAGE, PARSERS

SCHEMA = json.loads(JSON_SCHEMA.read_text("utf-8"))
VALIDATOR = Draft4Validator(SCHEMA)

PROGRAM = """
import json, sys
from pathlib import Path


def receipt(order):
    if order.get("price", 0) < 0:
        raise ValueError("refund")
    return order["id"]


def total(path: Path):
    orders = json.loads(path.read_text())
    return [receipt(order) for order in orders]


def negative(text: str):
    return '"price": -' in text or '"price":-' in text


def flaky(path: Path):
    with Path(__file__).with_name("runs.txt").open("a") as runs:
        runs.write(".")
        passes = runs.tell() % 5 == 0
    if not passes:
        total(path)


if __name__ == "__main__":
    total(Path(sys.argv[1]))
"""
ORDERS = '[{"id": 1}, {"id": 2, "price": -3}]'
TEST = f"""
import json
from program import receipt


def test_receipts():
    assert [receipt(each) for each in json.loads('{ORDERS}')]
"""
BY_PREDICATE = ("--jobs", "1", "--", "program:total")
BY_TEXT = ("--jobs", "1", "--", "program:negative")
CONFIGURATION = """
[[input]]
files = "flaky.json"
python = "program:flaky"
repeat = 20
[[input]]
files = "by_pass.json"
python = "program:total"
passes = "trees"
"""
BY_COMMAND = ("--", sys.executable, "program.py", "orders.json")
BY_COMMAND_OF_MORE = ("--", sys.executable, "program.py", "more.json")
BY_FILE = ("--", sys.executable, "program.py", "{file}")
IN_FOLDER = ("--", "sh", "-c", "! grep -q need {dir}/a.txt")

RUNS: dict[str, tuple[int, tuple[str, ...]]] = {
    "a reduction": (0, ("reduce", "orders.json", *BY_PREDICATE)),
    "a reduction by a script": (
        0,
        (
            "reduce",
            "orders.json",
            "--interesting",
            "--jobs",
            "1",
            "--",
            "grep",
            "-q",
            "price",
            "orders.json",
        ),
    ),
    "a reduction that was stopped": (0, ("reduce", "more.json", "--max-runs", "1", *BY_PREDICATE)),
    "a note as a line": (0, ("reduce", "more.json", "--json=lines", *BY_COMMAND_OF_MORE)),
    "progress as a line": (0, ("reduce", "more.json", "--json=lines", *BY_PREDICATE)),
    "a reduction by one pass": (0, ("reduce", "by_pass.json", "--jobs", "1")),
    "a reduction that is written nowhere": (
        3,
        ("reduce", "orders.json", "--output", "/proc/small.json", *BY_PREDICATE),
    ),
    "a reduction of a folder": (0, ("reduce", "project", "--jobs", "1", *IN_FOLDER)),
    "a reduction with a ranking": (0, ("reduce", "more.json", "--why", *BY_PREDICATE)),
    "a ranking": (0, ("why", "orders.json", *BY_PREDICATE)),
    "a check": (0, ("check", "orders.json", *BY_COMMAND)),
    "a check of a folder": (0, ("check", "project", *IN_FOLDER)),
    "a check that fails": (1, ("check", "orders.json", "--", "true", "orders.json")),
    "instances": (0, ("pattern", "sample", "pattern.json", "-n", "3")),
    "instances that are checked": (
        0,
        ("pattern", "sample", "pattern.json", "-n", "3", "--check", *BY_TEXT),
    ),
    "matches": (1, ("pattern", "match", "//price < 0", "orders.json", "more.json", "broken.json")),
    "a verification": (
        1,
        ("pattern", "verify", "//price < 0", "orders.json", "-n", "5", *BY_PREDICATE),
    ),
    "unfinished jobs": (0, ("jobs",)),
    "languages": (0, ("grammar", "list")),
    "a grammar": (1, ("grammar", "check", "mine.lark", "orders.json")),
    "a bug of a folder": (0, ("reduce", "crashes", "--each", "--jobs", "1", *BY_FILE)),
    "all bugs of a folder": (0, ("reduce", "crashes", "--each", "--jobs", "1", *BY_FILE)),
}
"""By the name of an object, the exit status and the arguments of the command that prints it."""
LINES = {
    "a note as a line": 0,
    "progress as a line": -2,
    "a bug of a folder": 0,
    "all bugs of a folder": -1,
}
"""Which line an object is of those that a command prints, where it prints several."""
SLOW: dict[str, tuple[int, tuple[str, ...]]] = {
    "a flaky reduction": (0, ("reduce", "flaky.json", "--jobs", "1")),
    "a reduction of a literal": (
        0,
        ("reduce", "test_it.py::test_receipts", "--jobs", "1", "--max-runs", "3"),
    ),
    "a pattern": (
        0,
        ("generalize", "orders.json", "--samples", "10", "--law-runs", "0", *BY_PREDICATE),
    ),
    "an exploration": (
        0,
        ("explore", "orders.json", "--mutants", "30", "--samples", "10", *BY_PREDICATE),
    ),
}
"""The same for objects that take many runs."""
ALL = RUNS | SLOW
NAMES = [*RUNS, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """Return a function that runs the command of an object once, and returns what it printed."""
    folder = tmp_path_factory.mktemp("json")
    (folder / "project").mkdir()
    (folder / "crashes").mkdir()
    texts = {
        "program.py": PROGRAM,
        "test_it.py": TEST,
        "orders.json": ORDERS,
        "flaky.json": ORDERS,
        "by_pass.json": ORDERS,
        "boildown.toml": CONFIGURATION,
        "more.json": f"[{ORDERS[1:-1]}, {ORDERS[1:-1]}]".replace("-3", "3", 1),
        "broken.json": "[{",
        "pattern.json": json.dumps({**pattern().to_json(), "file": "orders.json"}),
        "mine.lark": 'start: "a" start | "a"\n',
        "crashes/crash-1": ORDERS,
        "crashes/crash-2": ORDERS + "\n",
        "project/a.txt": "need\nhay\n",
        "project/b.txt": "hay\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        with Store() as store:
            job = store.job(b"key")
            job.begin("exit 1", JobDescription("reduce", "crash.json", "false '{file}'", 7))
            job.keep("best")
        once = cache(run)
        yield lambda name: read(once(*ALL[name]), LINES.get(name))


def pattern() -> Pattern:
    """Return a pattern with a hole that has a condition."""
    text = '[{"price": -3}]'
    return generalize(text, lambda given: '"price": -' in given, "json", samples=5, law_runs=0)


def run(status: int, arguments: tuple[str, ...]) -> str:
    at = arguments.index("--") if "--" in arguments else len(arguments)
    json_option = () if "--json=lines" in arguments else ("--json",)
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)) as out:
        ended = main([*arguments[:at], *json_option, *arguments[at:]])
    assert ended == status, arguments
    out.seek(0)
    return out.read()


def read(text: str, line: int | None) -> Any:
    return json.loads(text if line is None else text.splitlines()[line])


def test_every_command_with_json_is_run() -> None:
    takes = {
        name
        for name in COMMANDS
        if any("--json" in action.option_strings for action in PARSERS[name]._actions)
    }
    run = {" ".join(arguments[: 1 + (arguments[0] in GROUPS)]) for _, arguments in ALL.values()}
    assert run == takes


def test_every_kind_of_object_is_described() -> None:
    code = "".join(path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py")))
    fields = (each.get("properties", {}) for each in SCHEMA["definitions"].values())
    described = {each["schema"]["enum"][0] for each in fields if "schema" in each}
    printed = {f"boildown/{kind}@1" for kind in re.findall(r'headed\("([\w-]+)"\)', code)}
    assert described == printed | {LAW}


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_describes_it_and_refuses_other_fields(
    printed: Callable[[str], Any], name: str
) -> None:
    given = printed(name)
    assert best_match(VALIDATOR.iter_errors(given)) is None
    for each in objects(given):
        # Objects whose keys are names of their own, such as those of files, hold no objects.
        each["unknown"] = {}
        assert not VALIDATOR.is_valid(given), each
        del each["unknown"]


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects in a JSON value."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from objects(inner)


@pytest.mark.slow
def test_the_runs_show_all_fields(printed: Callable[[str], Any]) -> None:
    shown = {key for name in ALL for each in objects(printed(name)) for key in each}
    described = {
        key for each in SCHEMA["definitions"].values() for key in each.get("properties", ())
    }
    # Conditions, laws and pieces have tests of their own.
    of_conditions = {field.name for each in get_args(Condition) for field in fields(each)}
    for name in ("law", "pieces", "piece"):
        described -= set(SCHEMA["definitions"][name]["properties"])
    assert described - shown <= of_conditions


@pytest.mark.parametrize(
    "condition",
    [
        Without("<", inside="array"),
        Containing("<"),
        Lacking("NUMBER", "7", outside="array"),
        Alternatives((("NUMBER",), ("array",))),
        Except(("7", "null")),
        Numbers(0, 70.5, low_included=True),
    ],
    ids=lambda condition: condition.kind,
)
def test_conditions_are_described(condition: Condition) -> None:
    validator, stored = validator_of("condition"), json.loads(json.dumps(to_json(condition)))
    assert best_match(validator.iter_errors(stored)) is None
    assert not validator.is_valid({**stored, "unknown": 1})


def test_laws_are_described() -> None:
    law = parse_law('//price < 0 or //id = "a"', "json")
    evidence = LawEvidence(100, 99, 50, 50, 20, 19, 1)
    found = replace(law, evidence=evidence, explained=(15, 5), missed=("[]",), excepted=("[1]",))
    stored = json.loads(json.dumps(replace(pattern(), law=found).to_json()))
    validator = validator_of("found-pattern")
    assert best_match(validator.iter_errors(stored)) is None
    assert set(stored["law"]) == set(SCHEMA["definitions"]["law"]["properties"])
    stored["law"]["unknown"] = 1
    assert not validator.is_valid(stored)


def test_pieces_are_described() -> None:
    parts = (Piece("", Gap.ANYTHING), Piece("a"), Piece("b", Gap.RUN, "<", False, 1))
    stored = json.loads(json.dumps(Pieces(load_language("json"), parts, ("a",)).to_json()))
    validator = validator_of("pieces")
    assert best_match(validator.iter_errors(stored)) is None
    assert not validator.is_valid({**stored, "unknown": 1})
    gaps = SCHEMA["definitions"]["piece"]["properties"]["gap"]["enum"]
    assert gaps == [*(each.value for each in Gap), None]


def validator_of(name: str) -> Any:
    """Return the validator of one of the definitions."""
    return Draft4Validator({**SCHEMA, "anyOf": [{"$ref": f"#/definitions/{name}"}]})


def test_all_kinds_of_conditions_are_described() -> None:
    described = {each["$ref"] for each in SCHEMA["definitions"]["condition"]["anyOf"]}
    assert described == {f"#/definitions/{kind}" for kind in CONDITION_KINDS}


def test_every_field_is_described() -> None:
    for name, each in SCHEMA["definitions"].items():
        assert each["description"].endswith("."), name
        for key, field in each.get("properties", {}).items():
            told = field.get("description", "") or key in ("kind", "schema") or "$ref" in field
            assert told or "anyOf" in field, (name, key)
