"""Games refereed in this process: one game, or two bots compared on the same decks. Nothing is
written to any results.

Rules, records and bots' generators are as in a tournament, but `decide_many` gets one view at a
time. Bots' files play behind the walls. House bots, and what the caller trusts, play in this
process: there a bot has all of your permissions, no clock and no memory limit ends it, and the
hashes of texts, and so the order of a set of them, are those of this process (PYTHONHASHSEED).
"""

import json
import random
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import games
from arena import ids
from arena.author.players import Loaded, NoDecision, load_bots
from arena.author.views import options_of
from arena.errors import ArenaError, UsageError
from arena.league.bots import find_house_bots
from arena.model import Fixture, Forfeit, Limits
from arena.plan.config import make_pool
from arena.records.record import make_body, make_line
from arena.sandbox import wire
from arena.sandbox.capture import is_word
from arena.schedule.seatings import make_seatings
from arena.words import amount, either, not_one_of, spell
from games import State

if TYPE_CHECKING:
    from numpy.typing import NDArray


FAULTS = ("raise", "forfeit")


class PlayedGame(NamedTuple):
    """A game that is over."""

    result: games.Result
    record: dict[str, Any]  # as `arena records` prints it


class Duel(NamedTuple):
    """The result of bot `a` against `b` on some decks.

    A deck's payoff is the share of its opponents that `a` left behind less the share that `b` did,
    -1 to 1, as a mean of both games. Duels with one seed subtract, deck by deck: `duel(new, other,
    ...) - duel(old, other, ...)`.
    """

    mean: float  # of the payoffs: above 0 where `a` did better
    error: float  # standard error of the mean
    payoffs: "NDArray[Any]"  # by deck, a numpy array
    forfeits: tuple[int, int]  # games that a and b forfeited
    played: str  # the pool, the number of decks and the seed

    def __sub__(self, other: "Duel") -> "Duel":
        """The difference of the payoffs; `forfeits` are those of this one. Raises UsageError where
        the decks are not the same.
        """
        if self.played != other.played:
            raise UsageError(f"duel: found {self.played} less {other.played}; give both the same")
        return _sum_up(self.payoffs - other.payoffs, self.forfeits, self.played)


def _sum_up(payoffs: "NDArray[Any]", forfeits: tuple[int, int], played: str) -> Duel:
    error = payoffs.std(ddof=1) / len(payoffs) ** 0.5
    return Duel(float(payoffs.mean()), float(error), payoffs, forfeits, played)


def play(
    game: str, bots: Sequence[Any], *, seed: int = 0, deck: int = 0, dice: int | None = None,
    options: Any = None, faults: str = "raise", confined: bool | None = None,
) -> PlayedGame:  # fmt: skip
    """Play one game; `bots` by seat.

    A bot is a name (in the league's `bots/`, or a house bot's), a path, a function `decide` or
    `decide_many`, a class such as `Bot`, or an object with a method `decide`. `seed` and `deck`
    decide the deal and the numbers that each seat draws (those come from `dice`, if given): the
    same ones give the same game. `options` are the rule options that differ from the default.

    A bot given by path or name is confined and limited as in a tournament, unless its files are
    those of a house bot. `confined=False` is for bots of your own: they run in this process with
    all of your permissions, as functions, classes and objects always do. `confined=True` confines
    house bots too.

    The exception of a bot in this process reaches the caller, and an illegal decision or a failure
    of a confined bot raises NoDecision, each with a note of its place in the game; with
    `faults="forfeit"` the seat forfeits. Raises UsageError, and Unconfinable where bots cannot be
    confined.
    """
    if isinstance(bots, str | Path):
        raise UsageError(f"play: bots: found {spell(bots)}; expected a list, a bot for each seat")
    table = _Table("play", game, len(bots), options, faults)
    with load_bots("play", bots, confined, table.hello, Limits()) as seats:
        state, forfeits = table.play(seats, (seed, deck, dice))
    line_up = tuple(sorted({seat.bot for seat in seats}))
    seating = tuple(line_up.index(seat.bot) for seat in seats)
    origin = f"in process, seed {seed}, dice {dice}"
    identity = ids.Identity(table.pool, table.rules.VERSION, Limits(), origin, False)
    fixture = Fixture(ids.game_id(identity, line_up, seating, deck), line_up, seating, deck)
    result = state.result()
    line = make_line(table.pool, fixture, forfeits, make_body(table.rules, state, result))
    return PlayedGame(games.Result(result), json.loads(line))


def duel(
    a: Any, b: Any, game: str, *, decks: int = 200, seed: int = 0, players: int | None = None,
    options: Any = None, others: Sequence[Any] | None = None, faults: str = "raise",
    confined: bool | None = None,
) -> Duel:  # fmt: skip
    """Compare two bots; bots are given, and confined, as in `play`.

    Both sit at one table; each deck is played twice, with `a` and `b` in each other's seats the
    second time. A seat draws the same numbers in both games, and in every duel with this seed.
    Further seats are filled from `others`, by default the house bots, alike in every duel with this
    seed. In teams, `a` and `b` are a team each. Without `players`, as few play as can.
    """
    import numpy as np

    table = _Table("duel", game, players, options, faults)
    pool, free = table.pool, table.pool.entrants - 2
    fill = [bot.path for bot in find_house_bots()] if others is None else others
    if isinstance(fill, str):
        raise UsageError(f"duel: others: found {spell(fill)}; expected a list of bots")
    if decks < 2:
        raise UsageError(f"duel: decks: found {decks}; expected 2 or more")
    if len(fill) < free:
        raise UsageError(f"duel: others: found {len(fill)}; {pool.title} takes {free} or more")
    ways, payoffs, forfeited = make_seatings(pool, "auto"), np.zeros(decks), [0, 0]
    given = [a, b, *(fill if free else ())]
    # in a team each is loaded for itself: partners share nothing
    entries = given * (pool.players // pool.entrants)
    with load_bots("duel", entries, confined, table.hello, Limits()) as loaded:
        for deck, sign in ((deck, sign) for deck in range(decks) for sign in (1, -1)):
            way = ways[deck % len(ways)]
            rest = games.shuffled(range(2, len(given)), random.Random(f"{seed} {deck}"))[:free]
            line_up = [0, 1][::sign] + rest
            seats = [
                loaded[line_up[place] + seat // pool.entrants * len(given)]
                for seat, place in enumerate(way)
            ]
            state, forfeits = table.play(seats, (seed, deck, None), sign)
            ranks = [state.result()["ranks"][way.index(place)] for place in range(pool.entrants)]
            ours, other = (sum((rank > one) - (rank < one) for rank in ranks) for one in ranks[:2])
            payoffs[deck] += sign * (ours - other) / 4 / (pool.entrants - 1)
            for place in {way[seat] for seat, *_ in forfeits} & {0, 1}:
                forfeited[place if sign > 0 else 1 - place] += 1
    played = f"{amount(decks, 'deck')} of {pool.title}, seed {seed}"
    return _sum_up(payoffs, (forfeited[0], forfeited[1]), played)


class _Table:
    def __init__(
        self, caller: str, game: str, players: int | None, options: Any, faults: str
    ) -> None:
        if game not in games.names():
            raise UsageError(f"{caller}: {not_one_of(game, games.names())}")
        if faults not in FAULTS:
            raise UsageError(f"{caller}: faults: {not_one_of(faults, FAULTS)}")
        self.rules = games.load(game)
        self._options = options_of(caller, self.rules, options)
        counts = self.rules.seat_counts(self._options)
        seats = min(counts) if players is None else players
        if seats not in counts:
            takes = f"{game} takes {either(counts)} with these options"
            raise UsageError(f"{caller}: players: found {seats}; {takes}")
        self.pool = make_pool(self.rules, seats, self._options, "same")
        self.hello = wire.Hello(game, games.changed_options(self._options))
        self._forgiven = (Exception, SystemExit) if faults == "forfeit" else ()

    def play(
        self, bots: Sequence[Loaded], chance: tuple[int, int, int | None], number: int = 0
    ) -> tuple[State, list[Forfeit]]:
        """Play a game to its end, bots by seat. `chance` is seed, deck and the seed of the dice;
        `number` tells the games of a deck apart.
        """
        pool, (seed, deck, dice) = self.pool, chance
        secret = ids.secret_from_seed(seed)
        key = ids.bots_key(secret if dice is None else ids.secret_from_seed(dice))
        tables, _ = ids.draw_seat_numbers(key, f"deck {deck}, game {number}", pool.players)
        _, seeds = ids.draw_seat_numbers(key, f"deck {deck}", pool.players)
        begun = map(wire.Begun, tables, seeds)
        setup = ids.deal_setup(self.rules, self._options, secret, pool, (), deck, None)
        state = self.rules.State(self._options, pool.players, setup)
        asked = [bot.sit(start) for bot, start in zip(bots, begun, strict=True)]
        forfeits = list[Forfeit]()
        seat: int | None
        try:
            while (seat := state.to_act) is not None:
                if seat in state.forfeited or not state.has_choice():
                    state.apply(state.legal()[0])
                    continue
                view = state.view(seat, tables[seat])
                try:
                    answer = asked[seat].decide(view)
                    if not (is_word(answer) and answer in view.legal):
                        raise bots[seat].refuse(view, answer)
                except ArenaError:  # no bot's fault
                    raise
                except self._forgiven as error:
                    kind = "memory" if isinstance(error, MemoryError) else "error"
                    kind = error.kind if isinstance(error, NoDecision) else kind
                    state.forfeit(seat)
                    forfeits.append((seat, kind, len(state.actions) - 1))
                else:
                    state.apply(answer)
            for seat, bot in enumerate(bots):
                told = None if seat in state.forfeited else state.result()
                with suppress(*self._forgiven):  # as in a tournament, it costs no game
                    if failure := asked[seat].end(told):
                        raise bot.refuse(None, failure)
        except BaseException as error:
            place = f"seed {seed}, deck {deck}, action {len(state.actions)}"
            error.add_note(f"{bots[seat or 0].bot.name} in seat {seat} of {pool.title}: {place}")
            raise
        return state, forfeits
