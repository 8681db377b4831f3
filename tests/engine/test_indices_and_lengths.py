"""Numbers that point into lists or say how long something is: they go along with what goes."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from random import Random

from boildown.engine.language import Language
from boildown.engine.oracle import from_test
from boildown.engine.reducing.reduce import Reduction, reduce
from boildown.languages import load_language

MOST_RUNS = 900


def reduced(text: str, test: Callable[[str], bool], language: Language) -> Reduction:
    assert test(text)
    reduction = reduce(text, from_test(test), language)
    assert reduction.finished
    assert reduction.runs < MOST_RUNS
    return reduction


def words(rng: Random, most: int) -> str:
    return " ".join(
        "".join(rng.choices("abcdefghij", k=rng.randint(2, 7))) for _ in range(rng.randint(1, most))
    )


def a_scene() -> str:
    """Return nodes that point to 300 meshes, and these to 200 materials, one of them masked."""
    rng = Random(3)
    materials = [{"name": words(rng, 1), "rough": rng.random()} for _ in range(200)]
    materials[161]["alpha"] = "MASK"
    meshes = [{"name": words(rng, 1), "material": rng.randrange(200)} for _ in range(300)]
    meshes[99]["material"] = 161
    meshes[100]["material"] = 199
    nodes = [{"mesh": at, "at": rng.choices(range(10), k=3)} for at in range(300)]
    return json.dumps({"materials": materials, "meshes": meshes, "nodes": nodes}, indent=1)


def shows_a_mask(text: str) -> bool:
    """Say whether all indices are in their lists, and one node leads to a masked material."""
    try:
        scene = json.loads(text)
        used = [scene["meshes"][mesh["mesh"]]["material"] for mesh in scene["nodes"]]
        used += [mesh["material"] for mesh in scene["meshes"]]
        materials = [scene["materials"][at] for at in used if at >= 0]
        return len(materials) == len(used) and any(
            material.get("alpha") == "MASK" for material in materials[: len(scene["nodes"])]
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        return False


def test_what_points_to_an_item_that_goes_points_to_another_one() -> None:
    reduction = reduced(a_scene(), shows_a_mask, load_language("json"))
    assert json.loads(reduction.text) == {
        "materials": [{"alpha": "MASK"}],
        "meshes": [{"material": 0}],
        "nodes": [{"mesh": 0}],
    }


def steps_in_an_order() -> str:
    """Return 80 steps, and an order that has each of them once, from 1."""
    rng = Random(4)
    order = list(range(1, 81))
    rng.shuffle(order)
    steps = [{"do": words(rng, 3)} for _ in order]
    steps[37] = {"do": "explode"}
    return json.dumps({"steps": steps, "order": order}, indent=1)


def explodes(text: str) -> bool:
    """Say whether the order has each step once, and one of these explodes."""
    try:
        plan = json.loads(text)
        steps, order = plan["steps"], plan["order"]
        whole = sorted(order) == list(range(1, len(steps) + 1))
        return whole and any(step["do"] == "explode" for step in steps)
    except (ValueError, LookupError, TypeError):
        return False


def test_what_points_to_an_item_goes_with_it() -> None:
    reduction = reduced(steps_in_an_order(), explodes, load_language("json"))
    assert json.loads(reduction.text) == {"steps": [{"do": "explode"}], "order": [1]}


def strings_with_lengths() -> str:
    rng = Random(5)
    strings = [words(rng, 6) + (" #!" if at == 150 else "") for at in range(300)]
    return "\n".join(f"{len(string)}:{string}," for string in strings)


def holds_a_bang(text: str) -> bool:
    """Say whether the text consists of strings behind their lengths, one of which has a `#!`."""
    at = 0
    found = False
    while at < len(text):
        match = re.compile(r"\n?(\d+):").match(text, at)
        if match is None:
            return False
        end = match.end() + int(match[1])
        found |= "#!" in text[match.end() : end]
        if text[end : end + 1] != ",":
            return False
        at = end + 1
    return found


def test_a_character_goes_with_one_off_its_length() -> None:
    assert reduced(strings_with_lengths(), holds_a_bang, load_language("plain")).text == "2:#!,"


def a_message() -> str:
    rng = Random(6)
    body = words(rng, 1) + " ".join(words(rng, 5) for _ in range(500)) + " <!--> " + words(rng, 9)
    return f"POST /form\nHost: {words(rng, 1)}\nLength: {len(body)}\n\n{body}"


def posts_a_comment(text: str) -> bool:
    head, _, body = text.partition("\n\n")
    request, *lines = head.split("\n")
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    return (
        re.fullmatch(r"[A-Z]+ \S+", request) is not None
        and len(fields) == len(lines)
        and fields.get("Length") == str(len(body))
        and "<!-->" in body
    )


def test_a_length_may_be_that_of_the_end_of_the_text() -> None:
    reduction = reduced(a_message(), posts_a_comment, load_language("plain"))
    assert re.fullmatch(r"[A-Z] .\nLength: 5\n\n<!-->", reduction.text)


def blobs() -> str:
    rng = Random(7)
    data = [words(rng, 9) + ("%n" if at == 70 else "") for at in range(140)]
    return json.dumps([{"size": len(each), "data": each} for each in data], indent=1)


def has_a_format(text: str) -> bool:
    try:
        found = json.loads(text)
        sizes = all(blob["size"] == len(blob["data"]) for blob in found)
        return sizes and any("%n" in blob["data"] for blob in found)
    except (ValueError, LookupError, TypeError):
        return False


def test_a_length_may_be_that_of_a_token_near_it() -> None:
    reduction = reduced(blobs(), has_a_format, load_language("json"))
    assert reduction.text == '[{"size":2,"data":"%n"}]'


def statements() -> str:
    """Return a table of nine columns, with names of columns and values in lists of two sorts."""
    rng = Random(8)
    columns = [f"{words(rng, 1)}{at}" for at in range(9)]
    rows = [[rng.randrange(500) for _ in columns] for _ in range(60)]
    rows[33][6] = 7777
    return "\n".join(
        [
            f"CREATE TABLE t ({', '.join(f'{column} INTEGER' for column in columns)});",
            *(f"INSERT INTO t VALUES ({', '.join(map(str, row))});" for row in rows),
            "SELECT * FROM t;",
        ]
    )


def holds_the_value(text: str) -> bool:
    connection = sqlite3.connect(":memory:")
    try:
        for statement in text.split(";"):
            connection.execute(statement)
        names = connection.execute("SELECT name FROM sqlite_master").fetchall()
        return any(
            7777 in row for (name,) in names for row in connection.execute(f"SELECT * FROM {name}")
        )
    except sqlite3.Error:
        return False
    finally:
        connection.close()


def test_lists_of_several_sorts_lose_their_columns_together() -> None:
    reduction = reduced(statements(), holds_the_value, load_language("sql"))
    assert re.fullmatch(r"CREATE TABLE (\w)\(\w\);INSERT INTO \1 VALUES\(7777\)", reduction.text)


def an_image() -> str:
    """Return an image of 40 x 30 cells of three numbers each, one of which is 255."""
    rng = Random(9)
    cells = [rng.randrange(100) for _ in range(40 * 30 * 3)]
    cells[2000] = 255
    lines = (" ".join(map(str, cells[at : at + 120])) for at in range(0, len(cells), 120))
    return "P3\n40 30\n255\n" + "\n".join(lines) + "\n"


def has_a_bright_cell(text: str) -> bool:
    try:
        kind, *numbers = text.split()
        width, height, most, *cells = map(int, numbers)
    except ValueError:
        return False
    whole = kind == "P3" and min(width, height) > 0 and len(cells) == width * height * 3
    return whole and most == 255 and 255 in cells


def test_the_rows_and_columns_of_a_grid_go_with_its_size() -> None:
    reduction = reduced(an_image(), has_a_bright_cell, load_language("plain"))
    assert sorted(reduction.text.split()) == ["0", "0", "1", "1", "255", "255", "P3"]


def a_graph_with_a_count() -> str:
    """Return 120 items that a number counts, that edges point to, and that weights go with."""
    rng = Random(6)
    edges = [rng.sample(range(120), 2) for _ in range(160)]
    edges[50] = [17, 119]
    weights = [rng.randint(1, 99) for _ in range(120)]
    weights[119] = -3
    names = [{"name": words(rng, 2)} for _ in range(120)]
    return json.dumps({"count": 120, "edges": edges, "items": names, "weights": weights}, indent=1)


def has_a_negative_end(text: str) -> bool:
    """Say whether the items are counted, have a weight each, and an edge ends at a negative one."""
    try:
        graph = json.loads(text)
        weights, edges = graph["weights"], graph["edges"]
        whole = graph["count"] == len(graph["items"]) == len(weights)
        inside = all(0 <= at < len(weights) for edge in edges for at in edge)
        return whole and inside and any(weights[end] < 0 for _, end in edges)
    except (ValueError, LookupError, TypeError):
        return False


def test_a_count_and_what_is_in_step_go_with_what_is_pointed_to() -> None:
    reduction = reduced(a_graph_with_a_count(), has_a_negative_end, load_language("json"))
    assert len(reduction.text) <= len('{"count":2,"edges":[[0,1]],"items":[0,0],"weights":[0,-1]}')


def numbered_steps() -> str:
    """Return 60 steps that number themselves and use the results of earlier ones."""
    rng = Random(8)
    lines = ["%1 = read", "%2 = read"]
    for at in range(3, 61):
        one, other = (f"%{rng.randrange(1, at)}" for _ in range(2))
        lines.append(f"%{at} = {rng.choice(['add', 'mul'])} {one} {other}")
    lines[29], lines[44] = "%30 = neg %4", "%45 = root %30"
    return "\n".join(lines) + "\n"


def takes_the_root_of_a_negative(text: str) -> bool:
    """Say whether the steps are numbered from 1, use earlier ones, and one roots a negated one."""
    kinds: dict[str, str] = {}
    rooted = ""
    for at, line in enumerate(filter(None, text.split("\n")), 1):
        step = re.fullmatch(rf"%{at} = (read|neg|root|add|mul)((?: %\d+){{0,2}})", line)
        used = step[2].split() if step else ["%"]
        if step is None or not kinds.keys() >= set(used):
            return False
        kinds[f"%{at}"] = step[1]
        if step[1] == "root" and used and kinds[used[0]] == "neg":
            rooted = line
    return bool(rooted)


def test_items_that_number_themselves_are_numbered_anew() -> None:
    reduction = reduced(numbered_steps(), takes_the_root_of_a_negative, load_language("plain"))
    assert len(reduction.text.split()) <= 3 + 4 + 4
