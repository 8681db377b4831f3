"""Generalize a call that fails, from inside a Python program.

The block's first call of a Python function is watched. If it raises, the exception is taken for the
failure, the first string among the arguments for the failing input, and the call can be made again
with others in its place.
"""

from __future__ import annotations

import copy
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import CodeType, FrameType, TracebackType
from typing import Any

from boildown.engine.language import Language
from boildown.engine.patterns.pattern import Pattern
from boildown.library.predicates import signature_of
from boildown.library.texts import generalize


class CallError(Exception):
    """A block of which nothing can be generalized; the message says why.

    >>> with failing_call("json") as f:
    ...     int("3")
    3
    >>> try:
    ...     f.pattern
    ... except CallError as error:
    ...     print(error)
    No call of a Python function with a string failed in the block.
    """


@dataclass(frozen=True, slots=True)
class Call:
    """A call that failed."""

    function: Callable[..., Any]
    """The Python function that was called."""
    arguments: dict[str, Any]
    """Its arguments by their names, as they were before the call."""
    name: str
    """Of the argument that is the failing input."""
    failure: str
    """The signature of the exception: its type, where it was raised, and its words."""

    def test(self, text: str) -> bool:
        """Make the call with another input: raise as it does, or else return False."""
        arguments = {name: _copied(value) for name, value in self.arguments.items()}
        arguments[self.name] = text
        _call(self.function, arguments)
        return False

    def shown(self, text: str) -> str:
        """Return the call with another input as Python code."""
        return f"{self.function.__name__}({', '.join(self._listed(text, with_defaults=True))})"

    def code(self, text: str) -> str:
        """Return the call with another input as an expression that Python evaluates.

        The function is named with its module, which has to be imported. Arguments that have their
        default values are left out. Another argument has to have a `repr` that is an expression.
        """
        return f"{_qualified(self.function)}({', '.join(self._listed(text))})"

    def _listed(self, text: str, with_defaults: bool = False) -> list[str]:
        """Return the arguments as they are written in a call, but for the object of a method."""
        values = {**self.arguments, self.name: text}
        parameters = list(inspect.signature(self.function).parameters.values())
        if with_defaults and "." in self.function.__qualname__ and parameters[0].name == "self":
            del parameters[0]
        # An argument by name can't stand before those that `*args` takes.
        has_rest = any(
            each.kind is each.VAR_POSITIONAL and values[each.name] for each in parameters
        )
        listed: list[str] = []
        for each in parameters:
            value = values[each.name]
            if each.kind is each.VAR_POSITIONAL:
                listed += map(repr, value)
            elif each.kind is each.VAR_KEYWORD:
                listed += (f"{name}={other!r}" for name, other in value.items())
            elif each.kind is each.POSITIONAL_ONLY or (
                has_rest and each.kind is each.POSITIONAL_OR_KEYWORD
            ):
                listed.append(repr(value))
            elif with_defaults or each.default is each.empty or value != each.default:
                listed.append(f"{each.name}={value!r}")
        return listed


class failing_call:  # noqa: N801 - reads as a statement
    """A block in which a call fails; afterwards, the pattern of the inputs that it fails for.

    The exception does not leave the block. The input is reduced and generalized when the pattern is
    asked for the first time, as `generalize` does it, with `language`, `method`, `samples`, `seed`
    and `reduce_first`; no law is looked for. An exception goes on where the first call in the block
    is none of a Python function with a string among its arguments. Raises `CallError` only when a
    pattern or another call is asked for and no call failed; and what `generalize` raises.

    >>> def half(s):
    ...     assert int(s) % 2 == 0
    ...     return int(s) // 2
    >>> digits = {"<start>": ["<even><odd>"], "<even>": ["2", "4"], "<odd>": ["1", "3", "5"]}
    >>> with failing_call(digits, reduce_first=False) as f:
    ...     half("23")
    >>> f
    half(s='<even><odd>')
    """

    def __init__(
        self,
        language: Language | str | Path | Mapping[str, Any],
        *,
        method: str = "auto",
        samples: int = 100,
        seed: int = 0,
        reduce_first: bool = True,
    ) -> None:
        self._language = language
        self._how: dict[str, Any] = {
            "method": method,
            "samples": samples,
            "seed": seed,
            "reduce_first": reduce_first,
            "law_runs": 0,
        }
        self._rng = Random(seed)
        self._frame: FrameType | None = None
        self._before: Any = None
        self._seen: tuple[CodeType, Callable[..., Any], dict[str, Any]] | None = None
        self._call: Call | None = None
        self._pattern: Pattern | None = None

    def __enter__(self) -> failing_call:
        self._frame = sys._getframe(1)
        self._before = sys.getprofile()
        sys.setprofile(self._watch)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        sys.setprofile(self._before)
        self._frame = None
        if not isinstance(error, Exception):
            return False
        if self._seen is None:
            return False
        _, function, arguments = self._seen
        name = next((key for key, value in arguments.items() if isinstance(value, str)), None)
        if name is None:
            return False
        failure = signature_of(error, arguments[name])
        self._call = Call(function, arguments, name, failure)
        return True

    def _watch(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Keep the first call that the block itself makes."""
        if event != "call" or frame.f_back is not self._frame or self._seen is not None:
            return
        if frame.f_code is failing_call.__exit__.__code__:
            return
        function = _function(frame)
        if function is not None:
            values = inspect.getargvalues(frame)
            names = [*values.args, *filter(None, (values.varargs, values.keywords))]
            arguments = {name: _copied(values.locals[name]) for name in names}
            self._seen = frame.f_code, function, arguments

    @property
    def call(self) -> Call:
        """The call that failed.

        Raises:
            CallError: none failed in the block, or it has no argument that is a string.
        """
        if self._call is None:
            raise CallError("No call of a Python function with a string failed in the block.")
        return self._call

    @property
    def pattern(self) -> Pattern:
        """The pattern of the inputs for which the call fails. Raises `CallError`."""
        if self._pattern is None:
            call = self.call
            text = call.arguments[call.name]
            self._pattern = generalize(text, call.test, self._language, **self._how)
        return self._pattern

    def fuzz(self) -> str:
        """Return another failing call as an expression of Python. Raises `CallError`."""
        return self.call.code(self.pattern.sample(self._rng))

    def __repr__(self) -> str:
        return self.call.shown(str(self.pattern))


def _function(frame: FrameType) -> Callable[..., Any] | None:
    """Return the function that a frame runs, found where it was called from, or as a method."""
    caller = frame.f_back
    assert caller is not None
    scopes = [caller.f_locals, caller.f_globals, frame.f_globals]
    receiver = next(iter(frame.f_locals.values()), None)
    name = frame.f_code.co_name
    found: list[Any] = [getattr(type(receiver), name, None)]
    found += [scope.get(name) for scope in scopes]
    found += [value for scope in scopes for value in list(scope.values())]
    code = frame.f_code
    return next((each for each in found if getattr(each, "__code__", None) is code), None)


def _qualified(function: Callable[..., Any]) -> str:
    """Return the name of a function with its module; only its own if that leads nowhere."""
    module, name = function.__module__, function.__qualname__
    if "<locals>" in name or module in (None, "__main__", "builtins"):
        return function.__name__
    return f"{module}.{name}"


def _copied(value: Any) -> Any:
    """Return a copy, for calls may change what they are given; the thing itself if it has none."""
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def _call(function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    """Call a function with arguments by name, including positional-only ones."""
    values = dict(arguments)
    placed: list[Any] = []
    named: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        value = values.get(parameter.name)
        if parameter.kind is parameter.VAR_POSITIONAL:
            placed += value or ()
        elif parameter.kind is parameter.VAR_KEYWORD:
            named.update(value or {})
        elif parameter.kind is parameter.KEYWORD_ONLY:
            named[parameter.name] = value
        else:
            placed.append(value)
    function(*placed, **named)
