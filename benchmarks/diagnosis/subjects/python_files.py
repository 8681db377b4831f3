"""Python: short modules, read as `ast` reads them."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Callable, Iterator
from random import Random

from benchmarks.diagnosis.subject import Subject


def fails_if(law: Callable[[ast.Module], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on the syntax tree of a text."""

    def fails(text: str) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return law(ast.parse(text))
            except SyntaxError as error:  # a ValueError only for null bytes
                raise ValueError(str(error)) from error

    return fails


NAMES = ("a", "b", "total", "row", "items", "size", "name")
CALLS = ("print", "len", "str", "max")


def value(rng: Random, names: tuple[str, ...] = NAMES, depth: int = 1) -> str:
    """Make an expression."""
    if depth == 0 or rng.random() < 0.4:
        return rng.choice((rng.choice(names), str(rng.randint(0, 20)), "'tea'"))
    inner = [value(rng, names, depth - 1) for _ in range(2)]
    return rng.choice(
        (
            f"{inner[0]} + {inner[1]}",
            f"{rng.choice(CALLS)}({inner[0]})",
            f"[{inner[0]}, {inner[1]}]",
            f"({inner[0]})",
        )
    )


def statement(rng: Random) -> str:
    """Make a simple statement."""
    return rng.choice(
        (
            f"{rng.choice(NAMES)} = {value(rng)}",
            f"print({value(rng)})",
            f"{rng.choice(NAMES)} += {rng.randint(1, 9)}",
        )
    )


def indented(text: str) -> str:
    """Return lines one level further in."""
    return "\n".join(f"    {line}" for line in text.split("\n"))


def module(rng: Random, *given: str) -> str:
    """Make a module that has given statements among others."""
    found = [*given, *(statement(rng) for _ in range(rng.randint(0, 2)))]
    rng.shuffle(found)
    return "\n".join(found) + "\n"


def function(rng: Random, parameters: list[str]) -> str:
    """Make a function."""
    body = indented("\n".join([statement(rng), f"return {value(rng)}"]))
    return f"def {rng.choice(('run', 'load', 'total'))}({', '.join(parameters)}):\n{body}"


def _defaults(rng: Random) -> str:
    defaults = ("[]", "{}", "None", "0", "()", "'x'", "[1]", "{'a': 1}", "True")
    names = rng.sample(NAMES, 3)
    parameters = names[: rng.randint(0, 2)]
    parameters += [f"{name}={rng.choice(defaults)}" for name in names[2:]]
    return module(rng, function(rng, parameters))


def _mutable(tree: ast.Module) -> bool:
    return any(
        isinstance(default, ast.List | ast.Dict | ast.Set)
        for each in ast.walk(tree)
        if isinstance(each, ast.arguments)
        for default in [*each.defaults, *each.kw_defaults]
    )


def _parameters(rng: Random) -> str:
    names = [f"{rng.choice(NAMES)}{n}" for n in range(rng.randint(0, 9))]
    return module(rng, function(rng, names))


def _loops(rng: Random) -> str:
    text = statement(rng)
    for _ in range(rng.randint(0, 4)):
        head = rng.choice(
            (
                f"for {rng.choice(NAMES)} in {rng.choice(NAMES)}:",
                f"for {rng.choice(NAMES)} in range({rng.randint(1, 9)}):",
                f"if {value(rng)}:",
            )
        )
        text = f"{head}\n{indented(text)}"
    return module(rng, text, f"for row in items:\n{indented(statement(rng))}")


def _loops_around(node: ast.AST) -> int:
    inner = max(map(_loops_around, ast.iter_child_nodes(node)), default=0)
    return isinstance(node, ast.For | ast.AsyncFor) + inner


def _assignments(rng: Random) -> str:
    known: list[str] = []
    lines = []
    for _ in range(rng.randint(1, 5)):
        near = (*known, "1") if known and rng.random() < 0.8 else NAMES
        used = rng.choice((str(rng.randint(0, 9)), value(rng, near)))
        name = rng.choice(NAMES)
        lines.append(f"{name} = {used}")
        known.append(name)
    return "\n".join(lines) + "\n"


def _used_first(tree: ast.Module) -> bool:
    known = set(dir(builtins))
    for each in tree.body:
        names = [node for node in ast.walk(each) if isinstance(node, ast.Name)]
        used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        if not used <= known:
            return True
        known |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return False


def _comparisons(rng: Random) -> str:
    left = rng.choice(NAMES)
    right = left if rng.random() < 0.4 else rng.choice((*NAMES, "0", "len(row)"))
    sign = rng.choice(("==", "<", "is", "!="))
    return module(rng, f"if {left} {sign} {right}:\n{indented(statement(rng))}")


def _with_itself(tree: ast.Module) -> bool:
    return any(
        ast.dump(each.left) == ast.dump(each.comparators[0])
        for each in ast.walk(tree)
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Eq)
    )


def _handlers(rng: Random) -> str:
    kinds = ("", " ValueError", " OSError as error", " (KeyError, TypeError)", " Exception")
    handlers = rng.sample(kinds[1:], rng.randint(0, 2)) or [""]
    handlers += [""] if handlers != [""] and rng.random() < 0.3 else []
    parts = [f"try:\n{indented(statement(rng))}"]
    parts += [f"except{each}:\n{indented(statement(rng))}" for each in handlers]
    return module(rng, "\n".join(parts))


def _long_names(rng: Random) -> str:
    name = "_".join(rng.choices(("total", "row", "of", "items", "size"), k=rng.randint(1, 6)))
    return module(rng, rng.choice((f"{name} = {value(rng)}", f"print({name})", f"{name}()")))


def _names(tree: ast.Module) -> Iterator[str]:
    return (each.id for each in ast.walk(tree) if isinstance(each, ast.Name))


def _dangerous(rng: Random) -> str:
    calls = [f"{rng.choice(('eval', 'exec', 'print', 'len', 'compile'))}({value(rng)})"]
    calls += [f"data.eval({value(rng)})"] if rng.random() < 0.3 else []
    calls += ["from os import " + rng.choice(("*", "path", "sep"))] if rng.random() < 0.5 else []
    return module(rng, *calls)


def _calls_or_star(tree: ast.Module) -> bool:
    return any(
        (
            isinstance(each, ast.Call)
            and isinstance(each.func, ast.Name)
            and each.func.id in ("eval", "exec")
        )
        or (isinstance(each, ast.ImportFrom) and each.names[0].name == "*")
        for each in ast.walk(tree)
    )


SUBJECTS = (
    Subject(
        "python mutable default", "python", "a default of a parameter is a list, a dict or a set",
        "//param/default in {list, dict, set}",
        ("alternatives", "anywhere"),
        fails_if(_mutable),
        _defaults,
    ),
    Subject(
        "python many parameters", "python", "a function has more than 5 parameters",
        "count(//funcdef/param) > 5",
        ("count",),
        fails_if(
            lambda tree: any(
                len(each.args.args) > 5
                for each in ast.walk(tree)
                if isinstance(each, ast.FunctionDef)
            )
        ),
        _parameters,
    ),
    Subject(
        "python nested loops", "python", "3 for loops or more stand in one another",
        "//for//for//for",
        ("depth", "anywhere"),
        fails_if(lambda tree: _loops_around(tree) >= 3),
        _loops,
    ),
    Subject(
        "python used first", "python", "a name is used before any statement assigns it",
        "not every use in earlier(assigned)",
        ("defined",),
        fails_if(_used_first),
        _assignments,
    ),
    Subject(
        "python same sides", "python", "the two sides of an == are the same",
        '//"=="[left = right]',
        ("equal",),
        fails_if(_with_itself),
        _comparisons,
    ),
    Subject(
        "python bare except", "python", "an except names no exception", "//except[not name]",
        ("not exists", "child"),
        fails_if(
            lambda tree: any(
                isinstance(each, ast.ExceptHandler) and each.type is None for each in ast.walk(tree)
            )
        ),
        _handlers,
    ),
    Subject(
        "python long name", "python", "a name is longer than 16 characters", "len(//name) > 16",
        ("length",),
        fails_if(lambda tree: any(len(name) > 16 for name in _names(tree))),
        _long_names,
    ),
    Subject(
        "python eval or star", "python", "eval or exec is called, or * imported",
        '//call/name in {"eval", "exec"} or //import/"*"',
        ("or", "alternatives", "exists"),
        fails_if(_calls_or_star),
        _dangerous,
    ),
)  # fmt: skip
