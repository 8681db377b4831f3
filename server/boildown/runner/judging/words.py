"""The words of a message that are the program's own, not the candidate's."""

from __future__ import annotations

import re

from boildown.runner.judging.failures import Failure

_MOST_CHARACTERS = 500
_MOST_WORDS = 12
"""Words of a message that are compared: its beginning says what happened."""
_QUOTED = re.compile(
    r"(?<!\w)[rbuRBU]{0,2}'(?:[^'\\]|\\.)*'(?!\w)|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|‘[^’]*’|“[^”]*”|«[^»]*»"
    r"|<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}"
)
"""Text in quotation marks or brackets: a value."""
_OPEN_QUOTE = re.compile(r"(?<!\w)['\"].*$")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NO_WORD = re.compile(r"[\d/\\]")
_VALUES = frozenset({"true", "false", "none", "null", "nil", "nan", "inf", "infinity", "undefined"})
_ASSERTION = re.compile(r"assert\b")
_OPERATOR = re.compile(r"(?<!\S)(?:==|!=|<=?|>=?|not in|in|is not|is|not|and|or)(?!\S)")


def words_of(text: str) -> frozenset[str]:
    """Return the words of an input, in lower case."""
    return frozenset(word.lower() for word in _WORD.findall(text))


def fixed_words(failure: Failure, message: str, candidate: str, words: frozenset[str]) -> str:
    """Return the words of a message that stay while the candidate changes.

    Left out are quoted text, numbers, paths, the words of the candidate and of the original input
    (`words`), and those that the type of the error says already. Of an assertion of pytest only
    the operators are left, for the rest are values.
    """
    first = message.lstrip().partition("\n")[0][:_MOST_CHARACTERS]
    while (bare := _QUOTED.sub(" ", first)) != first:
        first = bare
    first = _OPEN_QUOTE.sub(" ", first).replace("line …", " ")
    if failure.error.startswith("AssertionError") and _ASSERTION.match(first):
        return " ".join(["assert", *_OPERATOR.findall(first)])
    small_text, said = candidate.lower(), words_of(failure.error)
    tokens = [token for token in first.split() if _NO_WORD.search(token) is None]
    found = [word for token in tokens for word in _WORD.findall(token)]
    kept = [
        word
        for word in found
        if len(word) > 1
        and not any(word.lower() in left_out for left_out in (_VALUES, words, said))
        and not _holds(small_text, word.lower())
    ]
    return " ".join(kept[:_MOST_WORDS])


def _holds(text: str, word: str) -> bool:
    """Say whether a text holds a word, both in lower case."""
    # Most often not even as a part of another word, which is found out much faster.
    whole = rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])"
    return word in text and re.search(whole, text) is not None
