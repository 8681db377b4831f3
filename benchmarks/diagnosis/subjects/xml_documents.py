"""XML: feeds of news, and catalogs with references between their parts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from benchmarks.diagnosis.subject import Subject


def fails_if(law: Callable[[Element], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on the root element of a text."""

    def fails(text: str) -> bool:
        try:
            return law(ElementTree.fromstring(text))
        except ElementTree.ParseError as error:
            raise ValueError(str(error)) from error

    return fails


def element(name: str, *content: str, indent: bool = False, **attributes: object) -> str:
    """Write an element; its content is text that is escaped already."""
    written = "".join(f" {key}={quoteattr(str(value))}" for key, value in attributes.items())
    if not content:
        return f"<{name}{written}/>"
    inner = "".join(f"\n  {each}" for each in content) + "\n" if indent else "".join(content)
    return f"<{name}{written}>{inner}</{name}>"


TITLES = ("Rain", "More rain", "Sun & wind", "Snow", "A < B", "Fog at noon")
HOSTS = ("https://example.org", "https://news.example", "http://old.example", "ftp://files.example")


def feed(rng: Random, entries: int | None = None) -> list[str]:
    """Make the parts of a feed of news."""
    count = rng.randint(1, 4) if entries is None else entries
    return [element("updated", f"2024-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}")] + [
        entry(rng) for _ in range(count)
    ]


def entry(rng: Random, *more: str) -> str:
    """Make an entry of a feed."""
    parts = [element("title", escape(rng.choice(TITLES)))]
    if rng.random() < 0.5:
        parts.append(element("link", href=f"{rng.choice(HOSTS[:2])}/{rng.randint(1, 99)}"))
    if rng.random() < 0.3:
        parts.append(element("author", element("name", rng.choice(("Ada", "Bo")))))
    return element("entry", *parts, *more, indent=rng.random() < 0.3)


def _note_in_item(rng: Random) -> str:
    parts = []
    for _ in range(rng.randint(1, 3)):
        note = element("note", escape(rng.choice(TITLES)))
        box = element("box", *([note] if rng.random() < 0.4 else []), element("part"))
        inner = [element("name", escape(rng.choice(TITLES)))]
        parts.append(element("item", *inner, *([box] if rng.random() < 0.5 else [])))
        parts += [note] if rng.random() < 0.4 else []
    return element("list", *parts, indent=rng.random() < 0.5)


def _no_title(rng: Random) -> str:
    parts = feed(rng)
    if rng.random() < 0.5:
        parts.insert(rng.randint(0, len(parts)), element("title", "All news"))
    return element("feed", *parts, indent=rng.random() < 0.5)


def _ids(rng: Random) -> str:
    parts = [
        element(rng.choice(("item", "group")), element("name", "x"), id=f"n{rng.randint(1, 9)}")
        for _ in range(rng.randint(1, 4))
    ]
    return element("list", *parts, id=f"n{rng.randint(1, 9)}", indent=rng.random() < 0.5)


def _references(rng: Random) -> str:
    known, parts = [f"n{rng.randint(1, 4)}"], []
    parts.append(element("node", id=known[0]))
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.5:
            known.append(f"n{rng.randint(1, 6)}")
            parts.append(element("node", id=known[-1]))
        else:
            name = rng.choice(known) if rng.random() < 0.7 else f"n{rng.randint(1, 6)}"
            parts.append(element("edge", to=name))
    return element("graph", *parts, indent=True)


def _undefined(root: Element) -> bool:
    known: set[str | None] = set()
    for each in root.iter():
        if each.tag == "edge" and "to" in each.attrib and each.get("to") not in known:
            return True
        known |= {each.get("id")} if "id" in each.attrib else set()
    return False


def _sections(rng: Random) -> str:
    text = element("p", "Text.")
    for _ in range(rng.randint(0, 7)):
        name = rng.choice(("section", "section", "div"))
        text = element(name, *([element("p")] if rng.random() < 0.4 else []), text)
    return element("doc", element("section", "Intro"), text)


def _nesting(root: Element, name: str) -> int:
    return (root.tag == name) + max((_nesting(each, name) for each in root), default=0)


def _links(rng: Random) -> str:
    parts = [
        element("entry", element("url", f"{rng.choice(HOSTS)}/{rng.choice(('a', 'http:', 'b/c'))}"))
        for _ in range(rng.randint(1, 3))
    ]
    title = element("title", escape(rng.choice((*TITLES, "http: the protocol"))))
    return element("feed", *rng.sample([title, *parts], len(parts) + 1), indent=rng.random() < 0.5)


def _prices(rng: Random) -> str:
    prices = [
        element("price", *([] if rng.random() < 0.2 else [str(rng.randint(1, 99))]))
        for _ in range(rng.randint(1, 3))
    ]
    parts = [element("item", element("note"), each, id=f"a{n}") for n, each in enumerate(prices)]
    return element("catalog", *parts, indent=rng.random() < 0.5)


def _stated(rng: Random) -> str:
    count = rng.randint(0, 5)
    stated = count if rng.random() < 0.5 else rng.randint(0, 6)
    parts = [element("item", escape(rng.choice(TITLES))) for _ in range(count)]
    parts.append(element("owner", rng.choice(("Ada", "Bo"))))
    rng.shuffle(parts)
    return element("catalog", *parts, count=stated, indent=rng.random() < 0.5)


SUBJECTS = (
    Subject(
        "xml note in item", "xml", "a note stands anywhere inside an item", "//item//note",
        ("anywhere", "exists"),
        fails_if(lambda root: any(each.find(".//note") is not None for each in root.iter("item"))),
        _note_in_item,
    ),
    Subject(
        "xml no title", "xml", "the feed has no title of its own, whatever its entries have",
        "not /feed/title",
        ("not exists", "child"),
        fails_if(lambda root: root.tag == "feed" and root.find("title") is None),
        _no_title,
    ),
    Subject(
        "xml same id", "xml", "two elements have the same id", "repeated(//@id)",
        ("equal",),
        fails_if(
            lambda root: len(found := [e.attrib["id"] for e in root.iter() if "id" in e.attrib])
            > len(set(found))
        ),
        _ids,
    ),
    Subject(
        "xml undefined", "xml", "an edge leads to an id that no element before it has",
        "not every edge/@to in earlier(@id)",
        ("defined",),
        fails_if(_undefined),
        _references,
    ),
    Subject(
        "xml deep sections", "xml", "more than 3 sections stand in one another",
        "depth(section) > 3",
        ("depth",),
        fails_if(lambda root: _nesting(root, "section") > 3),
        _sections,
    ),
    Subject(
        "xml plain link", "xml", "some url begins with http:", '//url starts with "http:"',
        ("prefix", "anywhere"),
        fails_if(lambda root: any((e.text or "").startswith("http:") for e in root.iter("url"))),
        _links,
    ),
    Subject(
        "xml empty price", "xml", "some price is empty", "empty(//price)",
        ("empty",),
        fails_if(lambda root: any(not e.text and not len(e) for e in root.iter("price"))),
        _prices,
    ),
    Subject(
        "xml stated count", "xml", "the catalog's count is not the number of its items",
        "/catalog/@count != count(/catalog/item)",
        ("count equals", "unequal"),
        fails_if(
            lambda root: root.tag == "catalog"
            and "count" in root.attrib
            and root.attrib["count"] != str(len(root.findall("item")))
        ),
        _stated,
    ),
)  # fmt: skip
