"""Words messages for the command line: the option for each piece of advice."""

from __future__ import annotations

from boildown.jobs.events import Advice, Message, filled

WORDS: dict[Advice, str] = {
    Advice.TIMEOUT: "--timeout",
    Advice.TIMEOUT_REPRODUCES: "--reproduces timeout",
    Advice.REPRODUCES_WORDS: "--reproduces stderr=REGEX",
    Advice.INTERESTING: "--interesting",
    Advice.QUICK: "--quick",
    Advice.GOOD: "--good",
    Advice.COMPARE_OUTPUT: "--compare output",
    Advice.LOOSER_LEVEL: "--level error or exit",
    Advice.MESSAGE_LEVEL: "--level message",
    Advice.ALLOW_EMPTY: "--allow-empty",
    Advice.AS_COMMAND: "-- ",
    Advice.MORE_JOBS: "--jobs",
    Advice.MORE_RUNS: " If it fails only now and then, run it more often with --repeat 30.",
    Advice.GIVE_COMMAND: "; give it after --",
}


def worded(message: Message) -> str:
    """Return a message with the command line's options for the advice."""
    return filled(message, WORDS)
