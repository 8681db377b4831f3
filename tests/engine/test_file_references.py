"""References between the files of a folder: what goes with a file, and what takes its content."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from boildown.engine.reducing.references import references
from boildown.folder_text import packed, unpacked
from boildown.languages import detect
from helpers import run_pass


@pytest.mark.parametrize(
    ("path", "content", "known", "goes", "to"),
    [
        ("a.c", '#include "b.h"\nint a;\n', "b.h", '#include "b.h"\n', "b.h"),
        ("src/a.c", "#include <x/b.h>\n", "include/x/b.h", "#include <x/b.h>\n", "include/x/b.h"),
        ("src/a.c", '# include "../b.h"\n', "b.h", '# include "../b.h"\n', "b.h"),
        ("p/a.py", "from .b import c\nc()\n", "p/b.py", "from .b import c\n", "p/b.py"),
        (
            "p/a.py",
            "from . import (\n    b\n)\n",
            "p/b.py",
            "from . import (\n    b\n)\n",
            "p/b.py",
        ),
        ("p/q/a.py", "from ..b import *\n", "p/b.py", "from ..b import *\n", "p/b.py"),
        ("a.py", "from p.b import c as d # e\n", "src/p/b.py", None, "src/p/b.py"),
        ("a.py", "import p.b as b\n", "p/b.py", "import p.b as b\n", "p/b.py"),
        ("a.py", "import p\n", "p/__init__.py", "import p\n", "p/__init__.py"),
        ("lib/a.js", "const b = require('./b');\n", "lib/b.js", None, "lib/b.js"),
        ("a.js", "f(require('./lib'));\n", "lib/index.js", "require('./lib')", "lib/index.js"),
        ("a.mjs", 'import {\n  b\n} from "./b.mjs";\n', "b.mjs", None, "b.mjs"),
        ("Makefile", "x: a.o b.o\n\tcc a.o b.o\n", "b.c", " b.o", "b.c"),
        ("Makefile", "x: b.h\n\tcc x\n", "b.h", " b.h", "b.h"),
        ("a.tex", "A \\input{parts/b} C\n", "parts/b.tex", "\\input{parts/b}", "parts/b.tex"),
        ("t/a.html", "<p>{% include 'b.html' %}", "t/b.html", "{% include 'b.html' %}", "t/b.html"),
        ("a.rst", ".. include:: b.rst\n", "b.rst", ".. include:: b.rst\n", "b.rst"),
        ("a.rst", ".. toctree::\n\n   b\n", "b.rst", "   b\n", "b.rst"),
    ],
)
def test_what_refers_to_a_file(
    path: str, content: str, known: str, goes: str | None, to: str
) -> None:
    text = packed([(path, content), (known, "")])
    found = references(text)
    # All of the file if nothing else is said.
    assert {text[each.start : each.end] for each in found} == {content if goes is None else goes}
    assert {each.to for each in found} == {(to,)}


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("a.c", "#include <stdio.h>\n"),
        ("a.py", "import b.c\nfrom .c import b\n"),
        ("a.py", "# import b\n"),
        ("a.js", "require('b');\n"),
        ("a.txt", "import b\n"),
    ],
)
def test_what_leads_to_no_file_of_the_folder_is_no_reference(path: str, content: str) -> None:
    known = [("b.py", ""), ("b.js", ""), ("x/b.h", "")]
    assert references(packed([(path, content), *known])) == []


def test_of_two_files_that_a_name_may_mean_none_is_taken() -> None:
    files = [("src/a.c", '#include "b.h"\n'), ("x/b.h", ""), ("y/b.h", "")]
    assert references(packed(files)) == []


def reduced(
    name: str, files: Mapping[str, str], fails: Callable[[dict[str, str]], bool]
) -> dict[str, str]:
    text = packed(files.items())

    def test(candidate: str) -> bool:
        return fails(unpacked(candidate))

    return unpacked(run_pass(name, text, test, detect("project", text))[0])


def test_files_go_with_all_that_refers_to_them() -> None:
    names = [f"part{number}" for number in range(12)]
    includes = "".join(f'#include "{name}.h"\n' for name in names)
    files = {"main.c": includes + "int main;\n", "all.h": includes}
    files |= {f"{name}.h": f"int {name};\n" for name in names}

    def fails(found: dict[str, str]) -> bool:
        """Say whether each file that is included is there, and the seventh is."""
        included = {
            line.split('"')[1]
            for content in found.values()
            for line in content.splitlines()
            if "include" in line
        }
        return included <= {*found} and {"main.c", "all.h", "part7.h"} <= {*found}

    assert reduced("links", files, fails) == {
        "main.c": '#include "part7.h"\nint main;\n',
        "all.h": '#include "part7.h"\n',
        "part7.h": "int part7;\n",
    }


def joined(files: Mapping[str, str], *needed: str) -> dict[str, str]:
    """Put files in place of references to them, where all words that are needed stay."""

    def fails(found: dict[str, str]) -> bool:
        return all(word in "".join(found.values()) for word in needed)

    return reduced("inclusions", files, fails)


def test_headers_stand_where_they_are_included() -> None:
    files = {
        "include/a.h": '#include "b.h"\nint a;\n',
        "include/b.h": "int b;",
        "src/main.c": '#include "a.h"\n#include "b.h"\nint main;\n',
    }
    assert joined(files, "int a;", "int b;") == {"src/main.c": "int b;\nint a;\nint main;\n"}


def test_modules_stand_where_their_names_are_imported() -> None:
    files = {
        "lib/first.py": "from . import second\nfrom .third import old as new\nx = second.y + new\n",
        "lib/second.py": "y = 1\n",
        "lib/third.py": "old = 2\n",
        "run.py": "import lib.first\nfrom lib.first import x\nprint(lib.first.x)\n",
    }
    # Two statements take the first module's names, so it stays.
    assert joined(files, "y = 1", "old = 2", "x = ") == {
        "lib/first.py": "y = 1\nold = 2\nnew=old\nx = y + new\n",
        "run.py": files["run.py"],
    }
    files["run.py"] = "import lib.first\nprint(lib.first.x)\n"
    assert joined(files, "y = 1", "old = 2", "x = ") == {
        "run.py": "y = 1\nold = 2\nnew=old\nx = y + new\nprint(x)\n"
    }


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("from src.lib.part import f", "from src.lib.other import g\nfrom src.more import h\n"),
        ("from lib.part import f", "from lib.other import g\nfrom ..more import h\n"),
    ],
)
def test_relative_imports_lead_to_the_same_modules_from_elsewhere(
    statement: str, wanted: str
) -> None:
    files = {
        "src/lib/part.py": "from .other import g\nfrom ..more import h\n",
        "tests/test_it.py": f"{statement}\n",
    }
    assert joined(files, "g", "h") == {"tests/test_it.py": wanted}


def test_relative_imports_of_a_folder_below_lead_there() -> None:
    files = {
        "lib/sub/part.py": "from .other import g\nfrom ..more import h\n",
        "lib/main.py": "from .sub.part import f\n",
    }
    assert joined(files, "g", "h") == {
        "lib/main.py": "from .sub.other import g\nfrom .more import h\n"
    }


def test_a_file_that_several_import_names_of_stays() -> None:
    files = {"a.py": "from c import d\n", "b.py": "from c import e\n", "c.py": "d = e = 1\n"}
    assert joined(files, "d") == files
