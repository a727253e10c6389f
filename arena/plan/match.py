"""Plans without a config: a match, and one game by hand.

In a match, two bots, or two versions of one, play until the difference is significant. It is a
tournament with a results folder of its own, whose line-ups all hold both; at tables with more
seats, the house bots fill them, or others that are named. Each deck is played twice, the second
time with the two in each other's seats, and a seat has the same dice in both games: the two have
the same luck. After each of the planned stages a sequential test looks at every pool alone
(`arena.sequential.stages`), and a pool that is decided is played no further.

Or both play apart, against the same field: each line-up has one of the two, and in the second game
of a deck the other one takes its seat.
"""

import json
from collections.abc import Callable, Container, Sequence
from itertools import chain, count
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import games as rules
from arena import ids, words
from arena.errors import UsageError
from arena.league.bots import (
    BOTS,
    BotPath,
    as_glob,
    find_bot,
    find_bots,
    find_house_bots,
    find_league,
)
from arena.league.entries import Sources, read_entries
from arena.league.files import Source, hash_source, hash_text, read_bot
from arena.league.revisions import name_revision, read_revision
from arena.model import NONE, WALLS, Bot, Entry, Fixture, Limits, Mirrored, Pool, Wanted
from arena.plan.config import make_pool
from arena.plan.plan import Plan, check_walls, find_private
from arena.schedule.seatings import count_decks_of_deal
from arena.sequential.stages import plan_stages
from arena.system.machine import choose_workers
from games import OptionsError

GAMES = 5_000  # of a pool, at most, but for what makes the last deal whole
LINE_UPS = 12  # that are drawn where the other seats could be filled in more ways
SEATINGS = 2
"""Of a deal, in turn: with all of them and 12 line-ups, the first look would come after 72 to 576
games, where 20 decks may do."""

HUMAN = "human"
_SUCH = """such as '{"bonus": true}'"""


class Terms(NamedTuple):
    """The match that the user asked for."""

    games: Sequence[str] = ()  # none: all there are
    players: int | None = None  # None: of each game the fewest
    others: Sequence[str] = ()  # globs: who fills the other seats; none: the house bots
    most: int = GAMES  # of each pool
    level: float = 0.95  # how sure to be of a verdict
    seed: int | None = None
    field: bool = False  # whether the two play apart, against the others


def plan_match(
    given: Sequence[str],
    terms: Terms,
    results: Path | None = None,
    workers: int | None = None,
    confined: bool = True,
    pinned: bool = True,
    since: str | None = None,
    read: Callable[[BotPath, str, Path], Source] = read_revision,
) -> Plan:
    """Plan a match between two bots, each given by its name or path; or between one bot and its
    version `since` a git revision, or whatever else `read` takes.

    If two have one name, the second is called NAME_2. Raises UsageError, and Unconfinable if bots
    are to be confined and cannot be here.
    """
    folder = find_league(Path.cwd())
    pools = find_pools(terms)
    bot_paths = [find_bot(folder, bot) for bot in given]
    entered = [(bot.name, read_bot(bot)) for bot in bot_paths]
    if since is not None:
        then = read(bot_paths[0], since, folder)
        if hash_source(then) == hash_source(entered[0][1]):
            same = f"{bot_paths[0].path}: has not changed since {since}"
            raise UsageError(f"A: {same}; name an earlier version, or change it first")
        entered.append((name_revision(bot_paths[0].name, since), then))
    seats = max(pool.entrants for pool in pools)
    others, left_out = list[BotPath](), list[str]()
    apart = int(terms.field)  # of the two at a table, one less
    if seats + apart > 2:
        playing = {bot.path.resolve() for bot in bot_paths}
        if terms.others:
            places = ["--with: "] * len(terms.others)
            league = find_bots(folder, [*map(as_glob, terms.others)], places, left_out.append)
            others = [bot for bot in league if bot.path.resolve() not in playing]
        else:  # of the installed package, which every bot may read
            entered += [(bot.name, read_bot(bot)) for bot in find_house_bots()]
    rest = read_entries(folder, others)
    sources, bots, texts = Sources(), list[Bot](), set[str]()
    others_read = ((bot.name, rest.sources[bot.name]) for bot in rest.bots
                   if bot.name not in rest.refused)  # fmt: skip
    for called, source in chain(entered, others_read):
        bot = Bot(find_free_name(called, sources), hash_source(source))
        if len(bots) < 2 or hash_text(source) not in texts:  # no bot sits twice
            sources.add(bot.name, source)
            bots.append(bot)
            texts.add(hash_text(source))
    bot_paths += [bot for bot in others if bot.name not in rest.refused]
    if len(bots) < seats + apart:
        needs = seats - 2 + apart
        raise UsageError(
            f"--with: found {words.amount(len(bots) - 2, 'other bot')}; "
            f"{pools[-1].title} needs {needs}"
        )
    name = f"match-{bots[0].name}-{bots[1].name}{'-field' * apart}"
    results_folder = results or folder / "results" / name
    if confined:
        check_walls(*find_private(folder, results_folder, bot_paths))
    return Plan(
        name=name,
        folder=results_folder,
        seed=terms.seed,
        workers=workers or choose_workers(),
        limits=Limits(),
        confinement=WALLS if confined else NONE,
        wanted=tuple(_wanted(pool, bots, terms) for pool in pools),
        sources=sources,
        pinned=pinned,
        left_out=(*left_out, *(f"{name}: skipped: {why}" for name, why in rest.refused.items())),
        beside=frozenset(
            path.name for bot in bot_paths[:2] for path in bot.path.resolve().parent.iterdir()
        ),
        folders=frozenset(sources.folders),
    )


def find_pools(terms: Terms) -> list[Pool]:
    """The pools to play, those with fewest entrants first. Raises UsageError where there is
    none.
    """
    for name in terms.games:
        if name not in rules.names():
            raise UsageError(f"--game: {words.not_one_of(name, rules.names())}")
    pools, allowed = [], {}
    for name in sorted(set(terms.games or rules.names())):
        game = rules.load(name)
        allowed[name] = game.seat_counts(game.Options())
        players = terms.players or min(allowed[name])
        if players in allowed[name]:
            pools.append(make_pool(game, players, game.Options(), "same"))
    if not pools:
        takes = ", ".join(f"{name} takes {words.either(n)}" for name, n in allowed.items())
        raise UsageError(f"--players: found {terms.players}; {takes}")
    return sorted(pools, key=lambda pool: pool.entrants)


def find_free_name(name: str, taken: Container[str]) -> str:
    """The name itself, or NAME_2 and so on if it is taken."""
    numbered = (f"{name[:29]}_{number}" for number in count(2))
    return name if name not in taken else next(free for free in numbered if free not in taken)


def _wanted(pool: Pool, bots: Sequence[Bot], terms: Terms) -> Wanted:
    """Plan the games of a pool: as many deals as come to the most games that are played."""
    two = (bots[0].name, bots[1].name)
    entrants = tuple(sorted(bots if pool.entrants > 2 or terms.field else bots[:2]))
    one, other = sorted(two)
    sharing = Mirrored((one, other), terms.field)
    entry = Entry(
        pool=pool, bots=entrants, deals=1, seatings=SEATINGS, shared_decks=sharing, fixed_bots=two
    )
    parties = entry.parties
    others = comb(len(entrants) - 2, pool.entrants - len(parties[0]))
    line_ups = min(others, LINE_UPS) * len(parties)
    deals = -(-terms.most // (line_ups * SEATINGS))
    decks = count_decks_of_deal(entry, line_ups)
    planned = plan_stages(entry._replace(deals=deals), decks, terms.level, line_ups)
    return Wanted(planned, line_ups)


class ByHand(NamedTuple):
    """A game of people and bots."""

    pool: Pool
    fixture: Fixture
    people: frozenset[int]  # seats
    sources: dict[str, Source]  # by bot's name; people have none
    secret: bytes  # that the deal comes from
    limits: Limits
    confined: bool

    @property
    def names(self) -> list[str]:
        """The names of the players, by seat."""
        return self.fixture.names


def plan_by_hand(
    game: str,
    given: Sequence[str],
    options: str = "{}",
    seed: int | None = None,
    confined: bool = True,
) -> ByHand:
    """Plan a game of the players `given`, by seat: bots by name or path, `human` for a person.
    Without a person among them, one gets the first seat.

    The same seed and bots give the same deal; None draws one. Raises UsageError, and Unconfinable
    if bots are to be confined and cannot be here.
    """
    if game not in rules.names():
        raise UsageError(f"GAME: {words.not_one_of(game, rules.names())}")
    seats = list(given) if HUMAN in given else [HUMAN, *given]
    pool = _pool(game, seats, options)
    wanted = [player for player in seats if player != HUMAN]
    folder = find_league(Path.cwd()) if wanted else Path.cwd()
    paths = {player: find_bot(folder, player) for player in wanted}
    if confined and paths:
        check_walls(*find_private(folder, folder / "results", paths.values()))
    bots, sources = list[Bot](), dict[str, Source]()
    for player in seats:
        entered = {bot.name: bot for bot in bots}
        if player == HUMAN:
            bots.append(Bot(find_free_name(HUMAN, entered), ""))
            continue
        source = read_bot(paths[player])
        bots.append(Bot(find_free_name(paths[player].name, entered), hash_source(source)))
        sources[bots[-1].name] = source
    line_up = tuple(sorted(bots))
    seating = tuple(map(line_up.index, bots))
    secret = ids.new_secret() if seed is None else ids.secret_from_seed(seed)
    identity = ids.Identity(pool, rules.load(game).VERSION, Limits(), ids.LEAGUE, False)
    fixture = Fixture(ids.game_id(identity, line_up, seating, 0), line_up, seating, 0)
    people = frozenset(seat for seat, player in enumerate(seats) if player == HUMAN)
    return ByHand(
        pool=pool,
        fixture=fixture,
        people=people,
        sources=sources,
        secret=secret,
        limits=Limits(),
        confined=confined,
    )


def _pool(game: str, seats: Sequence[str], given: str) -> Pool:
    """The pool of a game with so many seats. Raises UsageError."""
    rule_set = rules.load(game)
    try:
        options = rules.parse_options(rule_set.Options, _table(given))
    except OptionsError as error:
        raise UsageError(*(f"--options: {name}: {what}" for name, what in error.problems)) from None
    counts, players = rule_set.seat_counts(options), len(seats)
    if players not in counts:
        named = ", ".join("you" if seat == HUMAN else seat for seat in seats)
        takes = f"{game} takes {words.either(counts)} players"
        more = min(counts) - players
        named = f"found {players}: {named}"
        if more > 0:
            raise UsageError(
                f"BOT: {takes}; {named}; name {more} more, such as bots of {BOTS}/, or human"
            )
        fewer = next((count for count in reversed(counts) if count < players), counts[0])
        raise UsageError(f"BOT: {takes}; {named}; leave out {players - fewer}")
    return make_pool(rule_set, players, options, "mixed")


def _table(given: str) -> dict[str, Any]:
    """Parse options from JSON. Raises UsageError."""
    try:
        options = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--options: not JSON ({error}); {_SUCH}") from None
    if not isinstance(options, dict):
        raise UsageError(f"--options: found {words.spell(options)}; expected an object, {_SUCH}")
    return options
