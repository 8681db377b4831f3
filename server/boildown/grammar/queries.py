"""What can be known of a grammar without a text: what may be empty, what fits where."""

from __future__ import annotations

from boildown.grammar.ir import Grammar


class Facts:
    """Answers about one grammar, by the labels of its trees. Computed once."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    @property
    def gap(self) -> str:
        """White space that may stand between any two tokens, or nothing if none may."""
        raise NotImplementedError

    def nullable(self, label: str) -> bool:
        """Say whether the empty text is one of this label."""
        raise NotImplementedError

    def shortest(self, label: str) -> str | None:
        """Return the shortest text of a label; None if the grammar does not know the label."""
        raise NotImplementedError

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a subtree labelled `label` may stand where one labelled `slot` stands."""
        raise NotImplementedError
