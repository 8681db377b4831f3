"""Makes failing inputs of ordinary size: plain text around the few lines that a bug needs.

In the text of a try, a line `@@ NAME COUNT` is replaced by so many blocks of that kind, which hold
nothing unusual and are the same each time; the blocks of a text are numbered through.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable

_WORDS = ("amber", "basil", "cedar", "delta", "ember", "fable", "grove", "hazel", "ivory", "jolly")
_MARKER = re.compile(r"^@@ (\w+) (\d+)$", re.M)


def filled(text: str) -> str:
    """Return a text with its markers replaced."""
    numbers = itertools.count()
    return _MARKER.sub(
        lambda marker: "\n".join(
            _BLOCKS[marker[1]](n) for n in itertools.islice(numbers, int(marker[2]))
        ),
        text,
    )


def _word(n: int) -> str:
    return _WORDS[n * 3 % len(_WORDS)]


def _assembly(n: int) -> str:
    return (
        f"{_word(n)}_{n}:\n  mov ax, {n}\n  add ax, [{_word(n + 1)}_count]\n  push ax\n"
        f"  cmp ax, {n * 3}\n  jne {_word(n)}_{n}\n  pop bx\n  ret"
    )


def _awk(n: int) -> str:
    return (
        f"function {_word(n)}_{n}(list, k, sum) {{\n  for (k in list)\n"
        f"    if (list[k] > {n}) sum += list[k] * {n + 2}\n  return sum\n}}"
    )


def _c(n: int) -> str:
    name = f"{_word(n)}_{n}"
    return (
        f"static int {name}(int a, int b) {{\n  int sum = {n};\n"
        f"  for (int i = a; i < b; i++)\n    sum += i % {n + 2} ? i : b;\n  return sum;\n}}\n"
        f"int use_{name}(void) {{ return {name}({n}, {n + 9}); }}\n"
    )


def _css(n: int) -> str:
    return (
        f".{_word(n)}-{n} > a:hover {{\n  color: #{n:02}a0c4;\n  padding: {n % 7}px 4px;\n"
        f"  background: url({_word(n + 1)}.png) no-repeat;\n}}\n"
    )


def _html(n: int) -> str:
    return (
        f'<section id="{_word(n)}{n}">\n  <h2>{_word(n + 1)}</h2>\n'
        f"  <p>It is <b>{n}</b>.</p>\n</section>"
    )


def _javascript(n: int) -> str:
    name = f"{_word(n)}{n}"
    return (
        f"function {name}(list) {{\n  var total = {n};\n"
        "  for (var i = 0; i < list.length; i++) {\n"
        f"    if (list[i] > {n}) total += list[i];\n  }}\n  return total;\n}}\n"
        f"console.log('{name}', {name}([1, {n}, {n * 3}]));\n"
    )


def _json(n: int) -> str:
    record = {"name": f"{_word(n)} {n}", "tags": [_word(n + 1), _word(n + 3)], "codes": [n + 65]}
    return f"  {json.dumps(record)},"


def _python(n: int) -> str:
    return (
        f"def {_word(n)}_{n}(items, limit={n}):\n    total = 0\n    for item in items:\n"
        f"        if item > limit:\n            total += item * {n + 2}\n    return total\n\n"
    )


def _shell(n: int) -> str:
    return (
        f'copy_{_word(n)}_{n}() {{\n  echo "copying {_word(n + 1)} {n}"\n'
        f'  cp -r "$1/{_word(n)}" "/srv/{_word(n + 2)}/$2" || return {n % 9 + 1}\n}}\n'
        f"copy_{_word(n)}_{n} data v{n}"
    )


def _sml(n: int) -> str:
    return f"fun {_word(n)}{n} (x, y) = if x > {n} then x * y else y + {n}"


def _sql(n: int) -> str:
    return (
        f"SELECT {_word(n)}, COUNT(*) AS n FROM {_word(n + 1)}s\n"
        f"WHERE id BETWEEN {n} AND {n * 9} AND name LIKE '{_word(n)}%'\nGROUP BY {_word(n)};\n"
    )


def _toml(n: int) -> str:
    return f'[{_word(n)}.step{n}]\nname = "{_word(n + 2)}"\nlimits = [{n}, {n + 1}]\nready = true\n'


def _yaml(n: int) -> str:
    tags = f"{_word(n + 1)}, {_word(n + 4)}"
    return f"  - name: {_word(n)}-{n}\n    port: {8000 + n}\n    tags: [{tags}]"


_BLOCKS: dict[str, Callable[[int], str]] = {
    block.__name__[1:]: block
    for block in (
        _assembly,
        _awk,
        _c,
        _css,
        _html,
        _javascript,
        _json,
        _python,
        _shell,
        _sml,
        _sql,
        _toml,
        _yaml,
    )
}
