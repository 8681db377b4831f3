"""Reads grammars in Lark's notation."""

from __future__ import annotations

from collections.abc import Callable

from boildown.grammar.ir import Grammar


def read_lark(
    text: str,
    name: str = "grammar.lark",
    start: str = "start",
    resolve: Callable[[str], str | None] | None = None,
) -> Grammar:
    """Return the grammar that a text in Lark's notation describes.

    `name` is the file's name, for messages. An `%import a.b.NAME` asks `resolve("a/b.lark")` for
    the text of the other grammar; None means that there is none. Raises `GrammarError`.
    """
    raise NotImplementedError
