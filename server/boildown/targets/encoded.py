"""Encoded inputs, as base64 in a literal or a file packed by gzip: the decoded text is reduced.

That is done only where the program shows it: the test calls a known function with the literal, or
the run that failed decoded it. What gzip has packed tells that by its first bytes.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import io
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from boildown.targets.syntax import descendants

_MOST_BYTES = 100_000_000
"""Bytes of the longest text that is unpacked: a short file may hold any length of zeros."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A way in which a text stands in a literal or in a file."""

    name: str
    decoded: Callable[[str], bytes]
    """Raises an error for a text that is not so encoded."""
    encoded: Callable[[bytes], bytes]

    def read(self, value: str) -> str | None:
        """Return the text that a value stands for, with surrogate escapes; None if for none."""
        try:
            data = self.decoded(value)
        except (ValueError, OSError, EOFError, zlib.error):
            return None
        return data.decode("utf-8", "surrogateescape")

    def write(self, text: str) -> str:
        """Return the value for another text, spelled in the usual way."""
        data = text.encode("utf-8", "surrogateescape")
        return self.encoded(data).decode("utf-8", "surrogateescape")


def _base64(is_url: bool, is_padded: bool) -> Encoding:
    """Return the encoding with the letters of URLs or the usual ones, and with `=` at the end."""
    letters = b"-_" if is_url else b"+/"

    def decoded(value: str) -> bytes:
        bare = bare_of(value)
        padding = "" if is_padded else "=" * (-len(bare) % 4)
        return base64.b64decode(bare + padding, letters, validate=True)

    def encoded(data: bytes) -> bytes:
        return base64.b64encode(data, letters).rstrip(b"" if is_padded else b"=")

    return Encoding("base64", decoded, encoded)


def bare_of(value: str) -> str:
    """Return a value without the white space that decoders skip."""
    return "".join(value.split())


def _unpacked(value: str) -> bytes:
    packed = io.BytesIO(value.encode("utf-8", "surrogateescape"))
    with gzip.GzipFile(fileobj=packed) as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError("too long")
    return data


_GZIP = Encoding("gzip", _unpacked, lambda data: gzip.compress(data, mtime=0))
_GZIP_BEGINS = "\x1f\udc8b\b"
_BASE64, _URL = _base64(False, True), _base64(True, True)
_HEX = Encoding("hexadecimal digits", lambda value: bytes.fromhex(bare_of(value)), binascii.hexlify)
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


def observed_encoding(value: str, decoded: Iterable[tuple[str, str]]) -> Encoding | None:
    """Return how a value is encoded that a run has decoded, or that gzip has packed.

    `decoded` are names of functions, each with what it was called with, without white space.
    """
    if value.startswith(_GZIP_BEGINS):
        return _GZIP
    bare = bare_of(value)
    usual = bare.translate(_OF_URLS)
    for name, given in decoded:
        is_base64 = _DECODERS.get(name) is _BASE64
        if bare and given == bare and not is_base64:
            return _DECODERS.get(name)
        # The program may have put the padding there, which a value then has to do without.
        if bare and is_base64 and given.rstrip("=") == usual.rstrip("="):
            return _base64(usual != bare, bare.endswith("=") or given == usual)
    return None


_OF_URLS = str.maketrans("-_", "+/")


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
