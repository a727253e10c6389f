"""Plays sets of a bot's numbers against a field, all on the same decks with the same dice.

A round is a game from each seat, each on a deck of its own: one deck for all seats took 1.6 times
the games in No Thanks! to be as sure of a gain, and as many in the others. A set's payoff in a
round is the share of opponents that it left behind, a tie half, in the mean over the seats.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
import numpy.typing as npt

import games
from arena import ids
from arena.errors import ArenaError, UsageError
from arena.faults.reasons import in_full
from arena.insight.worlds import Bench, Start, Starts, shares_ahead
from arena.league.bots import as_glob, find_bots, find_house_bots
from arena.league.files import Source, hash_source, read_bot, write_snapshots
from arena.model import LADDER, Bot, Fixture, Pool
from arena.process.launch import Client
from arena.progress import Progress
from arena.tuning.numbers import LIMITS, Values, wrap

STRONG = 3  # bots of the usual field, at least

Payoffs = npt.NDArray[np.float64]  # (sets, rounds)


class _Tables(Starts):
    """Fresh games in which the tuned bot's table says which of its variants plays."""

    at_once = 256

    def __init__(self, pool: Pool, key: bytes, bot: str, variants: Mapping[str, int], many: int):
        super().__init__(pool, key, self._deal)
        self._bot, self._variants, self._many = bot, variants, many

    def _deal(self, fixture: Fixture) -> Start:
        _, _, seating, deal = fixture  # not of the line-up, whose hash has the sets in it
        setup = ids.deal_setup(self._rules, self._options, self._key, self.pool, (), deal, seating)
        return Start(setup, (), f"tuning {deal}")

    def numbers(self, fixture: Fixture) -> ids.SeatNumbers:
        """The numbers of a game's seats."""
        tables, dice = super().numbers(fixture)
        variant = self._variants[fixture.id]
        return tuple(
            table - table % self._many + variant if name == self._bot else table
            for table, name in zip(tables, fixture.names, strict=True)
        ), dice


@dataclass(frozen=True)
class Race:
    """A bot, its field, and what they play; rounds come in turn from the pools."""

    name: str
    source: Source
    field: Mapping[str, Source]
    pools: Sequence[Pool]
    client: Client  # which starts all processes of a search
    steps: Progress

    def count(self, sets: Sequence[Values], rounds: range) -> int:
        """Count the games of these rounds."""
        sides = [pool.entrants for pool in self.pools]
        return len(sets) * sum(sides[round % len(sides)] for round in rounds)

    def say(self, what: str, share: float, values: Values, near: str = "by") -> None:
        """Say what was found so far, and the share of opponents that it left behind."""
        listed = ", ".join(f"{name} {value:g}" for name, value in values.items())
        self.steps.say(f"{what}: {share:.0%} of opponents left behind {near} {listed}")

    def play(
        self, sets: Sequence[Values], rounds: range, key: bytes, old: Values
    ) -> tuple[Payoffs, int]:
        """Play these sets in these rounds of a key; return their payoffs, and how many games they
        forfeited, which count as lost. Raises ArenaError where the `old` set forfeits one.
        """
        source = wrap(self.source, sets)
        tuned = Bot(self.name, hash_source(source))
        sources = {tuned: source}
        sources |= {Bot(name, hash_source(of)): of for name, of in self.field.items()}
        others = sorted(sources.keys() - {tuned})
        forfeits, payoffs, planned = (
            0,
            np.zeros((len(sets), len(rounds))),
            dict[str, tuple[int, int]](),
        )
        fixtures = defaultdict[Pool, list[Fixture]](list)
        for at, round in enumerate(rounds):
            pool = self.pools[round % len(self.pools)]
            rng, sides = Random(f"{key.hex()} {round}"), pool.entrants
            line_up = tuple(sorted([tuned, *rng.sample(others, sides - 1)]))
            around = rng.sample(range(sides), sides)
            for turn in range(sides):
                seating = tuple(around[(seat + turn) % sides] for seat in range(pool.players))
                for number in range(len(sets)):
                    id = f"{len(planned):0{ids.ID_DIGITS}x}"
                    planned[id] = number, at
                    fixtures[pool].append(Fixture(id, line_up, seating, round))
        named = {bot.name: of for bot, of in sources.items()}
        with write_snapshots(named, sources) as paths:
            bench = Bench(paths=paths, client=self.client, limits=LIMITS, key=key, steps=self.steps)
            for pool, some in fixtures.items():
                variants = {id: number for id, (number, _) in planned.items()}
                script = _Tables(pool, key, self.name, variants, len(sets))
                rules = games.load(pool.game)
                for played in bench.play(some, script):
                    number, at = planned[played.fixture.id]
                    seat = played.fixture.names.index(self.name)
                    for fault in played.faults:
                        if played.fixture.names[fault.seat] == self.name:
                            if sets[number] == old:
                                why = in_full(fault.reason)
                                raise ArenaError(f"{self.name}: forfeits with its numbers: {why}")
                            forfeits += 1
                    ahead = fmean(shares_ahead(rules, seat, played.ranks).values())
                    payoffs[number, at] += ahead / pool.entrants
        return payoffs, forfeits


def find_field(
    folder: Path, globs: Sequence[str], pools: Sequence[Pool], source: Source
) -> dict[str, Source]:
    """The bots for the other seats by name: of these globs, else the best of the ladder, as many
    as sit at a table or `STRONG`; without the tuned bot itself. Raises UsageError for too few.
    """
    seats = max(pool.entrants for pool in pools) - 1
    if globs:
        bots = find_bots(folder, [*map(as_glob, globs)], ["--with: "] * len(globs))
    else:
        rungs = LADDER[-max(seats, STRONG) :]
        bots = [bot for bot in find_house_bots() if bot.name in rungs]
    field = {bot.name: read_bot(bot) for bot in bots}
    field = {name: of for name, of in field.items() if hash_source(of) != hash_source(source)}
    if len(field) < seats:
        what = f"found {len(field)} others; a table needs {seats}"
        raise UsageError(f"--with: {what}; add some, such as --with haggler")
    return field
