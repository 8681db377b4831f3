"""ANTLR 4 grammars: a combined one with operators, a parser with its lexer, one with modes."""

from __future__ import annotations

from random import Random

import pytest

from boildown.grammar import Facts, Grammar, GrammarError, Parser, ParseSuccess, Sampler, read_g4
from boildown.grammar.ir import Lit, Regex, label
from boildown.tree import leaves
from grammar.outline import failed, outline, parsed

CALCULATOR = r"""
/* A calculator: operators of all kinds in one rule. */
grammar Calculator;

@header { import java.util.*; }

program: (statement ';')* EOF;
statement
    : target=NAME '=' value=e   # assign
    | e                         # print
    ;
e   : <assoc=right> e '^' e
    | '-' e
    | e ('*' | '/') e
    | e '+' e {System.out.println("}");}
    | e '!'
    | e '?' e ':' e
    | 'not' e
    | NAME '(' (args+=e (',' args+=e)*)? ')'
    | '(' e ')'
    | NAME
    | NUMBER
    ;
NAME: [\p{L}_] [\p{L}0-9_]*;
NUMBER: DIGITS | DIGITS '.' DIGITS EXPONENT? | '.' DIGITS;
fragment DIGITS: '0'..'9'+;
fragment EXPONENT: [eE] [+\-]? DIGITS;
COMMENT: ('//' ~[\r\n]* | '/*' .*? '*/') -> skip;
SPACE: [ \t\r\n]+ -> channel(HIDDEN);
"""
CONFIG_LEXER = r"""
lexer grammar ConfigLexer;
options { caseInsensitive = true; }
tokens { STRING }
SECTION: 'section';
TRUE: 'true' | 'yes' | 'on';
LBRACE: '{'; RBRACE: '}'; IS: '=' | ':=';
DOUBLE: '"' (ESC | ~["\\\r\n])* '"' -> type(STRING);
SINGLE: '\'' ~'\''* '\'' -> type(STRING);
fragment ESC: '\\' ["\\n] | '\\u' [0-9a-f] [0-9a-f] [0-9a-f] [0-9a-f];
ID: [a-z_]+;
NL: '\r'? '\n' -> skip;
BLANK: [ \u0009]+ -> skip;
"""
CONFIG_PARSER = r"""
parser grammar ConfigParser;
options { tokenVocab = ConfigLexer; superClass = Base; }
config returns [int n] locals [int k = 0] @init { k = 1; }
    : entry* EOF ;
    finally { done(); }
entry: section | setting[k] ;
section: SECTION name=ID? LBRACE entry* RBRACE ;
setting[int depth]: ID IS (TRUE | STRING | ~(LBRACE | RBRACE | IS | SECTION | TRUE | STRING)) ;
"""
MARKUP = r"""
grammar Markup;
document: (element | TEXT)* EOF;
element: '<' NAME attribute* '>' (element | TEXT)* '</' NAME '>' | '<' NAME attribute* '/>';
attribute: NAME '=' VALUE;
OPEN: '<' -> pushMode(TAG);
CLOSE: '</' -> pushMode(TAG);
TEXT: ~[<]+;
mode TAG;
END: '>' -> popMode;
SLASH_END: '/>' -> popMode;
NAME: [a-zA-Z]+;
EQUALS: '=';
QUOTE: '"' -> more, pushMode(STRING);
WS: [ \n]+ -> skip;
mode STRING;
VALUE: '"' -> popMode;
PART: . -> more;
"""


def with_files(text: str, **files: str) -> Grammar:
    return read_g4(text, "Main.g4", resolve=lambda name: files.get(name.removesuffix(".g4")))


def calculated(source: str) -> str:
    """Parse an expression; write its structure with brackets."""
    tree = parsed(Parser(read_g4(CALCULATOR)), source, "e")

    def bracketed(text: str) -> str:
        return text.replace("e(", "(").replace("'*' | '/'", "")

    return bracketed(outline(tree))


@pytest.mark.parametrize(
    ("source", "structure"),
    [
        ("1+2+3", "(((1) + (2)) + (3))"),
        ("1+2*3", '((1) + ((2) "*" | "/"(*) (3)))'),
        ("1*2+3", '(((1) "*" | "/"(*) (2)) + (3))'),
        ("1^2^3", "((1) ^ ((2) ^ (3)))"),
        ("-1^2", "(- ((1) ^ (2)))"),
        ("-1+2", "((- (1)) + (2))"),
        ("1*-2", '((1) "*" | "/"(*) (- (2)))'),
        ("1+2!", "(((1) + (2)) !)"),
        ("1?2:3?4:5", "(((1) ? (2) : (3)) ? (4) : (5))"),
        ("not 1+2", "(not ((1) + (2)))"),
        ("1*not 2", '((1) "*" | "/"(*) (not (2)))'),
        ("f(1,-2)", "(f ( [(1) , (- (2))] ))"),
        ("(1)", "(( (1) ))"),
    ],
)
def test_operators_bind_as_in_antlr(source: str, structure: str) -> None:
    assert calculated(source) == structure


def test_a_combined_grammar() -> None:
    grammar = read_g4(CALCULATOR, "Calculator.g4")
    assert grammar.start == "program"
    assert set(grammar.ignore) == {"COMMENT", "SPACE"}
    assert grammar.notes == (
        "Calculator.g4, line 5: the code of @header is ignored",
        "Calculator.g4, line 15: an action is ignored",
    )
    tree = parsed(Parser(grammar), "größe = 1.5e3; // note\n 2 /* two */ ;")
    assert outline(tree) == (
        'program([statement ";"(statement(größe = e(1.5e3)) ;) statement ";"(statement(e(2)) ;)])'
    )
    assert [leaf.prefix for leaf in leaves(tree)][4:6] == [" // note\n ", " /* two */ "]
    assert failed(Parser(grammar), "1 +;").position == 3


def test_a_parser_with_its_lexer() -> None:
    grammar = with_files(CONFIG_PARSER, ConfigLexer=CONFIG_LEXER)
    tree = parsed(Parser(grammar), "Section a {\n x = 'it' }\ny := YES z=\"\\u00e9\" w=q")
    assert [(leaf.label, leaf.text) for leaf in leaves(tree)] == [
        *[("SECTION", "Section"), ("ID", "a"), ("LBRACE", "{"), ("ID", "x"), ("IS", "=")],
        *[("STRING", "'it'"), ("RBRACE", "}"), ("ID", "y"), ("IS", ":="), ("TRUE", "YES")],
        *[("ID", "z"), ("IS", "="), ("STRING", '"\\u00e9"'), ("ID", "w"), ("IS", "=")],
        ("ID", "q"),
    ]
    assert grammar.terminals["SECTION"].pattern == Lit("section", ignore_case=True)
    assert [note.partition(": ")[2] for note in grammar.notes] == [
        "the base class Base is ignored",
        "the code of @init is ignored",
    ]


def test_a_grammar_with_modes() -> None:
    parser = Parser(read_g4(MARKUP))
    tree = parsed(parser, '<a  b="x > y">text <c/>more</a>')
    assert [leaf.text for leaf in leaves(tree)] == [
        *["<", "a", "b", "=", '"x > y"', ">", "text ", "<", "c", "/>", "more", "</", "a", ">"]
    ]
    assert failed(parser, '<a b="x></a>').position == 5


@pytest.mark.parametrize(
    ("grammar", "count"),
    [
        (read_g4(CALCULATOR), 300),
        (with_files(CONFIG_PARSER, ConfigLexer=CONFIG_LEXER), 300),
        (read_g4(MARKUP), 300),
    ],
    ids=["calculator", "config", "markup"],
)
def test_texts_are_made_of_each(grammar: Grammar, count: int) -> None:
    sampler, parser, rng = Sampler(grammar), Parser(grammar), Random(0)
    texts = {sampler.sample(grammar.start, rng, 30) or "" for _ in range(count)}
    assert all(isinstance(parser.parse(text), ParseSuccess) for text in texts)
    assert len(texts) > count // 2


def test_levels_of_precedence_are_one_label() -> None:
    facts = Facts(read_g4(CALCULATOR))
    assert facts.fits("e", "NUMBER")
    assert facts.fits("statement", "e")
    assert facts.shortest("e") == "a"


@pytest.mark.parametrize(
    ("rule", "pattern"),
    [
        ("[a-z]", "[a-z]"),
        ("[\\-\\]^a]", "[\\-\\]\\^a]"),
        ("~[a]", "[^a]"),
        ("~('a' | 'b'..'d' | '\\n')", "[^ab-d\n]"),
        ("'a' | [b-d]", "[ab-d]"),
        ("'a'..'f'+", "[a-f]+"),
        ("'ab'*?", "(?:ab)*?"),
        ("'a' | 'ab' | 'abc'", "(?:abc|ab|a)"),
        (".", "[\\s\\S]"),
        ("('a' 'b')? 'c'", "(?:ab)?c"),
        ("'\\u00e9' '\\u{1F600}'", "é\U0001f600"),
        ("'.' '\\''", "\\.'"),
        ("B B*", "x[0-9](?:x[0-9])*"),
    ],
)
def test_tokens_become_regular_expressions(rule: str, pattern: str) -> None:
    grammar = read_g4(f"grammar T; start: A; A: {rule}; fragment B: 'x' C; fragment C: [0-9];")
    assert grammar.terminals["A"].pattern == Regex(pattern)


@pytest.mark.parametrize(
    ("body", "same"),
    [
        ("a (',' a)*", 'a ("," a)*'),
        ("(a (',' a)*)?", '[a ("," a)*]'),
        ("a* b+? a?", "a* b+ a?"),
        ("(a | b | )", "[a | b]"),
        ("{act();} a {p()}? <fail='x'> b[1, 2] # x", "a b"),
        ("x=a y+=b", "a b"),
        ("'if' IF A", "IF IF A"),
        ("~A", "IF | OTHER"),
        (".", "IF | A | OTHER"),
        ("a EOF", "a"),
    ],
)
def test_parser_rules(body: str, same: str) -> None:
    text = f"grammar T; start: {body}; a: A; b: OTHER; IF: 'if'; A: [0]; OTHER: [1];"
    assert label(read_g4(text).rules["start"]) == same


def test_imports() -> None:
    main = "grammar Main; import Names; start: name+; name: ID '!';"
    names = "grammar Names; name: ID; ID: [a-z]+; WS: ' ' -> skip;"
    assert outline(parsed(Parser(with_files(main, Names=names)), "a! b!")) == (
        "start([name(a !) name(b !)])"
    )


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        ("grammar T;\nstart: 'a'", (2, 11), "expected ';', found the end of the file"),
        ("grammar T\nstart: 'a';", (2, 1), "expected ';', found 'start'"),
        ("grammar T;\nstart: b;", (2, 8), "'b' is not defined"),
        ("grammar T;\nstart: A; A: B;", (2, 14), "'B' is not defined"),
        ("grammar T;\nstart: ( 'a' ;", (2, 14), "expected ')', found ';'"),
        ("grammar T;\nstart: 'a' { x;", (2, 12), "this code is not closed"),
        ("grammar T;\nstart: A; A: [a;", (2, 14), "this set is not closed"),
        ("grammar T;\nstart: %;", (2, 8), "expected an element of a rule, found '%'"),
        ("grammar T; import X;\nstart: 'a';", (1, 19), "there is no X.g4 beside it"),
        ("lexer grammar T;\nA: 'a';", (0, 0), "there is no parser rule, only tokens"),
        ("grammar T;\nstart: A; A: '(' A? ')';", (2, 8), "the token A contains itself"),
        ("grammar T;\nstart: A; A: ~('ab');", (2, 11), "~ stands before more than"),
        ("grammar T;\nstart: A; A: [z-a];", (2, 14), "bad character range z-a"),
        ("grammar T;\nstart: A; A: 'z'..'a';", (2, 14), "bad character range z-a"),
        ("grammar T;\nstart: A; A: 'ab'..'c';", (2, 14), "a range is from one character to"),
        ("grammar T;\nstart: A; A: [\\u{110000}];", (2, 14), "\\u{110000} is no character"),
        ("grammar T;\nstart: '\\u{110000}';", (2, 8), "\\u{110000} is no character"),
        ("grammar T;\nstart: 'a';\nstart: 'b';", (3, 1), "the rule start is there already"),
        ("grammar T;\nstart: " + "(" * 9999, (0, 0), "a rule is nested too deeply"),
        ("grammar T;\nstart: [a];", (2, 1), "a set of characters stands in a parser rule"),
    ],
)
def test_a_broken_grammar_says_where_and_why(
    text: str, where: tuple[int, int], reason: str
) -> None:
    with pytest.raises(GrammarError) as caught:
        read_g4(text, "T.g4")
    assert (caught.value.line, caught.value.column) == where
    assert caught.value.reason.startswith(reason)
