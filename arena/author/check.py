"""Tests a bot: loads it, plays every pool with house bots, measures it meanwhile, and plays some
games again.

This is a tournament in small, with the same sandbox, sessions, deals and ratings, in this one
process. How much is played depends on how long the bot takes. `arena.author.profiler` measures the
bot, and `arena.author.check_results` makes a report of it all.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

import games
from arena import ids
from arena.author.check_report import Checked, CheckFault, Repeats
from arena.author.check_results import (
    GAME_S,
    Target,
    compare_repeats,
    find_faults,
    group_faults,
    make_report,
    waited_s,
)
from arena.author.profiler import PoolGames, Profiler, measure_load
from arena.league import (
    BotPath,
    Source,
    find_house_bots,
    find_twins,
    hash_source,
    read_bot,
    sweep_snapshots,
    write_snapshots,
)
from arena.model import MEASURED_FAULTS, Bot, Entry, Fixture, Limits, Played, Pool, file_of
from arena.plan import check_walls
from arena.process import ZygoteClient
from arena.progress import SILENT, Progress
from arena.sandbox.walls import WALLS
from arena.schedule import Schedule
from arena.session import Job, Session
from arena.store import Mistake, mistake_of

MORE = 59  # more games of each pool, at most: 60 in all give a rough place
TWICE = 12  # games of each pool that are played again, at most
FEW = 11  # of these, the least for a quick bot, even on a slow machine
QUICK_S, PROMPT_S = 0.001, 0.005  # a quick bot's decision: CPU time, wall time
PLAY_S, AGAIN_S = 7.0, 2.5  # wall time for all games; for games played again
LIMITS = Limits()._replace(output_kib=1024)  # faults' texts and prints of so few games all fit
UNWALLED = "`arena match A B --unconfined` runs trusted bots without a sandbox; limits still apply"


class _Enough(Exception):
    """The first fault was seen, and the caller wants no more."""


def check_bot(
    found: BotPath,
    first: bool = False,
    seed: int = 0,
    noticed: Callable[[CheckFault], None] = lambda fault: None,
    steps: Progress = SILENT,
) -> Checked:
    """Test a bot, and with `first` end at its first fault. `noticed` is called with each mistake
    when it is first seen.

    Deals come from `seed`, so the same bot plays the same games. Raises UsageError where the bot
    cannot be read, and Unconfinable where bots cannot be confined.
    """
    began_s = time.monotonic()
    source = read_bot(found)
    check_walls(remedy=UNWALLED)
    sweep_snapshots()
    bot = Bot(found.name, hash_source(source))
    sources = {bot.name: source} | _opponents(bot)
    bots = sorted(Bot(name, hash_source(sources[name])) for name in sources)
    target = Target(
        bot,
        file_of(bot.name, found.path.is_dir()),
        frozenset(path.name for path in found.path.resolve().parent.iterdir()),
        tuple(path.name for path in find_twins(found)),
        ids.secret_from_seed(seed),
    )
    steps.begin("loading the bot")
    with write_snapshots(sources, bots) as paths, closing(ZygoteClient()) as zygote:
        loaded = measure_load(zygote, Path(paths[bot.name]), LIMITS)
        bench = _Bench(target, bots, paths, zygote, noticed)
        repeats, whole = None, True
        if not loaded.problem:
            try:
                bench.play(first, steps)
                repeats = bench.play_again(steps)
            except _Enough:
                whole = False
    steps.begin("rating")
    return make_report(target, loaded, bench.parts, repeats, whole, began_s)


def _opponents(bot: Bot) -> dict[str, Source]:
    """The house bots by name, without the bot itself; one that only shares its name is renamed."""
    sources = {}
    for each in find_house_bots():
        source = read_bot(each)
        if hash_source(source) != bot.hash:
            sources[f"house-{each.name}"[:32] if each.name == bot.name else each.name] = source
    return sources


class _Bench:
    """Plays a check's games."""

    def __init__(
        self,
        target: Target,
        bots: Sequence[Bot],
        paths: dict[str, str],
        zygote: ZygoteClient,
        noticed: Callable[[CheckFault], None],
    ) -> None:
        self._target, self._paths, self._zygote = target, paths, zygote
        self._noticed = noticed
        self._known = set[Mistake]()  # mistakes that were reported
        self._start_s: dict[Pool, float] = {}  # to start a bot's process, wall time
        self.parts = [PoolGames(pool, bots) for pool in pools()]
        self._fixtures = {
            part.pool: choose_games(part.pool, target.bot, bots) for part in self.parts
        }

    def play(self, first: bool, steps: Progress) -> None:
        """Play a game of each pool, however long it takes, so that a fault shows soon; then more
        while there is time.

        Raises _Enough at the first fault if `first` is set.
        """
        end_s = time.monotonic() + PLAY_S
        steps.begin("playing a game of each kind", len(self.parts))
        for part in self.parts:
            self._play(part, 1, first, steps)
        if all(game.faults for part in self.parts for game in part.played):
            return  # all its own, as house bots have none: more games would show no more
        steps.begin("playing")
        for part, share_s in self._shares(end_s):
            self._play(part, self._affordable(part, share_s, MORE), first, steps)

    def play_again(self, steps: Progress) -> Repeats:
        """Play some of the games once more, at least one of a pool, to see whether the bot repeats
        its decisions: with other games in its batch, and asked as in a tournament.
        """
        steps.begin("replaying games")
        pairs: list[tuple[PoolGames, PoolGames]] = []
        for part, share_s in self._shares(time.monotonic() + AGAIN_S):
            if share_s < 0 and any(now.played for _, now in pairs):
                break
            games = [game.fixture for game in part.played if not self._was_measured(part, game)]
            count = max(1, self._affordable(part, share_s, TWICE))
            now = PoolGames(part.pool, part.bots)
            chosen = games[:: max(1, len(games) // count)][:count]
            self._session(now, chosen, now.played.append, alone=False)
            pairs.append((part, now))
            steps.done(len(now.played))
        return compare_repeats(self._target, pairs)

    def _shares(self, end_s: float) -> Iterator[tuple[PoolGames, float]]:
        """Yield each pool's games with its share of the time that is left, in seconds."""
        for at, part in enumerate(self.parts):
            yield part, (end_s - time.monotonic()) / (len(self.parts) - at)

    def _play(self, part: PoolGames, count: int, first: bool, steps: Progress) -> None:
        """Play the pool's next games, and report faults as they are seen."""

        def emit(game: Played) -> None:
            part.played.append(game)
            steps.done()
            seen = find_faults(self._target, part, [game])
            new = {
                kept: place
                for kept, place in seen.items()
                if mistake_of(kept.fault.reason) not in self._known
            }
            self._known.update(mistake_of(kept.fault.reason) for kept in new)
            for fault in group_faults(self._target, new):
                self._noticed(fault)
            if seen and first:
                raise _Enough

        began_s, waited_before_s = time.monotonic(), part.waited_s
        self._session(part, list(islice(self._fixtures[part.pool], count)), emit, alone=True)
        beside_s = time.monotonic() - began_s - (part.waited_s - waited_before_s)
        self._start_s.setdefault(part.pool, beside_s / part.pool.entrants)

    def _session(
        self,
        part: PoolGames,
        fixtures: Sequence[Fixture],
        emit: Callable[[Played], None],
        alone: bool,
    ) -> None:
        """Play some games of a pool; `alone` as in `Profiler`."""
        if not fixtures:
            return
        name = self._target.bot.name
        job = Job(part.pool, LIMITS, False, fixtures, self._target.secret, {})
        profiler = Profiler(self._zygote, self._paths[name], part, alone)
        tallies = Session(job, self._paths, profiler, emit, lambda: None).play()
        part.tallies.extend(tally for tally in tallies if tally.bot == name)

    def _affordable(self, part: PoolGames, left_s: float, most: int) -> int:
        """How many games of the pool fit into `left_s` seconds.

        They are expected to take as long as the pool's first ones, or as the mean of all pools if
        that is longer, for a single game may be short. The processes of all its bots have to start
        first. A quick bot, which needs little time for a decision, plays a few in any case: it may
        wait long for a core, but not sleep.
        """
        costs = [cost_s for each in self.parts for _, cost_s in each.costs]
        all_waited_s = sum(each.waited_s for each in self.parts)
        is_quick = sum(costs) <= QUICK_S * len(costs) and all_waited_s <= PROMPT_S * len(costs)
        game_s = max(part.waited_s / len(part.played), waited_s(self.parts) or 0.0) + GAME_S
        start_s = median(self._start_s.values()) * len(part.bots)
        return max(min(FEW, most) if is_quick else 0, min(most, int((left_s - start_s) / game_s)))

    def _was_measured(self, part: PoolGames, game: Played) -> bool:
        """Whether a clock or the memory decided a fault of the bot's: then nothing can be said."""
        own = self._target.tables(part.pool, game.fixture)
        return any(f.seat in own and f.reason.kind in MEASURED_FAULTS for f in game.faults)


def pools() -> list[Pool]:
    """Every game with every number of players, under its default options: the smallest table of
    each game first, then the next larger of each.
    """
    ranked = []
    for name in games.names():
        game = games.load(name)
        for rank, players in enumerate(game.seat_counts(game.Options())):
            teams = len({game.side(seat) for seat in range(players)}) < players
            ranked.append((rank, Pool(name, players, "{}", "same" if teams else "")))
    return [pool for _, pool in sorted(ranked)]


def choose_games(pool: Pool, bot: Bot, bots: Sequence[Bot]) -> Iterator[Fixture]:
    """Choose games of a pool among `bots` (sorted by name) with `bot` in all of them, each game
    once, without end.

    Line-ups come in turn, in an order drawn by a fixed seed, and each time in another seating; then
    deal after deal.
    """
    entry = Entry(pool, tuple(bots), 1, "auto", False, always=(bot.name,))
    identity = ids.Identity(pool, games.load(pool.game).VERSION, LIMITS, WALLS, False)
    rng, deal = Random(17), 0
    while True:
        schedule = Schedule(entry._replace(deals=deal + 1), identity)
        line_ups, ways = len(schedule.line_ups), len(schedule.ways)
        order, turns = rng.sample(range(line_ups), line_ups), rng.sample(range(ways), ways)
        for turn in range(ways):
            for at, line_up in enumerate(order):
                place = turns[(at + turn) % ways]
                yield schedule[(deal * line_ups + line_up) * ways + place]
        deal += 1
