"""Coupled inputs of four kinds: what only goes together goes, down to what a person writes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from xml.etree import ElementTree

from boildown.engine.language import Language
from boildown.engine.oracle import from_test
from boildown.engine.reducing.links import links
from boildown.engine.reducing.reduce import Reduction, reduce
from boildown.languages import load_language
from helpers import run_pass

MOST_RUNS = 1000


def reduced(text: str, test: Callable[[str], bool], language: Language) -> Reduction:
    assert test(text)
    reduction = reduce(text, from_test(test), language)
    assert reduction.finished
    assert reduction.runs < MOST_RUNS
    return reduction


def forms_with_references() -> str:
    """Return a schema of 200 forms, three of which lead to each other in a ring."""
    rng = Random(1)
    ring = [30, 90, 150]
    forms = {}
    for number in range(200):
        parts = {f"part{at}": {"use": f"#/forms/form-{rng.randrange(200)}"} for at in range(2)}
        if number in ring:
            after = ring[(ring.index(number) + 1) % 3]
            parts["base"] = {"use": f"#/forms/form-{after}", "note": "x" * 20}
        forms[f"form-{number}"] = parts
    return json.dumps({"title": "forms", "forms": forms}, indent=1)


def has_a_ring(text: str) -> bool:
    """Say whether all references lead to a form, and bases lead in a ring."""
    try:
        forms = json.loads(text)["forms"]
        uses = re.findall(r'"use": ?"([^"]*)"', text)
        if not all(use.startswith("#/forms/") and use[8:] in forms for use in uses):
            return False
        for start in forms:
            seen = set()
            at = start
            while "base" in forms[at] and at not in seen:
                seen.add(at)
                at = forms[at]["base"]["use"][8:]
            if at in seen:
                return True
    except (ValueError, LookupError, TypeError, AttributeError):
        pass
    return False


def test_definitions_go_with_the_references_to_them() -> None:
    result = reduced(forms_with_references(), has_a_ring, load_language("json"))
    smallest = r'\{"forms":\{"([\w-]*)":\{"base":\{"use":"#/forms/\1"\}\}\}\}'
    assert re.fullmatch(smallest, result.text), result.text


def alignment() -> str:
    """Return 40 rows of 300 columns; two rows begin with the same eight letters."""
    rng = Random(2)
    rows = [f"taxon{number:03}" for number in range(40)]
    rows[11], rows[29] = "Erio_latifol", "Erio_latissim"
    lines = [f"{row:16}" + "".join(rng.choice("ACGT-") for _ in range(300)) for row in rows]
    return "table rows=40 columns=300\n" + "\n".join(lines) + "\n"


def is_clipped(text: str) -> bool:
    """Say whether the counts are right, and two names are the same up to eight letters."""
    head, *lines = text.strip().split("\n")
    match = re.fullmatch(r"table rows=(\d+) columns=(\d+)", head)
    rows = [line.split() for line in lines]
    if match is None or len(rows) != int(match[1]) or any(len(row) != 2 for row in rows):
        return False
    if any(len(row[1]) != int(match[2]) for row in rows):
        return False
    names = [row[0] for row in rows]
    clipped = [name[:8] for name in names if len(name) > 8]
    return len(set(names)) == len(names) and len(set(clipped)) < len(clipped)


def test_rows_and_columns_go_with_their_counts() -> None:
    result = reduced(alignment(), is_clipped, load_language("plain"))
    head, *rows = result.text.strip().split("\n")
    assert head == "table rows=2 columns=1"
    assert len(rows) == 2
    assert all(re.fullmatch(r"\S{8,9} \S", row) for row in rows)


def drawing() -> str:
    """Return shapes that use each other by their identifiers; one uses itself at last."""
    rng = Random(3)
    shapes = [
        f'<shape id="s{number}"><use of="#s{rng.randrange(max(number, 1))}"/></shape>\n'
        for number in range(1, 120)
    ]
    shapes[80] = '<shape id="s81"><fill/><use of="#s81"/></shape>\n'
    return '<drawing>\n<shape id="s0"/>\n' + "".join(shapes) + "</drawing>\n"


def uses_itself(text: str) -> bool:
    """Say whether all shapes that are used are there once, and one uses itself."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return False
    shapes = [each for each in root.iter("shape") if "id" in each.attrib]
    names = [each.attrib["id"] for each in shapes]
    used = [each.attrib.get("of", "") for each in root.iter("use")]
    if len(set(names)) < len(names) or not all(each[1:] in names for each in used):
        return False
    return any(
        use.attrib.get("of") == "#" + each.attrib["id"]
        for each in shapes
        for use in each.iter("use")
    )


def test_elements_go_with_the_uses_of_their_identifiers() -> None:
    result = reduced(drawing(), uses_itself, load_language("xml"))
    assert re.fullmatch(r'<shape id="(\w*)"><use of="#\1" ?/></shape>', result.text.strip()), (
        result.text
    )


def program() -> str:
    """Return a program of 150 functions of a machine language, which call earlier ones."""
    rng = Random(4)
    lines = []
    for number in range(150):
        lines += [f"function @f{number}", "{"]
        for step in range(1, 6):
            callee = rng.randrange(max(number - 20, 0), number) if number else None
            value = f"call @f{callee}" if callee is not None else "zero"
            lines.append(f"  %{step} = {value} %{step - 1}" if step > 1 else "  %1 = zero")
        lines += ["  trap %5" if number == 130 else "  return %5", "}"]
    return "\n".join(lines) + "\n"


def traps(text: str) -> bool:
    """Say whether all that is used is there before, and a value is trapped."""
    functions: set[str] = set()
    values: set[str] | None = None
    trapped = False
    for line in text.strip().split("\n"):
        words = line.split()
        if not words:
            continue
        if words[0] == "function" and len(words) == 2 and values is None:
            functions.add(words[1])
        elif words == ["{"] and values is None:
            values = set()
        elif words == ["}"] and values is not None:
            values = None
        elif values is not None:
            used = [word for word in words[1:] if word.startswith(("%", "@"))]
            if not set(used) <= values | functions:
                return False
            if words[1:2] == ["="] and words[2:3] in (["call"], ["zero"]):
                values.add(words[0])
            elif words[0] in ("trap", "return") and len(words) == 2 and used:
                trapped |= words[0] == "trap"
            else:
                return False
        else:
            return False
    return trapped and values is None


def test_functions_go_with_their_callers() -> None:
    result = reduced(program(), traps, load_language("plain"))
    assert len(result.text.split("\n")) <= 6, result.text


def test_definitions_and_uses_are_told_by_their_contexts() -> None:
    text = (
        "define @f(i32 %a, i32 %e, i32 %e) {\n %b = i32\n %d = %b\n}\n"
        "define @g(i32 %a, i32 %e, i32 %e) {\n %b = @f\n %c = %b\n}\n"
    )
    found = links(load_language("plain").parse(text).tree, text)
    assert [(each.word, len(each.uses)) for each in found.definitions] == [
        ("f", 1),
        ("b", 1),
        ("b", 1),
    ]


def test_a_hypothesis_that_does_not_hold_costs_few_runs() -> None:
    text = forms_with_references()
    assert run_pass("links", text, lambda new: new == text, load_language("json"))[1] < 90


def test_counted_rows_are_found_deep_inside_of_wide_lists() -> None:
    rows = "".join(f"  row{at} {at * 7};\n" for at in range(100, 200))
    text = f"a {{ b {{ c {{ d {{ n=100 e {{\n{rows}}}}}}}}}}}\n"
    form = re.compile(r"a \{ b \{ c \{ d \{ n=(\d+) e \{((?:\s*row\d+ \d+;)+)\s*\}\}\}\}\}\s*")

    def is_counted(text: str) -> bool:
        found = form.fullmatch(text)
        return found is not None and found[2].count("row") == int(found[1])

    assert is_counted(text)
    result = reduce(text, from_test(is_counted), load_language("plain"), ("links",))
    assert "n=1 " in result.text, result.text


def clauses() -> str:
    """Return 60 clauses on one line, each ended by a zero, and before them how many they are."""
    rng = Random(5)
    words = [" ".join(str(rng.randrange(1, 90)) for _ in range(at % 4)) for at in range(60)]
    words[41] = "7 -9 3"
    return "p 60 " + "".join(f"{each} 0 " for each in words)


def has_the_clause(text: str) -> bool:
    """Say whether as many clauses as are said end with a zero, and one holds 7 and -9."""
    head, said, *words = [*text.split(), "", ""]
    rest = " ".join(words).rstrip()
    if head != "p" or not said.isdigit() or not re.fullmatch(r"[-\d ]*\b0", rest):
        return False
    found = re.split(r"(?<![-\d])0(?!\d)", rest)[:-1]
    return len(found) == int(said) and any({"7", "-9"} <= set(each.split()) for each in found)


def test_stretches_go_with_the_number_of_the_words_that_end_them() -> None:
    result = reduced(clauses(), has_the_clause, load_language("plain"))
    assert result.text == "p 1 7 -9 0"


def test_stretches_go_with_the_number_of_the_words_that_begin_them() -> None:
    text = "n=80 " + " ".join(f"item {at}{' bad' if at == 50 else ''}" for at in range(80))

    def is_counted(text: str) -> bool:
        head, *found = text.split("item")
        return re.fullmatch(rf"n={len(found)}\s", head) is not None and "bad" in text

    assert reduced(text, is_counted, load_language("plain")).text == "n=1 itembad"


def test_stretches_go_with_the_number_of_those_that_a_word_separates() -> None:
    text = "n=90 " + "; ".join("bad" if at == 30 else str(at + 100) for at in range(90))

    def is_counted(text: str) -> bool:
        match = re.fullmatch(r"n=(\d+) (.*)", text)
        found = match[2].split(";") if match else []
        found = [each.strip() for each in found]
        return match is not None and len(found) == int(match[1]) and all(found) and "bad" in found

    assert reduced(text, is_counted, load_language("plain")).text == "n=2 bad;0"


def test_a_count_is_found_in_a_short_text() -> None:
    text = "rows 9\n" + "".join("bad\n" if at == 4 else f"row{at}\n" for at in range(9))

    def is_counted(text: str) -> bool:
        head, *rows = text.strip("\n").split("\n")
        return head == f"rows {len(rows)}" and "bad" in rows

    assert reduced(text, is_counted, load_language("plain")).text == "rows 1\nbad"


def test_what_can_go_while_a_number_stays_is_not_what_it_counts() -> None:
    text = "n=20 " + "".join(f"a{at};" for at in range(20))
    left, runs = run_pass("links", text, lambda new: new.startswith("n="), load_language("plain"))
    # A probe and a run with the number as it was: for two sorts of stretches and for characters.
    assert runs == 6
    assert left == "n=17 a0a1;a2;a4;" + "".join(f"a{at};" for at in range(6, 20))


def test_items_do_not_go_one_by_one_with_a_number_that_counts_nothing() -> None:
    text = json.dumps({"shift": 40, "items": [*range(100, 140)]})

    def even_items_are_there(new: str) -> bool:
        try:
            found = json.loads(new)
            return found["shift"] > 0 and {*range(100, 140, 2)} <= {*found["items"]}
        except (ValueError, LookupError, TypeError):
            return False

    _, runs = run_pass("links", text, even_items_are_there, load_language("json"))
    assert runs < 20


LETTERS = "".join(Random(6).choice("efgh ") for _ in range(100))


def test_characters_of_a_block_go_with_its_length() -> None:
    block = f"{LETTERS}\n{LETTERS}bad{LETTERS}"

    def is_long(text: str) -> bool:
        head, _, body = text.partition("\n\n")
        return f"length: {len(body)}" in head.split("\n")[1:] and "bad" in body

    result = reduced(
        f"post\nlength: {len(block)}\nto: a\n\n{block}", is_long, load_language("plain")
    )
    assert result.text == "\nlength: 3\n\nbad"


def test_characters_of_a_string_go_with_its_length() -> None:
    def is_long(text: str) -> bool:
        try:
            found = json.loads(text)
            return len(found["data"]) == found["size"] and "bad" in found["data"]
        except (ValueError, LookupError, TypeError):
            return False

    string = f"{LETTERS}bad{LETTERS}"
    text = json.dumps({"name": "a", "size": len(string), "data": string})
    assert reduced(text, is_long, load_language("json")).text == '{"size":3,"data":"bad"}'


def test_a_few_keys_that_are_alike_hide_no_definition() -> None:
    names = [*(f"s{at}" for at in range(8)), "t", "t"]
    states = ",".join(f'"{name}":{{"to":"s{at % 8}"}}' for at, name in enumerate(names, 3))
    text = "{" + states + "}"
    found = links(load_language("json").parse(text).tree, text)
    assert {each.word for each in found.definitions} == set(names) - {"t"}
