"""Tests a bot: loads it, plays every pool with house bots, measures it meanwhile, and plays some
games again.

This is a tournament in small, with the same sandbox, sessions, deals and ratings, in this one
process. How much is played depends on how long the bot takes. `arena.author.profiler`
measures the bot, and `arena.author.check_results` makes a report of the results.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

from msgspec.structs import replace

import games
from arena import ids
from arena.author import check_results
from arena.author.causes import Mistake, mistake
from arena.author.check_report import Checked, CheckFault, Repeats
from arena.author.check_results import PoolGames, Target
from arena.author.profiler import Log, Profiler, measure_load
from arena.league.bots import BotPath, find_house_bots
from arena.league.files import Source, hash_source, read_bot, sweep_snapshots, write_snapshots
from arena.model import MEASURED_FAULTS, Bot, Entry, Fixture, Limits, Played, Pool, Tally
from arena.plan import check_walls
from arena.process import ZygoteClient
from arena.progress import SILENT, Progress
from arena.sandbox.walls import WALLS
from arena.schedule.order import Schedule
from arena.session import Job, Session

MORE = 59  # more games of each pool, at most: 60 in all give a rough place
TWICE = 12  # games of each pool that are played again, at most
FEW = 11  # of these, the least for a quick bot, even on a slow machine
QUICK_S, PROMPT_S = 0.001, 0.005  # a quick bot's decision: CPU time, wall time
PLAY_S, AGAIN_S = 7.0, 2.5  # wall time for all games; for games played again
KEPT_KIB = 1024  # for faults' texts and prints: enough for all of so few games
UNWALLED = "`arena match A B --unconfined` plays with limits only, for bots you trust"

Noticed = Callable[[CheckFault], None]
"""Takes each mistake when it is first seen."""


class _Enough(Exception):
    """The first fault was seen, and the caller wants no more."""


def check_bot(
    found: BotPath,
    first: bool = False,
    seed: int = 0,
    noticed: Noticed = lambda fault: None,
    steps: Progress = SILENT,
) -> Checked:
    """Test a bot, and with `first` end at its first fault.

    Deals come from `seed`, so the same bot plays the same games. Raises UsageError where the bot
    cannot be read, and Unconfinable where bots cannot be confined.
    """
    began_s = time.monotonic()
    source = read_bot(found)
    check_walls(remedy=UNWALLED)
    sweep_snapshots()
    bot = Bot(found.name, hash_source(source))
    sources = {bot.name: source} | _opponents(bot)
    bots = [Bot(name, hash_source(sources[name])) for name in sources]
    limits = Limits()._replace(output_kib=KEPT_KIB)
    target = Target.of(found, bot, ids.secret_from_seed(seed))
    steps.begin("loading the bot")
    with write_snapshots(sources, bots) as paths, closing(ZygoteClient()) as zygote:
        load = measure_load(zygote, Path(paths[bot.name]), limits)
        bench = _Bench(target, bots, limits, paths, zygote, noticed)
        repeats, whole = None, True
        if not load.problem:
            try:
                bench.play(first, steps)
                repeats = bench.again(steps)
            except _Enough:
                whole = False
    steps.begin("rating")
    document = check_results.make_report(target, load, bench.parts, repeats, whole)
    return replace(document, seconds=round(time.monotonic() - began_s, 1))


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
        limits: Limits,
        paths: dict[str, str],
        zygote: ZygoteClient,
        noticed: Noticed,
    ) -> None:
        self._target, self._limits, self._paths = target, limits, paths
        self._zygote, self._noticed = zygote, noticed
        self._start_s: dict[Pool, float] = {}  # to start a bot's process, wall time
        self._known = set[Mistake]()  # mistakes that were reported
        self.parts = [PoolGames(pool, tuple(sorted(bots)), Log(), [], []) for pool in pools()]
        self._fixtures: list[Iterator[Fixture]] = [
            choose_games(part.pool, target.bot, part.bots, limits, WALLS) for part in self.parts
        ]

    def play(self, first: bool, steps: Progress) -> None:
        """Play a game of each pool, however long it takes, so that a fault shows soon; then more
        while there is time.

        Raises _Enough at the first fault if `first` is set.
        """
        began_s = time.monotonic()
        steps.begin("playing a game of each kind", len(self.parts))
        for part, fixtures in zip(self.parts, self._fixtures, strict=True):
            self._play(part, islice(fixtures, 1), first, steps)
        if all(game.faults for part in self.parts for game in part.played):
            return  # all its own, as house bots have none: more games would show no more
        steps.begin("playing")
        for at, (part, fixtures) in enumerate(zip(self.parts, self._fixtures, strict=True)):
            left_s = PLAY_S - (time.monotonic() - began_s)
            share_s = left_s / (len(self.parts) - at)
            self._play(part, islice(fixtures, self._affordable(part, share_s, MORE)), first, steps)

    def again(self, steps: Progress) -> Repeats:
        """Play some of the games once more, at least one of a pool, to see whether the bot repeats
        its decisions: with other games in its batch, and asked as in a tournament.
        """
        began_s = time.monotonic()
        steps.begin("playing games again")
        heard: list[tuple[PoolGames, Log, list[Played]]] = []
        for at, part in enumerate(self.parts):
            left_s = AGAIN_S - (time.monotonic() - began_s)
            if left_s < 0 and any(played for *_, played in heard):
                break
            games = [game for game in part.played if not self._was_measured(part, game)]
            share_s = left_s / (len(self.parts) - at)
            count = max(1, self._affordable(part, share_s, TWICE))
            chosen = [game.fixture for game in games[:: max(1, len(games) // count)]]
            log, played = Log(), list[Played]()
            self._session(part, log, chosen[:count], played.append, alone=False)
            heard.append((part, log, played))
            steps.done(len(played))
        return check_results.repeats(self._target, heard)

    def _play(
        self, part: PoolGames, fixtures: Iterable[Fixture], first: bool, steps: Progress
    ) -> None:
        def emit(game: Played) -> None:
            part.played.append(game)
            steps.done()
            if self._notice(part, game) and first:
                raise _Enough

        began_s, waited_s = time.monotonic(), part.log.waited_s
        tallies = self._session(part, part.log, list(fixtures), emit, alone=True)
        part.tallies.extend(tallies)
        beside_s = time.monotonic() - began_s - (part.log.waited_s - waited_s)
        self._start_s.setdefault(part.pool, beside_s / part.pool.entrants)

    def _session(
        self,
        part: PoolGames,
        log: Log,
        fixtures: Sequence[Fixture],
        emit: Callable[[Played], None],
        alone: bool,
    ) -> list[Tally]:
        """Play some games of a pool; return the tallies of the bot's use and prints."""
        if not fixtures:
            return []
        own = self._target.bot.name
        job = Job(part.pool, self._limits, False, fixtures, self._target.secret, {})
        profiler = Profiler(self._zygote, self._paths[own], log, alone)
        session = Session(job, self._paths, profiler, emit, lambda: None)
        return [tally for tally in session.play() if tally.bot == own]

    def _notice(self, part: PoolGames, game: Played) -> bool:
        """Report a game's faults that are new; return whether the bot has any fault in it."""
        own = list(check_results.faults_in(self._target, part, [game]))
        new = [one for one in own if mistake(one.fault.reason) not in self._known]
        self._known.update(mistake(one.fault.reason) for one in new)
        for fault in check_results.grouped(self._target, new):
            self._noticed(fault)
        return bool(own)

    def _affordable(self, part: PoolGames, left_s: float, most: int) -> int:
        """How many games of the pool fit into `left_s` seconds.

        They are expected to take as long as the pool's first ones, or as the mean of all pools if
        that is longer, for a single game may be short. The processes of all its bots have to start
        first.
        """
        everywhere = check_results.waited_s(self.parts) or 0.0
        waited_s = max(part.log.waited_s / len(part.played), everywhere)
        start_s = median(self._start_s.values()) * len(part.bots)
        least = min(FEW, most) if self._is_quick() else 0
        return max(least, min(most, int((left_s - start_s) / (waited_s + check_results.GAME_S))))

    def _is_quick(self) -> bool:
        """Whether the bot needs little time for a decision. It may wait long for a core, but not
        sleep.
        """
        costs = [cost_s for part in self.parts for _, cost_s in part.log.costs]
        waited_s = sum(part.log.waited_s for part in self.parts)
        return sum(costs) <= QUICK_S * len(costs) and waited_s <= PROMPT_S * len(costs)

    def _was_measured(self, part: PoolGames, game: Played) -> bool:
        """Whether a clock or the memory decided a fault of the bot's: then nothing can be said."""
        own = {seat for seat, _ in self._target.tables(part.pool, game.fixture)}
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


def choose_games(
    pool: Pool, bot: Bot, bots: Sequence[Bot], limits: Limits, confinement: str
) -> Iterator[Fixture]:
    """Choose games of a pool among `bots` (sorted by name) with `bot` in all of them, each game
    once, without end.

    Line-ups come in turn, in an order drawn by a fixed seed, and each time in another seating; then
    deal after deal.
    """
    entry = Entry(pool, tuple(bots), 1, "auto", False, always=(bot.name,))
    version = games.load(pool.game).VERSION
    identity = ids.Identity(pool, version, limits, confinement, False)
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
