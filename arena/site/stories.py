"""Games that tell a story: upsets, close ones, comebacks. Pure.

Each has one winner and no forfeit, and a sentence that says who beat whom and by how much.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

import games as rules
from arena.model import Outcome
from arena.rating.outcomes import Ints
from arena.rating.rate import win_chance
from arena.records.questions import play_steps
from arena.records.record import Divergence, open_record, parse_entry
from arena.site.stats_pool import Games, leads
from arena.tables.notes import ordinal
from games import IllegalAction

Kind = Literal["upset", "close", "comeback", "best", "worst", "closest", "fault", "line-up"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Kinds in the order in which games are listed."""

UNLIKELY = 1 / 3  # an upset is what ratings give less than this chance
CLOSE = 1 / 4  # of what games of the pool are usually won by; one point is always close
LATE, FAR = 1 / 2, 1 / 2  # of a game's steps; of what games of the pool are usually won by


class Why(NamedTuple):
    """A reason to watch a game."""

    kind: Kind
    words: str
    weight: float = 0.0  # of those of its kind the least is listed first
    bot: str = ""  # whose best, worst or closest game, or fault, it is
    step: int | None = None  # where to look; None: at the beginning
    seat: int | None = None  # as which seat; None: with all hands open


class WatchedGame(NamedTuple):
    """A game that may be, or is, chosen to be watched."""

    pool: str  # title
    rank: int  # among those of its kind in its pool, from 0
    game: Outcome
    reasons: tuple[Why, ...]  # in the order of `KINDS`

    @property
    def kind(self) -> Kind:
        """The first of its reasons."""
        return self.reasons[0].kind

    @property
    def why(self) -> tuple[str, ...]:
        """Its reasons in words; an upset may be a close game in the same words."""
        return tuple(dict.fromkeys(reason.words for reason in self.reasons))

    @property
    def winners(self) -> list[str]:
        """The bots that won it, each once."""
        won = zip(self.game.bots, self.game.ranks, strict=True)
        return sorted({bot for bot, rank in won if rank == 1})

    @property
    def losers(self) -> list[str]:
        """The other bots, each once."""
        return sorted({*self.game.bots} - {*self.winners})

    @property
    def order(self) -> tuple[int, float]:
        """The key that sorts lists of games."""
        return KINDS.index(self.kind), self.reasons[0].weight

    def add_reasons(self, *also: Why) -> "WatchedGame":
        """The game with these reasons, too, where they say more."""
        known = {(reason.kind, reason.bot) for reason in self.reasons}
        new = [why for why in also if (why.kind, why.bot) not in known and why.kind != "line-up"]
        reasons = sorted([*self.reasons, *new], key=lambda why: KINDS.index(why.kind))
        return self._replace(reasons=tuple(reasons))


class Strength(NamedTuple):
    """The ratings of a pool's bots, in the order of names."""

    mu: Sequence[float]
    places: Sequence[int | None]  # None: not ranked
    draw_probability: float | None  # None: no game counts
    guests: Collection[str] = ()


def candidate(games: Games, rank: int, number: int, *why: Why) -> WatchedGame:
    return WatchedGame(games.columns.pool.title, rank, games.outcome(number), why)


class Comeback(NamedTuple):
    """A game whose winner was last late in it, and where it was farthest behind."""

    game: str  # id
    step: int  # actions before it
    of: int  # actions in all
    behind: float  # points, of the winner behind the leader


class Tale:
    """Games of a pool that one side won alone without a forfeit: who beat whom by how much."""

    def __init__(self, games: Games, strength: Strength) -> None:
        self.games, self.strength = games, strength
        self.bots, ranks = games.counted.bots, games.counted.ranks
        alone = (ranks == 1).sum(axis=1) == 1 if games.sides > 1 else np.zeros(len(ranks), bool)
        self.at = np.flatnonzero(games.clean & alone)  # places among the games that count
        self.rows = np.arange(len(self.at))
        self.winner = (ranks[self.at] == 1).argmax(axis=1) if len(self.at) else self.at
        self.lead = leads(games)[self.at, self.winner]
        self.usual = float(self.lead.mean()) if len(self.at) else 1.0

    def points(self, number: float) -> str:
        """Points, sets or victories, as the game counts them: `4 points`."""
        return points_in_words(self.games.columns.pool.game, number)

    def by(self, number: float) -> str:
        """The points by which a side won."""
        return f"by {self.points(number)}" if number else "by tie-break"

    def names(self, row: int, side: int) -> str:
        """A side with its place: `sven, 33rd,`, `almanac (guest)`."""
        names = []
        for bot in self.bots[self.at[row], side].tolist():
            name, place = self.games.columns.names[bot], self.strength.places[bot]
            no_place = "guest" if name in self.strength.guests else "not ranked"
            names.append(f"{name}, {ordinal(place)}," if place else f"{name} ({no_place})")
        return " and ".join(names)

    def beats(self, row: int, loser: int) -> str:
        """Who won ahead of whom: `sven, 33rd, beats champion, 1st, by 4 points`."""
        scores, winner = self.games.scores[self.at[row]], int(self.winner[row])
        verb = "beats" if self.bots.shape[2] == 1 else "beat"
        by = self.by(scores[winner] - scores[loser])
        return f"{self.names(row, winner)} {verb} {self.names(row, loser)} {by}"

    def candidate(self, rank: int, row: int, why: Why) -> WatchedGame:
        return candidate(self.games, rank, int(self.games.counted.games[self.at[row]]), why)


def find_upsets(tale: Tale, most: int) -> Iterator[WatchedGame]:
    """The games whose sole winner had the least chance, by the ratings, of finishing ahead of the
    strongest other side. Each winner and strongest side have one game, that with the greatest lead.
    """
    if tale.strength.draw_probability is None or not len(tale.at):
        return
    mu = np.array(tale.strength.mu)[tale.bots[tale.at]].sum(axis=2)
    others = mu.copy()
    others[tale.rows, tale.winner] = -np.inf
    strongest = others.argmax(axis=1)
    gap = mu[tale.rows, tale.winner] - others[tale.rows, strongest]
    likely = win_chance(gap, tale.strength.draw_probability, tale.bots.shape[2])
    weight = likely + (tale.lead < CLOSE * tale.usual)  # by luck, one may think: listed last
    order = np.lexsort((tale.at, -tale.lead, weight))
    first = _first_of(tale, strongest, order[likely[order] < UNLIKELY])
    for rank, row in enumerate(first[:most]):
        why = Why("upset", tale.beats(row, int(strongest[row])), float(weight[row]))
        yield tale.candidate(rank, row, why)


def find_close_games(tale: Tale, most: int) -> Iterator[WatchedGame]:
    """The games that were won by least, those of the strongest bots first."""
    if not len(tale.at):
        return
    scores = tale.games.scores[tale.at].copy()
    spread = scores.max(axis=1) - scores.min(axis=1)
    scores[tale.rows, tale.winner] = -np.inf
    second = scores.argmax(axis=1)
    bots = len(tale.strength.places)
    place = np.array([rank or bots for rank in tale.strength.places])[tale.bots[tale.at]]
    weight = tale.lead / tale.usual + place.mean(axis=(1, 2)) / bots
    order = np.lexsort((tale.at, spread, weight))
    close = tale.lead[order] <= max(1.0, CLOSE * tale.usual)
    for rank, row in enumerate(_first_of(tale, second, order[close])[:most]):
        words = tale.beats(row, int(second[row]))
        if tale.games.sides > 2 and spread[row] <= tale.usual:
            words += f"; all {tale.games.sides} end within {tale.points(spread[row])}"
        yield tale.candidate(rank, row, Why("close", words, float(weight[row])))


def _first_of(tale: Tale, other: Ints, order: Ints) -> list[int]:
    """The first of these games of each winner and other side."""
    first = dict[tuple[int, ...], int]()
    for row in order.tolist():
        bots = tale.bots[tale.at[row]]
        pair = *bots[tale.winner[row]].tolist(), *bots[other[row]].tolist()
        first.setdefault(pair, row)
    return [*first.values()]


def find_narrow(games: Games, most: int) -> list[str]:
    """The ids of the games that were won by least: what comebacks are looked for in."""
    tale = Tale(games, Strength((), (), None))
    order = np.lexsort((tale.at, tale.lead))[:most]
    return [games.ids[int(games.counted.games[tale.at[row]])] for row in order]


def tell_comebacks(tale: Tale, comebacks: Iterable[Comeback]) -> Iterator[WatchedGame]:
    """The games whose winner was last late in it, by half of what games are usually won by."""
    ids, numbers = tale.games.ids, tale.games.counted.games[tale.at].tolist()
    rows = {ids[number]: row for row, number in enumerate(numbers)}
    far = [one for one in comebacks if one.behind >= FAR * tale.usual]
    for rank, one in enumerate(sorted(far, key=lambda one: (-one.behind, -one.step))):
        row, behind = rows[one.game], tale.points(one.behind)
        was = f"{behind} behind" if tale.games.sides == 2 else f"last, {behind} behind"
        words = (
            f"{tale.names(row, int(tale.winner[row]))} was {was} at step {one.step} of {one.of} "
            f"and wins {tale.by(tale.lead[row])}"
        )
        why = Why("comeback", words, -one.behind / tale.usual, step=one.step)
        yield tale.candidate(rank, row, why)


def points_in_words(game: str, number: float) -> str:
    """Points, sets or victories, as the game counts: `4 points`."""
    one = 1 if number == 1 else 2  # a team's may be a half
    return f"{number:g} {rules.score_unit(rules.load(game), one)}"


def find_comeback(record: dict[str, Any], id: str) -> Comeback | None:
    """Find where the winner of a game with one winner was last, and farthest behind, in its second
    half; None where it never was. Raises Divergence where the record does not hold.
    """
    game, of = rules.load(record["game"]), len(record["actions"])
    winner = record["result"]["ranks"].index(1)
    comeback, state = None, open_record(record)
    course = [parse_entry(*entry, record["players"])[:2] for entry in enumerate(record["actions"])]
    try:
        for step, decision in play_steps(state, course):
            is_next = isinstance(decision, int) or (state.to_act, decision) == course[step]
            if step < LATE * of or not is_next:  # else what a record leaves out is still to come
                continue
            result = state.result()
            ranks, scores = result["ranks"], result["scores"]
            best = min(scores) if game.LOW_WINS else max(scores)
            behind = abs(scores[winner] - best)
            if 1 < ranks[winner] == max(ranks) and behind > (comeback.behind if comeback else 0):
                comeback = Comeback(id, step, of, behind)
    except IllegalAction as error:
        raise Divergence(None, str(error)) from None
    return comeback
