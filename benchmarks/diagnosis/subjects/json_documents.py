"""JSON: orders of a shop, places on a map, and pages of a site."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from benchmarks.diagnosis.subject import Subject


class Members(list[tuple[str, Any]]):
    """The members of an object in order; a key that is repeated is there twice."""


def fails_if(law: Callable[[Any], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on the value of a text."""
    return lambda text: law(json.loads(text, object_pairs_hook=Members))


def everything(value: Any) -> Iterator[Any]:
    """Yield a value and all values inside it."""
    yield value
    for _, inner in members(value):
        yield from everything(inner)
    for inner in items(value):
        yield from everything(inner)


def members(value: Any) -> Members:
    """Return the members of a value; none if it is no object."""
    return value if isinstance(value, Members) else Members()


def items(value: Any) -> list[Any]:
    """Return the items of a value; none if it is no array."""
    return value if isinstance(value, list) and not isinstance(value, Members) else []


def child(value: Any, key: str) -> list[Any]:
    """Return the values of a key of an object."""
    return [inner for name, inner in members(value) if name == key]


def anywhere(value: Any, key: str) -> list[Any]:
    """Return the values of a key at any depth."""
    return [inner for each in everything(value) for inner in child(each, key)]


def numbers(values: list[Any]) -> list[float]:
    """Leave out what is no number."""
    return [each for each in values if isinstance(each, int | float) and not isinstance(each, bool)]


def strings(values: list[Any]) -> list[str]:
    """Leave out what is no string."""
    return [each for each in values if isinstance(each, str)]


def dumped(rng: Random, value: Any) -> str:
    """Return the JSON text of a value as programs write it, on one line or on many."""
    return json.dumps(value, indent=rng.choice((None, None, 1, 2)))


WORDS = ("tea", "green tea", "pot", "cup", "kettle", "sugar", "honey", "spoon", "tray", "filter")
SENTENCES = ("Ships within two days.", "Sold out", "", "Best before end of year", "New!")


def order(rng: Random) -> dict[str, Any]:
    """Make an order of a shop."""
    lines = [line(rng) for _ in range(rng.randint(1, 4))]
    total = sum(each["price"] * each["count"] for each in lines)
    made: dict[str, Any] = {"id": rng.randint(1, 9999), "items": lines, "total": total}
    if rng.random() < 0.5:
        made["customer"] = {"name": rng.choice(("Ada", "Bo", "Cy")), "id": rng.randint(1, 99)}
    if rng.random() < 0.3:
        made["notes"] = rng.sample(SENTENCES, 2)
    return shuffled(rng, made)


def line(rng: Random) -> dict[str, Any]:
    """Make a line of an order."""
    made: dict[str, Any] = {
        "sku": f"{rng.choice('ABC')}-{rng.randint(1, 9)}",
        "price": rng.choice((rng.randint(1, 90), rng.randint(4, 400) / 4)),
        "count": rng.randint(1, 5),
    }
    if rng.random() < 0.3:
        made["title"] = rng.choice(WORDS)
    return made


def page(rng: Random, depth: int = 2) -> dict[str, Any]:
    """Make a page of a site, with pages below it."""
    made: dict[str, Any] = {
        "title": " ".join(rng.sample(WORDS, rng.randint(1, 3))),
        "draft": rng.random() < 0.1,
        "tags": rng.sample(WORDS, rng.randint(1, 3)),
        "level": rng.randint(0, 4),
    }
    if depth and rng.random() < 0.8:
        made["pages"] = [page(rng, depth - 1) for _ in range(rng.randint(1, 2))]
    return shuffled(rng, made)


def places(rng: Random) -> dict[str, Any]:
    """Make a list of places on a map."""
    found = [
        {
            "name": rng.choice(("Port", "Lake", "Hill", "Ford")),
            "lat": rng.randint(-88, 88) + rng.choice((0, 0.25, 0.5)),
            "lon": rng.randint(-179, 179),
        }
        for _ in range(rng.randint(1, 4))
    ]
    return {"version": rng.randint(1, 3), "places": found}


def shuffled(rng: Random, value: dict[str, Any]) -> dict[str, Any]:
    """Return an object with its keys in another order."""
    return dict(rng.sample(list(value.items()), len(value)))


def _negative_price(rng: Random) -> str:
    made = order(rng)
    for each in made["items"]:
        if rng.random() < 0.25:
            each["price"] = rng.choice((-each["price"], 0))
    return dumped(rng, made)


def _without_id(rng: Random) -> str:
    made = order(rng)
    if rng.random() < 0.5:
        del made["id"]
    return dumped(rng, made)


def _without_currency(rng: Random) -> str:
    made = order(rng)
    for each in (made, made.get("customer", {}), *made["items"]):
        if rng.random() < 0.2:
            each["currency"] = rng.choice(("EUR", "USD", None))
    return dumped(rng, made)


def _many_items(rng: Random) -> str:
    made = order(rng)
    made["items"] = [rng.choice((rng.randint(1, 99), "A-1")) for _ in range(rng.randint(1, 16))]
    return dumped(rng, made)


def _long_title(rng: Random) -> str:
    made = page(rng)
    made["title"] = " ".join(rng.choices(WORDS, k=rng.randint(3, 14)))
    return dumped(rng, made)


def _latitude(rng: Random) -> str:
    made = places(rng)
    if rng.random() < 0.6:
        rng.choice(made["places"])["lat"] = rng.choice((-1, 1)) * rng.randint(80, 120)
    return dumped(rng, made)


def _stated_count(rng: Random) -> str:
    made = order(rng)
    count = len(made["items"])
    return dumped(rng, {"count": rng.choice((count, count, count + 1, 0, 3)), **made})


def _same_sku(rng: Random) -> str:
    made = order(rng)
    made["items"] += [line(rng) for _ in range(rng.randint(0, 3))]
    return dumped(rng, made)


def _range(rng: Random) -> str:
    made = {
        name: shuffled(rng, {"min": rng.randint(-9, 60), "max": rng.randint(20, 99)})
        for name in rng.sample(("size", "price", "weight", "age"), rng.randint(1, 3))
    }
    return dumped(rng, {"filters": made, "page": rng.randint(1, 9)})


def _wrong_total(rng: Random) -> str:
    lines = [{"sku": each["sku"], "amount": rng.randint(1, 50)} for each in order(rng)["items"]]
    total = sum(each["amount"] for each in lines)
    total += rng.choice((0, 0, 1, -3, 10))
    return dumped(rng, shuffled(rng, {"items": lines, "total": total, "id": rng.randint(1, 99)}))


def _events(rng: Random) -> str:
    names = ("click", "scroll", "key")
    made = [
        shuffled(rng, {"type": rng.choice(names), "value": rng.randint(0, 9), "at": 1})
        if rng.random() < 0.4
        else {"type": rng.choice(names), "at": rng.randint(1, 99), "value": None}
        for _ in range(rng.randint(1, 3))
    ]
    return dumped(rng, {"events": made})


def _nested(rng: Random) -> str:
    value: Any = rng.choice((1, "x", None))
    for _ in range(rng.randint(1, 9)):
        value = rng.choice(([value], [0, value], {"in": value}, {"a": 1, "in": value}))
    return dumped(rng, {"data": value, "rows": [[1, 2], [3]]})


def _arrays_around(value: Any) -> int:
    """Return how many arrays stand in one another."""
    inner = [*items(value), *(each for _, each in members(value))]
    own = isinstance(value, list) and not isinstance(value, Members)
    return own + max(map(_arrays_around, inner), default=0)


def _tags(rng: Random) -> str:
    made = page(rng)
    for each in (made, *made.get("pages", ())):
        if rng.random() < 0.3:
            each["tags"] = []
        if rng.random() < 0.2:
            each["links"] = []
    return dumped(rng, made)


def _coupon(rng: Random) -> str:
    made = order(rng)
    made["express"] = rng.random() < 0.5
    made["weight"] = rng.choice((0, 0, 1, 20))
    if rng.random() < 0.6:
        made["coupon"] = rng.choice((None, "SPRING", "X1"))
    return dumped(rng, shuffled(rng, made))


def _null_item(rng: Random) -> str:
    made = page(rng)
    for each in (made, *made.get("pages", ())):
        each["author"] = rng.choice((None, "Ada"))
        if rng.random() < 0.3:
            each["tags"].insert(rng.randint(0, 1), None)
    return dumped(rng, made)


def _retries(rng: Random) -> str:
    steps = [
        {"run": rng.choice(WORDS), **({"retry": rng.randint(1, 3)} if rng.random() < 0.5 else {})}
        for _ in range(rng.randint(1, 6))
    ]
    return dumped(rng, {"name": "build", "steps": steps})


SUBJECTS = (
    Subject(
        "json negative price", "json", "some price is below zero", "//price < 0",
        ("interval", "anywhere"),
        fails_if(lambda value: any(each < 0 for each in numbers(anywhere(value, "price")))),
        _negative_price,
    ),
    Subject(
        "json draft", "json", "a page at any depth is a draft", "//draft = true",
        ("exists", "anywhere"),
        fails_if(lambda value: any(each is True for each in anywhere(value, "draft"))),
        lambda rng: dumped(rng, page(rng)),
    ),
    Subject(
        "json no id", "json", "the top level has no id, whatever is further in", "not /id",
        ("not exists", "child"),
        fails_if(lambda value: not child(value, "id")),
        _without_id,
    ),
    Subject(
        "json no currency", "json", "the key currency stands nowhere", "not //currency",
        ("not exists", "anywhere"),
        fails_if(lambda value: not anywhere(value, "currency")),
        _without_currency,
    ),
    Subject(
        "json many items", "json", "there are more than 10 items", "count(/items/item) > 10",
        ("count",),
        fails_if(lambda value: any(len(items(each)) > 10 for each in child(value, "items"))),
        _many_items,
    ),
    Subject(
        "json long title", "json", "the title is longer than 40 characters", "len(/title) > 40",
        ("length",),
        fails_if(lambda value: any(len(each) > 40 for each in strings(child(value, "title")))),
        _long_title,
    ),
    Subject(
        "json latitude", "json", "some latitude is not from -90 to 90", "//lat < -90 or //lat > 90",
        ("interval", "or"),
        fails_if(lambda value: any(abs(each) > 90 for each in numbers(anywhere(value, "lat")))),
        _latitude,
    ),
    Subject(
        "json stated count", "json", "the count is not the number of items",
        "/count != count(/items/item)",
        ("count equals", "unequal"),
        fails_if(
            lambda value: any(
                count != len(items(each))
                for count in numbers(child(value, "count"))
                for each in child(value, "items")
            )
        ),
        _stated_count,
    ),
    Subject(
        "json same sku", "json", "two items have the same sku", "repeated(//sku)",
        ("equal",),
        fails_if(
            lambda value: len(found := strings(anywhere(value, "sku"))) > len(set(found))
        ),
        _same_sku,
    ),
    Subject(
        "json empty range", "json", "in some filter, min is greater than max", "//.[min > max]",
        ("less", "or"),
        fails_if(
            lambda value: any(
                low > high
                for each in everything(value)
                for low in numbers(child(each, "min"))
                for high in numbers(child(each, "max"))
            )
        ),
        _range,
    ),
    Subject(
        "json wrong total", "json", "the amounts do not add up to the total",
        "/total != sum(//amount)",
        ("sum", "unequal"),
        fails_if(
            lambda value: any(
                total != sum(numbers(anywhere(value, "amount")))
                for total in numbers(child(value, "total"))
            )
        ),
        _wrong_total,
    ),
    Subject(
        "json type late", "json", "in some event, value comes before type",
        "//.[value before type]",
        ("order",),
        fails_if(
            lambda value: any(
                "value" in keys and "type" in keys[keys.index("value") :]
                for each in everything(value)
                for keys in [[key for key, _ in members(each)]]
            )
        ),
        _events,
    ),
    Subject(
        "json deep arrays", "json", "more than 4 arrays stand in one another", "depth(array) > 4",
        ("depth",),
        fails_if(lambda value: _arrays_around(value) > 4),
        _nested,
    ),
    Subject(
        "json empty tags", "json", "some list of tags is empty", "empty(//tags)",
        ("empty", "anywhere"),
        fails_if(lambda value: any(each == [] for each in anywhere(value, "tags"))),
        _tags,
    ),
    Subject(
        "json coupon", "json", "the coupon is null, or an express order weighs nothing",
        "/coupon = null or /express = true and /weight = 0",
        ("or", "child"),
        fails_if(
            lambda value: None in child(value, "coupon")
            or (
                any(each is True for each in child(value, "express"))
                and 0 in numbers(child(value, "weight"))
            )
        ),
        _coupon,
    ),
    Subject(
        "json null item", "json", "null is an item of an array", "array/null",
        ("child", "exists"),
        fails_if(lambda value: any(None in items(each) for each in everything(value))),
        _null_item,
    ),
    Subject(
        "json retries", "json", "three steps or more are tried again", "count(//retry) >= 3",
        ("how often",),
        fails_if(lambda value: len(anywhere(value, "retry")) >= 3),
        _retries,
    ),
    Subject(
        "json top level", "json", "the greatest level is 2 or less", "max(//level) <= 2",
        ("maximum", "at most"),
        fails_if(
            lambda value: bool(found := numbers(anywhere(value, "level"))) and max(found) <= 2
        ),
        lambda rng: dumped(rng, page(rng, rng.randint(0, 2))),
    ),
)  # fmt: skip
