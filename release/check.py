"""The checklist of a release: `python -m release.check [ITEM …]`, by itself `make release-check`.

Each item prints a line: what holds, or FAILED and what to do. The exit status is 1 if one failed.
Addresses on the network are not asked: a release must not fail since a site is down.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import tomlkit

ROOT = Path(__file__).parents[1]
EXTENSION = ROOT / "vscode-extension"
TAG = "BOILDOWN_TAG"
"""The variable that holds the tag of a release, `vX.Y.Z`, where one is being made."""
LARGEST_EXTENSION = 2_000_000
"""Bytes of the packed extension."""
IN_SDIST = (
    *("LICENSE", "README.md", "CHANGELOG.md", "Makefile", "pyproject.toml", "PKG-INFO"),
    *("server/boildown/py.typed", "server/pytest_boildown.py", "grammars/json/grammar.lark"),
    *("docs/configuration.md", "tests/helpers.py", "release/check.py"),
)
IN_WHEEL = (
    *("boildown/py.typed", "boildown/__main__.py", "pytest_boildown.py"),
    *("boildown/grammars/json/grammar.lark", "boildown/demo/orders.json"),
)
IN_EXTENSION = (
    *("extension.vsixmanifest", "[[]Content_Types].xml", "extension/package.json"),
    *("extension/changelog.md", "extension/readme.md", "extension/LICENSE.txt"),
    *("extension/NOTICE.txt", "extension/launch.py", "extension/out/extension.js"),
    *("extension/out/panel.js", "extension/out/panel.css", "extension/out/tree.js"),
    *("extension/media/icon.png", "extension/media/walkthrough/*", "extension/bundled/libs/*.py"),
    *("extension/bundled/libs/*/py.typed", "extension/bundled/libs/*.dist-info/*"),
    *("extension/bundled/libs/*.lark", "extension/bundled/libs/boildown/grammars/*"),
    *("extension/bundled/libs/boildown/demo/*", "extension/bundled/libs/parso/*.txt"),
)
"""Patterns of the files that the packed extension may hold."""
CATEGORIES = {
    *("AI", "Azure", "Chat", "Data Science", "Debuggers", "Education", "Extension Packs"),
    *("Formatters", "Keymaps", "Language Packs", "Linters", "Machine Learning", "Notebooks"),
    *("Other", "Programming Languages", "SCM Providers", "Snippets", "Testing", "Themes"),
    "Visualization",
}
"""What an extension may be filed under in the marketplaces."""
SHOWN_IN_GALLERY = (
    *("displayName", "description", "publisher", "license", "icon", "galleryBanner"),
    *("repository", "homepage", "bugs", "qna", "categories", "keywords"),
)
"""Fields of the manifest that the page of an extension is made of."""
MOST_KEYWORDS = 30
SMALLEST_ICON = 128
NEEDLESS = ("*/__pycache__/*", "*.pyc", "*/node_modules/*", "*/.git/*", "*.vsix", "*/.venv/*")
PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|BlueOak|ISC|PSF|Python Software|0BSD|Unlicense|Zlib)\b")
ONLY_IMPORTED = re.compile(r"\bMPL[- ]2\.0\b|Mozilla Public License 2\.0")
"""A licence that asks nothing of who only imports the package."""


class Wrong(Exception):  # noqa: N818 - says what is the case
    """An item does not hold; the message says what to do."""


def project() -> dict[str, Any]:
    """Return the table `project` of pyproject.toml."""
    found: dict[str, Any] = tomlkit.parse((ROOT / "pyproject.toml").read_text()).unwrap()
    table: dict[str, Any] = found["project"]
    return table


def package() -> dict[str, Any]:
    """Return the manifest of the extension."""
    found: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    return found


def versions() -> str:
    """Version of the package, the clients, both changelogs, and what is installed."""
    lock = json.loads((EXTENSION / "package-lock.json").read_text())
    emacs = re.search(r"^;; Version: (.+)$", (ROOT / "emacs" / "boildown.el").read_text(), re.M)
    command = [sys.executable, "-m", "boildown", "--version"]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    found = {
        "pyproject.toml": project()["version"],
        "package.json": package()["version"],
        "package-lock.json": lock["version"],
        "boildown.el": emacs[1] if emacs else "nothing",
        "CHANGELOG.md": latest(ROOT / "CHANGELOG.md"),
        "the extension's CHANGELOG.md": latest(EXTENSION / "CHANGELOG.md"),
        "boildown --version": said.partition("\n")[0].removeprefix("boildown "),
    }
    if tag := os.environ.get(TAG):
        found["the tag"] = tag.removeprefix("v")
    if len(set(found.values())) > 1:
        raise Wrong(", ".join(f"{place} says {version}" for place, version in found.items()))
    return f"{found['pyproject.toml']} everywhere"


def latest(changelog: Path) -> str:
    """Return the version of the uppermost section of a changelog. Raises Wrong."""
    found = re.search(r"^## (\d+\.\d+\.\d+)", changelog.read_text(), re.M)
    if found is None:
        raise Wrong(f"{changelog} has no section `## VERSION`")
    return found[1]


def changes() -> str:
    """Section of the changelog that says what this version brings."""
    sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)
    title, _, body = sections[1].partition("\n")
    items = re.findall(r"^- ", body, re.M)
    if not items:
        raise Wrong(f"the section {title!r} of CHANGELOG.md is empty")
    if os.environ.get(TAG) and "unreleased" in title:
        raise Wrong(f"the section {title!r} of CHANGELOG.md needs the date in place of this word")
    return f"{len(items)} of {title}"


def tree() -> str:
    """State of the working tree: all that is released is committed."""
    told = run(["git", "status", "--porcelain"])
    if told:
        raise Wrong(f"commit or remove: {', '.join(line[3:] for line in told.splitlines())}")
    return f"at {run(['git', 'rev-parse', '--short', 'HEAD']).strip()}"


def addresses() -> str:
    """Addresses of the project, which package, extension and documents agree on."""
    urls = project()["urls"]
    home = urls["Source"]
    extension = package()
    others = {
        **urls,
        "repository": extension["repository"]["url"],
        "homepage": extension["homepage"],
        "bugs": extension["bugs"]["url"],
        "qna": extension["qna"],
    }
    if astray := [f"{name} {url}" for name, url in others.items() if not url.startswith(home)]:
        raise Wrong(f"these do not begin with {home}: {', '.join(astray)}")
    return f"{len(others)} begin with {home}"


def manifest() -> str:
    """Manifest of the extension: what marketplaces show, and a VS Code that is tested."""
    found = package()
    if absent := [name for name in SHOWN_IN_GALLERY if not found.get(name)]:
        raise Wrong(f"package.json lacks {', '.join(absent)}")
    if strange := set(found["categories"]) - CATEGORIES:
        raise Wrong(f"no marketplace has the categories {', '.join(sorted(strange))}")
    if len(found["keywords"]) > MOST_KEYWORDS:
        raise Wrong(f"package.json has more than {MOST_KEYWORDS} keywords")
    icon = (EXTENSION / found["icon"]).read_bytes()
    width, height = int.from_bytes(icon[16:20], "big"), int.from_bytes(icon[20:24], "big")
    if icon[1:4] != b"PNG" or width != height or width < SMALLEST_ICON:
        raise Wrong(f"{found['icon']} is no square PNG of {SMALLEST_ICON} pixels or more")
    if found.get("extensionKind") != ["workspace"]:
        raise Wrong("the extension must run where the workspace is: extensionKind")
    needed, tested = minor(found["engines"]["vscode"]), min(tested_codes())
    if needed > tested:
        raise Wrong(f"engines.vscode is 1.{needed}, and the browser tests run 1.{tested}")
    if minor(found["devDependencies"]["@types/vscode"]) != needed:
        raise Wrong("@types/vscode has another version than engines.vscode")
    return f"VS Code 1.{needed} and later, tested from 1.{tested} on"


def minor(version: str) -> int:
    """Return the second number of a version or of a range of versions."""
    return int(version.split(".")[1])


def tested_codes() -> list[int]:
    """Return the minor versions of the VS Code that the browser tests run.

    Code-server 4.N carries VS Code 1.N.
    """
    script = (EXTENSION / "e2e" / "install.sh").read_text("utf-8")
    return [int(found) for found in re.findall(r"\brelease=4\.(\d+)\.", script)]


def sdist() -> str:
    """Source distribution: it holds what a packager needs, and builds the same wheel."""
    built = distributions()
    with tarfile.open(built[".tar.gz"]) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    refuse_needless(names, IN_SDIST)
    with tempfile.TemporaryDirectory() as folder:
        run([*PIP, "wheel", "--quiet", "--no-deps", "-w", folder, str(built[".tar.gz"])])
        (again,) = Path(folder).glob("*.whl")
        if contents(again) != contents(built[".whl"]):
            raise Wrong("the wheel that it builds is not that of the working tree")
    return f"{len(names)} files, and the same wheel from them"


def wheel() -> str:
    """Wheel: code, grammars and the demo, and nothing else."""
    names = set(contents(distributions()[".whl"]))
    refuse_needless(names, IN_WHEEL)
    tops = {name.partition("/")[0] for name in names}
    if astray := {top for top in tops if not re.fullmatch(r"(pytest_)?boildown[\w.-]*", top)}:
        raise Wrong(f"it has {', '.join(sorted(astray))}")
    return f"{len(names)} files"


def readme() -> str:
    """README as a registry shows it: it renders, and each link says where it leads."""
    files = list(map(str, distributions().values()))
    with tempfile.TemporaryDirectory() as folder:
        run([sys.executable, "-m", "venv", folder])
        own = [str(Path(folder, "bin", "python")), "-m"]
        run([*own, *PIP[2:], "install", "--quiet", "twine", "readme_renderer[md]"])
        run([*own, "twine", "check", "--strict", *files])
    with zipfile.ZipFile(distributions()[".whl"]) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        text = archive.read(name).decode()
    if relative := [link for link in targets(text) if not re.match(r"https?:|#", link)]:
        raise Wrong(f"these links lead nowhere outside the repository: {', '.join(relative)}")
    return "renders, with full links"


def licences() -> str:
    """Licences of what Boildown needs, with all extras, and of what the extension bundles."""
    wanted = {"boildown"}
    extras = set(project()["optional-dependencies"]) - {"dev"}
    while more := set(needed(wanted, extras)) - wanted:
        wanted |= more
    found = {name: licence(name) for name in wanted}
    lock = json.loads((EXTENSION / "package-lock.json").read_text())["packages"]
    found |= {
        path.rpartition("node_modules/")[2]: package.get("license", "none")
        for path, package in lock.items()
        if path and not package.get("dev")
    }
    if strange := [f"{name} ({said})" for name, said in found.items() if not is_permissive(said)]:
        raise Wrong(f"not permissive: {', '.join(sorted(strange))}")
    return f"{len(found)} packages"


def is_permissive(said: str) -> bool:
    """Say whether a licence leaves it to the user under which terms Boildown is used."""
    return bool(PERMISSIVE.search(said) or ONLY_IMPORTED.search(said))


def needed(names: Iterable[str], extras: set[str]) -> Iterator[str]:
    """Yield the installed distributions that some require; `extras` are those of Boildown."""
    for name in names:
        for required in metadata.requires(name) or []:
            text, _, marker = required.partition(";")
            extra = re.search(r"extra == ['\"]([\w-]+)['\"]", marker)
            if extra is not None and (name != "boildown" or extra[1] not in extras):
                continue
            found = re.match(r"[\w.-]+", text)
            assert found is not None
            try:
                yield metadata.metadata(found[0])["Name"]
            except metadata.PackageNotFoundError:
                # It is for another system or another Python, or it is missing, as pip would say.
                if not marker:
                    raise Wrong(f"{found[0]} is not installed: run `make`, then again") from None


def licence(name: str) -> str:
    """Return what a distribution says of its licence."""
    said = metadata.metadata(name)
    classifiers = [each for each in said.get_all("Classifier", []) if each.startswith("License ::")]
    stated = said.get_all("License-Expression", classifiers or said.get_all("License", ["none"]))
    return ", ".join(stated)


def extension() -> str:
    """Packed extension: small, and without a file that it does not need."""
    run(["make", "vsix"])
    packed = EXTENSION / f"boildown-{project()['version']}.vsix"
    size = packed.stat().st_size
    with zipfile.ZipFile(packed) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        shown = archive.read("extension/readme.md").decode()
    if astray := [name for name in names if not any(fnmatch(name, each) for each in IN_EXTENSION)]:
        raise Wrong(f"{packed.name} holds {', '.join(astray[:9])}")
    if outside := [each for each in pictures(shown) if not each.startswith("data:image/png;")]:
        raise Wrong(f"its README shows pictures that are not in it: {', '.join(outside)}")
    if size >= LARGEST_EXTENSION:
        raise Wrong(f"{packed.name} has {size:,} bytes, more than {LARGEST_EXTENSION:,}")
    return f"{packed.name}, {size:,} bytes, {len(names)} files"


def pictures(text: str) -> list[str]:
    """Return where the pictures of a Markdown text are."""
    return re.findall(r"(?:!\[[^\]]*\]\(|<img\b[^>]*\bsrc=\")([^)\s\"]+)", text)


def documentation() -> str:
    """Documentation as a site."""
    if not re.search(r"^docs:", (ROOT / "Makefile").read_text(), re.M):
        # Make would find the folder of that name, and be content.
        raise Wrong("the Makefile has no target `docs`")
    run(["make", "docs"])
    return "built"


def links() -> str:
    """Links between the documents of the repository."""
    pages = [ROOT / name for name in run(["git", "ls-files", "*.md"]).splitlines()]
    broken = [each for page in pages for each in broken_links(page)]
    if broken:
        raise Wrong("; ".join(broken))
    return f"those of {len(pages)} documents"


def broken_links(page: Path) -> Iterator[str]:
    """Yield what a Markdown file links to that is not there: files, and headings in them."""
    for link in targets(page.read_text("utf-8")):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        there = page.parent / path if path else page
        if not there.exists():
            yield f"{page.name}: {link}"
        elif anchor and there.suffix == ".md" and anchor not in anchors(there.read_text("utf-8")):
            yield f"{page.name}: {link} names no heading"


def targets(text: str) -> list[str]:
    """Return what the links and pictures of a Markdown text lead to, code left out."""
    text = re.sub(r"^ *(```+).*?^ *\1", "", text, flags=re.M | re.S)
    text = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text, flags=re.S)
    return re.findall(r"\]\(([^)\s]+)\)", text)


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a Markdown text, as forges make them."""
    titles = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


ITEMS: tuple[Callable[[], str], ...] = (
    *(versions, changes, tree, addresses, links, licences, manifest),
    *(wheel, sdist, readme, extension, documentation),
)
"""The checklist, what is quick first."""
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


@cache
def distributions() -> dict[str, Path]:
    """Build wheel and sdist into `dist/`; return each by its suffix."""
    run([sys.executable, "-m", "hatchling", "build", "--clean"])
    found = {
        suffix: ROOT / "dist" / f"boildown-{project()['version']}{suffix}"
        for suffix in ("-py3-none-any.whl", ".tar.gz")
    }
    return {".whl": found["-py3-none-any.whl"], ".tar.gz": found[".tar.gz"]}


def contents(distribution: Path) -> dict[str, bytes]:
    """Return the files of a wheel; two builds of the same sources have the same."""
    with zipfile.ZipFile(distribution) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def refuse_needless(names: set[str], wanted: Iterable[str]) -> None:
    """Raise Wrong if a file is missing in a distribution, or needless there."""
    if missing := [name for name in wanted if name not in names]:
        raise Wrong(f"it lacks {', '.join(missing)}")
    needless = [name for name in names if any(fnmatch(f"/{name}", each) for each in NEEDLESS)]
    if needless:
        raise Wrong(f"it has {', '.join(sorted(needless)[:9])}")


def run(command: list[str]) -> str:
    """Run a command in the repository; return its output. Raises Wrong with its last line."""
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if ran.returncode != 0:
        lines = (ran.stdout + ran.stderr).strip().splitlines()
        said = lines[-1] if lines else f"exit status {ran.returncode}"
        raise Wrong(f"`{' '.join(command)}` failed: {said}")
    return ran.stdout


def main() -> int:
    """Print a line for each item; return the exit status."""
    names = [item.__name__ for item in ITEMS]
    parser = argparse.ArgumentParser(description="Go through the checklist of a release.")
    parser.add_argument("items", nargs="*", metavar="ITEM", help=f"of {', '.join(names)}")
    asked = parser.parse_args().items
    if unknown := [name for name in asked if name not in names]:
        parser.error(f"there is no item {unknown[0]!r}; there are {', '.join(names)}")
    failed = []
    for item in ITEMS:
        if asked and item.__name__ not in asked:
            continue
        try:
            said = f"ok      {item.__name__}: {item()}"
        except Wrong as error:
            said = f"FAILED  {item.__name__}: {error}"
            failed.append(item.__name__)
        print(said, flush=True)
    if failed:
        print(f"Not ready for a release: {', '.join(failed)}.")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
