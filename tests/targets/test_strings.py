"""String literals in tests of JavaScript, TypeScript and Go."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.targets.declined import Declined
from boildown.targets.strings import StringLiteral, StringToken, literals_at, syntax_of

JAVASCRIPT = syntax_of(Path("a.test.ts"))
GO = syntax_of(Path("a_test.go"))
assert JAVASCRIPT is not None
assert GO is not None
TEXTS = st.text(st.characters(exclude_categories=[])) | st.text("a\\\"'`${}\n\r\t/\0")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a.test.js", JAVASCRIPT),
        ("a.spec.tsx", JAVASCRIPT),
        ("test.mjs", JAVASCRIPT),
        ("test-it.js", None),
        ("a_test.go", GO),
        ("a.go", None),
        ("latest.ts", None),
    ],
)
def test_files_of_tests_have_a_syntax(name: str, found: object) -> None:
    assert syntax_of(Path(name)) is found


def at(code: str, marked: str = "HERE", syntax: object = JAVASCRIPT) -> StringLiteral | None:
    """Return the literal around a word of some code."""
    place = code.index(marked)
    found = literals_at(syntax, code, place, place)  # type: ignore[arg-type]
    return next((each for each in found if not each.token.is_data), None)


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("f([1, 'HERE'])", "[1, 'HERE']"),
        ("const x = { a: [{b: 'HERE'}], 'c': -1.5 };", "{ a: [{b: 'HERE'}], 'c': -1.5 }"),
        ("f({\n  // it's\n  a: `HERE`, b: null, c: undefined,\n})", None),
        ("return {a: [f('x'), ['HERE']]}", "['HERE']"),
        ("x = y ? [true, /* ] */ 'HERE'] : []", "[true, /* ] */ 'HERE']"),
        ("test('t', () => { a: 'HERE' })", ""),
        ("x['HERE']", ""),
        ("const [a, HERE] = x", ""),
        ("x = [a, 'HERE']", ""),
        ("f(`${'HERE'}`)", ""),
        ("test.each([['HERE', 1], ['b', 2]])", "[['HERE', 1], ['b', 2]]"),
        ("x = {_a: -1.5e-3, $b: +.5, 2: ['HERE']}", "{_a: -1.5e-3, $b: +.5, 2: ['HERE']}"),
        ("x = [1 - 2, 'HERE']", ""),
        ("x = [y[0], ['HERE']]", "['HERE']"),
        ("x = [/'/, ['HERE']]", "['HERE']"),
        ("x = [`${[`a`]}`, ['HERE']]", "['HERE']"),
        ("[" * 9_000 + "'HERE'" + "]" * 9_000, "[" * 9_000 + "'HERE'" + "]" * 9_000),
        # By a regular expression over all of it, these would not end.
        (f"x = ['HERE',{' ' * 60}y]", ""),
        (f"x = ['HERE', {'1' * 60} * 2]", ""),
        (f"x = ['HERE', {{{', '.join(f'{n}: 0' for n in range(60))}}}, y]", ""),
    ],
)
def test_arrays_and_objects_of_literals_are_data(code: str, data: str | None) -> None:
    place = code.index("HERE")
    assert JAVASCRIPT is not None
    found = [each.value for each in literals_at(JAVASCRIPT, code, place, place)[1:]]
    assert found == ([code[2:-1]] if data is None else [data] if data else [])


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("f('HERE')", "HERE"),
        ('x = "HERE\\n\\x41\\u{1F600}\\ud83d\\ude00\\q"', "HERE\nA😀😀q"),
        ("`HERE\r\n\\`$ {`", "HERE\n`$ {"),
        ("/['\"]/.test('HERE')", "HERE"),
        ("a / b / 'HERE'", "HERE"),
        ("return /'/; x = 'HERE'", "HERE"),
        ("// it's\nf('HERE')", "HERE"),
        ("/* ' */ f('HERE')", "HERE"),
        ("`a ${f('HERE')} b`", "HERE"),
        ("`a ${`b ${1}`} c` + 'HERE'", "HERE"),
        ("x = {'a': {}, b: 'HERE'}", "HERE"),
        ("(a) / 2; y = 'HERE' / 1", "HERE"),
        ("'unclosed\nf('HERE')", "HERE"),
    ],
)
def test_strings_of_javascript_are_found_and_read(code: str, value: str) -> None:
    found = at(code)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    "code",
    [
        "// 'HERE'",
        "/'HERE'/",
        "import x from 'HERE'",
        "require('HERE')",
        "test('HERE', () => {})",
        "describe.only('HERE', () => {})",
        "x = {'HERE': 1}",
        "HERE",
    ],
)
def test_what_no_test_sees_is_not_found(code: str) -> None:
    assert at(code) is None


@pytest.mark.parametrize("code", ["`${1} HERE`", "`HERE ${`a`}`", "`a ${1} HERE ${2}`"])
def test_a_template_with_parts_is_declined(code: str) -> None:
    with pytest.raises(Declined, match="template with parts"):
        at(code)


@pytest.mark.parametrize("code", ["'\\1HERE'", "'HERE\\xg'", "'HERE\\u{110000}'"])
def test_literals_without_a_value_are_declined(code: str) -> None:
    found = at(code)
    assert found is not None
    with pytest.raises(Declined):
        _ = found.value


def test_the_test_around_a_string_is_the_innermost_one() -> None:
    code = (
        "describe('all', () => {\n  const a = 'ONE'\n  test('first', () => { f('TWO', `x`) })\n"
        "  it.only('second', () => g(['THREE']))\n  test.each([1])('n %i', () => h('FOUR'))\n})\n"
    )
    tests = [at(code, word) for word in ("ONE", "TWO", "THREE", "FOUR")]
    assert [each and each.token.test for each in tests] == [None, "first", "second", None]


@pytest.mark.parametrize("opening", ["'", '"', "`"])
@given(value=TEXTS)
def test_what_is_written_in_javascript_is_read_again(opening: str, value: str) -> None:
    value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    code = f"f({opening}{opening})"
    literal = StringLiteral(JAVASCRIPT, code, StringToken(2, 4))  # type: ignore[arg-type]
    written = literal.written(value)
    again = f"f({written})"
    assert list(JAVASCRIPT.tokens(again)) == [StringToken(2, 2 + len(written))]  # type: ignore[union-attr]
    assert JAVASCRIPT.read(written) == value  # type: ignore[union-attr]
    assert written.isprintable() or opening == "`"


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_node_reads_what_is_written() -> None:
    values = ["", "a'b\"c`d", "${x}\\${y}\\\\", "\n\r\t\0\x7f\u2028", "😀\ud800", "\\n", "\\\n"]
    literals = [
        JAVASCRIPT.write(value, quote * 2, "\n")  # type: ignore[union-attr]
        for value in values
        for quote in "'\"`"
    ]
    program = f"console.log(JSON.stringify([{','.join(literals)}]))"
    done = subprocess.run(
        ["node", "-e", program.replace("\0", "")], capture_output=True, check=True
    )
    assert json.loads(done.stdout) == [value for value in values for _ in range(3)]


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ('f("HERE\\n\\x41\\u00e9\\101")', "HERE\nAéA"),
        ('f(`HERE\\n\r\n"`)', 'HERE\\n\n"'),
        ('f(\'"\', "HERE")', "HERE"),
        ('// "\nf("HERE")', "HERE"),
        ('f("HERE\\xff\\xc3\\xa9")', "HERE\udcffé"),
    ],
)
def test_strings_of_go_are_found_and_read(code: str, value: str) -> None:
    found = at(code, syntax=GO)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    "code", ['import "HERE"', 'import (\n\t"fmt"\n\tx "HERE"\n)', 't.Run("HERE", f)', '// "HERE"']
)
def test_what_no_test_of_go_sees_is_not_found(code: str) -> None:
    assert at(code, syntax=GO) is None


def test_the_test_around_a_string_of_go_is_its_function() -> None:
    code = 'var x = "ONE"\n\nfunc TestA(t *testing.T) {\n\tf("TWO")\n}\n\nvar y = "THREE"\n'
    tests = [at(code, word, GO) for word in ("ONE", "TWO", "THREE")]
    assert [each and each.token.test for each in tests] == [None, "TestA", None]


@pytest.mark.parametrize("opening", ['"', "`"])
@given(value=st.text() | st.text("a\\\"'`\n\r\t\udcff\udc80é"))
def test_what_is_written_in_go_is_read_again(opening: str, value: str) -> None:
    value = value.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    written = GO.write(value, opening * 2, "\n")  # type: ignore[union-attr]
    assert [each.end for each in GO.tokens(written)] == [len(written)]  # type: ignore[union-attr]
    assert GO.read(written) == value  # type: ignore[union-attr]


def test_the_command_runs_the_test_around_the_string(tmp_path: Path) -> None:
    def words(file: str, code: str) -> tuple[tuple[str, ...], Path]:
        found = at(code, syntax=syntax_of(Path(file)))
        assert found is not None
        command = found.command(tmp_path / file, tmp_path)
        return command.argv, command.cwd

    node = "import test from 'node:test';\ntest('it (works)', () => f('HERE'))"
    named = "--test-name-pattern=it\\ \\(works\\)$"
    assert words("sub/a.test.js", node) == (("node", "--test", named, "{file}"), tmp_path)
    (tmp_path / "package.json").write_text('{"devDependencies": {"jest": "29", "tsx": "4"}}')
    tsx = ("node", "--import", "tsx", "--test", named, "{file}")
    assert words("a.test.ts", node) == (tsx, tmp_path)
    jest = "test('a', () => f('HERE'))"
    assert words("a.test.ts", jest) == (("npx", "jest", "{file}", "-t", "a"), tmp_path)
    (tmp_path / "node_modules" / ".bin").mkdir(parents=True)
    (tmp_path / "node_modules" / ".bin" / "jest").touch()
    jest_here = str(tmp_path / "node_modules" / ".bin" / "jest")
    assert words("a.test.ts", "f('HERE')") == ((jest_here, "{file}"), tmp_path)
    go = 'func TestA(t *testing.T) {\n\tf("HERE")\n}\n'
    assert words("sub/a_test.go", go) == (("go", "test", "-run", "^TestA$"), tmp_path / "sub")
