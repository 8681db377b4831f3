"""Links in a text: which words are definitions, of which items, and where they are used."""

from __future__ import annotations

import pytest

from boildown.engine.language import Language
from boildown.engine.reducing.links import LinkedName, Links, links
from boildown.languages import load_language
from helpers import Lisp

FAR = " ".join(f"k{number}" for number in range(9))
"""Words before another one."""


def found(text: str, language: Language | None = None) -> Links:
    return links((language or Lisp()).parse(text).tree, text)


def told(text: str) -> list[tuple[str, str, list[int]]]:
    """Return the words that are defined, the items that define them, and where else they stand."""
    return [
        (
            each.word,
            text[each.unit.start : each.unit.end].strip(),
            [use.start for use in each.uses],
        )
        for each in found(text).definitions
    ]


def test_items_define_words_that_others_use() -> None:
    text = "(fun a x) (fun b a) (call b a)"
    assert told(text) == [("a", "(fun a x)", [17, 28]), ("b", "(fun b a)", [26])]
    seen = found(text)
    uses = [use for each in seen.definitions for use in each.uses]
    assert [(text[use.start : use.end], use.end - use.start) for use in uses] == [
        *[("a", 1), ("a", 1), ("b", 1)],
    ]
    assert [seen.leaves[use.leaf].start for use in uses] == [16, 27, 25]
    lists = [text[place.start : place.end] for place in seen.lists]
    assert lists == [text, "fun a x", "fun b a", "call b a"]


def test_an_item_has_those_as_targets_whose_words_it_uses() -> None:
    text = '{"a": {"to": "b"}, "b": {"to": "c", "or": "b"}, "c": {"to": "a", "or": "b"}}'
    seen = found(text, load_language("json"))
    assert [each.word for each in seen.definitions] == ["a", "b", "c"]
    assert seen.targets == [[1], [2], [0, 1]]


def test_definitions_may_stand_inside_of_other_ones() -> None:
    first = f"def m {FAR} {{\n set a 1\n set b a\n}}\n"
    text = f"{first}def n {FAR} {{\n set c 2\n set d c\n}}\ncall m n\n"
    seen = found(text, load_language("plain"))
    words = [each.word for each in seen.definitions]
    assert words == ["m", "a", "n", "c"]
    assert seen.outermost() == ([0, 2], [1, 3])
    (start, end), (later, last) = [
        (unit.start, unit.end) for unit in (seen.definitions[at].unit for at in (0, 2))
    ]
    assert [*seen.inside(start, end)] == [0, 1]
    assert [*seen.inside(start, last - 1)] == [0, 1, 3]
    assert [*seen.inside(start + 1, last)] == [1, 2, 3]
    assert [*seen.inside(start, later)] == [0, 1]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(fun a) (fun b) (use c)", id="never used"),
        pytest.param("(fun a) (use a)", id="the only one of its context"),
        pytest.param("(k a) (k b) (k c) (k c) (u a c)", id="many come again in its context"),
        pytest.param(f"(f {FAR} k9 a) (f {FAR} k9 b) (u a b)", id="far from the beginning"),
        pytest.param("(fun 1) (fun 2) (use 1 2)", id="a number"),
        pytest.param("a b a", id="no lists"),
    ],
)
def test_what_is_no_definition(text: str) -> None:
    assert told(text) == []


def test_few_words_may_come_again_in_a_context_and_are_not_defined() -> None:
    assert [word for word, *_ in told("(k a) (k b) (k c) (k d) (k d) (u a d)")] == ["a"]


def test_a_word_is_defined_near_the_beginning_of_an_item() -> None:
    text = f"(f {FAR} a) (f {FAR} b) (u a)"
    assert told(text) == [("a", f"(f {FAR} a)", [text.rindex("a")])]


def test_a_number_with_a_sign_before_it_is_a_name() -> None:
    text = "(fun %1) (fun 2) (fun #3) (fun x4) (use %1 2 #3 4 1 3)"
    assert told(text) == [("%1", "(fun %1)", [41]), ("#3", "(fun #3)", [46])]


def test_a_name_may_be_used_as_a_part_of_a_word() -> None:
    funs = "(fun a) (fun b) (fun c-d) (fun e) (fun f) "
    text = f"{funs}(use m.a n:b:o m.c-d e-f ef)"
    at = [text.index(part) for part in ("m.a", "n:b", "m.c-d")]
    assert told(text) == [
        ("a", "(fun a)", [at[0] + 2]),
        ("b", "(fun b)", [at[1] + 2]),
        ("c-d", "(fun c-d)", [at[2] + 2]),
    ]


def test_a_word_is_defined_where_most_words_are() -> None:
    assert [each[:2] for each in told("(x a) (x b) (y b) (y c) (y a) (z a b)")] == [
        *[("b", "(y b)"), ("a", "(y a)")],
    ]


def test_the_first_word_of_an_item_alone_is_a_part_of_the_context() -> None:
    assert [each[:2] for each in told("(fun x a) (fun y b) (use a b)")] == [
        *[("a", "(fun x a)"), ("b", "(fun y b)")],
    ]


@pytest.mark.parametrize("text", ["a = g\ng = a\nh = g\n", "A = G\nG = A\nH = G\n"])
def test_the_first_words_of_lines_may_be_defined(text: str) -> None:
    seen = found(text, load_language("plain"))
    assert [each.word for each in seen.definitions] == [text[0], text[4]]
    assert [[use.start for use in each.uses] for each in seen.definitions] == [[10], [4, 16]]


@pytest.mark.parametrize("name", ["name", "word", "total"])
def test_a_name_may_be_that_of_its_own_sort(name: str) -> None:
    text = f"def {name}(a):\n    return a\n\ndef other(b):\n    return {name}(b)\n\nother(1)\n"
    seen = found(text, load_language("python"))
    assert [each.word for each in seen.definitions] == [name, "other"]


def test_a_word_at_the_very_beginning_may_be_a_use() -> None:
    assert told("x (use x) (fun a) (fun x)") == [("x", "(fun x)", [0, 7])]


def test_words_in_comments_are_no_uses() -> None:
    text = (
        "/* f g */\nint f(int a) { return a; }\n/* f g */ int g(int b) { return f(b); }\n"
        "int h(int c) { return g(c); }\n"
    )
    seen = found(text, load_language("c"))
    assert [(each.word, [use.start for use in each.uses]) for each in seen.definitions] == [
        ("f", [text.index("f(b)")]),
        ("g", [text.index("g(c)")]),
    ]


def test_a_word_is_defined_in_the_outermost_list_that_defines_it() -> None:
    text = "(fun a) (fun b) (m (set a 1) (set c a)) (use a c)"
    assert told(text) == [("a", "(fun a)", [24, 36, 45])]


def test_a_word_that_several_lists_define_has_its_uses_in_each_of_them() -> None:
    text = "((set a 1) (set b a)) ((set a 2) (set c a))"
    assert told(text) == [("a", "(set a 1)", [18]), ("a", "(set a 2)", [40])]


def befores(text: str) -> list[tuple[str, str | None]]:
    def before(each: LinkedName) -> str | None:
        place = each.before
        return None if place is None else text[place.start : place.end].strip()

    return [(each.word, before(each)) for each in found(text).definitions]


def test_what_stands_before_most_definitions_goes_with_them() -> None:
    with_three = "(doc (fun a) doc (fun b) dig (fun c) (fun d) (use a b c d))"
    assert befores(with_three) == [("a", "doc"), ("b", "doc"), ("c", "dig"), ("d", None)]
    with_two = "((fun a) doc (fun b) doc (fun c) (fun d) (use a b c d))"
    assert befores(with_two) == [("a", None), ("b", "doc"), ("c", "doc"), ("d", None)]
    with_others = "((fun a) doc (fun b) txt (fun c) (fun d) (use a b c d))"
    assert befores(with_others) == [(word, None) for word in "abcd"]
    each = found(with_two).definitions[1]
    assert each.parts == (each.before, each.unit)
    first = found(with_two).definitions[0]
    assert first.parts == (first.unit,)
