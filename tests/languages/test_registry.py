"""Languages by name, by file name, by trying, and from grammars that a user brings."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from random import Random

import pytest

from boildown.engine.language import Rewriting, RewritingRule
from boildown.languages import LanguageError, detect, languages, load_language, registry
from boildown.languages.folder import grammars_folder
from boildown.tree import text

WORDS = 'start: word ("," word)*\nword: /[a-z]+/\n'


def test_every_language_says_what_it_is_made_of() -> None:
    sources = {each.name: each.source for each in languages()}
    assert sources["plain"] == "built in"
    assert sources["python"] == "parso"
    assert sources["json"] == "grammar"
    assert sources["javascript"] == "tree-sitter"
    assert list(sources) == sorted(sources)
    assert all(each.title for each in languages())


@pytest.mark.parametrize("name", [each.name for each in languages()])
def test_every_language_loads_under_its_name(name: str) -> None:
    assert load_language(name).name == name
    assert load_language(name.upper()) is load_language(name) or name == "plain"


def test_an_unknown_language_names_its_neighbours() -> None:
    with pytest.raises(LanguageError, match=r"no language called 'jsonn'\. Did you mean json"):
        load_language("jsonn")
    with pytest.raises(LanguageError, match=r"no language called 'qqqqqq'\. There are .*, plain"):
        load_language("qqqqqq")


@pytest.mark.parametrize(
    ("file_name", "content", "language_id", "expected"),
    [
        ("/a/b.json", "", None, "json"),
        ("B.JSON", "", "python", "json"),
        ("a.d.ts", "", None, "typescript"),
        ("a.h", "#ifndef A\nint f(int class);\n#endif\n", None, "c"),
        ("a.h", "template <class T> class A : public B { T f() const; };\n", None, "cpp"),
        ("a.h", "class A { A(; template <class T> T f(); };\nint g(", None, "cpp"),
        ("crash", "", "javascriptreact", "javascript"),
        ("crash", "", "python", "python"),
        ("crash", ' {"a": [1]} ', None, "json"),
        ("crash", '{"a": [1}', None, "plain"),
        ("crash", "<!DOCTYPE html><p>x</p>", None, "html"),
        ("crash", '<?xml version="1.0"?><a/>', None, "xml"),
        ("crash", "#!/usr/bin/env python3\nx = 1\n", None, "python"),
        ("crash", "#!/bin/sh\nls\n", None, "bash"),
        ("", "\n    <a x='1'><b/></a>\n", None, "xml"),
        ("", "a = 1\n[t]\nb = 'x'\n", None, "toml"),
        ("", "# a comment\n[[t.u]]\nb = true\n", None, "toml"),
        ("", "[a]\nb = some words\n", None, "ini"),
        ("", " SELECT a, b FROM t WHERE c = 1", None, "sql"),
        ("", "a: 1\nb:\n  - c\n", None, "yaml"),
        ("", "https://a.b/c?d=e", None, "url"),
        ("", "2024-02-30T12:00:00Z", None, "datetime"),
        ("crash", "once upon a time", None, "plain"),
        ("crash", "Select one: a = b", None, "plain"),
        ("x.txt", "{}", None, "plain"),
        ("", "", None, "plain"),
    ],
)
def test_detection(file_name: str, content: str, language_id: str | None, expected: str) -> None:
    assert detect(file_name, content, language_id).name == expected


def test_a_mapping_is_a_grammar() -> None:
    language = load_language({"<start>": ["<digit><start>", "<digit>"], "<digit>": ["0", "1"]})
    assert language.parse("0110").valid
    assert not language.parse("0120").valid


def test_a_grammar_file(tmp_path: Path) -> None:
    path = tmp_path / "words.lark"
    path.write_text(WORDS)
    for source in (path, str(path)):
        language = load_language(source)
        assert language.name == "words"
        assert language.parse("a,bc").valid


def test_a_grammar_imports_what_is_beside_it_and_what_lark_brings(tmp_path: Path) -> None:
    path = tmp_path / "pairs.lark"
    path.write_text(
        "start: (NAME NUMBER)+\n%import common.NUMBER\n%import names.NAME\n"
        "%import common.WS\n%ignore WS\n"
    )
    (tmp_path / "names.lark").write_text("NAME: /[a-z]+/\n")
    assert load_language(path).parse("a 1 b 2.5e3").valid
    path.write_text("start: A\n%import nowhere.A\n")
    with pytest.raises(LanguageError, match=r"Can't import nowhere\.lark"):
        load_language(path)


def test_what_is_ignored_of_a_grammar_is_told(tmp_path: Path) -> None:
    path = tmp_path / "Acts.g4"
    path.write_text("grammar Acts;\ns: {a();} 'x' {b()}? 'y';\n")
    told = (
        f"{path}, line 2: an action is ignored",
        f"{path}, line 2: a predicate is ignored: the text it would refuse is accepted",
    )
    language = load_language(path)
    assert language.parse("xy").notes == told
    assert language.parse("x").notes[:2] == told
    path.write_text("grammar Acts;\ns: 'x'\n" + "{a();}\n" * 7 + ";\n")
    notes = load_language(path).parse("x").notes
    assert (len(notes), notes[-1]) == (6, "and 2 more of this kind")


def test_a_folder_like_the_shipped_ones(tmp_path: Path) -> None:
    folder = tmp_path / "shout"
    folder.mkdir()
    (folder / "grammar.lark").write_text("all: WORD+\nWORD: /[A-Z]+/\n%ignore /[ ]+/\n")
    (folder / "language.toml").write_text('start = "all"\n')
    language = load_language(folder)
    assert (language.name, language.gap) == ("shout", " ")
    assert language.parse("HEAR ME").valid


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.lark", "start: word (\n", r"a\.lark:\d+:\d+: "),
        ("a.json", "{", r"a\.json:1:\d+: "),
        ("a.ebnf", "", r"a\.ebnf: a grammar's file name ends in one of \.lark, \.g4, \.json"),
        ("a.lark", b"start: \xff", r"a\.lark: is not UTF-8 at byte 7"),
    ],
)
def test_a_broken_grammar_says_where(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(LanguageError, match=message):
        load_language(path)


def test_a_missing_grammar_says_so(tmp_path: Path) -> None:
    with pytest.raises(LanguageError, match="can't be read: There is no file"):
        load_language(tmp_path / "none.lark")
    with pytest.raises(LanguageError, match="has no grammar file"):
        load_language(tmp_path)


INSIDE = '[inside]\nlabel = "A"\nstart = "b"\nblank = " "\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("files = [", r"language\.toml:1:\d+: "),
        ("files = [1]", "'files' must be a list of strings"),
        ("start = 1", "'start' must be a string"),
        ('looks_like = "("', "'looks_like' is no regular expression"),
        ("whole_words = 1", "'whole_words' must be true or false"),
        ("inside = 1", "'inside' must be a table of the strings label, start"),
        ('[inside]\nlabel = "A"', "'inside' must be a table of the strings label, start"),
        (f"{INSIDE}looks_like = '('", "'inside' has a value that is no regular expression"),
        (f"{INSIDE}looks_like = 'x'", r"grammar\.lark has no rule 'b' for 'inside'"),
        (f"{INSIDE}looks_like = 1", "'inside' must be a table of the strings label, start"),
        ("rewriting = 1", "'rewriting' must be a table"),
        ("[rewriting]\nliterals = 0", "'rewriting.literals' must be a list of strings"),
        ('[rewriting]\nrules = [["a", "b"]]', "must be a list of lists: label, pattern"),
        ('[rewriting]\nrules = [["a", "(", ""]]', "a rule that is no regular expression"),
        ('[rewriting]\nrules = [["a", ".", "\\\\1"]]', "a rule that is no regular expression"),
    ],
)
def test_a_broken_description_says_where(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "grammar.lark").write_text(WORDS)
    (tmp_path / "language.toml").write_text(content)
    with pytest.raises(LanguageError, match=message):
        load_language(tmp_path)


@pytest.mark.parametrize(("whole", "reads"), [("true", False), ("false", True)])
def test_a_keyword_ends_where_a_word_does_if_the_description_says_so(
    tmp_path: Path, whole: str, reads: bool
) -> None:
    (tmp_path / "grammar.lark").write_text('start: "go" /[a-z]+/\n%ignore " "\n')
    (tmp_path / "language.toml").write_text(f"whole_words = {whole}")
    language = load_language(tmp_path)
    assert [language.valid(text) for text in ("go home", "gohome")] == [True, reads]
    drawn = [language.sample("start", Random(seed), 4) for seed in range(20)]
    assert all(text is not None and language.valid(text) for text in drawn)


def test_sql_has_no_keyword_that_is_the_beginning_of_a_word() -> None:
    sql = load_language("sql")
    assert [sql.valid(f"DELETE{gap}FROM{gap}a") for gap in ("\n", "")] == [True, False]


def test_a_description_gives_literals_and_rewriting_rules(tmp_path: Path) -> None:
    (tmp_path / "grammar.lark").write_text(WORDS)
    table = '[rewriting]\nliterals = ["0"]\nrules = [["word", "b+", "b"]]\n'
    (tmp_path / "language.toml").write_text(table)
    known = load_language(tmp_path).rewriting
    assert known == Rewriting(("0",), (RewritingRule("word", "b+", "b"),))


def test_what_is_not_installed_names_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    registry._catalogue.cache_clear()
    try:
        missing = {each.name for each in languages() if each.missing.startswith("tree-sitter ")}
        assert "javascript" in missing
        assert "json" not in missing
        with pytest.raises(LanguageError, match=r"pip install tree-sitter tree-sitter-javascript"):
            load_language("javascript")
        plain = detect("a.js", "x")
        assert plain.name == "plain"
        assert plain.parse("x").notes == (
            "a.js is read as plain text. The language javascript needs more: run "
            "`python -m pip install tree-sitter tree-sitter-javascript`.",
        )
        assert detect("a.txt", "x").parse("x").notes == ()
    finally:
        registry._catalogue.cache_clear()


def test_malformed_text_is_noted() -> None:
    parsed = load_language("json").parse('{"a": [1, 2}')
    assert text(parsed.tree) == '{"a": [1, 2}'
    assert "line 1, column 12" in parsed.notes[0]


def test_the_grammars_are_in_the_checkout() -> None:
    assert (grammars_folder() / "json" / "grammar.lark").is_file()
