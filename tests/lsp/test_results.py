"""What becomes of a result: lenses above it and commands that apply it, take it back or drop it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from lsp.editor import Editor, editor
from lsp.projects import PAIR, REDUCED, configure, configure_pairs

TEXT = "one\ntwo x three\nfour\n"
APPLY = ["Boildown: apply 21 → 1 byte", "Boildown: discard"]
UNDO = ["Boildown: undo 21 → 1 byte"]
CHANGED = "crash.txt has changed since it was reduced, so it stays as it is."


async def lenses(user: Editor, uri: str) -> dict[str, types.Command]:
    """Return the commands of the lenses in the first line of a document, by their titles."""
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    found = await user.client.text_document_code_lens_async(params) or []
    assert all(each.range.start.line == 0 for each in found)
    return {each.command.title: each.command for each in found if each.command}


async def press(user: Editor, uri: str, title: str) -> object:
    command = (await lenses(user, uri))[title]
    return await user.run(command.command, *(command.arguments or ()))


@pytest.mark.parametrize("options", [{}, {"diffPreview": True}])
async def test_a_result_is_applied_and_taken_back_by_its_lenses(
    tmp_path: Path, options: dict[str, bool]
) -> None:
    configure(tmp_path)
    async with editor(tmp_path, options) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        assert await lenses(user, uri) == {}
        await user.reduce(uri)
        assert list(await lenses(user, uri)) == APPLY
        assert await press(user, uri, APPLY[0]) == {"state": "done"}
        assert user.text(uri) == "x"
        assert list(await lenses(user, uri)) == UNDO
        assert await press(user, uri, UNDO[0]) == {"state": "done"}
        assert user.text(uri) == TEXT
        assert list(await lenses(user, uri)) == APPLY
        user.type(uri, "typed")
        assert await lenses(user, uri) == {}
        refused = await user.run("boildown.apply", {"uri": uri})
        assert (refused["state"], refused["message"]) == ("refused", CHANGED)
        assert user.text(uri) == f"{TEXT}typed"


async def test_the_file_beside_has_the_lenses_too(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        beside = user.open((tmp_path / "crash.reduced.txt").as_uri(), "x")
        assert list(await lenses(user, beside)) == APPLY
        await press(user, beside, APPLY[0])
        assert (user.text(uri), list(await lenses(user, beside))) == ("x", UNDO)


async def test_a_discarded_result_is_offered_no_more(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        action = (await user.actions(uri))["Boildown: discard the result"]
        assert action.command is not None
        await user.run(action.command.command, *(action.command.arguments or ()))
        assert await lenses(user, uri) == {}
        assert "Boildown: apply the result" not in await user.actions(uri)
        refused = await user.run("boildown.apply", {"uri": uri})
        assert refused["message"] == "There is no result for this document."
        assert user.text(uri) == TEXT


async def test_a_hover_begins_with_the_closest_input_that_passes(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        end = await user.reduce(uri)
        first, second, third, *_ = (await user.hover(uri)).splitlines()
        assert end["passing"]["text"] == "\n"
        assert (first, second) == ("This passes: `⏎`", "")
        assert third.startswith("**Boildown**: Reduced: 21 → 1 byte, ")
        assert "It passes as" not in third


@pytest.mark.slow
async def test_the_text_from_before_counts_for_the_pattern(tmp_path: Path) -> None:
    configure_pairs(tmp_path)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.json", PAIR, "json")
        end = await user.reduce(uri)
        assert user.text(uri) == REDUCED
        found = await user.run("boildown.generalize", {"uri": uri, "wait": True})
        steps = (await user.run("boildown.history", {"uri": uri}))["steps"]
        assert steps[0]["text"] == PAIR
        recall = found["pattern"]["recall"]
        assert recall["original"] is True
        assert recall["failing"] == recall["explained"] >= len(steps) > 1
        assert end["passing"]["text"]


async def test_a_long_message_is_cut_after_a_sentence_and_is_whole_in_the_log(
    tmp_path: Path,
) -> None:
    configure(tmp_path, f"print({'word ' * 60!r})")
    async with editor(tmp_path) as user:
        end = await user.reduce(user.write(tmp_path / "crash.txt", TEXT))
        assert end["state"] == "failed"
        assert len(end["message"]) > 200
        (told,) = user.messages
        assert len(told) <= 200
        assert told.endswith(".")
        assert f"Boildown: {end['message']}".startswith(told)
        logged = user.client.log_messages
        assert any(each.message == end["message"] for each in logged)


async def test_a_reduced_text_has_first_what_comes_after_a_reduction(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        assert user.text(uri) == "x"
        first, second, third, *rest = await user.actions(uri)
        assert (first, second) == ("Boildown: write a bug report", "Boildown: why does it fail?")
        assert third.startswith("Boildown: generalize with ")
        assert rest == ["Boildown: undo, with the original of 21 bytes", "Boildown: more…"]


async def test_an_original_has_its_reduction_again_and_what_is_selected_comes_first(
    tmp_path: Path,
) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        await user.run("boildown.undo", {"uri": uri})
        first, second, third, *_ = await user.actions(uri)
        assert (first, second) == ("Boildown: apply the result", "Boildown: discard the result")
        assert third.startswith("Boildown: reduce with ")
        selected = types.Range(types.Position(1, 0), types.Position(1, 5))
        named = ("reduce the selection, the rest stays,", "generalize the selection")
        one, two, three, *_ = await user.actions(uri, selected)
        assert all(name in title for name, title in zip(named, (one, two), strict=True))
        assert three.startswith("Boildown: reduce the selection alone with ")
