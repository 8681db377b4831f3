"""Addresses of the web, of mail, and moments in time."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from urllib.parse import SplitResult, urlsplit

from benchmarks.diagnosis.subject import Subject


def link_fails_if(law: Callable[[SplitResult], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on the parts of an address of the web."""

    def fails(text: str) -> bool:
        if re.search(r"\s", text):
            raise ValueError("a blank in an address")
        return law(urlsplit(text))

    return fails


HOSTS = ("example.org", "www.example.org", "localhost", "shop.example", "10.0.0.1")
SEGMENTS = ("a", "img", "index.html", "2024", "b-c", "...", "a..b", "..x")


def link(rng: Random, port: str = "", path: str | None = None, query: str | None = None) -> str:
    """Make an address, with given parts."""
    if path is None:
        path = "".join(f"/{rng.choice(SEGMENTS)}" for _ in range(rng.randint(0, 3)))
    if query is None:
        query = parameters(rng, rng.choice((0, 0, 1, 2)))
    user = rng.choice(("", "", "", "ada@", "ada:tea@"))
    scheme = rng.choice(("http", "https", "ftp"))
    fragment = rng.choice(("", "", "#top"))
    return f"{scheme}://{user}{rng.choice(HOSTS)}{port}{path}{query and '?'}{query}{fragment}"


def parameters(rng: Random, count: int) -> str:
    """Make the parameters of an address."""
    names = rng.choices(("q", "page", "id", "sort", "lang"), k=count)
    return "&".join(f"{name}={rng.choice(('1', 'tea', '', '20'))}" for name in names)


def _port(found: SplitResult) -> bool:
    match = re.search(r":([0-9]+)$", found.netloc)
    return match is not None and int(match[1]) > 65535


def _same_parameter(found: SplitResult) -> bool:
    names = [each.split("=")[0] for each in found.query.split("&")]
    return len(names) > len(set(names))


def _dots(rng: Random) -> str:
    segments = [rng.choice((*SEGMENTS, "..", ".")) for _ in range(rng.randint(1, 3))]
    return link(rng, path="/" + "/".join(segments))


def _user_or_plain(found: SplitResult) -> bool:
    return "@" in found.netloc or found.scheme == "ftp"


MOMENT = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
    r"(?:[Tt ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?(?P<zone>\S*))?"
)


def moment(rng: Random, **given: int) -> str:
    """Make a date and time, with given parts."""
    parts = {
        "year": rng.choice((rng.randint(1990, 2030), 2000, 2024, 2023, 1900)),
        "month": rng.randint(1, 12),
        "day": rng.randint(1, 28),
        "hour": rng.randint(0, 23),
        "minute": rng.randint(0, 59),
        "second": rng.randint(0, 59),
        **given,
    }
    day = "{year}-{month:02}-{day:02}".format(**parts)
    if rng.random() < 0.3 and not {"hour", "minute", "second"} & given.keys():
        return day
    second = ":{second:02}".format(**parts) if "second" in given or rng.random() < 0.7 else ""
    return "{}T{hour:02}:{minute:02}{}{}".format(
        day, second, rng.choice(("", "Z", "+01:00")), **parts
    )


def moment_fails_if(law: Callable[[dict[str, int]], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on the parts of a date and time."""

    def fails(text: str) -> bool:
        match = MOMENT.fullmatch(text)
        if match is None:
            raise ValueError("no date")
        return law(
            {key: int(part) for key, part in match.groupdict().items() if part and key != "zone"}
        )

    return fails


def _leap(parts: dict[str, int]) -> bool:
    return (parts["month"], parts["day"]) == (2, 29) and parts["year"] % 100 == 0


def _interval(rng: Random) -> str:
    days = [
        f"20{rng.randint(10, 30)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}" for _ in range(2)
    ]
    return "/".join(days)


def _backwards(text: str) -> bool:
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)/(\d{4}-\d\d-\d\d)", text)
    if match is None:
        raise ValueError("no interval of two days")
    return match[1] > match[2]


def addresses(text: str) -> list[tuple[str, str]]:
    """Return the local parts and the domains of a list of addresses of mail."""
    found = []
    for each in text.split(","):
        match = re.fullmatch(
            r"\s*(?:[^<>@,]*<([^\s<>@]+)@([^\s<>@]+)>|([^\s<>@]+)@([^\s<>@]+))\s*", each
        )
        if match is None:
            raise ValueError(f"no address: {each}")
        found.append((match[1] or match[3], match[2] or match[4]))
    return found


def mail_fails_if(law: Callable[[list[tuple[str, str]]], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on a list of addresses of mail."""
    return lambda text: law(addresses(text))


def address(rng: Random, local: str | None = None) -> str:
    """Make an address of mail."""
    words = ("ada", "bo", "info", "no-reply", "cy+tea")
    local = local or ".".join(rng.sample(words, rng.randint(1, 2)))
    domains = ("example.org", "example.test", "mail.example", "test.example", "local.test", "a.bc")
    spec = f"{local}@{rng.choice(domains)}"
    return f"{rng.choice(('Ada', 'Tea Shop'))} <{spec}>" if rng.random() < 0.3 else spec


def mails(rng: Random, most: int = 3) -> str:
    """Make a list of addresses of mail."""
    return ", ".join(address(rng) for _ in range(rng.randint(1, most)))


def _long_local(rng: Random) -> str:
    words = rng.choices(("ada", "tea", "shop", "news"), k=rng.randint(1, 8))
    return ", ".join(rng.sample([address(rng, ".".join(words)), address(rng)], rng.randint(1, 2)))


SUBJECTS = (
    Subject(
        "url port", "url", "the port is greater than 65535", "//PORT > 65535",
        ("interval",),
        link_fails_if(_port),
        lambda rng: link(
            rng, port=rng.choice(("", f":{7 * 10 ** rng.randint(1, 5)}", ":65535", ":65536"))
        ),
    ),
    Subject(
        "url same parameter", "url", "two parameters have the same name",
        "repeated(//parameter/NAME)",
        ("equal",),
        link_fails_if(_same_parameter),
        lambda rng: link(rng, query=parameters(rng, rng.randint(1, 4))),
    ),
    Subject(
        "url deep path", "url", "the path has more than 5 segments", "count(//segment) > 5",
        ("count",),
        link_fails_if(lambda found: found.path.count("/") > 5),
        lambda rng: link(rng, path="/a" * rng.randint(0, 10)),
    ),
    Subject(
        "url dots", "url", "a segment of the path is ..", '//segment = ".."',
        ("equal", "exists"),
        link_fails_if(lambda found: ".." in found.path.split("/")),
        _dots,
    ),
    Subject(
        "url user or ftp", "url", "a user is named, or the scheme is ftp",
        '//USER or //SCHEME = "ftp"',
        ("or", "exists"),
        link_fails_if(_user_or_plain),
        link,
    ),
    Subject(
        "date 29 February", "datetime", "it is 29 February of a year divisible by 100",
        "MONTH = 2 and DAY = 29 and YEAR % 100 = 0",
        ("divisible", "equal"),
        moment_fails_if(_leap),
        lambda rng: moment(
            rng, month=rng.choice((2, 2, 2, 3)), day=rng.choice((28, 29, 29)),
            year=rng.choice((2000, 1900, 2100, 2024, rng.randint(1900, 2100))),
        ),
        ("1900-02-29", "2000-02-29T12:00:10Z", "2100-02-29T23:59"),
    ),
    Subject(
        "date leap second", "datetime", "the second is 60", "//SECOND = 60",
        ("equal",),
        moment_fails_if(lambda parts: parts.get("second") == 60),
        lambda rng: moment(rng, second=rng.choice((60, 60, 59, 0, 6))),
    ),
    Subject(
        "date interval", "datetime", "the interval ends before it begins", "date[1] > date[2]",
        ("less",),
        _backwards,
        _interval,
    ),
    Subject(
        "mail long name", "email", "what stands before an @ is longer than 20 characters",
        "len(//local) > 20",
        ("length",),
        mail_fails_if(lambda found: any(len(local) > 20 for local, _ in found)),
        _long_local,
    ),
    Subject(
        "mail test domain", "email", "a domain ends with .test", '//domain ends with ".test"',
        ("suffix",),
        mail_fails_if(lambda found: any(domain.endswith(".test") for _, domain in found)),
        mails,
    ),
    Subject(
        "mail one domain", "email", "all addresses, two or more, have one domain",
        "count(//spec) > 1 and same(//domain)",
        ("equal", "count"),
        mail_fails_if(lambda found: len(found) > 1 and len({domain for _, domain in found}) == 1),
        lambda rng: mails(rng, 3),
    ),
)  # fmt: skip
