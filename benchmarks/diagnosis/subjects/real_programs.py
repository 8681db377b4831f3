"""Old releases from the registry: the truth is whether the program raises what its bug raises."""

from __future__ import annotations

from random import Random

from benchmarks.diagnosis import programs
from benchmarks.diagnosis.subject import Subject
from benchmarks.diagnosis.subjects import (
    csv_files,
    expressions,
    html_pages,
    json_documents,
    links_and_dates,
    python_files,
    settings,
    sql_scripts,
)

RELEASES = {
    "toml arrays": "toml==0.10.2",
    "dicttoxml lists": "dicttoxml==1.7.4",
    "tablib rows": "tablib==3.0.0",
    "furl port": "furl==2.1.0",
    "aniso8601 date": "aniso8601==8.0.0",
    "iso8601 zone": "iso8601==0.1.12",
    "html2text no value": "html2text==3.200.3",
    "configobj twice": "configobj==5.0.6",
    "py-expression-eval max": "py-expression-eval==0.3.9",
    "pyflakes walrus": "pyflakes==2.1.1",
    "email-validator long": "email-validator==1.0.0",
    "sqlglot insert": "sqlglot==10.1.3",
}
"""The release of each subject."""


def _toml_arrays(rng: Random) -> str:
    items = ("1", "20", "-3", "0.5", '"tea"', '"pot"', "true", "false", "[1]")
    kinds = (items[:3], items[4:6], items[6:8], items)
    arrays = (rng.choices(rng.choice(kinds), k=rng.randint(0, 3)) for _ in range(2))
    return settings.toml(rng, *(f"list{n} = [{', '.join(each)}]" for n, each in enumerate(arrays)))


def _lists(rng: Random) -> str:
    made = json_documents.order(rng)
    made["items"] = {each["sku"]: each for each in made["items"]}
    for each in (made, made.get("customer", {}), *made["items"].values()):
        if rng.random() < 0.2:
            each["more"] = rng.choice((None, [], [1, 2], {"list": ["x"]}, {}, ""))
    made.pop("notes", None)
    return json_documents.dumped(rng, made)


def _long_rows(rng: Random) -> str:
    rows = csv_files.people(rng)
    if rng.random() < 0.6:
        row = rng.choice(rows[1:])
        row[-1:] = rng.choice(([], ["new", "x"], ["", ""]))
    return csv_files.written(rows)


def _port(rng: Random) -> str:
    port = rng.choice(("", ":80", f":{rng.randint(1, 99_999)}", ":0", ":65535", ":65536", ":00080"))
    return links_and_dates.link(rng, port=port)


def _zone(rng: Random) -> str:
    zone = f"{rng.choice('+-')}{rng.choice((24, 23, 0, 14, 24)):02}:{rng.choice((0, 0, 30, 59)):02}"
    return links_and_dates.moment(rng, hour=rng.randint(0, 23)).split("Z")[0].split("+")[0] + zone


def _date(rng: Random) -> str:
    made = links_and_dates.moment(rng)
    return made.replace("T", " ") if rng.random() < 0.3 else made


def _no_value(rng: Random) -> str:
    value = rng.choice(("", '=""', '="/a"', "=x"))
    link = html_pages.wrap("a", "Tea", attributes=f"{rng.choice(('href', 'href', 'title'))}{value}")
    image = f"<img {rng.choice(('src', 'alt', 'src'))}{rng.choice(('', '=a', '=b'))}>"
    return html_pages.body(rng, *rng.sample((link, image, html_pages.link(rng)), 2))


def _twice(rng: Random) -> str:
    titles = rng.choices(settings.TITLES, k=rng.randint(1, 3))
    lines = []
    for title in titles:
        entries = settings.section(rng, ("host", "a"))
        entries += entries[:1] if rng.random() < 0.15 else []
        lines += [f"[{title}]", *(f"{key} = {value}" for key, value in entries)]
    return "\n".join(lines) + "\n"


def _arguments(rng: Random) -> str:
    arguments = [expressions.expression(rng, 1) for _ in range(rng.randint(1, 3))]
    return expressions.among(rng, f"{rng.choice(('max', 'min'))}({', '.join(arguments)})")


def _walrus(rng: Random) -> str:
    name, value = rng.choice(python_files.NAMES), python_files.value(rng)
    return python_files.module(
        rng,
        rng.choice(
            (
                f"if ({name} := {value}):\n    print({name})",
                f"print([{name} := {value}, 1])",
                f"{name} = {value}",
                f"if {name} == {value}:\n    print({name})",
                f"{name}: int = {rng.randint(1, 9)}",
            )
        ),
    )


def _long_local(rng: Random) -> str:
    words = rng.choices(("ada", "no-reply", "tea", "newsletter"), k=rng.randint(1, 18))
    return f"{'.'.join(words)}@{rng.choice(('example.org', 'mail.example', 'a.bc'))}"


def _inserts(rng: Random) -> str:
    table = rng.choice(sql_scripts.TABLES)
    return sql_scripts.script(
        rng,
        rng.choice(
            (
                f"INSERT INTO {table} DEFAULT VALUES",
                f"INSERT INTO {table} VALUES ({sql_scripts.value(rng)})",
                f"INSERT INTO {table} {sql_scripts.query(rng)}",
                f"CREATE TABLE {table} (id INT DEFAULT {rng.randint(0, 9)})",
            )
        ),
    )


SUBJECTS = (
    Subject(
        "toml arrays", "toml", "the items of an array are not all of one type",
        "//array[type(item) != type(item)]",
        ("unequal",),
        programs.raises(RELEASES["toml arrays"], "homogeneous"),
        _toml_arrays,
    ),
    Subject(
        "dicttoxml lists", "json", "there is an array or a null", "//array or //null",
        ("or", "exists", "anywhere"),
        programs.raises(RELEASES["dicttoxml lists"], "^AttributeError.*Iterable"),
        _lists,
    ),
    Subject(
        "tablib rows", "csv", "some row has more fields than the first",
        "//row[count(field) > count(/row[1]/field)]",
        ("less", "same length"),
        programs.raises(RELEASES["tablib rows"], "^InvalidDimensions"),
        _long_rows,
    ),
    Subject(
        "furl port", "url", "the port is not from 1 to 65535", "//PORT < 1 or //PORT > 65535",
        ("interval", "or"),
        programs.raises(RELEASES["furl port"], "^ValueError: Invalid port"),
        _port,
    ),
    Subject(
        "aniso8601 date", "datetime", "there is no T", 'not //"T"',
        ("not exists",),
        programs.raises(RELEASES["aniso8601 date"], "^ValueError: not enough values"),
        _date,
    ),
    Subject(
        "iso8601 zone", "datetime", "the offset of the zone is 24 hours or more",
        "//zone/HOUR = 24",
        ("equal", "child"),
        programs.raises(RELEASES["iso8601 zone"], "^ValueError: offset"),
        _zone,
    ),
    Subject(
        "html2text no value", "html", "the href of a link or the src of an image has no value",
        "//a/@href[not value] or //img/@src[not value]",
        ("not exists", "or"),
        programs.raises(RELEASES["html2text no value"], "NoneType"),
        _no_value,
    ),
    Subject(
        "configobj twice", "ini", "a section stands twice, or a key twice in one section",
        "repeated(//TITLE) or //section[repeated(KEY)]",
        ("equal", "or"),
        programs.raises(RELEASES["configobj twice"], "^DuplicateError"),
        _twice,
    ),
    Subject(
        "py-expression-eval max", "expressions", "max or min has one argument or none",
        'count(//call[NAME in {"max", "min"}]/expr) < 2',
        ("count", "alternatives"),
        programs.raises(RELEASES["py-expression-eval max"], "^TypeError: .*(expected|iterable)"),
        _arguments,
    ),
    Subject(
        "pyflakes walrus", "python", "there is a :=, or a match statement", '//":=" or //match',
        ("exists", "or"),
        programs.raises(RELEASES["pyflakes walrus"], "^AttributeError: 'Checker'"),
        _walrus,
    ),
    Subject(
        "email-validator long", "email", "what stands before the @ is longer than 64 characters",
        "len(//local) > 64",
        ("length",),
        programs.raises(RELEASES["email-validator long"], "too long before"),
        _long_local,
    ),
    Subject(
        "sqlglot insert", "sql", "an insert has DEFAULT VALUES", '//insert/"DEFAULT"',
        ("exists", "child"),
        programs.raises(RELEASES["sqlglot insert"], "^ParseError: Required keyword: 'expression'"),
        _inserts,
    ),
)  # fmt: skip


def installed() -> tuple[Subject, ...]:
    """Return the subjects whose release is installed."""
    return tuple(each for each in SUBJECTS if programs.folder(RELEASES[each.name]).exists())
