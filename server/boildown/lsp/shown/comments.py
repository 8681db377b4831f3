"""A pattern as a comment above its input, in the syntax of the document's language."""

from __future__ import annotations

import re

from lsprotocol import types

from boildown.jobs import inert
from boildown.lsp.documents import Document
from boildown.lsp.known import Known

_LINE = {
    **dict.fromkeys(("python", "ruby", "shellscript", "yaml", "toml", "perl", "r", "julia"), "#"),
    **dict.fromkeys(("makefile", "dockerfile", "coffeescript", "elixir", "nim", "powershell"), "#"),
    **dict.fromkeys(("c", "cpp", "csharp", "java", "javascript", "typescript", "rust"), "//"),
    **dict.fromkeys(("go", "php", "swift", "kotlin", "scala", "dart", "groovy", "jsonc"), "//"),
    **dict.fromkeys(("javascriptreact", "typescriptreact", "objective-c", "fsharp"), "//"),
    **dict.fromkeys(("sql", "lua", "haskell", "ada", "vhdl"), "--"),
    **dict.fromkeys(("latex", "tex", "erlang", "matlab"), "%"),
    **dict.fromkeys(("ini", "lisp", "clojure", "scheme"), ";"),
}
"""The beginning of a comment that lasts to the line's end, by the editor's language id."""
_MARKUP = ("html", "xml", "markdown", "svg", "vue")
_ESCAPES_IN_COMMENTS = ("java", "groovy", "scala")
"""The languages that read `\\u000a` as a line's end in a comment, too."""


def comment(document: Document, known: Known) -> types.TextEdit | None:
    """Return the change that puts a pattern as a comment above its input.

    None where the document's language has no comments.
    """
    # Imported here: where no pattern is known, no job was loaded yet.
    from boildown.jobs.generalize import sketch

    pattern = " ".join(sketch(known.found.pattern).line.split())
    sentence = f"Fails for {inert.visible(pattern)}"
    number = document.position(known.start).line
    line = document.line(number)
    indent = line[: len(line) - len(line.lstrip())]
    start = document.starts[number]
    if document.language_id in _MARKUP:
        text = f"{indent}<!-- {_spaced('-(?=-)', sentence)} -->\n"
    elif document.language_id in _LINE:
        text = f"{indent}{_LINE[document.language_id]} {_in_line(sentence, document)}\n"
    else:
        return None
    return types.TextEdit(document.range(start, start), text)


def _in_line(sentence: str, document: Document) -> str:
    """Return a sentence that neither ends nor outlasts a comment of one line, nor directs tools."""
    if document.language_id in _ESCAPES_IN_COMMENTS:
        sentence = _spaced(r"\\(?=u)", sentence)
    if document.language_id == "php":
        sentence = _spaced(r"\?(?=>)", sentence)
    # Python and Ruby read the encoding of a file from a comment at its beginning.
    sentence = _spaced("coding(?=[:=])", sentence)
    # A backslash at the end would have the next line belong to the comment, in C and the shell.
    return f"{sentence}." if sentence.endswith(("\\", "??/")) else sentence


def _spaced(pattern: str, text: str) -> str:
    """Return a text with a space after each match of a regular expression."""
    return re.sub(pattern, r"\g<0> ", text)
