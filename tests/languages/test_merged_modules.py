"""Modules of Python put into the file that imports them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from boildown.folder_text import packed, unpacked
from boildown.languages.merged_modules import merged_modules


def merged(files: Mapping[str, str], main: str = "main.py") -> list[dict[str, str]]:
    """The folders that are proposed, without empty lines."""
    found = []
    for text in merged_modules(packed(files.items()), main):
        contents = unpacked(text).items()
        found.append(
            {
                path: "\n".join(line for line in content.split("\n") if line.strip())
                for path, content in contents
            }
        )
    return found


@pytest.mark.parametrize(
    ("files", "whole"),
    [
        (
            {"main.py": "from lib import f as g\ng()\n", "lib.py": "def f():\n    1 / 0\n"},
            "def f():\n    1 / 0\nf()",
        ),
        (
            {
                "main.py": "import p.a\nprint(p.a.b.c, p.d)\n",
                "p/__init__.py": "d = 1\n",
                "p/a.py": "from . import e as b\n",
                "p/e.py": "c = 2\n",
            },
            "d = 1\nc = 2\nprint(c, d)",
        ),
        (
            {
                "main.py": "import re\n"
                "from src_of.a import *\nimport src_of.b as b\nx, b.x, b.re\n",
                "src_of/a.py": "import re\nx = re\n",
                "src_of/b.py": "from os import path as re\nx = [re for x in re]\n",
            },
            "import re\nimport re\nx = re\nfrom os import path as re_2\n"
            "x_2 = [re_2 for x in re_2]\nx, x_2, re_2",
        ),
        (
            {
                "main.py": '"""Says."""\nfrom __future__ import annotations\n'
                "import a\na.f(a=a.a)\n",
                "a.py": "from b import f, g\nimport os, b\na = b.a\n",
                "b.py": "from __future__ import annotations\na = 3\ndef f(a): return lambda: a\n"
                "class g:\n    b = a\n    def m(self): return a\n",
            },
            'from __future__ import annotations\n"""Says."""\na_2 = 3\n'
            "def f(a): return lambda: a\nclass g:\n    b = a_2\n    def m(self): return a_2\n"
            "import os\na = a_2\nf(a=a)",
        ),
        (
            {
                "main.py": "def late():\n    from lib import f, nowhere\n    return f\n"
                "@late\nclass A: pass\n",
                "lib.py": "f = 'ä'; import main\n",
            },
            "f = 'ä'; import main\ndef late():\n    pass\n    return f\n@late\nclass A: pass",
        ),
        (
            {
                "tests/main_test.py": "def test_it(given): pass\n",
                "conftest.py": "import lib\n",
                "tests/conftest.py": "import pytest\n@pytest.fixture\ndef given(): pass\n",
                "lib.py": "1\n",
            },
            "1\nimport pytest\n@pytest.fixture\ndef given(): pass\ndef test_it(given): pass",
        ),
    ],
    ids=["names", "modules", "clashes", "futures and scopes", "late", "setups"],
)
def test_all_that_a_file_imports_is_put_into_it(files: dict[str, str], whole: str) -> None:
    main = next(iter(files))
    assert merged(files, main)[0] == {main: whole}


def test_fewer_modules_are_put_into_it_each_with_all_that_import_it() -> None:
    files = {
        "main.py": "from p.a import a\nfrom p.b import b\n",
        "p/__init__.py": "",
        "p/a.py": "from .c import c\na = c\n",
        "p/b.py": "from .c import c as d\nb = d\n",
        "p/c.py": "from .e import e\nc = e\n",
        "p/e.py": "e = 1\n",
    }
    rest = {path: text.strip() for path, text in files.items() if path != "main.py"}
    less = {path: text for path, text in rest.items() if path not in ("p/a.py", "p/b.py")}
    rest.pop("p/a.py")
    assert merged(files) == [
        {"main.py": "e = 1\nc = e\na = c\nb = c"},
        {"main.py": "from p.c import c\na = c\nfrom p.c import c as d\nb = d", **less},
        {"main.py": "from p.c import c\na = c\nfrom p.b import b", **rest},
    ]


def test_what_lies_in_a_package_or_is_broken_stays_where_it_is() -> None:
    files = {
        "main.py": "import json, q\nfrom broken import x\n",
        "p/__init__.py": "",
        "p/json.py": "loads = 1\n",
        "broken.py": "x = (\n",
    }
    assert merged(files) == []
    assert merged(files, "broken.py") == []


def test_a_merged_program_does_what_the_package_did(tmp_path: Path) -> None:
    files = {
        "main.py": "import shop\nfrom shop import cart as basket, prices\n"
        "print(shop.total(basket.Cart(['a'])), prices.PRICES, shop.cart.LIMIT)\n",
        "shop/__init__.py": "from shop.cart import Cart\nfrom .prices import total\n",
        "shop/cart.py": "LIMIT = 1\nclass Cart:\n    def __init__(self, items):\n"
        "        LIMIT = items\n        self.items = LIMIT\n",
        "shop/prices.py": "from . import cart\nLIMIT = 2\nPRICES = {'a': LIMIT}\n"
        "def total(cart, *, more=LIMIT):\n    from .cart import LIMIT as limit\n"
        "    return [PRICES[each] + more + limit for each in cart.items]\n",
    }
    (whole, *_) = merged_modules(packed(files.items()), "main.py")
    told = []
    for name, folder in (("before", files), ("after", unpacked(whole))):
        for path, content in folder.items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(content)
        ran = subprocess.run(
            [sys.executable, "main.py"], cwd=tmp_path / name, capture_output=True, text=True
        )
        told.append((ran.stdout, ran.stderr))
    assert list(unpacked(whole)) == ["main.py"]
    assert told == [("[5] {'a': 2} 1\n", "")] * 2
