"""The programs of the made subjects: `python -S laws.py NAME FILE` fails at the rate of its law.

A law says at which rate the program fails on a text, over all hash seeds, environments, addresses
and draws of chance. The judge asks the laws, and so measures without noise. Most programs draw a
number; those in `PROGRAMS` really depend on what their law is about.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Any

PAGE = 4096


def _share(value: float) -> float:
    """Return a value as a rate: at least 0, at most 1."""
    return min(1.0, max(0.0, value))


def _depth(text: str, opening: str = "[{", closing: str = "]}") -> int:
    """Return how deep brackets are nested; 0 where they are not balanced."""
    depth = deepest = 0
    for character in text:
        depth += (character in opening) - (character in closing)
        deepest = max(deepest, depth)
        if depth < 0:
            return 0
    return 0 if depth else deepest


def _json(text: str) -> Any:
    import json

    return json.loads(text)


def _parts(value: Any) -> list[Any]:
    """Return a JSON value and all that is in it."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(part for each in inner for part in _parts(each))]


def _python(text: str) -> list[Any]:
    import ast

    return list(ast.walk(ast.parse(text)))


def _calls(text: str, name: str) -> list[Any]:
    """Return the calls of a name in Python code."""
    nodes = [node for node in _python(text) if type(node).__name__ == "Call"]
    return [node for node in nodes if getattr(node.func, "id", "") == name]


def _elements(text: str) -> list[tuple[str, int]]:
    """Return name and depth of the elements of an XML text.

    Raises:
        ValueError: the text is not well-formed.
    """
    found, inside = list[tuple[str, int]](), list[str]()
    rest = re.sub(r"<\?[^<>]*\?>", "", text)
    for slash, name, end in re.findall(r"<(/?)(\w+)(?:\s[^<>]*?)?(/?)>", rest):
        if not slash:
            if not inside and found:
                raise ValueError("two roots")
            inside.append(name)
            found.append((name, len(inside)))
        if (slash or end) and (not inside or inside.pop() != name):
            raise ValueError("an end without its beginning")
    if inside or not found or "<" in re.sub(r"</?\w+(?:\s[^<>]*?)?/?>", "", rest):
        raise ValueError("not well-formed")
    return found


def depth_smooth(text: str) -> float:
    """Fails at a depth of 30; from 29 on, ever less often; never at 20."""
    _json(text)
    return _share((_depth(text) - 20) / 10)


def depth_sharp(text: str) -> float:
    """Fails at a depth of 25, most often at 24, never below."""
    deepest = max(depth for _, depth in _elements(text))
    return 1.0 if deepest >= 25 else 0.85 if deepest == 24 else 0.0


def depth_halves(text: str) -> float:
    """Misses the failure half as often for each parenthesis more than ten within each other."""
    return 1 - 0.5 ** max(0, _depth(text, "(", ")") - 10)


def size_block(text: str) -> float:
    """Fails if text and a header of at most 64 bytes need more than one block."""
    return _share((len(text.encode()) - 64) / 64)


def size_string(text: str) -> float:
    """Fails by a string of 80 characters; by one of 64 if the heap has no room behind it."""
    longest = max(len(part) for part in (*_parts(_json(text)), "") if isinstance(part, str))
    return 1.0 if longest >= 80 else 0.9 if longest >= 64 else 0.0


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text))


def hash_length(text: str) -> float:
    """Fails by each word of ten letters; by shorter ones with a few hash seeds."""
    passes = 1.0
    for word in _words(text):
        passes *= 1 - 1 / max(1, 11 - len(word))
    return 1 - passes


def hash_length_fails(text: str) -> bool:
    return any(hash(word) % max(1, 11 - len(word)) == 0 for word in _words(text))


def _names(text: str) -> list[str]:
    """Return the names of the longest import."""
    imports = [node.names for node in _python(text) if type(node).__name__ == "Import"]
    return sorted({each.name for each in max(imports, key=len, default=())})


def hash_order(text: str) -> float:
    """Fails unless the names of an import are in the order of the alphabet by their hash, too."""
    orders = 1
    for n in range(1, len(_names(text)) + 1):
        orders *= n
    return 1 - 1 / orders


def hash_order_fails(text: str) -> bool:
    return sorted(_names(text), key=hash) != _names(text)


SLOTS = 32


def _objects(text: str) -> list[dict[str, Any]]:
    return [part for part in _parts(_json(text)) if isinstance(part, dict)]


def hash_collision(text: str) -> float:
    """Fails if two keys of the largest object share one of 32 slots."""
    passes = 1.0
    for n in range(max(map(len, _objects(text)), default=0)):
        passes *= max(0, 1 - n / SLOTS)
    return 1 - passes


def hash_collision_fails(text: str) -> bool:
    largest = max(_objects(text), key=len, default={})
    return len({hash(key) % SLOTS for key in largest}) < len(largest)


def items_statement(text: str) -> float:
    """Fails by each INSERT with a chance of 0.3."""
    return 1 - 0.7 ** len(re.findall(r"INSERT INTO \w+ VALUES ?\([^()]*\d[^()]*\);", text))


def items_element(text: str) -> float:
    """Fails by each element `item` with a chance of 0.25."""
    return 1 - 0.75 ** [name for name, _ in _elements(text)].count("item")


def fixed_half(text: str) -> float:
    """Fails half of the time where the mode is strict."""
    return 0.5 * any(each.get("mode") == "strict" for each in _objects(text))


def fixed_most(text: str) -> float:
    """Fails in four of five runs by a deep freeze."""
    calls = _calls(text, "freeze")
    return 0.8 * any(each.arg == "deep" for call in calls for each in call.keywords)


def fixed_nearly(text: str) -> float:
    """Fails in 19 of 20 runs by the two words."""
    return 0.95 * ({"volatile", "goto"} <= set(re.findall(r"\w+", text)))


def _environment() -> int:
    """Return the bytes of the environment, as they lie on the stack."""
    return sum(len(name) + len(value) + 2 for name, value in os.environb.items())


def environment_page(text: str) -> float:
    """Fails if the nested frames and the environment's last page need more than a page."""
    _json(text)
    return _share(_depth(text) * 128 / PAGE)


def environment_page_fails(text: str) -> bool:
    _json(text)
    return _depth(text) * 128 + _environment() % PAGE >= PAGE


def _fields(text: str) -> int:
    return max(line.count(",") + 1 for line in text.split("\n")) if text else 0


def environment_alignment(text: str) -> float:
    """Fails by a line of 16 fields; by a shorter one as the environment aligns the stack."""
    return _share(_fields(text) / 16)


def environment_alignment_fails(text: str) -> bool:
    return _environment() % 16 < _fields(text)


def _allocations(text: str) -> int:
    return len(re.findall(r"\bmalloc\s*\(", text))


def address(text: str) -> float:
    """Fails by 16 allocations; by fewer as the heap lies in memory."""
    return _share(_allocations(text) / 16)


def address_fails(text: str) -> bool:
    return (id(object()) >> 12) % 16 < _allocations(text)


def below_length(text: str) -> float:
    """Fails by a word; in a text below 150 bytes in six of ten runs only."""
    if "needle" not in text:
        return 0.0
    return 1.0 if len(text.encode()) >= 150 else 0.6


def race(text: str) -> float:
    """Fails if twelve calls, as one thread makes them, take longer than another one waits."""
    return _share(len(re.findall(r"\bsend\(", text)) / 12)


def mix_json(text: str) -> float:
    """Fails where it is strict: less often by less depth, and by fewer negative numbers."""
    parts = _parts(_json(text))
    strict = any("strict" in part for part in parts if isinstance(part, dict))
    negative = sum(isinstance(part, int | float) and part < 0 for part in parts)
    return strict * _share((_depth(text) - 8) / 6) * (1 - 0.6**negative)


def mix_sql(text: str) -> float:
    """Fails by each JOIN of a query with a chance of 0.4, and never in one of ten runs."""
    words = re.findall(r"\w+", text.upper())
    return 0.9 * ("SELECT" in words) * (1 - 0.6 ** words.count("JOIN"))


LAWS: dict[str, Callable[[str], float]] = {
    law.__name__.replace("_", "-"): law
    for law in (
        *(depth_smooth, depth_sharp, depth_halves, size_block, size_string),
        *(hash_length, hash_order, hash_collision, items_statement, items_element),
        *(fixed_half, fixed_most, fixed_nearly),
        *(environment_page, environment_alignment, address),
        *(below_length, race, mix_json, mix_sql),
    )
}
PROGRAMS: dict[str, Callable[[str], bool]] = {
    "hash-length": hash_length_fails,
    "hash-order": hash_order_fails,
    "hash-collision": hash_collision_fails,
    "environment-page": environment_page_fails,
    "environment-alignment": environment_alignment_fails,
    "address": address_fails,
}
"""The programs that draw no number."""


def rate(name: str, text: str) -> float:
    """Return at which rate a program fails on a text; 0 if it can't read it."""
    try:
        return LAWS[name](text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return 0.0


def _drawn() -> float:
    """Draw a number below 1: by chance, or in the order of a seed, as the benchmark wants it."""
    if (seed := os.environ.get("FRAGILE_SEED")) is None:
        return int.from_bytes(os.urandom(6), "big") / 2**48
    import hashlib

    with open(os.environ["FRAGILE_COUNT"], "ab") as file:
        file.write(b".")
        number = file.tell()
    digest = hashlib.blake2b(f"{seed} {number}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") / 2**48


def main(name: str, path: str) -> None:
    """Fail on a text, or pass."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        failing = PROGRAMS[name](text) if name in PROGRAMS else _drawn() < LAWS[name](text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        sys.exit(f"{name}: this can't be read")
    if failing:
        raise SystemError(f"{name}: the state is corrupt")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
