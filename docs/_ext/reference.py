"""Sphinx extension: the parts of the reference that are made of the code, at each build.

A comment in a page, such as `<!-- commands -->`, stands for the part; `setup` lists them.
"""

from __future__ import annotations

import argparse
import enum
import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs._ext.public_names import Member, found, is_made_by_callers, members, signature

from boildown.cli.main import COMMANDS, EXIT_STATUSES, command_parsers
from boildown.config.schema import SCHEMA
from boildown.runner.command import OPTIONS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

JSON_SCHEMA = Path(__file__).parents[1] / "reference" / "output.schema.json"
"""The JSON schema of everything that the command line prints for programs."""

_USAGE_WIDTH = 88
"""Characters of a line of a command's usage."""
_ROWS = re.compile(r"^\| key \| means \|\n\|-+\|-+\|\n((?:\|.*\n)+)", re.M)
_ROW = re.compile(r"^\| (?P<keys>`.*?) \| (?P<text>.*) \|$", re.M)
_DOCTEST = re.compile(r"^>>> (?:.+\n?)+", re.M)
_ERRORS = re.compile(r"^Raises:\n((?:    .*\n?)+)", re.M)
_ERROR = re.compile(r"^    (?P<names>\w+(?:,\s+\w+)*): (?P<text>.*(?:\n {8}.*)*)", re.M)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the extension."""
    app.connect("source-read", _read)
    # Types of the standard library, and those that nobody has to know, have no page to link to.
    app.config.nitpick_ignore_regex.append(("py:.*", ".*"))
    return {"parallel_read_safe": True}


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    text = made(page, source[0])
    if text != source[0]:
        # The code may change where the page does not.
        app.env.note_reread()
    source[0] = text


def made(page: str, text: str) -> str:
    """Return the text of a page with its parts that are made of the code."""
    for pattern, make in PARTS.items():
        text = re.sub(pattern, make, text, flags=re.M)
    # The table of inputs comes first; the one of languages stays a table.
    return _ROWS.sub(_configuration, text, count=1) if page == "configuration" else text


def _library(match: re.Match[str]) -> str:
    """Return the entries of public names, which the comment lists."""
    return "\n\n".join(entry(name) for name in match[1].split())


def entry(name: str) -> str:
    """Return the documentation of an object of the library, by its full name."""
    value = found(name)
    docstring = inspect.getdoc(value) or ""
    if not inspect.isclass(value):
        return _directive("py:function", f"{name}{signature(value)}", prose(docstring))
    kind = "py:exception" if issubclass(value, BaseException) else "py:class"
    shown = name + (signature(value.__init__) if is_made_by_callers(value) else "")
    parts = [prose(docstring), *(_member(value, each) for each in members(value))]
    return _directive(kind, shown, "\n\n".join(parts))


def _member(value: type, member: Member) -> str:
    if member.kind == "method":
        return _directive("py:method", member.name + member.annotation, prose(member.docstring))
    options = f":type: {member.annotation}\n" if member.annotation else ""
    if issubclass(value, enum.Enum):
        options = ""
    return _directive(f"py:{member.kind}", member.name, f"{options}\n{prose(member.docstring)}")


def _directive(kind: str, argument: str, content: str) -> str:
    """Return a directive of MyST, fenced by more backquotes than what is in it."""
    longest = max((len(each) for each in re.findall(r"^`{3,}", content, re.M)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{{{kind}}} {argument}\n{content}\n{fence}"


def prose(docstring: str) -> str:
    """Return a docstring as Markdown: its errors as a list, its examples as blocks."""
    listed = _ERRORS.sub(_errors, f"{docstring}\n")
    return _DOCTEST.sub(lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", listed).strip()


def _errors(match: re.Match[str]) -> str:
    lines = []
    for each in _ERROR.finditer(match[1]):
        names = ", ".join(f"`{name}`" for name in re.findall(r"\w+", each["names"]))
        lines.append(f"- {names}: {' '.join(each['text'].split())}\n")
    return "Raises:\n\n" + "".join(lines)


def _commands(_match: re.Match[str]) -> str:
    """Return a section for each command of the command line."""
    parsers = command_parsers(set(" ".join(COMMANDS).split()))
    parts = ["## boildown", _options("boildown", parsers[""])]
    for name, (_, text) in COMMANDS.items():
        each = parsers[name]
        formatter = argparse.HelpFormatter(each.prog, width=_USAGE_WIDTH)
        formatter.add_usage(each.usage, each._actions, each._mutually_exclusive_groups, prefix="")
        usage = f"```text\n{formatter.format_help().strip()}\n```"
        parts.append(f"## boildown {name}\n\n{_sentence(text)}\n\n{usage}")
        parts += [_options(each.prog, each), each.epilog or ""]
    return "\n\n".join(filter(None, parts))


def _options(program: str, parser: argparse.ArgumentParser) -> str:
    """Return the arguments and options of a parser, group by group."""
    parts = [f"```{{program}} {program}\n```"]
    for group in parser._action_groups:
        shown = [each for each in group._group_actions if each.help != argparse.SUPPRESS]
        listed = [each for each in shown if not isinstance(each, argparse._SubParsersAction)]
        if listed and group.title not in ("positional arguments", "options"):
            parts.append(f"**{_sentence(str(group.title)).rstrip('.')}**")
        parts += [_option(parser, each) for each in listed]
    return "\n\n".join(parts)


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    formatter = argparse.HelpFormatter(parser.prog)
    text = _sentence(formatter._expand_help(action)) if action.help else ""
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`\n: {text}"
    value = ""
    if action.nargs != 0:
        value = f" {formatter._format_args(action, str(_value(action)))}"
    return _directive("option", ", ".join(f"{each}{value}" for each in action.option_strings), text)


def _value(action: argparse.Action) -> object:
    if action.metavar is None and action.choices is not None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return action.metavar or action.dest.upper()


def _sentence(text: str) -> str:
    """Return a line of help as a sentence, in which nothing is markup."""
    escaped = re.sub(r"([\\`*_<>\[\]{}$|])", r"\\\1", text).replace("--", r"\--")
    return f"{escaped[:1].upper()}{escaped[1:].rstrip('.')}."


def _exit_statuses(_match: re.Match[str]) -> str:
    rows = (f"| {status} | {text} |" for status, text in EXIT_STATUSES.items())
    return "\n".join(("| status | means |", "|---|---|", *rows))


def _configuration(match: re.Match[str]) -> str:
    """Return the keys of a table as entries, and those that the table of options has."""
    written = {
        key: _key(key, row["text"])
        for row in _ROW.finditer(match[1])
        for key in re.findall(r"`(\w+)`", row["keys"])
    }
    made = {key: _key(key, _sentence(row.help)) for key, row in OPTIONS.items()}
    return "\n\n".join({**made, **written}[key] for key in SCHEMA)


def _key(key: str, text: str) -> str:
    return _directive("confval", key, f":type: {json.dumps(accepted(key))}\n\n{text}")


def accepted(key: str) -> str:
    """Return what a key of the configuration takes, as the error on any other value says it."""
    try:
        SCHEMA[key](object())
    except ValueError as error:
        return str(error).removeprefix("must be ").removeprefix("is ").rstrip(".")
    raise ValueError(f"the key {key} takes anything")


def _json_fields(_match: re.Match[str]) -> str:
    """Return the objects of the JSON schema with their fields."""
    schema = json.loads(JSON_SCHEMA.read_text("utf-8"))
    return "\n\n".join(_object(name, each) for name, each in schema["definitions"].items())


def _object(name: str, definition: dict[str, Any]) -> str:
    required = definition.get("required", ())
    parts = [f"## {name}", definition["description"]]
    for key, each in definition.get("properties", {}).items():
        rare = "" if key in required else ", not always there"
        told = each.get("description", "")
        parts.append(f"`{key}` ({typed(each)}{rare})" + (f"\n: {told}" if told else ""))
    return "\n\n".join(parts)


def typed(definition: dict[str, Any]) -> str:
    """Return the type of a field in words, with links to the objects in it."""
    if "$ref" in definition:
        name = definition["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower().replace(' ', '-')})"
    if "enum" in definition:
        return ", ".join(f"`{json.dumps(each)}`" for each in definition["enum"])
    if "anyOf" in definition:
        return " or ".join(map(typed, definition["anyOf"]))
    kinds = definition["type"]
    names = [kinds] if isinstance(kinds, str) else kinds
    inner = definition.get("items") or definition.get("additionalProperties")
    told = " or ".join(names)
    return f"{told} of {typed(inner)}" if inner else told


PARTS: dict[str, Callable[[re.Match[str]], str]] = {
    r"^<!-- library:((?:\s+[\w.]+)+)\s*-->$": _library,
    r"^<!-- commands -->$": _commands,
    r"^<!-- exit statuses -->$": _exit_statuses,
    r"^<!-- JSON fields -->$": _json_fields,
}
"""The comments that stand for a part, as regular expressions, with the function that makes it."""
