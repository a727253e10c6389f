"""Playing stored games again, with the bots as they are kept, to see whether they come out alike.

The arena's part is the same each time: the deal, the views, the generators. So a difference is a
bot's doing, and the bot is named: the one whose decision is the first to differ.
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import islice
from operator import itemgetter, lt
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

import games
from arena.audit.game_check import Given, find_evidence
from arena.errors import ArenaError, UsageError
from arena.faults.kinds import MEASURED
from arena.league.files import Source, check_source, write_snapshots
from arena.model import WALLS, Bot, Entry, Fixture, Limits, Played, Reason, StoredPlan
from arena.progress import SILENT, OutOfTime, Progress, check_time
from arena.records.record import make_line
from arena.records.replay import replay_to
from arena.schedule.order import make_schedules
from arena.store.plans import load_plan
from arena.store.scan import StoredGame, read_record
from arena.store.store import Store
from arena.system.abilities import HAS_WALLS
from arena.typed_json import means
from arena.words import amount
from games import FORFEIT

if TYPE_CHECKING:
    from arena.process.launch import Client


MOST = Limits(
    cpu_ms=5000, wall_ms=5000, load_ms=5000, memory_mib=1024, max_output_kib=1024, max_restarts=1000
)
"""Limits of bots on a reader's machine: the store sets theirs, and may be a stranger's."""

SECONDS = 600.0
"""That games are replayed at most, whatever limits the store has: 100 games take some seconds."""

FEW = 3
"""Fewer games that a fault ended only in the replay are put down to the machine: when memory runs
out, the kernel ends a process now and then."""

WIDER = 10  # times the time, and twice the memory, in the second replay: so that luck ends no bot
SEARCHED = 20_000  # games of a schedule, at most, among which company for a replay is looked for


class Again(Struct, frozen=True):
    """A game that was played again."""

    game_id: Annotated[str, means("Its id.")]
    pool: Annotated[str, means("Its title.")]
    bots: Annotated[tuple[str, ...], means("By seat.")]
    reproduced: Annotated[
        bool | None,
        means("Null if time or memory decided the game, so that it cannot be compared."),
    ]
    action_number: Annotated[int | None, means("The first action that differs, from 0.")] = None
    bot: Annotated[str, means("The bot responsible; empty if it is Arena itself.")] = ""
    message: Annotated[str, means("How it differs.")] = ""
    fault: Annotated[
        str, means("Kind of a fault that happened only in the replay; it ended the comparison.")
    ] = ""
    limits_lowered: Annotated[
        bool,
        means("The reason may be that the bot got less time or memory here than the store says."),
    ] = False


def rerun_games(
    store: Store,
    count: int,
    unconfined: bool = False,
    steps: Progress = SILENT,
    given: Given = None,
    its_limits: bool = False,
    seconds: float = SECONDS,
) -> tuple[list[Again], str]:
    """Play `count` stored games again, always the same ones, by pool, for so many seconds: how they
    came out, and how many are left when time is over, in words; "" if none. A copy takes what is
    `given` of its deals (`game_check.find_evidence`). Bots get at most a reader's limits (`MOST`),
    unless they are to have `its_limits`, the store's.

    If `FEW` games or more end by faults that a bot had only here, they are replayed once more (see
    README.md beside this file). Those that end so again count as differing.

    Raises UsageError where the sources or the secret are not kept, or where the games were played
    by bots that nothing confined and `unconfined` does not say that this may happen again.
    """
    plan, secret = load_plan(store), check_allowed(store, unconfined, given)
    end_s = time.monotonic() + seconds
    from arena.process.asker import find_unloadable
    from arena.process.launch import start_client

    times = {name: WIDER * getattr(plan.limits, name) for name in ("cpu_ms", "wall_ms")}
    wider = plan.limits._replace(memory_mib=2 * plan.limits.memory_mib, **times)
    limits, wider = (one if its_limits else bound_limits(one) for one in (plan.limits, wider))
    chosen: dict[Entry, dict[str, StoredGame]] = {}
    steps.begin("replaying games", count)
    for row, entry in sample_games(store, plan, count):
        chosen.setdefault(entry, {})[row.id] = row
    bots = sorted({bot for rows in chosen.values() for row in rows.values() for bot in row.line_up})
    again, short, unloaded = dict[str, Again](), set[str](), dict[str, Reason]()
    with (
        suppress(OutOfTime),
        write_snapshots(_sources(store, bots), bots) as paths,
        closing(start_client(is_confined(plan))) as client,
    ):
        for name, path in paths.items():
            check_time(end_s)
            unloaded |= find_unloadable({name: path}, limits, client)
        stage = _Stage(plan, secret, paths, unloaded, client, end_s)
        for entry, rows in chosen.items():
            stage.play(entry, rows, limits, (), again, steps)
        short = {game.game_id for game in _often(again.values())}
        if short:
            steps.begin("replaying games that a fault ended", len(short))
        for id in short:
            del again[id]
        for entry, rows in chosen.items():
            if cut := {id: row for id, row in rows.items() if id in short}:
                stage.play(entry, cut, wider, stage.company(entry, cut), again, steps)
    for game in _often(again[id] for id in short & again.keys()):
        again[game.game_id] = replace(game, reproduced=False)
    wanted = [id for rows in chosen.values() for id in rows]
    left, late = len(wanted) - len(again), ""
    if left:
        late = f"over before {left:,} of {amount(len(wanted), 'game')} were replayed"
        late += "; give more with --seconds"
    return [again[id] for id in wanted if id in again], late


def bound_limits(limits: Limits) -> Limits:
    """Lower a store's limits to the reader's where those are lower."""
    return Limits(*map(min, limits, MOST))


def _often(games: Iterable[Again]) -> list[Again]:
    """The games that faults ended only here, of each bot with `FEW` of them or more."""
    short = [
        game for game in games if game.reproduced is None and game.fault and not game.limits_lowered
    ]
    times = Counter(game.bot for game in short)
    return [game for game in short if times[game.bot] >= FEW]


class _Enough(Exception):
    """All games that are wanted have ended."""


class _Stage(NamedTuple):
    plan: StoredPlan
    secret: bytes
    paths: Mapping[str, str]  # snapshots, by the bot's name
    unloaded: dict[str, Reason]
    client: "Client"
    end_s: float  # of the monotonic clock

    def play(
        self,
        entry: Entry,
        rows: Mapping[str, StoredGame],
        limits: Limits,
        others: Sequence[Fixture],
        again: dict[str, Again],
        steps: Progress,
    ) -> None:
        """Play these games, in one session with others, and note in `again` how they come out, by
        id. Raises OutOfTime.
        """
        from arena.session.session import Job, Session

        lower = any(map(lt, limits, self.plan.limits))

        def emit(game: Played) -> None:
            if row := rows.get(game.fixture.id):
                again[row.id] = compare_games(row, game, lower)
                steps.done()

        def pulse() -> None:
            if rows.keys() <= again.keys():
                raise _Enough
            check_time(self.end_s)

        fixtures = (*(row.fixture for row in rows.values()), *others)
        job = Job(entry.pool, limits, entry.shared_decks, fixtures, self.secret, self.unloaded)
        with suppress(_Enough):
            Session(job, self.paths, self.client, emit, pulse).play()

    def company(self, entry: Entry, rows: Mapping[str, StoredGame]) -> list[Fixture]:
        """Games of the pool among which these are as in a tournament: as many as a session has at
        once, of bots that are at hand.
        """
        from arena.session.player import BATCH

        names = {bot.name for row in rows.values() for bot in row.line_up}
        schedule = make_schedules(self.plan)[entry.pool]
        step = max(1, len(schedule) // SEARCHED)
        drawn = (schedule[number] for number in range(0, len(schedule), step))
        fit = (
            game
            for game in drawn
            if game.id not in rows and all(bot.name in names for bot in game.line_up)
        )
        return list(islice(fit, BATCH * len(names) // entry.pool.players))


def is_confined(plan: StoredPlan) -> bool:
    """True if its games are replayed behind walls: they were played so, and there are some here."""
    return HAS_WALLS and plan.confinement == WALLS


def check_allowed(store: Store, unconfined: bool, given: Given = None) -> bytes:
    """Check that games may be played again, before anything is done; returns the secret. Raises
    what `rerun_games` would raise.
    """
    plan = load_plan(store)
    secret = find_evidence(store, plan, given).secret
    if secret is None and store.public:
        raise UsageError(
            f"{store.path}: is a published copy without its secret, so games cannot be replayed; "
            "ask its owner to replay them, or to reveal the secret"
        )
    if secret is None:
        raise ArenaError(
            f"{store.path}: the secret of the deals is damaged, so games cannot be replayed; "
            "restore a copy"
        )
    if store.public and any(store.source_of(bot) is None for bot in store.bots()[:1]):
        raise UsageError(
            f"{store.path}: is a published copy without the bots, so games cannot be replayed; "
            "ask its owner for a copy made with --with-sources"
        )
    from arena.plan.plan import check_walls

    if is_confined(plan):
        check_walls(store.path)
    elif not unconfined:
        raise UsageError(
            f"{store.path}: its bots were played outside the sandbox; --unconfined runs them "
            "that way again, with your permissions"
        )
    return secret


def sample_games(store: Store, plan: StoredPlan, count: int) -> list[tuple[StoredGame, Entry]]:
    """The plan's games with the lowest ids, with their entries: ids are hashes, so that is as good
    as drawn at random, and the same each time.
    """
    planned = make_schedules(plan)
    drawn: list[tuple[StoredGame, Entry]] = []
    for row in store.games(in_order_of_id=True):
        if len(drawn) == count:
            break
        if row.sound and (schedule := row.find_schedule(planned)) is not None:
            read_record(store.path, row)  # which raises where it is none
            drawn.append((row, schedule.entry))
    return drawn


def _sources(store: Store, bots: Sequence[Bot]) -> dict[str, Source]:
    sources = {}
    for bot in bots:
        files = store.source_of(bot)
        if files is None:
            raise UsageError(f"{store.path}: the source of {bot.name} is not stored")
        if problem := check_source(Source(files), bot.hash):
            raise ArenaError(f"{store.path}: bot {bot.name}: {problem}")
        sources[bot.name] = Source(files)
    return sources


def compare_games(row: StoredGame, played: Played, lower: bool = False) -> Again:
    """Compare a game with its stored record. Under `lower` limits than the store's, any new fault
    may be theirs.
    """
    old = json.loads(row.line)
    new = json.loads(make_line(row.pool, played.fixture, played.forfeits, played.body))
    bots = tuple(old["meta"]["bots"])
    alike = Again(row.id, row.pool.title, bots, True)
    if old == new:
        return alike
    at, seat, words = find_difference(old, new)
    before, now = (record["meta"]["faults"] for record in (old, new))
    ends = [fault for fault in (*before, *now) if fault[1] in MEASURED]
    if lower:
        ends += [fault for fault in now if fault not in before]
    if not ends or (at is not None and at < min(fault[2] for fault in ends)):
        bot = "" if seat is None else bots[seat]
        return replace(alike, reproduced=False, action_number=at, bot=bot, message=words)
    cut_before = {fault[0] for fault in before if fault in ends}
    for seat_at_fault, kind, place in sorted(ends, key=itemgetter(2)):
        if [seat_at_fault, kind, place] in now and seat_at_fault not in cut_before:
            return replace(
                alike, reproduced=None, action_number=place, bot=bots[seat_at_fault], fault=kind,
                limits_lowered=lower,
            )  # fmt: skip
    return replace(alike, reproduced=None)


def find_difference(old: dict[str, Any], new: dict[str, Any]) -> tuple[int | None, int | None, str]:
    """Find the first action that differs: its index, the seat responsible, and both actions in
    words.

    The seat is None where no bot can have done it: the deals differ.
    """
    game = games.load(old["game"])
    if games.initial_setup(game, old["setup"]) != games.initial_setup(game, new["setup"]):
        return None, None, "the deals differ"
    for at in range(max(len(old["actions"]), len(new["actions"]))):
        before, now = (record["actions"][at : at + 1] for record in (old, new))
        if before != now:
            seat = _asked_first(old, at, [entry for entries in (before, now) for entry in entries])
            words = [
                f"{entries[0][1]} (seat {entries[0][0]})" if entries else "the end"
                for entries in (before, now)
            ]
            return at, seat, " then ".join(words)
    for before, now in zip(old["meta"]["faults"], new["meta"]["faults"], strict=False):
        if before != now:
            return before[2], before[0], f"a {before[1]} fault then a {now[1]} fault"
    return None, None, "the actions are the same, but the records differ"


def _asked_first(record: dict[str, Any], at: int, entries: list[Any]) -> int:
    """The seat whose decision it was, of two actions that stand in one place.

    Where records keep no passes, as in the window of 17, it is that of the seat that was asked
    first: of a call and the next play the caller's. A forfeit counts like a call there.
    """
    state = replay_to(record, at)
    asked = games.priority(games.load(record["game"]), state.dump())
    window = [
        entry[0]
        for entry in entries
        if entry[0] in asked and (entry[1] == FORFEIT or entry[1] in state.legal())
    ]
    if window:
        return int(min(window, key=asked.index))
    forfeits = [entry[0] for entry in entries if entry[1] == FORFEIT]
    return int(forfeits[0] if forfeits else entries[0][0])


def describe_rerun(game: Again) -> str:
    """The difference in words, and the bot responsible."""
    if not game.bot:
        return f"when replayed, {game.message}; no bot can cause that"
    where = "" if game.action_number is None else f" at action {game.action_number}"
    if game.fault:
        return (
            f"{game.bot} had a {game.fault} fault{where} in two replays but not in the "
            "record: it can recognise a replay, or this machine is short of memory"
        )
    return f"{game.bot} decided differently{where}: {game.message}"


def describe_uncompared(again: Iterable[Again]) -> Iterator[str]:
    """Count games that cannot be compared, and name bots with faults only in the replay. Not those
    that a reader's limits cut short: `arena.cli.options.say_cut_short` reports them.
    """
    unsaid = [game for game in again if game.reproduced is None and not game.limits_lowered]
    if not unsaid:
        return
    only_here = Counter(game.bot for game in unsaid if game.fault)
    bots = [
        f"{bot} had the fault in {times:,} of them only here"
        for bot, times in sorted(only_here.items())
    ]
    words = f"{amount(len(unsaid), 'game')} with a time or memory fault cannot be compared"
    yield "; ".join([words, *bots])
