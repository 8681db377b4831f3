"""Mutants: inputs near others, made by exchanging, leaving out, repeating and changing their parts.

They stay as realistic as the inputs that they are made of: what goes in comes from these inputs,
and only a part of the time from the grammar. What does not parse is left out by the caller.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from boildown.engine.language import Language
from boildown.engine.laws.parts import KIND, Part, Parts, read, separator
from boildown.engine.numerals import number

SAMPLE_TOKENS = 6
"""Tokens, about, of a text that comes from the grammar."""
MIN_PAIRED = 3
"""So many different words that begin and end parts show that these belong together."""
BYTE_ORDER_MARK = "\ufeff"
NEUTRAL = "xyz"
"""A word that no program asks for, to see whether any other one makes no difference."""
"""Many programs take it for a part of what follows, so that it would tell nothing."""
_SEPARATORS = ("", ",", ";", "\n", " ", "&")
"""Tried in turn for a list with a single item, which shows none."""
_WORDY = re.compile(r"\w")
_JOINED = re.compile(r"[\w?$@#'\"]{2}")
"""Two characters with which a text may go on as one token, for some program."""
_BLANKS = re.compile(r"\s+")
_NEWLINE = re.compile(r"[\r\n]")
_RARE_BLANK = re.compile(r"[\r\t\f\v]")
_Item = TypeVar("_Item")
LARGEST_MADE = 10**9
"""Numbers beyond this are not made from others."""


@dataclass(slots=True)
class Donor:
    """An input that mutants are made of."""

    text: str
    parts: Parts


@dataclass(slots=True)
class Corpus:
    """The inputs that mutants are made of, and the parts that they share by label."""

    language: Language
    donors: list[Donor] = field(default_factory=list)
    texts: dict[str, dict[str, None]] = field(default_factory=dict)
    """The texts of the parts with each label."""
    unique: set[str] = field(default_factory=set)
    """Labels of which no two parts in one list have the same word: a key that stands twice, and
    hides its first value, would tell nothing."""
    paired: set[str] = field(default_factory=set)
    """Labels of parts that begin and end with the same word: how a program reads two tags of other
    names would tell nothing either."""
    barred: frozenset[str] = frozenset()
    """What no number of an input has, see `Parts.numerals`, and `KIND`."""
    kinds: frozenset[tuple[str, str]] = frozenset()
    """The words of the job's inputs, with the kinds of values that they have there."""
    words: tuple[str, ...] = ()
    """Words of the program, which tokens are replaced by."""
    names: frozenset[str] = frozenset()
    """The words of the parts of the job's inputs."""
    barred_names: frozenset[str] = frozenset()
    """Others, which no mutant has."""

    def add(self, text: str, parts: Parts) -> None:
        """Add an input."""
        self.donors.append(Donor(text, parts))
        for part in parts.all:
            if not part.is_literal and len(part.text) < 400:
                for label in (part.labels[0], part.labels[-1]):
                    self.texts.setdefault(label, {}).setdefault(part.text)

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text of a label from the grammar, with blanks as people write them.

        How a program reads a lone carriage return, or a tab before a line, would tell nothing.
        """
        text = self.language.sample(label, rng, budget)
        if text is None or not _RARE_BLANK.search(text):
            return text
        return _BLANKS.sub(lambda run: "\n" if _NEWLINE.search(run[0]) else " ", text)

    def keep_pairs(self, parts: Parts) -> None:
        """Let mutants be like an input in which all parts of a sort begin and end with one word."""
        for label, pairs in parts.framed().items():
            if len(pairs) >= MIN_PAIRED and all(a == b for a, b in pairs):
                self.paired.add(label)

    def admits(self, parts: Parts) -> bool:
        """Say whether an input may be a mutant: no key stands twice, no two tags differ."""
        if self.barred and self.barred & parts.numerals():
            return False
        if KIND in self.barred and self.has_other_kinds(parts):
            return False
        others = {part.word for part in parts.all if part.word} - self.names
        if others and (self.barred_names & others or self._has_other_case(others)):
            return False
        framed = parts.framed() if self.paired else {}
        pairs = (pair for label in self.paired for pair in framed.get(label, ()))
        return self.unique.isdisjoint(parts.repeats(True)) and all(a == b for a, b in pairs)

    def _has_other_case(self, words: set[str]) -> bool:
        """Say whether one of some words is a name of the job's inputs but for its case.

        Whether a program tells them apart is nothing that a law is asked for.
        """
        known = {each.lower() for each in self.names}
        return any(each.lower() in known for each in words.difference(self.words))

    def has_other_kinds(self, parts: Parts) -> bool:
        """Say whether a word has a kind of value that it has in none of the job's inputs."""
        # Of what kind a value is that may be `null`, that alone does not tell.
        words = {word for word, kind in self.kinds if not kind.startswith('"')}
        return any(word in words for word, _ in parts.kinds() - self.kinds)

    def mutant(self, rng: Random, base: Donor | None = None) -> str | None:
        """Return a mutant of an input, or None if the edits chosen could not be made."""
        donor = base or self.donors[min(int(rng.expovariate(0.6)), len(self.donors) - 1)]
        edits = (*_EDITS, _speak, _speak) if self.words else _EDITS
        edit = rng.choice(edits)
        made = edit(self, donor.text, donor.parts, rng)
        while made is not None and rng.random() < 0.45:
            parts = read(made, self.language, donor.parts.naming)
            if parts is None:
                return None
            made = rng.choice(edits)(self, made, parts, rng)
        return made


def _variable(parts: Parts, rng: Random) -> int | None:
    """Choose a part that is no fixed token, and not the whole."""
    found = [i for i, part in enumerate(parts.all) if i and not part.is_literal]
    return rng.choice(found) if found else None


def in_turns(lists: Sequence[Iterable[_Item]]) -> Iterator[_Item]:
    """Return the items of some lists, one of each in turn until all are at their ends."""
    found = itertools.chain.from_iterable(itertools.zip_longest(*lists))
    return (each for each in found if each is not None)


def chunk(text: str, parts: Parts, index: int) -> tuple[int, int]:
    """Return the span of an item with the separator before it, or after it if it is the first."""
    part = parts.all[index]
    if part.parent < 0 or part.is_literal:
        return part.start, part.end
    siblings = [i for i in parts.all[part.parent].children if not parts.all[i].is_literal]
    # The statements of a list may be of several sorts, and stand between two of one.
    same = [
        i for i in siblings
        if (parts.all[i].is_item and parts.all[i].of == part.of if part.is_item
            else set(parts.all[i].labels) & set(part.labels))
    ]  # fmt: skip
    at = same.index(index)
    if at > 0:
        return parts.all[same[at - 1]].end, part.end
    if len(same) > 1:
        return part.start, parts.all[same[1]].start
    return part.start, part.end


def without_item(text: str, parts: Parts, index: int) -> str:
    """Return a text without an item and the separator beside it."""
    start, end = chunk(text, parts, index)
    return text[:start] + text[end:]


def exchanged(text: str, one: Part, two: Part) -> str:
    """Return a text in which two parts, of which none holds the other, change places."""
    first, second = sorted((one, two), key=lambda each: each.start)
    between = text[first.end : second.start]
    return text[: first.start] + second.text + between + first.text + text[second.end :]


def separators(text: str, parts: Parts, index: int) -> tuple[str, str]:
    """Return the texts before and after an item that separate it from another one beside it.

    One of them is empty.
    """
    part = parts.all[index]
    start, end = chunk(text, parts, index)
    if start < part.start or end > part.end:
        return text[start : part.start], text[part.end : end]
    if not part.is_separated:
        is_told = part.is_literal or parts.language.expansions(part.labels[0]) is not None
        return "" if is_told else tried_separator(text, parts, index) or "", ""
    own = separator(parts.language, part.of)
    # With blanks as another list of the input has them; where no grammar tells it, as one of its
    # sort, or any.
    items = [i for i, each in enumerate(parts.all) if each.is_separated and i != index]
    items.sort(key=lambda i: parts.all[i].of != part.of)
    spans = ((parts.all[i], chunk(text, parts, i)) for i in items)
    others = (text[start : each.start] for each, (start, _) in spans if start < each.start)
    return next((each for each in others if not own or each.strip() == own.strip()), own), ""


def tried_separator(text: str, parts: Parts, index: int) -> str | None:
    """Return a separator with which an item may stand there twice; None if none is known to do."""
    if index not in parts.separators:
        parts.separators[index] = next(_fitting_separators(text, parts, index), None)
    return parts.separators[index]


def _fitting_separators(text: str, parts: Parts, index: int) -> Iterator[str]:
    part = parts.all[index]
    label = part.labels[-1]
    before = text[: part.start].rpartition("\n")[2]
    indented = [f"\n{before}"] if before.isspace() else []
    # Two texts in quotes side by side may be one.
    for each in [*indented, *_SEPARATORS[part.bare != part.text :]]:
        made = text[: part.end] + each + part.text + text[part.end :]
        doubled = read(made, parts.language, parts.naming)
        if doubled and len(doubled.by_label.get(label, ())) > len(parts.by_label[label]):
            yield each


def _drop(_: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    found = parts.items()
    if not found:
        return None
    return without_item(text, parts, rng.choice(found))


def _leave_out(_: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    index = _variable(parts, rng)
    if index is None:
        return None
    part = parts.all[index]
    return text[: part.start] + text[part.end :]


def repeated(text: str, parts: Parts, index: int, times: int, renaming: bool = False) -> str:
    """Return a text with an item repeated, with separators; when renaming with other words."""
    part = parts.all[index]
    before, after = separators(text, parts, index)
    at = part.start if after else part.end
    copies = [part.text] * times
    if renaming and part.word:
        copies = [renamed(parts, index, f"{part.word}{number}") for number in range(times)]
    return text[:at] + "".join(before + each + after for each in copies) + text[at:]


def renamed(parts: Parts, index: int, word: str) -> str:
    """Return the text of a part with another word, in all its tokens that are nothing else."""
    part = parts.all[index]
    made, at = "", part.start
    for each in parts.all[index:]:
        if each.start >= part.end:
            break
        if each.children or (each is not part and (each.is_item or len(each.labels) > 1)):
            continue
        before, found, after = each.text.partition(part.word)
        if found and not _WORDY.search(before + after):
            made += part.text[at - part.start : each.start - part.start] + before + word + after
            at = each.end
    return made + part.text[at - part.start :]


def _repeat(corpus: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    found = parts.items()
    if not found:
        return None
    index, times = rng.choice(found), rng.choice((1, 1, 1, 2, 3, 6))
    renaming = not corpus.unique.isdisjoint(parts.all[index].labels)
    return repeated(text, parts, index, times, renaming)


def _bring(corpus: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    """Put an item beside another, with the same separator, from wherever it stands."""
    found = parts.items()
    if not found:
        return None
    index = rng.choice(found)
    part = parts.all[index]
    new = rng.choice(list(corpus.texts.get(part.labels[0], {part.text: None})))
    before, after = separators(text, parts, index)
    if before and rng.random() < 0.3:
        return text[: part.start] + new + before + text[part.start :]
    at = part.end if before else part.start
    return text[:at] + before + new + after + text[at:]


def _exchange(_: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    """Let two parts change places."""
    index = _variable(parts, rng)
    if index is None:
        return None
    one = parts.all[index]
    others = [
        each
        for each in (parts.all[i] for i in parts.by_label[one.labels[0]])
        if each.end <= one.start or one.end <= each.start
    ]
    beside = [each for each in others if each.parent == one.parent]
    if beside and rng.random() < 0.7:
        others = beside
    if not others:
        return None
    return exchanged(text, one, rng.choice(others))


def _replace(corpus: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    """Put another part with a common label in the place of one."""
    index = _variable(parts, rng)
    if index is None:
        return None
    part = parts.all[index]
    known = list(corpus.texts.get(rng.choice(part.labels), ()))
    return put(text, parts, index, rng.choice(known)) if known else None


def _copy(_: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    """Let a token have the text of another one in the same input, so that both are equal."""
    tokens = [
        i for i, part in enumerate(parts.all)
        if part.parent >= 0 and not part.is_literal and len(part.text) < 60
    ]  # fmt: skip
    if not tokens:
        return None
    index = rng.choice(tokens)
    part = parts.all[index]
    others = parts.by_label[part.labels[-1]]
    return put(text, parts, index, parts.all[rng.choice(others)].text)


def _sample(corpus: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    """Put a text from the grammar in the place of a part."""
    index = _variable(parts, rng)
    if index is None:
        return None
    label = rng.choice(parts.all[index].labels)
    new = corpus.sample(label, rng, SAMPLE_TOKENS)
    return None if new is None else put(text, parts, index, trimmed(new, label, corpus.language))


def trimmed(text: str, label: str, language: Language) -> str:
    """Return a text without blanks around it, but for one before it where its label has to have it.

    That is so for an attribute, while a line that begins with a blank may be a part of another one.
    """
    has_gap = (language.shortest(label) or "")[:1].isspace()
    return " " * has_gap + text.strip()


def _grow(corpus: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    """Put a text from the grammar where an option or a list is absent."""
    if not parts.absent:
        return None
    at, label = rng.choice(parts.absent)
    return grown(corpus, text, at, label, rng)


def grown(corpus: Corpus, text: str, at: int, label: str, rng: Random) -> str | None:
    """Put a text from the grammar where one of its label is absent, apart from words beside it."""
    new = corpus.sample(label, rng, SAMPLE_TOKENS)
    return None if not new or new == BYTE_ORDER_MARK else inserted(corpus.language, text, at, new)


def inserted(language: Language, text: str, at: int, new: str) -> str:
    """Put a text between others, apart from words beside it."""
    before = language.gap if _JOINED.fullmatch(text[at - 1 : at] + new[0]) else ""
    after = language.gap if _JOINED.fullmatch(new[-1] + text[at : at + 1]) else ""
    return text[:at] + before + new + after + text[at:]


def _vary(_: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    """Change a token: a number to another one, a text's length, its beginning and its end."""
    tokens = [i for i, part in enumerate(parts.all) if not part.children and not part.is_literal]
    numeric = [i for i in tokens if number(_inner(parts.all[i])[1]) is not None]
    if numeric and rng.random() < 0.5:
        tokens = numeric
    if not tokens:
        return None
    index = rng.choice(tokens)
    before, inner, after = _inner(parts.all[index])
    return put(text, parts, index, before + varied(inner, rng) + after)


def _speak(corpus: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    """Let a token be a word of the program: a number if it is one."""
    tokens = [i for i, part in enumerate(parts.all) if not part.children and not part.is_literal]
    if not tokens:
        return None
    index = rng.choice(tokens)
    before, inner, after = _inner(parts.all[index])
    is_number = number(inner) is not None
    words = [each for each in corpus.words if (number(each) is not None) == is_number]
    return put(text, parts, index, before + rng.choice(words) + after) if words else None


def varied(text: str, rng: Random) -> str:
    """Return a text like another: as a number, or as a string."""
    value = number(text)
    if value is not None:
        return _other_number(text, value, rng)
    if not text:
        return rng.choice("0123abmxyz")
    choice = rng.randrange(7)
    if choice == 0:
        return ""
    if choice == 1:
        return text * rng.choice((2, 3, 5))
    if choice == 2 and text:
        return text[: rng.randrange(len(text))]
    if choice == 3 and text:
        return text[rng.randrange(len(text)) :]
    if choice == 4 and text:
        at = rng.randrange(len(text))
        return text[:at] + text[at + 1 :]
    if choice == 5 and text:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice("abcxyz019") + text[at + 1 :]
    return rng.choice("abcmxyz") + text


def _other_number(text: str, value: float, rng: Random) -> str:
    """Return another number, padded as wide where the first one is."""
    bare = text.lstrip("+-")
    whole = isinstance(value, int)
    value = max(-LARGEST_MADE, min(value, LARGEST_MADE))
    size = max(abs(int(value)), 1)
    near = (-int(value), int(value) + 1, int(value) - 1, size * 10, size // 2, size // 10)
    random = (rng.randint(0, 10), rng.randint(-9, 99), rng.randint(-2 * size, 2 * size))
    choices = (*near, *random, 0, 1, rng.randint(0, 2 * size))
    new = rng.choice(choices)
    if not whole and rng.random() < 0.5:
        return f"{new + rng.choice((0.25, 0.5, 0.9)):g}"
    if (bare.startswith("0") and len(bare) > 1) or rng.random() < 0.3:
        return str(abs(new)).zfill(len(bare))
    return str(new)


def _inner(part: Part) -> tuple[str, str, str]:
    """Return a token's text with the quotes and blanks around it apart."""
    text = part.text
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[0], text[1:-1], text[-1]
    stripped = text.strip()
    at = text.find(stripped)
    return text[:at], stripped, text[at + len(stripped) :]


def put(text: str, parts: Parts, index: int, new: str) -> str:
    """Put a text in the place of a part, and of its siblings with the same word around it.

    Two tokens with one text, one at the beginning and one at the end of what they stand in, are
    taken to belong together, as the names in two tags of an element do.
    """
    part = parts.all[index]
    spans = [(part.start, part.end)]
    siblings = parts.all[part.parent].children if part.parent >= 0 else []
    if not part.children and len(part.labels) == 1 and part.text.strip():
        same = [i for i in siblings if parts.all[i].text == part.text and not parts.all[i].is_item]
        if len(same) == 2:
            spans = [(parts.all[i].start, parts.all[i].end) for i in same]
    parted = []
    at = 0
    for start, end in sorted(spans):
        parted += [text[at:start], new]
        at = end
    return "".join([*parted, text[at:]])


def _nest(_: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    """Put a part in the place of one inside it, or the other way round."""
    pairs = [
        (index, above)
        for index, part in enumerate(parts.all)
        for above in parts.above(index)
        if above and not part.is_literal and set(part.labels) & set(parts.all[above].labels)
    ]
    if not pairs:
        return None
    inner, outer = (parts.all[i] for i in rng.choice(pairs))
    old, new = (inner, outer) if rng.random() < 0.5 else (outer, inner)
    return text[: old.start] + new.text + text[old.end :]


def deeper(text: str, parts: Parts, index: int) -> str | None:
    """Return a text in which a part stands in itself, at the place of the nearest like it."""
    outer = parts.all[index]
    for inner in parts.all[index + 1 :]:
        if inner.start >= outer.end:
            break
        if set(inner.labels) & set(outer.labels):
            return text[: inner.start] + outer.text + text[inner.end :]
    return None


def _fill(corpus: Corpus, text: str, parts: Parts, rng: Random) -> str | None:
    """Put a part between two brackets that have nothing between them."""
    empty = [
        parts.all[index + 1].start
        for index, part in enumerate(parts.all[:-1])
        if part.text in _BRACKETS and parts.all[index + 1].text == _BRACKETS[part.text]
    ]
    if not empty:
        return None
    texts = corpus.texts[rng.choice(sorted(corpus.texts))]
    at = rng.choice(empty)
    return text[:at] + rng.choice(list(texts)) + text[at:]


_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_EDITS: Sequence[Callable[[Corpus, str, Parts, Random], str | None]] = (
    *(_drop, _drop, _drop, _leave_out, _repeat, _bring, _bring, _exchange, _exchange),
    *(_replace, _replace, _replace, _copy, _copy, _vary, _vary, _vary, _vary, _sample),
    *(_fill, _nest, _grow),
)
"""The edits, the likelier ones several times."""
