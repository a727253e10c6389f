"""The command `arena watch`: follow a running tournament from outside."""

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.tally import Tally, picture
from arena.cli.terminal import Results, out, say
from arena.errors import INTERRUPTED, UsageError

if TYPE_CHECKING:
    from arena.store.follow import Follower

LOOK_S = 1.0  # on a terminal
LINE_EVERY_S = 10.0  # elsewhere
LEADERS = 3  # named in a line


def watch_command(
    results: Results,
    once: Annotated[bool, typer.Option("--once", help="Print one line and leave.")] = False,
) -> None:
    """Follow a tournament while it is played, from another terminal; nothing is written."""
    from arena.store.follow import Follower
    from arena.system import Stopped

    folder = results if results.is_dir() else results.parent
    live = sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not once
    watched = _Watched(Follower(results), folder)
    try:
        if live:
            _live(watched)
        else:
            _lines(watched, once)
    except Stopped:
        say("no longer watched; whoever plays goes on")
        raise typer.Exit(INTERRUPTED) from None


class _Watched:
    """A tournament that is followed: how far it has come, and who leads so far."""

    def __init__(self, follower: "Follower", folder: Path) -> None:
        self._follower, self._folder = follower, folder
        self.count = Tally()

    def look(self) -> bool:
        """Read what is new; return whether it is being played.

        Raises UsageError where nothing was or is played.
        """
        from arena.system import find_holder

        plays = find_holder(self._folder) is not None  # first: if not, no game is stored later
        now_s, follower, count = time.monotonic(), self._follower, self.count
        try:
            gained = follower.look()
        except UsageError:
            if not plays:
                raise
            return True  # whoever plays has not stored anything yet
        if follower.anew:
            count = self.count = Tally()
            count.before = follower.stored
            count.begin(follower.missing, now_s)
        count.results(gained)
        if not follower.anew:
            count.add(sum(each.games for each in gained), now_s)
            count.total = count.done + follower.missing
        return plays

    def line(self, plays: bool) -> str:
        """How far it has come, in a line."""
        count, now_s = self.count, time.monotonic()
        stored, name = self._follower.stored, self._follower.name
        if not name:
            return "somebody plays here; no game is stored yet"
        text = f"{name}: {stored:,} of {stored + self._follower.missing:,} games"
        if plays and count.done:
            text += f", {count.rate(now_s):,.0f} games/s, {count.left(now_s)}"
        leaders = ", ".join(f"{bot} {above:+.0%}" for bot, above, _ in count.top()[:LEADERS])
        return f"{text}; wins above chance: {leaders}" if leaders else text

    def last_words(self) -> str:
        """The state of a tournament that is no longer being played."""
        left = self._follower.missing
        if left:
            return f"nobody plays here; {left:,} games are missing: arena tournament goes on"
        return f"it is over; the tables: arena standings {self._folder}"


def _lines(watched: _Watched, once: bool) -> None:
    while True:
        plays = watched.look()
        out(watched.line(plays))
        if once:
            return
        if not plays:
            say(watched.last_words())
            return
        time.sleep(LINE_EVERY_S)


def _live(watched: _Watched) -> None:
    from rich.console import Console
    from rich.live import Live

    plays = watched.look()  # first, so that errors are printed before anything is drawn

    def drawn() -> Any:
        return picture(watched.count, time.monotonic())

    with Live(drawn(), console=Console(), auto_refresh=False, transient=True) as view:
        while plays:
            time.sleep(LOOK_S)
            plays = watched.look()
            view.update(drawn(), refresh=True)
    out(watched.line(plays))
    say(watched.last_words())
