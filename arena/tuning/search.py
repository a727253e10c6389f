"""Searches better numbers for a bot, and proves them on decks that the search never saw.

Random sets say where to begin; then SPSA steps (Spall 1998, Johns Hopkins APL Technical Digest 19):
all numbers go either way at once, both sets play the same decks, and their difference says where
to. At 12,000 games, three seeds, bots of 8 to 10 plain numbers, the share of opponents left behind
rose by .43, .35 and .36 in the mean in No Thanks!, Sixteen and 17 (tables of 3, 2 and 3); by SPSA
alone .34, .37 and .39; by halving with proposals around the best three .31, .33 and .41; by halving
of random sets .28, .29 and .41; by a cross-entropy search .26, .37 and .37. SPSA alone stays where
it is if small changes change nothing. Numbers that do no good in the race are put back before the
final: with that, on other such bots at tables of 3, 2 and 2, it rose by .49, .32 and .58.
"""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from random import Random
from statistics import fmean
from typing import Annotated, Literal

import numpy as np
from msgspec import Struct

from arena.league.files import Source, hash_source, sweep_snapshots
from arena.model import Pool
from arena.process.launch import start_client
from arena.progress import Progress
from arena.tables.cache import remember
from arena.tuning.numbers import Number, Values
from arena.tuning.race import Payoffs, Race
from arena.typed_json import encode, means

PROBES, WIDE = 32, 0.25  # sets that are tried at first; how far they lie off, of a range
STEPS = 60
WIDTH, STRIDE = 0.15, 0.5
"""Of a range: how far the two sets of the first step lie from the middle; and the first stride for
a difference of 1."""
PROBE, SEARCH, RACE, FINAL = 0.15, 0.4, 0.2, 0.15  # of the games; the rest puts numbers back
START_S = 0.1  # of a bot's process and its field's, a step
LEAST = 2_000  # games
SAMPLE = 60  # rounds, to tell how many games the seconds buy
Z = 1.96

_Play = Callable[[Sequence[Values], range, str], Payoffs]
"""Plays sets in these rounds of the key of that name."""


class TunedNumber(Struct, frozen=True, kw_only=True):
    """A number of the bot."""

    name: str
    value: Annotated[float, means("In its file.")]
    tuned: Annotated[float, means("As found.")]
    low: float
    high: float
    gain: Annotated[
        float | None, means("What is lost with this alone put back; null where it is the same.")
    ]
    gain_se: Annotated[float, means("Its standard error.")]


class Tuning(Struct, frozen=True, kw_only=True):
    """The numbers found for a bot, as `arena tune --json` prints them."""

    version: Annotated[Literal[2], means("Of this format.")] = 2
    bot: str
    hash: Annotated[str, means("SHA-256 over its files' paths and bytes, hex.")]
    pools: Annotated[list[str], means("Titles of what was played.")]
    opponents: Annotated[list[str], means("Names of the bots in the other seats.")]
    games: int
    forfeits: Annotated[int, means("Of these games: lost by numbers that make the bot fail.")]
    decks: Annotated[int, means("Of the final.")]
    race_gain: Annotated[float, means("What the numbers gained on the decks that chose them.")]
    shares: Annotated[
        tuple[float, float],
        means("Of opponents left behind in the final: by the old numbers, by those found."),
    ]
    gain: Annotated[float, means("The second of these shares less the first.")]
    interval: Annotated[tuple[float, float], means("Both ends of its 95 % interval.")]
    better: Annotated[bool, means("Whether all of the interval is above 0.")]
    numbers: list[TunedNumber]

    @property
    def values(self) -> Values:
        """The numbers found, by name."""
        return {one.name: one.tuned for one in self.numbers}


def tune(
    name: str, source: Source, numbers: Sequence[Number], pools: Sequence[Pool],
    field: Mapping[str, Source], *, games: int | None, seconds: int, seed: int | None,
    confined: bool, steps: Progress,
) -> Tuning:  # fmt: skip
    """Tune a bot's numbers in about so many games, or as many as take so many seconds here. Games
    are remembered: the same search goes on where it was interrupted.

    Raises ArenaError where the numbers that it has make it forfeit.
    """
    others = sorted(map(hash_source, field.values()))
    about = encode((hash_source(source), others, pools, games, seconds, seed)).encode()
    secret = secrets.token_hex(32) if seed is None else sha256(b"%d" % seed).hexdigest()
    key = remember(lambda: [about, b"key"], str, lambda: secret)
    old, played = {one.name: one.value for one in numbers}, _Played()
    sweep_snapshots()
    with closing(start_client(confined)) as client:
        race = Race(name=name, source=source, field=field, pools=pools, client=client, steps=steps)
        many = games or remember(
            lambda: [about, b"games"], int, lambda: _count_games(race, old, seconds)
        )
        steps.begin("playing games", many)

        def play(sets: Sequence[Values], rounds: range, of: str) -> Payoffs:
            deals, fresh = sha256(about + f"{key} {of}".encode()).digest()[:16], list[bool]()

            def make() -> tuple[list[list[float]], int]:
                fresh.append(True)
                payoffs, forfeits = race.play(sets, rounds, deals, old)
                return payoffs.tolist(), forfeits

            content = encode((deals.hex(), rounds.start, rounds.stop, sets)).encode()
            payoffs, lost = remember(lambda: [about, content], tuple[list[list[float]], int], make)
            count = race.count(sets, rounds)
            if not fresh:
                steps.done(count)
                if not played.games:
                    steps.say("Going on with the search that the same command began.")
            played.games, played.forfeits = played.games + count, played.forfeits + lost
            return np.array(payoffs)

        return _tune(race, play, played, numbers, many, Random(key))


@dataclass
class _Played:
    """Counts of the games of a search, of them those that the bot's other numbers forfeited."""

    games: int = 0
    forfeits: int = 0


def _tune(
    race: Race, play: _Play, played: _Played, numbers: Sequence[Number], games: int, rng: Random
) -> Tuning:
    old = {one.name: one.value for one in numbers}
    rounds = games / race.count([old], range(len(race.pools))) * len(race.pools)  # of one set
    start = _probe(race, play, numbers, rng, max(2, int(rounds * PROBE / PROBES / 2)))
    last, middle = _step(race, play, numbers, start, rng, max(2, int(rounds * SEARCH / STEPS / 2)))
    best, share, before = _choose(play, [old, start, middle, last], rounds * RACE)
    race.say("best of the race", share, best)
    final = play([old, best], range(max(30, int(rounds * FINAL / 2))), "final")
    back = _put_back(best, old)
    left = 1 - PROBE - SEARCH - RACE - FINAL
    many = min(final.shape[1], max(30, int(rounds * left / max(1, len(back)))))
    alone = play([*back.values()], range(many), "final") if back else final[:0]
    gains = {name: _estimate(final[1, :many] - row) for name, row in zip(back, alone, strict=True)}
    gain, error = _estimate(final[1] - final[0])
    return Tuning(
        bot=race.name,
        hash=hash_source(race.source),
        pools=[pool.title for pool in race.pools],
        opponents=sorted(race.field),
        games=played.games,
        forfeits=played.forfeits,
        decks=race.count([old], range(final.shape[1])),
        race_gain=share - before,
        shares=(float(final[0].mean()), float(final[1].mean())),
        gain=gain,
        interval=(gain - Z * error, gain + Z * error),
        better=gain > Z * error,
        numbers=[
            TunedNumber(
                name=one.name, value=one.value, tuned=best[one.name], low=one.low, high=one.high,
                gain=mean, gain_se=se,
            )
            for one in numbers
            for mean, se in [gains.get(one.name, (None, 0.0))]
        ],
    )  # fmt: skip


def _put_back(best: Values, old: Values) -> dict[str, Values]:
    """The best set with one number put back, by its name; none where both have the same."""
    return {name: {**best, name: value} for name, value in old.items() if best[name] != value}


def _choose(play: _Play, ends: Sequence[Values], rounds: float) -> tuple[Values, float, float]:
    """Race sets, the old one first, and put back the numbers without which the best of the others
    does as well; return it, its share of opponents, and the old one's.
    """
    old = ends[0]
    some = range(max(8, int(rounds / (len(ends) + len(old) + 1))))
    raced = play(ends, some, "race").mean(axis=1)
    at = int(raced[1:].argmax()) + 1
    best, share = ends[at], float(raced[at])
    if back := _put_back(best, old):
        alone = play([*back.values()], some, "race").mean(axis=1)
        needless = [name for name, its in zip(back, alone, strict=True) if its >= share]
        fewer = {**best, **{name: old[name] for name in needless}}
        without = float(play([fewer], some, "race").mean())
        if without >= share:
            best, share = fewer, without
    return best, share, float(raced[0])


def _count_games(race: Race, values: Values, seconds: int) -> int:
    """Play a sample, to tell how many games the seconds buy on this machine."""
    race.steps.begin("playing a sample")
    began_s = time.monotonic()
    sets, rounds = [values] * 4, range(SAMPLE)
    race.play(sets, rounds, secrets.token_bytes(16), values)
    steps_s = seconds - STEPS * START_S
    return max(LEAST, int(race.count(sets, rounds) * steps_s / (time.monotonic() - began_s)))


def _probe(
    race: Race, play: _Play, numbers: Sequence[Number], rng: Random, rounds: int
) -> dict[str, float]:
    """Try sets at random, half of them near the old one, and the better quarter on more rounds; the
    best. Steps alone go nowhere where small changes change nothing.
    """
    sets: list[dict[str, float]] = [{one.name: one.value for one in numbers}]
    for number in range(1, PROBES):
        drawn = (
            rng.uniform(one.low, one.high)
            if number % 2
            else rng.gauss(one.value, WIDE * (one.high - one.low))
            for one in numbers
        )
        sets.append({one.name: one.round(x) for one, x in zip(numbers, drawn, strict=True)})
    payoffs = play(sets, range(rounds), "probe")
    if (payoffs == payoffs[0]).all():
        what = f"does its code read {', '.join(sets[0])} in these games?"
        race.steps.say(f"{PROBES} sets of numbers have the same results so far: {what}")
    first = payoffs.mean(axis=1)
    race.say("yours", first[0], sets[0])
    better = [sets[int(at)] for at in np.argsort(-first)[: PROBES // 4]]
    again = play(better, range(rounds, 5 * rounds), "probe").mean(axis=1)
    best = int(again.argmax())
    race.say(f"best of {PROBES} random sets", again[best], better[best])
    return better[best]


def _step(
    race: Race,
    play: _Play,
    numbers: Sequence[Number],
    start: Values,
    rng: Random,
    rounds: int,
) -> tuple[dict[str, float], dict[str, float]]:
    """Step to better numbers: the last ones, and the mean of the last half of the steps."""
    here = np.array([(start[one.name] - one.low) / (one.high - one.low) for one in numbers])
    least = np.array([0.6 / (one.high - one.low) if isinstance(one.value, int) else 0.0
                      for one in numbers])  # fmt: skip

    def values(place: Payoffs) -> dict[str, float]:
        ends = zip(numbers, place.tolist(), strict=True)
        return {one.name: one.round(one.low + x * (one.high - one.low)) for one, x in ends}

    places, shares = [here], list[float]()
    for step in range(STEPS):  # the exponents are Spall's
        width = np.maximum(WIDTH / (step + 1) ** 0.101, least)
        ways = np.array([rng.choice((-1.0, 1.0)) for _ in numbers])
        both = [values(np.clip(here + way * width * ways, 0, 1)) for way in (1, -1)]
        one, other = play(both, range(step * rounds, (step + 1) * rounds), "search")
        slope = float((one - other).mean()) / (2 * width)
        here = np.clip(here + STRIDE / (step + 6) ** 0.602 * slope * ways, 0, 1)
        places.append(here)
        shares.append(float((one + other).mean() / 2))
        if len(shares) % 20 == 0:
            race.say(f"step {step + 1} of {STEPS}", fmean(shares[-20:]), values(here), "around")
    return values(here), values(np.mean(places[len(places) // 2 :], axis=0))


def _estimate(differences: Payoffs) -> tuple[float, float]:
    """The mean of differences by round, and its standard error."""
    return float(differences.mean()), float(differences.std(ddof=1)) / sqrt(len(differences))
