"""String literals in tests of other languages than Python: found, read, written, and their runner.

One `StringSyntax` for each language says where its literals are, what they hold, how another value
is spelled in the same style, and which command runs the test around one. The code is only divided
into tokens, so that a literal is found in code with errors, too.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from boildown.runner.command import Isolation, TestCommand
from boildown.targets.declined import Declined


@dataclass(frozen=True, slots=True)
class StringToken:
    """A string literal in code, with the test around it."""

    start: int
    end: int
    has_parts: bool = False
    """Whether it is a template with parts that are made at run time."""
    test: str | None = None
    """The title or name of the innermost test around it; None if there is none."""
    is_value: bool = True
    """Whether a test may see it: no module's name, no test's title."""
    is_data: bool = False
    """Whether it is no string, but an array or an object with nothing but literals in it."""


@dataclass(frozen=True, slots=True)
class StringSyntax:
    """The string literals of a language, and the commands of its test runners."""

    test_files: re.Pattern[str]
    """Matches the names of files of tests."""
    tokens: Callable[[str], Iterator[StringToken]]
    read: Callable[[str], str]
    """Returns the value of a literal's code. Raises Declined."""
    write: Callable[[str, str, str], str]
    """Returns the code for a value, in the style of other code, with the line ends around it."""
    runner: Callable[[str, str | None, Path, Path], tuple[tuple[str, ...], Path]]
    """Returns the words that run a test of some code in a file below a folder, and where."""


@dataclass(frozen=True, slots=True)
class StringLiteral:
    """A string literal in a test of another language than Python, or data with such."""

    syntax: StringSyntax
    code: str
    """All code of its file."""
    token: StringToken

    @property
    def value(self) -> str:
        """Its value; of bytes that are no UTF-8, with surrogate escapes. Raises Declined.

        Of data, its code.
        """
        code = self.code[self.token.start : self.token.end]
        return code if self.token.is_data else self.syntax.read(code)

    def written(self, value: str) -> str:
        """Return the literal for another value, in the same style as far as that can hold it."""
        if self.token.is_data:
            return value
        eol = "\r\n" if "\r\n" in self.code else "\n"
        return self.syntax.write(value, self.code[self.token.start : self.token.end], eol)

    def command(self, file: Path, folder: Path) -> TestCommand:
        """Return the command that runs the test around it, in a mirror of the workspace."""
        words, cwd = self.syntax.runner(self.code, self.token.test, file, folder)
        return TestCommand(words, cwd, file.name, file, isolate=Isolation("copy"))


def syntax_of(file: Path) -> StringSyntax | None:
    """Return the syntax of a file of tests; None for any other file."""
    return next((each for each in SYNTAXES if each.test_files.search(file.name)), None)


def literals_at(syntax: StringSyntax, code: str, start: int, end: int) -> list[StringLiteral]:
    """Return the string around a span, if a test may see it, and the data around that.

    Raises Declined for a template that is made at run time.
    """
    # In the order of their ends, so the innermost one comes first.
    around = [each for each in syntax.tokens(code) if each.start <= start and end <= each.end]
    strings = [each for each in around if each.is_value and not each.is_data][:1]
    if any(each.has_parts for each in strings):
        raise Declined("The value of a template with parts depends on the run.")
    data = [each for each in around if each.is_data][-1:]
    return [StringLiteral(syntax, code, each) for each in (*strings, *data)]


def _escaped(value: str, quote: str, escape: Callable[[str], str]) -> str:
    """Return a value between quotes that need a backslash, as all that is not printable."""
    found = []
    for character in value:
        if character in ("\\", quote):
            found.append("\\" + character)
        elif character in _SHORT:
            found.append(_SHORT[character])
        else:
            found.append(character if character.isprintable() else escape(character))
    return quote + "".join(found) + quote


_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
_HEX_ESCAPE = r"x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})"


# JavaScript and TypeScript

_JS_TOKEN = re.compile(
    r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|\s+"
    r"|'(?:\\[\s\S]|[^'\\\n])*'|\"(?:\\[\s\S]|[^\"\\\n])*\""
    r"|\.?\d(?:[\w.]|(?<=[eE])[-+])*|[\w$]+|[\s\S]"
)
_JS_CHUNK = re.compile(r"(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?P<end>`|\$\{|\Z)")
_JS_REGEX = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/\w*")
_JS_OPERATOR = re.compile(r"return|typeof|case|in|of|do|else|void|delete|[^\w$)\]}'\"`]")
"""The last token before a regular expression; after any other one a slash divides."""
_JS_NO_VALUE = re.compile(
    r"\b(?:from|import|require\s*\(|import\s*\(|(?P<title>(?<![.\w$])(?:test|it)(?:\.\w+)*\s*\()"
    r"|(?<![.\w$])(?:describe|suite)(?:\.\w+)*\s*\()\s*\Z"
)
_JS_NEAR = 80
"""Characters before a literal that say what it is for."""


_JS_LITERAL = re.compile(r"\.?\d[\s\S]*|['\"][\s\S]+|true|false|null|undefined|NaN|Infinity")
_JS_KEY = re.compile(r"[\w$]+\s*:")
_JS_BEFORE_OBJECT = re.compile(r"return|[(\[,=:?]")
"""The last token before an object; after others a brace opens a block."""


def _javascript(code: str) -> Iterator[StringToken]:
    at, last = 0, ";"
    stack: list[tuple[str, int, str | None]] = [("", 0, None)]
    """The open brackets and template parts: sort, the start of a template or of what may be data,
    the test around."""
    content, other = -1, -1
    """Where the last token was that makes data, and the last one that makes it none."""
    while at < len(code):
        sort, begin, test = stack[-1]
        if code[at] == "`" or (code[at] == "}" and sort == "${"):
            is_part = code[at] == "}"
            if is_part:
                stack.pop()
            chunk = _JS_CHUNK.match(code, at + 1)
            assert chunk is not None
            start = begin if is_part else at
            at, last = chunk.end(), "`"
            if chunk["end"] == "${":
                stack.append(("${", start, stack[-1][2]))
                last, other = "{", start
            elif is_part:
                other = start
                yield StringToken(start, at, True, stack[-1][2])
            else:
                content = start
                yield _javascript_string(code, start, at, stack)
            continue
        found = None
        if code[at] == "/" and _JS_OPERATOR.fullmatch(last):
            found = _JS_REGEX.match(code, at)
        found = found or _JS_TOKEN.match(code, at)
        assert found is not None
        at, word = found.end(), found[0]
        if word[0] in "'\"" and len(word) > 1:
            yield _javascript_string(code, found.start(), at, stack)
        elif word in "([{":
            before = _JS_OPERATOR if word == "[" else _JS_BEFORE_OBJECT
            may_be_data = word != "(" and before.fullmatch(last)
            stack.append((word, found.start() if may_be_data else -1, test))
            other = other if may_be_data else found.start()
        elif word in ")]}" and len(stack) > 1 and sort != "${":
            stack.pop()
            if sort != "(" and other < begin < content:
                yield StringToken(begin, at, test=test, is_data=True)
        if word.isspace() or word.startswith(("//", "/*")):
            continue
        if _JS_LITERAL.fullmatch(word) or _JS_KEY.match(code, found.start()):
            content = found.start()
        elif word not in "[]{}:," and not (word in "+-" and last in "[,:"):
            other = found.start()
        last = word if len(word) < 2 or word[0].isalnum() else word[-1]


def _javascript_string(
    code: str, start: int, end: int, stack: list[tuple[str, int, str | None]]
) -> StringToken:
    """Return the token of a literal; the title of a test is kept for all in its call."""
    before = _JS_NO_VALUE.search(code, max(0, start - _JS_NEAR), start)
    sort, begin, test = stack[-1]
    if before is not None and before["title"]:
        try:
            title = _read_javascript(code[start:end])
        except Declined:
            title = ""
        # In the title of a test with cases, these stand for a value.
        stack[-1] = (sort, begin, title if title and not re.search("[%$]", title) else None)
    is_key = re.match(r"\s*:(?!:)", code[end : end + 8]) is not None and sort == "{"
    return StringToken(start, end, False, test, before is None and not is_key)


_JS_ESCAPE = re.compile(
    rf"\\(?:{_HEX_ESCAPE}|u\{{(?P<point>[0-9a-fA-F]{{1,6}})\}}|(?P<end>\r\n|[\n\r\u2028\u2029])"
    r"|(?P<octal>[1-7]|0\d)|(?P<plain>[\s\S]))"
)
_JS_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def _read_javascript(code: str) -> str:
    def value(match: re.Match[str]) -> str:
        if match["octal"]:
            raise Declined("This literal has an octal escape, which has no value in modules.")
        if match["end"]:
            return ""
        if number := match["x"] or match["u"] or match["point"]:
            if int(number, 16) > 0x10FFFF:
                raise Declined("This literal has an escape of no character.")
            return chr(int(number, 16))
        if match["plain"] in "xu":
            raise Declined("This literal has an escape that is not whole.")
        return _JS_NAMED.get(match["plain"], match["plain"])

    body = re.sub("\r\n?", "\n", code[1:-1]) if code[0] == "`" else code[1:-1]
    # Two escapes of halves make one character.
    units = _JS_ESCAPE.sub(value, body).encode("utf-16-le", "surrogatepass")
    return units.decode("utf-16-le", "surrogatepass")


def _write_javascript(value: str, code: str, eol: str) -> str:
    text = _escaped(value, code[0], _escape_javascript)
    if code[0] != "`":
        return text
    text = text.replace("${", "\\${")
    return re.sub(r"(?<!\\)((?:\\\\)*)\\n", lambda match: match[1] + eol, text)


def _escape_javascript(character: str) -> str:
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\u{{{code:x}}}"


def _javascript_runner(
    code: str, test: str | None, file: Path, folder: Path
) -> tuple[tuple[str, ...], Path]:
    root = _around(file, folder, "package.json")
    try:
        package = json.loads((root / "package.json").read_bytes())
        held = {**package.get("dependencies", {}), **package.get("devDependencies", {})}
        script = str(package.get("scripts", {}).get("test", ""))
    except (OSError, ValueError, AttributeError, TypeError):
        held, script = {}, ""
    for name, words in (("vitest", ("vitest", "run")), ("jest", ("jest",))):
        if "node:test" not in code and (name in held or name in script.split()):
            installed = root / "node_modules" / ".bin" / name
            program = (str(installed),) if os.path.exists(installed) else ("npx", name)
            title = ("-t", re.escape(test)) if test else ()
            return (*program, *words[1:], "{file}", *title), root
    loader = ("--import", "tsx") if "tsx" in held and file.suffix != ".js" else ()
    # Node compares the names of the tests around, too, so the pattern begins anywhere.
    pattern = (f"--test-name-pattern={re.escape(test)}$",) if test else ()
    return ("node", *loader, "--test", *pattern, "{file}"), root


def _around(file: Path, folder: Path, name: str) -> Path:
    """Return the nearest folder around a file that holds a name, else the workspace's."""
    for root in file.parents:
        if root == folder or os.path.exists(root / name):
            return root
    return folder


# Go

_GO_TOKEN = re.compile(
    r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|'(?:\\.|[^'\\\n])*'"
    r"|(?P<string>\"(?:\\.|[^\"\\\n])*\"|`[^`]*`)"
    r"|(?P<imports>\bimport\b\s*(?:\([^)]*\)|(?:[\w.]+\s+)?\"[^\"\n]*\"))"
    r"|^func\s+(?P<test>Test\w*)\s*\(|(?P<end>^\})",
    re.MULTILINE,
)
_GO_TITLE = re.compile(r"\.Run\(\s*\Z")


def _go(code: str) -> Iterator[StringToken]:
    test = None
    for found in _GO_TOKEN.finditer(code):
        if found["test"]:
            test = found["test"]
        elif found["end"]:
            test = None
        elif found["string"]:
            start, end = found.span()
            before = _GO_TITLE.search(code, max(0, start - _JS_NEAR), start)
            yield StringToken(start, end, False, test, before is None)


_GO_ESCAPE = re.compile(
    rf"\\(?:{_HEX_ESCAPE}|U(?P<point>[0-9a-fA-F]{{8}})|(?P<octal>[0-3][0-7]{{2}})|(?P<plain>.))"
)
_GO_NAMED = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    '"': '"',
}


def _read_go(code: str) -> str:
    if code[0] == "`":
        return code[1:-1].replace("\r", "")
    found, at = bytearray(), 0
    body = code[1:-1]
    for match in _GO_ESCAPE.finditer(body):
        found += body[at : match.start()].encode("utf-8", "surrogateescape")
        at = match.end()
        byte = int(match["x"], 16) if match["x"] else int(match["octal"] or "0", 8)
        if match["x"] or match["octal"]:
            found.append(byte)
            continue
        number = match["u"] or match["point"]
        if not number and match["plain"] not in _GO_NAMED:
            raise Declined("This literal has an escape that Go does not know.")
        try:
            character = chr(int(number, 16)) if number else _GO_NAMED[match["plain"]]
            found += character.encode()
        except (ValueError, OverflowError):
            raise Declined("This literal has an escape of no character.") from None
    found += body[at:].encode("utf-8", "surrogateescape")
    return found.decode("utf-8", "surrogateescape")


def _write_go(value: str, code: str, eol: str) -> str:
    plain = value.replace("\n", "").replace("\t", "")
    if code[0] == "`" and "`" not in value and (not plain or plain.isprintable()):
        return "`" + value.replace("\n", eol) + "`"
    return _escaped(value, '"', _escape_go)


def _escape_go(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _go_runner(
    _code: str, test: str | None, file: Path, _folder: Path
) -> tuple[tuple[str, ...], Path]:
    return ("go", "test", *(("-run", f"^{test}$") if test else ())), file.parent


SYNTAXES = (
    StringSyntax(
        re.compile(r"(?:(?:^|[._-])test|[._-]spec)\.[cm]?[jt]sx?$"),
        _javascript,
        _read_javascript,
        _write_javascript,
        _javascript_runner,
    ),
    StringSyntax(re.compile(r"_test\.go$"), _go, _read_go, _write_go, _go_runner),
)
"""All languages; to add one, write its four functions and a row here."""
