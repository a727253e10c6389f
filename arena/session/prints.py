"""What a bot prints in a session, for its author: each line with the game and the action before
which it was printed, as `arena replay GAME --at ACTION` takes them.

The bot's process marks a line with `view.table` (`arena.sandbox.capture`), which the bot can forge
as far as its own games go. Which game that is, and how far it has come, only this side knows.
"""

import re
from collections.abc import Mapping

_MARK = re.compile(r"table (\d{1,20}): ")
_LOADING, _JOINTLY = "loading: ", "decide_many: "
_OTHER = "output: "  # not by `print`, or nobody knows for which game


def place(game: str, action: int) -> str:
    """Return the words for a place: where a line was printed, in front of it."""
    return f"game {game}, action {action}: "


class Prints:
    """The first `most_bytes` of what a bot's processes printed in a session, one after another.

    Processes that take over are asked earlier questions again; what was said is not said twice.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = self._left = most_bytes
        self._kept: list[str] = []
        self._said: set[str] = set()  # places of the batch at which a process was lost
        self._is_first = True  # of the processes
        self._in_line = False  # at the end of what was taken
        self.is_cut = False  # whether something was not kept for want of room

    def take(self, text: str, places: Mapping[int, str] | None, ended: bool = False) -> None:
        """Keep what was printed since the last call: in one batch, and the last if it `ended`.

        `places` are those of the batch by table; None where questions were asked again.
        """
        met = set()
        if self._in_line:
            text = text.removeprefix("\n")
        if text:
            self._in_line = not text.endswith("\n")
        for line in text.removesuffix("\n").split("\n") if text else ():
            told, at = self._told(line, places)
            if at not in self._said:
                self._keep(told)
            met.add(at)
        if ended:
            self._said |= met - {""}
            self._is_first = self._in_line = False

    def text(self) -> str:
        """Return all that is kept."""
        return "".join(self._kept).encode()[: self._most_bytes].decode("utf-8", "ignore")

    def _told(self, line: str, places: Mapping[int, str] | None) -> tuple[str, str]:
        """Return a line as it is kept, "" if it is not, and its place, "" if it has none."""
        mark = _MARK.match(line)
        if mark:
            if places is None:
                return "", ""
            at = places.get(int(mark[1]), "")
            return (at or _OTHER) + line[mark.end() :], at
        if line.startswith(_LOADING):
            return line if self._is_first else "", ""
        if line.startswith(_JOINTLY):
            return "" if places is None else line, ""
        return _OTHER + line, ""

    def _keep(self, line: str) -> None:
        if line and self._left > 0:
            self._kept.append(line + "\n")
            self._left -= len(line.encode()) + 1
            self.is_cut = self._left < 0
        elif line:
            self.is_cut = True
