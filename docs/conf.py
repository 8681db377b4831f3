"""The documentation as a site: `make docs` builds it without network and refuses what is amiss."""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import version as version_of
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

# The extension, `docs/_ext`, is found from the root, as the tests find it.
sys.path.insert(0, str(Path(__file__).parents[1]))

project = "Boildown"
author = "the authors of Boildown"
copyright = author
version = release = version_of("boildown")

extensions = ["myst_parser", "docs._ext.reference"]
exclude_patterns = ["_ext"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
nitpicky = True
# What is quoted in the text, such as 'seconds>2', is to be copied as it is.
smartquotes = False
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"Boildown {release}"
html_copy_source = False
html_use_index = False
html_show_sphinx = False
highlight_language = "none"

DOCS = Path(__file__).parent
ROOT = DOCS.parent
OUTSIDE = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
}
"""Documents that stand where a forge shows them, with the page of the site that includes each."""
INCLUDE = re.compile(r"^```\{include\} (\S+)\n```$", re.M)
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)")


def setup(app: Sphinx) -> None:
    """Connect what Sphinx calls."""
    app.add_lexer("lark", TextLexer)
    app.connect("source-read", read)


def read(app: Sphinx, page: str, source: list[str]) -> None:
    """Put in what a page includes, and make links out of `docs/` links to pages of the site."""
    here = (DOCS / page).parent

    def included(match: re.Match[str]) -> str:
        path = (here / match[1]).resolve()
        app.env.note_dependency(os.path.relpath(path, DOCS))
        return moved(path.read_text("utf-8"), path.parent)

    def moved(text: str, base: Path) -> str:
        return LINK.sub(lambda link: target(base, link[1]), text)

    def target(base: Path, link: str) -> str:
        path = Path(os.path.normpath(base / link))
        name = path.relative_to(ROOT).as_posix()
        return os.path.relpath(DOCS / OUTSIDE[name] if name in OUTSIDE else path, here)

    source[0] = INCLUDE.sub(included, moved(source[0], here))
