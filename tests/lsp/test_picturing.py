"""Derivation trees in the editor."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from lsp.editor import editor
from lsp.projects import REDUCED, configure_pairs


async def test_a_tree_is_shown_though_nothing_is_configured(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", "[1]", "json")
        seen = await user.run("boildown.tree", {"uri": uri})
        assert (seen["state"], seen["language"], seen["input"]) == ("done", "json", "[1]")
        assert seen["text"].splitlines()[-1] == '      "]"'
        classes = {each.attrib.get("class") for each in ElementTree.fromstring(seen["svg"])}
        assert "token" in classes
        assert not any("essential" in str(each) for each in classes)


async def test_a_selection_is_shown_alone(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", "[1,\n22]", "json")
        place = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 2}}
        seen = await user.run("boildown.tree", {"uri": uri, "range": place, "input": "alone"})
        assert (seen["input"], '"22"' in seen["text"]) == ("22", True)


async def test_a_large_tree_is_cut_and_not_drawn(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", f"[{'1,' * 9_000}1]", "json")
        seen = await user.run("boildown.tree", {"uri": uri})
        assert seen["svg"] is None
        assert len(seen["text"].splitlines()) == 5_001
        assert seen["text"].endswith(" more\n")


async def test_the_tree_of_a_pattern_tells_holes_from_what_is_essential(tmp_path: Path) -> None:
    configure_pairs(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", '[1, {"a": 2}]', "json")
        await user.run("boildown.generalize", {"uri": uri, "wait": True})
        seen = await user.run("boildown.tree", {"uri": uri})
        assert seen["input"] == REDUCED
        root = ElementTree.fromstring(seen["svg"])
        texts = [each for each in root if each.tag.endswith("text")]
        holes = [each for each in texts if "hole" in each.attrib["class"].split()]
        essential = [each for each in texts if "essential" in each.attrib["class"].split()]
        tokens = [(each.text or "") for each in essential if "token" in each.attrib["class"]]
        assert tokens == ['"["', '","', '"]"']
        assert holes
        assert len(holes) + len(essential) == len(texts)
        titles = {each.findtext("{*}title") for each in holes}
        assert all(str(title).startswith("may be something else: ⟨value⟩") for title in titles)
