"""Literals that a test decodes, such as base64: the decoded text is the input.

That is told by the code alone: the literal, or a name that is assigned nothing else, is what a
known function is called with.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boildown.targets.syntax import descendants


@dataclass(frozen=True, slots=True)
class Encoding:
    """A way in which a text stands in a literal."""

    name: str
    decoded: Callable[[str], bytes]
    """Raises ValueError for a text that is not so encoded."""
    encoded: Callable[[bytes], bytes]

    def read(self, value: str) -> str | None:
        """Return the text that a literal stands for, with surrogate escapes; None if for none."""
        try:
            data = self.decoded(value)
        except (ValueError, binascii.Error):
            return None
        # What is encoded in another way would be written back otherwise.
        return data.decode("utf-8", "surrogateescape") if self.write(data) == value else None

    def write(self, data: bytes) -> str:
        """Return the value of the literal for other data."""
        return self.encoded(data).decode("ascii")


_BASE64 = Encoding("base64", lambda text: base64.b64decode(text, validate=True), base64.b64encode)
_URL = Encoding("base64", base64.urlsafe_b64decode, base64.urlsafe_b64encode)
_HEX = Encoding("hexadecimal digits", bytes.fromhex, binascii.hexlify)
_DECODERS = {
    "b64decode": _BASE64,
    "standard_b64decode": _BASE64,
    "a2b_base64": _BASE64,
    "urlsafe_b64decode": _URL,
    "fromhex": _HEX,
    "unhexlify": _HEX,
    "a2b_hex": _HEX,
}
"""Functions by their names, whatever module they are from."""


def encoding_of(tree: Any, node: Any) -> Encoding | None:
    """Return how the value of a literal in a module is encoded; None if it is no text in another.

    `tree` is parso's tree of the module.
    """
    if (found := _decoder(node)) is not None:
        return found
    statement = node.parent
    if statement.type != "expr_stmt" or statement.children[-1] is not node:
        return None
    names = {name.value for name in statement.get_defined_names()}
    uses = (each for each in descendants(tree) if each.type == "name" and each.value in names)
    return next((found for use in uses if (found := _decoder(use)) is not None), None)


def _decoder(node: Any) -> Encoding | None:
    """Return the encoding that a function reads which is called with a node as first argument."""
    call = node.parent
    if call.type == "arglist" and call.children[0] is node:
        call = call.parent
    if call is None or call.type != "trailer" or call.children[0].value != "(":
        return None
    before = call.children[0].get_previous_leaf()
    return None if before is None else _DECODERS.get(before.value)
