"""The projects: where each is from, the change of one line that breaks it, and what then fails.

They are frozen: nothing is tuned to them, and what is measured may only be renewed as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Project:
    """A project that fails since one of its lines was changed."""

    name: str
    registry: Literal["pip", "npm", "apt", "made"]
    """Where its sources are from; "made" is by `site.py`."""
    package: str
    """As the registry's client is told it, with its version where that can be asked for."""
    file: str
    """The file in which a line is changed; paths are relative to the project."""
    before: str
    """A part of that file, which occurs once."""
    after: str
    command: tuple[str, ...]
    """What fails, started in the project; `{python}` is the Python with `needs`."""
    message: str
    """A regular expression that is found in what the command prints, if it is the same failure."""
    folder: str = ""
    """The folder of the package that is the project; nothing for all of it."""
    needs: tuple[str, ...] = ()
    """Packages of the registry that the command needs, and that are no part of the input."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables for the command."""


PROJECTS = (
    Project(
        name="python-jinja2",
        registry="pip",
        package="Jinja2==3.1.4",
        file="src/jinja2/runtime.py",
        before="        return self.length - self.index0\n",
        after="        return self.length - self\n",
        command=("{python}", "-m", "pytest", "-q", "tests/test_runtime.py::test_loop_idx"),
        message=r"TypeError: unsupported operand type\(s\) for -: 'int' and 'LoopContext'",
        needs=("pytest==8.3.4", "MarkupSafe==2.1.5", "trio==0.27.0"),
        environment={"PYTHONPATH": "src"},
    ),
    Project(
        name="python-sqlparse",
        registry="pip",
        package="sqlparse==0.5.3",
        file="sqlparse/filters/reindent.py",
        before="            token = next(token.flatten())\n",
        after="            token = next(token.tokens)\n",
        command=(
            *("{python}", "-m", "pytest", "-q"),
            "tests/test_format.py::TestFormatReindent::test_insert_values",
        ),
        message="TypeError: 'list' object is not an iterator",
        needs=("pytest==8.3.4",),
    ),
    Project(
        name="c-figlet",
        registry="apt",
        package="figlet",
        file="zipio.h",
        before="Zopen(const char *path, const char *mode);",
        after="Zopen(const char *path, char *mode);",
        command=("make", "figlet"),
        message="error: conflicting types for .?Zopen",
        environment={"LC_ALL": "C"},
    ),
    Project(
        name="npm-qs",
        registry="npm",
        package="qs@6.13.0",
        file="lib/parse.js",
        before="str.replace(/^\\?/, '') : str;",
        after="str.replace(/^\\?/, '') : str.text();",
        command=("node", "test/parse.js"),
        message="TypeError: str.text is not a function",
        needs=(
            *("tape@5.8.1", "side-channel@1.0.6", "has-property-descriptors@1.0.2"),
            *("iconv-lite@0.5.2", "mock-property@1.0.3", "has-override-mistake@1.0.1"),
            *("safer-buffer@2.1.2", "es-value-fixtures@1.4.2", "object-inspect@1.13.2"),
        ),
    ),
    Project(
        name="sphinx-tornado",
        registry="pip",
        package="tornado==6.4.2",
        folder="docs",
        file="guide/running.rst",
        before=".. _debug-mode:\n",
        after=".. _xsrf:\n",
        command=(
            *("{python}", "-m", "sphinx", "-q", "-C", "-D", "root_doc=index"),
            *("-b", "dummy", ".", "_build"),
        ),
        message="duplicate label xsrf",
        needs=("sphinx==7.4.7",),
    ),
    Project(
        name="templates-site",
        registry="made",
        package="site",
        file="templates/partials/price.html",
        before="{{ product.price }}",
        after="{{ product.cost }}",
        command=("{python}", "-I", "build.py", "_site"),
        message="KeyError: 'cost'",
    ),
)
