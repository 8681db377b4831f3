"""A folder of crashes of a real program: how many bugs `reduce --each` sees in it, and how small.

    python -m benchmarks.each

The program is an old release of a parser of TOML, toml 0.9.6, which raises other errors than its
own on malformed documents; it is installed into a folder below the other benchmarks' environments.
The inputs are documents that are mutated with a fixed seed: 30 of those on which it crashes, by the
four bugs that are met most. The truth is the type of the exception with the number of the line that
raised it, told by the program's own process; Boildown sees the command alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.bugs import ENVIRONMENTS
from benchmarks.markdown import table

RELEASE = "toml==0.9.6"
MUTANTS, BUGS, INPUTS = 8_000, 4, 30
FUZZ = r'''
import collections, json, pathlib, random, sys, traceback, toml

def document(rng):
    lines = ['title = "Orders"', "when = 1979-05-27T07:32:00Z", "limits = [ 1.5, -2.0e3 ]"]
    lines += ['note = """', "several", 'lines"""', "inline = { x = 1, y = \"two\" }"]
    for number in range(rng.randint(3, 15)):
        lines += ["[[products]]", f'name = "No. {number} \\u0041"']
        lines += [f"sku = {rng.randrange(10**9)}"]
        lines += [f"ports = [ {rng.randrange(9999)}, 8002 ]", f"path = 'C:\\dir{number}'"]
        lines += ["hosts = [", '  "alpha",', '  "omega"', "]", f"[servers.s{number}]", "on = true"]
    return "\n".join(lines) + "\n"

PIECES = [*"[]{}\"'=,.#\n-+:_T0 ", '"""', "\'\'\'", "[[", "]]", "\\u", "1979-05-27", "0x", "\n[a."]

def mutated(text, rng):
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text))
        end = at + rng.choice([0, 1, 1, 2, 5, 30])
        instead = rng.choice(PIECES) if rng.random() < 0.7 else text[at:end] * 2
        text = text[:at] + instead + text[end:]
    return text

target, mutants, bugs, inputs = pathlib.Path(sys.argv[1]), *map(int, sys.argv[2:])
rng, crashes = random.Random(20), collections.defaultdict(list)
for _ in range(mutants):
    text = mutated(document(rng), rng)
    try:
        toml.loads(text)
    except toml.TomlDecodeError:
        pass
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1].lineno
        crashes[f"{type(error).__name__} in line {line}"].append(text)
most = sorted(crashes, key=lambda bug: -len(crashes[bug]))[:bugs]
found = [(bug, text) for bug in most for text in crashes[bug]]
# The rarer bugs keep all of their inputs.
found = found[-inputs:]
rng.shuffle(found)
truth = {}
for number, (bug, text) in enumerate(found):
    truth[name := f"id:{number:06d},src:000000"] = bug
    (target / name).write_text(text)
print(json.dumps(truth))
'''
PROGRAM = """\
import sys, toml
try:
    toml.load(sys.argv[1])
except toml.TomlDecodeError as error:
    print(error)
"""


def main() -> int:
    """Make the folder, reduce each bug of it, and print the table; return the exit status."""
    python = _installed()
    with tempfile.TemporaryDirectory(prefix="each-") as made:
        folder = Path(made, "crashes")
        folder.mkdir()
        fuzz = [str(python), "-c", FUZZ, str(folder), *map(str, (MUTANTS, BUGS, INPUTS))]
        truth: dict[str, str] = json.loads(_output(fuzz, made))
        Path(made, "program.py").write_text(PROGRAM)
        command = [sys.executable, "-m", "boildown", "reduce", "crashes", "--each", "--json"]
        lines = _output([*command, "--fresh", "--", str(python), "program.py", "@@"], made)
        *bugs, summary = map(json.loads, lines.splitlines())
        rows = []
        for bug in bugs:
            reduction = bug["reduction"]
            shown = Counter(truth[Path(path).name] for path in bug["inputs"])
            rows.append(
                (
                    ", ".join(f"{name} ({count})" for name, count in shown.items()),
                    str(len(bug["inputs"])),
                    f"{reduction['bytes_before']:,}",
                    str(reduction["bytes_after"]),
                    str(reduction["runs"]),
                    json.dumps(Path(made, bug["output"]).read_text()),
                )
            )
        head = ("bug, by the program's own process", "inputs", "before", "after", "runs", "reduced")
        print(table(head, rows))
        real = len(set(truth.values()))
        print(
            f"\n{RELEASE}: {len(truth)} inputs of {real} bugs; sorted into {summary['bugs']};"
            f" {summary['bytes_before']:,} → {summary['bytes_after']} bytes in {summary['runs']:,}"
            f" runs and {summary['seconds']:.0f} s"
        )
        mixed = any("," in row[0] for row in rows)
    return int(mixed or summary["bugs"] != real or summary["finished"] != real)


def _installed() -> Path:
    """Return the Python that has the release; it is installed where it is not there."""
    home = ENVIRONMENTS / "each"
    python = home / "bin/python"
    if not python.exists():
        _output([sys.executable, "-m", "venv", str(home)], ".")
        _output([str(python), "-m", "pip", "install", "--quiet", RELEASE], ".")
    return python


def _output(command: list[str], folder: str) -> str:
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(f"{command[:4]} failed: {ran.stderr[-2000:]}")
    return ran.stdout


if __name__ == "__main__":
    raise SystemExit(main())
