"""The exceptions of ours. A bot's mistake is no exception but a fault (`arena.model.Fault`)."""

from arena.words import visible

FAILED, USAGE, OVER_MAX_FAULTS, UNCONFINABLE, INTERRUPTED = 1, 2, 3, 4, 130
"""Exit codes: failed or differs; wrong usage or config; finished, but a bot is over --max-faults;
bots cannot be sandboxed here; interrupted, all finished games saved."""


class ArenaError(Exception):
    """Something we or the user did wrong; each line names place, finding and remedy."""

    code = FAILED  # the exit code of the command line

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)

    def __str__(self) -> str:
        """The lines, with all that does not print written as an escape: strangers name files, keys
        and bots, and no name may look like a line of ours.
        """
        return "\n".join(map(visible, self.args))


class UsageError(ArenaError):
    """A wrong argument, config or folder: nothing was played and nothing written."""

    code = USAGE


class Unconfinable(ArenaError):
    """Bots cannot be confined on this machine."""

    code = UNCONFINABLE
