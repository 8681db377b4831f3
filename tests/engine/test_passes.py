"""Every pass of the catalogue: the contract that all passes share, and each one's own minimum."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boildown.engine.candidates import retext, spliced
from boildown.engine.failed_edits import FailedEdits, edit_digest
from boildown.engine.language import Language
from boildown.engine.oracle import from_test
from boildown.engine.problem import Problem, key
from boildown.engine.reducing.passes import AUTO, PASSES, Pass
from boildown.engine.reducing.reduce import Watch, reduce
from boildown.engine.uses import shared_words
from boildown.languages import load_language
from helpers import Characters, Lisp, contains, example_count, logged, run, run_pass

each_pass = pytest.mark.parametrize("each", PASSES, ids=lambda each: each.name)
languages = st.sampled_from([Characters(), Lisp()])

lisp_text = st.recursive(
    st.sampled_from(["a", "b", "cc", " a", "\n b"]),
    lambda inner: st.lists(inner, max_size=5).map(lambda parts: "(" + " ".join(parts) + ")"),
    max_leaves=25,
)


@st.composite
def failing(draw: st.DrawFn) -> tuple[str, Callable[[str], bool]]:
    """Draw a text, and a test that it fulfils: some of its characters, in order."""
    text = draw(lisp_text)
    kept = draw(st.lists(st.integers(0, len(text) - 1), max_size=4, unique=True))
    return text, contains(*(text[at] for at in sorted(kept)))  # type: ignore[return-value]


@each_pass
@settings(max_examples=example_count(40))
@given(failing(), languages)
def test_the_result_reproduces_and_is_not_larger(
    each: Pass, case: tuple[str, Callable[[str], bool]], language: Language
) -> None:
    text, test = case
    result, _ = run(each, text, test, language)
    assert test(result)
    assert key(result) <= key(text)


@each_pass
@settings(max_examples=example_count(40))
@given(failing(), languages)
def test_the_result_does_not_depend_on_the_number_of_workers(
    each: Pass, case: tuple[str, Callable[[str], bool]], language: Language
) -> None:
    text, test = case
    results = [run(each, text, test, language, workers) for workers in (1, 4)]
    assert results[0] == results[1]


@given(failing(), languages)
def test_a_character_certificate_is_true(
    case: tuple[str, Callable[[str], bool]], language: Language
) -> None:
    text, test = case
    reduction = reduce(text, from_test(test), language)
    assert reduction.finished
    assert test(reduction.text)
    assert reduction.minimality == "1-character-minimal"
    for at in range(len(reduction.text)):
        assert not test(reduction.text[:at] + reduction.text[at + 1 :])


@given(failing())
def test_a_tree_certificate_is_true(case: tuple[str, Callable[[str], bool]]) -> None:
    text, test = case
    reduction = reduce(text, from_test(test), Lisp(), passes=("perses", "trees"))
    assert reduction.minimality == "1-tree-minimal"
    again = reduce(reduction.text, from_test(test), Lisp(), passes=("trees",))
    assert again.text == reduction.text


def test_perses_deletes_items_and_hoists() -> None:
    test = contains("x", "y")
    assert run_pass("perses", "(a (b (c (x d (e y)) f) g) h)", test, Lisp())[0].strip() == "x y"


def test_perses_keeps_what_stands_around_a_hoisted_item() -> None:
    test = contains("(", "x", ")")
    assert run_pass("perses", "(a\n (b (c (x d)) f))", test, Lisp())[0].strip() == "(x)"


def test_shorten_replaces_equal_words_together() -> None:
    def test(text: str) -> bool:
        words = text.strip("()").split()
        return len(words) == 3 and words[0] == words[2] != words[1]

    assert run_pass("shorten", "(needle thread needle)", test, Lisp())[0] == "(a b a)"


def test_shorten_halves_a_token_that_is_not_a_word() -> None:
    assert run_pass("shorten", "(x/needle/y thread)", contains("/n"), Lisp())[0] == "(/n n)"


def test_fresh_names_go_on_after_the_alphabet() -> None:
    letters = " ".join("abcdefghijklmnopqrstuvwxyz")

    def test(text: str) -> bool:
        return len(set(text.strip("()").split())) == 28

    text = f"({letters} needle thread)"
    assert run_pass("shorten", text, test, Lisp())[0] == f"({letters} aa ab)"


def test_two_names_become_one() -> None:
    def test(text: str) -> bool:
        return len(words := text.strip("()").split()) == 3 and {*words} <= {"x", "needle", "thread"}

    assert run_pass("shorten", "(needle x thread)", test, Lisp())[0] == "(x x x)"


@pytest.mark.parametrize(
    ("text", "needed", "least"),
    [
        ('("#/some/service" "service")', r'\(".*/(\w+)" "\1"\)', '("/a" "a")'),
        ("(--wide var:--wide)", r"\(--(\w+) var:--\1\)", "(--a var:--a)"),
        ("(xmlns:needle needle:x)", r"\(xmlns:(\w+) \1:.*\)", "(xmlns:a a:)"),
    ],
)
def test_a_word_is_renamed_in_all_tokens_that_hold_it(text: str, needed: str, least: str) -> None:
    def test(new: str) -> bool:
        return re.fullmatch(needed, new) is not None

    assert run_pass("shorten", text, test, Lisp())[0] == least


def test_blanks_keeps_only_what_matters() -> None:
    text = "(a  \n\n   b\n c   d)"
    assert run_pass("blanks", text, contains("(", "d"), Lisp())[0] == "(a b c d)"
    assert run_pass("blanks", text, contains("\n c"), Lisp())[0] == "(a b\n c d)"


def test_pairs_takes_an_equal_text_from_two_places_at_once() -> None:
    def test(text: str) -> bool:
        return text.count("x") != 1 and "(" in text and "z" in text

    text = "(x z) (a b c d e f) (w x)"
    assert run_pass("pairs", text, test, Lisp())[0].strip() == "z (a b c d e f)w"


def test_pairs_leaves_a_text_alone_of_which_more_than_two_places_hold_it() -> None:
    tried: list[str] = []
    text = "(x a) (x b) (x c)"
    run_pass("pairs", text, logged(contains("("), tried), Lisp())
    assert {len(re.findall("x", each)) for each in tried} <= {3}
    run_pass("pairs", "(x a) (x b) (c)", logged(contains("(", "c"), tried), Lisp())
    assert any("x" not in each for each in tried)


def test_a_stretch_stays_alone_where_what_is_around_it_goes_together() -> None:
    """A fragment of a query has to be used, and what is used has to be there."""
    whole = re.compile(r"(?:fragment a on \w+\{\w+\}|type \w+\{\}|\{\.\.\.a\})+")

    def fails(text: str) -> bool:
        is_query = whole.fullmatch(text) is not None
        return is_query and "type" in text and ("fragment" in text) == ("..." in text)

    text = "fragment a on b{c}type d{}{...a}"
    oracle = from_test(fails)
    assert reduce(text, oracle, load_language("plain")).text == "type d{}"
    without = tuple(name for name in AUTO if name != "stretches")
    assert "..." in reduce(text, oracle, load_language("plain"), passes=without).text


def test_neighbours_changes_two_near_places_at_once() -> None:
    def test(text: str) -> bool:
        return text.count("x") == text.count("y") and "(" in text and "z" in text

    assert run_pass("pairs", "(x z) (w y)", test, Lisp())[0] == "(x z) (w y)"
    assert run_pass("neighbours", "(x z) (w y)", test, Lisp())[0].strip() == "(z)w"


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(
    ("text", "seen", "least"),
    [
        ("def f():\n    return 0\nx = f()\ny = f() + 1\ng(2)\n", [2], "y = 1\ng(2)"),
        ("x = (1, 2)\ng(x)\n", [(1, 2)], "g((1, 2))"),
        ("def f():\n    g(1)\nf()\n", [1], "g(1)"),
        ("def f(a, b):\n    g(b)\nf(1, 2)\nf(3, 4)\n", [2, 4], "g(2)\ng(4)"),
        ("def f(a):\n    g([a, a])\nf(0)\n", [[0, 0]], "g([0, 0])"),
        (
            "class A:\n    def __init__(self, x): ...\ng(A(1) and A(2) and 3)\n",
            [3],
            "class A:\n    def __init__(x): ...\ng(A() and A() and 3)",
        ),
    ],
)
def test_names_change_together_with_their_uses(text: str, seen: list[object], least: str) -> None:
    def test(new: str) -> bool:
        got: list[object] = []
        try:
            exec(new, {"g": got.append})
        except Exception:
            return False
        return got == seen and ("class" in new or "class" not in text)

    assert run_pass("names", text, test, load_language("python"))[0].strip() == least


def test_names_are_found_inside_the_bodies_of_macros() -> None:
    def test(new: str) -> bool:
        body = re.search(r"#define A (.*)", new)
        expanded = new if body is None else re.sub(r"\bA\b", body[1], new)
        number = re.search(r"#define B (.*)", expanded)
        expanded = expanded if number is None else re.sub(r"\bB\b", number[1], expanded)
        return "return 5 + 5;" in expanded

    text = "#define B 5\n#define A B + B\nint f() { return A; }\n"
    result, _ = run_pass("names", text, test, load_language("c"))
    assert result.strip() == "int f() { return 5 + 5; }"


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("c", "int f() { return g; } int g; int h() { return 0; }", ["int", "g"]),
        ("sql", "SELECT a FROM b; select a from b;", ["a", "b"]),
        ("json", '{"true": true, "b": true}', []),
    ],
)
def test_key_words_are_no_names(language: str, text: str, names: list[str]) -> None:
    found = shared_words(load_language(language).parse(text).tree)
    assert [uses[0].word for uses in found] == names


def test_a_key_word_goes_everywhere_at_once() -> None:
    text = "int f() const; int g() const;"

    def test(new: str) -> bool:
        return new.count("const") in (0, 2) and new.count("int") == 2 and "g" in new and "f" in new

    assert "const" not in run_pass("names", text, test, load_language("cpp"))[0]


def test_a_macro_is_inlined_with_its_argument() -> None:
    def test(new: str) -> bool:
        macro = re.search(r"#define A\((\w*)\) (.*)\n", new)
        if macro is not None:
            body, parameter = macro[2], macro[1]

            def expand(call: re.Match[str]) -> str:
                return re.sub(rf"\b{parameter}\b", call[1], body) if parameter else body

            new = re.sub(r"\bA\((\w*)\)", expand, new[macro.end() :])
        return "return 5 + 5;" in new and "A" not in new

    text = "#define A(a) a + a\nint f() { return A(5); }\n"
    result, _ = run_pass("names", text, test, load_language("c"))
    assert result.strip() == "int f() { return 5 + 5; }"


def test_type_parameters_go_with_their_brackets() -> None:
    def test(new: str) -> bool:
        language = load_language("typescript")
        return "class A" in new and "new A" in new and language.parse(new).valid

    text = "class A<K,V>{}new A<B,C>()"
    assert run_pass("names", text, test, load_language("typescript"))[0] == "class A{}new A()"


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(
    ("text", "seen", "least"),
    [
        (
            "def f(a, b=[]):\n    return len(a) / len(b)\nf('')\n",
            ZeroDivisionError,
            "len('') / len('')",
        ),
        (
            "class A:\n    def f(self, a):\n        return a[3].b\nA().f([])\n",
            IndexError,
            "()[3].b",
        ),
        ("for a in 1, 0:\n    if a < 9:\n        b = 1 % a\n", ZeroDivisionError, "1 % 0"),
    ],
)
def test_a_part_is_extracted_with_values_for_its_names(
    text: str, seen: type[Exception], least: str
) -> None:
    def test(new: str) -> bool:
        try:
            exec(new, {})
        except Exception as error:
            return type(error) is seen
        return False

    language = load_language("python")
    assert test(text)
    assert run_pass("extract", text, test, language)[0].strip() == least


def test_a_block_gives_up_its_braces_for_a_semicolon() -> None:
    def test(new: str) -> bool:
        return "f()" in new and "g()" in new and load_language("javascript").parse(new).valid

    assert run_pass("brackets", "{f()}g()", test, load_language("javascript"))[0] == "f();g()"


def test_a_pass_gives_up_at_the_end_of_its_patience() -> None:
    tried: list[str] = []
    problem = Problem(
        Characters().parse("abcdef").tree,
        from_test(logged(lambda text: text in ("abcdef", "bcdef"), tried)),
        Characters(),
    )
    problem.start(2)
    assert problem.consider_first(retext(problem, new) for new in ("abc", "bcdef")) == 1
    assert problem.consider_first(retext(problem, new) for new in ("b", "c", "d", "e")) is None
    assert not problem.consider(retext(problem, "f"))
    assert tried == ["abc", "bcdef", "b", "c"]


def test_the_last_passes_wait_for_the_others() -> None:
    entered: list[str] = []
    watch = Watch(entered=entered.append)
    reduction = reduce(
        "(a (b c) d)", from_test(contains("a", "d")), Lisp(), ("trees", "tokens"), watch
    )
    assert entered[:3] == ["trees", "trees", "tokens"]
    assert "".join(reduction.text.split()) == "ad"


def test_what_failed_is_not_tried_again_before_the_last_round() -> None:
    text = "(" + " ".join(f"w{number}" for number in range(40)) + ")"
    around = " ".join(f"w{number}" for number in range(10, 20))
    failed = FailedEdits()
    without = text.replace("w15 ", "")
    failed.add(text, [edit_digest(text, without)])
    far = text.replace("w39", "x")
    assert failed.knows(far, far.replace("w15 ", ""))
    near = text.replace("w16", "x")
    assert not failed.knows(near, near.replace("w15 ", ""))
    assert not failed.knows(around, around.replace("w15 ", ""))
    assert failed.spared == 1
    failed.trusted = False
    assert not failed.knows(far, far.replace("w15 ", ""))


def test_an_edit_at_several_places_that_failed_is_known_whatever_changed_between_them() -> None:
    text = "(a w0 w1 w2 w3 w4 w5 w6 w7 w8 a w9 a)"

    def edit(text: str, *at: int) -> tuple[str, str, list[tuple[int, int, str]]]:
        starts = [match.start() for match in re.finditer("a", text)]
        splices = [(starts[each], starts[each] + 1, "") for each in at]
        return text, spliced(text, splices, " "), splices

    failed = FailedEdits()
    _, new, splices = edit(text, 0, 1)
    failed.add(text, [edit_digest(text, new, splices)])
    between = text.replace("w4 ", "")
    assert failed.knows(*edit(between, 0, 1))
    assert not failed.knows(*edit(between, 0, 2))
    assert not failed.knows(*edit(between, 1, 2))


def test_sweeps_go_on_after_a_success() -> None:
    assert run_pass("tokens", "a b c d", contains("b"), Characters())[0].strip() == "b"
    assert run_pass("characters", "a b c d", contains("b"), Characters())[0] == "b"
    assert run_pass("trees", "(a b (c d))", contains("c"), Lisp())[0] == "c"


def test_prune_leaves_out_what_is_not_needed_with_few_runs() -> None:
    words = " ".join(f"w{number}" for number in range(1000))
    result, runs = run_pass("prune", f"({words} (x y) {words})", contains("w777", "y"), Lisp())
    assert "".join(result.split()) == "(w777(y))"
    assert runs < 60


def test_prune_tries_the_heaviest_part_first() -> None:
    tried: list[str] = []

    def test(text: str) -> bool:
        tried.append(text)
        return False

    run_pass("prune", "(a bbbb cc)", test, Lisp())
    assert tried == ["", "()", "( cc)", "(a cc)", "(a bbbb)", "( bbbb cc)"]


def test_prune_turns_to_lighter_units_when_heavy_ones_fail() -> None:
    tried: list[str] = []
    outer = [f"heavy{number}" for number in range(8)]
    inner = [f"low{number}" for number in range(8)]
    text = f"({' '.join(outer)} (inside ({' '.join(inner)})))"

    def gone(words: list[str]) -> list[int]:
        """Return the turns in which a single one of some words was left out."""
        missing = [[word for word in [*outer, *inner] if word not in new] for new in tried]
        return [at for at, found in enumerate(missing) if len(found) == 1 and found[0] in words]

    run_pass("prune", text, logged(lambda _new: False, tried), Lisp())
    assert len(gone(outer)) == len(gone(inner)) == 8
    assert 0 < sum(at < gone(outer)[-1] for at in gone(inner)) < 8


@pytest.mark.parametrize(
    ("text", "unit", "least"),
    [
        ("# a*" + " " * 40_000 + "*b", " ", 400),
        ("start " + "a" * 40_000 + " end", "a", 397),
        ('{"k": "' + "ab" * 20_000 + '"}', "ab", 300),
        ("x" * 100 + "-" * 5_000 + "y" * 100 + "-" * 5_000, "-", 4_000),
    ],
)
def test_a_repetition_is_shortened_to_what_fails(text: str, unit: str, least: int) -> None:
    result, runs = run_pass("repetitions", text, contains(unit * least), Characters())
    counts = [len(each) // len(unit) for each in re.findall(f"(?:{unit})+", result)]
    assert max(counts) == least
    assert runs <= 100
    # The default pipeline comes to the minimum, whatever the grammar makes of the text.
    whole = reduce(text, from_test(lambda text: unit * least in text), load_language("plain"))
    assert whole.text == unit * least


def test_pieces_goes_across_the_parts_of_a_tree() -> None:
    """A piece that begins in one list and ends in another one, of a text too long for sweeps."""
    inside = " ".join(f"w{number}" for number in range(400))
    text = f"(head {inside}) ({inside} tail)"

    def test(text: str) -> bool:
        return text.count("(") == text.count(")") and text[:5] == "(head" and text[-5:] == "tail)"

    result, _ = run_pass("pieces", text, test, Characters())
    assert result == "(headtail)"


def test_lines_leaves_out_each_line_that_can_go() -> None:
    text = "".join(f"line {number}\n" for number in range(64))
    kept = ("line 5\n", "line 40\n", "line 63\n")
    assert run_pass("lines", text, contains(*kept), Characters())[0] == "".join(kept)


def test_costly_levels_are_replaced_by_more_of_the_cheapest() -> None:
    """A search that takes levels away ends where each of those that are left is costly."""
    costly = "[" * 5 + '{"ab":' * 9 + "7" + "}" * 9 + "]" * 5
    least = "[" * 26 + "0" + "]" * 26

    def test(text: str) -> bool:
        return text.count("[") >= 26 or text.count('"ab"') >= 9

    assert run_pass("deepen", costly, test, load_language("json")) == (least, 7)
    assert run_pass("deepen", costly, lambda text: text == costly, load_language("json")) == (
        costly,
        2,
    )
    assert run_pass("deepen", "[" * 7 + "7" + "]" * 7, test, load_language("json"))[1] == 0
