"""Makes the truth of bugs: the functions that the fixing release changed and that the run enters.

    python -m benchmarks.why.freeze FILE...

It also says whether each fails with its release and not with the fixed one. The truth is written
into the files; a bug that has none by the rule is named, and its file is to be taken out.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

from benchmarks.why.cases import HERE, MOST, Bug, Place, load, place
from benchmarks.why.functions import changed, functions
from benchmarks.why.stacks import stack

_CALLS = HERE / "calls"


def entered(laid: Place) -> set[tuple[Path, int]]:
    """Return the functions that a run enters: files, with first lines, or ends in JavaScript."""
    with tempfile.TemporaryDirectory(prefix="why-calls-") as made:
        if laid.bug.registry == "pip":
            laid.run(PYTHONPATH=str(_CALLS), WHY_CALLS=made)
            return set(_python_calls(Path(made)))
        laid.run(NODE_V8_COVERAGE=made)
        return set(_javascript_calls(Path(made)))


def _python_calls(folder: Path) -> Iterator[tuple[Path, int]]:
    for told in folder.iterdir():
        for line in told.read_text().splitlines():
            first, _, name = line.partition(" ")
            yield Path(name), int(first)


def _javascript_calls(folder: Path) -> Iterator[tuple[Path, int]]:
    for told in folder.iterdir():
        for script in json.loads(told.read_text())["result"]:
            for function in script["functions"]:
                whole = function["ranges"][0]
                if script["url"].startswith("file:") and whole["count"]:
                    yield Path(unquote(urlparse(script["url"]).path)), whole["endOffset"]


def truth(bug: Bug) -> list[tuple[str, str]]:
    """Return the functions of a bug: those that differ in the fixed release, and that run."""
    bad, fixed = place(bug), place(bug, bug.fixed)
    calls = entered(bad)
    found = []
    for path in sorted({path for path, _ in calls if path.is_relative_to(bad.packages)}):
        inner = path.relative_to(bad.packages)
        after = fixed.packages / inner
        before = functions(path)
        for each in changed(before, functions(after) if after.exists() else []):
            if (path, each.end or each.first) in calls:
                found.append((inner.as_posix(), each.name))
    return list(dict.fromkeys(found))


def fails(laid: Place, right: str) -> bool:
    """Say whether a run fails: with a status, or with another output than the right one."""
    status, printed, _ = laid.run()
    return status != 0 or (laid.bug.compared and printed != right)


def problem(bug: Bug) -> str:
    """Return why a bug is none of this benchmark, or nothing."""
    bad, fixed = place(bug), place(bug, bug.fixed)
    status, right, said = fixed.run()
    if status:
        return f"it fails with {bug.fixed}, too: {said[-300:]}"
    if not fails(bad, right):
        return f"it does not fail with {bug.bad}"
    status, _, said = bad.run()
    if bool(stack(said, bad.packages)) != (bug.kind == "crash"):
        return f"it is no {bug.kind}: {said[-300:]}"
    return ""


def main() -> int:
    """Check the bugs of the files that are named, and write their truth."""
    is_right = True
    for name in sys.argv[1:]:
        path = Path(name)
        bug = load(path)
        wrong = problem(bug)
        found = [] if wrong else truth(bug)
        if not wrong and not 0 < len(found) <= MOST:
            wrong = f"{len(found)} functions that differ are entered"
        print(f"{bug.name}: {wrong or found}", flush=True)
        is_right &= not wrong
        if not wrong:
            kept = path.read_text("utf-8").partition("\n[[truth]]")[0].rstrip()
            told = "".join(
                f'\n[[truth]]\nfile = "{file}"\nfunction = "{function}"\n'
                for file, function in found
            )
            path.write_text(f"{kept}\n{told}", "utf-8")
    return not is_right


if __name__ == "__main__":
    sys.exit(main())
