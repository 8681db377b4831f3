"""Boildown: from a failing input to the smallest one that still fails the same way.

>>> from boildown import reduce
>>> reduce("let x = (1 / (0));", lambda text: "/" in text and "0" in text).text
'/0'
"""

from boildown.api import reduce
from boildown.engine.oracle import Outcome
from boildown.engine.reduce import Reduction
from boildown.languages import load_language

__all__ = ["Outcome", "Reduction", "load_language", "reduce"]
