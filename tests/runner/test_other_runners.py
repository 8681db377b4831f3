"""The file that a test of `node --test`, Jest, `go test` or `cargo test` reads is reduced."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from boildown.jobs.reduce import reduce
from boildown.jobs.work import JobOptions
from boildown.runner.command import Isolation, from_argv
from boildown.runner.test_runners import runs_tests

LINES = "amber=3\nbasil=5\ncedar\ndelta=7\n"
JAVASCRIPT = {
    "lib/total.js": "exports.total = (text) =>\n"
    "  text.split('\\n').filter(Boolean)\n"
    "    .map((line) => line.split('=')[1].trim());\n",
    "test/total.test.js": "const fs = require('node:fs');\n"
    "const { total } = require('../lib/total.js');\n"
    "test('total', () => {\n"
    "  total(fs.readFileSync(`${__dirname}/orders.txt`, 'utf8'));\n"
    "});\n",
    "package.json": "{}",
}
PROJECTS: Mapping[str, Mapping[str, str]] = {
    "node --test test/total.test.js": JAVASCRIPT
    | {
        "test/orders.txt": LINES,
        "test/total.test.js": "const { test } = require('node:test');\n"
        + JAVASCRIPT["test/total.test.js"],
    },
    "jest test/total.test.js": JAVASCRIPT | {"test/orders.txt": LINES},
    "go test -run TestTotal": {
        "go.mod": "module example.test/receipts\n\ngo 1.18\n",
        "total_test.go": 'package receipts\n\nimport (\n\t"os"\n\t"strings"\n\t"testing"\n)\n\n'
        "func TestTotal(t *testing.T) {\n"
        '\ttext, _ := os.ReadFile("testdata/orders.txt")\n'
        "\tfor _, line := range strings.Fields(string(text)) {\n"
        '\t\t_ = strings.Split(line, "=")[1]\n\t}\n}\n',
        "testdata/orders.txt": LINES,
    },
    "cargo test --offline": {
        "Cargo.toml": '[package]\nname = "receipts"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": "",
        "tests/total.rs": "#[test]\nfn total() {\n"
        '    let text = std::fs::read_to_string("tests/orders.txt").unwrap();\n'
        "    for line in text.split_whitespace() {\n"
        "        line.split_once('=').unwrap();\n    }\n}\n",
        "tests/orders.txt": LINES,
    },
}


@pytest.mark.nightly
@pytest.mark.parametrize("line", PROJECTS)
def test_the_file_that_the_test_reads_is_reduced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    argv = line.split()
    if shutil.which(argv[0]) is None:
        pytest.skip(f"{argv[0]} is not installed; as root: apt install nodejs golang-go cargo")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    project = tmp_path / "project"
    for name, text in PROJECTS[line].items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    (project / "pyproject.toml").touch()
    file = next(project.rglob("orders.txt"))
    command = from_argv(argv, file, project, repeat=1)
    assert command.in_copy
    options = JobOptions("plain", passes=("ddmin",), fresh=True)
    done = reduce(LINES, command, options)
    assert len(done.reduction.text) == 1
    assert done.failures is not None
    assert done.failures[0] == done.failures[1]
    assert "[1]" in done.failures[0] or "unwrap()" in done.failures[0]
    assert file.read_text() == LINES


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("node --test test/a.test.js", True),
        ("node --import tsx --test", True),
        ("/usr/bin/go test ./...", True),
        ("cargo +nightly test -q", True),
        ("npx jest -t total", True),
        ("npm test", True),
        ("npm run test", True),
        ("yarn vitest", True),
        ("node test/a.test.js", False),
        ("go run ./test", False),
        ("cargo run", False),
        ("jest-like a", False),
        ("npm run test-data", False),
        ("mytool go test", False),
    ],
)
def test_commands_that_run_tests(line: str, wanted: bool) -> None:
    assert runs_tests(line.split()) is wanted


def test_a_test_runner_that_is_told_the_input_needs_no_mirror(tmp_path: Path) -> None:
    (tmp_path / "orders.txt").touch()
    file = Path("orders.txt")
    told = from_argv(["node", "--test", "a.js", "orders.txt"], file, tmp_path)
    assert not told.in_copy
    chosen = from_argv(["node", "--test", "a.js"], file, tmp_path, isolate=Isolation("none"))
    assert not chosen.in_copy
    found = from_argv(["node", "--test", "a.js"], file, tmp_path)
    assert found.in_copy
    assert found.notes == (
        "The tests run in a copy of the workspace, where the candidate is the input.",
    )
