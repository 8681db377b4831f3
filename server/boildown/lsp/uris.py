"""The URIs of clients as paths and names of files: a client may send any string."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from pygls.uris import from_fs_path, to_fs_path

_LONGEST_NAME = 255
"""Bytes of the longest name of a file, on all usual file systems."""


def path_of(uri: str) -> Path | None:
    """Return the path of a file's URI; None where it is of another kind, or no file can have it.

    Nothing need be there.
    """
    try:
        path = Path(to_fs_path(uri) or "")
        path.lstat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError):  # It is too long, has a NUL or a lone surrogate, or is no URI.
        return None
    # Two slashes begin a name of another machine, which no system but Windows opens.
    is_here = os.name == "nt" or not str(path).startswith("//")
    return path if path.is_absolute() and is_here else None


def uri_of(path: Path) -> str:
    """Return the URI of an absolute path, as VS Code writes it where that is possible."""
    try:
        return from_fs_path(str(path)) or path.as_uri()
    except ValueError:  # Its name is no Unicode.
        return path.as_uri()


def scheme_and_name(uri: str) -> tuple[str, str]:
    """Return the scheme of a URI and the name at its end, which is empty if no file can have it."""
    try:
        url = urlsplit(uri)
        name = PurePosixPath(unquote(url.path)).name
        is_usable = "\0" not in name and len(os.fsencode(name)) <= _LONGEST_NAME
    except ValueError:  # No URI, or a lone surrogate.
        return "", ""
    return url.scheme, name if is_usable else ""
