"""A cold run of a predicate: `python predicate.py MODULE:FUNCTION FILE`.

A script for the user's Python; the warm run of a predicate is told from it by nothing but time.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Judge one candidate by the predicate; the exit status is the outcome."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for name, folder in (("boildown", os.path.dirname(here)), ("boildown.runner", here)):
        sys.modules[name] = type(sys)(name)
        sys.modules[name].__path__ = [folder]
    before = set(sys.modules)
    from boildown.runner.guardian import warm

    warm.brought |= set(sys.modules) - before
    for name in [name for name in sys.modules if name.split(".")[0] == "boildown"]:
        del sys.modules[name]
    sys.path[0] = os.getcwd()
    warm.give_way(sys.path[0])
    sys.argv, target = sys.argv[1:], sys.argv[1]
    try:
        predicate = warm.find_predicate(target)
    except (Exception, SystemExit) as error:
        sys.exit(warm.shown(error, is_loaded=False))
    try:
        status = warm.judge(predicate, sys.argv[1])
    except Exception as error:
        status = warm.shown(error)
    sys.exit(status)


if __name__ == "__main__":
    main()
