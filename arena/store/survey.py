"""A survey of stores that are to be merged: which of a plan's games they have together, and what of
that is wrong. Nothing is written.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import or_
from pathlib import Path
from typing import NamedTuple

from arena.hints import amount
from arena.model import Pool, StoredPlan
from arena.schedule.order import schedules
from arena.schedule.shards import Shard, by_shard
from arena.steps import Steps
from arena.store import scan
from arena.store.scan import StoredGame
from arena.store.store import Store


class Wrong(NamedTuple):
    """Something in a file that is not as it should be."""

    game: str  # its id; "" where it is a bot
    bot: str  # its name; "" where it is a game
    what: str

    @property
    def place(self) -> str:
        """The game or bot, in messages."""
        return self.bot or f"game {self.game}"


Judge = Callable[[Store, StoredPlan, bytes, Iterable[StoredGame]], Iterator[Wrong]]
"""Takes a store, its plan, its secret and all its games; yields what is wrong with them, and with
the bots."""

SHOWN, KINDS = 3, 5  # things of a kind that are wrong, and kinds: what is said of a file


class Survey:
    """Which games of a plan there are in some stores together."""

    def __init__(self, plan: StoredPlan) -> None:
        self._planned = schedules(plan)
        self._done = {pool: bytearray(len(games)) for pool, games in self._planned.items()}
        self._unplayed: dict[Pool, set[int]] = {pool: set() for pool in self._planned}
        self.said: list[str] = []  # what is wrong
        self.wrong: dict[Path, list[Wrong]] = {}  # to be left out, by file

    def note(self, store: Store) -> None:
        """Note which of the plan's games are in the store that is merged into."""
        self._note_unplayed(store)
        for pool, games in self._planned.items():
            for game in store.played(pool) if store.knows(pool) else ():
                if (number := games.number(game)) is not None:
                    self._done[pool][number] = 1

    def look(
        self, store: Store, plan: StoredPlan, secret: bytes, judge: Judge, steps: Steps
    ) -> None:
        """Have a file's games judged, and note which of the plan's are among them."""
        done = {pool: bytearray(len(own)) for pool, own in self._done.items()}
        found = list(judge(store, plan, secret, self._seen(store, done, steps)))
        self.wrong[store.path] = found
        for id in {each.game for each in found if each.game}:  # some were noted as sound
            for game in scan.games_that_begin(store.db, id, SHOWN):
                number = self._number(game)
                if game.id == id and number is not None:
                    done[game.pool][number] = 0
        for pool, own in self._done.items():
            own[:] = map(or_, own, done[pool])
        self._note_unplayed(store)
        self.said += _in_words(str(store.path), found)

    def _seen(
        self, store: Store, done: dict[Pool, bytearray], steps: Steps
    ) -> Iterator[StoredGame]:
        """Yield a file's games, noting each that is sound."""
        for game in store.games():
            if (number := self._number(game)) is not None:
                done[game.pool][number] = 1
            yield game
            steps.done()

    def _number(self, game: StoredGame) -> int | None:
        """Return the number of a game in the plan; None if it is none of it, or damaged."""
        games = self._planned.get(game.pool)
        return games.number(game.fixture) if games is not None and game.sound else None

    def _note_unplayed(self, store: Store) -> None:
        """Note the line-ups that a store notes as not playable."""
        for pool, games in self._planned.items():
            if store.knows(pool):
                numbers = map(games.line_ups.number, store.unplayed(pool))
                self._unplayed[pool] |= {number for number in numbers if number is not None}

    def missing(self, shards: Sequence[Shard | None]) -> list[str]:
        """Return in words what is missing, by shard where all files are shards of as many."""
        left = {}
        for pool, games in self._planned.items():
            skip = self._unplayed[pool]
            left[pool] = [
                number
                for number, done in enumerate(self._done[pool])
                if not done and games.line_up_of(number) not in skip
            ]
        total = sum(map(len, left.values()))
        of = {shard.of for shard in shards if shard}
        if not total:
            return []
        if len(of) != 1:
            return [f"{amount(total, 'game')} of the plan would be missing"]
        counts: dict[int, int] = {}
        for pool, numbers in left.items():
            for number, count in by_shard(self._planned[pool], numbers, min(of)).items():
                counts[number] = counts.get(number, 0) + count
        named = {shard.number for shard in shards if shard}
        return [
            f"shard {number}/{min(of)} {'lacks' if number in named else 'is missing:'} "
            f"{amount(count, 'game')}"
            for number, count in sorted(counts.items())
        ]


def _in_words(place: str, found: Iterable[Wrong]) -> list[str]:
    """Return what is wrong with a file, a line a kind."""
    kinds: dict[str, list[str]] = {}
    for each in found:
        kinds.setdefault(each.what, []).append(each.place)
    lines = []
    for what, places in list(kinds.items())[:KINDS]:
        more = f" and {len(places) - SHOWN:,} more" if len(places) > SHOWN else ""
        lines.append(f"{place}: {', '.join(places[:SHOWN])}{more}: {what}")
    rest = sum(map(len, list(kinds.values())[KINDS:]))
    return (
        [*lines, f"{place}: {rest:,} more are wrong; `arena verify` names them"] if rest else lines
    )
