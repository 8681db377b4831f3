"""Every public name has an example that runs, and says its arguments, its errors and its units."""

from __future__ import annotations

import ast
import builtins
import doctest
import inspect
import re
import sys
import warnings
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from docs._ext.public_names import (
    PARTS,
    Member,
    found,
    is_made_by_callers,
    members,
    parameters,
    public,
    raised,
)

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "library.md"
PUBLIC = public()
DESCRIBED = {**PUBLIC, **{name: found(name) for name in PARTS}}

UNITS = {
    *(
        "bytes",
        "calls",
        "candidates",
        "characters",
        "confidence",
        "draws",
        "indices",
        "inputs",
        "lines",
    ),
    *(
        "lines",
        "megabytes",
        "mutants",
        "numbers",
        "offset",
        "parts",
        "runs",
        "seconds",
        "share",
        "texts",
    ),
    *("tokens", "trials"),
}
"""The words of which one stands in the name of a quantity, or in what is said of it."""


def documents(name: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield a public callable and its methods: docstring, and arguments with their types."""
    value = PUBLIC[name]
    if not inspect.isclass(value):
        yield name, inspect.getdoc(value) or "", parameters(value)
        return
    if is_made_by_callers(value):
        yield name, inspect.getdoc(value) or "", parameters(value.__init__)
    for member in members(value):
        if member.kind == "method":
            function = getattr(value, member.name)
            yield f"{name}.{member.name}", member.docstring, parameters(function)


def told(docstring: str, wanted: set[str]) -> list[str]:
    """Return a docstring, and those of the functions that it names with the same arguments."""
    named = (PUBLIC.get(f"boildown.{each}") for each in re.findall(r"`(\w+)`", docstring))
    others = (each for each in named if inspect.isroutine(each))
    return [
        docstring,
        *(inspect.getdoc(each) or "" for each in others if wanted & parameters(each).keys()),
    ]


CALLABLES = {
    name: (docstring, arguments)
    for each in PUBLIC
    for name, docstring, arguments in documents(each)
    if arguments
}
FIELDS: dict[str, Member] = {
    f"{name}.{member.name}": member
    for name, value in DESCRIBED.items()
    if inspect.isclass(value)
    for member in members(value)
}


def test_the_page_lists_all_public_names() -> None:
    listed = re.findall(r"^(boildown\.[\w.]+)$", PAGE.read_text(), re.M)
    assert sorted(listed) == sorted(DESCRIBED)


@pytest.mark.parametrize("name", PUBLIC)
def test_an_example_shows_the_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("orders.json", "receipts.py"):
        (tmp_path / each).write_text((files("boildown") / "demo" / each).read_text())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    value = PUBLIC[name]
    given = {each.rpartition(".")[2]: one for each, one in PUBLIC.items()}
    example = doctest.DocTestParser().get_doctest(
        inspect.getdoc(value) or "", dict(given), name, None, None
    )
    assert example.examples, f"{name} has no example"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    with warnings.catch_warnings():
        # A warning that is not shown is one that a reader gets and the example hides.
        warnings.simplefilter("error")
        runner.run(example, clear_globs=False)
    assert runner.failures == 0
    assert is_shown(name, value, example), f"the example of {name} does without it"


def is_shown(name: str, value: Any, example: doctest.DocTest) -> bool:
    """Say whether an example names an object, or makes an instance of it."""
    code = ast.parse("".join(each.source for each in example.examples))
    named = {node.id for node in ast.walk(code) if isinstance(node, ast.Name)}
    made = any(type(each) is value for each in example.globs.values())
    return name.rpartition(".")[2] in named or made


@pytest.mark.parametrize("name", DESCRIBED)
def test_docstrings_are_whole(name: str) -> None:
    docstring = inspect.getdoc(DESCRIBED[name]) or ""
    assert re.match(r"[A-Z0-9][^\n]+\.(\n|$)", docstring), docstring


@pytest.mark.parametrize("name", FIELDS)
def test_every_member_has_a_docstring(name: str) -> None:
    assert re.match(r"[A-Z`].*[.:]", FIELDS[name].docstring, re.S)


@pytest.mark.parametrize("name", CALLABLES)
def test_every_argument_is_told(name: str) -> None:
    docstring, arguments = CALLABLES[name]
    everything = "\n".join(told(docstring, set(arguments)))
    # The first sentence is about the first argument, and may name it as a word.
    first, *others = arguments
    assert len(arguments) == 1 or re.search(rf"\b{first}\b", everything)
    assert [each for each in others if f"`{each}`" not in everything] == []


@pytest.mark.parametrize("name", CALLABLES)
def test_errors_are_named(name: str) -> None:
    docstring, _ = CALLABLES[name]
    assert raised(docstring) or "Raises nothing" in docstring
    for error in raised(docstring):
        known = PUBLIC.get(f"boildown.{error}", getattr(builtins, error, None))
        assert inspect.isclass(known), f"{error} cannot be imported from boildown"
        assert issubclass(known, BaseException)


def is_quantity(annotation: str) -> bool:
    return re.search(r"\b(int|float)\b", annotation) is not None


def has_unit(name: str, text: str) -> bool:
    return bool(UNITS & set(re.findall(r"[a-z]+", f"{name} {text}".lower())))


@pytest.mark.parametrize("name", FIELDS)
def test_quantities_have_units(name: str) -> None:
    member = FIELDS[name]
    if member.kind != "method" and is_quantity(member.annotation):
        assert has_unit(member.name, member.docstring)


@pytest.mark.parametrize("name", CALLABLES)
def test_quantities_that_are_given_have_units(name: str) -> None:
    docstring, arguments = CALLABLES[name]
    sentences = [
        sentence
        for each in told(docstring, set(arguments))
        for sentence in re.split(r"(?<=[.;:])\s", each)
    ]
    for argument, annotation in arguments.items():
        if is_quantity(annotation):
            about = " ".join(each for each in sentences if f"`{argument}`" in each)
            assert has_unit(argument, about), argument
