"""After the reduction: why nothing more can go, and the way back."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown import history
from lsp.editor import editor
from lsp.projects import configure

PROGRAM = """
import sys
text = open(sys.argv[1]).read()
if "(" not in text:
    sys.exit(7)
if ")" not in text:
    raise ValueError("no end")
sys.exit("x" in text)
"""
TEXT = "one (two x three) four"


async def test_why_nothing_more_can_go(tmp_path: Path) -> None:
    configure(tmp_path, PROGRAM, more="invalid = { exit = [7] }")
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        assert user.text(uri) == "(x)"
        action = (await user.actions(uri, only=["quickfix.boildown"]))["Boildown: try without this"]
        end = await user.follow(action)
        assert end["state"] == "done"
        assert end["message"] == (
            "Nothing can be left out: each of the 3 tokens was tried. Without a token: 1 passes, "
            "1 fails differently, 1 is invalid."
        )
        tokens = [each for each in end["neighbours"] if each["sort"] == "token"]
        gives = {each["text"]: each["gives"] for each in tokens}
        assert gives["("] == "is invalid"
        assert gives["x"] == "passes"
        assert gives[")"].startswith("fails differently: exit 1: ValueError in ")
        assert [each["start"] for each in tokens] == [0, 1, 2]
        assert await user.hover(uri, 0, 1) == (
            f"This passes: `()`\n\n**Boildown**: {end['message']}\n\n"
            "- Without `x` it passes.\n- With `a` in place of `x` it passes."
        )
        assert end["message"] in user.messages[-1]
        user.type(uri, " ")
        assert await user.hover(uri, 0, 1) == ""


async def test_a_part_can_be_asked_about(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.txt", "a x b")
        plain = {"start": {"line": 0, "character": 2}, "end": {"line": 0, "character": 5}}
        end = await user.run("boildown.explain", {"uri": uri, "range": plain, "wait": True})
        found = [(each["sort"], each["text"], each["gives"]) for each in end["neighbours"]]
        assert found[:2] == [("token", "x", "passes"), ("token", "b", "still fails the same way")]
        assert end["message"] == (
            "Each of the 2 tokens and 2 parts was left out once. "
            "Without a token: 1 still fails the same way, 1 passes. "
            "Without a part: 1 still fails the same way, 1 passes."
        )


async def test_a_part_says_more_than_its_tokens(tmp_path: Path) -> None:
    program = """
import json, sys
try:
    data = json.load(open(sys.argv[1]))
except ValueError:
    sys.exit(7)
for order in data["orders"]:
    assert not order.get("express")
"""
    configure(tmp_path, program, "*.json", "invalid = { exit = [7] }")
    async with editor(tmp_path) as user:
        text = '{"orders":[{"express":true}]}'
        uri = user.write(tmp_path / "crash.json", text, "json")
        end = await user.run("boildown.explain", {"uri": uri, "wait": True})
        assert end["message"] == (
            "Nothing can be left out: each of the 11 tokens and 3 parts was tried. "
            "Without a token: all 11 are invalid. Without a part: 2 pass, 1 fails differently."
        )
        hover = (await user.hover(uri, 0, text.index("true"))).splitlines()
        assert hover[0] == 'This passes: `{"orders":[{"express":0}]}`'
        assert hover[4:9] == [
            "- Without `true` it is invalid.",
            "- With `0` in place of `true` it passes.",
            '- Without `"express":true` it passes.',
            '- With `"":0` in place of `"express":true` it passes.',
            '- Without `{"express":true}` it passes.',
        ]
        assert hover[9].startswith(
            '- With `0` in place of `{"express":true}` it fails differently: ``exit 1: Attribute'
        )


@pytest.mark.slow
async def test_a_string_with_escapes_is_explained_as_a_whole(tmp_path: Path) -> None:
    code = "def test_a():\n    assert len('\\n\\x41x') < 2\n"
    async with editor(tmp_path, {"testInterpreter": [sys.executable]}) as user:
        uri = user.write(tmp_path / "test_a.py", code, "python")
        at = {"line": 1, "character": 17}
        place = {"start": at, "end": at}
        await user.run("boildown.explain", {"uri": uri, "range": place, "wait": True})
        hover = await user.hover(uri, 1, 17)
        assert "Without `Ax` it passes." in hover


@pytest.mark.slow
async def test_the_original_comes_back_even_after_a_restart(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        assert (await user.run("boildown.history", {"uri": uri}))["state"] == "refused"
        await user.reduce(uri)
    async with editor(tmp_path) as user:
        uri = user.open("untitled:other", "x")
        listed = await user.run("boildown.history", {"uri": uri})
        steps = listed["steps"]
        assert (steps[0]["text"], steps[0]["run"], steps[0]["bytes"]) == (TEXT, 0, len(TEXT))
        assert [step["isCurrent"] for step in steps] == [False] * (len(steps) - 1) + [True]
        assert listed["command"].endswith("repro.py {file}")
        first, *lines = listed["text"].splitlines()
        assert first.split() == ["step", "run", "bytes", "text"]
        assert [line.split(None, 3) for line in lines] == [
            [
                str(number),
                str(step["run"]),
                str(step["bytes"]),
                step["text"] + " (this one)" * step["isCurrent"],
            ]
            for number, step in enumerate(steps)
        ]
        await user.run("boildown.history", {"uri": uri, "step": 1})
        assert user.text(uri) == steps[1]["text"]
        uri = user.open("untitled:another", "x")
        title = f"Boildown: undo, with the original of {len(TEXT)} bytes"
        await user.follow((await user.actions(uri, only=["quickfix.boildown"]))[title])
        assert user.text(uri) == TEXT
        assert title not in await user.actions(uri)
        end = await user.run("boildown.history", {"uri": uri, "step": 99})
        assert end["state"] == "refused"


async def test_a_reduction_of_a_result_goes_back_to_the_first_original(tmp_path: Path) -> None:
    configure(tmp_path)
    async with editor(tmp_path, {"applyResult": "edit"}) as user:
        uri = user.write(tmp_path / "crash.txt", TEXT)
        await user.reduce(uri)
        configure(tmp_path, "raise SystemExit(len(open(__import__('sys').argv[1]).read()) > 0)")
        await user.reduce(uri)
        listed = await user.run("boildown.history", {"uri": uri})
        assert listed["steps"][0]["text"] == TEXT


@pytest.mark.parametrize(("saved", "now"), [("a\nb", "a\r\nb\r\n"), ("a\r\nb\n\n", "a\nb")])
def test_line_ends_do_not_hide_a_record(tmp_path: Path, saved: str, now: str) -> None:
    steps = (history.Step(0, "original"), history.Step(3, saved))
    history.save(history.Record("", "the document", "", "", None, True, steps), tmp_path)
    record = history.find(now, tmp_path)
    assert record is not None
    assert record.steps == steps


@given(st.lists(st.text("ab\n\r\ud800😀", max_size=20), min_size=2, max_size=6))
def test_steps_are_kept_exactly(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as where:
        steps = tuple(history.Step(run, text) for run, text in enumerate(texts))
        history.save(history.Record("", "", "", "", None, False, steps), Path(where))
        record = history.find(texts[0], Path(where))
        assert record is not None
        assert record.steps == steps


def test_a_broken_record_is_passed_over(tmp_path: Path) -> None:
    steps = (history.Step(0, "ab"), history.Step(3, "a"))
    record = history.Record("file:///a", "the document", "true", "plain", None, True, steps)
    path = history.save(record, tmp_path)
    assert history.find("ab", tmp_path) == record
    assert history.find("a", tmp_path) == record
    assert history.find("b", tmp_path) is None
    path.write_bytes(b"no record")
    assert history.find("ab", tmp_path) is None
