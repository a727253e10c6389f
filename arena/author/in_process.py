"""Games of your own bots in this process, without sandbox and limits: one game, or two bots
compared on the same decks. Nothing is written to any results.

Rules, records and bots' generators are as in a tournament. What differs: a bot has all of your
rights; no clock and no memory limit ends it; `decide_many` gets one view at a time; the hashes of
texts, and so the order of a set of them, are those of this process (PYTHONHASHSEED).
"""

import json
import random
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import games
from arena import ids
from arena.author import decide
from arena.author.decide import InProcessBot
from arena.author.views import options_of
from arena.errors import UsageError
from arena.league import find_house_bots, hash_source, read_bot, suggest_name
from arena.model import Bot, Fixture, Forfeit, Limits
from arena.plan import find_free_name, make_pool
from arena.records import make_body, make_line
from arena.sandbox.capture import is_word
from arena.sandbox.randomness import LOADING_SEED, Generators
from arena.schedule import make_seatings
from arena.words import either, not_one_of, shown
from games import IllegalAction, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

FAULTS = ("raise", "forfeit")


class PlayedGame(NamedTuple):
    """A game that is over."""

    result: games.Result
    record: dict[str, Any]  # as `arena records` prints it


class Duel(NamedTuple):
    """How bot `a` did against `b` on some decks.

    A deck's payoff is the share of its opponents that `a` left behind less the share that `b` did,
    -1 to 1, as a mean of both games. Duels with one seed subtract, deck by deck: `duel(new, other,
    ...) - duel(old, other, ...)`.
    """

    mean: float  # of the payoffs: above 0 where `a` did better
    error: float  # standard error of the mean
    payoffs: "NDArray[Any]"  # by deck, a numpy array
    forfeits: tuple[int, int]  # games that a and b forfeited

    @classmethod
    def of(cls, payoffs: "NDArray[Any]", forfeits: tuple[int, int]) -> Self:
        """Make one of the payoffs of two decks or more."""
        error = payoffs.std(ddof=1) / len(payoffs) ** 0.5
        return cls(float(payoffs.mean()), float(error), payoffs, forfeits)

    def __sub__(self, other: "Duel") -> "Duel":
        """The difference of the payoffs; `forfeits` are those of this one."""
        return Duel.of(self.payoffs - other.payoffs, self.forfeits)


def play(
    game: str, bots: Sequence[Any], *, seed: int = 0, deck: int = 0, dice: int | None = None,
    options: Any = None, faults: str = "raise",
) -> PlayedGame:  # fmt: skip
    """Play one game in this process, without sandbox and limits; `bots` by seat.

    A bot is a name (in the league's `bots/`, or a house bot's), a path, a function `decide` or
    `decide_many`, a class such as `Bot`, or an object with a method `decide`. `seed` and `deck`
    decide the deal and the numbers that each seat draws (those come from `dice`, if given): the
    same ones give the same game. `options` are the rule options that differ from the default.

    A bot's exception reaches the caller with a note of its place in the game, and an illegal
    decision raises NoDecision; with `faults="forfeit"` the seat forfeits. Raises UsageError.
    """
    if isinstance(bots, str | Path):
        raise UsageError(f"play: bots: found {shown(bots)}; expected a list, a bot for each seat")
    table = _Table("play", game, len(bots), options, faults)
    with decide.lend_random(bots) as generators:
        seats = _load("play", bots, generators)
        state, forfeits = table.play(generators, seats, (seed, deck, dice))
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
) -> Duel:  # fmt: skip
    """Compare two bots in this process, without sandbox and limits; bots are given as in `play`.

    Both sit at one table; each deck is played twice, with `a` and `b` in each other's seats the
    second time. A seat draws the same numbers in both games, and in every duel with this seed.
    Further seats are filled from `others`, by default the house bots, alike in every duel with this
    seed. In teams, `a` and `b` are a team each. Without `players`, as few play as can.
    """
    import numpy as np

    table = _Table("duel", game, players, options, faults)
    pool, free = table.pool, table.pool.entrants - 2
    fill = [bot.path for bot in find_house_bots()] if others is None else others
    if decks < 2:
        raise UsageError(f"duel: decks: found {decks}; expected 2 or more")
    if len(fill) < free:
        raise UsageError(f"duel: others: found {len(fill)}; {pool.title} takes {free} or more")
    ways, payoffs, forfeited = make_seatings(pool, "auto"), np.zeros(decks), [0, 0]
    with decide.lend_random([a, b, *fill]) as generators:
        loaded = _load("duel", [a, b, *(fill if free else ())], generators)
        for deck, sign in ((deck, sign) for deck in range(decks) for sign in (1, -1)):
            way = ways[deck % len(ways)]
            rest = games.shuffled(loaded[2:], random.Random(f"{seed} {deck}"))[:free]
            line_up = loaded[:2][::sign] + rest
            seats = [line_up[place] for place in way]
            state, forfeits = table.play(generators, seats, (seed, deck, None), sign)
            ranks = [state.result()["ranks"][way.index(place)] for place in range(pool.entrants)]
            payoffs[deck] += sign * (_beaten(ranks, 0) - _beaten(ranks, 1)) / 2
            for place in {way[seat] for seat, *_ in forfeits} & {0, 1}:
                forfeited[place if sign > 0 else 1 - place] += 1
    return Duel.of(payoffs, (forfeited[0], forfeited[1]))


def _beaten(ranks: Sequence[int], place: int) -> float:
    """The share of the others that the one in a place left behind, ties half."""
    behind = sum((rank > ranks[place]) + (rank == ranks[place]) / 2 for rank in ranks) - 0.5
    return behind / (len(ranks) - 1)


class _Loaded(NamedTuple):
    """A bot that can be asked."""

    bot: Bot
    is_folder: bool
    kind: str
    given: Any  # its function or class


def _load(caller: str, bots: Sequence[Any], generators: Generators) -> list[_Loaded]:
    """Load each of the bots, files anew; different bots get different names."""
    loaded, entered = list[_Loaded](), dict[object, Bot]()
    for given in bots:
        path = decide.find_player(given) if isinstance(given, str | Path) else None
        name, source = suggest_name(decide.name_of(given)), None
        if path:
            name, source, home = path.name, read_bot(path), path.path.absolute()
            generators.table, generators.refusal = None, ""
            random.seed(LOADING_SEED)  # so that each draws the same numbers while it loads
            with decide.lend_imports(home):
                kind, player = decide.load(home, source)
        else:
            kind, player = decide.take(caller, given)
        key = path or id(given)
        if key not in entered:
            free = find_free_name(name, {bot.name: bot for bot in entered.values()})
            entered[key] = Bot(free, hash_source(source) if source else "")
        loaded.append(_Loaded(entered[key], bool(source and source.is_folder), kind, player))
    return loaded


class _Table:
    """A game with so many seats under some options."""

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
        self._forgiven = (Exception, SystemExit) if faults == "forfeit" else ()

    def play(
        self, generators: Generators, bots: Sequence[_Loaded], chance: tuple[int, int, int | None],
        number: int = 0,
    ) -> tuple[State, list[Forfeit]]:  # fmt: skip
        """Play a game to its end, bots by seat. `chance` is seed, deck and the seed of the dice;
        `number` tells the games of a deck apart.
        """
        pool, (seed, deck, dice) = self.pool, chance
        secret = ids.secret_from_seed(seed)
        key = ids.bots_key(secret if dice is None else ids.secret_from_seed(dice))
        tables, _ = ids.draw_seat_numbers(key, f"deck {deck}, game {number}", pool.players)
        _, seeds = ids.draw_seat_numbers(key, f"deck {deck}", pool.players)
        for table, own in zip(tables, seeds, strict=True):
            generators.begin(table, own)
        setup = ids.deal_setup(self.rules, self._options, secret, pool, (), deck, None)
        state = self.rules.State(self._options, pool.players, setup)
        asked = [InProcessBot(bot.kind, bot.given, generators) for bot in bots]
        forfeits = list[Forfeit]()
        seat: int | None
        try:
            while (seat := state.turn) is not None:
                if seat in state.out or not state.choice():
                    state.apply(state.legal()[0])
                    continue
                view = state.view(seat, tables[seat])
                if kind := self._ask(state, asked[seat], view, bots[seat]):
                    state.forfeit(seat)
                    forfeits.append((seat, kind, len(state.actions) - 1))
            for seat in sorted({*range(pool.players)} - {*state.out}):
                with suppress(*self._forgiven):  # as in a tournament, it costs no game
                    asked[seat].end(tables[seat], state.result())
        except BaseException as error:
            place = f"seed {seed}, deck {deck}, action {len(state.actions)}"
            error.add_note(f"{bots[seat or 0].bot.name} in seat {seat} of {pool.title}: {place}")
            raise
        finally:
            for table in tables:
                generators.forget(table)
        return state, forfeits

    def _ask(self, state: State, asked: InProcessBot, view: Any, bot: _Loaded) -> str:
        """Ask for a decision and carry it out; the kind of fault if the seat is to forfeit."""
        try:
            answer = asked.decide(view)
        except self._forgiven as error:
            return "memory" if isinstance(error, MemoryError) else "error"
        with suppress(IllegalAction):
            if is_word(answer):
                state.apply(answer)
                return ""
        if not self._forgiven:
            raise decide.refuse(bot.bot.name, bot.is_folder, view, answer)
        return "illegal"
