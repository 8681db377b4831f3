"""SQL: scripts of queries and changes, read as words, which is what many tools do with it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from random import Random

from benchmarks.diagnosis.subject import Subject

_TOKEN = re.compile(
    r"""(?P<blank>\s+|--[^\n]*|/\*.*?\*/)|(?P<text>'(?:[^']|'')*')|(?P<name>"(?:[^"]|"")+"|`[^`]+`)
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<word>[^\W\d]\w*)
    |(?P<sign><=|>=|<>|!=|==|\|\||[-+*/%=<>(),;.?~])""",
    re.X | re.S,
)

Words = list[str]


def words(text: str) -> Words:
    """Return the words and signs of a script, the words in lower case."""
    found, at, depth = [], 0, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"no word of SQL at {at}")
        at = match.end()
        if match["blank"] is None:
            found.append(match[0].lower() if match["word"] else match[0])
            depth += {"(": 1, ")": -1}.get(match[0], 0)
            if depth < 0:
                raise ValueError("a bracket that was not opened")
    if depth:
        raise ValueError("a bracket that is not closed")
    return found


def fails_if(law: Callable[[Words], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on the words of a text."""
    return lambda text: law(words(text))


def statements(found: Words) -> Iterator[Words]:
    """Yield the statements of a script."""
    statement: Words = []
    for each in [*found, ";"]:
        if each == ";":
            if statement:
                yield statement
            statement = []
        else:
            statement.append(each)


def brackets(found: Words, start: int) -> list[Words]:
    """Return what stands between commas in the bracket that opens at an index."""
    parts: list[Words] = [[]]
    depth = 0
    for each in found[start:]:
        depth += {"(": 1, ")": -1}.get(each, 0)
        if depth == 0:
            break
        if each == "," and depth == 1:
            parts.append([])
        elif (each, depth) != ("(", 1) or parts != [[]]:
            parts[-1].append(each)
    return parts if parts != [[]] else []


TABLES = ("users", "orders", "items", "logs")
COLUMNS = ("id", "name", "price", "day", "state")


def value(rng: Random) -> str:
    """Make a literal."""
    return rng.choice((str(rng.randint(0, 99)), f"'{rng.choice(('new', 'a%', 'tea'))}'", "NULL"))


def condition(rng: Random) -> str:
    """Make a simple condition."""
    column = rng.choice(COLUMNS)
    return rng.choice(
        (
            f"{column} = {value(rng)}",
            f"{column} > {rng.randint(0, 99)}",
            f"{column} IS NOT NULL",
        )
    )


def query(rng: Random, where: str = "") -> str:
    """Make a query, with or without a condition of its own."""
    columns = rng.choice(("*", ", ".join(rng.sample(COLUMNS, rng.randint(1, 3)))))
    parts = [f"SELECT {columns} FROM {rng.choice(TABLES)}"]
    conditions = [each for each in (where, condition(rng) if rng.random() < 0.4 else "") if each]
    parts += (
        [f"WHERE {' AND '.join(rng.sample(conditions, len(conditions)))}"] if conditions else []
    )
    parts += [f"ORDER BY {rng.choice(COLUMNS)}"] if rng.random() < 0.3 else []
    return " ".join(parts)


def script(rng: Random, *given: str) -> str:
    """Make a script that has given statements among others."""
    found = [*given, *(query(rng) for _ in range(rng.choice((0, 0, 1))))]
    rng.shuffle(found)
    return rng.choice((";\n", "; ")).join(found) + rng.choice(("", ";"))


def _insert(rng: Random) -> str:
    names = rng.sample(COLUMNS, rng.randint(1, 4))
    count = len(names) if rng.random() < 0.5 else rng.randint(1, 5)
    values = ", ".join(value(rng) for _ in range(count))
    return script(rng, f"INSERT INTO {rng.choice(TABLES)} ({', '.join(names)}) VALUES ({values})")


def _unlike_lengths(found: Words) -> bool:
    for each in statements(found):
        if each[:2] == ["insert", "into"] and "values" in each and each[3:4] == ["("]:
            columns = len(brackets(each, 3))
            starts = each.index("values") + 1
            depth = 0
            for at in range(starts, len(each)):
                if each[at] == "(" and depth == 0 and len(brackets(each, at)) != columns:
                    return True
                depth += {"(": 1, ")": -1}.get(each[at], 0)
    return False


def _delete(rng: Random) -> str:
    where = f" WHERE {condition(rng)}" if rng.random() < 0.5 else ""
    return script(rng, f"DELETE FROM {rng.choice(TABLES)}{where}")


def _in_list(rng: Random) -> str:
    values = ", ".join(str(rng.randint(1, 99)) for _ in range(rng.randint(1, 11)))
    return script(rng, query(rng, f"id {rng.choice(('', 'NOT '))}IN ({values})"))


def _long_list(found: Words) -> bool:
    starts = [
        at + 2
        for at, (before, word, after) in enumerate(zip(found, found[1:], found[2:], strict=False))
        if (word, after) == ("in", "(") and (before == ")" or before.isidentifier())
        if before not in ("select", "where", "and", "or", "from")
    ]
    parts = [brackets(found, at) for at in starts]
    return any(len(each) > 6 and each[0] != ["select"] for each in parts)


def _like(rng: Random) -> str:
    pattern = rng.choice(("%tea", "tea%", "%", "t%a", "_ea", "%a%", "tea"))
    return script(rng, query(rng, f"name {rng.choice(('', 'NOT '))}LIKE '{pattern}'"))


def _limit(rng: Random) -> str:
    offset = f" OFFSET {rng.choice((0, 50, 5000))}" if rng.random() < 0.4 else ""
    return script(
        rng, f"{query(rng)} LIMIT {rng.choice((1, 10, 500, 1000, 1001, 4000, 99999))}{offset}"
    )


def _join(rng: Random) -> str:
    kind = rng.choice(("JOIN", "LEFT JOIN", "CROSS JOIN"))
    on = rng.choice(("", " ON a.id = b.id", " USING (id)"))
    group = f" GROUP BY {rng.choice(COLUMNS)}" if rng.random() < 0.7 else ""
    having = " HAVING COUNT(*) > 1" if group and rng.random() < 0.4 else ""
    tables = f"{rng.choice(TABLES)} a {kind} {rng.choice(TABLES)} b{on}"
    distinct = rng.choice(("", "", "DISTINCT "))
    return script(rng, f"SELECT {distinct}a.id FROM {tables}{group}{having}")


def _between(rng: Random) -> str:
    low, high = rng.randint(0, 60), rng.randint(20, 99)
    return script(rng, query(rng, f"price {rng.choice(('', 'NOT '))}BETWEEN {low} AND {high}"))


def _reversed(found: Words) -> bool:
    return any(
        float(low) > float(high)
        for word, low, joint, high in zip(found, found[1:], found[2:], found[3:], strict=False)
        if (word, joint) == ("between", "and") and low[0].isdigit() and high[0].isdigit()
    )


def _same_table(rng: Random) -> str:
    first, second = rng.choice(TABLES), rng.choice(TABLES)
    return script(
        rng, f"SELECT a.id FROM {first} a JOIN {second} b ON a.id = b.{rng.choice(COLUMNS)}"
    )


def _joined_with_itself(found: Words) -> bool:
    pattern = r"\bfrom (\w+)(?: as)?(?: (?!join|left|inner)\w+)?(?: left| inner)? join \1\b"
    return re.search(pattern, " ".join(found)) is not None


def _subqueries(rng: Random) -> str:
    made = query(rng)
    for _ in range(rng.randint(0, 4)):
        made = rng.choice(
            (
                f"SELECT id FROM ({made}) AS t",
                f"SELECT * FROM logs WHERE id IN ({made})",
                f"SELECT (1 + 2) * id FROM items WHERE EXISTS ({made})",
            )
        )
    return script(rng, made)


def _selects_around(found: Words) -> int:
    deepest, open_ = 0, [False]
    for each in found:
        if each == "(":
            open_.append(False)
        elif each == ")":
            open_.pop()
        elif each == ";":
            open_ = [False]
        elif each == "select":
            open_[-1] = True
            deepest = max(deepest, sum(open_))
    return deepest


SUBJECTS = (
    Subject(
        "sql values", "sql", "an insert has not as many values as columns",
        "//insert[count(columns/NAME) != count(//row/expr)]",
        ("same length", "unequal"),
        fails_if(_unlike_lengths),
        _insert,
    ),
    Subject(
        "sql delete all", "sql", "a delete has no where", "//delete[not where]",
        ("not exists", "child"),
        fails_if(
            lambda found: any(
                each[0] == "delete" and "where" not in each for each in statements(found)
            )
        ),
        _delete,
    ),
    Subject(
        "sql long list", "sql", "IN has more than 6 values", "count(//test/expr) > 6",
        ("count",),
        fails_if(_long_list),
        _in_list,
    ),
    Subject(
        "sql open pattern", "sql", "the pattern of a LIKE begins with %",
        '//test/STRING starts with "%"',
        ("prefix",),
        fails_if(
            lambda found: any(
                (first, second[:2]) == ("like", "'%")
                for first, second in itertools.pairwise(found)
            )
        ),
        _like,
    ),
    Subject(
        "sql large limit", "sql", "a limit is greater than 1000", "//limit/NUMBER > 1000",
        ("interval",),
        fails_if(
            lambda found: any(
                first == "limit" and second[0].isdigit() and float(second) > 1000
                for first, second in itertools.pairwise(found)
            )
        ),
        _limit,
    ),
    Subject(
        "sql cross or having", "sql", "there is a CROSS JOIN or a HAVING",
        '//"CROSS" or //"HAVING"',
        ("or", "exists"),
        fails_if(
            lambda found: "having" in found or ("cross", "join") in itertools.pairwise(found)
        ),
        _join,
    ),
    Subject(
        "sql empty between", "sql", "in a BETWEEN, the first number is greater than the second",
        "//between[NUMBER[1] > NUMBER[2]]",
        ("less",),
        fails_if(_reversed),
        _between,
    ),
    Subject(
        "sql self join", "sql", "a table is joined with itself", "//joined[source = join/source]",
        ("equal",),
        fails_if(_joined_with_itself),
        _same_table,
    ),
    Subject(
        "sql subqueries", "sql", "more than 3 queries stand in one another", "depth(select) > 3",
        ("depth",),
        fails_if(lambda found: _selects_around(found) > 3),
        _subqueries,
    ),
)  # fmt: skip
