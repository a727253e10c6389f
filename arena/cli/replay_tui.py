"""`arena replay` on a terminal: step through a game by keys, one table a screen."""

import os
import re
import select
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import Any

import games
from arena.cli.terminal import COLUMNS, check_room, draw_table, is_dumb, paint
from arena.records import Walk, call_seats, describe_record, describe_result, format_prints

HELP = "space next, left back, l list of steps, n/p fault, q quit"
SHORT = "space, left, l list, n/p fault, q quit"
LIST_HELP = "up/down or a number, Enter goes there, l back; * is a "
LOOK_S = 0.5  # between looks at the window's size

NEXT, BACK, FAULT, FAULT_BEFORE, FIRST, LAST, QUIT, LIST, UP, DOWN, PAGE_UP, PAGE_DOWN = (
    "next", "back", "n", "p", "first", "last", "q", "l", "up", "down", "page up", "page down",
)  # fmt: skip
KEYS = {
    b" ": NEXT, b"\x1b[C": NEXT, b"\x1bOC": NEXT, b"\x1b[D": BACK, b"\x1bOD": BACK,
    b"n": FAULT, b"p": FAULT_BEFORE, b"q": QUIT, b"\x04": QUIT,
    b"l": LIST, b"\x1b[A": UP, b"\x1bOA": UP, b"\x1b[B": DOWN, b"\x1bOB": DOWN,
    b"\x1b[5~": PAGE_UP, b"\x1b[6~": PAGE_DOWN,
    b"\x1b[H": FIRST, b"\x1bOH": FIRST, b"\x1b[F": LAST, b"\x1bOF": LAST,
}  # fmt: skip
"""What a terminal sends for a key; arrows and Home and End in both of their modes (xterm's
ctlseqs)."""

Printed = Mapping[int, Sequence[tuple[str, str]]]
"""What bots printed: by the actions before it, (bot, line)."""

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
LONGEST = max(map(len, KEYS))
BEGINNINGS = {key[:length] for key in KEYS for length in range(1, len(key))}
REST_S = 0.1  # for the rest of a key, which may come later than its first byte


def possible() -> bool:
    """Whether a person sits at a terminal that can redraw a screen and read single keys."""
    has_termios = sys.platform != "win32"
    return has_termios and sys.stdin.isatty() and sys.stdout.isatty() and not is_dumb()


def step_through(record: dict[str, Any], seat: int | None, printed: Printed) -> None:
    """Step through a record by keys, until the user quits.

    What bots printed is shown only with all hands open (`seat` None), as a bot may print its own
    hand. Raises, before anything is drawn, Divergence where the record breaks the rules, and
    UsageError where there is no such seat or no room.
    """
    walk = Walk(record, seat)
    walk.go(walk.steps)
    check_room()
    walk.go(0)
    with _screen() as fd:
        _Stepper(walk, describe_record(record), {} if seat is not None else printed, fd).run()


@contextmanager
def _screen() -> Iterator[int]:
    """Switch the terminal to a screen of its own and to reading single keys, and give its
    descriptor.

    In the end the terminal is as before, whatever happens.
    """
    import termios  # here: Windows has none
    import tty

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        paint("\x1b[?1049h\x1b[?25l")
        yield fd
    finally:
        paint("\x1b[?25h\x1b[?1049l")
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


class _Stepper:
    """A walk through a record, driven by keys."""

    def __init__(self, walk: Walk, head: str, printed: Printed, fd: int) -> None:
        self._walk, self._head, self._printed, self._fd = walk, head, printed, fd
        self._marks = walk.marks()
        self._typed = b""  # bytes of keys that were read and not used yet
        self._number = ""  # of a step, while it is typed
        self._story: list[str] = []  # what each step says, once it was asked for
        self._chosen: int | None = None  # step in the list, while that is shown
        self._said = ""  # on the last line, in place of the keys

    def run(self) -> None:
        """Draw, and carry out keys until the user quits."""
        self._draw()
        while (key := self._key()) not in (QUIT, ""):
            self._said = ""
            self._obey(key)
            self._draw()

    def _obey(self, key: str) -> None:
        walk = self._walk
        if self._chosen is not None:
            self._choose(key, self._chosen)
        elif key == LIST:
            self._chosen, self._story = walk.step, self._story or self._tell()
        elif key in (FAULT, FAULT_BEFORE):
            self._to_fault(1 if key == FAULT else -1)
        elif key in (NEXT, BACK):
            walk.go(walk.step + (1 if key == NEXT else -1))
        elif key in (FIRST, LAST):
            walk.go(0 if key == FIRST else walk.steps)

    def _tell(self) -> list[str]:
        """What each step says; where a round ends, in front of it a star."""
        walk, here, rounds, story = self._walk, self._walk.step, 0, []
        for step in range(walk.steps + 1):
            walk.go(step)
            ended = len(walk.state.rounds) > rounds
            rounds = len(walk.state.rounds)
            words = walk.last or ("nothing that this seat can see" if step else "the deal")
            story.append(f"{'*' if ended else ' '}{step:>5}  {words}")
        walk.go(here)
        return story

    def _choose(self, key: str, at: int) -> None:
        """Take a key of the list, or of a step's number; any other key closes it."""
        self._number = (self._number + key)[:9] if key.isdecimal() else ""
        if self._number:
            self._chosen = min(int(self._number), self._walk.steps)
            return
        page = max(shutil.get_terminal_size().lines - 3, 1)
        way = {UP: -1, BACK: -1, DOWN: 1, NEXT: 1, PAGE_UP: -page, PAGE_DOWN: page}
        ends = {FIRST: 0, LAST: self._walk.steps}
        if key in way or key in ends:
            self._chosen = max(0, min(ends.get(key, at + way.get(key, 0)), self._walk.steps))
            return
        self._chosen = None
        if key in ("\r", "\n"):
            self._walk.go(at)

    def _to_fault(self, way: int) -> None:
        here = self._walk.step
        steps = [mark.step for mark in self._marks if (mark.step - here) * way > 0]
        if steps:
            self._walk.go(min(steps) if way > 0 else max(steps))
        else:
            which = "further" if way > 0 else "earlier"
            self._said = f"no {which} fault" if self._marks else "no seat forfeits in this game"

    def _key(self) -> str:
        """Wait for the next key, "" if the terminal is gone; redraw when the window is resized."""
        shape = shutil.get_terminal_size()
        while not self._typed:
            if not select.select([self._fd], [], [], LOOK_S)[0]:
                if shape != (shape := shutil.get_terminal_size()):
                    self._draw()
                continue
            self._typed = os.read(self._fd, 64)
            if not self._typed:
                return ""
            while self._typed in BEGINNINGS and select.select([self._fd], [], [], REST_S)[0]:
                self._typed += os.read(self._fd, 1)
        for length in range(min(LONGEST, len(self._typed)), 0, -1):
            key = KEYS.get(self._typed[:length])
            if key is not None:
                self._typed = self._typed[length:]
                return key
        key, self._typed = self._typed[:1].decode("latin-1"), self._typed[1:]
        if key == "\x1b":  # all bytes of a key that is none of ours
            self._typed = b""
        return key

    def _draw(self) -> None:
        columns, rows = shutil.get_terminal_size()
        if self._chosen is None:
            lines = self._lines(max(columns, COLUMNS))
            if len(lines) > rows - 2:
                lines = [line for line in lines if COLOURS.sub("", line).strip()]
            if len(lines) > rows - 1:
                lines = [*lines[: rows - 2], "... (make the window taller)"]
            keys = HELP if len(HELP) < columns else SHORT
        else:
            top = max(0, min(self._chosen - rows // 2, len(self._story) - (rows - 2)))
            lines = [
                f"{'>' if step == self._chosen else ' '}{text}"[: columns - 1]
                for step, text in enumerate(self._story[top : top + rows - 2], top)
            ]
            keys = LIST_HELP + games.round_word(self._walk.rules)
        lines += [""] * (rows - 1 - len(lines)) + [(self._said or keys)[: columns - 1]]
        paint("\x1b[H\x1b[2J" + "\r\n".join(lines))

    def _lines(self, columns: int) -> list[str]:
        walk, state = self._walk, self._walk.state
        eyes = "" if walk.seat is None else f", as seat {walk.seat} sees it"
        lines = [self._head[:columns], f"step {walk.step} of {walk.steps}{eyes}"]
        lines += wrap(walk.last, columns, initial_indent="  ", subsequent_indent="  ")
        for mark in self._marks:
            if mark.step == walk.step:
                why = f": {mark.kind}" if mark.kind else ""
                lines.append(f"  here seat {mark.seat} {walk.names[mark.seat]} forfeits{why}")
        if state.turn is None:
            result = describe_result(walk.rules.NAME, state.result(), walk.names)
            lines += wrap(f"Game over: {result}", columns)
        elif walk.seat in (None, state.turn):
            words = f"{call_seats(walk.names)[state.turn]} may choose: {_offer(walk)}"
            lines += wrap(words, columns, subsequent_indent="  ")
        lines += ["", *draw_table(walk.zones(), walk.names, state.turn)]
        if prints := self._printed.get(walk.step):
            lines += ["", *[line.strip()[:columns] for line in format_prints(prints)]]
        return lines


def _offer(walk: Walk) -> str:
    """The legal decisions of the turn in words, those that begin alike together."""
    rest: dict[str, list[str]] = {}
    for decision in walk.state.legal():
        first, *more = games.parts(walk.rules, decision)
        rest.setdefault(first, []).append(" ".join(more))
    return ", ".join(
        f"{first} ({len(more)} ways)" if len(more) > 3 else f"{first} {'/'.join(more)}".rstrip()
        for first, more in rest.items()
    )
