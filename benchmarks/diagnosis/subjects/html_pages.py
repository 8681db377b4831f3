"""HTML: pages as they are written by hand, read as the standard library's parser reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random

from benchmarks.diagnosis.subject import Subject

VOID = {"img", "br", "input", "hr", "meta", "link"}


@dataclass(frozen=True, slots=True)
class Tag:
    """A start tag, with the names of the elements that are open around it."""

    name: str
    attributes: Mapping[str, str | None] = field(default_factory=dict)
    around: tuple[str, ...] = ()


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Tag] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(Tag(tag, dict(attrs), tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(Tag(tag, dict(attrs), tuple(self.open)))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass


def tags(text: str) -> list[Tag]:
    """Return the start tags of a text."""
    parser = _Tags()
    try:
        parser.feed(text)
        parser.close()
    except AssertionError as error:  # how the parser refuses some declarations
        raise ValueError(str(error)) from error
    return parser.found


def fails_if(law: Callable[[list[Tag]], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on the start tags of a text."""
    return lambda text: law(tags(text))


def named(found: list[Tag], name: str) -> Iterator[Tag]:
    """Yield the tags of one name."""
    return (each for each in found if each.name == name)


WORDS = ("Tea", "Pot &amp; cup", "2 &lt; 3", "Sugar", "About us", "Order now")


def wrap(name: str, *content: str, attributes: str = "") -> str:
    """Write an element."""
    return f"<{name}{attributes and ' '}{attributes}>{''.join(content)}</{name}>"


def body(rng: Random, *more: str) -> str:
    """Make a page with given blocks somewhere on it."""
    blocks = [
        wrap("p", rng.choice(WORDS), rng.choice(("", "<br>", wrap("b", "now"))))
        for _ in range(rng.randint(0, 2))
    ]
    blocks += more
    rng.shuffle(blocks)
    inner = rng.choice(("", "\n")).join(blocks)
    return inner if rng.random() < 0.4 else wrap("html", wrap("body", inner))


def _forms(rng: Random) -> str:
    cell = wrap("td", '<input name="q">' if rng.random() < 0.5 else "cell")
    row = wrap("table", wrap("tr", cell))
    form = wrap("form", rng.choice(("<input>", row, wrap("div", row), wrap("p", "go"))))
    return body(rng, *rng.sample((row, form, wrap("div", form)), 2))


def image(rng: Random, name: str = "img") -> str:
    """Make an image, with or without a text in its place."""
    parts = [f'src="{rng.choice("abc")}.png"']
    parts += ['alt="x"'] if rng.random() < 0.6 else []
    parts += ["width=8"] if rng.random() < 0.4 else []
    rng.shuffle(parts)
    return f"<{name} {' '.join(parts)}>"


def link(rng: Random) -> str:
    """Make a link."""
    end = rng.choice(("/a", "/b.html", "/c.php", "/d.php?x=1", "/e.php", "/f"))
    return wrap("a", rng.choice(WORDS), attributes=f'href="{end}"')


def _headings(rng: Random) -> str:
    found = [wrap(rng.choice(("h1", "h2", "h3")), rng.choice(WORDS)) for _ in range(3)]
    return body(rng, "".join(found))


def _early(found: list[Tag]) -> bool:
    names = [each.name for each in found]
    return "h3" in names and "h2" not in names[: names.index("h3")]


SUBJECTS = (
    Subject(
        "html cell in form", "html", "a td stands anywhere inside a form", "//form//td",
        ("anywhere", "exists"),
        fails_if(lambda found: any("form" in each.around for each in named(found, "td"))),
        _forms,
    ),
    Subject(
        "html no alt", "html", "an image has no alt", "//img[not @alt]",
        ("not exists", "child"),
        fails_if(lambda found: any("alt" not in each.attributes for each in named(found, "img"))),
        lambda rng: body(rng, *(image(rng) for _ in range(rng.randint(1, 2)))),
    ),
    Subject(
        "html many links", "html", "there are more than 4 links", "count(//a) > 4",
        ("how often",),
        fails_if(lambda found: len(list(named(found, "a"))) > 4),
        lambda rng: body(rng, *(link(rng) for _ in range(rng.randint(1, 8)))),
    ),
    Subject(
        "html early h3", "html", "an h3 comes before any h2", "h3 before h2 or //h3 and not //h2",
        ("order", "not exists"),
        fails_if(_early),
        _headings,
    ),
    Subject(
        "html php", "html", "a link ends with .php", '//a/@href ends with ".php"',
        ("suffix",),
        fails_if(
            lambda found: any(
                (each.attributes.get("href") or "").endswith(".php") for each in named(found, "a")
            )
        ),
        lambda rng: body(rng, *(link(rng) for _ in range(rng.randint(1, 2)))),
    ),
    Subject(
        "html item in list", "html", "an li is no direct child of a list", "//li[not parent(ul)]",
        ("child", "not exists"),
        fails_if(
            lambda found: any(each.around[-1:] != ("ul",) for each in named(found, "li"))
        ),
        lambda rng: body(
            rng,
            wrap("ul", wrap("li", "one"), rng.choice(("", wrap("li", wrap("b", "two"))))),
            *rng.choice(((), (wrap("div", wrap("li", "x")),), (wrap("ul", "<p><li>y</li></p>"),))),
        ),
    ),
)  # fmt: skip
