"""Families of coupled inputs: each seed gives another failing input of one kind.

What an instance fails on follows from its meaning alone, which a strict reader of a few lines
finds: a text that it does not read is INVALID. Nothing can be tuned to one instance, and the
smallest text that a person would write is known for each family.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from boildown.engine.oracle import Outcome

_CONSONANTS, _VOWELS = "bcdfghklmnprstvz", "aeiou"


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of input."""

    name: str
    language: str | None
    """The language that it is read by; None for a text without a grammar."""
    make: Callable[[Random], str]
    """Returns a failing input of 20 to 60 KB."""
    fails: Callable[[str], bool]
    """Says whether a text fails. Raises ValueError if it is invalid."""
    best: str
    """The smallest failing text known, written by hand."""

    def judge(self, text: str) -> Outcome:
        """Return the outcome of a run on a text."""
        try:
            failed = self.fails(text)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            return Outcome.INVALID
        return Outcome.REPRODUCED if failed else Outcome.PASSED


_T = TypeVar("_T")


def _needs(told: _T | None) -> _T:
    """Raise ValueError if a rule of the format is broken, else return what was found."""
    if not told:
        raise ValueError
    return told


def _word(rng: Random, syllables: int = 3) -> str:
    return "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(syllables))


def _words(rng: Random, number: int) -> list[str]:
    """Return so many different words."""
    found: dict[str, None] = {}
    while len(found) < number:
        found[_word(rng, rng.randint(2, 4))] = None
    return list(found)


# A table: items are counted in one place, pointed to by index in another, and as many as the
# entries of a third.


def _table(rng: Random) -> str:
    rows = rng.randint(150, 250)
    kinds = _words(rng, 12)
    items = [
        {"id": _word(rng), "kind": rng.choice(kinds), "price": rng.randint(1, 999)}
        for _ in range(rows)
    ]
    links = [[rng.randrange(rows), rng.randrange(rows)] for _ in range(2 * rows)]
    weights = [rng.randint(1, 99) for _ in range(rows)]
    first, second = rng.sample(range(rows), 2)
    links[rng.randrange(len(links))] = [first, second]
    weights[second] = -rng.randint(1, 99)
    items[first]["kind"] = "sum"
    whole = {"count": rows, "items": items, "links": links, "weights": weights}
    return json.dumps(whole, indent=1)


def _table_fails(text: str) -> bool:
    whole = json.loads(text)
    items, links, weights = whole["items"], whole["links"], whole["weights"]
    _needs(whole["count"] == len(items) == len(weights))
    _needs(all(type(at) is int and 0 <= at < len(items) for link in links for at in link))
    _needs(all(len(link) == 2 for link in links))
    _needs(all(isinstance(item, dict) for item in items))
    return any(items[a].get("kind") == "sum" and weights[b] < 0 for a, b in links)


# A state machine: states have names, and every one that is named is declared.


def _machine(rng: Random) -> str:
    names, events = _words(rng, 200), _words(rng, 25)
    states: dict[str, dict[str, object]] = {
        name: {
            "label": " ".join(_words(rng, 3)),
            "on": {event: rng.choice(names) for event in rng.sample(events, rng.randint(1, 4))},
        }
        for name in names
    }
    start, middle, end = rng.sample(names, 3)
    for name, target in ((start, middle), (middle, end), (end, start)):
        states[name]["on"] = {**dict.fromkeys(rng.sample(events, 2), rng.choice(names))}
        states[name]["on"]["retry"] = target  # type: ignore[index]
    return json.dumps({"initial": start, "states": states}, indent=2)


def _machine_fails(text: str) -> bool:
    whole = json.loads(text)
    states, at = whole["states"], whole["initial"]
    _needs(at in states)
    _needs(all(to in states for state in states.values() for to in state["on"].values()))
    seen = [at]
    for _ in range(3):
        at = states[at]["on"].get("retry")
        if at is None:
            return False
        seen.append(at)
    return len(set(seen[:3])) == 3 and seen[3] == seen[0]


# A graph in DOT, without a grammar: an edge is between nodes that were declared.

_DOT_LINE = re.compile(
    r'(\w+)(?:\s*->\s*(\w+))?\s*(?:\[((?:\s*\w+\s*=\s*(?:\w+|"[^"]*")\s*,?)*)\])?'
)


def _dot(rng: Random) -> str:
    names, lines = _words(rng, 180), []
    for name in names:
        told = f'label="{" ".join(_words(rng, 2))}", shape={rng.choice(["box", "oval", "circle"])}'
        lines.append(f"  {name} [{told}];")
    edges = [tuple(rng.sample(names, 2)) for _ in range(400)]
    colors = [rng.choice(["red", "blue", "green", "gray"]) for _ in edges]
    a, b, c = rng.sample(names, 3)
    for pair in ((a, b), (b, c), (c, a)):
        edges.insert(rng.randrange(len(edges)), pair)
        colors.insert(edges.index(pair), "loop")
    lines += [
        f"  {one} -> {other} [color={color}, weight={rng.randint(1, 9)}];"
        for (one, other), color in zip(edges, colors, strict=True)
    ]
    return "digraph " + _word(rng) + " {\n" + "\n".join(lines) + "\n}\n"


def _dot_fails(text: str) -> bool:
    whole = _needs(re.fullmatch(r"\s*digraph\b\s*(?:\w+\s*)?\{([^{}]*)\}\s*", text))
    declared, follows = set(), {}
    for line in filter(str.strip, whole[1].split(";")):
        one, other, told = _needs(_DOT_LINE.fullmatch(line.strip())).groups()
        if other is None:
            declared.add(one)
            continue
        _needs({one, other} <= declared)
        if re.search(r"\bcolor\s*=\s*loop\b", told or ""):
            follows[one] = other
    return any(
        len({at, follows.get(at), follows.get(follows.get(at, ""))}) == 3
        and follows.get(follows.get(follows.get(at, ""), "")) == at
        for at in follows
    )


# A schema in GraphQL, without a grammar: every type that is named is defined, and a type has the
# fields of its interface.


def _graphql(rng: Random) -> str:
    types = [word.title() for word in _words(rng, 90)]
    interfaces = {word.title() + "Like": _words(rng, 3) for word in _words(rng, 8)}
    base = ["String", "Int", "ID", "Boolean"]
    blocks = [
        f"interface {name} {{\n" + "".join(f"  {field}: String\n" for field in fields) + "}"
        for name, fields in interfaces.items()
    ]
    first, second = rng.sample(types, 2)
    for name in types:
        fields = {
            field: rng.choice([*types, *base]) + rng.choice(["", "!"])
            for field in _words(rng, rng.randint(2, 7))
        }
        fields.pop("owner", None)
        if name in (first, second):
            fields["owner"] = (second if name == first else first) + "!"
        kind = rng.choice(list(interfaces))
        fields.update(dict.fromkeys(interfaces[kind], "String"))
        told = "".join(
            f'  "{" ".join(_words(rng, 2))}"\n  {field}: {of}\n' for field, of in fields.items()
        )
        blocks.append(f"type {name} implements {kind} {{\n{told}}}")
    rng.shuffle(blocks)
    return "\n\n".join(blocks) + "\n"


_BLOCK = re.compile(r"\s*(type|interface)\s+(\w+)(?:\s+implements\s+(\w+))?\s*\{([^{}]*)\}\s*")
_FIELD = re.compile(r'\s*(?:"[^"\n]*"\s*)?(\w+)\s*:\s*(\w+)(!?)(?=\s|$)')


def _graphql_fails(text: str) -> bool:
    at, found = 0, {}
    while at < len(text):
        block = _needs(_BLOCK.match(text, at))
        at, inner = block.end(), block[4].strip()
        fields, inside = {}, 0
        while inside < len(inner):
            field = _needs(_FIELD.match(inner, inside))
            inside = field.end()
            fields[field[1]] = (field[2], field[3])
        _needs(fields)
        found[block[2]] = (block[1], block[3], fields)
    for _kind, above, fields in found.values():
        _needs(
            all(
                of in found or of in ("String", "Int", "ID", "Boolean") for of, _ in fields.values()
            )
        )
        if above:
            _needs(found[above][0] == "interface" and found[above][2].keys() <= fields.keys())
    owners = {
        name: fields["owner"][0]
        for name, (_kind, _above, fields) in found.items()
        if fields.get("owner", ("", ""))[1] == "!"
    }
    return any(to != name and owners.get(to) == name for name, to in owners.items())


# A calendar, without a grammar: components are closed by their names, and related by identifiers.


def _calendar(rng: Random) -> str:
    ids = _words(rng, 120)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//{_word(rng)}//EN"]
    late, early = rng.sample(range(120), 2)
    for at, uid in enumerate(ids):
        day = rng.randint(1, 14)
        lines += ["BEGIN:VEVENT", f"UID:{uid}", f"DTSTART:202601{day:02}", f"SUMMARY:{_word(rng)}"]
        if at == late:
            lines.append(f"RELATED-TO;RELTYPE=PARENT:{ids[early]}")
        elif rng.random() < 0.5:
            lines.append(f"RELATED-TO:{rng.choice(ids)}")
        if at == early or rng.random() < 0.2:
            times = rng.randint(2, 9)
            lines += ["BEGIN:VALARM", f"TRIGGER:-PT{times}M", f"REPEAT:{times}", "END:VALARM"]
        lines += [f"DESCRIPTION:{' '.join(_words(rng, 6))}", "END:VEVENT"]
    return "\n".join([*lines, "END:VCALENDAR", ""])


def _calendar_fails(text: str) -> bool:
    lines = text.split("\n")
    _needs(lines[0] == "BEGIN:VCALENDAR" and text.endswith("END:VCALENDAR\n"))
    stack: list[str] = []
    alarms: set[str] = set()
    relations, uids, uid, parents = [], set(), "", []
    for line in lines[:-1]:
        name, colon, value = line.partition(":")
        _needs(colon)
        if name == "BEGIN":
            _needs(value in {"VCALENDAR": "", "VEVENT": "VCALENDAR", "VALARM": "VEVENT"})
            stack.append(value)
        elif name == "END":
            _needs(stack and stack.pop() == value)
            if value == "VEVENT":
                _needs(uid)
                uid = ""
        elif name == "UID":
            _needs(value and value not in uids and stack[-1] == "VEVENT")
            uids.add(uid := value)
        elif name.startswith("RELATED-TO"):
            _needs(uid)
            relations.append(value)
            parents += [value] if name.endswith(";RELTYPE=PARENT") else []
        elif name == "REPEAT":
            _needs(stack[-1] == "VALARM" and uid)
            alarms |= {uid} if int(value) > 1 else set()
        else:
            _needs(stack)
    _needs(not stack and uids.issuperset(relations))
    return any(parent in alarms for parent in parents)


# A script in SQL for the real SQLite: rows have as many values as their table has columns.


def _sql(rng: Random) -> str:
    tables = _words(rng, 12)
    lines, columns = [], {}
    for name in tables:
        columns[name] = _words(rng, rng.randint(4, 8))
        told = ",\n".join(f"  {each} {rng.choice(['INTEGER', 'TEXT'])}" for each in columns[name])
        lines.append(f"CREATE TABLE {name} (\n{told}\n);")
    for name in tables:
        for _ in range(rng.randint(15, 30)):
            values = [
                str(rng.randint(1, 9999)) if rng.random() < 0.5 else f"'{_word(rng)}'"
                for _ in columns[name]
            ]
            lines.append(f"INSERT INTO {name} VALUES ({', '.join(values)});")
    one, other = rng.sample(tables, 2)
    left, right = rng.choice(columns[one]), rng.choice(columns[other])
    for name, column in ((one, left), (other, right)):
        values = [f"'{_word(rng)}'" for _ in columns[name]]
        values[columns[name].index(column)] = "'shared'"
        lines.append(f"INSERT INTO {name} VALUES ({', '.join(values)});")
    for _ in range(20):
        name = rng.choice(tables)
        lines.append(f"SELECT {', '.join(columns[name][:3])} FROM {name} WHERE 1 > 2;")
    joined = f"FROM {one} JOIN {other} ON {one}.{left} = {other}.{right}"
    lines.append(f"SELECT {one}.{left} {joined} WHERE {one}.{left} LIKE 'sh%';")
    return "\n".join(lines) + "\n"


def _sql_fails(text: str) -> bool:
    with closing(sqlite3.connect(":memory:")) as base:
        steps = 0

        def tired() -> bool:
            nonlocal steps
            steps += 1
            return steps > 200

        base.set_progress_handler(tired, 10_000)
        rows: list[tuple[object, ...]] = []
        try:
            for statement in filter(str.strip, text.split(";")):
                rows = base.execute(statement).fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise ValueError(str(error)) from error
        joins = re.search(r"\bJOIN\s+\w+\s+ON\b[^;]*;?\s*$", text)
        return joins is not None and len(rows) == 1 and "shared" in rows[0]


# Instructions in static single assignment, without a grammar: values are numbered one after the
# other, as in LLVM, and what is used was set before.


def _numbered(rng: Random) -> str:
    lines = []
    texts = _words(rng, 60)
    for at, text in enumerate(texts):
        lines.append(f'@str.{at} = constant [{len(text)} x i8] c"{text}"')
    bad = rng.randrange(20)
    for at in range(20):
        lines.append(f"define i32 @{_word(rng)}{at}() {{")
        number, body = 1, []
        for _ in range(rng.randint(15, 35)):
            if number < 3 or rng.random() < 0.3:
                body.append(f"  %{number} = load i32, ptr @str.{rng.randrange(60)}")
            else:
                one, other = (rng.randrange(1, number) for _ in range(2))
                body.append(
                    f"  %{number} = {rng.choice(['add', 'mul', 'sub'])} i32 %{one}, %{other}"
                )
            number += 1
        if at == bad:
            loaded = next(i for i, line in enumerate(body, 1) if "load" in line)
            body += [
                f"  %{number} = add i32 %{loaded}, 0",
                f"  %{number + 1} = sdiv i32 7, %{number}",
            ]
            number += 2
        lines += [*body, f"  ret i32 %{number - 1}", "}"]
    return "\n".join(lines) + "\n"


_GLOBAL = re.compile(r'@([\w.]+) = constant \[(\d+) x i8\] c"([^"\n]*)"')
_INSTRUCTION = re.compile(
    r"\s*%(\d+) = (?:load i32, ptr @([\w.]+)|(add|mul|sub|sdiv) i32 (%?\d+), (%?\d+))"
)


def _numbered_fails(text: str) -> bool:
    names, fails, inside = set(), False, False
    values: dict[str, str] = {}
    for line in filter(str.strip, text.split("\n")):
        if made := _GLOBAL.fullmatch(line):
            _needs(not inside and int(made[2]) == len(made[3]) and made[1] not in names)
            names.add(made[1])
        elif re.fullmatch(r"define i32 @\w+\(\) \{", line):
            _needs(not inside)
            inside, values = True, {}
        elif line == "}":
            _needs(inside and values.pop("ret", None))
            inside = False
        elif returned := re.fullmatch(r"\s*ret i32 (%?\d+)", line):
            _needs(inside and "ret" not in values)
            _needs(not returned[1].startswith("%") or returned[1] in values)
            values["ret"] = "ret"
        else:
            _needs(inside and "ret" not in values)
            number, loaded, kind, one, other = _needs(_INSTRUCTION.fullmatch(line)).groups()
            _needs(int(number) == len(values) + 1)
            _needs(loaded in names if loaded else True)
            uses = [each for each in (one, other) if each and each.startswith("%")]
            _needs(all(each in values for each in uses))
            summed = kind == "add" and values.get(one) == "load" and other == "0"
            fails = fails or (kind == "sdiv" and values.get(other) == "summed")
            values[f"%{number}"] = "summed" if summed else "load" if loaded else str(kind)
    _needs(not inside)
    return fails


FAMILIES = (
    Family(
        "table",
        "json",
        _table,
        _table_fails,
        '{"count":1,"items":[{"kind":"sum"}],"links":[[0,0]],"weights":[-1]}',
    ),
    Family(
        "machine",
        "json",
        _machine,
        _machine_fails,
        '{"initial":"a","states":{"a":{"on":{"retry":"b"}},"b":{"on":{"retry":"c"}},'
        '"c":{"on":{"retry":"a"}}}}',
    ),
    Family(
        "dot",
        None,
        _dot,
        _dot_fails,
        "digraph{a;b;c;a->b[color=loop];b->c[color=loop];c->a[color=loop]}",
    ),
    Family(
        "graphql",
        None,
        _graphql,
        _graphql_fails,
        "type A{owner:B!}type B{owner:A!}",
    ),
    Family(
        "calendar",
        None,
        _calendar,
        _calendar_fails,
        "\n".join(
            (
                "BEGIN:VCALENDAR",
                *("BEGIN:VEVENT", "UID:a", "RELATED-TO;RELTYPE=PARENT:a"),
                *("BEGIN:VALARM", "REPEAT:2", "END:VALARM", "END:VEVENT"),
                "END:VCALENDAR\n",
            )
        ),
    ),
    Family(
        "sql",
        "sql",
        _sql,
        _sql_fails,
        "CREATE TABLE a(b);CREATE TABLE c(d);INSERT INTO a VALUES('shared');"
        "INSERT INTO c VALUES('shared');SELECT b FROM a JOIN c ON 1",
    ),
    Family(
        "numbered",
        None,
        _numbered,
        _numbered_fails,
        '@a = constant [0 x i8] c""\ndefine i32 @a() {\n%1 = load i32, ptr @a\n'
        "%2 = add i32 %1, 0\n%3 = sdiv i32 0, %2\nret i32 0\n}",
    ),
)
"""The families, in the order of the report."""

NAMES = tuple(family.name for family in FAMILIES)
