"""A static site with templates and data, made deterministically: the project "templates-site"."""

from __future__ import annotations

import json
from collections.abc import Iterator

_WORDS = ("river", "stone", "lamp", "paper", "copper", "violet", "harbor", "meadow", "signal")
_PARTIALS = ("head", "header", "menu", "footer", "price", "stock", "rating", "gallery", "share")
_KINDS = ("product", "article", "event", "person")

_BUILD = '''\
"""Builds the site: each page of data goes through the template that it names."""

import html
import json
import re
import sys
from pathlib import Path

TAG = re.compile(
    r"{{ ([\\w.]+) }}|{% include ([\\w/.]+) %}|{% for (\\w+) in ([\\w.]+) %}|{% end %}"
)


def lookup(values, path):
    for name in path.split("."):
        values = values[name]
    return values


def parse(text):
    """Return a template as a tree of text, names, includes and loops."""
    stack = [[]]
    heads = []
    at = 0
    for match in TAG.finditer(text):
        stack[-1].append(("text", text[at : match.start()]))
        at = match.end()
        name, include, variable, items = match.groups()
        if name:
            stack[-1].append(("name", name))
        elif include:
            stack[-1].append(("include", include))
        elif variable:
            heads.append((variable, items))
            stack.append([])
        else:
            body = stack.pop()
            stack[-1].append(("for", *heads.pop(), body))
    stack[-1].append(("text", text[at:]))
    return stack[0]


class Site:
    def __init__(self, root):
        self.root = root
        self.templates = {}
        self.settings = json.loads((root / "data" / "settings.json").read_text())

    def template(self, name):
        if name not in self.templates:
            self.templates[name] = parse((self.root / "templates" / name).read_text())
        return self.templates[name]

    def render(self, tree, values):
        parts = []
        for kind, *rest in tree:
            if kind == "text":
                parts.append(rest[0])
            elif kind == "name":
                parts.append(html.escape(str(lookup(values, rest[0]))))
            elif kind == "include":
                parts.append(self.render(self.template(rest[0]), values))
            else:
                variable, items, body = rest
                for item in lookup(values, items):
                    parts.append(self.render(body, {**values, variable: item}))
        return "".join(parts)

    def build(self, target):
        target.mkdir(exist_ok=True)
        for path in sorted((self.root / "data" / "pages").glob("*.json")):
            page = json.loads(path.read_text())
            text = self.render(self.template(page["template"]), {"site": self.settings, **page})
            (target / f"{path.stem}.html").write_text(text)


if __name__ == "__main__":
    Site(Path(".")).build(Path(sys.argv[1]))
'''


def files() -> Iterator[tuple[str, str]]:
    """Yield the files of the site, by path and content."""
    yield "build.py", _BUILD
    yield "README.md", "# The site\n\n" + "Run `python build.py _site`.\n" * 20
    yield "data/settings.json", _json({"title": "Things", "links": _links(12), "year": 2024})
    for name in _PARTIALS:
        yield f"templates/partials/{name}.html", _partial(name)
    for kind in _KINDS:
        yield f"templates/{kind}.html", _template(kind)
    for number in range(48):
        kind = _KINDS[number % len(_KINDS)]
        yield f"data/pages/{kind}-{number:02}.json", _json(_page(kind, number))
    for number in range(8):
        rules = "".join(f".{word} {{ margin: {number}px; }}\n" for word in _WORDS)
        yield f"assets/style-{number}.css", rules * 6


def _partial(name: str) -> str:
    if name == "price":
        return '<p class="price">\n  {{ product.price }} {{ product.currency }}\n</p>\n'
    if name == "menu":
        lines = "{% for link in site.links %}<a href='{{ link.to }}'>{{ link.name }}</a>\n{% end %}"
        return f"<nav>\n{lines}</nav>\n"
    words = "\n".join(f"  <span>{name} {word}</span>" for word in _WORDS)
    return f"<div class='{name}'>\n{words}\n  {{{{ site.title }}}}\n</div>\n"


def _template(kind: str) -> str:
    head = "".join(f"{{% include partials/{name}.html %}}\n" for name in ("head", "header", "menu"))
    body = f"<h1>{{{{ {kind}.name }}}}</h1>\n{{% for tag in {kind}.tags %}}<i>{{{{ tag }}}}</i>\n"
    body += "{% end %}"
    if kind == "product":
        body += "".join(
            f"{{% include partials/{name}.html %}}\n" for name in ("stock", "price", "rating")
        )
    return f"<html>\n{head}{body}{{% include partials/footer.html %}}\n</html>\n"


def _page(kind: str, number: int) -> dict[str, object]:
    word = _WORDS[number % len(_WORDS)]
    about: dict[str, object] = {
        "name": f"{word} {number}",
        "tags": [_WORDS[(number * step) % len(_WORDS)] for step in range(1, 6)],
        "text": " ".join(_WORDS[(number + step) % len(_WORDS)] for step in range(60)),
        "related": [f"{kind}-{(number + 4 * step) % 48:02}" for step in range(1, 5)],
    }
    if kind == "product":
        about |= {"price": number * 10, "currency": "EUR", "stock": number % 7}
    return {"template": f"{kind}.html", kind: about}


def _links(count: int) -> list[dict[str, str]]:
    return [{"to": f"{word}.html", "name": word} for word in (_WORDS * 2)[:count]]


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
