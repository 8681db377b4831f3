"""Comments in the languages that editors know."""

from __future__ import annotations

from lsprotocol import types

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
"""What begins a comment that lasts to the line's end, by the editor's language id."""
_MARKUP = ("html", "xml", "markdown", "svg", "vue")


def comment(document: Document, known: Known) -> types.TextEdit | None:
    """Return the change that puts a pattern as a comment above its input.

    None where the document's language has no comments.
    """
    pattern = " ".join(str(known.found.pattern).split())
    sentence = f"Fails for {pattern}"
    number = document.position(known.start).line
    line = document.line(number)
    indent = line[: len(line) - len(line.lstrip())]
    start = document.starts[number]
    if document.language_id in _MARKUP:
        text = f"{indent}<!-- {sentence.replace('--', '- -')} -->\n"
    elif document.language_id in _LINE:
        text = f"{indent}{_LINE[document.language_id]} {sentence}\n"
    else:
        return None
    return types.TextEdit(document.range(start, start), text)
