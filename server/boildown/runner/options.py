"""Options: all that a user can say of a job, each said once, at the field that holds its value.

`option` makes such a field. Its name, type and default are those of the option; the rest is an
`Option`. `table` lists the options of a dataclass: the command line, the configuration, the
library, the settings of an editor, the documentation, the words of advice and the record of a job
are made of that.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """What users read of an option, and where they may give it."""

    told: str
    """What it does, as a clause without a full stop."""
    default: str = ""
    """What holds without it, in words; empty: nothing does."""
    need: str | None = None
    """The heading that `--help` lists it under. Empty: it is not listed, for messages name it where
    it is needed; None: it is not given on the command line."""
    metavar: str = ""
    kind: str = ""
    """How a value is read; empty: by the type of the field."""
    decides: bool = True
    """Whether outcomes depend on it: an unfinished job asks again where it has changed."""
    judges: bool = False
    """Whether a wrong value is a mistake about how runs are judged, so that no job may begin."""
    name: str = ""
    """The name of the field, which is the key and the library's argument."""

    @property
    def flag(self) -> str:
        """The option of the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def help(self) -> str:
        """The line of help: what it does, and what holds without it."""
        return self.told + (f" (default: {self.default})" if self.default else "")


def option(value: Any, told: str, default: str = "", **rest: Any) -> Any:
    """Make a field that is an option; `value` is its default, or the type of a mutable one."""
    metadata = {"option": Option(told, default, **rest)}
    if isinstance(value, type) and value is dict:
        return field(default_factory=value, metadata=metadata)
    return field(default=value, metadata=metadata)


def table(owner: type) -> dict[str, Option]:
    """Return the options of a dataclass by their names, in order."""
    found = ((each, each.metadata.get("option")) for each in fields(owner))
    return {
        each.name: replace(row, name=each.name, kind=row.kind or str(each.type))
        for each, row in found
        if row is not None
    }
