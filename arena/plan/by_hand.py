"""One game by hand: its seating and its deal, made from the words of `arena play`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import games as rules
from arena import ids, words
from arena.errors import UsageError
from arena.league import BOTS, Source, find_bot, find_league, hash_source, read_bot
from arena.model import Bot, Fixture, Limits, Pool
from arena.plan.config import make_pool
from arena.plan.match import find_free_name
from arena.plan.plan import check_walls, find_private
from arena.sandbox.walls import NONE, WALLS
from games import OptionsError

HUMAN = "human"


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
        return [self.fixture.line_up[place].name for place in self.fixture.seating]


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
    wanted = [each for each in seats if each != HUMAN]
    folder = find_league(Path.cwd()) if wanted else Path.cwd()
    paths = {each: find_bot(folder, each) for each in wanted}
    if confined and paths:
        check_walls(*find_private(folder, folder / "results", paths.values()))
    bots, sources = list[Bot](), dict[str, Source]()
    for each in seats:
        entered = {bot.name: bot for bot in bots}
        if each == HUMAN:
            bots.append(Bot(find_free_name(HUMAN, entered), ""))
            continue
        source = read_bot(paths[each])
        bots.append(Bot(find_free_name(paths[each].name, entered), hash_source(source)))
        sources[bots[-1].name] = source
    line_up = tuple(sorted(bots))
    seating = tuple(map(line_up.index, bots))
    secret = ids.new_secret() if seed is None else ids.secret_from_seed(seed)
    confinement = WALLS if confined else NONE
    identity = ids.Identity(pool, rules.load(game).VERSION, Limits(), confinement, False)
    fixture = Fixture(ids.game_id(identity, line_up, seating, 0), line_up, seating, 0)
    people = frozenset(seat for seat, each in enumerate(seats) if each == HUMAN)
    return ByHand(pool, fixture, people, sources, secret, Limits(), confined)


def _pool(game: str, seats: Sequence[str], given: str) -> Pool:
    """The pool of a game with so many seats. Raises UsageError."""
    rule_set = rules.load(game)
    try:
        options = rules.options_from(rule_set.Options, _table(given))
    except OptionsError as error:
        raise UsageError(*(f"--options: {name}: {what}" for name, what in error.problems)) from None
    counts, players = rule_set.seat_counts(options), len(seats)
    if players not in counts:
        named = ", ".join("you" if each == HUMAN else each for each in seats)
        takes = f"{game} takes {words.either(counts)} players"
        more = min(counts) - players
        found = f"found {players}: {named}"
        if more > 0:
            raise UsageError(
                f"BOT: {takes}; {found}; name {more} more, such as bots of {BOTS}/, or human"
            )
        fewer = next((count for count in reversed(counts) if count < players), counts[0])
        raise UsageError(f"BOT: {takes}; {found}; leave out {players - fewer}")
    return make_pool(rule_set, players, options, "mixed")


def _table(given: str) -> dict[str, Any]:
    """Parse options from JSON. Raises UsageError."""
    try:
        options = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--options: not JSON ({error}); {_SUCH}") from None
    if not isinstance(options, dict):
        raise UsageError(f"--options: found {words.shown(options)}; it takes an object, {_SUCH}")
    return options


_SUCH = """such as '{"bonus": true}'"""
