"""Grammars in Lark's notation."""

from __future__ import annotations

import pytest

from boildown.grammar import GrammarError, Parser, read_lark
from boildown.grammar.ir import Lit, Regex, label
from boildown.tree import leaves
from grammar.outline import failed, outline, parsed


def rule(body: str, extra: str = "") -> str:
    """Read one rule and write it again."""
    text = f'start: {body}\na: "a"\nb: "b"\nA: "x"\n{extra}'
    return label(read_lark(text).rules["start"])


@pytest.mark.parametrize(
    "body",
    [
        "a b A",
        "a | b A",
        "a (b | A) a",
        "a? b* a+",
        "[a b]",
        "(a b)* (a | b)+",
        "a~3 b~2..4",
        'a ("," a)*',
        '[a ("," a)*]',
        'A ("," a)*',
        'a (("," | ";") a)*',
        'b a ("," A a)* b',
        '"if"i "\\"" "\\n"',
        "/x.+/ a",
    ],
)
def test_a_rule_reads_as_it_was_written(body: str) -> None:
    assert rule(body) == body


@pytest.mark.parametrize(
    ("body", "same"),
    [
        ("(a)", "a"),
        ("(a b) A", "a b A"),
        ("(a | b) | A", "a | b | A"),
        ("[a]", "a?"),
        ("(a b)?", "[a b]"),
        ("(a?)*", "a*"),
        ("(a+)?", "a*"),
        ("(a*)*", "a*"),
        ("a a*", "a+"),
        ("a b (a b)*", "(a b)+"),
        ('(a ("," a)*)?', '[a ("," a)*]'),
        ("a | ", "a?"),
        ("a~0..1", "a?"),
        ("a~1", "a"),
        ("a -> first | b -> second", "a | b"),
        ('"x"', "A"),
        ('"a".."f"', "/[a-f]/"),
        ("/x/i", "/(?i:x)/"),
        ("a | a", "a"),
    ],
)
def test_rules_that_mean_the_same_read_the_same(body: str, same: str) -> None:
    assert rule(body) == same


def test_modifiers_shape_no_tree() -> None:
    parser = Parser(read_lark('start: x y\n?x: "x" -> alias\n_y: "y"\n!y: _y'))
    assert outline(parsed(parser, "xy")) == "start(x(x) y(_y(y)))"


def test_templates_are_rules_of_their_own() -> None:
    text = '_list{x, sep}: x (sep x)*\nstart: "(" _list{a, ","} ")" _list{_list{A, ":"}, ";"}?\n'
    parser = Parser(read_lark(text + 'a: "a"\nA: "b"'))
    assert outline(parsed(parser, "(a,a)b:b")) == (
        """start(( _list{a, ","}([a(a) , a(a)]) ) ?(_list{_list{A, ":"}, ";"}("""
        """[_list{A, ":"}([b : b])])))"""
    )


def test_terminals_are_composed() -> None:
    grammar = read_lark(
        'start: A B C D\nA: DIGIT+ ("." DIGIT~2)?\nDIGIT: "0".."9"\n'
        'B: "b" | "bb"\nC: "c"i\nD.7: "d"'
    )
    assert list(grammar.terminals) == ["A", "B", "C", "D"]
    assert grammar.terminals["C"].pattern == Lit("c", ignore_case=True)
    assert grammar.terminals["D"].priority == 7
    assert isinstance(grammar.terminals["A"].pattern, Regex)
    parser = Parser(grammar)
    assert [leaf.text for leaf in leaves(parsed(parser, "10.25bbCd"))] == ["10.25", "bb", "C", "d"]
    assert failed(parser, "1.2").expected == ("B",)


def test_ignored_terminals_and_rule_priorities() -> None:
    grammar = read_lark('start: a\na.3: "a"\n%ignore WS\n%ignore /#.*/\nWS: " "')
    assert grammar.ignore == ("WS", "__IGNORE_1")
    assert grammar.priorities == {"a": 3}
    parsed(Parser(grammar), " a # note")


def test_imports_come_through_the_caller() -> None:
    files = {
        "common.lark": 'NUMBER: INT ["." INT]\nINT: /[0-9]+/\nrest: "unused"',
        "my/words.lark": "list: word+\nword: W\nW: /[a-z]+/\n%import common.INT",
    }
    asked = []

    def resolve(path: str) -> str | None:
        asked.append(path)
        return files.get(path)

    text = "%import common.NUMBER\n%import my.words (list, word)\nstart: NUMBER list N\n"
    grammar = read_lark(text + "%import common.INT -> N\n%ignore / /", resolve=resolve)
    assert outline(parsed(Parser(grammar), "1.5 ab cd 7")) == (
        "start(1.5 list([word(ab) word(cd)]) 7)"
    )
    assert set(asked) == set(files)


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        ('start: "a" (', (1, 13), "Unclosed parenthesis"),
        ('start: "a"\nb: $', (2, 4), "unexpected '$'"),
        ("start: b", (1, 8), "Rule 'b' used but not defined (in rule start)"),
        ("start: B\nB: C", (2, 4), "Terminal used but not defined: C"),
        ("start: A\nA: /a(/", (2, 5), "/a(/ is no regular expression: "),
        ('start: "a"\nstart: "b"', (2, 1), "Rule 'start' defined more than once"),
        ('a: "x"', (0, 0), "there is no rule 'start' to start with"),
        ("start: A\n%declare A", (2, 10), "Terminal 'A' is declared without a pattern"),
        ("%import x.Y\nstart: Y", (0, 0), "Can't import x.lark: there is no such grammar"),
        ('start: ""', (1, 8), "Empty terminals are not allowed"),
        ("start: a~3..1\na: A\nA: /a/", (0, 0), "Bad range 3..1"),
        ("start: " + "(" * 5000 + '"a"' + ")" * 5000, (0, 0), "a rule is nested too deeply"),
        ("", (0, 0), "there is no rule 'start' to start with"),
    ],
)
def test_a_broken_grammar_says_where_and_why(
    text: str, where: tuple[int, int], reason: str
) -> None:
    with pytest.raises(GrammarError) as caught:
        read_lark(text, "my.lark")
    assert (caught.value.line, caught.value.column) == where
    assert caught.value.reason.startswith(reason)
    place = f":{where[0]}:{where[1]}" if where[0] else ""
    assert str(caught.value).startswith(f"my.lark{place}: ")
