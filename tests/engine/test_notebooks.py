"""Reductions as notebooks show them."""

from __future__ import annotations

from boildown import reduce


def fail(text: str) -> None:
    if "<x" in text:
        raise ValueError("x | seen")


def test_a_reduction_shows_what_was_left_out_the_failures_and_the_claim() -> None:
    reduction = reduce("a `b` <x> c", fail)
    assert reduction.failures is not None
    failure = reduction.failures[1]
    claim = f"11 → 2 characters in {reduction.runs} runs, 1-character-minimal"
    assert reduction._repr_markdown_() == (
        f"{claim}\n\n~~`` a `b`  ``~~`<x`~~`> c`~~\n\n"
        f"- original: `` {failure} ``\n- reduced: `` {failure} ``\n"
    )
    html = failure.replace("<", "&lt;").replace('"', "&quot;")
    assert reduction._repr_html_() == (
        f"<p>{claim}</p><pre><del>a `b` </del>&lt;x<del>&gt; c</del></pre>"
        f"<table><tr><th>original</th><td><code>{html}</code></td></tr>"
        f"<tr><th>reduced</th><td><code>{html}</code></td></tr></table>"
    )


def test_a_result_in_bytes_without_failures_is_shown_as_text() -> None:
    reduction = reduce(b"ab\xff", lambda text: b"\xff" in text)
    assert reduction._repr_html_() == (
        f"<p>3 → 1 byte in {reduction.runs} runs, 1-character-minimal</p>"
        "<pre><del>ab</del>\\xff</pre>"
    )
