"""A survey of stores that are to be merged: which of a plan's games they have together, and what of
that is wrong. Nothing is written.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.model import Pool, StoredPlan
from arena.progress import Progress
from arena.schedule.order import schedules
from arena.schedule.shards import Shard, by_shard
from arena.store.scan import StoredGame
from arena.store.store import Store
from arena.words import amount


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
"""Takes a store, its plan, its secret and some of its games; yields which of these are not by the
rules or not of the secret's deals, and what is wrong with the bots."""

JUDGED = 250
"""Games of a file, at least, that are judged, spread evenly over it: so many show that its host had
other rules or another secret. To judge one takes as long as a simple bot to play it, and all of
them are `arena verify`'s."""

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
        self, store: Store, plan: StoredPlan, secret: bytes, judge: Judge, steps: Progress
    ) -> None:
        """Look through a file: note which of the plan's games are in it, and have some judged."""
        found, sample, fresh = list[Wrong](), list[StoredGame](), set[str]()
        every = store.count() // JUDGED or 1
        for at, game in enumerate(store.games()):
            if not game.sound:
                found.append(Wrong(game.id, "", "is damaged: its checksum does not match"))
            elif at % every == 0:
                sample.append(game)
            if self._mark(game, 1) and at % every == 0:
                fresh.add(game.id)
            steps.done()
        judged = list(judge(store, plan, secret, sample))
        wrong = {each.game for each in judged}
        for game in sample:
            if game.id in wrong & fresh:  # else another file has it too
                self._mark(game, 0)
        self.wrong[store.path] = [*found, *judged]
        self._note_unplayed(store)
        self.said += _in_words(str(store.path), self.wrong[store.path])

    def _mark(self, game: StoredGame, there: int) -> bool:
        """Note whether a sound game of the plan is there; return whether that was otherwise."""
        games = self._planned.get(game.pool)
        number = games.number(game.fixture) if games is not None and game.sound else None
        if number is None or self._done[game.pool][number] == there:
            return False
        self._done[game.pool][number] = there
        return True

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
