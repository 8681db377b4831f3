"""Finds the literals and names that feed a failing line of a test: a backward slice by names.

It is of the code as it stands: a literal feeds a line if it is in its statement, or in one that
assigns a name that the statement needs. Values that a test compares with,
names of things that it replaces, and messages are no inputs.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from boildown.targets.literals import Module
from boildown.targets.syntax import defined, descendants, up, within

_EXPECTING = re.compile(r"assert\w*|raises|warns|fail|skip|(?:set|get|has|del)attr|patch|strftime")
"""Functions whose direct arguments are expected values, or names."""
_COMPARING = re.compile(r"assert(?!Raises|Warns)\w*|fail|skip")
_NAMING = re.compile(r"make_dataclass|namedtuple|NamedTuple|TypedDict|\w*(?:Enum|Flag)")
"""Functions that make a class of names."""
_STANDARD_INPUT = re.compile(r"[bu]?['\"](?:sys\.)?stdin['\"]|[bu]?['\"](?:builtins\.)?input['\"]")


@dataclass(frozen=True, slots=True)
class Feeding:
    """The statements and names that feed the failing lines of a test."""

    statements: tuple[Any, ...]
    names: frozenset[str]
    """Names of variables; those of attributes begin with a dot."""
    overwritten: tuple[Any, ...] = ()
    """Statements that assign such a name, whose value is gone when a line needs the name."""

    def holds(self, node: Any) -> bool:
        """Say whether a literal is part of it."""
        if is_expected(node):
            return False
        around = list(up(node))
        if any(each is statement for each in around for statement in self.statements):
            return True
        if any(each is statement for each in around for statement in self.overwritten):
            return False
        return any(not self.names.isdisjoint(_defined(each)) for each in around)


def feeding(module: Module, lines: Iterable[int]) -> Feeding:
    """Return the slice for the statements at some lines, those of the frames of a failure."""
    waiting = [found for line in lines if (found := _statement(module, line)) is not None]
    statements: list[Any] = []
    overwritten: list[Any] = []
    names: set[str] = set()
    while waiting:
        statement = waiting.pop()
        statements.append(statement)
        assignments = _assignments(statement)
        for leaf in (statement, *descendants(statement)):
            if leaf.type != "name":
                continue
            name = _name(leaf)
            made = [] if _is_target(leaf, statement) else assignments.get(name, [])
            if not name.startswith("."):  # It may be the attribute of another object.
                made, gone = _reaching(statement, made)
                overwritten += gone
            if is_expected(leaf) and not any(map(_computes, made)):
                continue
            names.add(name)
            known = (*statements, *waiting)
            waiting += [each for each in made if not any(each is other for other in known)]
    return Feeding(tuple(statements), frozenset(names), tuple(overwritten))


def _reaching(statement: Any, made: list[Any]) -> tuple[list[Any], list[Any]]:
    """Split the statements that assign a name: those whose value may reach a statement, and others.

    Those before an assignment that is always run before the statement are overwritten by it; those
    after the statement come too late, unless it is in a loop.
    """
    suites = [each for each in up(statement) if each.type in ("suite", "file_input")]
    at = (0, 0)
    for each in made:
        suite = each.parent.parent if _is_plain(each) else None
        is_before = each.start_pos < statement.start_pos and not within(statement, each)
        if is_before and any(suite is around for around in suites):
            at = max(at, each.start_pos)
    last = statement.end_pos
    if any(each.type in ("for_stmt", "while_stmt") for each in up(statement)):
        last = max((each.start_pos for each in made), default=last)
    reaching = [each for each in made if at <= each.start_pos <= last]
    return reaching, [each for each in made if not at <= each.start_pos <= last]


def _is_plain(statement: Any) -> bool:
    """Say whether a statement assigns with `=`, so that earlier values are gone."""
    is_assignment = statement.type == "expr_stmt"
    return is_assignment and getattr(statement.children[1], "value", "") == "="


def _is_target(leaf: Any, statement: Any) -> bool:
    """Say whether a name only gets a value in a statement."""
    return _is_plain(statement) and any(leaf is each for each in statement.get_defined_names())


def is_standard_input(node: Any) -> bool:
    """Say whether a literal stands where a test gives the program its standard input."""
    below = node
    for each in up(node.parent):
        if each.type == "argument" and each.children[0].get_code(False) in ("input", "stdin"):
            return True
        if each.type == "arglist" and any(
            child is not below and _STANDARD_INPUT.fullmatch(child.get_code(False))
            for child in each.children
        ):
            return True
        if each.type == "expr_stmt":
            return bool(each.children[0].get_code(False).endswith("sys.stdin"))
        below = each
    return False


def _statement(module: Module, line: int) -> Any:
    """Return the innermost statement at a line, a compound one with its body."""
    text = module.text.splitlines()[line - 1] if line <= len(module.text.splitlines()) else ""
    column = len(text) - len(text.lstrip())
    leaf = module.tree.get_leaf_for_position((line, column + 1)) if text.strip() else None
    for each in up(leaf):
        if each.parent is not None and each.parent.type in ("suite", "file_input", "simple_stmt"):
            return each
    return None


def _assignments(statement: Any) -> dict[str, list[Any]]:
    """Return the statements that assign each name in the function around a statement."""
    function = next((each for each in up(statement) if each.type == "funcdef"), None)
    found: dict[str, list[Any]] = {}
    if function is None or within(function, statement):
        return found
    for each in descendants(function):
        if each.type in ("expr_stmt", "with_stmt", "for_stmt"):
            for name in each.get_defined_names():
                found.setdefault(_name(name), []).append(each)
    return found


def _name(leaf: Any) -> str:
    """Return the name of a variable, or that of an attribute after a dot."""
    is_attribute = leaf.parent.type == "trailer" and leaf.parent.children[0].value == "."
    return f".{leaf.value}" if is_attribute else str(leaf.value)


def _defined(node: Any) -> set[str]:
    """Return the names of variables, attributes and methods that a statement defines."""
    if node.type == "expr_stmt":
        return {_name(name) for name in node.get_defined_names()}
    return {name for each in defined(node) for name in (each, f".{each}")}


def _computes(statement: Any) -> bool:
    """Say whether a statement assigns more than a literal."""
    value = statement.children[-1]
    return value.type not in ("string", "strings", "number", "keyword")


def _is_inner(node: Any) -> bool:
    return node.type not in ("simple_stmt", "suite", "lambdef", "file_input")


def is_expected(node: Any) -> bool:
    """Say whether a value or name is only compared with, or names something else."""
    parent = node.parent
    while parent is not None and parent.type in ("testlist_comp", "atom"):
        node, parent = parent, parent.parent
    if parent is None:
        return False
    if parent.type in ("comparison", "assert_stmt"):
        return True
    if any(each.type == "raise_stmt" for each in itertools.takewhile(_is_inner, up(parent))):
        return True
    if parent.type == "argument" and parent.children[0] is not node:
        return bool(parent.children[0].get_code(False) == "match")
    call = parent.parent if parent.type == "arglist" else parent
    if call is None or call.type != "trailer" or call.children[0].value != "(":
        return False
    before = call.children[0].get_previous_leaf()
    return before is not None and _EXPECTING.fullmatch(before.value) is not None


def is_compared(node: Any) -> bool:
    """Say whether a literal is a value that the test expects, or a message.

    The arguments of `raises` may be those of the function that it calls. What a variable holds is
    compared where the test does nothing else with it.
    """
    if not is_expected(node):
        uses = _uses(node)
        return bool(uses) and all(_is_asserted(each) and is_compared(each) for each in uses)
    call = next((each for each in up(node.parent) if each.type != "arglist"), None)
    before = call.get_previous_leaf() if call is not None and call.type == "trailer" else None
    if before is None or not before.value.startswith("assert"):
        return before is None or _COMPARING.fullmatch(before.value) is not None
    return _COMPARING.fullmatch(before.value) is not None and any(
        _is_made(each) for each in descendants(call) if each.type == "name"
    )


def is_name(node: Any) -> bool:
    """Say whether a literal is the name of a class that a test makes, or those of its fields."""
    trailers = (each for each in up(node) if each.type == "trailer")
    return any(_NAMING.fullmatch(each.get_previous_leaf().value) for each in trailers)


def _uses(node: Any) -> list[Any]:
    """Return where a function uses the variable that gets a literal, or literals joined."""
    statement = next((each for each in up(node) if each.type not in _JOINING), None)
    if statement is None or not _is_plain(statement) or statement.children[0].type != "name":
        return []
    function = next((each for each in up(statement) if each.type == "funcdef"), None)
    name, value = statement.children[0], statement.children[2]
    if function is None or not within(node, value) or not _is_literal(value):
        return []
    leaves = [each for each in descendants(function) if each.type == "name"]
    return [each for each in leaves if each is not name and each.value == name.value]


def _is_asserted(name: Any) -> bool:
    """Say whether a test compares a value with a name, in an assertion.

    One about nothing else is about that very value, as `"<" not in text` is.
    """
    statement = next((each for each in up(name) if each.type == "assert_stmt"), None)
    if statement is None:
        return is_expected(name) and name.parent.type in ("trailer", "arglist")
    names = {each.value for each in descendants(statement) if each.type == "name"}
    return is_expected(name) and names != {name.value}


def _is_made(name: Any) -> bool:
    """Say whether a name stands for more than a literal, as the result of a program does.

    A function of assertions that gets literals alone runs the program itself.
    """
    made = _assignments(name).get(_name(name), [])
    return not made or any(
        not (_is_plain(each) and _is_literal(each.children[-1])) for each in made
    )


_JOINING = frozenset(
    ("atom", "testlist_comp", "arith_expr", "term", "atom_expr", "power", "trailer", "strings")
) | {"string", "fstring"}


def _is_literal(value: Any) -> bool:
    """Say whether a value is made of literals alone, such as lines that are joined."""
    names = [each for each in (value, *descendants(value)) if each.type == "name"]
    return all(each.value in ("join", "dedent", "textwrap") for each in names)
