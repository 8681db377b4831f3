"""Parts: a derivation tree as laws look at it, without nodes that a person would not name.

Nodes that a grammar needs and nobody speaks of (lists, options, groups) are left out, and a chain
of nodes that all have one text is one part with several labels. Many parts have a *word*, the
token at their beginning: a JSON pair its key, an element its tag, a setting its name. With it goes
the part's *value*, which is what else stands in it. In `{"a": [1, 2]}`, the pair is a part with the
word `a` and the value `[1, 2]`, a part with the labels `value` and `array`.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias, TypeVar

from boildown import tree as trees
from boildown.engine.language import Language
from boildown.engine.laws.recursion import with_lists
from boildown.engine.numerals import number
from boildown.tree import Kind, Leaf, Tree

NO_VALUE = -1
"""The value of a part that has a word and nothing else: its text is empty."""
MANY_VALUES = -2
"""The value of a part without a word, or with several other parts."""

ANY = "*"
"""In place of a label: the outermost parts with a word, whatever their labels; without one, with
whatever word."""

SIGN = "signs"
"""What a number may have besides digits, see `Parts.numerals`."""
FRACTION = "fractions"
"""The same for a fraction, an exponent, or another base."""
BLANK = "blanks"
"""The same for a blank behind its sign, which few programs but those of expressions read."""

PADDED = "leading zeros"
"""The same for zeros in front, which a program that compares texts takes for others."""

BLANK_LINE = "a blank first line"
"""What an input may begin with: for some programs it is a first row, and others skip it."""

INDENTED_LINE = "an indented line"
"""What it may have: some programs take one for a part of the line before."""

KIND = "other kinds of values"
"""What an input may have where the job's inputs have strings, say, see `Parts.kinds`."""

PLAIN = "text"
"""The label of a whole text of which no grammar is known: what it contains may be all there is."""

Naming: TypeAlias = tuple[str, str]
"""The label of a part that has a word, and the label of the token that is the word."""

_TRUTH = "boolean"
_VALUE, _NO_VALUE = "value", '""'
_Key = TypeVar("_Key")
_Span: TypeAlias = tuple[int, int]

_BLANK_LINE = re.compile("\ufeff?[ \t]*[\r\n]")
_INDENTED_LINE = re.compile(r"^[ \t]+\S", re.MULTILINE)
_NAMING = re.compile(r"[^\W\d]|[\"'][\w\"']")
"""A letter, or what stands between quotes: a number that comes first names nothing."""
_DECLARATIONS = ("<?", "<!")
"""Begin what stands before the text proper, as the declaration of an XML file, and no name."""
_NAMED = re.compile(r"[A-Za-z_][\w-]*")
_LABELS = re.compile(r"[A-Za-z_][\w-]*")
_LITERAL = re.compile(r'"(.*)"i?', re.DOTALL)
IDENTIFIER = re.compile(r"[^\W\d]\w*")
"""A name as most languages have it."""
_OPENING = re.compile(r"""\A(?:</|[<\[({"'`])*""")
_CLOSING = {"[": "]", "(": ")", "{": "}", "<": "/>"}
_BEHIND = " \t\r\n:=("
"""Signs behind a name in its token that are no part of it."""
_ENDS = re.compile(r"[\w*]\Z")
_EMPTY = re.compile(r"""(['"`])\1""")
CONSTANTS = ("true", "false", "null")
"""Values that are no texts, as JSON has them."""
_ATTRIBUTE = re.compile(r"\.\s*([^\W\d]\w*)\Z")
_QUOTED = re.compile(r"""(["'])(.*)\1""", re.DOTALL)


@dataclass(slots=True)
class Part:
    """One part of an input."""

    labels: tuple[str, ...]
    """The outermost first; of a fixed token, its text in quotes."""
    text: str
    start: int
    """Offset of its text; what stands before the first token is left out."""
    parent: int
    is_item: bool
    """Whether it stands in a list of its parent."""
    is_literal: bool = False
    is_list: bool = False
    """Whether it is a list with a single item, and the item as well."""
    of: str = ""
    """The label of the list that it is an item of."""
    is_separated: bool = False
    """Whether the items of that list have separators."""
    choice: str = ""
    """The label of what it was chosen of, if it is a token beside which the grammar has others."""
    children: list[int] = field(default_factory=list)
    word: str = ""
    value: int = MANY_VALUES
    _bare: str | None = None

    @property
    def bare(self) -> str:
        """Its text without quotes; a string keeps them that would be taken for another value."""
        if self._bare is None:
            inner = bare(self.text)
            is_other = self.is_string and (inner in CONSTANTS or number(inner) is not None)
            self._bare = self.text if is_other else inner
        return self._bare

    @property
    def is_string(self) -> bool:
        """Whether it is a string in a language that has other values, too."""
        return "str" in self.labels[-1].lower()

    @property
    def in_list(self) -> tuple[int, str]:
        """The part that it stands in, and the label of the list there that it is an item of.

        Of attributes and elements, a single element is an item of the part around both.
        """
        return self.parent, self.of

    @property
    def is_target(self) -> bool:
        """Whether an assignment, or a named argument, gives a value to it."""
        return bool(self.children) and self.text.endswith("=")

    @property
    def is_fixed(self) -> bool:
        """Whether it is a fixed token, even one that a rule of the grammar names."""
        return self.is_literal or (not self.children and _is_literal(self.labels[-1]))

    @property
    def end(self) -> int:
        """The offset after its text."""
        return self.start + len(self.text)


class Parts:
    """The parts of an input in the order of their beginnings, and where to find them."""

    def __init__(self, tree: Tree, language: Language, naming: Collection[Naming] = ()) -> None:
        self.language = language
        self.all: list[Part]
        self.absent: list[tuple[int, str]]
        """Offsets at which an option or all items of a list are absent, with their labels."""
        self.all, self.absent = _parts(with_lists(tree, language))
        self.naming: set[Naming] = set()
        """The labels of parts that have a word and other children, with that of the word's token.
        """
        self.by_label: dict[str, list[int]] = {}
        self.by_word: dict[tuple[str, str], list[int]] = {}
        self.chosen: dict[Hashable, list[int]] = {}
        """The parts of each choice that was asked for, since many features ask for the same."""
        self.chosen_texts: dict[Hashable, tuple[str, ...]] = {}
        """Their texts."""
        self.separators: dict[int, str | None] = {}
        """The separators that were tried for items that stand in no list with others."""
        self._inside: dict[tuple[_Span, ...], Parts] = {}
        self._numerals: set[str] | None = None
        for index in range(len(self.all) - 1, -1, -1):
            found = _name(self.all, index, naming)
            if found is not None:
                self.naming.add((self.all[index].labels[-1], found))
        self._worded = {label for label, _ in (*naming, *self.naming)}
        for index, part in enumerate(self.all):
            for label in dict.fromkeys(part.labels):
                self.by_label.setdefault(label, []).append(index)
                if part.word:
                    self.by_word.setdefault((label, part.word), []).append(index)
            if self.owns_word(index):
                self.by_label.setdefault(ANY, []).append(index)
                self.by_word.setdefault((ANY, part.word), []).append(index)

    def inside(self, index: int, others: Sequence[int]) -> Parts:
        """Return one part, as if the input had no more than it, and others in it were not there.

        The others come in their order.
        """
        spans, at, end = [], index, self._end(index)
        for other in others[bisect_right(others, index) : bisect_left(others, end)]:
            if at <= other:
                spans.append((at, other))
                at = self._end(other)
        key = (*spans, (at, end))
        if key not in self._inside:
            found = copy(self)
            found.by_label = _in_spans(self.by_label, key)
            found.by_word = _in_spans(self.by_word, key)
            found.chosen, found.chosen_texts, found._inside = {}, {}, {}
            self._inside[key] = found
        return self._inside[key]

    def _end(self, index: int) -> int:
        """Return the number behind those of a part and of all that stands in it."""
        return next(
            (i for i in range(index + 1, len(self.all)) if self.all[i].parent < index),
            len(self.all),
        )

    def may_have(self, index: int, label: str) -> bool:
        """Say whether items with a label may be right inside a part, such as values in `[]`.

        Nothing is known of it where neither items nor the place of absent ones show it.
        """
        part, known = self.all[index], self.item_labels(index)
        if part.is_list and (label == ANY or label in _LABELS.findall(part.of)):
            # It is a list with a single item of another sort: a text, say.
            return True
        if label == ANY:
            return bool(known)
        return bool(part.children) and (not known or label in known)

    def item_labels(self, index: int) -> tuple[str, ...]:
        """Return the labels that items right inside a part may have, as far as they are known."""
        part = self.all[index]
        lists = {child.of: None for i in part.children if (child := self.all[i]).is_item}
        lists = lists or {each: None for at, each in self.absent if part.start <= at <= part.end}
        return tuple(dict.fromkeys(name for each in lists for name in _LABELS.findall(each)))

    def repeats(self, wanted: bool) -> set[str]:
        """Return the labels of which two parts with one word, or with two, stand side by side.

        A key may be empty, too. Where items of several labels stand side by side, as the first
        section of a file and the others may, `*` and the label of what they stand in is one more.
        """
        found: set[str] = set()
        for part in self.all:
            children = [self.all[i] for i in part.children]
            worded = [each for each in children if each.word or each.labels[-1] in self._worded]
            groups = {
                label: [each.word for each in worded if label in each.labels]
                for label in dict.fromkeys(label for each in worded for label in each.labels)
            }
            if all(len(words) < len(worded) for words in groups.values()):
                groups[f"{ANY} {part.labels[-1]}"] = [each.word for each in worded if each.word]
            for label, words in groups.items():
                if len(words) > 1 and (len(set(words)) < len(words)) == wanted:
                    found.add(label)
        return found

    def numerals(self) -> set[str]:
        """Return `SIGN`, `FRACTION`, `BLANK` and `PADDED`, each if some number has or is such.

        `BLANK_LINE` is one more, if the input begins with one, and so is `INDENTED_LINE`.
        """
        if self._numerals is None:
            self._numerals = self._find_numerals()
        return self._numerals

    def _find_numerals(self) -> set[str]:
        found: set[str] = set()
        for part in self.all:
            text = part.bare
            if text.isdecimal() or number(text) is None:
                if text.isdecimal() and len(text) > 1 and text[0] == "0":
                    found.add(PADDED)
                continue
            if text[0] in "+-":
                found.add(SIGN)
            if not text.lstrip("+- ").isdecimal():
                found.add(FRACTION)
            if " " in text:
                found.add(BLANK)
        if _BLANK_LINE.match(self.all[0].text):
            found.add(BLANK_LINE)
        if _INDENTED_LINE.search(self.all[0].text):
            found.add(INDENTED_LINE)
        return found

    def kinds(self) -> set[tuple[str, str]]:
        """Return the words of parts, each with the label of a value, or else of the part.

        The two truth values are one kind. A table and a key with one name are of two kinds. What is
        inside an element is of none. Attributes have values, in quotes or not, or they have none.
        """
        named = (part for part in self.all if part.word and not part.text.startswith("<"))
        return {(part.word, self._kind(part)) for part in named}

    def _kind(self, part: Part) -> str:
        has_value = part.value > 0
        if part.parent >= 0 and self.all[part.parent].text.startswith("<"):
            return _VALUE if has_value else _NO_VALUE
        value = self.all[part.value] if has_value else part
        return _TRUTH if value.text in ("true", "false") else value.labels[-1]

    def framed(self) -> dict[str, set[tuple[str, str]]]:
        """Return the words at both ends of the parts with each label, such as those of two tags."""
        found: dict[str, set[tuple[str, str]]] = {}
        for part in self.all:
            inner = [each for i in part.children if not (each := self.all[i]).is_literal]
            first, *_, last = inner if len(inner) > 1 else (part, part)
            is_token = first.labels == last.labels and not first.children and not last.children
            words = (first.text, last.text) if is_token else (first.word, last.word)
            if first is not last and all(words) and not first.is_item and not last.is_item:
                found.setdefault(part.labels[-1], set()).add(words)
        return found

    def above(self, index: int) -> Iterator[int]:
        """Yield the parts that a part stands in, the innermost first."""
        while (index := self.all[index].parent) >= 0:
            yield index

    def items(self) -> list[int]:
        """Return the items of all lists in their order, separators left out."""
        return [i for i, part in enumerate(self.all) if part.is_item and not part.is_literal]

    def items_around(self, index: int) -> list[int]:
        """Return the items that a part is or stands in, the outermost first."""
        return [i for i in (index, *self.above(index)) if self.all[i].is_item][::-1]

    def near(self, index: int) -> Iterator[int]:
        """Yield the parts that a part stands in directly: up to the first that has a word.

        An argument stands directly in its call, brackets or not.
        """
        left = 2
        for above in self.above(index):
            yield above
            left -= not self.all[above].text.startswith("(")
            if self.all[above].word or left <= 0:
                return

    def owner(self, index: int) -> int:
        """Return the part that a part belongs to: the object of a key, the element of an attribute.

        Where a list or an object is the value of a part with a word, it is that part.
        """
        above = self.all[index].parent
        while above >= 0 and (parent := self.all[above].parent) >= 0 and not self.owns_word(above):
            if not self.all[parent].word:
                break
            above = parent
        return above

    def list_around(self, index: int) -> int:
        """Return the part with a word whose value is a list, of an item in which a part is; or -1.

        That is `orders` for a price directly in one of the orders.
        """
        item = self.all[index].parent
        return self.list_of(item) if item >= 0 else -1

    def list_of(self, item: int) -> int:
        """Return the part with a word whose value is the list that an item stands in; or -1."""
        value = self.all[item].parent
        owner = self.all[value].parent if value >= 0 and self.all[item].is_item else -1
        return owner if owner >= 0 and self.all[owner].value == value else -1

    def has(self, index: int, label: str, word: str | None) -> bool:
        """Say whether a part has a label, and a word if one is given."""
        part = self.all[index]
        if label == ANY:
            return word in (None, part.word) and self.owns_word(index)
        return label in part.labels and (word is None or part.word == word)

    def owns_word(self, index: int) -> bool:
        """Say whether a part has a word, and does not give the part around it the same one."""
        part = self.all[index]
        is_head = part.parent >= 0 and (not part.is_item or _is_only_target(part))
        return part.word != "" and not (is_head and self.all[part.parent].word == part.word)

    def is_named(self, index: int) -> bool:
        """Say whether a part has a word, or is of a sort that has one: a key may be all signs."""
        part = self.all[index]
        return part.word != "" or part.labels[-1] in self._worded

    def is_plain(self, index: int) -> bool:
        """Say whether a part is a token, or tokens between quotes, such as text with escapes."""
        part = self.all[index]
        inner = [each for i in part.children if not (each := self.all[i]).is_literal]
        is_one = len(inner) <= 1 or part.bare != part.text
        return is_one and not any(each.children for each in inner)

    def value(self, index: int) -> str | None:
        """Return the text of a part's value; None if it has no single one."""
        value = self.all[index].value
        if value == MANY_VALUES:
            return None
        return "" if value == NO_VALUE else self.all[value].bare


def _in_spans(named: dict[_Key, list[int]], spans: Iterable[_Span]) -> dict[_Key, list[int]]:
    """Return the parts whose numbers are from one on up to another, by their names."""
    found: dict[_Key, list[int]] = {}
    for name, known in named.items():
        for begin, end in spans:
            if own := known[bisect_left(known, begin) : bisect_left(known, end)]:
                found.setdefault(name, []).extend(own)
    return found


def read(text: str, language: Language, naming: Collection[Naming] = ()) -> Parts | None:
    """Return the parts of a text; None if it does not follow the grammar.

    Such a text is not parsed, as that would repair it first.
    """
    return Parts(language.parse(text).tree, language, naming) if language.valid(text) else None


def bare(text: str) -> str:
    """Return a text without the quotes around it.

    >>> bare('"a"'), bare("a")
    ('a', 'a')
    """
    # It is asked of each text in each question.
    found = _QUOTED.fullmatch(text) if text[:1] in ("'", '"') else None
    return found[2] if found else text


def separator(language: Language, label: str) -> str:
    """Return the shortest separator of the items of a list; an empty text if it has none.

    The alternatives of a list, or of a nonterminal that is one by recursion, differ by one step: a
    separator and an item.
    """
    found = language.expansions(label)
    if found is not None and found.endless:
        fewer, more = found.alternatives[-2:]
        between = more[len(fewer) : -1]
    else:
        own = label.removesuffix("*")
        found = language.expansions(own)
        again = max(found.alternatives if found else [()], key=len)
        rest = again[:-1] if again[-1:] == (own,) else again[1:]
        between = rest[1:] if again[-1:] == (own,) else rest[:-1]
    texts = [language.shortest(each) for each in between]
    text = "".join(each for each in texts if each is not None)
    if text.isalnum():
        return f"{language.gap}{text}{language.gap}"
    return text.replace("\r", "\n")


_Seen: TypeAlias = tuple[Tree, int, int, bool, tuple[str, ...], bool, str, bool, str]
"""A subtree of the derivation tree on the way to its part, and its offset; then, as in `Part`: the
parent, `is_item`, the labels from above, `is_list`, `of`, `is_separated` and `choice`."""


def _parts(tree: Tree) -> tuple[list[Part], list[tuple[int, str]]]:
    """Return the parts of a tree, parents first and without words, and absent options and lists."""
    whole = trees.text(tree)
    found: list[Part] = []
    absent: list[tuple[int, str]] = []
    stack: list[_Seen] = [(tree, 0, -1, False, (), False, "", False, "")]
    if tree.label == PLAIN and not isinstance(tree, Leaf):
        # Where no grammar is known, the blanks around its only token may matter.
        found.append(Part((PLAIN,), whole, 0, -1, is_item=False))
        ends = itertools.accumulate((each.width for each in tree.children), initial=0)
        inside = zip(tree.children, ends, strict=False)
        stack = []
        for child, at in reversed([*inside]):
            stack.append((child, at, 0, False, (), False, "", False, ""))
    while stack:
        top, start, parent, is_item, labels, is_whole, of, is_separated, choice = stack.pop()
        if isinstance(top, Leaf):
            if top.text:
                is_literal = not labels and _is_literal(top.label)
                is_spelled = bool(labels) and _is_character(top)
                own = labels if is_spelled else (*labels, _plain(top.label))
                _add(found, Part(own, top.text, start + len(top.prefix), parent, is_item,
                                 is_literal, is_whole, of, is_separated, choice))  # fmt: skip
            continue
        is_named, is_list = _is_name(top.label), top.kind is Kind.LIST
        labels = (*labels, top.label) if is_named else labels
        choice = "" if is_named or is_list else top.label
        if is_list and not of:
            # Of lists in one another with a single item each, the outermost is what is named.
            of, is_separated = top.label, top.separated
        inner: list[tuple[Tree, int]] = []
        at = start
        for child in top.children:
            if isinstance(child, Leaf):
                if child.text:
                    inner.append((child, at))
            elif child.width or _is_rule(child):
                inner.append((child, at))
            else:
                absent.append((at, child.label))
            at += child.width
        wide = [each for each in inner if each[0].width]
        if len(wide) == 1 and (len(inner) == 1 or not is_list):
            # The empty ones beside it are options that are absent.
            is_whole = is_whole or (is_list and bool(labels))
            is_item = is_item or is_list
            stack.append((*wide[0], parent, is_item, labels, is_whole, of, is_separated, choice))
            continue
        if labels and (inner or _is_rule(top)):
            prefix = len(trees.first_prefix(top))
            text = whole[start + prefix : start + top.width]
            _add(found, Part(labels, text, start + prefix, parent, is_item, is_list=is_whole, of=of,
                             is_separated=is_separated))  # fmt: skip
            parent, is_item = len(found) - 1, False
        is_spelled = is_list and not top.separated
        of, is_separated = (top.label, top.separated) if is_list else ("", False)
        is_item = is_item or is_list
        for child, at in reversed(inner):
            if not (is_spelled and _is_character(child)):
                stack.append((child, at, parent, is_item, (), False, of, is_separated, ""))
    return found, absent


def _add(found: list[Part], part: Part) -> None:
    if part.parent >= 0:
        found[part.parent].children.append(len(found))
    found.append(part)


def _is_rule(tree: Tree) -> bool:
    """Say whether a subtree is there even if it is empty, such as a field of a table."""
    if isinstance(tree, Leaf) or tree.kind is not Kind.RULE:
        return False
    return _is_name(tree.label)


@lru_cache(maxsize=4096)
def _is_name(label: str) -> bool:
    """Say whether a label is the name of a rule, and not the text of an expression."""
    return _NAMED.fullmatch(label) is not None


def _is_literal(label: str) -> bool:
    return label.startswith('"')


def _is_character(tree: Tree) -> bool:
    """Say whether a subtree is a letter or digit that the grammar spells out, as in `"a" | "b"`.

    It is a character of a name or number then, and no keyword.
    """
    while not isinstance(tree, Leaf):
        if len(tree.children) != 1:
            return False
        tree = tree.children[0]
    return len(tree.text) == 1 and tree.text.isalnum() and _is_literal(tree.label)


def _plain(label: str) -> str:
    """Return a label; of a literal without blanks around it, and without the mark of any case."""
    found = _LITERAL.fullmatch(label)
    return label if found is None else f'"{found[1].strip(" ") or found[1]}"'


def _is_tag(text: str) -> bool:
    """Say whether a text names the part around it: `<p id="x">` does, and neither `f(x)` nor `a`.

    The sum `f(1) + 2` has no name, nor has `(a).b`, or a file that begins with the section `[a]`.
    """
    return not text[0].isalnum() and text[0] != "(" and text[-1] in ">])}"


def _word(text: str) -> str:
    """Return the word in a token, without quotes and brackets around it, and signs right behind it.

    >>> _word('"a b"'), _word("[main]"), _word("</div"), _word("key ="), _word("@key >")
    ('a b', 'main', 'div', 'key', '@key >')
    >>> _word(" href"), _word('" a"'), _word("/a")
    ('href', ' a', '/a')
    """
    text = text.lstrip()
    inner = _OPENING.sub("", text)
    before = text[: len(text) - len(inner)]
    closing = "".join(_CLOSING.get(each, each) for each in before)
    word = inner.rstrip(_BEHIND + closing)
    # Other signs at its end are a part of it, with all that stands behind them.
    return word if _ENDS.search(word) or not word else inner


def _is_only_target(part: Part) -> bool:
    """Say whether a part is all of a list of targets: that of `a = b = 0` has two of them."""
    return part.is_target and part.is_list


def _called(parts: list[Part], index: int) -> tuple[str, int] | None:
    """Return the name that a part calls behind a dot, and the part with it; None if it has none.

    That is `read` for `file.read(3)`, as for `read(3)`, or for its `(3)` where the grammar of the
    language has one part for each piece of it.
    """
    part = parts[index]
    first, *others = part.children
    if _is_behind(parts, index):
        siblings = parts[part.parent].children
        head = siblings[siblings.index(index) - 1]
    elif others and _is_behind(parts, others[0]) and not parts[first].text.startswith("."):
        head = first
    else:
        return None
    found = _ATTRIBUTE.search(parts[head].text)
    return None if found is None else (found[1], head)


def _is_behind(parts: list[Part], index: int) -> bool:
    """Say whether a part is the brackets of a call, right behind its function."""
    part = parts[index]
    siblings = parts[part.parent].children if part.parent >= 0 else []
    is_bracketed = part.text.startswith("(") and siblings[:1] not in ([], [index])
    return is_bracketed and parts[siblings[siblings.index(index) - 1]].end == part.start


def _name(parts: list[Part], index: int, naming: Container[Naming]) -> str | None:
    """Find the word and the value of a part; those inside it have theirs.

    Return the label of the token that is the word, if it is a child of the part.
    """
    part = parts[index]
    children = part.children
    if not children:
        # All of it may be the word: an attribute without a value, say.
        if len(part.labels) > 1 and part.labels[-2:] in naming:
            part.word, part.value = _word(part.text), NO_VALUE
        return None
    if (called := _called(parts, index)) is not None:
        part.word, at = called
        inner = [i for i in children if i > at and not parts[i].is_literal]
        part.value = inner[0] if len(inner) == 1 else MANY_VALUES if inner else NO_VALUE
        return None
    if _is_behind(parts, index):
        return None
    one, two = [parts[i] for i in children[:2]] if len(children) > 1 else (part, part)
    is_access = one.end == two.start and two.text.startswith((".", "["))
    if part.text.startswith(".") or (is_access and not part.labels[-1].endswith("key")):
        # Of `a.b` and `a[b]`, nothing is called, or said to be something; a key is.
        return None
    wordy = (
        i for i in children[:2] if not parts[i].is_literal and _NAMING.search(parts[i].text)
        and not parts[i].text.startswith(_DECLARATIONS)
    )  # fmt: skip
    first = next(wordy, None)
    if first is None or len(children) < 2:
        return None
    head = parts[first]
    if head.is_item and not _is_only_target(head):
        return None
    if head.children:
        own = [i for i in head.children if not parts[i].is_literal][:1]
        is_head = head.is_target or _is_tag(head.text)
        if not head.word or not own or parts[own[0]].children or not is_head:
            return None
        if index == 0 and len(part.labels) == 1:
            # A file is no element, even if it begins with one, and a line end is all that follows.
            return None
        part.word = head.word
    elif len(head.labels) == 1:
        # A key may be empty, between its quotes.
        part.word = _word(head.text) or _EMPTY.sub('""', head.text)
    if not part.word:
        return None
    rest = [
        i
        for i in children
        if i != first and not parts[i].is_literal
        and (parts[i].is_list or not parts[i].is_item)
        and (parts[i].text, parts[i].labels) != (head.text, head.labels)
        and (parts[i].word != part.word or parts[i].is_item)
        and (not parts[i].text or parts[i].text.strip() not in ("", "=", ":", "/>", ">"))
    ]  # fmt: skip
    part.value = rest[0] if len(rest) == 1 else MANY_VALUES if rest else NO_VALUE
    return None if head.children else head.labels[-1]
