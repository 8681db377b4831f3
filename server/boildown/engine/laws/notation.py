"""The notation of laws: its grammar, a parser, and a writer whose output the parser reads back.

`docs/laws.md` has the grammar with its meaning. A step such as `price` is a bare name: the parts
with this label, or where an input has none, those with this word. `<pair price>` says which; laws
that were learned have only such steps, and are written with them where they are stored.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeAlias

from boildown.engine.laws.features import (
    HAVING,
    OPERATORS,
    WHATEVER,
    WORD,
    Chosen,
    Feature,
    Named,
    quoted,
    renamed_feature,
    steps_of,
)
from boildown.engine.laws.learner import Rule
from boildown.engine.laws.literals import (
    SIDES,
    TURNED,
    Atom,
    Constant,
    alone,
    between,
    is_side,
    scoped,
    together,
)
from boildown.engine.laws.parts import ANY, Parts
from boildown.grammar import Parser, ParseSuccess, read_lark
from boildown.tree import Kind, Leaf, Node, Tree, bare_text

BARE = ""
"""In place of the label of a step: a name that may be a label or a word."""
MOST_NESTED = 200
"""Levels of the tree of a law, four to a bracket: what is done with one calls itself as often."""
MOST_RULES = 1000
"""Rules of the largest law that `and`, `or` and `not` are multiplied out to."""

GRAMMAR = r"""
start: both ("or" both)*
both: fact ("and" fact)*
fact: negation | group | stored | literal
negation: "not" fact
group: "(" start ")"
stored: STRING

literal: exists | empty | truthy | odd | repeated | alike | is | among | begins | ends | has
       | divisible | extreme | length | count | children | shares | uneven | lengths | depth
       | beside | sizes | computed | third | numbers | most_alike | together | alone | scoped
       | around | previous | grouped | held | words | inside
       | stated_by | defined | shared | matched | sequence | mixed | tallied

exists: path
empty: "empty" "(" path ")"
truthy: "truthy" "(" path ")"
odd: "odd" "(" path ")"
repeated: "repeated" "(" path ")"
alike: "same" "(" path ")"
is: text ("=" | "!=") (STRING | NUMBER)
among: path "not"? "in" set
begins: text "not"? "starts with" (STRING | set)
ends: text "not"? "ends with" STRING
has: text "not"? "contains" STRING
text: path | "lower" "(" path ")"
divisible: path "%" NUMBER ("=" | "!=") NUMBER
set: "{" STRING ("," STRING)* "}"

extreme: (path | ("max" | "min" | "sum") "(" path ")") order NUMBER
length: ("len" "(" path ")" | ("max" | "min") "(" "len" "(" path ")" ")") order NUMBER
count: "count" "(" (place | having) ")" order NUMBER
having: place "[" "." ("=" | "starts with" | "contains") STRING "]"
most_alike: "count" "(" "same" path ")" order NUMBER
numbers: "count" "(" (place | having) ")" relation "count" "(" (place | having) ")"
shares: "count" "(" place "/" step ")" "%" NUMBER ("=" | "!=") NUMBER
children: "every"? "count" "(" place "/" step ")" order NUMBER
uneven: "count" "(" place "/" step ")" ("!=" | ">" | "<") "that of the first"
lengths: list relation list
list: "count" "(" place "/" step ("/" step)? ")"
depth: "depth" "(" step ")" order NUMBER

beside: "//" (step | later | ".") "[" step index? (relation | "before" | "after") step index? "]"
sizes: "//" (step | later | ".") "[" size relation size "]"
size: "len" "(" step index? ")"
computed: "//" (step | later | ".") "[" step index? operator step index? order NUMBER "]"
third: "//" (step | later | ".") "[" step index? relation step index? operator step index? "]"
operator: "+" | "-" | "*"
later: step "[" ">" NUMBER "]"
together: "//" (step | later | ".") "[" side "and" (side | "not" nth_step) "]"
side: nth_step ("=" (STRING | NUMBER) | order NUMBER)?
    | nth_step ("starts with" | "ends with" | "contains") STRING | "empty" "(" nth_step ")"
    | ("len" "(" nth_step ")" | "count" "(" nth_step "/" step ")") order NUMBER
nth_step: step index?
alone: path "[" own "and" own "]"
own: "." ("starts with" | "ends with" | "contains") STRING | "." order NUMBER
   | "len" "(" "." ")" order NUMBER
scoped: "//" step "[" (within "and" within | lengths | stated_by | uneven) "]"
within: literal | compared | side | "not" literal | "not" nth_step
compared: step index? (relation | "before" | "after") step index?
around: step "[" "left" (relation "right" | "*" "right" "<" NUMBER) "]"
previous: path relation "the one before"
grouped: "//" step "[" "repeated" "(" "./"? step ")" "]"
held: "every"? "//" step "[" ("count" | "sum") "(" "./"? step ")" order NUMBER "]"
words: "repeated key" "(" step ")"
inside: path "[" "not"? "//"? step "]"
tallied: "//" (step | ".") "[" step (relation | "is not") counted "]"
counted: "count" "(" step ("/" step)? ")" | "sum" "(" step? "//" step ")"
stated_by: path relation ("count" | "sum") "(" place ("/" step)? ")"
defined: "every" path "in" (path | "earlier" "(" path ")")
shared: path "in" path
matched: path relation path
sequence: path "before" "any"? path
mixed: "mixed" "(" path ")"

path: place | rooted | under_top | in_item | in_top_item
rooted: "//" step "/" step index?
under_top: "/" step "/" step
in_item: step "/" "*" "/" step
in_top_item: "/" step "/" "*" "/" step
place: anywhere | top | in | under | nth | nth_later | in_first | after | not_under
     | not_in
anywhere: "//" step
top: "/" step
in: "//" step "//" step
under: step "/" step
nth: step "/" step index
nth_later: step "[" ">" NUMBER "]" "/" step index
in_first: step index "/" step
after: step "/" "right" ("::" step)?
not_under: "//" step "[" "not" "parent" "(" step ")" "]"
not_in: "//" step "[" "not" "in" "(" step ")" "]"

step: NAME | STRING | "*" | "<" (NAME | QUOTED) (NAME | STRING)? ">"
index: "[" NUMBER "]"
order: ">" | ">=" | "<" | "<="
relation: "=" | "!=" | order

NAME: /[A-Za-z_][\w.-]*/
NUMBER: /[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/
STRING: /"([^"\\]|\\.)*"/
QUOTED: /'([^'\\]|\\.)*'/
%ignore /\s+/
"""
RESERVED = frozenset(re.findall('"([a-z]+)', GRAMMAR))
"""The words of the notation; steps of these names are written in quotes."""


class NotationError(ValueError):
    """A text that is no law; the message says where it stops being one."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The law or pattern in a file, as a part of a formula."""

    name: str


@dataclass(frozen=True, slots=True)
class Negation:
    """The negation of a formula."""

    of: Formula


@dataclass(frozen=True, slots=True)
class Combination:
    """The conjunction (`and`) or disjunction (`or`) of formulas."""

    operator: str
    parts: tuple[Formula, ...]


Formula: TypeAlias = Atom | Stored | Negation | Combination
"""A law as it was typed."""


@cache
def _parser() -> Parser:
    return Parser(read_lark(GRAMMAR, "law.lark"))


def parse(text: str) -> Formula:
    """Parse a law.

    Raises:
        NotationError: it does not follow the grammar, or a number in it makes no sense.
    """
    result = _parser().parse(text)
    if not isinstance(result, ParseSuccess):
        raise NotationError(f"{text!r} is no law: {result}.")
    return _formula(result.tree)


def rules_of(formula: Formula) -> tuple[Rule, ...]:
    """Return a formula in disjunctive normal form, the rules of a law.

    Raises:
        NotationError: it names a file, or has too many rules.
    """
    found = dict.fromkeys(_rules(formula, negated=False))
    return tuple(found)


def parse_rules(text: str) -> tuple[Rule, ...]:
    """Parse a law that names no file into its rules.

    Raises:
        NotationError: it does not follow the grammar, or names a file.

    >>> [[str(literal) for literal in rule] for rule in parse_rules("not (//a < 0 or //b)")]
    [['not //a < 0', 'not //b']]
    """
    return rules_of(parse(text))


def _rules(formula: Formula, negated: bool) -> list[Rule]:
    if isinstance(formula, Atom):
        return [(_turned(formula) if negated else formula,)]
    if isinstance(formula, Stored):
        raise NotationError(f"A file can't stand here, but {json.dumps(formula.name)} does.")
    if isinstance(formula, Negation):
        return _rules(formula.of, not negated)
    parts = [_rules(part, negated) for part in formula.parts]
    if (formula.operator == "or") != negated:
        return [rule for part in parts for rule in part]
    found: list[Rule] = [()]
    for part in parts:
        if len(found) * len(part) > MOST_RULES:
            raise NotationError(f"This law has more than {MOST_RULES} rules.")
        pairs = itertools.product(found, part)
        found = [tuple(dict.fromkeys((*one, *two))) for one, two in pairs]
    return found


def _turned(literal: Atom) -> Atom:
    return replace(literal, negated=not literal.negated)


def written(rules: Sequence[Rule]) -> str:
    """Return the notation of rules with the label of each step; `parse_rules` gives them back."""
    return " or ".join(
        " and ".join(str(renamed(literal, _exact)) for literal in rule) for rule in rules
    )


def holds(literal: Atom, parts: Parts) -> bool:
    """Say whether a literal holds for an input, with the meanings of its bare names there."""
    meaning = meant(literal, parts)
    return meaning.holds(meaning.feature.of(parts))


def meant(literal: Atom, parts: Parts) -> Atom:
    """Return a literal with labels for its bare names, as an input has them."""
    if not any(map(_is_bare, steps_of(literal.feature))):
        return literal
    return renamed(literal, lambda step: _named(step.word or "", parts) if _is_bare(step) else step)


def _is_bare(step: Named) -> bool:
    return step.label == BARE and step.word is not None


def _named(name: str, parts: Parts) -> Named:
    """Return the step that a bare name means in an input."""
    for label in (name, json.dumps(name, ensure_ascii=False)):
        if label in parts.by_label:
            return Named(label)
    if (ANY, name) in parts.by_word:
        return Named(ANY, name)
    language = parts.language
    is_label = language.shortest(name) is not None or language.expansions(name) is not None
    return Named(name) if is_label else Named(ANY, name)


def renamed(literal: Atom, name: Callable[[Named], Named]) -> Atom:
    """Return a literal with other names for its steps."""
    sides = tuple(renamed(each, name) for each in literal.sides)
    return replace(literal, feature=renamed_feature(literal.feature, name), sides=sides)


@dataclass(frozen=True, slots=True)
class _Exact(Named):
    """A step that is written with its label."""

    def __str__(self) -> str:
        label, word = self.label, self.word
        if label == ANY and word is None:
            return ANY
        if label == BARE and word is not None:
            return _spelled(word)
        if not WORD.fullmatch(label):
            inner = quoted(label)[1:-1].replace("'", "\\u0027")
            label = f"'{inner}'"
        return f"<{label}>" if word is None else f"<{label} {_spelled(word)}>"


def _spelled(word: str) -> str:
    is_plain = WORD.fullmatch(word) and word not in RESERVED
    return word if is_plain else quoted(word)


def _exact(step: Named) -> Named:
    return _Exact(step.label, step.word)


def _parts(tree: Node) -> list[Tree]:
    """Return the children of a node, with those of lists and options in their place."""
    found: list[Tree] = []
    for child in tree.children:
        if not isinstance(child, Node):
            if child.text:
                found.append(child)
        elif child.kind is not Kind.RULE or not child.label.isidentifier():
            found += _parts(child)
        else:
            found.append(child)
    return found


def _formula(tree: Tree, depth: int = 0) -> Formula:
    assert isinstance(tree, Node)
    if depth > MOST_NESTED:
        raise NotationError("This law is nested too deeply.")
    nodes = [part for part in _parts(tree) if isinstance(part, Node)]
    if tree.label == "negation":
        of = _formula(nodes[0], depth + 1)
        return _turned(of) if isinstance(of, Atom) else Negation(of)
    if tree.label == "stored":
        return Stored(json.loads(bare_text(tree)))
    if tree.label == "literal":
        return _READERS[nodes[0].label](_piece(nodes[0]))
    found = tuple(_formula(each, depth + 1) for each in nodes)
    return (
        found[0]
        if len(found) == 1
        else Combination("or" if tree.label == "start" else "and", found)
    )


@dataclass(slots=True)
class _Piece:
    """The contents of a piece of a law by their sort, each in the order of the text."""

    words: list[str] = field(default_factory=list)
    """The fixed tokens."""
    paths: list[Chosen] = field(default_factory=list)
    steps: list[Named] = field(default_factory=list)
    lists: list[tuple[Named, ...]] = field(default_factory=list)
    """The steps of each list from its place to its items."""
    inner: list[Chosen] = field(default_factory=list)
    """The parts in a part that conditions side by side are on."""
    sides: list[Atom] = field(default_factory=list)
    conditions: list[Node] = field(default_factory=list)
    """The conditions in a part, whose paths may begin at it."""
    literals: list[Atom] = field(default_factory=list)
    """The literals on that part as a whole."""
    indices: list[int] = field(default_factory=list)
    relation: str = ""
    operation: str = ""
    numbers: list[float] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    among: tuple[str, ...] | None = None

    @property
    def constant(self) -> Constant:
        """The text, the number or the set that something is compared with."""
        if self.among is not None:
            return self.among
        return self.texts[0] if self.texts else self.numbers[0]


def _piece(tree: Node) -> _Piece:
    found = _Piece()
    for part in _parts(tree):
        if isinstance(part, Leaf):
            if part.label == "NUMBER":
                found.numbers.append(_number(part.text))
            elif part.label == "STRING":
                found.texts.append(_string(part.text))
            else:
                found.words.append(part.text)
        elif part.label in ("path", "place"):
            found.paths += _piece(part).paths
        elif part.label in _PLACES:
            found.paths.append(_path(part.label, _piece(part)))
        elif part.label == "nth_step":
            found.inner.append(_inner(_piece(part)))
        elif part.label == "side":
            found.sides.append(_side(_piece(part)))
        elif part.label == "within":
            found.conditions.append(part)
        elif part.label == "own":
            found.sides.append(_condition(Feature("texts", Chosen(Named(ANY))), _piece(part)))
        elif part.label in ("lengths", "stated_by", "uneven"):
            found.literals.append(_READERS[part.label](_piece(part)))
        elif part.label == "list":
            inner = _piece(part)
            found.paths += inner.paths
            found.lists.append(tuple(inner.steps))
        elif part.label == "step":
            found.steps.append(_step(part))
        elif part.label == "having":
            inner = _piece(part)
            how = next(word for word in inner.words if word in HAVING)
            found.paths.append(replace(inner.paths[0], text=inner.texts[0], how=how))
        elif part.label == "operator":
            found.operation = next(kind for kind, (sign, _) in OPERATORS.items()
                                   if sign == bare_text(part))  # fmt: skip
        elif part.label == "size":
            inner = _piece(part)
            found.steps += inner.steps
            found.indices += inner.indices
        elif part.label in ("later", "counted", "text"):
            inner = _piece(part)
            found.words += inner.words
            found.paths += inner.paths
            found.steps += inner.steps
            found.numbers += inner.numbers
        elif part.label == "index":
            found.indices.append(_index(_piece(part).numbers[0]))
        elif part.label == "set":
            found.among = tuple(_piece(part).texts)
        else:
            found.relation = bare_text(part)
    return found


def _number(text: str) -> float:
    return int(text) if text.lstrip("+-").isdecimal() else float(text)


def _string(text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError:
        raise NotationError(f"{text} is no string; it is written as in JSON.") from None


def _index(number: float) -> int:
    if not isinstance(number, int) or number < 1:
        raise NotationError(f"[{number}] is no index; the first one is [1].")
    return number - 1


def _step(tree: Tree) -> Named:
    texts: list[str] = []
    assert isinstance(tree, Node)
    for leaf in _parts(tree):
        assert isinstance(leaf, Leaf)
        if leaf.label == "QUOTED":
            texts.append(_string(f'"{leaf.text[1:-1]}"'))
        elif leaf.label == "STRING":
            texts.append(_string(leaf.text))
        elif leaf.label == "NAME":
            texts.append(leaf.text)
    if bare_text(tree) == ANY:
        return Named(ANY)
    if bare_text(tree)[0] != "<":
        return Named(BARE, texts[0])
    return Named(*texts)


def _path(sort: str, piece: _Piece) -> Chosen:
    where, (first, *others) = _PLACES[sort], piece.steps
    if sort == "rooted" and piece.indices:
        where = "nth"
    if not where or where == "top":
        return Chosen(first, where)
    if where in ("not under", "not in"):
        return Chosen(first, where, others[0])
    if where == "after" and not others:
        return Chosen(Named(WHATEVER), where, first)
    index = piece.indices[0] if where in ("nth", "nth later") else 0
    if where == "in first" and piece.indices[0]:
        raise NotationError("Before a /, the only index is [1].")
    if where == "nth later" and piece.numbers[0] != 1:
        raise NotationError("Before a /, the only range is [>1].")
    return Chosen(others[0], where, first, index)


_PLACES = {
    "anywhere": "",
    "top": "top",
    "in": "in",
    "under": "under",
    "rooted": "under",
    "under_top": "under top",
    "nth": "nth",
    "nth_later": "nth later",
    "in_first": "in first",
    "in_item": "in item",
    "in_top_item": "in top item",
    "after": "after",
    "not_under": "not under",
    "not_in": "not in",
}


def _texts(test: str) -> Callable[[_Piece], Atom]:
    """Return the reader of a question about texts."""
    return lambda piece: Atom(Feature("texts", piece.paths[0]), test)


def _constant(test: str) -> Callable[[_Piece], Atom]:
    def read(piece: _Piece) -> Atom:
        name = test if {"not", "!="}.isdisjoint(piece.words) else _MISSING[test]
        kind = "lower" if "lower" in piece.words else "texts"
        return Atom(Feature(kind, piece.paths[0]), name, constant=piece.constant)

    return read


_MISSING = {"some is": "is not", "in": "not in", "begins": "begins not", "ends": "ends not",
            "has": "has not"}  # fmt: skip
"""The questions whether some text lacks what another question asks for."""


def _measured(most: str, least: str) -> Callable[[_Piece], Atom]:
    def read(piece: _Piece) -> Atom:
        if "sum" in piece.words:
            return Atom(Feature("texts", piece.paths[0]), "sum", piece.relation, piece.numbers[0])
        greatest = "max" in piece.words or ("min" not in piece.words and piece.relation[0] == ">")
        test = most if greatest else least
        return Atom(Feature("texts", piece.paths[0]), test, piece.relation, piece.numbers[0])

    return read


def _divisible(piece: _Piece) -> Atom:
    divisor, rest = piece.numbers
    if not isinstance(divisor, int) or divisor < 1 or rest != 0:
        raise NotationError("A % asks for a multiple, as in //size % 4 = 0.")
    test = "indivisible" if "!=" in piece.words else "divisible"
    return Atom(Feature("texts", piece.paths[0]), test, constant=divisor)


def _children(piece: _Piece) -> Atom:
    feature = Feature("counts", piece.paths[0], Chosen(piece.steps[0]))
    greatest = (piece.relation[0] == ">") != ("every" in piece.words)
    return Atom(feature, "most" if greatest else "least", piece.relation, piece.numbers[0])


def _shares(piece: _Piece) -> Atom:
    multiple = _divisible(piece)
    feature = Feature("counts", piece.paths[0], Chosen(piece.steps[0]))
    return replace(multiple, feature=feature, test=f"count {multiple.test}")


def _uneven(piece: _Piece) -> Atom:
    test = {"!=": "uneven", ">": "over first", "<": "under first"}
    feature = Feature("counts", piece.paths[0], Chosen(piece.steps[0]))
    return Atom(feature, next(test[word] for word in piece.words if word in test))


def _lengths(piece: _Piece) -> Atom:
    one, two = piece.paths
    feature = Feature("lengths", one, two, lists=tuple(piece.lists))
    return Atom(feature, f"left {piece.relation} right")


def _depth(piece: _Piece) -> Atom:
    feature = Feature("depth", Chosen(piece.steps[0]))
    return Atom(feature, "most", piece.relation, piece.numbers[0])


def _beside(piece: _Piece) -> Atom:
    one, two = _in_row(piece, 2)
    if "after" in piece.words:
        one, two = two, one
    is_order = not {"before", "after"}.isdisjoint(piece.words)
    return Atom(
        Feature("beside", one, two), "before" if is_order else f"left {piece.relation} right"
    )


def _in_row(piece: _Piece, count: int) -> list[Chosen]:
    """Return so many parts that stand side by side, as they are named in one part."""
    context, steps = piece.steps[:-count], piece.steps[-count:]
    if len(piece.indices) not in (0, count * len(context)):
        raise NotationError("Compare //.[a < b], or by numbers //row[field[1] < field[2]].")
    if piece.numbers not in ([], [1]) or (piece.numbers and not piece.indices):
        raise NotationError("Rows but the first are //row[>1][field[1] < field[2]].")
    if context and not piece.indices:
        return [Chosen(step, "under", context[0]) for step in steps]
    if context:
        where = "nth later" if piece.numbers else "nth"
        numbered = zip(steps, piece.indices, strict=True)
        return [Chosen(step, where, context[0], index) for step, index in numbered]
    return [Chosen(step) for step in steps]


def _sizes(piece: _Piece) -> Atom:
    one, two = _in_row(piece, 2)
    return Atom(Feature("sizes", one, two), f"left {piece.relation} right")


def _computed(piece: _Piece) -> Atom:
    constant = piece.numbers.pop()
    one, two = _in_row(piece, 2)
    test = "most" if piece.relation[0] == ">" else "least"
    return Atom(Feature(piece.operation, one, two), test, piece.relation, constant)


def _third(piece: _Piece) -> Atom:
    third, one, two = _in_row(piece, 3)
    feature = Feature(piece.operation, one, two, inner=(Feature("texts", third),))
    return Atom(feature, f"left {piece.relation} right")


def _numbers(piece: _Piece) -> Atom:
    one, two = piece.paths
    return Atom(Feature("numbers", one, two), f"left {piece.relation} right")


def _most_alike(piece: _Piece) -> Atom:
    return Atom(Feature("alike", piece.paths[0]), "most", piece.relation, piece.numbers[0])


def _inner(piece: _Piece) -> Chosen:
    if not piece.indices:
        return Chosen(piece.steps[0])
    return Chosen(piece.steps[0], "nth", None, piece.indices[0])


def _side(piece: _Piece) -> Atom:
    feature = Feature("texts", piece.inner[0])
    if "count" in piece.words:
        feature = Feature("counts", piece.inner[0], Chosen(piece.steps[0]))
    return _condition(feature, piece)


def _condition(feature: Feature, piece: _Piece) -> Atom:
    """Return the condition on one of two parts side by side, or one of two on one text."""
    if piece.relation:
        most, least = ("longest", "shortest") if "len" in piece.words else ("most", "least")
        test = most if piece.relation[0] == ">" else least
        return Atom(feature, test, piece.relation, piece.numbers[0])
    if "empty" in piece.words:
        return Atom(feature, "empty")
    said = {"starts with": "begins", "ends with": "ends", "contains": "has"}
    test = next((said[word] for word in piece.words if word in said), "some is")
    if piece.texts or piece.numbers:
        return Atom(feature, test, constant=piece.constant)
    return Atom(feature, "exists")


def _together(piece: _Piece) -> Atom:
    absent = (Atom(Feature("texts", each), "exists", negated=True) for each in piece.inner)
    sides = [*piece.sides, *absent]
    is_numbered = [each.feature.a.where == "nth" for each in sides]
    if any(is_numbered) and not (all(is_numbered) and piece.steps):
        raise NotationError("Ask //.[a and b], or by numbers //row[field[1] and field[2] = 0].")
    if piece.numbers not in ([], [1]) or (piece.numbers and not any(is_numbered)):
        raise NotationError("Rows but the first are //row[>1][field[1] and field[2] = 0].")
    for context in piece.steps:
        sides = [_in_context(each, context, bool(piece.numbers)) for each in sides]
    return together(*sides)


def _scoped(piece: _Piece) -> Atom:
    (scope,) = piece.steps
    sides = [*piece.literals, *(_condition_in(each, scope) for each in piece.conditions)]
    if all(is_side(each, scope) for each in sides):
        return together(*sides)
    return scoped(Chosen(scope), tuple(sides))


def _condition_in(tree: Node, scope: Named) -> Atom:
    """Return one of the conditions in a part of a sort."""
    is_negated = any(isinstance(each, Leaf) for each in _parts(tree))
    (node,) = (each for each in _parts(tree) if isinstance(each, Node))
    if node.label == "literal":
        literal = _formula(node)
        assert isinstance(literal, Atom)
    elif node.label == "compared":
        piece = _piece(node)
        piece.steps.insert(0, scope)
        literal = _beside(piece)
    else:
        side = _side(_piece(node)) if node.label == "side" else _present(_piece(node))
        literal = _in_context(side, scope)
    return _turned(literal) if is_negated else literal


def _present(piece: _Piece) -> Atom:
    return Atom(Feature("texts", _inner(piece)), "exists")


def _alone(piece: _Piece) -> Atom:
    one, two = (replace(each, feature=Feature("texts", piece.paths[0])) for each in piece.sides)
    is_interval = all(each.test in ("most", "least") for each in (one, two))
    return between(one, two) if is_interval else alone(one, two)


def _in_context(side: Atom, context: Named, is_later: bool = False) -> Atom:
    """Return a condition on one of two parts side by side as one in a named part."""
    where = "nth later" if is_later else side.feature.a.where or "under"
    a = replace(side.feature.a, where=where, context=context)
    return replace(side, feature=replace(side.feature, a=a))


def _around(piece: _Piece) -> Atom:
    if piece.numbers and piece.numbers[0] != 0:
        raise NotationError("A product is compared with 0 only.")
    said = f"left {piece.relation} right"
    test = next((test for test, words in SIDES.items() if words == said), said)
    test = "negative" if piece.numbers else test
    return Atom(Feature("around", Chosen(piece.steps[0])), test)


def _previous(piece: _Piece) -> Atom:
    return Atom(Feature("previous", piece.paths[0]), f"left {TURNED[piece.relation]} right")


def _grouped(piece: _Piece) -> Atom:
    return Atom(_groups(piece), "repeated")


def _held(piece: _Piece) -> Atom:
    if (piece.relation[0] == ">") == ("every" in piece.words):
        raise NotationError(
            "What stands in a part is asked to be more in some, as in //row[count(field) > 3], or"
            " less in all, as in every //row[count(field) < 3]."
        )
    what = "count inside" if "count" in piece.words else "sum inside"
    return Atom(_groups(piece), what, piece.relation, piece.numbers[0])


def _groups(piece: _Piece) -> Feature:
    within, step = piece.steps
    is_direct = "./" in piece.words
    a = Chosen(step, "under", within) if is_direct else Chosen(step)
    return Feature("groups", a, None, within)


def _words(piece: _Piece) -> Atom:
    return Atom(Feature("words", Chosen(piece.steps[0])), "repeated")


def _inside(piece: _Piece) -> Atom:
    test = "lacks" if "not" in piece.words else "some"
    kind = "inside" if "//" in piece.words else "with"
    return Atom(Feature(kind, piece.paths[0], Chosen(piece.steps[0])), test)


def _tallied(piece: _Piece) -> Atom:
    owner, steps = None, piece.steps
    if "." not in piece.words:
        owner, *steps = steps
    one, counted, *rest = steps
    a = Chosen(one) if owner is None else Chosen(one, "under", owner)
    inner = rest[0] if rest else None
    kind = "added" if "sum" in piece.words else "tallied"
    if kind == "added" and inner is not None:
        counted, inner = inner, counted
    feature = Feature(kind, a, Chosen(counted), inner)
    return Atom(feature, f"tally {piece.relation or 'is not'}")


def _stated(piece: _Piece) -> Atom:
    one, other = piece.paths
    within = piece.steps[0] if piece.steps else None
    what = "count" if "count" in piece.words else "sum"
    return Atom(Feature("stated", one, other, within), f"stated {piece.relation} {what}")


def _defined(piece: _Piece) -> Atom:
    use, definition = piece.paths
    kind = "defined" if "earlier" in piece.words else "listed"
    return Atom(Feature(kind, use, definition), "lacks", negated=True)


def _shared(piece: _Piece) -> Atom:
    one, two = piece.paths
    return Atom(Feature("listed", one, two), "some")


def _matched(piece: _Piece) -> Atom:
    one, two = piece.paths
    return Atom(Feature("matched", one, two), f"left {piece.relation} right")


def _sequence(piece: _Piece) -> Atom:
    one, two = piece.paths
    return Atom(Feature("order", one, two), "ahead" if "any" in piece.words else "behind")


def _mixed(piece: _Piece) -> Atom:
    return Atom(Feature("kinds", piece.paths[0]), "mixed")


_READERS: dict[str, Callable[[_Piece], Atom]] = {
    "exists": _texts("exists"),
    "empty": _texts("empty"),
    "truthy": lambda piece: Atom(Feature("truth", piece.paths[0]), "truthy"),
    "odd": _texts("odd"),
    "repeated": _texts("repeated"),
    "alike": _texts("all alike"),
    "is": _constant("some is"),
    "among": _constant("in"),
    "begins": _constant("begins"),
    "ends": _constant("ends"),
    "has": _constant("has"),
    "divisible": _divisible,
    "extreme": _measured("most", "least"),
    "length": _measured("longest", "shortest"),
    "count": _measured("count", "count"),
    "children": _children,
    "shares": _shares,
    "uneven": _uneven,
    "lengths": _lengths,
    "depth": _depth,
    "beside": _beside,
    "sizes": _sizes,
    "computed": _computed,
    "third": _third,
    "numbers": _numbers,
    "most_alike": _most_alike,
    "together": _together,
    "alone": _alone,
    "scoped": _scoped,
    "around": _around,
    "previous": _previous,
    "grouped": _grouped,
    "held": _held,
    "words": _words,
    "inside": _inside,
    "stated_by": _stated,
    "defined": _defined,
    "shared": _shared,
    "matched": _matched,
    "sequence": _sequence,
    "mixed": _mixed,
    "tallied": _tallied,
}
"""The functions that read the literals, by their names in the grammar."""
