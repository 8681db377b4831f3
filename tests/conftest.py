"""Profiles of Hypothesis: the same examples on every machine, or new ones in each run; signals.

`--hypothesis-profile=new` draws new examples, as `make nightly` does; BOILDOWN_EXAMPLES says how
many each property gets.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from helpers import example_count

# How fast a machine is decides about no property, and neither does what failed there before.
settings.register_profile(
    "same",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=example_count(50),
)
settings.register_profile(
    "new", settings.get_profile("same"), derandomize=False, database=None, print_blob=True
)
settings.load_profile("same")

# Hypothesis draws constants of those modules of the project that happen to be imported, which
# depends on the tests that ran before in the same process.
providers._get_local_constants = lambda: providers._local_constants

# A shell without job control has what it starts in the background ignore Ctrl-C, as `nohup` has it
# ignore the end of the terminal, and so would the programs that the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session", autouse=True)
def _few_plugins() -> Iterator[None]:
    """Have the pytest that a test starts load no plugins that are installed beside it.

    Those that our own tests need take seven times as long to import as pytest, and a test that
    reduces a failing test starts it a dozen times. The workers of xdist, which need them, are there
    before this.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        yield
