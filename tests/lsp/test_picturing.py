"""Derivation trees in the editor."""

from __future__ import annotations

from pathlib import Path

from lsp.editor import editor
from lsp.projects import REDUCED, configure_pairs


async def test_a_tree_is_shown_though_nothing_is_configured(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", "[1]", "json")
        seen = await user.run("boildown.tree", {"uri": uri})
        assert (seen["state"], seen["language"], seen["input"]) == ("done", "json", "[1]")
        assert seen["text"].splitlines()[-1] == '      "]"'
        rows = [(row["level"], row["caption"], row["sort"]) for row in seen["rows"]]
        assert (rows[-1], seen["holes"]) == ((3, '"]"', "token"), [])
        assert {row["hole"] for row in seen["rows"]} == {None}


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
        assert seen["rows"] is None
        assert len(seen["text"].splitlines()) == 5_001
        assert seen["text"].endswith(" more\n")


async def test_the_tree_of_a_pattern_tells_holes_from_what_is_essential(tmp_path: Path) -> None:
    configure_pairs(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", '[1, {"a": 2}]', "json")
        await user.run("boildown.generalize", {"uri": uri, "wait": True})
        seen = await user.run("boildown.tree", {"uri": uri})
        assert seen["input"] == REDUCED
        tokens = [row for row in seen["rows"] if row["sort"] == "token"]
        told = [(row["caption"], row["hole"]) for row in tokens]
        parts = [('"["', None), ('NUMBER "0"', 1), ('","', None), ('NUMBER "0"', 2), ('"]"', None)]
        assert told == parts
        assert [row["gaps"] for row in seen["rows"] if row["gaps"]] == [[3]]
        words = [each.partition(": ")[0] for each in seen["holes"]]
        assert words == ["⟨value⟩¹", "⟨value⟩²", "…³"]
