"""The plugin of pytest on packages of the registry, each broken in one line, as a user types it.

    python -m benchmarks.pytest_flow [SECONDS]

The packages are source releases with tests of their own, unpacked below the other benchmarks'
environments. The Python that runs this runs their tests. Each line of the table is one session of
pytest: `--boildown` in its forms, with a test of pytest that reads a file, parametrized values, a
unittest, with xdist, and with --lf. The exit status must be that of pytest without the option.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bugs import ENVIRONMENTS
from benchmarks.markdown import table


@dataclass(frozen=True, slots=True)
class Broken:
    """A source release, and the line that is changed."""

    release: str
    file: str
    before: str
    after: str


SQLPARSE = Broken(
    "sqlparse==0.4.4",
    "sqlparse/engine/statement_splitter.py",
    "max(0, self._begin_depth - 1)",
    "max(self._begin_depth - 1)",
)
XMLTODICT = Broken(
    "xmltodict==0.13.0", "xmltodict.py", "self.data.append(data)", "self.data.add(data)"
)
INFLECTION = Broken(
    "inflection==0.5.1", "inflection/__init__.py", '}.get(number % 10, "th")', "}[number % 10]"
)


@dataclass(frozen=True, slots=True)
class Flow:
    """A session: the options and tests that are typed after pytest, and what comes before it."""

    broken: Broken
    typed: str
    first: str = ""
    """The options of a session before it, without Boildown."""


FLOWS = (
    Flow(SQLPARSE, "-x --boildown tests/test_split.py"),
    Flow(SQLPARSE, "-x --boildown=hint tests/test_format.py"),
    Flow(XMLTODICT, "-n 2 --boildown=reduce tests/test_xmltodict.py"),
    Flow(INFLECTION, "--boildown --boildown-report=bug.md -x test_inflection.py"),
    Flow(INFLECTION, "--lf -x --boildown test_inflection.py", first="-x test_inflection.py"),
)


def source(broken: Broken) -> Path:
    """Return the folder of the broken package, which is got where it is not there yet."""
    target = ENVIRONMENTS / "pytest" / broken.release
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as made:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
        command = [*pip, "--no-deps", "--no-binary", ":all:", broken.release]
        subprocess.run(command, cwd=made, check=True)
        with tarfile.open(next(Path(made).glob("*.tar.gz"))) as archive:
            archive.extractall(Path(made, "unpacked"), filter="data")
        [top] = Path(made, "unpacked").iterdir()
        path = top / broken.file
        text = path.read_text("utf-8")
        if text.count(broken.before) != 1:
            raise SystemExit(f"{broken.file} of {broken.release} has not the line once.")
        path.write_text(text.replace(broken.before, broken.after), "utf-8")
        top.rename(target)
    return target


def session(folder: Path, typed: str) -> tuple[int, str]:
    """Run pytest as it is typed; return its exit status and its output."""
    state = {"XDG_CACHE_HOME": str(folder.parent / "cache")}
    environment = {**os.environ, **state, "XDG_STATE_HOME": str(folder.parent / "state")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:pytest_lsp", *shlex.split(typed)]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return ran.returncode, ran.stdout + ran.stderr


def told(output: str) -> tuple[str, str]:
    """Return what the plugin says: the line on the input with its sizes, and the reduced input."""
    if (hint := re.search(r"^boildown: the input is reduced by: (.*)$", output, re.M)) is not None:
        return hint[1], ""
    lines = iter(re.sub(r"^boildown: ", "", output, flags=re.M).splitlines())
    for line in lines:
        if re.search(r": [\d,]+ → [\d,]+ bytes? in", line):
            return line, next(lines).strip()
    return "nothing", ""


def main(argv: list[str]) -> int:
    """Run the sessions and print the table; return 1 if one is not as it should be."""
    seconds, wrong, rows = argv[0] if argv else "60", 0, []
    for flow in FLOWS:
        with tempfile.TemporaryDirectory(prefix="pytest-flow-") as made:
            folder = Path(made, flow.broken.release)
            shutil.copytree(source(flow.broken), folder)
            if flow.first:
                session(folder, flow.first)
            plain = re.sub(r"--boildown\S*", "", flow.typed)
            status, output = session(folder, f"--boildown-seconds={seconds} {flow.typed}")
            line, result = told(output)
            if "=hint" in flow.typed:
                words = [sys.executable, "-m", *shlex.split(line), "--json"]
                ran = subprocess.run(words, cwd=folder, capture_output=True, text=True)
                line = f"{line} (exit status {ran.returncode})"
                result = str(json.loads(ran.stdout)["written"]) if ran.returncode == 0 else ""
            same = session(folder, plain)[0] == status == 1
            is_reported = "report" not in flow.typed or (folder / "bug.md").exists()
            wrong += not (same and result and is_reported)
        rows.append((flow.broken.release, f"pytest {flow.typed}", line, result, same))
        print(rows[-1], file=sys.stderr, flush=True)
    head = ("package", "typed", "told", "reduced", "exit status unchanged")
    print(table(head, rows))
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
