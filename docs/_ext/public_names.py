"""The public names of the library, and what documents them: signatures, docstrings and fields."""

from __future__ import annotations

import ast
import enum
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from importlib import import_module
from typing import Any

from boildown.jobs.work import JOB_OPTIONS
from boildown.library.files import FileOptions
from boildown.runner.command import OPTIONS

MODULES = ("boildown", "boildown.hypothesis")
"""The modules whose `__all__` is the library."""

PARTS = (
    "boildown.library.files.FileOptions",
    "boildown.engine.oracle.Step",
    "boildown.engine.passing.Passing",
    "boildown.engine.flaky.Flaky",
    "boildown.engine.certificate.NotSwept",
    "boildown.engine.certificate.Unit",
    "boildown.engine.certificate.Certified",
    "boildown.engine.patterns.hole.Hole",
    "boildown.engine.patterns.hole.Evidence",
    "boildown.engine.laws.law.LawEvidence",
    "boildown.library.calls.Call",
    "boildown.jobs.why.Suspect",
    "boildown.jobs.branching.Branch",
    "boildown.jobs.branching.Assignment",
)
"""Types that the library returns or takes, and that nobody has to import."""

_RAISES = re.compile(r"^Raises:\n((?:    .*\n?)+)", re.M)
_RAISED = re.compile(r"^    (\w+(?:,\s+\w+)*):", re.M)
_RAISED_INLINE = re.compile(r"[Rr]aises `(\w+)`")


@dataclass(frozen=True, slots=True)
class Member:
    """A field, a property, a method or a value of an enumeration."""

    name: str
    kind: str
    """`attribute`, `property` or `method`, as Sphinx's domain of Python has it."""
    annotation: str
    """Of a field or property its type, of a method its signature."""
    docstring: str
    parameters: tuple[str, ...] = ()


def public() -> dict[str, Any]:
    """Return the public objects by their full names."""
    return {
        f"{module}.{name}": getattr(import_module(module), name)
        for module in MODULES
        for name in import_module(module).__all__
    }


def found(name: str) -> Any:
    """Return an object by its full name.

    Raises:
        AttributeError, ModuleNotFoundError: there is none.
    """
    module, _, own = name.rpartition(".")
    return getattr(import_module(module), own)


class _Bare(str):
    """An annotation that is shown as it is written, without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def signature(function: Any) -> str:
    """Return the arguments and the type of a function as they are written, without `self`."""
    given = inspect.signature(function)
    parameters = [
        each if each.annotation is each.empty else each.replace(annotation=_Bare(each.annotation))
        for each in given.parameters.values()
        if each.name != "self"
    ]
    returns = given.return_annotation
    if returns is not given.empty:
        returns = None if returns in (None, "None") else _Bare(returns)
    return str(inspect.Signature(parameters, return_annotation=returns))


def parameters(function: Any) -> dict[str, str]:
    """Return the parameters of a function, without `self`, with their annotations."""
    return {
        each.name: str(each.annotation)
        for each in inspect.signature(function).parameters.values()
        if each.name != "self"
    }


def is_made_by_callers(value: Any) -> bool:
    """Say whether callers of the library construct a class; others are given to them."""
    return (
        inspect.isclass(value)
        and not issubclass(value, BaseException | enum.Enum)
        and not is_dataclass(value)
    )


def members(value: type) -> Iterator[Member]:
    """Yield the public fields, properties and methods of a class, and those that it inherits."""
    seen: set[str] = set()
    for each in value.__mro__:
        if each.__module__.startswith("boildown."):
            for member in _own_members(each):
                if member.name not in seen and not member.name.startswith("_"):
                    seen.add(member.name)
                    yield member


def _own_members(value: type) -> Iterator[Member]:
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(value))).body
    assert isinstance(definition, ast.ClassDef)
    for node, after in zip(definition.body, [*definition.body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef):
            yield _function(value, node)
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            kind = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
            told = isinstance(after, ast.Expr) and ast.literal_eval(after.value)
            name = ast.unparse(target)
            if value is FileOptions and not told:
                row = (OPTIONS | JOB_OPTIONS)[name]
                told = f"{row.help[0].upper()}{row.help[1:]}."
            yield Member(name, "attribute", kind, inspect.cleandoc(told or ""))


def _function(value: type, node: ast.FunctionDef) -> Member:
    docstring = ast.get_docstring(node) or ""
    if any(ast.unparse(each) == "property" for each in node.decorator_list):
        returns = "" if node.returns is None else ast.unparse(node.returns)
        return Member(node.name, "property", returns, docstring)
    function = inspect.getattr_static(value, node.name)
    return Member(node.name, "method", signature(function), docstring, tuple(parameters(function)))


def raised(docstring: str) -> tuple[str, ...]:
    """Return the names of the errors that a docstring says."""
    sections = "".join(match[1] for match in _RAISES.finditer(f"{docstring}\n"))
    listed = [name for match in _RAISED.finditer(sections) for name in re.findall(r"\w+", match[1])]
    return (*listed, *_RAISED_INLINE.findall(docstring))
