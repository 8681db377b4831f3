"""Words messages for an editor: the key of the configuration for each piece of advice."""

from __future__ import annotations

from boildown.jobs.events import Advice, Message, Printed

WORDS: dict[Advice, str] = {
    Advice.TIMEOUT: "`timeout`",
    Advice.TIMEOUT_REPRODUCES: "`reproduces = { timeout = true }`",
    Advice.REPRODUCES_WORDS: '`reproduces = { stderr = "REGEX" }`',
    Advice.INTERESTING: "`interesting = true`",
    Advice.QUICK: "`quick`",
    Advice.GOOD: "`good`",
    Advice.COMPARE_OUTPUT: '`compare = "output"`',
    Advice.LOOSER_LEVEL: '`level = "error"` or `"exit"`',
    Advice.MESSAGE_LEVEL: '`level = "message"`',
    Advice.ALLOW_EMPTY: "`allow_empty = true`",
    Advice.AS_COMMAND: "",
    Advice.MORE_JOBS: "more `boildown.jobs`",
    Advice.MORE_RUNS: "",
    Advice.GIVE_COMMAND: "",
}
"""Nothing stands for what an editor's user cannot do, or is told in other ways."""

_WHERE = " Such a line goes into the [[input]] of boildown.toml."


def worded(message: Message) -> str:
    """Return a message with the configuration's keys for the advice, and where these go."""
    text = printed = ""
    advised = False
    for part in message:
        if isinstance(part, Advice):
            text += WORDS[part]
            advised = advised or WORDS[part] != ""
        elif isinstance(part, Printed):
            printed += part
        else:
            text += part
    return f"{text}{_WHERE if advised else ''}{printed}"
