"""What is done with patterns: find one, keep it, make inputs of it, look for what it misses."""

from boildown.patterns.exploring import Explored, dump_explored, explore
from boildown.patterns.generalizing import Generalized, generalize
from boildown.patterns.instances import (
    FORMS,
    Checked,
    assembled,
    check_instances,
    instances,
    rendered,
)
from boildown.patterns.stored import PatternError, dump, load

__all__ = [
    "FORMS",
    "Checked",
    "Explored",
    "Generalized",
    "PatternError",
    "assembled",
    "check_instances",
    "dump",
    "dump_explored",
    "explore",
    "generalize",
    "instances",
    "load",
    "rendered",
]
