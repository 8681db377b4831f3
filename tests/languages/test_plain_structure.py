"""The plain language finds the structure of formats that it knows nothing of."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.engine.oracle import from_test
from boildown.engine.reducing.reduce import reduce
from boildown.languages.plain import Plain, plain_tree
from boildown.tree import Kind, Leaf, Node, Tree, places, text
from languages.drawing import drawn

PIECES = st.lists(
    st.sampled_from(
        [
            *("begin", "end", "BEGIN:A", "END:A", "BEGIN:B", "END:B", "module m", "endmodule"),
            *("<a>", "</a>", "<b x='1'>", "</b>", "<br/>", "<", "(", ")", "{", "}", ",", ";", "|"),
            *("\n", "\n\n", "\n  ", "\n    ", "\r\n", "\t", "  ", " ", "1", "-2", "%x", "w", '"'),
        ]
    ),
    max_size=40,
)

LLVM = """\
define i32 @work(i32 %v0) #0 {
entry:
  %v2 = add i32 %v0, 7
  ret i32 %v2
}
"""
ASSEMBLER = """\
main:
\tpushq\t%rbp
\tmovl\t$0, %eax
f:
\tret
"""
VERILOG = """\
module m(a);
  always @(posedge a) begin
    q <= d;
  end
endmodule
"""
LUA = """\
if x then
  y = 1
else
  z = 2
end
"""
GRAPH = "digraph {\n  a -> b;\n  b -> c [label=x];\n}\n"
SERVER = "server {\n  listen 80;\n  location / {\n    root /srv;\n  }\n}\n"
SOLVER = "(assert (and p\n  (not q)))\n(check-sat)\n"
SETTINGS = "[one]\na = 1\nb = 2\n\n[two]\nc = 3\nd = 4\n\ne = 5\n"
CLAUSES = "c easy\np cnf 3 4\n1 -2 0\n2 3 -1 0\n1 0\n-3 0\n"
TABLE = "Begin data;\n  Matrix\n    Acer  AC-T\n    Alnus ACGT\n  ;\nEnd;\n"
CALENDAR = "BEGIN:VEVENT\nUID:1\nBEGIN:VALARM\nACTION:X\nEND:VALARM\nEND:VEVENT\n"
MARKUP = '<p class="x" id=y>a <b>c</b></p>'
LOG = "12:00:01 WARN a|b|c\n12:00:02 INFO d|e|f\n"


def line(*parts: Any) -> list[Any]:
    return ["line", *parts]


def clock(hour: str, minute: str, second: str) -> list[Any]:
    return ["items", hour, ":", minute, ":", second]


def tag(*inside: Any) -> list[Any]:
    return ["tag", "<", ["line", *inside] if len(inside) > 1 else ["block", *inside], ">"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            LLVM,
            [
                line(
                    *("define", "i32"),
                    line("@work", ["group", "(", line("i32", "%v0"), ")"]),
                    line("#", "0"),
                    [
                        *("group", "{"),
                        [
                            "block",
                            [
                                "section",
                                line("entry", ":"),
                                [
                                    "block",
                                    ["items", line("%v2", "=", "add", "i32", "%v0"), ",", "7"],
                                    line("ret", "i32", "%v2"),
                                ],
                            ],
                        ],
                        "}",
                    ],
                )
            ],
            id="llvm",
        ),
        pytest.param(
            ASSEMBLER,
            [
                [
                    "compound",
                    [
                        "section",
                        line("main", ":"),
                        [
                            "block",
                            line("pushq", "%rbp"),
                            ["items", line("movl", "$0"), ",", "%eax"],
                        ],
                    ],
                    ["section", line("f", ":"), ["block", "ret"]],
                ]
            ],
            id="assembler",
        ),
        pytest.param(
            VERILOG,
            [
                [
                    "group",
                    ["head", "module", line("m", ["group", "(", line("a"), ")"]), ";"],
                    line(
                        "always",
                        line("@", ["group", "(", line("posedge", "a"), ")"]),
                        ["group", "begin", line("q", "<=", "d", ";"), "end"],
                    ),
                    ["head", "endmodule"],
                ]
            ],
            id="verilog",
        ),
        pytest.param(
            LUA,
            [
                [
                    "compound",
                    ["section", line("if", "x", "then"), ["block", line("y", "=", "1")]],
                    ["section", "else", ["block", line("z", "=", "2")]],
                    "end",
                ]
            ],
            id="lua",
        ),
        pytest.param(
            GRAPH,
            [
                line(
                    "digraph",
                    [
                        *("group", "{"),
                        [
                            "block",
                            line("a", "->", "b", ";"),
                            line(
                                *("b", "->", "c"),
                                ["group", "[", line("label", "=", "x"), "]"],
                                ";",
                            ),
                        ],
                        "}",
                    ],
                )
            ],
            id="dot",
        ),
        pytest.param(
            SERVER,
            [
                line(
                    "server",
                    [
                        *("group", "{"),
                        [
                            "block",
                            line("listen", "80", ";"),
                            line(
                                *("location", "/"),
                                ["group", "{", line("root", line("/", "srv"), ";"), "}"],
                            ),
                        ],
                        "}",
                    ],
                )
            ],
            id="nginx",
        ),
        pytest.param(
            SOLVER,
            [
                [
                    *("group", "("),
                    line(
                        "assert",
                        [
                            *("group", "("),
                            ["block", line("and", "p"), ["group", "(", line("not", "q"), ")"]],
                            ")",
                        ],
                    ),
                    ")",
                ],
                ["group", "(", line("check", "-", "sat"), ")"],
            ],
            id="smt-lib",
        ),
        pytest.param(
            SETTINGS,
            [
                [
                    "block",
                    ["group", "[", line("one"), "]"],
                    line("a", "=", "1"),
                    line("b", "=", "2"),
                ],
                [
                    "block",
                    ["group", "[", line("two"), "]"],
                    line("c", "=", "3"),
                    line("d", "=", "4"),
                ],
                line("e", "=", "5"),
            ],
            id="ini",
        ),
        pytest.param(
            CLAUSES,
            [
                line("c", "easy"),
                line("p", "cnf", "3", "4"),
                line("1", "-2", "0"),
                line("2", "3", "-1", "0"),
                line("1", "0"),
                line("-3", "0"),
            ],
            id="dimacs",
        ),
        pytest.param(
            TABLE,
            [
                line(
                    [
                        *("group", "Begin"),
                        [
                            "block",
                            line("data", ";"),
                            [
                                "compound",
                                [
                                    "section",
                                    "Matrix",
                                    [
                                        "block",
                                        line("Acer", line("AC", "-", "T")),
                                        line("Alnus", "ACGT"),
                                    ],
                                ],
                                ";",
                            ],
                        ],
                        "End",
                    ],
                    ";",
                )
            ],
            id="nexus",
        ),
        pytest.param(
            CALENDAR,
            [
                [
                    "group",
                    ["head", "BEGIN", ":", "VEVENT"],
                    [
                        "block",
                        line("UID", ":", "1"),
                        [
                            "group",
                            ["head", "BEGIN", ":", "VALARM"],
                            line("ACTION", ":", "X"),
                            ["head", "END", ":", "VALARM"],
                        ],
                    ],
                    ["head", "END", ":", "VEVENT"],
                ]
            ],
            id="icalendar",
        ),
        pytest.param(
            MARKUP,
            [
                [
                    "group",
                    tag("p", line("class", "=", '"x"'), line("id", "=", "y")),
                    line("a", ["group", tag("b"), line("c"), tag("/", "b")]),
                    tag("/", "p"),
                ]
            ],
            id="markup",
        ),
        pytest.param(
            LOG,
            [
                [
                    *("items", line(clock("12", "00", "01"), "WARN", "a")),
                    *("|", "b", "|", "c"),
                ],
                [
                    *("items", line(clock("12", "00", "02"), "INFO", "d")),
                    *("|", "e", "|", "f"),
                ],
            ],
            id="log",
        ),
    ],
)
def test_the_structure_of_formats(source: str, expected: list[Any]) -> None:
    block = drawn(plain_tree(source))[1]
    assert (block[1:] if block[0] == "block" else [block]) == expected


@given(PIECES)
def test_every_text_comes_back(pieces: list[str]) -> None:
    source = "".join(pieces)
    root = plain_tree(source)
    assert text(root) == source
    for place in places(root):
        tree = place.tree
        if isinstance(tree, Leaf):
            assert source.startswith(tree.text, tree.start)
        elif tree.kind is Kind.LIST:
            assert not tree.separated or len(tree.children) % 2 or not tree.children
        else:
            assert tree.label in ("text", "group", "section", "tag")


def rows(tree: Tree, length: int) -> list[int]:
    """Return the numbers of fields of the lists that are items of a list of so many items."""
    return [
        each.count
        for place in places(tree)
        if isinstance(place.tree, Node) and place.tree.count == length
        for each in place.tree.items
        if isinstance(each, Node)
    ]


@pytest.mark.parametrize("gap", ["\t", "   ", " ", ",", "|", ":"])
def test_the_columns_of_a_table_are_the_items_of_its_rows(gap: str) -> None:
    source = "".join(f"a{row}{gap}b{row * 7}{gap}x.y{gap}{row}\n" for row in range(9))
    assert rows(plain_tree(source), 9) == [4] * 9


CALENDARS = "".join(
    f"BEGIN:EVENT\nUID:{number}\nBEGIN:ALARM\nON:{number % 7}\nEND:ALARM\nEND:EVENT\n"
    for number in range(60)
)
SCRIPTS = "".join(
    f"function f{number}(x)\n  if x then\n    g({number})\n  end\n  return x\nend\n"
    for number in range(60)
)
PAGES = "".join(
    f"<div><p class='x{number}'>a <b>{number}</b> b</p><br/></div>" for number in range(60)
)


def nests(text: str, pattern: str) -> bool:
    """Say whether what group 1 of a pattern opens is what its group 2 closes, well nested."""
    stack: list[str] = []
    for match in re.finditer(pattern, text):
        if match[1]:
            stack.append(match[1])
        elif not stack or stack.pop() != match[2]:
            return False
    return not stack


@pytest.mark.parametrize(
    ("source", "holds", "least"),
    [
        (
            CALENDARS,
            lambda text: nests(text, "BEGIN:(.*)|END:(.*)") and "BEGIN:ALARM\nON:6\nEND" in text,
            ("BEGIN:ALARM\nON:6\nEND:ALARM", 30),
        ),
        (
            SCRIPTS,
            lambda text: (
                len(re.findall(r"\b(?:if|function)\b", text)) == len(re.findall(r"\bend\b", text))
                and re.search(r"if x then\s+g\(41", text) is not None
            ),
            ("if x then g(41)end", 60),
        ),
        (
            PAGES,
            lambda text: nests(text, r"<(\w+)[^<>/]*>|</(\w+)>") and "<b>41</b>" in text,
            ("<b>41</b>", 30),
        ),
    ],
    ids=["calendar", "script", "page"],
)
def test_what_opens_goes_with_what_closes(
    source: str, holds: Callable[[str], bool], least: tuple[str, int]
) -> None:
    found = reduce(source, from_test(holds), Plain())
    assert found.text == least[0]
    assert next(step.run for step in found.history if len(step.text) < 200) <= least[1]


@pytest.mark.parametrize("unit", [CALENDAR, LLVM, MARKUP, TABLE, VERILOG, LUA, LOG, "((a) b, c;\n"])
def test_a_tree_takes_linear_time(unit: str) -> None:
    """Twice the text takes about twice the calls of functions."""
    once, twice = (calls(unit * number) for number in (100, 200))
    assert twice < 2.1 * once


def calls(source: str) -> int:
    """Count the calls of functions, those of built-in ones too, that parsing a text takes."""
    count = 0

    def see(_frame: Any, _event: str, _argument: Any) -> None:
        nonlocal count
        count += 1

    sys.setprofile(see)
    try:
        plain_tree(source)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    ("source", "name", "left"),
    [
        ('{ "a": [1, 2],\n  "b": {"c": 3} }', "squeeze", '{"a":[1,2],"b":{"c":3}}'),
        ("a b\n" * 20, "squeeze", "a b\n" * 20),
        ("f{\n" + "a = add b, c\n" * 20 + "}", "squeeze", "f{\n" + "a=add b,c\n" * 20 + "}"),
        ("a b\n" * 20, "blanks", "a b " * 19 + "a b"),
    ],
    ids=["no layout", "layout", "as many lists without it", "afterwards"],
)
def test_layout_stays_at_first_where_it_tells_structure(source: str, name: str, left: str) -> None:
    assert reduce(source, from_test(lambda _text: True), Plain(), (name,)).text == left


def test_a_line_that_loses_its_first_field_stays_a_line() -> None:
    oracle = from_test(lambda text: text.startswith("a") and "\nc" in text)
    assert reduce("a\nb c d\n", oracle, Plain(), ("trees",)).text == "a\nc"
