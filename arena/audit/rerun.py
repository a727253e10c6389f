"""Playing stored games again, with the bots as they are kept, to see whether they come out alike.

The arena's part is the same each time: the deal, the views, the generators. So a difference is a
bot's doing, and the bot is named: the one whose decision is the first to differ.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import games
from arena.audit.deals import Given, evidence
from arena.audit.lawful import unlawful
from arena.errors import ArenaError, UsageError
from arena.league.files import Source, problem_of
from arena.league.snapshots import snapshots
from arena.model import MEASURED_FAULTS, Bot, Entry, Played, Pool, StoredPlan
from arena.plan.plan import check_walls
from arena.process.loading import unloadable
from arena.process.zygote_client import ZygoteClient
from arena.records import replay
from arena.records.format import line_of
from arena.sandbox.walls import WALLS
from arena.schedule.order import schedules
from arena.session.session import Job, Session
from arena.steps import UNTOLD, Steps
from arena.store.plans import plan_in, schedule_of
from arena.store.scan import StoredGame
from arena.store.store import Store
from games import FORFEIT


class Again(NamedTuple):
    """A game that was played again."""

    game: str  # id
    pool: Pool
    bots: tuple[str, ...]  # by seat
    alike: bool | None  # None: a clock or the memory had a word in it, so nothing can be said
    at: int | None = None  # index of the first action that differs
    bot: str = ""  # whose it is; "" if the arena's own
    what: str = ""  # how it differs, in words


def again(
    store: Store,
    count: int,
    unconfined: bool = False,
    steps: Steps = UNTOLD,
    given: Given = None,
) -> Iterator[Again]:
    """Yield `count` stored games played again, always the same ones, pool by pool. A copy takes
    what is `given` of its deals (`deals.evidence`).

    Raises UsageError where the sources or the secret are not kept, or where the games were played
    by bots that nothing confined and `unconfined` does not say that this may happen again.
    """
    plan, secret = plan_in(store), allow(store, unconfined, given)
    confined = plan.confinement == WALLS
    chosen: dict[Entry, list[StoredGame]] = {}
    steps.begin("playing games again", count)
    for row, entry in sample(store, plan, count):
        chosen.setdefault(entry, []).append(row)
    bots = sorted({bot for rows in chosen.values() for row in rows for bot in row.line_up})
    with snapshots(_sources(store, bots), bots) as paths:
        zygote = ZygoteClient(confined)
        try:
            unloaded = unloadable(paths, plan.limits, zygote)
            for entry, rows in chosen.items():
                fixtures = tuple(row.fixture for row in rows)
                job = Job(
                    entry.pool, plan.limits, entry.duplicate, fixtures, secret, plan.seeds, unloaded
                )
                played: list[Played] = []

                def emit(game: Played, played: list[Played] = played) -> None:
                    played.append(game)
                    steps.done()

                Session(job, paths, zygote, emit, lambda: None).play()
                by_id = {game.fixture.id: game for game in played}
                for row in rows:
                    yield compare(row, by_id[row.id])
        finally:
            zygote.close()


def allow(store: Store, unconfined: bool, given: Given = None) -> bytes:
    """Return the secret; raise the UsageError that `again` would raise, before anything is done."""
    plan = plan_in(store)
    secret = evidence(store, plan, given).secret
    if secret is None and store.public:
        raise UsageError(
            f"{store.path}: is a published copy: without its secret no game can be "
            "played again; ask its owner to, or to reveal it"
        )
    if secret is None:
        raise ArenaError(
            f"{store.path}: the secret that deals come from is damaged: no game can be played "
            "again; put a copy in its place"
        )
    if store.public and any(store.source_of(bot) is None for bot in store.bots()[:1]):
        raise UsageError(
            f"{store.path}: is a published copy without the bots: no game can be played again; "
            "ask its owner for one made with --with-sources"
        )
    if plan.confinement == WALLS:
        check_walls(store.path)
    elif not unconfined:
        raise UsageError(
            f"{store.path}: its bots were played unconfined; --unconfined lets them "
            "run so again, with your rights"
        )
    return secret


def sample(store: Store, plan: StoredPlan, count: int) -> list[tuple[StoredGame, Entry]]:
    """Return the plan's games with the lowest ids, with their entries: ids are hashes, so that is
    as good as drawn at random, and the same each time.
    """
    planned = schedules(plan)
    drawn: list[tuple[StoredGame, Entry]] = []
    for row in store.games(in_order_of_id=True):
        if len(drawn) == count:
            break
        if row.sound and (own := schedule_of(planned, row)) is not None:
            if problem := unlawful(row)[0]:
                raise ArenaError(
                    f"{store.path}: game {row.id}: {problem}; `arena verify` says more"
                )
            drawn.append((row, own.entry))
    return drawn


def _sources(store: Store, bots: Sequence[Bot]) -> dict[str, Source]:
    sources = {}
    for bot in bots:
        files = store.source_of(bot)
        if files is None:
            raise UsageError(f"{store.path}: the source of {bot.name} is not kept in it")
        if problem := problem_of(Source(files), bot.hash):
            raise ArenaError(f"{store.path}: bot {bot.name}: {problem}")
        sources[bot.name] = Source(files)
    return sources


def compare(row: StoredGame, played: Played) -> Again:
    """Return how a game came out the second time."""
    old = json.loads(row.line)
    new = json.loads(line_of(row.pool, played.fixture, played.forfeits, played.body))
    bots = tuple(old["meta"]["bots"])
    told = Again(row.id, row.pool, bots, True)
    if old == new:
        return told
    kinds = {fault[1] for record in (old, new) for fault in record["meta"]["faults"]}
    if kinds & MEASURED_FAULTS:
        return told._replace(alike=None)
    at, seat, words = first_difference(old, new)
    return told._replace(alike=False, at=at, bot="" if seat is None else bots[seat], what=words)


def first_difference(
    old: dict[str, Any], new: dict[str, Any]
) -> tuple[int | None, int | None, str]:
    """Return the index of the first action that differs, whose it is, and both in words.

    The seat is None where no bot can have done it: the deals differ.
    """
    game = games.load(old["game"])
    if games.dealt(game, old["setup"]) != games.dealt(game, new["setup"]):
        return None, None, "the deal is another"
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
            return before[2], before[0], f"a fault of kind {before[1]} then one of {now[1]}"
    return None, None, "the records differ though the actions do not"


def _asked_first(record: dict[str, Any], at: int, entries: list[Any]) -> int:
    """Return the seat whose decision it was, of two actions that stand in one place.

    Where records keep no passes, as in the window of 17, it is that of the seat that was asked
    first: of a call and the next play the caller's. A forfeit counts like a call there.
    """
    state = replay.state_at(record, at)
    asked = games.asked(games.load(record["game"]), state.dump())
    window = [
        entry[0]
        for entry in entries
        if entry[0] in asked and (entry[1] == FORFEIT or entry[1] in state.legal())
    ]
    if window:
        return int(min(window, key=asked.index))
    forfeits = [entry[0] for entry in entries if entry[1] == FORFEIT]
    return int(forfeits[0] if forfeits else entries[0][0])


def in_words(game: Again) -> str:
    """Return the difference in words, and whose doing it is."""
    if not game.bot:
        return f"played again, {game.what}; no bot can cause that"
    where = "" if game.at is None else f" at action {game.at}"
    return f"{game.bot} decided differently{where}: {game.what}"
