"""Patterns in the editor: found, shown where the input is, and made into further inputs."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from lsprotocol import types

from boildown.cli.patterns import report
from boildown.engine.laws.law import Law, LawEvidence
from boildown.engine.laws.notation import parse_rules
from boildown.engine.patterns.hole import Evidence
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.template import template_of
from boildown.jobs import words
from boildown.jobs.generalize import Generalized
from boildown.languages import load_language
from boildown.lsp import sentences
from boildown.lsp.known import Known
from boildown.lsp.shown.patterns import hover
from boildown.targets import InputKind, Target
from lsp.editor import Editor, editor
from lsp.projects import PAIR, REDUCED, configure, configure_pairs
from targets.without_boildown import passed_and_failed

JSON = load_language("json")
EVERYTHING = types.Range(types.Position(0, 0), types.Position(100, 0))


async def hints(user: Editor, uri: str) -> list[str]:
    found = await user.client.text_document_inlay_hint_async(
        types.InlayHintParams(types.TextDocumentIdentifier(uri), EVERYTHING)
    )
    return [str(hint.label) for hint in found or ()]


def faded(user: Editor, uri: str) -> list[tuple[str, int, int]]:
    """Return what is faded: the message, and the columns."""
    return [
        (each.message, each.range.start.character, each.range.end.character)
        for each in user.client.diagnostics.get(uri, ())
        if each.tags == (types.DiagnosticTag.Unnecessary,)
    ]


@pytest.mark.slow
@pytest.mark.e2e
async def test_the_pattern_of_a_reduced_text_is_shown_on_it(tmp_path: Path) -> None:
    configure_pairs(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", REDUCED, "json")
        assert await hints(user, uri) == []
        action = next(
            each for title, each in (await user.actions(uri)).items() if "generalize" in title
        )
        assert action.title.startswith("Boildown: generalize with grep")
        end = await user.follow(action)
        assert end["pattern"]["pattern"] == "[<value>,<value>,<value>*]"
        assert len(end["instances"]) == 3
        await user.until(lambda: faded(user, uri))
        assert faded(user, uri) == [
            ("may be something else: ⟨value⟩¹", 1, 2),
            ("may be something else: ⟨value⟩²", 3, 4),
        ]
        (first, second) = user.client.diagnostics[uri]
        assert (first.severity, first.source) == (types.DiagnosticSeverity.Hint, "boildown")
        assert second.severity == types.DiagnosticSeverity.Hint
        assert await hints(user, uri) == ["⟨value⟩¹:", "⟨value⟩²:", "…³"]
        hover = await user.hover(uri, 0, 2)
        shown = "[⟨value⟩¹, ⟨value⟩², …³]"
        assert hover.startswith(
            f"This passes: `[0]`\n\n**Boildown**: it fails for\n\n```\n{shown}\n```"
        )
        assert "| now | may stand |" in hover
        share = "100 of 100 reproduced, at least 97.0% do (with 95 % confidence)"
        # What passes, such as `[0]`, differs in more than one hole.
        row = f"| `0` | `⟨value⟩{{}}` | {share} |  |"
        assert all(row.format(number) in hover for number in "¹²")
        assert "All holes filled at once: 100 of 100 reproduced" in hover
        assert "Measured on this text (" in hover
        user.change(uri, [types.TextDocumentContentChangeWholeDocument("[0,1]")])
        await user.until(lambda: faded(user, uri) == [])
        assert await hints(user, uri) == []
        assert await user.hover(uri, 0, 2) == ""


def hovered(found: Generalized) -> str:
    """Return the hover on the text of a pattern, which is a whole document."""
    text = found.pattern.text
    target = Target(InputKind.DOCUMENT, 0, len(text), text, None)
    return hover(Known(target, found, (), "today", 0, len(text), text))


@pytest.mark.parametrize(
    ("excepted", "unjudged", "left_out", "more"),
    [
        ((), 0, "", ""),
        (("[0]",), 0, "", "\n- 1 input passes although it holds, such as `[0]`"),
        (("[0]", "[1]"), 0, "", "\n- 2 inputs pass although it holds, such as `[0]`"),
        (
            (),
            9,
            "\n- such mutants left out, for they failed in another way or were invalid: 9",
            "",
        ),
    ],
)
def test_the_law_stands_above_a_text_without_holes(
    excepted: tuple[str, ...], unjudged: int, left_out: str, more: str
) -> None:
    text, rules = '{"price":-1}', parse_rules("//<pair price> < 0")
    evidence = LawEvidence(60, 60, 60, 58, failing=12, explained=11, unjudged=unjudged)
    evidence = replace(evidence, exceptions=len(excepted))
    law = Law(rules, JSON, evidence=evidence, excepted=excepted)
    pattern = Pattern(template_of(text, JSON), runs=70, law=law)
    found = Generalized(pattern, "json", "exit 1", (), 1.0, {})
    assert hovered(found) == (
        "**Boildown**: it fails if\n\n```\n//price < 0\n```\n\n"
        "- the law: 60 of 60 fresh mutants of this job's inputs for which it holds failed, at least"
        " 95.1% of such mutants do (with 95 % confidence); of 60 for which it does not, 58 passed"
        f"{left_out}\n- of 12 failing inputs that it was compared with, it explains 11{more}\n\n"
        "Measured on this text (70 runs, today),"
        " with `random texts of json, about 32 tokens at most`."
    )
    assert words.pattern(found) == "It fails if //price < 0 (70 runs and 1.0 s)."


def test_a_part_without_holes_may_stand_in_other_inputs() -> None:
    text = '"bad"'
    joint = Evidence(reproduced=100)
    pattern = Pattern(template_of(text, JSON), joint=joint, runs=70, anywhere=True)
    found = Generalized(pattern, "json", "exit 1", (), 1.0, {})
    assert hovered(found) == (
        '**Boildown**: it fails for\n\n```\n… "bad" …\n```\n\n'
        "As a part of other inputs: 100 of 100 reproduced, at least 97.0% do (with 95 % confidence)"
        ".\n\n"
        "Measured on this text (70 runs, today),"
        " with `random texts of json around it, about 32 tokens at most`."
    )
    assert words.pattern(found) == (
        'It fails for … "bad" …: what is around it may be something else (70 runs and 1.0 s).'
    )
    assert "\n".join(report(found)) == (
        "  as a part of other inputs: 100 of 100 reproduced, at least 97.0% do (with 95 %"
        " confidence)\n"
        "  drawn from random texts of json around it, about 32 tokens at most\n"
        "  70 runs, 1.0 s"
    )


@pytest.mark.slow
async def test_what_may_be_added_is_named_with_its_separator(tmp_path: Path) -> None:
    command = "command = ['grep', '-q', '\"a\":', '{file}']\n"
    (tmp_path / "boildown.toml").write_text(
        f"[[input]]\nfiles = ['*.json']\ninteresting = true\nlanguage = 'json'\n{command}"
    )
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", '{"a":0}', "json")
        end = await user.run("boildown.generalize", {"uri": uri, "wait": True})
        assert end["pattern"]["pattern"] == '{<pair>*,"a":<value>,<pair>*}'
        assert await hints(user, uri) == ["…¹", "⟨value⟩²:", "…³"]
        assert "| nothing | `…¹` | 100 of 100 reproduced" in await user.hover(uri)


@pytest.mark.slow
async def test_after_the_time_is_up_the_user_may_go_on(tmp_path: Path) -> None:
    (tmp_path / "slow.sh").write_text(
        f"test -e '{tmp_path}/quick' || sleep 0.3\ngrep -qE '^\\[.+,.+\\]$' \"$1\"\n"
    )
    (tmp_path / "boildown.toml").write_text(
        "[[input]]\nfiles = ['*.json']\ninteresting = true\nlanguage = 'json'\n"
        "command = ['sh', 'slow.sh', '{file}']\n"
    )
    async with editor(tmp_path, {"jobs": 1, "maxSeconds": 4}) as user:
        uri = user.write(tmp_path / "crash.json", REDUCED, "json")
        user.says = "Continue"
        end = await user.run("boildown.generalize", {"uri": uri, "wait": True})
        assert "It was stopped early." in end["message"]
        (tmp_path / "quick").touch()
        await user.until(lambda: "early" not in user.messages[-1])
        assert "It fails for [⟨value⟩¹, ⟨value⟩², …³]" in user.messages[-1]
        assert user.questions[0].message == "Boildown: crash.json: stopped after 4 seconds. Go on?"
        assert user.text(uri) == REDUCED


@pytest.mark.slow
@pytest.mark.e2e
async def test_on_the_original_the_hover_gives_the_text_that_was_measured(tmp_path: Path) -> None:
    configure_pairs(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", PAIR, "json")
        await user.run("boildown.generalize", {"uri": uri, "wait": True})
        assert user.text(uri) == PAIR
        assert faded(user, uri) == []
        hover = await user.hover(uri)
        assert f"```\n{REDUCED}\n```" in hover
        assert f"), on\n\n```\n{REDUCED}\n```" in hover
        title = "Boildown: replace by the text of the pattern"
        replace = (await user.actions(uri))[title]
        await user.take(replace)
        assert user.text(uri) == REDUCED
        await user.until(lambda: len(faded(user, uri)) == 2)
        assert title not in await user.actions(uri)


@pytest.mark.e2e
@pytest.mark.slow
async def test_what_is_shown_follows_edits_around_the_input(tmp_path: Path) -> None:
    configure_pairs(tmp_path, "notes.json")
    text = f"# Notes\n\n```json\n{REDUCED}\n```\n"
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "notes.md", text, "markdown")
        place = {"line": 3, "character": 1}
        argument = {"uri": uri, "wait": True, "range": {"start": place, "end": place}}
        end = await user.run("boildown.generalize", argument)
        assert end["pattern"]["pattern"] == "[<value>,<value>,<value>*]"
        await user.until(lambda: len(faded(user, uri)) == 2)
        start = types.Position(0, 0)
        above = types.TextDocumentContentChangePartial(types.Range(start, start), "one\ntwo\n")
        user.change(uri, [above])
        user.type(uri, "below")
        await user.until(lambda: user.client.diagnostics[uri][0].range.start.line == 5)
        at = types.Range(*[types.Position(5, 1)] * 2)
        found = await user.actions(uri, at, ["quickfix.boildown"])
        comment = found["Boildown: insert the pattern as a comment"]
        await user.take(comment)
        assert "```json\n<!-- Fails for [⟨value⟩¹, ⟨value⟩², …³] -->\n[0,0]\n" in user.text(uri)


@pytest.mark.slow
async def test_a_client_that_draws_patterns_is_told_of_them(tmp_path: Path) -> None:
    configure_pairs(tmp_path, "notes.json")
    text = f"```json\n{REDUCED}\n```\n"
    async with editor(tmp_path, {"liveProgress": True}) as user:
        uri = user.write(tmp_path / "notes.md", text, "markdown")
        place = {"line": 1, "character": 1}
        argument = {"uri": uri, "wait": True, "range": {"start": place, "end": place}}
        end = await user.run("boildown.generalize", argument)
        (found,) = await user.until(lambda: user.patterns)
        assert (found.uri, found.pattern.pattern) == (uri, "[<value>,<value>,<value>*]")
        assert list(found.instances) == end["instances"]
        assert (found.start.line, found.end.line) == (1, 2)
        assert user.live[-1].doing == "generalizing"
        assert user.live[-1].outcomes.passed > 0
        start = types.Position(0, 0)
        above = types.TextDocumentContentChangePartial(types.Range(start, start), "one\n")
        user.change(uri, [above])
        await user.until(lambda: len(user.patterns) == 2)
        assert user.patterns[1].start.line == 2
        user.type(uri, "below")
        inside = types.Range(types.Position(2, 1), types.Position(2, 2))
        user.change(uri, [types.TextDocumentContentChangePartial(inside, "7")])
        await user.until(lambda: len(user.patterns) == 3)
        assert (user.patterns[2].uri, user.patterns[2].pattern) == (uri, None)


@pytest.mark.slow
@pytest.mark.e2e
async def test_a_pattern_gives_further_inputs_in_every_form(tmp_path: Path) -> None:
    configure_pairs(tmp_path)
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", PAIR, "json")
        none = await user.run("boildown.instantiate", {"uri": uri})
        assert none["state"] == "refused"
        await user.run("boildown.generalize", {"uri": uri, "wait": True})
        made = await user.run("boildown.instantiate", {"uri": uri, "count": 4})
        assert len(set(made["texts"])) == 4
        assert made["output"] == str(tmp_path / "crash.inputs.txt")
        await user.run("boildown.instantiate", {"uri": uri, "form": "pattern"})
        assert (tmp_path / "crash.pattern.json").read_text() == "[<value>,<value>,<value>*]"
        file = tmp_path / "tests" / "test_lists.py"
        file.parent.mkdir()
        argument = {"uri": uri, "form": "pytest", "count": 1, "file": file.as_uri()}
        assert (await user.run("boildown.instantiate", argument))["output"] == str(file)
        assert passed_and_failed(file) == (0, 2)
        again = await user.run("boildown.instantiate", argument)
        assert again["message"] == f"{file} is there already. Name a new file."
        listed = await user.run("boildown.history", {"uri": uri})
        assert [listed["steps"][0]["text"], listed["steps"][-1]["text"]] == [PAIR, REDUCED]
        for form, name, failed in (
            ("pytest", "test_crash_inputs.py", 3),
            ("hypothesis", "test_crash_inputs_2.py", 1),
        ):
            made = await user.run("boildown.instantiate", {"uri": uri, "form": form, "count": 2})
            assert made["output"] == str(tmp_path / name)
            assert passed_and_failed(tmp_path / name) == (0, failed)
        few = (await user.run("boildown.instantiate", {"uri": uri, "form": "pytest"}))["texts"]
        every = (await user.run("boildown.instantiate", {"uri": uri}))["texts"]
        assert few == sorted(every, key=len)[:3]


CODE = """
import json


def test_a():
    assert len(json.loads('[1, {"a": 2}]')) < 2
"""


@pytest.mark.slow
@pytest.mark.e2e
async def test_a_string_gets_a_regression_test_beside_it(tmp_path: Path) -> None:
    async with editor(tmp_path, {"testInterpreter": [sys.executable], "jobs": 1}) as user:
        uri = user.write(tmp_path / "test_it.py", CODE, "python")
        line = 5
        place = {"line": line, "character": CODE.splitlines()[line].index("'") + 1}
        at = {"uri": uri, "range": {"start": place, "end": place}, "input": "literal"}
        end = await user.run("boildown.generalize", {**at, "wait": True})
        assert end["pattern"]["holes"], end
        for form in ("pytest", "hypothesis"):
            made = await user.run("boildown.instantiate", {"uri": uri, "form": form, "count": 3})
            assert (made["state"], made["output"]) == ("done", None)
        (tmp_path / "test_it.py").write_text(user.text(uri))
        assert passed_and_failed(tmp_path / "test_it.py") == (0, 1 + len(made["texts"]) + 1 + 1)
        now = user.text(uri).splitlines().index(CODE.splitlines()[line])
        assert now > line
        assert "| now | may stand |" in await user.hover(uri, now, place["character"])


WRONG = """
import json


def total(text):
    return len(json.loads(text)) + 1


def test_total():
    found = total('[1, 2, 3]')
    assert isinstance(found, int)
    assert found == 3
"""
ALIKE = """

def test_total_alike():
    found = total({literal})
    assert isinstance(found, int)
    assert found == {value}
"""


@pytest.mark.slow
@pytest.mark.e2e
async def test_where_a_value_is_wrong_the_user_is_asked_for_the_right_one(tmp_path: Path) -> None:
    options = {"testInterpreter": [sys.executable], "jobs": 1, "messageChoices": True}
    async with editor(tmp_path, options) as user:
        uri = user.write(tmp_path / "test_it.py", WRONG, "python")
        place = {"line": 9, "character": 20}
        at = {"uri": uri, "range": {"start": place, "end": place}, "input": "literal"}
        end = await user.run("boildown.generalize", {**at, "wait": True})
        as_test = {"uri": uri, "form": "pytest"}
        asked = await user.run("boildown.instantiate", as_test)
        assert (asked["state"], asked["needs"]) == ("refused", "expected")
        assert asked["message"] == sentences.expected_in_test("3")
        assert user.text(uri) == WRONG
        wrong = await user.run("boildown.instantiate", {**as_test, "expected": "2 +"})
        assert wrong["message"] == "2 + is no Python expression: give the value as code."
        reduced = end["pattern"]["text"]
        right = len(json.loads(reduced))
        await user.run("boildown.instantiate", {**as_test, "expected": str(right)})
        assert user.text(uri) == WRONG + ALIKE.format(literal=f"'{reduced}'", value=right)
        file = tmp_path / "test_it.py"
        file.write_text(user.text(uri))
        assert passed_and_failed(file) == (0, 2)
        file.write_text(user.text(uri).replace(") + 1", ")"))
        assert passed_and_failed(file) == (2, 0)
        assert (await user.run("boildown.instantiate", {**as_test, "expected": ""}))["texts"]
        assert user.text(uri).count("assert found == 3") == 2


@pytest.mark.slow
@pytest.mark.e2e
async def test_where_the_output_is_wrong_the_user_is_asked_for_the_right_one(
    tmp_path: Path,
) -> None:
    program = "import sys\nprint('boom' if 'x' in open(sys.argv[1]).read() else 'fine')\n"
    script = configure(tmp_path, program, more="reproduces = { stdout = 'bo+m' }")
    async with editor(tmp_path, {"messageChoices": True}) as user:
        uri = user.write(tmp_path / "crash.txt", "axb")
        await user.run("boildown.generalize", {"uri": uri, "wait": True})
        as_test = {"uri": uri, "form": "pytest"}
        asked = await user.run("boildown.instantiate", as_test)
        assert (asked["needs"], asked["message"]) == ("expected", sentences.expected_output("bo+m"))
        made = await user.run("boildown.instantiate", {**as_test, "expected": "fine"})
        failing = len({"x", *made["texts"]})
        assert passed_and_failed(Path(made["output"])) == (0, failing + 1)
        script.write_text("print('fine')")
        assert passed_and_failed(Path(made["output"])) == (failing + 1, 0)


@pytest.mark.slow
async def test_a_string_in_a_fixture_gets_no_test_but_a_reason(tmp_path: Path) -> None:
    code = (
        "import pytest\n@pytest.fixture\ndef x():\n    return '(x'\n"
        "def test_a(x):\n    assert '(' not in x\n"
    )
    async with editor(tmp_path, {"testInterpreter": [sys.executable]}) as user:
        uri = user.write(tmp_path / "test_it.py", code, "python")
        place = {"line": 3, "character": 12}
        at = {"uri": uri, "range": {"start": place, "end": place}, "wait": True}
        assert (await user.run("boildown.generalize", at))["state"] == "done"
        made = await user.run("boildown.instantiate", {"uri": uri, "form": "pytest"})
        assert made["state"] == "refused"
        assert "a string in a fixture or a helper" in made["message"]
        assert user.text(uri) == code


async def test_arguments_of_instantiate_are_checked(tmp_path: Path) -> None:
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "crash.json", PAIR, "json")
        for wrong in (
            *({"form": "all"}, {"count": 0}, {"count": 10**9}, {"seed": -1}),
            *({"file": 3}, {"file": "untitled:a"}, {"expected": 3}),
        ):
            with pytest.raises(Exception, match=r"boildown\.instantiate: "):
                await user.run("boildown.instantiate", {"uri": uri, **wrong})
