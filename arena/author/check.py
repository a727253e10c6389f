"""Tests a bot: loads it, plays every pool with house bots, measures it meanwhile, and plays some
games again.

This is a tournament in small, with the same sandbox, sessions, deals and ratings, in this one
process. A few games of each pool are asked about one question at a time, which measures each
decision, against as few bots as fill the table; of a bot that loads slowly, those of one pool a
game. Then come those again with all the others, many questions a message: there a game costs a
fifth, or less. The pools of a game are played side by side, so that house bots get long messages;
the bot itself has a process for each pool, as in a tournament. `arena.author.profiler` measures
the bot, and `arena.author.check_results` makes a report of it all.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby, islice
from pathlib import Path
from random import Random

import games
from arena import ids
from arena.author.check_report import NEAR, Checked, CheckFault, Load, Untried
from arena.author.check_results import (
    GAME_S,
    Target,
    find_faults,
    group_faults,
    make_report,
    waited_s,
    was_measured,
)
from arena.author.profiler import Decision, Opponents, PoolGames, Profiler, measure_load
from arena.faults.reasons import Mistake, group_key
from arena.league.bots import BotPath, find_house_bots, find_twins
from arena.league.files import (
    Source,
    hash_source,
    hash_text,
    read_bot,
    sweep_snapshots,
    write_snapshots,
)
from arena.model import Bot, Entry, Fixture, Limits, Played, Pool, file_of
from arena.plan.plan import check_walls
from arena.process.launch import start_client
from arena.progress import SILENT, Progress
from arena.schedule.order import Schedule
from arena.session.game import Beginning, Origin, Script
from arena.session.player import BATCH
from arena.session.session import Job, Session, origin_of
from arena.system.abilities import HAS_WALLS

GAMES = 60  # of each pool, at most: they show what goes wrong in one of 20, and a rough place
TIMED = 12  # of these, asked one question at a time
TWICE = 12  # games of each pool that are played again, at most
FEW = 11  # of these, the least for a quick bot, even on a slow machine
QUICK_S, PROMPT_S = 0.001, 0.005  # a quick bot's decision: CPU time, wall time
PLAY_S, AGAIN_S = 7.0, 2.5  # wall time for all games; for games played again
SECONDS = PLAY_S + AGAIN_S
LIMITS = Limits()._replace(max_output_kib=1024)  # faults' texts and prints of so few games all fit


class _Pools(Script):
    """The games of several pools, each as its own job has it. In `fixtures` the bot is called by
    its pool's title: so the session takes it for another bot in each pool.
    """

    at_once = BATCH

    def __init__(self, jobs: Sequence[Job], bot: Bot) -> None:
        self.fixtures = list[Fixture]()
        self._originals = dict[str, tuple[Fixture, Origin]]()
        for job in jobs:
            origin, called = origin_of(job), bot._replace(name=job.pool.title)
            for fixture in job.fixtures:
                line_up = tuple(called if other == bot else other for other in fixture.line_up)
                self.fixtures.append(fixture._replace(line_up=line_up))
                self._originals[fixture.id] = fixture, origin

    def begin(self, fixture: Fixture) -> Beginning:
        original, origin = self._originals[fixture.id]
        return origin.begin(original)

    def numbers(self, fixture: Fixture) -> ids.SeatNumbers:
        original, origin = self._originals[fixture.id]
        return origin.numbers(original)


PoolPair = tuple[PoolGames, PoolGames]
"""A pool's games that are asked about alone, and those asked about in batches."""


def check_bot(
    bot_path: BotPath,
    seed: int = 0,
    noticed: Callable[[CheckFault], None] = lambda fault: None,
    steps: Progress = SILENT,
    seconds: float = SECONDS,
    confined: bool = True,
) -> Checked:
    """Test a bot, behind walls if `confined`, a slow one by so many seconds of play. `noticed` is
    called with each mistake when it is first seen.

    Deals come from `seed`, so the same bot plays the same games. Raises UsageError where the bot
    cannot be read, and Unconfinable where bots cannot be confined.
    """
    began_s = time.monotonic()
    source = read_bot(bot_path)
    if confined:
        check_walls(bot_path.path)
    sweep_snapshots()
    bot = Bot(bot_path.name, hash_source(source))
    sources = {bot.name: source} | _opponents(bot.name, source)
    bots = sorted(Bot(name, hash_source(sources[name])) for name in sources)
    target = Target(
        bot,
        file_of(bot.name, bot_path.path.is_dir()),
        frozenset(path.name for path in bot_path.path.resolve().parent.iterdir()),
        tuple(path.name for path in find_twins(bot_path)),
        ids.secret_from_seed(seed),
    )
    steps.begin("loading the bot")
    with (
        write_snapshots(sources, bots) as paths,
        closing(start_client(confined)) as client,
        closing(Opponents(client)) as opponents,
    ):
        loaded = measure_load(client, Path(paths[bot.name]), LIMITS)
        bench = _Bench(target, bots, paths, opponents, noticed, loaded.load, seconds - SECONDS)
        if not loaded.problem:
            bench.play(steps)
            bench.play_batches(steps)
    steps.begin("rating")
    untried: tuple[Untried, ...] = ()
    if not confined:
        untried = ("sandbox",) if HAS_WALLS else ("limits", "sandbox")
    planned = GAMES * len(bench.pairs)
    return make_report(target, loaded, bench.pairs, began_s, planned, untried)


def _opponents(name: str, bot: Source) -> dict[str, Source]:
    """The house bots by name, without the bot itself; one that only shares its name is renamed."""
    sources = {}
    for path in find_house_bots():
        source = read_bot(path)
        if hash_text(source) != hash_text(bot):
            sources[f"house-{path.name}"[:32] if path.name == name else path.name] = source
    return sources


class _Bench:
    """Plays a check's games."""

    def __init__(
        self,
        target: Target,
        bots: Sequence[Bot],
        paths: dict[str, str],
        opponents: Opponents,
        report: Callable[[CheckFault], None],
        load: Load,
        more_s: float,
    ) -> None:
        self._target, self._paths, self._opponents = target, paths, opponents
        self._report = report
        self._known = set[Mistake]()  # mistakes that were reported
        self._end_s = time.monotonic() + PLAY_S + more_s
        batches = dict[int, list[Decision]]()  # asked in sessions of many pools
        self.pairs = [
            (PoolGames(pool, bots), PoolGames(pool, bots, asked=batches)) for pool in pools()
        ]
        first = {pair[0].pool.game: pair for pair in reversed(self.pairs)}
        is_slow = load.cpu_ms > load.cpu_limit_ms * NEAR  # and it is loaded for each pool
        self._alone = [*first.values()] if is_slow else self.pairs
        others = [bot for bot in bots if bot != target.bot]
        self._fixtures = {
            part.pool: choose_games(part.pool, target.bot, bots) for part, _ in self.pairs
        }
        self._few = dict[Pool, Iterator[Fixture]]()  # of so few bots that batches are large
        for number, (part, _) in enumerate(self.pairs):
            some = Random(number).sample(others, part.pool.entrants - 1)
            self._few[part.pool] = choose_games(part.pool, target.bot, sorted([target.bot, *some]))

    def play(self, steps: Progress) -> None:
        """Play a game of each pool, however long it takes, so that a fault shows soon; then more
        while there is time, unless each start of the bot takes long.
        """
        steps.begin("playing each kind of game")
        for part, _ in self._alone:
            count = TIMED if self._is_quick() and not self._always_fails() else 1
            self._session([(part, self._next(part, count, self._few))], True, steps)
        if self._always_fails() or len(self._alone) < len(self.pairs):
            return
        steps.begin("playing one question at a time")
        for [(part, _)], share_s in self._shares([[pair] for pair in self.pairs], self._end_s):
            count = self._count_affordable(part, share_s, TIMED - len(part.played))
            few = self._few if self._is_quick() else {}
            self._session([(part, self._next(part, count, few))], True, steps)

    def play_batches(self, steps: Progress) -> None:
        """Play some of the games once more, at least one of a pool, to see whether the bot repeats
        its decisions; and beside them, as long as there is time, those that are left to be played.
        All are asked about as in a tournament, so they cost little.
        """
        steps.begin("playing side by side, some games again")

        def terms(pair: PoolPair) -> tuple[str, str]:
            """Rules, and who partners whom: the games of a session have both in common."""
            return pair[0].pool.game, pair[0].pool.partners

        groups = [[*pairs] for _, pairs in groupby(sorted(self.pairs, key=terms), terms)]
        for pairs, share_s in self._shares(groups, max(time.monotonic(), self._end_s) + AGAIN_S):
            enough = any(part.played for _, part in self.pairs) and all(p.played for p, _ in pairs)
            if share_s < 0 and enough and not self._is_quick():
                continue
            chosen = [(batch, self._choose_batch(part, share_s)) for part, batch in pairs]
            self._session(chosen, False, steps)

    def _choose_batch(self, part: PoolGames, share_s: float) -> list[Fixture]:
        """Choose a pool's games that are played again, and further ones: at least one, and as many
        as fit into that time.
        """
        games = [game.fixture for game in part.played if not was_measured(self._target, part, game)]
        more = 0 if self._always_fails() else GAMES - len(part.played)
        count = max(1, self._count_affordable(part, share_s, min(TWICE, len(games)) + more))
        again = games[:: max(1, len(games) // min(count, TWICE))][: min(count, TWICE)]
        return again + self._next(part, count - len(again) if more else 0)

    def _always_fails(self) -> bool:
        """True if every game was lost by a fault, all the bot's, as house bots have none: more
        games would show no more.
        """
        return all(game.faults for part, _ in self.pairs for game in part.played)

    def _shares(
        self, groups: Iterable[list[PoolPair]], end_s: float
    ) -> Iterator[tuple[list[PoolPair], float]]:
        """Yield each group of pools, with a pool's share of the time that is left, in seconds."""
        left = len(self.pairs)
        for group in groups:
            yield group, (end_s - time.monotonic()) / left
            left -= len(group)

    def _next(
        self, part: PoolGames, count: int, few: Mapping[Pool, Iterator[Fixture]] = {}
    ) -> list[Fixture]:
        """Choose the next games of a pool, of `few` bots if given."""
        known = {game.fixture for game in part.played}
        fixtures = few.get(part.pool) or self._fixtures[part.pool]
        return list(islice((fixture for fixture in fixtures if fixture not in known), count))

    def _session(
        self, chosen: Sequence[tuple[PoolGames, list[Fixture]]], alone: bool, steps: Progress
    ) -> None:
        """Play games of some pools side by side, and report faults when seen; `alone` as in
        `Profiler`. What the bot used, but for tallies, is kept with the first of the pools.
        """
        planned = {fixture.id: (part, fixture) for part, fixtures in chosen for fixture in fixtures}
        if not planned:
            return

        def emit(played: Played) -> None:
            part, fixture = planned[played.fixture.id]
            game = played._replace(fixture=fixture)
            part.played.append(game)
            steps.done()
            seen = find_faults(self._target, part, [game])
            new = {
                row: place
                for row, place in seen.items()
                if group_key(row.fault.reason) not in self._known
            }
            self._known.update(group_key(row.fault.reason) for row in new)
            for fault in group_faults(self._target, new):
                self._report(fault)

        path, parts = self._paths[self._target.bot.name], [part for part, _ in chosen]
        jobs = [
            Job(part.pool, LIMITS, False, fixtures, self._target.secret, {})
            for part, fixtures in chosen
        ]
        script = _Pools(jobs, self._target.bot)
        whole = jobs[0]._replace(fixtures=script.fixtures)
        paths = self._paths | {part.pool.title: path for part in parts}
        profiler = Profiler(self._opponents, path, parts[0], alone)
        tallies = Session(whole, paths, profiler, emit, lambda: None, script=script).play()
        for part in parts:
            part.tallies.extend(tally for tally in tallies if tally.bot == part.pool.title)

    def _count_affordable(self, part: PoolGames, left_s: float, most: int) -> int:
        """Count the games of the pool that fit into `left_s` seconds.

        They are expected to take as long as the pool's first ones, or as the mean of all pools if
        that is longer, for a single game may be short. A quick bot, which needs little time for a
        decision, plays what its CPU time allows: it may wait long for a core, but not sleep.
        """
        mean_s = waited_s([part for part, _ in self.pairs]) or 0.0
        games = min(most, int(left_s / (max(waited_s([part]) or 0.0, mean_s) + GAME_S)))
        if not self._is_quick():
            return max(games, 0)
        cpu_s = sum(self._costs()) / sum(len(part.played) for part, _ in self.pairs) + GAME_S
        return max(games, min(most, max(FEW, int((PLAY_S + AGAIN_S) / len(self.pairs) / cpu_s))))

    def _is_quick(self) -> bool:
        costs = self._costs()
        all_waited_s = sum(part.waited_s - part.queued_s for part, _ in self.pairs)
        n = len(costs)
        return n > 0 and sum(costs) <= QUICK_S * n and all_waited_s <= PROMPT_S * n

    def _costs(self) -> list[float]:
        return [cost_s for part, _ in self.pairs for _, cost_s in part.costs]


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
    entry = Entry(
        pool=pool, bots=(*bots,), deals=1, seatings="auto", shared_decks=False,
        fixed_bots=(bot.name,),
    )  # fmt: skip
    identity = ids.Identity(pool, games.load(pool.game).VERSION, LIMITS, ids.LEAGUE, False)
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
