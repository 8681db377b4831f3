"""Keeps the import path of a run on a folder out of the user's own folder.

An editable installation leads there, so that a module which was left out of a candidate would be
imported from the original, and be no part of the result. Python imports this module when it starts,
from the folder that stands first on PYTHONPATH; a `sitecustomize` of the user's follows it. One run
is asked to tell what it imports from elsewhere.
"""

import os
import sys
from importlib import import_module

_ORIGINAL = os.path.realpath(os.environ.get("BOILDOWN_ORIGINAL", os.devnull))


def _is_original(path: str) -> bool:
    """Say whether a path is in the user's folder, but not in an environment that lies there."""
    inner = os.path.realpath(path)[len(_ORIGINAL) :]
    parts = inner.split(os.sep)
    is_inside = os.path.realpath(path).startswith(_ORIGINAL) and parts[0] == ""
    return is_inside and not {"site-packages", "dist-packages", "bin"} & set(parts)


def _forget() -> None:
    sys.path[:] = [path for path in sys.path if not (path and _is_original(path))]
    for finder in sys.meta_path:
        # Setuptools maps the names of packages to folders; Python has no interface for that.
        mapping = getattr(sys.modules.get(finder.__module__), "MAPPING", None)
        if isinstance(mapping, dict):
            for name in [name for name, path in mapping.items() if _is_original(str(path))]:
                del mapping[name]


_forget()
# No variable is left that a run without it would not have.
_told = os.environ.pop("BOILDOWN_IMPORTED", "")
if _told:
    from boildown_imported import tell  # type: ignore[import-not-found]

    tell(_told, _told.rpartition(".")[0])
    del sys.modules["boildown_imported"]
_here = os.path.realpath(os.path.dirname(__file__))
sys.path[:] = [path for path in sys.path if os.path.realpath(path) != _here]
_own = sys.modules.pop("sitecustomize")
try:
    import_module("sitecustomize")
except ImportError as error:
    if error.name != "sitecustomize":
        raise
    sys.modules["sitecustomize"] = _own
