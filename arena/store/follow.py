"""What a store has gained since it was looked at last, for whoever follows a tournament.

Nothing is written, and between two looks nothing is held open: whoever plays need not mind.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.schedule.order import schedules
from arena.schedule.shards import own
from arena.store.plans import missing, plan_in
from arena.store.scan import line_ups, ranks_of, seating_of
from arena.store.shards import shard_in
from arena.store.store import Store


class Alike(NamedTuple):
    """Games of the same bots in the same seats that ended alike."""

    bots: tuple[str, ...]  # names, by seat
    ranks: tuple[int, ...]  # by seat
    games: int


class Follower:
    """Follows one results folder. `stored` is how many games there were at the last look."""

    def __init__(self, results: Path) -> None:
        self._results = results
        self._last = 0  # the last row that was seen
        self.stored = self.missing = 0
        self.name = ""  # the tournament's

    def look(self) -> list[Alike]:
        """Return the games that have come since the last look, and count those still missing.

        Raises UsageError where nothing was played yet, ArenaError where it cannot be read.
        """
        store = Store.open(self._results, checked=True)
        try:
            store.db.execute("BEGIN")  # all below reads one state: whoever plays goes on storing
            found = list(self._gained(store))
            gained = sum(each.games for each in found)
            self.stored += gained
            self.missing -= gained
            if not self.name or (gained and self.missing <= 0):  # a pool may be taken further
                plan = plan_in(store)
                self.name = plan.name
                left = {games: missing(store, games) for games in schedules(plan).values()}
                if shard := shard_in(store):
                    left = {games: own(games, numbers, shard) for games, numbers in left.items()}
                self.missing = sum(map(len, left.values()))
        finally:
            store.close()
        return found

    def _gained(self, store: Store) -> Iterator[Alike]:
        query = (
            "SELECT line_up, seating, ranks, count(*), max(rowid) FROM game WHERE rowid > ? "
            "GROUP BY line_up, seating, ranks"
        )
        rows = store.db.execute(query, (self._last,)).fetchall()
        known = line_ups(store.db) if rows else {}
        for row, seating, ranks, games, last in rows:
            self._last = max(self._last, last)
            try:
                line_up = known[row][1]
                names = tuple(line_up[place].name for place in seating_of(seating))
                places = ranks_of(ranks)
            except (LookupError, TypeError, ValueError):
                continue  # damaged: `missing` has it, for it is played again
            if len(places) == len(names):
                yield Alike(names, places, games)
