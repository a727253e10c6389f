"""Searches better numbers for a bot, and proves them on decks that the search never saw.

Random sets say where to begin; then SPSA steps (Spall 1998, Johns Hopkins APL Technical Digest 19):
all numbers go either way at once, both sets play the same decks, and their difference says where
to. At 12,000 games, three seeds, bots of 8 to 10 plain numbers, the share of opponents left behind
rose by .43, .35 and .36 in the mean in No Thanks!, Sixteen and 17 (tables of 3, 2 and 3); by SPSA
alone .34, .37 and .39; by halving with proposals around the best three .31, .33 and .41; by halving
of random sets .28, .29 and .41; by a cross-entropy search .26, .37 and .37. SPSA alone stays where
it is if small changes change nothing.
"""

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Annotated

import numpy as np
from msgspec import Struct

from arena.league.files import Source, hash_source, sweep_snapshots
from arena.model import Pool
from arena.process.launch import start_client
from arena.progress import Progress
from arena.system.folders import make_cache_folder, write_atomically
from arena.tuning.numbers import Number, Values
from arena.tuning.race import Payoffs, Race
from arena.typed_json import First, means

PROBES, WIDE = 32, 0.25  # sets that are tried at first; how far they lie off, of a range
STEPS = 60
WIDTH, STRIDE = 0.15, 0.5
"""Of a range: how far the two sets of the first step lie from the middle; and the first stride for
a difference of 1."""
PROBE, SEARCH, RACE, FINAL = 0.15, 0.45, 0.1, 0.2  # of the games; the rest puts numbers back
START_S = 0.1  # of a bot's process and its field's, a step
LEAST = 1_000  # games
SAMPLE = 60  # rounds, to tell how many games the seconds buy
Z = 1.96


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

    version: First = 1
    bot: str
    hash: Annotated[str, means("SHA-256 over its files' paths and bytes, hex.")]
    pools: Annotated[list[str], means("Titles of what was played.")]
    games: int
    decks: Annotated[int, means("Of the final.")]
    race_gain: Annotated[float, means("What the numbers gained on the decks that chose them.")]
    gain: Annotated[
        float, means("In the final: the share of opponents left behind, less the old numbers'.")
    ]
    interval: Annotated[tuple[float, float], means("Both ends of its 95 % interval.")]
    better: Annotated[bool, means("Whether all of the interval is above 0.")]
    numbers: list[TunedNumber]

    @property
    def values(self) -> Values:
        """The numbers found, by name."""
        return {one.name: one.tuned for one in self.numbers}


class _Cache:
    """The games played, in the user's cache, so that an interrupted search goes on."""

    def __init__(self, about: Sequence[object], seed: int | None) -> None:
        self.place = make_cache_folder()
        self.name = f"tune-{sha256(repr(about).encode()).hexdigest()[:16]}.json"
        self.games, self.played, self._at = 0, list[list[list[float]]](), 0
        key = None if seed is None else sha256(b"%d" % seed).hexdigest()
        self.key = key or secrets.token_hex(32)
        with suppress(OSError, ValueError, KeyError):
            state = json.loads((self.place / self.name).read_bytes()) if self.place else {}
            self.key, self.games, self.played = state["key"], state["games"], state["played"]

    def play(self, race: Race, sets: Sequence[Values], rounds: range, of: str) -> Payoffs:
        """Play, or take what was played before."""
        if self._at == len(self.played):
            key = sha256(f"{self.key} {of} {hash_source(race.source)}".encode()).digest()[:16]
            self.played.append(race.play(sets, rounds, key).tolist())
            if self.place:
                state = {"key": self.key, "games": self.games, "played": self.played}
                with write_atomically(self.place, self.name) as file:
                    file.write(json.dumps(state).encode())
        else:
            race.games += round(len(sets) * len(rounds) * race.games_a_round)
        self._at += 1
        return np.array(self.played[self._at - 1])

    def drop(self) -> None:
        """Forget it: the search is over."""
        if self.place:
            (self.place / self.name).unlink(missing_ok=True)


def tune(
    name: str, source: Source, numbers: Sequence[Number], pools: Sequence[Pool],
    field: Mapping[str, Source], *, games: int | None, seconds: int, seed: int | None,
    confined: bool, steps: Progress,
) -> Tuning:  # fmt: skip
    """Tune a bot's numbers in about so many games, or as many as take so many seconds here.

    Raises ArenaError where a set of numbers makes the bot forfeit.
    """
    sweep_snapshots()
    with closing(start_client(confined)) as client:
        race = Race(name=name, source=source, field=field, pools=pools, client=client, steps=steps)
        return _tune(race, numbers, games, seconds, seed)


def _tune(
    race: Race, numbers: Sequence[Number], games: int | None, seconds: int, seed: int | None
) -> Tuning:
    field = sorted(map(hash_source, race.field.values()))
    release = Path(__file__).read_bytes()  # another searches otherwise
    about = (hash_source(race.source), field, race.pools, games, seconds, seed, release)
    cache, old = _Cache(about, seed), {one.name: one.value for one in numbers}
    cache.games = cache.games or games or _count_games(race, old, seconds)
    race.steps.begin("playing games", cache.games)
    rng = Random(cache.key)
    rounds = cache.games / race.games_a_round  # of one set
    start = _probe(race, cache, numbers, rng, max(2, int(rounds * PROBE / PROBES / 2)))
    last, middle = _step(race, cache, numbers, start, rng, max(2, int(rounds * SEARCH / STEPS / 2)))
    ends = [old, start, middle, last]
    raced = cache.play(race, ends, range(max(8, int(rounds * RACE / len(ends)))), "race")
    gains = (raced - raced[0]).mean(axis=1)
    best = ends[int(gains[1:].argmax()) + 1]
    race.say(raced[0].mean() + gains.max(), best)
    final = cache.play(race, [old, best], range(max(30, int(rounds * FINAL / 2))), "final")
    changed = {name: value for name, value in old.items() if best[name] != value}
    share = 1 - PROBE - SEARCH - RACE - FINAL
    many = min(final.shape[1], max(30, int(rounds * share / max(1, len(changed)))))
    back = [{**best, name: value} for name, value in changed.items()]
    alone = final[1, :many] - cache.play(race, back, range(many), "final") if back else final[:0]
    losses = dict(zip(changed, alone, strict=True))
    idle = {name: old[name] for name, loss in losses.items() if not loss.any()}
    same = cache.play(race, [{**best, **idle}], range(many), "final")[0] == final[1, :many]
    if same.all():  # as a rule these are numbers for another game
        best = {**best, **idle}
    gain, error = _estimate(final[1] - final[0])
    gained = {name: _estimate(loss) for name, loss in losses.items() if best[name] != old[name]}
    cache.drop()
    return Tuning(
        bot=race.name,
        hash=hash_source(race.source),
        pools=[pool.title for pool in race.pools],
        games=race.games,
        decks=round(final.shape[1] * race.games_a_round),
        race_gain=float(gains.max()),
        gain=gain,
        interval=(gain - Z * error, gain + Z * error),
        better=gain > Z * error,
        numbers=[
            TunedNumber(
                name=one.name, value=one.value, tuned=best[one.name], low=one.low, high=one.high,
                gain=mean, gain_se=se,
            )
            for one in numbers
            for mean, se in [gained.get(one.name, (None, 0.0))]
        ],
    )  # fmt: skip


def _count_games(race: Race, values: Values, seconds: int) -> int:
    """Play a sample, to tell how many games the seconds buy on this machine."""
    race.steps.begin("playing a sample")
    began_s = time.monotonic()
    race.play([values] * 4, range(SAMPLE), secrets.token_bytes(16))
    sampled, race.games = race.games, 0
    steps_s = seconds - STEPS * START_S
    return max(LEAST, int(sampled * steps_s / (time.monotonic() - began_s)))


def _probe(
    race: Race, cache: _Cache, numbers: Sequence[Number], rng: Random, rounds: int
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
    first = cache.play(race, sets, range(rounds), "probe").mean(axis=1)
    better = [sets[int(at)] for at in np.argsort(-first)[: PROBES // 4]]
    again = cache.play(race, better, range(rounds, 5 * rounds), "probe").mean(axis=1)
    best = int(again.argmax())
    race.say(again[best], better[best])
    return better[best]


def _step(
    race: Race,
    cache: _Cache,
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
        one, other = cache.play(race, both, range(step * rounds, (step + 1) * rounds), "search")
        slope = float((one - other).mean()) / (2 * width)
        here = np.clip(here + STRIDE / (step + 6) ** 0.602 * slope * ways, 0, 1)
        places.append(here)
        shares.append(float((one + other).mean() / 2))
        if len(places) % 20 == 0:
            race.say(fmean(shares[-20:]), values(here))
    return values(here), values(np.mean(places[len(places) // 2 :], axis=0))


def _estimate(differences: Payoffs) -> tuple[float, float]:
    """The mean of differences by round, and its standard error."""
    return float(differences.mean()), float(differences.std(ddof=1)) / sqrt(len(differences))
