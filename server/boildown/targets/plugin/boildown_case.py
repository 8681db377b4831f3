"""A plugin for the project's own pytest: keeps the parametrized case at a position.

The environment variable BOILDOWN_CASE holds an argument's name and the position of its value. Ids
are of no use, for they may contain the very literal that is being reduced; so they are replaced by
ones that don't, and a failure is called the same whatever the literal holds. With
BOILDOWN_EXPLICIT set, Hypothesis tries explicit examples only. This file must work with any Python
and pytest, and imports nothing of either.
"""

import os


def pytest_collection(session):
    """Have Hypothesis try the explicit example and nothing else, if that is asked for."""
    if os.environ.get("BOILDOWN_EXPLICIT"):
        # After the configuration, which may load a profile; before the tests, which take it.
        from hypothesis import Phase, settings

        settings.register_profile("boildown", settings.default, phases=[Phase.explicit])
        settings.load_profile("boildown")


def pytest_make_parametrize_id(config, val, argname):
    """Name every value by its argument alone; pytest numbers what is named alike."""
    return argname


def pytest_collection_modifyitems(config, items):
    """Deselect all other cases; what is not parametrized by the argument stays."""
    argument, _, index = os.environ.get("BOILDOWN_CASE", "").partition(":")
    if not index:
        return
    kept, dropped = [], []
    for item in items:
        (kept if _is_case(item, argument, int(index)) else dropped).append(item)
    if kept and dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept


def _is_case(item, argument, index):
    """Say whether a test has the values at a position of the decorator that gives `argument`."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    for marker in item.iter_markers("parametrize"):
        names, cases = (*marker.args, None, None)[:2]
        names = marker.kwargs.get("argnames", names)
        cases = marker.kwargs.get("argvalues", cases)
        if isinstance(names, str):
            names = [name.strip() for name in names.split(",") if name.strip()]
        if argument not in names:
            continue
        try:
            case = cases[index]
        except (TypeError, IndexError):
            return True
        values = getattr(case, "values", None)
        if values is None or callable(values):
            values = (case,) if len(names) == 1 else case
        return all(params.get(name) is values[at] for at, name in enumerate(names))
    return True
