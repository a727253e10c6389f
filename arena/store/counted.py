"""What counts of all that a store has: games and sessions of the last run's plan, by the files that
the bots had then.

Nothing is taken out of a store, so it also has the past: bots that were mended or removed, other
limits, other pools. Tables leave that out, and so do faults, prints and progress.
"""

from arena.model import Bot, Fixture, Pool
from arena.schedule.order import schedules
from arena.store import scan
from arena.store.plans import plan_in
from arena.store.store import Store


class Counted:
    """Says what counts in a store; with `past`, all of it does.

    Making it raises UsageError where nothing was played, ArenaError where the plan is damaged.
    """

    def __init__(self, store: Store, past: bool = False) -> None:
        self.plan = plan_in(store)
        self.planned = schedules(self.plan)
        self._past = past
        self._line_ups = scan.line_ups(store.db)
        self._bots = {pool: {*games.entry.bots} for pool, games in self.planned.items()}

    def holds(self, pool: Pool, game: Fixture) -> bool:
        """Return whether a game counts."""
        games = self.planned.get(pool)
        return self._past or (games is not None and games.holds(game))

    def game(self, id: str, line_up: int, seating: str, deal: int) -> bool:
        """Return the same of a game's columns; one that cannot be read does not count."""
        try:
            pool, bots = self._line_ups[line_up]
            return self.holds(pool, Fixture(id, bots, scan.seating_of(seating), deal))
        except (LookupError, TypeError, ValueError):
            return self._past

    def session(self, pool: Pool, bot: Bot) -> bool:
        """Return whether what a bot used and printed in a session of a pool counts."""
        return self._past or bot in self._bots.get(pool, ())
