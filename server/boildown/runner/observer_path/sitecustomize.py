"""Starts the observer of a run in each Python that takes part in it, as far as that imports it.

Python imports this module when it starts, from a folder on PYTHONPATH; a `sitecustomize` of the
user's follows it. A Python that is too old to be observed goes on as it would.
"""

import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
if sys.version_info >= (3, 7) and "BOILDOWN_OBSERVED" in os.environ:
    from boildown_observer import start  # type: ignore[import-not-found]

    start(os.environ["BOILDOWN_OBSERVED"])
    sys.modules.pop("boildown_observer")
sys.path[:] = [path for path in sys.path if os.path.abspath(path) != _here]
_own = sys.modules.pop("sitecustomize")
try:
    __import__("sitecustomize")
except ImportError as error:
    if getattr(error, "name", "sitecustomize") != "sitecustomize":
        raise
    sys.modules["sitecustomize"] = _own
