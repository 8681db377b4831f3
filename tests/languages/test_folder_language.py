"""The language of folders: each file in its own language, and only what has changed is parsed."""

from __future__ import annotations

from boildown.engine.oracle import from_test
from boildown.engine.reducing.passes import AUTO
from boildown.engine.reducing.reduce import reduce
from boildown.folder_text import packed, unpacked
from boildown.languages import detect
from boildown.tree import text as text_of

FILES = {
    "app.py": "import data\n\ndef main():\n    used = data.load()\n    return used\n",
    "data.json": '{"a": [1, 2, 3], "b": {"c": "needle"}}\n',
    "notes/readme.txt": "Nothing that matters.\n",
    "empty": "",
}


def test_each_file_has_the_tree_of_its_language_and_all_characters_stay() -> None:
    text = packed(FILES.items())
    tree = detect("project", text).parse(text).tree
    assert text_of(tree) == text
    json = detect("data.json", FILES["data.json"]).parse(FILES["data.json"]).tree
    second = tree.children[1]  # type: ignore[union-attr]
    assert second.children[1].children == (json,)  # type: ignore[union-attr]


def test_text_before_the_first_header_stays_too() -> None:
    language = detect("project", packed(FILES.items()))
    for text in ("lost" + packed([("a", "b")]), "", "only lost"):
        assert text_of(language.parse(text).tree) == text


def test_a_candidate_is_worth_a_run_if_each_changed_file_is() -> None:
    text = packed(FILES.items())
    accepts = detect("project", text).checker(text)
    assert accepts(text.replace("    return used\n", ""), text)
    assert not accepts(text.replace("def main():", "def main("), text)


def test_a_folder_comes_down_to_the_parts_of_each_file_that_matter() -> None:
    def fails(text: str) -> bool:
        files = unpacked(text)
        return '"needle"' in files.get("data.json", "") and "data.load()" in files.get("app.py", "")

    text = packed(FILES.items())
    found = reduce(text, from_test(fails), detect("project", text), AUTO)
    assert unpacked(found.text) == {"app.py": "data.load()", "data.json": '"needle"'}
