"""What in a document is a failing input, and which test command judges it."""

from boildown.targets.find import NAMES, Kind, Place, Target, find, shown, suffix

__all__ = ["NAMES", "Kind", "Place", "Target", "find", "shown", "suffix"]
