"""The words of a message that are the program's own, not the candidate's."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass

from boildown.folder_text import SEPARATOR, unpacked
from boildown.runner.judging.failures import Failure

_MOST_CHARACTERS = 500
_MOST_WORDS = 12
"""Words of a message that are compared: its beginning says what happened."""
_LONGEST_JOINED = 100_000
"""Characters of the longest text of several files in which words may go over their ends."""
_QUOTED = re.compile(
    r"(?<!\w)[rbuRBU]{0,2}'(?:[^'\\]|\\.)*'(?!\w)|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|‘[^’]*’|“[^”]*”|«[^»]*»"
    r"|<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}"
)
"""Text in quotation marks or brackets: a value."""
_QUOTED_TYPE = re.compile(
    r"(?<!\w)['\"`‘](?P<type>NoneType|int|float|complex|bool|str|bytes|bytearray|list|tuple|dict|set"
    r"|frozenset|function|method|builtin_function_or_method|generator|coroutine|module|type|object"
    r"|number|string|boolean|array|undefined|null)['\"`’](?!\w)"
)
"""The name of a type in quotation marks: it says what kind of value made the program fail."""
_NO_VALUE = re.compile(r"\b(of|is|was|got|not) (undefined|null|None|nil)\b")
"""The kind of a value that is missing, in a message such as `Cannot read properties of null`."""
_OPEN_QUOTE = re.compile(r"(?<!\w)['\"].*$")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NO_WORD = re.compile(r"[\d/\\]")
_VALUES = frozenset({"true", "false", "none", "null", "nil", "nan", "inf", "infinity", "undefined"})
_ASSERTION = re.compile(r"assert\b")
_OPERATOR = re.compile(r"(?<!\S)(?:==|!=|<=?|>=?|not in|in|is not|is|not|and|or)(?!\S)")


class Words(Container[str]):
    """The words of a text, in lower case.

    A word is looked up when it is asked for, and once: a list of the words of 50 MB would take
    longer to make than all that a job asks of it.
    """

    __slots__ = ("_known", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[str, bool] = {}

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str):
            return False
        if word not in self._known:
            if not self._known:
                self._text = _with_parts_joined(self._text).lower()
            self._known[word] = _holds(self._text, word)
        return self._known[word]


def _with_parts_joined(text: str) -> str:
    """Return a text of several files with their contents in a row, as a test may put them."""
    if not text.startswith(SEPARATOR) or len(text) > _LONGEST_JOINED:
        return text
    return f"{text}\n{''.join(unpacked(text).values())}"


class AllWords(Container[str]):
    """The container of all words: with it none of a message is compared."""

    def __contains__(self, _word: object) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Masked(Container[str]):
    """The words and lines that are not compared, for the first runs have shown that they vary."""

    words: Container[str]
    """Those of the original input."""
    unsteady: frozenset[str] = frozenset()
    """Those that the message has in some runs on one input, and not in others."""
    untelling: frozenset[str] = frozenset()
    """The names of lines that runs print which pass, or fail in other ways."""

    def __contains__(self, word: object) -> bool:
        return word in self.words or word in self.unsteady


def fixed_words(failure: Failure, message: str, candidate: str, words: Container[str]) -> str:
    """Return the words of a message that stay while the candidate changes.

    Left out are quoted text, numbers, paths, the words of the candidate and of the original input
    (`words`), and those that the type of the error says already. Of an assertion of pytest only
    the operators are left, for the rest are values.
    """
    first = message.lstrip().partition("\n")[0][:_MOST_CHARACTERS]
    # A type is no value, and no word of the candidate's where none is meant.
    first = _NO_VALUE.sub(r"\1 ‹\2›", _QUOTED_TYPE.sub(r" \g<type> ", first))
    while (bare := _QUOTED.sub(" ", first)) != first:
        first = bare
    first = _OPEN_QUOTE.sub(" ", first).replace("line …", " ")
    if failure.error.startswith("AssertionError") and _ASSERTION.match(first):
        return " ".join(["assert", *_OPERATOR.findall(first)])
    own = (_VALUES, Words(failure.error), words, Words(candidate))
    kept: list[str] = []
    for token in first.split():
        if token.startswith("‹"):
            kept += _WORD.findall(token)
        elif _NO_WORD.search(token) is None:
            found = (word for word in _WORD.findall(token) if len(word) > 1)
            kept += (
                word for word in found if not any(word.lower() in left_out for left_out in own)
            )
    return " ".join(kept[:_MOST_WORDS])


def _holds(text: str, word: str) -> bool:
    """Say whether a text holds a word, both in lower case."""
    # Most often not even as a part of another word, which is found out much faster. What may not
    # stand before the word is checked behind it, for a pattern that begins with the word is
    # searched ten times as fast.
    spelled = re.escape(word)
    whole = rf"{spelled}(?<![^\W\d_]{spelled})(?![^\W\d_])"
    return word in text and re.search(whole, text) is not None
