"""INI and TOML: settings of programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import tomlkit
from benchmarks.diagnosis.subject import Subject
from tomlkit.exceptions import TOMLKitError

Entries = list[tuple[str, str]]
Sections = list[tuple[str, Entries]]
"""Titles with keys and values, in order; what comes before the first title has the title ""."""


def sections(text: str) -> Sections:
    """Read an INI file."""
    found: Sections = [("", [])]
    for line in map(str.strip, re.split(r"\r\n|\r|\n", text)):
        if match := re.fullmatch(r"\[([^]]+)\]\s*([;#].*)?", line):
            found.append((match[1], []))
        elif line.startswith("["):
            raise ValueError(f"no title: {line}")
        elif line and line[0] not in ";#":
            key, *rest = re.split(r"\s*[=:]\s*", line, maxsplit=1)
            if not key:
                raise ValueError(f"no key: {line}")
            found[-1][1].append((key, "".join(rest)))
    return found


def fails_if(law: Callable[[Sections], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on the sections of an INI file."""
    return lambda text: law(sections(text))


def some_entry(law: Callable[[str, str], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on some key and its value."""
    return fails_if(
        lambda found: any(law(key, value) for _, entries in found for key, value in entries)
    )


def toml_fails_if(law: Callable[[dict[str, object]], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on the value of a TOML file."""

    def fails(text: str) -> bool:
        try:
            return law(tomlkit.parse(text).unwrap())
        except TOMLKitError as error:
            raise ValueError(str(error)) from error

    return fails


TITLES = ("server", "client", "paths", "main", "log")
ENTRIES = {
    "host": ("localhost", "example.org", "10.0.0.1"),
    "port": ("80", "8080", "5432"),
    "user": ("ada", "bo", "root"),
    "path": ("/var/log", "C:\\data", "~/tmp"),
    "level": ("info", "debug", "1"),
    "name": ("Tea Shop", "%h", "50% off"),
}


def section(rng: Random, *given: tuple[str, str]) -> Entries:
    """Make the entries of a section, with given ones among others."""
    keys = [key for key in ENTRIES if key not in dict(given)]
    others = [(key, rng.choice(ENTRIES[key])) for key in rng.sample(keys, rng.randint(0, 2))]
    return rng.sample([*given, *others], len(given) + len(others))


def written(rng: Random, *given: tuple[str, Entries]) -> str:
    """Write an INI file with given sections among others."""
    titles = [title for title in TITLES if title not in dict(given)]
    others = [(title, section(rng)) for title in rng.sample(titles, rng.randint(0, 2))]
    sign = rng.choice(("=", " = "))
    parts = []
    for title, entries in rng.sample([*given, *others], len(given) + len(others)):
        lines = [f"[{title}]", *(f"{key}{sign}{value}" for key, value in entries)]
        parts.append("\n".join([*lines, *(["; see the manual"] if rng.random() < 0.2 else [])]))
    return rng.choice(("\n", "\n\n")).join(parts) + "\n"


def _ports(rng: Random) -> str:
    port = rng.choice((rng.randint(1, 2000), rng.randint(60_000, 70_000), 8080))
    return written(rng, ("server", section(rng, ("port", str(port)))))


def _repeated_key(rng: Random) -> str:
    entries = section(rng, ("host", "a"), ("user", "b"))
    if rng.random() < 0.5:
        entries.insert(rng.randint(0, 2), (rng.choice(entries)[0], rng.choice(("c", "d"))))
    return written(rng, (rng.choice(TITLES), entries))


def _interpolation(rng: Random) -> str:
    value = rng.choice(("%(home)s/tea", "a%(b", "100%", "(%)", "x(%s)", "/var/%(x)s", "% (y)"))
    return written(rng, ("paths", section(rng, ("base", value))))


def _main(rng: Random) -> str:
    given = (("main", section(rng)),) if rng.random() < 0.5 else ()
    other = (rng.choice(("mains", "client.main", "log", "paths")), section(rng))
    return written(rng, *given, other)


def _late_host(rng: Random) -> str:
    return written(rng, ("server", section(rng, ("host", "a"), ("user", "b"))))


def _user_first(found: Sections) -> bool:
    for _, entries in found:
        keys = [key for key, _ in entries]
        if "user" in keys and "host" in keys[keys.index("user") :]:
            return True
    return False


def _continued(rng: Random) -> str:
    value = rng.choice(("C:\\", "a\\b", "\\", "/var/", "x\\\\", "plain", "\\x"))
    return written(rng, ("paths", section(rng, ("root", value))))


def _key_lines(rng: Random) -> str:
    entries = [(f"{rng.choice(tuple(ENTRIES))}{n}", str(n)) for n in range(rng.randint(0, 10))]
    return written(rng, ("log", entries))


def toml(rng: Random, *given: str) -> str:
    """Make the tables of a TOML file, with given lines in one of them."""
    lines = [
        f'name = "{rng.choice(("tea", "pot"))}"',
        f"size = {rng.randint(1, 99)}",
        f"tags = {rng.choice(('[]', '[1, 2]', '[3]'))}",
    ]
    own = [*given, *rng.sample(lines, rng.randint(0, 2))]
    rng.shuffle(own)
    head = rng.choice(("tool", "build", "run"))
    other = [f"[{rng.choice(('log', 'site'))}]", *rng.sample(lines, rng.randint(0, 2))]
    return "\n".join([f"[{head}]", *own, *(other if rng.random() < 0.5 else [])]) + "\n"


def _window(rng: Random) -> str:
    return toml(rng, f"start = {rng.randint(0, 60)}", f"end = {rng.randint(20, 99)}")


def _tables(value: dict[str, object]) -> list[dict[str, object]]:
    inner = [each for each in value.values() if isinstance(each, dict)]
    return [value, *(table for each in inner for table in _tables(each))]


def _closed(table: dict[str, object]) -> bool:
    start, end = table.get("start"), table.get("end")
    return isinstance(start, int | float) and isinstance(end, int | float) and start >= end


SUBJECTS = (
    Subject(
        "ini port", "ini", "a port is not from 1024 to 65535", "//port < 1024 or //port > 65535",
        ("interval", "or"),
        some_entry(
            lambda key, value: key == "port"
            and value.removeprefix("-").isdecimal()
            and not 1024 <= int(value) <= 65535
        ),
        _ports,
    ),
    Subject(
        "ini repeated key", "ini", "a section has a key twice", "//section[repeated(KEY)]",
        ("equal", "child"),
        fails_if(
            lambda found: any(len(dict(entries)) < len(entries) for _, entries in found)
        ),
        _repeated_key,
    ),
    Subject(
        "ini interpolation", "ini", "a value contains %(", '//VALUE contains "%("',
        ("substring", "anywhere"),
        some_entry(lambda _, value: "%(" in value),
        _interpolation,
    ),
    Subject(
        "ini no main", "ini", "there is no section main", 'not /"[main]"',
        ("not exists",),
        fails_if(lambda found: all(title != "main" for title, _ in found)),
        _main,
    ),
    Subject(
        "ini late host", "ini", "in some section, user comes before host",
        "//section[user before host]",
        ("order",),
        fails_if(_user_first),
        _late_host,
    ),
    Subject(
        "ini backslash", "ini", "a value ends with a backslash", '//VALUE ends with "\\\\"',
        ("suffix",),
        some_entry(lambda _, value: value.endswith("\\")),
        _continued,
    ),
    Subject(
        "ini long section", "ini", "a section has more than 5 keys",
        "//section[count(KEY) > 5]",
        ("count",),
        fails_if(lambda found: any(len(entries) > 5 for _, entries in found)),
        _key_lines,
    ),
    Subject(
        "toml closed window", "toml", "in a table, start is not below end", "//.[start >= end]",
        ("at most", "less"),
        toml_fails_if(lambda value: any(map(_closed, _tables(value)))),
        _window,
    ),
    Subject(
        "toml empty tags", "toml", "the tags of a table are empty", "empty(//tags)",
        ("empty",),
        toml_fails_if(lambda value: any(table.get("tags") == [] for table in _tables(value))),
        toml,
    ),
)  # fmt: skip
