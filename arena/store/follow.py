"""The games that a store has gained since the last look, for those who follow a tournament.

Nothing is written, and nothing is held open between two looks, so the tournament is not disturbed.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from arena.model import Fixture, LineUp, Pool
from arena.progress import Alike
from arena.store.plans import Counted, find_missing, load_plan
from arena.store.scan import read_line_ups
from arena.store.store import Store
from arena.store.validation import parse_ranks, parse_seating


class Follower:
    """Follows one results folder: the games that count (`plans.Counted`)."""

    def __init__(self, results: Path) -> None:
        self._results = results
        self._counted: Counted | None = None
        self._last = 0  # the last row that was seen
        self.stored = self.missing = 0  # games, at the last look
        self.name = ""  # the tournament's
        self.anew = False  # whether the last look began with the first game: another plan was there

    def look(self) -> list[Alike]:
        """The games that have come since the last look; also counts those still missing.

        Raises UsageError where nothing was played yet, ArenaError where the store cannot be read.
        """
        store = Store.open(self._results, checked=True)
        try:
            store.db.execute("BEGIN")  # all below reads one state: whoever plays goes on storing
            counted = self._counted
            self.anew = counted is None or counted.plan != load_plan(store)
            if counted is None or self.anew:
                counted = self._counted = Counted(store)
                self._last = self.stored = 0
            new_games = list(self._gained(store, counted))
            gained = sum(each.games for each in new_games)
            self.stored += gained
            self.missing -= gained
            if self.anew:
                self.name = counted.plan.name
                planned = counted.planned.values()
                self.missing = sum(len(find_missing(store, games)) for games in planned)
        finally:
            store.close()
        return new_games

    def _gained(self, store: Store, counted: Counted) -> Iterator[Alike]:
        query = "SELECT rowid, id, line_up, seating, deal, ranks FROM game WHERE rowid > ?"
        known: dict[int, tuple[Pool, LineUp]] = {}
        alike = Counter[tuple[tuple[str, ...], tuple[int, ...]]]()
        for last, id, row, seating, deal, ranks in store.db.execute(query, (self._last,)):
            known = known or read_line_ups(store.db)
            self._last = max(self._last, last)
            try:
                pool, line_up = known[row]
                game = Fixture(id, line_up, parse_seating(seating), deal)
                names = tuple([line_up[place].name for place in game.seating])
                places = parse_ranks(ranks)
            except (LookupError, TypeError, ValueError):
                continue  # damaged: `find_missing` has it, for it is played again
            if len(places) == len(names) and counted.holds(pool, game):
                alike[names, places] += 1
        for (names, places), games in alike.items():
            yield Alike(names, places, games)
