"""A bot's texts that a session keeps for its author: why it forfeited, how its `end` failed,
what it printed, and notes.

The number and length of the texts are the bot's own choice; the store must not grow by what a bot
likes to say: at most `SHORT_BYTES` a forfeit, and `max_output_kib` a session.
"""

from collections.abc import Mapping

import msgspec

from arena.faults.reasons import Mistake, group_key, shorten
from arena.model import FailedEnds, Reason

ENDS = 8  # different failures of `end`; further ones are counted to the first of that mistake
MISTAKES, SHORT_BYTES = 32, 384  # that are kept in short; of such a reason's JSON
NOTES = 50

_LOADING, _JOINTLY, _TABLE = "loading: ", "decide_many: ", "table "
"""Before a line as the bot's process writes it (`arena.sandbox.capture`)."""
_OTHER = "output: "  # not by `print`, or of a game that is not known


class TextBudget:
    """Takes a bot's texts; keeps of its prints the first `max_output_kib`, of the others the first
    of each kind and as much. Further reasons are kept in short, of so many mistakes.

    A printed line is kept with its game and the action before which it was printed, as `arena
    replay GAME --at ACTION` takes them. The bot's process marks lines with `view.table`, which the
    bot can forge as far as its own games go; which game that is, only this side knows. Processes
    that take over are asked earlier questions again: repeated prints are not kept twice.
    """

    def __init__(self, max_output_kib: int) -> None:
        self._max_output_kib = max_output_kib
        self._left = self._prints_left = max_output_kib << 10  # bytes
        self._kinds: set[str] = set()
        self._whole: set[Reason] = set()  # reasons that were kept so
        self._mistakes: set[Mistake] = set()  # of those in short
        self._ends: dict[Reason, int] = {}  # how often
        self._notes: list[str] = []
        self._prints: list[str] = []
        self._lost_places: set[str] = set()  # of the batch at hand
        self._is_first = True  # of the processes
        self._in_line = False  # at the end of what was printed

    def takes(self, kind: str) -> bool:
        """True if a text of this kind may still be kept; otherwise it need not be made."""
        return self._left > 0 or kind not in self._kinds

    def keep(self, kind: str, reason: Reason) -> Reason:
        """The part of a reason that is kept: all, the first time; else it in short, or its kind."""
        is_new = reason not in self._whole and self.takes(kind)
        if is_new and self._fits(kind, len(msgspec.json.encode(reason))):
            self._whole.add(reason)
            return reason
        short, mistake = shorten(reason), group_key(reason)
        if len(self._mistakes) < MISTAKES:
            self._mistakes.add(mistake)
        fits = mistake in self._mistakes and len(msgspec.json.encode(short)) <= SHORT_BYTES
        return short if fits else Reason(reason.kind)

    def add_end(self, reason: Reason, times: int) -> None:
        """Count so many failures of `end`."""
        if reason not in self._ends:
            same = [end for end in self._ends if group_key(end) == group_key(reason)]
            reason = same[0] if same and len(self._ends) >= ENDS else self.keep("end", reason)
        self._ends[reason] = self._ends.get(reason, 0) + times

    def add_note(self, note: str) -> None:
        """Keep a note for the bot's author, which quotes the bot."""
        if len(self._notes) < NOTES and self._fits("note", len(note.encode())):
            self._notes.append(note)

    def add_prints(self, text: str, places: Mapping[int, str] | None, ended: bool = False) -> None:
        """Keep what was printed since the last call: in one batch, and the last if it `ended`.

        `places` are those of the batch by table; None where questions were asked again.
        """
        met = set()
        if self._in_line:
            text = text.removeprefix("\n")
        if text:
            self._in_line = not text.endswith("\n")
        for line in text.removesuffix("\n").split("\n") if text else ():
            words, at = self._place(line, places)
            if words and at not in self._lost_places:
                if self._prints_left > 0:
                    self._prints.append(words + "\n")
                self._prints_left -= len(words.encode()) + 1
            met.add(at)
        if ended:
            self._lost_places |= met - {""}
            self._is_first = self._in_line = False

    def ends(self) -> list[FailedEnds]:
        """The different failures of `end`, in the order they came."""
        return [FailedEnds(times, reason) for reason, times in self._ends.items()]

    def notes(self) -> list[str]:
        """The notes; one says if prints were cut."""
        cut = f"it printed more than {self._max_output_kib} KiB; the rest is discarded"
        return [*self._notes, cut] if self._prints_left < 0 else self._notes

    def prints(self) -> str:
        """All printed text that is kept."""
        most = self._max_output_kib << 10
        return "".join(self._prints).encode()[:most].decode("utf-8", "ignore")

    def _fits(self, kind: str, size: int) -> bool:
        """Take the first text of a kind always, of the rest none once one did not fit."""
        if kind in self._kinds and size > self._left:
            self._left = 0
            return False
        self._kinds.add(kind)
        self._left -= size
        return True

    def _place(self, line: str, places: Mapping[int, str] | None) -> tuple[str, str]:
        """A line as it is kept, "" if it is not, and its place, "" if it has none."""
        table, colon, words = line.removeprefix(_TABLE).partition(": ")
        if line.startswith(_TABLE) and colon and table.isascii() and table.isdecimal():
            if places is None:
                return "", ""
            at = places.get(int(table), "") if len(table) <= 20 else ""
            return (at or _OTHER) + words, at
        if line.startswith(_LOADING):
            return line if self._is_first else "", ""
        if line.startswith(_JOINTLY):
            return "" if places is None else line, ""
        return _OTHER + line, ""
