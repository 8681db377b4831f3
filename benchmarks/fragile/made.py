"""The made subjects: ordinary text, and in it what one of the `laws` is about.

The best text of each follows from its law; a smaller one fails at less than 99 % of the rate.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.first_tries.inputs import filled
from benchmarks.fragile.subject import Subject

_LAWS = Path(__file__).with_name("laws.py")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _made(name: str, kind: str, file: str, text: str, best: str, how: str) -> Subject:
    command = ("{python}", "-S", "laws.py", name, file)
    files = {"laws.py": _LAWS.read_text("utf-8")}
    return Subject(name, kind, file, filled(text), command, best, how, made=True, files=files)


def records(before: int, middle: str, after: int) -> str:
    """Return a JSON list of ordinary records around a value."""
    return f"[\n@@ json {before}\n  {middle},\n@@ json {after}\n  null\n]\n"


def nested_json(depth: int, inner: str = '"core"') -> str:
    """Return lists around a value, with something beside each."""
    for n in range(depth, 0, -1):
        inner = f'[{n}, {inner}, "k{n}"]' if n % 5 == 0 else f"[{n}, {inner}]"
    return inner


def _nested_xml(depth: int) -> str:
    inner = "<leaf/>"
    for n in range(depth, 0, -1):
        inner = f'<part id="p{n}"><title>Part {n}</title>{inner}</part>'
    return inner


def _xml(count: int, inner: str) -> str:
    rows = [f'  <row n="{n}"><cell>value {n}</cell><cell kind="x"/></row>' for n in range(count)]
    half = count // 2
    return "\n".join(
        ('<?xml version="1.0"?>', "<book>", *rows[:half], inner, *rows[half:], "</book>")
    )


def _nested_c(depth: int) -> str:
    inner = "x"
    for n in range(depth, 0, -1):
        inner = f"({inner} + {n})" if n % 3 else f"(x * {inner})"
    return f"int deep(int x) {{\n  return {inner};\n}}\n"


def _log(lines: int) -> str:
    """Return a log of a server, as plain text."""
    return "".join(
        f"{n // 60:02}:{n % 60:02} worker {n % 7} took {n * 37 % 900} ms for /page/{n * 13 % 101}\n"
        for n in range(lines)
    )


_WORDS = (
    *("administration", "an", "answer", "before", "collection", "day", "development", "every"),
    *("experience", "for", "government", "information", "it", "know", "management", "of"),
    *("opportunity", "people", "performance", "question", "responsibility", "small", "that", "the"),
    *("themselves", "to", "understanding", "water", "word", "yesterday"),
)


def _prose(words: int) -> str:
    return " ".join(
        _WORDS[n * n * 7 % 31 % len(_WORDS)] + ("." if n % 12 == 11 else "") for n in range(words)
    )


def _csv(rows: int, fields: int) -> str:
    return "".join(
        ",".join(f"v{(row * 7 + n) % 50}" for n in range(fields)) + "\n" for row in range(rows)
    )


def _inserts(count: int) -> str:
    return "".join(
        f"INSERT INTO notes VALUES ({n}, 'note {n}', {n * n});\n"
        + (f"SELECT id, body FROM notes WHERE id > {n};\n" if n % 3 == 0 else "")
        for n in range(count)
    )


def _joins(count: int) -> str:
    joined = "".join(f"\n  JOIN t{n} ON t{n}.id = t{n + 1}.parent_id" for n in range(count))
    return f"SELECT t0.id, t{count}.name\nFROM t{count}{joined}\nWHERE t0.id < 100;\n"


def _imports(count: int) -> str:
    names = (f"{_WORDS[n]}_{n}" for n in range(count))
    return f"import sys\n\nimport {', '.join(names)}\n\n"


_FREEZE = """\
class Cache:
    def __init__(self, size=10):
        self.items = {}
        self.size = size

    def close(self):
        for name, item in self.items.items():
            result = freeze(item, deep=True, name=name)
            if result is None:
                print(name)
"""

MADE = (
    _made("depth-smooth", "depth", "deep.json", records(12, nested_json(40), 12),
          "[" * 30 + "]" * 30, "30 lists fail always, 29 in 9 of 10 runs"),
    _made("depth-sharp", "depth", "deep.xml", _xml(16, _nested_xml(32)),
          "<a>" * 24 + "<a/>" + "</a>" * 24, "25 elements fail always, 24 at 0.85, 23 never"),
    _made("depth-halves", "depth", "deep.c", f"@@ c 10\n{_nested_c(40)}@@ c 10\n",
          "(" * 17 + ")" * 17, "17 fail at 0.992, 16 at 0.984"),
    _made("size-block", "size", "notes.txt", _log(40),
          "x" * 128, "128 bytes fail always, 127 at 0.984"),
    _made("size-string", "size", "long.json",
          records(15, f'{{"title": "{_prose(20)}", "body": "{_prose(40)}"}}', 15),
          f'"{"x" * 80}"', "80 characters fail always, 64 to 79 at 0.9"),
    _made("hash-length", "hash seed", "prose.txt", _prose(150),
          "government", "ten letters fail always, nine with half of the seeds"),
    _made("hash-order", "hash seed", "names.py", f"{_imports(30)}@@ python 16\n",
          "import a,b,c,d,e", "five names fail with 119 of 120 orders, four with 23 of 24"),
    _made("hash-collision", "hash seed", "keys.json",
          records(6, "{" + ", ".join(f'"{a}{b}": {i + 3 * j}' for i, a in enumerate("ky")
                                      for j, b in enumerate(_LETTERS)) + "}", 6),
          "{" + ",".join(f'"{letter}":0' for letter in ("", *_LETTERS[:16])) + "}",
          "17 keys fail at 0.995, 16 below 0.990"),
    _made("items-statement", "chance of each item", "dump.sql", _inserts(30),
          "INSERT INTO t VALUES(1);" * 13, "13 statements fail at 0.990, 12 at 0.986"),
    _made("items-element", "chance of each item", "items.xml",
          _xml(8, "\n".join(f'<item id="i{n}">{n * 7 % 50}</item>' for n in range(40))),
          f"<item>{'<item/>' * 16}</item>", "17 elements fail at 0.992, 16 below 0.990"),
    _made("fixed-half", "chance", "modes.json",
          records(20, '{"name": "main", "mode": "strict", "limits": [1, 2, 3]}', 20),
          '{"mode":"strict"}', "fails at 0.5, as the original does"),
    _made("fixed-most", "chance", "cache.py", f"@@ python 12\n{_FREEZE}\n@@ python 12\n",
          "freeze(deep=0)", "fails at 0.8, as the original does"),
    _made("fixed-nearly", "chance", "jump.c",
          "@@ c 10\nint wait(volatile int *flag) {\nagain:\n  if (!*flag)\n    goto again;\n"
          "  return *flag;\n}\n@@ c 10\n",
          "volatile goto", "fails at 0.95, as the original does"),
    _made("environment-page", "size of the environment", "frames.json",
          records(12, nested_json(44), 12),
          "[" * 32 + "]" * 32, "32 lists fail in each environment, 31 in 31 of 32"),
    _made("environment-alignment", "size of the environment", "wide.csv", _csv(25, 22),
          "," * 15, "16 fields fail in each environment, 15 in 15 of 16"),
    _made("address", "address of a variable", "heap.c",
          "@@ c 6\nvoid fill(char **all) {\n"
          + "".join(f"  all[{n}] = (char *)malloc({n + 1});\n" for n in range(24)) + "}\n@@ c 6\n",
          "malloc(" * 16, "16 allocations fail at each address, 15 at 15 of 16"),
    _made("below-length", "size", "needle.txt", f"{_log(40)}a needle in it\n{_log(40)}",
          "needle" + "x" * 144, "fails always; with a byte less at 0.6"),
    _made("race", "race", "client.py",
          "@@ python 6\ndef main(items):\n"
          + "".join(f"    send({n}, items[{n}], again=True)\n" for n in range(50))
          + "\n@@ python 6\n",
          "send(" * 12, "twelve calls fail always, eleven in 11 of 12 runs"),
    _made("mix-json", "depth and chance", "mix.json",
          records(8, f'{{"strict": true, "tree": {nested_json(24, str([*range(-30, 0)]))}}}', 8),
          '{"strict":' + "[" * 13 + ",".join(["-1"] * 10) + "]" * 13 + "}",
          "a depth of 14 and ten negative numbers fail at 0.994; one of either less below 0.99"),
    _made("mix-sql", "chance", "query.sql", f"@@ sql 10\n{_joins(40)}\n@@ sql 10\n",
          "SELECT" + " JOIN" * 10, "ten fail at 0.895, 99.4 % of the original; nine at 0.891"),
)  # fmt: skip
