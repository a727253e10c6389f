"""The exceptions of ours. What a bot does wrong is no exception but a fault (`arena.faults`)."""


class ArenaError(Exception):
    """Something we or the user did wrong; the message names place, finding and remedy.

    `code` is the exit code of the command line: 1 failed, 2 wrong usage or config,
    4 bots cannot be confined here.
    """

    code = 1


class UsageError(ArenaError):
    """A wrong argument, config or folder: nothing was played and nothing written."""

    code = 2
