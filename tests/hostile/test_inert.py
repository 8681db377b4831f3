"""Nothing that others wrote is markup where Boildown shows it: in Markdown, messages and labels.

The environment variable `BOILDOWN_HOSTILE` says how many hostile strings are tried.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lsprotocol import types
from markdown_it import MarkdownIt
from markdown_it.token import Token

from boildown.engine.certificate import Certificate, Unit
from boildown.engine.oracle import Outcome, Verdict
from boildown.engine.patterns.hole import Evidence, Hole
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.template import Template
from boildown.engine.reducing.reduce import Reduction
from boildown.jobs import inert, words
from boildown.jobs.diagnosis import Diagnosis
from boildown.jobs.explain import Explanation, Neighbour, Sort
from boildown.jobs.generalize import Generalized
from boildown.jobs.reduce import Reduced
from boildown.jobs.report import bug_report
from boildown.lsp.documents import Document
from boildown.lsp.handlers import create
from boildown.lsp.job import Job
from boildown.lsp.known import Known
from boildown.lsp.server import GivenExplanation, Result, Server
from boildown.lsp.settings import Settings
from boildown.lsp.shown import comments, hovers
from boildown.runner.command import from_argv
from boildown.runner.run import Run
from boildown.targets import InputKind, Target
from boildown.tree import Leaf
from lsp.editor import editor
from lsp.projects import configure

COUNT = int(os.environ.get("BOILDOWN_HOSTILE", "300"))
"""How many hostile strings are tried, the named ones included."""

NAMED = (
    "[x](command:workbench.action.quit)",
    "![x](https://example.org/x.png)",
    "[x](<command:a b>)",
    "[x][y]\n\n[y]: command:z",
    "\n\n- [y]: command:z\n\n[y]",
    "<https://example.org>",
    "<a@example.org>",
    "https://example.org www.example.org a@example.org @someone #1",
    "<script>alert(1)</script>",
    "<!-- x --> <?x ?> <![CDATA[x]]> <img src=x onerror=y>",
    "&lt;b&gt; &#96; &#x60;&#91;x](command:y)",
    "`x` ``y`` ``` z",
    "```\n[x](command:y)\n```",
    "~~~\n[x](command:y)\n~~~",
    "`",
    "``",
    " ` ",
    "\\`[x](command:y)\\`",
    "a|b`|`c\\|d",
    "|---|\n|`",
    "\r\n[x](command:y)\r# x",
    "\u2028<b>\u2029\x0b\x0c\x1c\x85<b>",
    "\u202e)y:dnammoc(]x[\u202c",
    "\u200b\ufeff\u2066\u3164\ufe0f\U000e0041",
    "\x1b]8;;https://example.org\x07x\x1b]8;;\x07\x1b[31m",
    "\x00\x08\x7f\x9b31m",
    "\udcff\udc80",
    "$(sync~spin) $`x`$",
)
WORDS = r"""
` `` ``` ~~~ \ [ ] ( ) ]( ][ ]: ![ < > | command:x file:///x javascript:x https://x.org www.x.org
a@x.org x <script> </script> <b <!-- --> <a/href=x> <img/src=x> <? <![CDATA[ &lt; &#96; &quot;
* ** _ # - 1. + === --- : $ { } ' " @x #1 ⏎ ¦ é 😀
"""
BLANKS = ("\n", "\n\n", "\r", "\r\n", "\t", " ", "    ", "\x1b[31m", "\x1b]8;;https://x.org\x07")
CHARACTERS = (
    "\x00\x07\x0c\x7f\x9b\xa0\xad\u200b\u200d\u2028\u202e\u2066\u2069\u3164\ufe0f\ufeff\udc80"
    "\U000e0041\U0010ffff"
)
PIECES = (*WORDS.split(), *BLANKS, *CHARACTERS)
"""The parts of hostile strings."""

INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\ud800-\udfff\U000e0000-\U000e01ef]"
)
"""Characters that are never shown as they are."""

LINKED = re.compile(r"\[[^\]]+\]\((?:https?://|command:|file:)[^)\s]+(?: ([\"']).+?\1)?\)", re.I)
"""The links that VS Code finds in a message of a notification."""

STRICT = MarkdownIt("gfm-like", {"html": True})
"""A renderer of Markdown that takes everything that some renderer takes."""
PROSE = MarkdownIt("commonmark", {"html": False})
"""A renderer of links and images in a message, which has no HTML and no bare links."""

MARKUP = ("link_open", "image", "html_inline", "html_block")


def hostile() -> Iterator[str]:
    """Yield hostile strings, the same ones each time."""
    yield from NAMED[:COUNT]
    for seed in range(COUNT - len(NAMED)):
        random = Random(seed)
        yield "".join(random.choices(PIECES, k=random.randint(1, 24)))


def flat(tokens: list[Token]) -> Iterator[Token]:
    """Yield tokens with those in them."""
    for token in tokens:
        yield token
        yield from flat(token.children or [])


def skeleton(markdown: str) -> list[tuple[str, str, str]]:
    """Return the markup of a page, with the text that is not code; all sizes are alike."""
    found = []
    for each in flat(STRICT.parse(markdown)):
        assert each.type not in MARKUP, each
        content = re.sub(r"[\d,]+ bytes?", "0 bytes", each.content) if each.type == "text" else ""
        found.append((each.type, each.tag, content))
    return found


def target(text: str) -> Target:
    command = from_argv(["tool", "crash.txt"], Path("crash.txt"), Path.cwd())
    return Target(
        InputKind.DOCUMENT, 0, len(text), text, command, name="crash.txt", shown=text, why=text
    )


def document(text: str, language_id: str = "plaintext") -> Document:
    return Document("file:///folder/crash.txt", 1, language_id, text)


def pattern(text: str) -> Generalized:
    evidence = Evidence(20, 20, 0)
    hole = Hole("$a", text, (), 0, len(text), (), None, text, text, evidence, text)
    language = cast(Any, SimpleNamespace(name=text, gap=""))
    found = Pattern(Template(f"{text} ", Leaf("", text), True, language), (hole, hole), evidence)
    return Generalized(found, text, text, (), 1.0, {text: text})


def known(text: str) -> Known:
    before = f"{text}."
    return Known(target(before), pattern(text), (text, text), "today", 0, len(before), before)


def server(**state: Any) -> Server:
    """Return as much of a server as a hover looks at."""
    parts: dict[str, Any] = {each: {} for each in ("jobs", "explained", "known", "results")}
    capabilities = types.ClientCapabilities()
    return cast(Server, SimpleNamespace(**parts | state, client_capabilities=capabilities))


def hover(text: str, **state: Any) -> str:
    made = document(text)
    found = hovers.hover(server(**{name: {made.uri: v} for name, v in state.items()}), made, START)
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert found.contents.kind is types.MarkupKind.Markdown
    return found.contents.value


START = types.Position(0, 0)


def running(text: str) -> str:
    """Return the hover of a running job."""
    goal = target(text)
    assert goal.command is not None
    job = Job(document(text), goal, goal.command, text, Settings(), "reducing", "reduction", "")
    return hover(text, jobs=job)


def ended(text: str) -> str:
    """Return the hover of a result."""
    reduction = Reduction(text, 3, 0, True, Certificate(Unit.TOKEN), (), {Outcome.PASSED: 3})
    reduced = Reduced(reduction, text, (text,), (), 1.0, 1.0, True, {text: text})
    return hover(text, results=Result(document(text), target(text), reduced))


def generalized(text: str) -> str:
    """Return the hover of a pattern, with its evidence."""
    return hover(f"{text}.", known=known(text))


def explained(text: str) -> str:
    """Return the hover of an explanation."""
    other = Verdict(Outcome.PASSED, text)
    neighbours = (
        Neighbour(Sort.TOKEN, 0, len(text), text, "", other),
        Neighbour(Sort.OTHER, 0, len(text), text, text, other),
    )
    explanation = Explanation(text, text, neighbours, 0)
    return hover(text, explained=GivenExplanation(document(text), target(text), explanation))


def report(text: str) -> str:
    """Return a bug report."""
    name = Path(f"a{text.replace('/', '_')}")
    command = from_argv(["tool", text, str(name)], name, Path.cwd())
    run = Run(1, stderr=f"{text}\n{text}", file="/nowhere/x", directory="/nowhere")
    found = Diagnosis(text, 99, 9, None, text, {text: text, f"{text}x": text})
    return bug_report(found, command, run, text)


@pytest.mark.parametrize("page", [running, ended, generalized, explained, report])
def test_the_markup_of_a_page_does_not_depend_on_the_text(page: Callable[[str], str]) -> None:
    harmless = {text: skeleton(page(text)) for text in ("xy", "x\ny")}
    for text in hostile():
        markdown = page(text)
        assert not INVISIBLE.search(markdown), repr(text)
        like = "x\ny" if "\n" in text or "\r" in text else "xy"
        assert skeleton(markdown) == harmless[like], repr(text)


def test_what_is_code_reads_as_it_was() -> None:
    for text in hostile():
        shown = inert.visible(text, keep="\n\t").removesuffix("\n")
        (fence,) = STRICT.parse(inert.block(text))
        if "\r\n" not in text:
            assert fence.content == (f"{shown}\n" if shown else "\n"), repr(text)
        (inline,) = [each for each in flat(STRICT.parse(inert.code(text))) if each.children]
        assert [each.type for each in inline.children or ()] == ["code_inline"]
        assert (inline.children or [])[0].content == inert.visible(text.replace("\n", "⏎"))


def test_no_message_has_a_link_or_an_image(monkeypatch: pytest.MonkeyPatch) -> None:
    made, shown = create(), list[Any]()
    monkeypatch.setattr(made, "window_show_message", shown.append)
    logged = list[Any]()
    monkeypatch.setattr(made, "window_log_message", logged.append)
    monkeypatch.setattr(made, "window_show_message_request", lambda params, _: shown.append(params))
    monkeypatch.setattr(made, "can", lambda *_: True)
    for text in hostile():
        shown.clear()
        made.tell(text)
        made.tell(words.pattern(pattern(text)))
        made.ask(f"{text}: go on?", {"Continue": lambda: None})
        assert len(shown) == 3
        for message in (each.message for each in shown):
            assert not INVISIBLE.search(message), repr(text)
            assert not LINKED.search(message), repr(text)
            assert not any(each.type in MARKUP for each in flat(PROSE.parse(message))), repr(text)
        made.log(text)
        assert not INVISIBLE.search(logged[-1].message)


def test_messages_stay_as_they_are_where_nothing_is_to_be_clicked() -> None:
    for text in (
        "KeyError: 'a[0]': <value>\n    x\ty",
        "[<value>, f(x)] in 0.1 s: 100%",
        "a < b@c",
    ):
        assert inert.message(text) == text
    assert inert.message("see [x](command:y)") == "see [x] (command:y)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\r\n", "a\\tb\\r\\n"),
        ("\x00\x1b[1m\x9b", "\\x00\\x1b[1m\\u009b"),
        ("\u202ecba\u2066", "\\u202ecba\\u2066"),
        ("\u200b\ufeff\xad\xa0", "\\u200b\\ufeff\\u00ad\\u00a0"),
        ("\u3164\ufe0f\U000e0041", "\\u3164\\ufe0f\\U000e0041"),
        ("\udcff", "\\udcff"),
        ("häßlich 日本 😀 e\u0301", "häßlich 日本 😀 e\u0301"),
    ],
)
def test_invisible_characters_are_escapes(text: str, shown: str) -> None:
    assert inert.visible(text) == shown


@pytest.mark.parametrize(
    ("language", "text", "comment"),
    [
        ("html", "a--->b", "<!-- Fails for a- - ->b -->\n"),
        ("markdown", "a-----", "<!-- Fails for a- - - - - -->\n"),
        ("c", "a\\", "// Fails for a\\.\n"),
        ("c", "a??/", "// Fails for a??/.\n"),
        ("java", "\\u000a x();", "// Fails for \\ u000a x();\n"),
        ("php", "?>x", "// Fails for ? >x\n"),
        ("python", "coding: utf-7", "# Fails for coding : utf-7\n"),
        ("javascript", "a\u2028b\u202ec\n\x0cd", "// Fails for a\\u2028b\\u202ec \\x0cd\n"),
    ],
)
def test_a_pattern_ends_and_directs_nothing_from_its_comment(
    language: str, text: str, comment: str
) -> None:
    # The input stands in a document of its own, as a text without holes.
    found = Pattern(Template(text, Leaf("", text), True, cast(Any, SimpleNamespace(gap=""))))
    made = Known(target(""), Generalized(found, "", "", (), 1.0, {}), (), "", 0, 0, "")
    edit = comments.comment(document("", language), made)
    assert edit is not None
    assert edit.new_text == comment


LIAR = r"""
import sys
if "x" in open(sys.argv[1]).read():
    print("Traceback (most recent call last):", file=sys.stderr)
    print('  File "[x](command:y)", line 3, in f', file=sys.stderr)
    sys.exit("KeyError: '![x](https://example.org)\u202e'")
"""
"""A test command's program whose failure is called like a link."""


async def test_names_of_files_and_failures_are_inert_in_an_editor(tmp_path: Path) -> None:
    configure(tmp_path, LIAR, files="*).txt")
    async with editor(tmp_path) as user:
        uri = user.write(tmp_path / "[x](command:y)\u202e (a).txt", "axa\n")
        titles = list(await user.actions(uri))
        checked = await user.run("boildown.check", {"uri": uri, "wait": True})
        assert "[x] (command:y)" in checked["message"]
        done = await user.reduce(uri)
        assert done["text"] == "x"
        begin = user.progress(user.tokens()[-1])[0]
        assert begin.title == "Boildown: reducing the document of [x] (command:y)\\u202e (a).txt"
        pages = [await user.hover(uri)]
        answer = await user.run("boildown.report", {"uri": uri, "wait": True})
        pages.append(answer["markdown"])
        await user.until(lambda: len(user.messages) >= 2)
        for page in pages:
            skeleton(page)
        for message in (*user.messages, done["message"], checked["message"]):
            assert not LINKED.search(message)
        for shown in (*titles, *user.messages, *pages):
            assert not INVISIBLE.search(shown)
