"""Failing inputs in documents, and the test command of each."""

from boildown.targets.find import NAMES, Cursor, InputKind, Target, find, shown, suffix

__all__ = ["NAMES", "Cursor", "InputKind", "Target", "find", "shown", "suffix"]
