"""The card of a failure: its smallest input, the closest one that passes, and the tokens needed.

It stands above the pattern, and says nothing that stands there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from boildown.engine.matters import BLANK, NUMBER, SIGN, STRING, Need, VariedToken, kind_of
from boildown.jobs import inert
from boildown.jobs.events import many
from boildown.jobs.words import Quote, closest_passing
from boildown.visible import quoted, visible

if TYPE_CHECKING:
    from boildown.jobs.generalize import Generalized

MOST_SENTENCES = 10
"""Of an input with more to say only the text of those tokens that are needed is shown."""
_SHOWN = 80
"""Characters of an input that are shown in a line."""


def card(found: Generalized, quote: Quote = quoted) -> list[str]:
    """Return the lines of a card; those on single tokens are indented."""
    lines = []
    if found.passing is not None:
        told, close = closest_passing(found.passing, found.smallest)
        fails = quote(inert.short(found.smallest, _SHOWN))
        lines = [f"fails:  {fails}", f"passes: {told}, {close}"]
    return [*lines, *needs(found, quote)]


def needs(found: Generalized, quote: Quote = quoted) -> list[str]:
    """Return the lines on the tokens of the smallest input that the pattern leaves open."""
    pattern, every = found.pattern, found.pattern.tokens
    is_said = pattern.is_general and pattern.text == found.smallest
    holes = [(hole.start, hole.end) for hole in pattern.holes] if is_said else []
    told = [
        each
        for each in every
        if not any(start <= each.start and each.end <= end for start, end in holes)
    ]
    sentences = list(_sentences(told, quote))
    text = [] if is_said else list(_text(every, quote))
    return [*text, *sentences] if len(sentences) <= MOST_SENTENCES else text


def _text(tokens: Sequence[VariedToken], quote: Quote) -> Iterator[str]:
    """Yield a line with the text of the tokens that are needed, if that says something."""
    solid = [each for each in tokens if not _is_plain(each)]
    loose = [each for each in solid if each.need in (Need.KIND, Need.FREE)]
    untried = sum(each.need is None for each in solid)
    if len(loose) + untried == len(solid):
        return
    if not loose and not untried:
        yield "needed: all of it, as it is"
        return
    parts: list[str] = []
    for each in tokens:
        piece = "…" if each in loose else "" if each.need is Need.FREE else each.text
        if piece != "…" or parts[-1:] != ["…"]:
            parts.append(piece)
    line = f"needed: {quote(inert.short(''.join(parts), 2 * _SHOWN))}"
    if loose[MOST_SENTENCES:]:
        line += f"; {len(loose)} other tokens may be something else"
    yield f"{line}; not tried: {many(untried, 'token')}" if untried else line


def _is_plain(token: VariedToken) -> bool:
    """Say whether a token is blanks and line breaks, on which nobody reads a sentence."""
    return not token.text.strip(" \r\n")


def _sentences(tokens: Sequence[VariedToken], quote: Quote) -> Iterator[str]:
    """Yield a sentence for each token of which there is something to say, equal ones once."""
    told: dict[str, dict[str, VariedToken]] = {}
    for each in tokens:
        number = sum(it.text == each.text for it in tokens)
        if sentence := _sentence(each, number, quote):
            told.setdefault(each.text, {}).setdefault(sentence, each)
    for text, sentences in told.items():
        for sentence, token in sentences.items():
            place = f" (character {token.start + 1})" if len(sentences) > 1 else ""
            yield f"  {_shown(text, quote)}{place} {sentence}"


def _sentence(token: VariedToken, number: int, quote: Quote) -> str:
    """Return the end of a sentence on the variations of a token; empty if they are dull.

    `number` is how many tokens have its text.
    """
    passes = _shown(token.passes, quote) if token.passes else ""
    fails = _shown(token.fails, quote) if token.fails else ""
    if _is_plain(token):
        return ""
    if token.need is Need.AS_IT_IS:
        return f"is needed: with {passes} it passes" if passes and token.kind != SIGN else ""
    if token.need is Need.FREE:
        return f"may be whatever was tried, such as {fails}" if fails else "may go"
    if token.need is None or not token.fails:
        return ""
    other = f"another {token.kind}" if kind_of(token.fails) == token.kind else "something else"
    other = other.replace(f"another {BLANK}", f"other {BLANK}")
    if token.everywhere:
        one = f"; with {passes} in one of them it passes" if passes else ""
        places = "both places" if number == 2 else f"all {number} places"
        return f"may be {other}, the same in {places}: with {fails} it fails{one}"
    return f"may be {other}: with {fails} it fails{f', with {passes} it passes' if passes else ''}"


def _shown(text: str, quote: Quote) -> str:
    """Return a token as it stands in a line; a number and a string need no quotes in a terminal."""
    return visible(text) if quote is quoted and kind_of(text) in (NUMBER, STRING) else quote(text)
