"""Pattern files that somebody damaged: each command that takes one works, or says what is wrong.

The environment variable `BOILDOWN_MUTANTS` says how many are tried.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boildown import generalize, parse_law
from boildown.jobs.instances import FORMS
from mutants import as_json, mutants, said

GRAMMAR = 'start: value\nvalue: "(" value* ")" | NUMBER | NAME "=" value\nNUMBER: /[0-9]+/\n'
GRAMMAR += "NAME: /[a-z]+/\n"
"""A recursive grammar of a user's own."""


def seeds(folder: Path) -> list[dict[str, Any]]:
    """Return pattern files of all sorts, as values."""
    (folder / "own.lark").write_text(GRAMMAR)
    law = parse_law('//price < 0 and not //id or //name contains "x"', "json")
    shop = '{"id": 1, "price": -5, "name": "x<y", "tags": [1, 2, 3]}'
    notes = "Some words.\n\n" * 40 + "Look [here](\nor there.\n\n- one\n- two\n"
    found = [
        generalize(shop, lambda text: '"price":-' in text.replace(" ", ""), "json", law_runs=0),
        generalize('{"a":1,"a":1}', lambda text: text.count('"a"') > 1, "json", law_runs=0),
        generalize("[5]", lambda text: text[1:-1].isdigit(), "json", law_runs=0),
        generalize('[{"a":[1]}]', lambda text: "[1]" in text, "json", law_runs=0),
        generalize("(a=(1)2)", lambda text: "(1)" in text, str(folder / "own.lark"), law_runs=0),
        generalize("a, b\n", lambda text: "," in text, "csv", law_runs=0),
        generalize(notes, lambda text: "](\n" in text, "markdown", law_runs=0),
    ]
    assert found[-1].to_json()["pieces"] is not None
    stored = [pattern.to_json() for pattern in found]
    stored.append(replace(found[0], law=law).to_json())
    for each in stored:
        own = each["language"] == "own"
        each["language"] = str(folder / "own.lark") if own else each["language"]
        each.update(failure="exit 1", file="crash.json", schema="boildown/pattern@1", others={})
        each["notes"] = [{"code": "x", "text": "A note."}]
    return stored


def test_commands_on_damaged_pattern_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    whole = seeds(tmp_path)
    Path("crash.json").write_text('{"id": 1, "price": -5}')
    forms, good = list(FORMS), 0
    for number, content in enumerate(mutants(whole, as_json, "pattern")):
        Path("p.json").write_bytes(content)
        rng = Random(number)
        status, _told = said("pattern", "match", "p.json", "crash.json")
        good += status < 2
        said("pattern", "match", 'not "p.json" or //a', "crash.json", "--json")
        said("pattern", "sample", "p.json", "-n", "2", "--as", rng.choice(forms))
        said(
            "pattern",
            "sample",
            "p.json",
            "-n",
            "2",
            "--as",
            rng.choice(forms),
            "--",
            "tool",
            "{file}",
        )
        if number % 50 == 0:
            said(
                "pattern", "verify", "p.json", "crash.json", "-n", "2", "--jobs", "1", "--", "true"
            )
            said("pattern", "sample", "p.json", "-n", "2", "--check", "--jobs", "1", "--", "false")
    assert good
